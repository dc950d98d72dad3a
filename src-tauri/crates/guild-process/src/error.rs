//! What can go wrong between Guild Hall and the operating system.

use std::io;
use std::path::PathBuf;

use guild_core::Code;
use guild_core::doctor::Advice;
use guild_core::language::Language;

use crate::port::Census;

/// The most text that a list of folders takes in a message.
const FOLDERS_TEXT_MAX: usize = 2_000;

/// Why a port could not be lent or a process not be started.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// The program is in none of the folders where it may be.
    #[error("The command `{program}` was not found. {}", looked_in(.looked))]
    CommandNotFound {
        /// The program as the manifest names it.
        program: String,
        /// Every folder that was looked in, in order.
        looked: Vec<PathBuf>,
    },
    /// The program is there, and is no program that this user may run.
    #[error("The command `{program}` can't be run: {} {reason}.", .path.display())]
    CommandNotExecutable {
        /// The program as the manifest names it.
        program: String,
        /// What was found.
        path: PathBuf,
        /// Why that can't be run, as the rest of a sentence.
        reason: &'static str,
    },
    /// The folder that the process should work in is missing or no folder.
    #[error("The working directory {} is not there or is no folder.", .0.display())]
    NoWorkingDirectory(PathBuf),
    /// A variable that no process can be given.
    #[error("The environment variable `{name}` can't be set: {reason}.")]
    BadVariable {
        /// Its name, shortened; the value may be secret and is not shown.
        name: String,
        /// Why, as the rest of a sentence.
        reason: &'static str,
    },
    /// The first line of a script names a program that is not there.
    #[error(
        "The command {} is there, but the program that should run it is not: its first line \
         (`#!`) or its loader names a file that does not exist.",
        .0.display()
    )]
    InterpreterMissing(PathBuf),
    /// The operating system refused.
    #[error("The operating system did not start {}: {source}.", .program.display())]
    SpawnFailed {
        /// What was to be started.
        program: PathBuf,
        /// The system's own words.
        source: io::Error,
    },
    /// Each port of the range is taken.
    #[error("{0}")]
    PortsExhausted(Census),
    /// The system gave no socket to look for a free port with.
    #[error("No free port could be looked for: {0}.")]
    PortProbe(#[source] io::Error),
}

impl ProcessError {
    /// The stable name of the cause.
    pub fn code(&self) -> Code {
        match self {
            Self::CommandNotFound { .. } => Code::CommandNotFound,
            Self::CommandNotExecutable { .. } => Code::CommandNotExecutable,
            Self::NoWorkingDirectory(_)
            | Self::BadVariable { .. }
            | Self::InterpreterMissing(_)
            | Self::SpawnFailed { .. }
            | Self::PortProbe(_) => Code::SpawnFailed,
            Self::PortsExhausted(_) => Code::PortsExhausted,
        }
    }

    /// What the user can do next.
    pub fn hint(&self) -> String {
        let hint = match self {
            Self::CommandNotFound { program, .. } => {
                return install(program).told(Language::En);
            }
            Self::CommandNotExecutable { path, .. } if path.is_file() => {
                return format!("Make it executable: `chmod +x {}`.", path.display());
            }
            Self::CommandNotExecutable { .. } => {
                "Write the path of the program itself as the manifest's `command`."
            }
            Self::NoWorkingDirectory(_) => "Restore the member's folder, or remove the member.",
            Self::BadVariable { .. } => "Change the manifest's `env`.",
            Self::InterpreterMissing(_) => {
                "Install the program that the file's first line names, or change that line."
            }
            Self::SpawnFailed { source, .. } => match source.kind() {
                io::ErrorKind::ArgumentListTooLong => "Shorten the manifest's `args` or `env`.",
                io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => {
                    "The system has no room for another process: close programs and try again."
                }
                _ => "Run the command in a terminal to see what the system objects to.",
            },
            Self::PortsExhausted(_) => return Advice::FreePorts.told(Language::En),
            Self::PortProbe(_) => {
                "The system has no room for another connection: close programs and try again."
            }
        };
        hint.to_owned()
    }
}

/// What to do about a command that is nowhere.
pub fn install(command: &str) -> Advice {
    Advice::InstallCommand {
        command: command.to_owned(),
        product: comes_with(command),
    }
}

/// The product that brings a well-known launcher.
fn comes_with(program: &str) -> Option<&'static str> {
    match program {
        "node" | "npm" | "npx" => Some("Node.js"),
        "uv" | "uvx" => Some("uv"),
        "bun" | "bunx" => Some("Bun"),
        "deno" => Some("Deno"),
        "docker" => Some("Docker"),
        "podman" => Some("Podman"),
        "python" | "python3" | "pip" | "pipx" => Some("Python"),
        _ => None,
    }
}

/// The folders as a sentence, bounded.
fn looked_in(folders: &[PathBuf]) -> String {
    if folders.is_empty() {
        return "The PATH is empty, so there was nowhere to look.".to_owned();
    }
    let mut text = String::from("Looked in: ");
    for (index, folder) in folders.iter().enumerate() {
        let folder = folder.display().to_string();
        if index > 0 && text.len() + folder.len() > FOLDERS_TEXT_MAX {
            let more = folders.len() - index;
            text.push_str(&format!(" and {more} more folders"));
            break;
        }
        if index > 0 {
            text.push_str(", ");
        }
        text.extend(folder.chars().take(FOLDERS_TEXT_MAX));
    }
    text.push('.');
    text
}
