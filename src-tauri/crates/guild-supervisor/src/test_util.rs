//! Helpers for tests of members: a context without keychain, watchdog and login shell.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use guild_history::History;
use guild_logs::Logs;
use guild_process::{Environment, PortPool, ProcessRegistry, ProcessRegistryOptions, Restart};
use guild_roster::Roster;
use guild_secrets::SecretResolver;
use guild_settings::SettingsBook;
use guild_settings::paths::Paths;
use tokio_util::task::TaskTracker;

use crate::context::{CallsDuringLateStart, Context};
use crate::elicitation::ElicitationBroker;
use crate::notifications::NotificationBus;
use crate::ports::PortMemory;
use crate::prediction::Predictions;
use crate::reviews::Reviews;
use crate::signing::Signings;
use crate::start_limiter::StartLimiter;

/// How long a question waits for an answer, and how long an idle member keeps running.
const LIMIT: Duration = Duration::from_secs(30);

/// Returns the context of members in this folder.
pub fn context_in(folder: &Path) -> Arc<Context> {
    let paths = Paths {
        members_dir: folder.join("members"),
        data_dir: folder.join("data"),
        cache_dir: None,
    };
    let data_dir = paths.data_dir.clone();
    let roster = Arc::new(Roster::new(paths.members_dir.display().to_string()));
    let values = SecretResolver::new(data_dir.clone(), None, Environment::default());
    let tasks = TaskTracker::new();
    Arc::new(Context {
        elicitations: ElicitationBroker::new(Arc::clone(&roster), LIMIT),
        notifications: NotificationBus::default(),
        custody: ProcessRegistry::open(ProcessRegistryOptions {
            watchdog: None,
            journal: None,
        }),
        start_limiter: StartLimiter::default(),
        ports: PortPool::new(),
        port_memory: PortMemory::read(data_dir.join("ports.json")),
        signings: Signings::new(values.clone(), Arc::clone(&roster), tasks.clone()),
        gateway_port: Arc::default(),
        shows_apps: Arc::default(),
        logs: Arc::new(Logs::new(&data_dir, Arc::clone(&roster), None)),
        own_binary: String::new(),
        licences: None,
        restart: Restart::default(),
        idle_linger: LIMIT,
        calls_during_late_start: CallsDuringLateStart::default(),
        is_loaded: || false,
        history: History::new(&data_dir, values.clone(), Arc::clone(&roster)),
        settings: Arc::new(SettingsBook::open(&data_dir, Arc::clone(&roster), false)),
        reviews: Arc::new(Reviews::read(&data_dir)),
        predictions: Predictions::new(&data_dir),
        roster,
        values,
        tasks,
        paths,
    })
}
