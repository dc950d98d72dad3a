//! Errors of ports and processes.

use std::path::PathBuf;
use std::{fmt, io};

use crate::messages::{AfterRefusal, NotRunnable, ProcessTrouble, SearchedFolders, VariableFault};
use guild_model::messages::is_files_limit;
use guild_model::{Code, Report};

use crate::descriptors::limit;
use crate::port::PortRangeUsage;

/// Limit of the list of folders in a message, in bytes.
const FOLDERS_TEXT_MAX: usize = 2_000;

/// The reason that a port could not be leased or a process not started.
#[derive(Debug)]
pub enum ProcessError {
    /// The program was not found.
    CommandNotFound {
        /// The program's name in the manifest.
        program: String,
        /// The searched folders, in order.
        looked: Vec<PathBuf>,
    },
    /// The program exists but is not executable for this user.
    CommandNotExecutable {
        /// The program's name in the manifest.
        program: String,
        /// The path that was found.
        path: PathBuf,
        /// The reason, as the rest of a sentence.
        reason: NotRunnable,
    },
    /// The working folder is missing or not a folder.
    NoWorkingDirectory(PathBuf),
    /// A variable that can't be passed to a process.
    BadVariable {
        /// The variable's name, shortened. The value may be secret and is not shown.
        name: String,
        /// The reason, as the rest of a sentence.
        reason: VariableFault,
    },
    /// The first line of a script names a missing program.
    InterpreterMissing(PathBuf),
    /// The operating system refused to start the program.
    SpawnFailed {
        /// The program.
        program: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// All ports of the range are used.
    PortsExhausted(PortRangeUsage),
    /// The system could not create a socket for checking ports.
    PortProbe(io::Error),
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
        Report::from_error(self.code(), &self.trouble())
    }

    fn trouble(&self) -> ProcessTrouble {
        match self {
            Self::CommandNotFound { program, looked } => {
                if let Some(fields) = fields_of(program) {
                    let looked = looked_in(looked);
                    return ProcessTrouble::CommandLine(program.clone(), looked, fields);
                }
                ProcessTrouble::NotFound(program.clone(), looked_in(looked), install(program))
            }
            Self::CommandNotExecutable {
                program,
                path,
                reason,
            } => {
                let trouble = match path.is_file() {
                    true => ProcessTrouble::NotExecutable,
                    false => ProcessTrouble::NoProgram,
                };
                trouble(program.clone(), path.clone(), reason.clone())
            }
            Self::NoWorkingDirectory(folder) => ProcessTrouble::NoWorkingDirectory(folder.clone()),
            Self::BadVariable { name, reason } => {
                ProcessTrouble::BadVariable(name.clone(), reason.clone())
            }
            Self::InterpreterMissing(path) => ProcessTrouble::NoInterpreter(path.clone()),
            Self::SpawnFailed { program, source } => {
                let next = match source.kind() {
                    _ if is_files_limit(source) => raise_limit(),
                    io::ErrorKind::ArgumentListTooLong => AfterRefusal::Shorten,
                    io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => {
                        AfterRefusal::MakeRoom
                    }
                    _ => AfterRefusal::TryByHand,
                };
                ProcessTrouble::Refused(program.clone(), source.to_string(), next)
            }
            Self::PortsExhausted(census) => {
                ProcessTrouble::PortsExhausted(census.to_string(), FREE_PORTS.to_owned())
            }
            Self::PortProbe(error) => {
                let next = match is_files_limit(error) {
                    true => raise_limit(),
                    false => AfterRefusal::CloseOthers,
                };
                ProcessTrouble::PortProbe(error.to_string(), next)
            }
        }
    }
}

impl fmt::Display for ProcessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.trouble().to_string())
    }
}

impl std::error::Error for ProcessError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::SpawnFailed { source, .. } | Self::PortProbe(source) => Some(source),
            _ => None,
        }
    }
}

fn raise_limit() -> AfterRefusal {
    AfterRefusal::RaiseLimit(limit())
}

/// Advice when no port or only few ports are free.
pub const FREE_PORTS: &str = "Stop members that are not needed, or programs that use these ports.";

/// Returns the advice for a missing command.
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

/// Returns the manifest fields for a program that seems to be a whole command line: `FOO=1 npx -y
/// server`. Values of variables may be secret and are omitted.
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
        // Only a shell can split quoted words.
        fields.push("\"args\": […]".to_owned());
    } else if !args.is_empty() {
        fields.push(format!("\"args\": {args:?}"));
    }
    if !env.is_empty() {
        fields.push(format!("\"env\": {{{}}}", env.join(", ")));
    }
    Some(fields.join(", "))
}

/// Returns the product that contains a well-known launcher.
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

/// Returns the folders as a sentence of limited length.
fn looked_in(folders: &[PathBuf]) -> SearchedFolders {
    if folders.is_empty() {
        return SearchedFolders::Nowhere;
    }
    let mut text = String::new();
    for (index, folder) in folders.iter().enumerate() {
        let folder = folder.display().to_string();
        if index > 0 && text.len() + folder.len() > FOLDERS_TEXT_MAX {
            return SearchedFolders::InMore(text, folders.len() - index);
        }
        if index > 0 {
            text.push_str(", ");
        }
        text.extend(folder.chars().take(FOLDERS_TEXT_MAX));
    }
    SearchedFolders::In(text)
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
