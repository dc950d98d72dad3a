//! The note of who keeps a data folder, and where that one listens.

use std::path::{Path, PathBuf};

use guild_core::wire::control::HallRole;
use serde::{Deserialize, Serialize};

use crate::files::{read_bounded, write_atomically};

/// The note's file. It means something only while the folder is locked.
const NOTE_FILE: &str = "hall.json";
/// The largest note that is read, in bytes.
const BYTES_MAX: u64 = 64 * 1024;

/// Who keeps a data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Note {
    pub(super) pid: u32,
    pub(super) role: HallRole,
    /// Its folder of members.
    pub(super) members_dir: PathBuf,
    /// Where it listens.
    pub(super) place: PathBuf,
}

impl Note {
    /// The note of a folder, if one is there that can be read.
    pub(super) async fn read(data_dir: &Path) -> Option<Self> {
        let file = data_dir.join(NOTE_FILE);
        let read = tokio::task::spawn_blocking(move || {
            let bytes = read_bounded(&file, BYTES_MAX).ok()?;
            serde_json::from_slice(&bytes).ok()
        });
        read.await.ok().flatten()
    }

    /// Writes the note; only its user may read it. Blocking.
    pub(super) fn write(&self, data_dir: &Path) -> std::io::Result<()> {
        let text = serde_json::to_vec_pretty(self).map_err(std::io::Error::other)?;
        write_atomically(&data_dir.join(NOTE_FILE), &text)
    }

    /// Takes the note of a folder away.
    pub(super) fn remove(data_dir: &Path) {
        // One that is not there, or stays, means nothing without the lock.
        let _ = std::fs::remove_file(data_dir.join(NOTE_FILE));
    }
}
