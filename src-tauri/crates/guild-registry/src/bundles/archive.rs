//! Opens a bundle's file and checks it before anything is used.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::mcpb::{
    BundleEntryKind, BundleManifest, EntryPath, Layout, MANIFEST, MANIFEST_BYTES_MAX, parse,
};
use crate::messages::{ArchiveFault, BundleFault, EntryFault};
use guild_client_config::System;
use guild_model::Report;
use guild_review::trust::visible;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;
use zip::CompressionMethod;
use zip::read::{ArchiveOffset, Config, ZipArchive, ZipFileEntry};
use zip::result::ZipError;

use super::window::{ArchiveEnd, ArchiveReader, END_BYTES, TAIL_BYTES_MAX, end_of};
use super::{cancelled, unusable};

/// Maximum size of a bundle's file, in bytes.
pub(super) const ARCHIVE_BYTES_MAX: u64 = 512 << 20;
/// Maximum number of entries in a bundle.
const ENTRIES_MAX: u16 = 50_000;
/// Maximum size of the central directory, in bytes.
const LIST_BYTES_MAX: u32 = 32 << 20;
/// Maximum total size of the unpacked files, in bytes.
const UNPACKED_BYTES_MAX: u64 = 2 << 30;
/// Maximum compression ratio of a bundle that unpacks to more than [`RATIO_FREE_BYTES`].
const RATIO_MAX: u64 = 100;
/// Unpacked size up to which every compression ratio is allowed, in bytes.
const RATIO_FREE_BYTES: u64 = 16 << 20;
/// Number of bytes that are read at once.
const CHUNK_BYTES: usize = 256 * 1024;
/// Maximum length of an entry's name in an error, in characters.
const SHOWN_MAX: usize = 200;

/// A fully checked bundle.
#[derive(Debug)]
pub struct Archive {
    /// The bundle's file, as the caller named it.
    pub path: PathBuf,
    /// SHA-256 of the file, in hexadecimal.
    pub digest: String,
    /// Size of the packed file, in bytes.
    pub bytes: u64,
    /// Whether a signature follows the zip data. It is not verified.
    pub signed: bool,
    /// The bundle's parsed manifest.
    pub manifest: BundleManifest,
    pub(crate) layout: Layout,
    pub(super) entries: Vec<BundleEntry>,
    /// The total size of the unpacked files according to the archive, in bytes.
    pub unpacked: u64,
    pub(super) zip: ZipArchive<BufReader<ArchiveReader>>,
    file: File,
    /// The modification time of the file when it was opened.
    written: Option<SystemTime>,
}

#[derive(Debug)]
pub(super) struct BundleEntry {
    pub(super) index: usize,
    pub(super) path: EntryPath,
    pub(super) kind: BundleEntryKind,
    pub(super) executable: bool,
    /// The size of the unpacked entry according to the archive, in bytes.
    pub(super) bytes: u64,
}

