//! The hall: the handle to the engine, which is cheap to clone.

mod apps;
mod calls;
mod catalog;
mod commands;
mod create;
mod detail;
mod dev;
mod doctor;
mod elicitation;
mod files;
mod gateway;
mod import;
mod instance;
mod logs;
mod manage;
mod mcpb;
mod member_requests;
mod offers;
mod options;
mod pasted;
mod prediction;
mod programs;
pub(crate) mod recordings;
mod registry;
mod requests;
mod review;
mod secrets;
mod settings;
pub(crate) mod sign_in;
mod snippets;
mod team;
mod window;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures::future::join_all;
use guild_api::wire::{
    AppInfo, Caller, CheckArguments, DiscoveryStatus, FoundTools, MemberTools, MemberView,
    Refreshed, RosterView, SearchTools, VisibleMembers,
};
use guild_ipc::messages::HallError;
use guild_model::holder::HallRole;
use guild_model::manifest::Manifest;
use guild_model::status::Status;
use guild_model::{CallId, Code, MemberName, Report};
use guild_process::{PortPool, ProcessRegistry, ProcessRegistryOptions};
use guild_schema::validate::CheckedArguments;
use parking_lot::Mutex;
use tokio::sync::{Notify, OnceCell};
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

pub use self::apps::ToolApp;
use self::instance::{InstanceState, WeakHall};
pub use self::member_requests::refuse_member;
pub use self::options::{FolderWatchMode, GuildHallOptions, LoginShell, WatchdogProgram};
use guild_agents::Agents;
use guild_files::own_program::{licences, own_binary};
use guild_files::removed::MemberRemoval;
use guild_history::History;
use guild_import::client_configs::ClientConfigFiles;
use guild_import::scan::ServerScanner;
use guild_ipc::{InstanceLock, LockMode};
use guild_logs::Logs;
use guild_logs::redactor::LogRedactor;
use guild_registry::listings::Listings;
use guild_roster::{Roster, RosterEntry, Snapshot, Subscription};
use guild_secrets::SecretResolver;
use guild_settings::SettingsBook;
use guild_settings::data_format;
use guild_settings::paths::Paths;
use guild_supervisor::calls::{ArgumentsRejection, CallService, RawArguments, check};
use guild_supervisor::context::Context;
use guild_supervisor::dev::DevService;
use guild_supervisor::elicitation::{ElicitationBroker, PATIENCE};
use guild_supervisor::member::{MemberCommand, MemberHandle, MemberShutdownReason, StartedBy};
use guild_supervisor::members::Supervisor;
use guild_supervisor::notifications::NotificationBus;
use guild_supervisor::ports::PortMemory;
use guild_supervisor::prediction::Predictions;
use guild_supervisor::reviews::Reviews;
use guild_supervisor::signing::Signings;
use guild_supervisor::start_limiter::StartLimiter;
use guild_trace::Tracer;

/// Time limit of a shutdown.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(5);
/// The part of [`SHUTDOWN_LIMIT`] that is reserved for the history, even if members take longer to
/// stop.
const HISTORY_SHARE: Duration = Duration::from_millis(250);
/// How long an on-demand member keeps running after its last call.
const IDLE_LINGER: Duration = Duration::from_secs(30);

/// The handle to the engine.
#[derive(Debug, Clone)]
pub struct GuildHall {
    inner: Arc<HallState>,
}

#[derive(Debug)]
struct HallState {
    context: Arc<Context>,
    members: Arc<Supervisor>,
    /// Scans the configuration files of other apps for servers.
    finds: ServerScanner,
    /// Watches, builds and tests the members in development.
    workshop: Arc<DevService>,
    listings: Listings,
    /// The tokens that cancel the running calls, by the id of the call.
    calls: Mutex<HashMap<CallId, CancellationToken>>,
    /// Notified when a call ends.
    call_over: Notify,
    closing: CancellationToken,
    /// The task that watches the members' folder, until the hall closes.
    folder: Mutex<Option<AbortOnDropHandle<()>>>,
    /// The task that watches the settings files, until the hall closes.
    settings: Mutex<Option<AbortOnDropHandle<()>>>,
    history: History,
    service: Arc<CallService>,
    tracer: Tracer,
    /// The caller that is recorded for calls of this hall's own program.
    caller: Caller,
    /// Tracks the calls that are not yet recorded in the history.
    ending: TaskTracker,
    /// The gateway's state: clients, settings and views of the members. Read from disk at first
    /// use.
    agents: OnceCell<Arc<Agents>>,
    /// The configuration files of this user's other apps, created at first use.
    configs: OnceLock<ClientConfigFiles>,
    instance: InstanceState,
}

