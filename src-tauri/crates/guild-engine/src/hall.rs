//! The hall: the one handle to the engine. Cheap to clone.

mod beginnings;
mod brought;
mod calls;
mod catalog;
mod commands;
mod copies;
mod detail;
mod developing;
mod elicitation;
mod examining;
mod files;
mod found;
mod gateway;
mod history;
mod keeping;
mod listings;
mod logs;
mod managing;
mod mcpb;
mod member_requests;
mod newcomers;
mod offers;
mod options;
mod outside;
mod predicting;
mod programs;
mod reviewing;
mod secrets;
mod serving;
mod settings;
pub(crate) mod signing;
mod team;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures::future::join_all;
use guild_api::wire::{
    AppInfo, Caller, CheckArguments, DiscoveryStatus, FoundTools, LookAt, MemberTools, MemberView,
    Refreshed, RosterView, SearchTools,
};
use guild_ipc::messages::HallTrouble;
use guild_model::status::Status;
use guild_model::{CallId, Code, MemberName, Report};
use guild_process::{Custody, CustodyOptions, PortPool};
use guild_schema::validate::CheckedArguments;
use parking_lot::Mutex;
use tokio::sync::{Notify, OnceCell};
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use self::keeping::Keeping;
use self::keeping::WeakHall;
pub use self::member_requests::refuse_member;
pub use self::options::{FolderWatchMode, Guardian, GuildHallOptions, LoginShell};
use guild_agents::Agents;
use guild_files::own_program::{licences, own_binary};
use guild_files::removed::MemberRemoval;
use guild_history::History;
use guild_import::client_configs::ClientConfigFiles;
use guild_import::found::Finds;
use guild_ipc::{Claim, Tenure};
use guild_logs::Logs;
use guild_logs::redactor::LogRedactor;
use guild_registry::listings::Listings;
use guild_roster::{Roster, RosterEntry, Snapshot, Subscription};
use guild_secrets::SecretResolver;
use guild_settings::SettingsBook;
use guild_settings::paths::Paths;
use guild_supervisor::bulletin::Bulletin;
use guild_supervisor::calls::{ArgumentsRejection, CallService, RawArguments, check};
use guild_supervisor::context::Context;
use guild_supervisor::dev::Workshop;
use guild_supervisor::elicitation::{ElicitationBroker, PATIENCE};
use guild_supervisor::member::{MemberCommand, MemberHandle, MemberShutdownReason, StartedBy};
use guild_supervisor::members::Supervisor;
use guild_supervisor::ports::PortMemory;
use guild_supervisor::prediction::Predictions;
use guild_supervisor::reviews::Reviews;
use guild_supervisor::signing::Signings;
use guild_supervisor::start_limiter::StartLimiter;

/// How long the end of everything may take.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(5);
/// How much of it is for the history alone, where the members take all of theirs.
const HISTORY_SHARE: Duration = Duration::from_millis(250);
/// How long an on-demand member stays up after its last call.
const IDLE_LINGER: Duration = Duration::from_secs(30);

/// The one handle to the engine.
#[derive(Debug, Clone)]
pub struct GuildHall {
    inner: Arc<HallState>,
}

#[derive(Debug)]
struct HallState {
    context: Arc<Context>,
    members: Arc<Supervisor>,
    /// The servers that other programs have.
    finds: Finds,
    /// The members in development.
    workshop: Arc<Workshop>,
    listings: Listings,
    /// The calls that run, so that they can be cancelled.
    calls: Mutex<HashMap<CallId, CancellationToken>>,
    /// One of them is over.
    call_over: Notify,
    closing: CancellationToken,
    /// The folder's watch, until the hall closes.
    folder: Mutex<Option<AbortOnDropHandle<()>>>,
    /// The watch of the settings, until then too.
    settings: Mutex<Option<AbortOnDropHandle<()>>>,
    history: History,
    service: Arc<CallService>,
    /// The caller of all calls.
    caller: Caller,
    /// The calls that are not in the history yet.
    ending: TaskTracker,
    /// The gateway's view of the members, once it is needed.
    agents: OnceCell<Arc<Agents>>,
    /// The programs of this user, once anybody wants to know.
    configs: OnceLock<ClientConfigFiles>,
    keeping: Keeping,
}

/// Refuses a data folder that another user owns.
async fn refuse_foreign(data_dir: &Path) -> Result<(), Report> {
    let folder = data_dir.to_owned();
    let owner = tokio::task::spawn_blocking(move || guild_process::foreign_owner(&folder)).await;
    match owner {
        Ok(Ok(Some(owner))) => {
            let trouble = HallTrouble::OfOtherUser(data_dir.to_owned(), owner);
            Err(Report::from_error(Code::DataOfAnother, &trouble))
        }
        // Other errors of the folder are reported where it is used.
        Ok(Ok(None) | Err(_)) | Err(_) => Ok(()),
    }
}

/// The first start of all members; may be waited for, or dropped without effect.
#[derive(Debug)]
pub struct Started(tokio::task::JoinHandle<Vec<Result<MemberView, Report>>>);

