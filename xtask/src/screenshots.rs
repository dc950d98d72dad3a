//! `cargo xtask screenshots`: a picture of each screen, dark and light, for the docs; with
//! `--states`, one of each state that the window can be in, drawn by Chromium over a fake hall. Those are
//! made to be looked at and not kept: each change of the layout is a change of hundreds.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use crate::app::{self, BuildProfile};
use crate::program::Program;
use crate::{Finished, display, setup, ui};

/// Some forty pictures of a window on a virtual display, and the build of the test that takes them.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// Some six hundred pictures, some hundred milliseconds each.
const STATES_LIMIT: Duration = Duration::from_secs(15 * 60);

#[derive(Args)]
pub(crate) struct ScreenshotOptions {
    /// Takes pictures of all states of the window instead, into this folder, whose other pictures
    /// are removed.
    #[arg(long, value_name = "DIR")]
    states: Option<PathBuf>,
}

pub(crate) fn run(options: &ScreenshotOptions) -> Result<Finished> {
    match &options.states {
        Some(folder) => states(folder),
        None => screens(),
    }
}

/// Has Chromium draw each state of the catalogue in `ui/src/testing/states.ts`.
fn states(folder: &Path) -> Result<Finished> {
    setup::packages(setup::BROWSER_PACKAGES)?;
    setup::npm_packages()?;
    // The script runs in the folder of the UI.
    let folder = std::path::absolute(folder).context("finding the pictures' folder")?;
    ui::script("states")
        .args(["--".as_ref(), folder.as_os_str()])
        .limit(STATES_LIMIT)
        .run()?;
    println!("saved to {}", folder.display());
    Ok(Finished::Well)
}

/// Builds the app and has the desktop test that walks through its screens take the pictures.
fn screens() -> Result<Finished> {
    let packages = [
        setup::BUILD_PACKAGES,
        setup::DISPLAY_PACKAGES,
        setup::TEST_PACKAGES,
    ];
    setup::packages(&packages.concat())?;
    setup::npm_packages()?;
    ui::build()?;
    app::build(
        &["guild-hall", "guild-cli", "guild-tests"],
        BuildProfile::Dev,
    )?;
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
