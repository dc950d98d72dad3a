//! Follows the system calls of a program, and stops or kills it at one of them.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;

use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// System calls that give a file its name.
const RENAMES: &[i64] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_renameat2,
];
/// Other system calls that change the content of a folder, for any file.
const OF_PATHS: &[i64] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    libc::SYS_unlinkat,
    libc::SYS_mkdirat,
    libc::SYS_linkat,
];
/// System calls that change a file, whose descriptor is their first argument.
const OF_FILES: &[i64] = &[
    libc::SYS_write,
    libc::SYS_pwrite64,
    libc::SYS_writev,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
];

/// A traced program.
pub(super) struct Tracer {
    program: Pid,
    folder: PathBuf,
    /// The threads in a system call. Their next stop is the end of the call.
    inside: HashSet<Pid>,
    /// The thread that is stopped before a write.
    standing: Option<Pid>,
}

impl Tracer {
    /// Traces a program that this thread has started, with its threads and child processes. Writes
    /// outside of `folder` do not count. Prints a message, ends the program and returns `None` if
    /// tracing is not allowed.
    pub(super) fn follow(child: &mut Child, folder: &Path) -> Option<Self> {
        match Self::seize(child.id(), folder) {
            Ok(tracer) => Some(tracer),
            Err(error) => {
                println!("programs may not be followed here: {error}");
                child.kill().expect("it is ours");
                child.wait().expect("it has ended");
                None
            }
        }
    }

    fn seize(program: u32, folder: &Path) -> Result<Self, Errno> {
        let program = Pid::from_raw(i32::try_from(program).expect("a pid"));
        let options = Options::PTRACE_O_TRACESYSGOOD
            | Options::PTRACE_O_TRACECLONE
            | Options::PTRACE_O_EXITKILL;
        ptrace::seize(program, options)?;
        ptrace::interrupt(program)?;
        Ok(Self {
            program,
            folder: folder.to_owned(),
            inside: HashSet::new(),
            standing: None,
        })
    }

    /// Continues the program, and kills it at the start of its `count`th write. Returns this write,
    /// or `None` if the program ends earlier.
    pub(super) fn kill_at(&mut self, count: usize) -> Option<String> {
        let write = self.stop_at(count)?;
        self.kill();
        Some(write)
    }

    /// Continues the program, and stops it at the start of its `count`th write from now on. Returns
    /// this write, or `None` if the program ends earlier.
    pub(super) fn stop_at(&mut self, count: usize) -> Option<String> {
        if let Some(thread) = self.standing.take() {
            let _ = ptrace::syscall(thread, None);
        }
        let mut left = count;
        let all = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
        loop {
            let (thread, signal) = match waitpid(None, Some(all)) {
                Ok(WaitStatus::PtraceSyscall(thread)) => {
                    if !self.inside.remove(&thread) {
                        self.inside.insert(thread);
                        if let Some(write) = self.write_of(thread) {
                            left -= 1;
                            if left == 0 {
                                self.standing = Some(thread);
                                return Some(write);
                            }
                        }
                    }
                    (thread, None)
                }
                Ok(WaitStatus::PtraceEvent(thread, ..)) => (thread, None),
                Ok(WaitStatus::Stopped(thread, signal)) => {
                    let own = matches!(signal, Signal::SIGSTOP | Signal::SIGTRAP);
                    (thread, (!own).then_some(signal))
                }
                Ok(WaitStatus::Exited(thread, _) | WaitStatus::Signaled(thread, ..)) => {
                    if thread == self.program {
                        return None;
                    }
                    continue;
                }
                Ok(WaitStatus::Continued(_) | WaitStatus::StillAlive) => continue,
                Err(Errno::EINTR) => continue,
                Err(error) => panic!("the program can't be waited for: {error}"),
            };
            // If the thread has ended, the next stop reports that.
            let _ = ptrace::syscall(thread, signal);
        }
    }

    /// Kills the program and waits until all its threads have ended, in any order.
    pub(super) fn kill(&self) {
        nix::sys::signal::kill(self.program, Signal::SIGKILL).expect("it is ours");
        let all = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
        loop {
            match waitpid(None, Some(all)) {
                Ok(WaitStatus::Signaled(thread, ..) | WaitStatus::Exited(thread, _))
                    if thread == self.program =>
                {
                    return;
                }
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => panic!("the program can't be waited for: {error}"),
            }
        }
    }

    /// Returns the write that a thread is about to do, with the path of its file.
    fn write_of(&self, thread: Pid) -> Option<String> {
        let registers = ptrace::getregs(thread).ok()?;
        #[cfg(target_arch = "x86_64")]
        let (call, first, third) = (registers.orig_rax, registers.rdi, registers.rdx);
        #[cfg(target_arch = "aarch64")]
        let (call, first, third) = (registers.regs[8], registers.regs[0], registers.regs[2]);
        let call = i64::try_from(call).ok()?;
        let creates = || third & u64::try_from(libc::O_CREAT).unwrap_or(0) != 0;
        if RENAMES.contains(&call) {
            return Some(format!("a rename, call {call}"));
        }
        if OF_PATHS.contains(&call) || (call == libc::SYS_openat && creates()) {
            return Some(format!("call {call}"));
        }
        if !OF_FILES.contains(&call) {
            return None;
        }
        let file = fs::read_link(format!("/proc/{thread}/fd/{first}")).ok()?;
        let file = file.strip_prefix(&self.folder).ok()?;
        Some(format!("call {call} of {}", file.display()))
    }
}
