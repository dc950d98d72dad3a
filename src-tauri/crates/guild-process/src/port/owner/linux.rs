//! Finds the process that listens on a port (Linux).

use std::collections::HashSet;
use std::fs;
use std::net::IpAddr;

use rustix::process::geteuid;

use super::table::{ListeningSocket, all_listeners, answering, listeners};
use super::{PortOwner, PortOwnership, ProcessOrigin, shown, user_name};
use crate::process_registry::run::RunId;
use crate::processes::{Stat, run_of};

/// Limit of the inspected processes on the machine.
const PROCESSES_MAX: usize = 20_000;
/// Limit of the inspected files of one process.
const FILES_MAX: usize = 20_000;
/// Limit of the inspected ancestors of a process.
const ANCESTORS_MAX: usize = 64;
/// Programs that publish a container's port. They are not descendants of the command that started
/// the container.
const PUBLISHERS: &[&str] = &[
    "docker-proxy",
    "rootlessport",
    "rootlesskit",
    "slirp4netns",
    "pasta",
    "passt",
    "gvproxy",
    "conmon",
];

pub(super) fn owner(port: u16, host: IpAddr, leader: Option<u32>) -> PortOwnership {
    let answering = answering(listeners(port), host);
    if answering.is_empty() {
        return PortOwnership::Unknown;
    }
    let tree = leader.map(tree).unwrap_or_default();
    let mut all_own = true;
    for listener in &answering {
        let file = format!("socket:[{}]", listener.inode);
        if tree.iter().any(|&pid| holds(pid, &file)) {
            continue;
        }
        match found_elsewhere(port, listener, leader, &tree) {
            PortOwnership::Own => {}
            PortOwnership::Unknown => all_own = false,
            stranger @ PortOwnership::Stranger(_) => return stranger,
        }
    }
    match all_own {
        true => PortOwnership::Own,
        false => PortOwnership::Unknown,
    }
}

/// Returns the ports on which a process and its descendants listen, lowest first.
pub(super) fn ports_of(leader: u32) -> Vec<u16> {
    let tree = tree(leader);
    let sockets: HashSet<u64> = tree.into_iter().flat_map(sockets).collect();
    let listening = all_listeners().into_iter();
    let mut ports: Vec<u16> = listening
        .filter(|(_, listener)| sockets.contains(&listener.inode))
        .map(|(port, _)| port)
        .collect();
    ports.sort_unstable();
    ports.dedup();
    ports
}

/// Returns the inodes of a process's open sockets.
fn sockets(pid: u32) -> Vec<u64> {
    let files = fs::read_dir(format!("/proc/{pid}/fd"));
    let files = files.into_iter().flatten().flatten().take(FILES_MAX);
    files
        .filter_map(|entry| {
            let target = fs::read_link(entry.path()).ok()?;
            let inode = target
                .to_str()?
                .strip_prefix("socket:[")?
                .strip_suffix(']')?;
            inode.parse().ok()
        })
        .collect()
}

/// Returns the owner of a socket that no process of the member's tree has open.
fn found_elsewhere(
    port: u16,
    listener: &ListeningSocket,
    leader: Option<u32>,
    tree: &[u32],
) -> PortOwnership {
    let file = format!("socket:[{}]", listener.inode);
    if let Some(pid) = all_processes().find(|&pid| holds(pid, &file)) {
        let publishes = program(pid).is_some_and(|name| PUBLISHERS.contains(&name.as_str()));
        return if leader.is_some_and(|leader| belongs_to(pid, leader)) {
            PortOwnership::Own
        } else if publishes && leader.is_some() {
            PortOwnership::Unknown
        } else {
            PortOwnership::Stranger(PortOwner {
                pid: Some(pid),
                program: program(pid),
                user: user_name(listener.uid),
                origin: origin(pid),
            })
        };
    }
    let is_gone = !listeners(port).contains(listener);
    // The owner of a closed socket is unknown. In the other cases, the listener may still belong to
    // the member: root publishes the ports of containers, `sudo` starts processes as another user,
    // and some processes of this user can't be inspected.
    let of_tree = tree.iter().any(|&pid| uid(pid) == Some(listener.uid));
    if is_gone || listener.uid == 0 || of_tree || listener.uid == geteuid().as_raw() {
        return PortOwnership::Unknown;
    }
    PortOwnership::Stranger(PortOwner {
        pid: None,
        program: None,
        user: user_name(listener.uid),
        origin: ProcessOrigin::Foreign,
    })
}

/// Returns a process and its descendants.
fn tree(leader: u32) -> Vec<u32> {
    let mut found = vec![leader];
    let mut seen = HashSet::from([leader]);
    let mut next = 0;
    while let Some(&pid) = found.get(next)
        && found.len() < PROCESSES_MAX
    {
        next += 1;
        // Each thread has its own list of children. Nearly always, only the first thread has any.
        let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
            continue;
        };
        for thread in threads.flatten().take(FILES_MAX) {
            let children = fs::read_to_string(thread.path().join("children"));
            let children = children.unwrap_or_default();
            let children = children.split_ascii_whitespace();
            found.extend(
                children
                    .filter_map(|child| child.parse().ok())
                    .filter(|&child| seen.insert(child)),
            );
        }
    }
    found
}

/// Whether a process has a file open. Returns false for other users' processes, because they can't
/// be inspected.
fn holds(pid: u32, file: &str) -> bool {
    let Ok(files) = fs::read_dir(format!("/proc/{pid}/fd")) else {
        return false;
    };
    let mut open = files.flatten().take(FILES_MAX);
    open.any(|entry| fs::read_link(entry.path()).is_ok_and(|target| target.as_os_str() == file))
}

fn all_processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .take(PROCESSES_MAX)
}

/// Whether a process that is not a descendant of `leader` belongs to the same member: it is in the
/// leader's group, or carries the same run id.
fn belongs_to(pid: u32, leader: u32) -> bool {
    if Stat::read(pid).is_some_and(|stat| stat.group == leader) {
        return true;
    }
    let run = run(leader);
    run.is_some() && run == self::run(pid)
}

fn origin(pid: u32) -> ProcessOrigin {
    let own = std::process::id();
    if pid == own {
        return ProcessOrigin::GuildHall;
    }
    let ancestors = std::iter::successors(Some(pid), |&pid| Some(Stat::read(pid)?.parent));
    if ancestors.take(ANCESTORS_MAX).any(|pid| pid == own) {
        ProcessOrigin::OtherMember
    } else if run(pid).is_some() {
        ProcessOrigin::EarlierRun
    } else {
        ProcessOrigin::Foreign
    }
}

fn program(pid: u32) -> Option<String> {
    shown(&fs::read_to_string(format!("/proc/{pid}/comm")).ok()?)
}

fn run(pid: u32) -> Option<RunId> {
    run_of(pid, &mut Vec::new())
}

fn uid(pid: u32) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    Some(fs::metadata(format!("/proc/{pid}")).ok()?.uid())
}
