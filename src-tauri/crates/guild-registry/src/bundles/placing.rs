//! Installs an unpacked bundle as a new member, or over an older bundle of a member.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use guild_files::messages::InstallError;
use guild_model::manifest::{MANIFEST_BYTES_MAX, Manifest};
use guild_model::messages::io_message;
use guild_model::{Code, Report};
use serde_json::{Map, Value};

use super::FOLDER;
use super::record::{BYTES_MAX, BundleRecord, FILE};
use super::unpacking::{ASIDE, Unpacked};
use guild_files::files::folder::clear_folders;
use guild_files::files::replacing::{Replaced, real, replace_own_unchanged, replace_unchanged};
use guild_files::files::{read_bounded, save, sync_folder};
use guild_files::members_folder::MANIFEST_FILE;
use guild_import::newcomer::{Newcomer, checked, refused, unwritable};

/// Maximum number of entries of a folder that are searched for leftovers.
const FOLDERS_MAX: usize = 2_000;
/// The manifest fields that an update takes from the bundle. It leaves all other fields unchanged.
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

/// Installs an unpacked bundle as a new member. Blocking.
///
/// # Errors
/// `adoption-refused` if the name is taken, `file-unwritable`. No files remain on an error.
pub fn put_there(
    newcomer: &Newcomer,
    unpacked: Unpacked,
    record: &BundleRecord,
    members_dir: &Path,
) -> Result<PathBuf, Report> {
    let aside = unpacked.aside;
    let noted = write_record(&aside.path().join(FILE), record);
    noted.map_err(|error| unwritable(&newcomer.name, members_dir, &error))?;
    newcomer.write_from(aside, members_dir)
}

fn write_record(file: &Path, record: &BundleRecord) -> io::Result<()> {
    let mut file = File::create_new(file)?;
    file.write_all(&record.written()?)?;
    file.sync_all()
}

/// The planned manifest of a member whose bundle is replaced.
#[derive(Debug)]
pub struct Update {
    folder: PathBuf,
    /// The manifest's bytes when it was read.
    before: Vec<u8>,
    text: String,
    /// The parsed new manifest, as it will be written.
    pub manifest: Manifest,
}

impl Update {
    /// Plans the new manifest: the bundle's fields are replaced, and the rest stays. Blocking.
    ///
    /// # Errors
    /// `manifest-unreadable`, `adoption-refused`.
    pub fn of(newcomer: &Newcomer, folder: &Path, before: &BundleRecord) -> Result<Self, Report> {
        let name = &newcomer.name;
        let file = folder.join(MANIFEST_FILE);
        let unreadable = |wrong: String| {
            let trouble = InstallError::OldManifest(file.clone(), wrong);
            Report::from_error(Code::ManifestUnreadable, &trouble).of(name)
        };
        let bytes = read_bounded(&file, MANIFEST_BYTES_MAX);
        let bytes = bytes.map_err(|error| unreadable(io_message(&error)))?;
        let old = object_of(&bytes).map_err(unreadable)?;
        let new: Map<String, Value> = serde_json::from_str(newcomer.text())
            .map_err(|error| refused(name, &InstallError::NoManifest(error.to_string())))?;
        let text = format!("{:#}\n", Value::Object(merged(old, new, before)));
        Ok(Self {
            manifest: checked(name, &text)?,
            folder: folder.to_owned(),
            before: bytes,
            text,
        })
    }

