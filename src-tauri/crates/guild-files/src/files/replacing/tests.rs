use super::*;

const MAX: u64 = 1 << 10;

struct Room {
    folder: tempfile::TempDir,
    file: PathBuf,
}

impl Room {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        Self { folder, file }
    }

    fn of(text: &str) -> Self {
        let room = Self::new();
        std::fs::write(&room.file, text).expect("written");
        room
    }

    /// Simulates a concurrent save after the next comparison: a new file is renamed over the old
    /// one.
    fn saved_then(&self, text: &'static str) {
        let file = self.file.clone();
        between::once(&self.file, move || {
            let new = file.with_extension("saving");
            std::fs::write(&new, text).expect("written");
            std::fs::rename(&new, &file).expect("renamed");
        });
    }

    fn replace(&self, before: Option<&str>) -> Replaced {
        let before = before.map(str::as_bytes);
        replace_unchanged(&self.file, before, b"ours", MAX).expect("it can be written")
    }

    fn files(&self) -> Vec<(String, String)> {
        let entries = std::fs::read_dir(self.folder.path()).expect("listed");
        let mut files: Vec<_> = entries
            .map(|entry| {
                let entry = entry.expect("an entry");
                let text = std::fs::read_to_string(entry.path()).expect("a text");
                (entry.file_name().to_string_lossy().into_owned(), text)
            })
            .collect();
        files.sort();
        files
    }

    fn holds(&self, expected: &[(&str, &str)]) {
        let files = self.files();
        let files: Vec<_> = files
            .iter()
            .map(|(n, t)| (n.as_str(), t.as_str()))
            .collect();
        assert_eq!(files, expected);
    }
}

#[test]
fn unchanged_file_is_replaced_cleanly() {
    let room = Room::of("old");
    assert_eq!(room.replace(Some("old")), Replaced::Done);
    room.holds(&[("file", "ours")]);
    assert_eq!(room.replace(Some("old")), Replaced::Changed);
    assert_eq!(room.replace(None), Replaced::Changed);
    room.holds(&[("file", "ours")]);
    let new = Room::new();
    assert_eq!(new.replace(None), Replaced::Done);
    new.holds(&[("file", "ours")]);
}

#[cfg(any(target_os = "linux", target_vendor = "apple"))]
#[test]
fn save_before_rename_is_restored() {
    let room = Room::of("old");
    room.saved_then("theirs");
    assert_eq!(room.replace(Some("old")), Replaced::Changed);
    room.holds(&[("file", "theirs")]);
    // Simulates an editor that writes into the existing file.
    let file = room.file.clone();
    between::once(&room.file, move || {
        std::fs::write(file, "once more").expect("written");
    });
    assert_eq!(room.replace(Some("theirs")), Replaced::Changed);
    room.holds(&[("file", "once more")]);
    let file = room.file.clone();
    between::once(&room.file, move || {
        std::fs::remove_file(file).expect("removed")
    });
    assert_eq!(room.replace(Some("once more")), Replaced::Changed);
    room.holds(&[]);
}

#[test]
fn file_created_before_rename_stays() {
    let room = Room::new();
    room.saved_then("theirs");
    assert_eq!(room.replace(None), Replaced::Changed);
    room.holds(&[("file", "theirs")]);
}

#[cfg(any(target_os = "linux", target_vendor = "apple"))]
#[test]
fn concurrent_saves_keep_the_older_text_aside() {
    let room = Room::of("old");
    let known = room.file.with_file_name("file.kept-1");
    std::fs::write(&known, "from before").expect("written");
    room.saved_then("theirs");
    room.saved_then("theirs again");
    let kept = room.file.with_file_name("file.kept-2");
    assert_eq!(room.replace(Some("old")), Replaced::Beside(kept));
    room.holds(&[
        ("file", "theirs again"),
        ("file.kept-1", "from before"),
        ("file.kept-2", "theirs"),
    ]);
}

#[cfg(any(target_os = "linux", target_vendor = "apple"))]
#[test]
fn own_file_is_replaced_under_its_name() {
    let room = Room::of("old");
    let replace = |before: &str| {
        let replaced = replace_own_unchanged(&room.file, Some(before.as_bytes()), b"ours", MAX);
        replaced.expect("it can be written")
    };
    let folder = room.folder.path().to_owned();
    between::once(&room.file, move || {
        let names = std::fs::read_dir(folder).expect("listed");
        let stays = |name: &str| name.contains(".kept-");
        for entry in names {
            let name = entry.expect("an entry").file_name();
            assert!(!stays(&name.to_string_lossy()), "{name:?}");
        }
    });
    assert_eq!(replace("old"), Replaced::Done);
    room.holds(&[("file", "ours")]);

    room.saved_then("theirs");
    assert_eq!(replace("ours"), Replaced::Changed);
    room.holds(&[("file", "theirs")]);

    room.saved_then("theirs again");
    room.saved_then("theirs at last");
    let kept = room.file.with_file_name("file.kept-1");
    assert_eq!(replace("theirs"), Replaced::Beside(kept));
    room.holds(&[("file", "theirs at last"), ("file.kept-1", "theirs again")]);
}
