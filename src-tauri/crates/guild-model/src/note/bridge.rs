//! Messages of `guildhall connect`.

use guild_text::number::grouped;
use std::path::PathBuf;
use thiserror::Error;

/// An error in the arguments of the bridge.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BridgeWrong {
    #[error("The address is not valid: {0}.")]
    Address(String),
    #[error(
        "The gateway runs on this machine. Use an address that begins with http://127.0.0.1: and a port."
    )]
    Elsewhere,
    #[error("The token has invalid characters.")]
    Token,
}

/// A notice while the bridge runs.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BridgeNote {
    #[error(
        "Guild Hall's gateway does not answer at {0} ({1}). Open Guild Hall, or run guildhall serve."
    )]
    Unanswered(String, String),
}

/// The reason why a request has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BridgeFault {
    #[error("it did not answer in {seconds} s", seconds = grouped(.0))]
    Late(u64),
    #[error("{0}, so the token was not sent")]
    Stranger(String),
}

/// The process that listens at the address instead of the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OtherGateway {
    #[error(
        "another app is using this port, and Guild Hall is not running with the data folder {0}"
    )]
    NoHall(PathBuf),
    #[error("the gateway of the data folder {0} is at {1}, not here")]
    Elsewhere(PathBuf, String),
    #[error("the gateway of the data folder {0} is off")]
    Closed(PathBuf),
    #[error("{0}")]
    Unasked(String),
}
