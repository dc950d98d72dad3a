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

/// One run of the suite; its slowest scenario waits for nothing longer than 30 s.
const RUN_LIMIT: Duration = Duration::from_secs(15 * 60);
/// The member that the scenarios are played with. It is listed in full by the gateway's settings:
/// some scenarios lose the query of an address.
const MEMBER: &str = "suite";
/// The profile that has the member without a prefix.
const PROFILE: &str = "bare";

/// An address of the gateway.
struct ConformanceEndpoint {
    path: &'static str,
    /// Whether the names of its tools have the member's name as prefix there.
    is_prefixed: bool,
}

const OF_MEMBER: ConformanceEndpoint = ConformanceEndpoint {
    path: "/members/suite/mcp",
    is_prefixed: false,
};
const OF_PROFILE: ConformanceEndpoint = ConformanceEndpoint {
    path: "/profiles/bare/mcp",
    is_prefixed: false,
};
const OF_ALL: ConformanceEndpoint = ConformanceEndpoint {
    path: "/mcp",
    is_prefixed: true,
};

/// A version of the suite, and a version of the protocol that it knows.
struct ConformanceRun {
    /// The package's name in `tests/clients/package.json`.
    suite: &'static str,
    protocol: &'static str,
    /// How the gateway's member speaks.
    member: &'static [&'static str],
    /// Where the server scenarios are played.
    addresses: &'static [ConformanceEndpoint],
}

const RUNS: [ConformanceRun; 5] = [
    ConformanceRun {
        suite: "conformance",
        protocol: "2025-06-18",
        member: &["--era", "legacy", "--versions", "2025-06-18"],
        addresses: &[OF_MEMBER],
    },
    ConformanceRun {
        suite: "conformance",
        protocol: "2025-11-25",
        member: &["--era", "legacy"],
        addresses: &[OF_MEMBER, OF_PROFILE, OF_ALL],
    },
    ConformanceRun {
        suite: "conformance-next",
        protocol: "2025-06-18",
        member: &["--era", "modern"],
        addresses: &[OF_MEMBER],
    },
    ConformanceRun {
        suite: "conformance-next",
        protocol: "2025-11-25",
        member: &["--era", "legacy"],
        addresses: &[OF_MEMBER, OF_PROFILE, OF_ALL],
    },
    ConformanceRun {
        suite: "conformance-next",
        protocol: "2026-07-28",
        member: &["--era", "modern"],
        addresses: &[OF_MEMBER, OF_PROFILE, OF_ALL],
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
    /// Plays the server scenarios at each of the run's addresses, and notes how that went.
    fn server(&self, run: &ConformanceRun, note: &mut impl FnMut(&str, (Result<()>, Tally))) {
        let of = |place: &str| format!("server, {}, {}, {place}", run.suite, run.protocol);
        let (serving, _folder) = match self.serving(run) {
            Ok(started) => started,
            Err(error) => return note(&of("start"), (Err(error), Tally::default())),
        };
        for address in run.addresses {
            let of = of(address.path);
            println!("-- {of}");
            let origin = serving.address.trim_end_matches("/mcp");
            let url = format!("{origin}{}", address.path);
            let names = address.is_prefixed.then(|| {
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

    /// A gateway with the run's member, and with a profile that has it without a prefix.
    fn serving(&self, run: &ConformanceRun) -> Result<(Serving, Folder)> {
        let switches = [&["--conformance", "--max-life-ms", "3600000"], run.member].concat();
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

    /// Runs the suite, which itself compares with the file of expected failures: new failures
    /// and expected failures that pass. `node` is a switch of Node's own.
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

/// The expected failures, with a reason per line.
fn expected(run: &ConformanceRun) -> PathBuf {
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
