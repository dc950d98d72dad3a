//! Errors of ports and processes.

use std::io;
use std::path::{Path, PathBuf};

use guild_model::messages::is_files_limit;
use guild_model::{Code, Report};
use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

use crate::descriptors::limit;
use crate::messages::{AfterRefusal, NotRunnable, VariableFault};
use crate::port::PortRangeUsage;

/// Limit of the list of searched folders in a message, in bytes.
const FOLDERS_TEXT_MAX: usize = 2_000;

/// The reason that a port could not be leased or a process could not be started.
#[derive(Debug, Error, Diagnostic)]
#[expect(missing_docs, reason = "the messages document the variants")]
pub enum ProcessError {
    #[error("The command `{program}` was not found. {searched}", searched = searched(.looked))]
    #[diagnostic(help("{advice}", advice = not_found_advice(.program)))]
    CommandNotFound {
        program: String,
        looked: Vec<PathBuf>,
    },
    #[error("The command `{program}` can't be run: {path} {reason}.")]
    #[diagnostic(help("{advice}", advice = not_executable_advice(.path)))]
    CommandNotExecutable {
        program: String,
        path: PathBuf,
        reason: NotRunnable,
    },
    #[error("The working directory {0} does not exist or is not a folder.")]
    #[diagnostic(help(
        "Create the folder, or fix \"cwd\" in plugin.json (default: the member's folder)."
    ))]
    NoWorkingDirectory(PathBuf),
    #[error("The environment variable `{name}` can't be set: {reason}.")]
    #[diagnostic(help("Change `env` in plugin.json."))]
    BadVariable {
        /// The variable's name, shortened. Its value may be secret and is not shown.
        name: String,
        reason: VariableFault,
    },
    #[error(
        "The command {0} exists, but its interpreter or loader doesn't (see its first line, `#!`)."
    )]
    #[diagnostic(help(
        "Install the program that the file's first line names, or change that line."
    ))]
    InterpreterMissing(PathBuf),
    #[error("The operating system did not start {program}: {source}.")]
    #[diagnostic(help("{advice}", advice = refusal_advice(.source)))]
    SpawnFailed { program: PathBuf, source: io::Error },
    #[error("{0}")]
    #[diagnostic(help("{FREE_PORTS}"))]
    PortsExhausted(PortRangeUsage),
    #[error("The search for a free port failed: {0}.")]
    #[diagnostic(help("{advice}", advice = probe_advice(.0)))]
    PortProbe(#[source] io::Error),
}

impl ProcessError {
    /// Returns the error code.
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

    /// Returns the error for display.
    pub fn report(&self) -> Report {
        Report::from_error(self.code(), self)
    }
}

fn not_found_advice(program: &str) -> String {
    match fields_of(program) {
        Some(fields) => format!(
            "Put only the program into \"command\", and its arguments and variables into their own \
             fields: {fields}"
        ),
        None => install(program),
    }
}

fn not_executable_advice(path: &Path) -> String {
    match path.is_file() {
        true => format!("Make it executable: `chmod +x {}`.", path.display()),
        false => "Set \"command\" in plugin.json to the path of the program.".to_owned(),
    }
}

fn refusal_advice(error: &io::Error) -> AfterRefusal {
    match error.kind() {
        _ if is_files_limit(error) => raise_limit(),
        io::ErrorKind::ArgumentListTooLong => AfterRefusal::Shorten,
        io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => AfterRefusal::MakeRoom,
        _ => AfterRefusal::TryByHand,
    }
}

fn probe_advice(error: &io::Error) -> AfterRefusal {
    match is_files_limit(error) {
        true => raise_limit(),
        false => AfterRefusal::CloseOthers,
    }
}

fn raise_limit() -> AfterRefusal {
    AfterRefusal::RaiseLimit(limit())
}

/// Advice when no ports or only few ports are free.
pub const FREE_PORTS: &str = "Stop members that are not needed, or programs that use these ports.";

