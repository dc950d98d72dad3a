//! Connects the gateway to the members.
//!
//! [`Agents`] holds the clients, the view of each endpoint, pending approvals and the traffic log.
//! [`guild_gateway`] implements the protocol. Agents' calls take the same path as all other calls
//! to members. This crate knows only the members and the shared state, not the whole hall.

mod added_fields;
mod approvals;
mod apps;
mod backend;
mod bindings;
mod clients;
mod commands;
mod config_watch;
mod embeddings;
mod forwarding;
mod listing;
mod member_names;
pub mod messages;
mod migration;
mod offers;
mod policies;
mod process_calls;
mod results;
mod settings;
mod skills;
mod structured_content;
mod subscriptions;
pub mod team;
mod templates;
mod tokens;
mod tool_calls;
mod traffic;
mod view;
mod withheld;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::time::{Duration, Instant};

use crate::messages::AgentsError;
use guild_api::event::HallEvent;
use guild_api::wire::{EmbeddingsEndpoint, GatewayState};
use guild_catalog::search::{SemanticRanking, meaning_text};
use guild_catalog::strict::SchemaForm;
use guild_gateway::{ListChangeCounts, ServeOptions, serve};
use guild_model::endpoint::Endpoint;
use guild_model::{Code, MemberName, Report};
use parking_lot::Mutex;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use self::approvals::ApprovalQueue;
use self::backend::AgentBackend;
use self::clients::Clients;
use self::embeddings::Embeddings;
use self::forwarding::Owners;
pub use self::policies::{EffectivePolicies, MemberPolicies};
use self::results::HeldResults;
use self::settings::GatewaySettingsFile;
pub use self::settings::{GatewayConfig, unknown_profile};
use self::subscriptions::Subscriptions;
use self::traffic::TrafficLog;
use self::view::{View, Views};
pub use self::withheld::{Nameless, whole_report};
use guild_history::History;
use guild_roster::Roster;
use guild_secrets::SecretResolver;
use guild_settings::{SettingsBook, gateway_settings};
use guild_supervisor::calls::CallService;
use guild_supervisor::context::Context;
use guild_supervisor::members::Supervisor;

/// Maximum length of a task that is read for a search, in characters. The rest is ignored.
const TASK_CHARS_MAX: usize = 500;
/// How long closing the gateway may take before its task is aborted.
const CLOSING: Duration = Duration::from_secs(2);
/// How long list changes are collected before clients are notified.
const CHANGES_GATHERED: Duration = Duration::from_millis(50);

/// Options for opening the gateway, which take precedence over the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GatewayOptions {
    /// A port instead of the one from the settings. 0 for any free port.
    pub port: Option<u16>,
    /// Whether clients need a token.
    pub tokens: Tokens,
}

/// Whether clients need a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tokens {
    /// Every client needs a token.
    #[default]
    Required,
    /// Every client that reaches the port is accepted. For tests and single-user machines.
    NotWanted,
}

/// Returns the gateway's port in the settings of a data folder. A running gateway may use another
/// port because of its start options. Blocking.
///
/// # Errors
/// `gateway-settings`.
pub fn gateway_port(data_dir: &std::path::Path) -> Result<u16, Report> {
    let settings = GatewaySettingsFile::new(data_dir).read()?;
    Ok(settings.with(gateway_settings(data_dir)).port())
}

/// Whether a client of a data folder has declared that it shows MCP Apps. Blocking.
pub fn agents_show_apps(data_dir: &std::path::Path) -> bool {
    Clients::read(data_dir).is_ok_and(|clients| clients.any_shows_apps())
}

