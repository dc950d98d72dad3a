//! `config.yml` of the data folder, read anew for each run and changed line by line.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use guild_core::ladder::{DISCOVERY_BYTES_MAX, DISCOVERY_FILE, DiscoverySettings};
use guild_core::note::DiscoveryTrouble;
use guild_core::{Code, Report};

use crate::files::{read_bounded, save};

/// What the file says, or the defaults and why.
pub(crate) async fn settings(data_dir: &Path) -> (DiscoverySettings, Option<Report>) {
    let file = data_dir.join(DISCOVERY_FILE);
    let reading = tokio::task::spawn_blocking(move || {
        read(&file).and_then(|bytes| DiscoverySettings::parse(&bytes))
    });
    match reading.await {
        Ok(Ok(settings)) => (settings, None),
        Ok(Err(report)) => (DiscoverySettings::default(), Some(report)),
        Err(_) => (DiscoverySettings::default(), None),
    }
}

/// Gives the file other settings, where it still has those that were seen. Blocking.
///
/// # Errors
/// `discovery-settings`, and where the file can't be written.
pub(crate) fn change(
    data_dir: &Path,
    seen: &DiscoverySettings,
    settings: &DiscoverySettings,
) -> Result<(), Report> {
    let file: PathBuf = data_dir.join(DISCOVERY_FILE);
    let before = read(&file)?;
    if DiscoverySettings::parse(&before)? != *seen {
        let trouble = DiscoveryTrouble::Changed(DISCOVERY_FILE);
        return Err(Report::told(Code::DiscoverySettings, &trouble));
    }
    let text = settings.rewritten(&before)?;
    // Where it is a link, what it leads to is changed.
    let place = file.canonicalize().unwrap_or_else(|_| file.clone());
    let written = std::fs::create_dir_all(data_dir).and_then(|()| save(&place, text.as_bytes()));
    written.map_err(|error| {
        let trouble = DiscoveryTrouble::Unwritable(file, error.to_string());
        Report::told(Code::DataUnwritable, &trouble)
    })
}

/// The file's bytes; none where it is not there.
fn read(file: &Path) -> Result<Vec<u8>, Report> {
    match read_bounded(file, DISCOVERY_BYTES_MAX) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|error| {
            let trouble = DiscoveryTrouble::Unreadable(file.to_owned(), error.to_string());
            Report::told(Code::DiscoverySettings, &trouble)
        }),
    }
}
