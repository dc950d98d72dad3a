//! What an import of settings is about to write over, kept until all of it is written: whoever is
//! killed in between leaves nothing half done, since the next hall on the data folder puts it back.
//! What was changed since by anybody else stays.

mod taking_back;

use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use guild_core::ladder::DISCOVERY_FILE;
use guild_core::note::{FileFault, SettingsTrouble, Told as _};
use guild_core::settings::SETTINGS_FILE;
use guild_core::wire::SettingsPart;
use guild_core::{Code, Report};
use serde::{Deserialize, Deserializer, Serialize};

use self::taking_back::taken_back;
use crate::control::Claim;
use crate::files::replacing::{Replaced, move_aside, real, remove_unchanged, replace_unchanged};
use crate::files::{read_bounded, write_atomically};

/// The file that it is kept in.
const UNDO_FILE: &str = "settings-import.json";
/// The files that an import writes.
const WRITTEN: [(SettingsPart, &str); 4] = [
    (SettingsPart::Settings, SETTINGS_FILE),
    (SettingsPart::Gateway, "gateway.json"),
    (SettingsPart::Discovery, DISCOVERY_FILE),
    (SettingsPart::History, "history.json"),
];
/// The largest of them, and all of them, twice, as JSON.
const FILE_MAX: u64 = 4 << 20;
const ALL_MAX: u64 = 64 << 20;
/// How often a file is put back that is written meanwhile.
const TRIES: usize = 3;

/// The files as they were, and as they are to be.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Undo {
    files: Vec<Kept>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    name: String,
    /// `None` where there was none.
    text: Option<String>,
    /// What the import writes, `None` where it writes nothing; nothing at all was said of that at
    /// first.
    #[serde(
        default,
        deserialize_with = "said",
        skip_serializing_if = "Option::is_none"
    )]
    written: Option<Option<String>>,
    /// Whether that is done, as far as the program knows that does it.
    #[serde(skip)]
    put: AtomicBool,
}

/// What is said, were it `null`.
fn said<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}

impl Undo {
    /// Keeps the files as they are now, before an import writes them; `to_write` is asked what that
    /// makes of each text, and says `None` of one that it leaves as it is. Blocking.
    ///
    /// # Errors
    /// What `to_write` refuses, and what `unwritable` makes of the system's.
    pub(crate) fn keep(
        data_dir: &Path,
        to_write: impl Fn(SettingsPart, Option<&str>) -> Result<Option<String>, Report>,
        unwritable: impl Fn(&io::Error) -> Report,
    ) -> Result<Self, Report> {
        let mut files = Vec::with_capacity(WRITTEN.len());
        for (part, name) in WRITTEN {
            let text = text_of(&data_dir.join(name)).map_err(|error| {
                let fault = FileFault::Of(name.to_owned(), error.told());
                unwritable(&io::Error::new(error.kind(), fault))
            })?;
            let written = Some(to_write(part, text.as_deref())?);
            let name = name.to_owned();
            files.push(Kept {
                name,
                text,
                written,
                put: AtomicBool::default(),
            });
        }
        let undo = Self { files };
        let bytes = serde_json::to_vec(&undo)
            .map_err(io::Error::other)
            .map_err(|error| unwritable(&error))?;
        if bytes.len() as u64 > ALL_MAX {
            return Err(undo.too_large(data_dir));
        }
        let file = data_dir.join(UNDO_FILE);
        // One that could be read was undone: whoever wants to read this one finds it.
        if file.exists() {
            let kept = move_aside(&file).map_err(|error| unwritable(&error))?;
            let kept = kept.display();
            tracing::warn!(%kept, "what an import of settings had left can't be read, and is kept");
        }
        write_atomically(&file, &bytes).map_err(|error| unwritable(&error))?;
        Ok(undo)
    }

