//! The single thread that writes all members' lines to their files.
//!
//! The queue of this thread contains members, not lines, and each member at most once. The lines of
//! a member wait in its bounded [`Output`]. If a member writes faster than the disk, or faster than
//! [`PACE`] allows, only its own lines are lost. The file records the number of the lost lines.

use std::collections::VecDeque;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use crate::messages::LogError;
use guild_model::messages::io_message;
use guild_model::{Code, Report};
use guild_process::Output;
use parking_lot::{Condvar, Mutex};
use tokio::sync::watch;

use super::files::{Appended, Files, LogLimits, prune};
use super::line;
use guild_files::clock::now_ms;

/// Number of bytes that a member may write in a burst.
const BURST: u64 = 4 << 20;
/// Number of bytes per second that a member may write on average, so that constant output does not
/// wear out the disk.
const PACE: u64 = 256 << 10;
/// Maximum number of bytes that are written at once. The last line may exceed it.
const BATCH: usize = 256 << 10;
/// Approximate overhead of a line besides its text.
const LINE_OVERHEAD: usize = "2026-01-31T12:00:00.000Z 100 1000000 \n".len();
/// How long to wait for further lines before the number of missing lines is recorded in the file.
const TELL_MISSING: Duration = Duration::from_millis(500);

/// Reports write errors.
pub(super) type Tell = Box<dyn Fn(Report) + Send + Sync>;

/// The state of writing one member's lines to its files.
#[derive(Debug)]
pub(super) struct MemberLogWriter {
    files: Files,
    output: Output,
    queued: AtomicBool,
    /// Used only by the writer thread.
    progress: Mutex<LogFileState>,
}

impl MemberLogWriter {
    pub(super) fn new(files: Files, output: Output) -> Self {
        Self {
            files,
            output,
            queued: AtomicBool::new(false),
            progress: Mutex::new(LogFileState {
                next: 0,
                missing: 0,
                budget: Budget {
                    left: BURST,
                    at: Instant::now(),
                },
            }),
        }
    }
}

#[derive(Debug)]
struct LogFileState {
    /// The number of the next line.
    next: u64,
    /// Number of missing lines that the file does not record yet.
    missing: u64,
    budget: Budget,
}

/// The token bucket of a member.
#[derive(Debug)]
struct Budget {
    left: u64,
    at: Instant,
}

impl Budget {
    fn refill(&mut self, now: Instant) {
        let ms = u64::try_from(now.duration_since(self.at).as_millis()).unwrap_or(u64::MAX);
        let more = ms.saturating_mul(PACE) / 1_000;
        if more > 0 {
            self.left = self.left.saturating_add(more).min(BURST);
            self.at = now;
        }
    }

    fn take(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes as u64);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }
}

/// The handle of the thread, which starts with the first lines.
pub(super) struct LogWriter {
    shared: Arc<LogWriterState>,
}

struct LogWriterState {
    queue: Mutex<LogWriterQueue>,
    wake: Condvar,
    /// Notified when the queue is empty and nothing is being written.
    #[cfg(test)]
    rests: Condvar,
    limits: LogLimits,
    tell: Tell,
}

#[derive(Default)]
struct LogWriterQueue {
    waiting: VecDeque<Arc<MemberLogWriter>>,
    /// A channel that closes when the thread ends. No value is ever sent over it.
    ended: Option<watch::Receiver<()>>,
    closed: bool,
    /// Whether the thread is writing.
    busy: bool,
}

impl fmt::Debug for LogWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogWriter").finish_non_exhaustive()
    }
}

impl LogWriter {
    pub(super) fn new(limits: LogLimits, tell: Tell) -> Self {
        Self {
            shared: Arc::new(LogWriterState {
                queue: Mutex::default(),
                wake: Condvar::new(),
                #[cfg(test)]
                rests: Condvar::new(),
                limits,
                tell,
            }),
        }
    }

    /// Queues a member without waiting.
    pub(super) fn look_at(&self, followed: &Arc<MemberLogWriter>) {
        if followed.queued.swap(true, Ordering::AcqRel) {
            return;
        }
        let mut queue = self.shared.queue.lock();
        if queue.closed {
            return;
        }
        if queue.ended.is_none() {
            let (ending, ended) = watch::channel(());
            let shared = Arc::clone(&self.shared);
            let thread = std::thread::Builder::new().name("logs".into());
            let begun = thread.spawn(move || {
                LogWriterThread::new(&shared).run();
                drop(ending);
            });
            if let Err(error) = begun {
                // The thread could not be started. The member's next lines try it again.
                followed.queued.store(false, Ordering::Release);
                drop(queue);
                tracing::warn!(%error, "no thread for the logs");
                return;
            }
            queue.ended = Some(ended);
        }
        queue.waiting.push_back(Arc::clone(followed));
        drop(queue);
        self.shared.wake.notify_one();
    }

    /// Waits until all queued lines are written or have failed.
    #[cfg(test)]
    pub(super) fn settle(&self) {
        let writing = |queue: &mut LogWriterQueue| queue.busy || !queue.waiting.is_empty();
        let mut queue = self.shared.queue.lock();
        self.shared.rests.wait_while(&mut queue, writing);
    }

    /// Accepts no further lines and waits until the queued lines are written.
    pub(super) async fn close(&self) {
        let ended = {
            let mut queue = self.shared.queue.lock();
            queue.closed = true;
            queue.ended.clone()
        };
        self.shared.wake.notify_one();
        if let Some(mut ended) = ended {
            let _ = ended.changed().await;
        }
    }
}

