//! Messages about files, folders and the trash, an enum for each subject.

#![expect(missing_docs, reason = "the messages document the variants")]

use std::path::PathBuf;

use guild_model::id::MemberName;
use guild_model::messages::{NameProblem, RunProblem};
use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// A problem with a file, wrapped in an `io::Error`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileFault {
    #[error("it is not a regular file")]
    NotRegular,
    #[error("it is larger than {most} bytes, which is the limit", most = grouped(.0))]
    TooLarge(u64),
    #[error("it has more than {most} files and folders, which is the limit", most = grouped(.0))]
    ManyEntries(usize),
    #[error("its folders are nested deeper than {most} levels, which is the limit", most = grouped(.0))]
    DeepFolder(usize),
    #[error("not an object of strings at {0}:{1}")]
    NoTexts(usize, usize),
    #[error("it is a broken link")]
    LeadsNowhere,
    #[error("it is marked as read-only")]
    ReadOnly,
    #[error("the files {0}.kept-1 to {0}.kept-{1} already exist")]
    ManyKept(PathBuf, u32),
    #[error("another app keeps removing the file")]
    Removed,
    #[error("another app is changing it")]
    Held,
    #[error("it is not a file")]
    PlaceTaken,
    #[error("it is not a file")]
    NoFile,
    #[error("reading it was cancelled")]
    BrokenOff,
    #[error("a name is too long")]
    LongName,
    #[error("a line is longer than {most} bytes", most = grouped(.0))]
    LongLine(usize),
}

/// An error while adding a member.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum InstallError {
    #[error("A member named {0} already exists.")]
    #[diagnostic(help("Give another name."))]
    NameTaken(String),
    #[error("{0}.")]
    #[diagnostic(help("Give another name."))]
    BadName(NameProblem),
    #[error("The member's plugin.json would have an error: {0}.")]
    #[diagnostic(help("Write a plugin.json by hand."))]
    BadManifest(String),
    #[error("The member's plugin.json can't be read: {0}.")]
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
        "Make the folder writable, or use another one with --members DIR or --data DIR."
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
    #[error("Another app changed {0} too. A copy of that app's version is in {1}.")]
    #[diagnostic(help("Compare both, keep the version you want, and install the bundle again."))]
    ManifestByTwo(PathBuf, PathBuf),
    #[error("{0} was not installed from a bundle named {1}.")]
    #[diagnostic(help("Install it under another name."))]
    OtherBundle(MemberName, String),
    #[error("The server can't run this way: {0}.")]
    CannotRun(RunProblem),
    #[error("An answer is invalid: {0}.")]
    #[diagnostic(help("Questions: {1}."))]
    Unfit(String, String),
    #[error("Some answers are invalid: {0}.")]
    #[diagnostic(help("Fix them."))]
    Unanswered(String),
    #[error("The value of {0}{1} {2}.")]
    #[diagnostic(help("Enter it when you import the server."))]
    ValueUnfit(String, String, ValueFault),
    #[error("One import can add up to {most} servers.", most = grouped(.0))]
    #[diagnostic(help("Import this server separately."))]
    ManyServers(usize),
    #[error("The form is too large to check.")]
    TooLarge,
    #[error("The form is not JSON: {0}.")]
    NoJson(String),
}

/// An error while managing a member.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ManagingError {
    #[error("{0} has changed since you opened it.")]
    #[diagnostic(help("Load the file again, and repeat your changes."))]
    FileChanged(PathBuf),
    #[error("`{0}` can't be changed in {1}: {2}.")]
    #[diagnostic(help("Correct the file, or change the field in an editor."))]
    FieldUnchanged(String, PathBuf, String),
    #[error("A member named {0} is in the trash.")]
    #[diagnostic(help("Restore that member, or choose another name."))]
    NameInTrash(String),
    #[error("`origin` can't be changed while the member needs a review.")]
    #[diagnostic(help("Keep `origin`, or review the member first."))]
    OriginChanged,
    #[error("The member was imported, so its plugin.json must keep its `origin`.")]
    #[diagnostic(help("Add `\"origin\": {0}`."))]
    OriginLost(String),
    #[error("Saving the file would rename the member to {0}.")]
    #[diagnostic(help(
        "Use the Rename command, which keeps the permissions, profiles and saved calls."
    ))]
    OtherName(String),
    #[error("{0} can't be copied: {1}.")]
    #[diagnostic(help("Check the permissions and the free space on the disk, then try again."))]
    NotCopied(PathBuf, String),
    #[error("{0} can't be moved to {1}: {2}.")]
    #[diagnostic(help("Make both folders writable, then try again."))]
    NotMoved(PathBuf, PathBuf, String),
    #[error("The trash has no member {0}.")]
    #[diagnostic(help("The trash keeps the last 20 removed members for 30 days."))]
    NotInTrash(String),
    #[error("The editor `{0}` failed: {1}.")]
    #[diagnostic(help("Set EDITOR to the command of your editor."))]
    EditorFailed(String, String),
    #[error("{0} can't be used: {1}.")]
    #[diagnostic(help("Save it as UTF-8 text within the limit, then try again."))]
    EditedTextUnusable(PathBuf, String),
}

/// An error with the members folder or a folder in it.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum FolderError {
    #[error("The members folder {0} can't be read: {1}.")]
    #[diagnostic(help(
        "Guild Hall tries again in a moment. Until then, all members stay unchanged."
    ))]
    Scarce(PathBuf, String),
    #[error("The members folder {0} can't be read: {1}.")]
    #[diagnostic(help(
        "Create the folder, or use another with --members DIR or GUILD_HALL_MEMBERS."
    ))]
    Unreadable(PathBuf, String),
    #[error("The members folder {0} can't be read: {1}.")]
    #[diagnostic(help(
        "Create the folder, or change the setting with `guildhall settings set membersDir DIR` (null: the one in the data folder)."
    ))]
    UnreadableAsSet(PathBuf, String),
    #[error("{0} has {count} folders; only the first {most} were read.", count = grouped(.1), most = grouped(.2))]
    #[diagnostic(help(
        "Check that this is the folder you meant: each folder in it is one member."
    ))]
    TooMany(PathBuf, usize, usize),
    #[error("{0} is not a member folder: {1}.")]
    #[diagnostic(help("Remove the link, or point it to a folder with its own plugin.json."))]
    Unsafe(PathBuf, String),
    #[error("{0} is not a member folder: the link leads back to its parent folder.")]
    #[diagnostic(help("Remove the link, or point it to a folder with its own plugin.json."))]
    LeadsBack(PathBuf),
    #[error("{0} doesn't exist.")]
    #[diagnostic(help(
        "Create a plugin.json with name, version, transport and command, or remove the folder."
    ))]
    NoManifest(PathBuf),
    #[error("{0} can't be used: {1}.")]
    #[diagnostic(help("Check that this file is a member's manifest."))]
    HugeManifest(PathBuf, String),
    #[error("{0} can't be used: {1}.")]
    #[diagnostic(help("Make it a regular file that you may read."))]
    ClosedManifest(PathBuf, String),
    #[error("{0} has the name {1}, which {2} already uses.")]
    #[diagnostic(help("Rename one of them."))]
    NameTwice(PathBuf, String, PathBuf),
}

/// A problem with a value for a server.
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

#[cfg(test)]
mod tests;