/// Rejects a data folder that another user owns.
async fn refuse_foreign(data_dir: &Path) -> Result<(), Report> {
    let folder = data_dir.to_owned();
    let owner = tokio::task::spawn_blocking(move || guild_process::foreign_owner(&folder)).await;
    match owner {
        Ok(Ok(Some(owner))) => {
            let trouble = HallError::OfOtherUser(data_dir.to_owned(), owner);
            Err(Report::from_error(Code::DataOfAnother, &trouble))
        }
        // Another error of the folder is reported by the code that uses the folder.
        Ok(Ok(None) | Err(_)) | Err(_) => Ok(()),
    }
}

/// Runs blocking work. A panic of the work continues in the caller.
async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let done = tokio::task::spawn_blocking(work).await;
    // An error here means that the task has panicked or that the runtime shuts down.
    done.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

/// The first start of all members. If this value is dropped, the members still start.
#[derive(Debug)]
pub struct Started(tokio::task::JoinHandle<Vec<Result<MemberView, Report>>>);

impl Started {
    /// Waits until each member is ready, or its first attempt has failed.
    pub async fn settled(self) -> Vec<Result<MemberView, Report>> {
        self.0.await.unwrap_or_default()
    }
}

impl GuildHall {
    /// Opens the hall: reads manifests and caches, and starts no member (REQ-MCP-TOOL-4, -8).
    ///
    /// Must be called within a tokio runtime. If the members' folder can't be read, the roster
    /// contains the error, and the function succeeds. If another hall on the data folder is
    /// shutting down, the function waits for its end.
    ///
    /// # Errors
    /// `hall-runs` and `hall-unreachable` if another hall holds the lock of the data folder.
    /// `data-newer` if a newer version has written the data folder. `data-of-another` if another
    /// user owns the folder and `options.tenure` locks it. `data-unwritable` if the sample members
    /// can't be installed, or the program can't find its own executable.
    pub async fn open(paths: Paths, options: GuildHallOptions) -> Result<Self, Report> {
        let claim = match options.tenure {
            LockMode::None => None,
            LockMode::Exclusive | LockMode::Serve(_) => {
                refuse_foreign(&paths.data_dir).await?;
                let claim = InstanceLock::take(&paths.data_dir).await?;
                let folders = paths.clone();
                run_blocking(move || {
                    data_format::upgrade(&folders.data_dir)?;
                    folders.install_samples()
                })
                .await?;
                claim
            }
        };
        let own_binary = match options.own_binary {
            Some(binary) => binary,
            None => own_binary().map_err(|error| {
                let trouble = HallError::NoOwnFile(error.to_string());
                Report::from_error(Code::DataUnwritable, &trouble)
            })?,
        };
        guild_process::descriptors::raise_limit();
        let data_dir = paths.data_dir.clone();
        let reviews = run_blocking(move || Reviews::read(&data_dir)).await;
        let roster = Arc::new(Roster::new(paths.members_dir.display().to_string()));
        let settings = {
            let (data_dir, roster) = (paths.data_dir.clone(), Arc::clone(&roster));
            let keeps = options.tenure != LockMode::None;
            Arc::new(run_blocking(move || SettingsBook::open(&data_dir, roster, keeps)).await)
        };
        let custody = ProcessRegistry::open(ProcessRegistryOptions {
            watchdog: options.watchdog.program(&own_binary),
            journal: Some(paths.data_dir.join("running")),
        });
        let values = SecretResolver::new(
            paths.data_dir.clone(),
            options.keychain.client(),
            options.login_shell.ask(&own_binary, custody.clone()),
        );
        LogRedactor::of_process().follow(values.redactor());
        let known = values.clone();
        run_blocking(move || known.hide_known()).await;
        // Whether agents show apps must be known before members start, because members' sessions
        // declare it.
        let data_dir = paths.data_dir.clone();
        // A hall with a window shows apps in the window, even if no agent shows apps.
        let shows_apps = options.tenure == LockMode::Serve(HallRole::App)
            || run_blocking(move || guild_agents::agents_show_apps(&data_dir)).await;
        let history = History::new(&paths.data_dir, values.clone(), Arc::clone(&roster));
        let follows = options.watch == FolderWatchMode::Follow;
        let finds = ServerScanner::new(options.programs, &paths.data_dir, follows);
        let listings = Listings::new(&paths.data_dir);
        let tasks = TaskTracker::new();
        let context = Arc::new(Context {
            signings: Signings::new(values.clone(), Arc::clone(&roster), tasks.clone()),
            elicitations: ElicitationBroker::new(
                Arc::clone(&roster),
                options.patience.unwrap_or(PATIENCE),
            ),
            logs: Arc::new(Logs::new(
                &paths.data_dir,
                Arc::clone(&roster),
                options.app_log,
            )),
            roster,
            notifications: NotificationBus::default(),
            start_limiter: StartLimiter::default(),
            gateway_port: Arc::default(),
            shows_apps: Arc::new(shows_apps.into()),
            ports: options
                .ports
                .map_or_else(PortPool::new, PortPool::with_range),
            port_memory: PortMemory::read(paths.data_dir.join("ports.json")),
            values,
            history,
            custody,
            licences: licences(Path::new(&own_binary)),
            own_binary,
            restart: options.restart,
            idle_linger: options.idle_linger.unwrap_or(IDLE_LINGER),
            calls_during_late_start: options.calls_during_late_start,
            is_loaded: options
                .is_loaded
                .unwrap_or(guild_process::load::exceeds_cores),
            settings,
            reviews: Arc::new(reviews),
            predictions: Predictions::new(&paths.data_dir),
            tasks,
            paths,
        });
        context
            .roster
            .set_redactor(context.values.redactor().clone());
        let history = context.history.clone();
        let workshop = Arc::new(DevService::default());
        let closing = CancellationToken::new();
        let members = Supervisor::new(Arc::clone(&context), Arc::clone(&workshop), closing.clone());
        let members = Arc::new(members);
        let ending = TaskTracker::new();
        let tracer = Tracer::from_environment(&context.settings, context.values.redactor());
        let service = Arc::new(CallService::new(
            Arc::clone(&members),
            Arc::clone(&context.roster),
            history.clone(),
            ending.clone(),
            tracer.clone(),
        ));
        let folders = members.reconcile().await;
        let folder = follows.then(|| {
            let members = Arc::clone(&members);
            AbortOnDropHandle::new(tokio::spawn(members.follow_folder(folders)))
        });
        let settings = follows.then(|| Arc::clone(&context.settings).follow());
        let hall = Self {
            inner: Arc::new(HallState {
                context,
                members,
                finds,
                workshop,
                listings,
                calls: Mutex::default(),
                call_over: Notify::new(),
                closing,
                folder: Mutex::new(folder),
                settings: Mutex::new(settings),
                history,
                service,
                tracer,
                caller: options.caller,
                ending,
                agents: OnceCell::new(),
                configs: OnceLock::new(),
                instance: InstanceState::new(options.tenure, claim),
            }),
        };
        if follows {
            let members_dir = hall.paths().members_dir.clone();
            let data_dir = hall.paths().data_dir.clone();
            let sweep = move || {
                guild_registry::bundles::sweep(&members_dir);
                MemberRemoval::clear(&data_dir);
            };
            hall.inner.context.tasks.spawn_blocking(sweep);
            hall.follow_sources();
        }
        hall.accept_connections().await;
        hall.follow_data_folder();
        Ok(hall)
    }