impl Archive {
    /// Opens a bundle and checks everything except the content of its files. Blocking.
    ///
    /// # Errors
    /// `mcpb-unusable`, `call-cancelled`.
    pub fn open(path: &Path, token: &CancellationToken) -> Result<Self, Report> {
        let unread = |error: io::Error| unusable(path, unread(&error));
        // Opening a pipe would block until another process writes to it.
        if !std::fs::metadata(path).map_err(unread)?.is_file() {
            return Err(unusable(path, BundleFault::NoFile));
        }
        let mut file = File::open(path).map_err(unread)?;
        let metadata = file.metadata().map_err(unread)?;
        let bytes = metadata.len();
        if !metadata.is_file() {
            return Err(unusable(path, BundleFault::NoFile));
        }
        if bytes > ARCHIVE_BYTES_MAX {
            let wrong = BundleFault::TooLarge(bytes >> 20, ARCHIVE_BYTES_MAX >> 20);
            return Err(unusable(path, wrong));
        }
        let stopped = |wrong: Option<BundleFault>| {
            wrong.map_or_else(cancelled, |wrong| unusable(path, wrong))
        };
        let end = find_end(&mut file, bytes).map_err(|wrong| unusable(path, wrong))?;
        let digest = digest_of(&mut file, token).map_err(stopped)?;
        let own = file.try_clone().map_err(unread)?;
        let window = ArchiveReader::new(file, end.at + END_BYTES);
        let config = Config {
            archive_offset: ArchiveOffset::Known(0),
        };
        let mut zip = ZipArchive::with_config(config, BufReader::new(window))
            .map_err(|error| unusable(path, BundleFault::Archive(fault_of(&error))))?;
        if zip.has_duplicate_names() || zip.len() != usize::from(end.entries) {
            return Err(unusable(path, BundleFault::Twice));
        }
        let starts =
            (0..zip.len()).filter_map(|at| Some(zip.by_index_data(at).ok()?.header_start()));
        if starts.min().is_some_and(|first| first > 0) {
            return Err(unusable(path, BundleFault::Before));
        }
        zip.validate_header_consistency()
            .map_err(|error| unusable(path, BundleFault::Archive(fault_of(&error))))?;
        let mut layout = Layout::new(System::OWN);
        let (entries, unpacked) =
            entries_of(&mut zip, &mut layout, bytes, token).map_err(stopped)?;
        let manifest = manifest_of(&mut zip, &entries).map_err(|wrong| unusable(path, wrong))?;
        Ok(Self {
            path: path.to_owned(),
            digest,
            bytes,
            signed: end.signed,
            manifest,
            layout,
            entries,
            unpacked,
            zip,
            file: own,
            written: metadata.modified().ok(),
        })
    }

    /// Returns the number of files, without folders.
    pub fn files(&self) -> usize {
        let is_file = |entry: &&BundleEntry| entry.kind == BundleEntryKind::File;
        self.entries.iter().filter(is_file).count()
    }

    /// Whether the file is unchanged since it was opened.
    pub(super) fn is_unchanged(&self) -> bool {
        let is_same =
            |now: Metadata| now.len() == self.bytes && now.modified().ok() == self.written;
        self.file.metadata().is_ok_and(is_same)
    }
}

fn unread(error: &io::Error) -> BundleFault {
    BundleFault::Archive(ArchiveFault::Unread(error.to_string()))
}

fn find_end(file: &mut File, bytes: u64) -> Result<ArchiveEnd, BundleFault> {
    let from = bytes.saturating_sub(TAIL_BYTES_MAX);
    let mut tail = Vec::new();
    let read = file
        .seek(SeekFrom::Start(from))
        .and_then(|_| file.take(TAIL_BYTES_MAX).read_to_end(&mut tail));
    read.map_err(|error| unread(&error))?;
    let end = end_of(&tail, from)?;
    if end.entries > ENTRIES_MAX || end.list_bytes > LIST_BYTES_MAX {
        return Err(BundleFault::ManyFiles {
            files: u64::from(end.entries),
            kib: u64::from(end.list_bytes >> 10),
            most: u64::from(ENTRIES_MAX),
            most_kib: u64::from(LIST_BYTES_MAX >> 10),
        });
    }
    Ok(end)
}

