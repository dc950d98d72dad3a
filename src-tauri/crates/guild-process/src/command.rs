//! Describes a command to run, and finds the file of its program.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use guild_model::manifest::SECRET_PREFIX;
use process_wrap::tokio::CommandWrap;

use crate::appimage;
use crate::error::ProcessError;
use crate::messages::{NotRunnable, VariableFault};

/// A command in which all variables and secrets are resolved.
#[derive(Clone, PartialEq, Eq)]
pub struct ProcessSpec {
    /// The program: a name that is searched for on the PATH, or a path relative to `cwd`.
    pub program: String,
    /// The program's arguments.
    pub args: Vec<String>,
    /// Variables in addition to this program's environment. That environment is passed on without
    /// the secrets of a team's members and the variables of an AppImage.
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
    /// Returns the PATH on which the program is searched: the command's own, or this program's.
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

/// Passes this program's environment to a child, except for two kinds of variables: the secrets of
/// a team's members, since each member may only get its own, and the variables of an AppImage. The
/// caller sets the child's own variables afterwards.
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

/// Finds the file of a program. A name with a path separator is a path relative to `cwd`. Any other
/// name is searched for on `path`.
///
/// # Errors
/// [`ProcessError::CommandNotFound`] with all searched folders, or
/// [`ProcessError::CommandNotExecutable`] if files with this name exist but none of them can be
/// run.
pub fn resolve(program: &str, cwd: &Path, path: Option<&OsStr>) -> Result<PathBuf, ProcessError> {
    let is_path = program.contains(std::path::is_separator);
    let folders = match path.filter(|path| !path.is_empty()) {
        _ if is_path => vec![cwd.to_owned()],
        // An empty or relative entry of the PATH is relative to the folder in which the process
        // runs.
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
                // An unreadable folder on the PATH need not contain the program, so the search
                // continues.
                ExecutableStatus::Unreadable | ExecutableStatus::Absent => {}
            }
        }
    }
    let looked = match cwd.join(program).parent() {
        // Removes the `.` of `./program`.
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

/// Returns the file names under which a program may exist.
#[cfg(not(windows))]
fn spellings(program: &str) -> Vec<String> {
    // An empty name would match the searched folder itself.
    Vec::from_iter((!program.is_empty()).then(|| program.to_owned()))
}

/// Returns the file names under which a program may exist: its name with each extension from
/// PATHEXT, and the name itself if it has an extension.
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