    /// Starts all members in parallel, on-demand members only to list their tools (REQ-MCP-HTTP-10,
    /// REQ-MCP-TOOL-6). Also starts the query of the login shell, for which some members wait.
    /// Returns immediately.
    pub fn start_all(&self) -> Started {
        self.inner.context.values.environment().begin();
        self.inner.members.open();
        let members = self.inner.members.all();
        Started(tokio::spawn(async move {
            let start = async |member: MemberHandle| {
                member
                    .ask(|reply| MemberCommand::Start {
                        by: StartedBy::Roster,
                        reply,
                    })
                    .await
            };
            join_all(members.into_iter().map(start)).await
        }))
    }

    /// Waits until no member is starting, stopping, or in fallback discovery. On-demand members are
    /// included: they are stopped again once their tools are listed. Members that wait for a
    /// restart after a failure are not included.
    pub async fn at_rest(&self) {
        let moving = |member: &RosterEntry| {
            matches!(member.view.status, Status::Starting | Status::Stopping)
                || member.discovery == DiscoveryStatus::Discovering
        };
        let roster = &self.inner.context.roster;
        roster
            .until(|snapshot| !snapshot.members.values().any(moving))
            .await;
    }

    /// Returns the current state of all members.
    pub fn roster(&self) -> RosterView {
        self.snapshot().roster()
    }

