//! Asking a command that answers and ends: a version, the variables of a shell.
//!
//! It runs in a session of its own, without stdin and without a terminal, and within a limit of
//! time and of bytes. When the answer is there or the limit has passed, it is asked to end; then, or
//! when nobody waits any more, all that is left in its session is ended at once. A process that left the session on purpose, as
//! an agent for keys does, was started by the user's own files and is left alone; so nobody in it
//! carries the mark of a run, and what guardian and ledger know of it is its session.

#[cfg(target_os = "linux")]
mod session;

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use guild_core::note::Unanswered;

#[cfg(unix)]
use process_wrap::tokio::ProcessSession;
use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
#[cfg(windows)]
use process_wrap::tokio::{CreationFlags, JobObject};
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{ChildStderr, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use crate::command::{self, CommandSpec};
use crate::custody::run::{Head, Identity};
use crate::custody::{Charge, Custody};
use crate::error::ProcessError;
use crate::mark;

/// How long one that has not ended may take to let go of what it holds, such as the lock files of
/// what a shell's start-up files run.
#[cfg(unix)]
const FAREWELL: Duration = Duration::from_millis(300);
/// How long the end of the output is waited for once its writer has ended.
const DRAIN: Duration = Duration::from_millis(100);
/// The most that is kept of stderr, in bytes.
const STDERR_MAX: usize = 4 * 1024;
/// How much is read at a time.
const CHUNK_BYTES: usize = 16 * 1024;

/// How long an answer may take, and how long it may be.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// From the start to the answer.
    pub time: Duration,
    /// The most that is read of stdout, in bytes.
    pub bytes: usize,
}

/// What a command answered.
#[derive(Debug)]
pub struct Answer {
    /// What it wrote to stdout.
    pub stdout: Vec<u8>,
    /// The beginning of what it wrote to stderr.
    pub stderr: Vec<u8>,
    /// How it ended; `None` where it had said all that was wanted and was ended.
    pub status: Option<ExitStatus>,
    /// How long it took.
    pub took: Duration,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// It could not be started.
    NotStarted(ProcessError),
    /// The limit passed.
    TimeLimit(Duration),
    /// It wrote more than is read.
    TooLong(usize),
    /// Its output could not be read.
    Unreadable(std::io::Error),
}

impl NoAnswer {
    /// Why, in words.
    pub fn words(&self) -> Unanswered {
        match self {
            Self::NotStarted(error) => Unanswered::NotStarted(error.report().message),
            Self::TimeLimit(limit) => Unanswered::TimeLimit(*limit),
            Self::TooLong(most) => Unanswered::TooLong(*most),
            Self::Unreadable(error) => Unanswered::Unreadable(error.to_string()),
        }
    }
}

impl From<ProcessError> for NoAnswer {
    fn from(error: ProcessError) -> Self {
        Self::NotStarted(error)
    }
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.words().fmt(f)
    }
}

impl std::error::Error for NoAnswer {}

/// Asks a command, and waits for its end. Where it is in `custody`, its session ends also when this
/// program is killed.
///
/// Must be called within a tokio runtime. Dropping the future ends the command.
///
/// # Errors
/// When it can't be started or does not answer within the limits.
pub async fn ask(
    spec: CommandSpec,
    limits: Limits,
    custody: Option<&Custody>,
) -> Result<Answer, NoAnswer> {
    ask_until(spec, limits, custody, |_| false).await
}

/// The same, for an answer that may be whole before the command ends: `is_whole` looks at all of
/// stdout so far.
///
/// # Errors
/// As [`ask`].
pub(crate) async fn ask_until(
    spec: CommandSpec,
    limits: Limits,
    custody: Option<&Custody>,
    is_whole: impl Fn(&[u8]) -> bool,
) -> Result<Answer, NoAnswer> {
    let charge = match custody {
        Some(custody) => Some(custody.take(&spec.program).await),
        None => None,
    };
    let started = Instant::now();
    // Finding the program and forking take milliseconds.
    let spawning = tokio::task::spawn_blocking(move || Session::start(&spec, charge));
    let mut session = match spawning.await {
        Ok(spawned) => spawned?,
        Err(error) => return Err(NoAnswer::Unreadable(std::io::Error::other(error))),
    };
    session.begin().await;
    let answered = timeout(limits.time, session.listen(limits.bytes, is_whole)).await;
    session.end().await;
    let (stdout, stderr, status) = answered.map_err(|_| NoAnswer::TimeLimit(limits.time))??;
    Ok(Answer {
        stdout,
        stderr,
        status,
        took: started.elapsed(),
    })
}

/// A leader and its session. Dropping it ends what is left of the session.
#[derive(Debug)]
struct Session {
    leader: Box<dyn ChildWrapper>,
    /// What it writes to, kept open until the end: whoever writes to a closed pipe is ended.
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    first: Identity,
    ended: bool,
    charge: Option<Charge>,
}