    /// Writes one file as it is to be, where it is still as it was kept. Blocking.
    ///
    /// # Errors
    /// `settings-changed` where somebody else wrote it since, `data-unwritable`.
    pub(crate) fn write(&self, part: SettingsPart, data_dir: &Path) -> Result<(), Report> {
        let is_part = |kept: &&Kept| WRITTEN.contains(&(part, kept.name.as_str()));
        let Some(kept) = self.files.iter().find(is_part) else {
            return Ok(());
        };
        let Some(Some(text)) = &kept.written else {
            return Ok(());
        };
        if kept.text.as_ref() == Some(text) {
            return Ok(());
        }
        let path = data_dir.join(&kept.name);
        let before = kept.text.as_deref().map(str::as_bytes);
        let replaced = real(&path)
            .and_then(|real| replace_unchanged(&real, before, text.as_bytes(), FILE_MAX));
        let is_put = match &replaced {
            Ok(Replaced::Done) => true,
            Ok(Replaced::Beside(_)) => text_of(&path).is_ok_and(|now| now.as_ref() == Some(text)),
            _ => false,
        };
        kept.put.store(is_put, Ordering::Relaxed);
        match replaced {
            Ok(Replaced::Changed) => {
                let trouble = SettingsTrouble::ChangedSince(path);
                Err(Report::told(Code::SettingsChanged, &trouble))
            }
            Ok(replaced) => replaced.checked(&path),
            Err(error) => {
                let trouble = SettingsTrouble::Unwritable(path, error.told());
                Err(Report::told(Code::DataUnwritable, &trouble))
            }
        }
    }

    /// Puts the files back as they were, but for what others have changed since, and forgets about
    /// it. Blocking.
    fn put_back(&self, data_dir: &Path) -> io::Result<()> {
        self.put_each_back(data_dir, |_| true)
    }

    /// Puts the files back that are chosen. One that can't be is in no other's way: the first such is
    /// told once all were tried, and what is kept stays.
    fn put_each_back(&self, data_dir: &Path, chosen: impl Fn(&Kept) -> bool) -> io::Result<()> {
        let mut all = Ok(());
        for kept in self.files.iter().filter(|kept| chosen(kept)) {
            // Nothing else is ever written, whatever stands in the file.
            if let Some((part, _)) = WRITTEN.into_iter().find(|(_, name)| *name == kept.name)
                && let Err(error) = kept.put_back(part, data_dir)
            {
                tracing::error!(%error, file = kept.name, "not put back as it was before the import");
                all = all.and(Err(error));
            }
        }
        all.and_then(|()| Self::forget(data_dir))
    }

    /// The same for whoever began to write them and can't go on: what is not written yet is nothing
    /// of the import's, even where somebody else has written the very same. Blocking.
    pub(crate) fn give_up(&self, data_dir: &Path) -> io::Result<()> {
        self.put_each_back(data_dir, |kept| kept.put.load(Ordering::Relaxed))
    }

    /// All is written. Blocking.
    pub(crate) fn forget(data_dir: &Path) -> io::Result<()> {
        match std::fs::remove_file(data_dir.join(UNDO_FILE)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// What an import that was cut off has left, if any did; what can't be read stays where it is.
    /// Blocking.
    fn left(data_dir: &Path) -> Option<Self> {
        let file = data_dir.join(UNDO_FILE);
        let read = read_bounded(&file, ALL_MAX)
            .and_then(|bytes| serde_json::from_slice(&bytes).map_err(io::Error::from));
        match read {
            Ok(undo) => Some(undo),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                let file = file.display();
                tracing::warn!(%file, %error, "what an import of settings has left can't be read");
                None
            }
        }
    }

    fn too_large(&self, data_dir: &Path) -> Report {
        let largest = self.files.iter().max_by_key(|kept| kept.len());
        let largest = largest.map_or(SETTINGS_FILE, |kept| kept.name.as_str());
        let mib = usize::try_from(ALL_MAX >> 20).unwrap_or(usize::MAX);
        let trouble = SettingsTrouble::UndoTooLarge(data_dir.to_owned(), mib, largest.to_owned());
        Report::told(Code::DataUnwritable, &trouble)
    }
}

impl Kept {
    fn len(&self) -> usize {
        let texts = [self.text.as_ref(), self.written.iter().flatten().next()];
        texts.into_iter().flatten().map(String::len).sum()
    }

    fn put_back(&self, part: SettingsPart, data_dir: &Path) -> io::Result<()> {
        let path = real(&data_dir.join(&self.name))?;
        for _ in 0..TRIES {
            // What is no text is nothing that an import wrote.
            let now = match text_of(&path) {
                Err(error) if error.kind() == ErrorKind::InvalidData => return Ok(()),
                now => now?,
            };
            let before = now.as_deref().map(str::as_bytes);
            let replaced = match (self.undone(part, now.as_deref()), before) {
                (undone, _) if undone == now => return Ok(()),
                (Some(text), _) => replace_unchanged(&path, before, text.as_bytes(), FILE_MAX)?,
                (None, Some(before)) => remove_unchanged(&path, before, FILE_MAX)?,
                (None, None) => return Ok(()),
            };
            match replaced {
                Replaced::Done => return self.for_its_user_alone(&path),
                Replaced::Changed => {}
                Replaced::Beside(kept) => {
                    return Err(io::Error::other(FileFault::WrittenByTwo(path, kept)));
                }
            }
        }
        Err(io::Error::other(FileFault::Restless(path)))
    }

