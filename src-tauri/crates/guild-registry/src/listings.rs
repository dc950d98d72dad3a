//! Servers that an MCP registry lists: a live search through its API, or a file in its format.
//!
//! Responses are cached ([`Answers`]). A cached response replaces a request for five minutes. Later
//! it is only used if the registry can't be reached, and its age is returned with it.

mod answers;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::listing::{
    CURSOR_BYTES_MAX, LISTING_BYTES_MAX, RegistryIndex, RegistryInvalidEntry, RegistryListing,
    RegistryServerSummary, Unlisted, parse, words,
};
use crate::messages::{RegistryError, SourceProblem};
use guild_api::wire::RegistrySource;
use guild_mcp_client::messages::AddressProblem;
use guild_mcp_client::{DocumentRequest, Documents, may_be_read};
use guild_model::messages::io_message;
use guild_model::{Code, Report};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tokio::sync::OnceCell;

use self::answers::Answers;
use guild_files::files::read_bounded;

/// The official registry, which is the default.
pub const OFFICIAL: &str = "https://registry.modelcontextprotocol.io";

/// Timeout of one request.
const LIMIT: Duration = Duration::from_secs(20);
/// Maximum size of a response, in bytes.
const ANSWER_BYTES_MAX: usize = 16 << 20;
/// How long a cached response is used without a new request.
const FRESH: Duration = Duration::from_secs(5 * 60);
/// Number of servers on a page of results.
const PAGE_SERVERS: usize = 50;
/// Maximum length of the path or address of a registry, in bytes.
const SOURCE_MAX: usize = 4_096;
/// Maximum length of a server's name in a request, in bytes.
const SERVER_MAX: usize = 1_024;

/// The location of a registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegistryLocation {
    /// A file, by its full path.
    File(PathBuf),
    /// An address.
    Url(String),
}

/// A page of servers that were found.
#[derive(Debug)]
pub struct ListingPage {
    /// The registry, and the time of its response.
    pub source: RegistrySource,
    /// The servers of this page that match the query.
    pub servers: Vec<RegistryServerSummary>,
    /// The cursor of the next page. `None` on the last page.
    pub next: Option<String>,
    /// The first invalid entries of the response, at most `LEFT_OUT_MAX`.
    pub left_out: Vec<RegistryInvalidEntry>,
    /// The number of all invalid entries, including those in `left_out`.
    pub left_out_count: usize,
}

/// The parsed response of a registry, or the parsed content of a file.
struct RegistryResponse {
    listing: RegistryListing,
    as_of: SystemTime,
    /// The reason why the registry could not be read, if an earlier response is used instead.
    unread: Option<Unlisted>,
}

/// A client of registries that caches their responses.
#[derive(Debug)]
pub struct Listings {
    answers: Answers,
    documents: OnceCell<Documents>,
}

impl RegistryLocation {
    /// Parses the path or address of a registry that a person entered.
    ///
    /// # Errors
    /// `registry-source-refused`.
    pub fn parse(source: &str) -> Result<Self, Report> {
        let refused = |why: SourceProblem| {
            let shown: String = source.chars().take(200).collect();
            let trouble = RegistryError::Refused(format!("{shown:?}"), why);
            Report::from_error(Code::RegistrySourceRefused, &trouble)
        };
        if source.len() > SOURCE_MAX || source.contains(char::is_control) {
            return Err(refused(SourceProblem::NoPlace));
        }
        if Path::new(source).is_absolute() {
            return Ok(Self::File(PathBuf::from(source)));
        }
        may_be_read(source).map_err(|wrong| refused(SourceProblem::Address(wrong)))?;
        if source.contains('#') {
            return Err(refused(SourceProblem::Address(AddressProblem::Fragment)));
        }
        Ok(Self::Url(source.to_owned()))
    }

    /// Returns the path or the address of the registry.
    pub fn text(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Url(url) => url.clone(),
        }
    }

    /// Returns the address of the API's list of servers. `None` for a file, and for the address of
    /// a document, which ends in `.json` or has a query.
    fn api(&self) -> Option<String> {
        let Self::Url(url) = self else {
            return None;
        };
        let plain = url.trim_end_matches('/');
        let last = plain.rsplit('/').next().unwrap_or_default();
        let is_version = last.strip_prefix('v').is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_digit())
                && rest.chars().all(|c| c.is_ascii_digit() || c == '.')
        });
        match last {
            _ if url.contains('?') || last.ends_with(".json") => None,
            "servers" => Some(plain.to_owned()),
            _ if is_version => Some(format!("{plain}/servers")),
            _ => Some(format!("{plain}/v0.1/servers")),
        }
    }

    /// Returns the source for display.
    fn shown(&self, as_of: SystemTime, unread: Option<Unlisted>) -> RegistrySource {
        let since = as_of.duration_since(SystemTime::UNIX_EPOCH);
        let millis = since.unwrap_or_default().as_millis();
        RegistrySource {
            source: self.text(),
            as_of_ms: u64::try_from(millis).unwrap_or(u64::MAX),
            unread: unread.map(|why| self.unread(why)),
        }
    }

    fn unread(&self, why: Unlisted) -> Report {
        let trouble = RegistryError::Unread(self.text(), why);
        Report::from_error(Code::RegistryUnread, &trouble)
    }
}

