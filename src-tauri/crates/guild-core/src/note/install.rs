//! Errors of adopting, creating and installing members.

use crate::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

use super::{NameWrong, RunWrong};
use crate::id::MemberName;

/// A problem of a value for a server.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ValueFault {
    #[error("is missing")]
    Missing,
    #[error("is too long")]
    TooLong,
    #[error("has a NUL character")]
    Nul,
    #[error("is not one of its choices")]
    NoChoice,
}

/// An error of adding a member.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum InstallTrouble {
    #[error("There is a member {0} already.")]
    #[diagnostic(help("Give another name."))]
    NameTaken(String),
    #[error("{0}.")]
    #[diagnostic(help("Give another name."))]
    BadName(NameWrong),
    #[error("Its manifest would have an error: {0}.")]
    #[diagnostic(help("Write a manifest by hand."))]
    BadManifest(String),
    #[error("Its manifest can't be read: {0}.")]
    NoManifest(String),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Make the members folder writable."))]
    Unwritable(PathBuf, String),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help(
        "Check the free space on the disk and the permissions of the members folder."
    ))]
    NoRoom(PathBuf, String),
    #[error("{0} could not be written: {1}.")]
    #[diagnostic(help("Try again."))]
    NotWritten(&'static str, String),
    #[error("The server's entry was removed or changed.")]
    #[diagnostic(help("Open the list of found servers again."))]
    NotFound,
    #[error("The folder could not be inspected: {0}.")]
    #[diagnostic(help("Try again."))]
    NotLooked(String),
    #[error("It is Guild Hall's own gateway.")]
    OwnGateway,
    #[error("The member {0} runs the same already.")]
    #[diagnostic(help("Use that member."))]
    RunsAlready(MemberName),
    #[error("The system names no home folder, so no program's files can be found.")]
    #[diagnostic(help("Set HOME."))]
    NoHome,
    #[error("{most} folders are searched already, the most there may be.", most = grouped(.0))]
    #[diagnostic(help("Take one out of the list first."))]
    ManyFolders(usize),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Correct the permissions of the folder, or free space on the disk."))]
    ListUnwritable(PathBuf, String),
    #[error("{0} can't be searched: it is not a full path.")]
    #[diagnostic(help("Name a project's folder, or a .code-workspace file, by its whole path."))]
    NotWhole(String),
    #[error("{0} can't be searched: it is neither a folder nor a workspace file.")]
    #[diagnostic(help("Name a project's folder, or a .code-workspace file, by its whole path."))]
    NoFolder(String),
    #[error("{0} can't be searched: {1}.")]
    #[diagnostic(help("Name a project's folder, or a .code-workspace file, by its whole path."))]
    NotSearched(String, String),
    #[error("{0} exists already.")]
    #[diagnostic(help("Choose another name; nothing was written."))]
    PlaceTaken(PathBuf),
    #[error("There is a member {0} already.")]
    #[diagnostic(help("Choose another name; nothing was written."))]
    BeginTaken(String),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Make the folder writable, or name another with --members DIR."))]
    NotBegun(PathBuf, String),
    #[error("The member could not be written: {0}.")]
    #[diagnostic(help("Try again."))]
    BeginEnded(String),
    #[error("The sample members can't be put into {0}: {1}.")]
    #[diagnostic(help(
        "Make the folder writable, or name another with --members DIR or --data DIR."
    ))]
    NoSamples(PathBuf, String),
    #[error("The install was cancelled. Nothing was written.")]
    Cancelled,
    #[error("{0} can't be read: {1}.")]
    #[diagnostic(help("Fix it, or remove the member and install the bundle as a new one."))]
    OldManifest(PathBuf, String),
    #[error("{0} was changed by another program during the update; the bundle was not replaced.")]
    #[diagnostic(help("Install it again. The changes stay."))]
    ManifestChanged(PathBuf),
    #[error("{0} was written by another program at the same moment; a copy of it is in {1}.")]
    #[diagnostic(help("Compare both, keep the version you want, and install the bundle again."))]
    ManifestByTwo(PathBuf, PathBuf),
    #[error("{0} was not installed from a bundle named {1}.")]
    #[diagnostic(help("Install it under another name."))]
    OtherBundle(MemberName, String),
    #[error("It can't run so: {0}.")]
    CannotRun(RunWrong),
    #[error("An answer does not fit: {0}.")]
    #[diagnostic(help("Questions: {1}."))]
    Unfit(String, String),
    #[error("Some answers do not fit what is asked: {0}.")]
    #[diagnostic(help("Correct them."))]
    Unanswered(String),
    #[error("The value of {0}{1} {2}.")]
    #[diagnostic(help("Give it when you adopt the server."))]
    ValueUnfit(String, String, ValueFault),
    #[error("The answers could not be checked: {0}.")]
    #[diagnostic(help("Try again."))]
    Unchecked(String),
    #[error("What is asked and answered is too large to be checked.")]
    TooLarge,
    #[error("The form is not JSON: {0}.")]
    NoJson(String),
}
