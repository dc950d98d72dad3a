//! The servers of a listing by name, each in all its versions, and those that have some words.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use super::version::{Numbers, numbers};
use super::{LeftOut, Listed, Listing, Standing};

/// The most words of a search that count.
const WORDS_MAX: usize = 16;
/// The longest word that counts, in characters.
const WORD_MAX: usize = 200;

/// The servers of a listing.
#[derive(Debug, Default)]
pub struct Shelf {
    /// By name in small letters; of each, its versions, the newest first.
    servers: BTreeMap<String, Vec<Listed>>,
    /// Entries that are wrong, the first of them.
    pub left_out: Vec<LeftOut>,
    /// How many were left out.
    pub left_out_count: usize,
}

/// The words of a search, in small letters.
pub fn words(query: &str) -> Vec<String> {
    let words = query.split_whitespace().take(WORDS_MAX);
    words
        .map(|word| word.to_lowercase().chars().take(WORD_MAX).collect())
        .collect()
}

impl Shelf {
    /// Puts a listing in order. Of two entries with the same name and version, the first counts.
    pub fn of(listing: Listing) -> Self {
        let mut servers: BTreeMap<String, Vec<Listed>> = BTreeMap::new();
        let mut known: HashSet<(String, String)> = HashSet::new();
        for server in listing.servers {
            let name = server.name.to_lowercase();
            if known.insert((name.clone(), server.version.clone())) {
                servers.entry(name).or_default().push(server);
            }
        }
        for versions in servers.values_mut() {
            // Stable: versions that compare equal keep the order of the source.
            versions.sort_by_cached_key(|server| Reverse(Age::of(server)));
        }
        Self {
            servers,
            left_out: listing.left_out,
            left_out_count: listing.left_out_count,
        }
    }

    /// The newest version of each server that has all the words in its name, title or description,
    /// by name.
    pub fn search(&self, words: &[String]) -> Vec<&Listed> {
        let newest = self
            .servers
            .values()
            .filter_map(|versions| versions.first());
        let has_all = |server: &&Listed| {
            let text = format!("{}\n{}\n{}", server.name, server.title, server.description);
            let text = text.to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        newest.filter(has_all).collect()
    }

    /// A server in all its versions, the newest first; empty where it is not listed.
    pub fn versions(&self, name: &str) -> &[Listed] {
        let versions = self.servers.get(&name.to_lowercase());
        versions.map_or(&[], Vec::as_slice)
    }
}

/// What makes a version the newest: that it is there at all, that the registry says so, its numbers,
/// and the time when it was published. Those without numbers are older than those with.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Age {
    is_there: bool,
    is_latest: bool,
    numbers: Option<Numbers>,
    published_at: Option<String>,
}

impl Age {
    fn of(server: &Listed) -> Self {
        Self {
            is_there: server.standing != Standing::Deleted,
            is_latest: server.latest == Some(true),
            numbers: numbers(&server.version),
            published_at: server.published_at.clone(),
        }
    }
}
