//! The history's settings. They are in a separate small file, so that a user's choice not to record
//! calls remains if the database is renamed or removed.

use std::io::ErrorKind;
use std::path::Path;

use crate::messages::HistoryError;
use guild_api::wire::HistorySettings;
use guild_model::messages::{SettingsError, io_message};
use guild_model::{Code, Report};

use guild_files::files::{read_bounded, write_atomically};

/// Maximum size of the file, in bytes.
const BYTES_MAX: u64 = 64 * 1024;

/// Reads the settings. Returns the defaults if the file does not exist.
///
/// # Errors
/// `data-unwritable` if the file can't be read. Since the user's choice is then unknown, calls are
/// not recorded.
pub(super) fn read(file: &Path) -> Result<HistorySettings, Report> {
    let unusable = |problem: String| {
        let trouble = HistoryError::Settings(file.to_owned(), problem);
        Report::from_error(Code::DataUnwritable, &trouble)
    };
    match read_bounded(file, BYTES_MAX) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(within_bounds)
            .map_err(|error| unusable(error.to_string())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(HistorySettings::default()),
        Err(error) => Err(unusable(io_message(&error))),
    }
}

/// Writes the settings, after restricting them to their bounds, and returns them.
///
/// # Errors
/// `data-unwritable`.
pub(super) fn write(file: &Path, settings: HistorySettings) -> Result<HistorySettings, Report> {
    let settings = within_bounds(settings);
    let text = serde_json::to_vec_pretty(&settings).map_err(std::io::Error::other);
    let written = text.and_then(|bytes| {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        write_atomically(file, &bytes)
    });
    match written {
        Ok(()) => Ok(settings),
        Err(error) => {
            let trouble = SettingsError::Unwritable(file.to_owned(), io_message(&error));
            Err(Report::from_error(Code::DataUnwritable, &trouble))
        }
    }
}

fn within_bounds(settings: HistorySettings) -> HistorySettings {
    HistorySettings {
        recording: settings.recording,
        keep_calls: settings.keep_calls.clamp(1, 10_000_000),
        keep_bytes: settings.keep_bytes.clamp(1 << 20, 1 << 40),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disabled_history_stays_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("data").join("history.json");
        assert_eq!(read(&file), Ok(HistorySettings::default()));
        let wanted = HistorySettings {
            recording: false,
            keep_calls: 0,
            keep_bytes: u64::MAX,
        };
        let written = write(&file, wanted).expect("written");
        assert_eq!((written.keep_calls, written.keep_bytes), (1, 1 << 40));
        assert_eq!(read(&file), Ok(written));
        std::fs::write(&file, "{").expect("written");
        let report = read(&file).expect_err("no JSON");
        assert!(report.message.contains("history.json"), "{report}");
    }

    #[test]
    fn mangled_settings_are_refused_or_within_the_bounds() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("history.json");
        guild_tests::mangled::each("history-settings", |bytes| {
            std::fs::write(&file, bytes).expect("written");
            let Ok(settings) = read(&file) else {
                return;
            };
            assert!((1..=10_000_000).contains(&settings.keep_calls));
            assert_eq!(write(&file, settings), Ok(settings));
            assert_eq!(read(&file), Ok(settings));
        });
    }
}
