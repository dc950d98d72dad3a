//! Changes a file that a person may edit too.

use std::io;
use std::path::Path;

use crate::messages::DevError;
use guild_model::manifest::MANIFEST_BYTES_MAX;
use guild_model::messages::io_message;
use guild_model::{Code, Report};

use guild_files::files::read_bounded;
use guild_files::files::replacing::{Replaced, replace_unchanged};

/// Atomically replaces a file's content with the result of `edit`, and returns the new content.
/// Permissions and the target of a link stay. Blocking.
///
/// # Errors
/// The errors of `edit`. `file-unwritable`, also if another program wrote the file at the same
/// time. That program's changes are not lost.
pub fn edit_file(
    path: &Path,
    edit: impl FnOnce(&[u8]) -> Result<Vec<u8>, Report>,
) -> Result<Vec<u8>, Report> {
    let unwritable = |trouble: DevError| Report::from_error(Code::FileUnwritable, &trouble);
    let by_system =
        |error: io::Error| unwritable(DevError::Unchanged(path.to_owned(), io_message(&error)));
    let real = path.canonicalize().map_err(by_system)?;
    let before = read_bounded(&real, MANIFEST_BYTES_MAX).map_err(by_system)?;
    let after = edit(&before)?;
    let replaced = replace_unchanged(&real, Some(&before), &after, MANIFEST_BYTES_MAX);
    match replaced.map_err(by_system)? {
        Replaced::Done => Ok(after),
        Replaced::Changed => Err(unwritable(DevError::ChangedMeanwhile(path.to_owned()))),
        Replaced::Beside(kept) => Err(unwritable(DevError::WrittenByTwo(real, kept))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    use guild_files::files::replacing::between;

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_place_and_its_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = tempfile::tempdir().expect("a folder");
        let real = dir.path().join("real.json");
        std::fs::write(&real, "old").expect("written");
        std::fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).expect("set");
        let link = dir.path().join("plugin.json");
        symlink(&real, &link).expect("linked");
        let written = edit_file(&link, |bytes| Ok([bytes, b" new"].concat())).expect("written");
        assert_eq!(written, b"old new");
        assert_eq!(std::fs::read(&real).expect("there"), b"old new");
        assert!(link.is_symlink());
        let mode = std::fs::metadata(&real)
            .expect("there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o640);
    }

    #[test]
    fn concurrent_manifest_edit_stays() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("plugin.json");
        std::fs::write(&file, "old").expect("written");
        let refused = edit_file(&file, |_| {
            std::fs::write(&file, "theirs").expect("written");
            Ok(b"ours".to_vec())
        });
        assert_eq!(refused.expect_err("refused").code, Code::FileUnwritable);
        assert_eq!(std::fs::read(&file).expect("there"), b"theirs");
        let entries = std::fs::read_dir(dir.path()).expect("there").count();
        assert_eq!(entries, 1, "nothing is left beside it");
    }

    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    #[test]
    fn simultaneous_manifest_edit_stays() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().canonicalize().expect("its path");
        let file = file.join("plugin.json");
        std::fs::write(&file, "old").expect("written");
        let theirs = file.clone();
        between::once(&file, move || {
            std::fs::write(theirs, "theirs").expect("written");
        });
        let refused = edit_file(&file, |_| Ok(b"ours".to_vec()));
        let refused = refused.expect_err("refused");
        assert_eq!(refused.code, Code::FileUnwritable);
        assert!(
            refused.message.contains("another app has just changed it"),
            "{refused}"
        );
        assert_eq!(std::fs::read(&file).expect("there"), b"theirs");
        let entries = std::fs::read_dir(dir.path()).expect("there").count();
        assert_eq!(entries, 1, "nothing is left beside it");
    }
}
