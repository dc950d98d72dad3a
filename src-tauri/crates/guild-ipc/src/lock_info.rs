//! The note about a data folder's owner: the id of its process, and the address of its socket.

use std::path::{Path, PathBuf};

use crate::messages::HallError;
use guild_model::holder::HallRole;
use guild_model::{Code, Report};
use serde::{Deserialize, Serialize};

use super::lock::{foreign_user, is_locked};
use guild_files::files::{read_bounded, write_atomically};

/// Name of the file that describes the owner of the lock. It is valid only while the folder is
/// locked.
pub(super) const LOCK_INFO_FILE: &str = "hall.json";
/// Maximum size of that file, in bytes.
pub(super) const BYTES_MAX: u64 = 64 * 1024;

/// The owner of a data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LockInfo {
    pub(super) pid: u32,
    pub(super) role: HallRole,
    pub(super) members_dir: PathBuf,
    /// The address of the owner's socket.
    pub(super) place: PathBuf,
    /// Whether the owner acknowledges requests. Earlier versions don't.
    #[serde(default)]
    pub(super) acknowledges: bool,
}

impl LockInfo {
    /// Reads the note of a folder. `None` if it is missing or unreadable.
    pub(super) async fn read(data_dir: &Path) -> Option<Self> {
        let file = data_dir.join(LOCK_INFO_FILE);
        let read = tokio::task::spawn_blocking(move || {
            let bytes = read_bounded(&file, BYTES_MAX).ok()?;
            serde_json::from_slice(&bytes).ok()
        });
        read.await.ok().flatten()
    }

    /// Writes the note as a private file. Blocking.
    pub(super) fn write(&self, data_dir: &Path) -> std::io::Result<()> {
        let text = serde_json::to_vec_pretty(self).map_err(std::io::Error::other)?;
        write_atomically(&data_dir.join(LOCK_INFO_FILE), &text)
    }

    pub(super) fn remove(data_dir: &Path) {
        // Without the lock, a remaining note has no effect.
        let _ = std::fs::remove_file(data_dir.join(LOCK_INFO_FILE));
    }
}

/// Returns the members folder of the running hall, from its note. `None` if no hall runs. Blocking,
/// for microseconds.
pub fn running_members_dir(data_dir: &Path) -> Option<PathBuf> {
    if !is_locked(data_dir) {
        return None;
    }
    let bytes = read_bounded(&data_dir.join(LOCK_INFO_FILE), BYTES_MAX).ok()?;
    let note: LockInfo = serde_json::from_slice(&bytes).ok()?;
    Some(note.members_dir)
}

/// Returns the report for an owned folder whose hall does not answer.
pub(super) fn unreachable(data_dir: &Path, note: Option<&LockInfo>) -> Report {
    let folder = data_dir.to_owned();
    if let Some(uid) = foreign_user(data_dir) {
        return Report::from_error(Code::HallUnreachable, &HallError::OtherUser(folder, uid));
    }
    let trouble = match note {
        Some(note) => HallError::Unreachable(folder, note.role, note.pid),
        None => HallError::Mute(folder),
    };
    Report::from_error(Code::HallUnreachable, &trouble)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::socket::connect;

    #[test]
    fn mangled_notes_are_as_good_as_none_or_lead_nowhere() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(LOCK_INFO_FILE);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.expect("a runtime");
        let mut led_nowhere = 0;
        guild_tests::mangled::each("hall-note", |bytes| {
            std::fs::write(&file, bytes).expect("written");
            runtime.block_on(async {
                let Some(note) = LockInfo::read(folder.path()).await else {
                    return;
                };
                assert!(connect(&note.place).await.is_err(), "{note:?}");
                led_nowhere += 1;
                note.write(folder.path()).expect("written");
                assert_eq!(LockInfo::read(folder.path()).await, Some(note));
            });
        });
        assert!(led_nowhere > 0, "the well-made one is read");
    }
}