impl Drop for LogWriter {
    fn drop(&mut self) {
        self.shared.queue.lock().closed = true;
        self.shared.wake.notify_one();
    }
}

struct LogWriterThread<'a> {
    shared: &'a LogWriterState,
    /// Members with missing lines that their files don't record yet.
    owing: Vec<Arc<MemberLogWriter>>,
    /// Whether the last write failed. The failure has been reported.
    failing: bool,
    /// Number of bytes that were written since the total size of the files was last checked.
    since_pruned: u64,
}

impl<'a> LogWriterThread<'a> {
    fn new(shared: &'a LogWriterState) -> Self {
        Self {
            shared,
            owing: vec![],
            failing: false,
            // A high value, so that the first batch also checks the files of earlier runs.
            since_pruned: u64::MAX / 2,
        }
    }

    fn run(mut self) {
        while let Some(next) = self.next() {
            match next {
                Some(followed) => self.take(&followed),
                None => self.tell_missing(),
            }
        }
        self.tell_missing();
    }

    /// Waits for the next member. Returns `Some(None)` when missing lines should be recorded, and
    /// `None` when the thread should end.
    fn next(&self) -> Option<Option<Arc<MemberLogWriter>>> {
        let mut queue = self.shared.queue.lock();
        queue.busy = false;
        loop {
            if let Some(followed) = queue.waiting.pop_front() {
                queue.busy = true;
                return Some(Some(followed));
            }
            if queue.closed {
                return None;
            }
            #[cfg(test)]
            self.shared.rests.notify_all();
            let wake = &self.shared.wake;
            if self.owing.is_empty() {
                wake.wait(&mut queue);
            } else if wake.wait_for(&mut queue, TELL_MISSING).timed_out() {
                return Some(None);
            }
        }
    }

    fn take(&mut self, followed: &Arc<MemberLogWriter>) {
        // Lines that arrive from now on queue the member again.
        followed.queued.store(false, Ordering::Release);
        let mut progress = followed.progress.lock();
        let (lines, overrun) = followed.output.since(progress.next);
        progress.missing += overrun;
        let Some(last) = lines.last() else { return };
        progress.next = last.seq + 1;
        progress.budget.refill(Instant::now());
        let mut batch = LogBatch::default();
        for line in &lines {
            if !progress.budget.take(line.text.len() + LINE_OVERHEAD) {
                progress.missing += 1;
                continue;
            }
            batch.tell(&mut progress.missing, line.at_ms);
            line::write(line, &mut batch.text);
            batch.lines += 1;
            if batch.text.len() >= BATCH {
                progress.missing += self.append(followed, std::mem::take(&mut batch));
            }
        }
        progress.missing += self.append(followed, batch);
        let owes = progress.missing > 0;
        drop(progress);
        if owes && !self.owing.iter().any(|known| Arc::ptr_eq(known, followed)) {
            self.owing.push(Arc::clone(followed));
        }
    }

    /// Records the missing lines in each file.
    fn tell_missing(&mut self) {
        for followed in std::mem::take(&mut self.owing) {
            let mut progress = followed.progress.lock();
            let mut batch = LogBatch::default();
            batch.tell(&mut progress.missing, now_ms());
            // If that fails, the number is recorded with the member's next lines.
            progress.missing += self.append(&followed, batch);
        }
    }

    /// Writes a batch and returns the number of lines that were lost because of an error. After an
    /// error, further errors are not reported until a write succeeds.
    fn append(&mut self, followed: &MemberLogWriter, batch: LogBatch) -> u64 {
        let LogBatch { text, lines, told } = batch;
        if text.is_empty() {
            return 0;
        }
        let files = &followed.files;
        match files.append(&text) {
            Ok(appended) => {
                self.failing = false;
                self.since_pruned += text.len() as u64;
                if appended == Appended::InNewFile
                    || self.since_pruned > self.shared.limits.file_bytes
                {
                    self.since_pruned = 0;
                    self.prune(files);
                }
                0
            }
            Err(error) => {
                if !std::mem::replace(&mut self.failing, true) {
                    (self.shared.tell)(unwritable(&files.current(), &error));
                }
                lines + told
            }
        }
    }

    fn prune(&self, files: &Files) {
        let file = files.current();
        let Some(folder) = file.parent() else { return };
        let (max, now) = (self.shared.limits.all_bytes, SystemTime::now());
        if let Err(error) = prune(folder, max, now, files.name(), super::is_own) {
            tracing::warn!(folder = %folder.display(), %error, "old logs can't be removed");
        }
    }
}

/// Text that is written at once.
#[derive(Default)]
struct LogBatch {
    text: String,
    lines: u64,
    /// Number of missing lines that the text records.
    told: u64,
}

impl LogBatch {
    /// Adds a remark with the number of missing lines, if any are missing.
    fn tell(&mut self, missing: &mut u64, at_ms: u64) {
        let count = std::mem::take(missing);
        let what = match count {
            0 => return,
            1 => "1 line is missing here: it could not be written".to_owned(),
            _ => format!(
                "{count} lines are missing here: they could not be written as fast as they came, or at all"
            ),
        };
        self.told += count;
        line::write_remark(at_ms, &what, &mut self.text);
    }
}

fn unwritable(file: &Path, error: &std::io::Error) -> Report {
    let trouble = LogError::LogUnwritable(file.to_owned(), io_message(error));
    Report::from_error(Code::LogUnwritable, &trouble)
}
