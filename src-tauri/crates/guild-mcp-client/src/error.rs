//! Errors between Guild Hall and a server.
//!
//! There are three kinds (REQ-MCP-HTTP-29, -41 to -43): the connection failed, the answer is an
//! error or is not valid MCP, or the tool itself failed. An error of the third kind is a result, so
//! it is not part of this module.

use std::time::Duration;

use guild_api::wire::RpcError;
use guild_model::{Code, Report};
use guild_text::messages::seconds;
use guild_text::number::grouped;
use miette::Diagnostic;
use rmcp::model::ErrorData;
use thiserror::Error;

use crate::challenge::Want;
use crate::messages::{EndlessProblem, EndpointFault, LargePart, ListName, StatusAdvice};
use crate::text;

/// Limit of the message of a JSON-RPC error, in bytes.
const RPC_MESSAGE_MAX: usize = 16 << 10;
/// Limit of the data of a JSON-RPC error, in bytes of JSON.
const RPC_DATA_MAX: usize = 64 << 10;

/// Limit of the list of scopes in an error, in characters.
const SCOPES_SHOWN: usize = 300;

/// The reason for a missing connection, list or result.
#[derive(Debug, Clone, PartialEq, Error, Diagnostic)]
#[expect(missing_docs, reason = "the messages document the variants")]
pub enum McpError {
    #[error("The connection failed: {reason}.")]
    #[diagnostic(help("Check that the server listens on 127.0.0.1 and on its assigned port."))]
    Connect {
        /// The message of the operating system or the HTTP client.
        reason: String,
    },
    #[error("The handshake failed. {cause}")]
    #[diagnostic(help("{hint}", hint = .cause.report().hint))]
    Handshake { cause: Box<McpError> },
    #[error("The server supports none of the offered protocol versions. It supports: {versions}.", versions = .spoken.join(", "))]
    #[diagnostic(help("Update the server, or remove `protocol_version` from plugin.json."))]
    Version {
        /// The versions that the server supports, as the server wrote them.
        spoken: Vec<String>,
    },
    #[error("The handshake didn't finish within {seconds} s.", seconds = seconds(.limit))]
    #[diagnostic(help("Read the log. If the server starts slowly, raise the handshake limit."))]
    HandshakeTimeout { limit: Duration },
    #[error("The server answered with HTTP {status}{tail}", tail = tail(.excerpt))]
    #[diagnostic(help("{advice}", advice = StatusAdvice::of(*.status, .excerpt, .location.as_deref())))]
    HttpStatus {
        status: u16,
        /// The beginning of the response's body.
        excerpt: String,
        /// The address of a redirect, without parts that may be secret.
        location: Option<String>,
    },
    /// The HTTP+SSE stream does not name a usable address for messages.
    #[error("The server's HTTP+SSE stream can't be used: {0}.")]
    #[diagnostic(help(
        "Check the address: the stream of an HTTP+SSE server is often at the path `/sse`."
    ))]
    Endpoint(EndpointFault),
    #[error("The answer is not valid MCP: {what}{tail}", tail = tail(.excerpt))]
    #[diagnostic(help(
        "Check that the command starts an MCP server, and that the transport and the path are right."
    ))]
    Malformed {
        what: String,
        /// The beginning of the answer.
        excerpt: String,
    },
    #[error("{what} is larger than {mebibytes} MiB and was not read.", mebibytes = grouped(*.limit >> 20))]
    #[diagnostic(help("Request less from the tool, for example a smaller page."))]
    TooLarge {
        what: LargePart,
        /// The limit, in bytes.
        limit: usize,
    },
    /// The server requires a sign-in, or more scopes.
    #[error("{request}", request = sign_in_request(.0))]
    #[diagnostic(help(
        "Sign in on the member's page, or with `guildhall auth sign-in` and the member's name."
    ))]
    SignIn(Want),
    /// The server rejected the token, and a new one was not available.
    #[error("The access token was not renewed: {0}.")]
    #[diagnostic(help(
        "Try again in a moment. If that fails, sign in again on the member's page, or with `guildhall auth sign-in` and the member's name."
    ))]
    Unrenewed(String),
    /// The server answered with a JSON-RPC error.
    #[error("The server answered with error {code}: {message}", code = .0.code, message = .0.message)]
    Rpc(RpcError),
    #[error("The {list} does not end: {reason}.")]
    #[diagnostic(help("The server's paging is broken; report it to its author."))]
    ListEndless {
        list: ListName,
        reason: EndlessProblem,
    },
    #[error("The {list} was not read within {seconds} s.", seconds = seconds(.limit))]
    #[diagnostic(help("Read the log, then refresh the list."))]
    ListTimeout {
        list: ListName,
        /// The time limit for all pages together.
        limit: Duration,
    },
    #[error("No answer within {seconds} s; the call was cancelled.", seconds = seconds(.limit))]
    #[diagnostic(help("Try again with a longer time limit."))]
    CallTimeout { limit: Duration },
    #[error("The call was cancelled.")]
    Cancelled,
    #[error("The server has cancelled the call{tail}", tail = tail(.reason.as_deref().unwrap_or_default()))]
    #[diagnostic(help("Read the log, then try again."))]
    TaskCancelled {
        /// The server's status message.
        reason: Option<String>,
    },
    #[error("The connection closed before the answer arrived{tail}", tail = tail(&.reason.as_ref().map(|reason| format!("{reason}.")).unwrap_or_default()))]
    #[diagnostic(help(
        "Read the log. Guild Hall doesn't repeat the call, because it may have taken effect."
    ))]
    Closed { reason: Option<String> },
}

