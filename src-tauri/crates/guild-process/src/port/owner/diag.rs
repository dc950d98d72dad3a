//! Queries the kernel for listening sockets (Linux, `sock_diag`). The tables in `/proc` also
//! contain all connections, so reading a table takes milliseconds.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::net::netlink::{SOCK_DIAG, SocketAddrNetlink};
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with,
};

use super::table::ListeningSocket;

/// Timeout of an answer from the kernel, which normally comes at once.
const LIMIT: Duration = Duration::from_millis(200);
/// Limit of the sockets in one answer.
const SOCKETS_MAX: usize = 10_000;
/// Buffer size of one read, in bytes. The kernel sends 8 to 32 KiB at a time.
const PART_BYTES: usize = 64 * 1024;

/// Protocol constants from `linux/netlink.h`, `linux/sock_diag.h` and `linux/inet_diag.h`.
const HEADER_BYTES: usize = 16;
const REQUEST_BYTES: usize = 72;
const SOCKET_BYTES: usize = 72;
const SOCK_DIAG_BY_FAMILY: u16 = 20;
const REQUEST_DUMP: u16 = 0x301;
const REQUEST_ONE: u16 = 0x001;
const ERROR: u16 = 2;
const DONE: u16 = 3;
const TCP: u8 = 6;
const LISTENS: u8 = 10;
const IPV4: u8 = 2;
const IPV6: u8 = 10;

/// A socket on which the kernel answers queries.
struct KernelSocket(OwnedFd);

impl KernelSocket {
    fn open() -> io::Result<Self> {
        let (family, kind) = (AddressFamily::NETLINK, SocketType::DGRAM);
        let socket = socket_with(family, kind, SocketFlags::CLOEXEC, Some(SOCK_DIAG))?;
        set_socket_timeout(&socket, Timeout::Recv, Some(LIMIT))?;
        Ok(Self(socket))
    }

    fn send(&self, request: &[u8]) -> io::Result<()> {
        let kernel = SocketAddrNetlink::new(0, 0);
        sendto(&self.0, request, SendFlags::empty(), &kernel)?;
        Ok(())
    }

    fn receive<'p>(&self, part: &'p mut [u8]) -> io::Result<&'p [u8]> {
        let (_, length) = recv(&self.0, &mut *part, RecvFlags::empty())?;
        Ok(&part[..length.min(part.len())])
    }
}

/// Returns all sockets that listen on a port.
///
/// # Errors
/// When the kernel does not support the query, or a sandbox blocks it.
pub(super) fn listeners(port: u16) -> io::Result<Vec<ListeningSocket>> {
    let socket = KernelSocket::open()?;
    let mut found = Vec::new();
    let mut part = vec![0; PART_BYTES];
    for family in [IPV4, IPV6] {
        socket.send(&request(family, port))?;
        let mut more = true;
        while more && found.len() < SOCKETS_MAX {
            more = read(socket.receive(&mut part)?, port, &mut found)?;
        }
    }
    Ok(found)
}

/// Returns the user who owns a connection's socket. The local and the remote address identify the
/// socket.
///
/// # Errors
/// When the socket does not exist, the kernel does not support the query, or a sandbox blocks it.
pub(super) fn user_of(own: SocketAddr, far: SocketAddr) -> io::Result<u32> {
    let socket = KernelSocket::open()?;
    let family = if own.is_ipv4() { IPV4 } else { IPV6 };
    let mut bytes = request(family, own.port());
    bytes[6..8].copy_from_slice(&REQUEST_ONE.to_ne_bytes());
    bytes[20..24].copy_from_slice(&u32::MAX.to_ne_bytes());
    bytes[26..28].copy_from_slice(&far.port().to_be_bytes());
    for (at, address) in [(28, own.ip()), (44, far.ip())] {
        match address {
            IpAddr::V4(address) => bytes[at..at + 4].copy_from_slice(&address.octets()),
            IpAddr::V6(address) => bytes[at..at + 16].copy_from_slice(&address.octets()),
        }
    }
    // Matches any cookie.
    bytes[64..72].copy_from_slice(&[0xFF; 8]);
    socket.send(&bytes)?;
    let mut part = [0; 1_024];
    let answer = socket.receive(&mut part)?;
    let absent = || io::Error::from(io::ErrorKind::NotFound);
    let (header, rest) = answer
        .split_first_chunk::<HEADER_BYTES>()
        .ok_or_else(absent)?;
    let is_answer = u16::from_ne_bytes([header[4], header[5]]) == SOCK_DIAG_BY_FAMILY;
    let (found, _) = rest
        .split_first_chunk::<SOCKET_BYTES>()
        .filter(|_| is_answer)
        .ok_or_else(absent)?;
    Ok(word(found, 64))
}

