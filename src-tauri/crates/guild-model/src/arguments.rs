//! Parses a call's arguments exactly as typed.
//!
//! The window and the command line send arguments as JSON text. If a value can't be sent with
//! exactly the typed meaning, the call is rejected with the value's name and position. No value is
//! rounded, wrapped or merged.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};

use crate::error::{Code, Report};
use crate::messages::CallError;
use guild_text::messages::ArgumentsProblem;
use guild_text::messages::{JsonKind, JsonProblem, NumberProblem};
use guild_text::spanned::{self, FaultKind, JsonParseError, TextPosition};

/// Maximum size of a call's arguments, in bytes.
pub const ARGUMENTS_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Maximum nesting depth of a call's arguments.
pub(crate) const ARGUMENTS_DEPTH_MAX: usize = 100;
/// Maximum number of significant digits of a number with a fraction. No `f64` needs more.
const DIGITS_MAX: usize = 17;

/// Returns the fields of an object, in their order and unchanged. `None` if the text is not an
/// object.
pub fn raw_fields(object: &str) -> Option<Vec<(String, &RawValue)>> {
    struct FieldsVisitor;

    impl<'de> Visitor<'de> for FieldsVisitor {
        type Value = Vec<(String, &'de RawValue)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut fields = Vec::new();
            while let Some(field) = map.next_entry()? {
                fields.push(field);
            }
            Ok(fields)
        }
    }

    let mut reader = serde_json::Deserializer::from_str(object);
    reader.deserialize_map(FieldsVisitor).ok()
}

/// Returns an object's JSON without the fields with these names, otherwise unchanged, and the names
/// of the removed fields. `None` if the object has no such field, or the text is not an object.
pub fn without_fields(text: &str, names: &[&str]) -> Option<(String, Vec<String>)> {
    // Most texts contain none of the names, so they need no parsing.
    if !names.iter().any(|name| text.contains(name)) {
        return None;
    }
    let (out, kept): (Vec<_>, Vec<_>) = raw_fields(text)?
        .into_iter()
        .partition(|(name, _)| names.contains(&name.as_str()));
    if out.is_empty() {
        return None;
    }
    let kept: Vec<String> = kept
        .iter()
        .map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), value.get()))
        .collect();
    let mut out: Vec<String> = out.into_iter().map(|(name, _)| name).collect();
    out.dedup();
    Some((format!("{{{}}}", kept.join(",")), out))
}

/// Why arguments can't be sent as they were typed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {wrong}")]
pub struct ArgumentsError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, counted in characters.
    pub column: usize,
    /// The error.
    pub wrong: ArgumentsProblem,
}

impl ArgumentsError {
    fn at(text: &str, at: usize, wrong: ArgumentsProblem) -> Self {
        let TextPosition { line, column } = TextPosition::of(text, at);
        Self {
            line,
            column,
            wrong,
        }
    }

    /// Returns the error for display.
    pub fn report(&self) -> Report {
        let (line, column) = (self.line, self.column);
        let trouble = CallError::Unsendable(line, column, self.wrong.clone());
        Report::from_error(Code::ArgumentsNotJson, &trouble)
    }
}

/// Parses arguments: one JSON object in which every value can be sent exactly as typed.
///
/// # Errors
/// If the text is not a JSON object, is larger than [`ARGUMENTS_BYTES_MAX`], or is nested deeper
/// than `ARGUMENTS_DEPTH_MAX`. If an object has a key twice. If sending would change a number: a
/// whole number that needs more than 64 bits, a number that is too large for an `f64`, or a
/// fraction with more digits than an `f64` holds.
pub fn parse_exact(text: &str) -> Result<Map<String, Value>, ArgumentsError> {
    if text.len() > ARGUMENTS_BYTES_MAX {
        let wrong = ArgumentsProblem::TooLong(text.len(), ARGUMENTS_BYTES_MAX);
        return Err(ArgumentsError::at(text, 0, wrong));
    }
    if let Some(arguments) = parse_plain(text) {
        return Ok(arguments);
    }
    let value = spanned::read(text, ARGUMENTS_DEPTH_MAX)
        .and_then(|tree| spanned::to_json(&tree, &exact))
        .map_err(|fault| {
            ArgumentsError::at(text, fault.at, ArgumentsProblem::NoJson(fault.wrong))
        })?;
    match value {
        Value::Object(arguments) => Ok(arguments),
        other => {
            let found = match other {
                Value::Null => JsonKind::Null,
                Value::Bool(_) => JsonKind::Flag,
                Value::Number(_) => JsonKind::Number,
                Value::String(_) => JsonKind::Text,
                Value::Array(_) | Value::Object(_) => JsonKind::List,
            };
            let wrong = ArgumentsProblem::NoObject(found);
            let start = text.len() - text.trim_start().len();
            Err(ArgumentsError::at(text, start, wrong))
        }
    }
}

