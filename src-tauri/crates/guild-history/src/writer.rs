//! The thread that writes the history: calls in batches, and all other changes.
//!
//! No call waits for this thread. Its queue is limited in count and bytes. Calls that don't fit
//! into the queue are counted and reported as not recorded.
//!
//! The thread collects calls for a moment ([`GATHER`]) and writes them in one transaction, because
//! the transaction is most of the cost of a write. Any other job ends that wait. A written call
//! survives if the program is killed. A call is in the file at most two seconds after its result,
//! unless the disk hangs, another program locks the file, or the file is rewritten after a removal.
//! `cargo xtask chaos` checks this.
//!
//! Long jobs run in steps ([`IncrementalJob`]). New calls are written between two steps. When the
//! program ends, the remaining steps are skipped. The next program resumes an unfinished removal
//! with its first job.

use std::collections::VecDeque;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use guild_api::event::HallEvent;
use guild_api::wire::Cleared;
use guild_model::messages::CallError;
use guild_model::{Code, Report};
use parking_lot::Mutex;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::watch;

use super::calls::{self, StoredCall};
use super::database::{Database, DatabaseConnection, Stop};
use super::deletion::HistoryDeletion;
use super::health::Health;
use super::{FinishedCall, RESULT_KEPT, schema_digest, settings};
use guild_secrets::SecretResolver;
use guild_secrets::mask::{self, SecretMatcher};

/// Maximum number of queued jobs. Further jobs are rejected.
const WAITING_MAX: usize = 1_024;
/// Maximum total size of the queued calls, in bytes.
const WAITING_BYTES_MAX: usize = 128 << 20;
/// If the queue exceeds this fraction of one of its two limits (a quarter), interruptible work is
/// interrupted.
const PRESSING: usize = 4;
/// Maximum number of long jobs, running or queued. Further long jobs are rejected.
const SLOW_MAX: usize = 8;
/// Maximum number of calls that one step writes.
const BATCH_MAX: usize = 64;
/// How long the thread waits for further calls before it writes a call.
const GATHER: Duration = Duration::from_millis(100);
/// How long a write waits for another writer's lock.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// Maximum number of calls that one step removes, and the maximum of their approximate total size
/// in bytes.
const TRIM: (usize, u64) = (256, 8 << 20);
/// Number of free pages that one step returns to the file system, and number of free pages that the
/// file may keep.
const PAGES: (u32, u32) = (1_000, 4_000);

/// A job for the writing thread.
pub(super) enum Job {
    Record(Box<FinishedCall>),
    /// Make any other change.
    Work(HistoryJob),
    /// Make a change in steps.
    Slow(IncrementalJob),
}

/// A change that is made with the thread's connection.
pub(super) type HistoryJob = Box<dyn FnOnce(&mut Option<DatabaseConnection>) + Send>;

/// One step of a long job, with the thread's connection. The flag shows the job whether the queue
/// is empty, because long steps run only then. Returns true if there is a further step.
pub(super) type IncrementalJob =
    Box<dyn FnMut(&mut Option<DatabaseConnection>, bool) -> bool + Send>;

/// The size of the queue, and whether it is closing.
#[derive(Debug, Default)]
pub(super) struct WriterQueueSize {
    pub(super) jobs: AtomicUsize,
    bytes: AtomicUsize,
    slow: AtomicUsize,
    closing: AtomicBool,
}

impl WriterQueueSize {
    /// Whether deferrable work should stop, because the queue is filling up or the program ends.
    pub(super) fn presses(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
            || self.jobs.load(Ordering::Relaxed) > WAITING_MAX / PRESSING
            || self.bytes.load(Ordering::Relaxed) > WAITING_BYTES_MAX / PRESSING
    }
}

/// The reason why a job was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotTaken {
    /// The queue is full.
    Behind,
    Closed,
    /// The thread could not be started.
    NoThread,
}

/// The shared data that the thread works with.
#[derive(Debug, Clone)]
pub(super) struct HistoryWriterContext {
    pub(super) database: Arc<Database>,
    pub(super) settings: PathBuf,
    pub(super) values: SecretResolver,
    pub(super) health: Arc<Health>,
}

/// The handle of the thread. The thread starts with the first job, and ends when the last handle is
/// dropped.
pub(super) struct HistoryWriter {
    context: HistoryWriterContext,
    link: Mutex<WriterChannel>,
    waiting: Arc<WriterQueueSize>,
}

enum WriterChannel {
    Unused,
    Open {
        jobs: SyncSender<Job>,
        ended: watch::Receiver<()>,
    },
    Closed,
}

