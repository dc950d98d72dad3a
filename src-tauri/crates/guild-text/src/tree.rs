//! A tree of values with line numbers, parsed from a text in any of the supported formats.

pub mod json;
mod lines;
pub mod toml;
pub mod yaml;

use std::fmt;

use serde_json::{Map, Value};

use crate::messages::{MisreadAdvice, MisreadProblem, TextProblem};
use crate::spanned::TextPosition;
use crate::text_edit::TextEditError;

/// Maximum nesting depth of values.
pub const DEPTH_MAX: usize = 64;
/// Maximum number of values in one text. Each use of a YAML alias counts.
pub(crate) const NODES_MAX: usize = 100_000;

/// A parse error with its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct TreeParseError {
    /// The line, from 1. `None` if the error is about the whole text.
    pub line: Option<usize>,
    /// The column, from 1, in characters.
    pub column: Option<usize>,
    /// The error, as part of a sentence.
    pub message: MisreadProblem,
    /// The advice, as one or several sentences.
    pub hint: MisreadAdvice,
}

impl TreeParseError {
    /// Returns an error about the whole text, without a position.
    pub fn whole(message: MisreadProblem, hint: MisreadAdvice) -> Self {
        Self {
            line: None,
            column: None,
            message,
            hint,
        }
    }

    /// Returns an error in a line, from 1, without a column.
    pub fn at_line(line: usize, message: MisreadProblem, hint: MisreadAdvice) -> Self {
        Self {
            line: Some(line),
            ..Self::whole(message, hint)
        }
    }

    /// Returns an error at an offset of a text.
    pub fn at(text: &str, offset: usize, message: MisreadProblem, hint: MisreadAdvice) -> Self {
        let TextPosition { line, column } = TextPosition::of(text, offset);
        Self {
            line: Some(line),
            column: Some(column),
            ..Self::whole(message, hint)
        }
    }
}

impl fmt::Display for TreeParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrong = &self.message;
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, "line {line}, column {column}: {wrong}"),
            (Some(line), None) => write!(f, "line {line}: {wrong}"),
            (None, _) => wrong.fmt(f),
        }
    }
}

impl From<TreeParseError> for TextEditError {
    fn from(wrong: TreeParseError) -> Self {
        Self {
            line: wrong.line,
            message: TextProblem::Misread(wrong.message),
        }
    }
}

/// A value and its position.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The line, from 1.
    pub line: usize,
    /// The content without its position.
    pub kind: NodeKind,
}

/// The content of a value in any of the formats.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// A string, a number, a boolean or null.
    Plain(Value),
    /// A JSON array, a YAML sequence, or an array or array of tables in TOML.
    List(Vec<Node>),
    /// A JSON object, a YAML mapping or a TOML table.
    Object(Vec<TreeMember>),
}

/// A member of an object. Keys may repeat.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeMember {
    /// The key as a plain string, without quotes.
    pub key: String,
    /// The key's line, from 1.
    pub line: usize,
    /// The key's value.
    pub node: Node,
}

impl Node {
    /// Returns the members of an object, or `None` for any other value.
    pub fn members(&self) -> Option<&[TreeMember]> {
        match &self.kind {
            NodeKind::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Returns the value of a key. The last duplicate wins, as in most programs.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let member = self.members()?.iter().rfind(|member| member.key == key);
        member.map(|member| &member.node)
    }

    /// Returns the members of the object at a path of keys. `None` if the object is missing or
    /// `null`.
    pub fn object(&self, keys: &[&str]) -> Result<Option<&[TreeMember]>, TextEditError> {
        let mut here = self;
        for &key in keys {
            let refused = |line: usize, message: TextProblem| TextEditError {
                line: Some(line),
                message,
            };
            let members = here.members().into_iter().flatten();
            let mut found = members.filter(|member| member.key == key);
            let Some(TreeMember { node, .. }) = found.next() else {
                return Ok(None);
            };
            if let Some(second) = found.next() {
                return Err(refused(second.line, TextProblem::Twice(key.to_owned())));
            }
            match &node.kind {
                NodeKind::Plain(Value::Null) => return Ok(None),
                NodeKind::Object(_) => here = node,
                NodeKind::Plain(_) | NodeKind::List(_) => {
                    return Err(refused(node.line, TextProblem::NoObject(key.to_owned())));
                }
            }
        }
        Ok(here.members())
    }

    /// Returns the value at a path of keys as JSON. `None` if a key is missing.
    pub fn value(&self, keys: &[&str]) -> Option<Value> {
        let found = keys.iter().try_fold(self, |here, key| here.get(key));
        found.map(Self::to_value)
    }

    /// Converts the node to JSON, without positions.
    pub fn to_value(&self) -> Value {
        match &self.kind {
            NodeKind::Plain(value) => value.clone(),
            NodeKind::List(items) => items.iter().map(Self::to_value).collect(),
            NodeKind::Object(members) => {
                let pair = |member: &TreeMember| (member.key.clone(), member.node.to_value());
                Value::Object(members.iter().map(pair).collect::<Map<_, _>>())
            }
        }
    }
}
