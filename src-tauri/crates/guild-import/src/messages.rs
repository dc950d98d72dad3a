//! Messages about importing servers from other apps.

#![expect(missing_docs, reason = "the messages document the variants")]

use std::path::PathBuf;

use guild_client_config::messages::FileProblem;
use guild_model::messages::RunProblem;
use miette::Diagnostic;
use thiserror::Error;

/// An error while another app's file is edited.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ClientFileError {
    #[error("The `guildhall` program can't be found: {0}.")]
    NoOwnPlace(String),
    #[error("Guild Hall doesn't know the app {0}.")]
    #[diagnostic(help("Known apps: {1}."))]
    NoProgram(String, String),
    #[error("{0} was also changed by another app; a copy of that app's version is in {1}.")]
    #[diagnostic(help("Compare both, keep the version you want, and open the preview again."))]
    WrittenByTwo(PathBuf, PathBuf),
    #[error("{0} has changed since the preview; nothing was written.")]
    #[diagnostic(help("Open the preview again."))]
    Changed(PathBuf),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Make it writable, or add the entry by hand."))]
    Unwritable(PathBuf, String),
    #[error("{0} was not changed: {1}.")]
    #[diagnostic(help("Fix the file, or add the entry by hand."))]
    Refused(PathBuf, String),
    #[error("{0} was not changed: it is not UTF-8 text.")]
    #[diagnostic(help("Fix the file, or add the entry by hand."))]
    NoText(PathBuf),
    #[error("A backup can't be saved in {0}: {1}. Nothing was changed.")]
    #[diagnostic(help("Fix the folder's permissions, or free disk space."))]
    NoBackup(PathBuf, String),
    #[error("{0} has no change to undo.")]
    NothingWritten(PathBuf),
    #[error("{0} has no entry that Guild Hall wrote, so there is nothing to undo.")]
    NothingLeft(PathBuf),
    #[error("The entry in {0} was changed by another app, so Guild Hall left it in the file.")]
    #[diagnostic(help("Remove the entry guild-hall by hand if you don't need it."))]
    NotOurs(PathBuf),
    #[error("The entry in {0} was changed by another app, so Guild Hall left it in the file.")]
    #[diagnostic(help("Remove the entry guild-hall by hand if you don't need it. The entries it replaced are in {backup}.", backup = .1.display()))]
    NotOursKept(PathBuf, PathBuf),
    #[error("{0} is not one of the scanned files.")]
    #[diagnostic(help("Add its project folder to the scanned locations first."))]
    NotSearched(PathBuf),
}

/// A note next to a question.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AskNote {
    #[error("For example: {0}")]
    Example(String),
    #[error("A value is saved. Leave this empty to keep it.")]
    Kept,
}

/// An error in another app's file or in pasted text.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum FoundError {
    #[error("{0}:{1}: {2}: {3}.")]
    #[diagnostic(help("Fix the entry, or write a plugin.json by hand."))]
    Unusable(String, usize, String, RunProblem),
    #[error("{0} can't be read: {1}.")]
    #[diagnostic(help("Fix the file. Guild Hall reads it again when it changes."))]
    Unreadable(PathBuf, String),
    #[error("{0} was only partly read: {1}.")]
    #[diagnostic(help("Remove unused entries. Guild Hall reads the file again when it changes."))]
    Cut(PathBuf, FileProblem),
    #[error("{0} can't be read: {1}.")]
    #[diagnostic(help("{2}"))]
    Unread(BroughtKind, String, String),
}

/// The kind of input that a person added. It is displayed as the subject of an error message.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BroughtKind {
    #[error("The text")]
    Text,
    #[error("The command")]
    Command,
    #[error("{0}")]
    File(String),
}

/// Advice for an added text, command or file that can't be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BroughtAdvice {
    #[error("Try again.")]
    Again,
    #[error("Enter the full path of the file.")]
    WholePath,
    #[error("Check that it exists and that you may read it.")]
    Look,
    #[error("A configuration file is JSON, TOML or YAML.")]
    Formats,
    #[error("Copy it to this machine's disk.")]
    Copy,
}

#[cfg(test)]
mod tests;
