//! Detects the layout of JSON with comments, inserts members into an object and removes them.

use std::ops::Range;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::scan::{ObjectMember, SpannedObject, after_comments_of_line};
use super::{line_end, line_start, spliced};

/// New content for an object.
#[derive(Debug, Clone)]
pub enum New {
    /// A value, laid out like its neighbors.
    Value(Value),
    /// The text of a value, inserted unchanged.
    Text(String),
}

impl New {
    pub(crate) fn on_lines(&self, unit: &str, indent: &str, end: &str) -> String {
        match self {
            Self::Value(value) => laid_out(value, unit, indent, end),
            Self::Text(text) => text.clone(),
        }
    }

    pub(crate) fn on_one_line(&self) -> String {
        match self {
            Self::Value(value) => value.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// The layout of a text.
pub(crate) struct TextEditStyle {
    pub end: &'static str,
    pub unit: String,
    /// Whether the root object is on one line.
    compact: bool,
}

impl TextEditStyle {
    pub(crate) fn of(text: &str, root: &SpannedObject<'_>) -> Self {
        let first = root.members.first();
        let indent = first.and_then(|first| indent_of(text, first.key_at));
        let outer = line_indent(text, root.open);
        let unit = indent
            .and_then(|indent| indent.strip_prefix(outer))
            .filter(|unit| !unit.is_empty());
        Self {
            end: line_end(text),
            unit: unit.unwrap_or("  ").to_owned(),
            compact: first.is_some() && !text[root.open..root.close].contains('\n'),
        }
    }

    /// Inserts a member at the end of an object.
    pub(crate) fn insert(
        &self,
        text: &str,
        object: &SpannedObject<'_>,
        key: &str,
        value: &New,
    ) -> String {
        let key = Value::from(key);
        let Some(last) = object.members.last() else {
            return self.fill(text, object, &key, value);
        };
        let anchor = last.comma.map_or(last.value.end, |comma| comma + 1);
        let (spot, member) = match indent_of(text, last.key_at) {
            Some(indent) => {
                let value = value.on_lines(&self.unit, indent, self.end);
                let spot = after_comments_of_line(text, anchor).unwrap_or(anchor);
                (spot, format!("{}{indent}{key}: {value}", self.end))
            }
            None => (anchor, format!(" {key}: {}", value.on_one_line())),
        };
        let (before, after) = match last.comma {
            Some(_) => ("", ","),
            None => (",", ""),
        };
        let member = format!("{member}{after}");
        let splices = [
            (last.value.end..last.value.end, before),
            (spot..spot, member.as_str()),
        ];
        spliced(text, &splices)
    }

    /// Inserts a member into an object without members.
    fn fill(&self, text: &str, object: &SpannedObject<'_>, key: &Value, value: &New) -> String {
        let blank = [' ', '\t', '\r', '\n'];
        let spot = object.open + 1 + object.inside(text).trim_end_matches(blank).len();
        let member = if self.compact {
            format!("{key}: {}", value.on_one_line())
        } else {
            let outer = line_indent(text, object.open);
            let inner = format!("{outer}{}", self.unit);
            let value = value.on_lines(&self.unit, &inner, self.end);
            format!("{0}{inner}{key}: {value}{0}{outer}", self.end)
        };
        spliced(text, &[(spot..object.close, &member)])
    }
}

/// Removes the members of an object that `goes` accepts. If only white space remains between the
/// braces, that is removed too.
pub fn without(
    text: &str,
    object: &SpannedObject<'_>,
    goes: impl Fn(&ObjectMember<'_>) -> bool,
) -> String {
    // The members are visited from last to first, because the text that remains after a member
    // limits how much may be removed before it.
    let mut cuts: Vec<Range<usize>> = Vec::new();
    let mut comma_too_many = false;
    for member in object.members.iter().rev() {
        if !goes(member) {
            if let Some(comma) = member.comma.filter(|_| comma_too_many) {
                cuts.push(comma..comma + 1);
            }
            comma_too_many = false;
            continue;
        }
        match member.comma {
            Some(comma) => cuts.push(comma..comma + 1),
            None => comma_too_many = true,
        }
        let end = member.value.end;
        // The text after the member must not become part of a line comment before it.
        let begin = match member.after_line_comment && !is_rest_of_line_blank(text, end, &cuts) {
            true => member.key_at,
            false => member.trivia_end,
        };
        cuts.push(begin..end);
    }
    cuts.reverse();
    let cuts: Vec<(Range<usize>, &str)> = cuts.into_iter().map(|cut| (cut, "")).collect();
    let without = spliced(text, &cuts);
    let inside = object.open + 1..object.close - (text.len() - without.len());
    match without[inside.clone()].trim().is_empty() && object.members.iter().all(goes) {
        true => spliced(&without, &[(inside, "")]),
        false => without,
    }
}

/// Whether the rest of a line after an offset is blank once the ranges in `cuts` are removed.
/// `cuts` is sorted from last to first.
fn is_rest_of_line_blank(text: &str, after: usize, cuts: &[Range<usize>]) -> bool {
    let mut at = after;
    let later = cuts.iter().rev().filter(|cut| cut.start >= after);
    let mut later = later.peekable();
    loop {
        let end = later.peek().map_or(text.len(), |cut| cut.start);
        let part = &text[at..end];
        let line = part.split(['\r', '\n']).next().unwrap_or_default();
        if !line.trim().is_empty() {
            return false;
        }
        match later.next() {
            Some(cut) if line.len() == part.len() => at = cut.end,
            _ => return true,
        }
    }
}

/// Returns the white space before a key. `None` if other text precedes the key on its line.
pub fn indent_of(text: &str, at: usize) -> Option<&str> {
    let start = line_start(text, at);
    let indent = &text[start..at];
    indent
        .chars()
        .all(|c| c == ' ' || c == '\t')
        .then_some(indent)
}

/// Returns the white space at the start of an offset's line.
fn line_indent(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at)..at];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Formats a value on several lines. The indentation of the first line is left out, since it
/// follows a key.
pub fn laid_out(value: &Value, unit: &str, indent: &str, end: &str) -> String {
    let mut bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(unit.as_bytes());
    let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter));
    match written.ok().and_then(|()| String::from_utf8(bytes).ok()) {
        // Line ends inside strings are always escaped, so all line ends in the text come from the
        // formatter.
        Some(text) => text.replace('\n', &format!("{end}{indent}")),
        None => value.to_string(),
    }
}
