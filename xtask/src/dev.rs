//! `cargo xtask dev`: opens the app with its page from Vite's server, for work on the page and on
//! the Rust sources.
//!
//! A change of the page shows at once. A change of the Rust sources rebuilds the app and opens it
//! again.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Args;

use crate::app::{self, BuildProfile};
use crate::program::Program;
use crate::{run, setup, ui};

#[derive(Args)]
pub(crate) struct DevOptions {
    /// Arguments of the app itself, e.g. `-- --members DIR`.
    #[arg(last = true, value_name = "APP ARGS")]
    app: Vec<String>,
}

/// Installs what is missing, builds, and opens the app.
pub(crate) fn run(options: &DevOptions) -> Result<ExitCode> {
    if !run::has_display() {
        return Ok(run::without_display());
    }
    setup::packages(setup::BUILD_PACKAGES)?;
    setup::npm_packages()?;
    // The app runs the `guildhall` in its own folder for the sample members.
    app::build(&["guild-cli"], BuildProfile::Dev)?;
    tauri(&run::with_members(&options.app)).run()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns Tauri's development command, which starts Vite, builds and opens the app, and watches
/// the sources.
fn tauri(app: &[String]) -> Program {
    ui::script("tauri")
        .words("-- dev -- --")
        .args(app)
        .limit(Duration::MAX)
}
