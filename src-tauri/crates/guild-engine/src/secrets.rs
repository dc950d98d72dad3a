//! Where the values of `${env:NAME}` and `${secret:NAME}` come from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use guild_core::manifest::Lookup;

use crate::files::read_bounded;
use crate::store::tells_of_a_secret;

/// The largest file that is read, in bytes.
const BYTES_MAX: u64 = 1 << 20;
/// How many values that were handed out are remembered.
const HANDED_OUT_MAX: usize = 1_000;

/// Variables from the program's environment, secrets from `secrets.json` of the data folder.
///
/// The file is an object of texts and must be readable by its owner alone; where others can read
/// it, it is not used. It is read at each start of a member, so that a new value counts at once.
#[derive(Clone)]
pub(crate) struct Values {
    file: PathBuf,
    /// The secrets that members were started with: the file may have others by now. A variable of
    /// the environment is one where its name tells of it.
    handed_out: Arc<Mutex<BTreeSet<String>>>,
}

impl Values {
    pub(crate) fn new(file: PathBuf) -> Self {
        Self {
            file,
            handed_out: Arc::default(),
        }
    }

    /// The values of all secrets: those of now, and those that members were started with.
    pub(crate) fn known(&self) -> BTreeSet<String> {
        let mut known: BTreeSet<String> = self.secrets().into_values().collect();
        known.extend(self.handed_out().iter().cloned());
        known
    }

    /// Takes note of a variable's value where it is a secret.
    fn note_variable(&self, name: &str, value: &str) {
        if tells_of_a_secret(name) {
            self.remember(value);
        }
    }

    fn remember(&self, value: &str) {
        let mut handed_out = self.handed_out();
        if handed_out.len() < HANDED_OUT_MAX {
            handed_out.insert(value.to_owned());
        }
    }

    fn handed_out(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.handed_out
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn secrets(&self) -> BTreeMap<String, String> {
        if !self.file.exists() {
            return BTreeMap::new();
        }
        if !is_private(&self.file) {
            tracing::warn!(file = %self.file.display(), "not used: others may read it (chmod 600)");
            return BTreeMap::new();
        }
        let read = read_bounded(&self.file, BYTES_MAX)
            .and_then(|bytes| serde_json::from_slice(&bytes).map_err(std::io::Error::other));
        read.unwrap_or_else(|error| {
            tracing::warn!(file = %self.file.display(), %error, "secrets can't be read");
            BTreeMap::new()
        })
    }
}

/// Says where the secrets are, and none of them.
impl std::fmt::Debug for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Values")
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

impl Lookup for Values {
    fn env(&self, name: &str) -> Option<String> {
        let value = std::env::var(name).ok()?;
        self.note_variable(name, &value);
        Some(value)
    }

    fn secret(&self, name: &str) -> Option<String> {
        let value = self.secrets().remove(name)?;
        self.remember(&value);
        Some(value)
    }
}

#[cfg(unix)]
fn is_private(file: &std::path::Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(file).is_ok_and(|metadata| metadata.mode() & 0o077 == 0)
}

/// Elsewhere the user's own folder is what keeps the file private.
#[cfg(not(unix))]
fn is_private(_file: &std::path::Path) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_variable_that_tells_of_a_secret_is_one_from_then_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let values = Values::new(folder.path().join("secrets.json"));
        values.note_variable("FORGE_API_KEY", "planted");
        values.note_variable("FORGE_API_KEY", "planted-later");
        values.note_variable("LANG", "C.UTF-8");
        assert!(values.env("PATH").is_some());
        let known = values.known();
        assert!(known.iter().eq(["planted", "planted-later"]), "{known:?}");
    }

    #[test]
    fn a_secret_comes_only_from_a_file_that_nobody_else_can_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("secrets.json");
        let values = Values::new(file.clone());
        assert_eq!(values.secret("TOKEN"), None);
        std::fs::write(&file, r#"{"TOKEN":"planted"}"#).expect("written");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("set");
        assert_eq!(values.secret("TOKEN"), None, "others may read the file");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("set");
        assert_eq!(values.secret("TOKEN").as_deref(), Some("planted"));
    }
}
