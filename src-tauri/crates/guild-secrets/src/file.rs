//! `secrets.json` in the data folder: a JSON object that maps names to values. Only the owner of
//! the file may read it. A second file has the names of the secrets in the keychain, since a
//! keychain can't list them.
//!
//! If other users can read the file, it is neither read nor written, since its secrets must be
//! considered leaked.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use guild_files::messages::FileFault;
use guild_model::messages::{SecretError, io_message};
use guild_model::{Code, Report};

use guild_files::files::{read_bounded, write_atomically};

/// Maximum size of a file that is read, in bytes.
const BYTES_MAX: u64 = 8 << 20;
/// Maximum number of secrets in the file, and of keychain names in the second file.
pub(crate) const SECRETS_MAX: usize = 1_000;
/// Timeout for a lock that another program holds.
const LOCK_LIMIT: Duration = Duration::from_secs(3);

#[derive(Debug, Clone)]
pub(crate) struct SecretsFile {
    data_dir: PathBuf,
}

impl SecretsFile {
    pub(crate) fn new(data_dir: PathBuf) -> Self {
        Self { data_dir }
    }

    pub(crate) fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.data_dir.join("secrets.json")
    }

    fn names_path(&self) -> PathBuf {
        self.data_dir.join("secret-names.json")
    }

    /// Returns all secrets of the file, or none if it does not exist. Blocking.
    ///
    /// # Errors
    /// `secrets-unsafe`.
    pub(crate) fn read(&self) -> Result<BTreeMap<String, String>, Report> {
        let path = self.path();
        if !path.exists() {
            return Ok(BTreeMap::new());
        }
        if !is_private(&path) {
            return Err(Report::from_error(
                Code::SecretsUnsafe,
                &SecretError::Open(path),
            ));
        }
        self.parsed()
    }

    fn parsed(&self) -> Result<BTreeMap<String, String>, Report> {
        read_bounded(&self.path(), BYTES_MAX)
            .and_then(|bytes| {
                // The error message must not contain the file's content, which may be a secret.
                serde_json::from_slice(&bytes).map_err(|error| {
                    let (line, column) = (error.line(), error.column());
                    io::Error::other(FileFault::NoTexts(line, column))
                })
            })
            .map_err(|error| self.unusable(SecretError::Unreadable, &error))
    }

    /// Returns all secrets of the file for masking, even if other users can read the file.
    /// Blocking.
    ///
    /// # Errors
    /// `secrets-unsafe` when it can't be read.
    pub(crate) fn read_to_hide(&self) -> Result<BTreeMap<String, String>, Report> {
        if !self.path().exists() {
            return Ok(BTreeMap::new());
        }
        self.parsed()
    }

    /// Sets or removes a value. Blocking.
    ///
    /// # Errors
    /// `secrets-unsafe`, `secret-refused`.
    pub(crate) fn put(&self, name: &str, value: Option<&str>) -> Result<(), Report> {
        let _lock = self.lock()?;
        let mut secrets = self.read()?;
        let before = secrets.get(name).map(String::as_str);
        if before == value {
            return Ok(());
        }
        match value {
            Some(value) => {
                if before.is_none() && secrets.len() >= SECRETS_MAX {
                    let trouble = SecretError::TooMany(SECRETS_MAX);
                    return Err(Report::from_error(Code::SecretRefused, &trouble));
                }
                secrets.insert(name.to_owned(), value.to_owned());
            }
            None => drop(secrets.remove(name)),
        }
        self.write(&self.path(), &secrets)
    }

    /// Returns the names of the secrets that Guild Hall stored in the keychain. Blocking.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        self.read_names().unwrap_or_default()
    }

    /// Like [`names`](Self::names), but reports errors. Blocking.
    ///
    /// # Errors
    /// I/O errors, and `InvalidData`.
    pub(crate) fn read_names(&self) -> io::Result<BTreeSet<String>> {
        let names: Vec<String> = match read_bounded(&self.names_path(), BYTES_MAX) {
            Ok(bytes) => serde_json::from_slice(&bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => vec![],
            Err(error) => return Err(error),
        };
        Ok(names.into_iter().take(SECRETS_MAX).collect())
    }

    /// Records whether the keychain has a secret with this name. Blocking.
    ///
    /// # Errors
    /// `secrets-unsafe`.
    pub(crate) fn note(&self, name: &str, kept: bool) -> Result<(), Report> {
        let _lock = self.lock()?;
        let mut names = self.names();
        let changed = if kept {
            names.insert(name.to_owned())
        } else {
            names.remove(name)
        };
        if changed {
            self.write(&self.names_path(), &names)?;
        }
        Ok(())
    }

    fn write(&self, path: &Path, content: &impl serde::Serialize) -> Result<(), Report> {
        serde_json::to_vec_pretty(content)
            .map_err(io::Error::from)
            .and_then(|bytes| write_atomically(path, &bytes))
            .map_err(|error| self.unusable(SecretError::Unwritable, &error))
    }

    /// Locks the files against changes by other programs.
    fn lock(&self) -> Result<File, Report> {
        let begin = Instant::now();
        let lock = || {
            guild_files::files::create_own_folder(&self.data_dir)?;
            let file = guild_files::files::open_lock(&self.data_dir.join("secrets.lock"))?;
            loop {
                match file.try_lock() {
                    Ok(()) => return Ok(file),
                    Err(std::fs::TryLockError::Error(error)) => return Err(error),
                    Err(std::fs::TryLockError::WouldBlock) if begin.elapsed() > LOCK_LIMIT => {
                        return Err(io::Error::other(FileFault::Held));
                    }
                    Err(std::fs::TryLockError::WouldBlock) => {
                        std::thread::sleep(Duration::from_millis(10));
                    }
                }
            }
        };
        lock().map_err(|error| self.unusable(SecretError::Unwritable, &error))
    }

    fn unusable(&self, what: fn(PathBuf, String) -> SecretError, error: &io::Error) -> Report {
        Report::from_error(Code::SecretsUnsafe, &what(self.path(), io_message(error)))
    }
}

#[cfg(unix)]
pub(crate) fn is_private(file: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(file).is_ok_and(|metadata| metadata.mode() & 0o077 == 0)
}

/// Returns true: on other systems the permissions of the user's folder keep the file private.
#[cfg(not(unix))]
pub(crate) fn is_private(_file: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn mangled_secrets_are_refused_without_a_word_of_theirs() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let file = SecretsFile::new(folder.path().to_owned());
        std::fs::write(file.path(), b"{}").expect("written");
        let private = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(file.path(), private).expect("set");
        guild_tests::mangled::each("secrets", |bytes| {
            std::fs::write(file.path(), bytes).expect("written");
            match file.read() {
                Ok(secrets) => {
                    let text = serde_json::to_vec(&secrets).expect("JSON");
                    let again: BTreeMap<String, String> =
                        serde_json::from_slice(&text).expect("read");
                    assert_eq!(again, secrets);
                }
                Err(report) => assert!(!report.message.contains("a value"), "{report}"),
            }
        });
    }
}
