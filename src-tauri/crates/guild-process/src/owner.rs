//! Who owns a folder.

use std::io;
use std::path::Path;

/// The name of the user who owns a folder, or the number where it has no name, if that is neither the
/// user of this program nor the system's administrator. `None` also where the folder is not there, and
/// where the system has no such owners. Blocking.
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

/// Where the system has no such owners there is no foreign one.
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
        // Only an administrator can give a folder away.
        if std::os::unix::fs::chown(folder.path(), Some(65_534), None).is_err() {
            return;
        }
        let owner = foreign_owner(folder.path()).expect("inspected");
        let owner = owner.expect("it is another's");
        assert!(["nobody", "65534"].contains(&owner.as_str()), "{owner}");
    }
}
