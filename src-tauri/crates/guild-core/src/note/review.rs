//! Notes in a review: changes of a schema, suspicious text, and things that stop working.

use crate::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

use super::ValueWrong;
use crate::id::MemberName;

/// A change of a schema, after the name of its place. Values are JSON.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SchemaChangeNote {
    #[error("is nested too deep to be compared")]
    TooDeep,
    #[error("allowed nothing before")]
    AllowedNothing,
    #[error("allows nothing now")]
    AllowsNothing,
    #[error("is another kind of schema")]
    OtherKind,
    #[error("allows other values")]
    OtherValues,
    #[error("allows {0} no more")]
    NoMore(String),
    #[error("allows {0} too")]
    Too(String),
    #[error("allows other values than some")]
    AnyValue,
    #[error("allows only some values")]
    SomeValues,
    #[error("wants `{0}` now")]
    Wants(String),
    #[error("does without `{0}` now")]
    DoesWithout(String),
    #[error("is gone")]
    Gone,
    #[error("is new")]
    New,
    #[error("allows no other properties now")]
    NoOthers,
    #[error("allows other properties now")]
    Others,
    #[error("has more choices")]
    MoreChoices,
    #[error("`{keyword}` is {now}, was {before}")]
    IsOther {
        keyword: String,
        now: String,
        before: String,
    },
    #[error("`{0}`")]
    Keyword(String),
    #[error("`{0}` is {1} now")]
    IsNow(String, String),
    #[error("`{0}` is gone, was {1}")]
    IsGone(String, String),
}

/// A sign of deception in a tool.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SuspicionNote {
    #[error("1 character that can't be seen, or that move others, is in it")]
    HiddenCharacter,
    #[error("{count} characters that can't be seen, or that move others, are in it", count = grouped(.0))]
    HiddenCharacters(usize),
    #[error("text is hidden in it by characters that can't be seen: {0}")]
    HiddenText(String),
    #[error("it wants other instructions to be ignored")]
    ToBeIgnored,
    #[error("it wants something to be kept from its user")]
    KeptFromUser,
    #[error("it speaks of the use of other tools")]
    OtherTools,
    #[error("it wants a tool to be called")]
    ToBeCalled,
    #[error("it speaks of the model's own instructions")]
    OwnInstructions,
    #[error("it wants what was said, or secrets, to be passed on")]
    PassedOn,
    #[error("it has a word that tools seldom need")]
    RareWord,
    #[error("a tag that is meant for a model")]
    ModelTag,
    #[error("a mark of a model's own format")]
    ModelMark,
    #[error("a comment, which a page does not show")]
    Comment,
    #[error("a file of secrets is named")]
    SecretFile,
    #[error("a secret is spoken of")]
    Secret,
    #[error("a long encoded text (Base64)")]
    Unreadable,
    #[error("letters in it look like others: {0}")]
    ForeignLetters(String),
    #[error("the member {0} has a tool of that name")]
    SameName(String),
    #[error("it looks the same as {0}, a tool of {1}")]
    LooksTheSame(String, String),
    #[error("it is one letter away from {0}, a tool of {1}")]
    OneLetterAway(String, String),
    #[error("it speaks of {0}, a tool of {1}")]
    SpeaksOf(String, String),
}

/// A part of the user's setup that a changed tool breaks.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BreakageNote {
    #[error("Its tool is gone.")]
    PolicyOfNone,
    #[error("It allows a tool that is no longer read-only.")]
    NoLongerReads,
    #[error("It allows a tool that may now delete or overwrite data.")]
    MayDestroy,
    #[error("It names a tool that is gone.")]
    NamesNone,
    #[error("Its own description of the tool may no longer fit.")]
    OwnWords,
    #[error("Its tool is gone.")]
    CallsNone,
    #[error("Its arguments do not fit any more: {0}")]
    Unfit(ValueWrong),
    #[error("Its arguments do not fit any more: {0}: {1}")]
    UnfitAt(String, ValueWrong),
}

/// The scope of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PolicyPlace {
    #[error("the manifest")]
    Manifest,
    #[error("{0}")]
    File(&'static str),
}

/// The access of a container to a mounted folder.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MountUse {
    #[error("(read only)")]
    ReadOnly,
    #[error("(may write)")]
    Writes,
    #[error("(read only, dangerous)")]
    ReadsDangerously,
    #[error("(may write, dangerous)")]
    WritesDangerously,
}

/// An error of a review.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ReviewTrouble {
    #[error("Its manifest changed since the review was shown.")]
    #[diagnostic(help("Open the review again."))]
    OtherLaunch,
    #[error("Its server changed its tools since the review was shown.")]
    #[diagnostic(help("Open the review again."))]
    OtherTools,
    #[error("The member has no tool {0}.")]
    #[diagnostic(help("Open the review again."))]
    NoTool(String),
    #[error("The member needs review before it can list its tools.")]
    #[diagnostic(help("Approve it first: `guildhall review {0} --accept`."))]
    Unreviewed(MemberName),
    #[error("{0} can't be used: {1}. Members from elsewhere count as unreviewed.")]
    #[diagnostic(help("Put it back from a backup, or review them again."))]
    Unusable(PathBuf, ReviewWrong),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Nothing was accepted. Make the data folder writable, then try again."))]
    Unwritable(PathBuf, ReviewWrong),
    #[error(
        "The list of tools that was accepted, {0}, can't be used: {1}. Agents get none of the member's tools."
    )]
    #[diagnostic(help("Put it back from a backup, or accept the tools again."))]
    ListUnusable(PathBuf, ReviewWrong),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help(
        "What was accepted counts until Guild Hall ends; make the data folder writable, then accept again."
    ))]
    ListUnwritable(PathBuf, String),
}

/// A problem of a file of approvals.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReviewWrong {
    #[error("its version is {0}")]
    Version(u32),
    #[error("what the member runs is too long to be kept")]
    TooLong,
    #[error("{0}")]
    Unread(String),
}
