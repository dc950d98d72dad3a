//! Parses MCP registry data: installable servers in the official registry's format.
//!
//! A text is the API's response (`{servers: […], metadata}`), a list, or a single `server.json`.
//! All format versions since 2025-07-09 are supported. An invalid entry is left out and reported,
//! and does not hide the others. Search uses a summary of each server. The install options
//! ([`ways`]) are parsed on demand. An install option's launch is a [`LaunchTemplate`] of [`guild_import::install`].
//! This module does not start or fetch anything.
//!
//! [`LaunchTemplate`]: guild_import::install::LaunchTemplate

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

use crate::messages::ListingWrong;

pub use self::document::{Unlisted, parse};
pub use self::search::{Shelf, words};
pub use self::version::is_newer;
pub use self::ways::{Installable, Way, ways};

/// Largest text that is read, in bytes.
pub(crate) const LISTING_BYTES_MAX: usize = 64 << 20;
/// Longest pagination cursor, in bytes.
pub(crate) const CURSOR_BYTES_MAX: usize = 1_024;
/// Most entries of one source. Each version is an entry.
pub const LISTED_MAX: usize = 50_000;
/// Largest entry, in bytes.
pub const ENTRY_BYTES_MAX: usize = 256 * 1024;
/// Most left-out entries that are named. Further ones are only counted.
pub const LEFT_OUT_MAX: usize = 100;

/// The result of parsing a text.
#[derive(Debug, Default)]
pub struct RegistryListing {
    /// The servers, in text order. A server may occur in several versions.
    pub servers: Vec<RegistryServerSummary>,
    /// Invalid entries, the first `LEFT_OUT_MAX`.
    pub left_out: Vec<RegistryInvalidEntry>,
    /// The number of left-out entries.
    pub left_out_count: usize,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// An invalid entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryInvalidEntry {
    /// Its position in the text, from 1.
    pub at: usize,
    /// Its name, if it is readable.
    pub name: String,
    /// The error.
    pub why: ListingWrong,
}

/// The publication status of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ListingStatus {
    /// Available.
    #[default]
    Active,
    /// Its publisher advises against it.
    Deprecated,
    /// Deleted from the registry.
    Deleted,
}

/// The summary of one version of a server.
#[derive(Debug, Clone)]
pub struct RegistryServerSummary {
    /// Its name: a reversed domain, a slash, and an identifier.
    pub name: String,
    /// Its display name. May be empty.
    pub title: String,
    /// Its description. May be empty.
    pub description: String,
    /// Its version. May be empty.
    pub version: String,
    /// Its publication status.
    pub standing: ListingStatus,
    /// The publisher's message about the status. May be empty.
    pub standing_message: String,
    /// The publication time, as the registry formats it.
    pub published_at: Option<String>,
    /// Whether the registry marks it as the newest version.
    pub latest: Option<bool>,
    /// The address of its source code.
    pub repository: Option<String>,
    /// Its website.
    pub website: Option<String>,
    /// The kinds of its install options without duplicates: `npm`, `oci`, `remote`.
    pub kinds: Vec<String>,
    /// The source text of the entry.
    pub text: Box<RawValue>,
}

#[cfg(test)]
mod tests;
