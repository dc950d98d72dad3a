//! The servers that other programs have: found, and made members.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use guild_api::event::HallEvent;
use guild_api::wire::control::{CallerFolders, FromCaller};
use guild_api::wire::{
    AdoptServer, AdoptServers, Adopted, AdoptedServer, AdoptionEnd, FoundServers, FoundState,
    Nothing, OfFoundFolder,
};
use guild_client_config::{ClientConfigFolders, ConfigFile};
use guild_files::messages::InstallTrouble;
use guild_model::endpoint::GATEWAY_PORT;
use guild_model::{Code, MemberName, Report};
use tokio_util::task::AbortOnDropHandle;

use super::GuildHall;
use super::newcomers::LaunchConsent;
use super::programs::programs_in;
use guild_agents::gateway_port;
use guild_files::blocking::blocking;
use guild_files::files::waiting::Lull;
use guild_files::files::watch::FilesWatch;
use guild_import::found::{Finds, ScanDisplayContext, ScanResult, UsedMemberNames, adoption};
use guild_import::newcomer::{Newcomer, name_taken, refused};

/// Some programs write their file with every word.
const OTHERS: Lull = Lull {
    quiet: Duration::from_millis(300),
    patience: Duration::from_secs(2),
};
/// The most servers that are adopted at once.
const ADOPTED_MAX: usize = 1_000;

impl GuildHall {
    /// The servers that other programs have in their files, read now; from then on, changes are
    /// published. Nothing is started.
    ///
    /// # Errors
    /// `data-unwritable` where the system names no home folder.
    pub async fn found_servers(&self) -> Result<FoundServers, Report> {
        let looked = self.look().await?;
        self.is_news(&looked).await;
        self.follow_files(&looked);
        Ok(self.shown(&looked).await)
    }

    /// The same in the files of a caller. Changes are reported only of the files that the hall itself
    /// sees.
    ///
    /// # Errors
    /// As [`GuildHall::found_servers`].
    pub(crate) async fn found_servers_for(
        &self,
        from: FromCaller<Nothing>,
    ) -> Result<FoundServers, Report> {
        match self.folders_elsewhere(from.folders) {
            Some(folders) => {
                let looked = self.look_in(Some(&folders)).await?;
                Ok(self.shown(&looked).await)
            }
            None => self.found_servers().await,
        }
    }

