//! What is kept in the data folder of each file that was written: the file as it was, and what was
//! done to it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use guild_core::client_config::{ConfigFile, EntryAt, FILE_MAX};
use guild_core::note::{ClientFileTrouble, Told as _};
use guild_core::{ClientId, Code, Report};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::files::{read_bounded, write_atomically};

/// The largest record that is read, in bytes: it may hold an entry of a file, or white space.
const RECORD_MAX: u64 = FILE_MAX as u64 * 2;

/// What was done to a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Record {
    /// Where the program looks for the file.
    pub(super) path: PathBuf,
    /// The SHA-256 of what was written.
    pub(super) written: String,
    /// What the entry is told by that was written: its token is kept nowhere.
    pub(super) entry: Option<String>,
    /// Whether there was a file.
    pub(super) existed: bool,
    /// The SHA-256 of the file that this write found, where there was one: where the file is still
    /// that one, the program was killed between the record and the write.
    #[serde(default)]
    pub(super) found: Option<String>,
    /// What the entry is told by that this write found.
    #[serde(default)]
    pub(super) found_entry: Option<String>,
    /// The entries of the file as it was that have been taken out of it.
    #[serde(default)]
    pub(super) gone: Vec<EntryAt>,
    /// Whether the kept file was made of one that had changed since it was written, so that nobody
    /// has ever had it as it is kept.
    #[serde(default)]
    pub(super) rebuilt: bool,
    /// The clients whose tokens were written into the file.
    #[serde(default)]
    pub(super) clients: Vec<ClientId>,
}

/// Whose the gateway's entry in a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// Guild Hall's, by the write that is recorded or the one before.
    Ours,
    /// Whoever's it was before, or there is none.
    AsBefore,
    /// Somebody's who wrote it since.
    Another,
}

impl Record {
    /// Whether a text is the one that was written, or the one that the write found. That one is a
    /// file as Guild Hall had written it before, or the backup itself.
    pub(super) fn has(&self, digest: &str) -> bool {
        self.written == digest || self.found.as_deref() == Some(digest)
    }

    /// Whose the entry in a text is; `backup` is the file as it was before the first write.
    pub(super) fn whose(&self, file: &ConfigFile, text: &str, backup: Option<&str>) -> Whose {
        let entry = own_entry(file, text);
        let before = backup.and_then(|backup| own_entry(file, backup));
        if entry.is_none() || entry == before {
            return Whose::AsBefore;
        }
        match entry == self.entry || entry == self.found_entry {
            true => Whose::Ours,
            false => Whose::Another,
        }
    }

    /// Whether nothing that was written stands in a file, and nothing is missing that was taken
    /// out: the program was killed before it wrote, or after it had taken it back, or somebody else
    /// has undone it.
    pub(super) fn is_undone(
        &self,
        file: &ConfigFile,
        text: Option<&str>,
        backup: Option<&str>,
    ) -> bool {
        let is_there = |text: &str, entry: &EntryAt| matches!(file.entry(text, entry), Ok(Some(_)));
        let is_as_before = |text: &str| {
            !self.has(&digest(text))
                && self.whose(file, text, backup) == Whose::AsBefore
                && self.gone.iter().all(|entry| is_there(text, entry))
        };
        text == backup || text.is_some_and(is_as_before)
    }
}

/// The SHA-256 of a text.
pub(super) fn digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What the gateway's entry of a text is told by, however a program has written it anew.
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

/// The folder of the records.
#[derive(Debug)]
pub(super) struct Records(PathBuf);

impl Records {
    pub(super) fn new(data_dir: &Path) -> Self {
        Self(data_dir.join("client-configs"))
    }

    fn file(&self, key: &str) -> PathBuf {
        self.0.join(format!("{key}.json"))
    }

    /// The backup of a file.
    pub(super) fn backup(&self, key: &str) -> PathBuf {
        self.0.join(format!("{key}.before"))
    }

    /// What was done to a file, and the file as it was.
    pub(super) fn read(&self, key: &str, path: &Path) -> Option<(Record, Option<String>)> {
        let bytes = read_bounded(&self.file(key), RECORD_MAX).ok()?;
        let record: Record = serde_json::from_slice(&bytes).ok()?;
        let backup = match record.existed {
            true => {
                let bytes = read_bounded(&self.backup(key), FILE_MAX as u64).ok()?;
                Some(String::from_utf8(bytes).ok()?)
            }
            false => None,
        };
        (record.path == path).then_some((record, backup))
    }

    /// Keeps a record and the file as it was, before that one is written. Where the backup is.
    pub(super) fn keep(
        &self,
        key: &str,
        record: &Record,
        original: Option<&str>,
    ) -> Result<Option<PathBuf>, Report> {
        let backup = self.backup(key);
        let kept = || -> std::io::Result<()> {
            crate::files::create_own_folder(&self.0)?;
            if let Some(original) = original {
                write_atomically(&backup, original.as_bytes())?;
            }
            let bytes = serde_json::to_vec(record).map_err(std::io::Error::other)?;
            write_atomically(&self.file(key), &bytes)
        };
        kept().map_err(|error| self.unwritable(&error))?;
        Ok(original.map(|_| backup))
    }

    /// Keeps a backup under another name, because a later one is to take its place.
    pub(super) fn keep_aside(&self, key: &str, backup: &str) -> Result<(), Report> {
        let name: String = digest(backup).chars().take(12).collect();
        let aside = self.0.join(format!("{key}.before-{name}"));
        write_atomically(&aside, backup.as_bytes()).map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &std::io::Error) -> Report {
        let trouble = ClientFileTrouble::NoBackup(self.0.clone(), error.told());
        Report::told(Code::DataUnwritable, &trouble)
    }

    /// Forgets what was done to a file.
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
        let records = Records::new(folder.path());
        let path = Path::new("/home/user/.cursor/mcp.json");
        std::fs::create_dir_all(&records.0).expect("made");
        crate::mangled::each("client-record", |bytes| {
            std::fs::write(records.file("cursor"), bytes).expect("written");
            if let Some((record, backup)) = records.read("cursor", path) {
                assert_eq!((record.path.as_path(), backup), (path, None));
                records.keep("cursor", &record, None).expect("kept");
                assert_eq!(records.read("cursor", path), Some((record, None)));
            }
        });
    }
}
