//! The process that owns a port, and the kinds of programs that run a hall.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::messages::HeldAdvice;

/// A process that listens on a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortOwner {
    /// The process id, if it is visible.
    pub pid: Option<u32>,
    /// The program's name, at most 64 characters, if it is visible.
    pub program: Option<String>,
    /// The name of the process's user, or the user's number.
    pub user: String,
    /// The origin of the process.
    pub origin: ProcessOrigin,
}

/// The origin of a process that holds a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessOrigin {
    /// The process was started neither by this Guild Hall nor by another one.
    Foreign,
    /// The process is this Guild Hall itself, whose gateway uses the port.
    GuildHall,
    /// This Guild Hall started the process for another member.
    OtherMember,
    /// An earlier run of Guild Hall, or another Guild Hall, started the process.
    EarlierRun,
}

impl PortOwner {
    /// Returns advice on how to free a port that another process uses.
    pub fn advice(&self) -> HeldAdvice {
        match (self.origin, self.pid) {
            (ProcessOrigin::GuildHall, _) => HeldAdvice::MoveGateway,
            (ProcessOrigin::OtherMember, _) => HeldAdvice::TakeItsPort,
            (ProcessOrigin::EarlierRun, Some(pid)) => HeldAdvice::EndWhatWasLeft(pid),
            (_, Some(pid)) => HeldAdvice::EndIt(pid),
            (_, None) => HeldAdvice::AskItsUser,
        }
    }
}

impl fmt::Display for PortOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.program, self.pid) {
            (Some(program), Some(pid)) => write!(f, "{program} (process {pid}, ")?,
            (None, Some(pid)) => write!(f, "process {pid} (")?,
            (_, None) => f.write_str("a process that can't be seen (")?,
        }
        write!(f, "user {})", self.user)?;
        match self.origin {
            ProcessOrigin::Foreign => Ok(()),
            ProcessOrigin::GuildHall => f.write_str(", which is Guild Hall itself"),
            ProcessOrigin::OtherMember => f.write_str(", which belongs to another member"),
            ProcessOrigin::EarlierRun => {
                f.write_str(", started by an earlier run of Guild Hall or by another one that runs")
            }
        }
    }
}

/// The kind of a program that runs a hall and that other programs can reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HallRole {
    /// The desktop app, with a window.
    App,
    /// `guildhall serve`.
    Serve,
    /// `guildhall dev`.
    Dev,
}

impl HallRole {
    /// Returns the program's name for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::App => "the desktop app",
            Self::Serve => "`guildhall serve`",
            Self::Dev => "`guildhall dev`",
        }
    }
}
