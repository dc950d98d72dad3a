//! Detects the shape of registry data, and splits the data into entries.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::{
    CURSOR_BYTES_MAX, ENTRY_BYTES_MAX, LEFT_OUT_MAX, LISTED_MAX, LISTING_BYTES_MAX,
    RegistryInvalidEntry, RegistryListing, RegistryServerSummary, entry,
};
use crate::messages::ListingProblem;
pub use crate::messages::Unlisted;

/// Parses registry data in any of the supported shapes.
///
/// # Errors
/// When the data is too large, invalid JSON, or neither a server nor a list of servers.
pub fn parse(bytes: &[u8]) -> Result<RegistryListing, Unlisted> {
    if bytes.len() > LISTING_BYTES_MAX {
        return Err(Unlisted::TooLarge(LISTING_BYTES_MAX >> 20));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Unlisted::NotUtf8)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    match text.as_bytes().first() {
        Some(b'[') => {
            let entries: Vec<&RawValue> = serde_json::from_str(text).map_err(no_json)?;
            listing(entries)
        }
        Some(b'{') => of_object(text),
        _ => Err(Unlisted::NoJson),
    }
}

fn of_object(text: &str) -> Result<RegistryListing, Unlisted> {
    let fields: BTreeMap<String, &RawValue> = serde_json::from_str(text).map_err(no_json)?;
    if let Some(servers) = fields.get("servers") {
        let entries: Vec<&RawValue> =
            serde_json::from_str(servers.get()).map_err(|_| Unlisted::NoList)?;
        let mut listing = listing(entries)?;
        listing.next = fields.get("metadata").and_then(|metadata| next(metadata));
        return Ok(listing);
    }
    if fields.contains_key("server") || fields.contains_key("name") {
        let whole: &RawValue = serde_json::from_str(text).map_err(no_json)?;
        return listing(vec![whole]);
    }
    Err(Unlisted::Neither)
}

fn no_json(error: serde_json::Error) -> Unlisted {
    Unlisted::BrokenJson(error.to_string())
}

fn listing(entries: Vec<&RawValue>) -> Result<RegistryListing, Unlisted> {
    if entries.len() > LISTED_MAX {
        return Err(Unlisted::TooMany(LISTED_MAX));
    }
    let mut listing = RegistryListing::default();
    for (index, raw) in entries.into_iter().enumerate() {
        match listed(raw) {
            Ok(server) => listing.servers.push(server),
            Err((name, why)) => {
                let at = index + 1;
                listing.leave_out(RegistryInvalidEntry { at, name, why });
            }
        }
    }
    Ok(listing)
}

impl RegistryListing {
    fn leave_out(&mut self, entry: RegistryInvalidEntry) {
        self.left_out_count += 1;
        if self.left_out.len() < LEFT_OUT_MAX {
            self.left_out.push(entry);
        }
    }
}

/// Parses one entry. An error contains the entry's name, or an empty string if the name can't be
/// read.
fn listed(raw: &RawValue) -> Result<RegistryServerSummary, (String, ListingProblem)> {
    let unnamed = |why: ListingProblem| (String::new(), why);
    if raw.get().len() > ENTRY_BYTES_MAX {
        return Err(unnamed(ListingProblem::TooLarge(ENTRY_BYTES_MAX >> 10)));
    }
    let value = serde_json::from_str(raw.get()).map_err(|error: serde_json::Error| {
        unnamed(ListingProblem::Unreadable(error.to_string()))
    })?;
    entry::listed(&value, raw)
}

/// Returns the cursor of the next page. `None` if it is missing, empty or too long.
fn next(metadata: &RawValue) -> Option<String> {
    let metadata: serde_json::Value = serde_json::from_str(metadata.get()).ok()?;
    let cursor = ["nextCursor", "next_cursor"]
        .iter()
        .find_map(|name| metadata[*name].as_str())?;
    (!cursor.is_empty() && cursor.len() <= CURSOR_BYTES_MAX).then(|| cursor.to_owned())
}