impl Session {
    fn start(spec: &CommandSpec, mut charge: Option<Charge>) -> Result<Self, ProcessError> {
        if let Some(charge) = &mut charge {
            charge.begin();
        }
        match Self::spawn(spec) {
            Ok(mut session) => {
                session.charge = charge;
                Ok(session)
            }
            Err(error) => {
                if let Some(charge) = charge {
                    charge.has_none();
                }
                Err(error)
            }
        }
    }

    fn spawn(spec: &CommandSpec) -> Result<Self, ProcessError> {
        spec.check_env()?;
        let program = command::resolve(&spec.program, &spec.cwd, spec.search_path().as_deref())?;
        let mut command = CommandWrap::with_new(&program, |command| {
            command::hand_on(command.as_std_mut());
            command
                .args(&spec.args)
                .envs(spec.env.iter().map(|(name, value)| (name, value)))
                .current_dir(&spec.cwd)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
        });
        #[cfg(unix)]
        command.wrap(ProcessSession);
        #[cfg(windows)]
        command
            .wrap(CreationFlags(
                windows::Win32::System::Threading::CREATE_NO_WINDOW,
            ))
            .wrap(JobObject);
        let failed = |source| ProcessError::SpawnFailed {
            program: program.clone(),
            source,
        };
        command.wrap(KillOnDrop);
        // What the user's own files start in the background is no member's.
        let mut leader = mark::unmarked(|| command.spawn()).map_err(failed)?;
        let pid = leader
            .id()
            .ok_or_else(|| failed(std::io::Error::other("the process had no id")))?;
        Ok(Self {
            stdout: leader.stdout().take(),
            stderr: leader.stderr().take(),
            leader,
            first: Identity::of_unread(pid),
            ended: false,
            charge: None,
        })
    }

    /// Tells guardian and ledger where it begins.
    async fn begin(&self) {
        if let Some(charge) = &self.charge {
            charge.leads(Head::Session(self.first)).await;
        }
    }

    async fn listen(
        &mut self,
        bytes_max: usize,
        is_whole: impl Fn(&[u8]) -> bool,
    ) -> Result<(Vec<u8>, Vec<u8>, Option<ExitStatus>), NoAnswer> {
        let (stdout, stderr) = (self.stdout.as_mut(), self.stderr.as_mut());
        let (mut said, mut complained) = (Vec::new(), Vec::new());
        let status = {
            let reading = async {
                let answer = read_until(stdout, &mut said, bytes_max, is_whole);
                let complaint = read_head(stderr, &mut complained);
                tokio::pin!(answer, complaint);
                let read = tokio::select! {
                    biased;
                    read = &mut answer => read,
                    () = &mut complaint => return answer.await,
                };
                // What is whole, or too much, waits for no end of anything.
                if matches!(read, Ok(Read::Ended)) {
                    complaint.await;
                }
                read
            };
            let exit = self.leader.inner_mut().wait();
            tokio::pin!(reading, exit);
            tokio::select! {
                biased;
                read = &mut reading => match read? {
                    Read::Whole => None,
                    Read::Ended => exit.await.ok(),
                },
                status = &mut exit => {
                    // A process of the background may hold the pipes long after the leader's end.
                    if let Ok(read) = timeout(DRAIN, reading).await {
                        read?;
                    }
                    status.ok()
                }
            }
        };
        Ok((said, complained, status))
    }

    /// Ends what is left of the session.
    async fn end(mut self) {
        #[cfg(unix)]
        self.ask_to_end(FAREWELL).await;
        let ending = self.kill();
        // The leader's end is collected, so that it does not stay as a zombie.
        let _ = timeout(DRAIN, self.leader.inner_mut().wait()).await;
        if let Some(ending) = ending {
            // An error means that the runtime is closing.
            let _ = ending.await;
        }
    }

    /// Lets a leader that has not ended run its traps, as a terminal does that is closed: an
    /// interactive shell heeds no SIGTERM, and a second signal would end what a trap runs.
    #[cfg(unix)]
    async fn ask_to_end(&mut self, farewell: Duration) {
        if !matches!(self.leader.inner_mut().try_wait(), Ok(None)) {
            return;
        }
        self.signal(Signal::HUP);
        // Whoever does not end is killed.
        let _ = timeout(farewell, self.leader.inner_mut().wait()).await;
    }

    #[cfg(unix)]
    fn signal(&self, signal: Signal) {
        if let Some(group) = i32::try_from(self.first.pid).ok().and_then(Pid::from_raw) {
            // Nobody there any more is what is wanted.
            let _ = kill_process_group(group, signal);
        }
    }

