//! The official conformance suite: its server scenarios against the gateway, its client scenarios
//! against the engine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use serde_json::json;

use super::gateway;
use super::tally::Tally;
use crate::folder::Folder;
use crate::mark::Mark;
use crate::program::Program;
use crate::programs::Programs;
use crate::serving::Serving;
use crate::setup;

/// Time limit of one run of the suite. Its slowest scenario waits at most 30 s.
const RUN_LIMIT: Duration = Duration::from_secs(15 * 60);
/// The member that the scenarios use. `gateway.json` sets its listing mode to `full`, because some
/// scenarios drop the query of an address, which could select the mode.
const MEMBER: &str = "suite";
/// The profile that has the member without a prefix.
const PROFILE: &str = "bare";

/// The endpoint of the member.
const OF_MEMBER: &str = "/members/suite/mcp";
/// The endpoint of the profile.
const OF_PROFILE: &str = "/profiles/bare/mcp";
/// The endpoint of all members. Its tools have the member's name as prefix.
const OF_ALL: &str = "/mcp";

/// A version of the suite, and a protocol version that it supports.
struct ConformanceRun {
    /// The package's name in `tests/clients/package.json`.
    suite: &'static str,
    protocol: &'static str,
    /// The fixture's switches that select the member's protocol.
    member: &'static [&'static str],
    /// The addresses at which the server scenarios run.
    addresses: &'static [&'static str],
}

const LEGACY: &[&str] = &["--era", "legacy"];
const MODERN: &[&str] = &["--era", "modern"];
const OLDEST: &[&str] = &["--era", "legacy", "--versions", "2025-06-18"];
const EACH: &[&str] = &[OF_MEMBER, OF_PROFILE, OF_ALL];

const fn run(
    suite: &'static str,
    protocol: &'static str,
    member: &'static [&'static str],
    addresses: &'static [&'static str],
) -> ConformanceRun {
    ConformanceRun {
        suite,
        protocol,
        member,
        addresses,
    }
}

const RUNS: [ConformanceRun; 5] = [
    run("conformance", "2025-06-18", OLDEST, &[OF_MEMBER]),
    run("conformance", "2025-11-25", LEGACY, EACH),
    run("conformance-next", "2025-06-18", MODERN, &[OF_MEMBER]),
    run("conformance-next", "2025-11-25", LEGACY, EACH),
    run("conformance-next", "2026-07-28", MODERN, EACH),
];

/// Runs all scenarios. Fails if a scenario fails that `tests/conformance` does not list.
pub(super) fn check(mark: &Mark, programs: &Programs, tally: &mut Tally) -> Result<()> {
    let suite = Suite {
        installed: setup::clients()?,
        programs,
        mark,
    };
    let mut unexpected = Vec::new();
    let mut all = Tally::default();
    let mut note = |of: &str, (played, counts): (Result<()>, Tally)| {
        println!(
            "   {} checks passed, {} failed{}",
            counts.passed,
            counts.failed,
            if played.is_ok() { ", as expected" } else { "" }
        );
        all.passed += counts.passed;
        all.failed += counts.failed;
        tally.passed += counts.passed;
        if let Err(error) = played {
            tally.failed += counts.failed.max(1);
            unexpected.push(format!("\n  {of}: {error:#}"));
        }
    };
    for run in &RUNS {
        suite.server(run, &mut note);
        let of = format!("client, {}, {}", run.suite, run.protocol);
        println!("-- {of}");
        note(&of, suite.client(run));
    }
    let judged = match unexpected.is_empty() {
        true => "all as expected",
        false => "not all as expected",
    };
    println!(
        "\nconformance: {} checks passed, {} failed, {judged}",
        all.passed, all.failed
    );
    if !unexpected.is_empty() {
        bail!("not as tests/conformance expects:{}", unexpected.concat());
    }
    Ok(())
}

struct Suite<'a> {
    installed: PathBuf,
    programs: &'a Programs,
    mark: &'a Mark,
}

