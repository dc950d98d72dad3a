//! A listing that is open: read from its file, or from what was kept of its address.

use guild_core::Report;
use guild_core::listing::{LISTING_BYTES_MAX, LeftOut, Listing, Shelf, parse};
use guild_core::note::ListingWrong;
use serde::{Deserialize, Serialize};

use super::sources::{News, Place, Sources, Stamp};
use super::unread;
use crate::files::read_bounded;

/// A listing that is open.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) place: Place,
    pub(crate) stamp: Stamp,
    pub(crate) shelf: Shelf,
}

/// What is kept beside the servers of an address.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Beside {
    #[serde(default)]
    left_out: Vec<(usize, String, ListingWrong)>,
    #[serde(default)]
    left_out_count: usize,
}

impl Kept {
    /// Reads a listing from the disk. Of an address that nobody has read nothing is there.
    ///
    /// # Errors
    /// `registry-unread`.
    pub(super) fn open(sources: &Sources, place: Place, stamp: Stamp) -> Result<Self, Report> {
        let file = match &place {
            Place::File(path) => Some(path.clone()),
            Place::Url(url) => stamp.as_of.map(|_| sources.kept_at(url)),
        };
        let shelf = match file {
            None => Shelf::default(),
            Some(file) => {
                let why = |why: String| unread(place.text(), &why);
                let bytes = read_bounded(&file, LISTING_BYTES_MAX as u64)
                    .map_err(|error| why(error.to_string()))?;
                let mut listing = parse(&bytes).map_err(|error| why(error.to_string()))?;
                if matches!(place, Place::Url(_)) {
                    beside(&bytes, &mut listing);
                }
                Shelf::of(listing)
            }
        };
        Ok(Self {
            place,
            stamp,
            shelf,
        })
    }
}

/// Adds what was left out when the address was read: it is not kept itself.
fn beside(bytes: &[u8], listing: &mut Listing) {
    let beside: Beside = serde_json::from_slice(bytes).unwrap_or_default();
    listing.left_out_count = beside.left_out_count;
    let left_out = beside.left_out.into_iter();
    listing.left_out = left_out
        .map(|(at, name, why)| LeftOut { at, name, why })
        .collect();
}

/// The text that is kept of an address, and what is remembered of it.
///
/// # Errors
/// In words, where it is too large.
pub(super) fn written(shelf: &Shelf, etag: Option<String>) -> Result<(Vec<u8>, News), String> {
    let beside = Beside {
        left_out: shelf
            .left_out
            .iter()
            .map(|entry| (entry.at, entry.name.clone(), entry.why.clone()))
            .collect(),
        left_out_count: shelf.left_out_count,
    };
    let beside = serde_json::to_string(&beside).map_err(|error| error.to_string())?;
    // `{"leftOut":…` goes on with the servers.
    let mut text = beside.strip_suffix('}').unwrap_or("{").to_owned();
    text.push_str(",\"servers\":[");
    let mut changed_at: Option<&str> = None;
    for (at, server) in shelf.each().enumerate() {
        if at > 0 {
            text.push_str(",\n");
        }
        text.push_str(server.text.get());
        changed_at = changed_at.max(server.updated_at.as_deref());
        if text.len() > LISTING_BYTES_MAX {
            return Err(format!("it is larger than {} MiB", LISTING_BYTES_MAX >> 20));
        }
    }
    text.push_str("]}");
    let news = News {
        etag,
        changed_at: changed_at.map(str::to_owned),
        servers: shelf.len(),
    };
    Ok((text.into_bytes(), news))
}
