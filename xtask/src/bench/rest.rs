//! What a window costs that merely stands there, beside an empty window of the same kind.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::folder::{FORM, Folder};
use super::{Row, mebibytes, median, paint};
use crate::app::{self, Window};
use crate::display::Display;
use crate::program::Program;
use crate::usage::{Stirred, Usage};

/// How many members run.
const MEMBERS: usize = 30;
/// How long a window is left alone before it is looked at: a web view goes on tidying for a while.
const SETTLE: Duration = Duration::from_secs(60);
/// How long it is looked at.
const WATCH: Duration = Duration::from_secs(60);
const READY_LIMIT: Duration = Duration::from_secs(120);

/// One window at rest.
struct AtRest {
    painted: Duration,
    usage: Usage,
    program: Stirred,
    view: Stirred,
    watched: Duration,
}

/// Measures both windows, one after the other, on one display; before that each is opened `runs`
/// times, by turns.
pub(super) fn measure(programs: &Path, runs: usize) -> Result<Vec<Row>> {
    let display = Display::open(1_280, 800)?;
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
    rows.push(Row {
        what: "the program's file".into(),
        value: format!(
            "{} | {}",
            size(programs, "guild-hall")?,
            size(programs, "empty-window")?
        ),
        aim: "",
    });
    Ok(rows)
}

/// How large a program's file is.
fn size(programs: &Path, name: &str) -> Result<String> {
    let file = app::program_in(programs, name);
    let bytes = std::fs::metadata(&file)
        .with_context(|| format!("looking at {}", file.display()))?
        .len();
    #[expect(clippy::cast_precision_loss, reason = "the size of a file")]
    let megabytes = bytes as f64 / 1_000_000.0;
    Ok(format!("{megabytes:.1} MB"))
}

fn look(program: Program, settled: &str, display: &Display, painted: Duration) -> Result<AtRest> {
    let window = Window::open(program, display)?;
    window.reach(settled, READY_LIMIT)?;
    thread::sleep(SETTLE);
    let (before, start) = (Usage::of(window.pid())?, Instant::now());
    thread::sleep(WATCH);
    let (usage, watched) = (Usage::of(window.pid())?, start.elapsed());
    // An empty window knows no better end than a signal.
    window.close();
    Ok(AtRest {
        painted,
        program: usage.program.since(&before.program),
        view: usage.view.since(&before.view),
        usage,
        watched,
    })
}

fn rows(empty: &AtRest, full: &AtRest) -> Vec<Row> {
    let row = |what: &str, of: &dyn Fn(&AtRest) -> String, aim| Row {
        what: what.into(),
        value: format!("{} | {}", of(full), of(empty)),
        aim,
    };
    let memory = |kibibytes: u64| format!("{:.1} MiB", mebibytes(kibibytes));
    let wakeups = |rest: &AtRest, stirred: Stirred| {
        #[expect(clippy::cast_precision_loss, reason = "a count of a minute")]
        let each = stirred.wakeups as f64 / rest.watched.as_secs_f64();
        format!("{each:.2}/s")
    };
    let busy = |rest: &AtRest, stirred: Stirred| {
        let part = stirred.cpu.as_secs_f64() / rest.watched.as_secs_f64();
        format!("{:.3} %", part * 100.0)
    };
    vec![
        row(
            "first paint, the median",
            &|one| format!("{} ms", one.painted.as_millis()),
            "",
        ),
        row(
            "memory of the program (PSS)",
            &|one| memory(one.usage.program.pss),
            "",
        ),
        row("  of it its own", &|one| memory(one.usage.program.own), ""),
        row(
            "memory of the web view (PSS)",
            &|one| memory(one.usage.view.pss),
            "",
        ),
        row("processor, the program", &|one| busy(one, one.program), ""),
        row("processor, the web view", &|one| busy(one, one.view), ""),
        row(
            "wake-ups, the program",
            &|one| wakeups(one, one.program),
            "as empty",
        ),
        row(
            "wake-ups, the web view",
            &|one| wakeups(one, one.view),
            "as empty",
        ),
        row(
            "processes of members",
            &|one| one.usage.members.to_string(),
            "",
        ),
    ]
}
