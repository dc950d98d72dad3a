//! Functions that the editors of all formats share.

use guild_text::messages::TextProblem;
pub use guild_text::text_edit::TextEditError;
pub(super) use guild_text::text_edit::{line_end, line_start, spliced};

/// Maximum size of a file that is edited, in bytes. Some programs store more than settings in their
/// file.
pub const FILE_MAX: usize = 32 << 20;

/// Checks that a text is at most [`FILE_MAX`] bytes long.
pub(super) fn within_bounds(text: &str) -> Result<(), TextEditError> {
    if text.len() > FILE_MAX {
        return Err(TextEditError::whole(TextProblem::TooLarge(FILE_MAX >> 20)));
    }
    Ok(())
}
