//! A parsed text in any supported format, as a tree with line numbers.

pub(super) mod json;
pub(super) mod toml;
pub(crate) mod yaml;

use std::collections::HashMap;
use std::fmt;

use serde_json::{Map, Value};

use super::edit::Untouchable;
use super::entry::{ENTRY_MAX, Entry};
use crate::note::{MisreadAdvice, MisreadWrong, RunWrong, TextWrong};

/// Deepest nesting of values.
pub(super) const DEPTH_MAX: usize = 64;
/// Most values of one text. Each use of a YAML alias counts.
pub(super) const NODES_MAX: usize = 100_000;

/// A parse error with its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Misread {
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1, in characters.
    pub column: Option<usize>,
    /// The error, as part of a sentence.
    pub message: MisreadWrong,
    /// The advice, as one or several sentences.
    pub hint: MisreadAdvice,
}

impl Misread {
    pub(super) fn whole(message: MisreadWrong, hint: MisreadAdvice) -> Self {
        Self {
            line: None,
            column: None,
            message,
            hint,
        }
    }

    pub(super) fn at_line(line: usize, message: MisreadWrong, hint: MisreadAdvice) -> Self {
        Self {
            line: Some(line),
            ..Self::whole(message, hint)
        }
    }

    /// Returns an error at an offset of a text.
    pub(super) fn at(
        text: &str,
        offset: usize,
        message: MisreadWrong,
        hint: MisreadAdvice,
    ) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        Self {
            line: Some(before.matches('\n').count() + 1),
            column: Some(before[line..].chars().count() + 1),
            ..Self::whole(message, hint)
        }
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrong = &self.message;
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, "line {line}, column {column}: {wrong}"),
            (Some(line), None) => write!(f, "line {line}: {wrong}"),
            (None, _) => wrong.fmt(f),
        }
    }
}

impl From<Misread> for Untouchable {
    fn from(wrong: Misread) -> Self {
        Self {
            line: wrong.line,
            message: TextWrong::Misread(wrong.message),
        }
    }
}

/// A value and its position.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    /// 1-based.
    pub(crate) line: usize,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// A string, a number, a boolean or null.
    Plain(Value),
    List(Vec<Node>),
    Object(Vec<Member>),
}

/// A member of an object. Keys may repeat.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    pub(crate) key: String,
    pub(crate) line: usize,
    pub(crate) node: Node,
}

impl Node {
    pub(super) fn members(&self) -> Option<&[Member]> {
        match &self.kind {
            Kind::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Returns the value of a key. The last duplicate wins, as in most programs.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let member = self.members()?.iter().rfind(|member| member.key == key);
        member.map(|member| &member.node)
    }

    /// Returns the members of the object at a path of keys. `None` where it is missing or `null`.
    pub(super) fn object(&self, keys: &[&str]) -> Result<Option<&[Member]>, Untouchable> {
        let mut here = self;
        for &key in keys {
            let refused = |line: usize, message: TextWrong| Untouchable {
                line: Some(line),
                message,
            };
            let members = here.members().into_iter().flatten();
            let mut found = members.filter(|member| member.key == key);
            let Some(Member { node, .. }) = found.next() else {
                return Ok(None);
            };
            if let Some(second) = found.next() {
                return Err(refused(second.line, TextWrong::Twice(key.to_owned())));
            }
            match &node.kind {
                Kind::Plain(Value::Null) => return Ok(None),
                Kind::Object(_) => here = node,
                Kind::Plain(_) | Kind::List(_) => {
                    return Err(refused(node.line, TextWrong::NoObject(key.to_owned())));
                }
            }
        }
        Ok(here.members())
    }

    pub(super) fn value(&self, keys: &[&str]) -> Option<Value> {
        let found = keys.iter().try_fold(self, |here, key| here.get(key));
        found.map(Self::to_value)
    }

    /// Converts the node to JSON, without positions.
    pub(crate) fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Plain(value) => value.clone(),
            Kind::List(items) => items.iter().map(Self::to_value).collect(),
            Kind::Object(members) => {
                let pair = |member: &Member| (member.key.clone(), member.node.to_value());
                Value::Object(members.iter().map(pair).collect::<Map<_, _>>())
            }
        }
    }
}

/// Returns the servers of a list by name. The last duplicate wins, as in the programs that read
/// such files.
pub(super) fn entries(members: &[Member]) -> Vec<Entry> {
    let mut last: HashMap<&str, (usize, Option<usize>)> = HashMap::new();
    for (at, member) in members.iter().enumerate() {
        let before = last.get(member.key.as_str()).map(|(before, _)| *before);
        last.insert(&member.key, (at, before.map(|before| members[before].line)));
    }
    let members = members.iter().enumerate();
    let members = members.filter_map(|(at, member)| match last.get(member.key.as_str()) {
        Some(&(last, earlier)) if last == at => Some((member, earlier)),
        _ => None,
    });
    let entry = |(member, earlier): (&Member, Option<usize>)| {
        let value = member.node.to_value();
        Entry {
            name: member.key.clone(),
            line: member.line,
            earlier,
            value: match value.to_string().len() > ENTRY_MAX {
                true => Err(RunWrong::TooLarge(ENTRY_MAX >> 10)),
                false => Ok(value),
            },
        }
    };
    members.map(entry).collect()
}
