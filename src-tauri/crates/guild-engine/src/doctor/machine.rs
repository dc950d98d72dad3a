//! Ports, folders and room on the disk.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::Arc;

use guild_core::wire::{Check, Finding, Verdict};
use guild_process::port;

use super::{Knowledge, More, blocking, finding};

/// Fewer free ports than this are worth a warning.
const PORTS_FEW: usize = 100;
/// So many ports of other programs are named.
const HOLDERS_NAMED: usize = 5;
/// With less room than this the history and the logs end soon, in bytes.
const ROOM_LITTLE: u64 = 1 << 30;
/// With less room than this nothing can be relied upon, in bytes.
const ROOM_NONE: u64 = 100 << 20;

pub(super) async fn ports(known: Arc<Knowledge>) -> Vec<Finding> {
    blocking(Check::Ports, "ports", move || {
        let lent = known.ports.holders();
        let is_lent = |port: u16| lent.iter().any(|(lent, _)| *lent == port);
        let (mut free, mut foreign) = (0_usize, Vec::new());
        for port in known.ports.range() {
            if known.ports.is_free(port) {
                free += 1;
            } else if !is_lent(port) {
                foreign.push(port);
            }
        }
        let (first, last) = known.ports.range().into_inner();
        let found = format!(
            "Of the ports {first} to {last}, {free} are free, {} are members', {} are held by \
             other programs.",
            lent.len(),
            foreign.len()
        );
        let holders = foreign.iter().take(HOLDERS_NAMED).map(|&port| {
            let holder = port::holder(port).map(|holder| holder.to_string());
            let holder = holder.unwrap_or_else(|| "a program that can't be seen".to_owned());
            format!("{port}: {holder}")
        });
        let verdict = match free {
            0 => Verdict::Problem,
            few if few < PORTS_FEW.min(known.ports.range().len()) => Verdict::Warning,
            _ => Verdict::Fine,
        };
        let found = finding(Check::Ports, "members", verdict, found).with(holders);
        vec![if verdict == Verdict::Fine {
            found
        } else {
            found.advised("Stop members that are not needed, or programs that use these ports.")
        }]
    })
    .await
}

pub(super) async fn gateway(known: Arc<Knowledge>) -> Vec<Finding> {
    blocking(Check::Ports, "gateway", move || {
        let gateway = &known.gateway;
        let port = gateway.port;
        let of = |verdict, found: String| finding(Check::Ports, "gateway", verdict, found);
        if let Some(address) = &gateway.address {
            return vec![of(Verdict::Fine, format!("Agents reach it at {address}."))];
        }
        if !gateway.enabled {
            return vec![of(Verdict::Note, "It is switched off.".to_owned())];
        }
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok();
        vec![if free {
            of(
                Verdict::Fine,
                format!(
                    "Port {port} is free; the gateway opens with the app or `guildhall serve`."
                ),
            )
        } else {
            match port::holder(port) {
                Some(holder) if is_own(holder.program.as_deref()) => of(
                    Verdict::Fine,
                    format!("Port {port} is held by Guild Hall itself: {holder}."),
                ),
                Some(holder) => of(
                    Verdict::Problem,
                    format!("Port {port} is held by {holder}."),
                )
                .advised("End that program, or choose another port for the gateway."),
                None => of(
                    Verdict::Problem,
                    format!("Port {port} is held by a program that can't be seen."),
                )
                .advised("Choose another port for the gateway."),
            }
        }]
    })
    .await
}

fn is_own(program: Option<&str>) -> bool {
    matches!(program, Some("guildhall" | "guild-hall"))
}

pub(super) async fn folders(known: Arc<Knowledge>) -> Vec<Finding> {
    blocking(Check::Folders, "folders", move || {
        let members = of_folder("members' folder", &known.paths.members_dir);
        // The members' folder may be read-only: their lists are then kept in the data folder.
        let data = of_folder("data folder", &known.paths.data_dir);
        [members, data].into_iter().collect()
    })
    .await
}

fn of_folder(what: &str, folder: &Path) -> Finding {
    let shown = folder.display();
    let of = |verdict, found: String| finding(Check::Folders, what, verdict, found);
    match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return of(Verdict::Problem, format!("{shown} does not exist."))
                .advised("Make it, or name another one.");
        }
        Err(error) => {
            return of(Verdict::Problem, format!("{shown} can't be read: {error}."))
                .advised("Give yourself the right to read it, or name another one.");
        }
        Ok(_) => {}
    }
    // The rights alone do not tell: a disk may be mounted read-only.
    if let Err(error) = tempfile::Builder::new()
        .prefix(".guild-hall-")
        .tempfile_in(folder)
    {
        let found = format!("{shown} can't be written: {error}.");
        return if what == "data folder" {
            of(Verdict::Problem, found)
                .advised("Give yourself the right to write it, or name another one with --data.")
        } else {
            of(Verdict::Note, found)
                .with(["Tool lists are kept in the data folder instead.".to_owned()])
        };
    }
    if others_may_write(folder) {
        return of(
            Verdict::Warning,
            format!("{shown} may be changed by other users, and with it what is run."),
        )
        .advised(format!("Run `chmod go-w '{shown}'`."));
    }
    of(Verdict::Fine, format!("{shown} can be read and written."))
}

#[cfg(unix)]
fn others_may_write(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(folder).is_ok_and(|metadata| metadata.mode() & 0o002 != 0)
}

#[cfg(not(unix))]
fn others_may_write(_folder: &Path) -> bool {
    false
}

pub(super) async fn disk(known: Arc<Knowledge>) -> Vec<Finding> {
    blocking(Check::Disk, "disk", move || {
        let folder = &known.paths.data_dir;
        let of = |verdict, found: String| finding(Check::Disk, "room", verdict, found);
        let Some(room) = room(folder) else {
            return vec![of(
                Verdict::Note,
                "How much room there is was not told.".to_owned(),
            )];
        };
        let found = format!("{} are free for {}.", size(room), folder.display());
        let verdict = match room {
            ..ROOM_NONE => Verdict::Problem,
            ROOM_NONE..ROOM_LITTLE => Verdict::Warning,
            _ => Verdict::Fine,
        };
        let found = of(verdict, found);
        vec![if verdict == Verdict::Fine {
            found
        } else {
            found.advised(
                "Make room: without it no history, no log and no tool list can be written.",
            )
        }]
    })
    .await
}

/// How much room a user has on a folder's disk, in bytes.
#[cfg(unix)]
fn room(folder: &Path) -> Option<u64> {
    // A folder that is not there yet will be where its parents are.
    let known = folder
        .ancestors()
        .find_map(|folder| rustix::fs::statvfs(folder).ok())?;
    known.f_bavail.checked_mul(known.f_frsize)
}

#[cfg(not(unix))]
fn room(_folder: &Path) -> Option<u64> {
    None
}

/// A number of bytes for people.
fn size(bytes: u64) -> String {
    let mib = bytes >> 20;
    if mib < 10 * 1024 {
        format!("{mib} MiB")
    } else {
        format!("{} GiB", mib >> 10)
    }
}
