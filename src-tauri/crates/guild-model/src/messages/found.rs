//! Notes and errors about servers from other programs or from pasted text.

use guild_text::number::grouped;
use thiserror::Error;

use crate::messages::UrlProblem;

/// The reason why an entry can't be run as a member.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RunProblem {
    #[error("its entry is not an object")]
    NoObject,
    #[error("its entry is larger than {kib} KiB", kib = grouped(.0))]
    TooLarge(usize),
    #[error("it comes from an extension, which only {0} can start")]
    Extension(ServerEntryOwner),
    #[error("its type needs a `url`")]
    NeedsUrl,
    #[error("its type needs a `command`")]
    NeedsCommand,
    #[error("it has neither a `command` nor a `url`")]
    Neither,
    #[error(
        "it needs the transport `{0}`, which Guild Hall doesn't support; many servers also support Streamable HTTP at another address"
    )]
    Unspoken(String),
    #[error("its type {0} is unknown")]
    UnknownType(String),
    #[error("its `command` is empty")]
    NoProgram,
    #[error("its `args` are not a list of strings")]
    NoArguments,
    #[error("its `cwd` is not a string")]
    NoFolder,
    #[error("its `{0}` is not an object of strings")]
    NoTexts(String),
    #[error("its `{0}` has a value that is not a string")]
    NoText(String),
    #[error("it uses ${{{0}}}, which only {1} can fill in")]
    Reference(String, ServerEntryOwner),
    #[error("{0} has more than {most} bytes", most = grouped(.1))]
    TooLong(RunPlace, usize),
    #[error("{0} has a NUL character")]
    Nul(RunPlace),
    #[error("{0} has a `$` right before a `${{…}}`")]
    Dollar(RunPlace),
    #[error("{0} has a name that isn't allowed")]
    OddVariable(RunPlace),
    #[error("{0} has an invalid header name")]
    OddHeader(RunPlace),
    #[error("{0} has a line break")]
    LineEnd(RunPlace),
    #[error("{0} {1}")]
    Url(RunPlace, UrlProblem),
    #[error("{0} has no answer")]
    NoAnswer(String),
}

/// The part of an entry that contains a string.
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

/// The source of a server's entry.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ServerEntryOwner {
    #[error("{0}")]
    Program(&'static str),
    #[error("Member {0}")]
    Member(String),
    #[error("its program")]
    Its,
    #[error("Its program")]
    ItsFirst,
}
