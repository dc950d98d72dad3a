//! JSON as a tree that knows where its values stand.

use super::{Build, Entry, Fault, Scalar};
use crate::note::Shown;

/// A value and the byte offset where it begins.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) at: usize,
    pub(crate) shape: Shape,
}

#[derive(Debug)]
pub(crate) enum Shape {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Node>),
    Object(Vec<Entry<Node>>),
}

impl Shape {
    /// The value in words; texts are not repeated, for they may be secret.
    pub(crate) fn in_words(&self) -> Shown {
        match self {
            Self::Null => Shown::Null,
            Self::Bool(flag) => Shown::Plain(flag.to_string()),
            Self::Number(digits) if digits.len() > 40 => Shown::VeryLong,
            Self::Number(digits) => Shown::Number(digits.clone()),
            Self::Text(text) if text.is_empty() => Shown::EmptyText,
            Self::Text(_) => Shown::Text,
            Self::List(_) => Shown::List,
            Self::Object(_) => Shown::Object,
        }
    }
}

/// Builds [`Node`]s.
pub(crate) struct Trees;

impl Build for Trees {
    type Value = Node;

    fn scalar(&self, scalar: Scalar<'_>, at: usize) -> Result<Node, Fault> {
        let shape = match scalar {
            Scalar::Null => Shape::Null,
            Scalar::Bool(flag) => Shape::Bool(flag),
            Scalar::Number(digits) => Shape::Number(digits.to_owned()),
            Scalar::Text(text) => Shape::Text(text),
        };
        Ok(Node { at, shape })
    }

    fn list(&self, items: Vec<Node>, at: usize) -> Node {
        let shape = Shape::List(items);
        Node { at, shape }
    }

    fn object(&self, entries: Vec<Entry<Node>>, at: usize) -> Node {
        let shape = Shape::Object(entries);
        Node { at, shape }
    }
}
