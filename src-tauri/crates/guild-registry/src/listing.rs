//! Parses MCP registry data: installable servers in the official registry's format.
//!
//! The input is the API's response (`{servers: […], metadata}`), a list, or a single `server.json`.
//! All format versions since 2025-07-09 are supported. An invalid entry is left out and reported,
//! and the other entries are still parsed. Search uses a summary of each server. The install
//! options (`install_options`) are parsed on demand. The launch of an install option is a
//! [`LaunchTemplate`]. This module does not start or fetch anything.
//!
//! [`LaunchTemplate`]: guild_import::install::LaunchTemplate

mod document;
mod entry;
mod fields;
mod index;
mod inputs;
mod install_options;
mod ports;
mod runner;
mod version;

use guild_api::wire::RegistryStanding;
use serde_json::value::RawValue;

use crate::messages::ListingProblem;

pub use self::document::{Unlisted, parse};
pub use self::index::{RegistryIndex, words};
pub use self::install_options::{InstallOption, Installable, install_options};
pub use self::version::{compared, is_newer};

/// Maximum size of the data that is parsed at once, in bytes.
pub(crate) const LISTING_BYTES_MAX: usize = 64 << 20;
/// Maximum length of a pagination cursor, in bytes.
pub(crate) const CURSOR_BYTES_MAX: usize = 1_024;
/// Maximum number of entries of one registry. Each version of a server is an entry.
pub const LISTED_MAX: usize = 50_000;
/// Maximum size of an entry, in bytes.
pub const ENTRY_BYTES_MAX: usize = 256 * 1024;
/// Maximum number of invalid entries that are listed. Further ones are only counted.
pub const LEFT_OUT_MAX: usize = 100;

/// The servers and the invalid entries that were found in registry data.
#[derive(Debug, Default)]
pub struct RegistryListing {
    /// The valid entries, in the order of the data. A server may occur in several versions.
    pub servers: Vec<RegistryServerSummary>,
    /// The first invalid entries, at most `LEFT_OUT_MAX`.
    pub left_out: Vec<RegistryInvalidEntry>,
    /// The number of all invalid entries, including those that are not in `left_out`.
    pub left_out_count: usize,
    /// The cursor of the next page. `None` on the last page.
    pub next: Option<String>,
}

/// An invalid entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryInvalidEntry {
    /// The entry's position in the list, counted from 1.
    pub at: usize,
    /// The server's name. Empty if it is unreadable.
    pub name: String,
    /// The reason that the entry is invalid.
    pub why: ListingProblem,
}

/// The summary of one version of a server.
#[derive(Debug, Clone)]
pub struct RegistryServerSummary {
    /// The server's name: a reversed domain, a slash, and an identifier.
    pub name: String,
    /// The display name. May be empty.
    pub title: String,
    /// The description. May be empty.
    pub description: String,
    /// The version. May be empty.
    pub version: String,
    /// The publication status.
    pub standing: RegistryStanding,
    /// The publisher's message about the status. May be empty.
    pub standing_message: String,
    /// The publication time, as the registry formats it.
    pub published_at: Option<String>,
    /// Whether the registry marks this version as the newest. `None` if unknown.
    pub latest: Option<bool>,
    /// The web address of the source code.
    pub repository: Option<String>,
    /// The server's website.
    pub website: Option<String>,
    /// The kinds of the install options without duplicates, such as `npm`, `oci` and `remote`.
    pub kinds: Vec<String>,
    /// The entry's JSON.
    pub text: Box<RawValue>,
}

#[cfg(test)]
mod tests;
