//! The variables that the user's login shell would have.
//!
//! A program that was started by a double click has the session's variables and not what the
//! user's `.zshrc` or `.profile` adds, the PATH to npx and uvx above all. So the login shell is
//! asked, once, in the background, as soon as anybody needs to know: its start-up files may start
//! dozens of programs, which would take the processors from a window that is being drawn. It is asked
//! in the same way as editors do it: as an interactive login shell
//! that runs one command, this program's own binary, which prints its variables between two
//! markers that nobody can guess. Whatever start-up files print before, after, or on stderr does
//! not matter.
//!
//! The shell is asked only where that can tell something new: not when this program was started
//! from a terminal, whose shell has read these files already ([`Skipped`] has every reason). Our own
//! environment is never changed: what differs is handed to each child at its start.
//!
//! Deliberately absent: Windows, where a program has the user's variables however it is started.

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
use crate::brief::{self, Limits, NoAnswer};
use crate::command::CommandSpec;
use crate::custody::Custody;

pub use printed::print_from_args;

/// How long the shell may take.
pub const TIME_LIMIT: Duration = Duration::from_secs(5);
/// The most that a shell may print, noise included, in bytes.
const BYTES_MAX: usize = 8 * 1024 * 1024;
/// The setting that says whether the shell is asked: `on` or `off`.
const SETTING: &str = "GUILD_HALL_LOGIN_SHELL";
/// Set for the shell that is asked, so that its start-up files can tell, and that a start-up file
/// which starts this program starts no round without end.
const ASKING: &str = "GUILD_HALL_ASKS_LOGIN_SHELL";

/// How the shell is asked.
#[derive(Debug, Clone)]
pub struct Asking {
    /// The program that prints its own variables when it is started with [`print_from_args`]'s
    /// arguments: our own binary.
    pub printer: String,
    /// The shell, instead of the user's.
    pub shell: Option<PathBuf>,
    /// How long it may take.
    pub limit: Duration,
    /// Who sees to it that the shell ends also when this program is killed.
    pub custody: Option<Custody>,
}

impl Asking {
    /// Asks the user's shell, by this program's binary.
    pub fn by(printer: impl Into<String>) -> Self {
        Self {
            printer: printer.into(),
            shell: None,
            limit: TIME_LIMIT,
            custody: None,
        }
    }
}

/// Why the shell was not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skipped {
    /// Nobody wanted to know.
    NotWanted,
    /// Programs have the user's variables however they are started.
    Windows,
    /// It was started from a terminal, whose shell has these variables already.
    Terminal,
    /// The user has switched it off.
    SwitchedOff,
    /// The shell that is being asked started this program.
    InsideShell,
    /// The user has no shell, or one that lets nobody in.
    NoShell,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The shell was not asked.
    Skipped(Skipped),
    /// The shell answered.
    Read,
    /// It did not, or not so that it could be understood; members have our own variables.
    Failed(String),
}

/// What is known of the login shell's variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellVariables {
    /// What came of it.
    pub outcome: Outcome,
    /// The shell that was asked.
    pub shell: Option<PathBuf>,
    /// How long it took.
    pub took: Duration,
    /// The variables that differ from ours, by name; values may be secret.
    pub differing: BTreeMap<String, String>,
}

impl ShellVariables {
    /// Our own variables alone, for whoever does not wait for the shell.
    pub fn unasked() -> Self {
        Self::skipped(Skipped::NotWanted)
    }

    fn skipped(why: Skipped) -> Self {
        Self {
            outcome: Outcome::Skipped(why),
            shell: None,
            took: Duration::ZERO,
            differing: BTreeMap::new(),
        }
    }

    /// The value that a child is given for a name: the shell's, or else ours, outside of an AppImage.
    pub fn get(&self, name: &str) -> Option<String> {
        let differs = self.differing.get(name).cloned();
        differs.or_else(|| appimage::users(name))
    }

    /// What is to be set for a child whose manifest sets `own`: what differs comes first, so that
    /// the manifest has the last word.
    pub fn with(&self, own: Vec<(String, String)>) -> Vec<(String, String)> {
        let differing = self.differing.clone().into_iter();
        differing.chain(own).collect()
    }
}