    /// Ends all, and gives what is still at it.
    fn kill(&mut self) -> Option<JoinHandle<()>> {
        if std::mem::replace(&mut self.ended, true) {
            return None;
        }
        #[cfg(unix)]
        self.signal(Signal::KILL);
        #[cfg(windows)]
        if let Err(error) = self.leader.start_kill() {
            tracing::debug!(%error, "a job could not be ended");
        }
        let charge = self.charge.take();
        // An interactive shell gives each job a group of its own within the session.
        #[cfg(target_os = "linux")]
        {
            let first = self.first;
            let rest = move || {
                if session::end(first)
                    && let Some(charge) = charge
                {
                    charge.has_none();
                }
            };
            if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                return Some(runtime.spawn_blocking(rest));
            }
            rest();
        }
        #[cfg(not(target_os = "linux"))]
        if let Some(charge) = charge {
            charge.has_none();
        }
        None
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It goes on by itself.
        drop(self.kill());
    }
}

/// Why reading stopped.
enum Read {
    /// Everything that was wanted is there.
    Whole,
    /// Its writers have closed it.
    Ended,
}

async fn read_until(
    source: Option<impl AsyncRead + Unpin>,
    into: &mut Vec<u8>,
    max: usize,
    is_whole: impl Fn(&[u8]) -> bool,
) -> Result<Read, NoAnswer> {
    let Some(mut source) = source else {
        return Ok(Read::Ended);
    };
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match source.read(&mut chunk).await {
            Ok(0) => return Ok(Read::Ended),
            Ok(length) if into.len() + length > max => return Err(NoAnswer::TooLong(max)),
            Ok(length) => into.extend_from_slice(&chunk[..length]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(NoAnswer::Unreadable(error)),
        }
        if is_whole(into) {
            return Ok(Read::Whole);
        }
    }
}

/// Reads all, so that the writer is never held up, and keeps the beginning.
async fn read_head(source: Option<impl AsyncRead + Unpin>, into: &mut Vec<u8>) {
    let Some(mut source) = source else { return };
    let mut chunk = vec![0; CHUNK_BYTES];
    while let Ok(length) = source.read(&mut chunk).await {
        if length == 0 {
            return;
        }
        let room = STDERR_MAX.saturating_sub(into.len()).min(length);
        into.extend_from_slice(&chunk[..room]);
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    /// Starts a shell, and waits until it has written `began`.
    async fn began(script: &str) -> (tempfile::TempDir, Session) {
        let folder = tempfile::tempdir().expect("a folder");
        let spec = CommandSpec {
            cwd: folder.path().to_owned(),
            ..shell(script)
        };
        let mut session = Session::start(&spec, None).expect("started");
        let listening = session.listen(1024, |said| said.ends_with(b"began"));
        listening.await.expect("it begins");
        (folder, session)
    }

    #[tokio::test]
    async fn hangup_runs_the_traps_of_a_shell() {
        let script =
            "trap 'rm lock; exit' HUP; touch lock; printf began; while :; do sleep 0.01; done";
        let (folder, mut session) = began(script).await;
        session.ask_to_end(NEVER).await;
        assert!(!folder.path().join("lock").exists());
        session.end().await;
    }

    #[tokio::test]
    async fn ignored_hangup_is_followed_by_a_kill() {
        let (_folder, session) =
            began("trap '' HUP; printf began; while :; do sleep 0.01; done").await;
        let started = Instant::now();
        session.end().await;
        assert!(started.elapsed() >= FAREWELL);
    }

    #[tokio::test]
    async fn silent_command_reaches_the_time_limit() {
        let limits = Limits {
            time: Duration::from_millis(100),
            bytes: 1024,
        };
        let answer = ask(shell("exec sleep 600"), limits, None).await;
        assert!(matches!(answer, Err(NoAnswer::TimeLimit(_))), "{answer:?}");
    }

    /// The end of a time that nobody waits for.
    const NEVER: Duration = Duration::from_secs(600);

    fn shell(script: &str) -> CommandSpec {
        CommandSpec {
            program: "sh".into(),
            args: vec!["-c".into(), script.into()],
            env: [].into(),
            cwd: std::env::temp_dir(),
        }
    }

    #[tokio::test]
    async fn one_that_says_too_much_is_ended_there() {
        let limits = Limits {
            time: NEVER,
            bytes: 1024,
        };
        let answer = ask(shell("exec yes"), limits, None).await;
        assert!(matches!(answer, Err(NoAnswer::TooLong(1024))), "{answer:?}");
    }

    #[tokio::test]
    async fn a_whole_answer_waits_for_no_end() {
        let limits = Limits {
            time: NEVER,
            bytes: 1024,
        };
        let is_whole = |said: &[u8]| said.ends_with(b"done");
        let spec = shell("printf done; exec sleep 600");
        let answer = ask_until(spec, limits, None, is_whole).await;
        assert_eq!(answer.expect("an answer").stdout, b"done");
    }
}