fn request(family: u8, port: u16) -> [u8; REQUEST_BYTES] {
    let mut bytes = [0; REQUEST_BYTES];
    bytes[..4].copy_from_slice(&(REQUEST_BYTES as u32).to_ne_bytes());
    bytes[4..6].copy_from_slice(&SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    bytes[6..8].copy_from_slice(&REQUEST_DUMP.to_ne_bytes());
    bytes[16] = family;
    bytes[17] = TCP;
    bytes[20..24].copy_from_slice(&(1_u32 << LISTENS).to_ne_bytes());
    bytes[24..26].copy_from_slice(&port.to_be_bytes());
    bytes
}

/// Parses a part of an answer into `found`. Returns whether more parts follow.
fn read(mut part: &[u8], port: u16, found: &mut Vec<ListeningSocket>) -> io::Result<bool> {
    while let Some((header, rest)) = part.split_first_chunk::<HEADER_BYTES>() {
        let length = word(header, 0) as usize;
        match u16::from_ne_bytes([header[4], header[5]]) {
            DONE => return Ok(false),
            ERROR => return Err(io::Error::other("the kernel lists no sockets")),
            SOCK_DIAG_BY_FAMILY => {
                if let Some((socket, _)) = rest.split_first_chunk::<SOCKET_BYTES>() {
                    found.extend(listener(socket, port));
                }
            }
            _ => {}
        }
        // Messages are aligned to four bytes.
        let next = length.next_multiple_of(4).max(HEADER_BYTES);
        part = part.get(next..).unwrap_or_default();
    }
    Ok(true)
}

fn listener(socket: &[u8; SOCKET_BYTES], port: u16) -> Option<ListeningSocket> {
    if u16::from_be_bytes([socket[4], socket[5]]) != port || socket[1] != LISTENS {
        return None;
    }
    let address: [u8; 16] = socket[8..24].try_into().ok()?;
    let address: IpAddr = match socket[0] {
        IPV4 => Ipv4Addr::new(address[0], address[1], address[2], address[3]).into(),
        IPV6 => Ipv6Addr::from(address).into(),
        _ => return None,
    };
    Some(ListeningSocket {
        address,
        uid: word(socket, 64),
        inode: word(socket, 68).into(),
    })
}

fn word(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_ne_bytes(word)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn the_kernel_and_its_tables_say_the_same() {
        let held = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = held.local_addr().expect("an address").port();
        let beside = TcpListener::bind((Ipv6Addr::LOCALHOST, port));
        let found = listeners(port).expect("the kernel answers");
        assert_eq!(found, super::super::table::from_files(port));
        assert_eq!(found.len(), 1 + usize::from(beside.is_ok()));
        assert_eq!(found[0].address, IpAddr::V4(Ipv4Addr::LOCALHOST));
        drop((held, beside));
        assert_eq!(listeners(port).expect("the kernel answers"), []);
    }

    #[test]
    fn user_of_a_connection_is_this_one() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let near = listener.local_addr().expect("an address");
        let client = std::net::TcpStream::connect(near).expect("connected");
        let far = client.local_addr().expect("an address");
        let user = user_of(far, near).expect("the kernel answers");
        assert_eq!(user, rustix::process::geteuid().as_raw());
        let unused = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        assert!(user_of(unused, near).is_err(), "no such connection");
    }

    #[test]
    fn an_answer_that_is_cut_off_or_makes_no_sense_ends() {
        let mut found = Vec::new();
        for part in [&[][..], &[0; 15], &[0; 16], &[0xFF; 100]] {
            assert!(read(part, 1, &mut found).expect("no error"));
        }
        assert_eq!(found, []);
    }
}
