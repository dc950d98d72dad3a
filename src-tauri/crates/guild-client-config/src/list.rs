//! The positions of a list of servers in a file, and of an entry in such a list.

use serde::{Deserialize, Serialize};

use super::edit::TextEditError;
use guild_text::messages::TextProblem;

/// The position of a list: the path of keys from the file's root object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ListAt {
    /// The keys of the enclosing objects. Empty if the list is a member of the root object.
    pub holders: Vec<String>,
    /// The list's own key.
    pub key: String,
}

impl ListAt {
    /// Returns the full path of keys, with the list's own key last.
    pub(super) fn keys(&self) -> Vec<&str> {
        let keys = self.holders.iter().chain([&self.key]);
        keys.map(String::as_str).collect()
    }

    /// Returns the list's own key, and the keys of its enclosing objects.
    pub(super) fn split(&self) -> (&str, Vec<&str>) {
        let holders = self.holders.iter().map(String::as_str);
        (&self.key, holders.collect())
    }

    /// Returns the path of keys to an entry.
    pub(super) fn path<'k>(&'k self, name: &'k str) -> Vec<&'k str> {
        let mut keys = self.keys();
        keys.push(name);
        keys
    }

    pub(super) fn absent(&self) -> TextEditError {
        TextEditError::whole(TextProblem::NoList(self.keys().join(".")))
    }

    pub(super) fn absent_entry(&self, name: &str) -> TextEditError {
        let wrong = TextProblem::NoEntry(name.to_owned(), self.key.clone());
        TextEditError::whole(wrong)
    }
}

/// The position of an entry in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntryAt {
    /// The list.
    pub list: ListAt,
    /// The server's name in the program.
    pub name: String,
}
