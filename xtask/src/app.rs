//! Builds and opens the desktop app.

use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;
use tempfile::TempDir;

use crate::display::{self, VirtualDisplay};
use crate::mark::{self, Mark};
use crate::program::{Program, RunningProgram};
use crate::programs::Programs;
use crate::{setup, ui};

/// Time limit of a build. The first build compiles some 500 crates.
pub(crate) const BUILD_LIMIT: Duration = Duration::from_secs(90 * 60);
/// How long the app may take to end after a request.
const QUIT_LIMIT: Duration = Duration::from_secs(10);

/// The cargo profile that a program is built with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuildProfile {
    Dev,
    Release,
}

impl BuildProfile {
    /// Returns the profile's folder in a target folder.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Self::Dev => "debug",
            Self::Release => "release",
        }
    }
}

/// The programs that a task uses.
#[derive(Args)]
pub(crate) struct ProgramOptions {
    /// Builds without optimization, for a quick trial.
    #[arg(long)]
    dev: bool,
    /// Uses the programs in this folder instead of building them.
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
}

impl ProgramOptions {
    pub(crate) fn profile(&self) -> BuildProfile {
        match self.dev {
            true => BuildProfile::Dev,
            false => BuildProfile::Release,
        }
    }

    /// Returns the folder of the option `--programs`.
    pub(crate) fn given(&self) -> Option<&Path> {
        self.programs.as_deref()
    }

    /// Returns the folder with the programs of some packages. Builds them if necessary.
    pub(crate) fn of(&self, packages: &[&str]) -> Result<PathBuf> {
        match &self.programs {
            Some(programs) => Ok(programs.clone()),
            None => build(packages, self.profile()),
        }
    }

    /// Like [`ProgramOptions::of`], for programs with windows. Also installs missing packages.
    pub(crate) fn with_windows(&self, packages: &[&str]) -> Result<PathBuf> {
        setup::packages(setup::DISPLAY_PACKAGES)?;
        if self.programs.is_none() {
            setup::packages(setup::BUILD_PACKAGES)?;
            setup::npm_packages()?;
            ui::build()?;
        }
        self.of(packages)
    }
}

/// Builds packages. Returns the folder with their programs.
pub(crate) fn build(packages: &[&str], profile: BuildProfile) -> Result<PathBuf> {
    build_of(crate::root(), packages, profile).run()?;
    Ok(target_folder()?.join(profile.folder()))
}

/// Returns the cargo command that builds packages of the sources in a folder.
pub(crate) fn build_of(sources: &Path, packages: &[&str], profile: BuildProfile) -> Program {
    let mut build = Program::cargo().folder(sources).words("build --locked");
    for package in packages {
        build = build.args(["--package", package]);
    }
    if profile == BuildProfile::Release {
        build = build.args(["--release"]);
    }
    build.limit(BUILD_LIMIT)
}

/// Installs missing packages and builds the app. Returns the command that runs one of the window's
/// tests.
pub(crate) fn desktop_test(name: &str) -> Result<Program> {
    setup::desktop_tests()?;
    setup::npm_packages()?;
    ui::build()?;
    Programs::all(&Mark::new())?;
    Ok(Program::cargo()
        .words("test --locked --workspace --test e2e")
        .args([name])
        .env(display::SESSION_BUS, display::NO_BUS))
}

/// Creates a work folder in cargo's target folder, which is removed when the value is dropped.
pub(crate) fn work_folder(prefix: &str) -> Result<TempDir> {
    tempfile::Builder::new()
        .prefix(prefix)
        .tempdir_in(target_folder()?)
        .context("creating a work folder")
}

/// Returns cargo's target folder, which the user's settings may change.
pub(crate) fn target_folder() -> Result<PathBuf> {
    let metadata = Program::cargo()
        .words("metadata --no-deps --format-version 1")
        .text()?;
    let metadata: Value = serde_json::from_str(&metadata).context("reading cargo's metadata")?;
    let folder = metadata["target_directory"].as_str();
    Ok(folder
        .context("cargo's metadata name no target folder")?
        .into())
}

pub(crate) fn program_in(folder: &Path, name: &str) -> PathBuf {
    folder
        .join(name)
        .with_extension(std::env::consts::EXE_EXTENSION)
}

/// A window on a virtual display. The program prints its milestones.
pub(crate) struct AppWindow {
    started: Instant,
    running: RunningProgram,
    mark: Mark,
}

impl AppWindow {
    /// Starts a program that prints `{"milestone":NAME}` lines.
    pub(crate) fn open(program: Program, display: &VirtualDisplay) -> Result<Self> {
        let mark = Mark::new();
        let program = display
            .show(program)
            .env("GUILD_HALL_MILESTONES", "1")
            .marked(&mark);
        let started = Instant::now();
        Ok(Self {
            started,
            running: program.start()?,
            mark,
        })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.running.process.pid()
    }

    /// Waits for a milestone. Returns the time from the start of the process to the milestone.
    pub(crate) fn reach(&self, milestone: &str, limit: Duration) -> Result<Duration> {
        let start = Instant::now();
        loop {
            match self
                .running
                .lines
                .recv_timeout(limit.saturating_sub(start.elapsed()))
            {
                Ok(line) => {
                    let said: Value = serde_json::from_str(&line).unwrap_or_default();
                    if said["milestone"] == milestone {
                        return Ok(self.started.elapsed());
                    }
                }
                Err(RecvTimeoutError::Timeout) => bail!(
                    "the app did not reach `{milestone}` within {} s",
                    limit.as_secs()
                ),
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("the app ended before it reached `{milestone}`; its last words are above")
                }
            }
        }
    }

    /// Ends the window. Does not check how its process ends.
    pub(crate) fn close(self) {
        self.running.process.stop(QUIT_LIMIT);
    }

    /// Asks the app to quit. Fails if the app does not end or leaves a process behind.
    pub(crate) fn quit(self) -> Result<()> {
        let asked = Instant::now();
        self.running.process.terminate();
        let ended = self.running.process.recv_timeout(QUIT_LIMIT);
        let left = self
            .mark
            .wait_until_gone(QUIT_LIMIT.saturating_sub(asked.elapsed()));
        if !left.is_empty() {
            bail!(
                "processes are left {} s after the app was asked to quit:{}",
                QUIT_LIMIT.as_secs(),
                mark::listed(&left)
            );
        }
        let status = ended
            .context("the app did not quit")?
            .context("waiting for the app")?;
        if !status.success() {
            bail!("the app quit with {status}");
        }
        Ok(())
    }
}

impl Drop for AppWindow {
    fn drop(&mut self) {
        self.mark.end_all(Duration::from_secs(3));
    }
}
