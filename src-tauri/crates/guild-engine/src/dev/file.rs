//! Changing a file that a person writes too.

use std::io::{self, Write};
use std::path::Path;

use guild_core::manifest::MANIFEST_BYTES_MAX;
use guild_core::note::{DevTrouble, Each, EditWrong};
use guild_core::{Code, Report};

use crate::files::{aside, put_in_place, read_bounded};

/// Writes what `edit` makes of a file in its place, whole or not at all, and gives it. Permissions
/// stay, and a link leads where it led. Blocking.
///
/// # Errors
/// Those of `edit`, and `file-unwritable`, also where somebody else wrote the file meanwhile: it
/// stands as it was then.
pub(crate) fn edit_file(
    path: &Path,
    edit: impl FnOnce(&[u8]) -> Result<Vec<u8>, Report>,
) -> Result<Vec<u8>, Report> {
    let unwritable = |why: EditWrong| {
        let trouble = DevTrouble::Unchanged(path.to_owned(), why);
        Report::told(Code::FileUnwritable, &trouble)
    };
    let by_system = |error: io::Error| unwritable(EditWrong::Refused(Each::from(&error)));
    let real = path.canonicalize().map_err(by_system)?;
    let before = read_bounded(&real, MANIFEST_BYTES_MAX).map_err(by_system)?;
    let after = edit(&before)?;
    let replaced = replace(&real, &before, &after).map_err(by_system)?;
    replaced.map_err(unwritable)?;
    Ok(after)
}

fn replace(real: &Path, before: &[u8], after: &[u8]) -> io::Result<Result<(), EditWrong>> {
    let folder = real.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let permissions = std::fs::metadata(real)?.permissions();
    if permissions.readonly() {
        return Ok(Err(EditWrong::ReadOnly));
    }
    let mut file = aside(folder)?;
    file.write_all(after)?;
    file.as_file().set_permissions(permissions)?;
    if read_bounded(real, MANIFEST_BYTES_MAX)? != before {
        return Ok(Err(EditWrong::JustWritten));
    }
    put_in_place(file, real).map(Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn what_somebody_else_wrote_meanwhile_stays() {
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
}
