//! What Guild Hall knows of the operating system: ports and child processes.
//!
//! - [`port`] lends ports of the managed range, one per member;
//! - [`command`] finds the program that a manifest names;
//! - [`custody`] sees to it that whatever is started comes to its end, whatever becomes of this
//!   program;
//! - [`child`] starts it as the leader of a group of its own, sees it end, and ends all that it led
//!   to;
//! - [`brief`] asks a command that answers and ends, within a time limit;
//! - [`appimage`] knows the AppImage that this program lies in;
//! - [`apart`] starts what outlives this program: a newer version of it;
//! - [`browser`] opens an address in the system's browser;
//! - [`effort`] looks whether it works or waits;
//! - [`environment`] finds out what variables the user's login shell would have;
//! - [`descriptors`] sees to it that enough files can be open at once;
//! - [`owner`] says who owns a folder;
//! - [`memory`] has large blocks given back to the system;
//! - [`output`] keeps the last lines that it wrote;
//! - [`lineage`] finds the member that a process belongs to;
//! - [`load`] says whether the processors are busy;
//! - [`restart`] decides when a crashed member is tried again.
//!
//! Nothing above this crate starts a process or sends a signal. Deliberately absent: the protocol
//! that is spoken over the pipes, what a manifest looks like, and every decision about which member
//! should run.

pub mod apart;
pub mod appimage;
pub mod brief;
pub mod browser;
pub mod child;
pub mod command;
pub mod custody;
pub mod descriptors;
pub mod effort;
pub mod environment;
pub mod error;
#[cfg(unix)]
mod guardian;
#[cfg(target_os = "linux")]
mod ledger;
pub mod lineage;
pub mod load;
#[cfg(test)]
#[path = "../../../../tests/mangled.rs"]
mod mangled;
mod mark;
pub mod memory;
pub mod output;
pub mod owner;
pub mod port;
#[cfg(target_os = "linux")]
mod processes;
pub mod restart;
#[cfg(target_os = "linux")]
mod strays;

pub use appimage::AppImage;
pub use child::{Child, Exit, Leader, StdioMode, StopLadder};
pub use command::CommandSpec;
pub use custody::{Charge, Contained, Custody, CustodyOptions};
pub use effort::Effort;
pub use environment::Environment;
pub use error::ProcessError;
#[cfg(unix)]
pub use guardian::run_from_args as guardian_from_args;
#[cfg(target_os = "linux")]
pub use ledger::left::{LeftOver, left_over};
pub use lineage::{Lineage, own_member};
pub use output::{Output, Past, Redact};
pub use owner::foreign_owner;
pub use port::{PortBook, PortLease};
pub use restart::{Next, Restart};

/// Where jobs end with the program there is no guardian, and nobody is asked to be one.
#[cfg(not(unix))]
pub fn guardian_from_args(
    _args: impl IntoIterator<Item = std::ffi::OsString>,
) -> Option<std::process::ExitCode> {
    None
}
