//! Finds the servers in the configuration files of other apps, and imports them as members.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use guild_api::event::HallEvent;
use guild_api::wire::control::{CallerFolders, FromCaller};
use guild_api::wire::{
    AdoptServer, AdoptServers, Adopted, AdoptedServer, AdoptionEnd, FoundServers, FoundState,
    Nothing, ScanFolderRef,
};
use guild_client_config::{ClientConfigFolders, ConfigFile};
use guild_files::messages::InstallError;
use guild_model::endpoint::GATEWAY_PORT;
use guild_model::{Code, MemberName, Report};
use tokio_util::task::AbortOnDropHandle;

use super::GuildHall;
use super::create::LaunchConsent;
use super::programs::programs_in;
use guild_agents::gateway_port;
use guild_files::blocking::blocking;
use guild_files::files::waiting::Debounce;
use guild_files::files::watch::FilesWatch;
use guild_import::newcomer::{Newcomer, refused};
use guild_import::scan::{ScanDisplayContext, ScanResult, ServerScanner, adoption};

/// Debounce of changes of a file. Some apps write their file after every keystroke.
const CONFIG_DEBOUNCE: Debounce = Debounce {
    quiet: Duration::from_millis(300),
    max_wait: Duration::from_secs(2),
};
/// Maximum number of servers that one request imports. Further servers are rejected.
const ADOPTED_MAX: usize = 1_000;

impl GuildHall {
    /// Reads the servers in the configuration files of other apps. From then on, changes of these
    /// files are published as events. Starts nothing.
    ///
    /// # Errors
    /// `data-unwritable` if the system has no home folder.
    pub async fn found_servers(&self) -> Result<FoundServers, Report> {
        let scan = self.scan().await?;
        self.store_found(&scan).await;
        self.follow_files(&scan);
        Ok(self.shown(&scan).await)
    }

    /// Reads the servers in the configuration files of the calling program's user. Changes are
    /// published only for the files of the hall's own environment.
    ///
    /// # Errors
    /// The errors of [`GuildHall::found_servers`].
    pub(crate) async fn found_servers_for(
        &self,
        from: FromCaller<Nothing>,
    ) -> Result<FoundServers, Report> {
        match self.folders_elsewhere(from.folders) {
            Some(folders) => {
                let scan = self.scan_in(Some(&folders)).await?;
                Ok(self.shown(&scan).await)
            }
            None => self.found_servers().await,
        }
    }

    /// Returns a caller's folders with configuration files. `None` if they are the hall's own.
    fn folders_elsewhere(&self, folders: Option<CallerFolders>) -> Option<ClientConfigFolders> {
        let folders = folders.map(programs_in)?;
        let is_own = self.finds().programs().is_ok_and(|own| *own == folders);
        (!is_own).then_some(folders)
    }

    /// Adds a project folder or a workspace file to the scanned locations.
    ///
    /// # Errors
    /// `project-unknown`, `data-unwritable`.
    pub async fn look_for_servers(&self, request: ScanFolderRef) -> Result<FoundServers, Report> {
        self.remember(move |finds| finds.remembered().add(&request.folder))
            .await
    }

    /// Removes a project folder or a workspace file from the scanned locations.
    ///
    /// # Errors
    /// `data-unwritable`.
    pub async fn forget_found_folder(
        &self,
        request: ScanFolderRef,
    ) -> Result<FoundServers, Report> {
        self.remember(move |finds| finds.remembered().remove(&request.folder))
            .await
    }

    /// Creates members from servers. The caller has shown the launch command of each server to the
    /// person, so the new members count as reviewed.
    ///
    /// # Errors
    /// `data-unwritable` if the system has no home folder. The result contains the reason for each
    /// server that could not be imported.
    pub async fn adopt_servers(
        &self,
        from: impl Into<FromCaller<AdoptServers>>,
    ) -> Result<Adopted, Report> {
        let from = from.into();
        let elsewhere = self.folders_elsewhere(from.folders);
        let _importing = self.finds().lock_imports().await;
        let scan = self.scan_in(elsewhere.as_ref()).await?;
        let adopted = self.adopt_each(&scan, from.request.servers).await;
        let is_member = |one: &AdoptedServer| matches!(one.end, AdoptionEnd::Member { .. });
        if adopted.each.iter().any(is_member) {
            match elsewhere {
                Some(_) => self.publish_found(&self.scan().await?).await,
                None => self.publish_found(&scan).await,
            }
        }
        Ok(adopted)
    }

