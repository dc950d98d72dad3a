//! Edits the text of a program's configuration file: adds the gateway's entry, removes servers that
//! the gateway serves, and undoes both.

use guild_model::endpoint::ENTRY;
use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use super::edit::{TextEditError, within_bounds};
use super::list::{EntryAt, ListAt};
use super::program::{Access, ClientConfigFolders, ClientProgram, Format};
use super::servers::{ConfigOwner, ConfiguredServer, ServerFile};
use super::{json, toml};
use guild_api::wire::FoundScope;
use guild_text::text_edit::{marked, without_mark};

/// A program's configuration file that can contain the gateway's entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFile {
    /// The program that reads the file.
    pub program: ClientProgram,
    /// The file's path.
    pub path: PathBuf,
    /// The position of the server list that contains the gateway's entry.
    pub(super) list: ListAt,
}

impl ConfigFile {
    /// Returns the file that a program reads for the user in every working folder.
    pub fn of_user(program: ClientProgram, folders: &ClientConfigFolders) -> Self {
        Self::new(program, program.file(folders), &[])
    }

    /// Returns the file of a source. `None` if its program can't be connected to the gateway.
    pub fn of(source: &ServerFile) -> Option<Self> {
        match source.owner {
            ConfigOwner::Program(program) => {
                Some(Self::new(program, source.path.clone(), source.inside()))
            }
            _ => None,
        }
    }

    fn new(program: ClientProgram, path: PathBuf, inside: &[&str]) -> Self {
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

    /// Returns the position of a server's entry in the file.
    pub fn entry_at(&self, server: &ConfiguredServer) -> EntryAt {
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

    /// Returns the text with the gateway's entry, which replaces an existing gateway entry, and
    /// without the entries in `gone`. The program then reaches the servers of the removed entries
    /// only through the gateway. Comments about these servers stay.
    ///
    /// # Errors
    /// If the text is not a file of this program, or an entry is missing or can't be removed
    /// safely.
    pub fn switched_over(
        &self,
        text: &str,
        gone: &[EntryAt],
        access: &Access<'_>,
    ) -> Result<String, TextEditError> {
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

    /// Counts the comments inside the entries in `gone`, which would be removed with the entries.
    ///
    /// # Errors
    /// The errors of [`switched_over`](Self::switched_over).
    pub fn comments_in(&self, text: &str, gone: &[EntryAt]) -> Result<usize, TextEditError> {
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

    /// Returns the gateway's entry in the text. `None` if there is none.
    ///
    /// # Errors
    /// If the text is not a file of this program.
    pub fn connection(&self, text: &str) -> Result<Option<Value>, TextEditError> {
        let at = EntryAt {
            list: self.list.clone(),
            name: ENTRY.to_owned(),
        };
        self.entry(text, &at)
    }

    /// Returns an entry of the text. `None` if it does not exist.
    ///
    /// # Errors
    /// If the text is not a file of this program.
    pub fn entry(&self, text: &str, at: &EntryAt) -> Result<Option<Value>, TextEditError> {
        within_bounds(text)?;
        let text = without_mark(text);
        match self.program.format() {
            Format::Json => json::get(text, &at.list, &at.name),
            Format::Toml => toml::get(text, &at.list.key, &at.name),
        }
    }

    /// Undoes an edit: restores the gateway's entry to its state in `original`, and the entries in
    /// `gone`. Changes that were made after the edit stay, including a new entry with the name of a
    /// removed entry. A list without such changes becomes byte-identical to its original.
    ///
    /// # Errors
    /// If one of the texts is not a file of this program, or can't be changed safely.
    pub fn taken_back(
        &self,
        text: &str,
        gone: &[EntryAt],
        original: &str,
    ) -> Result<String, TextEditError> {
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

/// Groups the names of entries by their lists.
fn by_list(entries: &[EntryAt]) -> BTreeMap<&ListAt, Vec<&str>> {
    let mut lists: BTreeMap<&ListAt, Vec<&str>> = BTreeMap::new();
    for entry in entries {
        let names = lists.entry(&entry.list).or_default();
        names.push(&entry.name);
    }
    lists
}
