//! Fetches documents from addresses that are not MCP servers. Each response is bounded, and
//! connections are reused.
//!
//! A few redirects are followed, to addresses that [`may_be_read`] allows, but never from `https`
//! to plain HTTP. The environment's proxies are not used.

use std::time::Duration;

use guild_text::number::grouped;
use http::StatusCode;
use http::header::{ACCEPT, LOCATION};
use reqwest::Url;
use tokio::io::{AsyncWrite, AsyncWriteExt};

use super::{JSON, direct_client, is_here, tls};
use crate::messages::AddressProblem;
use crate::text;

/// Limit of the redirects that are followed for one document.
const REDIRECTS_MAX: usize = 5;
/// The `Accept` header for large documents.
const BYTES: &str = "application/octet-stream";
/// Timeout for the start of a response, and for each piece of a large document.
const STALLED: Duration = Duration::from_secs(30);
/// How long an idle connection is kept open for the next document.
const KEPT: Duration = Duration::from_secs(20);

/// An HTTP client that fetches documents.
#[derive(Debug, Clone)]
pub struct Documents {
    client: reqwest::Client,
}

/// A request for a document.
#[derive(Debug, Clone)]
pub struct DocumentRequest<'w> {
    /// The document's address.
    pub url: &'w str,
    /// Timeout of the whole request.
    pub limit: Duration,
    /// Limit of the document, in bytes.
    pub bytes_max: usize,
}

/// A response with any status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The HTTP status.
    pub status: u16,
    /// The whole body.
    pub body: Vec<u8>,
}

/// The reason that a document could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages document the variants")]
pub enum FetchError {
    #[error("{0}")]
    Address(AddressProblem),
    #[error("the connection failed ({0})")]
    Connection(String),
    #[error("no answer within {seconds} s", seconds = grouped(.0.as_secs()))]
    TooLong(Duration),
    #[error("the answer is larger than {mebibytes} MiB", mebibytes = grouped(*.0 >> 20))]
    TooLarge(usize),
    #[error("it could not be written ({0})")]
    Unwritten(String),
    #[error("it redirects more than {REDIRECTS_MAX} times")]
    TooFar,
    #[error("it answers with {0}")]
    Status(u16),
}

/// Checks whether a document may be fetched from an address. The scheme must be `https`, or `http`
/// for this machine, and the address must not have a user name or a password.
///
/// # Errors
/// When the address is not allowed.
pub fn may_be_read(url: &str) -> Result<(), AddressProblem> {
    let url = Url::parse(url).map_err(|error| AddressProblem::Invalid(error.to_string()))?;
    allowed(&url)
}

fn allowed(url: &Url) -> Result<(), AddressProblem> {
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressProblem::Password);
    }
    match url.scheme() {
        "https" => Ok(()),
        "http" if is_here(url) => Ok(()),
        "http" => Err(AddressProblem::NotEncrypted),
        other => Err(AddressProblem::Scheme(other.to_owned())),
    }
}

impl Documents {
    /// Returns a client that can fetch from any allowed address. Checks `url`, the first address to
    /// be fetched, before it sets up TLS.
    ///
    /// # Errors
    /// When `url` is not an allowed address, or TLS can't be set up.
    pub async fn of(url: &str) -> Result<Self, FetchError> {
        may_be_read(url).map_err(FetchError::Address)?;
        let failed = |reason: String| FetchError::Connection(reason);
        // TLS is needed in any case, because a redirect may lead from this machine to another one.
        let tls = tls::config(true).await;
        let tls = tls.map_err(|error| failed(error.to_string()))?;
        let client = direct_client(tls)
            .pool_max_idle_per_host(1)
            .pool_idle_timeout(KEPT)
            .build();
        let client = client.map_err(|error| failed(text::causes(&error)))?;
        Ok(Self { client })
    }

    /// Fetches a document. Dropping the future cancels the request.
    ///
    /// # Errors
    /// When no complete response arrives. A response with an error status is not an error.
    pub async fn read(&self, request: &DocumentRequest<'_>) -> Result<Document, FetchError> {
        let reading =
            async { document(self.final_response(request, JSON).await?, request.bytes_max).await };
        let read = tokio::time::timeout(request.limit, reading).await;
        read.unwrap_or(Err(FetchError::TooLong(request.limit)))
    }

