//! The programs that servers are often started with: whether they are there, and answer.

use std::ffi::OsStr;
use std::sync::Arc;
use std::time::Duration;

use guild_core::manifest::Launch;
use guild_core::wire::{Check, Finding, Verdict};
use guild_process::brief::{Limits, NoAnswer};
use guild_process::command::resolve;
use guild_process::{CommandSpec, brief};

use super::{Knowledge, Look, More, finding, within};

/// How long a program may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(5);
/// The most of it that is read, in bytes.
const VERSION_BYTES: usize = 64 * 1024;
/// The most characters of it that are shown.
const SHOWN_MAX: usize = 100;

/// A program that is looked for.
#[derive(Debug, Clone, Copy)]
struct Program {
    name: &'static str,
    /// What makes it say its version.
    arguments: &'static [&'static str],
    /// What is to be done where it is missing.
    install: &'static str,
    /// The oldest major version that most servers run with.
    oldest: u32,
}

const fn program(name: &'static str, install: &'static str) -> Program {
    Program {
        name,
        arguments: &["--version"],
        install,
        oldest: 0,
    }
}

const NODE: &str = "Install Node.js (https://nodejs.org), which brings node and npx.";
const UV: &str = "Install uv (https://docs.astral.sh/uv), which brings uv and uvx.";
const PROGRAMS: &[Program] = &[
    Program {
        oldest: 20,
        ..program("node", NODE)
    },
    program("npx", NODE),
    program(
        if cfg!(windows) { "python" } else { "python3" },
        "Install Python (https://www.python.org).",
    ),
    program("uv", UV),
    program("uvx", UV),
    program("bun", "Install Bun (https://bun.sh)."),
    Program {
        // Asks the engine too: the program alone starts no server.
        arguments: &["version", "--format", "{{.Server.Version}}"],
        ..program(
            "docker",
            "Install Docker (https://docs.docker.com/engine/install).",
        )
    },
    Program {
        arguments: &["version", "--format", "{{.Client.Version}}"],
        ..program("podman", "Install Podman (https://podman.io).")
    },
];

pub(super) fn looks(known: &Arc<Knowledge>) -> Vec<Look> {
    PROGRAMS
        .iter()
        .map(|&program| {
            let known = Arc::clone(known);
            let look = async move { vec![look(&known, program).await] };
            within(Check::Program, program.name, look)
        })
        .collect()
}

async fn look(known: &Knowledge, program: Program) -> Finding {
    let users = users(known, program.name);
    // What nobody needs is no problem.
    let bad = if users.is_empty() {
        Verdict::Note
    } else {
        Verdict::Problem
    };
    let of = |verdict, found: String| {
        let needed = (!users.is_empty()).then(|| format!("used by {}", users.join(", ")));
        finding(Check::Program, program.name, verdict, found).with(needed)
    };
    let path = known.environment.get("PATH");
    let cwd = std::env::home_dir()
        .filter(|home| home.is_dir())
        .unwrap_or_else(|| known.paths.data_dir.clone());
    let place = {
        let (cwd, path) = (cwd.clone(), path.clone());
        tokio::task::spawn_blocking(move || {
            resolve(program.name, &cwd, path.as_deref().map(OsStr::new))
        })
    };
    let place = match place.await {
        Ok(Ok(place)) => place,
        Ok(Err(error)) => {
            // Where nobody needs it, the folders are no help.
            let path = path.as_deref().filter(|_| !users.is_empty());
            let folders = path.map(std::env::split_paths).into_iter().flatten();
            return of(bad, "It was not found on the PATH.".to_owned())
                .with(folders.map(|folder| format!("looked in {}", folder.display())))
                .advised(match error.code() {
                    guild_core::Code::CommandNotFound => program.install.to_owned(),
                    _ => error.hint(),
                });
        }
        Err(error) => {
            return of(
                Verdict::Warning,
                format!("The look was broken off: {error}."),
            );
        }
    };
    let spec = CommandSpec {
        program: place.to_string_lossy().into_owned(),
        args: program
            .arguments
            .iter()
            .map(|&one| one.to_owned())
            .collect(),
        env: known.environment.with(vec![]),
        cwd,
    };
    let limits = Limits {
        time: VERSION_LIMIT,
        bytes: VERSION_BYTES,
    };
    let place = place.display();
    match brief::ask(spec, limits, Some(&known.custody)).await {
        Ok(answer) if answer.status.is_some_and(|status| status.success()) => {
            let version = first_line(&answer.stdout);
            let old = major(&version).is_some_and(|major| major < program.oldest);
            let found = of(
                if old { Verdict::Warning } else { Verdict::Fine },
                format!("{version} at {place}"),
            );
            if old {
                let oldest = program.oldest;
                return found.advised(format!("Many servers need version {oldest} or newer."));
            }
            found
        }
        Ok(answer) => {
            let ended = match answer.status {
                Some(status) => format!("ended with {status}"),
                None => "was ended".to_owned(),
            };
            let said = first_line(&answer.stderr);
            of(
                if users.is_empty() {
                    Verdict::Note
                } else {
                    Verdict::Warning
                },
                format!("{place} is there and did not say its version: it {ended}. {said}"),
            )
            .advised(if program.name == "docker" {
                "Start Docker's engine, and see that you may use it: `docker version`.".to_owned()
            } else {
                format!(
                    "Run `{} --version` in a terminal to see what it objects to.",
                    program.name
                )
            })
        }
        Err(NoAnswer::TimeLimit(limit)) => of(
            if users.is_empty() {
                Verdict::Note
            } else {
                Verdict::Warning
            },
            format!(
                "{place} is there and did not say its version within {} s; it was ended.",
                limit.as_secs()
            ),
        )
        .advised(format!(
            "Run `{} --version` in a terminal to see what it waits for.",
            program.name
        )),
        Err(error) => of(bad, format!("{place} is there, but: {error}")).advised(program.install),
    }
}

/// The members whose command is this program.
fn users(known: &Knowledge, program: &str) -> Vec<String> {
    let users = known.snapshot.members.iter().filter(|(_, entry)| {
        let manifest = entry.manifest.as_ref();
        manifest.is_some_and(|manifest| match &manifest.launch {
            Launch::Command { command, .. } => {
                manifest.enabled
                    && std::path::Path::new(command)
                        .file_stem()
                        .is_some_and(|stem| stem == program)
            }
            Launch::Container(container) => {
                // Of two engines that will do, neither is needed.
                manifest.enabled
                    && matches!(container.engine.engines(), [engine] if engine.program() == program)
            }
            Launch::Url { .. } => false,
        })
    });
    users.map(|(name, _)| name.to_string()).collect()
}

/// The first line of what a program said, without what a terminal may take for commands.
fn first_line(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    line.unwrap_or_default()
        .chars()
        .filter(|c| !c.is_control())
        .take(SHOWN_MAX)
        .collect()
}

/// The first number of a version.
fn major(version: &str) -> Option<u32> {
    let digits = version.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    digits[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_one_line_that_no_terminal_takes_for_commands() {
        assert_eq!(first_line(b"\n  v22.1.0\x1b[0m \nmore"), "v22.1.0[0m");
        assert_eq!(first_line(&[0xff; 300]).chars().count(), SHOWN_MAX);
        assert_eq!(first_line(b""), "");
    }

    #[test]
    fn the_major_version_is_the_first_number() {
        assert_eq!(major("v18.20.4"), Some(18));
        assert_eq!(major("Python 3.12.1"), Some(3));
        assert_eq!(major("uv 0.5.1 (abc)"), Some(0));
        assert_eq!(major("no number"), None);
    }
}
