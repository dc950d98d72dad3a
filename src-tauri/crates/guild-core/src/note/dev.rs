//! What goes wrong while somebody writes a server: with what is watched, built and kept as an example.

use super::seconds;
use crate::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

use super::Ending;

/// Why a member's files restart nothing, or not all of them, and why it is not built.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum DevTrouble {
    #[error("The member comes from elsewhere, so that its files restart nothing.")]
    #[diagnostic(help("Take `origin` out of its plugin.json once the code is your own."))]
    Elsewhere,
    #[error("The member is switched off.")]
    #[diagnostic(help("Set \"enabled\": true in its plugin.json."))]
    SwitchedOff,
    #[error("Its plugin.json does not say that its files are watched.")]
    #[diagnostic(help("Put \"dev\": true into it, or \"dev\": {{\"watch\": [\"src/**\"]}}."))]
    NotSaid,
    #[error("Not all of {0} is watched: {1}.")]
    #[diagnostic(help(
        "Name what counts with \"dev\": {{\"watch\": [\"src/**\"]}} in plugin.json."
    ))]
    Unwatched(PathBuf, WatchWrong),
    #[error("{0} changed again after each restart, so that the next ones wait.")]
    #[diagnostic(help("If the server writes it itself, leave it out: \"watch\": [\"!…\"]."))]
    Restless(String),
    #[error("It was broken off before it began.")]
    BrokenOff,
    #[error("{0} was not written: {1}.")]
    #[diagnostic(help("Try again."))]
    NotWritten(&'static str, String),
    #[error("{0} can't be changed: {1}.")]
    #[diagnostic(help("Give yourself the right to write it, or put the example in by hand."))]
    Unchanged(PathBuf, String),
    #[error("{0} can't be changed: somebody else has just written it.")]
    #[diagnostic(help("Put the example in once more."))]
    ChangedMeanwhile(PathBuf),
    #[error("{0} was written by somebody else at the same moment; a text of it is kept in {1}.")]
    #[diagnostic(help("Compare both, keep what is to hold, and put the example in once more."))]
    WrittenByTwo(PathBuf, PathBuf),
    #[error("The build was broken off.")]
    BuildBrokenOff,
    #[error("The build could not be started: {0}.")]
    #[diagnostic(help("Save the file again."))]
    BuildNotStarted(String),
    #[error("`{0}` was ended: it had not built the server within {limit} s.", limit = seconds(.1))]
    #[diagnostic(help("Its output is in the member's log; \"build_timeout_ms\" gives it longer."))]
    BuildTooLong(String, Duration),
    #[error("`{0}` failed with {1}.")]
    #[diagnostic(help("All that it wrote is in the member's log. The server runs on as it was."))]
    BuildFailed(String, Ending),
}

/// Why not all files are watched: the rest of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WatchWrong {
    #[error("it has more than {most} entries", most = grouped(.0))]
    ManyEntries(usize),
    #[error("it has more than {most} folders, or too deep ones", most = grouped(.0))]
    ManyFolders(usize),
    #[error("it has more than {most} files", most = grouped(.0))]
    ManyFiles(usize),
    #[error("{0}")]
    Refused(String),
}
