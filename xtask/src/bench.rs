//! `cargo xtask bench`: measures the figures of `docs/performance.md`.

mod catalog;
mod gateway;
mod host;
mod keys;
mod peers;
mod rebuild;
mod redaction;
mod rest;
mod starts;
mod tokens;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::app::{self, AppWindow, BUILD_LIMIT, BuildProfile, ProgramOptions};
use crate::display::VirtualDisplay;
use crate::folder::Folder;
use crate::program::Program;
use crate::setup;

/// The size of a large hall: the number of members, and of tools per member.
const LARGE: (usize, usize) = (100, 50);
const PAINT_LIMIT: Duration = Duration::from_secs(60);

#[derive(Args)]
pub(crate) struct BenchOptions {
    /// The figures to measure; by default all but `peers` and `rebuild`.
    #[arg(value_enum)]
    figures: Vec<Benchmark>,
    /// The number of measurements of each figure. The result is their median.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=100))]
    runs: u16,
    #[command(flatten)]
    programs: ProgramOptions,
}

impl BenchOptions {
    /// Runs a cargo command, and reads the line of JSON that the program prints.
    fn figures_of(&self, words: &[&str], arguments: &[&str]) -> Result<Value> {
        let (command, rest) = words.split_first().context("a command of cargo")?;
        let optimized = match self.programs.profile() {
            BuildProfile::Release => &["--release"][..],
            BuildProfile::Dev => &[],
        };
        let text = Program::cargo()
            .args([command, "--locked", "--quiet"])
            .args(optimized)
            .args(rest)
            .args(["--"])
            .args(arguments)
            .limit(BUILD_LIMIT)
            .text()?;
        figures_in(&text)
    }
}

/// Parses the line of JSON in the output of a program.
fn figures_in(text: &str) -> Result<Value> {
    let line = text.lines().find(|line| line.starts_with('{'));
    serde_json::from_str(line.context("no figures were printed")?).context("reading the figures")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Benchmark {
    /// The time from the start of the process to the painted roster, compared with an empty window.
    Start,
    /// The starts of twenty real servers beside four busy loops, without caches.
    Starts,
    /// The time to build the catalog of 10,000 tools from the caches, and of the commands that list
    /// these tools.
    Catalog,
    /// The resources that a window at rest with thirty members and a form uses, compared with an
    /// empty window and with the engine alone.
    Rest,
    /// The time from a key press to its paint in the largest form, in the app's window.
    Keys,
    /// The time for a log line with and without the redaction of secrets.
    Redaction,
    /// The time of an unoptimized build of `guildhall` after an edit in one crate.
    Rebuild,
    /// Calls, lists and starts through the gateway and without it, and its memory.
    Gateway,
    /// Guild Hall compared with pinned third-party gateways and a byte relay; installs them below
    /// `target`.
    Peers,
    /// The tokens of tool lists, and how well and how fast agents find tools; writes
    /// `docs/tokens.md`.
    Tokens,
}

/// The figures that are measured by default. The others download programs or build for a long time.
const DEFAULT: &[Benchmark] = &[
    Benchmark::Start,
    Benchmark::Starts,
    Benchmark::Catalog,
    Benchmark::Rest,
    Benchmark::Keys,
    Benchmark::Redaction,
    Benchmark::Gateway,
    Benchmark::Tokens,
];

/// One line of the printed table.
struct BenchRow {
    subject: String,
    value: String,
    aim: &'static str,
}

impl BenchRow {
    fn new(subject: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            subject: subject.into(),
            value: value.into(),
            aim: "",
        }
    }

    fn aim(self, aim: &'static str) -> Self {
        Self { aim, ..self }
    }
}

