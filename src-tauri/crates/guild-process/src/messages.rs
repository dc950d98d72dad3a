//! Messages about processes, in one enum per subject.

#![expect(missing_docs, reason = "the messages document the variants")]

use std::path::PathBuf;
use std::time::Duration;

use guild_text::messages::seconds;
use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// An error of starting a process or of finding a port.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ProcessTrouble {
    #[error("The command `{0}` was not found. {1}")]
    #[diagnostic(help("{2}"))]
    NotFound(String, SearchedFolders, String),
    #[error("The command `{0}` was not found. {1}")]
    #[diagnostic(help(
        "Put only the program into \"command\", and its arguments and variables into their own fields: {2}"
    ))]
    CommandLine(String, SearchedFolders, String),
    #[error("The command `{0}` can't be run: {1} {2}.")]
    #[diagnostic(help("Make it executable: `chmod +x {path}`.", path = .1.display()))]
    NotExecutable(String, PathBuf, NotRunnable),
    #[error("The command `{0}` can't be run: {1} {2}.")]
    #[diagnostic(help("Set \"command\" in plugin.json to the path of the program."))]
    NoProgram(String, PathBuf, NotRunnable),
    #[error("The working directory {0} does not exist or is not a folder.")]
    #[diagnostic(help(
        "Create the folder, or fix \"cwd\" in plugin.json (default: the member's folder)."
    ))]
    NoWorkingDirectory(PathBuf),
    #[error("The environment variable `{0}` can't be set: {1}.")]
    #[diagnostic(help("Change `env` in plugin.json."))]
    BadVariable(String, VariableFault),
    #[error(
        "The command {0} exists, but its interpreter or loader doesn't (see its first line, `#!`)."
    )]
    #[diagnostic(help(
        "Install the program that the file's first line names, or change that line."
    ))]
    NoInterpreter(PathBuf),
    #[error("The operating system did not start {0}: {1}.")]
    #[diagnostic(help("{2}"))]
    Refused(PathBuf, String, AfterRefusal),
    #[error("{0}")]
    #[diagnostic(help("{1}"))]
    PortsExhausted(String, String),
    #[error("The search for a free port failed: {0}.")]
    #[diagnostic(help("{1}"))]
    PortProbe(String, AfterRefusal),
}

/// The folders that were searched for a program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SearchedFolders {
    #[error("The PATH is empty.")]
    Nowhere,
    #[error("Looked in: {0}.")]
    In(String),
    #[error("Looked in: {0} and {more} more folders.", more = grouped(.1))]
    InMore(String, usize),
}

/// The reason why a file can't be run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotRunnable {
    #[error("is a folder")]
    Folder,
    #[error("is not a regular file")]
    Irregular,
    #[error("is not executable")]
    NotMarked,
    #[error("is in a folder that may not be read")]
    Hidden,
}

/// A problem with an environment variable.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VariableFault {
    #[error("its name is empty")]
    NoName,
    #[error("its name has an invalid character")]
    BadName,
    #[error("its value has a zero character")]
    Zero,
}

/// Advice after the system refused to start a program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AfterRefusal {
    #[error("Shorten `args` or `env` in plugin.json.")]
    Shorten,
    #[error("The system has too many connections: close apps and try again.")]
    CloseOthers,
    #[error("The system has too many processes: close apps and try again.")]
    MakeRoom,
    #[error("Guild Hall has reached its limit of {limit} open files and connections: raise it (`ulimit -n`), or stop members you don't need.", limit = grouped(.0))]
    RaiseLimit(u64),
    #[error("Run the command in a terminal to see the error.")]
    TryByHand,
}

/// The way a process ended.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Ending {
    #[error("exit code {0}")]
    Code(i32),
    #[error("signal {0} ({1})")]
    Named(i32, SignalName),
    #[error("signal {0}")]
    Signal(i32),
    #[error("an unknown exit status")]
    Unseen,
}

/// The meaning of a signal.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SignalName {
    #[error("hangup")]
    Hangup,
    #[error("interrupted")]
    Interrupted,
    #[error("quit")]
    Quit,
    #[error("illegal instruction")]
    Illegal,
    #[error("aborted")]
    Aborted,
    #[error("arithmetic error")]
    Arithmetic,
    #[error("killed")]
    Killed,
    #[error("segmentation fault")]
    Segmentation,
    #[error("broken pipe")]
    Pipe,
    #[error("alarm")]
    Alarm,
    #[error("terminated")]
    Terminated,
}

/// The reason why a command gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unanswered {
    #[error("{0}")]
    NotStarted(String),
    #[error("No answer came within {limit} s.", limit = seconds(.0))]
    TimeLimit(Duration),
    #[error("It wrote more than {most} bytes.", most = grouped(.0))]
    TooLong(usize),
    #[error("Its answer could not be read: {0}.")]
    Unreadable(String),
}

#[cfg(test)]
mod tests;
