//! Errors between Guild Hall and a server.
//!
//! There are three kinds (REQ-MCP-HTTP-29, -41 to -43). Either the connection failed, or the answer
//! is an error or not MCP, or the tool itself failed. The third kind is a result and not part of
//! this module.

use crate::messages::{ConnectionTrouble, EndlessWrong, LargePart, ListName, StatusAdvice, Tail};
use guild_api::wire::RpcError;
use guild_model::{Code, Report};
use rmcp::model::ErrorData;
use serde_json::Value;
use std::fmt;
use std::time::Duration;

use crate::challenge::Want;
use crate::text;

/// Limit of the message of a JSON-RPC error, in bytes.
const RPC_MESSAGE_MAX: usize = 16 << 10;
/// Limit of the data of a JSON-RPC error, in bytes of JSON.
const RPC_DATA_MAX: usize = 64 << 10;

/// Limit of the list of scopes in an error, in characters.
const SCOPES_TOLD: usize = 300;

/// Reason for a missing connection, list or result.
#[derive(Debug, Clone, PartialEq)]
pub enum McpError {
    /// The connection to the server failed or broke.
    Connect {
        /// Message of the operating system or the HTTP client.
        reason: String,
    },
    /// The server's answer to the opening is an error or not MCP.
    Handshake {
        /// The server's answer.
        cause: Box<McpError>,
    },
    /// The server supports none of the offered protocol versions.
    Version {
        /// The versions that the server supports, as the server wrote them.
        spoken: Vec<String>,
    },
    /// The opening took too long.
    HandshakeTimeout {
        /// The limit of the whole opening.
        limit: Duration,
    },
    /// An unexpected HTTP status.
    HttpStatus {
        /// The status.
        status: u16,
        /// The beginning of the response body.
        excerpt: String,
        /// The target of a redirect, without parts that may be secret.
        location: Option<String>,
    },
    /// The server supports only the transport of 2024-11-05, HTTP with SSE.
    OldTransport,
    /// An answer that is not MCP.
    Malformed {
        /// Description of the defect.
        what: String,
        /// The beginning of the answer.
        excerpt: String,
    },
    /// An answer is larger than the limit.
    TooLarge {
        /// The part that is too large.
        what: LargePart,
        /// The limit, in bytes.
        limit: usize,
    },
    /// The server requires a sign-in or more scopes.
    SignIn(Want),
    /// The server refused the token, and no new one was available.
    Unrenewed(String),
    /// The server answered with a JSON-RPC error.
    Rpc(RpcError),
    /// A list does not end.
    ListEndless {
        /// The list.
        list: ListName,
        /// The reason why the list does not end.
        reason: EndlessWrong,
    },
    /// A list was not read in time.
    ListTimeout {
        /// The list.
        list: ListName,
        /// The limit over all pages.
        limit: Duration,
    },
    /// The call was not answered in time, and was cancelled.
    CallTimeout {
        /// The limit that was reached.
        limit: Duration,
    },
    /// The caller cancelled the call.
    Cancelled,
    /// The connection ended before the answer arrived.
    Closed {
        /// The reason, if known.
        reason: Option<String>,
    },
}

impl std::error::Error for McpError {}

impl fmt::Display for McpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.trouble().to_string())
    }
}

/// Converts a required authorization to an error.
fn wanted(want: &Want) -> ConnectionTrouble {
    if !want.more {
        return ConnectionTrouble::SignIn;
    }
    match text::cut_chars(&want.scopes.join(" "), SCOPES_TOLD) {
        none if none.is_empty() => ConnectionTrouble::GrantMore,
        scopes => ConnectionTrouble::GrantThese(scopes),
    }
}

/// Converts an excerpt to the end of a sentence.
fn tail(excerpt: &str) -> Tail {
    match excerpt {
        "" => Tail::Nothing,
        excerpt => Tail::Excerpt(excerpt.to_owned()),
    }
}

impl McpError {
    /// An answer that is not MCP.
    pub fn malformed(what: &impl ToString, answer: &[u8]) -> Self {
        Self::Malformed {
            what: what.to_string(),
            excerpt: text::excerpt(answer),
        }
    }

