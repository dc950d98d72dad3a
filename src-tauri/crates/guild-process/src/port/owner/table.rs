//! Reads the kernel's list of listening sockets (Linux).

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::diag;

/// Limit of the bytes that are read from a table. The listening sockets come first in it.
const TABLE_BYTES: u64 = 8 << 20;
/// The code of the state "listening".
const LISTENS: &str = "0A";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListeningSocket {
    pub(super) address: IpAddr,
    pub(super) uid: u32,
    pub(super) inode: u64,
}

/// Returns all sockets that listen on a port.
pub(super) fn listeners(port: u16) -> Vec<ListeningSocket> {
    diag::listeners(port).unwrap_or_else(|_| from_files(port))
}

/// Returns the sockets that listen on a port, from the tables in `/proc`.
pub(super) fn from_files(port: u16) -> Vec<ListeningSocket> {
    let all = all_listeners().into_iter();
    all.filter(|(at, _)| *at == port)
        .map(|(_, listener)| listener)
        .collect()
}

/// Returns all listening sockets with their ports.
pub(super) fn all_listeners() -> Vec<(u16, ListeningSocket)> {
    let mut found = Vec::new();
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        // On a system without IPv6, the second table does not exist.
        let Ok(file) = File::open(table) else {
            continue;
        };
        let lines = BufReader::new(file.take(TABLE_BYTES)).lines();
        let listening = lines
            .skip(1)
            .map_while(Result::ok)
            .filter_map(|line| parse(&line));
        found.extend(listening);
    }
    found
}

/// Returns the sockets that would receive a connection to `host`: those with the most specific
/// matching address.
pub(super) fn answering(listeners: Vec<ListeningSocket>, host: IpAddr) -> Vec<ListeningSocket> {
    let fit = |listener: &ListeningSocket| match (listener.address, host) {
        (address, host) if address == host => 3,
        (IpAddr::V6(address), IpAddr::V4(host)) if address.to_ipv4_mapped() == Some(host) => 3,
        (IpAddr::V4(address), IpAddr::V4(_)) if address.is_unspecified() => 2,
        (IpAddr::V6(address), IpAddr::V6(_)) if address.is_unspecified() => 2,
        (IpAddr::V6(address), IpAddr::V4(_)) if address.is_unspecified() => 1,
        _ => 0,
    };
    let best = listeners.iter().map(fit).max().unwrap_or(0);
    let mut listeners = listeners;
    listeners.retain(|listener| best > 0 && fit(listener) == best);
    listeners
}

/// Whether an address is reachable from this machine only.
pub(super) fn is_loopback(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback(),
        IpAddr::V6(address) => {
            address.is_loopback() || address.to_ipv4_mapped().is_some_and(|v4| v4.is_loopback())
        }
    }
}

fn parse(line: &str) -> Option<(u16, ListeningSocket)> {
    let mut fields = line.split_ascii_whitespace();
    let (address, port) = fields.nth(1)?.split_once(':')?;
    if fields.nth(1)? != LISTENS {
        return None;
    }
    let uid = fields.nth(3)?.parse().ok()?;
    let inode = fields.nth(1)?.parse().ok()?;
    let listener = ListeningSocket {
        address: parse_address(address)?,
        uid,
        inode,
    };
    Some((u16::from_str_radix(port, 16).ok()?, listener))
}

/// Parses an address in the kernel's format: words of four bytes in native byte order.
fn parse_address(text: &str) -> Option<IpAddr> {
    let mut bytes = [0; 16];
    let words = text.len() / 8;
    if !text.is_ascii() || !matches!(text.len(), 8 | 32) {
        return None;
    }
    for word in 0..words {
        let value = u32::from_str_radix(&text[word * 8..(word + 1) * 8], 16).ok()?;
        bytes[word * 4..(word + 1) * 4].copy_from_slice(&value.to_ne_bytes());
    }
    Some(match words {
        1 => Ipv4Addr::new(bytes[0], bytes[1], bytes[2], bytes[3]).into(),
        _ => Ipv6Addr::from(bytes).into(),
    })
}

#[cfg(all(test, target_endian = "little"))]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_kernels_is_read() {
        let line = "   0: 0100007F:4E20 00000000:0000 0A 00000000:00000000 00:00000000 00000000  \
                    1000        0 1674 1 00000000b09b3536 100 0 0 10 0";
        let listener = ListeningSocket {
            address: Ipv4Addr::LOCALHOST.into(),
            uid: 1_000,
            inode: 1_674,
        };
        assert_eq!(parse(line), Some((20_000, listener)));
        assert_eq!(
            parse(&line.replace(" 0A ", " 01 ")),
            None,
            "it does not listen"
        );
        for line in [
            "",
            "0:",
            "0: 0100007F 0 0A",
            "0: 0100007:4E20 0 0A 0 0 0 0 0 1",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
        let address = parse_address("00000000000000000000000001000000");
        assert_eq!(address, Some(Ipv6Addr::LOCALHOST.into()));
    }

    #[test]
    fn the_address_that_fits_best_answers() {
        let at = |address: &str, inode| ListeningSocket {
            address: address.parse().expect("an address"),
            uid: 0,
            inode,
        };
        let who = |listeners: &[ListeningSocket], host: &str| -> Vec<u64> {
            let host = host.parse().expect("an address");
            let found = answering(listeners.to_vec(), host);
            found.iter().map(|listener| listener.inode).collect()
        };
        let all = [
            at("127.0.0.1", 1),
            at("0.0.0.0", 2),
            at("::", 3),
            at("::1", 4),
            at("192.168.1.5", 5),
        ];
        assert_eq!(who(&all, "127.0.0.1"), [1]);
        assert_eq!(who(&all[1..], "127.0.0.1"), [2]);
        assert_eq!(who(&all[2..], "127.0.0.1"), [3]);
        assert_eq!(who(&all[3..], "127.0.0.1"), [0; 0]);
        assert_eq!(who(&all, "::1"), [4]);
        assert_eq!(who(&all[..3], "::1"), [3]);
        let shared = [at("127.0.0.1", 1), at("127.0.0.1", 2)];
        assert_eq!(who(&shared, "127.0.0.1"), [1, 2], "both may be given it");
    }
}