impl fmt::Debug for HistoryWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HistoryWriter")
            .field("context", &self.context)
            .finish_non_exhaustive()
    }
}

impl HistoryWriter {
    pub(super) fn new(context: HistoryWriterContext) -> Self {
        Self {
            context,
            link: Mutex::new(WriterChannel::Unused),
            waiting: Arc::default(),
        }
    }

    /// Returns the size of the queue.
    pub(super) fn waiting(&self) -> Arc<WriterQueueSize> {
        Arc::clone(&self.waiting)
    }

    /// Queues a job without waiting.
    pub(super) fn send(&self, job: Job) -> Result<(), NotTaken> {
        let bytes = match &job {
            Job::Record(ended) => ended.bytes(),
            Job::Work(_) | Job::Slow(_) => 0,
        };
        let mut link = self.link.lock();
        if matches!(*link, WriterChannel::Unused) {
            *link = self.begin()?;
        }
        let WriterChannel::Open { jobs, .. } = &*link else {
            return Err(NotTaken::Closed);
        };
        let slow = usize::from(matches!(job, Job::Slow(_)));
        let waiting = self.waiting.bytes.fetch_add(bytes, Ordering::Relaxed);
        let in_steps = self.waiting.slow.fetch_add(slow, Ordering::Relaxed);
        self.waiting.jobs.fetch_add(1, Ordering::Relaxed);
        let sent = if waiting + bytes > WAITING_BYTES_MAX || slow > 0 && in_steps >= SLOW_MAX {
            Err(NotTaken::Behind)
        } else {
            jobs.try_send(job).map_err(|error| match error {
                TrySendError::Full(_) => NotTaken::Behind,
                TrySendError::Disconnected(_) => NotTaken::NoThread,
            })
        };
        if sent.is_err() {
            self.waiting.jobs.fetch_sub(1, Ordering::Relaxed);
            self.waiting.bytes.fetch_sub(bytes, Ordering::Relaxed);
            self.waiting.slow.fetch_sub(slow, Ordering::Relaxed);
        }
        sent
    }

    fn begin(&self) -> Result<WriterChannel, NotTaken> {
        let (jobs, received) = sync_channel(WAITING_MAX);
        let (ending, ended) = watch::channel(());
        let writing = HistoryWriterThread {
            context: self.context.clone(),
            waiting: Arc::clone(&self.waiting),
            opened: None,
            unwritten: None,
            slow: VecDeque::new(),
            has_looked: false,
        };
        let thread = std::thread::Builder::new().name("history".into());
        let begun = thread.spawn(move || {
            writing.run(&received);
            drop(ending);
        });
        match begun {
            Ok(_) => Ok(WriterChannel::Open { jobs, ended }),
            Err(error) => {
                tracing::warn!(%error, "no thread for the history");
                Err(NotTaken::NoThread)
            }
        }
    }

    /// Prevents further long jobs and interrupts running ones.
    pub(super) fn closes_soon(&self) {
        self.waiting.closing.store(true, Ordering::Relaxed);
    }

    /// Accepts no further jobs and waits until the queue is done. The remaining steps of long jobs
    /// are skipped.
    pub(super) async fn close(&self) {
        let link = {
            let mut link = self.link.lock();
            std::mem::replace(&mut *link, WriterChannel::Closed)
        };
        if let WriterChannel::Open { jobs, mut ended } = link {
            self.closes_soon();
            drop(jobs);
            // No value is ever sent over this channel. It closes when the thread ends.
            let _ = ended.changed().await;
        }
    }
}

/// Masked calls that are not yet in the file.
struct UnwrittenBatch {
    calls: Vec<StoredCall>,
    /// Total size of the calls, as counted in the limit of the queue.
    bytes: usize,
}

/// The state of the writing thread.
struct HistoryWriterThread {
    context: HistoryWriterContext,
    waiting: Arc<WriterQueueSize>,
    opened: Option<DatabaseConnection>,
    /// A batch that could not be written because another program locks the file.
    unwritten: Option<UnwrittenBatch>,
    /// Long jobs, in the order in which they run.
    slow: VecDeque<IncrementalJob>,
    /// Whether the thread has checked for an unfinished removal of an earlier program.
    has_looked: bool,
}

