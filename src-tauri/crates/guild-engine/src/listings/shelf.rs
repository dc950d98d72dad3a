//! A listing that is open: read from its file, or from what was kept of its address.

use guild_core::Report;
use guild_core::listing::{LISTING_BYTES_MAX, LeftOut, Listing, Shelf, Unlisted, parse};
use guild_core::note::{ListingWrong, Told as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::sources::{News, Place, Sources, Stamp};
use super::unread;
use crate::files::read_bounded;

/// A listing that is open.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) place: Place,
    pub(crate) stamp: Stamp,
    pub(crate) shelf: Shelf,
    /// Whether nothing of what was kept is unknown, as it may be where another version kept it.
    pub(super) whole: bool,
}

/// What is kept beside the servers of an address.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Beside<E> {
    #[serde(default)]
    left_out: Vec<E>,
    #[serde(default)]
    left_out_count: usize,
}

/// An entry that was left out: where it stood, its name, and why.
type Entry = (usize, String, ListingWrong);

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
        let mut whole = true;
        let shelf = match file {
            None => Shelf::default(),
            Some(file) => {
                let why = |why: Unlisted| unread(place.text(), why);
                let bytes = read_bounded(&file, LISTING_BYTES_MAX as u64)
                    .map_err(|error| why(Unlisted::Unread(error.told())))?;
                let mut listing = parse(&bytes).map_err(why)?;
                if matches!(place, Place::Url(_)) {
                    whole = beside(&bytes, &mut listing);
                }
                Shelf::of(listing)
            }
        };
        Ok(Self {
            place,
            stamp,
            shelf,
            whole,
        })
    }
}

/// Adds what was left out when the address was read: it is not kept itself. Whether all of that could
/// be read.
fn beside(bytes: &[u8], listing: &mut Listing) -> bool {
    let read: Result<Beside<Value>, _> = serde_json::from_slice(bytes);
    let mut whole = read.is_ok();
    let beside = read.unwrap_or_default();
    listing.left_out_count = beside.left_out_count;
    listing.left_out.clear();
    for entry in beside.left_out {
        match serde_json::from_value::<Entry>(entry) {
            Ok((at, name, why)) => listing.left_out.push(LeftOut { at, name, why }),
            Err(_) => whole = false,
        }
    }
    whole
}

/// The text that is kept of an address, and what is remembered of it.
///
/// # Errors
/// Where it is too large.
pub(super) fn written(shelf: &Shelf, etag: Option<String>) -> Result<(Vec<u8>, News), Unlisted> {
    let left_out = shelf.left_out.iter();
    let beside = Beside::<Entry> {
        left_out: left_out
            .map(|entry| (entry.at, entry.name.clone(), entry.why.clone()))
            .collect(),
        left_out_count: shelf.left_out_count,
    };
    let beside =
        serde_json::to_string(&beside).map_err(|error| Unlisted::Unread(error.to_string()))?;
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
            return Err(Unlisted::TooLarge(LISTING_BYTES_MAX >> 20));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listings::Listings;

    /// An address that was read, of which this was kept.
    fn kept(listings: &Listings, source: &str, text: &[u8]) {
        listings.sources.add(source).expect("remembered");
        let news = News {
            etag: Some("\"1\"".to_owned()),
            ..News::default()
        };
        let kept = listings.sources.keep(source, Some(text), &news);
        kept.expect("kept");
    }

    /// What is shown as left out: how many, and the names that are told.
    fn shown(listings: &Listings, source: &str) -> (usize, Vec<String>) {
        let open = listings.open(source).expect("it opens");
        let left_out = open.shelf.left_out.iter();
        let names = left_out.map(|entry| entry.name.clone()).collect();
        (open.shelf.left_out_count, names)
    }

    #[test]
    fn what_another_version_kept_beside_the_servers_is_counted_and_read_anew() {
        let dir = tempfile::tempdir().expect("a folder");
        let listings = Listings::new(dir.path());
        let (old, new) = ("https://r.example/old.json", "https://r.example/new.json");
        let servers = r#""servers":[{"name":"com.example/a","version":"1"}]"#;
        let text = format!(
            r#"{{"leftOut":[[1,"com.example/b","it has no name"],[2,"com.example/c","no-name"]],
            "leftOutCount":3,{servers}}}"#
        );
        kept(&listings, old, text.as_bytes());
        assert_eq!(shown(&listings, old), (3, vec!["com.example/c".to_owned()]));
        assert!(listings.taken(old).expect("known").is_none());

        let wrong = format!(r#"{{{servers},"leftOut":7}}"#);
        kept(&listings, old, wrong.as_bytes());
        assert!(listings.taken(old).expect("known").is_none());

        // What is kept today is taken as it is.
        let listing = br#"[{"name":"com.example/a","version":"1"},{"version":"1"}]"#;
        let shelf = Shelf::of(parse(listing).expect("a listing"));
        assert_eq!(shelf.left_out_count, 1);
        let (text, _) = written(&shelf, None).expect("it is written");
        kept(&listings, new, &text);
        assert_eq!(shown(&listings, new), (1, vec![String::new()]));
        let taken = listings.taken(new).expect("known").expect("it is taken");
        assert_eq!((taken.len(), taken.left_out.len()), (1, 1));
    }
}
