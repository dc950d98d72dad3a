//! The engine: everything that Guild Hall does, without a window.
//!
//! [`Hall`] is the one handle; the desktop shell and the command line are thin layers over it. Each
//! member is an actor that owns its process and its session. One immutable snapshot has the
//! members' published state, so every list and search is answered without waiting. Each change of
//! it is an event. Nothing polls.
//!
//! Deliberately absent: windows, and every type of the protocol library.

mod agents;
mod beginnings;
mod blocking;
mod bug_report;
mod bulletin;
mod cache;
mod calls;
mod client_configs;
mod clock;
mod context;
mod control;
mod dev;
mod doctor;
mod editor;
mod elicitation;
mod files;
mod found;
mod hall;
mod index;
mod listings;
mod login_item;
mod logs;
mod lull;
#[cfg(test)]
#[path = "../../../../tests/mangled.rs"]
mod mangled;
mod mcpb;
mod member;
mod members;
mod members_folder;
mod newcomer;
mod own_program;
mod paths;
mod ports;
mod prediction;
mod removed;
mod reviews;
mod samples;
mod secrets;
mod settings;
mod signing;
mod start_limiter;
mod store;
#[cfg(test)]
mod tests;
mod updates;

pub use agents::{GatewayOptions, Tokens, gateway_port};
pub use beginnings::begin_member;
pub use cache::{CACHE_FILE, CacheFiles, CachedList};
pub use client_configs::{
    Change, ClientConfigs, GatewayDoor, Subject, Undone, caller_folders, readable_token,
};
pub use context::CallsInOvertime;
pub use control::{Presence, Tenure, Visit};
pub use editor::EditedCopy;
pub use elicitation::Attendance;
pub use guild_mcp::sample::run_from_args as sample_member;
pub use guild_mcp::{BridgeError, BridgeLimits, BridgeOptions, Known, Relocation, bridge};
pub use guild_process::apart::end_this_process;
pub use guild_process::browser::{open as open_outside, open_terminal};
pub use guild_process::command::withholds_variables;
pub use guild_process::environment::print_from_args as print_environment;
pub use guild_process::memory::return_large_blocks;
pub use guild_process::{AppImage, PortBook, Restart, guardian_from_args as guardian};
pub use hall::signing::open_in_browser;
pub use hall::{Guardian, Hall, LoginShell, Options, Started, Watch, refuse_member};
pub use index::Subscription;
pub use login_item::{Asked, LoginItem};
pub use logs::app::AppLog;
pub use logs::{LogTail, MemberLogs};
pub use paths::Paths;
pub use secrets::{Keychain, KeychainError, KeychainOf, SecretBook};
pub use store::{Ended, History};
pub use updates::{Place, Release, Releases, Updates, warden};