    /// Moves the files of the new bundle next to those of the old one, and then replaces the
    /// manifest atomically. `unpacked` is `None` if the new files are in the member's folder
    /// already. Blocking.
    ///
    /// # Errors
    /// `file-unwritable`, also if another program wrote the manifest since it was read. The old
    /// bundle then stays installed, and the manifest keeps the other program's changes.
    pub fn put_there(
        &self,
        unpacked: Option<Unpacked>,
        record: &BundleRecord,
    ) -> Result<(), Report> {
        let name = &self.manifest.name;
        let failed = |error: io::Error| unwritable(name, &self.folder, &error);
        let record = record.written().map_err(|error| failed(error.into()))?;
        let older = read_bounded(&self.folder.join(FILE), BYTES_MAX);
        let files = unpacked.as_ref().map(|unpacked| unpacked.folder.clone());
        let file = self.folder.join(MANIFEST_FILE);
        let put = || -> io::Result<Replaced> {
            // The folder stays locked until the manifest refers to it, so that a cleanup does not
            // remove it.
            let _held = match unpacked {
                Some(unpacked) => self.put_files(unpacked)?,
                None => None,
            };
            save(&self.folder.join(FILE), &record)?;
            let text = self.text.as_bytes();
            replace_unchanged(&real(&file)?, Some(&self.before), text, MANIFEST_BYTES_MAX)
        };
        let put = put();
        if !matches!(put, Ok(Replaced::Done)) {
            self.take_back(&file, &record, older.ok().as_deref(), files.as_deref());
        }
        let trouble = match put {
            Ok(Replaced::Done) => return Ok(()),
            Ok(Replaced::Changed) => InstallError::ManifestChanged(file),
            Ok(Replaced::Beside(kept)) => InstallError::ManifestByTwo(file, kept),
            Err(error) => return Err(failed(error)),
        };
        Err(Report::from_error(Code::FileUnwritable, &trouble).of(name))
    }

    /// Undoes a failed update, unless the new manifest was written: restores the old record, and
    /// removes the new bundle's files if the manifest does not refer to them.
    fn take_back(&self, manifest: &Path, record: &[u8], older: Option<&[u8]>, files: Option<&str>) {
        let now = match read_bounded(manifest, MANIFEST_BYTES_MAX) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(_) => return,
            Ok(now) => now,
        };
        if now == self.text.as_bytes() {
            return;
        }
        if let Some(older) = older {
            let file = self.folder.join(FILE);
            // Only replaces the new record. If the new record was not written, the old one still
            // exists.
            if let Err(error) = replace_own_unchanged(&file, Some(record), older, BYTES_MAX) {
                tracing::warn!(file = %file.display(), %error, "the record names a bundle that was not installed");
            }
        }
        if let Some(files) = files
            && !String::from_utf8_lossy(&now).contains(files)
            && let Err(error) = std::fs::remove_dir_all(self.folder.join(files))
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::debug!(folder = %self.folder.display(), %error, "an unused bundle could not be removed");
        }
    }

    fn put_files(&self, Unpacked { aside, folder }: Unpacked) -> io::Result<Option<File>> {
        let (from, to) = (aside.path().join(&folder), self.folder.join(&folder));
        let held = File::open(&from).ok().filter(|held| held.lock().is_ok());
        if to.exists() {
            // An installation that ended before the manifest referred to this folder has left it.
            std::fs::remove_dir_all(&to)?;
        }
        std::fs::rename(&from, &to)?;
        sync_folder(&self.folder);
        Ok(held)
    }
}

fn object_of(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}

