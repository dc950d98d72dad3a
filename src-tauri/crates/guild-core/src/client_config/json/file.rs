//! JSON with comments and trailing commas, read by parts: a program may keep much more in its file
//! than its servers.

use std::collections::HashMap;

use serde_json::Value;

use super::super::edit::Untouchable;
use super::super::entry::{ENTRY_MAX, Entry};
use super::super::lines::Lines;
use crate::note::{RunWrong, TextWrong};
use crate::text_edit::layout::read_value;
use crate::text_edit::scan::{self, Member, Object};

/// A file whose whole text has been read as far as it takes to know where things stand.
pub(in super::super) struct File<'t> {
    text: &'t str,
    root: Object,
}

impl<'t> File<'t> {
    /// Reads a file; `None` where nothing stands in it.
    pub(in super::super) fn read(text: &'t str) -> Result<Option<Self>, Untouchable> {
        if text[scan::begin(text)..].trim().is_empty() {
            return Ok(None);
        }
        let root = scan::root(text)?;
        Ok(Some(Self { text, root }))
    }

    /// The members of the object at a path; none where there is no such object. Of members of the
    /// same name the last one counts, as in the programs that read such files.
    pub(in super::super) fn entries(
        &self,
        path: &[&str],
        lines: &mut Lines<'_>,
    ) -> Result<Vec<Entry>, Untouchable> {
        let Some(object) = self.object(path)? else {
            return Ok(Vec::new());
        };
        let mut last = HashMap::new();
        let mut earlier = HashMap::new();
        for (at, member) in object.members.iter().enumerate() {
            if let Some(before) = last.insert(member.key.as_str(), at) {
                earlier.insert(at, object.members[before].key_at);
            }
        }
        let counts = |(at, member): &(usize, &Member)| last.get(member.key.as_str()) == Some(at);
        let members = object.members.iter().enumerate().filter(counts);
        let entry = |(at, member): (usize, &Member)| Entry {
            name: member.key.clone(),
            earlier: earlier.get(&at).map(|&key_at| lines.of(key_at)),
            line: lines.of(member.key_at),
            value: self.small(member),
        };
        Ok(members.map(entry).collect())
    }

    /// The objects in the object of a key, with their keys, at most so many; whether there are more.
    pub(in super::super) fn parts(
        &self,
        key: &str,
        max: usize,
    ) -> Result<(Vec<(String, Self)>, bool), Untouchable> {
        let members = self.object(&[key])?.map(|object| object.members);
        let objects = members.into_iter().flatten();
        let objects = objects.filter(|member| self.text[member.value.clone()].starts_with('{'));
        let mut parts = Vec::new();
        for member in objects {
            if parts.len() == max {
                return Ok((parts, true));
            }
            let text = self.text;
            let root = scan::object(text, member.value.start)?;
            parts.push((member.key, Self { text, root }));
        }
        Ok((parts, false))
    }

    /// The value at a path, where there is one that can be read.
    pub(in super::super) fn value(&self, path: &[&str]) -> Option<Value> {
        let (key, holder) = path.split_last()?;
        let read = |object: &Object| {
            let member = object.find(self.text, key).ok()??;
            self.small(member).ok()
        };
        match holder {
            [] => read(&self.root),
            holder => read(&self.object(holder).ok()??),
        }
    }

    fn small(&self, member: &Member) -> Result<Value, RunWrong> {
        let written = &self.text[member.value.clone()];
        if written.len() > ENTRY_MAX {
            return Err(RunWrong::TooLarge(ENTRY_MAX >> 10));
        }
        read_value(written).ok_or(RunWrong::Unread)
    }

    /// The object at a path; `None` where there is nothing, or `null`.
    fn object(&self, path: &[&str]) -> Result<Option<Object>, Untouchable> {
        let mut here: Option<Object> = None;
        for key in path {
            let holder = here.as_ref().unwrap_or(&self.root);
            let Some(member) = holder.find(self.text, key)? else {
                return Ok(None);
            };
            let value = &self.text[member.value.clone()];
            if value == "null" {
                return Ok(None);
            }
            if !value.starts_with('{') {
                let wrong = TextWrong::NoObject((*key).to_owned());
                return Err(Untouchable::at(self.text, member.value.start, wrong));
            }
            here = Some(scan::object(self.text, member.value.start)?);
        }
        Ok(here)
    }
}
