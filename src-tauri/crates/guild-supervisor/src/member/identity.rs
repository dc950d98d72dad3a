//! Checks whether the process that answers on a member's port belongs to the member.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::messages::StartError;
use guild_model::{Code, Report};
use guild_process::port::{Exposure, PortOwner, PortOwnership, exposure, holder, owner};

/// Returns the program that answers on a member's port, if it is not the member.
///
/// `host` is the host of an address: `127.0.0.1` or `[::1]`. Returns `None` if the owner is
/// unknown.
pub(super) async fn stranger(port: u16, host: &str, leader: u32) -> Option<PortOwner> {
    let host: IpAddr = match host {
        "[::1]" => Ipv6Addr::LOCALHOST.into(),
        _ => Ipv4Addr::LOCALHOST.into(),
    };
    let looked = tokio::task::spawn_blocking(move || owner(port, host, leader)).await;
    match looked.ok()? {
        PortOwnership::Stranger(holder) => Some(holder),
        PortOwnership::Own | PortOwnership::Unknown => None,
    }
}

/// Returns the program that listens on a port that a member could not get.
pub(super) async fn holder_of(port: u16) -> Option<PortOwner> {
    let looked = tokio::task::spawn_blocking(move || holder(port)).await;
    looked.ok().flatten()
}

/// Returns the non-loopback address at which a port can be reached. `None` if there is none.
pub(super) async fn exposed_at(port: u16) -> Option<IpAddr> {
    let looked = tokio::task::spawn_blocking(move || exposure(port)).await;
    match looked.ok()?.ok()? {
        Exposure::Beyond(address) => Some(address),
        Exposure::Loopback => None,
    }
}

/// Returns the report that a member got the port `to`, because another program uses its last port,
/// `from`.
pub(super) fn moved(from: u16, to: u16, holder: &PortOwner) -> Report {
    let trouble = StartError::Moved(from, to, holder.clone(), holder.advice());
    Report::from_error(Code::PortHeld, &trouble)
}

/// Returns the report that another program answers on the port of a member that is up.
pub(super) fn port_taken(port: u16, holder: &PortOwner) -> Report {
    let trouble = StartError::Usurped(port, holder.clone(), holder.advice());
    Report::from_error(Code::PortHeld, &trouble)
}
