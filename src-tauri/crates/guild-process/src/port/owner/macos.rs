//! Finds the process of a listening socket with `lsof` (macOS). Untested, since no such machine was
//! available.

use std::net::IpAddr;
use std::process::{Command, Stdio};

use super::{PortOwner, PortOwnership, ProcessOrigin, shown, user_name};

const LSOF: &str = "/usr/sbin/lsof";

/// A listening process from the output of `lsof`.
#[derive(Default)]
struct LsofEntry {
    pid: Option<u32>,
    group: Option<u32>,
    parent: Option<u32>,
    uid: Option<u32>,
    program: Option<String>,
}

pub(super) fn owner(port: u16, _host: IpAddr, leader: Option<u32>) -> PortOwnership {
    // With `-F`, `lsof` prints one field per line, after a letter. `p` is the pid and begins a new
    // entry.
    let asked = Command::new(LSOF)
        .args(["-nP", "-a", "-sTCP:LISTEN", "-FpgRuc"])
        .arg(format!("-iTCP:{port}"))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let Ok(asked) = asked else {
        return PortOwnership::Unknown;
    };
    let mut all: Vec<LsofEntry> = Vec::new();
    for line in String::from_utf8_lossy(&asked.stdout).lines() {
        let Some((field, value)) = line.split_at_checked(1) else {
            continue;
        };
        if field == "p" {
            all.push(LsofEntry::default());
        }
        let Some(found) = all.last_mut() else {
            continue;
        };
        match field {
            "p" => found.pid = value.parse().ok(),
            "g" => found.group = value.parse().ok(),
            "R" => found.parent = value.parse().ok(),
            "u" => found.uid = value.parse().ok(),
            "c" => found.program = shown(value),
            _ => {}
        }
    }
    if all.is_empty() {
        return PortOwnership::Unknown;
    }
    let belongs_to = |found: &LsofEntry| {
        leader.is_some() && [found.pid, found.group, found.parent].contains(&leader)
    };
    match all.into_iter().find(|found| !belongs_to(found)) {
        None => PortOwnership::Own,
        Some(found) => PortOwnership::Stranger(PortOwner {
            pid: found.pid,
            program: found.program,
            user: found.uid.map_or_else(|| "unknown".to_owned(), user_name),
            origin: match Some(std::process::id()) {
                own if found.pid == own => ProcessOrigin::GuildHall,
                own if found.parent == own => ProcessOrigin::OtherMember,
                _ => ProcessOrigin::Foreign,
            },
        }),
    }
}

/// Returns no ports, because they are not determined on this system.
pub(super) fn ports_of(_leader: u32) -> Vec<u16> {
    Vec::new()
}