impl HistoryWriterThread {
    fn run(mut self, jobs: &Receiver<Job>) {
        // Whether the database may exceed its limits. While it does, the thread removes calls
        // between jobs.
        let mut tidying = false;
        loop {
            // No further job is taken from the queue before this batch is written, so that at most
            // one batch is outside the queue's limits.
            if self.unwritten.is_some() {
                self.retry();
                continue;
            }
            let job = if tidying || !self.slow.is_empty() {
                match jobs.try_recv() {
                    Ok(job) => Some(job),
                    Err(TryRecvError::Empty) => None,
                    Err(TryRecvError::Disconnected) => break,
                }
            } else {
                let Ok(job) = jobs.recv() else { break };
                Some(job)
            };
            let idle = job.is_none();
            let mut stepped = false;
            if let Some(job) = job {
                stepped = self.take(job, jobs);
                tidying = true;
            }
            if self.waiting.closing.load(Ordering::Relaxed) {
                // Dropping a job closes its channel, so that its caller gets an error.
                let left = self.slow.drain(..).count();
                self.waiting.slow.fetch_sub(left, Ordering::Relaxed);
            }
            // Steps of long jobs and batches of calls alternate, so that neither delays the other
            // for long.
            if stepped {
                continue;
            }
            if let Some(slow) = self.slow.pop_front() {
                if let Some(slow) = self.step(slow, idle) {
                    self.slow.push_front(slow);
                }
            } else if idle {
                tidying = self.tidy();
            }
        }
        self.finish();
    }

    /// Performs one step. Returns the job if it has further steps.
    fn step(&mut self, mut slow: IncrementalJob, idle: bool) -> Option<IncrementalJob> {
        if slow(&mut self.opened, idle) {
            return Some(slow);
        }
        self.waiting.slow.fetch_sub(1, Ordering::Relaxed);
        None
    }

    /// Performs a job. Consecutive calls form a batch. If the job is a long one, runs its first
    /// step and returns true.
    fn take(&mut self, job: Job, jobs: &Receiver<Job>) -> bool {
        let mut batch = Vec::new();
        let until = Instant::now() + GATHER;
        let mut next = Some(job);
        while let Some(job) = next {
            self.waiting.jobs.fetch_sub(1, Ordering::Relaxed);
            match job {
                Job::Record(ended) => batch.push(*ended),
                Job::Work(work) => {
                    // Earlier calls must be in the history before any other change.
                    self.record(std::mem::take(&mut batch));
                    work(&mut self.opened);
                    self.take_up_removal();
                    return false;
                }
                Job::Slow(slow) => {
                    // The first step runs at once, so that the job applies to the current calls
                    // even if other long jobs delay its further steps.
                    self.record(std::mem::take(&mut batch));
                    let left = self.step(slow, false);
                    self.slow.extend(left);
                    return true;
                }
            }
            // With a timeout of zero, only calls that are already queued are taken.
            let wait = match self.waiting.presses() || !self.slow.is_empty() {
                true => Duration::ZERO,
                false => until.saturating_duration_since(Instant::now()),
            };
            next = (batch.len() < BATCH_MAX)
                .then(|| jobs.recv_timeout(wait).ok())
                .flatten();
        }
        self.record(batch);
        false
    }

    /// Writes calls. If another program has locked the file, keeps the batch for [`Self::retry`].
    /// When Guild Hall exits, no batch is kept.
    fn record(&mut self, batch: Vec<FinishedCall>) {
        if batch.is_empty() {
            return;
        }
        let bytes = batch.iter().map(FinishedCall::bytes).sum();
        match settings::read(&self.context.settings) {
            Ok(settings) if settings.recording => {
                let secrets = SecretMatcher::new(self.context.values.known());
                let masked = batch.into_iter().map(|ended| masked(ended, &secrets));
                let calls = masked.collect();
                self.write(UnwrittenBatch { calls, bytes });
            }
            settings => {
                self.waiting.bytes.fetch_sub(bytes, Ordering::Relaxed);
                match settings {
                    Ok(_) => self.context.health.well(),
                    Err(report) => self.context.health.failed(&report, batch.len()),
                }
            }
        }
        self.take_up_removal();
    }

    fn retry(&mut self) {
        if let Some(batch) = self.unwritten.take() {
            self.write(batch);
        }
    }

    fn write(&mut self, mut batch: UnwrittenBatch) {
        let Self {
            context, opened, ..
        } = self;
        let done = context.database.with(opened, PATIENCE, |connection| {
            in_transaction(connection, |transaction| {
                let mut calls = batch.calls.iter_mut();
                calls.try_for_each(|call| calls::insert(transaction, call))
            })
        });
        let health = &context.health;
        if let Err(report) = &done
            && report.code == Code::HistoryBusy
            && !self.waiting.closing.load(Ordering::Relaxed)
        {
            health.delayed(report);
            self.unwritten = Some(batch);
            return;
        }
        self.waiting.bytes.fetch_sub(batch.bytes, Ordering::Relaxed);
        match done {
            Ok(()) => {
                health.well();
                for call in batch.calls {
                    let entry = Box::new(call.entry);
                    health.tell(HallEvent::CallRecorded { entry });
                }
            }
            Err(report) => health.failed(&report, batch.calls.len()),
        }
    }

