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

use std::net::{IpAddr, SocketAddr};

pub use guild_core::holder::{Holder, Origin};

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

/// The ports that a process and its descendants listen on, lowest first; none where the system does
/// not tell. Blocking, for a few milliseconds.
pub fn ports_of(leader: u32) -> Vec<u16> {
    #[cfg(target_os = "linux")]
    return linux::ports_of(leader);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = leader;
        Vec::new()
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

/// The user whose process opened a connection from `peer` to `near` on this machine, where that is
/// another user than this process's; `None` where the system doesn't report it. Blocking, for
/// microseconds.
pub fn foreign_user(peer: SocketAddr, near: SocketAddr) -> Option<u32> {
    #[cfg(target_os = "linux")]
    {
        let own = rustix::process::geteuid().as_raw();
        diag::user_of(peer, near).ok().filter(|user| *user != own)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (peer, near);
        None
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
