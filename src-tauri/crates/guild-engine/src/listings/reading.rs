//! Reading an address: one document, or the API's list page after page.

use std::time::{Duration, SystemTime};

use guild_core::Report;
use guild_core::listing::{LISTING_BYTES_MAX, Listing, Shelf, Unlisted, parse};
use guild_core::note::{Told as _, Ungrouped};
use guild_mcp::{Document, Documents, Wish};

use super::shelf::written;
use super::sources::{Known, News};
use super::unread;

/// How long one page may take.
const PAGE_LIMIT: Duration = Duration::from_secs(30);
/// How long all of it may take.
const WHOLE_LIMIT: Duration = Duration::from_secs(15 * 60);
/// The largest page, in bytes.
const PAGE_BYTES_MAX: usize = 16 << 20;
/// The most pages.
const PAGES_MAX: usize = 2_000;
/// How many servers a page is asked to have.
const PAGE_SERVERS: usize = 100;
/// How often a page is asked for again of a server that says when.
const TRIES: usize = 4;
/// How long it is waited for that at most.
const WAIT_MAX: Duration = Duration::from_secs(30);
/// What is asked for again beside what changed since, since clocks and orders differ.
const OVERLAP: Duration = Duration::from_secs(3_600);

/// How far a reading is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    pub(crate) pages: usize,
    pub(crate) servers: usize,
}

/// What came of reading an address.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It is as it was.
    Same,
    /// It is to be kept.
    Changed(Vec<u8>, News),
}

/// What an address is asked for.
enum Ask {
    /// One document.
    Document(String),
    /// The API's list, at the first of these that is there.
    List(Vec<String>),
}

/// Reads an address. `before` is what was kept of it, where only changes are wanted. Dropped, it
/// ends at once.
///
/// # Errors
/// `registry-unread`.
pub(crate) async fn read(
    url: &str,
    known: &Known,
    before: Option<Shelf>,
    tell: impl Fn(Reading),
) -> Result<Outcome, Report> {
    let reading = Source {
        url,
        known,
        documents: Documents::of(url)
            .await
            .map_err(|error| unread(url, Unlisted::Unfetched(error.told())))?,
    };
    let read = tokio::time::timeout(WHOLE_LIMIT, reading.read(before, tell)).await;
    let read = read.unwrap_or_else(|_| {
        let minutes = WHOLE_LIMIT.as_secs() / 60;
        Err(Unlisted::TooLong(minutes))
    });
    read.map_err(|why| unread(url, why))
}

struct Source<'r> {
    url: &'r str,
    known: &'r Known,
    documents: Documents,
}

impl Source<'_> {
    async fn read(
        &self,
        before: Option<Shelf>,
        tell: impl Fn(Reading),
    ) -> Result<Outcome, Unlisted> {
        match asks(self.url) {
            Ask::Document(url) => {
                let etag = self.known.etag.as_deref().filter(|_| before.is_some());
                let document = self.page(&url, etag).await?;
                if document.status == 304 && etag.is_some() {
                    return Ok(Outcome::Same);
                }
                let listing = self.listing(&document)?;
                if listing.next.is_some() {
                    return Err(Unlisted::OnePage);
                }
                tell(Reading {
                    pages: 1,
                    servers: listing.servers.len(),
                });
                kept(Shelf::of(listing), document.etag).await
            }
            Ask::List(urls) => {
                let since = before.as_ref().and_then(|_| self.since());
                let since = since.map(|since| format!("&updated_since={}", encoded(&since)));
                let changes = since.is_some();
                let since = since.unwrap_or_default();
                let listing = self.all_pages(&urls, &since, tell).await?;
                let shelf = match before {
                    Some(before) if changes => before.renewed(listing),
                    _ => Shelf::of(listing),
                };
                kept(shelf, None).await
            }
        }
    }

    async fn all_pages(
        &self,
        urls: &[String],
        since: &str,
        tell: impl Fn(Reading),
    ) -> Result<Listing, Unlisted> {
        let mut urls = urls.iter();
        let mut url = urls.next().ok_or(Unlisted::NoAddress)?;
        let mut whole = Listing::default();
        let mut bytes = 0;
        let mut pages = 0;
        let mut cursor: Option<String> = None;
        loop {
            let from = cursor
                .as_deref()
                .map(|cursor| format!("&cursor={}", encoded(cursor)));
            let from = from.unwrap_or_default();
            let page = format!("{url}?limit={PAGE_SERVERS}&version=latest{since}{from}");
            let document = self.page(&page, None).await?;
            // A registry has the API in one version or the other.
            if let (404, 0, Some(other)) = (document.status, pages, urls.next()) {
                url = other;
                continue;
            }
            bytes += document.body.len();
            pages += 1;
            if bytes > LISTING_BYTES_MAX {
                return Err(Unlisted::TooLarge(LISTING_BYTES_MAX >> 20));
            }
            let listing = self
                .listing(&document)
                .map_err(|why| Unlisted::Page(Ungrouped(pages), why.told()))?;
            whole.append(listing)?;
            tell(Reading {
                pages,
                servers: whole.servers.len(),
            });
            match whole.next.take() {
                None => return Ok(whole),
                next if next == cursor => {
                    return Err(Unlisted::Circle(Ungrouped(pages)));
                }
                _ if pages == PAGES_MAX => {
                    return Err(Unlisted::ManyPages(PAGES_MAX));
                }
                next => cursor = next,
            }
        }
    }

    /// A page; one that its server has no time for is asked for again, when it says so.
    async fn page(&self, url: &str, etag: Option<&str>) -> Result<Document, Unlisted> {
        let wish = Wish {
            url,
            etag,
            limit: PAGE_LIMIT,
            bytes_max: PAGE_BYTES_MAX,
        };
        let mut tries = 1;
        loop {
            let read = self.documents.read(&wish).await;
            let document = read.map_err(|error| Unlisted::Unfetched(error.told()))?;
            let wait = wait(&document).filter(|_| tries < TRIES);
            let Some(wait) = wait else {
                return Ok(document);
            };
            tries += 1;
            tokio::time::sleep(wait).await;
        }
    }

    fn listing(&self, document: &Document) -> Result<Listing, Unlisted> {
        if document.status != 200 {
            return Err(Unlisted::Status(document.status));
        }
        parse(&document.body)
    }

    /// From when on changes are asked for.
    fn since(&self) -> Option<String> {
        let changed_at = self.known.changed_at.as_deref()?;
        let changed_at = humantime::parse_rfc3339_weak(changed_at).ok()?;
        let since = changed_at.checked_sub(OVERLAP)?;
        (since > SystemTime::UNIX_EPOCH)
            .then(|| humantime::format_rfc3339_seconds(since).to_string())
    }
}

