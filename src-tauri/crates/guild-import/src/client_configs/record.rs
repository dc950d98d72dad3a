//! The records of changed files in the data folder: the original file and the change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::messages::ClientFileError;
use guild_client_config::{ConfigFile, EntryAt, FILE_MAX};
use guild_model::messages::io_message;
use guild_model::{ClientId, Code, Report};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use guild_files::files::{read_bounded, write_atomically};

/// Maximum size of a record, in bytes. A record may contain an entry or white space of the file.
const RECORD_MAX: u64 = FILE_MAX as u64 * 2;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClientConfigRecord {
    /// The path at which the app reads the file.
    pub(super) path: PathBuf,
    /// The SHA-256 of the written text.
    pub(super) written: String,
    /// The hash of the written entry. The entry's token itself is not stored.
    pub(super) entry: Option<String>,
    pub(super) existed: bool,
    /// The SHA-256 of the file before this write. If the file still has this hash, the program was
    /// killed between storing the record and writing the file.
    #[serde(default)]
    pub(super) found: Option<String>,
    /// The hash of the gateway's entry before this write.
    #[serde(default)]
    pub(super) found_entry: Option<String>,
    /// The entries that were removed from the original file.
    #[serde(default)]
    pub(super) gone: Vec<EntryAt>,
    /// Whether the backup was reconstructed from a file that an app had changed. The file never had
    /// exactly the content of such a backup.
    #[serde(default)]
    pub(super) rebuilt: bool,
    /// The clients whose tokens were written into the file.
    #[serde(default)]
    pub(super) clients: Vec<ClientId>,
}

/// The origin of the gateway's entry in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryOwner {
    /// Guild Hall wrote the entry, in the recorded write or in the write before it.
    Ours,
    /// The entry is the same as in the original file, or is missing.
    AsBefore,
    /// Another app has written the entry since.
    Another,
}

impl ClientConfigRecord {
    /// Whether `digest` is the digest of the text that Guild Hall wrote last, or of the text before
    /// that. The text before is the backup, or an earlier text by Guild Hall.
    pub(super) fn has(&self, digest: &str) -> bool {
        self.written == digest || self.found.as_deref() == Some(digest)
    }

    /// Returns the origin of the gateway's entry in `text`. `backup` is the text of the file before
    /// the first write.
    pub(super) fn whose(&self, file: &ConfigFile, text: &str, backup: Option<&str>) -> EntryOwner {
        let entry = own_entry(file, text);
        let before = backup.and_then(|backup| own_entry(file, backup));
        if entry.is_none() || entry == before {
            return EntryOwner::AsBefore;
        }
        match entry == self.entry || entry == self.found_entry {
            true => EntryOwner::Ours,
            false => EntryOwner::Another,
        }
    }

    /// Whether the file contains no change by Guild Hall: no written entry, and all removed entries
    /// are present. Then the program was killed before the write or after the undo, or another app
    /// undid the change.
    pub(super) fn is_undone(
        &self,
        file: &ConfigFile,
        text: Option<&str>,
        backup: Option<&str>,
    ) -> bool {
        let is_there = |text: &str, entry: &EntryAt| matches!(file.entry(text, entry), Ok(Some(_)));
        let is_as_before = |text: &str| {
            !self.has(&digest(text))
                && self.whose(file, text, backup) == EntryOwner::AsBefore
                && self.gone.iter().all(|entry| is_there(text, entry))
        };
        text == backup || text.is_some_and(is_as_before)
    }
}

/// Returns the SHA-256 of a text.
pub(super) fn digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a hash of the gateway's entry that does not depend on its formatting. `None` without an
/// entry.
pub(super) fn own_entry(file: &ConfigFile, text: &str) -> Option<String> {
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Object(fields) => {
                let fields: BTreeMap<_, _> = fields.iter().collect();
                let fields = fields.into_iter();
                Value::Object(
                    fields
                        .map(|(key, value)| (key.clone(), sorted(value)))
                        .collect(),
                )
            }
            other => other.clone(),
        }
    }
    let entry = file.connection(text).ok().flatten()?;
    Some(digest(&sorted(&entry).to_string()))
}

#[derive(Debug)]
pub(super) struct ClientConfigRecords(PathBuf);

impl ClientConfigRecords {
    pub(super) fn new(data_dir: &Path) -> Self {
        Self(data_dir.join("client-configs"))
    }

    fn file(&self, key: &str) -> PathBuf {
        self.0.join(format!("{key}.json"))
    }

    /// Returns the path of a file's backup.
    pub(super) fn backup(&self, key: &str) -> PathBuf {
        self.0.join(format!("{key}.before"))
    }

    /// Returns a file's record and its original text.
    pub(super) fn read(
        &self,
        key: &str,
        path: &Path,
    ) -> Option<(ClientConfigRecord, Option<String>)> {
        let bytes = read_bounded(&self.file(key), RECORD_MAX).ok()?;
        let record: ClientConfigRecord = serde_json::from_slice(&bytes).ok()?;
        let backup = match record.existed {
            true => {
                let bytes = read_bounded(&self.backup(key), FILE_MAX as u64).ok()?;
                Some(String::from_utf8(bytes).ok()?)
            }
            false => None,
        };
        (record.path == path).then_some((record, backup))
    }

    /// Stores a record and the original before the file is written. Returns the backup's path.
    pub(super) fn keep(
        &self,
        key: &str,
        record: &ClientConfigRecord,
        original: Option<&str>,
    ) -> Result<Option<PathBuf>, Report> {
        let backup = self.backup(key);
        let kept = || -> std::io::Result<()> {
            guild_files::files::create_own_folder(&self.0)?;
            if let Some(original) = original {
                write_atomically(&backup, original.as_bytes())?;
            }
            let bytes = serde_json::to_vec(record).map_err(std::io::Error::other)?;
            write_atomically(&self.file(key), &bytes)
        };
        kept().map_err(|error| self.unwritable(&error))?;
        Ok(original.map(|_| backup))
    }

    /// Stores a copy of a backup under another name, because the next backup will replace it.
    pub(super) fn keep_aside(&self, key: &str, backup: &str) -> Result<(), Report> {
        let name: String = digest(backup).chars().take(12).collect();
        let aside = self.0.join(format!("{key}.before-{name}"));
        write_atomically(&aside, backup.as_bytes()).map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &std::io::Error) -> Report {
        let trouble = ClientFileError::NoBackup(self.0.clone(), io_message(error));
        Report::from_error(Code::DataUnwritable, &trouble)
    }

    /// Removes the record of a file.
    pub(super) fn forget(&self, key: &str) {
        for file in [self.file(key), self.backup(key)] {
            match std::fs::remove_file(&file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    tracing::warn!(file = %file.display(), %error, "it could not be removed");
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_records_are_as_good_as_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let records = ClientConfigRecords::new(folder.path());
        let path = Path::new("/home/user/.cursor/mcp.json");
        std::fs::create_dir_all(&records.0).expect("made");
        guild_tests::mangled::each("client-record", |bytes| {
            std::fs::write(records.file("cursor"), bytes).expect("written");
            if let Some((record, backup)) = records.read("cursor", path) {
                assert_eq!((record.path.as_path(), backup), (path, None));
                records.keep("cursor", &record, None).expect("kept");
                assert_eq!(records.read("cursor", path), Some((record, None)));
            }
        });
    }
}
