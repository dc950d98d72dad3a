//! Creates the files of members that are imported or installed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use guild_api::wire::{SecretRef, SetSecret};
use guild_files::messages::InstallError;
use guild_model::{MemberName, Report};

use super::GuildHall;
use guild_files::blocking::blocking;
use guild_import::newcomer::{Newcomer, name_taken, refused};
use guild_import::scan::UsedMemberNames;

/// How long to wait for the roster to show new members.
const SHOWN_LIMIT: Duration = Duration::from_secs(5);

/// A person's consent to the launch command of a new member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LaunchConsent {
    /// The user saw the command before importing the server.
    Given,
    /// The user has to review the command after the member is created.
    Awaited,
}

/// A created member.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) folder: PathBuf,
    /// The names of the secrets that were stored for the member.
    pub(super) secrets: Vec<String>,
    /// A warning about how the secrets are stored.
    pub(super) warning: Option<Report>,
}

impl GuildHall {
    pub(super) async fn secret_names(&self) -> BTreeSet<String> {
        let kept = self.values().store().names().await.secrets;
        kept.into_iter().map(|secret| secret.name).collect()
    }

    /// Stores the secrets, accepts the command if the person has seen it, and calls `write` to
    /// create the folder. If that fails, the secrets are removed again.
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
                // The command is accepted before the folder exists, so that the roster never shows
                // the member as unreviewed.
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

    /// Removes secrets that are no longer needed, because the member was not created, or was
    /// updated.
    pub(super) async fn forget_secrets(&self, secrets: Vec<String>) {
        for name in secrets {
            if let Err(report) = self.values().store().remove(&SecretRef { name }).await {
                tracing::warn!("{report}");
            }
        }
    }

    /// Checks that a new member may have this name. `before` contains the names of members that the
    /// same request has created.
    ///
    /// # Errors
    /// `adoption-refused`.
    pub(super) fn check_new_name(
        &self,
        name: &MemberName,
        before: &[MemberName],
    ) -> Result<(), Report> {
        // A name that was derived from a folder's name may be invalid in a manifest.
        MemberName::parse(name.as_str())
            .map_err(|error| refused(name, &InstallError::BadName(error.0)))?;
        let snapshot = self.snapshot();
        let members = snapshot.members.keys().chain(before);
        match UsedMemberNames::taken(members.map(MemberName::as_str)).is_free(name.as_str()) {
            true => Ok(()),
            false => Err(name_taken(name)),
        }
    }

    /// Waits until the roster shows the new members.
    pub(crate) async fn until_shown(&self, names: &[MemberName]) {
        if !self.is_following() {
            self.inner.members.reconcile().await;
            return;
        }
        let roster = &self.inner.context.roster;
        let shown =
            roster.until(|snapshot| names.iter().all(|name| snapshot.members.contains_key(name)));
        // If the roster changes later than that, the caller has already returned.
        let _ = tokio::time::timeout(SHOWN_LIMIT, shown).await;
    }

    /// Whether the members' folder is watched.
    fn is_following(&self) -> bool {
        self.inner.folder.lock().is_some()
    }
}
