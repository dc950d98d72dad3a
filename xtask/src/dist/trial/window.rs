//! Runs the window's tests (`tests/e2e`) with the installed program, in the clean system, as its
//! user, with WebKit's driver.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;
use serde_json::Value;

use super::super::libraries;
use super::super::root::{self, Root};
use super::super::versions::AppImageVersions;
use crate::app;
use crate::mark::{self, Mark};
use crate::program::Program;
use crate::setup;

/// The tests' packages besides the driver: a display, a session bus, and certificates.
pub(crate) const PACKAGES: &[&str] = &[
    "ca-certificates",
    "dbus-daemon",
    "tigervnc-standalone-server",
    "xvfb",
];
/// WebKit's driver. It depends on WebKit of the same version.
pub(crate) const DRIVER_PACKAGE: &str = "webkit2gtk-driver";

/// The time for all tests on a slow, busy machine.
const LIMIT: Duration = Duration::from_secs(40 * 60);
/// The time until the kernel has ended all processes of a run.
const GONE_LIMIT: Duration = Duration::from_secs(20);
/// The folder of the tests and their servers in a system, laid out like cargo's target folder.
const TESTS: &str = "/opt/guild-tests";
/// The tests' own programs, which members run.
const SERVERS: &[&str] = &["echo", "fake-docker", "fixture", "guarded"];
/// The folders with a failed test's picture and log, in a system and in cargo's target folder.
const FAILURES: (&str, &str) = ("/tmp/e2e-failures", "e2e-failures");

/// The tests of the installed program that each `cargo xtask test` runs.
const CORE: &[&str] = &[
    "a_tool_is_called_from_its_form_and_its_result_is_read",
    "evidence::failed_test_leaves_a_picture_and_a_log",
    "first_run::new_data_folder_leads_to_a_result",
    "first_run::planned_starts_are_shown_first",
    "help::help_follows_screen_and_error",
    "help::a_question_mark_shows_all_keys_wherever_nobody_is_typing",
    "outside::asked::the_shortcut_brings_up_a_window_that_was_closed_to_the_tray",
    "outside::asked::the_shortcut_opens_the_palette_from_another_program",
    "outside::asked::the_start_at_login_follows_the_settings",
    "outside::displays::window_returns_to_a_reconnected_display",
    "outside::links::a_first_start_shows_the_place_of_its_link",
    "outside::links::each_kind_of_link_leads_to_its_place_and_does_nothing_else",
    "outside::notifications::a_click_brings_up_a_window_that_was_closed_to_the_tray",
    "outside::notifications::five_waiting_calls_make_one_notification",
    "outside::places::hidden_window_leaves_a_removed_display",
    "outside::places::window_returns_to_its_place",
    "outside::tray::window_closed_to_tray_comes_back",
    "settings::window_and_settings_file_stay_in_sync",
    "the_page_reaches_nothing_but_its_own_commands",
    "tool_screen::a_past_call_and_what_was_typed_are_there_after_a_restart",
    "trust::unreviewed_member_never_runs",
];

/// The test of an AppImage's update.
const REPLACES: &str = "updates::appimage::appimage_updates_and_rolls_back";

/// The tests that a run includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrialScope {
    /// Only the tests in [`CORE`].
    Core,
    /// All tests except those in [`Driven::left`].
    All,
}

/// A test that can't be run with an installed program, and the reason.
pub(crate) type SkippedTest = (&'static str, &'static str);

/// The program under test.
pub(crate) struct Driven<'a> {
    /// The path in the system.
    pub(crate) program: &'a str,
    /// Additional variables for the tests.
    pub(crate) variables: &'a [(&'a str, &'a str)],
    pub(crate) left: &'a [SkippedTest],
}

/// The built tests.
pub(crate) struct Tests {
    binary: PathBuf,
    extent: TrialScope,
}

