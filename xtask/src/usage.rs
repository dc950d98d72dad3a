//! Reads the memory, processor time, wake-ups and descriptors of a desktop program or an engine on
//! Linux.
//!
//! The names of processes distinguish the program and its web view. All other descendants are
//! members' processes, which are only counted.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use fs_err as fs;

/// The usage of the processes of one kind.
#[derive(Debug, Clone, Default)]
pub(crate) struct Share {
    pub(crate) processes: usize,
    pub(crate) threads: usize,
    pub(crate) descriptors: usize,
    /// Memory in KiB (PSS): shared memory is divided among the processes that share it.
    pub(crate) pss: u64,
    /// Private memory in KiB that was written to.
    pub(crate) own: u64,
    /// The processor use of each thread since its start, by thread id.
    work: HashMap<u32, ThreadUsage>,
}

#[derive(Debug, Clone, Copy, Default)]
struct ThreadUsage {
    cpu: Duration,
    switches: u64,
}

/// The processor use between two measurements.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Stirred {
    pub(crate) cpu: Duration,
    /// How often a thread was scheduled on a processor.
    pub(crate) wakeups: u64,
}

impl Share {
    /// Returns the processor use since an earlier sample, without threads that ended in between.
    pub(crate) fn since(&self, earlier: &Self) -> Stirred {
        let mut stirred = Stirred::default();
        for (thread, now) in &self.work {
            let before = earlier.work.get(thread).copied().unwrap_or_default();
            stirred.cpu += now.cpu.saturating_sub(before.cpu);
            stirred.wakeups += now.switches.saturating_sub(before.switches);
        }
        stirred
    }

    fn add(&mut self, pid: u32) -> Result<()> {
        let process = Path::new("/proc").join(pid.to_string());
        let memory = fs::read_to_string(process.join("smaps_rollup"))
            .with_context(|| format!("reading the memory of process {pid}"))?;
        self.processes += 1;
        self.pss += number_after(&memory, "Pss:")?;
        self.own += number_after(&memory, "Private_Dirty:")?;
        self.descriptors += count(&process.join("fd"))?;
        for task in fs::read_dir(process.join("task"))?.flatten() {
            // A thread may end while it is read.
            let Some(thread) = task.file_name().to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            if let Ok(work) = work_of(&task.path()) {
                self.threads += 1;
                self.work.insert(thread, work);
            }
        }
        Ok(())
    }
}

/// A program's current usage.
#[derive(Debug, Clone, Default)]
pub(crate) struct Usage {
    /// The program itself and its helper processes.
    pub(crate) program: Share,
    /// The web view's processes, which draw and load the page.
    pub(crate) view: Share,
    /// Processes of members.
    pub(crate) members: usize,
}

impl Usage {
    /// Measures a program with a window, and all its descendants.
    pub(crate) fn of(root: u32) -> Result<Self> {
        let usage = Self::without_window(root)?;
        ensure!(
            usage.view.processes > 0,
            "the program has no process that draws its page"
        );
        Ok(usage)
    }

    /// Measures a process and all its descendants, with or without a window.
    pub(crate) fn without_window(root: u32) -> Result<Self> {
        let mut usage = Self::default();
        let mut waiting = vec![root];
        let own = name_of(root).context("the program has ended")?;
        while let Some(pid) = waiting.pop() {
            // A descendant may end while it is read, but the program itself must not.
            let Some(name) = name_of(pid) else { continue };
            let looked = if name.starts_with("WebKit") {
                usage.view.add(pid)
            } else if pid == root || name == own || name.starts_with("guild-guard") {
                usage.program.add(pid)
            } else {
                usage.members += 1;
                Ok(())
            };
            match looked {
                Err(error) if name_of(pid).is_some() => return Err(error),
                _ => waiting.extend(children_of(pid)),
            }
        }
        Ok(usage)
    }
}

fn name_of(pid: u32) -> Option<String> {
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(name.trim_end().to_owned())
}

fn children_of(pid: u32) -> Vec<u32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    tasks
        .flatten()
        .filter_map(|task| fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|words| {
            words
                .split_whitespace()
                .filter_map(|word| word.parse().ok())
                .collect::<Vec<_>>()
        })
        .collect()
}

fn count(folder: &Path) -> Result<usize> {
    let entries = fs::read_dir(folder)?;
    Ok(entries.count())
}

fn work_of(task: &Path) -> Result<ThreadUsage> {
    let times = fs::read_to_string(task.join("schedstat"))?;
    let nanos = times
        .split_whitespace()
        .next()
        .and_then(|first| first.parse().ok())
        .context("the system reports no processor time of threads")?;
    let status = fs::read_to_string(task.join("status"))?;
    let switches = number_after(&status, "voluntary_ctxt_switches:")?
        + number_after(&status, "nonvoluntary_ctxt_switches:")?;
    Ok(ThreadUsage {
        cpu: Duration::from_nanos(nanos),
        switches,
    })
}

/// Returns the first number in the line that begins with `start`.
pub(crate) fn number_after(text: &str, start: &str) -> Result<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(start));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .with_context(|| format!("no number follows {start}"))
}

pub(crate) fn mebibytes(kibibytes: u64) -> f64 {
    // Far below the 2^53 up to which a float is exact.
    #[expect(clippy::cast_precision_loss, reason = "memory in KiB fits a float")]
    let kibibytes = kibibytes as f64;
    kibibytes / 1_024.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_is_the_difference_of_each_thread() {
        let share = |threads: &[(u32, u64, u64)]| Share {
            work: threads
                .iter()
                .map(|&(thread, millis, switches)| {
                    let cpu = Duration::from_millis(millis);
                    (thread, ThreadUsage { cpu, switches })
                })
                .collect(),
            ..Share::default()
        };
        let before = share(&[(1, 100, 10), (2, 50, 5)]);
        // The second thread ended, and a third one began.
        let after = share(&[(1, 130, 14), (3, 7, 2)]);
        let stirred = after.since(&before);
        assert_eq!(stirred.cpu, Duration::from_millis(37));
        assert_eq!(stirred.wakeups, 6);
    }

    #[test]
    fn a_line_is_known_by_its_beginning() {
        let text = "nonvoluntary_ctxt_switches:\t7\nvoluntary_ctxt_switches:\t12\n";
        let number = |start| number_after(text, start).ok();
        assert_eq!(number("voluntary_ctxt_switches:"), Some(12));
        assert_eq!(number("nonvoluntary_ctxt_switches:"), Some(7));
        assert_eq!(number("Pss:"), None);
    }
}