/// Returns the SHA-256 of a file. The error `None` means that the token was cancelled.
fn digest_of(file: &mut File, token: &CancellationToken) -> Result<String, Option<BundleFault>> {
    let failed = |error: io::Error| Some(unread(&error));
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    let mut digest = Sha256::new();
    let mut chunk = vec![0; CHUNK_BYTES];
    // The file may grow during the read, so the read is limited.
    let mut file = file.take(ARCHIVE_BYTES_MAX + 1);
    loop {
        if token.is_cancelled() {
            return Err(None);
        }
        match file.read(&mut chunk).map_err(failed)? {
            0 => break,
            count => digest.update(&chunk[..count]),
        }
    }
    let digest = digest.finalize();
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Returns the entries with valid names, and their total size. The error `None` means that the
/// token was cancelled.
fn entries_of(
    zip: &mut ZipArchive<BufReader<ArchiveReader>>,
    layout: &mut Layout,
    packed: u64,
    token: &CancellationToken,
) -> Result<(Vec<BundleEntry>, u64), Option<BundleFault>> {
    let mut entries = Vec::with_capacity(zip.len());
    let mut unpacked: u64 = 0;
    for index in 0..zip.len() {
        if token.is_cancelled() {
            return Err(None);
        }
        let entry = zip.by_index_data(index);
        let entry = entry.map_err(|error| Some(BundleFault::Archive(fault_of(&error))))?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let of_entry = |wrong: EntryFault| {
            let shown: String = name.chars().take(SHOWN_MAX).collect();
            let shown = format!("{:?}", visible(&shown));
            Some(BundleFault::File(shown, wrong))
        };
        let (path, kind) = layout.take(entry.name_raw()).map_err(of_entry)?;
        let mode = entry.unix_mode();
        check(&entry, mode, kind).map_err(of_entry)?;
        unpacked = unpacked.saturating_add(entry.size());
        let allowed = packed.saturating_mul(RATIO_MAX).max(RATIO_FREE_BYTES);
        if unpacked > UNPACKED_BYTES_MAX.min(allowed) {
            return Err(Some(too_much(unpacked)));
        }
        entries.push(BundleEntry {
            index,
            path,
            kind,
            executable: mode.is_some_and(|mode| mode & 0o111 != 0),
            bytes: entry.size(),
        });
    }
    Ok((entries, unpacked))
}

fn too_much(unpacked: u64) -> BundleFault {
    BundleFault::TooMuch {
        mebibytes: unpacked >> 20,
        ratio: RATIO_MAX,
        most: UNPACKED_BYTES_MAX >> 20,
    }
}

/// Checks that an entry is a plain readable file or folder.
fn check(
    entry: &ZipFileEntry<'_>,
    mode: Option<u32>,
    kind: BundleEntryKind,
) -> Result<(), EntryFault> {
    /// The bits of a Unix mode that contain the file type.
    const KIND: u32 = 0o170_000;
    const FILE: u32 = 0o100_000;
    const FOLDER: u32 = 0o040_000;
    const LINK: u32 = 0o120_000;
    if entry.encrypted() {
        return Err(EntryFault::Encrypted);
    }
    let method = entry.compression();
    if !matches!(
        method,
        CompressionMethod::Stored | CompressionMethod::Deflated
    ) {
        return Err(EntryFault::OddPacking);
    }
    match (mode.map_or(0, |mode| mode & KIND), kind) {
        // If the name ends in a slash, only a folder is created. The mode then has no effect.
        (0 | FILE, _) | (FOLDER, BundleEntryKind::Folder) => Ok(()),
        (LINK, _) => Err(EntryFault::Link),
        _ => Err(EntryFault::Neither),
    }
}

fn manifest_of(
    zip: &mut ZipArchive<BufReader<ArchiveReader>>,
    entries: &[BundleEntry],
) -> Result<BundleManifest, BundleFault> {
    let is_manifest = |entry: &&BundleEntry| {
        entry.path.as_str() == MANIFEST && entry.kind == BundleEntryKind::File
    };
    let entry = entries.iter().find(is_manifest);
    let entry = entry.ok_or(BundleFault::NoManifest(MANIFEST))?;
    let file = zip
        .by_index(entry.index)
        .map_err(|error| BundleFault::Archive(fault_of(&error)))?;
    let mut text = Vec::new();
    let read = file
        .take(MANIFEST_BYTES_MAX as u64 + 1)
        .read_to_end(&mut text);
    read.map_err(|error| BundleFault::ManifestUnread(MANIFEST, error.to_string()))?;
    parse(&text).map_err(|wrong| BundleFault::Manifest(MANIFEST, wrong))
}

/// Converts an error of the zip library to a text that follows the file's name.
pub(super) fn fault_of(error: &ZipError) -> ArchiveFault {
    match error {
        ZipError::Io(error) => ArchiveFault::Unread(error.to_string()),
        ZipError::InvalidArchive(what) => ArchiveFault::Unsound(what.to_string()),
        ZipError::UnsupportedArchive(what) => ArchiveFault::Unsupported((*what).to_owned()),
        other => ArchiveFault::Unread(other.to_string()),
    }
}
