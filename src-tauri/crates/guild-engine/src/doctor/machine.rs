//! Ports, folders and room on the disk.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::Arc;

use guild_core::doctor::{Advice, Detail, Fact, Observation, Subject};
use guild_core::wire::{Check, Verdict};
use guild_process::port;

use super::{Knowledge, blocking};

/// Fewer free ports than this are worth a warning.
const PORTS_FEW: usize = 100;
/// So many ports of other programs are named.
const HOLDERS_NAMED: usize = 5;
/// With less room than this the history and the logs end soon, in bytes.
const ROOM_LITTLE: u64 = 1 << 30;
/// With less room than this nothing can be relied upon, in bytes.
const ROOM_NONE: u64 = 100 << 20;

pub(super) async fn ports(known: Arc<Knowledge>) -> Vec<Observation> {
    blocking(Check::Ports, Subject::MembersPorts, move || {
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
        let fact = Fact::Ports {
            range: known.ports.range().into_inner(),
            free,
            lent: lent.len(),
            foreign: foreign.len(),
        };
        let named = foreign.iter().take(HOLDERS_NAMED);
        let holders = named.map(|&port| Detail::PortHeld(port, port::holder(port)));
        let verdict = match free {
            0 => Verdict::Problem,
            few if few < PORTS_FEW.min(known.ports.range().len()) => Verdict::Warning,
            _ => Verdict::Fine,
        };
        let found = Observation::new(Check::Ports, Subject::MembersPorts, verdict, fact);
        let advice = (verdict != Verdict::Fine).then_some(Advice::FreePorts);
        vec![found.with(holders).advised(advice)]
    })
    .await
}

pub(super) async fn gateway(known: Arc<Knowledge>) -> Vec<Observation> {
    blocking(Check::Ports, Subject::Gateway, move || {
        let gateway = &known.gateway;
        let port = gateway.port;
        let of = |verdict, fact| Observation::new(Check::Ports, Subject::Gateway, verdict, fact);
        if let Some(address) = gateway.address.clone() {
            return vec![of(Verdict::Fine, Fact::GatewayReached { address })];
        }
        if !gateway.enabled {
            return vec![of(Verdict::Note, Fact::GatewayOff)];
        }
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return vec![of(Verdict::Fine, Fact::GatewayPortFree { port })];
        }
        vec![match port::holder(port) {
            Some(holder) if is_own(holder.program.as_deref()) => {
                of(Verdict::Fine, Fact::GatewayPortOwn { port, holder })
            }
            holder => {
                let advice = match &holder {
                    Some(_) => Advice::FreeGatewayPort,
                    None => Advice::OtherGatewayPort,
                };
                of(Verdict::Problem, Fact::GatewayPortTaken { port, holder }).advised(advice)
            }
        }]
    })
    .await
}

fn is_own(program: Option<&str>) -> bool {
    matches!(program, Some("guildhall" | "guild-hall"))
}

pub(super) async fn folders(known: Arc<Knowledge>) -> Vec<Observation> {
    blocking(Check::Folders, Subject::Folders, move || {
        let members = of_folder(Subject::MembersFolder, &known.paths.members_dir);
        // The members' folder may be read-only: their lists are then kept in the data folder.
        let data = of_folder(Subject::DataFolder, &known.paths.data_dir);
        [members, data].into_iter().collect()
    })
    .await
}

fn of_folder(which: Subject, place: &Path) -> Observation {
    let folder = place.display().to_string();
    let is_data = which == Subject::DataFolder;
    let of = |verdict, fact| Observation::new(Check::Folders, which, verdict, fact);
    match std::fs::read_dir(place) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let missing = Fact::FolderMissing { folder };
            return of(Verdict::Problem, missing).advised(Advice::MakeFolder);
        }
        Err(error) => {
            let error = error.to_string();
            let unreadable = Fact::FolderUnreadable { folder, error };
            return of(Verdict::Problem, unreadable).advised(Advice::MakeReadable);
        }
        Ok(_) => {}
    }
    // The rights alone do not tell: a disk may be mounted read-only.
    if let Err(error) = tempfile::Builder::new()
        .prefix(".guild-hall-")
        .tempfile_in(place)
    {
        let error = error.to_string();
        let unwritable = Fact::FolderUnwritable { folder, error };
        return if is_data {
            of(Verdict::Problem, unwritable).advised(Advice::MakeWritable)
        } else {
            of(Verdict::Note, unwritable).with([Detail::ListsInDataFolder])
        };
    }
    if others_may_write(place) {
        let open = Fact::FolderOpen {
            folder: folder.clone(),
        };
        return of(Verdict::Warning, open).advised(Advice::KeepOthersOut { folder });
    }
    of(Verdict::Fine, Fact::FolderFine { folder })
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

pub(super) async fn disk(known: Arc<Knowledge>) -> Vec<Observation> {
    blocking(Check::Disk, Subject::Room, move || {
        let folder = &known.paths.data_dir;
        let of = |verdict, fact| Observation::new(Check::Disk, Subject::Room, verdict, fact);
        let Some(bytes) = room(folder) else {
            return vec![of(Verdict::Note, Fact::RoomUnknown)];
        };
        let verdict = match bytes {
            ..ROOM_NONE => Verdict::Problem,
            ROOM_NONE..ROOM_LITTLE => Verdict::Warning,
            _ => Verdict::Fine,
        };
        let folder = folder.display().to_string();
        let advice = (verdict != Verdict::Fine).then_some(Advice::MakeRoom);
        vec![of(verdict, Fact::Room { bytes, folder }).advised(advice)]
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
