//! Errors while a member's server is written, built and tried.

use super::seconds;
use crate::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

use super::Ending;

/// An error of watching, building or editing a member.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum DevTrouble {
    #[error("The member comes from elsewhere, so its file changes restart nothing.")]
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
    #[error("It was cancelled before it started.")]
    BrokenOff,
    #[error("{0} was not written: {1}.")]
    #[diagnostic(help("Try again."))]
    NotWritten(&'static str, String),
    #[error("{0} can't be changed: {1}.")]
    #[diagnostic(help("Make it writable, or add the example by hand."))]
    Unchanged(PathBuf, String),
    #[error("{0} can't be changed: another program has just written it.")]
    #[diagnostic(help("Add the example again."))]
    ChangedMeanwhile(PathBuf),
    #[error("{0} was written by another program at the same moment; a copy of it is in {1}.")]
    #[diagnostic(help("Compare both, keep the version you want, and add the example again."))]
    WrittenByTwo(PathBuf, PathBuf),
    #[error("The build was cancelled.")]
    BuildBrokenOff,
    #[error("The build could not be started: {0}.")]
    #[diagnostic(help("Save the file again."))]
    BuildNotStarted(String),
    #[error("`{0}` was ended: it had not built the server within {limit} s.", limit = seconds(.1))]
    #[diagnostic(help("Its output is in the member's log; \"build_timeout_ms\" gives it longer."))]
    BuildTooLong(String, Duration),
    #[error("`{0}` failed with {1}.")]
    #[diagnostic(help(
        "Its output is in the member's log. The server keeps running the earlier build."
    ))]
    BuildFailed(String, Ending),
}

/// The reason why not all files are watched.
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
