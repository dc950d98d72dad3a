//! Measures a window at rest, compared with an empty window, and the engine without a window.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::{BenchRow, median, paint};
use crate::app::{self, AppWindow};
use crate::display::VirtualDisplay;
use crate::folder::{FORM, Folder};
use crate::program::Program;
use crate::serving::Serving;
use crate::usage::{Stirred, Usage, mebibytes};

/// How many members run.
const MEMBERS: usize = 30;
/// The wait before a window is measured, because a web view still frees memory after its start.
const SETTLE: Duration = Duration::from_secs(60);
/// The duration of the measurement.
const WATCH: Duration = Duration::from_secs(60);
const READY_LIMIT: Duration = Duration::from_secs(120);
/// Time limit for packing the programs.
const PACK_LIMIT: Duration = Duration::from_secs(10 * 60);

struct AtRest {
    painted: Duration,
    usage: BenchUsage,
}

/// The usage of a program during the measurement.
struct BenchUsage {
    /// The usage at the end.
    total: Usage,
    program: Stirred,
    view: Stirred,
    time: Duration,
}

/// Opens each window `runs` times, alternately, then measures both windows on one display, and the
/// engine.
pub(super) fn measure(programs: &Path, runs: usize) -> Result<Vec<BenchRow>> {
    let display = VirtualDisplay::open(1_280, 800)?;
    let fixture = app::program_in(programs, "fixture");
    let folder = Folder::of_both_kinds(&fixture, MEMBERS)?;
    let program = |name| folder.at_home(app::program_in(programs, name));
    let empty = || program("empty-window");
    let full = || program("guild-hall").args(folder.options()).args([FORM]);
    let mut paints = [Vec::new(), Vec::new()];
    for _ in 0..runs {
        paints[0].push(paint(empty(), &display)?);
        paints[1].push(paint(full(), &display)?);
    }
    let [empty_painted, full_painted] = paints.map(|mut times| median(&mut times));
    let empty = look(empty(), "window-ready", &display, empty_painted)?;
    let full = look(full(), "roster-settled", &display, full_painted)?;
    let mut rows = rows(&empty, &full);
    rows.extend(engine_rows(&look_at_engine(programs)?));
    let files = ["guild-hall", "empty-window"].map(|name| app::program_in(programs, name));
    let [full, empty] = &files;
    for (subject, size) in [
        ("the program's file", size as fn(&Path) -> Result<u64>),
        ("  packed, as in the .deb", packed_size),
    ] {
        let (full, empty) = (megabytes(size(full)?), megabytes(size(empty)?));
        rows.push(BenchRow::new(subject, format!("{full} | {empty}")));
    }
    Ok(rows)
}

/// Returns the size of a program's file, in bytes.
fn size(file: &Path) -> Result<u64> {
    Ok(fs_err::metadata(file)?.len())
}

/// Returns the compressed size of a file in a package, in bytes. dpkg and rpm compress like xz at
/// its default level.
fn packed_size(file: &Path) -> Result<u64> {
    const PACK: &str = r#"xz -6 --stdout "$1" | wc -c"#;
    let said = Program::new("sh")
        .args(["-c", PACK, "sh"])
        .args([file])
        .limit(PACK_LIMIT)
        .text()?;
    let bytes: u64 = said.trim().parse().context("a number of bytes")?;
    ensure!(bytes > 0, "xz packs nothing of {}", file.display());
    Ok(bytes)
}

fn megabytes(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "the size of a file")]
    let megabytes = bytes as f64 / 1_000_000.0;
    format!("{megabytes:.1} MB")
}

fn look(
    program: Program,
    settled: &str,
    display: &VirtualDisplay,
    painted: Duration,
) -> Result<AtRest> {
    let window = AppWindow::open(program, display)?;
    window.reach(settled, READY_LIMIT)?;
    let usage = watch(|| Usage::of(window.pid()))?;
    // An empty window can only be ended by a signal.
    window.close();
    Ok(AtRest { painted, usage })
}

/// Measures `guildhall serve`, which has no window, with as many members as the desktop app.
fn look_at_engine(programs: &Path) -> Result<BenchUsage> {
    let fixture = app::program_in(programs, "fixture");
    let folder = Folder::of_both_kinds(&fixture, MEMBERS)?;
    let guildhall = folder.at_home(app::program_in(programs, "guildhall"));
    let serving = Serving::spawn(guildhall.quiet(), &folder)?;
    serving.all_ready(MEMBERS)?;
    let watched = watch(|| Usage::without_window(serving.pid()))?;
    serving.stop()?;
    let running = watched.total.members;
    ensure!(
        running >= MEMBERS,
        "only {running} of {MEMBERS} members ran beside the engine"
    );
    Ok(watched)
}

/// Waits until a program is at rest, then measures it.
fn watch(look: impl Fn() -> Result<Usage>) -> Result<BenchUsage> {
    thread::sleep(SETTLE);
    let (before, start) = (look()?, Instant::now());
    thread::sleep(WATCH);
    let (usage, time) = (look()?, start.elapsed());
    Ok(BenchUsage {
        program: usage.program.since(&before.program),
        view: usage.view.since(&before.view),
        total: usage,
        time,
    })
}

fn memory(kibibytes: u64) -> String {
    format!("{:.1} MiB", mebibytes(kibibytes))
}

fn wakeups(stirred: Stirred, time: Duration) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a count of a minute")]
    let each = stirred.wakeups as f64 / time.as_secs_f64();
    format!("{each:.2}/s")
}

fn busy(stirred: Stirred, time: Duration) -> String {
    let part = stirred.cpu.as_secs_f64() / time.as_secs_f64();
    format!("{:.3} %", part * 100.0)
}

fn engine_rows(engine: &BenchUsage) -> Vec<BenchRow> {
    let (usage, program, time) = (&engine.total.program, engine.program, engine.time);
    vec![
        BenchRow::new("memory of the engine alone (PSS)", memory(usage.pss)),
        BenchRow::new("  its own part", memory(usage.own)),
        BenchRow::new("processor, the engine alone", busy(program, time)),
        BenchRow::new("wake-ups, the engine alone", wakeups(program, time)).aim("none"),
    ]
}

fn rows(empty: &AtRest, full: &AtRest) -> Vec<BenchRow> {
    let row = |subject: &str, of: fn(&AtRest) -> String| {
        BenchRow::new(subject, format!("{} | {}", of(full), of(empty)))
    };
    vec![
        row("first paint, the median", |one| {
            format!("{} ms", one.painted.as_millis())
        }),
        row("memory of the program (PSS)", |one| {
            memory(one.usage.total.program.pss)
        }),
        row("  its own part", |one| memory(one.usage.total.program.own)),
        row("memory of the web view (PSS)", |one| {
            memory(one.usage.total.view.pss)
        }),
        row("processor, the program", |one| {
            busy(one.usage.program, one.usage.time)
        }),
        row("processor, the web view", |one| {
            busy(one.usage.view, one.usage.time)
        }),
        row("wake-ups, the program", |one| {
            wakeups(one.usage.program, one.usage.time)
        })
        .aim("as empty"),
        row("wake-ups, the web view", |one| {
            wakeups(one.usage.view, one.usage.time)
        })
        .aim("as empty"),
        row("processes of members", |one| {
            one.usage.total.members.to_string()
        }),
    ]
}
