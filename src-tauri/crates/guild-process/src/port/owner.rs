//! Determines which process listens on a port: the member's own or another program's.
//!
//! On Linux, this reads the kernel's tables, which takes about a millisecond if the member itself
//! listens. On macOS, this runs `lsof`, which is untested. On Windows, the owner is always unknown.

#[cfg(target_os = "linux")]
mod diag;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(target_os = "linux")]
mod table;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

pub use guild_model::holder::{PortOwner, ProcessOrigin};
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(target_os = "macos")]
use macos as system;

/// The owner of a listening socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PortOwnership {
    /// The member's own processes.
    Own,
    /// A program that does not belong to the member.
    Stranger(PortOwner),
    /// No process listens, or the system does not report which one does.
    Unknown,
}

/// Returns the owner of the socket that would receive a connection to `port` at `host`. `leader` is
/// the member's first process. If the member itself listens, this blocks for a millisecond.
/// Otherwise it blocks for a scan of all processes.
pub fn owner(port: u16, host: IpAddr, leader: u32) -> PortOwnership {
    system::owner(port, host, Some(leader))
}

/// Returns the ports on which a process and its descendants listen, lowest first. Empty if the
/// system does not report them. Blocks for a few milliseconds.
pub fn ports_of(leader: u32) -> Vec<u16> {
    system::ports_of(leader)
}

/// Returns the program that listens on a loopback port, if it can be found. Blocks like [`owner`].
pub fn holder(port: u16) -> Option<PortOwner> {
    match system::owner(port, Ipv4Addr::LOCALHOST.into(), None) {
        PortOwnership::Stranger(holder) => Some(holder),
        PortOwnership::Own | PortOwnership::Unknown => None,
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod system {
    pub(super) fn owner(
        _port: u16,
        _host: super::IpAddr,
        _leader: Option<u32>,
    ) -> super::PortOwnership {
        super::PortOwnership::Unknown
    }

    pub(super) fn ports_of(_leader: u32) -> Vec<u16> {
        Vec::new()
    }
}

/// Returns the id of the user whose process opened a local connection from `peer` to `near`. `None`
/// if that is the user of this process, or if the system does not report it. Blocks for
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

/// Returns an address other than the loopback at which a process listens on `port`. `None` if there
/// is none, or if the system does not report it.
#[cfg(target_os = "linux")]
pub(super) fn reachable_at(port: u16) -> Option<IpAddr> {
    let listeners = table::listeners(port);
    let mut addresses = listeners.iter().map(|listener| listener.address);
    addresses.find(|address| !table::is_loopback(*address))
}

/// Returns a program's name for display.
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

/// Returns a user's name from the system's list, or the number.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn user_name(uid: u32) -> String {
    // `getpwuid` is not used, because it may query a server on the network without a time limit.
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
