use std::collections::BTreeSet;
use std::io::Read;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU16, Ordering};

use guild_model::Code;
use socket2::{Domain, Socket, Type};

use super::*;

fn member(name: &str) -> MemberName {
    MemberName::parse(name).expect("a valid name")
}

fn listen(port: u16) -> std::io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
}

/// Occupies `count` consecutive ports, outside the managed range and outside the systems' ranges of
/// ephemeral ports.
fn run_of_ports(count: u16) -> (RangeInclusive<u16>, Vec<TcpListener>) {
    static TURN: AtomicU16 = AtomicU16::new(0);
    let seed = u16::try_from(std::process::id() % 900).expect("small") * 10;
    for _ in 0..900 {
        let turn = TURN.fetch_add(1, Ordering::Relaxed);
        let first = 10_000 + (seed + turn * 10) % 9_000;
        let range = first..=first + count - 1;
        if range
            .clone()
            .all(|port| probe::is_bindable(port).expect("a socket"))
            && let Ok(held) = range.clone().map(listen).collect()
        {
            return (range, held);
        }
    }
    panic!("no {count} neighbouring ports are free");
}

/// Returns a pool of `count` free ports, and the first of them.
fn book_of(count: u16) -> (PortPool, u16) {
    let (range, held) = run_of_ports(count);
    drop(held);
    (PortPool::with_range(range.clone()), *range.start())
}

#[test]
fn req_mcp_http_5_a_port_is_from_20000_to_30000() {
    let lease = PortPool::new()
        .lease(&member("a"), None, &[])
        .expect("a port of ten thousand");
    assert!((20_000..=30_000).contains(&lease.port()));
}

#[test]
fn req_mcp_http_6_with_20000_occupied_it_is_20001() {
    // If another program already uses port 20000, the port is occupied all the same.
    let _held = listen(20_000);
    let others = listen(20_001).is_err();
    let lease = PortPool::new()
        .lease(&member("a"), None, &[])
        .expect("a port of ten thousand");
    if others || lease.port() != 20_001 {
        // If another program holds the first port, the next one is used.
        assert!(lease.port() > 20_001, "20000 is held");
    } else {
        assert_eq!(lease.port(), 20_001);
    }
}

#[test]
fn req_mcp_http_6_the_next_port_is_tried() {
    let (range, mut held) = run_of_ports(4);
    let first = *range.start();
    held.remove(2);
    let book = PortPool::with_range(range);
    let lease = book.lease(&member("a"), None, &[]).expect("one is free");
    assert_eq!(lease.port(), first + 2, "the first two are held");
}

#[test]
fn a_member_gets_the_port_that_it_had() {
    let (book, first) = book_of(4);
    let lease = book
        .lease(&member("a"), Some(first + 3), &[])
        .expect("all are free");
    assert_eq!(lease.port(), first + 3);
    let other = book
        .lease(&member("b"), Some(first + 3), &[])
        .expect("three are free");
    assert_eq!(other.port(), first, "its port is lent, so the lowest");
}

#[test]
fn a_lost_port_is_left_out() {
    let (book, first) = book_of(3);
    let lease = book
        .lease(&member("a"), Some(first + 1), &[first + 1, first])
        .expect("one is left");
    assert_eq!(lease.port(), first + 2);
}

#[test]
fn req_mcp_http_7_exhaustion_says_who_holds_the_ports() {
    let (range, mut held) = run_of_ports(4);
    held.truncate(1);
    let book = PortPool::with_range(range.clone());
    let leases: Vec<_> = ["a", "b", "c"]
        .map(|name| book.lease(&member(name), None, &[]).expect("free"))
        .into();
    let error = book
        .lease(&member("d"), None, &[])
        .expect_err("none is left");
    let (first, last) = (range.start(), range.end());
    assert_eq!(
        error.to_string(),
        format!(
            "All ports from {first} to {last} are taken: 3 by members (a, b, c), \
             1 by other programs."
        )
    );
    assert_eq!(error.code(), Code::PortsExhausted);
    assert!(!error.report().hint.is_empty());
    drop(leases);
    assert!(book.lease(&member("d"), None, &[]).is_ok(), "given back");
}

#[test]
fn req_mcp_http_7_the_whole_range_in_words() {
    let lent = (20_000..).zip(["a", "b", "c"].map(member)).collect();
    let census = PortRangeUsage::of(&RANGE, &lent, &[20_003]);
    assert_eq!(
        ProcessError::PortsExhausted(census).to_string(),
        "All ports from 20000 to 30000 are taken: 3 by members (a, b, c), \
         9,997 by other programs, 1 just lost to them."
    );
}

