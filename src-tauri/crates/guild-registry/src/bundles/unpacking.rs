//! Unpacks a bundle's files next to their final folder.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::mcpb::BundleEntryKind;
use crate::messages::{BundleFault, EntryFault};
use guild_files::messages::InstallError;
use guild_model::Report;
use guild_model::messages::io_message;
use tokio_util::sync::CancellationToken;

use super::archive::{Archive, BundleEntry, fault_of};
use super::{cancelled, unusable};
use guild_files::files::folder::{FolderAside, clear_folders};
use guild_files::files::sync_folder;

/// Prefix of the temporary folder of an unpacked bundle. Scans of the members folder skip such
/// names.
pub(super) const ASIDE: &str = ".guild-hall-unpacked-";
/// Interval between progress reports.
const REPORT_EVERY: Duration = Duration::from_millis(100);
/// Bytes per write.
const CHUNK_BYTES: usize = 64 * 1024;

/// An unpacked bundle in a temporary folder. The folder is removed on drop unless the bundle was
/// installed.
#[derive(Debug)]
pub struct Unpacked {
    pub(super) aside: FolderAside,
    /// The name of the folder with the bundle's files, in the temporary folder.
    pub(super) folder: String,
}

/// Unpacks a bundle into a new folder inside the members folder. `program` is the bundle's file
/// that becomes executable. `report` receives the number of unpacked bytes. Blocking.
///
/// # Errors
/// `mcpb-unusable`, `file-unwritable`, `call-cancelled`. No files remain on an error.
pub fn unpack(
    archive: &mut Archive,
    members_dir: &Path,
    program: Option<&str>,
    token: &CancellationToken,
    report: impl FnMut(u64),
) -> Result<Unpacked, Report> {
    clear_folders(members_dir, ASIDE);
    let folder = archive.folder();
    let begun = std::fs::create_dir_all(members_dir)
        .and_then(|()| FolderAside::begin(members_dir, ASIDE))
        .and_then(|aside| {
            std::fs::create_dir(aside.path().join(&folder))?;
            Ok(aside)
        });
    let aside = begun.map_err(|error| unwritable(members_dir, &error))?;
    let root = aside.path().join(&folder);
    let mut unpacking = Unpacking {
        token,
        report,
        reported_at: Instant::now(),
        done: 0,
        chunk: vec![0; CHUNK_BYTES],
        folders: HashSet::new(),
    };
    unpacking.all(archive, &root, program)?;
    if !archive.is_unchanged() {
        return Err(unusable(&archive.path, BundleFault::Changed));
    }
    Ok(Unpacked { aside, folder })
}

struct Unpacking<'a, T> {
    token: &'a CancellationToken,
    report: T,
    reported_at: Instant,
    done: u64,
    chunk: Vec<u8>,
    folders: HashSet<PathBuf>,
}

impl<T: FnMut(u64)> Unpacking<'_, T> {
    fn all(
        &mut self,
        archive: &mut Archive,
        root: &Path,
        program: Option<&str>,
    ) -> Result<(), Report> {
        let path = archive.path.clone();
        self.folders.insert(root.to_owned());
        let entries = std::mem::take(&mut archive.entries);
        for entry in &entries {
            if self.token.is_cancelled() {
                return Err(cancelled());
            }
            let place: PathBuf = root.join(entry.path.names().collect::<PathBuf>());
            let made = match entry.kind {
                BundleEntryKind::Folder => {
                    self.folder(&place, root).map_err(UnpackError::Unwritten)
                }
                BundleEntryKind::File => {
                    let of_bundle = program == Some(entry.path.as_str());
                    let mode = if entry.executable || of_bundle {
                        0o755
                    } else {
                        0o644
                    };
                    self.file(archive, entry, &place, root, mode)
                }
            };
            made.map_err(|stopped| match stopped {
                UnpackError::Cancelled => cancelled(),
                UnpackError::Unread(wrong) => {
                    let name = format!("{:?}", entry.path.as_str());
                    unusable(&path, BundleFault::File(name, wrong))
                }
                UnpackError::Unwritten(error) => unwritable(&place, &error),
            })?;
        }
        archive.entries = entries;
        // Syncs the entries of all folders, before the caller renames the temporary folder.
        for folder in &self.folders {
            sync_folder(folder);
        }
        (self.report)(self.done);
        Ok(())
    }

    /// Creates a folder and its parents, below `root`.
    fn folder(&mut self, folder: &Path, root: &Path) -> io::Result<()> {
        if self.folders.contains(folder) {
            return Ok(());
        }
        if let Some(parent) = folder.parent().filter(|parent| parent.starts_with(root)) {
            self.folder(parent, root)?;
        }
        // An existing folder that was not created here is an error.
        std::fs::create_dir(folder)?;
        self.folders.insert(folder.to_owned());
        Ok(())
    }

    fn file(
        &mut self,
        archive: &mut Archive,
        entry: &BundleEntry,
        place: &Path,
        root: &Path,
        mode: u32,
    ) -> Result<(), UnpackError> {
        if let Some(parent) = place.parent() {
            self.folder(parent, root).map_err(UnpackError::Unwritten)?;
        }
        let mut file = new_file(place, mode).map_err(UnpackError::Unwritten)?;
        let packed = archive.zip.by_index(entry.index);
        let packed =
            packed.map_err(|error| UnpackError::Unread(EntryFault::Archive(fault_of(&error))))?;
        // The declared size was checked before, and limits the read.
        let mut packed = packed.take(entry.bytes + 1);
        let mut written = 0;
        loop {
            if self.token.is_cancelled() {
                return Err(UnpackError::Cancelled);
            }
            let count = packed.read(&mut self.chunk);
            let count = count
                .map_err(|error| UnpackError::Unread(EntryFault::Damaged(error.to_string())))?;
            if count == 0 {
                break;
            }
            file.write_all(&self.chunk[..count])
                .map_err(UnpackError::Unwritten)?;
            written += count as u64;
            self.done += count as u64;
            if self.reported_at.elapsed() >= REPORT_EVERY {
                self.reported_at = Instant::now();
                (self.report)(self.done);
            }
        }
        if written != entry.bytes {
            return Err(UnpackError::Unread(EntryFault::OtherLength));
        }
        file.sync_all().map_err(UnpackError::Unwritten)
    }
}

enum UnpackError {
    Cancelled,
    /// An error of the bundle.
    Unread(EntryFault),
    /// An error of the disk.
    Unwritten(io::Error),
}

fn new_file(place: &Path, mode: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // The system removes the bits of the user's umask.
        options.mode(mode);
    }
    #[cfg(not(unix))]
    let _ = mode;
    options.open(place)
}

fn unwritable(place: &Path, error: &io::Error) -> Report {
    let trouble = InstallError::NoRoom(place.to_owned(), io_message(error));
    Report::from_error(guild_model::Code::FileUnwritable, &trouble)
}
