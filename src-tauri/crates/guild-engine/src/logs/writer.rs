//! The one thread that writes all members' lines into their files.
//!
//! Its queue holds members, not lines, and each member once at most: the lines wait in the bounded
//! [`Output`] of their member. Whoever writes faster than the disk, or for long faster than
//! [`PACE`], overruns its own lines and nobody else's; what is missing is counted in the file.

use std::collections::VecDeque;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use guild_core::note::{HistoryTrouble, Told as _};
use guild_core::{Code, Report};
use guild_process::Output;
use tokio::sync::watch;

use super::files::{Appended, Files, Limits, prune};
use super::line;
use crate::clock::now_ms;

/// How many bytes of a member are written at once, however fast they come.
const BURST: u64 = 4 << 20;
/// How many bytes of a member are written a second over longer times: a member that floods for a
/// day is not to wear out the disk.
const PACE: u64 = 256 << 10;
/// How many bytes are written at once, and the longest line more.
const BATCH: usize = 256 << 10;
/// About how much a line has beside its text.
const LINE_OVERHEAD: usize = "2026-01-31T12:00:00.000Z 100 1000000 \n".len();
/// How soon what is missing is told in the file when nothing more comes.
const TELL_MISSING: Duration = Duration::from_millis(500);

/// What is done with news about the writing itself.
pub(super) type Tell = Box<dyn Fn(Report) + Send + Sync>;

/// One member's lines on their way to its files.
#[derive(Debug)]
pub(super) struct Followed {
    files: Files,
    output: Output,
    /// Whether it stands in the queue.
    queued: AtomicBool,
    /// The thread's own.
    progress: Mutex<Progress>,
}

impl Followed {
    pub(super) fn new(files: Files, output: Output) -> Self {
        Self {
            files,
            output,
            queued: AtomicBool::new(false),
            progress: Mutex::new(Progress {
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
struct Progress {
    /// The number of the next line.
    next: u64,
    /// How many lines are missing that the file does not tell of yet.
    missing: u64,
    budget: Budget,
}

/// How much may be written now.
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

/// The way to the thread, which begins with the first lines.
pub(super) struct Writer {
    shared: Arc<Shared>,
}

struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
    /// Told when nothing waits any more.
    #[cfg(test)]
    rests: Condvar,
    limits: Limits,
    tell: Tell,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Arc<Followed>>,
    /// The thread's end; nothing is ever sent.
    ended: Option<watch::Receiver<()>>,
    closed: bool,
    /// The thread is writing.
    busy: bool,
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl Writer {
    pub(super) fn new(limits: Limits, tell: Tell) -> Self {
        Self {
            shared: Arc::new(Shared {
                queue: Mutex::default(),
                wake: Condvar::new(),
                #[cfg(test)]
                rests: Condvar::new(),
                limits,
                tell,
            }),
        }
    }

    /// Says that a member may have new lines; never waits.
    pub(super) fn look_at(&self, followed: &Arc<Followed>) {
        if followed.queued.swap(true, Ordering::AcqRel) {
            return;
        }
        let mut queue = self.shared.queue();
        if queue.closed {
            return;
        }
        if queue.ended.is_none() {
            let (ending, ended) = watch::channel(());
            let shared = Arc::clone(&self.shared);
            let thread = std::thread::Builder::new().name("logs".into());
            let begun = thread.spawn(move || {
                Writing::new(&shared).run();
                drop(ending);
            });
            if let Err(error) = begun {
                // The next lines try again.
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

    /// Waits until all that was said is written, or could not be.
    #[cfg(test)]
    pub(super) fn settle(&self) {
        let writing = |queue: &mut Queue| queue.busy || !queue.waiting.is_empty();
        let waited = self.shared.rests.wait_while(self.shared.queue(), writing);
        drop(waited.expect("the thread lives"));
    }

    /// Takes no more, and waits until what was said up to now is written.
    pub(super) async fn close(&self) {
        let ended = {
            let mut queue = self.shared.queue();
            queue.closed = true;
            queue.ended.clone()
        };
        self.shared.wake.notify_one();
        if let Some(mut ended) = ended {
            let _ = ended.changed().await;
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared.queue().closed = true;
        self.shared.wake.notify_one();
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread's own.
struct Writing<'a> {
    shared: &'a Shared,
    /// Members whose missing lines are not told yet.
    owing: Vec<Arc<Followed>>,
    /// Whether writing failed the last time, which was told then.
    failing: bool,
    /// How much was written since the folder's size was looked at.
    since_pruned: u64,
}

impl<'a> Writing<'a> {
    fn new(shared: &'a Shared) -> Self {
        Self {
            shared,
            owing: vec![],
            failing: false,
            // The first batch looks at what earlier runs left.
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

    /// The next member to be looked at; `Some(None)` when it is time to tell what is missing.
    fn next(&self) -> Option<Option<Arc<Followed>>> {
        let mut queue = self.shared.queue();
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
                queue = wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
            } else {
                let waited = wake.wait_timeout(queue, TELL_MISSING);
                let (after, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                if timeout.timed_out() {
                    return Some(None);
                }
                queue = after;
            }
        }
    }

    fn take(&mut self, followed: &Arc<Followed>) {
        // From here on new lines bring it into the queue again.
        followed.queued.store(false, Ordering::Release);
        let mut progress = followed.progress();
        let (lines, overrun) = followed.output.since(progress.next);
        progress.missing += overrun;
        let Some(last) = lines.last() else { return };
        progress.next = last.seq + 1;
        progress.budget.refill(Instant::now());
        let mut batch = Batch::default();
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

    /// Tells in each file how many lines are missing at its end.
    fn tell_missing(&mut self) {
        for followed in std::mem::take(&mut self.owing) {
            let mut progress = followed.progress();
            let mut batch = Batch::default();
            batch.tell(&mut progress.missing, now_ms());
            // What can't be told now is told with the next lines.
            progress.missing += self.append(&followed, batch);
        }
    }

    /// Writes, and says how many lines are missing because of that. What is wrong is told once,
    /// until it goes well again.
    fn append(&mut self, followed: &Followed, batch: Batch) -> u64 {
        let Batch { text, lines, told } = batch;
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

impl Followed {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Text that is written at once.
#[derive(Default)]
struct Batch {
    text: String,
    lines: u64,
    /// How many missing lines it tells of.
    told: u64,
}

impl Batch {
    /// Tells of missing lines, where there are any.
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
    let trouble = HistoryTrouble::LogUnwritable(file.to_owned(), error.told());
    Report::told(Code::LogUnwritable, &trouble)
}
