//! Describes a command to run, and finds its program.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use guild_model::manifest::SECRET_PREFIX;
use process_wrap::tokio::CommandWrap;

use crate::appimage;
use crate::error::ProcessError;
use crate::messages::{NotRunnable, VariableFault};

/// A fully resolved command.
#[derive(Clone, PartialEq, Eq)]
pub struct ProcessSpec {
    /// The program: a name that is searched on the PATH, or a path relative to `cwd`.
    pub program: String,
    /// The program's arguments.
    pub args: Vec<String>,
    /// Variables in addition to this program's environment, which is passed without the secrets of
    /// a team's members.
    pub env: Vec<(String, String)>,
    /// The working folder (REQ-MCP-HTTP-11).
    pub cwd: PathBuf,
}

/// Does not print variables and arguments, since their values may be secret.
impl std::fmt::Debug for ProcessSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProcessSpec")
            .field("program", &self.program)
            .field("cwd", &self.cwd)
            .finish_non_exhaustive()
    }
}

impl ProcessSpec {
    /// Returns the PATH for the search: the command's own, or this program's.
    pub(crate) fn search_path(&self) -> Option<OsString> {
        let own = self.env.iter().rev().find(|(name, _)| is_path(name));
        match own {
            Some((_, path)) => Some(path.into()),
            None => std::env::var_os("PATH"),
        }
    }

    /// Returns the command that starts `program`, with piped output.
    pub(crate) fn to_command(&self, program: &Path, stdin: Stdio) -> CommandWrap {
        CommandWrap::with_new(program, |command| {
            pass_environment(command.as_std_mut());
            command
                .args(&self.args)
                .envs(self.env.iter().map(|(name, value)| (name, value)))
                .current_dir(&self.cwd)
                .stdin(stdin)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
        })
    }

    /// Rejects variables that the system can't pass on.
    pub(crate) fn check_env(&self) -> Result<(), ProcessError> {
        for (name, value) in &self.env {
            let reason = if name.is_empty() {
                VariableFault::NoName
            } else if name.contains(['=', '\0']) {
                VariableFault::BadName
            } else if value.contains('\0') {
                VariableFault::Zero
            } else {
                continue;
            };
            return Err(ProcessError::BadVariable {
                name: name.chars().take(64).collect(),
                reason,
            });
        }
        Ok(())
    }
}

/// Passes suitable variables of this program to a child. The secrets of a team's members are
/// withheld, since each member may only get its own. So are the variables of the AppImage. The
/// child's own variables are set afterwards.
pub(crate) fn pass_environment(command: &mut Command) {
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_withheld(name)) {
        command.env_remove(name);
    }
    appimage::leave(command);
}

/// Whether this program's environment has variables that must not reach other programs: secrets, or
/// those of an AppImage.
pub fn withholds_variables() -> bool {
    appimage::AppImage::of_this_program().is_some()
        || std::env::vars_os().any(|(name, _)| is_withheld(&name))
}

fn is_withheld(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(SECRET_PREFIX.as_bytes())
}

fn is_path(name: &str) -> bool {
    if cfg!(windows) {
        name.eq_ignore_ascii_case("PATH")
    } else {
        name == "PATH"
    }
}

/// Finds a program. A name with a separator is a path relative to `cwd`. Other names are searched
/// on `path`.
///
/// # Errors
/// [`ProcessError::CommandNotFound`] with all searched folders, or
/// [`ProcessError::CommandNotExecutable`] when all matches can't be run.
pub fn resolve(program: &str, cwd: &Path, path: Option<&OsStr>) -> Result<PathBuf, ProcessError> {
    let is_path = program.contains(std::path::is_separator);
    let folders = match path.filter(|path| !path.is_empty()) {
        _ if is_path => vec![cwd.to_owned()],
        // An empty or relative entry is resolved against the process's working folder.
        Some(path) => std::env::split_paths(path)
            .map(|folder| cwd.join(folder))
            .collect(),
        None => Vec::new(),
    };
    let mut refused = None;
    for folder in &folders {
        for file in spellings(program) {
            let candidate = folder.join(&file);
            match judge(&candidate) {
                ExecutableStatus::Program => {
                    return std::path::absolute(&candidate).or(Ok(candidate));
                }
                ExecutableStatus::Refused(reason) => {
                    refused.get_or_insert((candidate, reason));
                }
                ExecutableStatus::Unreadable if is_path => {
                    refused.get_or_insert((candidate, NotRunnable::Hidden));
                }
                // The program may not exist in an unreadable folder on the PATH.
                ExecutableStatus::Unreadable | ExecutableStatus::Absent => {}
            }
        }
    }
    let looked = match cwd.join(program).parent() {
        // Drops the `.` of `./program`.
        Some(folder) if is_path => vec![folder.components().collect()],
        _ => folders,
    };
    let program: String = program.chars().take(256).collect();
    Err(match refused {
        Some((path, reason)) => ProcessError::CommandNotExecutable {
            program,
            path,
            reason,
        },
        None => ProcessError::CommandNotFound { program, looked },
    })
}

enum ExecutableStatus {
    Program,
    Refused(NotRunnable),
    Unreadable,
    Absent,
}

fn judge(candidate: &Path) -> ExecutableStatus {
    match std::fs::metadata(candidate) {
        Ok(found) if found.is_dir() => ExecutableStatus::Refused(NotRunnable::Folder),
        Ok(found) if !found.is_file() => ExecutableStatus::Refused(NotRunnable::Irregular),
        Ok(_) if may_execute(candidate) => ExecutableStatus::Program,
        Ok(_) => ExecutableStatus::Refused(NotRunnable::NotMarked),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            ExecutableStatus::Unreadable
        }
        Err(_) => ExecutableStatus::Absent,
    }
}

#[cfg(unix)]
fn may_execute(candidate: &Path) -> bool {
    rustix::fs::access(candidate, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(not(unix))]
fn may_execute(_candidate: &Path) -> bool {
    true
}

/// Returns the file names that match a program's name.
#[cfg(not(windows))]
fn spellings(program: &str) -> Vec<String> {
    // An empty name would match the folder itself.
    Vec::from_iter((!program.is_empty()).then(|| program.to_owned()))
}

/// Returns the file names that match a program's name: with each extension from PATHEXT, and
/// unchanged if it has an extension.
#[cfg(windows)]
fn spellings(program: &str) -> Vec<String> {
    if program.is_empty() {
        return Vec::new();
    }
    let endings = std::env::var("PATHEXT").unwrap_or_else(|_| ".COM;.EXE;.BAT;.CMD".to_owned());
    let as_it_is = Path::new(program).extension().map(|_| program.to_owned());
    let ended = endings
        .split(';')
        .filter(|ending| ending.starts_with('.'))
        .map(|ending| format!("{program}{ending}"));
    as_it_is.into_iter().chain(ended).collect()
}

#[cfg(all(test, unix))]
mod tests;
