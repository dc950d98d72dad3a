//! Errors of changing, renaming, duplicating, removing and restoring members.

use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

/// An error of managing a member.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ManagingTrouble {
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
