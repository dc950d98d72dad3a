//! What should be known of a server that another program has, or that a person brought.

use crate::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

use super::UrlWrong;

/// What a member would not have of a server, and what else is odd about it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FoundNote {
    #[error("{0} calls its tools without a question; of a member's tools, their policies decide.")]
    Unasked(Whose),
    #[error("{0} offers only some of its tools (`{1}`); a member offers all.")]
    SomeTools(Whose, &'static str),
    #[error(
        "The variables of its `envFile` are read by {0} alone; put those that it needs into the member's `env`."
    )]
    EnvFile(Whose),
    #[error("The variables of {0} are kept as secrets of the member ({count}). Later changes of the file don't reach it.", count = grouped(.1))]
    EnvFileRead(PathBuf, usize),
    #[error(
        "Its variables are in {1}, which can't be read: {2}. A member lacks them, so {0} keeps this entry until the file can be read."
    )]
    EnvFileUnread(Whose, PathBuf, String),
    #[error("{0} runs the last entry of this name; the one on line {1} has no effect.")]
    StandsTwice(Whose, usize),
    #[error("A script in its arguments has words that tell of a secret. It is kept as it stands.")]
    Script,
    #[error(
        "Gemini CLI may speak the older transport SSE at this `url`; Guild Hall speaks Streamable HTTP."
    )]
    OlderTransport,
    #[error("{0} takes `{1}` out of its environment; a member has it.")]
    TakenOut(Whose, String),
    #[error("A member does not have: {0}.")]
    Leftovers(String),
    #[error("A member does not have: {0} and {more} more.", more = grouped(.1))]
    ManyLeftovers(String, usize),
    #[error("Without `-i` the container hears nothing of what it is asked.")]
    Deaf,
    #[error(
        "{0} is not there. Docker would make a folder; a member's container wants it to be there before it starts."
    )]
    SourceMissing(String),
    #[error(
        "{0} are not there. Docker would make a folder; a member's container wants it to be there before it starts."
    )]
    SourcesMissing(String),
    #[error("Left out, {0}.")]
    LeftOut(String),
}

/// Whose file a server stands in.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Whose {
    #[error("{0}")]
    Program(&'static str),
    #[error("Member {0}")]
    Member(String),
    #[error("its program")]
    Its,
    #[error("Its program")]
    ItsFirst,
}

/// What a value is that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InputNote {
    #[error("{0}")]
    OfFile(String),
    #[error("The text has {0} in its place.")]
    InPlace(String),
    #[error("{0}: the text has {1} in its place.")]
    InPlaceOf(String, String),
    #[error("The folder that it is to work in.")]
    WorkFolder,
    #[error("It has no value in the environment now.")]
    NotSet,
    #[error("It has no value in the environment now, and is not given without one.")]
    NotGiven,
}

/// Why what another program has, or a person brought, is not read.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum FoundTrouble {
    #[error("{0}:{1}: {2}: {3}.")]
    #[diagnostic(help("Mend the entry, or write a manifest by hand."))]
    Unusable(String, usize, String, RunWrong),
    #[error("{0} can't be read: {1}.")]
    #[diagnostic(help("Mend the file; it is read again when it changes."))]
    Unreadable(PathBuf, String),
    #[error("{0} is not read to its end: {1}.")]
    #[diagnostic(help("Take out what nobody uses; it is read again when it changes."))]
    Cut(PathBuf, FileWrong),
    #[error("{0} can't be read: {1}.")]
    #[diagnostic(help("{2}"))]
    Unread(BroughtKind, String, String),
}

/// What a person brought, where a sentence begins.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BroughtKind {
    #[error("The text")]
    Text,
    #[error("The command")]
    Command,
    #[error("{0}")]
    File(String),
}

/// Why a file is not read, or not to its end: the rest of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileWrong {
    #[error("it did not answer within {seconds} s", seconds = grouped(.0))]
    Slow(u64),
    #[error("it is no text in UTF-8")]
    NotUtf8,
    #[error("its path is not whole")]
    NotWhole,
    #[error("only the first {most} servers are read", most = grouped(.0))]
    ManyServers(usize),
    #[error("it has more than {most} variables", most = grouped(.0))]
    ManyVariables(usize),
    #[error("only the first {most} projects are read", most = grouped(.0))]
    ManyProjects(usize),
}

/// What to do about what a person brought.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BroughtAdvice {
    #[error("Try again.")]
    Again,
    #[error("Name the file by its whole path.")]
    WholePath,
    #[error("Look whether it is there, and whether you may read it.")]
    Look,
    #[error("A configuration file is a text: JSON, TOML or YAML.")]
    Formats,
    #[error("Copy it to this machine's disk.")]
    Copy,
}

/// Why a member can't run what an entry says, or what was answered: the rest of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RunWrong {
    #[error("its entry is not an object")]
    NoObject,
    #[error("its entry is larger than {kib} KiB", kib = grouped(.0))]
    TooLarge(usize),
    #[error("it comes from an extension, which only {0} can start")]
    Extension(Whose),
    #[error("its type needs a `url`")]
    NeedsUrl,
    #[error("its type needs a `command`")]
    NeedsCommand,
    #[error("it has neither a `command` nor a `url`")]
    Neither,
    #[error(
        "it needs the transport `{0}`, which is not spoken; many such servers also speak Streamable HTTP, at another address"
    )]
    Unspoken(String),
    #[error("its type {0} is none that is known")]
    UnknownType(String),
    #[error("its `command` names no program")]
    NoProgram,
    #[error("its `args` are no list of texts")]
    NoArguments,
    #[error("its `cwd` is no text")]
    NoFolder,
    #[error("its `{0}` is no object of texts")]
    NoTexts(String),
    #[error("its `{0}` has a value that is no text")]
    NoText(String),
    #[error("it uses ${{{0}}}, which only {1} can fill in")]
    Reference(String, Whose),
    #[error("{0} has more than {most} bytes", most = grouped(.1))]
    TooLong(RunPlace, usize),
    #[error("{0} has a NUL character")]
    Nul(RunPlace),
    #[error("{0} has a `$` right before a reference")]
    Dollar(RunPlace),
    #[error("{0} has a name that no system allows")]
    OddVariable(RunPlace),
    #[error("{0} has a name that no header has")]
    OddHeader(RunPlace),
    #[error("{0} has a line end")]
    LineEnd(RunPlace),
    #[error("{0} {1}")]
    Url(RunPlace, UrlWrong),
    #[error("{0} has no answer")]
    NoAnswer(String),
}

/// Where a text of what would be run stands.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RunPlace {
    #[error("its `command`")]
    Command,
    #[error("one of its `args`")]
    Argument,
    #[error("its variable `{0}`")]
    Variable(String),
    #[error("its `cwd`")]
    Folder,
    #[error("its `url`")]
    Url,
    #[error("its header `{0}`")]
    Header(String),
}
