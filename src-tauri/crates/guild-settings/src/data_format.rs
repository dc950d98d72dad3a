//! The format of the data folder, in its file `format.json`.
//!
//! A program opens folders of its own format and of older formats. For a folder of a newer format,
//! the program stops with an error before it writes anything, because it could not preserve that
//! folder's data.

use std::path::{Path, PathBuf};

use guild_files::files::{read_bounded, write_atomically};
use guild_model::messages::SettingsError;
use guild_model::{Code, Report};
use serde::{Deserialize, Serialize};

const FILE: &str = "format.json";
/// The format that this program writes. It is incremented by each change that older programs can't
/// read. Version 0.1 wrote no `format.json`.
const FORMAT: u32 = 1;
/// Maximum size of the file, in bytes.
const FILE_MAX: u64 = 4 << 10;

#[derive(Debug, Serialize, Deserialize)]
struct DataFormat {
    format: u32,
    /// The version of the program that first wrote this format.
    version: String,
}

/// Checks that the format of a folder is not newer than this program's. Writes nothing. Blocking.
///
/// # Errors
/// `data-newer`.
pub fn check(data_dir: &Path) -> Result<(), Report> {
    match read(&file(data_dir)) {
        Some(DataFormat { format, version }) if format > FORMAT => {
            let version = version.chars().take(40).collect();
            let trouble = SettingsError::NewerData(data_dir.to_owned(), version);
            Err(Report::from_error(Code::DataNewer, &trouble))
        }
        _ => Ok(()),
    }
}

/// Records that a folder now has this program's format. If the folder can't be written, only logs a
/// warning. Blocking.
///
/// # Errors
/// `data-newer`.
pub fn upgrade(data_dir: &Path) -> Result<(), Report> {
    check(data_dir)?;
    let file = file(data_dir);
    if read(&file).is_some_and(|known| known.format == FORMAT) {
        return Ok(());
    }
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let format = DataFormat {
        format: FORMAT,
        version,
    };
    let written = serde_json::to_vec(&format)
        .map_err(std::io::Error::from)
        .and_then(|bytes| write_atomically(&file, &bytes));
    if let Err(error) = written {
        tracing::warn!(%error, "{} can't be written", file.display());
    }
    Ok(())
}

fn file(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE)
}

/// Reads the file. Returns `None` if it is missing or damaged: a damaged file shows no newer
/// format, and is replaced.
fn read(file: &Path) -> Option<DataFormat> {
    let bytes = read_bounded(file, FILE_MAX).ok()?;
    serde_json::from_slice(&bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_folder_gets_the_format() {
        let data = tempfile::tempdir().expect("a folder");
        check(data.path()).expect("an empty folder");
        upgrade(data.path()).expect("written");
        let written = read(&file(data.path())).expect("a format");
        assert_eq!(
            (written.format, written.version.as_str()),
            (FORMAT, env!("CARGO_PKG_VERSION"))
        );
    }

    #[test]
    fn newer_folder_is_refused_unchanged() {
        let data = tempfile::tempdir().expect("a folder");
        let newer = r#"{"format": 2, "version": "9.0.0", "more": []}"#;
        std::fs::write(file(data.path()), newer).expect("written");
        let report = upgrade(data.path()).expect_err("newer");
        assert_eq!(report.code, Code::DataNewer);
        assert!(report.message.contains("9.0.0"), "{report}");
        assert_eq!(
            std::fs::read_to_string(file(data.path())).expect("read"),
            newer
        );
    }

    #[test]
    fn damaged_format_is_replaced() {
        let data = tempfile::tempdir().expect("a folder");
        for damaged in ["", "{", "[]", r#"{"format": -1, "version": ""}"#] {
            std::fs::write(file(data.path()), damaged).expect("written");
            upgrade(data.path()).expect("written");
            assert!(read(&file(data.path())).is_some(), "{damaged}");
        }
    }
}
