//! What an import of settings is about to write over, kept until all of it is written: whoever is
//! killed in between leaves nothing half done, since the next hall on the data folder puts it back.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use guild_core::settings::SETTINGS_FILE;
use serde::{Deserialize, Serialize};

use crate::control::Claim;
use crate::files::replacing::real;
use crate::files::{read_bounded, write_atomically};

/// The file that it is kept in.
const UNDO_FILE: &str = "settings-import.json";
/// The files that an import writes.
const WRITTEN: [&str; 5] = [
    SETTINGS_FILE,
    "gateway.json",
    "config.yml",
    "history.json",
    "registry.json",
];
/// The largest of them, and all of them as JSON.
const FILE_MAX: u64 = 4 << 20;
const ALL_MAX: u64 = 64 << 20;

/// The files as they were.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Undo {
    files: Vec<Kept>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    name: String,
    /// `None` where there was none.
    text: Option<String>,
}

impl Undo {
    /// Keeps the files as they are now. Blocking.
    pub(crate) fn keep(data_dir: &Path) -> io::Result<Self> {
        let mut files = Vec::with_capacity(WRITTEN.len());
        for name in WRITTEN {
            let text = match read_bounded(&data_dir.join(name), FILE_MAX) {
                Ok(bytes) => Some(
                    String::from_utf8(bytes)
                        .map_err(|_| io::Error::other(format!("{name} is no text in UTF-8")))?,
                ),
                Err(error) if error.kind() == ErrorKind::NotFound => None,
                Err(error) => return Err(error),
            };
            let name = name.to_owned();
            files.push(Kept { name, text });
        }
        let undo = Self { files };
        let bytes = serde_json::to_vec(&undo).map_err(io::Error::other)?;
        write_atomically(&data_dir.join(UNDO_FILE), &bytes)?;
        Ok(undo)
    }

    /// Puts the files back as they were, and forgets about it. Blocking.
    pub(crate) fn put_back(&self, data_dir: &Path) -> io::Result<()> {
        for Kept { name, text } in &self.files {
            // Nothing else is ever written, whatever stands in the file.
            if !WRITTEN.contains(&name.as_str()) {
                continue;
            }
            let path: PathBuf = real(&data_dir.join(name))?;
            let now = read_bounded(&path, FILE_MAX);
            match (text, now) {
                (Some(text), Ok(now)) if now == text.as_bytes() => {}
                (Some(text), _) => write_atomically(&path, text.as_bytes())?,
                (None, Err(error)) if error.kind() == ErrorKind::NotFound => {}
                (None, _) => std::fs::remove_file(&path)?,
            }
        }
        Self::forget(data_dir)
    }

    /// All is written. Blocking.
    pub(crate) fn forget(data_dir: &Path) -> io::Result<()> {
        match std::fs::remove_file(data_dir.join(UNDO_FILE)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// What an import that was cut off has left, if any did. Blocking.
    fn left(data_dir: &Path) -> Option<Self> {
        let bytes = read_bounded(&data_dir.join(UNDO_FILE), ALL_MAX).ok()?;
        serde_json::from_slice(&bytes).ok()
    }
}

/// The settings' text as it was before an import that was cut off; `None` where none was. Blocking.
pub(crate) fn text_before_cut_off(data_dir: &Path) -> Option<String> {
    let kept = Undo::left(data_dir)?.files.into_iter();
    let mut of_settings = kept.filter(|file| file.name == SETTINGS_FILE);
    Some(of_settings.next()?.text.unwrap_or_default())
}

/// Puts back what an import that was cut off had begun to write; whether there was one. For whoever
/// keeps the folder. Blocking.
pub(crate) fn undo_cut_off(data_dir: &Path) -> io::Result<bool> {
    let Some(undo) = Undo::left(data_dir) else {
        return Ok(false);
    };
    let undone = undo.put_back(data_dir);
    match &undone {
        Ok(()) => tracing::warn!("an import of settings was cut off, and is as if it never was"),
        Err(error) => tracing::warn!(%error, "an import of settings was cut off, and stays so"),
    }
    undone.map(|()| true)
}

/// The same for who keeps nothing: only where nobody keeps the folder, who would be about to import.
/// Blocking.
pub(crate) fn undo_where_nobody_keeps(data_dir: &Path) {
    if !data_dir.join(UNDO_FILE).exists() {
        return;
    }
    match Claim::take_now(data_dir) {
        // What keeps it from being undone is told in the log.
        Ok(Some(_claim)) => drop(undo_cut_off(data_dir)),
        Ok(None) => {}
        Err(error) => tracing::warn!(%error, "an import of settings was cut off, and stays so"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_that_was_cut_off_is_as_if_it_never_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("settings.json"), "{}").expect("written");
        std::fs::write(at("other.json"), "mine").expect("written");
        assert!(!undo_cut_off(folder.path()).expect("nothing to do"));
        let _kept = Undo::keep(folder.path()).expect("kept");
        std::fs::write(at("settings.json"), "{\"language\": \"de\"}").expect("written");
        std::fs::write(at("gateway.json"), "{}").expect("written");
        let before = text_before_cut_off(folder.path());
        assert_eq!(before.as_deref(), Some("{}"));
        assert!(undo_cut_off(folder.path()).expect("undone"));
        assert_eq!(text_before_cut_off(folder.path()), None);
        assert_eq!(
            std::fs::read_to_string(at("settings.json")).expect("there"),
            "{}"
        );
        assert!(!at("gateway.json").exists() && !at(UNDO_FILE).exists());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let metadata = std::fs::metadata(at("settings.json")).expect("there");
            assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(
            std::fs::read_to_string(at("other.json")).expect("there"),
            "mine"
        );
    }

    #[test]
    fn who_keeps_nothing_undoes_it_only_where_nobody_imports() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        undo_where_nobody_keeps(folder.path());
        assert!(!at("hall.lock").exists(), "nothing is to be undone");
        std::fs::write(at("settings.json"), "{}").expect("written");
        let _kept = Undo::keep(folder.path()).expect("kept");
        std::fs::write(at("settings.json"), "{\"language\": \"de\"}").expect("written");
        let text = || std::fs::read_to_string(at("settings.json")).expect("there");
        let claim = Claim::take_now(folder.path()).expect("it has locks");
        undo_where_nobody_keeps(folder.path());
        assert_eq!(text(), "{\"language\": \"de\"}", "somebody imports");
        drop(claim);
        undo_where_nobody_keeps(folder.path());
        assert_eq!(text(), "{}");
        assert!(!at(UNDO_FILE).exists());
        let again = Claim::take_now(folder.path()).expect("it has locks");
        assert!(again.is_some(), "it is given back");
    }

    #[test]
    fn mangled_undos_touch_nothing_but_the_files_of_settings() {
        let folder = tempfile::tempdir().expect("a folder");
        let outside = folder.path().join("outside.json");
        let data = folder.path().join("data");
        std::fs::create_dir(&data).expect("made");
        crate::mangled::each("settings-undo", |bytes| {
            std::fs::write(&outside, "mine").expect("written");
            std::fs::write(data.join("hall.json"), "mine").expect("written");
            std::fs::write(data.join(UNDO_FILE), bytes).expect("written");
            let _ = undo_cut_off(&data);
            for file in [&outside, &data.join("hall.json")] {
                assert_eq!(std::fs::read_to_string(file).expect("there"), "mine");
            }
        });
    }
}
