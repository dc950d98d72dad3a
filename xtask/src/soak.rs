//! `cargo xtask soak`: runs the desktop program for an hour with a call every second, beside an
//! empty window, and fails if its memory, threads or descriptors grow.

use std::io::Write;
use std::path::Path;
use std::process::{ChildStdin, ExitCode};
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use fs_err as fs;
use serde_json::{Value, json};

use crate::app::{self, AppWindow, ProgramOptions};
use crate::display::VirtualDisplay;
use crate::folder::{FORM, Folder};
use crate::mark::Mark;
use crate::program::{ChildWaiter, Program};
use crate::usage::{Share, Usage, mebibytes};

const READY_LIMIT: Duration = Duration::from_secs(120);
/// The number of measurements, spread over the whole time.
const LOOKS: u32 = 60;
/// The pause of the calls before a measurement. Connections to members stay open for a second after
/// a call, so their number would depend on the rate of the calls.
const PAUSE: Duration = Duration::from_secs(2);
/// The allowed difference between the minimum of the last quarter and that of the second one, in
/// KiB.
const GROWTH_MAX: u64 = 1_024;

#[derive(Args)]
pub(crate) struct SoakOptions {
    /// The length of the run.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1_440))]
    minutes: u32,
    /// The number of members, half of them over HTTP.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=500))]
    members: u16,
    /// Calls per second. Growth with calls shows sooner at a higher rate.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=50))]
    rate: u32,
    #[command(flatten)]
    programs: ProgramOptions,
}

pub(crate) fn run(options: &SoakOptions) -> Result<ExitCode> {
    ensure!(
        cfg!(target_os = "linux"),
        "the soak reads /proc and needs Xvfb: it runs on Linux"
    );
    let packages = ["guild-hall", "guild-cli", "guild-tests", "empty-window"];
    let programs = options.programs.with_windows(&packages)?;
    let members = usize::from(options.members);
    let folder = Folder::of_both_kinds(&app::program_in(&programs, "fixture"), members)?;
    let display = VirtualDisplay::open(1_280, 800)?;
    let program = |name| folder.at_home(app::program_in(&programs, name));
    let empty = AppWindow::open(program("empty-window"), &display)?;
    empty.reach("window-ready", READY_LIMIT)?;
    let window = AppWindow::open(
        program("guild-hall").args(folder.options()).args([FORM]),
        &display,
    )?;
    window.reach("roster-settled", READY_LIMIT)?;
    let mark = Mark::new();
    let guildhall = app::program_in(&programs, "guildhall");
    let mut agent = SoakAgent::connect(
        Program::new(&guildhall)
            .args(folder.options())
            .args(["connect"])
            .env("GUILD_HALL_TOKEN", token(&guildhall, &folder)?)
            .marked(&mark),
    )?;
    let length = Duration::from_secs(60) * options.minutes;
    println!(
        "minute  calls  program: MiB own threads descriptors  view: MiB own  members  \
         an empty window: own, view own"
    );
    let every = Duration::from_secs(1) / options.rate;
    let looks = soak([&window, &empty], &mut agent, members, (every, length))?;
    agent.leave()?;
    window.quit()?;
    // An empty window can only be ended by a signal.
    empty.close();
    let left = mark.end_all(Duration::from_secs(5));
    ensure!(left.is_empty(), "the agent's side did not end by itself");
    Ok(judge(&looks))
}

/// Calls one member after the other, with measurements at intervals. Calls that a pause delays are
/// made after the pause.
fn soak(
    windows: [&AppWindow; 2],
    agent: &mut SoakAgent,
    members: usize,
    (every, length): (Duration, Duration),
) -> Result<Vec<SoakSample>> {
    let start = Instant::now();
    let mut looks = Vec::new();
    let mut calls = 0_u64;
    while start.elapsed() < length {
        if start.elapsed() >= length / LOOKS * u32::try_from(looks.len()).unwrap_or(u32::MAX) {
            thread::sleep(PAUSE);
            let [full, empty] = windows.map(|window| Usage::of(window.pid()));
            let look = SoakSample {
                full: full?,
                empty: empty?,
            };
            print_sample(start.elapsed(), calls, &look);
            looks.push(look);
        }
        let member = usize::try_from(calls).unwrap_or_default() % members;
        agent
            .call(&format!("member-{member:03}__echo"), calls)
            .with_context(|| format!("call {calls}, of member {member}"))?;
        calls += 1;
        let next = every * u32::try_from(calls).unwrap_or(u32::MAX);
        thread::sleep(next.saturating_sub(start.elapsed()));
    }
    Ok(looks)
}

