//! A process that holds a port.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::messages::HeldAdvice;

/// A process that listens on a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortOwner {
    /// Its id, where it can be seen.
    pub pid: Option<u32>,
    /// Its program, where it can be seen; at most 64 characters.
    pub program: Option<String>,
    /// Its user's name, or else number.
    pub user: String,
    /// Where it comes from.
    pub origin: ProcessOrigin,
}

/// Where a process comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessOrigin {
    /// Guild Hall has nothing to do with it.
    Foreign,
    /// It is this Guild Hall's own process, whose gateway has that port.
    GuildHall,
    /// This Guild Hall started it, for another member.
    OtherMember,
    /// An earlier run of Guild Hall started it, or another Guild Hall did.
    EarlierRun,
}

impl PortOwner {
    /// Returns advice for a held port.
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

/// As what a hall runs that others can reach.
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
    /// The program as a person knows it.
    pub fn words(self) -> &'static str {
        match self {
            Self::App => "the desktop app",
            Self::Serve => "`guildhall serve`",
            Self::Dev => "`guildhall dev`",
        }
    }
}
