//! Changes one part of a text that a person may have written, and leaves the rest unchanged.
//!
//! [`scan`] finds the positions of an object's members in JSON with comments, by means of
//! `jsonc-parser`. [`place`] inserts or removes text at these positions. Comments, order, white
//! space, line ends and a byte order mark stay unchanged. The library's own editor changes more of
//! the text (see ADR 42).

pub mod layout;
mod place;
pub mod scan;

use std::fmt;
use std::ops::Range;

pub use self::place::{is_null, put};
pub use self::place::{put_new, rest_is_same, take_out};
use crate::messages::TextProblem;
use crate::spanned::TextPosition;

/// The reason why a text is not edited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct TextEditError {
    /// The line, from 1. `None` if the error is about the whole text.
    pub line: Option<usize>,
    /// The error, as a part of a sentence.
    pub message: TextProblem,
}

impl fmt::Display for TextEditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        self.message.fmt(f)
    }
}

impl TextEditError {
    /// Returns an error at a byte offset of a text, with the line of the offset.
    pub fn at(text: &str, offset: usize, message: TextProblem) -> Self {
        Self {
            line: Some(TextPosition::of(text, offset).line),
            message,
        }
    }

    /// Returns an error about the whole text, without a line.
    pub fn whole(message: TextProblem) -> Self {
        Self {
            line: None,
            message,
        }
    }
}

/// Replaces parts of a text. The parts must be sorted and must not overlap.
pub fn spliced(text: &str, splices: &[(Range<usize>, &str)]) -> String {
    let mut result = String::with_capacity(text.len() + 512);
    let mut at = 0;
    for (range, replacement) in splices {
        result.push_str(&text[at..range.start]);
        result.push_str(replacement);
        at = range.end;
    }
    result.push_str(&text[at..]);
    result
}

/// Returns the line end of the text's first line.
pub fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Returns the start of the line that contains a byte offset.
pub fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |end| end + 1)
}

/// Edits a text without its byte order mark, and adds the mark to the result again.
pub fn marked(
    text: &str,
    edit: impl FnOnce(&str) -> Result<String, TextEditError>,
) -> Result<String, TextEditError> {
    let body = without_mark(text);
    Ok(format!(
        "{}{}",
        &text[..text.len() - body.len()],
        edit(body)?
    ))
}

/// Returns a text without its byte order mark.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
