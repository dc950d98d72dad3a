//! Ensures that each data folder has at most one hall, and lets other programs reach it.
//!
//! The hall locks a file in the folder. The system releases the lock however the hall's process
//! ends. A small file beside the lock file, the note (`hall.json`), contains the id of the hall's
//! process and the address of its socket. Only the same user can connect to the socket, which
//! carries lines of JSON. A program that finds the folder locked reads the note and connects.
//!
//! A short command of the command line sends requests to the running hall. If none runs, the
//! command does the work itself. Such a command locks the folder only while it writes several
//! related files, or restores files that a killed command has changed only in part.

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
    /// Does not lock the folder. For short commands.
    None,
}
