//! What a person is told who reviews a change: what of a schema is otherwise, what looks as if it were
//! to deceive, and what no longer works.

use std::path::PathBuf;

use super::{ValueWrong, notes, troubles};
use crate::id::MemberName;

notes! {
    /// What changed of a schema; the name of its place stands before it. Values are told as JSON.
    SchemaChangeNote;
    /// Nobody looks that deep.
    TooDeep
        "is nested too deep to be compared";
    /// It was `false`.
    AllowedNothing
        "allowed nothing before";
    /// It is `false`.
    AllowsNothing
        "allows nothing now";
    /// One that can't be compared.
    OtherKind
        "is another kind of schema";
    /// Values in a way that can't be compared.
    OtherValues
        "allows other values";
    /// A value fewer.
    NoMore(value: String)
        "allows {value} no more";
    /// A value more.
    Too(value: String)
        "allows {value} too";
    /// All values instead of some.
    AnyValue
        "allows other values than some";
    /// Some values instead of all.
    SomeValues
        "allows only some values";
    /// A property that has to be there.
    Wants(name: String)
        "wants `{name}` now";
    /// A property that need not be there.
    DoesWithout(name: String)
        "does without `{name}` now";
    /// A property, or a definition, that was there.
    Gone
        "is gone";
    /// A property that was not there.
    New
        "is new";
    /// No properties but those that are named.
    NoOthers
        "allows no other properties now";
    /// Properties that are not named.
    Others
        "allows other properties now";
    /// More branches of a union.
    MoreChoices
        "has more choices";
    /// A keyword has another value.
    IsOther(keyword: String, now: String, before: String)
        "`{keyword}` is {now}, was {before}";
    /// A keyword.
    Keyword(keyword: String)
        "`{keyword}`";
    /// A keyword was not there.
    IsNow(keyword: String, now: String)
        "`{keyword}` is {now} now";
    /// A keyword is there no more.
    IsGone(keyword: String, before: String)
        "`{keyword}` is gone, was {before}";
}

notes! {
    /// What about a tool looks as if it were to deceive.
    SuspicionNote;
    /// A character that can't be seen.
    HiddenCharacter
        "1 character that can't be seen, or that move others, is in it";
    /// Characters that can't be seen.
    HiddenCharacters(count: usize)
        "{count} characters that can't be seen, or that move others, are in it";
    /// Letters of a range that no program shows.
    HiddenText(text: String)
        "text is hidden in it by characters that can't be seen: {text}";
    /// Other instructions.
    ToBeIgnored
        "it wants other instructions to be ignored";
    /// A secret between tool and model.
    KeptFromUser
        "it wants something to be kept from its user";
    /// When other tools are used.
    OtherTools
        "it speaks of the use of other tools";
    /// A call that nobody asked for.
    ToBeCalled
        "it wants a tool to be called";
    /// The system prompt.
    OwnInstructions
        "it speaks of the model's own instructions";
    /// A conversation, or keys.
    PassedOn
        "it wants what was said, or secrets, to be passed on";
    /// A word of attackers.
    RareWord
        "it has a word that tools seldom need";
    /// A tag such as `<system>`.
    ModelTag
        "a tag that is meant for a model";
    /// A mark such as `[inst]`.
    ModelMark
        "a mark of a model's own format";
    /// `<!--`.
    Comment
        "a comment, which a page does not show";
    /// A file such as `~/.ssh/id_rsa`.
    SecretFile
        "a file of secrets is named";
    /// A private key.
    Secret
        "a secret is spoken of";
    /// Base64.
    Unreadable
        "a long text that nobody can read (Base64)";
    /// Letters of other scripts.
    ForeignLetters(letters: String)
        "letters in it look like others: {letters}";
    /// A tool of another member has the name.
    SameName(member: String)
        "the member {member} has a tool of that name";
    /// A tool of another member has a name that looks the same.
    LooksTheSame(tool: String, member: String)
        "it looks the same as {tool}, a tool of {member}";
    /// A tool of another member has nearly the name.
    OneLetterAway(tool: String, member: String)
        "it is one letter away from {tool}, a tool of {member}";
    /// A description names a tool of another member.
    SpeaksOf(tool: String, member: String)
        "it speaks of {tool}, a tool of {member}";
}