/// The engine's state for the gateway: clients, endpoint views, approvals and traffic.
#[derive(Debug)]
pub struct Agents {
    members: Arc<Supervisor>,
    roster: Arc<Roster>,
    history: History,
    file: GatewaySettingsFile,
    /// The settings in `settings.json`, which include those of the gateway.
    book: Arc<SettingsBook>,
    settings: watch::Sender<Arc<GatewayConfig>>,
    clients: Clients,
    views: Views,
    embeddings: Embeddings,
    values: SecretResolver,
    approvals: Arc<ApprovalQueue>,
    traffic: Arc<TrafficLog>,
    calls: Arc<CallService>,
    owners: Owners,
    /// When members were or will be listed again because their skills differ.
    relisted: Mutex<HashMap<MemberName, Instant>>,
    results: HeldResults,
    subscriptions: Subscriptions,
    changes: watch::Sender<ListChangeCounts>,
    tokens_required: AtomicBool,
    /// Whether a client shows MCP Apps, shared with members' sessions.
    shows_apps: Arc<AtomicBool>,
    /// The gateway's port, shared with members' processes. 0 while the gateway does not listen.
    port: Arc<AtomicU16>,
    running: Mutex<Running>,
    /// Serializes changes of the running gateway.
    changing: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Running {
    options: Option<GatewayOptions>,
    listening: Option<RunningGateway>,
    /// Why an enabled gateway does not listen.
    error: Option<Report>,
    warnings: Vec<Report>,
    followers: Vec<AbortOnDropHandle<()>>,
}

#[derive(Debug)]
struct RunningGateway {
    port: u16,
    stop: CancellationToken,
    task: tokio::task::JoinHandle<()>,
}

impl Agents {
    /// Returns the effective settings, from `gateway.json` and `settings.json`.
    pub fn settings(&self) -> Arc<GatewayConfig> {
        Arc::clone(&self.settings.borrow())
    }

    /// Creates the state from the gateway's files. Blocking. `ending` tracks the tasks that write
    /// the embeddings cache.
    pub fn read(
        context: &Context,
        members: Arc<Supervisor>,
        calls: Arc<CallService>,
        ending: TaskTracker,
    ) -> Self {
        let data_dir = &context.paths.data_dir;
        let (roster, elicitation) = (Arc::clone(&context.roster), &context.elicitations);
        let file = GatewaySettingsFile::new(data_dir);
        let mut running = Running::default();
        let book = Arc::clone(&context.settings);
        if book.keeps()
            && let Err(report) = migration::to_settings(&file, &book)
        {
            // If the move fails, the settings in the old file remain effective.
            tracing::warn!("{report}");
        }
        let settings = file.read().unwrap_or_else(|report| {
            running.warnings.push(report.clone());
            // The policies are unknown, so the gateway stays closed until the file is repaired.
            running.error = Some(report);
            GatewayConfig {
                enabled: false,
                ..GatewayConfig::default()
            }
        });
        let clients = Clients::read(data_dir).unwrap_or_else(|report| {
            running.warnings.push(report);
            Clients::empty(data_dir)
        });
        Self {
            approvals: ApprovalQueue::new(
                Arc::clone(&roster),
                elicitation.patience(),
                elicitation.attending(),
                elicitation.door_open(),
            ),
            members,
            roster,
            history: context.history.clone(),
            file,
            settings: watch::Sender::new(Arc::new(settings.with(book.gateway()))),
            book,
            clients,
            views: Views::default(),
            embeddings: Embeddings::new(data_dir, ending),
            values: context.values.clone(),
            traffic: TrafficLog::new(),
            calls,
            owners: Owners::default(),
            relisted: Mutex::default(),
            results: HeldResults::default(),
            subscriptions: Subscriptions::default(),
            changes: watch::Sender::default(),
            tokens_required: AtomicBool::new(true),
            shows_apps: Arc::clone(&context.shows_apps),
            port: Arc::clone(&context.gateway_port),
            running: Mutex::new(running),
            changing: tokio::sync::Mutex::default(),
        }
    }

    /// Returns the tools of a view that are close to a task in meaning, as the embeddings endpoint
    /// ranks them. Also returns a note if the endpoint failed.
    async fn close_to(
        &self,
        view: &Arc<View>,
        task: &str,
    ) -> (SemanticRanking, Option<&'static str>) {
        let settings = self.settings();
        let Some(endpoint) = &settings.embeddings else {
            return (SemanticRanking::default(), None);
        };
        let view = Arc::clone(view);
        let texts = move || {
            let tools = view.exposed.iter().map(view::ExposedTool::findable);
            tools.map(|tool| meaning_text(&tool)).collect()
        };
        let task: String = task.chars().take(TASK_CHARS_MAX).collect();
        let closest = self
            .embeddings
            .closest(endpoint, &self.values, texts, &task);
        match closest.await {
            Ok(close) => (close, None),
            Err(note) => (SemanticRanking::default(), Some(note)),
        }
    }