    /// Subscribes to all events. The first event is the whole roster.
    pub fn subscribe(&self) -> Subscription {
        self.inner.context.roster.subscribe()
    }

    /// Returns the version and the folders of the program, for the window.
    pub fn info(&self) -> AppInfo {
        AppInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            members_dir: self.inner.context.paths.members_dir.display().to_string(),
            data_dir: self.inner.context.paths.data_dir.display().to_string(),
            licences: self.inner.context.licences.clone(),
        }
    }

    /// Returns the currently known tools of a member.
    ///
    /// # Errors
    /// `member-unknown`.
    pub fn member_tools(&self, member: &MemberName) -> Result<MemberTools, Report> {
        self.snapshot()
            .member_tools(member)
            .ok_or_else(|| self.unknown_member(member))
    }

    /// Returns the tools that match the query, over all members.
    pub fn search_tools(&self, search: &SearchTools) -> FoundTools {
        self.snapshot().search(&search.query, search.limit)
    }

    /// Validates arguments against a tool's schema.
    ///
    /// # Errors
    /// `member-unknown`, `tool-unknown`. Arguments that are not JSON are an error in the result.
    pub async fn check_arguments(
        &self,
        request: &CheckArguments,
    ) -> Result<CheckedArguments, Report> {
        let CheckArguments {
            member,
            tool,
            arguments,
        } = request;
        let entry = self.entry(member)?;
        if entry.tools.get(tool).is_none() {
            return Err(self.snapshot().unknown_tool(member, tool));
        }
        let arguments = RawArguments::Text(arguments.clone());
        let checked = check(Some(&entry.tools), tool, arguments);
        Ok(checked
            .await
            .map_or_else(ArgumentsRejection::into_checked, |(_, checked)| checked))
    }

    /// Sets the members that are visible in the window. These members start before others that wait
    /// to be started.
    pub fn report_visible_members(&self, request: VisibleMembers) {
        self.inner
            .context
            .start_limiter
            .report_visible_members(request.members);
    }

    /// Starts a member and waits until its tools are listed.
    ///
    /// # Errors
    /// The reason why the member did not become ready.
    pub async fn start_member(&self, member: &MemberName) -> Result<MemberView, Report> {
        let start = |reply| MemberCommand::Start {
            by: StartedBy::Person,
            reply,
        };
        self.member(member)?.ask(start).await
    }

    /// Stops a member and waits until its processes are gone.
    ///
    /// # Errors
    /// `member-unknown`.
    pub async fn stop_member(&self, member: &MemberName) -> Result<MemberView, Report> {
        self.member(member)?
            .ask(|reply| MemberCommand::Stop { reply })
            .await
    }

    /// Stops a member if it runs, then starts it.
    ///
    /// # Errors
    /// The reason why the member did not become ready.
    pub async fn restart_member(&self, member: &MemberName) -> Result<MemberView, Report> {
        self.stop_member(member).await?;
        self.start_member(member).await
    }

    /// Reads a member's tool list again. Starts the member if needed.
    ///
    /// # Errors
    /// The reason why the list could not be read. The previous list stays.
    pub async fn refresh_member(&self, member: &MemberName) -> Result<MemberTools, Report> {
        self.member(member)?
            .ask(|reply| MemberCommand::Refresh { reply })
            .await?;
        self.member_tools(member)
    }

    /// Starts all members, reads their tool lists and caches them (REQ-MCP-TOOL-14 to -16).
    pub async fn refresh_tool_caches(&self) -> Refreshed {
        let enabled = |member: &MemberHandle| {
            let snapshot = self.snapshot();
            let entry = snapshot.members.get(&member.name);
            let off = |status| matches!(status, Status::Disabled | Status::Unreviewed);
            entry.is_some_and(|entry| !off(entry.view.status))
        };
        let members: Vec<_> = self
            .inner
            .members
            .all()
            .into_iter()
            .filter(enabled)
            .collect();
        let refresh = |member: MemberHandle| async move {
            let name = member.name.clone();
            member
                .ask(|reply| MemberCommand::Refresh { reply })
                .await
                .map(|_| name)
        };
        let mut refreshed = Refreshed::default();
        for result in join_all(members.into_iter().map(refresh)).await {
            match result {
                Ok(name) => refreshed.updated.push(name),
                Err(report) => refreshed.failed.push(report),
            }
        }
        refreshed
    }

    /// Returns the gateway's state. Reads it from disk at first use.
    pub(crate) async fn agents(&self) -> Arc<Agents> {
        let read = async || {
            let HallState {
                context,
                members,
                service,
                ending,
                ..
            } = &*self.inner;
            let (context, members) = (Arc::clone(context), Arc::clone(members));
            let (service, ending) = (Arc::clone(service), ending.clone());
            Arc::new(run_blocking(move || Agents::read(&context, members, service, ending)).await)
        };
        Arc::clone(self.inner.agents.get_or_init(read).await)
    }

    /// Stops everything that was started (REQ-MCP-HTTP-15), within 5 s.
    pub async fn shutdown(&self) {
        self.inner.closing.cancel();
        self.inner.history.closes_soon();
        self.inner.finds.close();
        self.inner.workshop.close();
        drop(self.inner.settings.lock().take());
        // From now on, a change in the members' folder must not start a member.
        let folder = self.inner.folder.lock().take();
        if let Some(folder) = folder {
            folder.abort();
            let _ = folder.await;
        }
        let until = tokio::time::Instant::now() + SHUTDOWN_LIMIT;
        // The gateway closes first, so that waiting clients get their results and members are
        // notified of cancelled requests before they are stopped.
        let agents = async {
            if let Some(agents) = self.inner.agents.get() {
                agents.close().await;
            }
        };
        tokio::join!(agents, self.wait_for_calls());
        let members = self.inner.members.all();
        let all = async {
            join_all(
                members
                    .iter()
                    .map(|member| member.leave(MemberShutdownReason::Closing)),
            )
            .await;
            self.inner.context.tasks.close();
            self.inner.context.tasks.wait().await;
        };
        let all = tokio::time::timeout_at(until - HISTORY_SHARE, all).await;
        let Context { logs, custody, .. } = &*self.inner.context;
        let calls = async {
            self.close_history().await;
            self.inner.tracer.close().await;
        };
        // `custody.close` makes the watchdog end the processes of members that still run.
        let kept = async { tokio::join!(calls, logs.close(), custody.close(until)) };
        let recorded = tokio::time::timeout_at(until, kept).await;
        self.release_folder();
        if all.is_err() || recorded.is_err() {
            tracing::error!("not everything ended within {} s", SHUTDOWN_LIMIT.as_secs());
        }
    }

    /// Returns the history: past calls, saved calls, and drafts.
    pub fn history(&self) -> &History {
        &self.inner.history
    }

    /// Waits until calls that have just ended are recorded, then closes the history.
    async fn close_history(&self) {
        self.inner.ending.close();
        self.inner.ending.wait().await;
        self.inner.history.close().await;
    }

    /// Returns the current state of the members.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.inner.context.roster.snapshot()
    }

    /// Returns the folders that the hall uses.
    pub(crate) fn paths(&self) -> &Paths {
        &self.inner.context.paths
    }

    pub(crate) fn member(&self, member: &MemberName) -> Result<MemberHandle, Report> {
        self.inner.members.member(member)
    }

    /// Returns a member's published state.
    fn entry(&self, member: &MemberName) -> Result<RosterEntry, Report> {
        let entry = self.snapshot().members.get(member).cloned();
        entry.ok_or_else(|| self.unknown_member(member))
    }

    /// Reads a member's current manifest.
    async fn read_manifest(&self, member: &MemberName) -> Result<Manifest, Report> {
        let inspection = self.member(member)?.inspect().await?;
        inspection.found.parsed.manifest
    }

    pub(crate) fn handles(&self) -> Vec<MemberHandle> {
        self.inner.members.all()
    }

    /// Returns the resolver of variables and secrets.
    pub(crate) fn values(&self) -> &SecretResolver {
        &self.inner.context.values
    }

    fn unknown_member(&self, member: &MemberName) -> Report {
        self.snapshot().unknown_member(member)
    }

    fn running(&self) -> parking_lot::MutexGuard<'_, HashMap<CallId, CancellationToken>> {
        self.inner.calls.lock()
    }
}
