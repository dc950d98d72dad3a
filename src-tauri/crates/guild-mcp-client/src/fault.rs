//! Defects that this crate finds in answers, and their conversion to errors.

use crate::messages::{AnswerFault, LargePart};
use rmcp::model::{ErrorCode, ErrorData, RequestId, ServerJsonRpcMessage};
use serde::{Deserialize, Serialize};

use crate::error::{McpError, bounded_rpc};
use crate::text;

/// The JSON-RPC code that marks an error of this crate itself. Errors from servers never have it.
pub(crate) const FAULT: ErrorCode = ErrorCode(i32::MIN);

/// A defect of an answer.
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

    /// Converts the defect to a JSON-RPC error that answers the request `id`.
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

/// Converts a JSON-RPC error to [`McpError`]: the server's own error, or a defect that this crate
/// found.
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

impl From<reqwest::Error> for McpError {
    fn from(error: reqwest::Error) -> Self {
        // The address is removed because it may contain a secret, and the caller knows it anyway.
        let error = error.without_url();
        match not_http(&error) {
            Some(parse) => Self::malformed(&AnswerFault::NoHttp(parse.to_string()), b""),
            None => Self::Connect {
                reason: text::causes(&error),
            },
        }
    }
}

/// Returns the HTTP client's parse error, if the response was not HTTP.
fn not_http(error: &reqwest::Error) -> Option<&hyper::Error> {
    let first: &(dyn std::error::Error + 'static) = error;
    let mut causes = std::iter::successors(Some(first), |cause| cause.source());
    let error = causes.find_map(|cause| cause.downcast_ref::<hyper::Error>())?;
    error.is_parse().then_some(error)
}
