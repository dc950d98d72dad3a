//! Runs short commands that print an answer and end, such as a version query or a shell that prints
//! its variables.
//!
//! A command runs in a separate session, without stdin and without a terminal, with limits for time
//! and output. After its answer or at the time limit, the command is asked to end. Then all
//! remaining processes of its session are killed. This also happens when the future is dropped. A
//! process that left the session on purpose, such as an SSH agent, was started by the user's own
//! startup files and is not ended. So the processes don't carry a run's mark, and the watchdog and
//! the journal only record the session.

#[cfg(target_os = "linux")]
mod session;

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use guild_text::messages::seconds;
use guild_text::number::grouped;
#[cfg(unix)]
use process_wrap::tokio::ProcessSession;
use process_wrap::tokio::{ChildWrapper, KillOnDrop};
#[cfg(windows)]
use process_wrap::tokio::{CreationFlags, JobObject};
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{ChildStderr, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use crate::command::{self, ProcessSpec};
use crate::error::ProcessError;
use crate::process_registry::run::{Identity, RunRoot};
use crate::process_registry::{ProcessRegistry, RunLease};
use crate::run_mark;

/// How long a command may take to end after the request, so that it can release resources, such as
/// the lock files of programs in a shell's startup files.
#[cfg(unix)]
const FAREWELL: Duration = Duration::from_millis(300);
/// How long the output is read after the command has ended.
const DRAIN: Duration = Duration::from_millis(100);
/// Limit of the stored bytes of stderr.
const STDERR_MAX: usize = 4 * 1024;
/// Bytes per read.
const CHUNK_BYTES: usize = 16 * 1024;

/// The limits of a command.
#[derive(Debug, Clone, Copy)]
pub struct CommandLimits {
    /// The time from the start to the answer.
    pub time: Duration,
    /// Limit of the output on stdout, in bytes.
    pub bytes: usize,
}

/// The output of a command.
#[derive(Debug)]
pub struct CommandOutput {
    /// The whole stdout.
    pub stdout: Vec<u8>,
    /// The beginning of stderr.
    pub stderr: Vec<u8>,
    /// The exit status. `None` if the command was ended after a complete answer.
    pub status: Option<ExitStatus>,
    /// The duration of the command.
    pub took: Duration,
}

/// The reason that a command gave no answer.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages document the variants")]
pub enum NoAnswer {
    #[error("{0}")]
    NotStarted(#[from] ProcessError),
    #[error("No answer came within {seconds} s.", seconds = seconds(.0))]
    TimeLimit(Duration),
    #[error("It wrote more than {bytes} bytes.", bytes = grouped(.0))]
    TooLong(usize),
    #[error("Its answer could not be read: {0}.")]
    Unreadable(std::io::Error),
}

/// Runs a command and waits for its end. With `registry`, the command's session is also ended when
/// this program is killed.
///
/// Must be called within a tokio runtime. Dropping the future ends the command.
///
/// # Errors
/// When the command can't be started or exceeds the limits.
pub async fn run(
    spec: ProcessSpec,
    limits: CommandLimits,
    registry: Option<&ProcessRegistry>,
) -> Result<CommandOutput, NoAnswer> {
    run_until(spec, limits, registry, |_| false).await
}

/// Like [`run`], but also stops as soon as `is_whole` returns true for the output on stdout so far,
/// even if the command has not ended.
///
/// # Errors
/// The errors of [`run`].
pub(crate) async fn run_until(
    spec: ProcessSpec,
    limits: CommandLimits,
    registry: Option<&ProcessRegistry>,
    is_whole: impl Fn(&[u8]) -> bool,
) -> Result<CommandOutput, NoAnswer> {
    let lease = match registry {
        Some(registry) => Some(registry.take(&spec.program).await),
        None => None,
    };
    let started = Instant::now();
    // The search for the program and the fork take milliseconds, so they run on a blocking thread.
    let spawning = tokio::task::spawn_blocking(move || CommandSession::start(&spec, lease));
    let mut session = match spawning.await {
        Ok(spawned) => spawned?,
        Err(error) => return Err(NoAnswer::Unreadable(std::io::Error::other(error))),
    };
    session.begin().await;
    let answered = timeout(limits.time, session.listen(limits.bytes, is_whole)).await;
    session.end().await;
    let (stdout, stderr, status) = answered.map_err(|_| NoAnswer::TimeLimit(limits.time))??;
    Ok(CommandOutput {
        stdout,
        stderr,
        status,
        took: started.elapsed(),
    })
}

/// The session of a command. Dropping this value kills the remaining processes.
#[derive(Debug)]
struct CommandSession {
    leader: Box<dyn ChildWrapper>,
    /// The leader's stdout. It stays open until the end, because a process that writes to a closed
    /// pipe would be killed.
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    first: Identity,
    ended: bool,
    lease: Option<RunLease>,
}

impl CommandSession {
    fn start(spec: &ProcessSpec, mut lease: Option<RunLease>) -> Result<Self, ProcessError> {
        if let Some(lease) = &mut lease {
            lease.begin();
        }
        match Self::spawn(spec) {
            Ok(mut session) => {
                session.lease = lease;
                Ok(session)
            }
            Err(error) => {
                if let Some(lease) = lease {
                    lease.has_none();
                }
                Err(error)
            }
        }
    }

    fn spawn(spec: &ProcessSpec) -> Result<Self, ProcessError> {
        spec.check_env()?;
        let program = command::resolve(&spec.program, &spec.cwd, spec.search_path().as_deref())?;
        let mut command = spec.to_command(&program, Stdio::null());
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
        // Background processes from the user's startup files don't belong to a member, so they must
        // not carry a mark.
        let mut leader = run_mark::unmarked(|| command.spawn()).map_err(failed)?;
        let pid = leader
            .id()
            .ok_or_else(|| failed(std::io::Error::other("the process had no id")))?;
        Ok(Self {
            stdout: leader.stdout().take(),
            stderr: leader.stderr().take(),
            leader,
            first: Identity::of_unread(pid),
            ended: false,
            lease: None,
        })
    }

    /// Records the first process at the watchdog and in the journal.
    async fn begin(&self) {
        if let Some(lease) = &self.lease {
            lease.leads(RunRoot::Session(self.first)).await;
        }
    }

    async fn listen(
        &mut self,
        bytes_max: usize,
        is_whole: impl Fn(&[u8]) -> bool,
    ) -> Result<(Vec<u8>, Vec<u8>, Option<ExitStatus>), NoAnswer> {
        let (stdout, stderr) = (self.stdout.as_mut(), self.stderr.as_mut());
        let (mut stdout_text, mut stderr_text) = (Vec::new(), Vec::new());
        let status = {
            let reading = async {
                let answer = read_until(stdout, &mut stdout_text, bytes_max, is_whole);
                let complaint = read_head(stderr, &mut stderr_text);
                tokio::pin!(answer, complaint);
                let read = tokio::select! {
                    biased;
                    read = &mut answer => read,
                    () = &mut complaint => return answer.await,
                };
                // If the answer was complete or too large, the end of stderr is not awaited.
                if matches!(read, Ok(OutputReadEnd::Ended)) {
                    complaint.await;
                }
                read
            };
            let exit = self.leader.inner_mut().wait();
            tokio::pin!(reading, exit);
            tokio::select! {
                biased;
                read = &mut reading => match read? {
                    OutputReadEnd::Whole => None,
                    OutputReadEnd::Ended => exit.await.ok(),
                },
                status = &mut exit => {
                    // A background process may hold the pipes open long after the leader's end.
                    if let Ok(read) = timeout(DRAIN, reading).await {
                        read?;
                    }
                    status.ok()
                }
            }
        };
        Ok((stdout_text, stderr_text, status))
    }

    /// Ends the remaining processes of the session.
    async fn end(mut self) {
        #[cfg(unix)]
        self.ask_to_end(FAREWELL).await;
        let ending = self.kill();
        // Collects the leader's exit, so that no zombie remains.
        let _ = timeout(DRAIN, self.leader.inner_mut().wait()).await;
        if let Some(ending) = ending {
            // An error means that the runtime is shutting down.
            let _ = ending.await;
        }
    }

    /// Asks a running leader to end with SIGHUP, as a closing terminal does, so that it can run its
    /// traps. SIGTERM is not used because an interactive shell ignores it. Only one signal is sent,
    /// because a second one would end the commands of a trap.
    #[cfg(unix)]
    async fn ask_to_end(&mut self, farewell: Duration) {
        if !matches!(self.leader.inner_mut().try_wait(), Ok(None)) {
            return;
        }
        self.signal(Signal::HUP);
        // A leader that does not end is killed afterwards.
        let _ = timeout(farewell, self.leader.inner_mut().wait()).await;
    }

    #[cfg(unix)]
    fn signal(&self, signal: Signal) {
        if let Some(group) = i32::try_from(self.first.pid).ok().and_then(Pid::from_raw) {
            // An error means that the group is empty.
            let _ = kill_process_group(group, signal);
        }
    }

    /// Kills all processes. Returns the task that does this, if it still runs.
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
        let lease = self.lease.take();
        // An interactive shell runs each job in a separate process group of the session, so killing
        // one group is not enough.
        #[cfg(target_os = "linux")]
        {
            let first = self.first;
            let rest = move || {
                if session::end(first)
                    && let Some(lease) = lease
                {
                    lease.has_none();
                }
            };
            if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                return Some(runtime.spawn_blocking(rest));
            }
            rest();
        }
        #[cfg(not(target_os = "linux"))]
        if let Some(lease) = lease {
            lease.has_none();
        }
        None
    }
}

