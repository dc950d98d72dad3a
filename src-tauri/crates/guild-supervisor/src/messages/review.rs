//! Errors of reviews.

use std::path::PathBuf;

use guild_model::id::MemberName;
use miette::Diagnostic;
use thiserror::Error;

/// An error of a review.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ReviewError {
    #[error("The member's plugin.json changed since the review was shown.")]
    #[diagnostic(help("Open the review again."))]
    OtherLaunch,
    #[error("The server changed its tools since the review was shown.")]
    #[diagnostic(help("Open the review again."))]
    OtherTools,
    #[error("The member has no tool {0}.")]
    #[diagnostic(help("Open the review again."))]
    NoTool(String),
    #[error("The member needs review before it can list its tools.")]
    #[diagnostic(help("Approve it first: `guildhall review {0} --accept`."))]
    Unreviewed(MemberName),
    #[error("{0} can't be used: {1}. Members from other sources need review again.")]
    #[diagnostic(help("Restore the file from a backup, or review the members again."))]
    Unusable(PathBuf, ReviewProblem),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Nothing was approved. Make the data folder writable, then try again."))]
    Unwritable(PathBuf, ReviewProblem),
    #[error(
        "The list of approved tools, {0}, can't be used: {1}. Agents get none of the member's tools."
    )]
    #[diagnostic(help("Restore the list from a backup, or approve the tools again."))]
    ListUnusable(PathBuf, ReviewProblem),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help(
        "Your approval is valid until Guild Hall quits. Make the data folder writable, then approve again."
    ))]
    ListUnwritable(PathBuf, String),
}

/// A problem with a file of approvals.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReviewProblem {
    #[error("it has the unknown format version {0}")]
    Version(u32),
    #[error("the member's command is too long to save")]
    TooLong,
    #[error("{0}")]
    Unread(String),
}
