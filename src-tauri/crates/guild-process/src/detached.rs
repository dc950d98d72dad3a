//! Starts detached programs that outlive this one: a newer version of this program, and the process
//! that watches its start.
//!
//! Detached programs don't belong to a member, and the watchdog does not end them.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::appimage;

/// How long a program may take to end after a request. Stopping all members of the program takes
/// less time.
const GRACE: Duration = Duration::from_secs(8);
/// Interval of the checks whether a program has ended.
const LOOK: Duration = Duration::from_millis(25);

/// Discards the further output of this program. The output is only needed until the start of the
/// new version is confirmed.
///
/// # Errors
/// I/O errors.
pub fn silence_output() -> io::Result<()> {
    #[cfg(unix)]
    {
        let null = File::options().write(true).open("/dev/null")?;
        rustix::stdio::dup2_stdout(&null)?;
        rustix::stdio::dup2_stderr(&null)?;
    }
    Ok(())
}

/// Ends this process immediately. The exit handlers of libraries are not run, because one of them
/// may hang.
pub fn end_this_process() -> ! {
    #[cfg(unix)]
    {
        use rustix::process::{Signal, getpid, kill_process};

        // A process can always signal itself.
        let _ = kill_process(getpid(), Signal::KILL);
    }
    std::process::abort()
}

/// A started program, in its own process group if the system has process groups.
#[derive(Debug)]
pub struct DetachedProcess {
    child: Child,
}

impl DetachedProcess {
    /// Starts a program without input. Its output goes to the file `output`, or is discarded
    /// without one.
    ///
    /// # Errors
    /// I/O errors.
    pub fn start(
        program: &Path,
        arguments: impl IntoIterator<Item = OsString>,
        variables: &[(&str, &str)],
        output: Option<File>,
    ) -> io::Result<Self> {
        let mut command = Command::new(program);
        // The variables of an AppImage are removed. If the new program is an AppImage, it sets
        // these variables itself.
        appimage::leave(&mut command);
        command
            .args(arguments)
            .envs(variables.iter().copied())
            .stdin(Stdio::null());
        match output {
            Some(file) => command.stdout(file.try_clone()?).stderr(file),
            None => command.stdout(Stdio::null()).stderr(Stdio::null()),
        };
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // ^C in a terminal ends this program's group, and must not reach the new program. The
            // new group can be ended as a whole.
            command.process_group(0);
        }
        Ok(Self {
            child: command.spawn()?,
        })
    }

    /// Returns the program's exit status, or `None` while it runs.
    ///
    /// # Errors
    /// I/O errors.
    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// Ends the program and its process group: requests their end first, then kills them. Blocks
    /// for about 8 s at most.
    pub fn end(mut self) {
        self.signal(false);
        let until = Instant::now() + GRACE;
        while Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(LOOK);
        }
        self.signal(true);
        // An error means that the exit was already collected.
        let _ = self.child.wait();
    }

    #[cfg(unix)]
    fn signal(&mut self, hard: bool) {
        use rustix::process::{Pid, Signal, kill_process_group};

        let signal = if hard { Signal::KILL } else { Signal::TERM };
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(group) = group {
            // An error means that the group is empty.
            let _ = kill_process_group(group, signal);
        }
    }

    #[cfg(not(unix))]
    fn signal(&mut self, _: bool) {
        // An error means that the program has ended.
        let _ = self.child.kill();
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, output: Option<File>) -> DetachedProcess {
        let words = ["-c", script].map(OsString::from);
        DetachedProcess::start(Path::new("/bin/sh"), words, &[("WORD", "told")], output)
            .expect("a shell")
    }

    fn text_of(path: &Path, until: impl Fn(&str) -> bool) -> String {
        let give_up = Instant::now() + Duration::from_secs(20);
        loop {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            if until(&text) {
                return text;
            }
            assert!(Instant::now() < give_up, "{text:?}");
            std::thread::sleep(LOOK);
        }
    }

    #[test]
    fn detached_process_reports_output_and_exit() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = folder.path().join("output");
        let file = File::create(&output).expect("a file");
        let mut program = shell("echo out $WORD; echo err >&2; exit 7", Some(file));
        let status = program.child.wait().expect("an end");
        assert_eq!(program.ended().expect("an end"), Some(status));
        assert_eq!(status.code(), Some(7));
        assert_eq!(
            std::fs::read_to_string(&output).expect("a file"),
            "out told\nerr\n"
        );
    }

    #[test]
    fn one_that_does_not_want_to_end_ends_with_what_it_started() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = folder.path().join("output");
        let file = File::create(&output).expect("a file");
        // The inner process is in the same group. The test identifies it by the printed pid.
        let program = shell(
            "trap '' TERM; sh -c 'trap \"\" TERM; echo $$; sleep 1000; sleep 1000' & wait; wait; sleep 1000",
            Some(file),
        );
        let inner = text_of(&output, |text| text.ends_with('\n'));
        program.end();
        // An ended process may remain as a zombie.
        let state = format!("/proc/{}/stat", inner.trim());
        text_of(Path::new(&state), |text| {
            text.is_empty() || text.contains(") Z ")
        });
    }
}
