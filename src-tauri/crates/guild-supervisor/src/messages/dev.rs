//! Errors of the development loop and of examples.

use std::path::PathBuf;
use std::time::Duration;

use guild_process::Exit;
use guild_text::messages::seconds;
use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// An error of watching, building or editing a member.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum DevError {
    #[error("The member wasn't created by you, so changed files don't restart it.")]
    #[diagnostic(help("Remove `origin` from its plugin.json once the code is yours."))]
    Elsewhere,
    #[error("The member is disabled.")]
    #[diagnostic(help("Set \"enabled\": true in its plugin.json."))]
    SwitchedOff,
    #[error("Watching files is off for this member.")]
    #[diagnostic(help(
        "Add \"dev\": true to its plugin.json, or \"dev\": {{\"watch\": [\"src/**\"]}}."
    ))]
    NotSaid,
    #[error("Guild Hall doesn't watch all of {0}: {1}.")]
    #[diagnostic(help(
        "Select the files with \"dev\": {{\"watch\": [\"src/**\"]}} in plugin.json."
    ))]
    Unwatched(PathBuf, WatchProblem),
    #[error("{0} changes after each restart, so Guild Hall delays further restarts.")]
    #[diagnostic(help("If the server writes this file, exclude it: \"watch\": [\"!…\"]."))]
    Restless(String),
    #[error("The run of the examples was cancelled before it started.")]
    BrokenOff,
    #[error("{0} can't be changed: {1}.")]
    #[diagnostic(help("Make the file writable, or change it in an editor."))]
    Unchanged(PathBuf, String),
    #[error("{0} can't be changed: another app has just changed it.")]
    #[diagnostic(help("Try again."))]
    ChangedMeanwhile(PathBuf),
    #[error("{0} was also changed by another app; a copy of that app's version is in {1}.")]
    #[diagnostic(help("Compare both, keep the version you want, and try again."))]
    WrittenByTwo(PathBuf, PathBuf),
    #[error("The build was cancelled.")]
    BuildBrokenOff,
    #[error("The build could not be started: {0}.")]
    #[diagnostic(help("Save the file again."))]
    BuildNotStarted(String),
    #[error("`{0}` was stopped: it didn't build the server within {limit} s.", limit = seconds(.1))]
    #[diagnostic(help("Read the member's log, or raise \"build_timeout_ms\"."))]
    BuildTooLong(String, Duration),
    #[error("`{0}` failed with {1}.")]
    #[diagnostic(help(
        "Its output is in the member's log. The server keeps running the earlier build."
    ))]
    BuildFailed(String, Exit),
}

/// The reason why a member's files are not all watched.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WatchProblem {
    #[error("it has more than {most} entries", most = grouped(.0))]
    ManyEntries(usize),
    #[error("it has more than {most} folders, or they are nested too deeply", most = grouped(.0))]
    ManyFolders(usize),
    #[error("it has more than {most} files", most = grouped(.0))]
    ManyFiles(usize),
    #[error("{0}")]
    Refused(String),
}

/// A phrase for an example's expected or actual result.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExampleNote {
    #[error("a result")]
    AnyResult,
    #[error("a result that can be checked")]
    ClearResult,
    #[error("the tool reports an error")]
    ToolFailed,
    #[error("the tool reports success")]
    ToolWorked,
    #[error("text with {0}")]
    TextWith(String),
    #[error("structured content")]
    Structured,
    #[error("none")]
    Unstructured,
    #[error("nothing")]
    Nothing,
    #[error("a match of the tool's output schema")]
    Promised,
    #[error("a match of the schema")]
    Schema,
    #[error("a schema that can be checked")]
    UsableSchema,
}
