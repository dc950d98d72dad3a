//! State that all members of a running Guild Hall share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16};
use std::time::Duration;

use guild_process::{PortPool, ProcessRegistry, Restart};
use tokio_util::task::TaskTracker;

use crate::elicitation::ElicitationBroker;
use crate::notifications::NotificationBus;
use crate::ports::PortMemory;
use crate::prediction::Predictions;
use crate::reviews::Reviews;
use crate::signing::Signings;
use crate::start_limiter::StartLimiter;
use guild_history::History;
use guild_logs::Logs;
use guild_roster::Roster;
use guild_secrets::SecretResolver;
use guild_settings::SettingsBook;
use guild_settings::paths::Paths;

/// The services that Guild Hall passes to each of its members.
#[derive(Debug)]
pub struct Context {
    /// The folders of members, data and tool caches.
    pub paths: Paths,
    /// The roster to which members publish their state.
    pub roster: Arc<Roster>,
    /// Shows the servers' questions (elicitations) to a person.
    pub elicitations: Arc<ElicitationBroker>,
    /// Broadcasts members' notifications that belong to no call.
    pub notifications: NotificationBus,
    /// Ensures that each member's processes end.
    pub custody: ProcessRegistry,
    /// Limits how many members start at the same time.
    pub start_limiter: StartLimiter,
    /// Leases of local ports, so that no two members get the same one.
    pub ports: PortPool,
    /// Each member's last port, which its next start tries first.
    pub port_memory: PortMemory,
    /// The environment variables and secrets for members' starts.
    pub values: SecretResolver,
    /// Sign-ins to remote members.
    pub signings: Signings,
    /// The port of Guild Hall's own gateway. 0 while the gateway is closed.
    pub gateway_port: Arc<AtomicU16>,
    /// Whether the window or an agent shows MCP Apps. Sessions that start later declare it.
    pub shows_apps: Arc<AtomicBool>,
    /// The logs of members' stderr.
    pub logs: Arc<Logs>,
    /// The program's path, which replaces `${GUILDHALL}`.
    pub own_binary: String,
    /// The path of the file with third-party licenses, if the package contains it.
    pub licences: Option<String>,
    /// The restart policy with which each member begins, without crashes so far.
    pub restart: Restart,
    /// How long an on-demand member stays up after its last call.
    pub idle_linger: Duration,
    /// How to handle calls of a member that is still being installed when its start limit passes.
    pub calls_during_late_start: CallsDuringLateStart,
    /// Whether other programs keep the processors busy.
    pub is_loaded: fn() -> bool,
    /// Records changes of tool lists.
    pub history: History,
    /// The user's settings.
    pub settings: Arc<SettingsBook>,
    /// Approved launches and tool lists.
    pub reviews: Arc<Reviews>,
    /// Requests to a model that a person approved.
    pub predictions: Predictions,
    /// Tasks that Guild Hall awaits when it closes, such as writes of caches.
    pub tasks: TaskTracker,
}

/// How to handle calls of a member that is still being installed when its start limit passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CallsDuringLateStart {
    /// The calls fail, with the late start as the reason, and the start continues.
    #[default]
    Fail,
    /// The calls wait, because this program closes as soon as its call has ended. That would end
    /// the start too.
    Wait,
}