    /// Returns the error's stable code.
    pub fn code(&self) -> Code {
        match self {
            Self::Connect { .. } => Code::ConnectionFailed,
            Self::Handshake { .. } | Self::Version { .. } => Code::HandshakeFailed,
            Self::HandshakeTimeout { .. } => Code::HandshakeTimeout,
            Self::HttpStatus { .. } => Code::HttpStatus,
            Self::OldTransport => Code::HandshakeFailed,
            Self::SignIn(_) => Code::SignInNeeded,
            Self::Unrenewed(_) => Code::SignInFailed,
            Self::Malformed { .. } => Code::AnswerMalformed,
            Self::TooLarge { .. } => Code::AnswerTooLarge,
            Self::Rpc(_) => Code::RpcError,
            Self::ListEndless { .. } | Self::ListTimeout { .. } => Code::ListFailed,
            Self::CallTimeout { .. } => Code::CallTimeout,
            Self::Cancelled => Code::CallCancelled,
            Self::Closed { .. } => Code::CallInterrupted,
        }
    }

    /// Returns the error for display.
    pub fn report(&self) -> Report {
        Report::from_error(self.code(), &self.trouble())
    }

    fn trouble(&self) -> ConnectionTrouble {
        match self {
            Self::Connect { reason } => ConnectionTrouble::Connect(reason.clone()),
            Self::Handshake { cause } => {
                let cause = cause.report();
                ConnectionTrouble::Handshake(cause.message.clone(), cause.hint.clone())
            }
            Self::Version { spoken } => ConnectionTrouble::Version(spoken.clone()),
            Self::HandshakeTimeout { limit } => ConnectionTrouble::HandshakeTimeout(*limit),
            Self::HttpStatus {
                status,
                excerpt,
                location,
            } => {
                let next = match (status, location) {
                    (403, _) if names_host(excerpt) => StatusAdvice::HostCheck,
                    (401 | 403, _) => StatusAdvice::Authorize,
                    (404 | 405, _) => StatusAdvice::CheckPath,
                    (300..=399, Some(location)) => StatusAdvice::LeadsTo(location.clone()),
                    (300..=399, None) => StatusAdvice::FinalAddress,
                    (421, _) => StatusAdvice::OtherHost,
                    _ => StatusAdvice::LookAtOutput,
                };
                ConnectionTrouble::HttpStatus(*status, tail(excerpt), next)
            }
            Self::OldTransport => ConnectionTrouble::OldTransport,
            Self::Malformed { what, excerpt } => {
                ConnectionTrouble::Malformed(what.clone(), tail(excerpt))
            }
            Self::TooLarge { what, limit } => {
                ConnectionTrouble::TooLarge(what.clone(), limit >> 20)
            }
            Self::SignIn(want) => wanted(want),
            Self::Unrenewed(why) => ConnectionTrouble::Unrenewed(why.clone()),
            Self::Rpc(error) => ConnectionTrouble::Rpc(error.code, error.message.clone()),
            Self::ListEndless { list, reason } => {
                ConnectionTrouble::ListEndless(list.clone(), reason.clone())
            }
            Self::ListTimeout { list, limit } => {
                ConnectionTrouble::ListTimeout(list.clone(), *limit)
            }
            Self::CallTimeout { limit } => ConnectionTrouble::CallTimeout(*limit),
            Self::Cancelled => ConnectionTrouble::Cancelled,
            Self::Closed { reason } => {
                let reason = reason.as_deref().map(|reason| format!("{reason}."));
                ConnectionTrouble::Closed(reason.map_or(Tail::Nothing, Tail::Excerpt))
            }
        }
    }

    /// Whether the server rejects the host name of the request.
    pub fn refuses_host(&self) -> bool {
        match self {
            Self::HttpStatus {
                status, excerpt, ..
            } => *status == 421 || *status == 403 && names_host(excerpt),
            Self::Handshake { cause } => cause.refuses_host(),
            _ => false,
        }
    }

