//! Determines by binding whether a port is used, and whether other machines can reach the process
//! that listens on it.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use socket2::{Domain, Protocol, Socket, Type};

/// The machines that can reach a member's port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exposure {
    /// Only this machine can reach the port, as required (REQ-MCP-HTTP-30).
    Loopback,
    /// Other machines can reach the port too. The address is the one on which the member listens.
    /// It may be the wildcard address.
    Beyond(IpAddr),
}

/// The result of binding one address.
enum Bind {
    Done,
    Taken,
    /// This machine does not have the address.
    Absent,
}

/// Whether a server could bind `port` now.
///
/// All four addresses are tried, because systems differ in whether a listener on the wildcard
/// address conflicts with one on the loopback address. The probe only binds and never listens, so
/// no firewall shows a question and no client can connect.
pub(super) fn is_bindable(port: u16) -> io::Result<bool> {
    let addresses: [IpAddr; 4] = [
        Ipv4Addr::LOCALHOST.into(),
        Ipv4Addr::UNSPECIFIED.into(),
        Ipv6Addr::LOCALHOST.into(),
        Ipv6Addr::UNSPECIFIED.into(),
    ];
    for address in addresses {
        match bind(SocketAddr::new(address, port))? {
            Bind::Taken => return Ok(false),
            Bind::Absent if address.is_ipv4() => return Ok(false),
            Bind::Absent | Bind::Done => {}
        }
    }
    Ok(true)
}

/// Returns which machines can reach the listener on `port`. Call this while the member listens.
/// This function neither sends data nor connects. On systems other than Linux, only IPv4 is
/// checked.
///
/// # Errors
/// When the system can't create a socket.
pub fn exposure(port: u16) -> io::Result<Exposure> {
    #[cfg(target_os = "linux")]
    if let Some(address) = super::owner::reachable_at(port) {
        return Ok(Exposure::Beyond(address));
    }
    // On Linux, all of 127.0.0.0/8 is the loopback, so binding a neighbor of 127.0.0.1 fails only
    // if a listener uses the wildcard address. On other systems, the neighbor does not exist, and
    // the wildcard address can be bound next to a listener on 127.0.0.1.
    let neighbor = Ipv4Addr::new(127, 86, 71, 72);
    let verdict = match bind(SocketAddr::new(neighbor.into(), port))? {
        Bind::Absent => bind(SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), port))?,
        verdict => verdict,
    };
    Ok(match verdict {
        Bind::Taken => Exposure::Beyond(Ipv4Addr::UNSPECIFIED.into()),
        Bind::Done | Bind::Absent => Exposure::Loopback,
    })
}

fn bind(address: SocketAddr) -> io::Result<Bind> {
    let socket = match Socket::new(
        Domain::for_address(address),
        Type::STREAM,
        Some(Protocol::TCP),
    ) {
        Ok(socket) => socket,
        // A system without IPv6 can't create the socket.
        Err(_) if address.is_ipv6() => return Ok(Bind::Absent),
        Err(error) => return Err(error),
    };
    if address.is_ipv6() {
        socket.set_only_v6(true)?;
    }
    // On Unix, this option ignores connections that a server has just closed (TIME_WAIT). They
    // don't prevent the next server from binding either. A listening socket still conflicts. The
    // option is not set on Windows, where it would take over a listener's port, and where closed
    // connections don't conflict anyway.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    match socket.bind(&address.into()) {
        Ok(()) => Ok(Bind::Done),
        Err(error) if error.kind() == io::ErrorKind::AddrNotAvailable => Ok(Bind::Absent),
        Err(error) => match error.kind() {
            // Windows returns this error for a reserved port.
            io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied => Ok(Bind::Taken),
            _ => Err(error),
        },
    }
}
