//! `cargo xtask screenshots`: takes a dark and a light picture of each screen for the docs, and the
//! animated picture of the README.
//!
//! With `--states`, Chromium takes a picture of each state of the window with a fake hall. These
//! pictures are for review and are not committed, since each change of the layout changes hundreds
//! of them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use crate::{animation, app, setup, ui};

/// Time limit of some forty pictures of a window, and of the build of the test that takes them.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// Time limit of some six hundred pictures, which take some hundred milliseconds each.
const STATES_LIMIT: Duration = Duration::from_secs(15 * 60);

#[derive(Args)]
pub(crate) struct ScreenshotOptions {
    /// Takes pictures of all states of the window instead, and writes them to this folder. Other
    /// pictures in the folder are removed.
    #[arg(long, value_name = "DIR")]
    states: Option<PathBuf>,
}

pub(crate) fn run(options: &ScreenshotOptions) -> Result<ExitCode> {
    match &options.states {
        Some(folder) => states(folder),
        None => screens(),
    }
}

/// Takes a picture of each state in `ui/src/testing/states.ts` with Chromium.
fn states(folder: &Path) -> Result<ExitCode> {
    setup::packages(setup::BROWSER_PACKAGES)?;
    setup::npm_packages()?;
    // The script runs in the folder of the UI.
    let folder = std::path::absolute(folder).context("finding the pictures' folder")?;
    ui::script("states")
        .args(["--".as_ref(), folder.as_os_str()])
        .limit(STATES_LIMIT)
        .run()?;
    println!("saved to {}", folder.display());
    Ok(ExitCode::SUCCESS)
}

/// Builds the app, and runs the desktop tests that open each screen and take the pictures.
fn screens() -> Result<ExitCode> {
    let folder = crate::root().join("docs/screenshots");
    app::desktop_test("screenshots")?
        .env("GUILD_HALL_SCREENSHOTS", folder.as_os_str())
        .limit(LIMIT)
        .run()?;
    println!("saved to {}", folder.display());

    let frames = tempfile::tempdir().context("making a folder for the frames")?;
    app::desktop_test("animation")?
        .env("GUILD_HALL_FRAMES", frames.path().as_os_str())
        .limit(LIMIT)
        .run()?;
    animation::join(frames.path(), &folder.join("main-job.png"))?;
    Ok(ExitCode::SUCCESS)
}
