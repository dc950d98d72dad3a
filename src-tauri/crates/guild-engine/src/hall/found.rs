//! The servers that other programs have: found, and made members.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use guild_core::agents::GATEWAY_PORT;
use guild_core::event::HallEvent;
use guild_core::wire::{
    AdoptServer, AdoptServers, Adopted, AdoptedServer, AdoptionEnd, FoundServers, FoundState,
    OfFoundFolder, OfSecret, SetSecret,
};
use guild_core::{Code, MemberName, Report};
use tokio_util::task::AbortOnDropHandle;

use super::Hall;
use crate::agents::gateway_port;
use crate::discovery::MANIFEST_FILE;
use crate::found::{Adoption, FilesWatch, Finds, Looked, Names, Showing, name_taken, refused};

/// The most servers that are adopted at once.
const ADOPTED_MAX: usize = 1_000;
/// How long new members are waited for until they show in the roster.
const SHOWN_LIMIT: Duration = Duration::from_secs(5);

impl Hall {
    /// The servers that other programs have in their files, read now; from then on, changes are
    /// told. Nothing is started.
    ///
    /// # Errors
    /// `data-unwritable` where the system names no home folder.
    pub async fn found_servers(&self) -> Result<FoundServers, Report> {
        let looked = self.look().await?;
        let found = Arc::new(self.shown(&looked).await);
        self.finds().is_news(&found);
        self.follow_files(&looked);
        Ok(Arc::unwrap_or_clone(found))
    }

    /// Looks in a project folder or a workspace file too, from now on.
    ///
    /// # Errors
    /// `project-unknown`, `data-unwritable`.
    pub async fn look_for_servers(&self, request: OfFoundFolder) -> Result<FoundServers, Report> {
        self.remember(move |finds| finds.remembered().add(&request.folder))
            .await
    }

    /// Looks in a project folder or a workspace file no more.
    ///
    /// # Errors
    /// `data-unwritable`.
    pub async fn forget_found_folder(
        &self,
        request: OfFoundFolder,
    ) -> Result<FoundServers, Report> {
        self.remember(move |finds| finds.remembered().remove(&request.folder))
            .await
    }

    /// Makes members of servers. Whoever asks for it has shown a person what each of them runs:
    /// that is accepted with it.
    ///
    /// # Errors
    /// `data-unwritable` where the system names no home folder. Why a single server could not be
    /// adopted is part of the answer.
    pub async fn adopt_servers(&self, request: AdoptServers) -> Result<Adopted, Report> {
        let _alone = self.finds().alone().await;
        let looked = self.look().await?;
        let mut each = Vec::new();
        let mut names = Vec::new();
        for wanted in request.servers.into_iter().take(ADOPTED_MAX) {
            let end = match self.adopt(&looked, &wanted, &names).await {
                Ok(end) => {
                    names.push(wanted.name);
                    end
                }
                Err(report) => AdoptionEnd::Refused { report },
            };
            each.push(AdoptedServer { id: wanted.id, end });
        }
        if !names.is_empty() {
            self.until_shown(&names).await;
            self.tell_found(&looked).await;
        }
        Ok(Adopted { each })
    }

    /// Makes one member; `before` were made just now.
    async fn adopt(
        &self,
        looked: &Looked,
        wanted: &AdoptServer,
        before: &[MemberName],
    ) -> Result<AdoptionEnd, Report> {
        let name = &wanted.name;
        let server = looked.servers.iter().find(|server| server.id == wanted.id);
        let server = server.ok_or_else(|| {
            Report::new(
                Code::FoundServerUnknown,
                "No file has this server any more as it was shown.",
                "Look at what was found again.",
            )
            .of(name)
        })?;
        let snapshot = self.snapshot();
        let showing = Showing {
            snapshot: &snapshot,
            gateway_port: self.gateway_port().await,
        };
        match showing.state(server) {
            FoundState::New => {}
            FoundState::Unusable { report } => return Err(report.of(name)),
            FoundState::Gateway => {
                return Err(refused(name, "It is Guild Hall's own gateway.", ""));
            }
            FoundState::Adopted { member } => {
                let message = format!("The member {member} runs the same already.");
                return Err(refused(name, &message, "Use that member."));
            }
        }
        let members = snapshot.members.keys().chain(before);
        if !Names::taken(members.map(MemberName::as_str)).is_free(name.as_str()) {
            return Err(name_taken(name));
        }
        // A name that was made for a folder is none that a manifest can give.
        if let Err(error) = MemberName::parse(name.as_str()) {
            return Err(refused(name, &format!("{error}."), "Give another name."));
        }
        let kept = self.values().book().names().await.secrets;
        let kept: BTreeSet<String> = kept.into_iter().map(|secret| secret.name).collect();
        let at = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let adoption = Adoption::of(server, looked, wanted, &kept, at)?;
        self.make_member(adoption).await
    }

