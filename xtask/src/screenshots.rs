//! `cargo xtask screenshots`: a picture of each screen, dark and light, for the docs.

use std::time::Duration;

use anyhow::Result;

use crate::app::{self, Profile};
use crate::program::Program;
use crate::{Finished, display, setup, ui};

/// Twenty pictures of a window on a virtual display, and the build of the test that takes them.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// Builds the app and has the desktop test that walks through its screens take the pictures.
pub(crate) fn run() -> Result<Finished> {
    let packages = [
        setup::BUILD_PACKAGES,
        setup::DISPLAY_PACKAGES,
        setup::TEST_PACKAGES,
    ];
    setup::packages(&packages.concat())?;
    setup::npm_packages()?;
    ui::build()?;
    app::build(&["guild-hall", "guild-cli", "guild-tests"], Profile::Dev)?;
    let folder = crate::root().join("docs/screenshots");
    Program::cargo()
        .args(["test", "--locked", "--package", "guild-tests"])
        .args(["--test", "e2e", "screenshots"])
        .env("GUILD_HALL_SCREENSHOTS", folder.as_os_str())
        .env(display::SESSION_BUS, display::NO_BUS)
        .limit(LIMIT)
        .run()?;
    println!("saved to {}", folder.display());
    Ok(Finished::Well)
}
