//! Messages about arguments on the command line, in one enum per subject.

use std::path::PathBuf;

use thiserror::Error;

/// The process that listens at the address instead of the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum OtherGateway {
    #[error(
        "another app is using this port, and Guild Hall is not running with the data folder {0}"
    )]
    NoHall(PathBuf),
    #[error("the gateway of the data folder {0} is at {1}, not at the address you used")]
    Elsewhere(PathBuf, String),
    #[error("the gateway of the data folder {0} is off")]
    Closed(PathBuf),
    #[error("{0}")]
    Unasked(String),
}

/// An invalid value of an argument.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum ArgumentProblem {
    #[error("use lazy, full or search")]
    Listing,
    #[error("write it as KEY=VALUE")]
    KeyValue,
}

#[cfg(test)]
mod tests;