impl Listings {
    /// Returns a client that caches responses in the folder `registry` of the data folder.
    pub fn new(data_dir: &Path) -> Self {
        Self {
            answers: Answers::new(data_dir.join("registry")),
            documents: OnceCell::new(),
        }
    }

    /// Returns a page of the servers that match all words of a query. Dropping the future cancels
    /// the request.
    ///
    /// # Errors
    /// `registry-unread`. `registry-unknown` for a cursor that is too long.
    pub async fn search(
        &self,
        place: &RegistryLocation,
        query: &str,
        cursor: Option<&str>,
    ) -> Result<ListingPage, Report> {
        check_length("cursor", cursor.unwrap_or_default(), CURSOR_BYTES_MAX)?;
        let mut words = words(query);
        let Some(servers) = place.api() else {
            return self.search_whole(place, &words, cursor).await;
        };
        let mut url = format!("{servers}?limit={PAGE_SERVERS}&version=latest");
        // The API searches the servers' names for one string. The request contains the longest
        // word. The other words are compared here.
        let longest = (0..words.len()).rev().max_by_key(|at| words[*at].len());
        if let Some(at) = longest {
            url.push_str(&format!("&search={}", encoded(&words.swap_remove(at))));
        }
        if let Some(cursor) = cursor {
            url.push_str(&format!("&cursor={}", encoded(cursor)));
        }
        let answer = self.ask(url).await.map_err(|why| place.unread(why))?;
        let next = answer.listing.next.clone();
        let next = next.filter(|next| Some(next.as_str()) != cursor);
        let index = RegistryIndex::of(answer.listing);
        Ok(ListingPage {
            source: place.shown(answer.as_of, answer.unread),
            servers: index.search(&words).into_iter().cloned().collect(),
            next,
            left_out: index.left_out,
            left_out_count: index.left_out_count,
        })
    }

    /// Searches a file or a downloaded document. The cursor is the index of a page's first server.
    async fn search_whole(
        &self,
        place: &RegistryLocation,
        words: &[String],
        cursor: Option<&str>,
    ) -> Result<ListingPage, Report> {
        let answer = self.whole(place).await.map_err(|why| place.unread(why))?;
        let index = RegistryIndex::of(answer.listing);
        let found = index.search(words);
        let from = cursor.and_then(|cursor| cursor.parse::<usize>().ok());
        let from = from.unwrap_or_default().min(found.len());
        let to = (from + PAGE_SERVERS).min(found.len());
        Ok(ListingPage {
            source: place.shown(answer.as_of, answer.unread),
            servers: found[from..to].iter().map(|one| (*one).clone()).collect(),
            next: (to < found.len()).then(|| to.to_string()),
            left_out_count: index.left_out_count,
            left_out: index.left_out,
        })
    }

    /// Returns all listed versions of a server, newest first.
    ///
    /// # Errors
    /// `registry-unread`, `registry-unknown`.
    pub async fn versions(
        &self,
        place: &RegistryLocation,
        server: &str,
    ) -> Result<(RegistrySource, Vec<RegistryServerSummary>), Report> {
        check_length("server", server, SERVER_MAX)?;
        let answer = match place.api() {
            Some(servers) => {
                let url = format!("{servers}/{}/versions", encoded(server));
                self.ask(url).await
            }
            None => self.whole(place).await,
        };
        let not_listed = || {
            let shown: String = server.chars().take(200).collect();
            let trouble = RegistryError::NotListed(place.text(), format!("{shown:?}"));
            Report::from_error(Code::RegistryUnknown, &trouble)
        };
        let answer = answer.map_err(|why| match (why, place.api()) {
            (Unlisted::Status(404), Some(_)) => not_listed(),
            (why, _) => place.unread(why),
        })?;
        let index = RegistryIndex::of(answer.listing);
        match index.versions(server) {
            [] => Err(not_listed()),
            versions => Ok((place.shown(answer.as_of, answer.unread), versions.to_vec())),
        }
    }

    /// Returns the whole content of a file or a document.
    async fn whole(&self, place: &RegistryLocation) -> Result<RegistryResponse, Unlisted> {
        match place {
            RegistryLocation::Url(url) => {
                let answer = self.ask(url.clone()).await?;
                match answer.listing.next {
                    Some(_) => Err(Unlisted::OnePage),
                    None => Ok(answer),
                }
            }
            RegistryLocation::File(path) => {
                let path = path.clone();
                let read = move || {
                    let unread = |error: std::io::Error| Unlisted::Unread(io_message(&error));
                    let as_of = std::fs::metadata(&path).and_then(|metadata| metadata.modified());
                    let bytes = read_bounded(&path, LISTING_BYTES_MAX as u64).map_err(unread)?;
                    Ok(RegistryResponse {
                        listing: parse(&bytes)?,
                        as_of: as_of.map_err(unread)?,
                        unread: None,
                    })
                };
                off_the_runtime(read).await?
            }
        }
    }