/// Returns the message about a required sign-in.
fn sign_in_request(want: &Want) -> String {
    let scopes = text::cut_chars(&want.scopes.join(" "), SCOPES_SHOWN);
    match want.more {
        false => "The server requires you to sign in.".to_owned(),
        true if scopes.is_empty() => "The server needs more permissions.".to_owned(),
        true => format!("The server needs more permissions: {scopes}."),
    }
}

/// Returns the end of a sentence: a colon and the excerpt, or a full stop if the excerpt is empty.
fn tail(excerpt: &str) -> String {
    match excerpt {
        "" => ".".to_owned(),
        excerpt => format!(": {excerpt}"),
    }
}

impl McpError {
    /// Creates the error for an answer that is not MCP.
    pub fn malformed(what: &impl ToString, answer: &[u8]) -> Self {
        Self::Malformed {
            what: what.to_string(),
            excerpt: text::excerpt(answer),
        }
    }

    /// Returns the error's code.
    pub fn code(&self) -> Code {
        match self {
            Self::Connect { .. } => Code::ConnectionFailed,
            Self::Handshake { .. } | Self::Version { .. } => Code::HandshakeFailed,
            Self::HandshakeTimeout { .. } => Code::HandshakeTimeout,
            Self::HttpStatus { .. } => Code::HttpStatus,
            Self::Endpoint(_) => Code::HandshakeFailed,
            Self::SignIn(_) => Code::SignInNeeded,
            Self::Unrenewed(_) => Code::SignInFailed,
            Self::Malformed { .. } => Code::AnswerMalformed,
            Self::TooLarge { .. } => Code::AnswerTooLarge,
            Self::Rpc(_) => Code::RpcError,
            Self::ListEndless { .. } | Self::ListTimeout { .. } => Code::ListFailed,
            Self::CallTimeout { .. } => Code::CallTimeout,
            Self::Cancelled => Code::CallCancelled,
            Self::Closed { .. } | Self::TaskCancelled { .. } => Code::CallInterrupted,
        }
    }

    /// Returns the error for display.
    pub fn report(&self) -> Report {
        Report::from_error(self.code(), self)
    }

    /// Returns the cause if this error is a failed handshake, or else the error itself.
    fn root(&self) -> &Self {
        match self {
            Self::Handshake { cause } => cause.root(),
            other => other,
        }
    }

    /// Whether the server seems to have rejected the `Host` header of the request.
    pub fn refuses_host(&self) -> bool {
        match self.root() {
            Self::HttpStatus {
                status, excerpt, ..
            } => *status == 421 || *status == 403 && names_host(excerpt),
            _ => false,
        }
    }

    /// Whether this error of an attempt with HTTP+SSE shows that the server has this transport, or
    /// that a person has to sign in.
    pub(crate) fn shows_sse(&self) -> bool {
        match self {
            Self::Endpoint(fault) => {
                !matches!(fault, EndpointFault::Missing | EndpointFault::Late(_))
            }
            Self::SignIn(_) | Self::Unrenewed(_) => true,
            _ => false,
        }
    }

    pub(crate) fn http_status(&self) -> Option<u16> {
        match self.root() {
            Self::HttpStatus { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// Returns the JSON-RPC error of the server, if this error or its cause is one.
    pub fn rpc(&self) -> Option<RpcError> {
        match self.root() {
            Self::Rpc(error) => Some(error.clone()),
            _ => None,
        }
    }
}

impl StatusAdvice {
    fn of(status: u16, excerpt: &str, location: Option<&str>) -> Self {
        match (status, location) {
            (403, _) if names_host(excerpt) => Self::HostCheck,
            (401 | 403, _) => Self::Authorize,
            (404 | 405, _) => Self::CheckPath,
            (300..=399, Some(location)) => Self::LeadsTo(location.to_owned()),
            (300..=399, None) => Self::FinalAddress,
            (421, _) => Self::OtherHost,
            _ => Self::LookAtOutput,
        }
    }
}

/// Whether the words in the body of an error response suggest that the server rejects the `Host`
/// header.
fn names_host(excerpt: &str) -> bool {
    let mut words = excerpt.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| {
        let word = word.to_ascii_lowercase();
        ["host", "hosts", "hostname", "localhost", "rebinding"].contains(&word.as_str())
    })
}

/// Converts a JSON-RPC error, and cuts its message and data to their size limits.
pub(crate) fn bounded_rpc(error: &ErrorData) -> RpcError {
    RpcError {
        code: error.code.0.into(),
        message: text::cut_bytes(unprefixed(&error.message), RPC_MESSAGE_MAX),
        data: error
            .data
            .as_ref()
            .map(|data| text::cut_bytes(&data.to_string(), RPC_DATA_MAX)),
    }
}

/// Removes the prefixes that SDKs add to a message. The code in such a prefix may differ from the
/// error's code. The program that shows the error adds its own prefix.
fn unprefixed(message: &str) -> &str {
    let mut rest = message;
    while let Some(after) = after_prefix(rest) {
        rest = after;
    }
    rest
}

/// Returns the rest of a message after the prefix `MCP error CODE: `.
fn after_prefix(message: &str) -> Option<&str> {
    let (code, rest) = message.strip_prefix("MCP error ")?.split_once(": ")?;
    code.parse::<i64>().ok().map(|_| rest)
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
    fn missing_permissions_are_named() {
        let message = |more: bool, scopes: &[&str]| {
            let scopes = scopes.iter().map(|&scope| scope.to_owned()).collect();
            let want = Want {
                more,
                scopes,
                challenge: None,
            };
            McpError::SignIn(want).to_string()
        };
        assert_eq!(
            message(false, &["a"]),
            "The server requires you to sign in."
        );
        assert_eq!(message(true, &[]), "The server needs more permissions.");
        assert_eq!(
            message(true, &["a", "b"]),
            "The server needs more permissions: a b."
        );
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
