//! The file that an update replaces.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use guild_model::updates::Preset;
use guild_process::AppImage;

use guild_files::files::read_bounded;

/// Timeout for the start of a new version, which may have to unpack itself first.
const PATIENCE: Duration = Duration::from_secs(120);
/// Maximum size of the preset file, in bytes.
const PRESET_BYTES_MAX: u64 = 16 * 1024;

/// A program that consists of a single file, which an update can replace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateTarget {
    /// The program's file.
    pub program: PathBuf,
    /// The command-line arguments of the program.
    pub arguments: Vec<OsString>,
    /// The path of the running executable. A second process of it supervises the start of the new
    /// version.
    pub running: PathBuf,
    /// The package's update settings.
    pub preset: Option<Preset>,
    /// Timeout of a new version's start.
    pub patience: Duration,
}

impl UpdateTarget {
    /// Returns the AppImage from which this program was started. `None` for other kinds of
    /// installations. Blocking.
    pub fn of_this_program(arguments: Vec<OsString>) -> Option<Self> {
        let image = AppImage::of_this_program()?;
        let running = std::env::current_exe().ok()?;
        let patience = std::env::var("GUILD_HALL_UPDATE_PATIENCE_MS").ok();
        let patience = patience.and_then(|text| text.parse().ok());
        Self::within(
            image,
            running,
            arguments,
            patience.map_or(PATIENCE, |ms| Duration::from_millis(ms).min(PATIENCE)),
        )
    }

    fn within(
        image: &AppImage,
        running: PathBuf,
        arguments: Vec<OsString>,
        patience: Duration,
    ) -> Option<Self> {
        if !image.file.is_file() {
            return None;
        }
        let preset = read_bounded(
            &image.folder.join("usr").join(Preset::FILE),
            PRESET_BYTES_MAX,
        )
        .ok()
        .and_then(|bytes| Preset::read(&bytes));
        Some(Self {
            program: image.file.clone(),
            arguments,
            running,
            preset,
            patience,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn only_an_appimage_that_is_there_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let (image, running) = image_in(folder.path());
        let place =
            || UpdateTarget::within(&image, running.clone(), vec!["--data".into()], PATIENCE);
        assert_eq!(place(), None, "there is no such file");
        std::fs::write(&image.file, "").expect("a file");
        let found = place().expect("its place");
        assert_eq!((found.program, found.preset), (image.file.clone(), None));
    }

    fn image_in(folder: &Path) -> (AppImage, PathBuf) {
        let image = AppImage {
            file: folder.join("a.AppImage"),
            folder: folder.to_owned(),
            started_in: None,
        };
        (image, folder.join("usr/bin/guild-hall"))
    }

    #[test]
    fn package_metadata_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let (image, running) = image_in(folder.path());
        std::fs::write(&image.file, "").expect("a file");
        let file = folder.path().join("usr").join(Preset::FILE);
        std::fs::create_dir_all(file.parent().expect("its folder")).expect("a folder");
        let corpus = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../tests/data/corpus/update-notes/preset.json"
        );
        std::fs::copy(corpus, &file).expect("a file");
        let place = UpdateTarget::within(&image, running, Vec::new(), PATIENCE);
        let preset = place.and_then(|place| place.preset).expect("a preset");
        assert_eq!(preset.address, "https://updates.example/latest.json");
    }
}
