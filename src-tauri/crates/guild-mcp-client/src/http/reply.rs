//! An HTTP response, received through [`super::keep_alive`] or reqwest.

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::keep_alive::KeepAliveResponse;
use crate::error::McpError;
use crate::fault::ResponseError;

/// A response whose body has not been read yet.
#[derive(Debug)]
pub(super) enum HttpResponse {
    Local(Box<KeepAliveResponse>),
    Remote(reqwest::Response),
}

impl HttpResponse {
    pub(super) fn status(&self) -> StatusCode {
        match self {
            Self::Local(reply) => reply.head.status,
            Self::Remote(reply) => reply.status(),
        }
    }

    pub(super) fn headers(&self) -> &HeaderMap {
        match self {
            Self::Local(reply) => &reply.head.headers,
            Self::Remote(reply) => reply.headers(),
        }
    }

    /// Whether the content type begins with `kind`, which must be in lower case.
    pub(super) fn is(&self, kind: &str) -> bool {
        let content_type = self.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
        let beginning = content_type.and_then(|content_type| content_type.get(..kind.len()));
        beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(kind.as_bytes()))
    }

    pub(super) async fn chunk(&mut self) -> Result<Option<Bytes>, McpError> {
        match self {
            Self::Local(reply) => reply.chunk().await,
            Self::Remote(reply) => Ok(reply.chunk().await?),
        }
    }

    /// Discards the rest of the body. The connection may then be reused.
    pub(super) fn finish(self) {
        if let Self::Local(reply) = self {
            reply.finish();
        }
    }

    /// Reads the whole body, of at most `max` bytes.
    pub(super) async fn body(mut self, max: usize) -> Result<Bytes, McpError> {
        let too_large = || McpError::from(ResponseError::TooLarge(max));
        let length = self.headers().get(CONTENT_LENGTH);
        let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if length.is_some_and(|length| length > max as u64) {
            return Err(too_large());
        }
        let Some(first) = self.chunk().await? else {
            return Ok(Bytes::new());
        };
        let Some(second) = self.chunk().await? else {
            // Most answers come in one piece, which is not copied.
            return Ok(first);
        };
        let mut body = Vec::from(first);
        let mut next = Some(second);
        while let Some(chunk) = next {
            if body.len() + chunk.len() > max {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
            next = self.chunk().await?;
        }
        Ok(body.into())
    }

    /// Reads the first `max` bytes of the body, or fewer if the body is shorter or the connection
    /// breaks.
    pub(super) async fn beginning(mut self, max: usize) -> Vec<u8> {
        let mut body = Vec::new();
        while body.len() < max {
            let Ok(Some(chunk)) = self.chunk().await else {
                return body;
            };
            let room = max - body.len();
            body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        }
        self.finish();
        body
    }
}