notes! {
    /// What of a person's no longer works as it did, and why.
    BreakageNote;
    /// A policy of a tool that is gone.
    PolicyOfNone
        "It stands for a tool that is gone.";
    /// It allows a tool that may write now.
    NoLongerReads
        "It allows a tool that said that it only reads, and does so no more.";
    /// It allows a tool that may destroy now.
    MayDestroy
        "It allows a tool that says now that it may destroy something.";
    /// A profile with a tool that is gone.
    NamesNone
        "It names a tool that is gone.";
    /// A profile with its own description of the tool.
    OwnWords
        "It describes the tool in words of its own, which may not fit any more.";
    /// A saved call of a tool that is gone.
    CallsNone
        "Its tool is gone.";
    /// A saved call whose arguments do not fit as a whole.
    Unfit(what: ValueWrong)
        "Its arguments do not fit any more: {what}";
    /// A saved call with an argument that does not fit.
    UnfitAt(place: String, what: ValueWrong)
        "Its arguments do not fit any more: {place}: {what}";
}

notes! {
    /// The scope of a policy.
    PolicyPlace;
    /// In the member's manifest.
    Manifest
        "the manifest";
    /// In a file of the data folder.
    File(name: &'static str)
        "{name}";
}

notes! {
    /// How a container may use a folder that is mounted into it.
    MountUse;
    /// It reads.
    ReadOnly
        "(read only)";
    /// It writes.
    Writes
        "(may write)";
    /// It reads a folder that gives much away.
    ReadsDangerously
        "(read only, dangerous)";
    /// It writes a folder that gives much away.
    WritesDangerously
        "(may write, dangerous)";
}

troubles! {
    /// Why something is not accepted, or what was accepted is not known.
    ReviewTrouble;
    /// It runs something else by now.
    OtherLaunch
        "What it runs is not what was shown: its manifest changed since."
        "Look at the review again.";
    /// It has other tools by now.
    OtherTools
        "Its tools are not those that were shown: its server changed them since."
        "Look at the review again.";
    /// There is no such tool.
    NoTool(tool: String)
        "The member has no tool {tool}."
        "Look at the review again.";
    /// It has said no tools yet.
    Unreviewed(member: MemberName)
        "What the member runs was not accepted, so that it has said no tools."
        "Accept it first: `guildhall review {member} --accept`.";
    /// The file of what was accepted can't be used.
    Unusable(file: PathBuf, problem: ReviewWrong)
        "{file} can't be used: {problem}. Members from elsewhere count as unreviewed."
        "Put it back from a backup, or review them again.";
    /// It can't be written.
    Unwritable(file: PathBuf, problem: ReviewWrong)
        "{file} can't be written: {problem}."
        "Nothing was accepted. Make the data folder writable, then try again.";
    /// A list of tools that was accepted can't be used.
    ListUnusable(file: PathBuf, problem: ReviewWrong)
        "The list of tools that was accepted, {file}, can't be used: {problem}. Agents get none of the member's tools."
        "Put it back from a backup, or accept the tools again.";
    /// It can't be written.
    ListUnwritable(file: PathBuf, error: String)
        "{file} can't be written: {error}."
        "What was accepted counts until Guild Hall ends; make the data folder writable, then accept again.";
}

notes! {
    /// What is wrong with a file of what was accepted: the rest of a sentence.
    ReviewWrong;
    /// It is of another version.
    Version(version: u32)
        "its version is {version}";
    /// A member has too much to be kept.
    TooLong
        "what the member runs is too long to be kept";
    /// The system, or whoever reads it, says so.
    Unread(error: String)
        "{error}";
}