    /// Resumes an unfinished removal of an earlier program. Checks for one only once, after the
    /// first job during which no long job is queued. A running removal also finishes the earlier
    /// one.
    fn take_up_removal(&mut self) {
        if self.has_looked || self.opened.is_none() || !self.slow.is_empty() {
            return;
        }
        self.has_looked = true;
        let Self {
            context, opened, ..
        } = self;
        let found = context.database.with(opened, PATIENCE, |connection| {
            HistoryDeletion::is_left(connection)
        });
        match found {
            Ok(true) => {}
            Ok(false) => return,
            Err(report) => {
                tracing::warn!("can't check for an unfinished removal: {report}");
                return;
            }
        }
        let mut rest = HistoryDeletion::rest(Arc::clone(&self.waiting));
        let database = Arc::clone(&self.context.database);
        self.waiting.slow.fetch_add(1, Ordering::Relaxed);
        self.slow.push_back(Box::new(move |opened, idle| {
            let done = database.with(opened, PATIENCE, |connection| rest.step(connection, idle));
            done.unwrap_or_else(|report| {
                tracing::warn!("an unfinished removal can't be completed: {report}");
                Some(Cleared { count: 0 })
            })
            .is_none()
        }));
    }

    /// Removes some of the calls beyond the limits. Returns true if there may be more.
    fn tidy(&mut self) -> bool {
        let Ok(settings) = settings::read(&self.context.settings) else {
            return false;
        };
        let Self {
            context, opened, ..
        } = self;
        if opened.is_none() {
            return false;
        }
        let done = context.database.with(opened, PATIENCE, |connection| {
            let (calls, bytes) = (settings.keep_calls, settings.keep_bytes);
            let ids = calls::too_many(connection, calls, bytes, TRIM)?;
            if ids.is_empty() {
                return give_pages_back(connection);
            }
            in_transaction(connection, |transaction| calls::remove(transaction, &ids))?;
            Ok(true)
        });
        done.unwrap_or_else(|report| {
            tracing::warn!("old calls can't be removed from the history: {report}");
            false
        })
    }

    /// Moves the content of the write-ahead log into the database file, before the thread ends.
    fn finish(&mut self) {
        let Self {
            context, opened, ..
        } = self;
        if opened.is_none() {
            return;
        }
        let done = context
            .database
            .with(opened, PATIENCE, |connection| Ok(empty_log(connection)?));
        if let Err(report) = done {
            tracing::debug!("the history's write-ahead log can't be emptied: {report}");
        }
    }
}

/// Builds the masked record of a call.
fn masked(ended: FinishedCall, secrets: &SecretMatcher) -> StoredCall {
    let FinishedCall {
        mut entry,
        arguments,
        end,
        cut,
        spec,
    } = ended;
    let schema = spec.as_ref().map(|spec| spec.input_schema());
    let (arguments, secrets) = mask::arguments(&arguments, schema, secrets);
    let (end, truncated) = mask::end(end, &secrets, RESULT_KEPT);
    entry.summary = calls::summary(&arguments.text);
    StoredCall {
        entry,
        arguments: arguments.text,
        masked: arguments.places,
        schema: schema.map(schema_digest),
        end,
        truncated: truncated || cut,
    }
}

pub(super) fn in_transaction<T>(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = work(&transaction)?;
    transaction.commit()?;
    Ok(done)
}

/// Returns free pages of the file to the file system. Returns true if there may be more of them.
fn give_pages_back(connection: &Connection) -> Result<bool, Stop> {
    let (step, keep) = PAGES;
    let free = || connection.pragma_query_value(None, "freelist_count", |row| row.get::<_, u32>(0));
    let before = free()?;
    if before <= keep {
        return Ok(false);
    }
    let mut statement = connection.prepare(&format!("PRAGMA incremental_vacuum({step})"))?;
    let mut rows = statement.query([])?;
    // Each row frees one page.
    while rows.next()?.is_some() {}
    // A program may have rewritten the file without incremental vacuum. In that case no page is
    // freed.
    Ok(free()? < before)
}

/// Moves the write-ahead log into the database and truncates it.
pub(super) fn empty_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

impl NotTaken {
    /// Returns the report for the caller of the job.
    pub(super) fn report(self, database: &Database) -> Report {
        match self {
            Self::Behind | Self::NoThread => super::database::busy(database.file()),
            Self::Closed => Report::from_error(Code::ShuttingDown, &CallError::Closing),
        }
    }
}
