//! Measures whether a child and its descendants are working or waiting (Linux only).

use std::time::Duration;

/// The activity of the living processes since each of them started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProcessActivity {
    /// The number of processes.
    pub processes: usize,
    /// The total processor time of the processes.
    pub cpu: Duration,
    /// The total time that the processes have waited for a processor.
    pub waited: Duration,
    /// The bytes that the processes have read and written, including network traffic.
    pub moved: u64,
    /// Whether one of the processes is running, is runnable, or waits for a disk.
    pub busy: bool,
}

impl ProcessActivity {
    /// Returns the activity of a single process. Blocks for microseconds. `None` if the process is
    /// gone or can't be inspected.
    pub fn of(pid: u32) -> Option<Self> {
        linux::seen(pid, 1)
    }

    /// Returns the activity of a process and its descendants. Blocks for about 50 µs per process.
    pub fn of_tree(pid: u32) -> Option<Self> {
        linux::seen(pid, PROCESSES_MAX)
    }

    /// Whether a process has read everything from the pipe that is its stdin. Blocks for
    /// microseconds. `None` if the process is gone, its stdin is not a pipe, or it can't be
    /// inspected.
    pub fn has_read_input(pid: u32) -> Option<bool> {
        linux::has_read_input(pid)
    }

    /// Whether there was significant activity since an earlier measurement: a changed number of
    /// processes, transferred bytes, or more processor time than `idle`.
    pub fn has_moved_since(&self, earlier: &Self, idle: Duration) -> bool {
        self.processes != earlier.processes
            || self.moved != earlier.moved
            || self.cpu.abs_diff(earlier.cpu) > idle
    }
}

/// Limit of the inspected processes of one tree.
const PROCESSES_MAX: usize = 128;

#[cfg(not(target_os = "linux"))]
mod linux {
    pub(super) fn seen(_leader: u32, _most: usize) -> Option<super::ProcessActivity> {
        None
    }

    pub(super) fn has_read_input(_pid: u32) -> Option<bool> {
        None
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{self, File};
    use std::io::Read;
    use std::os::unix::fs::FileTypeExt;
    use std::path::Path;
    use std::time::Duration;

    use rustix::fs::{Mode, OFlags};

    use super::ProcessActivity;

    /// Limit of the inspected threads of one process.
    const THREADS_MAX: usize = 64;
    /// Bytes that are read of each file in `/proc`.
    const FILE_BYTES: u64 = 16 * 1024;

    pub(super) fn seen(leader: u32, most: usize) -> Option<ProcessActivity> {
        let mut activity = ProcessActivity::default();
        let mut tree = vec![leader];
        let mut text = String::new();
        let mut looked_at = 0;
        while let Some(&pid) = tree.get(looked_at) {
            looked_at += 1;
            let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
                continue;
            };
            let mut lives = false;
            for thread in threads.flatten().take(THREADS_MAX) {
                let path = thread.path();
                match read(&path, "stat", &mut text).and_then(state) {
                    Some('Z' | 'X') | None => continue,
                    Some(state) => activity.busy |= matches!(state, 'R' | 'D'),
                }
                lives = true;
                if let Some((cpu, waited)) = read(&path, "schedstat", &mut text).and_then(times) {
                    activity.cpu += cpu;
                    activity.waited += waited;
                }
                if tree.len() < most {
                    let children = read(&path, "children", &mut text).unwrap_or_default();
                    let children = children.split_ascii_whitespace();
                    tree.extend(children.filter_map(|child| child.parse::<u32>().ok()));
                    tree.truncate(most);
                }
            }
            if lives {
                activity.processes += 1;
                let moved = fs::read_to_string(format!("/proc/{pid}/io"));
                activity.moved += moved.as_deref().map_or(0, bytes);
            }
        }
        (activity.processes > 0).then_some(activity)
    }