impl Tests {
    pub(crate) fn build(extent: TrialScope) -> Result<Self> {
        setup::packages(&[setup::DISPLAY_PACKAGES, setup::TEST_PACKAGES].concat())?;
        // Uses the same arguments as the step `e2e`, so that the tests are not built twice.
        let said = Program::cargo()
            .words("test --locked --workspace --test e2e")
            .words("--no-run --message-format json")
            .limit(app::BUILD_LIMIT)
            .text()?;
        let binary = executable(&said).context("cargo names no binary of the window's tests")?;
        Ok(Self { binary, extent })
    }

    /// Runs the tests in a system that has the program, [`PACKAGES`] and the driver. Passes each
    /// printed line to `look`.
    pub(crate) fn run(
        &self,
        root: &Root,
        driven: &Driven<'_>,
        look: &mut dyn FnMut(&str),
    ) -> Result<()> {
        let binary = format!("{TESTS}/debug/deps/e2e");
        let mut words = vec![binary.as_str()];
        match self.extent {
            TrialScope::Core => words.extend(["--exact"].iter().chain(CORE)),
            TrialScope::All => {
                for (test, why) in driven.left {
                    println!("not run: {test}: {why}");
                    words.extend(["--skip", test]);
                }
            }
        }
        let mut program = self
            .seeing(root, &[], &words)?
            .env("GUILD_HALL_INSTALLED", driven.program);
        for (name, value) in driven.variables {
            program = program.env(name, value);
        }
        let passed = passed_in(root, program, CORE, look)?;
        println!(
            "driven: {} tests of the window passed with {}",
            passed.len(),
            driven.program
        );
        Ok(())
    }

    /// Runs the test in which an AppImage updates itself to a newer version, and rolls back a
    /// version that can't start.
    pub(crate) fn replace(
        &self,
        root: &Root,
        mut versions: AppImageVersions,
        look: &mut dyn FnMut(&str),
    ) -> Result<()> {
        let binary = format!("{TESTS}/debug/deps/e2e");
        let inside = format!("{TESTS}/versions");
        let words = [&binary, "--exact", "--ignored", REPLACES];
        let shown = [(versions.folder().to_owned(), PathBuf::from(&inside))];
        let program = self
            .seeing(root, &shown, &words)?
            .env("GUILD_HALL_VERSIONS", &inside);
        versions.free_port();
        passed_in(root, program, &[REPLACES], look)?;
        println!("replaced: {versions}");
        Ok(())
    }

    /// Returns a command that runs a program in the system, with read access to the tests, their
    /// servers, and `more`.
    fn seeing(&self, root: &Root, more: &[(PathBuf, PathBuf)], words: &[&str]) -> Result<Program> {
        let below = |name: &str| PathBuf::from(TESTS).join("debug").join(name);
        let mut seen = more.to_vec();
        seen.push((self.binary.clone(), below("deps/e2e")));
        let built = self.binary.ancestors().nth(2).context("target/<profile>")?;
        for name in SERVERS {
            seen.push((built.join(name), below(name)));
        }
        // The tests use the path of the samples in the repository.
        let samples = crate::root().join("guild-members");
        seen.push((samples.clone(), samples));
        Ok(root
            .apart(&seen, words)?
            .env("GUILD_HALL_FAILURES", FAILURES.0)
            .env("RUST_BACKTRACE", "1")
            .env("RUST_TEST_THREADS", "2")
            .limit(LIMIT))
    }
}

/// Copies WebKit's driver into a system without WebKit. Other programs don't search the folder with
/// the driver's libraries.
pub(crate) fn bring_driver(root: &Root) -> Result<()> {
    let local = root.folder().join("usr/local");
    let beside = local.join("lib/webdriver");
    fs::create_dir_all(&beside).context("a folder for the driver's libraries")?;
    let driver = PathBuf::from("/usr/bin/WebKitWebDriver");
    let place = local.join("bin/WebKitWebDriver");
    fs::copy(&driver, &place).context("handing the driver in")?;
    libraries::look_from(&place, "$ORIGIN/../lib/webdriver")?;
    for library in libraries::closure(&[driver])? {
        let name = library.file_name().context("a library without a name")?;
        let place = beside.join(name);
        fs::copy(&library, &place)?;
        libraries::look_from(&place, "$ORIGIN")?;
    }
    Ok(())
}

