//! The edits of a program's file: the gateway's entry comes, servers that it has go, and both are
//! taken back.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use super::edit::{Untouchable, within_bounds};
use super::list::{ENTRY, EntryAt, ListAt};
use super::program::{Access, Folders, Format, Program};
use super::servers::{Owner, Server, Source};
use super::{json, toml};
use crate::text_edit::{marked, without_mark};
use crate::wire::FoundScope;

/// A file of a program that the gateway's entry may stand in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFile {
    /// The program that reads it.
    pub program: Program,
    /// Where it is.
    pub path: PathBuf,
    /// The list that the gateway's entry stands in.
    pub(super) list: ListAt,
}

impl ConfigFile {
    /// The file that a program reads for the user, whatever folder it works in.
    pub fn of_user(program: Program, folders: &Folders) -> Self {
        Self::new(program, program.file(folders), &[])
    }

    /// A file that servers may stand in; `None` where its program can't be connected.
    pub fn of(source: &Source) -> Option<Self> {
        match source.owner {
            Owner::Program(program) => {
                Some(Self::new(program, source.path.clone(), source.inside()))
            }
            _ => None,
        }
    }

    fn new(program: Program, path: PathBuf, inside: &[&str]) -> Self {
        let list = ListAt {
            holders: inside.iter().map(|&key| key.to_owned()).collect(),
            key: program.list().to_owned(),
        };
        Self {
            program,
            path,
            list,
        }
    }

    /// Where a server of the file stands in it.
    pub fn entry_at(&self, server: &Server) -> EntryAt {
        let of_project = server.folder.as_deref().and_then(|folder| folder.to_str());
        let list = match (server.scope, of_project) {
            (FoundScope::Local, Some(folder)) => ListAt {
                holders: vec!["projects".to_owned(), folder.to_owned()],
                key: self.program.list().to_owned(),
            },
            _ => self.list.clone(),
        };
        EntryAt {
            list,
            name: server.name.clone(),
        }
    }

    /// The text with the gateway's entry in it, where there is one in its place.
    ///
    /// # Errors
    /// When the text is no file of this program, or can't be changed safely.
    pub fn connected(&self, text: &str, access: &Access<'_>) -> Result<String, Untouchable> {
        self.handed_over(text, &[], access)
    }

    /// The text without some of its entries, and with the gateway's in it: servers that the gateway
    /// has too are reached by it alone. What comments say of them stays.
    ///
    /// # Errors
    /// When the text is no file of this program, one of the entries is not in it or can't be taken
    /// out safely.
    pub fn handed_over(
        &self,
        text: &str,
        gone: &[EntryAt],
        access: &Access<'_>,
    ) -> Result<String, Untouchable> {
        within_bounds(text)?;
        let entry = self.program.entry(access);
        marked(text, |text| {
            let mut rest = text.to_owned();
            for (list, names) in by_list(gone) {
                rest = match self.program.format() {
                    Format::Json => json::take_out(&rest, list, &names)?,
                    Format::Toml => toml::take_out(&rest, &list.key, &names)?,
                };
            }
            match self.program.format() {
                Format::Json => json::set(&rest, &self.list, ENTRY, &entry),
                Format::Toml => toml::set(&rest, &self.list.key, ENTRY, &entry),
            }
        })
    }

    /// How many comments stand inside of entries: they go with them.
    ///
    /// # Errors
    /// As for [`handed_over`](Self::handed_over).
    pub fn comments_in(&self, text: &str, gone: &[EntryAt]) -> Result<usize, Untouchable> {
        within_bounds(text)?;
        let text = without_mark(text);
        let mut count = 0;
        for (list, names) in by_list(gone) {
            count += match self.program.format() {
                Format::Json => json::comments_in(text, list, &names)?,
                Format::Toml => toml::comments_in(text, &list.key, &names)?,
            };
        }
        Ok(count)
    }

    /// The gateway's entry of the text.
    ///
    /// # Errors
    /// When the text is no file of this program.
    pub fn connection(&self, text: &str) -> Result<Option<Value>, Untouchable> {
        let at = EntryAt {
            list: self.list.clone(),
            name: ENTRY.to_owned(),
        };
        self.entry(text, &at)
    }

    /// An entry of the text.
    ///
    /// # Errors
    /// When the text is no file of this program.
    pub fn entry(&self, text: &str, at: &EntryAt) -> Result<Option<Value>, Untouchable> {
        within_bounds(text)?;
        let text = without_mark(text);
        match self.program.format() {
            Format::Json => json::get(text, &at.list, &at.name),
            Format::Toml => toml::get(text, &at.list.key, &at.name),
        }
    }

    /// The text with the gateway's entry as `original` has it, or without one, and with the entries
    /// again that were taken out of `original`. What else has changed in the meantime stays, and an
    /// entry of the same name as one that was taken out. Where nothing has changed of a list, it is to
    /// the byte what it was.
    ///
    /// # Errors
    /// When one of the texts is no file of this program, or can't be changed safely.
    pub fn taken_back(
        &self,
        text: &str,
        gone: &[EntryAt],
        original: &str,
    ) -> Result<String, Untouchable> {
        within_bounds(text)?;
        within_bounds(original)?;
        let original = without_mark(original);
        marked(text, |text| {
            let lists = by_list(gone);
            let of_own = lists.get(&self.list).map_or(&[][..], Vec::as_slice);
            let own = &self.list.key;
            let mut result = match self.program.format() {
                Format::Json => json::take_back(text, &self.list, ENTRY, original)?,
                Format::Toml => toml::take_back(text, own, ENTRY, of_own, original)?,
            };
            for (list, names) in lists {
                result = match self.program.format() {
                    Format::Json => json::put_back(&result, list, &names, original)?,
                    Format::Toml => toml::put_back(&result, &list.key, &names, original)?,
                };
            }
            Ok(result)
        })
    }
}

/// The names of entries, by the lists that they stand in.
fn by_list(entries: &[EntryAt]) -> BTreeMap<&ListAt, Vec<&str>> {
    let mut lists: BTreeMap<&ListAt, Vec<&str>> = BTreeMap::new();
    for entry in entries {
        let names = lists.entry(&entry.list).or_default();
        names.push(&entry.name);
    }
    lists
}
