//! Parses JSON with the position of each value in the text.
//!
//! `jsonc-parser` determines the positions, the duplicate keys and the digits of numbers as
//! written. `serde_json` decides whether a text is JSON. Used for manifests, arguments and the
//! masking of JSON.

use std::collections::HashSet;

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::de::IgnoredAny;
use serde_json::Number;
use serde_json::error::Category;

use crate::messages::{JsonFound, JsonProblem, JsonValueSummary};

/// A position in a text as a line and a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPosition {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

impl TextPosition {
    /// Returns the position of a byte offset in `text`.
    pub fn of(text: &str, at: usize) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Self {
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// The kind of error in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The text is not JSON.
    Syntax,
    /// An object has the same key twice.
    Duplicate,
    /// The text is nested deeper than the caller allows.
    Depth,
    /// The caller rejected a value.
    Value,
}

/// The reason why a text was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonParseError {
    /// The byte offset of the error.
    pub at: usize,
    /// The kind of the error.
    pub kind: FaultKind,
    /// The error, as a part of a message.
    pub wrong: JsonProblem,
}

/// Parses `text`, which must be one JSON value nested at most `depth_max` levels deep.
pub fn read(text: &str, depth_max: usize) -> Result<Value<'_>, JsonParseError> {
    let parsed = parse(text, depth_max);
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        let strict = strict_fault(text, &error);
        return Err(match parsed {
            Err(fault) if fault.kind == FaultKind::Depth => fault,
            // The parser that stops earlier is closer to the cause of the error.
            Err(fault) if error.classify() == Category::Eof || fault.at < strict.at => fault,
            _ => strict,
        });
    }
    let root = parsed?;
    check(&root, 0, depth_max)?;
    Ok(root)
}

/// Describes a value. Strings are left out, because they may be secret.
pub fn in_words(value: &Value<'_>) -> JsonValueSummary {
    match value {
        Value::NullKeyword(_) => JsonValueSummary::Null,
        Value::BooleanLit(flag) => JsonValueSummary::Plain(flag.value.to_string()),
        Value::NumberLit(digits) if digits.value.len() > 40 => JsonValueSummary::VeryLong,
        Value::NumberLit(digits) => JsonValueSummary::Number(digits.value.to_owned()),
        Value::StringLit(text) if text.value.is_empty() => JsonValueSummary::EmptyText,
        Value::StringLit(_) => JsonValueSummary::Text,
        Value::Array(_) => JsonValueSummary::List,
        Value::Object(_) => JsonValueSummary::Object,
    }
}

/// Converts a value to one of `serde_json`. `number` parses the digits of each number. Its second
/// argument is the byte offset of the digits.
pub fn to_json<E>(
    value: &Value<'_>,
    number: &impl Fn(&str, usize) -> Result<Number, E>,
) -> Result<serde_json::Value, E> {
    Ok(match value {
        Value::NullKeyword(_) => serde_json::Value::Null,
        Value::BooleanLit(flag) => flag.value.into(),
        Value::NumberLit(digits) => number(digits.value, digits.range.start)?.into(),
        Value::StringLit(text) => text.value.clone().into(),
        Value::Array(list) => {
            let items = list.elements.iter().map(|item| to_json(item, number));
            items.collect::<Result<_, E>>()?
        }
        Value::Object(object) => {
            let fields = object.properties.iter().map(|field| {
                let name = field.name.as_str().to_owned();
                Ok((name, to_json(&field.value, number)?))
            });
            serde_json::Value::Object(fields.collect::<Result<_, E>>()?)
        }
    })
}

/// Strict JSON.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_trailing_commas: false,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};
/// JSON with comments and trailing commas.
pub const COMMENTED: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    ..STRICT
};

fn parse(text: &str, depth_max: usize) -> Result<Value<'_>, JsonParseError> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &STRICT);
    let value = parsed
        .map_err(|error| fault_of(text, &error, depth_max))?
        .value;
    value.ok_or_else(|| syntax(text, text.len(), "expected a value".to_owned()))
}

fn fault_of(text: &str, error: &ParseError, depth_max: usize) -> JsonParseError {
    let at = match error.kind() {
        ParseErrorKind::UnterminatedArray | ParseErrorKind::UnterminatedObject => text.len(),
        _ => error.range().start,
    };
    match error.kind() {
        ParseErrorKind::NestingDepthExceeded => too_deep(at, depth_max),
        kind => {
            let message = kind.to_string();
            let (first, rest) = message.split_at(message.chars().next().map_or(0, char::len_utf8));
            syntax(text, at, first.to_lowercase() + rest)
        }
    }
}

/// Converts an error of `serde_json`. That crate counts lines, and the bytes of a line, from 1. A
/// line end counts as byte 0 of the next line.
fn strict_fault(text: &str, error: &serde_json::Error) -> JsonParseError {
    let lines = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    let line_start: usize = lines.map(str::len).sum();
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    // The reported position is before the wrong character if it is a control character, and
    // otherwise after it.
    let is_before = message.starts_with("control character");
    let at = (line_start + error.column()).saturating_sub(usize::from(!is_before));
    syntax(text, at, message.to_owned())
}

fn syntax(text: &str, at: usize, message: String) -> JsonParseError {
    let found = match text.get(at..).and_then(|rest| rest.chars().next()) {
        None => JsonFound::NoMore,
        Some('/') => JsonFound::Slash,
        Some('\'') => JsonFound::Quote,
        Some(other) => JsonFound::Character(format!("{other:?}")),
    };
    JsonParseError {
        at,
        kind: FaultKind::Syntax,
        wrong: JsonProblem::Syntax(message, found),
    }
}

fn too_deep(at: usize, depth_max: usize) -> JsonParseError {
    JsonParseError {
        at,
        kind: FaultKind::Depth,
        wrong: JsonProblem::TooDeep(depth_max),
    }
}

/// Checks the depth, and that no object has the same key twice.
fn check(value: &Value<'_>, depth: usize, depth_max: usize) -> Result<(), JsonParseError> {
    if depth > depth_max {
        return Err(too_deep(value.start(), depth_max));
    }
    match value {
        Value::Array(list) => {
            let mut items = list.elements.iter();
            items.try_for_each(|item| check(item, depth + 1, depth_max))
        }
        Value::Object(object) => {
            let mut seen = HashSet::with_capacity(object.properties.len());
            object.properties.iter().try_for_each(|field| {
                let name = field.name.as_str();
                if !seen.insert(name) {
                    let name: String = name.chars().take(80).collect();
                    return Err(JsonParseError {
                        at: field.range.start,
                        kind: FaultKind::Duplicate,
                        wrong: JsonProblem::Twice(format!("{name:?}")),
                    });
                }
                check(&field.value, depth + 1, depth_max)
            })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
