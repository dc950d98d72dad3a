//! What can go wrong between Guild Hall and a server.
//!
//! Three kinds are told apart (REQ-MCP-HTTP-29, -41 to -43): the connection failed, the answer is
//! an error or no MCP, or the tool itself failed. The third kind is a result and not found here.

use std::time::Duration;

use guild_core::Code;
use guild_core::wire::RpcError;
use rmcp::model::ErrorData;
use serde_json::Value;

use crate::sign_in::Want;
use crate::text;

/// The longest message of a JSON-RPC error that is kept, in bytes.
const RPC_MESSAGE_MAX: usize = 16 << 10;
/// The largest data of a JSON-RPC error that is kept, in bytes of JSON.
const RPC_DATA_MAX: usize = 64 << 10;

/// The longest list of scopes that is told, in characters.
const SCOPES_TOLD: usize = 300;

/// Why there is no connection, no list or no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum McpError {
    /// No connection to the server, or it broke.
    #[error("The connection failed: {reason}.")]
    Connect {
        /// What the operating system or the HTTP client said.
        reason: String,
    },
    /// The server's answer to the opening is an error or no MCP.
    #[error("The handshake failed. {cause}")]
    Handshake {
        /// What it answered.
        cause: Box<McpError>,
    },
    /// The server speaks none of the protocol versions that were offered.
    #[error("The server speaks no protocol version that was offered; it speaks: {}.", spoken.join(", "))]
    Version {
        /// The versions it does speak, as it wrote them.
        spoken: Vec<String>,
    },
    /// The opening was not done in time.
    #[error("The handshake was not done within {} s.", limit.as_secs_f64())]
    HandshakeTimeout {
        /// The limit of the whole opening.
        limit: Duration,
    },
    /// An HTTP status that is no answer.
    #[error("The server answered with HTTP {status}{}", tail(excerpt))]
    HttpStatus {
        /// The status.
        status: u16,
        /// The beginning of its body.
        excerpt: String,
    },
    /// An answer came and is no MCP.
    #[error("The answer is no valid MCP: {what}{}", tail(excerpt))]
    Malformed {
        /// What is wrong with it.
        what: String,
        /// Its beginning.
        excerpt: String,
    },
    /// An answer is larger than may be read.
    #[error("{what} is larger than {} MiB and was not read.", limit >> 20)]
    TooLarge {
        /// What is too large.
        what: String,
        /// How large it may be, in bytes.
        limit: usize,
    },
    /// The server answers nobody who is not signed in, or wants to have been granted more.
    #[error("{}", wanted(.0))]
    SignIn(Want),
    /// The server answered with a JSON-RPC error.
    #[error("The server answered with error {}: {}", .0.code, .0.message)]
    Rpc(RpcError),
    /// A list does not come to an end.
    #[error("The {list} does not end: {reason}.")]
    ListEndless {
        /// Which list.
        list: &'static str,
        /// Why it can't be read to its end.
        reason: String,
    },
    /// A list was not read in time.
    #[error("The {list} was not read within {} s.", limit.as_secs_f64())]
    ListTimeout {
        /// Which list.
        list: &'static str,
        /// The limit over all pages.
        limit: Duration,
    },
    /// The call was not answered in time, and was cancelled.
    #[error("No answer within {} s; the call was cancelled.", limit.as_secs_f64())]
    CallTimeout {
        /// The limit that was reached.
        limit: Duration,
    },
    /// The caller cancelled the call.
    #[error("The call was cancelled.")]
    Cancelled,
    /// The connection ended before an answer came.
    #[error("The connection ended before the answer came{}", reason.as_deref().map(|r| format!(": {r}.")).unwrap_or_else(|| ".".into()))]
    Closed {
        /// Why, where it is known.
        reason: Option<String>,
    },
}

