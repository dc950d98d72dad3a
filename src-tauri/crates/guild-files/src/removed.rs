//! The trash of members. Each entry is a folder `removed-members/ID` in the data folder, with the
//! member's folder and a record of its original path. Entries beyond the limits of age or number
//! are deleted.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use guild_api::wire::{REMOVED_DAYS, REMOVED_MAX, RemovalId, RemovedMember};
use guild_model::MemberName;
use serde::{Deserialize, Serialize};

use crate::clock::now_ms;
use crate::files::copying::move_folder;
use crate::files::{create_own_folder, read_bounded, sync_folder, write_atomically};

/// Name of the trash folder in the data folder.
const TRASH: &str = "removed-members";
/// Name of the file with the record.
const RECORD: &str = "removal.json";
/// Name of the member's folder in an entry.
const FOLDER: &str = "folder";
/// Maximum size of a record, in bytes.
const RECORD_BYTES_MAX: u64 = 16 << 10;
/// Maximum number of entries that are read.
const ENTRIES_MAX: usize = 1_000;

/// The record of a removal, stored as JSON in the entry.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RemovalRecord {
    member: MemberName,
    /// The folder's name in the members folder.
    folder: String,
    removed_at_ms: u64,
}

/// A member's folder in the trash.
#[derive(Debug)]
pub struct MemberRemoval {
    entry: PathBuf,
    record: RemovalRecord,
}

impl MemberRemoval {
    /// Moves a member's folder to the trash. Blocking.
    ///
    /// # Errors
    /// I/O errors. The folder then keeps its path.
    pub fn begin(data_dir: &Path, member: &MemberName, folder: &Path) -> io::Result<Self> {
        let trash = data_dir.join(TRASH);
        create_own_folder(&trash)?;
        let name = folder.file_name().ok_or(ErrorKind::InvalidInput)?;
        let mut removed_at_ms = now_ms();
        let entry = loop {
            let entry = trash.join(format!("{removed_at_ms}-{member}"));
            match std::fs::create_dir(&entry) {
                Ok(()) => break entry,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => removed_at_ms += 1,
                Err(error) => return Err(error),
            }
        };
        let record = RemovalRecord {
            member: member.clone(),
            folder: name.to_string_lossy().into_owned(),
            removed_at_ms,
        };
        let moved = serde_json::to_vec(&record)
            .map_err(io::Error::other)
            .and_then(|bytes| write_atomically(&entry.join(RECORD), &bytes))
            .and_then(|()| move_folder(folder, &entry.join(FOLDER)));
        if let Err(error) = moved {
            let _ = std::fs::remove_dir_all(&entry);
            return Err(error);
        }
        sync_folder(&trash);
        Ok(Self { entry, record })
    }

    /// Returns the removals, newest first. Blocking.
    pub fn all(data_dir: &Path) -> Vec<Self> {
        let mut all: Vec<Self> = entries_of(data_dir).filter_map(Self::read).collect();
        all.sort_by_key(|removal| std::cmp::Reverse(removal.record.removed_at_ms));
        all
    }

    /// Returns the removal with this id. Blocking.
    pub fn find(data_dir: &Path, id: &RemovalId) -> Option<Self> {
        let mut all = Self::all(data_dir).into_iter();
        all.find(|removal| removal.view().removal == *id)
    }

    /// Deletes the entries beyond the limits of age or number. Blocking.
    pub fn clear(data_dir: &Path) {
        let age = Duration::from_secs(REMOVED_DAYS * 24 * 60 * 60);
        let age_ms = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
        let oldest_ms = now_ms().saturating_sub(age_ms);
        let all = Self::all(data_dir).into_iter().enumerate();
        let old = all
            .filter(|(at, removal)| *at >= REMOVED_MAX || removal.record.removed_at_ms < oldest_ms)
            .map(|(_, removal)| removal.entry);
        // If the record can't be read, the time in the entry's name determines its age.
        let unreadable = entries_of(data_dir)
            .filter(|entry| Self::read(entry.clone()).is_none())
            .filter(|entry| time_in_name(entry).is_some_and(|at_ms| at_ms < oldest_ms));
        for entry in old.chain(unreadable) {
            if let Err(error) = std::fs::remove_dir_all(&entry) {
                tracing::warn!(entry = %entry.display(), %error, "an entry of the trash stays");
            }
        }
    }

    /// Returns the member as the trash lists it.
    pub fn view(&self) -> RemovedMember {
        let id = self.entry.file_name().unwrap_or_default().to_string_lossy();
        RemovedMember {
            removal: RemovalId(id.into_owned()),
            member: self.record.member.clone(),
            removed_at_ms: self.record.removed_at_ms,
        }
    }

