//! Determines the environment variables of the user's login shell.
//!
//! A program started by a double click has the variables of the desktop session. It lacks those
//! from `.zshrc` or `.profile`, for example a PATH with npx and uvx. So the login shell is queried
//! once, in the background, when a value is first needed. It is not queried earlier, because its
//! startup files may start dozens of programs that slow down the opening window. As editors do,
//! this module starts an interactive login shell that runs this program's own binary. The binary
//! prints its variables between two unpredictable markers, so other output of the startup files
//! does not matter.
//!
//! The shell is queried only if that can be useful. For example, it is not queried after a start
//! from a terminal, whose shell has already read these files ([`Skipped`] lists all reasons). This
//! program's own environment is never changed. Each child gets the variables that differ at its
//! start.
//!
//! Windows does not need the query, because programs always have the user's variables there.

mod differing;
mod printed;
mod shell;

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

use crate::appimage;
use crate::command::ProcessSpec;
use crate::process_registry::ProcessRegistry;
use crate::short_command::{self, CommandLimits, NoAnswer};

pub use printed::print_from_args;

/// Timeout of the query.
pub const TIME_LIMIT: Duration = Duration::from_secs(5);
/// Limit of a shell's output, including that of startup files, in bytes.
const BYTES_MAX: usize = 8 * 1024 * 1024;
/// The variable that enables the query: `on` or `off`.
const SETTING: &str = "GUILD_HALL_LOGIN_SHELL";
/// The environment variable that is set for the queried shell and its startup files. If a startup
/// file starts this program, the variable prevents another query.
const ASKING: &str = "GUILD_HALL_ASKS_LOGIN_SHELL";

/// Options of the query.
#[derive(Debug, Clone)]
pub struct ShellQueryOptions {
    /// The program that prints its variables when it is started with the arguments of
    /// [`print_from_args`]: this program's own binary.
    pub printer: String,
    /// The shell to query. `None` queries the user's login shell.
    pub shell: Option<PathBuf>,
    /// The timeout of the query.
    pub limit: Duration,
    /// Ends the shell if this program is killed.
    pub registry: Option<ProcessRegistry>,
}

impl ShellQueryOptions {
    /// Returns options for the user's login shell, with the default timeout and without a registry.
    pub fn by(printer: impl Into<String>) -> Self {
        Self {
            printer: printer.into(),
            shell: None,
            limit: TIME_LIMIT,
            registry: None,
        }
    }
}

/// The reason that the shell was not queried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skipped {
    /// No caller needed the variables.
    NotWanted,
    /// The system is Windows, where programs always have the user's variables.
    Windows,
    /// The program was started from a terminal, whose shell already has these variables.
    Terminal,
    /// The user disabled the query.
    SwitchedOff,
    /// The queried shell itself started this program.
    InsideShell,
    /// The user has no shell, or a shell that does not allow a login.
    NoShell,
}

/// The outcome of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShellQueryOutcome {
    /// The shell was not queried.
    Skipped(Skipped),
    /// The shell printed its variables.
    Read,
    /// The query failed. Members get this program's variables.
    Failed(String),
}

/// The result of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellVariables {
    /// The outcome.
    pub outcome: ShellQueryOutcome,
    /// The queried shell.
    pub shell: Option<PathBuf>,
    /// The duration of the query.
    pub took: Duration,
    /// The shell's variables that differ from this program's, by name. Values may be secret.
    pub differing: BTreeMap<String, String>,
}

impl ShellVariables {
    /// Returns a result without variables of the shell, for callers that don't wait for the shell.
    pub fn unasked() -> Self {
        Self::skipped(Skipped::NotWanted)
    }

    fn skipped(why: Skipped) -> Self {
        Self {
            outcome: ShellQueryOutcome::Skipped(why),
            shell: None,
            took: Duration::ZERO,
            differing: BTreeMap::new(),
        }
    }

    /// Returns the value of a variable for a child: the shell's value, or else the value that this
    /// program has outside the AppImage.
    pub fn get(&self, name: &str) -> Option<String> {
        let differs = self.differing.get(name).cloned();
        differs.or_else(|| appimage::users(name))
    }

    /// Returns the variables for a child: the shell's, and those in `own`, which the manifest sets.
    /// The manifest takes precedence.
    pub fn with(&self, own: Vec<(String, String)>) -> Vec<(String, String)> {
        let differing = self.differing.clone().into_iter();
        differing.chain(own).collect()
    }
}

/// The login shell's variables, once they are known. Clones share them. Dropping the last clone
/// ends a running query.
#[derive(Debug, Clone)]
pub struct Environment {
    found: watch::Receiver<Option<Arc<ShellVariables>>>,
    wanted: Arc<Notify>,
    _asking: Arc<JoinSet<()>>,
}

impl Default for Environment {
    /// Returns an environment without variables of the shell. No query is made.
    fn default() -> Self {
        Self::known(ShellVariables::unasked())
    }
}

impl Environment {
    fn known(found: ShellVariables) -> Self {
        // The receiver still returns the value after its sender was dropped.
        let (_, receiver) = watch::channel(Some(Arc::new(found)));
        Self {
            found: receiver,
            wanted: Arc::default(),
            _asking: Arc::default(),
        }
    }