/// Returns the advice for a command that was not found.
pub fn install(command: &str) -> String {
    match comes_with(command) {
        Some(product) => format!(
            "`{command}` comes with {product}: install that, or write the full path of \
             `{command}` as the manifest's `command`."
        ),
        None => {
            "Install the program, or write its full path as the manifest's `command`.".to_owned()
        }
    }
}

/// Returns the manifest fields for a program name that seems to be a whole command line, such as
/// `FOO=1 npx -y server`. The values of variables are left out, because they may be secret.
fn fields_of(program: &str) -> Option<String> {
    let mut words = program.split_whitespace().peekable();
    let mut env = Vec::new();
    while let Some((name, _)) = words.peek().and_then(|word| word.split_once('=')) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            break;
        }
        env.push(format!("{name:?}: \"…\""));
        words.next();
    }
    let command = words.next().unwrap_or("…");
    let args: Vec<&str> = words.collect();
    // A path may contain spaces.
    let is_path = command.contains(std::path::is_separator);
    let has_options = args.iter().any(|arg| arg.starts_with('-'));
    if env.is_empty() && (args.is_empty() || is_path && !has_options) {
        return None;
    }
    let mut fields = vec![format!("\"command\": {command:?}")];
    if program.contains(['"', '\'', '\\']) {
        // Quoted words are not split here, because only a shell can do that.
        fields.push("\"args\": […]".to_owned());
    } else if !args.is_empty() {
        fields.push(format!("\"args\": {args:?}"));
    }
    if !env.is_empty() {
        fields.push(format!("\"env\": {{{}}}", env.join(", ")));
    }
    Some(fields.join(", "))
}

/// Returns the product that contains a well-known command, such as Node.js for `npx`.
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

/// Returns the searched folders as a sentence of limited length.
fn searched(folders: &[PathBuf]) -> String {
    let Some((first, rest)) = folders.split_first() else {
        return "The PATH is empty.".to_owned();
    };
    let shown = |folder: &PathBuf| folder.display().to_string();
    let mut text: String = shown(first).chars().take(FOLDERS_TEXT_MAX).collect();
    for (index, folder) in rest.iter().enumerate() {
        let folder = shown(folder);
        if text.len() + folder.len() > FOLDERS_TEXT_MAX {
            let more = grouped(rest.len() - index);
            return format!("Looked in: {text} and {more} more folders.");
        }
        text.push_str(", ");
        text.push_str(&folder);
    }
    format!("Looked in: {text}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(program: &str) -> String {
        let program = program.to_owned();
        let looked = vec![];
        ProcessError::CommandNotFound { program, looked }
            .report()
            .hint
    }

    #[test]
    fn searched_folders_are_a_short_sentence() {
        assert_eq!(searched(&[]), "The PATH is empty.");
        let folders = |count| vec![PathBuf::from("/opt/some/folder"); count];
        assert_eq!(
            searched(&folders(2)),
            "Looked in: /opt/some/folder, /opt/some/folder."
        );
        let many = searched(&folders(2_000));
        assert!(many.len() < FOLDERS_TEXT_MAX + 100, "{many}");
        assert!(many.ends_with("more folders."), "{many}");
    }

    #[test]
    fn command_line_is_told_apart_into_fields() {
        let whole = hint("npx -y some-server");
        assert!(
            whole.ends_with(r#""command": "npx", "args": ["-y", "some-server"]"#),
            "{whole}"
        );
        let assigned = hint("FOO=1 BAR_2=secret server");
        assert!(
            assigned.ends_with(r#""command": "server", "env": {"FOO": "…", "BAR_2": "…"}"#),
            "{assigned}"
        );
        assert!(hint("FOO=1").contains(r#""env": {"FOO": "…"}"#));
        assert!(hint(r#"sh -c "a b""#).contains(r#""args": […]"#));
        assert!(hint("/opt/x/server --port 1").contains(r#""args": ["--port", "1"]"#));
        for program in ["no-such-program", "/opt/My Server/bin/run", "a=b/c"] {
            assert!(!hint(program).contains("\"args\""), "{program}");
        }
    }
}