/// A fast parser for nearly all arguments. Returns `None` for objects with fractions, numbers that
/// need more than 64 bits, repeated keys or deep nesting. For these, [`spanned`] is used, which
/// takes several times as long.
fn parse_plain(text: &str) -> Option<Map<String, Value>> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Plain { depth: 0 }.deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    match value {
        Value::Object(arguments) => Some(arguments),
        _ => None,
    }
}

/// Deserializes a JSON value at this nesting depth. After an error, [`spanned`] parses the whole
/// text again and determines whether it is valid.
struct Plain {
    depth: usize,
}

impl Plain {
    fn below(&self) -> Self {
        Self {
            depth: self.depth + 1,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Plain {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        if self.depth > ARGUMENTS_DEPTH_MAX {
            return Err(D::Error::custom("too deep"));
        }
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Plain {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value without a fraction")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(flag.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(self.below())? {
            items.push(item);
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            let value = map.next_value_seed(self.below())?;
            if fields.insert(name, value).is_some() {
                return Err(A::Error::custom("a key twice"));
            }
        }
        Ok(fields.into())
    }
}

fn exact(digits: &str, at: usize) -> Result<Number, JsonParseError> {
    exact_number(digits).map_err(|wrong| {
        let shown: String = digits.chars().take(40).collect();
        let more = if shown.len() < digits.len() {
            "…"
        } else {
            ""
        };
        JsonParseError {
            at,
            kind: FaultKind::Value,
            wrong: JsonProblem::Number(format!("{shown}{more}"), wrong),
        }
    })
}

fn exact_number(text: &str) -> Result<Number, NumberProblem> {
    let whole = !text.contains(['.', 'e', 'E']);
    // `-0` can't be an integer, so it becomes a float.
    if whole && text != "-0" {
        if let Ok(number) = text.parse::<u64>() {
            return Ok(number.into());
        }
        let number = text.parse::<i64>().map(Number::from);
        return number.map_err(|_| NumberProblem::Outside(i64::MIN, u64::MAX));
    }
    // The standard library rounds correctly. `serde_json` without the feature `float_roundtrip` may
    // be off by one unit in the last place.
    let float: f64 = text.parse().map_err(|_| NumberProblem::Unreadable)?;
    let Some(number) = Number::from_f64(float) else {
        return Err(NumberProblem::TooLarge);
    };
    let typed = Decimal::of(text);
    if typed.digits.len() > DIGITS_MAX {
        return Err(NumberProblem::Digits(typed.digits.len(), DIGITS_MAX));
    }
    let precision = typed.digits.len().saturating_sub(1);
    if Decimal::of(&format!("{float:.precision$e}")) == typed {
        Ok(number)
    } else {
        Err(NumberProblem::Changed(number.to_string()))
    }
}

/// A decimal number: its significant digits, and the power of ten of its last digit.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Splits a number as JSON writes it. The sign is left out, because a float always keeps it.
    fn of(text: &str) -> Self {
        let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{}{fraction}", whole.trim_start_matches('-'));
        let digits = all.trim_start_matches('0');
        let kept = digits.trim_end_matches('0');
        if kept.is_empty() {
            let digits = String::new();
            return Self {
                digits,
                exponent: 0,
            };
        }
        let power: i64 = power.parse().unwrap_or(i64::MAX / 2);
        let dropped = (digits.len() - kept.len()) as i64;
        Self {
            digits: kept.to_owned(),
            exponent: power
                .saturating_sub(fraction.len() as i64)
                .saturating_add(dropped),
        }
    }
}

#[cfg(test)]
mod tests;
