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
    #[error("Guild Hall can't update itself: {0}.")]
    #[diagnostic(help("Update it the way it was installed."))]
    Unplaced(String),
    #[error("{0} can't be updated: {1}.")]
    #[diagnostic(help("Free space on its disk."))]
    NoRoom(PathBuf, String),
    #[error("{0} can't be updated: {1}.")]
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
    #[error("its file name is not UTF-8")]
    OddName,
    #[error("the download can't be read ({0})")]
    FetchedUnread(String),
    #[error("its start can't be monitored ({0})")]
    Unwatched(String),
    #[error("its start can't be monitored ({0}), and the version before is still {1} ({2})")]
    NotUndone(String, PathBuf, String),
}
