//! Determines the owner of a folder.

use std::io;
use std::path::Path;

/// Returns the owner of a folder, if that is neither the user of this program nor root. The result
/// is the user's name, or the user's number if the system has no name for it. `None` if the folder
/// is missing. Blocking.
///
/// # Errors
/// When the folder can't be inspected.
#[cfg(unix)]
pub fn foreign_owner(folder: &Path) -> io::Result<Option<String>> {
    use std::os::unix::fs::MetadataExt;

    const ROOT: u32 = 0;
    let owner = match std::fs::metadata(folder) {
        Ok(metadata) => metadata.uid(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if owner == rustix::process::geteuid().as_raw() || owner == ROOT {
        return Ok(None);
    }
    let user = nix::unistd::User::from_uid(owner.into());
    let name = user.ok().flatten().map(|user| user.name);
    Ok(Some(name.unwrap_or_else(|| owner.to_string())))
}

/// Returns `None`, because this system has no such owners of folders.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn foreign_owner(_folder: &Path) -> io::Result<Option<String>> {
    Ok(None)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn own_and_missing_folders_have_no_foreign_owner() {
        let folder = tempfile::tempdir().expect("a folder");
        let none = |path: &Path| foreign_owner(path).expect("inspected");
        assert_eq!(none(folder.path()), None);
        assert_eq!(none(&folder.path().join("missing")), None);
        assert_eq!(none(Path::new("/")), None, "the administrator's");
    }

    #[test]
    fn folder_of_another_user_names_that_user() {
        let folder = tempfile::tempdir().expect("a folder");
        // Changing the owner requires root. Without it, the test is skipped.
        if std::os::unix::fs::chown(folder.path(), Some(65_534), None).is_err() {
            return;
        }
        let owner = foreign_owner(folder.path()).expect("inspected");
        let owner = owner.expect("it is another's");
        assert!(["nobody", "65534"].contains(&owner.as_str()), "{owner}");
    }
}
