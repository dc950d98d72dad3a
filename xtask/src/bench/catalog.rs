//! Measures the catalog of many tools with an example of the engine, and the commands that list
//! many tools.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::{BenchOptions, BenchRow, median};
use crate::app::{self, BuildProfile};
use crate::folder::Folder;
use crate::program::Program;
use crate::serving::Serving;

/// The number of tools in the guild.
const TOOLS: &str = "10000";
/// The guild whose tools the commands list: the number of members, and of tools per member.
const LISTED: (usize, usize) = (102, 100);
/// How long a command of a release build may take to list the tools.
const LISTED_MAX: Duration = Duration::from_secs(1);

/// Measures the catalog, and the commands that list all tools with and without a running engine.
///
/// # Errors
/// When a command of a release build takes longer than [`LISTED_MAX`].
pub(super) fn measure(options: &BenchOptions, runs: usize) -> Result<Vec<BenchRow>> {
    let example = ["run", "--package", "guild-engine", "--example", "catalog"];
    let figures = options.figures_of(&example, &[TOOLS, &runs.to_string()])?;
    let number = |name: &str| figures[name].as_u64().context("a figure is not a number");
    let millis = |name: &str| {
        let us = number(name)?;
        anyhow::Ok(format!("{}.{:02} ms", us / 1_000, us % 1_000 / 10))
    };
    let subject = format!(
        "the catalog of {} tools, no member started",
        number("tools")?
    );
    let mut rows = vec![
        BenchRow::new(subject, millis("us")?).aim("<= 1 ms"),
        BenchRow::new(
            "  the first time, when each tool is read",
            millis("first_us")?,
        ),
        BenchRow::new(
            format!("  written as {} KiB of JSON", number("bytes")? >> 10),
            millis("written_us")?,
        ),
    ];
    let programs = options.programs.of(&["guild-cli", "guild-tests"])?;
    let guildhall = app::program_in(&programs, "guildhall");
    let (members, tools) = LISTED;
    let folder = Folder::with_caches(&app::program_in(&programs, "fixture"), members, tools)?;
    let is_bounded = options.programs.profile() == BuildProfile::Release;
    rows.extend(list_each(&guildhall, &folder, "alone", runs, is_bounded)?);
    let serving = Serving::start(&guildhall, &folder)?;
    serving.all_ready(members)?;
    rows.extend(list_each(
        &guildhall,
        &folder,
        "beside serve",
        runs,
        is_bounded,
    )?);
    serving.stop()?;
    Ok(rows)
}

fn list_each(
    guildhall: &Path,
    folder: &Folder,
    place: &str,
    runs: usize,
    is_bounded: bool,
) -> Result<Vec<BenchRow>> {
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
        let subject = format!("`guildhall {}` of {all} tools, {place}", words.join(" "));
        ensure!(
            !is_bounded || time <= LISTED_MAX,
            "{subject} takes {time:?}, more than {LISTED_MAX:?}"
        );
        rows.push(BenchRow::new(subject, format!("{} ms", time.as_millis())).aim("<= 1 s"));
    }
    Ok(rows)
}
