//! Defects of answers, and reasons why an HTTP request has no answer.
use crate::messages::{AnswerFault, LargePart};
use guild_api::wire::RpcError;
use rmcp::model::{ErrorCode, ErrorData, RequestId, ServerJsonRpcMessage};
use serde::{Deserialize, Serialize};

use crate::challenge::Want;
use crate::error::{McpError, bounded_rpc};
use crate::text;

/// The code of an error that this crate creates, not the server.
pub(crate) const FAULT: ErrorCode = ErrorCode(i32::MIN);

/// Defect of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ResponseError {
    /// The answer is not MCP.
    #[error("{}", .what.to_string())]
    Malformed {
        /// Description of the defect.
        what: String,
        excerpt: String,
    },
    /// The answer has more bytes than this limit.
    #[error("{}", LargePart::Answer)]
    TooLarge(usize),
}

impl ResponseError {
    pub fn malformed(what: &AnswerFault, answer: &[u8]) -> Self {
        Self::Malformed {
            what: what.to_string(),
            excerpt: text::excerpt(answer),
        }
    }

    /// Converts the defect to the answer to a request.
    pub fn answering(self, id: RequestId) -> ServerJsonRpcMessage {
        let data = serde_json::to_value(&self).ok();
        let error = ErrorData::new(FAULT, self.to_string(), data);
        ServerJsonRpcMessage::error(error, Some(id))
    }
}

impl From<ResponseError> for McpError {
    fn from(fault: ResponseError) -> Self {
        match fault {
            ResponseError::TooLarge(limit) => Self::TooLarge {
                what: LargePart::Answer,
                limit,
            },
            ResponseError::Malformed { what, excerpt } => Self::Malformed { what, excerpt },
        }
    }
}

/// Converts an error message: the server's own error, or a defect found by this crate.
pub(crate) fn error_of(error: &ErrorData) -> McpError {
    let fault = (error.code == FAULT)
        .then(|| error.data.clone())
        .flatten()
        .and_then(|data| serde_json::from_value::<ResponseError>(data).ok());
    match fault {
        Some(fault) => fault.into(),
        None => McpError::Rpc(bounded_rpc(error)),
    }
}

/// The reason why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HttpFault {
    #[error("{0}")]
    Unreachable(String),
    #[error("HTTP {status}")]
    Status {
        status: u16,
        rpc: Option<RpcError>,
        excerpt: String,
        location: Option<String>,
    },
    #[error("the server requires a sign-in")]
    SignIn(Want),
    #[error("the token was not renewed: {0}")]
    Unrenewed(String),
    #[error(transparent)]
    Answer(#[from] ResponseError),
}

impl From<reqwest::Error> for HttpFault {
    fn from(error: reqwest::Error) -> Self {
        // The caller knows the address, which may contain a secret.
        let error = error.without_url();
        match not_http(&error) {
            Some(parse) => Self::Answer(ResponseError::malformed(
                &AnswerFault::NoHttp(parse.to_string()),
                b"",
            )),
            None => Self::Unreachable(text::causes(&error)),
        }
    }
}

/// Returns the HTTP client's parse error if the answer was not HTTP.
fn not_http(error: &reqwest::Error) -> Option<&hyper::Error> {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<hyper::Error>() {
            return error.is_parse().then_some(error);
        }
        cause = error.source();
    }
    None
}

impl HttpFault {
    pub(crate) fn to_error(&self) -> McpError {
        match self {
            Self::Unreachable(reason) => McpError::Connect {
                reason: reason.clone(),
            },
            Self::Status {
                status,
                excerpt,
                location,
                ..
            } => McpError::HttpStatus {
                status: *status,
                excerpt: excerpt.clone(),
                location: location.clone(),
            },
            Self::SignIn(want) => McpError::SignIn(want.clone()),
            Self::Unrenewed(why) => McpError::Unrenewed(why.clone()),
            Self::Answer(fault) => fault.clone().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fault: ResponseError, expected: &str) {
        let ServerJsonRpcMessage::Error(error) = fault.answering(RequestId::Number(1)) else {
            panic!("an error");
        };
        let report = error_of(&error.error).report();
        assert_eq!(report.message, expected);
    }

    #[test]
    fn fault_survives_the_message() {
        check(
            ResponseError::malformed(&AnswerFault::NoJson, b"<html>"),
            "The answer is not valid MCP: it is not JSON: <html>",
        );
        check(
            ResponseError::TooLarge(1 << 20),
            "The answer is larger than 1 MiB and was not read.",
        );
    }
}
