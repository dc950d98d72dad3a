//! The catalogue of many tools, by the engine's own example, and the commands that list many tools.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::{Folder, Row, Serving, median};
use crate::app::{BUILD_LIMIT, Profile};
use crate::program::Program;

/// How many tools the guild has.
const TOOLS: u64 = 10_000;
/// The guild whose tools commands list: its members, and the tools of each.
const LISTED: (usize, usize) = (102, 100);
/// How long a command may take to list them, in a release build.
const LISTED_MAX: Duration = Duration::from_secs(1);

/// Asks for the catalogue; a row for each figure.
pub(super) fn measure(runs: usize, profile: Profile) -> Result<Vec<Row>> {
    let mut program = Program::cargo().args(["run", "--locked", "--quiet"]);
    if profile == Profile::Release {
        program = program.args(["--release"]);
    }
    let text = program
        .args(["--package", "guild-engine", "--example", "catalog", "--"])
        .args([TOOLS.to_string(), runs.to_string()])
        .limit(BUILD_LIMIT)
        .text()?;
    let figures: Value = serde_json::from_str(&text).context("reading the catalogue's figures")?;
    let number = |name: &str| figures[name].as_u64().context("a figure is no number");
    let millis = |us: u64| format!("{}.{:02} ms", us / 1_000, us % 1_000 / 10);
    let kib = number("bytes")? >> 10;
    Ok(vec![
        Row {
            what: format!(
                "the catalogue of {} tools, no member started",
                number("tools")?
            ),
            value: millis(number("us")?),
            aim: "<= 1 ms",
        },
        Row {
            what: "  the first time, when each tool is looked into".into(),
            value: millis(number("first_us")?),
            aim: "",
        },
        Row {
            what: format!("  written as {kib} KiB of JSON"),
            value: millis(number("written_us")?),
            aim: "",
        },
    ])
}

/// Times the commands that list all tools, alone and beside a hall that runs; a row for each.
///
/// # Errors
/// When a release build takes longer than [`LISTED_MAX`].
pub(super) fn measure_commands(
    guildhall: &Path,
    fixture: &Path,
    runs: usize,
    profile: Profile,
) -> Result<Vec<Row>> {
    let (members, tools) = LISTED;
    let folder = Folder::with_caches(fixture, members, tools)?;
    let mut rows = list_each(guildhall, &folder, "alone", runs, profile)?;
    let serving = Serving::start(guildhall, &folder)?;
    serving.all_ready(members)?;
    rows.extend(list_each(
        guildhall,
        &folder,
        "beside serve",
        runs,
        profile,
    )?);
    serving.stop()?;
    Ok(rows)
}

fn list_each(
    guildhall: &Path,
    folder: &Folder,
    place: &str,
    runs: usize,
    profile: Profile,
) -> Result<Vec<Row>> {
    let (members, tools) = LISTED;
    let all = members * tools;
    let mut rows = Vec::new();
    for words in [
        &["tools"][..],
        &["tools", "--json"],
        &["tools", "--details", "--json"],
    ] {
        let mut times = Vec::new();
        for _ in 0..runs {
            let begun = Instant::now();
            let text = Program::new(guildhall)
                .args(folder.options())
                .args(words.iter().copied())
                .text()?;
            times.push(begun.elapsed());
            let listed = text.matches("tool_101_099").count();
            ensure!(listed > 0, "{words:?} does not list the last tool");
        }
        let time = median(&mut times);
        let what = format!("`guildhall {}` of {all} tools, {place}", words.join(" "));
        ensure!(
            profile == Profile::Dev || time <= LISTED_MAX,
            "{what} takes {time:?}, more than {LISTED_MAX:?}"
        );
        rows.push(Row {
            what,
            value: format!("{} ms", time.as_millis()),
            aim: "<= 1 s",
        });
    }
    Ok(rows)
}