struct SoakSample {
    full: Usage,
    empty: Usage,
}

fn print_sample(at: Duration, calls: u64, look: &SoakSample) {
    let Usage {
        program,
        view,
        members,
    } = &look.full;
    println!(
        "{:>6} {:>6}  {:>12.1} {:>3.1} {:>7} {:>11}  {:>9.1} {:>3.1}  {members:>7}  {:>20.1} {:>8.1}",
        at.as_secs() / 60,
        calls,
        mebibytes(program.pss),
        mebibytes(program.own),
        program.threads,
        program.descriptors,
        mebibytes(view.pss),
        mebibytes(view.own),
        mebibytes(look.empty.program.own),
        mebibytes(look.empty.view.own),
    );
}

/// Returns the figures that must not grow: name, value, and the allowed difference.
fn figures(usage: &Usage) -> Vec<(String, u64, u64)> {
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let of = |side: &str, share: &Share| {
        [
            ("KiB of private memory", share.own, GROWTH_MAX),
            ("threads", count(share.threads), 0),
            ("descriptors", count(share.descriptors), 0),
        ]
        .map(|(what, number, spare)| (format!("{side}: {what}"), number, spare))
    };
    let processes = ("processes of members".to_owned(), count(usage.members), 0);
    let sides = [of("program", &usage.program), of("web view", &usage.view)];
    sides.into_iter().flatten().chain([processes]).collect()
}

/// Compares the minimum of the last quarter with that of the second quarter. The first quarter
/// includes one-time loading, and minima ignore garbage in a heap. The empty window's figures are
/// only printed.
fn judge(looks: &[SoakSample]) -> ExitCode {
    let full: Vec<_> = looks.iter().map(|look| figures(&look.full)).collect();
    let empty: Vec<_> = looks.iter().map(|look| figures(&look.empty)).collect();
    let mut code = ExitCode::SUCCESS;
    for (at, (what, _, spare)) in full.first().into_iter().flatten().enumerate() {
        let (before, after) = quarters(&full, at);
        let grew = after > before + spare;
        let word = if grew { "GREW" } else { "no growth" };
        let (empty_before, empty_after) = quarters(&empty, at);
        println!(
            "{what}: {before}, at the end {after}: {word} (an empty window: {empty_before}, \
             {empty_after})"
        );
        if grew {
            code = ExitCode::FAILURE;
        }
    }
    code
}

/// Returns the minimum of one figure in the second quarter and in the last quarter.
fn quarters(looks: &[Vec<(String, u64, u64)>], at: usize) -> (u64, u64) {
    let quarter = looks.len() / 4;
    let least = |looks: &[Vec<(String, u64, u64)>]| {
        let each = looks.iter().filter_map(|figures| Some(figures.get(at)?.1));
        each.min().unwrap_or_default()
    };
    (
        least(&looks[quarter..2 * quarter]),
        least(&looks[looks.len() - quarter..]),
    )
}

/// Returns an agent's token, read from the file of a program that Guild Hall connected.
fn token(guildhall: &Path, folder: &Folder) -> Result<String> {
    let written = Program::new(guildhall)
        .args(folder.options())
        .words("--json clients connect gemini-cli --write --yes")
        .text()?;
    let written: Value =
        serde_json::from_str(&written).context("what `guildhall clients connect` said")?;
    let path = written["path"].as_str().context("no file was written")?;
    let text = fs::read_to_string(path)?;
    let (_, token) = text
        .split_once("Bearer ")
        .context("the file has no token")?;
    let token = token.split('"').next().unwrap_or_default();
    Ok(token.to_owned())
}