    /// Prepares a query of the user's login shell, which starts at [`Environment::begin`], unless
    /// there is a reason to skip it. Must be called within a tokio runtime.
    pub fn of_user(asking: ShellQueryOptions) -> Self {
        match reason_to_skip() {
            Some(why) => Self::known(ShellVariables::skipped(why)),
            None => Self::to_be_asked(asking),
        }
    }

    /// Starts a query of a login shell, even if there is a reason to skip it. Returns at once. Must
    /// be called within a tokio runtime.
    pub fn ask(asking: ShellQueryOptions) -> Self {
        let environment = Self::to_be_asked(asking);
        environment.begin();
        environment
    }

    fn to_be_asked(asking: ShellQueryOptions) -> Self {
        let (sender, found) = watch::channel(None);
        let wanted = Arc::new(Notify::new());
        let mut tasks = JoinSet::new();
        let begun = Arc::clone(&wanted);
        tasks.spawn(async move {
            begun.notified().await;
            sender.send_replace(Some(Arc::new(find(asking).await)));
        });
        Self {
            found,
            wanted,
            _asking: Arc::new(tasks),
        }
    }

    /// Starts the query, if it has not started yet.
    pub fn begin(&self) {
        self.wanted.notify_one();
    }

    /// Returns the result, if it is known already.
    pub fn now(&self) -> Option<Arc<ShellVariables>> {
        self.found.borrow().clone()
    }

    /// Starts the query and waits for its result.
    pub async fn settled(&self) -> Arc<ShellVariables> {
        self.begin();
        let mut found = self.found.clone();
        let known = found.wait_for(Option::is_some).await;
        match known.ok().and_then(|known| known.clone()) {
            Some(found) => found,
            // The runtime is shutting down and has dropped the task.
            None => Arc::new(ShellVariables::unasked()),
        }
    }
}

fn reason_to_skip() -> Option<Skipped> {
    if cfg!(windows) {
        return Some(Skipped::Windows);
    }
    if std::env::var_os(ASKING).is_some() {
        return Some(Skipped::InsideShell);
    }
    match std::env::var(SETTING).as_deref() {
        Ok("off") => return Some(Skipped::SwitchedOff),
        Ok("on") => return None,
        _ => {}
    }
    let terminal = std::io::stdin().is_terminal()
        || std::io::stdout().is_terminal()
        || std::io::stderr().is_terminal();
    terminal.then_some(Skipped::Terminal)
}

async fn find(asking: ShellQueryOptions) -> ShellVariables {
    // The lookup in the user database may block, because the database may be on the network.
    let shell = match &asking.shell {
        Some(shell) => Some(shell.clone()),
        None => tokio::task::spawn_blocking(shell::of_user)
            .await
            .unwrap_or_default(),
    };
    let Some(shell) = shell else {
        return ShellVariables::skipped(Skipped::NoShell);
    };
    let started = tokio::time::Instant::now();
    let (outcome, differing) = match variables(&shell, &asking).await {
        Ok(variables) => (ShellQueryOutcome::Read, differing::from_ours(variables)),
        Err(problem) => (ShellQueryOutcome::Failed(problem), BTreeMap::new()),
    };
    let took = started.elapsed();
    tracing::info!(
        shell = %shell.display(),
        took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        differing = differing.len(),
        ?outcome,
        "read the variables of the login shell"
    );
    ShellVariables {
        outcome,
        shell: Some(shell),
        took,
        differing,
    }
}

/// Returns the variables of a shell. The error is the reason that they are unknown, as a sentence.
async fn variables(
    shell: &std::path::Path,
    asking: &ShellQueryOptions,
) -> Result<BTreeMap<String, String>, String> {
    let mark = printed::mark()?;
    let spec = ProcessSpec {
        program: shell.to_string_lossy().into_owned(),
        args: shell::arguments(shell, &asking.printer, &mark),
        env: vec![(ASKING.to_owned(), "1".to_owned())],
        cwd: std::env::home_dir()
            .filter(|home| home.is_dir())
            .unwrap_or_else(|| PathBuf::from("/")),
    };
    let limits = CommandLimits {
        time: asking.limit,
        bytes: BYTES_MAX,
    };
    let ends = printed::end_of(&mark);
    // A background process from a startup file may hold stdout open, so reading stops at the end
    // marker. Only the last 32 KiB are searched for the marker, which is more than one read adds.
    let is_whole = |output: &[u8]| printed::ends_with_answer(output, &ends);
    let answer = short_command::run_until(spec, limits, asking.registry.as_ref(), is_whole)
        .await
        .map_err(|error| match error {
            NoAnswer::TimeLimit(limit) => format!(
                "The shell did not answer within {} s; it was ended.",
                limit.as_secs_f32()
            ),
            other => other.to_string(),
        })?;
    printed::read(&answer.stdout, &mark).map_err(|problem| {
        let ended = answer
            .status
            .map(|status| format!(" The shell ended with {status}."))
            .unwrap_or_default();
        format!("{problem}{ended}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn login_shell_runs_once_on_first_need() {
        let environment = Environment::to_be_asked(ShellQueryOptions {
            shell: Some(PathBuf::from("/no/such/shell")),
            ..ShellQueryOptions::by("guildhall")
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(environment.now().map(|found| found.took), None);
        environment.begin();
        let found = environment.settled().await;
        assert!(
            matches!(found.outcome, ShellQueryOutcome::Failed(_)),
            "{found:?}"
        );
        assert_eq!(environment.now(), Some(found), "it is asked once");
    }
}
