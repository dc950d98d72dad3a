//! Whose process listens on a port: the member's own, or somebody else's.
//!
//! Linux is asked by its own tables, in about a millisecond where the member itself listens. On
//! macOS `lsof` is asked, which was not run; on Windows nothing is asked, and nobody is suspected.

#[cfg(target_os = "linux")]
mod diag;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(target_os = "linux")]
mod table;

use std::fmt;
use std::net::IpAddr;

/// Who listens where a member should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// The member's own processes.
    Own,
    /// Somebody else.
    Stranger(Holder),
    /// Nobody does, or the system does not tell.
    Unknown,
}

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

/// Who would answer a connection to `port` at `host`, seen from the member whose first process is
/// `leader`. Blocking, for a millisecond where it is the member itself; where it is not, as long as
/// it takes to look at all processes.
pub fn owner(port: u16, host: IpAddr, leader: u32) -> Owner {
    #[cfg(target_os = "linux")]
    return linux::owner(port, host, Some(leader));
    #[cfg(target_os = "macos")]
    return macos::owner(port, host, Some(leader));
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    {
        let _ = (port, host, leader);
        Owner::Unknown
    }
}

/// Who listens on `port` of the loopback, if anybody can be found. Blocking, as [`owner`].
pub fn holder(port: u16) -> Option<Holder> {
    let host = IpAddr::from([127, 0, 0, 1]);
    #[cfg(target_os = "linux")]
    let found = linux::owner(port, host, None);
    #[cfg(target_os = "macos")]
    let found = macos::owner(port, host, None);
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    let found = {
        let _ = (port, host);
        Owner::Unknown
    };
    match found {
        Owner::Stranger(holder) => Some(holder),
        Owner::Own | Owner::Unknown => None,
    }
}

/// The addresses beyond the loopback that are listened on at `port`, as far as the system tells.
#[cfg(target_os = "linux")]
pub(super) fn reachable_at(port: u16) -> Option<IpAddr> {
    let listeners = table::listeners(port);
    let mut addresses = listeners.iter().map(|listener| listener.address);
    addresses.find(|address| !table::is_loopback(*address))
}

/// A program's name as it is shown.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn shown(name: &str) -> Option<String> {
    let name: String = name
        .trim()
        .chars()
        .map(|c| if c.is_control() { '\u{FFFD}' } else { c })
        .take(64)
        .collect();
    (!name.is_empty()).then_some(name)
}

/// A user's name in the system's own list, else the number.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn user_name(uid: u32) -> String {
    const BYTES_MAX: u64 = 1 << 20;
    let read = || {
        use std::io::Read;
        let mut text = String::new();
        let file = std::fs::File::open("/etc/passwd").ok()?;
        file.take(BYTES_MAX).read_to_string(&mut text).ok()?;
        let found = text.lines().find_map(|line| {
            let mut fields = line.split(':');
            let name = fields.next()?;
            (fields.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
        });
        shown(&found?)
    };
    read().unwrap_or_else(|| uid.to_string())
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
