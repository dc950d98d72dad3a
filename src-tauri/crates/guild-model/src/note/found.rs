//! Notes on servers of other programs or from pasted text, and errors of them.

use guild_text::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

use super::UrlWrong;

/// A difference between a server in another program and a member, or another note.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FoundNote {
    #[error("{0} calls its tools without asking; for a member, your permissions decide.")]
    Unasked(Whose),
    #[error("{0} offers only some of its tools (`{1}`); a member offers all of them.")]
    SomeTools(Whose, &'static str),
    #[error(
        "Only {0} reads its `envFile`; put the variables that it needs into the member's `env`."
    )]
    EnvFile(Whose),
    #[error("The variables of {0} are saved as secrets of the member ({count}). Later changes of the file have no effect.", count = grouped(.1))]
    EnvFileRead(PathBuf, usize),
    #[error(
        "Its variables are in {1}, which can't be read: {2}. A member lacks them, so {0} keeps this entry until the file can be read."
    )]
    EnvFileUnread(Whose, PathBuf, String),
    #[error("{0} runs the last entry of this name; the one on line {1} has no effect.")]
    StandsTwice(Whose, usize),
    #[error("A script in its arguments may contain a secret. It isn't changed.")]
    Script,
    #[error(
        "Gemini CLI may use the older SSE transport at this `url`; Guild Hall uses Streamable HTTP."
    )]
    OlderTransport,
    #[error("{0} removes `{1}` from its environment; a member keeps it.")]
    TakenOut(Whose, String),
    #[error("Not supported by a member: {0}.")]
    Leftovers(String),
    #[error("Not supported by a member: {0} and {more} more.", more = grouped(.1))]
    ManyLeftovers(String, usize),
    #[error("Without `-i` the container receives no requests.")]
    Deaf,
    #[error("{0} doesn't exist. Docker would create a folder; a member needs it before it starts.")]
    SourceMissing(String),
    #[error("{0} don't exist. Docker would create a folder; a member needs them before it starts.")]
    SourcesMissing(String),
    #[error("Left out, {0}.")]
    LeftOut(String),
}

/// The owner of a server's entry.
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

/// The description of a value that the user has to give.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InputNote {
    #[error("{0}")]
    OfFile(String),
    #[error("Replaces the placeholder {0}.")]
    InPlace(String),
    #[error("{0}: replaces the placeholder {1}.")]
    InPlaceOf(String, String),
    #[error("The working directory.")]
    WorkFolder,
    #[error("Not set in the environment.")]
    NotSet,
    #[error("Not set in the environment; left out if empty.")]
    NotGiven,
}

/// An error in another program's file or in pasted text.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum FoundTrouble {
    #[error("{0}:{1}: {2}: {3}.")]
    #[diagnostic(help("Fix the entry, or write a plugin.json by hand."))]
    Unusable(String, usize, String, RunWrong),
    #[error("{0} can't be read: {1}.")]
    #[diagnostic(help("Fix the file. Guild Hall reads it again when it changes."))]
    Unreadable(PathBuf, String),
    #[error("{0} was only partly read: {1}.")]
    #[diagnostic(help("Remove unused entries. Guild Hall reads the file again when it changes."))]
    Cut(PathBuf, FileWrong),
    #[error("{0} can't be read: {1}.")]
    #[diagnostic(help("{2}"))]
    Unread(BroughtKind, String, String),
}

/// The thing a person added, as the start of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BroughtKind {
    #[error("The text")]
    Text,
    #[error("The command")]
    Command,
    #[error("{0}")]
    File(String),
}

/// The reason why a file is not read, or not to its end.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileWrong {
    #[error("it did not answer within {seconds} s", seconds = grouped(.0))]
    Slow(u64),
    #[error("it is not UTF-8 text")]
    NotUtf8,
    #[error("it is not a full path")]
    NotWhole,
    #[error("only the first {most} servers are read", most = grouped(.0))]
    ManyServers(usize),
    #[error("it has more than {most} variables", most = grouped(.0))]
    ManyVariables(usize),
    #[error("only the first {most} projects are read", most = grouped(.0))]
    ManyProjects(usize),
}

/// Advice for a thing a person added.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BroughtAdvice {
    #[error("Try again.")]
    Again,
    #[error("Enter the full path of the file.")]
    WholePath,
    #[error("Check that it exists and that you may read it.")]
    Look,
    #[error("A configuration file is JSON, TOML or YAML.")]
    Formats,
    #[error("Copy it to this machine's disk.")]
    Copy,
}

/// The reason why a member can't run an entry.
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
    Reference(String, Whose),
    #[error("{0} has more than {most} bytes", most = grouped(.1))]
    TooLong(RunPlace, usize),
    #[error("{0} has a NUL character")]
    Nul(RunPlace),
    #[error("{0} has a `$` right before a reference")]
    Dollar(RunPlace),
    #[error("{0} has a name that isn't allowed")]
    OddVariable(RunPlace),
    #[error("{0} has an invalid header name")]
    OddHeader(RunPlace),
    #[error("{0} has a line break")]
    LineEnd(RunPlace),
    #[error("{0} {1}")]
    Url(RunPlace, UrlWrong),
    #[error("{0} has no answer")]
    NoAnswer(String),
}

/// The place of a string in an entry.
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
