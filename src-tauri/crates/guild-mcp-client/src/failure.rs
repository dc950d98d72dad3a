//! Converts rmcp's errors, and determines from them which protocol era the server supports: legacy
//! (with `initialize`) or modern (without).

use crate::messages::AnswerFault;
use guild_model::protocol::{Era, ProtocolVersion};
use rmcp::model::ServerResult;
use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use crate::error::McpError;
use crate::fault::error_of;
use crate::text;

/// The error codes with which modern servers answer `initialize`: unsupported version, unknown
/// method, or invalid parameters.
const MODERN_CODES: [i64; 3] = [-32022, -32601, -32602];
/// The HTTP statuses with which modern servers answer `initialize`.
const MODERN_STATUSES: [u16; 2] = [400, 404];

/// The reason that an attempt to open a connection failed, and whether the other era should be
/// tried.
#[derive(Debug)]
pub(crate) struct EraFailure {
    pub error: McpError,
    pub(crate) other_era: bool,
}

/// Converts an error that does not depend on the era, so the other era is not tried.
impl From<McpError> for EraFailure {
    fn from(error: McpError) -> Self {
        Self {
            error,
            other_era: false,
        }
    }
}

/// Converts a version to rmcp's type.
pub(crate) fn version(version: ProtocolVersion) -> rmcp::model::ProtocolVersion {
    use rmcp::model::ProtocolVersion as Foreign;
    match version {
        ProtocolVersion::V2025_03_26 => Foreign::V_2025_03_26,
        ProtocolVersion::V2025_06_18 => Foreign::V_2025_06_18,
        ProtocolVersion::V2025_11_25 => Foreign::V_2025_11_25,
        ProtocolVersion::V2026_07_28 => Foreign::V_2026_07_28,
    }
}

/// Converts the error of a failed attempt to open a connection. `end` is the reason why the
/// server's output ended, if it did.
pub(crate) fn of_opening(
    error: ClientInitializeError,
    era: Era,
    end: Option<&String>,
) -> EraFailure {
    let mut modern_status = false;
    let cause = match error {
        ClientInitializeError::JsonRpcError(error) => error_of(&error),
        ClientInitializeError::TransportError { error, .. } => {
            let error = of_transport(&error);
            modern_status = matches!(
                error,
                McpError::HttpStatus { status, .. } if MODERN_STATUSES.contains(&status)
            );
            error
        }
        ClientInitializeError::ExpectedInitResult(result) => McpError::Malformed {
            what: AnswerFault::OtherOpening.to_string(),
            excerpt: result.map(|result| shown(&result)).unwrap_or_default(),
        },
        ClientInitializeError::NoCompatibleProtocolVersion {
            server_supported, ..
        } => McpError::Version {
            spoken: server_supported
                .iter()
                .take(16)
                .map(|version| text::cut_chars(version.as_str(), 40))
                .collect(),
        },
        ClientInitializeError::ConnectionClosed(_) => McpError::Connect {
            reason: match end {
                Some(end) => format!("{end} before the handshake was done"),
                None => "the connection ended before the handshake was done".into(),
            },
        },
        other => McpError::malformed(&text::causes(&other), b""),
    };
    let modern_code = cause
        .rpc()
        .is_some_and(|error| MODERN_CODES.contains(&error.code));
    let other_era = match era {
        Era::Legacy => modern_code || modern_status,
        // A server that does not know `server/discover` may end, send any answer, or list only
        // older versions. If no process listens at the address, a second attempt is useless.
        Era::Modern => {
            let settled = matches!(
                cause,
                McpError::Connect { .. } | McpError::SignIn(_) | McpError::Unrenewed(_)
            );
            end.is_some() || !settled
        }
    };
    let error = match cause {
        error @ (McpError::Connect { .. }
        | McpError::Version { .. }
        | McpError::SignIn(_)
        | McpError::Unrenewed(_)) => error,
        cause => McpError::Handshake {
            cause: Box::new(cause),
        },
    };
    EraFailure { error, other_era }
}

/// Converts the error of a failed request. `end` is the reason why the connection ended, if it did.
pub(crate) fn of_request(error: ServiceError, end: Option<&String>) -> McpError {
    match error {
        ServiceError::McpError(error) => error_of(&error),
        ServiceError::TransportSend(error) => of_transport(&error),
        ServiceError::TransportClosed => McpError::Closed {
            reason: end.cloned(),
        },
        ServiceError::Cancelled { .. } => McpError::Cancelled,
        other => McpError::malformed(&text::causes(&other), b""),
    }
}

fn of_transport(error: &DynamicTransportError) -> McpError {
    match error.error.downcast_ref::<StreamableHttpError<McpError>>() {
        Some(StreamableHttpError::Client(error)) => error.clone(),
        Some(StreamableHttpError::ReinitializationFailed(error)) => error_of(error),
        // The transport's own text would contain type names of the library.
        Some(StreamableHttpError::TransportChannelClosed) => McpError::Closed { reason: None },
        _ => McpError::Connect {
            reason: text::causes(error.error.as_ref()),
        },
    }
}

fn shown(result: &ServerResult) -> String {
    serde_json::to_vec(result)
        .map(|json| text::excerpt(&json))
        .unwrap_or_default()
}