    /// Returns the unexpected HTTP status, if that is the error.
    pub(crate) fn http_status(&self) -> Option<u16> {
        match self {
            Self::HttpStatus { status, .. } => Some(*status),
            Self::Handshake { cause } => cause.http_status(),
            _ => None,
        }
    }

    /// Returns the server's JSON-RPC error, if that is the error.
    pub fn rpc(&self) -> Option<RpcError> {
        match self {
            Self::Rpc(error) => Some(error.clone()),
            Self::Handshake { cause } => cause.rpc(),
            _ => None,
        }
    }
}

/// Whether the words of an error's body suggest that the server rejects the `Host` header.
fn names_host(excerpt: &str) -> bool {
    let mut words = excerpt.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| {
        let word = word.to_ascii_lowercase();
        ["host", "hosts", "hostname", "localhost", "rebinding"].contains(&word.as_str())
    })
}

/// Converts a JSON-RPC error, and cuts it to its limits.
pub(crate) fn bounded_rpc(error: &ErrorData) -> RpcError {
    RpcError {
        code: error.code.0.into(),
        message: text::cut_bytes(unprefixed(&error.message), RPC_MESSAGE_MAX),
        data: error.data.as_ref().map(bounded_data),
    }
}

/// Removes the prefixes that SDKs add to a message. Their codes may differ from the error's code,
/// and the program that shows the error adds its own prefix.
fn unprefixed(message: &str) -> &str {
    let mut rest = message;
    while let Some(after) = after_prefix(rest) {
        rest = after;
    }
    rest
}

/// Returns the rest of a message that begins with `MCP error CODE: `.
fn after_prefix(message: &str) -> Option<&str> {
    let (code, rest) = message.strip_prefix("MCP error ")?.split_once(": ")?;
    code.parse::<i64>().ok().map(|_| rest)
}

fn bounded_data(data: &Value) -> String {
    text::cut_bytes(&data.to_string(), RPC_DATA_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(status: u16, excerpt: &str, location: Option<&str>) -> McpError {
        McpError::HttpStatus {
            status,
            excerpt: excerpt.to_owned(),
            location: location.map(str::to_owned),
        }
    }

    #[test]
    fn host_check_is_told_from_authorization() {
        let refusals = [
            "Access is only allowed at localhost:8931",
            r#"{"error":{"message":"Invalid Host: 127.0.0.1"}}"#,
            "Host not allowed (DNS rebinding protection)",
        ];
        for excerpt in refusals {
            let error = status(403, excerpt, None);
            assert!(error.refuses_host(), "{excerpt}");
            assert!(error.report().hint.contains("Host"), "{}", error.report());
        }
        for excerpt in ["", "Forbidden", "ghost writer", "missing token"] {
            let error = status(403, excerpt, None);
            assert!(!error.refuses_host(), "{excerpt}");
            assert!(error.report().hint.contains("authorization"));
        }
        assert!(!status(401, "host", None).refuses_host());
        let cause = Box::new(status(421, "", None));
        assert!(McpError::Handshake { cause }.refuses_host());
    }

    #[test]
    fn redirect_names_where_it_leads() {
        let error = status(308, "", Some("https://mcp.example.com/mcp/"));
        let hint = error.report().hint;
        assert!(hint.contains("https://mcp.example.com/mcp/"), "{hint}");
        assert!(!status(308, "", None).report().hint.is_empty());
    }

    #[test]
    fn prefix_of_an_sdk_is_taken_off() {
        for (message, expected) in [
            ("MCP error -32602: No such tool", "No such tool"),
            ("MCP error -32602: MCP error -32602: No", "No"),
            ("MCP error -32603: MCP error -32602: No", "No"),
            ("MCP error 7: No such tool", "No such tool"),
            ("MCP error: No such tool", "MCP error: No such tool"),
            ("MCP error x: No such tool", "MCP error x: No such tool"),
            ("No such tool", "No such tool"),
        ] {
            assert_eq!(unprefixed(message), expected);
        }
    }
}
