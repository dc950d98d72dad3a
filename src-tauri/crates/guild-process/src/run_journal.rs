//! Records the active runs on disk (Linux). If the program and its watchdog were killed, the next
//! start of the program reads the records.
//!
//! Each hall (one running Guild Hall) has a folder, which is locked while the hall's program lives.
//! The folder has a file for each run, with the run's id as its name:
//!
//! ```text
//! running/<hall>/lock
//! running/<hall>/<run>      boot 0f5a…   the id of the system's boot, for which the numbers are valid
//!                           member forge
//!                           container docker guild-hall-forge-47…   and the variables of its engine
//!                           leader 4711 890123
//! ```
//!
//! The file is created before the first process of the run. It is not synced to disk: after a power
//! failure, no process is left, and the boot has another id. If only the program is killed, the
//! kernel keeps the written data.
//!
//! A sweep ends the leader if its pid, its start time *and* the boot match the record. It also ends
//! all processes with the run's mark, and the descendants of both. If the file has `session`
//! instead of `leader`, the sweep only ends the processes of that session.

pub(crate) mod orphans;

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::descendants::{ProcessTree, StopTimeouts, end};
use crate::process_registry::container::{CONTAINER_LINE_MAX, ContainerHandle, remove_all};
use crate::process_registry::run::{Identity, RunId, RunRoot};

/// The file in a hall's folder that the hall locks.
const LOCK: &str = "lock";
/// Prefix of a folder's name until it is locked.
const NEW: &str = ".new-";
/// First words of the lines that record the run's first process.
const LEADER: &str = "leader";
const SESSION: &str = "session";
/// First word of the line that records the run's container.
const CONTAINER: &str = "container";
/// Maximum number of attempts to create and lock a folder. Several may be needed, because another
/// hall's sweep can remove the folder before it is locked.
const TRIES: usize = 5;
/// Maximum number of halls that a sweep inspects, and of runs of each hall.
const HALLS_MAX: usize = 1_000;
const RUNS_MAX: usize = 10_000;
/// Limit of a run's file, in bytes.
const ENTRY_BYTES: u64 = 1024 + CONTAINER_LINE_MAX as u64;
/// How long container engines may take to remove the containers that remain.
const REMOVAL_LIMIT: Duration = Duration::from_secs(3);
/// How long the processes that remain may take to end.
const TIMEOUTS: StopTimeouts = StopTimeouts {
    term: Duration::from_millis(1_500),
    all: Duration::from_millis(4_500),
};

#[derive(Debug)]
pub(crate) struct RunJournal {
    folder: PathBuf,
    boot: String,
    /// The locked file. The lock is released when this value is dropped or the program ends.
    _lock: File,
}

fn own_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

fn own_file() -> OpenOptions {
    let mut options = File::options();
    options.write(true).create_new(true).mode(0o600);
    options
}

impl RunJournal {
    /// Creates a hall's folder in `running`.
    ///
    /// # Errors
    /// When the folder can't be written, or the system can't lock files in it.
    pub(crate) fn open(running: &Path) -> io::Result<Self> {
        let boot = boot_id()?;
        own_folder().recursive(true).create(running)?;
        let mut failed = None;
        for _ in 0..TRIES {
            match Self::set_up(running) {
                Ok((folder, lock)) => {
                    return Ok(Self {
                        folder,
                        boot,
                        _lock: lock,
                    });
                }
                Err(error) => failed = Some(error),
            }
        }
        Err(failed.unwrap_or_else(|| io::Error::other("it could not be set up")))
    }

    fn set_up(running: &Path) -> io::Result<(PathBuf, File)> {
        let name = RunId::new().to_string();
        let new = running.join(format!("{NEW}{name}"));
        own_folder().create(&new)?;
        let lock = own_file().open(new.join(LOCK))?;
        lock.try_lock()?;
        // Sweeps can see the folder under its final name. It is locked by now.
        let folder = running.join(name);
        fs::rename(&new, &folder)?;
        Ok((folder, lock))
    }

    /// Records a run before its first process is started.
    pub(crate) fn begin(&self, run: RunId, member: &str) -> io::Result<()> {
        let mut file = own_file().open(self.folder.join(run.to_string()))?;
        let member: String = member
            .chars()
            .filter(|c| !c.is_control())
            .take(200)
            .collect();
        file.write_all(format!("boot {}\nmember {member}\n", self.boot).as_bytes())
    }

    /// Records a run's first process.
    pub(crate) fn leads(&self, run: RunId, head: RunRoot) -> io::Result<()> {
        let what = match head {
            RunRoot::ProcessTree(_) => LEADER,
            RunRoot::Session(_) => SESSION,
        };
        let Identity { pid, start } = head.leader();
        self.append(run, &format!("{what} {pid} {start}\n"))
    }

    fn append(&self, run: RunId, line: &str) -> io::Result<()> {
        let path = self.folder.join(run.to_string());
        let mut file = File::options().append(true).open(path)?;
        file.write_all(line.as_bytes())
    }

    /// Records a run's container. A container whose description is too long is not recorded, so
    /// only this program can remove it.
    pub(crate) fn contains(&self, run: RunId, contained: &ContainerHandle) -> io::Result<()> {
        let Some(line) = contained.to_line() else {
            return Ok(());
        };
        self.append(run, &format!("{CONTAINER} {line}\n"))
    }