impl Suite<'_> {
    /// Runs the server scenarios at each of the run's addresses, and passes each result to `note`.
    fn server(&self, run: &ConformanceRun, note: &mut impl FnMut(&str, (Result<()>, Tally))) {
        let of = |place: &str| format!("server, {}, {}, {place}", run.suite, run.protocol);
        let (serving, _folder) = match self.serving(run) {
            Ok(started) => started,
            Err(error) => return note(&of("start"), (Err(error), Tally::default())),
        };
        for address in run.addresses {
            let of = of(address);
            println!("-- {of}");
            let origin = serving.address.trim_end_matches("/mcp");
            let url = format!("{origin}{address}");
            let names = (*address == OF_ALL).then(|| {
                let file = crate::root().join("tests/conformance/prefixed.mjs");
                format!("--import={}", file.display())
            });
            let words = ["server", "--url", &url, "--suite", "all"];
            note(&of, self.play(run, names.as_deref(), &words));
        }
        if let Err(error) = serving.stop() {
            note(&of("end"), (Err(error), Tally::default()));
        }
    }

    /// Starts a gateway with the run's member and a profile that contains this member. The profile
    /// offers the member's tools without a prefix in their names.
    fn serving(&self, run: &ConformanceRun) -> Result<(Serving, Folder)> {
        let switches = [&["--conformance", "--skills"], run.member].concat();
        let members: [(&str, &str, &[&str]); 1] = [(MEMBER, "stdio", &switches)];
        let bare =
            json!({ "name": PROFILE, "members": [{ "member": MEMBER, "withoutPrefix": true }] });
        let settings = json!({ "listing": "full", "profiles": [bare] });
        gateway::serve(self.programs, &members, &settings)
    }

    fn client(&self, run: &ConformanceRun) -> (Result<()>, Tally) {
        let command = self
            .programs
            .example("conformance_client")
            .display()
            .to_string();
        self.play(
            run,
            None,
            &["client", "--command", &command, "--suite", "all"],
        )
    }

    /// Runs the suite. The suite itself fails after an unexpected failure, or if an expected
    /// failure passes. `node` is an option of Node.js.
    fn play(
        &self,
        run: &ConformanceRun,
        node: Option<&str>,
        words: &[&str],
    ) -> (Result<()>, Tally) {
        let mut counts = Tally::default();
        let played = Program::new(setup::clients_node(&self.installed))
            .args(node)
            .env("CONFORMANCE_MEMBER", MEMBER)
            .args([self.package(run).join("dist/index.js")])
            .args(words)
            .args(["--spec-version", run.protocol, "--expected-failures"])
            .args([expected(run)])
            .folder(&self.installed)
            .marked(self.mark)
            .limit(RUN_LIMIT)
            .watched(|line| read_total(line, &mut counts));
        (played, counts)
    }

    fn package(&self, run: &ConformanceRun) -> PathBuf {
        self.installed.join("node_modules").join(run.suite)
    }
}

/// Returns the path of the file with the expected failures, each with a reason.
fn expected(run: &ConformanceRun) -> PathBuf {
    let name = format!("expected-{}-{}.yml", run.suite, run.protocol);
    crate::root()
        .join(Path::new("tests/conformance"))
        .join(name)
}

/// Adds the counts of a closing line of the suite: `Total: 43 passed, 1 failed`.
fn read_total(line: &str, counts: &mut Tally) {
    let Some(rest) = line.trim().strip_prefix("Total: ") else {
        return;
    };
    let words: Vec<&str> = rest
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    for pair in words.chunks(2) {
        if let [number, what] = pair
            && let Ok(number) = number.parse::<u64>()
        {
            match *what {
                "passed" => counts.passed += number,
                "failed" => counts.failed += number,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suites_closing_line_is_counted() {
        let mut counts = Tally::default();
        for line in ["Total: 43 passed, 1 failed", "✓ ping: 1 passed, 0 failed"] {
            read_total(line, &mut counts);
        }
        assert_eq!((counts.passed, counts.failed), (43, 1));
        read_total("Total: 2 passed, 0 failed, 1 warnings", &mut counts);
        assert_eq!((counts.passed, counts.failed), (45, 1));
    }
}