/// An agent that is connected by `guildhall connect`, like Claude Desktop.
struct SoakAgent {
    requests: ChildStdin,
    answers: Receiver<String>,
    process: ChildWaiter,
}

impl SoakAgent {
    fn connect(program: Program) -> Result<Self> {
        let running = program.stdin_piped().start()?;
        let mut agent = Self {
            requests: running.stdin.context("no stdin")?,
            answers: running.lines,
            process: running.process,
        };
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "soak", "version": "1"},
        });
        agent.ask("initialize", &hello, 0)?;
        agent.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(agent)
    }

    /// Calls a tool that answers with its arguments, and checks the answer.
    fn call(&mut self, tool: &str, number: u64) -> Result<()> {
        let text = format!("call {number} as it was sent");
        let params = json!({"name": tool, "arguments": {"text": text}});
        let answer = self.ask("tools/call", &params, number + 1)?;
        let came = answer["result"]["content"][0]["text"].as_str();
        ensure!(
            answer["result"]["isError"] != true && came.is_some_and(|came| came.contains(&text)),
            "another answer than what was sent: {answer}"
        );
        Ok(())
    }

    fn ask(&mut self, method: &str, params: &Value, id: u64) -> Result<Value> {
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let line = self.answers.recv_timeout(READY_LIMIT);
            let line = line.with_context(|| format!("`{method}` was not answered"))?;
            let message: Value =
                serde_json::from_str(&line).context("a message that is not JSON")?;
            // Skips notifications.
            if message["id"] == id {
                return Ok(message);
            }
        }
    }

    fn say(&mut self, message: &Value) -> Result<()> {
        writeln!(self.requests, "{message}").context("the connection is closed")?;
        self.requests.flush().context("the connection is closed")
    }

    /// Closes the connection, which ends the process.
    fn leave(self) -> Result<()> {
        drop(self.requests);
        let ended = self.process.recv_timeout(Duration::from_secs(10));
        let status = ended.context("`guildhall connect` did not end with its agent")??;
        ensure!(status.success(), "`guildhall connect` ended with {status}");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(own: impl Fn(u64) -> u64) -> Vec<SoakSample> {
        let look = |number| {
            let mut full = Usage::default();
            full.program.own = own(number);
            full.program.threads = 20;
            SoakSample {
                full,
                empty: Usage::default(),
            }
        };
        (0..60).map(look).collect()
    }

    #[test]
    fn initial_fetch_and_freed_heap_are_not_growth() {
        let warm = looks(|minute| 10_000 + 500 * minute.min(10));
        assert_eq!(judge(&warm), ExitCode::SUCCESS);
        let tidied = looks(|minute| 10_000 + 3_000 * (minute % 7));
        assert_eq!(judge(&tidied), ExitCode::SUCCESS);
    }

    #[test]
    fn an_empty_window_that_grows_excuses_nothing_and_is_no_fault() {
        let mut looks = looks(|minute| 10_000 + 35 * minute);
        for (minute, look) in (0_u64..).zip(&mut looks) {
            look.empty.program.own = 10_000 + 35 * minute;
        }
        assert_eq!(judge(&looks), ExitCode::FAILURE);
        for look in &mut looks {
            look.full.program.own = 10_000;
        }
        assert_eq!(judge(&looks), ExitCode::SUCCESS);
    }

    #[test]
    fn two_mebibytes_an_hour_are_growth_and_so_is_one_thread() {
        assert_eq!(
            judge(&looks(|minute| 10_000 + 35 * minute)),
            ExitCode::FAILURE
        );
        let mut leaking = looks(|_| 10_000);
        for (minute, look) in leaking.iter_mut().enumerate() {
            look.full.program.threads += minute / 40;
        }
        assert_eq!(judge(&leaking), ExitCode::FAILURE);
    }
}
