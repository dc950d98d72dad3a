//! What an edit of a program's file leaves behind, whatever its format is.

use serde::{Deserialize, Serialize};

use crate::note::TextWrong;
pub use crate::text_edit::{Room, Untouchable};
pub(super) use crate::text_edit::{line_end, line_start, spliced};

/// The largest file that is edited, in bytes. Some programs keep more than settings in theirs.
pub const FILE_MAX: usize = 32 << 20;

/// Whether a text is no larger than that.
///
/// # Errors
/// Where it is.
pub(super) fn within_bounds(text: &str) -> Result<(), Untouchable> {
    if text.len() > FILE_MAX {
        return Err(Untouchable::whole(TextWrong::TooLarge(FILE_MAX >> 20)));
    }
    Ok(())
}

/// A file's text with the gateway's entry in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The whole text.
    pub text: String,
    /// What stood in the entry's place.
    pub before: Before,
}

/// What stood in the entry's place before: enough to take the entry back to the byte.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Before {
    /// The file had nothing but white space.
    Blank {
        /// All of it.
        text: String,
    },
    /// An entry of the gateway's name.
    Entry {
        /// It, as it was written.
        text: String,
    },
    /// The list of servers was there, without the entry.
    Unlisted {
        /// How full it was.
        room: Room,
    },
    /// There was no list of servers.
    NoList {
        /// How full the object was that has it now.
        room: Room,
    },
    /// The entry is a part of its own at the end of the file.
    Appended {
        /// What was put between it and the rest.
        joint: String,
    },
}