/// The login shell's variables, as soon as they are known. Clones share them; the shell is ended
/// with the last clone.
#[derive(Debug, Clone)]
pub struct Environment {
    found: watch::Receiver<Option<Arc<ShellVariables>>>,
    wanted: Arc<Notify>,
    _asking: Arc<JoinSet<()>>,
}

impl Default for Environment {
    /// Our own variables, and no shell is asked.
    fn default() -> Self {
        Self::known(ShellVariables::unasked())
    }
}

impl Environment {
    fn known(found: ShellVariables) -> Self {
        // The value outlives its sender.
        let (_, receiver) = watch::channel(Some(Arc::new(found)));
        Self {
            found: receiver,
            wanted: Arc::default(),
            _asking: Arc::default(),
        }
    }

    /// The user's login shell's, which is asked at [`Environment::begin`], unless there is a reason
    /// not to. Must be called within a tokio runtime.
    pub fn of_user(asking: Asking) -> Self {
        match reason_to_skip() {
            Some(why) => Self::known(ShellVariables::skipped(why)),
            None => Self::to_be_asked(asking),
        }
    }

    /// Asks a login shell in any case. Answers at once; must be called within a tokio runtime.
    pub fn ask(asking: Asking) -> Self {
        let environment = Self::to_be_asked(asking);
        environment.begin();
        environment
    }

    fn to_be_asked(asking: Asking) -> Self {
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

    /// Has the shell asked now, where it has not been yet: somebody will need to know.
    pub fn begin(&self) {
        self.wanted.notify_one();
    }

    /// What is known now: nothing while the shell has not answered.
    pub fn now(&self) -> Option<Arc<ShellVariables>> {
        self.found.borrow().clone()
    }

    /// Has the shell asked, and waits until it has answered or its time is up.
    pub async fn settled(&self) -> Arc<ShellVariables> {
        self.begin();
        let mut found = self.found.clone();
        let known = found.wait_for(Option::is_some).await;
        match known.ok().and_then(|known| known.clone()) {
            Some(found) => found,
            // The runtime is closing and took the task away.
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

async fn find(asking: Asking) -> ShellVariables {
    // The users' database may be on the network.
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
        Ok(variables) => (Outcome::Read, differing::from_ours(variables)),
        Err(problem) => (Outcome::Failed(problem), BTreeMap::new()),
    };
    let took = started.elapsed();
    tracing::info!(
        shell = %shell.display(),
        took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        differing = differing.len(),
        ?outcome,
        "the login shell was asked for its variables"
    );
    ShellVariables {
        outcome,
        shell: Some(shell),
        took,
        differing,
    }
}

/// The variables of a shell, or why they are not known, as a sentence.
async fn variables(
    shell: &std::path::Path,
    asking: &Asking,
) -> Result<BTreeMap<String, String>, String> {
    let mark = printed::mark()?;
    let spec = CommandSpec {
        program: shell.to_string_lossy().into_owned(),
        args: shell::arguments(shell, &asking.printer, &mark),
        env: vec![(ASKING.to_owned(), "1".to_owned())],
        cwd: std::env::home_dir()
            .filter(|home| home.is_dir())
            .unwrap_or_else(|| PathBuf::from("/")),
    };
    let limits = Limits {
        time: asking.limit,
        bytes: BYTES_MAX,
    };
    let ends = printed::end_of(&mark);
    // A process that a start-up file left in the background may hold stdout open, so the end of
    // the answer is not waited for by the end of the stream. Only the last bytes can be new.
    let is_whole = |said: &[u8]| printed::ends_with_answer(said, &ends);
    let answer = brief::ask_until(spec, limits, asking.custody.as_ref(), is_whole)
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
    async fn the_shell_is_asked_once_somebody_needs_to_know_and_not_before() {
        let environment = Environment::to_be_asked(Asking {
            shell: Some(PathBuf::from("/no/such/shell")),
            ..Asking::by("guildhall")
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(environment.now().map(|found| found.took), None);
        environment.begin();
        let found = environment.settled().await;
        assert!(matches!(found.outcome, Outcome::Failed(_)), "{found:?}");
        assert_eq!(environment.now(), Some(found), "it is asked once");
    }
}
