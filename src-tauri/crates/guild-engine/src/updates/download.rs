//! Reads release descriptions and downloads new versions.

use std::fs::{DirBuilder, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::messages::{UpdateError, UpdateProblem};
use guild_mcp_client::{DocumentRequest, Documents, FetchError};
use guild_model::messages::io_message;
use guild_model::updates::{PROGRAM_BYTES_MAX, RELEASE_BYTES_MAX};
use guild_model::{Code, Report};
use serde_json::Value;

use super::{folder, unplaced};
use guild_files::files::read_bounded;

/// Timeout for reading a release description.
const ANNOUNCEMENT_LIMIT: Duration = Duration::from_secs(20);
/// Timeout for a download.
const FETCH_LIMIT: Duration = Duration::from_secs(60 * 60);
/// Interval between progress events.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);
/// Prefix of downloaded files.
const FETCHED: &str = "fetched-";

/// Reads the release description at an address.
///
/// # Errors
/// `update-unread`.
pub(super) async fn announcement(address: &str) -> Result<Value, Report> {
    let wish = DocumentRequest {
        url: address,
        limit: ANNOUNCEMENT_LIMIT,
        bytes_max: RELEASE_BYTES_MAX,
    };
    let documents = Documents::of(address).await;
    let documents = documents.map_err(|error| unread(address, &error))?;
    let document = documents.read(&wish).await;
    let document = document.map_err(|error| unread(address, &error))?;
    if document.status != 200 {
        return Err(unread(address, &FetchError::Status(document.status)));
    }
    serde_json::from_slice(&document.body).map_err(|error| unread(address, &error.to_string()))
}

/// Downloads a version into a file and reports progress. Dropping the future cancels it.
///
/// # Errors
/// `update-unread`, `update-unplaced` if the file can't be written.
pub(super) async fn fetch(
    file: &Path,
    address: &str,
    mut report: impl FnMut(u64, Option<u64>),
) -> Result<(), Report> {
    let no = |error: FetchError| match &error {
        FetchError::Unwritten(why) => unplaced(why),
        other => unread(address, other),
    };
    let wish = DocumentRequest {
        url: address,
        limit: FETCH_LIMIT,
        bytes_max: usize::try_from(PROGRAM_BYTES_MAX).unwrap_or(usize::MAX),
    };
    let documents = Documents::of(address).await.map_err(no)?;
    let path = file.to_owned();
    let creating = tokio::task::spawn_blocking(move || create(&path));
    let file = creating.await.unwrap_or_else(|error| Err(error.into()));
    let mut file = tokio::fs::File::from_std(file.map_err(|error| unplaced(&io_message(&error)))?);
    let mut reported = Instant::now();
    let status = documents.save(&wish, &mut file, |done, of| {
        if reported.elapsed() >= PROGRESS_INTERVAL {
            reported = Instant::now();
            report(done, of);
        }
    });
    match status.await.map_err(no)? {
        200 => Ok(()),
        other => Err(unread(address, &FetchError::Status(other))),
    }
}

/// Reads a download. Blocking.
///
/// # Errors
/// `update-unplaced` if it can't be read.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, Report> {
    read_bounded(file, PROGRAM_BYTES_MAX)
        .map_err(|error| unplaced(&UpdateProblem::FetchedUnread(io_message(&error))))
}

/// Removes a download. Blocking.
pub(super) fn discard(file: &Path) {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(%error, "a downloaded update could not be removed");
        }
        _ => {}
    }
}

/// Removes the downloads that earlier runs left. Blocking.
pub(super) fn clear(data_dir: &Path) {
    let Ok(entries) = std::fs::read_dir(folder(data_dir)) else {
        return;
    };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(FETCHED) {
            discard(&entry.path());
        }
    }
}

/// Returns a different file for each download, so that a cancelled download does not conflict with
/// the next one.
pub(super) fn file(data_dir: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    folder(data_dir).join(format!("{FETCHED}{}-{count}", std::process::id()))
}

pub(super) fn unread(address: &str, why: &impl ToString) -> Report {
    let trouble = UpdateError::Unread(
        address.to_owned(),
        why.to_string().trim_end_matches('.').to_owned(),
    );
    Report::from_error(Code::UpdateUnread, &trouble)
}

fn create(path: &Path) -> io::Result<File> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    File::create(path)
}