    /// The folders of a caller, where they are not those that the hall itself sees.
    fn folders_elsewhere(&self, folders: Option<CallerFolders>) -> Option<ClientConfigFolders> {
        let folders = folders.map(programs_in)?;
        let is_own = self.finds().programs().is_ok_and(|own| *own == folders);
        (!is_own).then_some(folders)
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

    /// Makes members of servers. The caller has shown a person what each of them runs:
    /// that is accepted with it.
    ///
    /// # Errors
    /// `data-unwritable` where the system names no home folder. Why a single server could not be
    /// adopted is part of the answer.
    pub async fn adopt_servers(
        &self,
        from: impl Into<FromCaller<AdoptServers>>,
    ) -> Result<Adopted, Report> {
        let from = from.into();
        let elsewhere = self.folders_elsewhere(from.folders);
        let _alone = self.finds().alone().await;
        let looked = self.look_in(elsewhere.as_ref()).await?;
        let adopted = self.adopt_each(&looked, from.request.servers).await;
        let is_member = |one: &AdoptedServer| matches!(one.end, AdoptionEnd::Member { .. });
        if adopted.each.iter().any(is_member) {
            match elsewhere {
                Some(_) => self.tell_found(&self.look().await?).await,
                None => self.tell_found(&looked).await,
            }
        }
        Ok(adopted)
    }

    /// Makes members of servers of a look, one after the other.
    pub(super) async fn adopt_each(
        &self,
        looked: &ScanResult,
        servers: Vec<AdoptServer>,
    ) -> Adopted {
        let mut each = Vec::new();
        let mut names = Vec::new();
        for wanted in servers.into_iter().take(ADOPTED_MAX) {
            let end = match self.adopt(looked, &wanted, &names).await {
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
        }
        Adopted { each }
    }

    /// Makes one member; `before` were made just now.
    async fn adopt(
        &self,
        looked: &ScanResult,
        wanted: &AdoptServer,
        before: &[MemberName],
    ) -> Result<AdoptionEnd, Report> {
        let name = &wanted.name;
        let server = looked.servers.iter().find(|server| server.id == wanted.id);
        let server = server.ok_or_else(|| {
            Report::from_error(Code::FoundServerUnknown, &InstallTrouble::NotFound).of(name)
        })?;
        let snapshot = self.snapshot();
        let showing = ScanDisplayContext {
            snapshot: &snapshot,
            gateway_port: self.gateway_port().await,
        };
        match showing.state(server) {
            FoundState::New => {}
            FoundState::Unusable { report } => return Err(report.of(name)),
            FoundState::Gateway => {
                return Err(refused(name, &InstallTrouble::OwnGateway));
            }
            FoundState::Adopted { member } => {
                let trouble = InstallTrouble::RunsAlready(member.clone());
                return Err(refused(name, &trouble));
            }
        }
        let members = snapshot.members.keys().chain(before);
        if !UsedMemberNames::taken(members.map(MemberName::as_str)).is_free(name.as_str()) {
            return Err(name_taken(name));
        }
        // A name that was made for a folder is none that a manifest can give.
        if let Err(error) = MemberName::parse(name.as_str()) {
            return Err(refused(name, &InstallTrouble::BadName(error.0)));
        }
        let kept = self.secret_names().await;
        let at = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let newcomer = adoption(server, looked, wanted, kept, at)?;
        let made = self
            .make_member(newcomer, LaunchConsent::Given, Newcomer::write)
            .await?;
        Ok(AdoptionEnd::Member {
            member: name.clone(),
            folder: made.folder.display().to_string(),
            secrets: made.secrets,
            warning: made.warning,
        })
    }

    async fn remember(
        &self,
        change: impl FnOnce(&Finds) -> Result<(), Report> + Send + 'static,
    ) -> Result<FoundServers, Report> {
        let finds = self.finds().clone();
        blocking(move || change(&finds)).await??;
        self.finds().renew();
        self.found_servers().await
    }

    pub(crate) fn finds(&self) -> &Finds {
        &self.inner.finds
    }

    /// Looks into all files, now.
    ///
    /// # Errors
    /// `data-unwritable` where the system names no home folder.
    pub(crate) async fn look(&self) -> Result<ScanResult, Report> {
        self.look_in(None).await
    }

    /// Looks into the files in these folders, or else into those that the hall itself sees.
    ///
    /// # Errors
    /// As [`GuildHall::look`].
    pub(super) async fn look_in(
        &self,
        folders: Option<&ClientConfigFolders>,
    ) -> Result<ScanResult, Report> {
        let environment = self.values().environment();
        let environment = match environment.now() {
            Some(known) => known,
            None => environment.settled().await,
        };
        self.finds().look(folders, environment).await
    }

    async fn shown(&self, looked: &ScanResult) -> FoundServers {
        let snapshot = self.snapshot();
        let showing = ScanDisplayContext {
            snapshot: &snapshot,
            gateway_port: self.gateway_port().await,
        };
        let mut shown = showing.show(looked);
        let written: Vec<ConfigFile> = looked
            .files
            .iter()
            .filter_map(|file| ConfigFile::of(&file.source))
            .collect();
        let undoable = self.can_undo(written.clone()).await;
        let undoable: HashSet<String> = written
            .into_iter()
            .zip(undoable)
            .filter(|(_, can_undo)| *can_undo)
            .map(|(file, _)| file.path.display().to_string())
            .collect();
        for file in &mut shown.files {
            if let Some(handing) = &mut file.handing {
                handing.can_undo = undoable.contains(&file.path);
            }
        }
        shown
    }

    /// Publishes the found servers if they differ from those published last.
    pub(super) async fn tell_found(&self, looked: &ScanResult) {
        if let Some(new) = self.is_news(looked).await {
            self.inner
                .context
                .roster
                .tell(HallEvent::FoundChanged { new });
        }
    }

    /// Takes note of what is found now; how much of it is new, where it is something else than
    /// before.
    async fn is_news(&self, looked: &ScanResult) -> Option<usize> {
        let found = self.shown(looked).await;
        let new = found.new;
        self.finds().is_news(found).then_some(new)
    }

    pub(super) async fn gateway_port(&self) -> u16 {
        let data_dir = self.paths().data_dir.clone();
        let port = tokio::task::spawn_blocking(move || gateway_port(&data_dir)).await;
        port.ok().and_then(Result::ok).unwrap_or(GATEWAY_PORT)
    }

    /// Publishes changes of the files from now on.
    fn follow_files(&self, looked: &ScanResult) {
        let weak = self.weak();
        let mut paths = looked.paths();
        let closing = self.inner.closing.clone();
        self.finds().follow(|| {
            let following = async move {
                let mut watch = FilesWatch::new(OTHERS);
                loop {
                    let watching = tokio::task::spawn_blocking(move || {
                        watch.watch(paths);
                        watch
                    });
                    let Ok(begun) = watching.await else { return };
                    watch = begun;
                    let Some(hall) = weak.upgrade() else { return };
                    // This look finds changes from before the watch began.
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
