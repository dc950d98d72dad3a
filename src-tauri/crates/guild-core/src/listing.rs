//! What an MCP registry lists: servers that can be installed, in the official registry's format.
//!
//! A text is the API's answer (`{servers: […], metadata}`), a list, or a single `server.json`, in the
//! shapes of all of its versions since 2025-07-09. One entry that is wrong is left out and said, and
//! hides no other. Of each server a summary is read, which is what is searched; the ways to run it
//! ([`ways`]) are read from its text when somebody looks at it. What a way would run is a [`Plan`]
//! of [`crate::install`]: nothing here starts or fetches anything.
//!
//! [`Plan`]: crate::install::Plan

mod asked;
mod document;
mod entry;
mod fields;
mod ports;
mod runner;
mod search;
mod version;
mod ways;

use serde_json::value::RawValue;

use crate::note::ListingWrong;

pub use self::document::{Unlisted, parse};
pub use self::search::{Shelf, words};
pub use self::version::is_newer;
pub use self::ways::{Installable, Way, ways};

/// The largest text that is read, in bytes.
pub const LISTING_BYTES_MAX: usize = 64 << 20;
/// The longest cursor of a page, in bytes.
pub const CURSOR_BYTES_MAX: usize = 1_024;
/// The most servers of one source, each version for itself.
pub const LISTED_MAX: usize = 50_000;
/// The longest entry, in bytes.
pub const ENTRY_BYTES_MAX: usize = 256 * 1024;
/// The most entries that are named as left out; of more, the count is kept.
pub(crate) const LEFT_OUT_MAX: usize = 100;

/// What was read of a text.
#[derive(Debug, Default)]
pub struct Listing {
    /// The servers, in the text's order; the same one may be there in several versions.
    pub servers: Vec<Listed>,
    /// Entries that are wrong, the first `LEFT_OUT_MAX`.
    pub left_out: Vec<LeftOut>,
    /// How many were left out.
    pub left_out_count: usize,
    /// Where the rest is, if this is not all.
    pub next: Option<String>,
}

/// An entry that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Which one of the text it is, from 1.
    pub at: usize,
    /// Its name, as far as it has one.
    pub name: String,
    /// What is wrong with it.
    pub why: ListingWrong,
}

/// Whether a server is there to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Standing {
    /// It is.
    #[default]
    Active,
    /// Its publisher advises against it.
    Deprecated,
    /// It was taken out of the registry.
    Deleted,
}

/// One version of a server, in short.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Its name: a reversed domain, a slash, and a name of its own.
    pub name: String,
    /// Its name for people; may be empty.
    pub title: String,
    /// What it is for; may be empty.
    pub description: String,
    /// Its version; may be empty.
    pub version: String,
    /// Whether it is there to be used.
    pub standing: Standing,
    /// Why it is not, in its publisher's words; may be empty.
    pub standing_message: String,
    /// When this version was published, as the registry writes it.
    pub published_at: Option<String>,
    /// Whether the registry says that it is the newest, if it says anything.
    pub latest: Option<bool>,
    /// Where its source is.
    pub repository: Option<String>,
    /// Its page.
    pub website: Option<String>,
    /// What it can be run from, a word each and none twice: `npm`, `oci`, `remote`.
    pub kinds: Vec<String>,
    /// The entry as it stands.
    pub text: Box<RawValue>,
}

#[cfg(test)]
mod tests;
