//! Limits the reading of a file to its archive, so that data after the archive is invisible.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use crate::messages::BundleFault;

/// Length of the end-of-central-directory record without its comment.
pub(super) const END_BYTES: u64 = 22;

/// The bytes of a file up to the end of its archive. The last two bytes, the length of the comment,
/// read as zero.
#[derive(Debug)]
pub(crate) struct ArchiveReader {
    file: File,
    at: u64,
    end: u64,
}

impl ArchiveReader {
    /// Creates a reader of the bytes before offset `end`.
    pub(super) fn new(file: File, end: u64) -> Self {
        Self { file, at: 0, end }
    }
}

impl Read for ArchiveReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        if wanted == 0 {
            return Ok(0);
        }
        self.file.seek(SeekFrom::Start(self.at))?;
        let count = self.file.read(&mut buffer[..wanted])?;
        for (at, byte) in (self.at..).zip(&mut buffer[..count]) {
            if at + 2 >= self.end {
                *byte = 0;
            }
        }
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for ArchiveReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.end.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// The position of an archive's end record, and the record's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ArchiveEnd {
    /// The offset of the end record.
    pub(super) at: u64,
    pub(super) entries: u16,
    /// The length of the central directory.
    pub(super) list_bytes: u32,
    /// Whether a signature block follows the archive.
    pub(super) signed: bool,
}

/// The signature marker.
const SIGNATURE: &[u8] = b"MCPB_SIG_V1";
/// The magic number of the end record.
const END: &[u8] = b"PK\x05\x06";
/// The magic number before the end record of a ZIP64 archive.
const LARGER: &[u8] = b"PK\x06\x07";
/// Maximum number of bytes at the end of a file that are searched for the end record.
pub(super) const TAIL_BYTES_MAX: u64 = 1 << 20;

/// Finds the end of an archive. `tail` are the last bytes of a file, from offset `from`.
pub(super) fn end_of(tail: &[u8], from: u64) -> Result<ArchiveEnd, BundleFault> {
    let record_bytes = END_BYTES as usize;
    for start in (0..tail.len()).rev() {
        let Some(record) = tail.get(start..start + record_bytes) else {
            continue;
        };
        if !record.starts_with(END) {
            continue;
        }
        let short = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
        let long = |at: usize| {
            u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]])
        };
        let behind = &tail[start + record_bytes..];
        let signed = behind.starts_with(SIGNATURE);
        if !signed && usize::from(short(20)) != behind.len() {
            continue;
        }
        let before = start.checked_sub(20).and_then(|at| tail.get(at..at + 4));
        let (entries, list_bytes, list_at) = (short(10), long(12), long(16));
        let at = from + start as u64;
        if before == Some(LARGER) || entries == u16::MAX || list_at == u32::MAX {
            return Err(BundleFault::Larger);
        }
        if short(4) != 0 || short(6) != 0 || short(8) != entries {
            return Err(BundleFault::OnePart);
        }
        if u64::from(list_at) + u64::from(list_bytes) != at {
            return Err(BundleFault::BetweenParts);
        }
        return Ok(ArchiveEnd {
            at,
            entries,
            list_bytes,
            signed,
        });
    }
    Err(BundleFault::NoZip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use guild_tests::mangled;

    #[test]
    fn mangled_ends_of_archives_are_none_or_lie_within_the_file() {
        mangled::each("mcpb-end", |bytes| {
            for from in [0, 1 << 40] {
                let Ok(end) = end_of(bytes, from) else {
                    continue;
                };
                let at = usize::try_from(end.at - from).expect("within the bytes");
                assert!(bytes[at..].starts_with(END) && bytes.len() >= at + 22);
                assert!(u64::from(end.list_bytes) <= end.at && end.entries < u16::MAX);
                let behind = &bytes[at + 22..];
                assert_eq!(end.signed, behind.starts_with(SIGNATURE));
            }
        });
    }

    #[test]
    fn data_after_an_archive_is_ignored() {
        let mut file = tempfile::tempfile().expect("a file");
        std::io::Write::write_all(&mut file, b"0123456789behind").expect("written");
        let mut window = ArchiveReader::new(file, 10);
        let mut read = Vec::new();
        window.read_to_end(&mut read).expect("read");
        assert_eq!(read, b"01234567\0\0");
        window.seek(SeekFrom::End(-3)).expect("within");
        read.clear();
        window.read_to_end(&mut read).expect("read");
        assert_eq!(read, b"7\0\0");
        assert!(window.seek(SeekFrom::End(-11)).is_err());
    }
}