fn merged(
    mut old: Map<String, Value>,
    mut new: Map<String, Value>,
    before: &BundleRecord,
) -> Map<String, Value> {
    // Keeps the variables that the user added.
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

/// Whether a member's folder has the files of a bundle, and its manifest refers to them. Blocking.
pub fn is_in_use(member_folder: &Path, folder: &str) -> bool {
    let manifest = read_bounded(&member_folder.join(MANIFEST_FILE), MANIFEST_BYTES_MAX);
    let leads = manifest.is_ok_and(|text| String::from_utf8_lossy(&text).contains(folder));
    leads && member_folder.join(folder).is_dir()
}

/// Removes bundle folders that a member's manifest does not refer to, except one that is being
/// installed. Blocking.
pub fn clear_unused(member_folder: &Path) {
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

/// Removes the remains of installations whose program was killed. Blocking.
pub fn sweep(members_dir: &Path) {
    clear_folders(members_dir, ASIDE);
    let Ok(entries) = std::fs::read_dir(members_dir) else {
        return;
    };
    for entry in entries.take(FOLDERS_MAX).flatten() {
        // Only members with a bundle's record have bundle folders.
        if entry.path().join(FILE).is_file() {
            clear_unused(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use guild_import::install::InstallAnswers;
    use guild_model::MemberName;

    use super::*;
    use guild_files::files::folder::FolderAside;
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    use guild_files::files::replacing::between;

    /// A member's folder with an old bundle.
    struct BundleTestEnv {
        folder: tempfile::TempDir,
        member: PathBuf,
    }

    fn manifest(version: &str, bundle: &str) -> String {
        format!(
            r#"{{"name":"weather","version":"{version}","transport":"stdio","command":"run","args":["{bundle}"]}}"#
        )
    }

    fn record(version: &str) -> BundleRecord {
        let (given, secrets) = (InstallAnswers::new(), BTreeMap::new());
        BundleRecord::new("weather", version, version, [], &given, &secrets)
    }

    impl BundleTestEnv {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let root = folder.path().canonicalize().expect("its path");
            let member = root.join("weather");
            std::fs::create_dir_all(member.join("bundle-old")).expect("made");
            let room = Self { folder, member };
            room.write(&manifest("1.0.0", "bundle-old"));
            let written = record("1.0.0").written().expect("JSON");
            std::fs::write(room.member.join(FILE), written).expect("written");
            room
        }

        fn file(&self) -> PathBuf {
            self.member.join(MANIFEST_FILE)
        }

        fn write(&self, text: &str) {
            std::fs::write(self.file(), text).expect("written");
        }

        /// Reads the manifest, and returns an update of it with the unpacked bundle.
        fn update(&self) -> (Update, Unpacked) {
            let text = manifest("2.0.0", "bundle-new");
            let name = MemberName::parse("weather").expect("a name");
            let aside = FolderAside::begin(self.folder.path(), ASIDE).expect("begun");
            std::fs::create_dir(aside.path().join("bundle-new")).expect("made");
            let update = Update {
                folder: self.member.clone(),
                before: std::fs::read(self.file()).expect("there"),
                manifest: checked(&name, &text).expect("a manifest"),
                text,
            };
            let folder = "bundle-new".to_owned();
            (update, Unpacked { aside, folder })
        }

        #[track_caller]
        fn holds(&self, version: &str, text: &str, names: &[&str]) {
            let now = std::fs::read_to_string(self.file()).expect("there");
            assert_eq!(now, text);
            let record = BundleRecord::read(&self.member).expect("there");
            assert_eq!(record.version, version);
            let entries = std::fs::read_dir(&self.member).expect("listed");
            let mut there: Vec<String> = entries
                .map(|entry| entry.expect("an entry").file_name())
                .map(|name| name.to_string_lossy().into_owned())
                .collect();
            there.sort();
            assert_eq!(there, names);
        }
    }

    #[test]
    fn new_bundle_replaces_an_unedited_one() {
        let room = BundleTestEnv::new();
        let (update, unpacked) = room.update();
        let put = update.put_there(Some(unpacked), &record("2.0.0"));
        put.expect("it is put there");
        let names = ["bundle-new", "bundle-old", FILE, MANIFEST_FILE];
        room.holds("2.0.0", &manifest("2.0.0", "bundle-new"), &names);
    }

    #[test]
    fn save_during_bundle_update_keeps_both() {
        let room = BundleTestEnv::new();
        let theirs = manifest("1.0.0-mine", "bundle-old");
        let (update, unpacked) = room.update();
        room.write(&theirs);
        let put = update.put_there(Some(unpacked), &record("2.0.0"));
        let refused = put.expect_err("refused");
        assert_eq!(refused.code, Code::FileUnwritable);
        assert!(refused.message.contains("by another app"), "{refused}");
        room.holds("1.0.0", &theirs, &["bundle-old", FILE, MANIFEST_FILE]);
    }

    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    #[test]
    fn simultaneous_save_stays() {
        let room = BundleTestEnv::new();
        let theirs = manifest("1.0.0-mine", "bundle-old");
        let (update, unpacked) = room.update();
        let (file, text) = (room.file(), theirs.clone());
        between::once(&room.file(), move || {
            std::fs::write(file, text).expect("written");
        });
        let put = update.put_there(Some(unpacked), &record("2.0.0"));
        assert_eq!(put.expect_err("refused").code, Code::FileUnwritable);
        room.holds("1.0.0", &theirs, &["bundle-old", FILE, MANIFEST_FILE]);
    }
}
