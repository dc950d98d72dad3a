//! Messages about texts, an enum for each subject.

#![expect(missing_docs, reason = "the messages document the variants")]

mod json;
mod misread;
mod text;

pub use self::json::{
    ArgumentsProblem, JsonFound, JsonKind, JsonProblem, JsonValueSummary, NumberProblem,
};
pub use self::misread::{MisreadAdvice, MisreadProblem};
pub use self::text::TextProblem;

use std::time::Duration;

use crate::number::grouped;

/// Joins items with commas, as a list within a sentence.
pub fn joined(items: &[impl ToString]) -> String {
    to_strings(items).join(", ")
}

/// Returns the text of each message.
pub fn to_strings(messages: &[impl ToString]) -> Vec<String> {
    messages.iter().map(ToString::to_string).collect()
}

/// Returns the first `most` characters of a string.
pub fn short(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// Formats a duration in seconds, to the millisecond: `1,000.5`.
pub fn seconds(duration: &Duration) -> String {
    let whole = grouped(duration.as_secs());
    let millis = format!("{:03}", duration.subsec_millis());
    match millis.trim_end_matches('0') {
        "" => whole,
        part => format!("{whole}.{part}"),
    }
}

#[cfg(test)]
mod tests;