    /// Returns the response for an address: a recent response from the cache, or else the response
    /// to a new request. If the request fails, returns an older cached response.
    async fn ask(&self, url: String) -> Result<RegistryResponse, Unlisted> {
        let kept = self.answers.clone();
        let of = url.clone();
        let kept = off_the_runtime(move || {
            let (bytes, as_of) = kept.find(&of)?;
            Some((parse(&bytes).ok()?, as_of))
        });
        let kept = kept.await?;
        let is_fresh = |as_of: &SystemTime| as_of.elapsed().is_ok_and(|age| age < FRESH);
        match kept {
            Some((listing, as_of)) if is_fresh(&as_of) => Ok(RegistryResponse {
                listing,
                as_of,
                unread: None,
            }),
            kept => match (self.fetch(url).await, kept) {
                // The registry does not have the server any more, so a cached response is outdated.
                (Err(Unlisted::Status(404)), _) => Err(Unlisted::Status(404)),
                (Err(why), Some((listing, as_of))) => Ok(RegistryResponse {
                    listing,
                    as_of,
                    unread: Some(why),
                }),
                (fetched, _) => fetched,
            },
        }
    }

    async fn fetch(&self, url: String) -> Result<RegistryResponse, Unlisted> {
        let documents = self.documents.get_or_try_init(|| Documents::of(&url));
        let documents = documents
            .await
            .map_err(|error| Unlisted::Unfetched(error.to_string()))?;
        let wish = DocumentRequest {
            url: &url,
            limit: LIMIT,
            bytes_max: ANSWER_BYTES_MAX,
        };
        let document = documents.read(&wish).await;
        let document = document.map_err(|error| Unlisted::Unfetched(error.to_string()))?;
        if document.status != 200 {
            return Err(Unlisted::Status(document.status));
        }
        let answers = self.answers.clone();
        off_the_runtime(move || {
            let listing = parse(&document.body)?;
            answers.keep(&url, &document.body);
            Ok(RegistryResponse {
                listing,
                as_of: SystemTime::now(),
                unread: None,
            })
        })
        .await?
    }
}

fn check_length(field: &'static str, text: &str, most: usize) -> Result<(), Report> {
    if text.len() <= most {
        return Ok(());
    }
    let trouble = RegistryError::LongField(field, most);
    Err(Report::from_error(Code::RegistryUnknown, &trouble))
}

/// Percent-encodes a text for an address.
fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Unlisted> {
    let working = tokio::task::spawn_blocking(work);
    working
        .await
        .map_err(|error| Unlisted::Unread(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registry_address_leads_to_api_or_document() {
        for (url, expected) in [
            (
                "https://registry.example/",
                Some("https://registry.example/v0.1/servers"),
            ),
            ("https://r.example/v0", Some("https://r.example/v0/servers")),
            (
                "https://r.example/v0.1/",
                Some("https://r.example/v0.1/servers"),
            ),
            (
                "https://r.example/x/servers",
                Some("https://r.example/x/servers"),
            ),
            (
                "https://r.example/vault",
                Some("https://r.example/vault/v0.1/servers"),
            ),
            ("https://r.example/a.json", None),
            ("https://r.example/list?x=1", None),
        ] {
            let place = RegistryLocation::parse(url).expect("an address");
            assert_eq!(place.api().as_deref(), expected);
        }
        RegistryLocation::parse(OFFICIAL).expect("an address");
    }

    #[tokio::test]
    async fn too_long_field_of_request_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let listings = Listings::new(folder.path());
        let place = RegistryLocation::File(folder.path().join("list.json"));
        let cursor = "9".repeat(CURSOR_BYTES_MAX + 1);
        let page = listings.search(&place, "", Some(&cursor)).await;
        assert_eq!(page.expect_err("long").code, Code::RegistryUnknown);
        let server = "a".repeat(SERVER_MAX + 1);
        let versions = listings.versions(&place, &server).await;
        assert_eq!(versions.expect_err("long").code, Code::RegistryUnknown);
    }

    #[test]
    fn source_that_may_not_be_read_is_refused() {
        for refused in [
            "",
            "list.json",
            "http://registry.example",
            "https://me:pw@registry.example",
            "https://registry.example/#part",
            "ftp://registry.example",
        ] {
            let report = RegistryLocation::parse(refused).expect_err(refused);
            assert_eq!(report.code, Code::RegistrySourceRefused, "{refused}");
        }
    }
}
