//! Messages about the history of calls.

#![expect(missing_docs, reason = "the messages document the variants")]

use std::path::PathBuf;

use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// An error of the history.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum HistoryError {
    #[error("{0} is one of the history's own files.")]
    #[diagnostic(help("Pick another name."))]
    OwnFile(PathBuf),
    #[error("This call was removed from the history.")]
    #[diagnostic(help("Refresh the list."))]
    Gone,
    #[error("The entry can't be written as JSON: {0}.")]
    NotWritten(String),
    #[error("The history {0} is damaged ({1}) and can't be moved aside: {2}.")]
    #[diagnostic(help("Move the file elsewhere by hand to start a new history."))]
    Stuck(PathBuf, String, String),
    #[error("The history was damaged ({0}). A new history was started, and the old file is {1}.")]
    #[diagnostic(help("`sqlite3 FILE .recover` may restore calls from the old file."))]
    Damaged(String, PathBuf),
    #[error(
        "A newer version of Guild Hall created the history {0} (format {1}, this version has {2}). It wasn't changed."
    )]
    #[diagnostic(help(
        "Use the newer version, or move the file elsewhere to start a new history."
    ))]
    Newer(PathBuf, usize, usize),
    #[error("The history {0} can't be used: {1}.")]
    #[diagnostic(help("Make the folder writable, or move the file elsewhere."))]
    NoFile(PathBuf, String),
    #[error("The disk is full, so the history {0} can't be saved.")]
    #[diagnostic(help("Free space on the disk, or remove calls from the history."))]
    Full(PathBuf),
    #[error("The history {0} can't be used: {1}.")]
    #[diagnostic(help("Make it writable. If the problem remains, move the file elsewhere."))]
    Unusable(PathBuf, String),
    #[error(
        "The history {0} didn't respond in time: another app is using it, or the disk is slow."
    )]
    #[diagnostic(help("Close the other app, then try again."))]
    Busy(PathBuf),
    #[error("Calls finish faster than the history can save them: {count} are missing since the start.", count = grouped(.0))]
    #[diagnostic(help("The calls themselves worked. The data folder may be on a slow disk."))]
    Behind(u64),
    #[error("This name can't be used for a saved call: {0}.")]
    #[diagnostic(help("Choose another name."))]
    SavedName(SavedNameProblem),
    #[error("The tool already has a saved call named {0}.")]
    #[diagnostic(help("Choose another name, or replace the old one."))]
    SavedTaken(String),
    #[error("The draft has {length} bytes; the limit is {most}.", length = grouped(.0), most = grouped(.1))]
    #[diagnostic(help("It stays in the form until the window closes."))]
    LongDraft(usize, usize),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Pick a folder that you may write to, or free space on the disk."))]
    NotExported(PathBuf, String),
    #[error("{0} can't be used: {1}.")]
    #[diagnostic(help("Fix the file, or remove it to restore the defaults."))]
    Settings(PathBuf, String),
    #[error("{0} could not be written: {1}.")]
    #[diagnostic(help("Pick another folder."))]
    Unsaved(String, String),
    #[error("The data to save is not base64: {0}.")]
    #[diagnostic(help("Copy the raw result instead."))]
    NoBase64(String),
}

/// A problem of a saved call's name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SavedNameProblem {
    #[error("it is empty")]
    Empty,
    #[error("it has {length} characters; the limit is {most}", length = grouped(.0), most = grouped(.1))]
    Long(usize, usize),
    #[error("it has a line break or another control character")]
    Control,
}

#[cfg(test)]
mod tests;
