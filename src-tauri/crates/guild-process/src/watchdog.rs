//! The watchdog: a separate process that outlives the program, and ends the processes that the
//! program could not end.
//!
//! It is this program's own binary, started in the watchdog's role by [`run_from_args`]. It records
//! the active runs, which it reads as lines from a pipe. Only the program holds the other end of
//! the pipe. When the program ends for any reason, the pipe closes. The watchdog then ends all
//! processes of all active runs, and exits. It has its own session, and ignores the signals that a
//! terminal or `killall` may send. It holds no files of the program except two pipes, and never
//! starts a second thread.
//!
//! Windows needs no watchdog, because the members' jobs end together with the program.

pub(crate) mod process;
pub(crate) mod protocol;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::RawFd;
use std::process::ExitCode;
use std::time::Duration;

use nix::sys::signal::{SigSet, Signal};

use crate::process_registry::container::{ContainerHandle, remove_all};
use crate::process_registry::run::{RunId, RunRoot};
use protocol::{LINE_BYTES_MAX, WatchdogLine};

pub(crate) const SUBCOMMAND: &str = "watchdog";
/// The watchdog's message when it is ready.
pub(crate) const READY: &[u8] = b"ready\n";
/// The watchdog's name in process lists. It differs from `guildhall`, so that killing all
/// `guildhall` processes by name does not kill the process that cleans up.
#[cfg(target_os = "linux")]
const NAME: &std::ffi::CStr = c"guild-watchdog";

/// The time from SIGTERM to SIGKILL, and the time until remaining processes are abandoned. Both are
/// less than the five seconds that quitting may take.
const TERM_GRACE: Duration = Duration::from_millis(1_500);
const LIMIT: Duration = Duration::from_millis(4_500);
/// How long container engines may take to remove the containers, after the processes have ended.
const REMOVAL_LIMIT: Duration = Duration::from_secs(10);
/// Limit of the recorded runs.
const RUNS_MAX: usize = 100_000;
/// Limit of the recorded containers.
const CONTAINERS_MAX: usize = 1_000;

/// Runs the watchdog if the arguments request it. Otherwise returns `None`. The app and the CLI
/// call this first in `main`, before a second thread exists.
pub fn run_from_args(args: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut args = args.into_iter().skip(1);
    let asked = args.next()? == SUBCOMMAND && args.next().is_none();
    asked.then(|| {
        detach();
        match serve(io::stdin().lock(), io::stdout().lock()) {
            Ok(0) => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        }
    })
}

/// Leaves the terminal's session, and blocks the signals that a terminal sends.
fn detach() {
    // This fails only for the leader of a process group, which a newly started program is not.
    let _ = rustix::process::setsid();
    let mut unheard = SigSet::empty();
    for signal in [
        Signal::SIGHUP,
        Signal::SIGINT,
        Signal::SIGQUIT,
        Signal::SIGTERM,
        Signal::SIGUSR1,
        Signal::SIGUSR2,
        Signal::SIGTSTP,
    ] {
        unheard.add(signal);
    }
    // If this fails, a signal may end the watchdog. The program then starts a new one.
    let _ = unheard.thread_block();
    #[cfg(target_os = "linux")]
    {
        // An error only affects the displayed name.
        let _ = rustix::thread::set_name(NAME);
    }
    crate::run_mark::clear();
    close_inherited();
}

/// Closes inherited files, because other processes may wait until they are closed.
fn close_inherited() {
    let Ok(open) = std::fs::read_dir("/dev/fd") else {
        return;
    };
    let inherited: Vec<RawFd> = open
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|number| *number > 2)
        .collect();
    for number in inherited {
        // This process only uses the three standard files. The directory listing is already closed.
        let _ = nix::unistd::close(number);
    }
}

/// Reads lines until the program closes the pipe, then ends the active runs. Returns the number of
/// processes and containers that could not be ended.
fn serve(lines: impl Read, mut output: impl Write) -> io::Result<usize> {
    output.write_all(READY)?;
    output.flush()?;
    let mut runs = BTreeMap::new();
    let mut containers = BTreeMap::new();
    let mut lines = BufReader::with_capacity(4 * 1024, lines);
    let mut text = Vec::with_capacity(LINE_BYTES_MAX);
    loop {
        text.clear();
        let bounded = &mut (&mut lines).take(LINE_BYTES_MAX as u64);
        match bounded.read_until(b'\n', &mut text) {
            // After an error, no further line can arrive, so it counts as the end.
            Ok(0) | Err(_) => break,
            Ok(_) => {
                if let Some(line) = WatchdogLine::parse(&text) {
                    record(&mut runs, &mut containers, line);
                }
            }
        }
    }
    // The engines' client programs are ended first, which stops their containers.
    let left = end_all(&runs);
    let containers: Vec<ContainerHandle> = containers.into_values().collect();
    Ok(left + remove_all(&containers, REMOVAL_LIMIT).len())
}

fn record(
    runs: &mut BTreeMap<RunId, Option<RunRoot>>,
    containers: &mut BTreeMap<RunId, ContainerHandle>,
    line: WatchdogLine,
) {
    match line {
        WatchdogLine::Begun(run) if runs.len() < RUNS_MAX => {
            runs.entry(run).or_default();
        }
        WatchdogLine::Leads(run, head) if runs.len() < RUNS_MAX => {
            runs.insert(run, Some(head));
        }
        WatchdogLine::Contains(run, contained) if containers.len() < CONTAINERS_MAX => {
            containers.insert(run, contained);
        }
        WatchdogLine::Begun(_) | WatchdogLine::Leads(..) | WatchdogLine::Contains(..) => {}
        WatchdogLine::Ended(run) => {
            runs.remove(&run);
            containers.remove(&run);
        }
    }
}

#[cfg(target_os = "linux")]
fn end_all(runs: &BTreeMap<RunId, Option<RunRoot>>) -> usize {
    use crate::descendants::{ProcessTree, StopTimeouts, end};
    if runs.is_empty() {
        return 0;
    }
    let mut trees: Vec<ProcessTree> = runs
        .iter()
        .map(|(run, head)| ProcessTree::new(*run, *head))
        .collect();
    let timeouts = StopTimeouts {
        term: TERM_GRACE,
        all: LIMIT,
    };
    end(&mut trees, timeouts)
}

/// Ends only the process groups, because this system can't list processes.
#[cfg(not(target_os = "linux"))]
fn end_all(runs: &BTreeMap<RunId, Option<RunRoot>>) -> usize {
    use std::time::Instant;

    use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

    const LOOK: Duration = Duration::from_millis(20);
    let mut groups: Vec<Pid> = runs
        .values()
        .flatten()
        .filter_map(|head| {
            i32::try_from(head.leader().pid)
                .ok()
                .and_then(Pid::from_raw)
        })
        .collect();
    let began = Instant::now();
    let mut asked = false;
    while began.elapsed() < LIMIT {
        groups.retain(|group| test_kill_process_group(*group).is_ok());
        if groups.is_empty() {
            break;
        }
        let killing = began.elapsed() >= TERM_GRACE;
        for group in &groups {
            if killing {
                let _ = kill_process_group(*group, Signal::KILL);
            } else if !asked {
                let _ = kill_process_group(*group, Signal::TERM);
            }
        }
        asked = true;
        std::thread::sleep(LOOK);
    }
    groups.len()
}
