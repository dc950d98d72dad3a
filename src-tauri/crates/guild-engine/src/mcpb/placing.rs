//! An unpacked bundle put in its place: as a new member, or instead of an older one.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use guild_core::manifest::{MANIFEST_BYTES_MAX, Manifest};
use guild_core::note::{Each, InstallTrouble};
use guild_core::{Code, Report};
use serde_json::{Map, Value};

use super::FOLDER;
use super::record::{FILE, Record};
use super::unpacking::{ASIDE, Unpacked};
use crate::files::folder::clear_folders;
use crate::files::{read_bounded, save, sync_folder};
use crate::members_folder::MANIFEST_FILE;
use crate::newcomer::{Newcomer, checked, refused, unwritable};

/// The most folders that are looked at for what was left in them.
const FOLDERS_MAX: usize = 2_000;
/// The fields of a manifest that a bundle decides; all others are the user's.
const OF_BUNDLE: &[&str] = &[
    "name",
    "version",
    "description",
    "transport",
    "command",
    "args",
    "container",
    "env",
    "cwd",
    "url",
    "headers",
    "origin",
];

/// Puts an unpacked bundle there as a new member. Blocking.
///
/// # Errors
/// `adoption-refused` where the name is taken; `file-unwritable`. Nothing is left then.
pub(crate) fn put_there(
    newcomer: &Newcomer,
    unpacked: Unpacked,
    record: &Record,
    members_dir: &Path,
) -> Result<PathBuf, Report> {
    let aside = unpacked.aside;
    let noted = write_record(&aside.path().join(FILE), record);
    noted.map_err(|error| unwritable(&newcomer.name, members_dir, &error))?;
    newcomer.write_from(aside, members_dir)
}

fn write_record(file: &Path, record: &Record) -> io::Result<()> {
    let mut file = File::create_new(file)?;
    file.write_all(&record.written()?)?;
    file.sync_all()
}

/// The manifest of a member whose bundle is replaced, before that is done.
#[derive(Debug)]
pub(crate) struct Update {
    folder: PathBuf,
    text: String,
    /// As it will be.
    pub(crate) manifest: Manifest,
}

impl Update {
    /// What the manifest becomes: what a bundle decides is the new one's, the rest as it stands.
    /// Blocking.
    ///
    /// # Errors
    /// `manifest-unreadable`, `adoption-refused`.
    pub(crate) fn of(newcomer: &Newcomer, folder: &Path, before: &Record) -> Result<Self, Report> {
        let name = &newcomer.name;
        let file = folder.join(MANIFEST_FILE);
        let old = object_of(&file).map_err(|wrong| {
            let trouble = InstallTrouble::OldManifest(file.clone(), wrong);
            Report::told(Code::ManifestUnreadable, &trouble).of(name)
        })?;
        let new: Map<String, Value> = serde_json::from_str(newcomer.text())
            .map_err(|error| refused(name, &InstallTrouble::NoManifest(error.to_string())))?;
        let text = format!("{:#}\n", Value::Object(merged(old, new, before)));
        Ok(Self {
            manifest: checked(name, &text)?,
            folder: folder.to_owned(),
            text,
        })
    }

    /// Puts the new bundle beside the old one, and then has the manifest lead to it, in one step.
    /// Without `unpacked`, its files are there already. Blocking.
    ///
    /// # Errors
    /// `file-unwritable`; the old one stands then as it was.
    pub(crate) fn put_there(
        &self,
        unpacked: Option<Unpacked>,
        record: &Record,
    ) -> Result<(), Report> {
        let put = || -> io::Result<()> {
            // Nobody takes it for one that was left, until the manifest leads to it.
            let _held = match unpacked {
                Some(unpacked) => self.put_files(unpacked)?,
                None => None,
            };
            save(&self.folder.join(FILE), &record.written()?)?;
            save(&self.folder.join(MANIFEST_FILE), self.text.as_bytes())
        };
        put().map_err(|error| unwritable(&self.manifest.name, &self.folder, &error))
    }

    fn put_files(&self, Unpacked { aside, folder }: Unpacked) -> io::Result<Option<File>> {
        let (from, to) = (aside.path().join(&folder), self.folder.join(&folder));
        let held = File::open(&from).ok().filter(|held| held.lock().is_ok());
        if to.exists() {
            // Left by one that was ended before the manifest led to it.
            std::fs::remove_dir_all(&to)?;
        }
        std::fs::rename(&from, &to)?;
        sync_folder(&self.folder);
        Ok(held)
    }
}

fn object_of(file: &Path) -> Result<Map<String, Value>, Each> {
    let bytes = read_bounded(file, MANIFEST_BYTES_MAX).map_err(|error| Each::from(&error))?;
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    serde_json::from_slice(bytes).map_err(|error| Each::from(&error.to_string()))
}

fn merged(
    mut old: Map<String, Value>,
    mut new: Map<String, Value>,
    before: &Record,
) -> Map<String, Value> {
    // Variables that the user added stay.
    let own = old.get("env").and_then(Value::as_object).cloned();
    let own = own.into_iter().flatten();
    let own: Vec<_> = own.filter(|(name, _)| !before.has_variable(name)).collect();
    if !own.is_empty() {
        let env = new.entry("env").or_insert_with(|| Map::new().into());
        if let Value::Object(env) = env {
            for (name, value) in own {
                env.entry(name).or_insert(value);
            }
        }
    }
    for field in OF_BUNDLE {
        match new.remove(*field) {
            Some(value) => {
                old.insert((*field).to_owned(), value);
            }
            None => {
                old.shift_remove(*field);
            }
        }
    }
    old
}

/// Whether a member's folder has the files of a bundle whose folder is called so, and its manifest
/// leads there. Blocking.
pub(crate) fn is_in_use(member_folder: &Path, folder: &str) -> bool {
    let manifest = read_bounded(&member_folder.join(MANIFEST_FILE), MANIFEST_BYTES_MAX);
    let leads = manifest.is_ok_and(|text| String::from_utf8_lossy(&text).contains(folder));
    leads && member_folder.join(folder).is_dir()
}

/// Removes the folders of bundles from a member's folder that its manifest does not lead to. What
/// is being put there is left alone. Blocking.
pub(crate) fn clear_unused(member_folder: &Path) {
    let Ok(manifest) = read_bounded(&member_folder.join(MANIFEST_FILE), MANIFEST_BYTES_MAX) else {
        return;
    };
    let manifest = String::from_utf8_lossy(&manifest);
    let Ok(entries) = std::fs::read_dir(member_folder) else {
        return;
    };
    for entry in entries.take(FOLDERS_MAX).flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let unused = name.starts_with(FOLDER) && !manifest.contains(name.as_ref());
        if !unused || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let Ok(folder) = File::open(entry.path()) else {
            continue;
        };
        if folder.try_lock().is_ok()
            && let Err(error) = std::fs::remove_dir_all(entry.path())
        {
            tracing::debug!(folder = %entry.path().display(), %error, "an old bundle stays");
        }
    }
}

/// Removes what programs left that were killed while they installed a bundle. Blocking.
pub(crate) fn sweep(members_dir: &Path) {
    clear_folders(members_dir, ASIDE);
    let Ok(entries) = std::fs::read_dir(members_dir) else {
        return;
    };
    for entry in entries.take(FOLDERS_MAX).flatten() {
        // Only what has a bundle's record has folders of bundles.
        if entry.path().join(FILE).is_file() {
            clear_unused(&entry.path());
        }
    }
}
