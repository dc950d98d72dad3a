//! `cargo xtask chaos`: members in trouble of every kind, and the program killed over and over.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use anyhow::Result;
use clap::Args;

use crate::mark::Mark;
use crate::program::Program;
use crate::{Finished, app, display};

/// How much longer than asked for a run may take: its start, its end, and the looks at what is left.
const SPARE: Duration = Duration::from_secs(180);

#[derive(Args)]
pub(crate) struct Options {
    /// What happens follows from this number; by default one that nobody chose.
    #[arg(long)]
    seed: Option<u64>,
    /// How long it goes on.
    #[arg(long, default_value_t = 180)]
    seconds: u64,
}

/// One run of so many seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) seed: u64,
    pub(crate) seconds: u64,
}

pub(crate) fn run(options: &Options) -> Result<Finished> {
    let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    let bounds = Bounds {
        seed: options.seed.unwrap_or(since.as_secs() % 1_000_000),
        seconds: options.seconds,
    };
    play(&Mark::new(), bounds).map(|()| Finished::Well)
}

/// Builds what a run needs, and plays it; fails where something was left, lost, wrong or broken.
pub(crate) fn play(mark: &Mark, bounds: Bounds) -> Result<()> {
    let programs = Programs::build(mark)?;
    let Bounds { seed, seconds } = bounds;
    let played = Program::new(&programs.chaos)
        .args([
            "--seed",
            &seed.to_string(),
            "--seconds",
            &seconds.to_string(),
        ])
        .args(["--guildhall".as_ref(), programs.guildhall.as_os_str()])
        .args(["--fixture".as_ref(), programs.fixture.as_os_str()])
        .env(display::SESSION_BUS, display::NO_BUS)
        .marked(mark)
        .limit(Duration::from_secs(seconds) + SPARE)
        .run();
    mark.end_all(Duration::from_secs(5));
    played
}

struct Programs {
    guildhall: PathBuf,
    fixture: PathBuf,
    chaos: PathBuf,
}

impl Programs {
    fn build(mark: &Mark) -> Result<Self> {
        Program::cargo()
            .args([
                "build",
                "--locked",
                "--package=guild-cli",
                "--package=guild-tests",
            ])
            .args(["--bins", "--example", "chaos"])
            .marked(mark)
            .limit(app::BUILD_LIMIT)
            .run()?;
        let folder = app::target_folder()?.join("debug");
        Ok(Self {
            guildhall: app::program_in(&folder, "guildhall"),
            fixture: app::program_in(&folder, "fixture"),
            chaos: app::program_in(&folder.join("examples"), "chaos"),
        })
    }
}
