//! Checks the programs with which servers are often started: whether they exist and print their
//! version.

use std::ffi::OsStr;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use guild_api::wire::{Check, FactKind, Finding, Verdict};
use guild_model::Code;
use guild_model::manifest::Launch;
use guild_process::command::resolve;
use guild_process::short_command::{CommandLimits, NoAnswer};
use guild_process::{ProcessSpec, short_command};

use super::{DoctorCheck, DoctorInput, broken_off, within};

/// Timeout for printing a version.
const VERSION_LIMIT: Duration = Duration::from_secs(5);
/// Maximum size of the output that is read, in bytes.
const VERSION_BYTES: usize = 64 * 1024;
/// Maximum length of the output that is shown, in characters.
const SHOWN_MAX: usize = 100;

#[derive(Debug, Clone, Copy)]
struct DoctorProgram {
    name: &'static str,
    /// Arguments that make the program print its version.
    arguments: &'static [&'static str],
    /// The name and the web address of the product that contains the program.
    product: &'static str,
    /// The oldest major version that most servers support.
    oldest: u32,
}

const fn program(name: &'static str, product: &'static str) -> DoctorProgram {
    DoctorProgram {
        name,
        arguments: &["--version"],
        product,
        oldest: 0,
    }
}

const NODE: &str = "Node.js (https://nodejs.org), which brings node and npx";
const UV: &str = "uv (https://docs.astral.sh/uv), which brings uv and uvx";
/// Docker, which runs containers.
pub(super) const DOCKER: &str = "Docker (https://docs.docker.com/engine/install)";
/// Podman, which runs containers without a daemon.
pub(super) const PODMAN: &str = "Podman (https://podman.io)";
const PROGRAMS: &[DoctorProgram] = &[
    DoctorProgram {
        oldest: 20,
        ..program("node", NODE)
    },
    program("npx", NODE),
    program(
        if cfg!(windows) { "python" } else { "python3" },
        "Python (https://www.python.org)",
    ),
    program("uv", UV),
    program("uvx", UV),
    program("bun", "Bun (https://bun.sh)"),
    DoctorProgram {
        // The version of the engine's daemon is requested, because the client can't run a server
        // without the daemon.
        arguments: &["version", "--format", "{{.Server.Version}}"],
        ..program("docker", DOCKER)
    },
    DoctorProgram {
        arguments: &["version", "--format", "{{.Client.Version}}"],
        ..program("podman", PODMAN)
    },
];

pub(super) fn checks(known: &Arc<DoctorInput>) -> Vec<DoctorCheck> {
    PROGRAMS
        .iter()
        .map(|&program| {
            let known = Arc::clone(known);
            let findings = async move { vec![run(&known, program).await] };
            within(Check::Program, program.name, findings)
        })
        .collect()
}

