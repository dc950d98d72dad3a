//! A leader, and the processes in its process group (Unix) or job (Windows).

use std::io;
use std::process::ExitStatus;

#[cfg(unix)]
use process_wrap::tokio::ProcessGroup;
use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
#[cfg(windows)]
use process_wrap::tokio::{CreationFlags, JobObject};
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

#[cfg(target_os = "linux")]
use crate::process_registry::run::Identity;
use crate::process_registry::run::RunId;
use crate::run_mark;

/// The pipes to and from a leader.
pub(super) struct Streams {
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) stderr: Option<ChildStderr>,
}

/// A leader and its group or job. Dropping this value kills the remaining processes. The library's
/// own kill on drop would only reach the leader.
#[derive(Debug)]
pub(super) struct ChildProcessGroup {
    leader: Box<dyn ChildWrapper>,
    pid: u32,
    /// Whether the group was found empty. Its id may then have been reused.
    empty: bool,
}

impl ChildProcessGroup {
    /// Starts the command. All its processes carry the mark of `run` (see [`run_mark`]).
    pub(super) fn spawn(mut command: CommandWrap, run: RunId) -> io::Result<Self> {
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        #[cfg(windows)]
        command
            .wrap(CreationFlags(
                windows::Win32::System::Threading::CREATE_NO_WINDOW,
            ))
            .wrap(JobObject);
        command.wrap(KillOnDrop);
        let leader = run_mark::marked(run, || command.spawn());
        #[cfg(target_os = "linux")]
        {
            let pid = leader.as_ref().ok().and_then(|leader| leader.id());
            run_mark::clear_bystanders(run, pid.map(Identity::of_unread));
        }
        let leader = leader?;
        let pid = leader.id().ok_or_else(|| {
            io::Error::other("the process had no id when it should just have been started")
        })?;
        Ok(Self {
            leader,
            pid,
            empty: false,
        })
    }

    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    pub(super) fn take_streams(&mut self) -> Streams {
        Streams {
            stdin: self.leader.stdin().take(),
            stdout: self.leader.stdout().take(),
            stderr: self.leader.stderr().take(),
        }
    }

    /// Waits only for the leader. The wrapper's own `wait` would wait for the whole group.
    /// Cancel-safe.
    pub(super) async fn leader_ends(&mut self) -> io::Result<ExitStatus> {
        self.leader.inner_mut().wait().await
    }
}

/// A group keeps its id as long as it has a process, and the leader counts as one until its exit is
/// collected. After that, the system may reuse the id, but only when its counter of ids has wrapped
/// around. Each signal below is sent within milliseconds of a check that found a process.
#[cfg(unix)]
impl ChildProcessGroup {
    pub(super) fn terminate(&mut self) {
        self.signal(Signal::TERM);
    }

    pub(super) fn kill(&mut self) {
        self.signal(Signal::KILL);
    }

    /// Whether the group is empty. The leader counts as a process until its exit is observed.
    pub(super) fn is_empty(&mut self) -> bool {
        if !self.empty {
            // Any error other than "no such group" means that a process exists.
            self.empty = self
                .group()
                .is_none_or(|group| test_kill_process_group(group) == Err(rustix::io::Errno::SRCH));
        }
        self.empty
    }

    fn signal(&mut self, signal: Signal) {
        if self.is_empty() {
            return;
        }
        if let Some(group) = self.group()
            && let Err(error) = kill_process_group(group, signal)
        {
            tracing::debug!(pid = self.pid, ?signal, %error, "a group could not be signalled");
        }
    }

    fn group(&self) -> Option<Pid> {
        i32::try_from(self.pid).ok().and_then(Pid::from_raw)
    }
}

#[cfg(windows)]
impl ChildProcessGroup {
    /// Kills all processes, because a process without a window can't be asked to end.
    pub(super) fn terminate(&mut self) {
        self.kill();
    }

    pub(super) fn kill(&mut self) {
        if self.empty {
            return;
        }
        match self.leader.start_kill() {
            // The call ends all processes of the job before it returns.
            Ok(()) => self.empty = true,
            Err(error) => tracing::debug!(pid = self.pid, %error, "a job could not be ended"),
        }
    }

    /// Whether the job has been ended.
    pub(super) fn is_empty(&mut self) -> bool {
        self.empty
    }
}

impl Drop for ChildProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}
