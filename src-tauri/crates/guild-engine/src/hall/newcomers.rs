//! Members that are made here, and not by their user's own hand.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use guild_api::wire::{OfSecret, SetSecret};
use guild_model::{MemberName, Report};

use super::GuildHall;
use guild_files::blocking::blocking;
use guild_import::newcomer::Newcomer;

/// The limit of the wait until new members show in the roster.
const SHOWN_LIMIT: Duration = Duration::from_secs(5);

/// Whether a person has accepted what a new member runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LaunchConsent {
    /// The user saw the command when they made the server a member.
    Given,
    /// The user is asked after the member is created.
    Awaited,
}

/// A member that was made.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) folder: PathBuf,
    /// The names of the secrets that were kept for it.
    pub(super) secrets: Vec<String>,
    /// A warning about the folder that they are in.
    pub(super) warning: Option<Report>,
}

impl GuildHall {
    /// The names that secrets have already.
    pub(super) async fn secret_names(&self) -> BTreeSet<String> {
        let kept = self.values().book().names().await.secrets;
        kept.into_iter().map(|secret| secret.name).collect()
    }

    /// Keeps the secrets, has the command accepted where a person did, and has `write` put the
    /// folder there. Where that fails, the secrets go again.
    pub(super) async fn make_member(
        &self,
        mut newcomer: Newcomer,
        consent: LaunchConsent,
        write: impl FnOnce(&Newcomer, &Path) -> Result<PathBuf, Report> + Send + 'static,
    ) -> Result<Made, Report> {
        let mut secrets = Vec::new();
        let mut warning = None;
        for (name, value) in newcomer.take_secrets() {
            let request = SetSecret {
                name: name.clone(),
                value: value.into_value(),
                place: None,
            };
            match self.set_secret(request).await {
                Ok(kept) => warning = warning.or(kept.warning),
                Err(report) => {
                    self.forget_secrets(secrets).await;
                    return Err(report.of(&newcomer.name));
                }
            }
            secrets.push(name);
        }
        let member = newcomer.name.clone();
        let context = Arc::clone(&self.inner.context);
        let written = blocking(move || {
            if consent == LaunchConsent::Given {
                // Before it is there: it would be unreviewed for a moment.
                context.reviews.accept(&newcomer.name, &newcomer.manifest)?;
            }
            write(&newcomer, &context.paths.members_dir)
        });
        match written.await.map_err(|report| report.of(&member)).flatten() {
            Ok(folder) => Ok(Made {
                folder,
                secrets,
                warning,
            }),
            Err(report) => {
                self.forget_secrets(secrets).await;
                Err(report)
            }
        }
    }

    /// Removes what was kept for a member that did not come to be, or needs it no more.
    pub(super) async fn forget_secrets(&self, secrets: Vec<String>) {
        for name in secrets {
            if let Err(report) = self.values().book().remove(&OfSecret { name }).await {
                tracing::warn!("{report}");
            }
        }
    }

    /// Waits until new members show in the roster.
    pub(super) async fn until_shown(&self, names: &[MemberName]) {
        if !self.is_following() {
            self.inner.members.reconcile().await;
            return;
        }
        let roster = &self.inner.context.roster;
        let shown =
            roster.until(|snapshot| names.iter().all(|name| snapshot.members.contains_key(name)));
        // A slower change shows up later in the roster.
        let _ = tokio::time::timeout(SHOWN_LIMIT, shown).await;
    }

    /// Whether the members' folder is followed.
    fn is_following(&self) -> bool {
        self.inner.folder.lock().is_some()
    }
}