/// Runs tests in a system. Returns the names of the passed tests. Fails if one of `wanted` did not
/// pass.
fn passed_in(
    root: &Root,
    program: Program,
    wanted: &[&str],
    look: &mut dyn FnMut(&str),
) -> Result<BTreeSet<String>> {
    let mut passed = BTreeSet::new();
    let mark = Mark::new();
    let ran = program.marked(&mark).watched(|line| {
        look(line);
        passed.extend(passed_test(line).map(str::to_owned));
    });
    let kept = keep_failures(root);
    let gone = all_is_gone(root, &mark);
    ran.context("the window's tests, with the program that is installed")?;
    kept?;
    gone?;
    // Detects a renamed test, which would not run.
    let missing = wanted.iter().find(|test| !passed.contains(**test));
    if let Some(missing) = missing {
        bail!("{missing} was not run, or did not pass");
    }
    Ok(passed)
}

/// Returns the test binary from cargo's messages.
fn executable(said: &str) -> Option<PathBuf> {
    said.lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| {
            let is_meant = message["target"]["name"] == "e2e";
            let path = message["executable"].as_str().filter(|_| is_meant)?;
            Some(path.into())
        })
}

/// Returns the test that a line of the test runner reports as passed.
fn passed_test(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix(" ... ok")
}

/// Fails if a run has left processes or mounts, and names them.
fn all_is_gone(root: &Root, mark: &Mark) -> Result<()> {
    let left = mark.wait_until_gone(GONE_LIMIT);
    ensure!(
        left.is_empty(),
        "processes outlived the tests in {}:{}",
        root.folder().display(),
        mark::listed(&left)
    );
    let left = root::users_of(root.folder());
    ensure!(left.is_empty(), "left by the tests:\n{}", left.join("\n"));
    Ok(())
}

/// Copies the pictures and logs of failed tests into cargo's target folder.
fn keep_failures(root: &Root) -> Result<()> {
    let inside = root.folder().join(FAILURES.0.trim_start_matches('/'));
    if !inside.exists() {
        return Ok(());
    }
    let outside = app::target_folder()?.join(FAILURES.1);
    fs::create_dir_all(&outside)?;
    for entry in fs::read_dir(&inside).context("reading what failed tests left")? {
        let file = entry.context("reading what failed tests left")?.path();
        let place = outside.join(file.file_name().unwrap_or_default());
        fs::copy(&file, &place)?;
        println!("kept: {}", place.display());
    }
    fs::remove_dir_all(&inside).context("emptying the folder of failures")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binary_is_the_one_of_the_windows_tests() {
        let said = r#"{"reason":"compiler-artifact","target":{"name":"e2e"},"executable":null}
not json
{"reason":"compiler-artifact","target":{"name":"fixture"},"executable":"/t/debug/fixture"}
{"reason":"compiler-artifact","target":{"name":"e2e"},"executable":"/t/debug/deps/e2e-1"}"#;
        assert_eq!(executable(said), Some("/t/debug/deps/e2e-1".into()));
    }

    #[test]
    fn only_what_passed_counts() {
        assert_eq!(passed_test("test help::a ... ok"), Some("help::a"));
        for line in ["test help::a ... FAILED", "test help::a ... ignored", "ok"] {
            assert_eq!(passed_test(line), None);
        }
    }

    #[test]
    fn packages_page_lists_tests_not_run() {
        let docs = crate::root().join("docs/packages.md");
        let docs = fs::read_to_string(docs).expect("the page on packages");
        let listed: String = docs.split_whitespace().collect::<Vec<_>>().join(" ");
        for (test, why) in super::super::LEFT_BY_APPIMAGE {
            assert!(listed.contains(test), "the page does not list {test}");
            assert!(
                listed.contains(why),
                "the page lists {test} without its reason: {why}"
            );
        }
    }
}
