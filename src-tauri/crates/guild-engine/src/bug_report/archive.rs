//! Writes a `.tar.gz` of small files.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use flate2::Compression;
use flate2::write::GzEncoder;
use guild_files::messages::FileFault;

use super::BugReportFile;

/// Size of a header, in bytes. Each file is padded to a multiple of it.
const BLOCK: usize = 512;
/// The folder in the archive that contains all files.
const FOLDER: &str = "guild-hall-bundle";

/// Returns the archive of all files.
///
/// # Errors
/// `InvalidInput` if a name is too long for a header.
pub(super) fn tar_gz(files: &[BugReportFile], at: SystemTime) -> io::Result<Vec<u8>> {
    let seconds = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    for file in files {
        let name = format!("{FOLDER}/{}", file.shown.name);
        out.write_all(&header(&name, file.bytes.len(), seconds)?)?;
        out.write_all(&file.bytes)?;
        let rest = file.bytes.len().next_multiple_of(BLOCK) - file.bytes.len();
        out.write_all(&[0; BLOCK][..rest])?;
    }
    out.write_all(&[0; 2 * BLOCK])?;
    out.finish()
}

/// Returns a POSIX (ustar) header.
fn header(name: &str, size: usize, seconds: u64) -> io::Result<[u8; BLOCK]> {
    let mut header = [0; BLOCK];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    if name.len() > 100 {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            FileFault::LongName,
        ));
    }
    put(0, name.as_bytes());
    put(100, b"0000644\0");
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, format!("{size:011o}\0").as_bytes());
    put(136, format!("{seconds:011o}\0").as_bytes());
    // The checksum is computed with spaces in the checksum field.
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(header)
}
