//! `cargo xtask run`: builds the app from a fresh clone, and opens its window or takes a picture of
//! it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::app::{self, AppWindow, BuildProfile};
use crate::display::VirtualDisplay;
use crate::program::Program;
use crate::{setup, ui};

/// The size of the window, and of the display for a picture.
const SIZE: (u32, u32) = (1_280, 800);
const READY_LIMIT: Duration = Duration::from_secs(90);
const SETTLED_LIMIT: Duration = Duration::from_secs(120);

#[derive(Args)]
pub(crate) struct RunOptions {
    /// Opens the app on a virtual display, saves a picture once all members are ready or have
    /// failed, and quits.
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// Builds with optimization.
    #[arg(long)]
    release: bool,
    /// Arguments of the app itself, e.g. `-- --members DIR`.
    #[arg(last = true, value_name = "APP ARGS")]
    app: Vec<String>,
}

/// Installs what is missing, builds, and opens the app.
pub(crate) fn run(options: &RunOptions) -> Result<ExitCode> {
    if options.screenshot.is_none() && !has_display() {
        return Ok(without_display());
    }
    let profile = if options.release {
        BuildProfile::Release
    } else {
        BuildProfile::Dev
    };
    let packages = match options.screenshot {
        Some(_) => [setup::BUILD_PACKAGES, setup::DISPLAY_PACKAGES].concat(),
        None => setup::BUILD_PACKAGES.to_vec(),
    };
    let folder = build(profile, &packages)?;
    let app = Program::new(app::program_in(&folder, "guild-hall")).args(with_members(&options.app));
    match &options.screenshot {
        // Uses a separate data folder, since an open app may use the user's folder.
        Some(file) if !is_given(&options.app, "--data") => {
            let data = app::target_folder()?.join("screenshot-data");
            screenshot(app.args(["--data".as_ref(), data.as_os_str()]), file)
        }
        Some(file) => screenshot(app, file),
        None => app.limit(Duration::MAX).run(),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// Builds the app and `guildhall`, which runs the samples and which the app expects in its own
/// folder.
fn build(profile: BuildProfile, packages: &[&str]) -> Result<PathBuf> {
    const PROGRAMS: &[&str] = &["guild-hall", "guild-cli"];
    thread::scope(|scope| {
        let page = scope.spawn(|| {
            setup::packages(packages)?;
            setup::npm_packages()?;
            ui::build()
        });
        // `guildhall` needs neither system libraries nor the page, so its crates compile while
        // those are fetched. Both packages are named, so that these crates get the same features as
        // in the app.
        app::build_of(crate::root(), PROGRAMS, profile)
            .words("--bin guildhall")
            .run()?;
        page.join()
            .unwrap_or_else(|_| bail!("building the page failed"))
    })?;
    app::build(PROGRAMS, profile)
}

pub(crate) fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Prints how to get a picture without a display.
pub(crate) fn without_display() -> ExitCode {
    eprintln!(
        "No display found: neither DISPLAY nor WAYLAND_DISPLAY is set.\n\
         hint: `cargo xtask run --screenshot FILE` opens the app on a virtual display and \
         saves a picture of it."
    );
    ExitCode::from(2)
}

/// Returns the app's arguments, with the members folder of this checkout unless the caller gives
/// another one.
pub(crate) fn with_members(given: &[String]) -> Vec<String> {
    let mut args = given.to_vec();
    if !is_given(given, "--members") && std::env::var_os("GUILD_HALL_MEMBERS").is_none() {
        let samples = crate::root().join("guild-members");
        args.extend(["--members".to_owned(), samples.display().to_string()]);
    }
    args
}

fn is_given(args: &[String], option: &str) -> bool {
    let with_value = format!("{option}=");
    args.iter()
        .any(|arg| arg == option || arg.starts_with(&with_value))
}

fn screenshot(app: Program, file: &Path) -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("a picture is taken on a virtual X display, which only Linux has");
    }
    let file = std::path::absolute(file).context("the picture's path")?;
    let display = VirtualDisplay::open(SIZE.0, SIZE.1)?;
    let window = AppWindow::open(app, &display)?;
    window.reach("window-ready", READY_LIMIT)?;
    window.reach("roster-settled", SETTLED_LIMIT)?;
    display.picture(&file)?;
    window.quit()?;
    println!("saved {}; every process has ended", file.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_samples_are_opened_unless_other_members_are_named() {
        let text = |words: &[&str]| {
            words
                .iter()
                .map(|&word| word.to_owned())
                .collect::<Vec<_>>()
        };
        let given = text(&["--members=elsewhere"]);
        assert_eq!(with_members(&given), given);
        let given = text(&["--safe-render"]);
        let args = with_members(&given);
        assert_eq!(args[0], "--safe-render");
        if std::env::var_os("GUILD_HALL_MEMBERS").is_none() {
            assert_eq!(args[1], "--members");
            assert!(args[2].ends_with("guild-members"), "{args:?}");
        }
    }
}
