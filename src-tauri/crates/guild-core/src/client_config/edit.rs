//! What an edit of a program's file leaves behind, whatever its format is.

use std::ops::Range;

use serde::{Deserialize, Serialize};

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

/// How full an object was before something was put into it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Room {
    /// It had members.
    Filled,
    /// It had none.
    Empty {
        /// What stood between its braces.
        inside: String,
    },
}

/// Why a text is not touched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}{message}", place = self.line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct Untouchable {
    /// The line, from 1.
    pub line: Option<usize>,
    /// What is wrong with it, as a part of a sentence.
    pub message: String,
}

impl Untouchable {
    pub(super) fn at(text: &str, offset: usize, message: impl Into<String>) -> Self {
        let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
        Self {
            line: Some(before.iter().filter(|&&byte| byte == b'\n').count() + 1),
            message: message.into(),
        }
    }

    pub(super) fn whole(message: impl Into<String>) -> Self {
        Self {
            line: None,
            message: message.into(),
        }
    }
}

/// The text with parts of it replaced. The parts must not overlap, and stand in their order.
pub(super) fn spliced(text: &str, splices: &[(Range<usize>, &str)]) -> String {
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

/// How the text ends its lines: as its first line does.
pub(super) fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Where the line of an offset begins.
pub(super) fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |end| end + 1)
}