    /// Fetches a large document, and writes it as it arrives. Reports the number of received bytes,
    /// and the total if known. Returns the HTTP status. If the status is not a success, nothing is
    /// written. Dropping the future cancels the transfer at once.
    ///
    /// # Errors
    /// When the document is incomplete. The written part is then unusable.
    pub async fn save(
        &self,
        request: &DocumentRequest<'_>,
        into: &mut (impl AsyncWrite + Unpin),
        on_progress: impl FnMut(u64, Option<u64>),
    ) -> Result<u16, FetchError> {
        let saved =
            tokio::time::timeout(request.limit, self.saved(request, into, on_progress)).await;
        saved.unwrap_or(Err(FetchError::TooLong(request.limit)))
    }

    async fn saved(
        &self,
        request: &DocumentRequest<'_>,
        into: &mut (impl AsyncWrite + Unpin),
        mut on_progress: impl FnMut(u64, Option<u64>),
    ) -> Result<u16, FetchError> {
        let mut response = self.final_response(request, BYTES).await?;
        if !response.status().is_success() {
            return Ok(response.status().as_u16());
        }
        let most = request.bytes_max as u64;
        let of = response.content_length();
        if of.is_some_and(|of| of > most) {
            return Err(FetchError::TooLarge(request.bytes_max));
        }
        let unwritten = |error: std::io::Error| FetchError::Unwritten(error.to_string());
        let mut done = 0;
        loop {
            let piece = tokio::time::timeout(STALLED, response.chunk()).await;
            let piece = piece.map_err(|_| FetchError::TooLong(STALLED))?;
            let Some(piece) = piece.map_err(broken)? else {
                break;
            };
            done += piece.len() as u64;
            if done > most {
                return Err(FetchError::TooLarge(request.bytes_max));
            }
            into.write_all(&piece).await.map_err(unwritten)?;
            on_progress(done, of);
        }
        into.flush().await.map_err(unwritten)?;
        Ok(response.status().as_u16())
    }

    /// Follows redirects, and returns the last response.
    async fn final_response(
        &self,
        request: &DocumentRequest<'_>,
        accept: &str,
    ) -> Result<reqwest::Response, FetchError> {
        let mut url = Url::parse(request.url)
            .map_err(|error| FetchError::Address(AddressProblem::NotValid(error.to_string())))?;
        for _ in 0..=REDIRECTS_MAX {
            allowed(&url).map_err(FetchError::Address)?;
            let request = self.client.get(url.clone()).header(ACCEPT, accept);
            let response = tokio::time::timeout(STALLED, request.send()).await;
            let response = response.map_err(|_| FetchError::TooLong(STALLED))?;
            let response = response.map_err(broken)?;
            match redirect_location(&response) {
                Some(place) => {
                    let next = url.join(&place).map_err(|error| {
                        FetchError::Address(AddressProblem::NowhereElse(error.to_string()))
                    })?;
                    if url.scheme() == "https" && next.scheme() != "https" {
                        return Err(FetchError::Address(AddressProblem::NotEncryptedThere));
                    }
                    url = next;
                }
                None => return Ok(response),
            }
        }
        Err(FetchError::TooFar)
    }
}

fn broken(error: reqwest::Error) -> FetchError {
    FetchError::Connection(text::causes(&error.without_url()))
}

fn redirect_location(response: &reqwest::Response) -> Option<String> {
    let moved = [
        StatusCode::MOVED_PERMANENTLY,
        StatusCode::FOUND,
        StatusCode::SEE_OTHER,
        StatusCode::TEMPORARY_REDIRECT,
        StatusCode::PERMANENT_REDIRECT,
    ];
    let is_moved = moved.contains(&response.status());
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    is_moved.then(|| location.to_owned())
}

