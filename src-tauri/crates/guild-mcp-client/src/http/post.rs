//! Sends one request to an address that is not an MCP server, and reads a bounded response.
//!
//! Redirects are not followed, and the environment's proxies are not used: if a person has approved
//! a request to an address, it is sent only to that address.

use std::time::Duration;

use guild_text::number::grouped;
use http::header::{AUTHORIZATION, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue};

use super::{JSON, direct_client, tls};
use crate::messages::AddressProblem;
use crate::text;

/// Limit of a response header that is returned, in characters.
const HEADER_MAX: usize = 200;

/// A POST request with a JSON body.
#[derive(Debug)]
pub struct PostRequest {
    /// The address. Its scheme is `https`, or `http` for this machine.
    pub url: String,
    /// The value of the `Authorization` header, if any.
    pub authorization: Option<String>,
    /// The body, as JSON.
    pub body: String,
    /// Timeout of the whole request.
    pub limit: Duration,
    /// Limit of the response's body, in bytes.
    pub answer_max: usize,
}

/// A response with any status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostResponse {
    /// The HTTP status.
    pub status: u16,
    /// The `Retry-After` header of the response.
    pub retry_after: Option<String>,
    /// The `Location` header of the response.
    pub location: Option<String>,
    /// The whole body.
    pub body: Vec<u8>,
}

/// The reason that a request got no response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages document the variants")]
pub enum PostError {
    #[error("{0}")]
    Unsendable(AddressProblem),
    #[error("the connection failed ({0})")]
    Connection(String),
    #[error("no answer within {seconds} s", seconds = grouped(.0.as_secs()))]
    TooLong(Duration),
    #[error("the answer is larger than {bytes} bytes", bytes = grouped(.0))]
    TooLarge(usize),
}

/// Sends a request and reads the response. Dropping the future cancels the request at once.
///
/// # Errors
/// When no complete response arrives. A response with an error status is not an error.
pub async fn post(request: PostRequest) -> Result<PostResponse, PostError> {
    let limit = request.limit;
    let posted = tokio::time::timeout(limit, exchanged(request)).await;
    posted.unwrap_or(Err(PostError::TooLong(limit)))
}

async fn exchanged(request: PostRequest) -> Result<PostResponse, PostError> {
    let broken = |error: reqwest::Error| PostError::Connection(text::causes(&error.without_url()));
    let client = client(&request.url).await?;
    let mut sent = client
        .post(&request.url)
        .header(CONTENT_TYPE, JSON)
        .body(request.body);
    if let Some(authorization) = request.authorization {
        let mut value = HeaderValue::try_from(authorization)
            .map_err(|_| PostError::Unsendable(AddressProblem::KeyCharacters))?;
        value.set_sensitive(true);
        sent = sent.header(AUTHORIZATION, value);
    }
    let mut response = sent.send().await.map_err(broken)?;
    let (status, headers) = (response.status().as_u16(), response.headers());
    let mut posted = PostResponse {
        status,
        retry_after: header_text(headers, &RETRY_AFTER),
        location: header_text(headers, &LOCATION),
        body: Vec::new(),
    };
    while let Some(piece) = response.chunk().await.map_err(broken)? {
        if posted.body.len() + piece.len() > request.answer_max {
            return Err(PostError::TooLarge(request.answer_max));
        }
        posted.body.extend_from_slice(&piece);
    }
    Ok(posted)
}

async fn client(url: &str) -> Result<reqwest::Client, PostError> {
    let url = reqwest::Url::parse(url)
        .map_err(|error| PostError::Unsendable(AddressProblem::Invalid(error.to_string())))?;
    let refused = |error: crate::error::McpError| PostError::Connection(error.to_string());
    let tls = tls::config(url.scheme() == "https")
        .await
        .map_err(refused)?;
    direct_client(tls)
        .pool_max_idle_per_host(0)
        .build()
        .map_err(|error| PostError::Connection(text::causes(&error)))
}

fn header_text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    Some(text::cut_chars(value, HEADER_MAX))
}