impl Started {
    /// Waits until each member is up, or its first try has failed.
    pub async fn settled(self) -> Vec<Result<MemberView, Report>> {
        self.0.await.unwrap_or_default()
    }
}

impl GuildHall {
    /// Opens the hall: reads manifests and caches, and starts nothing (REQ-MCP-TOOL-4, -8).
    ///
    /// Must be called within a tokio runtime. A members' folder that can't be read is an error
    /// of the roster, not of this function. A hall on the same data folder that is about to end is
    /// waited for.
    ///
    /// # Errors
    /// `hall-runs` and `hall-unreachable` when another hall keeps the data folder; `data-of-another`
    /// when the folder is to be kept and belongs to another user;
    /// `data-unwritable` when the program can't find its own executable.
    pub async fn open(paths: Paths, options: GuildHallOptions) -> Result<Self, Report> {
        let claim = match options.tenure {
            Tenure::Passes => None,
            Tenure::Keeps | Tenure::Receives(_) => {
                refuse_foreign(&paths.data_dir).await?;
                let claim = Claim::take(&paths.data_dir).await?;
                let folders = paths.clone();
                let installing = tokio::task::spawn_blocking(move || folders.install_samples());
                // Only a panic or the runtime's end keeps it from being done.
                let installed = installing.await;
                installed.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))?;
                claim
            }
        };
        let own_binary = match options.own_binary {
            Some(binary) => binary,
            None => own_binary().map_err(|error| {
                let trouble = HallTrouble::NoOwnFile(error.to_string());
                Report::from_error(Code::DataUnwritable, &trouble)
            })?,
        };
        guild_process::descriptors::raise_limit();
        let data_dir = paths.data_dir.clone();
        let reviews = tokio::task::spawn_blocking(move || Reviews::read(&data_dir)).await;
        // Only a panic or the runtime's end keeps it from being read.
        let reviews = reviews.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
        let roster = Arc::new(Roster::new(paths.members_dir.display().to_string()));
        let settings = {
            let (data_dir, roster) = (paths.data_dir.clone(), Arc::clone(&roster));
            let keeps = options.tenure != Tenure::Passes;
            let reading = move || SettingsBook::open(&data_dir, roster, keeps);
            let read = tokio::task::spawn_blocking(reading).await;
            // As above.
            Arc::new(read.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())))
        };
        let custody = Custody::open(CustodyOptions {
            guardian: options.guardian.program(&own_binary),
            ledger: Some(paths.data_dir.join("running")),
        });
        let values = SecretResolver::new(
            paths.data_dir.clone(),
            options.keychain.keeper(),
            options.login_shell.ask(&own_binary, custody.clone()),
        );
        LogRedactor::of_process().follow(values.veil());
        let known = values.clone();
        let hiding = tokio::task::spawn_blocking(move || known.hide_known()).await;
        // As above.
        hiding.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
        let history = History::new(&paths.data_dir, values.clone(), Arc::clone(&roster));
        let follows = options.watch == FolderWatchMode::Follow;
        let finds = Finds::new(options.programs, &paths.data_dir, follows);
        let listings = Listings::new(&paths.data_dir);
        let tasks = TaskTracker::new();
        let context = Arc::new(Context {
            signings: Signings::new(values.clone(), Arc::clone(&roster), tasks.clone()),
            desk: ElicitationBroker::new(Arc::clone(&roster), options.patience.unwrap_or(PATIENCE)),
            logs: Arc::new(Logs::new(
                &paths.data_dir,
                Arc::clone(&roster),
                options.app_log,
            )),
            roster,
            bulletin: Bulletin::default(),
            start_limiter: StartLimiter::new(),
            gateway_port: Arc::default(),
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
            calls_in_overtime: options.calls_in_overtime,
            is_loaded: options
                .is_loaded
                .unwrap_or(guild_process::load::exceeds_cores),
            settings,
            reviews: Arc::new(reviews),
            predictions: Predictions::new(&paths.data_dir),
            tasks,
            paths,
        });
        context.roster.hide_with(context.values.veil().clone());
        let history = context.history.clone();
        let workshop = Arc::new(Workshop::default());
        let closing = CancellationToken::new();
        let members = Supervisor::new(Arc::clone(&context), Arc::clone(&workshop), closing.clone());
        let members = Arc::new(members);
        let ending = TaskTracker::new();
        let service = Arc::new(CallService::new(
            Arc::clone(&members),
            Arc::clone(&context.roster),
            history.clone(),
            ending.clone(),
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
                caller: options.caller,
                ending,
                agents: OnceCell::new(),
                configs: OnceLock::new(),
                keeping: Keeping::new(options.tenure, claim),
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
        hall.receive().await;
        hall.follow_data_folder();
        Ok(hall)
    }

    /// Starts all members side by side, on-demand ones only to list their tools
    /// (REQ-MCP-HTTP-10, REQ-MCP-TOOL-6), and has the login shell asked that some of them wait for.
    /// Answers at once.
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

    /// Waits until no member is being started or stopped, and no tools are being found out: an
    /// on-demand one is stopped again after its tools were listed. A member between two tries counts
    /// as at rest.
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

    /// The current state of all members.
    pub fn roster(&self) -> RosterView {
        self.snapshot().roster()
    }

    /// Listens to everything that happens, beginning with the whole roster.
    pub fn subscribe(&self) -> Subscription {
        self.inner.context.roster.subscribe()
    }

    /// The version and the folders of the program, for the window.
    pub fn info(&self) -> AppInfo {
        AppInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            members_dir: self.inner.context.paths.members_dir.display().to_string(),
            data_dir: self.inner.context.paths.data_dir.display().to_string(),
            licences: self.inner.context.licences.clone(),
        }
    }

    /// One member's tools, as currently known.
    ///
    /// # Errors
    /// `member-unknown`.
    pub fn member_tools(&self, member: &MemberName) -> Result<MemberTools, Report> {
        self.snapshot()
            .member_tools(member)
            .ok_or_else(|| self.unknown_member(member))
    }

    /// The tools of all members that match some words.
    pub fn search_tools(&self, search: &SearchTools) -> FoundTools {
        self.snapshot().search(&search.query, search.limit)
    }

    /// Whether arguments fit a tool's schema.
    ///
    /// # Errors
    /// `member-unknown`, `tool-unknown`. Arguments that are not JSON are an error in the answer.
    pub async fn check_arguments(
        &self,
        request: &CheckArguments,
    ) -> Result<CheckedArguments, Report> {
        let CheckArguments {
            member,
            tool,
            arguments,
        } = request;
        let snapshot = self.snapshot();
        let entry = snapshot
            .members
            .get(member)
            .ok_or_else(|| self.unknown_member(member))?;
        if entry.tools.get(tool).is_none() {
            return Err(snapshot.unknown_tool(member, tool));
        }
        let arguments = RawArguments::Text(arguments.clone());
        let checked = check(Some(&entry.tools), tool, arguments);
        let checked = checked
            .await
            .map_or_else(ArgumentsRejection::into_checked, |(_, checked)| checked);
        Ok(checked.told())
    }

    /// Sets the members that a person sees: of those that wait to start, these start first.
    pub fn look_at(&self, request: LookAt) {
        self.inner.context.start_limiter.look_at(request.members);
    }

    /// Starts a member and waits until its tools are listed.
    ///
    /// # Errors
    /// Why it did not come up.
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

    /// Stops a member if it runs, and starts it.
    ///
    /// # Errors
    /// Why it did not come up.
    pub async fn restart_member(&self, member: &MemberName) -> Result<MemberView, Report> {
        self.stop_member(member).await?;
        self.start_member(member).await
    }

    /// Reads a member's tool list again, starting it if need be.
    ///
    /// # Errors
    /// Why it could not be read; the list that was known stays.
    pub async fn refresh_member(&self, member: &MemberName) -> Result<MemberTools, Report> {
        self.member(member)?
            .ask(|reply| MemberCommand::Refresh { reply })
            .await?;
        self.member_tools(member)
    }

    /// Starts all members, reads their lists again and caches them (REQ-MCP-TOOL-14 to -16).
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

    /// The gateway's view of the members; read from the disk at first use.
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
            let reading = move || Agents::read(&context, members, service, ending);
            let reading = tokio::task::spawn_blocking(reading);
            // Only a panic or the runtime's end keeps it from being read.
            Arc::new(
                reading
                    .await
                    .unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())),
            )
        };
        Arc::clone(self.inner.agents.get_or_init(read).await)
    }

    /// Ends everything that was started (REQ-MCP-HTTP-15); takes 5 s at most.
    pub async fn shutdown(&self) {
        self.inner.closing.cancel();
        self.inner.history.closes_soon();
        self.inner.finds.close();
        self.inner.workshop.close();
        drop(self.inner.settings.lock().take());
        // A later change of a folder does not start a member.
        let folder = self.inner.folder.lock().take();
        if let Some(folder) = folder {
            folder.abort();
            let _ = folder.await;
        }
        let until = tokio::time::Instant::now() + SHUTDOWN_LIMIT;
        // Before anything is ended: waiting callers are answered, and members are notified.
        let agents = async {
            if let Some(agents) = self.inner.agents.get() {
                agents.close().await;
            }
        };
        tokio::join!(agents, self.calls_are_told());
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
        // The guardian ends processes of members that are left.
        let kept = async { tokio::join!(self.close_history(), logs.close(), custody.close(until)) };
        let recorded = tokio::time::timeout_at(until, kept).await;
        self.leave_the_folder();
        if all.is_err() || recorded.is_err() {
            tracing::error!("not everything ended within {} s", SHUTDOWN_LIMIT.as_secs());
        }
    }

    /// The current state of the members.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.inner.context.roster.snapshot()
    }

    /// The folders that the hall works in.
    pub(crate) fn paths(&self) -> &Paths {
        &self.inner.context.paths
    }

    pub(crate) fn member(&self, member: &MemberName) -> Result<MemberHandle, Report> {
        self.inner.members.member(member)
    }

    /// All members' handles.
    pub(crate) fn handles(&self) -> Vec<MemberHandle> {
        self.inner.members.all()
    }

    /// Where the values of variables and secrets come from.
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