#[test]
fn req_mcp_http_7_an_error_stays_short_with_many_members() {
    let lent: BTreeMap<_, _> = (20_000..=30_000)
        .map(|port| (port, member(&format!("member-{port}"))))
        .collect();
    let census = PortRangeUsage::of(&RANGE, &lent, &[]);
    let text = ProcessError::PortsExhausted(census).to_string();
    assert!(text.len() < 500, "{text}");
    assert!(text.contains("10,001 by members (member-20000, "), "{text}");
    assert!(
        text.ends_with(" and 9,981 more), 0 by other programs."),
        "{text}"
    );
}

#[test]
fn req_mcp_http_8_parallel_starts_get_own_ports() {
    let (book, _) = book_of(8);
    let leases: Vec<PortLease> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|n| {
                let book = book.clone();
                scope.spawn(move || book.lease(&member(&format!("m{n}")), None, &[]))
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic").expect("eight for eight"))
            .collect()
    });
    let ports: BTreeSet<u16> = leases.iter().map(PortLease::port).collect();
    assert_eq!(ports.len(), 8);
    assert_eq!(book.holders().len(), 8);
}

#[test]
fn req_mcp_http_10_and_11_a_port_is_held_as_long_as_its_lease() {
    let (book, first) = book_of(2);
    let lease = book.lease(&member("a"), None, &[]).expect("free");
    assert!(!book.is_free(first));
    assert!(book.is_free(first + 1));
    assert_eq!(book.holders(), [(first, member("a"))]);
    drop(lease);
    assert!(book.is_free(first));
    assert!(book.holders().is_empty());
}

#[test]
fn req_mcp_http_32_a_port_outside_the_range_is_never_given() {
    let (book, first) = book_of(2);
    for preferred in [0, 80, first - 1, first + 2, u16::MAX] {
        let lease = book.lease(&member("a"), Some(preferred), &[]);
        assert_eq!(lease.expect("free").port(), first, "not {preferred}");
        assert!(!book.is_free(preferred));
    }
}

#[test]
fn req_mcp_http_30_a_listener_on_any_address_takes_the_port() {
    let addresses: [std::net::IpAddr; 4] = [
        Ipv4Addr::LOCALHOST.into(),
        Ipv4Addr::UNSPECIFIED.into(),
        Ipv6Addr::LOCALHOST.into(),
        Ipv6Addr::UNSPECIFIED.into(),
    ];
    for address in addresses {
        for reuse in [false, true] {
            let (book, port) = book_of(1);
            let at = SocketAddr::new(address, port);
            let Ok(socket) = Socket::new(Domain::for_address(at), Type::STREAM, None) else {
                continue; // No IPv6 here.
            };
            socket.set_reuse_address(reuse).expect("an option");
            if socket.bind(&at.into()).is_err() {
                continue; // No such address here.
            }
            socket.listen(1).expect("nobody else listens");
            assert!(!book.is_free(port), "{at} listens, options: {reuse}");
            let refused = book.lease(&member("a"), Some(port), &[]);
            assert!(refused.is_err(), "{at} listens, options: {reuse}");
        }
    }
}

#[test]
fn req_mcp_http_11_port_is_free_after_its_end() {
    let (book, port) = book_of(1);
    let server = listen(port).expect("free");
    let mut client = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    let (connection, _) = server.accept().expect("a client");
    // The side that closes first keeps the TIME_WAIT state.
    drop(connection);
    assert_eq!(client.read(&mut [0]).expect("the end"), 0);
    drop(client);
    drop(server);
    if cfg!(target_os = "linux") {
        let plain = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        let at = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        assert!(
            plain.bind(&at.into()).is_err(),
            "the test is worth something only if the remains are there"
        );
    }
    assert!(book.is_free(port));
    let lease = book.lease(&member("a"), Some(port), &[]).expect("free");
    assert!(listen(lease.port()).is_ok(), "a new server can have it");
}

#[test]
fn req_mcp_http_30_wildcard_listener_is_seen() {
    let (_, port) = book_of(1);
    let server = listen(port).expect("free");
    assert_eq!(exposure(port).expect("a socket"), Exposure::Loopback);
    drop(server);
    let _server = TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)).expect("free");
    let everywhere = Exposure::Beyond(Ipv4Addr::UNSPECIFIED.into());
    assert_eq!(exposure(port).expect("a socket"), everywhere);
}
