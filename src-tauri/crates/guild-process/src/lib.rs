//! Guild Hall's access to the operating system: ports and child processes.
//!
//! - [`port`] leases ports of the managed range, one per member;
//! - [`command`] finds the program that a manifest names;
//! - [`process_registry`] ensures that every started process is ended, however this program ends;
//! - [`child`] starts a process as the leader of a new group, observes its exit, and ends all its
//!   processes;
//! - [`short_command`] runs a short command with a time limit;
//! - [`appimage`] describes the AppImage of this program;
//! - [`detached`] starts programs that outlive this one, such as a newer version;
//! - [`browser`] opens an address in the system's browser;
//! - [`activity`] measures whether a process works or waits;
//! - [`environment`] determines the variables of the user's login shell;
//! - [`descriptors`] raises the limit of open files;
//! - [`owner`] returns the owner of a folder;
//! - [`memory`] makes the allocator return large freed blocks to the system;
//! - [`output`] stores the last output lines of a process;
//! - [`lineage`] finds the member that started a process;
//! - [`load`] measures whether the processors are busy;
//! - [`restart`] decides when a crashed member is started again.
//!
//! No crate above this one starts processes or sends signals. This crate does not know the protocol
//! on the pipes and the format of manifests. It does not decide which member runs.

pub mod activity;
pub mod appimage;
pub mod browser;
pub mod child;
pub mod command;
#[cfg(target_os = "linux")]
mod descendants;
pub mod descriptors;
pub mod detached;
pub mod editor;
pub mod environment;
pub mod error;
pub mod lineage;
pub mod load;
pub mod memory;
pub mod messages;
pub mod output;
pub mod owner;
pub mod port;
pub mod process_registry;
#[cfg(target_os = "linux")]
mod processes;
pub mod restart;
#[cfg(target_os = "linux")]
mod run_journal;
mod run_mark;
pub mod short_command;
#[cfg(unix)]
mod watchdog;

pub use activity::ProcessActivity;
pub use appimage::AppImage;
pub use child::{Child, Exit, Leader, StdioMode, StopSequence};
pub use command::ProcessSpec;
pub use environment::Environment;
pub use error::ProcessError;
pub use lineage::{Lineage, own_member};
pub use output::{Output, Past, Redact};
pub use owner::foreign_owner;
pub use port::{PortLease, PortPool};
pub use process_registry::{ContainerHandle, ProcessRegistry, ProcessRegistryOptions, RunLease};
pub use restart::{Next, Restart};
#[cfg(target_os = "linux")]
pub use run_journal::orphans::{OrphanedProcesses, orphaned_processes};
#[cfg(unix)]
pub use watchdog::run_from_args as watchdog_from_args;

/// Returns `None`. On this system, jobs end together with the program, so no watchdog is needed.
#[cfg(not(unix))]
pub fn watchdog_from_args(
    _args: impl IntoIterator<Item = std::ffi::OsString>,
) -> Option<std::process::ExitCode> {
    None
}
