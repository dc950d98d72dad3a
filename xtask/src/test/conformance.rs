//! The official conformance suite: its server scenarios against the gateway, its client scenarios
//! against the engine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};

use super::gateway::Serving;
use super::tally::Tally;
use crate::mark::Mark;
use crate::program::Program;
use crate::programs::Programs;
use crate::setup;

/// One run of the suite; its slowest scenario waits for nothing longer than 30 s.
const RUN_LIMIT: Duration = Duration::from_secs(3 * 60);
/// The member that the scenarios are played with, mounted without a prefix. It is listed in full by
/// the gateway's settings: some scenarios lose the query of an address.
const MEMBER: &str = "suite";
const PATH: &str = "/members/suite/mcp";

/// A version of the suite, and a version of the protocol that it knows.
struct Run {
    /// The package's name in `tests/clients/package.json`.
    suite: &'static str,
    protocol: &'static str,
    /// How the gateway's member speaks.
    member: &'static [&'static str],
}

const RUNS: [Run; 5] = [
    Run {
        suite: "conformance",
        protocol: "2025-06-18",
        member: &["--era", "legacy", "--versions", "2025-06-18"],
    },
    Run {
        suite: "conformance",
        protocol: "2025-11-25",
        member: &["--era", "legacy"],
    },
    Run {
        suite: "conformance-next",
        protocol: "2025-06-18",
        member: &["--era", "modern"],
    },
    Run {
        suite: "conformance-next",
        protocol: "2025-11-25",
        member: &["--era", "legacy"],
    },
    Run {
        suite: "conformance-next",
        protocol: "2026-07-28",
        member: &["--era", "modern"],
    },
];

/// Plays all scenarios; each failure that `tests/conformance` does not name is one.
pub(super) fn check(mark: &Mark, programs: &Programs, tally: &mut Tally) -> Result<()> {
    let suite = Suite {
        installed: setup::clients()?,
        programs,
        mark,
    };
    let mut unexpected = Vec::new();
    let mut all = Tally::default();
    for run in &RUNS {
        for side in ["server", "client"] {
            println!("-- {side}, {}, {}", run.suite, run.protocol);
            let (played, counts) = match side {
                "server" => suite.server(run),
                _ => suite.client(run),
            };
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
                unexpected.push(format!(
                    "\n  {side}, {}, {}: {error:#}",
                    run.suite, run.protocol
                ));
            }
        }
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
    fn server(&self, run: &Run) -> (Result<()>, Tally) {
        let switches = [&["--conformance", "--max-life-ms", "600000"], run.member].concat();
        let members: [(&str, &str, &[&str]); 1] = [(MEMBER, "stdio", &switches)];
        let serving = match Serving::start(self.programs, &members, "full", self.mark) {
            Ok(serving) => serving,
            Err(error) => return (Err(error), Tally::default()),
        };
        let url = format!("{}{PATH}", serving.origin);
        let (played, counts) = self.play(run, &["server", "--url", &url, "--suite", "all"]);
        (played.and(serving.stop()), counts)
    }

    fn client(&self, run: &Run) -> (Result<()>, Tally) {
        let command = self
            .programs
            .example("conformance_client")
            .display()
            .to_string();
        self.play(run, &["client", "--command", &command, "--suite", "all"])
    }

    /// Runs the suite, which itself compares with the file of expected failures: what fails and is
    /// not in it, and what is in it and passes.
    fn play(&self, run: &Run, words: &[&str]) -> (Result<()>, Tally) {
        let mut counts = Tally::default();
        let played = Program::new(setup::clients_node(&self.installed))
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

    fn package(&self, run: &Run) -> PathBuf {
        self.installed.join("node_modules").join(run.suite)
    }
}

/// What is expected to fail, a reason a line.
fn expected(run: &Run) -> PathBuf {
    let name = format!("expected-{}-{}.yml", run.suite, run.protocol);
    crate::root()
        .join(Path::new("tests/conformance"))
        .join(name)
}

/// Adds up the suite's closing lines: `Total: 43 passed, 1 failed`.
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
