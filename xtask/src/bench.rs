//! `cargo xtask bench`: what Guild Hall costs, in figures that another machine can compare.

mod catalog;
mod folder;
mod gateway;
mod history;
mod host;
mod keys;
mod redaction;
mod rest;
mod serving;
mod starts;
mod tokens;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use serde_json::Value;

pub(crate) use self::folder::{FORM, Folder};
use self::serving::Serving;
use crate::app::{self, Profile, Window};
use crate::display::Display;
use crate::program::Program;
use crate::usage::mebibytes;
use crate::{Finished, setup, ui};

/// A large guild: its members, and the tools of each.
const LARGE: (usize, usize) = (100, 50);
/// Members that start side by side, and how long each needs before it listens.
const TOGETHER: usize = 20;
const BOOT_MS: u64 = 300;
const PAINT_LIMIT: Duration = Duration::from_secs(60);

#[derive(Args)]
pub(crate) struct Options {
    /// What is measured; everything, unless said.
    #[arg(value_enum)]
    figures: Vec<Figure>,
    /// The same, before other options; may be given several times.
    #[arg(long, value_enum)]
    only: Vec<Figure>,
    /// How often each time is taken; the median counts.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=100))]
    runs: u16,
    /// Builds without optimisation, to see quickly that the bench works; the figures say nothing.
    #[arg(long)]
    dev: bool,
    /// Takes the programs of this folder instead of building them, where programs are measured.
    #[arg(long, value_name = "DIR", conflicts_with = "dev")]
    programs: Option<PathBuf>,
}

impl Options {
    fn profile(&self) -> Profile {
        match self.dev {
            true => Profile::Dev,
            false => Profile::Release,
        }
    }

    /// The folder of the programs of some packages.
    fn programs_of(&self, packages: &[&str]) -> Result<PathBuf> {
        match &self.programs {
            Some(programs) => Ok(programs.clone()),
            None => app::build(packages, self.profile()),
        }
    }

    /// What the programs are that are measured.
    fn built_as(&self) -> String {
        match &self.programs {
            Some(programs) => format!("the programs of {}", programs.display()),
            None => built_as(self.profile()).to_owned(),
        }
    }

    /// What windows need before they are built and opened.
    fn prepare_windows(&self) -> Result<()> {
        setup::packages(setup::DISPLAY_PACKAGES)?;
        if self.programs.is_some() {
            return Ok(());
        }
        setup::packages(setup::BUILD_PACKAGES)?;
        setup::npm_packages()?;
        ui::build()
    }

    fn wants(&self, figure: Figure) -> bool {
        let mut named = self.figures.iter().chain(&self.only).peekable();
        named.peek().is_none() || named.any(|&named| named == figure)
    }
}

/// What can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Figure {
    /// From the start of the process to the painted roster, against an empty window.
    Start,
    /// The processor time of `guildhall list` from the caches.
    List,
    /// Twenty members that start together, against one.
    Boot,
    /// Twenty real servers beside four busy loops, each run without caches.
    Starts,
    /// The engine's memory with twenty members running.
    Memory,
    /// The catalogue of 10,000 tools, from the caches, and the commands that list them.
    Catalog,
    /// A window that stands there with thirty members and a form, beside an empty one, and the engine
    /// alone.
    Rest,
    /// Searches of a history of 100,000 calls.
    History,
    /// From a key press to its paint in the largest form, in Chromium and in the app's window.
    Keys,
    /// A line of the log with and without the layer that takes secrets out.
    Redaction,
    /// Calls, lists and starts through the gateway, beside the same without it, and its memory.
    Gateway,
    /// What lists of tools cost a model, and how well and how fast agents find tools; writes
    /// `docs/tokens.md`.
    Tokens,
}

/// One line of the table.
struct Row {
    what: String,
    value: String,
    aim: &'static str,
}

