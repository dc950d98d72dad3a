//! Checks ports, folders and free disk space.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::Arc;

use guild_api::wire::{Check, FactKind, Finding, Verdict};
use guild_process::error::FREE_PORTS;
use guild_process::port;

use super::{DoctorInput, blocking};

/// Warns if fewer ports than this are free.
const PORTS_FEW: usize = 100;
/// Maximum number of listed ports that other programs hold.
const HOLDERS_NAMED: usize = 5;
/// Warns if less disk space than this is free, in bytes: the history and the logs may soon be
/// incomplete.
const ROOM_LITTLE: u64 = 1 << 30;
/// Reports a problem below this free disk space, in bytes: any write may fail.
const ROOM_NONE: u64 = 100 << 20;

pub(super) async fn ports(known: Arc<DoctorInput>) -> Vec<Finding> {
    blocking(Check::Ports, "members", move || {
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
        let named = foreign.iter().take(HOLDERS_NAMED);
        let holders = named.map(|&port| match port::holder(port) {
            Some(holder) => format!("{port}: {holder}"),
            None => format!("{port}: a process that Guild Hall can't see"),
        });
        let (verdict, advice) = match free {
            0 => (Verdict::Problem, FREE_PORTS),
            few if few < PORTS_FEW.min(known.ports.range().len()) => (Verdict::Warning, FREE_PORTS),
            _ => (Verdict::Fine, ""),
        };
        let found = Finding::new(Check::Ports, "members", verdict, FactKind::Ports, found);
        vec![found.with(holders).advised(advice)]
    })
    .await
}

pub(super) async fn gateway(known: Arc<DoctorInput>) -> Vec<Finding> {
    blocking(Check::Ports, "gateway", move || {
        let of = |verdict, kind, found: String| {
            Finding::new(Check::Ports, "gateway", verdict, kind, found)
        };
        let gateway = &known.gateway;
        let port = gateway.port;
        if let Some(address) = &gateway.address {
            let found = format!("Agents reach it at {address}.");
            return vec![of(Verdict::Fine, FactKind::GatewayReached, found)];
        }
        if !gateway.enabled {
            let found = "It is switched off.".to_owned();
            return vec![of(Verdict::Note, FactKind::GatewayOff, found)];
        }
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            let found = format!(
                "Port {port} is free; the gateway opens with the app or `guildhall serve`."
            );
            return vec![of(Verdict::Fine, FactKind::GatewayPortFree, found)];
        }
        let taken = |found| of(Verdict::Problem, FactKind::GatewayPortTaken, found);
        vec![match port::holder(port) {
            Some(holder) if is_own(holder.program.as_deref()) => {
                let found = format!("Port {port} is held by Guild Hall itself: {holder}.");
                of(Verdict::Fine, FactKind::GatewayPortOwn, found)
            }
            Some(holder) => taken(format!("Port {port} is held by {holder}."))
                .advised("Close that app, or choose another port for the gateway."),
            None => taken(format!(
                "Port {port} is in use by a process that Guild Hall can't see."
            ))
            .advised("Choose another port for the gateway."),
        }]
    })
    .await
}

fn is_own(program: Option<&str>) -> bool {
    matches!(program, Some("guildhall" | "guild-hall"))
}

pub(super) async fn folders(known: Arc<DoctorInput>) -> Vec<Finding> {
    blocking(Check::Folders, "folders", move || {
        let paths = &known.paths;
        vec![
            of_folder("members' folder", &paths.members_dir, false),
            of_folder("data folder", &paths.data_dir, true),
        ]
    })
    .await
}

fn of_folder(subject: &str, folder: &Path, is_data: bool) -> Finding {
    let of =
        |verdict, kind, found: String| Finding::new(Check::Folders, subject, verdict, kind, found);
    let place = folder.display();
    match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && is_data => {
            let found =
                format!("{place} does not exist yet. Guild Hall creates it when it starts.");
            return of(Verdict::Note, FactKind::FolderMissing, found);
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let found = format!("{place} does not exist.");
            return of(Verdict::Problem, FactKind::FolderMissing, found)
                .advised("Create it, or use another one.");
        }
        Err(error) => {
            let found = format!("{place} can't be read: {error}.");
            return of(Verdict::Problem, FactKind::FolderUnreadable, found)
                .advised("Fix its permissions, or use another one.");
        }
        Ok(_) => {}
    }
    // The permissions do not suffice as a check, since the disk may be mounted read-only.
    let mut probe = tempfile::Builder::new();
    if let Err(error) = probe.prefix(".guild-hall-").tempfile_in(folder) {
        let unwritable = |verdict| {
            let found = format!("{place} can't be written: {error}.");
            of(verdict, FactKind::FolderUnwritable, found)
        };
        // The members' folder is allowed to be read-only.
        return match is_data {
            true => unwritable(Verdict::Problem)
                .advised("Fix its permissions, or use another one with --data."),
            false => unwritable(Verdict::Note)
                .with(["Tool lists are saved in the data folder instead.".to_owned()]),
        };
    }
    if others_may_write(folder) {
        let found = format!("Other users can write to {place}, and so change what is run.");
        return of(Verdict::Warning, FactKind::FolderOpen, found)
            .advised(format!("Run `chmod go-w '{place}'`."));
    }
    let found = format!("{place} can be read and written.");
    of(Verdict::Fine, FactKind::FolderFine, found)
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

pub(super) async fn disk(known: Arc<DoctorInput>) -> Vec<Finding> {
    blocking(Check::Disk, "room", move || {
        let folder = &known.paths.data_dir;
        let of = |verdict, kind, found| Finding::new(Check::Disk, "room", verdict, kind, found);
        let Some(bytes) = room(folder) else {
            let found = "The free disk space is unknown.".to_owned();
            return vec![of(Verdict::Note, FactKind::RoomUnknown, found)];
        };
        let little = "Free disk space: history, logs and tool lists can't be saved without it.";
        let (verdict, advice) = match bytes {
            ..ROOM_NONE => (Verdict::Problem, little),
            ROOM_NONE..ROOM_LITTLE => (Verdict::Warning, little),
            _ => (Verdict::Fine, ""),
        };
        let found = format!("{} are free for {}.", size(bytes), folder.display());
        vec![of(verdict, FactKind::Room, found).advised(advice)]
    })
    .await
}

/// Formats a number of bytes for people.
fn size(bytes: u64) -> String {
    match bytes >> 20 {
        mib @ ..10_240 => format!("{mib} MiB"),
        mib => format!("{} GiB", mib >> 10),
    }
}

/// Returns the free space that the user has on a folder's disk, in bytes.
#[cfg(unix)]
fn room(folder: &Path) -> Option<u64> {
    // A folder that does not exist yet will be created on the disk of its parent folder.
    let known = folder
        .ancestors()
        .find_map(|folder| rustix::fs::statvfs(folder).ok())?;
    known.f_bavail.checked_mul(known.f_frsize)
}

#[cfg(not(unix))]
fn room(_folder: &Path) -> Option<u64> {
    None
}