    /// Lets nobody else read what was put back, as a file that is written anew.
    #[cfg(unix)]
    fn for_its_user_alone(&self, path: &Path) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;

        let alone = std::fs::Permissions::from_mode(0o600);
        match std::fs::set_permissions(path, alone) {
            Err(error) if self.text.is_some() => Err(error),
            // It was removed.
            _ => Ok(()),
        }
    }

    #[cfg(not(unix))]
    fn for_its_user_alone(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    /// The text without what the import wrote, of the one that is there now.
    fn undone(&self, part: SettingsPart, now: Option<&str>) -> Option<String> {
        let Some(written) = &self.written else {
            return self.text.clone();
        };
        let (Some(written), Some(there)) = (written.as_deref(), now) else {
            return now.map(str::to_owned);
        };
        let before = self.text.as_deref();
        if there == written || now == before {
            return self.text.clone();
        }
        let undone = taken_back(part, before.unwrap_or_default(), written, there);
        if undone.is_none() {
            tracing::warn!(file = %self.name, "changed since an import was cut off, it stays as it is");
        }
        undone.or_else(|| now.map(str::to_owned))
    }
}

/// The text of a file; `None` where there is none.
fn text_of(path: &Path) -> io::Result<Option<String>> {
    match read_bounded(path, FILE_MAX) {
        Ok(bytes) => String::from_utf8(bytes)
            .map(Some)
            .map_err(|_| io::Error::new(ErrorKind::InvalidData, FileFault::NoText)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The settings' text as it is once an import that was cut off is undone; `None` where none was.
/// Blocking.
pub(crate) fn text_once_undone(data_dir: &Path) -> Option<String> {
    let mut kept = Undo::left(data_dir)?.files.into_iter();
    let of_settings = kept.find(|file| file.name == SETTINGS_FILE)?;
    let now = text_of(&data_dir.join(SETTINGS_FILE)).ok()?;
    Some(
        of_settings
            .undone(SettingsPart::Settings, now.as_deref())
            .unwrap_or_default(),
    )
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

    const IMPORTED: &str = "{\"membersDir\": \"theirs\"}";

    /// Keeps the files before an import of settings and of a gateway.
    fn keep(data_dir: &Path) {
        let to_write = |part, _: Option<&str>| {
            Ok(match part {
                SettingsPart::Settings => Some(IMPORTED.to_owned()),
                SettingsPart::Gateway => Some("{}".to_owned()),
                _ => None,
            })
        };
        let unwritable = |error: &io::Error| panic!("{error}");
        let _kept = Undo::keep(data_dir, to_write, unwritable).expect("kept");
    }

    #[test]
    fn what_was_changed_since_outlives_an_import_that_was_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let text = |name: &str| std::fs::read_to_string(at(name)).expect("there");
        std::fs::write(at("settings.json"), "{}").expect("written");
        keep(folder.path());
        let mine = "{\"membersDir\": \"theirs\", \"appearance\": {\"zoom\": 120}}";
        std::fs::write(at("settings.json"), mine).expect("written");
        // A file that the import had not come to yet, and one that it does not write.
        std::fs::write(at("gateway.json"), "{\"port\": 20001}").expect("written");
        std::fs::write(at("config.yml"), "# mine\n").expect("written");
        let expected = "{ \"appearance\": {\"zoom\": 120}}";
        assert_eq!(
            text_once_undone(folder.path()).as_deref(),
            Some(expected),
            "as it will be"
        );
        assert!(undo_cut_off(folder.path()).expect("undone"));
        assert_eq!(text("settings.json"), expected);
        let gateway: serde_json::Value = serde_json::from_str(&text("gateway.json")).expect("JSON");
        assert_eq!(gateway, serde_json::json!({"port": 20_001}));
        assert_eq!(text("config.yml"), "# mine\n");
        assert!(!at(UNDO_FILE).exists());
    }

    #[test]
    fn an_import_that_was_cut_off_is_as_if_it_never_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("settings.json"), "{}").expect("written");
        std::fs::write(at("other.json"), "mine").expect("written");
        assert!(!undo_cut_off(folder.path()).expect("nothing to do"));
        keep(folder.path());
        std::fs::write(at("settings.json"), IMPORTED).expect("written");
        std::fs::write(at("gateway.json"), "{}").expect("written");
        let undone = text_once_undone(folder.path());
        assert_eq!(undone.as_deref(), Some("{}"));
        assert!(undo_cut_off(folder.path()).expect("undone"));
        assert_eq!(text_once_undone(folder.path()), None);
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
    fn an_undo_that_does_not_say_what_was_written_puts_the_files_back_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let text = |name: &str| std::fs::read_to_string(at(name)).expect("there");
        let kept = r#"{"files": [
            {"name": "settings.json", "text": "{}"},
            {"name": "gateway.json", "text": null},
            {"name": "config.yml", "text": "", "written": null}
        ]}"#;
        std::fs::write(at(UNDO_FILE), kept).expect("written");
        std::fs::write(at("settings.json"), IMPORTED).expect("written");
        std::fs::write(at("gateway.json"), "{}").expect("written");
        std::fs::write(at("config.yml"), "# mine\n").expect("written");
        assert_eq!(text_once_undone(folder.path()).as_deref(), Some("{}"));
        assert!(undo_cut_off(folder.path()).expect("undone"));
        assert_eq!(text("settings.json"), "{}");
        assert!(!at("gateway.json").exists() && !at(UNDO_FILE).exists());
        assert_eq!(text("config.yml"), "# mine\n", "nothing was to be written");
    }

    #[test]
    fn an_undo_that_can_t_be_read_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("settings.json"), IMPORTED).expect("written");
        std::fs::write(at(UNDO_FILE), "{\"files\": [").expect("written");
        assert!(!undo_cut_off(folder.path()).expect("nothing is undone"));
        let text = |name: &str| std::fs::read_to_string(at(name)).expect("there");
        assert_eq!(text("settings.json"), IMPORTED);
        assert_eq!(text(UNDO_FILE), "{\"files\": [");
        // The next import keeps its own in that file's place.
        keep(folder.path());
        assert_eq!(text("settings-import.json.kept-1"), "{\"files\": [");
        assert!(undo_cut_off(folder.path()).expect("that of the next"));
        std::fs::write(at(UNDO_FILE), "[").expect("written");
        keep(folder.path());
        assert_eq!(text("settings-import.json.kept-1"), "{\"files\": [");
        assert_eq!(text("settings-import.json.kept-2"), "[");
    }

    #[test]
    fn an_import_whose_undo_could_not_be_read_again_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "\u{1}".repeat(3 << 20);
        for (_, name) in WRITTEN {
            std::fs::write(folder.path().join(name), &text).expect("written");
        }
        std::fs::write(folder.path().join("history.json"), text + "!").expect("written");
        let unwritable = |error: &io::Error| panic!("{error}");
        let kept = Undo::keep(folder.path(), |_, _| Ok(None), unwritable);
        let report = kept.expect_err("90 MiB");
        assert!(report.message.contains("64 MiB"), "{report}");
        assert!(report.to_string().contains("history.json"), "{report}");
        assert!(!folder.path().join(UNDO_FILE).exists());
    }

    #[test]
    fn who_keeps_nothing_undoes_it_only_where_nobody_imports() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        undo_where_nobody_keeps(folder.path());
        assert!(!at("hall.lock").exists(), "nothing is to be undone");
        std::fs::write(at("settings.json"), "{}").expect("written");
        keep(folder.path());
        std::fs::write(at("settings.json"), IMPORTED).expect("written");
        let text = || std::fs::read_to_string(at("settings.json")).expect("there");
        let claim = Claim::take_now(folder.path()).expect("it has locks");
        undo_where_nobody_keeps(folder.path());
        assert_eq!(text(), IMPORTED, "somebody imports");
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
            std::fs::write(data.join("settings.json"), IMPORTED).expect("written");
            std::fs::write(data.join(UNDO_FILE), bytes).expect("written");
            let _ = undo_cut_off(&data);
            for file in [&outside, &data.join("hall.json")] {
                assert_eq!(std::fs::read_to_string(file).expect("there"), "mine");
            }
        });
    }
}
