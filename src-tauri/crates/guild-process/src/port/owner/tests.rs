use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::*;

const HOST: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A process that inherits a listening socket of the test, and is ended with the test.
struct Heir(Child);

impl Heir {
    /// Passes the socket to `command` as its stdin, the only file that is inherited.
    fn of(listener: TcpListener, command: &mut Command) -> Self {
        let child = command
            .stdin(Stdio::from(std::os::fd::OwnedFd::from(listener)))
            .stdout(Stdio::null())
            .spawn();
        Self(child.expect("a process"))
    }

    fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Heir {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn listener() -> (TcpListener, u16) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    (listener, port)
}

#[test]
fn ports_of_a_process_are_found() {
    let (listener, port) = listener();
    let heir = Heir::of(listener, Command::new("sleep").arg("60"));
    assert_eq!(ports_of(heir.pid()), [port]);
    assert_eq!(ports_of(u32::MAX), [0; 0]);
}

#[test]
fn a_listener_is_told_from_everybody_elses() {
    let (listener, port) = listener();
    let heir = Heir::of(listener, Command::new("sleep").arg("60"));
    assert_eq!(owner(port, HOST, heir.pid()), PortOwnership::Own);
    // For a leader that is another process, the listener counts as a stranger and is named.
    let mut other = Command::new("sleep").arg("60").spawn().expect("a process");
    let PortOwnership::Stranger(holder) = owner(port, HOST, other.id()) else {
        panic!("the socket is not that process's");
    };
    other.kill().expect("ours");
    other.wait().expect("ours");
    assert_eq!(holder.pid, Some(heir.pid()));
    assert_eq!(holder.program.as_deref(), Some("sleep"));
    assert_eq!(
        holder.origin,
        ProcessOrigin::OtherMember,
        "it descends from us"
    );
    assert!(
        holder.to_string().starts_with("sleep (process "),
        "{holder}"
    );
    assert!(!holder.advice().to_string().is_empty());
    let seen = super::holder(port).expect("somebody listens");
    assert_eq!(seen, holder);
}

#[test]
fn a_listener_of_a_descendant_is_the_members_own() {
    let (listener, port) = listener();
    // The shell passes the socket to its child and then closes it.
    let script = "sleep 60 <&3 3<&- & exec 3<&-; wait";
    let heir = Heir::of(
        listener,
        Command::new("sh").args(["-c", &format!("exec 3<&0 </dev/null; {script}")]),
    );
    let until = Instant::now() + Duration::from_secs(60);
    let child = loop {
        let child = super::holder(port).and_then(|holder| holder.pid);
        match child.filter(|&child| child != heir.pid()) {
            Some(child) => break child,
            None => assert!(Instant::now() < until, "the child has the socket alone"),
        }
        std::thread::yield_now();
    };
    let seen = owner(port, HOST, heir.pid());
    let ended = Command::new("kill").arg(child.to_string()).status();
    assert_eq!(seen, PortOwnership::Own);
    assert!(ended.expect("kill runs").success());
}

#[test]
fn nobody_listens_and_nobody_is_suspected() {
    let (listener, port) = listener();
    drop(listener);
    assert_eq!(
        owner(port, HOST, std::process::id()),
        PortOwnership::Unknown
    );
    assert_eq!(super::holder(port), None);
}

#[test]
fn the_members_own_port_is_looked_at_within_five_milliseconds() {
    let (listener, port) = listener();
    let heir = Heir::of(listener, Command::new("sleep").arg("60"));
    let mut times: Vec<Duration> = (0..21)
        .map(|_| {
            let begun = Instant::now();
            assert_eq!(owner(port, HOST, heir.pid()), PortOwnership::Own);
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("median {:?}, worst {:?}", times[10], times[20]);
    assert!(times[10] < Duration::from_millis(5), "{times:?}");
}

#[test]
fn users_are_named() {
    assert_eq!(user_name(0), "root");
    assert_eq!(user_name(u32::MAX - 7), (u32::MAX - 7).to_string());
}
