//! Messages about processes, in one enum per subject.

#![expect(missing_docs, reason = "the messages document the variants")]

use guild_text::number::grouped;
use thiserror::Error;

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

/// The reason that an environment variable can't be set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VariableFault {
    #[error("its name is empty")]
    NoName,
    #[error("its name has an invalid character")]
    BadName,
    #[error("its value has a NUL character")]
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

#[cfg(test)]
mod tests;