    /// Removes the record of a run that has no more processes.
    pub(crate) fn ended(&self, run: RunId) -> io::Result<()> {
        match fs::remove_file(self.folder.join(run.to_string())) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Removes the folder, unless it has active runs. In that case, the next sweep removes it.
    pub(crate) fn close(&self) -> io::Result<()> {
        let runs = fs::read_dir(&self.folder)?.count() > 1;
        if runs { Ok(()) } else { remove(&self.folder) }
    }
}

/// Ends the remaining processes of halls whose program has ended, and removes the records. Takes
/// seconds if there are such processes, and otherwise nearly no time.
pub(crate) fn sweep(running: &Path) {
    let Ok(halls) = fs::read_dir(running) else {
        return;
    };
    let boot = boot_id().ok();
    let (mut trees, mut containers) = (Vec::new(), Vec::new());
    let mut over = Vec::new();
    for hall in halls.flatten().take(HALLS_MAX) {
        let folder = hall.path();
        let Some(lock) = abandoned(&folder) else {
            continue;
        };
        let left = orphans_in(&folder, boot.as_deref());
        trees.extend(left.trees);
        containers.extend_from_slice(&left.containers);
        over.push((folder, lock, left.containers));
    }
    if !trees.is_empty() {
        let left = end(&mut trees, TIMEOUTS);
        if left > 0 {
            tracing::warn!(left, "what an earlier run left could not all be ended");
            return;
        }
    }
    let left = remove_all(&containers, REMOVAL_LIMIT);
    if !left.is_empty() {
        tracing::warn!(
            left = left.len(),
            "some containers of an earlier run could not be removed"
        );
    }
    for (folder, _lock, containers) in over {
        // The record stays, so that the next sweep tries to remove the container again.
        if containers.iter().any(|one| left.contains(one)) {
            continue;
        }
        if let Err(error) = remove(&folder)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(folder = %folder.display(), %error, "an old journal stays");
        }
    }
}

/// Returns the lock of a hall's folder, if the hall's program has ended.
fn abandoned(folder: &Path) -> Option<File> {
    let Ok(lock) = File::open(folder.join(LOCK)) else {
        // An interrupted removal leaves an empty folder. This call can't remove a folder with
        // files.
        let _ = fs::remove_dir(folder);
        return None;
    };
    match lock.try_lock() {
        Ok(()) => Some(lock),
        Err(TryLockError::WouldBlock) => None,
        Err(TryLockError::Error(error)) => {
            tracing::debug!(folder = %folder.display(), %error, "the folder's owner can't be determined");
            None
        }
    }
}

/// The runs in the folder of a hall whose program has ended.
#[derive(Debug, Default)]
struct OrphanedRuns {
    /// The processes of the runs since the last boot.
    trees: Vec<ProcessTree>,
    /// The containers of all runs, including those from before the last boot, because a daemon may
    /// have restarted the containers after the boot.
    containers: Vec<ContainerHandle>,
}

fn orphans_in(folder: &Path, boot: Option<&str>) -> OrphanedRuns {
    let mut left = OrphanedRuns::default();
    for (run, text) in entries(folder) {
        let entry = RunJournalEntry::parse(&text);
        let is_now = Some(entry.boot) == boot;
        if is_now || entry.contained.is_some() {
            tracing::info!(
                member = entry.member,
                "a run was cut short: its remaining processes are terminated"
            );
        }
        if is_now {
            left.trees.push(ProcessTree::new(run, entry.head));
        }
        left.containers.extend(entry.contained);
    }
    left
}

/// Returns the ids of a hall's runs, with the content of their files.
fn entries(hall: &Path) -> impl Iterator<Item = (RunId, String)> {
    let files = fs::read_dir(hall).into_iter().flatten().flatten();
    files.take(RUNS_MAX).filter_map(|file| {
        let run = file.file_name().to_str().and_then(RunId::parse)?;
        let mut text = String::new();
        let opened = File::open(file.path()).ok()?;
        opened.take(ENTRY_BYTES).read_to_string(&mut text).ok()?;
        Some((run, text))
    })
}

#[derive(Debug, Default, PartialEq, Eq)]
struct RunJournalEntry<'a> {
    boot: &'a str,
    member: &'a str,
    contained: Option<ContainerHandle>,
    head: Option<RunRoot>,
}

impl<'a> RunJournalEntry<'a> {
    /// Parses the content. If the file was truncated, fields are missing.
    fn parse(text: &'a str) -> Self {
        let mut entry = Self::default();
        for line in text.split_inclusive('\n') {
            let Some((name, value)) = line
                .strip_suffix('\n')
                .and_then(|line| line.split_once(' '))
            else {
                continue;
            };
            match name {
                "boot" => entry.boot = value,
                "member" => entry.member = value,
                CONTAINER => entry.contained = ContainerHandle::parse(value),
                LEADER => entry.head = Identity::parse(value).map(RunRoot::ProcessTree),
                SESSION => entry.head = Identity::parse(value).map(RunRoot::Session),
                _ => {}
            }
        }
        entry
    }
}

/// Removes a folder that this process has locked. The lock file is removed last.
fn remove(folder: &Path) -> io::Result<()> {
    for file in fs::read_dir(folder)?.flatten() {
        if file.file_name() != LOCK {
            fs::remove_file(file.path())?;
        }
    }
    fs::remove_file(folder.join(LOCK))?;
    fs::remove_dir(folder)
}

fn boot_id() -> io::Result<String> {
    Ok(fs::read_to_string("/proc/sys/kernel/random/boot_id")?
        .trim()
        .to_owned())
}

#[cfg(test)]
mod tests;
