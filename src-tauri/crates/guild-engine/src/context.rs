//! State that all members of a hall share.

use std::sync::Arc;
use std::sync::atomic::AtomicU16;
use std::time::Duration;

use guild_process::{Custody, PortBook, Restart};
use tokio_util::task::TaskTracker;

use crate::bulletin::Bulletin;
use crate::elicitation::Desk;
use crate::index::Index;
use crate::logs::Logs;
use crate::paths::Paths;
use crate::ports::PortMemory;
use crate::prediction::Predictions;
use crate::reviews::Reviews;
use crate::secrets::Values;
use crate::settings::SettingsBook;
use crate::signing::Signings;
use crate::start_limiter::StartLimiter;
use crate::store::History;

#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) paths: Paths,
    pub(crate) index: Arc<Index>,
    /// Where the servers' questions are put to a person.
    pub(crate) desk: Arc<Desk>,
    /// Where they tell what belongs to no call.
    pub(crate) bulletin: Bulletin,
    /// Ensures that each member's processes end.
    pub(crate) custody: Custody,
    /// Which of them may start now.
    pub(crate) start_limiter: StartLimiter,
    pub(crate) ports: PortBook,
    pub(crate) port_memory: PortMemory,
    pub(crate) values: Values,
    /// Sign-ins to remote members.
    pub(crate) signings: Signings,
    /// The port of this hall's own gateway; 0 while it is closed.
    pub(crate) gateway_port: Arc<AtomicU16>,
    /// Members' stderr.
    pub(crate) logs: Arc<Logs>,
    /// The program behind `${GUILDHALL}`.
    pub(crate) own_binary: String,
    /// The licences of others' works in it, where a package brought them.
    pub(crate) licences: Option<String>,
    /// The restart policy of a member that has not crashed.
    pub(crate) restart: Restart,
    /// How long an on-demand member stays up after its last call.
    pub(crate) idle_linger: Duration,
    /// Handling of calls whose member is still being installed when its start limit passes.
    pub(crate) calls_in_overtime: CallsInOvertime,
    /// Whether other programs keep the processors busy.
    pub(crate) is_loaded: fn() -> bool,
    /// Where changes of tool lists are written down.
    pub(crate) history: History,
    /// The user's settings.
    pub(crate) settings: Arc<SettingsBook>,
    /// Accepted launches and tool lists.
    pub(crate) reviews: Arc<Reviews>,
    /// Requests to a model that a person approved.
    pub(crate) predictions: Predictions,
    /// Tasks that the hall awaits when it closes: writes of caches.
    pub(crate) tasks: TaskTracker,
}

/// Handling of calls whose member is still being installed when its start limit passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CallsInOvertime {
    /// They fail with that reason, and the start continues.
    #[default]
    AreTold,
    /// They wait for the start, for a hall that ends with its call: the start would end with it.
    Wait,
}
