//! Errors of adopting, creating and installing members.

use guild_text::number::grouped;
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
    #[error("A member named {0} already exists.")]
    #[diagnostic(help("Give another name."))]
    NameTaken(String),
    #[error("{0}.")]
    #[diagnostic(help("Give another name."))]
    BadName(NameWrong),
    #[error("Its plugin.json would have an error: {0}.")]
    #[diagnostic(help("Write a plugin.json by hand."))]
    BadManifest(String),
    #[error("Its plugin.json can't be read: {0}.")]
    NoManifest(String),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Make the members folder writable."))]
    Unwritable(PathBuf, String),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help(
        "Check the free space on the disk and the permissions of the members folder."
    ))]
    NoRoom(PathBuf, String),
    #[error("The server's entry was removed or changed.")]
    #[diagnostic(help("Open the import again."))]
    NotFound,
    #[error("This is Guild Hall's own gateway.")]
    OwnGateway,
    #[error("The member {0} already runs the same server.")]
    #[diagnostic(help("Use that member."))]
    RunsAlready(MemberName),
    #[error("The home folder is unknown, so the files of your other apps can't be found.")]
    #[diagnostic(help("Set HOME."))]
    NoHome,
    #[error("You already scan {most} folders, which is the limit.", most = grouped(.0))]
    #[diagnostic(help("Remove one from the list first."))]
    ManyFolders(usize),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Fix the folder's permissions, or free disk space."))]
    ListUnwritable(PathBuf, String),
    #[error("{0} can't be scanned: it is not a full path.")]
    #[diagnostic(help("Enter the full path of a project's folder or a .code-workspace file."))]
    NotWhole(String),
    #[error("{0} can't be scanned: it is neither a folder nor a workspace file.")]
    #[diagnostic(help("Enter the full path of a project's folder or a .code-workspace file."))]
    NoFolder(String),
    #[error("{0} can't be scanned: {1}.")]
    #[diagnostic(help("Enter the full path of a project's folder or a .code-workspace file."))]
    NotSearched(String, String),
    #[error("{0} already exists.")]
    #[diagnostic(help("Choose another name; nothing was written."))]
    PlaceTaken(PathBuf),
    #[error("A member named {0} already exists.")]
    #[diagnostic(help("Choose another name; nothing was written."))]
    BeginTaken(String),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Make the folder writable, or use another with --members DIR."))]
    NotBegun(PathBuf, String),
    #[error("The sample members can't be created in {0}: {1}.")]
    #[diagnostic(help(
        "Make the folder writable, or use others with --members DIR or --data DIR."
    ))]
    NoSamples(PathBuf, String),
    #[error("The install was cancelled. Nothing was written.")]
    Cancelled,
    #[error("{0} can't be read: {1}.")]
    #[diagnostic(help("Fix it, or remove the member and install the bundle as a new one."))]
    OldManifest(PathBuf, String),
    #[error("{0} was changed by another app during the update; the bundle wasn't updated.")]
    #[diagnostic(help("Install it again. The changes are kept."))]
    ManifestChanged(PathBuf),
    #[error("{0} was also changed by another app; a copy of its version is in {1}.")]
    #[diagnostic(help("Compare both, keep the version you want, and install the bundle again."))]
    ManifestByTwo(PathBuf, PathBuf),
    #[error("{0} was not installed from a bundle named {1}.")]
    #[diagnostic(help("Install it under another name."))]
    OtherBundle(MemberName, String),
    #[error("It can't run this way: {0}.")]
    CannotRun(RunWrong),
    #[error("An answer is invalid: {0}.")]
    #[diagnostic(help("Questions: {1}."))]
    Unfit(String, String),
    #[error("Some answers are invalid: {0}.")]
    #[diagnostic(help("Fix them."))]
    Unanswered(String),
    #[error("The value of {0}{1} {2}.")]
    #[diagnostic(help("Enter it when you import the server."))]
    ValueUnfit(String, String, ValueFault),
    #[error("The form is too large to check.")]
    TooLarge,
    #[error("The form is not JSON: {0}.")]
    NoJson(String),
}
