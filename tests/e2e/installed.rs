//! The installed program, for test runs that use it instead of the built one.

use std::path::{Path, PathBuf};

/// The variable with the path of the installed desktop program.
const PROGRAM: &str = "GUILD_HALL_INSTALLED";
/// The variable with the folder into which an AppImage is unpacked once for all tests. Without it,
/// each test unpacks the AppImage into its own cache.
const UNPACKED: &str = "GUILD_HALL_UNPACKED";

/// Returns the installed program, if the variable is set.
pub(crate) fn program() -> Option<PathBuf> {
    let program = PathBuf::from(std::env::var_os(PROGRAM)?);
    assert!(
        program.is_absolute() && program.is_file(),
        "{PROGRAM} names no program: {}",
        program.display()
    );
    Some(program)
}

/// Links a home's cache to the files that the AppImage unpacked for another test.
pub(crate) fn share_unpacked(cache: &Path) {
    let Some(unpacked) = std::env::var_os(UNPACKED) else {
        return;
    };
    let folder = cache.join("guild-hall");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::os::unix::fs::symlink(unpacked, folder.join("appimage")).expect("a link");
}