pub(crate) fn run(options: &BenchOptions) -> Result<ExitCode> {
    ensure!(
        cfg!(target_os = "linux"),
        "the bench reads /proc and needs Xvfb: it runs on Linux"
    );
    let before = host::Ticks::now()?;
    let figures = match &*options.figures {
        [] => DEFAULT,
        chosen => chosen,
    };
    for figure in figures {
        let rows = measure(*figure, options)?;
        let built_as = match (options.programs.given(), options.programs.profile()) {
            (Some(programs), _) => format!("the programs of {}", programs.display()),
            (None, BuildProfile::Release) => "release build".into(),
            (None, BuildProfile::Dev) => "unoptimized build".into(),
        };
        print(
            &format!("{figure:?}: {} runs, {built_as}", options.runs),
            &rows,
        );
    }
    print("The machine", &[host::Ticks::now()?.row_since(before)]);
    Ok(ExitCode::SUCCESS)
}

fn measure(figure: Benchmark, options: &BenchOptions) -> Result<Vec<BenchRow>> {
    let runs = usize::from(options.runs);
    match figure {
        Benchmark::Start => start(options, runs),
        Benchmark::Starts => {
            setup::real_servers()?;
            let programs = options.programs.of(&["guild-cli"])?;
            starts::measure(&app::program_in(&programs, "guildhall"), runs)
        }
        Benchmark::Catalog => catalog::measure(options, runs),
        Benchmark::Rest => {
            let packages = ["guild-hall", "guild-cli", "empty-window", "guild-tests"];
            rest::measure(&options.programs.with_windows(&packages)?, runs)
        }
        Benchmark::Keys => keys::measure(),
        Benchmark::Rebuild => rebuild::measure(runs),
        Benchmark::Redaction => redaction::measure(options, runs),
        Benchmark::Gateway => {
            let programs = options.programs.of(&["guild-cli", "guild-tests"])?;
            gateway::measure(&programs, runs)
        }
        Benchmark::Peers => {
            let programs = options.programs.of(&["guild-cli", "guild-tests"])?;
            peers::measure(&programs, runs)
        }
        Benchmark::Tokens => tokens::measure(options),
    }
}

fn start(options: &BenchOptions, runs: usize) -> Result<Vec<BenchRow>> {
    let packages = ["guild-hall", "guild-cli", "guild-tests", "empty-window"];
    let programs = options.programs.with_windows(&packages)?;
    let (members, tools) = LARGE;
    let folder = Folder::with_caches(&app::program_in(&programs, "fixture"), members, tools)?;
    let display = VirtualDisplay::open(1_280, 800)?;
    let program = |name| folder.at_home(app::program_in(&programs, name));
    let (mut empty, mut full) = (Vec::new(), Vec::new());
    // The windows alternate, so that other load on the machine affects both.
    for _ in 0..runs {
        empty.push(paint(program("empty-window"), &display)?);
        let window = program("guild-hall").args(folder.options());
        full.push(paint(window, &display)?);
    }
    let (empty, full) = (median(&mut empty), median(&mut full));
    let subject = format!(
        "start to a roster of {members} members, {} cached tools",
        members * tools
    );
    Ok(vec![
        BenchRow::new(subject, format!("{} ms", full.as_millis())),
        BenchRow::new(
            "start to an empty window",
            format!("{} ms", empty.as_millis()),
        ),
        BenchRow::new("  ratio", format!("{:.2}", ratio(full, empty))).aim("<= 1.3"),
    ])
}

/// Returns the time from the start of a window's process to its first paint.
fn paint(program: Program, display: &VirtualDisplay) -> Result<Duration> {
    let window = AppWindow::open(program, display)?;
    let time = window.reach("window-ready", PAINT_LIMIT)?;
    window.close();
    Ok(time)
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

fn print(title: &str, rows: &[BenchRow]) {
    let lengths = rows.iter().map(|row| row.subject.len());
    let width = lengths.max().unwrap_or_default();
    println!("\n{title}");
    for row in rows {
        println!("{:<width$}  {:>22}  {}", row.subject, row.value, row.aim);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_the_middle_time() {
        let mut times = [9, 1, 5].map(Duration::from_millis);
        assert_eq!(median(&mut times), Duration::from_millis(5));
    }

    #[test]
    fn figures_are_found_among_other_lines() {
        let figures = figures_in("running 1 test\n{\"us\":3}\ntest ok\n").expect("figures");
        assert_eq!(figures["us"], 3);
        assert!(figures_in("running 1 test\n").is_err());
    }
}
