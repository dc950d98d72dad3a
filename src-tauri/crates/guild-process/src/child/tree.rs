//! A leader and all that stayed in its process group (Unix) or job (Windows).

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
use crate::custody::run::Identity;
use crate::custody::run::Run;
use crate::mark;

/// The pipes of a leader.
pub(super) struct Streams {
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) stderr: Option<ChildStderr>,
}

/// The processes that one spawn led to. Dropping it kills those that are left: the library's own
/// kill on drop reaches the leader alone.
#[derive(Debug)]
pub(super) struct Tree {
    leader: Box<dyn ChildWrapper>,
    pid: u32,
    /// Nobody is left, so the group's id may by now be somebody else's.
    empty: bool,
}

impl Tree {
    /// Starts the command, and whatever it leads to carries the mark of `run`.
    pub(super) fn spawn(mut command: CommandWrap, run: Run) -> io::Result<Self> {
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        #[cfg(windows)]
        command
            .wrap(CreationFlags(
                windows::Win32::System::Threading::CREATE_NO_WINDOW,
            ))
            .wrap(JobObject);
        command.wrap(KillOnDrop);
        #[cfg(target_os = "linux")]
        let before = crate::processes::now();
        let leader = mark::marked(run, || command.spawn());
        #[cfg(target_os = "linux")]
        {
            let pid = leader.as_ref().ok().and_then(|leader| leader.id());
            mark::clear_bystanders(run, pid.map(Identity::of_unread), before);
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

    /// Waits for the leader alone, which the wrapper's own `wait` does not. May be dropped and
    /// called again.
    pub(super) async fn leader_ends(&mut self) -> io::Result<ExitStatus> {
        self.leader.inner_mut().wait().await
    }
}

/// A group keeps its id for as long as anybody is in it, the leader's unread exit included. After
/// that the system may give the id away again, which it does only when its counter has come round
/// once. Each signal below comes within milliseconds of a look that found somebody there.
#[cfg(unix)]
impl Tree {
    /// Asks all to end.
    pub(super) fn terminate(&mut self) {
        self.signal(Signal::TERM);
    }

    /// Ends all.
    pub(super) fn kill(&mut self) {
        self.signal(Signal::KILL);
    }

    /// Whether anybody is left; the leader counts until its end has been seen.
    pub(super) fn is_empty(&mut self) -> bool {
        if !self.empty {
            // Any other refusal than "no such group" means that there is somebody.
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
impl Tree {
    /// Ends all: there is no way to ask a process without a window.
    pub(super) fn terminate(&mut self) {
        self.kill();
    }

    /// Ends all.
    pub(super) fn kill(&mut self) {
        if self.empty {
            return;
        }
        match self.leader.start_kill() {
            // Ending a job ends everybody in it before it returns.
            Ok(()) => self.empty = true,
            Err(error) => tracing::debug!(pid = self.pid, %error, "a job could not be ended"),
        }
    }

    /// Whether the job has been ended.
    pub(super) fn is_empty(&mut self) -> bool {
        self.empty
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        self.kill();
    }
}
