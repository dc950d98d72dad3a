//! A text in any of the formats that servers are written down in, as a tree that knows its lines.

pub(super) mod json;
pub(super) mod toml;
pub(super) mod yaml;

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::edit::Untouchable;
use super::entry::{ENTRY_MAX, Entry};
use crate::note::{MisreadAdvice, MisreadAt, MisreadWrong, RunWrong, TextWrong, Told, Ungrouped};

/// How deep values may be nested.
pub(super) const DEPTH_MAX: usize = 64;
/// The most values of one text, what aliases of YAML stand for counted each time.
pub(super) const NODES_MAX: usize = 100_000;

/// Why a text can't be read, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.told())]
pub struct Misread {
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1, in characters.
    pub column: Option<usize>,
    /// What is wrong, as a part of a sentence.
    pub message: MisreadWrong,
    /// What to do, a sentence or several.
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

    /// At an offset of a text.
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

impl Told for Misread {
    fn told(&self) -> String {
        let wrong = self.message.clone();
        let placed = match (self.line, self.column) {
            (Some(line), Some(column)) => {
                MisreadAt::Column(Ungrouped(line), Ungrouped(column), wrong)
            }
            (Some(line), None) => MisreadAt::Line(Ungrouped(line), wrong),
            (None, _) => MisreadAt::Whole(wrong),
        };
        placed.told()
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

/// A value, and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    /// The line, from 1.
    pub(super) line: usize,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// A text, a number, a truth value, or nothing.
    Plain(Value),
    List(Vec<Node>),
    Object(Vec<Member>),
}

/// A member of an object; a key may stand there several times.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    pub(super) key: String,
    /// The line of its key.
    pub(super) line: usize,
    pub(super) node: Node,
}

impl Node {
    pub(super) fn members(&self) -> Option<&[Member]> {
        match &self.kind {
            Kind::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The value of a key: the last of them, as most programs read it.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let member = self.members()?.iter().rfind(|member| member.key == key);
        member.map(|member| &member.node)
    }

    /// The members of the object that keys lead to; `None` where there is nothing, or `null`.
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

    /// The value that keys lead to, where there is one.
    pub(super) fn value(&self, keys: &[&str]) -> Option<Value> {
        let found = keys.iter().try_fold(self, |here, key| here.get(key));
        found.map(Self::to_value)
    }

    /// Without its places.
    pub(super) fn to_value(&self) -> Value {
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

/// The servers of a list by their names. Of members of the same name the last one counts, as in the
/// programs that read such files.
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
