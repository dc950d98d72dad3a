//! One hall for each data folder, and the way for other programs to reach it.
//!
//! The hall that keeps a folder holds a lock on a file in it, which the system gives back however
//! the program ends. Beside it stands a note of who that is, and where it listens: a socket that
//! only its own user can reach, where requests come and answers go as lines of JSON. Who finds the
//! lock taken reads the note and asks there.
//!
//! A command that is soon over asks the hall that runs, and works alone where none does. It takes the
//! lock only where it writes several files that belong together, and to undo what one that was
//! killed has left of them.

mod claim;
mod door;
mod frames;
mod lock;
mod note;
mod place;
mod visit;

pub(crate) use claim::Claim;
pub(crate) use door::{Keeper, open_door};
pub(crate) use lock::is_taken as is_kept;
pub(crate) use note::running_members_dir;
pub use visit::{Presence, Visit};

use guild_core::wire::control::HallRole;

/// What a hall has to do with its data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tenure {
    /// It keeps the folder: no other hall does at the same time.
    #[default]
    Keeps,
    /// It keeps the folder, and other programs of the same user can ask it.
    Receives(HallRole),
    /// It is soon over, and keeps nothing.
    Passes,
}
