//! Reads `config.yml` of the data folder, for each discovery run, and changes single lines of it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use guild_model::discovery::{DISCOVERY_BYTES_MAX, DISCOVERY_FILE, DiscoverySettings};
use guild_model::messages::{DiscoveryError, io_message};
use guild_model::{Code, Report};

use guild_files::files::read_bounded;
use guild_files::files::replacing::{real, replace_unchanged};

/// Returns the file's settings, or the defaults and the error.
pub async fn settings(data_dir: &Path) -> (DiscoverySettings, Option<Report>) {
    let file = data_dir.join(DISCOVERY_FILE);
    let reading = tokio::task::spawn_blocking(move || {
        read(&file).and_then(|bytes| DiscoverySettings::parse(&bytes.unwrap_or_default()))
    });
    match reading.await {
        Ok(Ok(settings)) => (settings, None),
        Ok(Err(report)) => (DiscoverySettings::default(), Some(report)),
        Err(_) => (DiscoverySettings::default(), None),
    }
}

/// Replaces the file's settings, if they are still those in `seen`. Blocking.
///
/// # Errors
/// `discovery-settings`, also if the file's settings differ from `seen`. `settings-changed` if
/// another program wrote the file at the same time. `data-unwritable`.
pub fn change(
    data_dir: &Path,
    seen: &DiscoverySettings,
    settings: &DiscoverySettings,
) -> Result<(), Report> {
    let file: PathBuf = data_dir.join(DISCOVERY_FILE);
    let before = read(&file)?;
    let text = before.as_deref().unwrap_or_default();
    if DiscoverySettings::parse(text)? != *seen {
        let trouble = DiscoveryError::Changed(DISCOVERY_FILE);
        return Err(Report::from_error(Code::DiscoverySettings, &trouble));
    }
    let text = settings.rewritten(text)?;
    let replaced = real(&file).and_then(|real| {
        replace_unchanged(
            &real,
            before.as_deref(),
            text.as_bytes(),
            DISCOVERY_BYTES_MAX,
        )
    });
    match replaced {
        Ok(replaced) => replaced.checked(&file),
        Err(error) => {
            let trouble = DiscoveryError::Unwritable(file, io_message(&error));
            Err(Report::from_error(Code::DataUnwritable, &trouble))
        }
    }
}

/// Reads the file. `None` if it does not exist.
fn read(file: &Path) -> Result<Option<Vec<u8>>, Report> {
    match read_bounded(file, DISCOVERY_BYTES_MAX) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => read.map(Some).map_err(|error| {
            let trouble = DiscoveryError::Unreadable(file.to_owned(), io_message(&error));
            Report::from_error(Code::DiscoverySettings, &trouble)
        }),
    }
}
