//! The file that a newer version takes the place of.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use guild_core::updates::Preset;

use crate::files::read_bounded;

/// How long a newer version may take until its window has painted: its first start may unpack it.
const PATIENCE: Duration = Duration::from_secs(120);
/// The largest preset that is read, in bytes.
const PRESET_BYTES_MAX: u64 = 16 * 1024;

/// A program that is one file, and can be replaced by another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub program: PathBuf,
    /// What it is started with.
    pub arguments: Vec<OsString>,
    /// The program that runs, which lies elsewhere: who watches over the start of the new one.
    pub running: PathBuf,
    /// What the package says of newer versions.
    pub preset: Option<Preset>,
    /// How long a newer version may take to come up.
    pub patience: Duration,
}

impl Place {
    /// The AppImage that this program was started from; `None` where it was not. Blocking.
    pub fn of_this_program(arguments: Vec<OsString>) -> Option<Self> {
        let whole = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let (image, folder) = (whole("APPIMAGE")?, whole("APPDIR")?);
        let running = std::env::current_exe().ok()?;
        let patience = std::env::var("GUILD_HALL_UPDATE_PATIENCE_MS").ok();
        let patience = patience.and_then(|text| text.parse().ok());
        Self::within(
            image,
            &folder,
            running,
            arguments,
            patience.map_or(PATIENCE, |ms| Duration::from_millis(ms).min(PATIENCE)),
        )
    }

    /// A program that an AppImage of another one has started inherits its variables, and is not in its
    /// folder.
    fn within(
        program: PathBuf,
        folder: &Path,
        running: PathBuf,
        arguments: Vec<OsString>,
        patience: Duration,
    ) -> Option<Self> {
        if !program.is_absolute() || !program.is_file() || !running.starts_with(folder) {
            return None;
        }
        let preset = read_bounded(&folder.join("usr").join(Preset::FILE), PRESET_BYTES_MAX)
            .ok()
            .and_then(|bytes| Preset::read(&bytes));
        Some(Self {
            program,
            arguments,
            running,
            preset,
            patience,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_in_its_appimage_replaces_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let image = folder.path().join("a.AppImage");
        let unpacked = folder.path().join("unpacked");
        let running = unpacked.join("usr/bin/guild-hall");
        let place = |image: &Path, running: &Path| {
            let arguments = vec!["--data".into()];
            let (image, running) = (image.to_owned(), running.to_owned());
            Place::within(image, &unpacked, running, arguments, PATIENCE)
        };
        assert_eq!(place(&image, &running), None, "there is no such file");
        std::fs::write(&image, "").expect("a file");
        let found = place(&image, &running).expect("its place");
        assert_eq!((found.program, found.preset), (image.clone(), None));
        let other = Path::new("/usr/bin/guild-hall");
        assert_eq!(place(&image, other), None, "another's AppImage");
        assert_eq!(place(Path::new("a.AppImage"), &running), None);
    }

    #[test]
    fn what_the_package_says_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let image = folder.path().join("a.AppImage");
        std::fs::write(&image, "").expect("a file");
        let file = folder.path().join("usr").join(Preset::FILE);
        std::fs::create_dir_all(file.parent().expect("its folder")).expect("a folder");
        let corpus = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../tests/data/corpus/update-notes/preset.json"
        );
        std::fs::copy(corpus, &file).expect("a file");
        let running = folder.path().join("usr/bin/guild-hall");
        let place = Place::within(image, folder.path(), running, Vec::new(), PATIENCE);
        let preset = place.and_then(|place| place.preset).expect("a preset");
        assert_eq!(preset.address, "https://updates.example/latest.json");
    }
}
