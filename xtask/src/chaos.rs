//! `cargo xtask chaos`: runs members with failures of all kinds, and kills the program repeatedly.

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::Result;
use clap::Args;

use crate::mark::Mark;
use crate::program::Program;
use crate::programs::Programs;
use crate::{display, setup};

/// Additional time for a run beyond its duration: for its start, its end, and the checks for
/// leftovers.
const SPARE: Duration = Duration::from_secs(180);
/// Time limit of a run with real servers, which start twice.
const REAL: Duration = Duration::from_secs(500);

#[derive(Args)]
pub(crate) struct ChaosOptions {
    /// The seed of all random choices [default: a random number].
    #[arg(long)]
    seed: Option<u64>,
    /// The duration of the run, in seconds.
    #[arg(long, default_value_t = 180)]
    seconds: u64,
    /// Starts 20 real servers with `npx` and `uvx` instead, and kills the program while they run.
    #[arg(long, conflicts_with_all = ["seed", "seconds"])]
    real: bool,
}

/// The seed and the duration of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) seed: u64,
    pub(crate) seconds: u64,
}

pub(crate) fn run(options: &ChaosOptions) -> Result<ExitCode> {
    let mark = Mark::new();
    let programs = Programs::without_a_window(&mark)?;
    if options.real {
        setup::real_servers()?;
        let servers = crate::root().join("target/real-servers");
        perform(&mark, &programs, &["--real".into(), servers.into()], REAL)?;
    } else {
        let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let bounds = Bounds {
            seed: options.seed.unwrap_or(since.as_secs() % 1_000_000),
            seconds: options.seconds,
        };
        play(&mark, &programs, bounds)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the chaos. Fails if a process or file was left, or data was lost or wrong.
pub(crate) fn play(mark: &Mark, programs: &Programs, bounds: Bounds) -> Result<()> {
    let Bounds { seed, seconds } = bounds;
    let words = format!("--seed {seed} --seconds {seconds}");
    let words: Vec<OsString> = words.split(' ').map(Into::into).collect();
    perform(mark, programs, &words, Duration::from_secs(seconds))
}

fn perform(mark: &Mark, programs: &Programs, words: &[OsString], length: Duration) -> Result<()> {
    let played = Program::new(programs.example("chaos"))
        .args(words)
        .args(["--guildhall".into(), programs.guildhall()])
        .args(["--fixture".into(), programs.fixture()])
        .env(display::SESSION_BUS, display::NO_BUS)
        .marked(mark)
        .limit(length + SPARE)
        .run();
    mark.end_all(Duration::from_secs(5));
    played
}
