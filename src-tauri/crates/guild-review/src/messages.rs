//! Messages about reviews, one enum for each subject.

#![expect(missing_docs, reason = "the messages document the variants")]

use guild_text::number::grouped;
use thiserror::Error;

/// A change of a schema, as words that follow the name of the changed part. Values are JSON.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SchemaChangeNote {
    #[error("is nested too deeply to be compared")]
    TooDeep,
    #[error("allowed nothing before")]
    AllowedNothing,
    #[error("allows nothing now")]
    AllowsNothing,
    #[error("is another kind of schema")]
    OtherKind,
    #[error("allows other values")]
    OtherValues,
    #[error("no longer allows {0}")]
    NoMore(String),
    #[error("also allows {0}")]
    Too(String),
    #[error("no longer restricts its values")]
    AnyValue,
    #[error("allows only some values")]
    SomeValues,
    #[error("now requires `{0}`")]
    Wants(String),
    #[error("no longer requires `{0}`")]
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
    #[error("`{0}` was removed (was {1})")]
    IsGone(String, String),
}

/// A sign of deception in a tool.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SuspicionNote {
    #[error("it has 1 invisible or reordering character")]
    HiddenCharacter,
    #[error("it has {count} invisible or reordering characters", count = grouped(.0))]
    HiddenCharacters(usize),
    #[error("invisible characters hide text in it: {0}")]
    HiddenText(String),
    #[error("it asks to ignore other instructions")]
    ToBeIgnored,
    #[error("it asks to hide something from the user")]
    KeptFromUser,
    #[error("it mentions the use of other tools")]
    OtherTools,
    #[error("it asks to call a tool")]
    ToBeCalled,
    #[error("it mentions the model's instructions")]
    OwnInstructions,
    #[error("it asks to pass on the conversation or secrets")]
    PassedOn,
    #[error("it has a word that tools rarely need")]
    RareWord,
    #[error("a tag meant for a model")]
    ModelTag,
    #[error("a mark of a model's own format")]
    ModelMark,
    #[error("a hidden comment")]
    Comment,
    #[error("it names a file of secrets")]
    SecretFile,
    #[error("it mentions a secret")]
    Secret,
    #[error("a long encoded string (Base64)")]
    Unreadable,
    #[error("it has look-alike letters: {0}")]
    ForeignLetters(String),
    #[error("the member {0} has a tool with that name")]
    SameName(String),
    #[error("it looks the same as {0}, a tool of {1}")]
    LooksTheSame(String, String),
    #[error("it is one letter away from {0}, a tool of {1}")]
    OneLetterAway(String, String),
    #[error("it mentions {0}, a tool of {1}")]
    SpeaksOf(String, String),
}

/// The reason why a saved call, a policy or a profile no longer works with a changed tool.
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
    #[error("Its description of the tool may be outdated.")]
    OwnWords,
    #[error("Its tool is gone.")]
    CallsNone,
    #[error("Its arguments no longer match the tool's input schema: {0}")]
    Unfit(String),
    #[error("Its arguments no longer match: {0}: {1}")]
    UnfitAt(String, String),
}

/// The scope of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PolicyPlace {
    #[error("the manifest")]
    Manifest,
    #[error("{0}")]
    File(&'static str),
}

#[cfg(test)]
mod tests;