    /// Returns the original path of the member's folder.
    pub fn place(&self, members_dir: &Path) -> PathBuf {
        // Only the last part of the recorded path is used, so that an edited record can't lead
        // outside the members' folder.
        let name = Path::new(&self.record.folder).file_name();
        members_dir.join(name.unwrap_or(self.record.member.as_str().as_ref()))
    }

    /// Moves the folder back. Blocking.
    ///
    /// # Errors
    /// I/O errors, and `AlreadyExists` if the original path is taken. The entry then stays in the
    /// trash.
    pub fn restore(self, members_dir: &Path) -> io::Result<()> {
        std::fs::create_dir_all(members_dir)?;
        move_folder(&self.folder(), &self.place(members_dir))?;
        if let Err(error) = std::fs::remove_dir_all(&self.entry) {
            tracing::warn!(entry = %self.entry.display(), %error, "an empty entry of the trash stays");
        }
        Ok(())
    }

    /// Returns the member's folder in the trash.
    pub fn folder(&self) -> PathBuf {
        self.entry.join(FOLDER)
    }

    /// Reads an entry. `None` without a readable record, or without the member's folder.
    fn read(entry: PathBuf) -> Option<Self> {
        std::fs::symlink_metadata(entry.join(FOLDER)).ok()?;
        let bytes = read_bounded(&entry.join(RECORD), RECORD_BYTES_MAX).ok()?;
        let record = serde_json::from_slice(&bytes).ok()?;
        Some(Self { entry, record })
    }
}

fn entries_of(data_dir: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(data_dir.join(TRASH))
        .into_iter()
        .flatten();
    entries
        .take(ENTRIES_MAX)
        .flatten()
        .map(|entry| entry.path())
}

/// Returns the time in the name of an entry, in milliseconds.
fn time_in_name(entry: &Path) -> Option<u64> {
    let name = entry.file_name()?.to_str()?;
    name.split_once('-')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(text: &str) -> MemberName {
        MemberName::parse(text).expect("a name")
    }

    #[test]
    fn restored_folder_is_unchanged() {
        let data = tempfile::tempdir().expect("a folder");
        let members = data.path().join("members");
        std::fs::create_dir_all(members.join("Forge dir/src")).expect("made");
        std::fs::write(members.join("Forge dir/src/x"), [0, 255]).expect("written");
        let removal =
            MemberRemoval::begin(data.path(), &member("forge"), &members.join("Forge dir"));
        let id = removal.expect("removed").view().removal;
        assert!(!members.join("Forge dir").exists());
        let removal = MemberRemoval::find(data.path(), &id).expect("in the trash");
        assert_eq!(removal.view().member, member("forge"));
        removal.restore(&members).expect("restored");
        let restored = std::fs::read(members.join("Forge dir/src/x")).expect("read");
        assert_eq!(restored, [0, 255]);
        assert!(MemberRemoval::all(data.path()).is_empty());
    }

    #[test]
    fn old_and_surplus_entries_are_cleared() {
        let data = tempfile::tempdir().expect("a folder");
        let trash = data.path().join(TRASH);
        let put = |at_ms: u64| {
            let entry = trash.join(format!("{at_ms}-m"));
            std::fs::create_dir_all(entry.join(FOLDER)).expect("made");
            let record = RemovalRecord {
                member: member("m"),
                folder: "m".into(),
                removed_at_ms: at_ms,
            };
            let bytes = serde_json::to_vec(&record).expect("JSON");
            std::fs::write(entry.join(RECORD), bytes).expect("written");
        };
        let now = now_ms();
        put(now - 31 * 24 * 60 * 60 * 1_000);
        MemberRemoval::clear(data.path());
        assert!(MemberRemoval::all(data.path()).is_empty(), "past its age");
        std::fs::create_dir_all(trash.join("1-no-record").join(FOLDER)).expect("made");
        let recent = trash.join(format!("{now}-no-record"));
        std::fs::create_dir_all(recent.join(FOLDER)).expect("made");
        MemberRemoval::clear(data.path());
        assert!(!trash.join("1-no-record").exists() && recent.exists());
        let surplus = u64::try_from(REMOVED_MAX).expect("small") + 5;
        (0..surplus).for_each(|age| put(now - age));
        MemberRemoval::clear(data.path());
        let left = MemberRemoval::all(data.path());
        assert_eq!(left.len(), REMOVED_MAX);
        assert_eq!(left[0].view().removed_at_ms, now, "the newest stay");
    }
}