/// Measures, and prints a table.
pub(crate) fn run(options: &Options) -> Result<Finished> {
    ensure!(
        cfg!(target_os = "linux"),
        "the bench reads /proc and needs Xvfb: it runs on Linux"
    );
    let before = host::Ticks::now()?;
    let wanted = |figure| options.wants(figure);
    let of_programs = [Figure::Start, Figure::List, Figure::Boot, Figure::Memory];
    if of_programs.into_iter().any(wanted) {
        measure_programs(options, wanted)?;
    }
    if wanted(Figure::Starts) {
        setup::real_servers()?;
        let programs = options.programs_of(&["guild-cli"])?;
        let rows = starts::measure(
            &app::program_in(&programs, "guildhall"),
            usize::from(options.runs),
        )?;
        print(options.built_as().as_str(), &rows);
    }
    if wanted(Figure::Catalog) {
        let (runs, profile) = (usize::from(options.runs), options.profile());
        let rows = catalog::measure(runs, profile)?;
        print(&medians_of(runs, built_as(profile)), &rows);
        let programs = options.programs_of(&["guild-cli", "guild-tests"])?;
        let program = |name| app::program_in(&programs, name);
        let rows =
            catalog::measure_commands(&program("guildhall"), &program("fixture"), runs, profile)?;
        print(&medians_of(runs, &options.built_as()), &rows);
    }
    if wanted(Figure::Redaction) {
        let (runs, profile) = (usize::from(options.runs), options.profile());
        let rows = redaction::measure(runs, profile)?;
        print(&medians_of(runs, built_as(profile)), &rows);
    }
    if wanted(Figure::Rest) {
        options.prepare_windows()?;
        let programs =
            options.programs_of(&["guild-hall", "guild-cli", "empty-window", "guild-tests"])?;
        let heading = format!("at rest, this | an empty window, {}", options.built_as());
        let runs = usize::from(options.runs);
        print(&heading, &rest::measure(&programs, runs)?);
    }
    if wanted(Figure::History) {
        let (runs, profile) = (usize::from(options.runs), options.profile());
        let rows = history::measure(runs, profile)?;
        print(&medians_of(runs, built_as(profile)), &rows);
    }
    if wanted(Figure::Keys) {
        print("the page in both engines", &keys::measure()?);
    }
    if wanted(Figure::Gateway) {
        let runs = usize::from(options.runs);
        let programs = options.programs_of(&["guild-cli", "guild-tests"])?;
        let heading = format!(
            "{}, on one processor",
            medians_of(runs, &options.built_as())
        );
        print(&heading, &gateway::measure(&programs, runs)?);
    }
    if wanted(Figure::Tokens) {
        let profile = options.profile();
        let heading = format!("tokens of the vocabulary o200k, {}", built_as(profile));
        print(&heading, &tokens::measure(profile)?);
    }
    let meanwhile = host::Ticks::now()?.row_since(before);
    print("the machine meanwhile", &[meanwhile]);
    Ok(Finished::Well)
}

/// What depends on how the programs are built: with optimisation, unless it is only tried out.
fn measure_programs(options: &Options, wanted: impl Fn(Figure) -> bool) -> Result<()> {
    let mut packages = vec!["guild-cli", "guild-tests"];
    if wanted(Figure::Start) {
        options.prepare_windows()?;
        packages.extend(["guild-hall", "empty-window"]);
    }
    let programs = options.programs_of(&packages)?;
    let bench = Bench {
        fixture: app::program_in(&programs, "fixture"),
        guildhall: app::program_in(&programs, "guildhall"),
        programs,
        runs: usize::from(options.runs),
    };
    let mut rows = Vec::new();
    if wanted(Figure::Start) {
        rows.extend(bench.start()?);
    }
    if wanted(Figure::List) {
        rows.push(bench.list()?);
    }
    if wanted(Figure::Boot) {
        rows.extend(bench.boot()?);
    }
    if wanted(Figure::Memory) {
        rows.push(bench.memory()?);
    }
    print(&medians_of(bench.runs, &options.built_as()), &rows);
    Ok(())
}

/// What a table is headed with.
fn medians_of(runs: usize, built_as: &str) -> String {
    format!("medians of {runs} runs, {built_as}")
}

fn built_as(profile: Profile) -> &'static str {
    match profile {
        Profile::Release => "release build",
        Profile::Dev => "dev build: the figures say nothing",
    }
}

struct Bench {
    programs: PathBuf,
    fixture: PathBuf,
    guildhall: PathBuf,
    runs: usize,
}

impl Bench {
    fn start(&self) -> Result<Vec<Row>> {
        let (members, tools) = LARGE;
        let folder = Folder::with_caches(&self.fixture, members, tools)?;
        let display = Display::open(1_280, 800)?;
        let program = |name| folder.at_home(app::program_in(&self.programs, name));
        let (mut empty, mut full) = (Vec::new(), Vec::new());
        // In turns, so that whatever else the machine does meets both.
        for _ in 0..self.runs {
            empty.push(paint(program("empty-window"), &display)?);
            full.push(paint(
                program("guild-hall").args(folder.options()),
                &display,
            )?);
        }
        let (empty, full) = (median(&mut empty), median(&mut full));
        let all = members * tools;
        Ok(vec![
            Row {
                what: format!("start to a roster of {members} members, {all} cached tools"),
                value: format!("{} ms", full.as_millis()),
                aim: "",
            },
            Row {
                what: "start to an empty window".into(),
                value: format!("{} ms", empty.as_millis()),
                aim: "",
            },
            Row {
                what: "  ratio".into(),
                value: format!("{:.2}", ratio(full, empty)),
                aim: "<= 1.3",
            },
        ])
    }

    fn list(&self) -> Result<Row> {
        let (members, tools) = LARGE;
        let folder = Folder::with_caches(&self.fixture, members, tools)?;
        let mut times = Vec::new();
        for _ in 0..self.runs {
            let before = children_time()?;
            let text = Program::new(&self.guildhall)
                .args(folder.options())
                .args(["--json", "list"])
                .text()?;
            times.push(children_time()?.saturating_sub(before));
            expect_cached(&text, members, tools)?;
        }
        Ok(Row {
            what: format!(
                "`guildhall list` of {members} members, {} tools: processor time",
                members * tools
            ),
            value: format!("{:.1} ms", median(&mut times).as_secs_f64() * 1_000.0),
            aim: "<= 50 ms",
        })
    }

