//! Messages about logs, an enum for each subject.

#![expect(missing_docs, reason = "the messages document the variants")]

use std::path::PathBuf;

use miette::Diagnostic;
use thiserror::Error;

/// An error of a log.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum LogError {
    #[error("{0} can't be read: {1}.")]
    #[diagnostic(help("Fix the file's permissions, or remove it."))]
    LogUnreadable(PathBuf, String),
    #[error("{0} can't be watched: {1}.")]
    #[diagnostic(help("Run the command without --follow."))]
    LogUnwatched(PathBuf, String),
    #[error("The log can't be read further: {0}.")]
    #[diagnostic(help("Open the log again."))]
    LogEnded(String),
    #[error("The members' logs can't be saved in {0}: {1}.")]
    #[diagnostic(help(
        "Free disk space, or fix the folder's permissions. Members keep running; only the last lines are available."
    ))]
    LogUnwritable(PathBuf, String),
    #[error("The crash reports in {0} can't be read or changed: {1}.")]
    #[diagnostic(help("Fix the permissions of its folder `crashes`, or remove that folder."))]
    CrashReports(PathBuf, String),
}

#[cfg(test)]
mod tests;
