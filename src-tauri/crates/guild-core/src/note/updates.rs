//! Why the program does not become a newer version of itself.

use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

/// Why there is no newer version, or it is not used.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum UpdateTrouble {
    #[error("Nobody has said where newer versions are told of.")]
    #[diagnostic(help("Set `updates.address`."))]
    NoAddress,
    #[error("No newer version could be read from {0}: {1}.")]
    #[diagnostic(help("Look whether `updates.address` is right and reachable."))]
    Unread(String, String),
    #[error("The newer version is not used: {0}.")]
    #[diagnostic(help("Look whether `updates.address` and `updates.key` belong together."))]
    Refused(String),
    #[error("This program can't be replaced by a newer version: {0}.")]
    #[diagnostic(help("Update it the way that it was installed."))]
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

/// What keeps a newer version away: the rest of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UpdateWrong {
    #[error("there is no key that it could be signed by")]
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