async fn run(known: &DoctorInput, program: DoctorProgram) -> Finding {
    let name = program.name;
    let users = users(known, name);
    // A missing program is a problem only if a member uses it.
    let (bad, odd) = if users.is_empty() {
        (Verdict::Note, Verdict::Note)
    } else {
        (Verdict::Problem, Verdict::Warning)
    };
    let of = |verdict, kind, found: String| {
        let needed = (!users.is_empty()).then(|| format!("used by {}", users.join(", ")));
        Finding::new(Check::Program, name, verdict, kind, found).with(needed)
    };
    let install = format!("Install {}.", program.product);
    let path = known.environment.get("PATH");
    let cwd = std::env::home_dir()
        .filter(|home| home.is_dir())
        .unwrap_or_else(|| known.paths.data_dir.clone());
    let place = {
        let (cwd, path) = (cwd.clone(), path.clone());
        tokio::task::spawn_blocking(move || resolve(name, &cwd, path.as_deref().map(OsStr::new)))
    };
    let place = match place.await {
        Ok(Ok(place)) => place,
        Ok(Err(error)) => {
            // The searched folders are listed only if a member uses the program.
            let path = path.as_deref().filter(|_| !users.is_empty());
            let folders = path.map(std::env::split_paths).into_iter().flatten();
            let searched = folders.map(|folder| format!("looked in {}", folder.display()));
            let found = "It was not found on the PATH.".to_owned();
            return of(bad, FactKind::ProgramMissing, found)
                .with(searched)
                .advised(match error.code() {
                    Code::CommandNotFound => install,
                    _ => error.report().hint,
                });
        }
        Err(error) => return of(Verdict::Warning, FactKind::BrokenOff, broken_off(&error)),
    };
    let spec = ProcessSpec {
        program: place.to_string_lossy().into_owned(),
        args: program
            .arguments
            .iter()
            .map(|&one| one.to_owned())
            .collect(),
        env: known.environment.with(vec![]),
        cwd,
    };
    let limits = CommandLimits {
        time: VERSION_LIMIT,
        bytes: VERSION_BYTES,
    };
    let place = place.display();
    match short_command::run(spec, limits, Some(&known.custody)).await {
        Ok(answer) if answer.status.is_some_and(|status| status.success()) => {
            let version = first_line(&answer.stdout);
            let oldest = program.oldest;
            let is_old = major(&version).is_some_and(|major| major < oldest);
            let found = format!("{version} at {place}");
            match is_old {
                true => of(Verdict::Warning, FactKind::ProgramAnswered, found)
                    .advised(format!("Many servers need version {oldest} or newer.")),
                false => of(Verdict::Fine, FactKind::ProgramAnswered, found),
            }
        }
        Ok(answer) => {
            let found = failed(
                &place.to_string(),
                answer.status,
                &first_line(&answer.stderr),
            );
            of(odd, FactKind::ProgramFailed, found).advised(match name {
                "docker" => "Start Docker's engine, and see that you may use it: `docker version`."
                    .to_owned(),
                _ => format!("Run `{name} --version` in a terminal to see the error."),
            })
        }
        Err(NoAnswer::TimeLimit(limit)) => {
            let seconds = limit.as_secs();
            let found =
                format!("{place} did not return its version within {seconds} s and was stopped.");
            of(odd, FactKind::ProgramSilent, found).advised(format!(
                "Run `{name} --version` in a terminal to see what it waits for."
            ))
        }
        Err(error) => {
            let found = format!("{place} exists, but: {error}");
            of(bad, FactKind::ProgramUnusable, found).advised(install)
        }
    }
}

/// Returns the finding for a program that ended with an error, with the first line of its stderr.
fn failed(place: &str, status: Option<ExitStatus>, said: &str) -> String {
    #[cfg(unix)]
    let signal = status.and_then(|status| std::os::unix::process::ExitStatusExt::signal(&status));
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    let ended = match (signal, status) {
        (Some(signal), _) => format!("ended by signal {signal}"),
        (None, Some(status)) => format!("ended with code {}", status.code().unwrap_or_default()),
        (None, None) => "was ended".to_owned(),
    };
    let failed = format!("{place} did not return its version: it {ended}. {said}");
    failed.trim_end().to_owned()
}

/// Returns the enabled members whose command is this program.
fn users(known: &DoctorInput, program: &str) -> Vec<String> {
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
                // If a member can use either of two engines, neither of them is required.
                manifest.enabled
                    && matches!(container.engine.engines(), [engine] if engine.program() == program)
            }
            Launch::Url { .. } => false,
        })
    });
    users.map(|(name, _)| name.to_string()).collect()
}

/// Returns the first line of a program's output, without control characters.
fn first_line(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    line.unwrap_or_default()
        .chars()
        .filter(|c| !c.is_control())
        .take(SHOWN_MAX)
        .collect()
}

/// Returns the first number of a version.
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

    #[cfg(unix)]
    #[test]
    fn failed_program_names_its_end() {
        use std::os::unix::process::ExitStatusExt;
        let begin = "/bin/docker did not return its version: it";
        for (status, said, end) in [
            (Some(256), "no daemon", "ended with code 1. no daemon"),
            (Some(11), "", "ended by signal 11."),
            (None, "", "was ended."),
        ] {
            let status = status.map(ExitStatus::from_raw);
            assert_eq!(
                failed("/bin/docker", status, said),
                format!("{begin} {end}")
            );
        }
    }

    #[test]
    fn the_major_version_is_the_first_number() {
        assert_eq!(major("v18.20.4"), Some(18));
        assert_eq!(major("Python 3.12.1"), Some(3));
        assert_eq!(major("uv 0.5.1 (abc)"), Some(0));
        assert_eq!(major("no number"), None);
    }
}
