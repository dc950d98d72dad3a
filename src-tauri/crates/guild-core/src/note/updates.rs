//! Errors of updating Guild Hall.

use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

/// An error of an update.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum UpdateTrouble {
    #[error("No update server is set.")]
    #[diagnostic(help("Set `updates.address`."))]
    NoAddress,
    #[error("The update server {0} could not be read: {1}.")]
    #[diagnostic(help("Check that `updates.address` is right and reachable."))]
    Unread(String, String),
    #[error("The update was rejected: {0}.")]
    #[diagnostic(help("Check that `updates.address` and `updates.key` belong together."))]
    Refused(String),
    #[error("This program can't be replaced by a newer version: {0}.")]
    #[diagnostic(help("Update it the way it was installed."))]
    Unplaced(String),
    #[error("No newer version can take the place of {0}: {1}.")]
    #[diagnostic(help("Make room on its disk."))]
    NoRoom(PathBuf, String),
    #[error("No newer version can take the place of {0}: {1}.")]
    #[diagnostic(help(
        "Move the AppImage into a folder that you may write to, and start it there."
    ))]
    NotPlaced(PathBuf, String),
}

/// The cause of such an error.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UpdateWrong {
    #[error("no signing key is set")]
    NoKey,
    #[error("it was installed by the system's packages, or built from source")]
    Packaged,
    #[error("its file has a name that can't be written down")]
    OddName,
    #[error("what was fetched can't be read ({0})")]
    FetchedUnread(String),
    #[error("its start can't be watched over ({0})")]
    Unwatched(String),
    #[error("its start can't be watched over ({0}), and the version before is still {1} ({2})")]
    NotUndone(String, PathBuf, String),
}