/// What is kept of a listing; it may be of many megabytes.
async fn kept(shelf: Shelf, etag: Option<String>) -> Result<Outcome, Unlisted> {
    let writing = tokio::task::spawn_blocking(move || written(&shelf, etag));
    let (text, news) = writing
        .await
        .map_err(|error| Unlisted::Unread(error.to_string()))??;
    Ok(Outcome::Changed(text, news))
}

/// How long a server wants to be left alone.
fn wait(document: &Document) -> Option<Duration> {
    if ![429, 503].contains(&document.status) {
        return None;
    }
    let seconds = document.retry_after.as_deref()?.trim().parse().ok()?;
    let wait = Duration::from_secs(seconds);
    (wait <= WAIT_MAX).then_some(wait)
}

/// What an address means: a document where it ends so, the API's list where it names that, and else
/// the API below it, in its steady version or the one before.
fn asks(url: &str) -> Ask {
    let (plain, query) = url.split_once('?').unwrap_or((url, ""));
    let plain = plain.trim_end_matches('/');
    let last = plain.rsplit('/').next().unwrap_or_default();
    let is_version = last.strip_prefix('v').is_some_and(|rest| {
        !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit() || c == '.')
    });
    if !query.is_empty() || last.ends_with(".json") {
        return Ask::Document(url.to_owned());
    }
    Ask::List(match () {
        () if last == "servers" => vec![plain.to_owned()],
        () if is_version => vec![format!("{plain}/servers")],
        () => vec![
            format!("{plain}/v0.1/servers"),
            format!("{plain}/v0/servers"),
        ],
    })
}

/// A text as it stands in an address.
fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: &[&str]) {
        let asked = match asks(url) {
            Ask::Document(url) => vec![format!("document {url}")],
            Ask::List(urls) => urls,
        };
        assert_eq!(asked, expected);
    }

    #[test]
    fn an_address_is_a_document_or_leads_to_the_api_s_list() {
        check(
            "https://registry.example/",
            &[
                "https://registry.example/v0.1/servers",
                "https://registry.example/v0/servers",
            ],
        );
        check("https://r.example/v0", &["https://r.example/v0/servers"]);
        check(
            "https://r.example/v0.1/",
            &["https://r.example/v0.1/servers"],
        );
        check(
            "https://r.example/x/servers",
            &["https://r.example/x/servers"],
        );
        check(
            "https://r.example/vault",
            &[
                "https://r.example/vault/v0.1/servers",
                "https://r.example/vault/v0/servers",
            ],
        );
        check(
            "https://r.example/a.json",
            &["document https://r.example/a.json"],
        );
        check(
            "https://r.example/list?x=1",
            &["document https://r.example/list?x=1"],
        );
    }

    #[test]
    fn a_cursor_goes_into_an_address_as_it_is() {
        assert_eq!(
            encoded("com.example/a:1.0 &ä"),
            "com.example%2Fa%3A1.0%20%26%C3%A4"
        );
    }
}