impl Drop for CommandSession {
    fn drop(&mut self) {
        // The task that kills the processes continues in the background.
        drop(self.kill());
    }
}

/// The reason that reading stopped.
enum OutputReadEnd {
    /// The answer is complete.
    Whole,
    /// All processes that wrote to the stream have closed it.
    Ended,
}

async fn read_until(
    source: Option<impl AsyncRead + Unpin>,
    into: &mut Vec<u8>,
    max: usize,
    is_whole: impl Fn(&[u8]) -> bool,
) -> Result<OutputReadEnd, NoAnswer> {
    let Some(mut source) = source else {
        return Ok(OutputReadEnd::Ended);
    };
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match source.read(&mut chunk).await {
            Ok(0) => return Ok(OutputReadEnd::Ended),
            Ok(length) if into.len() + length > max => return Err(NoAnswer::TooLong(max)),
            Ok(length) => into.extend_from_slice(&chunk[..length]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(NoAnswer::Unreadable(error)),
        }
        if is_whole(into) {
            return Ok(OutputReadEnd::Whole);
        }
    }
}

/// Reads the whole stream, so that its writer never blocks, and stores the beginning in `into`.
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

    /// Starts a shell and waits until it has written `began`.
    async fn began(script: &str) -> (tempfile::TempDir, CommandSession) {
        let folder = tempfile::tempdir().expect("a folder");
        let spec = ProcessSpec {
            cwd: folder.path().to_owned(),
            ..shell(script)
        };
        let mut session = CommandSession::start(&spec, None).expect("started");
        let listening = session.listen(1024, |stdout_text| stdout_text.ends_with(b"began"));
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
        let limits = CommandLimits {
            time: Duration::from_millis(100),
            bytes: 1024,
        };
        let answer = run(shell("exec sleep 600"), limits, None).await;
        assert!(matches!(answer, Err(NoAnswer::TimeLimit(_))), "{answer:?}");
    }

    /// A duration that no test reaches.
    const NEVER: Duration = Duration::from_secs(600);

    fn shell(script: &str) -> ProcessSpec {
        ProcessSpec {
            program: "sh".into(),
            args: vec!["-c".into(), script.into()],
            env: [].into(),
            cwd: std::env::temp_dir(),
        }
    }

    #[tokio::test]
    async fn one_that_says_too_much_is_ended_there() {
        let limits = CommandLimits {
            time: NEVER,
            bytes: 1024,
        };
        let answer = run(shell("exec yes"), limits, None).await;
        assert!(matches!(answer, Err(NoAnswer::TooLong(1024))), "{answer:?}");
    }

    #[tokio::test]
    async fn a_whole_answer_waits_for_no_end() {
        let limits = CommandLimits {
            time: NEVER,
            bytes: 1024,
        };
        let is_whole = |stdout_text: &[u8]| stdout_text.ends_with(b"done");
        let spec = shell("printf done; exec sleep 600");
        let answer = run_until(spec, limits, None, is_whole).await;
        assert_eq!(answer.expect("an answer").stdout, b"done");
    }
}