    fn boot(&self) -> Result<Vec<Row>> {
        let alone = Folder::of_slow_members(&self.fixture, 1, BOOT_MS)?;
        let together = Folder::of_slow_members(&self.fixture, TOGETHER, BOOT_MS)?;
        let (mut one, mut all) = (Vec::new(), Vec::new());
        for _ in 0..self.runs {
            one.push(self.until_ready(&alone, 1)?);
            all.push(self.until_ready(&together, TOGETHER)?);
        }
        let (one, all) = (median(&mut one), median(&mut all));
        Ok(vec![
            Row {
                what: format!("{TOGETHER} members of {BOOT_MS} ms each, all ready"),
                value: format!("{} ms", all.as_millis()),
                aim: "",
            },
            Row {
                what: "one such member, ready".into(),
                value: format!("{} ms", one.as_millis()),
                aim: "",
            },
            Row {
                what: "  ratio".into(),
                value: format!("{:.2}", ratio(all, one)),
                aim: "<= 1.5",
            },
        ])
    }

    fn until_ready(&self, folder: &Folder, members: usize) -> Result<Duration> {
        let serving = Serving::start(&self.guildhall, folder)?;
        let time = serving.all_ready(members)?;
        serving.stop()?;
        Ok(time)
    }

    fn memory(&self) -> Result<Row> {
        let folder = Folder::of_slow_members(&self.fixture, TOGETHER, 0)?;
        let serving = Serving::start(&self.guildhall, &folder)?;
        serving.all_ready(TOGETHER)?;
        let (own, resident) = serving.memory()?;
        serving.stop()?;
        Ok(Row {
            what: format!("the engine's memory with {TOGETHER} members running (PSS, RSS)"),
            value: format!("{:.1} MiB, {:.1} MiB", mebibytes(own), mebibytes(resident)),
            aim: "",
        })
    }
}

/// How long a window takes from the start of its process to its first paint.
fn paint(program: Program, display: &Display) -> Result<Duration> {
    let window = Window::open(program, display)?;
    let time = window.reach("window-ready", PAINT_LIMIT)?;
    window.close();
    Ok(time)
}

/// Fails unless the answer shows that all caches were read and in force: else nothing is measured.
fn expect_cached(text: &str, members: usize, tools: usize) -> Result<()> {
    let answer: Value = serde_json::from_str(text).context("reading what `guildhall list` said")?;
    let listed = answer["members"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let in_force = listed
        .iter()
        .filter(|one| one["freshness"] == "cached" && one["tools"] == tools)
        .count();
    if in_force != members {
        bail!(
            "{in_force} of {members} caches are in force; the first member: {:?}",
            listed.first()
        );
    }
    Ok(())
}

/// The processor time of all children that have ended so far.
#[cfg(unix)]
fn children_time() -> Result<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeVal;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("reading the children's times")?;
    let duration = |time: TimeVal| {
        let seconds = u64::try_from(time.tv_sec()).unwrap_or_default();
        let micros = u64::try_from(time.tv_usec()).unwrap_or_default();
        Duration::from_secs(seconds) + Duration::from_micros(micros)
    };
    Ok(duration(usage.user_time()) + duration(usage.system_time()))
}

#[cfg(not(unix))]
fn children_time() -> Result<Duration> {
    bail!("this system does not tell the children's processor time")
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

fn print(title: &str, rows: &[Row]) {
    let width = rows
        .iter()
        .map(|row| row.what.len())
        .max()
        .unwrap_or_default();
    println!("\n{title}");
    for Row { what, value, aim } in rows {
        println!("{what:<width$}  {value:>22}  {aim}");
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn figures_are_chosen_by_name_with_or_without_the_option() {
        let wants = |words: &[&str]| {
            let line = ["bench"].iter().chain(words);
            let Line { options } = Line::try_parse_from(line).expect("a command line");
            [Figure::Gateway, Figure::Keys].map(|figure| options.wants(figure))
        };
        assert_eq!(wants(&[]), [true, true]);
        assert_eq!(wants(&["gateway"]), [true, false]);
        assert_eq!(wants(&["--only", "gateway"]), [true, false]);
        assert_eq!(wants(&["keys", "--only", "gateway"]), [true, true]);
    }

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        let mut times = [9, 1, 5].map(Duration::from_millis);
        assert_eq!(median(&mut times), Duration::from_millis(5));
    }

    #[test]
    fn a_list_that_did_not_come_from_the_caches_is_refused() {
        let cached = r#"{"members":[{"freshness":"cached","tools":50}]}"#;
        assert!(expect_cached(cached, 1, 50).is_ok());
        let outdated = r#"{"members":[{"freshness":"outdated","tools":50}]}"#;
        assert!(expect_cached(outdated, 1, 50).is_err());
        assert!(expect_cached(cached, 2, 50).is_err());
    }
}
