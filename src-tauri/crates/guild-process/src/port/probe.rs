//! Finding out by binding whether a port is taken, and how far a listener can be reached.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use socket2::{Domain, Protocol, Socket, Type};

/// From where a member's port can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exposure {
    /// From this machine only, as it should be (REQ-MCP-HTTP-30).
    Loopback,
    /// From other machines too: it listens on this address, which may stand for all.
    Beyond(IpAddr),
}

/// What a try to bind one address says.
enum Bind {
    Done,
    Taken,
    /// This machine has no such address.
    Absent,
}

/// Whether a server could bind `port` now.
///
/// All four addresses are tried, because systems differ in whether a listener on all addresses and
/// one on the loopback address are in each other's way. Nothing ever listens here, so that no
/// firewall asks and nobody connects to a probe.
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

/// From where the listener on `port` can be reached; call it while the member listens. Nothing is
/// sent and nobody is connected to. Where the system has no table of its listeners, as Linux has,
/// this goes as far as IPv4.
///
/// # Errors
/// When the system gives no socket.
pub fn exposure(port: u16) -> io::Result<Exposure> {
    #[cfg(target_os = "linux")]
    if let Some(address) = super::owner::reachable_at(port) {
        return Ok(Exposure::Beyond(address));
    }
    // On Linux the whole of 127.0.0.0/8 is the loopback: a neighbour of 127.0.0.1 is only taken by
    // who listens on all addresses. Elsewhere the neighbour is absent, and all addresses may be
    // bound beside a listener on 127.0.0.1 alone.
    let neighbour = Ipv4Addr::new(127, 86, 71, 72);
    let verdict = match bind(SocketAddr::new(neighbour.into(), port))? {
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
        // A system without IPv6 has no socket for it either.
        Err(_) if address.is_ipv6() => return Ok(Bind::Absent),
        Err(error) => return Err(error),
    };
    if address.is_ipv6() {
        socket.set_only_v6(true)?;
    }
    // On Unix this lets the connections that a server has just closed (TIME_WAIT) not count, as
    // they don't for the server to come; a listener is still in the way. On Windows the same option
    // would take the port away from a listener, and closed connections don't count anyway.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    match socket.bind(&address.into()) {
        Ok(()) => Ok(Bind::Done),
        Err(error) if error.kind() == io::ErrorKind::AddrNotAvailable => Ok(Bind::Absent),
        Err(error) => match error.kind() {
            // Windows refuses a port that it keeps for itself.
            io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied => Ok(Bind::Taken),
            _ => Err(error),
        },
    }
}