    /// Returns the gateway's state for the window.
    pub fn state(&self) -> GatewayState {
        let settings = Arc::clone(&self.settings.borrow());
        let running = self.running.lock();
        let requested = running.options.and_then(|options| options.port);
        GatewayState {
            enabled: settings.enabled,
            port: running
                .listening
                .as_ref()
                .map_or_else(|| requested.unwrap_or(settings.port()), |one| one.port),
            address: running
                .listening
                .as_ref()
                .map(|listening| format!("http://127.0.0.1:{}/mcp", listening.port)),
            error: running.error.clone(),
            tokens_required: self.tokens_required.load(Ordering::Relaxed),
            listing: settings.listing(),
            rules: settings.rules,
            embeddings: settings.embeddings.clone().map(EmbeddingsEndpoint::from),
            profiles: settings.profiles.clone(),
            clients: self.clients.all(),
            warnings: running.warnings.clone(),
        }
    }

    fn publish_state(&self) -> GatewayState {
        let state = self.state();
        self.roster.tell(HallEvent::GatewayChanged {
            gateway: Box::new(state.clone()),
        });
        state
    }

    /// Builds the tool list of the endpoint `/mcp` in advance, so that the first request does not
    /// wait for it. Runs on a blocking thread, because building can take long.
    async fn write_lists(self: &Arc<Self>) {
        let agents = Arc::clone(self);
        let writing = tokio::task::spawn_blocking(move || {
            if let Ok(view) = agents.view(&Endpoint::All) {
                view.list(view.listing, SchemaForm::default(), false);
            }
        });
        // If this fails, the first request builds the list.
        let _ = writing.await;
    }

    /// Writes the file of clients in the background. If that fails, a later use of a client writes
    /// it again.
    fn write_clients(self: &Arc<Self>) {
        let agents = Arc::clone(self);
        drop(tokio::task::spawn_blocking(move || {
            agents.clients.save_uses()
        }));
    }

    /// Stops listening and cancels running calls.
    async fn stop(&self) {
        let listening = self.running.lock().listening.take();
        let Some(RunningGateway { stop, mut task, .. }) = listening else {
            return;
        };
        self.port.store(0, Ordering::Relaxed);
        stop.cancel();
        if tokio::time::timeout(CLOSING, &mut task).await.is_err() {
            task.abort();
        }
    }

    /// Closes the gateway permanently.
    pub async fn close(&self) {
        self.running.lock().followers.clear();
        self.stop().await;
    }

    /// Listens according to the settings and the start options. If the port is unavailable, the
    /// gateway continues to listen on its current port, and the state has the error.
    async fn listen(self: &Arc<Self>) -> GatewayState {
        let _changing = self.changing.lock().await;
        let settings = Arc::clone(&self.settings.borrow());
        let (options, held) = {
            let running = self.running.lock();
            let held = running.listening.as_ref().map(|listening| listening.port);
            (running.options, held)
        };
        let Some(options) = options.filter(|_| settings.enabled) else {
            self.stop().await;
            let of_port = [Code::GatewayPortTaken, Code::GatewayFailed];
            // The error of an unreadable settings file stays, because it keeps the gateway closed.
            let is_over = |report: &mut Report| settings.enabled || of_port.contains(&report.code);
            self.running.lock().error.take_if(is_over);
            return self.publish_state();
        };
        let port = options.port.unwrap_or(settings.port());
        if held.is_some_and(|held| port == 0 || held == port) {
            self.running.lock().error = None;
            return self.publish_state();
        }
        match self.open(port).await {
            Ok(listening) => {
                self.stop().await;
                self.port.store(listening.port, Ordering::Relaxed);
                let mut running = self.running.lock();
                running.listening = Some(listening);
                running.error = None;
            }
            Err(report) => {
                tracing::warn!("{report}");
                self.running.lock().error = Some(report);
            }
        }
        self.publish_state()
    }

