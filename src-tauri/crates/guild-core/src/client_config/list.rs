//! Where a list of servers stands in a file, and an entry in it.

use serde::{Deserialize, Serialize};

use super::edit::Untouchable;
use crate::note::TextWrong;

/// The gateway's name in other programs' lists of servers.
pub const ENTRY: &str = "guild-hall";

/// Where a list stands: in an object that keys lead to from the file's own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ListAt {
    /// Those keys; none where the list stands directly in the file's object.
    pub holders: Vec<String>,
    /// The list's own.
    pub key: String,
}

impl ListAt {
    /// All of its keys, the list's own last.
    pub(super) fn keys(&self) -> Vec<&str> {
        let keys = self.holders.iter().chain([&self.key]);
        keys.map(String::as_str).collect()
    }

    /// Its own key, and those that lead to what holds it.
    pub(super) fn split(&self) -> (&str, Vec<&str>) {
        let holders = self.holders.iter().map(String::as_str);
        (&self.key, holders.collect())
    }

    /// The keys that lead to an entry.
    pub(super) fn path<'k>(&'k self, name: &'k str) -> Vec<&'k str> {
        let mut keys = self.keys();
        keys.push(name);
        keys
    }

    /// It is not there.
    pub(super) fn absent(&self) -> Untouchable {
        Untouchable::whole(TextWrong::NoList(self.keys().join(".")))
    }

    /// An entry of it is not there.
    pub(super) fn absent_entry(&self, name: &str) -> Untouchable {
        let wrong = TextWrong::NoEntry(name.to_owned(), self.key.clone());
        Untouchable::whole(wrong)
    }
}

/// An entry of a list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntryAt {
    /// The list.
    pub list: ListAt,
    /// What the program calls the server.
    pub name: String,
}
