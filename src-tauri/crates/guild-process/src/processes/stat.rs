//! Parses the line in `/proc/PID/stat` about a process.

use super::read;

/// The length of the beginning of the line that contains all needed fields, in bytes.
const STAT_BYTES: u64 = 1024;
const KERNEL_THREAD: u32 = 0x0020_0000;
/// The flag of a thread that has begun to exit but may still have open files.
const ENDING: u32 = 0x0000_0004;

/// The data in the line about a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(super) state: char,
    pub(crate) parent: u32,
    pub(crate) group: u32,
    pub(crate) session: u32,
    pub(super) flags: u32,
    pub(super) threads: u32,
    /// The start time, in clock ticks since the system booted.
    pub(crate) start: u64,
}

impl Stat {
    /// Reads the status of the process that has this pid now.
    pub(crate) fn read(pid: u32) -> Option<Self> {
        Self::read_into(pid, &mut Vec::new())
    }

    pub(crate) fn read_into(pid: u32, text: &mut Vec<u8>) -> Option<Self> {
        Self::read_at(&format!("/proc/{pid}"), text)
    }

    /// Reads the status of the process or thread that has this folder in `/proc`.
    pub(super) fn read_at(folder: &str, text: &mut Vec<u8>) -> Option<Self> {
        let line = read(&format!("{folder}/stat"), STAT_BYTES, text)?;
        Self::parse(&String::from_utf8_lossy(line))
    }

    /// Whether the process has ended. `state` is the state of its first thread, which may have
    /// exited before the others.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.state, 'Z' | 'X') && self.threads <= 1
    }

    /// Whether the thread has exited or begun to exit. The line of a process describes its first
    /// thread.
    pub(super) fn is_ending(&self) -> bool {
        self.flags & ENDING != 0 || matches!(self.state, 'Z' | 'X')
    }

    pub(super) fn is_kernel(&self) -> bool {
        self.flags & KERNEL_THREAD != 0
    }

    pub(super) fn parse(line: &str) -> Option<Self> {
        // The program's name is in parentheses and may contain any character.
        let (_, rest) = line.rsplit_once(')')?;
        let mut fields = rest.split_ascii_whitespace();
        Some(Self {
            state: fields.next()?.chars().next()?,
            parent: fields.next()?.parse().ok()?,
            group: fields.next()?.parse().ok()?,
            session: fields.next()?.parse().ok()?,
            flags: fields.nth(2)?.parse().ok()?,
            threads: fields.nth(10)?.parse().ok()?,
            start: fields.nth(1)?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "42 (a) Z 7 (b) Z 1 40 39 0 -1 4228364 0 0 0 0 0 0 0 0 20 0 1 0 99 0 0";

    #[test]
    fn a_line_is_read_whatever_the_name_is() {
        let stat = Stat {
            state: 'Z',
            parent: 1,
            group: 40,
            session: 39,
            flags: 4_228_364,
            threads: 1,
            start: 99,
        };
        assert_eq!(Stat::parse(LINE), Some(stat));
        for line in ["", "42 (a", "42 (a)", "42 (a) Z", "42 (a) Z 1 x 1"] {
            assert_eq!(Stat::parse(line), None, "{line}");
        }
    }

    #[test]
    fn a_process_whose_first_thread_alone_has_ended_lives() {
        let stat = |state, threads| Stat {
            state,
            threads,
            ..Stat::parse(LINE).expect("a line")
        };
        assert!(stat('Z', 1).has_ended());
        assert!(!stat('Z', 2).has_ended());
        assert!(!stat('S', 1).has_ended());
    }

    #[test]
    fn a_thread_that_has_begun_to_end_is_told_before_it_has_ended() {
        let stat = |state, flags| Stat {
            state,
            flags,
            ..Stat::parse(LINE).expect("a line")
        };
        assert!(stat('R', 0x0040_0144).is_ending());
        assert!(stat('Z', 0x0040_0100).is_ending());
        assert!(!stat('R', 0x0040_0100).is_ending());
    }

    #[test]
    fn we_are_alive_and_no_thread_of_the_kernel() {
        let own = Stat::read(std::process::id()).expect("our own line");
        assert!(!own.has_ended());
        assert!(!own.is_kernel());
        assert!(own.start > 0);
    }

    #[test]
    fn mangled_lines_are_of_no_process_or_of_one_with_its_numbers() {
        guild_tests::mangled::each("proc-stat", |bytes| {
            if let Some(stat) = Stat::parse(&String::from_utf8_lossy(bytes)) {
                assert!(String::from_utf8_lossy(bytes).contains(&stat.start.to_string()));
            }
        });
    }
}