    async fn open(self: &Arc<Self>, port: u16) -> Result<RunningGateway, Report> {
        let failed = |error: std::io::Error| {
            if error.kind() == std::io::ErrorKind::AddrInUse {
                let trouble = AgentsError::PortTaken(port);
                return Report::from_error(Code::GatewayPortTaken, &trouble);
            }
            let trouble = AgentsError::PortFailed(port, error.to_string());
            Report::from_error(Code::GatewayFailed, &trouble)
        };
        let listener = TcpListener::bind(("127.0.0.1", port))
            .await
            .map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let stop = CancellationToken::new();
        let backend = Arc::new(AgentBackend::new(Arc::clone(self)));
        let options = ServeOptions {
            foreign_user: Some(guild_process::port::foreign_user),
            ..ServeOptions::default()
        };
        let serving = serve(listener, backend, options, stop.clone());
        let task = tokio::spawn(async move {
            if let Err(error) = serving.await {
                tracing::error!(%error, "the gateway ended");
            }
        });
        Ok(RunningGateway { port, stop, task })
    }

    /// Sends clients the notifications about changes, until the returned handles are dropped.
    fn follow(self: &Arc<Self>) -> Vec<AbortOnDropHandle<()>> {
        let agents = Arc::downgrade(self);
        let mut roster = self.roster.watch();
        let mut settings = self.settings.subscribe();
        let mut before = self.sources();
        let lists = async move {
            loop {
                tokio::select! {
                    changed = roster.changed() => if changed.is_err() { return },
                    changed = settings.changed() => if changed.is_err() { return },
                }
                tokio::time::sleep(CHANGES_GATHERED).await;
                roster.mark_unchanged();
                settings.mark_unchanged();
                let Some(agents) = agents.upgrade() else {
                    return;
                };
                let now = agents.sources();
                if !now.looks_same(&before) {
                    for report in policies::loosened(&before, &now) {
                        agents.roster.tell(HallEvent::Warning { report });
                    }
                    agents.write_lists().await;
                    agents.changes.send_modify(|changes| changes.tools += 1);
                }
                before = now;
            }
        };
        let agents = Arc::downgrade(self);
        let mut events = self.roster.subscribe();
        let offers = async move {
            while let Some(envelope) = events.next().await {
                let Some(agents) = agents.upgrade() else {
                    return;
                };
                if let HallEvent::OffersChanged {
                    resources, prompts, ..
                } = &envelope.event
                {
                    agents.owners.forget();
                    agents.changes.send_modify(|changes| {
                        changes.resources += u64::from(*resources);
                        changes.prompts += u64::from(*prompts);
                    });
                }
            }
        };
        let traffic = Arc::clone(&self.traffic);
        let agents = Arc::downgrade(self);
        let history = self.history.clone();
        let traffic = async move {
            loop {
                let batch = traffic.batch().await;
                let Some(agents) = agents.upgrade() else {
                    return;
                };
                let history = history.clone();
                let masking = tokio::task::spawn_blocking(move || {
                    let masking = history.masking();
                    let exchanges = batch.into_iter().map(|raw| agents.masked(raw, &masking));
                    let exchanges: Vec<_> = exchanges.collect();
                    agents.traffic.keep(&exchanges);
                    agents.roster.tell(HallEvent::TrafficSeen { exchanges });
                });
                // An exchange that could not be masked is not shown.
                let _ = masking.await;
            }
        };
        let notifications =
            Self::follow_notifications(Arc::downgrade(self), self.members.notifications());
        let file = config_watch::follow(Arc::downgrade(self));
        let set = config_watch::follow_settings(Arc::downgrade(self), self.book.held());
        vec![
            AbortOnDropHandle::new(tokio::spawn(set)),
            AbortOnDropHandle::new(tokio::spawn(file)),
            AbortOnDropHandle::new(tokio::spawn(notifications)),
            AbortOnDropHandle::new(tokio::spawn(lists)),
            AbortOnDropHandle::new(tokio::spawn(offers)),
            AbortOnDropHandle::new(tokio::spawn(traffic)),
        ]
    }
}

#[cfg(test)]
mod tests;
