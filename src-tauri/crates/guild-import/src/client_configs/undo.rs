//! Restores a file to its state before Guild Hall wrote to it.

use std::path::PathBuf;

use crate::messages::ClientFileError;
use guild_client_config::{ConfigFile, EntryAt, TextEditError};
use guild_model::{ClientId, Code, Report};

use super::ClientConfigState;
use super::file::ResolvedConfigFile;
use super::record::{ClientConfigRecord, EntryOwner, digest};

/// The state that an undo restores.
pub(super) struct Original {
    /// The text of the file. `None` if the file did not exist.
    pub(super) text: Option<String>,
    /// The entries that Guild Hall removed from the file.
    pub(super) gone: Vec<EntryAt>,
    /// An older backup that no undo restores any longer, but that is the only copy of some entries.
    pub(super) lost: Option<String>,
    /// Whether the text was reconstructed from a changed file.
    pub(super) rebuilt: bool,
}

/// A restored file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    /// The path of the file.
    pub path: PathBuf,
    /// Whether the file is byte-identical to the file before the first write.
    pub as_before: bool,
    /// The clients whose tokens were written into the file.
    pub clients: Vec<ClientId>,
}

impl ClientConfigState {
    /// Returns the state that an undo of this edit restores: the current file, or the file before
    /// the first write if the current file still contains a change by Guild Hall. `gone` are the
    /// entries that this edit removes.
    pub(super) fn original(
        &self,
        file: &ConfigFile,
        target: &ResolvedConfigFile,
        gone: Vec<EntryAt>,
    ) -> Original {
        let as_it_is = |gone: Vec<EntryAt>, lost: Option<String>| Original {
            text: target.text.clone(),
            gone,
            lost,
            rebuilt: false,
        };
        let Some((record, backup)) = self.records.read(&self.key(file), &target.path) else {
            return as_it_is(gone, None);
        };
        let lost = |backup: Option<String>| backup.filter(|_| !record.gone.is_empty());
        let Some(text) = &target.text else {
            return as_it_is(gone, lost(backup));
        };
        let mut all = record.gone.clone();
        all.extend(
            gone.iter()
                .filter(|entry| !record.gone.contains(entry))
                .cloned(),
        );
        if record.has(&digest(text)) {
            return Original {
                text: backup,
                gone: all,
                lost: None,
                rebuilt: record.rebuilt,
            };
        }
        if record.is_undone(file, Some(text), backup.as_deref()) {
            return as_it_is(gone, None);
        }
        let whose = record.whose(file, text, backup.as_deref());
        match taken_back(file, text, &record, backup.as_deref()) {
            Ok(text) if whose != EntryOwner::Another => Original {
                text: Some(text),
                gone: all,
                lost: None,
                rebuilt: true,
            },
            _ => as_it_is(gone, lost(backup)),
        }
    }

    pub(super) fn undo(&self, file: &ConfigFile) -> Result<Undone, Report> {
        let _one = self.changing.lock();
        let target = ResolvedConfigFile::read(&file.path)?;
        let refused = |trouble| Err(Report::from_error(Code::ClientConfigChanged, &trouble));
        let path = target.path.clone();
        let key = self.key(file);
        let Some((record, backup)) = self.records.read(&key, &target.path) else {
            return refused(ClientFileError::NothingWritten(path));
        };
        let (text, backup) = (target.text.as_deref(), backup.as_deref());
        if record.is_undone(file, text, backup) {
            self.records.forget(&key);
            return refused(ClientFileError::NothingLeft(path));
        }
        let mut as_before = !record.rebuilt;
        match (text, backup) {
            // The backup is the only copy of the original.
            (None, Some(original)) => target.write(original.as_bytes())?,
            (None, None) => {}
            (Some(text), Some(original)) if record.has(&digest(text)) => {
                target.write(original.as_bytes())?;
            }
            (Some(text), None) if record.has(&digest(text)) => target.remove()?,
            (Some(text), backup) => {
                if record.whose(file, text, backup) == EntryOwner::Another {
                    return refused(match record.gone.is_empty() {
                        true => ClientFileError::NotOurs(path),
                        false => ClientFileError::NotOursKept(path, self.records.backup(&key)),
                    });
                }
                let without = taken_back(file, text, &record, backup)
                    .map_err(|error| target.refused(&error))?;
                as_before &= backup == Some(without.as_str());
                target.write(without.as_bytes())?;
            }
        }
        self.records.forget(&key);
        Ok(Undone {
            path,
            as_before,
            clients: record.clients,
        })
    }
}

/// Removes Guild Hall's changes from a text that another app has changed since.
fn taken_back(
    file: &ConfigFile,
    text: &str,
    record: &ClientConfigRecord,
    backup: Option<&str>,
) -> Result<String, TextEditError> {
    let original = backup.unwrap_or_default();
    file.taken_back(text, &record.gone, original)
}
