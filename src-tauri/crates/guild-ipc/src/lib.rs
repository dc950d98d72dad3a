//! Ensures that each data folder has at most one hall, and lets other programs reach it.
//!
//! The hall locks a file in the folder. The system releases the lock however the program ends. A
//! note next to the lock file names the hall's process and its socket. Only the same user can
//! connect to the socket, which carries lines of JSON. A program that finds the lock taken reads
//! the note and connects.
//!
//! A short command uses the running hall. If none runs, the command does the work itself. It takes
//! the lock only to write several related files, and to undo the partial changes of a killed
//! command.

mod client;
mod instance_lock;
mod lines;
mod lock;
mod lock_info;
pub mod messages;
mod server;
mod socket;

pub use client::{InstanceStatus, IpcClient};
pub use instance_lock::InstanceLock;
pub use lock::is_locked;
pub use lock_info::running_members_dir;
pub use server::{IpcRequestHandler, listen};

use guild_model::holder::HallRole;

/// How a hall uses its data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LockMode {
    /// Owns the folder exclusively.
    #[default]
    Exclusive,
    /// Owns the folder exclusively, and accepts requests from other programs of the same user.
    Serve(HallRole),
    /// Short-lived: takes no lock.
    None,
}