async fn document(
    mut response: reqwest::Response,
    bytes_max: usize,
) -> Result<Document, FetchError> {
    let mut document = Document {
        status: response.status().as_u16(),
        body: Vec::new(),
    };
    while let Some(piece) = response.chunk().await.map_err(broken)? {
        if document.body.len() + piece.len() > bytes_max {
            return Err(FetchError::TooLarge(bytes_max));
        }
        document.body.extend_from_slice(&piece);
    }
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_read_over_https_or_from_this_machine() {
        for url in [
            "https://registry.example/v0/servers",
            "http://127.0.0.1:8080/",
            "http://[::1]:8080/",
            "http://localhost/list.json",
        ] {
            assert_eq!(may_be_read(url), Ok(()), "{url}");
        }
        for url in [
            "http://registry.example/",
            "http://127.0.0.1.example/",
            "http://localhost.example/",
            "https://me:pw@registry.example/",
            "ftp://registry.example/",
            "file:///etc/passwd",
            "registry.example",
        ] {
            assert!(may_be_read(url).is_err(), "{url}");
        }
    }

    /// Starts a server that answers one request with `pieces`. After that, it closes the connection
    /// or sends nothing more, as `then` says. Returns the server's address.
    async fn serves(pieces: Vec<Vec<u8>>, then: ServerBehavior) -> String {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
            .await
            .expect("a port");
        let address = listener.local_addr().expect("its address");
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a request");
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                let read = tokio::io::AsyncReadExt::read_buf(&mut stream, &mut request).await;
                if read.expect("a request") == 0 {
                    return;
                }
            }
            for piece in pieces {
                // An error means that the client has closed the connection.
                if stream.write_all(&piece).await.is_err() {
                    return;
                }
            }
            if let ServerBehavior::IsSilent = then {
                std::future::pending::<()>().await;
            }
        });
        format!("http://{address}/program")
    }

    enum ServerBehavior {
        Closes,
        IsSilent,
    }

    async fn save(
        url: &str,
        bytes_max: usize,
    ) -> (Result<u16, FetchError>, Vec<u8>, Vec<(u64, Option<u64>)>) {
        let request = DocumentRequest {
            url,
            limit: Duration::from_secs(3_600),
            bytes_max,
        };
        let documents = Documents::of(url).await.expect("a reader");
        let (mut into, mut reports) = (Vec::new(), Vec::new());
        let saved = documents
            .save(&request, &mut into, |done, of| reports.push((done, of)))
            .await;
        (saved, into, reports)
    }

    fn answer(head: &str, body: &[u8]) -> Vec<u8> {
        [head.as_bytes(), b"\r\n\r\n", body].concat()
    }

    #[tokio::test]
    async fn a_large_document_is_written_as_it_comes_and_told_of() {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 6";
        let pieces = vec![answer(head, b"one"), b"two".to_vec()];
        let (saved, into, reports) = save(&serves(pieces, ServerBehavior::Closes).await, 100).await;
        assert_eq!(saved, Ok(200));
        assert_eq!(into, b"onetwo");
        assert_eq!(reports.last(), Some(&(6, Some(6))));
    }

    #[tokio::test]
    async fn too_large_document_is_refused() {
        let head = answer("HTTP/1.1 200 OK\r\nContent-Length: 101", &[]);
        let (saved, into, _) = save(&serves(vec![head], ServerBehavior::IsSilent).await, 100).await;
        assert_eq!((saved, into.len()), (Err(FetchError::TooLarge(100)), 0));

        let unsaid = answer("HTTP/1.1 200 OK\r\nConnection: close", &[b'x'; 101]);
        let (saved, into, _) =
            save(&serves(vec![unsaid], ServerBehavior::IsSilent).await, 100).await;
        assert_eq!(saved, Err(FetchError::TooLarge(100)));
        assert!(into.len() <= 100);
    }

    #[tokio::test]
    async fn truncated_document_is_refused() {
        let cut = answer("HTTP/1.1 200 OK\r\nContent-Length: 50", b"half");
        let (saved, ..) = save(&serves(vec![cut], ServerBehavior::Closes).await, 100).await;
        assert!(matches!(saved, Err(FetchError::Connection(_))), "{saved:?}");

        let none = answer("HTTP/1.1 404 Not Found\r\nContent-Length: 4", b"none");
        let (saved, into, _) = save(&serves(vec![none], ServerBehavior::Closes).await, 100).await;
        assert_eq!(
            (saved, into.len()),
            (Ok(404), 0),
            "nothing of it is written"
        );
    }

    #[tokio::test]
    async fn a_document_is_not_looked_for_where_it_may_not_be_read() {
        let head = "HTTP/1.1 302 Found\r\nLocation: http://updates.example/x\r\nContent-Length: 0";
        let (saved, ..) = save(
            &serves(vec![answer(head, b"")], ServerBehavior::Closes).await,
            100,
        )
        .await;
        assert!(matches!(saved, Err(FetchError::Address(_))), "{saved:?}");
    }

    /// With paused time, the clock advances by itself when all tasks are idle.
    #[tokio::test(start_paused = true)]
    async fn silent_server_is_given_up_before_the_limit() {
        let half = answer("HTTP/1.1 200 OK\r\nContent-Length: 50", b"half");
        for pieces in [vec![half], Vec::new()] {
            let (saved, ..) = save(&serves(pieces, ServerBehavior::IsSilent).await, 100).await;
            assert_eq!(saved, Err(FetchError::TooLong(STALLED)));
        }
    }
}