    /// Creates members from scanned servers, one after the other.
    pub(super) async fn adopt_each(&self, scan: &ScanResult, servers: Vec<AdoptServer>) -> Adopted {
        let mut each = Vec::new();
        let mut names = Vec::new();
        for wanted in servers {
            let adopted = match each.len() {
                0..ADOPTED_MAX => self.adopt(scan, &wanted, &names).await,
                _ => Err(refused(
                    &wanted.name,
                    &InstallError::ManyServers(ADOPTED_MAX),
                )),
            };
            let end = match adopted {
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

    /// Creates one member. `before` contains the members that the same request has already created.
    async fn adopt(
        &self,
        scan: &ScanResult,
        wanted: &AdoptServer,
        before: &[MemberName],
    ) -> Result<AdoptionEnd, Report> {
        let name = &wanted.name;
        let server = scan.servers.iter().find(|server| server.id == wanted.id);
        let server = server.ok_or_else(|| {
            Report::from_error(Code::FoundServerUnknown, &InstallError::NotFound).of(name)
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
                return Err(refused(name, &InstallError::OwnGateway));
            }
            FoundState::Adopted { member } => {
                let trouble = InstallError::RunsAlready(member.clone());
                return Err(refused(name, &trouble));
            }
        }
        self.check_new_name(name, before)?;
        let kept = self.secret_names().await;
        let at = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let newcomer = adoption(server, scan, wanted, kept, at)?;
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
        change: impl FnOnce(&ServerScanner) -> Result<(), Report> + Send + 'static,
    ) -> Result<FoundServers, Report> {
        let finds = self.finds().clone();
        blocking(move || change(&finds)).await??;
        self.finds().renew();
        self.found_servers().await
    }

    pub(crate) fn finds(&self) -> &ServerScanner {
        &self.inner.finds
    }

    /// Scans all files.
    ///
    /// # Errors
    /// `data-unwritable` if the system has no home folder.
    pub(crate) async fn scan(&self) -> Result<ScanResult, Report> {
        self.scan_in(None).await
    }

    /// Scans the files in these folders. `None` means the folders of the hall's own environment.
    ///
    /// # Errors
    /// The errors of [`GuildHall::scan`].
    pub(super) async fn scan_in(
        &self,
        folders: Option<&ClientConfigFolders>,
    ) -> Result<ScanResult, Report> {
        let environment = self.values().environment();
        let environment = match environment.now() {
            Some(known) => known,
            None => environment.settled().await,
        };
        self.finds().scan(folders, environment).await
    }

    async fn shown(&self, scan: &ScanResult) -> FoundServers {
        let snapshot = self.snapshot();
        let showing = ScanDisplayContext {
            snapshot: &snapshot,
            gateway_port: self.gateway_port().await,
        };
        let mut shown = showing.show(scan);
        let written: Vec<ConfigFile> = scan
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

    /// Publishes an event with the number of new servers, if the servers changed since the last
    /// event.
    pub(super) async fn publish_found(&self, scan: &ScanResult) {
        if let Some(new) = self.store_found(scan).await {
            self.inner
                .context
                .roster
                .tell(HallEvent::FoundChanged { new });
        }
    }

    /// Stores the servers that were found. Returns the number of new servers, or `None` if nothing
    /// changed.
    async fn store_found(&self, scan: &ScanResult) -> Option<usize> {
        let found = self.shown(scan).await;
        let new = found.new;
        self.finds().is_news(found).then_some(new)
    }

    pub(super) async fn gateway_port(&self) -> u16 {
        let data_dir = self.paths().data_dir.clone();
        let port = tokio::task::spawn_blocking(move || gateway_port(&data_dir)).await;
        port.ok().and_then(Result::ok).unwrap_or(GATEWAY_PORT)
    }

    /// Publishes changes of the files from now on.
    fn follow_files(&self, scan: &ScanResult) {
        let weak = self.weak();
        let mut paths = scan.paths();
        let closing = self.inner.closing.clone();
        self.finds().follow(|| {
            let following = async move {
                let mut watch = FilesWatch::new(CONFIG_DEBOUNCE);
                loop {
                    let watching = tokio::task::spawn_blocking(move || {
                        watch.watch(paths);
                        watch
                    });
                    let Ok(begun) = watching.await else { return };
                    watch = begun;
                    let Some(hall) = weak.upgrade() else { return };
                    // This scan finds changes from before the watch began.
                    let Ok(scan) = hall.scan().await else {
                        return;
                    };
                    hall.publish_found(&scan).await;
                    paths = scan.paths();
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
