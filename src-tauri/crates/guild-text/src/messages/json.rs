//! Errors in JSON text.

use serde_json::Value;

use crate::number::grouped;
use thiserror::Error;

/// A problem of JSON text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JsonProblem {
    #[error("{0}; found {1}")]
    Syntax(String, JsonFound),
    #[error("nested more than {most} levels deep", most = grouped(.0))]
    TooDeep(usize),
    #[error("the key {0} appears twice in the same object")]
    Twice(String),
    #[error("the number {0} {1}")]
    Number(String, NumberProblem),
}

/// The text at the position of a syntax error, which was found instead of the expected JSON.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JsonFound {
    #[error("the end of the text")]
    NoMore,
    #[error("'/' (JSON has no comments)")]
    Slash,
    #[error("a single quote (JSON needs double quotes)")]
    Quote,
    #[error("{0}")]
    Character(String),
}

/// A short description of a value in a file. Strings are left out, because they may be secret.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JsonValueSummary {
    #[error("null")]
    Null,
    #[error("{0}")]
    Plain(String),
    #[error("a very long number")]
    VeryLong,
    #[error("the number {0}")]
    Number(String),
    #[error("an empty string")]
    EmptyText,
    #[error("a string")]
    Text,
    #[error("a list")]
    List,
    #[error("an object")]
    Object,
}

/// The reason why a number can't be sent.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NumberProblem {
    #[error("can't be sent exactly (limits: {0} to {1}); send it as a string")]
    Outside(i64, u64),
    #[error("can't be read")]
    Unreadable,
    #[error("is too large to send")]
    TooLarge,
    #[error("has {count} significant digits; at most {most} can be sent exactly", count = grouped(.0), most = grouped(.1))]
    Digits(usize, usize),
    #[error("would be sent as {0}")]
    Changed(String),
}

/// The reason why arguments can't be sent.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArgumentsProblem {
    #[error("{length} bytes; the limit is {most}", length = grouped(.0), most = grouped(.1))]
    TooLong(usize, usize),
    #[error("{0}")]
    NoJson(JsonProblem),
    #[error("expected an object in braces, found {0}")]
    NoObject(JsonKind),
}

/// The type of a JSON value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JsonKind {
    #[error("null")]
    Null,
    #[error("a boolean")]
    Boolean,
    #[error("true or false")]
    Flag,
    #[error("a number")]
    Number,
    #[error("a whole number")]
    Whole,
    #[error("a string")]
    Text,
    #[error("a list")]
    List,
    #[error("an object")]
    Object,
}

impl JsonKind {
    /// Returns the type of a value.
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::Text,
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Object,
        }
    }
}
