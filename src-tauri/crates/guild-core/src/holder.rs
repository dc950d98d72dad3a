//! A process that holds a port.

use std::fmt;

/// A process that listens on a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// Its id, where it can be seen.
    pub pid: Option<u32>,
    /// Its program, where it can be seen; at most 64 characters.
    pub program: Option<String>,
    /// Its user's name, or else number.
    pub user: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a process comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Guild Hall has nothing to do with it.
    Foreign,
    /// It is this Guild Hall's own process, whose gateway has that port.
    GuildHall,
    /// This Guild Hall started it, for another member.
    OtherMember,
    /// An earlier run of Guild Hall started it, or another Guild Hall did.
    EarlierRun,
}

impl Holder {
    /// What can be done about it.
    pub fn hint(&self) -> String {
        match (self.origin, self.pid) {
            (Origin::GuildHall, _) => {
                "Give the gateway a port outside of 20000 to 30000.".to_owned()
            }
            (Origin::OtherMember, _) => {
                "Have that member listen on ${PORT} instead of a number of its own.".to_owned()
            }
            (Origin::EarlierRun, Some(pid)) => format!(
                "Unless another Guild Hall runs, nobody needs it any more: end it, with `kill {pid}`."
            ),
            (_, Some(pid)) => {
                format!(
                    "End it (`kill {pid}`) if it should not be there, and start the member again."
                )
            }
            (_, None) => "Ask that user to end it, or start the member again.".to_owned(),
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.program, self.pid) {
            (Some(program), Some(pid)) => write!(f, "{program} (process {pid}, ")?,
            (None, Some(pid)) => write!(f, "process {pid} (")?,
            (_, None) => f.write_str("a process that can't be seen (")?,
        }
        write!(f, "user {})", self.user)?;
        match self.origin {
            Origin::Foreign => Ok(()),
            Origin::GuildHall => f.write_str(", which is Guild Hall itself"),
            Origin::OtherMember => f.write_str(", which belongs to another member"),
            Origin::EarlierRun => {
                f.write_str(", started by an earlier run of Guild Hall or by another one that runs")
            }
        }
    }
}
