//! Positions of secrets in a text.

use std::borrow::Cow;
use std::ops::Range;

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretSpan {
    /// Name of the secret.
    pub name: String,
    /// Position in bytes.
    pub range: Range<usize>,
}

impl SecretSpan {
    pub(super) fn new(name: impl Into<String>, range: Range<usize>) -> Self {
        Self {
            name: name.into(),
            range,
        }
    }

    /// Returns the span relative to a longer text, in which this text begins at `offset`.
    pub(super) fn moved(mut self, offset: usize) -> Self {
        self.range.start += offset;
        self.range.end += offset;
        self
    }
}

/// Sorts spans by position, and merges those that overlap.
pub(super) fn merged(mut spans: Vec<SecretSpan>) -> Vec<SecretSpan> {
    spans.retain(|span| !span.range.is_empty());
    spans.sort_by_key(|span| (span.range.start, std::cmp::Reverse(span.range.end)));
    let mut merged: Vec<SecretSpan> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.range.start < last.range.end => {
                last.range.end = last.range.end.max(span.range.end);
            }
            _ => merged.push(span),
        }
    }
    merged
}

/// Replaces each span of a text. `put` returns the replacement for a span's name.
pub fn replaced<'a>(
    text: &'a str,
    spans: &[SecretSpan],
    put: &mut dyn FnMut(&str) -> String,
) -> Cow<'a, str> {
    if spans.is_empty() {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for span in spans {
        out.push_str(&text[at..span.range.start]);
        out.push_str(&put(&span.name));
        at = span.range.end;
    }
    out.push_str(&text[at..]);
    out.into()
}
