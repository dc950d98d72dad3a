//! The engine: all features of Guild Hall, without a window.
//!
//! [`GuildHall`] is the handle to the engine. The desktop shell and the command line are thin
//! layers over it. Each member is an actor that owns its process and its session. Members publish
//! their state in an immutable snapshot, so that lists and searches never wait for a member. Each
//! change of the snapshot is also an event, so that no code has to poll.
//!
//! This crate contains no windows, and exposes no types of the protocol library.

mod bug_report;
mod doctor;
mod hall;
mod login_item;
pub mod messages;
mod snippets;
mod templates;
#[cfg(test)]
mod tests;
mod updates;

pub use guild_agents::{GatewayOptions, Tokens, gateway_port};
pub use guild_files::editor::EditedCopy;
pub use guild_history::{FinishedCall, History};
pub use guild_import::client_configs::{
    ClientConfigChange, ClientConfigFiles, ConfigFileTarget, GatewayConnection, Undone,
    caller_folders, readable_token,
};
pub use guild_ipc::{InstanceStatus, IpcClient, LockMode};
pub use guild_logs::app::AppLog;
pub use guild_logs::crash_report;
pub use guild_logs::{LogTail, MemberLogs};
pub use guild_mcp_client::{
    BridgeError, BridgeLimits, BridgeOptions, GatewayVerifier, Relocation, bridge,
};
pub use guild_process::browser::{open as open_outside, open_terminal};
pub use guild_process::command::withholds_variables;
pub use guild_process::detached::end_this_process;
pub use guild_process::environment::print_from_args as print_environment;
pub use guild_process::memory::return_large_blocks;
pub use guild_process::{AppImage, PortPool, Restart, watchdog_from_args as watchdog};
pub use guild_roster::{Subscription, pushed_as};
pub use guild_samples::run_from_args as sample_member;
pub use guild_secrets::{Keychain, KeychainChoice, KeychainError, SecretStore};
pub use guild_settings::paths::Paths;
pub use guild_supervisor::cache::{CACHE_FILE, CachedList, ToolCache};
pub use guild_supervisor::context::CallsDuringLateStart;
pub use guild_supervisor::elicitation::WindowPresence;
pub use hall::recordings::read_suite;
pub use hall::sign_in::open_in_browser;
pub use hall::{
    FolderWatchMode, GuildHall, GuildHallOptions, LoginShell, Started, ToolApp, WatchdogProgram,
    refuse_member,
};
pub use login_item::{LoginItem, LoginItemTrigger};
pub use templates::begin_member;
pub use updates::{Release, Releases, UpdateTarget, Updates, update_watchdog};
