//! Runs members with all kinds of faults and constant calls, and kills the program repeatedly. At
//! the end, reports remaining processes, lost rows, wrong answers and damaged files. `cargo xtask
//! chaos` runs it.
//!
//! The seed determines all faults and their times. It also determines the calls, but their number
//! depends on the machine.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that tells what it found"
)]

mod app;
mod books;
mod calls;
mod cast;
mod deeds;
mod gate;
mod plan;
mod processes;
mod real;
mod stranger;
mod world;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use guild_tests::Nonce;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::cast::{CAST, Stage};
use crate::deeds::Run;
use crate::world::{End, World};

pub(crate) type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Interval of memory measurements.
const LOOK: Duration = Duration::from_millis(200);
/// Time limit for the last processes to end after the program has ended.
const GONE: Duration = Duration::from_secs(5);
/// A member ends itself this long after the end of the run, if nothing else ends it.
const SPARE: Duration = Duration::from_secs(120);

#[derive(Debug, Parser)]
struct Options {
    /// The seed of all random choices.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The duration of the run, in seconds.
    #[arg(long, default_value_t = 180)]
    seconds: u64,
    /// The program `guildhall`.
    #[arg(long)]
    guildhall: PathBuf,
    /// The program `fixture`.
    #[arg(long)]
    fixture: PathBuf,
    /// Starts real servers with `npx` and `uvx` from this folder instead.
    #[arg(long, value_name = "DIR")]
    real: Option<PathBuf>,
}

#[tokio::main(worker_threads = 2)]
async fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the chaos or the real servers. Returns whether no fault was found.
async fn run(options: &Options) -> Outcome<bool> {
    let folder = tempfile::tempdir()?;
    let stage = Stage::set(folder.path(), &options.guildhall, &options.fixture)?;
    let world = Arc::new(World::new(stage, Nonce::new().as_str().to_owned()));
    let done = match &options.real {
        Some(installed) => real::run(&world, installed).await,
        None => trouble(&world, options).await,
    };
    // These processes are already counted as a fault.
    for process in processes::all(&world.stage, &world.mark) {
        let kill = rustix::process::Signal::KILL;
        processes::signal(&world.stage, &world.mark, process.pid, kill);
    }
    if !matches!(done, Ok(true)) {
        eprintln!("the run's folder stays: {}", folder.keep().display());
    }
    done
}

/// Runs members with faults, and kills the program repeatedly.
async fn trouble(world: &Arc<World>, options: &Options) -> Outcome<bool> {
    let length = Duration::from_secs(options.seconds);
    let steps = plan::schedule(options.seed, length);
    println!(
        "seed {}, {} s, {} deeds, schedule {:016x}",
        options.seed,
        options.seconds,
        steps.len(),
        plan::digest(&steps)
    );
    let life = length + SPARE;
    world.stage.people(u64::try_from(life.as_millis())?)?;
    let begun = Instant::now();

    let mut beside = JoinSet::new();
    for number in 0..calls::AGENTS {
        beside.spawn(calls::agent(Arc::clone(world), options.seed, number));
    }
    for number in 0..calls::PROGRAMS {
        beside.spawn(calls::program(Arc::clone(world), options.seed, number));
    }
    beside.spawn(calls::reader(Arc::clone(world)));
    beside.spawn(watch_memory(Arc::clone(world)));
    let played = play(world, &steps, length).await;
    beside.shutdown().await;

    let report = report(world, begun.elapsed()).await;
    played?;
    report
}

async fn play(world: &Arc<World>, steps: &[plan::Step], length: Duration) -> Outcome<()> {
    let mut run = Run::begin(Arc::clone(world)).await?;
    run.play(steps, length).await?;
    run.end().await
}

pub(crate) fn line(what: &str, figure: String) {
    println!("{what:<44} {figure:>14}");
}

async fn watch_memory(world: Arc<World>) {
    loop {
        if let Some(peak) = world
            .now_open()
            .and_then(|open| processes::peak_kib(open.pid))
        {
            world.count(|counts| counts.memory_kib = counts.memory_kib.max(peak));
        }
        sleep(LOOK).await;
    }
}

/// Checks processes, ports and files after the end, and prints the results. Returns whether all are
/// correct.
async fn report(world: &World, took: Duration) -> Outcome<bool> {
    let waited = Instant::now();
    let mut left = processes::all(&world.stage, &world.mark);
    while !left.is_empty() && waited.elapsed() < GONE {
        sleep(Duration::from_millis(50)).await;
        left = processes::all(&world.stage, &world.mark);
    }
    for process in &left {
        world.tell("processes left", format!("{process}, at the end"));
    }
    // A listener with an unknown process may be a foreign process that is about to end.
    let listened = || processes::listened(&world.ports(), &world.stage, &world.mark);
    let mut ports = listened();
    while !ports.is_empty() && waited.elapsed() < GONE {
        sleep(Duration::from_millis(50)).await;
        ports = listened();
    }
    for port in &ports {
        world.tell("ports left", port.to_string());
    }
    let history = books::history(world)?;
    let damaged = books::damaged(&[&world.stage.data, &world.stage.members])?;
    for (kind, found) in [
        ("lost history rows", &history.lost),
        ("history rows twice", &history.twice),
        ("files corrupt", &damaged),
    ] {
        found.iter().for_each(|what| world.tell(kind, what.clone()));
    }
    let calls = world.calls();
    let of = |end: End| calls.iter().filter(|call| call.end == end).count();
    let left = left.len() + world.counted(|counts| counts.left);
    let disturbed = world.counted(|counts| counts.disturbed);
    let zeros = [
        ("wrong answers", of(End::Wrong)),
        ("lost history rows", history.lost.len()),
        ("history rows twice", history.twice.len()),
        ("processes left", left),
        ("ports left", ports.len()),
        ("files corrupt", damaged.len()),
        ("failed calls of quiet members", disturbed),
    ];
    for (kind, examples) in world.examples() {
        eprintln!("\n{kind}:");
        examples.iter().for_each(|what| eprintln!("  {what}"));
    }
    println!();
    line("members", CAST.len().to_string());
    line("starts of members", world.stage.starts().to_string());
    world.counted(|counts| {
        line("crashes of members seen", counts.crashes.to_string());
        line("kills: the program", counts.app_kills.to_string());
        line("kills: members", counts.member_kills.to_string());
        line("kills: the watchdog", counts.watchdog_kills.to_string());
        line("ports taken by a stranger", counts.strangers.to_string());
    });
    line("calls", calls.len().to_string());
    line("  with the right answer", of(End::Right).to_string());
    line("  refused, with a reason", of(End::Refused).to_string());
    line("  cut off by a kill", of(End::Broken).to_string());
    let within = books::BOUND.as_secs();
    let owed = format!("  answered {within} s before their program fell");
    line(&owed, history.owed.to_string());
    for (what, count) in zeros {
        line(what, count.to_string());
    }
    world.counted(|counts| {
        let memory = format!("{} MiB", counts.memory_kib / 1024);
        line("largest memory of the program", memory);
        let list = format!("{} ms", counts.longest_list.as_millis());
        line("longest wait for the list", list);
        let end = format!("{} ms", counts.longest_end.as_millis());
        line("longest orderly end", end);
    });
    let unwritten = format!("{} ms", world.longest_unwritten().as_millis());
    line("longest from an answer to its row", unwritten);
    line("seconds", took.as_secs().to_string());
    Ok(zeros.iter().all(|(_, count)| *count == 0))
}