    pub(super) fn has_read_input(pid: u32) -> Option<bool> {
        let path = format!("/proc/{pid}/fd/0");
        if !fs::metadata(&path).ok()?.file_type().is_fifo() {
            return None;
        }
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let input = rustix::fs::open(path.as_str(), flags, Mode::empty()).ok()?;
        Some(rustix::io::ioctl_fionread(input).ok()? == 0)
    }

    fn read<'a>(folder: &Path, name: &str, text: &'a mut String) -> Option<&'a str> {
        text.clear();
        let file = File::open(folder.join(name)).ok()?;
        file.take(FILE_BYTES).read_to_string(text).ok()?;
        Some(text)
    }

    /// Returns the process state from a line of `/proc/PID/stat`: the letter after the program's
    /// name, which is in parentheses and may contain any character.
    fn state(line: &str) -> Option<char> {
        line.rsplit_once(") ")?.1.chars().next()
    }

    /// Returns the first two numbers of `schedstat`: nanoseconds on a processor, and nanoseconds of
    /// waiting for one.
    fn times(line: &str) -> Option<(Duration, Duration)> {
        let mut numbers = line.split_ascii_whitespace();
        let mut next = || Some(Duration::from_nanos(numbers.next()?.parse().ok()?));
        Some((next()?, next()?))
    }

    fn bytes(lines: &str) -> u64 {
        let counted = |line: &str| {
            let (name, count) = line.split_once(": ")?;
            matches!(name, "rchar" | "wchar").then(|| count.trim().parse::<u64>().ok())?
        };
        lines.lines().filter_map(counted).sum()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn kernel_counters_are_read() {
            assert_eq!(state("7 (a) R) S 1 7"), Some('S'));
            let nanos = Duration::from_nanos;
            assert_eq!(times("1500 20 3\n"), Some((nanos(1500), nanos(20))));
            assert_eq!(bytes("rchar: 10\nwchar: 5\nread_bytes: 4096\n"), 15);
            for nothing in ["", "x", ": "] {
                assert_eq!(state(nothing), None);
                assert_eq!(times(nothing), None);
                assert_eq!(bytes(nothing), 0);
            }
        }

        #[test]
        fn input_is_read_once_the_process_has_taken_it() {
            use std::io::Write;
            use std::process::{Command, Stdio};
            use std::time::Instant;

            let mut command = Command::new("sleep");
            let command = command.arg("60").stdin(Stdio::piped());
            let mut sleeper = command.spawn().expect("a process that never reads");
            let pid = sleeper.id();
            assert_eq!(has_read_input(pid), Some(true));
            let mut input = sleeper.stdin.take().expect("its input");
            input.write_all(b"hello\n").expect("written");
            assert_eq!(has_read_input(pid), Some(false));
            let _ = sleeper.kill();
            let _ = sleeper.wait();
            assert_eq!(has_read_input(pid), None);

            let mut command = Command::new("cat");
            let command = command.stdin(Stdio::piped()).stdout(Stdio::null());
            let mut reader = command.spawn().expect("a process that reads");
            let mut input = reader.stdin.take().expect("its input");
            input.write_all(b"hello\n").expect("written");
            let began = Instant::now();
            while has_read_input(reader.id()) != Some(true) {
                assert!(began.elapsed() < Duration::from_secs(60), "never read");
                std::thread::sleep(Duration::from_millis(1));
            }
            drop(input);
            let _ = reader.wait();
        }

        #[test]
        fn we_ourselves_are_seen_at_work() {
            let own = std::process::id();
            let before = seen(own, 1).expect("we are here");
            assert!(before.busy, "this thread runs: {before:?}");
            assert_eq!(before.processes, 1);
            let after = seen(own, 1).expect("we are here");
            assert!(
                after.has_moved_since(&before, Duration::ZERO),
                "reading is work: {before:?}, {after:?}"
            );
        }

        #[test]
        fn nobody_is_seen_where_nobody_is() {
            // Larger than any pid of the kernel.
            assert_eq!(seen(u32::MAX, 4), None);
        }
    }
}
