//! Reading and writing small files: bounded, and never half written.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// Reads a regular file of at most `max` bytes.
///
/// A pipe or a device is refused before it is opened, since reading one may never end.
///
/// # Errors
/// Those of the system; `FileTooLarge` past the limit, `InvalidInput` for no regular file.
pub(crate) fn read_bounded(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is no regular file",
        ));
    }
    let too_large = || {
        io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it is larger than {max} bytes, the most that is read"),
        )
    };
    if metadata.len() > max {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    File::open(path)?.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Writes a file of our own whole or not at all: to a temporary file beside it, synced, renamed
/// (REQ-MCP-TOOL-12). Only its user may read it.
///
/// # Errors
/// Those of the system; the old file then stands as it was.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, bytes, &beside())
}

/// The same for a file that the user asked for: whoever their other files are for may read it.
///
/// # Errors
/// As [`write_atomically`].
pub(crate) fn save(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = beside();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The user's umask is taken away from it.
        temporary.permissions(std::fs::Permissions::from_mode(0o666));
    }
    replace(path, bytes, &temporary)
}

fn beside() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".guild-hall-");
    builder
}

fn replace(path: &Path, bytes: &[u8], temporary: &tempfile::Builder<'_, '_>) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let mut file = temporary.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder);
    Ok(())
}

/// Makes a rename last over a power cut, where folders can be synced.
pub(crate) fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    if let Err(error) = File::open(folder).and_then(|folder| folder.sync_all()) {
        tracing::debug!(folder = %folder.display(), %error, "the folder could not be synced");
    }
    #[cfg(not(unix))]
    let _ = folder;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_past_the_limit_is_refused_before_it_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, [b'x'; 100]).expect("written");
        assert_eq!(
            read_bounded(&path, 100).expect("within the limit").len(),
            100
        );
        let error = read_bounded(&path, 99).expect_err("past the limit");
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert!(
            read_bounded(folder.path(), 99).is_err(),
            "a folder is no file"
        );
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        write_atomically(&path, b"old").expect("written");
        // A folder stands where the file should go: the rename fails.
        let blocked = folder.path().join("blocked");
        std::fs::create_dir(&blocked).expect("made");
        std::fs::write(blocked.join("inside"), b"").expect("written");
        assert!(write_atomically(&blocked, b"new").is_err());
        assert_eq!(std::fs::read(&path).expect("read"), b"old");
        let left = std::fs::read_dir(folder.path()).expect("listed").count();
        assert_eq!(left, 2, "no temporary file is left");
    }

    #[cfg(unix)]
    #[test]
    fn a_saved_file_is_readable_as_the_users_other_files_are() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let mode = |name: &str| {
            let metadata = std::fs::metadata(folder.path().join(name)).expect("a file");
            metadata.permissions().mode() & 0o777
        };
        std::fs::write(folder.path().join("other"), b"").expect("written");
        save(&folder.path().join("saved"), b"bytes").expect("saved");
        assert_eq!(mode("saved"), mode("other"));
        write_atomically(&folder.path().join("own"), b"bytes").expect("written");
        assert_eq!(mode("own"), 0o600);
    }
}
