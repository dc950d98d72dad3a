//! A `.tar.gz` of small files, as any system opens it.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use flate2::Compression;
use flate2::write::GzEncoder;
use guild_files::messages::FileFault;

use super::BugReportFile;

/// The size of a header, and what each file's end is filled up to.
const BLOCK: usize = 512;
/// The folder that everything is unpacked into.
const FOLDER: &str = "guild-hall-bundle";

/// All files in one.
///
/// # Errors
/// `InvalidInput` for a name that has no place in a header.
pub(super) fn tar_gz(files: &[BugReportFile], at: SystemTime) -> io::Result<Vec<u8>> {
    let seconds = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    for file in files {
        let name = format!("{FOLDER}/{}", file.name);
        out.write_all(&header(&name, file.bytes.len(), seconds)?)?;
        out.write_all(&file.bytes)?;
        let rest = file.bytes.len().next_multiple_of(BLOCK) - file.bytes.len();
        out.write_all(&[0; BLOCK][..rest])?;
    }
    out.write_all(&[0; 2 * BLOCK])?;
    out.finish()
}

/// A header as POSIX has it (ustar).
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
    // The sum is taken over a header with blanks in its place.
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(header)
}