/// What a server wants of whoever asks, as a sentence.
fn wanted(want: &Want) -> String {
    if !want.more {
        return "The server wants somebody to sign in.".to_owned();
    }
    let scopes = text::cut_chars(&want.scopes.join(" "), SCOPES_TOLD);
    match scopes.as_str() {
        "" => "The server wants to have been granted more.".to_owned(),
        scopes => format!("The server wants to have been granted more: {scopes}."),
    }
}

/// An excerpt as the end of a sentence.
fn tail(excerpt: &str) -> String {
    if excerpt.is_empty() {
        ".".into()
    } else {
        format!(": {excerpt}")
    }
}

impl McpError {
    /// The stable name of the cause.
    pub fn code(&self) -> Code {
        match self {
            Self::Connect { .. } => Code::ConnectionFailed,
            Self::Handshake { .. } | Self::Version { .. } => Code::HandshakeFailed,
            Self::HandshakeTimeout { .. } => Code::HandshakeTimeout,
            Self::HttpStatus { .. } => Code::HttpStatus,
            Self::SignIn(_) => Code::SignInNeeded,
            Self::Malformed { .. } => Code::AnswerMalformed,
            Self::TooLarge { .. } => Code::AnswerTooLarge,
            Self::Rpc(_) => Code::RpcError,
            Self::ListEndless { .. } | Self::ListTimeout { .. } => Code::ListFailed,
            Self::CallTimeout { .. } => Code::CallTimeout,
            Self::Cancelled => Code::CallCancelled,
            Self::Closed { .. } => Code::CallInterrupted,
        }
    }

    /// What to do next; empty when nothing can be done.
    pub fn hint(&self) -> String {
        match self {
            Self::Connect { .. } => {
                "Check that the server listens on 127.0.0.1 and on the port it was given."
            }
            Self::Handshake { cause } => return cause.hint(),
            Self::Version { .. } => "Update the server, or remove `protocol_version` from the manifest.",
            Self::HandshakeTimeout { .. } => {
                "Look at the server's output; a server that is slow at first needs a longer handshake limit."
            }
            Self::HttpStatus { status: 401 | 403, .. } => {
                "The server wants authorization: add the header it expects to the manifest."
            }
            Self::HttpStatus { status: 404 | 405, .. } => {
                "The server may have its MCP endpoint at another path: check the path in the manifest."
            }
            Self::HttpStatus { status: 300..=399, .. } => {
                "Redirects are not followed: put the final address into the manifest."
            }
            Self::HttpStatus { status: 421, .. } => {
                "The server refuses the host name: try `localhost` instead of `127.0.0.1`, or the reverse."
            }
            Self::HttpStatus { .. } => "Look at the server's output.",
            Self::SignIn(_) => {
                "Sign in on the member's page, or with `guildhall sign-in` and the member's name."
            }
            Self::Malformed { .. } => {
                "Check that the command starts an MCP server, and that the transport and the path are right."
            }
            Self::TooLarge { .. } => "Ask the tool for less, for example for a smaller page.",
            Self::Rpc(_) => "",
            Self::ListEndless { .. } => "The server's paging is broken; report it to its author.",
            Self::ListTimeout { .. } => "Look at the server's output, then refresh the list.",
            Self::CallTimeout { .. } => "Try again with a longer time limit.",
            Self::Cancelled => "",
            Self::Closed { .. } => {
                "Look at the server's output. The call is not repeated, because it may have taken effect."
            }
        }
        .to_owned()
    }

    /// The JSON-RPC error that the server sent, if it sent one.
    pub fn rpc(&self) -> Option<RpcError> {
        match self {
            Self::Rpc(error) => Some(error.clone()),
            Self::Handshake { cause } => cause.rpc(),
            _ => None,
        }
    }
}

/// A JSON-RPC error, bounded.
pub(crate) fn bounded_rpc(error: &ErrorData) -> RpcError {
    RpcError {
        code: error.code.0.into(),
        message: text::cut_bytes(&error.message, RPC_MESSAGE_MAX),
        data: error.data.as_ref().map(bounded_data),
    }
}

fn bounded_data(data: &Value) -> String {
    text::cut_bytes(&data.to_string(), RPC_DATA_MAX)
}
