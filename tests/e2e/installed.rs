//! The program as a package installed it, where the tests are run with that instead of what was built.

use std::path::{Path, PathBuf};

/// Names the installed desktop program.
const PROGRAM: &str = "GUILD_HALL_INSTALLED";
/// Names the folder that an AppImage is unpacked to once for all tests, each of which has a cache of
/// its own otherwise.
const UNPACKED: &str = "GUILD_HALL_UNPACKED";

/// The program, where one is named.
pub(crate) fn program() -> Option<PathBuf> {
    let program = PathBuf::from(std::env::var_os(PROGRAM)?);
    assert!(
        program.is_absolute() && program.is_file(),
        "{PROGRAM} names no program: {}",
        program.display()
    );
    Some(program)
}

/// Leads a home's cache to what an AppImage unpacked for another test.
pub(crate) fn share_unpacked(cache: &Path) {
    let Some(unpacked) = std::env::var_os(UNPACKED) else {
        return;
    };
    let folder = cache.join("guild-hall");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::os::unix::fs::symlink(unpacked, folder.join("appimage")).expect("a link");
}
