//! The servers of a listing by name, with all versions, and a text search over them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use guild_api::wire::RegistryStanding;

use super::version::{Numbers, numbers};
use super::{RegistryInvalidEntry, RegistryListing, RegistryServerSummary};

/// Maximum number of words in a query. Further words are ignored.
const WORDS_MAX: usize = 16;
/// Maximum length of a word, in characters. Longer words are cut.
const WORD_MAX: usize = 200;

/// The searchable servers of a listing.
#[derive(Debug, Default)]
pub struct RegistryIndex {
    /// Versions by lowercase name, newest first.
    servers: BTreeMap<String, Vec<RegistryServerSummary>>,
    /// The first invalid entries.
    pub left_out: Vec<RegistryInvalidEntry>,
    /// The number of all invalid entries, including those that are not in `left_out`.
    pub left_out_count: usize,
}

/// Splits a query into lowercase words.
pub fn words(query: &str) -> Vec<String> {
    let words = query.split_whitespace().take(WORDS_MAX);
    words
        .map(|word| word.to_lowercase().chars().take(WORD_MAX).collect())
        .collect()
}

impl RegistryIndex {
    /// Groups a listing by server. If entries have the same name and version, the first one wins.
    pub fn of(listing: RegistryListing) -> Self {
        let mut servers: BTreeMap<String, Vec<RegistryServerSummary>> = BTreeMap::new();
        let mut known: HashSet<(String, String)> = HashSet::new();
        for server in listing.servers {
            let name = server.name.to_lowercase();
            if known.insert((name.clone(), server.version.clone())) {
                servers.entry(name).or_default().push(server);
            }
        }
        for versions in servers.values_mut() {
            // The sort is stable: versions that compare equal keep the order of the source.
            versions.sort_by_cached_key(|server| Reverse(Age::of(server)));
        }
        Self {
            servers,
            left_out: listing.left_out,
            left_out_count: listing.left_out_count,
        }
    }

    /// Returns the newest version of each server whose name, title or description contains all
    /// words, ordered by name.
    pub fn search(&self, words: &[String]) -> Vec<&RegistryServerSummary> {
        let newest = self
            .servers
            .values()
            .filter_map(|versions| versions.first());
        let has_all = |server: &&RegistryServerSummary| {
            let text = format!("{}\n{}\n{}", server.name, server.title, server.description);
            let text = text.to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        newest.filter(has_all).collect()
    }

    /// Returns all versions of a server, newest first. Empty if the server is not listed.
    pub fn versions(&self, name: &str) -> &[RegistryServerSummary] {
        let versions = self.servers.get(&name.to_lowercase());
        versions.map_or(&[], Vec::as_slice)
    }
}

/// The sort key of a version. Its parts, in this order: availability, whether the registry marks
/// the version as the newest, version numbers, and publication time. Versions without numbers sort
/// as older.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Age {
    is_there: bool,
    is_latest: bool,
    numbers: Option<Numbers>,
    published_at: Option<String>,
}

impl Age {
    fn of(server: &RegistryServerSummary) -> Self {
        Self {
            is_there: server.standing != RegistryStanding::Deleted,
            is_latest: server.latest == Some(true),
            numbers: numbers(&server.version),
            published_at: server.published_at.clone(),
        }
    }
}
