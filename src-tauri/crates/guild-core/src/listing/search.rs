//! Servers as they stand on a shelf: each in all its versions, and found by words.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::version::{Numbers, numbers};
use super::{LeftOut, Listed, Listing, Standing};

/// The most words of a search that count.
const WORDS_MAX: usize = 16;

/// What a source lists, in order.
#[derive(Debug, Default)]
pub struct Shelf {
    /// By name; of each, its versions, the newest first.
    books: Vec<Book>,
    /// Entries that are wrong, the first of them.
    pub left_out: Vec<LeftOut>,
    /// How many were left out.
    pub left_out_count: usize,
}

#[derive(Debug)]
struct Book {
    versions: Vec<Listed>,
    /// Name, title and description in small letters, to be searched.
    name: String,
    title: String,
    description: String,
}

/// A server that was found.
#[derive(Debug, Clone, Copy)]
pub struct Match<'s> {
    /// Its newest version.
    pub newest: &'s Listed,
    /// How many versions of it are listed.
    pub versions: usize,
}

impl Shelf {
    /// Puts what was read in order.
    pub fn of(listing: Listing) -> Self {
        let mut by_name: HashMap<String, Vec<Listed>> = HashMap::new();
        let mut known: HashSet<(String, String)> = HashSet::new();
        for server in listing.servers {
            if known.insert((server.name.clone(), server.version.clone())) {
                by_name.entry(server.name.clone()).or_default().push(server);
            }
        }
        let mut books: Vec<Book> = by_name.into_values().filter_map(Book::of).collect();
        books.sort_by(|one, other| one.name.cmp(&other.name));
        Self {
            books,
            left_out: listing.left_out,
            left_out_count: listing.left_out_count,
        }
    }

    /// How many servers there are, whatever their versions.
    pub fn len(&self) -> usize {
        self.books.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.books.is_empty()
    }

    /// The servers that have all the words in their name, title or description, the best first; all
    /// of them, by name, where there is no word. What was deleted comes last.
    pub fn search(&self, query: &str) -> Vec<Match<'_>> {
        let query = query.to_lowercase();
        let words: Vec<&str> = query.split_whitespace().take(WORDS_MAX).collect();
        let ranked = self.books.iter().enumerate().filter_map(|(at, book)| {
            let rank = book.rank(&words)?;
            Some((
                (book.newest()?.standing == Standing::Deleted, rank, at),
                book,
            ))
        });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by_key(|(key, _)| *key);
        let found = ranked.into_iter().filter_map(|(_, book)| book.found());
        found.collect()
    }

    /// A server in all its versions, the newest first; empty where there is none of that name.
    pub fn versions(&self, name: &str) -> &[Listed] {
        let name = name.to_lowercase();
        let at = self.books.binary_search_by(|book| book.name.cmp(&name));
        at.map_or(&[], |at| &self.books[at].versions)
    }

    /// Every version of every server.
    pub fn each(&self) -> impl Iterator<Item = &Listed> {
        self.books.iter().flat_map(|book| &book.versions)
    }

    /// Takes in what changed since: a version takes the place of its older self, and one that the
    /// registry calls the newest takes that from the others.
    #[must_use]
    pub fn renewed(self, mut changed: Listing) -> Self {
        let newest = changed.servers.iter();
        let newest = newest.filter(|server| server.latest == Some(true));
        let newest: HashSet<String> = newest.map(|server| server.name.clone()).collect();
        let before = self.books.into_iter().flat_map(|book| book.versions);
        // Of two of the same version the first counts.
        changed.servers.extend(before.map(|mut server| {
            if newest.contains(&server.name) {
                server.latest = server.latest.map(|_| false);
            }
            server
        }));
        Self::of(changed)
    }
}

impl Book {
    fn of(mut versions: Vec<Listed>) -> Option<Self> {
        // Stable: where nothing tells, what the source has first stays first.
        versions.sort_by_cached_key(|server| Reverse(Age::of(server)));
        let newest = versions.first()?;
        Some(Self {
            name: newest.name.to_lowercase(),
            title: newest.title.to_lowercase(),
            description: newest.description.to_lowercase(),
            versions,
        })
    }

    fn newest(&self) -> Option<&Listed> {
        self.versions.first()
    }

    fn found(&self) -> Option<Match<'_>> {
        Some(Match {
            newest: self.newest()?,
            versions: self.versions.len(),
        })
    }

    /// How well it fits, less is better; `None` where a word is nowhere.
    fn rank(&self, words: &[&str]) -> Option<usize> {
        let own = self.name.rsplit('/').next().unwrap_or_default();
        words.iter().try_fold(0, |sum, word| {
            let rank = match () {
                () if own == *word || self.name == *word => 0,
                () if own.starts_with(word) || self.title.starts_with(word) => 1,
                () if own.contains(word) => 2,
                () if self.title.contains(word) => 3,
                () if self.name.contains(word) => 4,
                () if self.description.contains(word) => 5,
                () => return None,
            };
            Some(sum + rank)
        })
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