    /// Keeps the secrets, has the command accepted, and writes the folder. Where that fails, the
    /// secrets go again.
    async fn make_member(&self, mut adoption: Adoption) -> Result<AdoptionEnd, Report> {
        let mut secrets = Vec::new();
        let mut warning = None;
        for (name, value) in adoption.take_secrets() {
            let request = SetSecret {
                name: name.clone(),
                value: value.into_value(),
                place: None,
            };
            match self.set_secret(request).await {
                Ok(kept) => warning = warning.or(kept.warning),
                Err(report) => {
                    self.forget_secrets(secrets).await;
                    return Err(report.of(&adoption.name));
                }
            }
            secrets.push(name);
        }
        let member = adoption.name.clone();
        let context = Arc::clone(&self.inner.context);
        let writing = tokio::task::spawn_blocking(move || {
            // Before it is there: it would be unreviewed for a moment.
            context.reviews.accept(&adoption.name, &adoption.manifest)?;
            adoption.write(&context.paths.members_dir)
        });
        let written = writing.await.unwrap_or_else(|error| {
            let message = format!("{MANIFEST_FILE} could not be written: {error}.");
            Err(Report::new(Code::FileUnwritable, message, "Try again.").of(&member))
        });
        match written {
            Ok(folder) => Ok(AdoptionEnd::Member {
                member,
                folder: folder.display().to_string(),
                secrets,
                warning,
            }),
            Err(report) => {
                self.forget_secrets(secrets).await;
                Err(report)
            }
        }
    }

    /// Removes what was kept for a member that did not come to be.
    async fn forget_secrets(&self, secrets: Vec<String>) {
        for name in secrets {
            if let Err(report) = self.values().book().remove(&OfSecret { name }).await {
                tracing::warn!("{report}");
            }
        }
    }

    /// Waits until new members show in the roster.
    async fn until_shown(&self, names: &[MemberName]) {
        if !self.is_following() {
            self.inner.registry.reconcile().await;
            return;
        }
        let index = &self.inner.context.index;
        let shown =
            index.until(|snapshot| names.iter().all(|name| snapshot.members.contains_key(name)));
        // What takes longer shows by itself.
        let _ = tokio::time::timeout(SHOWN_LIMIT, shown).await;
    }

    /// Whether the members' folder is followed.
    fn is_following(&self) -> bool {
        let folder = self.inner.folder.lock();
        folder
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .is_some()
    }

    async fn remember(
        &self,
        change: impl FnOnce(&Finds) -> Result<(), Report> + Send + 'static,
    ) -> Result<FoundServers, Report> {
        let finds = self.finds().clone();
        let changing = tokio::task::spawn_blocking(move || change(&finds));
        changing.await.unwrap_or_else(|error| {
            let message = format!("The folder could not be looked at: {error}.");
            Err(Report::new(Code::ProjectUnknown, message, "Try again."))
        })?;
        self.finds().renew();
        self.found_servers().await
    }

    fn finds(&self) -> &Finds {
        &self.inner.context.finds
    }

    async fn look(&self) -> Result<Looked, Report> {
        let environment = self.values().environment();
        let environment = match environment.now() {
            Some(known) => known,
            None => environment.settled().await,
        };
        self.finds().look(environment).await
    }

    async fn shown(&self, looked: &Looked) -> FoundServers {
        let snapshot = self.snapshot();
        let showing = Showing {
            snapshot: &snapshot,
            gateway_port: self.gateway_port().await,
        };
        showing.show(looked)
    }

    /// Tells that there is something else than was told last, if there is.
    async fn tell_found(&self, looked: &Looked) {
        let found = Arc::new(self.shown(looked).await);
        if self.finds().is_news(&found) {
            let new = found.new;
            self.inner
                .context
                .index
                .tell(HallEvent::FoundChanged { new });
        }
    }

    async fn gateway_port(&self) -> u16 {
        let data_dir = self.paths().data_dir.clone();
        let port = tokio::task::spawn_blocking(move || gateway_port(&data_dir)).await;
        port.ok().and_then(Result::ok).unwrap_or(GATEWAY_PORT)
    }

    /// Has changes of the files told from now on.
    fn follow_files(&self, looked: &Looked) {
        let weak = self.weak();
        let mut paths = looked.paths();
        let closing = self.inner.closing.clone();
        self.finds().follow(|| {
            let following = async move {
                let Some(mut watch) = FilesWatch::begin() else {
                    return;
                };
                loop {
                    let watching = tokio::task::spawn_blocking(move || {
                        watch.watch(paths);
                        watch
                    });
                    let Ok(begun) = watching.await else { return };
                    watch = begun;
                    let Some(hall) = weak.upgrade() else { return };
                    // What changed before the watch began is found by this look.
                    let Ok(looked) = hall.look().await else {
                        return;
                    };
                    hall.tell_found(&looked).await;
                    paths = looked.paths();
                    let finds = hall.finds().clone();
                    drop(hall);
                    tokio::select! {
                        () = watch.changed() => {}
                        () = finds.renewed() => {}
                    }
                }
            };
            let following = closing.run_until_cancelled_owned(following);
            AbortOnDropHandle::new(tokio::spawn(async move {
                following.await;
            }))
        });
    }
}
