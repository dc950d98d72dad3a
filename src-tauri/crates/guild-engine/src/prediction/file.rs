//! `config.yml` of the data folder, read anew for each run and changed line by line.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use guild_core::ladder::{DISCOVERY_BYTES_MAX, DISCOVERY_FILE, DiscoverySettings};
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
        return Err(Report::new(
            Code::DiscoverySettings,
            format!("{DISCOVERY_FILE} was changed meanwhile, and is left as it is."),
            "Look at the settings again.",
        ));
    }
    let text = settings.rewritten(&before)?;
    // Where it is a link, what it leads to is changed.
    let place = file.canonicalize().unwrap_or_else(|_| file.clone());
    let written = std::fs::create_dir_all(data_dir).and_then(|()| save(&place, text.as_bytes()));
    written.map_err(|error| {
        Report::new(
            Code::DataUnwritable,
            format!("{} can't be written: {error}.", file.display()),
            "Make it and its folder writable.",
        )
    })
}

/// The file's bytes; none where it is not there.
fn read(file: &Path) -> Result<Vec<u8>, Report> {
    match read_bounded(file, DISCOVERY_BYTES_MAX) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|error| {
            Report::new(
                Code::DiscoverySettings,
                format!("{} can't be read: {error}.", file.display()),
                "Make it readable, or remove it.",
            )
        }),
    }
}
