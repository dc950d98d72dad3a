//! The one thread that writes: calls in batches, and whatever else is to be changed.
//!
//! Nobody who ends a call waits for it. Its queue is bounded in count and bytes; what does not fit
//! is counted and told, never waited for.
//!
//! No timer delays it: whatever waits is written as soon as the thread is free, and stays also when
//! the program is killed then. A call is in the file two seconds after its answer at the latest,
//! unless the disk stands still, another program holds the file, or the file is being written anew
//! after a removal; `cargo xtask chaos` looks for each that was answered that long before a kill.
//!
//! What takes long is done in steps ([`Slow`]): what came meanwhile is written before the next one,
//! and at the end of the program what is left of it is left. What that leaves in the file of calls that were
//! removed goes after the next program's first call.

use std::collections::VecDeque;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use guild_core::event::HallEvent;
use guild_core::note::CallTrouble;
use guild_core::wire::{Cleared, EntryId, HistoryEntry, OutcomeKind};
use guild_core::{Code, Report};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::watch;

use super::calls::{self, NewCall};
use super::clearing::Removal;
use super::database::{Database, Opened, Stop};
use super::health::Health;
use super::{Ended, RESULT_KEPT, schema_digest, settings};
use crate::secrets::Values;
use crate::secrets::mask::{self, Secrets};

/// How many jobs may wait.
const WAITING_MAX: usize = 1_024;
/// How many bytes of calls may wait.
const WAITING_BYTES_MAX: usize = 128 << 20;
/// From which part of either on what the thread does besides is broken off where it can be.
const PRESSING: usize = 4;
/// How many jobs may be under way or wait that are done in steps.
const SLOW_MAX: usize = 8;
/// How many calls are written in one step.
const BATCH_MAX: usize = 64;
/// How long another writer is waited for.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// How many calls are removed in one step, and about how many bytes of them.
const TRIM: (usize, u64) = (256, 8 << 20);
/// How many free pages are given back in one step, and how many the file may keep.
const PAGES: (u32, u32) = (1_000, 4_000);

/// What the thread is asked for.
pub(super) enum Job {
    /// A call has ended.
    Record(Box<Ended>),
    /// Something else is to be changed.
    Work(Work),
    /// The same, where it takes long.
    Slow(Slow),
}

/// Something to be done with the thread's connection.
pub(super) type Work = Box<dyn FnOnce(&mut Option<Opened>) + Send>;

/// Does one step with the thread's connection, and says whether there is another one. It is told
/// whether nothing waits: a step that is not short is done only then.
pub(super) type Slow = Box<dyn FnMut(&mut Option<Opened>, bool) -> bool + Send>;

/// What waits for the thread.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    pub(super) jobs: AtomicUsize,
    bytes: AtomicUsize,
    slow: AtomicUsize,
    closing: AtomicBool,
}

impl Waiting {
    /// Whether the thread is to leave what can be done later: so much waits that there may soon be
    /// no room, or the program ends.
    pub(super) fn presses(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
            || self.jobs.load(Ordering::Relaxed) > WAITING_MAX / PRESSING
            || self.bytes.load(Ordering::Relaxed) > WAITING_BYTES_MAX / PRESSING
    }
}

/// Why a job was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotTaken {
    /// Too much waits already.
    Behind,
    /// The history is closed.
    Closed,
    /// There is no thread for it.
    NoThread,
}

/// What the thread works with.
#[derive(Debug, Clone)]
pub(super) struct Desk {
    pub(super) database: Arc<Database>,
    pub(super) settings: PathBuf,
    pub(super) values: Values,
    pub(super) health: Arc<Health>,
}

/// The way to the thread. The thread begins with the first job, and ends with the last handle.
pub(super) struct Writer {
    desk: Desk,
    link: Mutex<Link>,
    waiting: Arc<Waiting>,
}

enum Link {
    Unused,
    Open {
        jobs: SyncSender<Job>,
        ended: watch::Receiver<()>,
    },
    Closed,
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer")
            .field("desk", &self.desk)
            .finish_non_exhaustive()
    }
}

impl Writer {
    pub(super) fn new(desk: Desk) -> Self {
        Self {
            desk,
            link: Mutex::new(Link::Unused),
            waiting: Arc::default(),
        }
    }

    /// What waits for the thread.
    pub(super) fn waiting(&self) -> Arc<Waiting> {
        Arc::clone(&self.waiting)
    }

    /// Hands a job over; never waits.
    pub(super) fn send(&self, job: Job) -> Result<(), NotTaken> {
        let bytes = match &job {
            Job::Record(ended) => ended.bytes(),
            Job::Work(_) | Job::Slow(_) => 0,
        };
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*link, Link::Unused) {
            *link = self.begin()?;
        }
        let Link::Open { jobs, .. } = &*link else {
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

    fn begin(&self) -> Result<Link, NotTaken> {
        let (jobs, received) = sync_channel(WAITING_MAX);
        let (ending, ended) = watch::channel(());
        let writing = Writing {
            desk: self.desk.clone(),
            waiting: Arc::clone(&self.waiting),
            opened: None,
            slow: VecDeque::new(),
            has_looked: false,
        };
        let thread = std::thread::Builder::new().name("history".into());
        let begun = thread.spawn(move || {
            writing.run(&received);
            drop(ending);
        });
        match begun {
            Ok(_) => Ok(Link::Open { jobs, ended }),
            Err(error) => {
                tracing::warn!(%error, "no thread for the history");
                Err(NotTaken::NoThread)
            }
        }
    }

    /// From now on nothing is begun that takes long, and what can be broken off of it is.
    pub(super) fn closes_soon(&self) {
        self.waiting.closing.store(true, Ordering::Relaxed);
    }

    /// Takes no more jobs, and waits until those that wait are done; of what is done in steps, the
    /// rest is left.
    pub(super) async fn close(&self) {
        let link = {
            let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *link, Link::Closed)
        };
        if let Link::Open { jobs, mut ended } = link {
            self.closes_soon();
            drop(jobs);
            // Nothing is ever sent: the thread's end is what is waited for.
            let _ = ended.changed().await;
        }
    }
}

/// The thread's own.
struct Writing {
    desk: Desk,
    waiting: Arc<Waiting>,
    opened: Option<Opened>,
    /// What is done in steps, one after the other.
    slow: VecDeque<Slow>,
    /// Whether it was seen what the program before left of a removal.
    has_looked: bool,
}

impl Writing {
    fn run(mut self, jobs: &Receiver<Job>) {
        // Whether there may be too much in the database: then what is done between jobs is to
        // remove some of it.
        let mut tidying = false;
        loop {
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
                // Whoever waits for the rest of it is told that there is none.
                let left = self.slow.drain(..).count();
                self.waiting.slow.fetch_sub(left, Ordering::Relaxed);
            }
            // After each batch a step, so that neither keeps the other waiting for long.
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

    /// Does one step; what is left then.
    fn step(&mut self, mut slow: Slow, idle: bool) -> Option<Slow> {
        if slow(&mut self.opened, idle) {
            return Some(slow);
        }
        self.waiting.slow.fetch_sub(1, Ordering::Relaxed);
        None
    }

    /// Does a job, a call together with those that wait behind it; of what takes long the first step, and
    /// says so.
    fn take(&mut self, job: Job, jobs: &Receiver<Job>) -> bool {
        let mut batch = Vec::new();
        let mut next = Some(job);
        while let Some(job) = next {
            self.waiting.jobs.fetch_sub(1, Ordering::Relaxed);
            match job {
                Job::Record(ended) => batch.push(*ended),
                Job::Work(work) => {
                    // What ended before is in the history before anything else is done with it.
                    self.record(std::mem::take(&mut batch));
                    work(&mut self.opened);
                    self.take_up_removal();
                    return false;
                }
                Job::Slow(slow) => {
                    // It sees what there is now, however long it waits for others that take long.
                    self.record(std::mem::take(&mut batch));
                    let left = self.step(slow, false);
                    self.slow.extend(left);
                    return true;
                }
            }
            next = (batch.len() < BATCH_MAX)
                .then(|| jobs.try_recv().ok())
                .flatten();
        }
        self.record(batch);
        false
    }

    fn record(&mut self, batch: Vec<Ended>) {
        if batch.is_empty() {
            return;
        }
        let bytes = batch.iter().map(Ended::bytes).sum();
        let count = batch.len();
        let done = self.write(batch);
        self.waiting.bytes.fetch_sub(bytes, Ordering::Relaxed);
        match done {
            Ok(entries) => {
                self.desk.health.well();
                for entry in entries {
                    let entry = Box::new(entry);
                    self.desk.health.tell(HallEvent::CallRecorded { entry });
                }
            }
            Err(report) => self.desk.health.failed(&report, count),
        }
        self.take_up_removal();
    }

    fn write(&mut self, batch: Vec<Ended>) -> Result<Vec<HistoryEntry>, Report> {
        if !settings::read(&self.desk.settings)?.recording {
            return Ok(vec![]);
        }
        let secrets = Secrets::new(self.desk.values.known());
        let mut calls: Vec<NewCall> = batch
            .into_iter()
            .map(|ended| masked(ended, &secrets))
            .collect();
        let Self { desk, opened, .. } = self;
        desk.database.with(opened, PATIENCE, |connection| {
            in_transaction(connection, |transaction| {
                calls
                    .iter_mut()
                    .try_for_each(|call| calls::insert(transaction, call))
            })
        })?;
        Ok(calls.into_iter().map(|call| call.entry).collect())
    }

    /// Begins what the program before left of a removal. It is looked for once, with the first calls
    /// that are written while nothing is removed: a removal that is under way does it itself.
    fn take_up_removal(&mut self) {
        if self.has_looked || self.opened.is_none() || !self.slow.is_empty() {
            return;
        }
        self.has_looked = true;
        let Self { desk, opened, .. } = self;
        let found = desk
            .database
            .with(opened, PATIENCE, |connection| Removal::is_left(connection));
        match found {
            Ok(true) => {}
            Ok(false) => return,
            Err(report) => {
                tracing::warn!("what a removal left in the history is not known: {report}");
                return;
            }
        }
        let mut rest = Removal::rest(Arc::clone(&self.waiting));
        let database = Arc::clone(&self.desk.database);
        self.waiting.slow.fetch_add(1, Ordering::Relaxed);
        self.slow.push_back(Box::new(move |opened, idle| {
            let done = database.with(opened, PATIENCE, |connection| rest.step(connection, idle));
            done.unwrap_or_else(|report| {
                tracing::warn!("what a removal left stays in the history: {report}");
                Some(Cleared { count: 0 })
            })
            .is_none()
        }));
    }

    /// Removes some of what is too much; says whether there may be more of it.
    fn tidy(&mut self) -> bool {
        let Ok(settings) = settings::read(&self.desk.settings) else {
            return false;
        };
        let Self { desk, opened, .. } = self;
        if opened.is_none() {
            return false;
        }
        let done = desk.database.with(opened, PATIENCE, |connection| {
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

    /// Leaves everything in the database's own file.
    fn finish(&mut self) {
        let Self { desk, opened, .. } = self;
        if opened.is_none() {
            return;
        }
        let done = desk
            .database
            .with(opened, PATIENCE, |connection| Ok(empty_log(connection)?));
        if let Err(report) = done {
            tracing::debug!("the history's log stays beside it: {report}");
        }
    }
}

/// What is written of a call.
fn masked(ended: Ended, secrets: &Secrets) -> NewCall {
    let Ended {
        call,
        caller,
        client,
        member,
        tool,
        at_ms,
        duration_ms,
        arguments,
        end,
        cut,
        size,
        spec,
    } = ended;
    let schema = spec.as_ref().map(|spec| spec.input_schema());
    let (arguments, secrets) = mask::arguments(&arguments, schema, secrets);
    let (end, truncated) = mask::end(end, &secrets, RESULT_KEPT);
    let code = match &end {
        guild_core::wire::CallEnd::Failed { report, .. } => Some(report.code),
        guild_core::wire::CallEnd::Result { .. } => None,
    };
    NewCall {
        entry: HistoryEntry {
            id: EntryId(0),
            call,
            at_ms,
            caller,
            client,
            member,
            tool,
            outcome: OutcomeKind::of(&end),
            code,
            duration_ms,
            size,
            summary: calls::summary(&arguments.text),
        },
        arguments: arguments.text,
        masked: arguments.places,
        schema: schema.map(schema_digest),
        end,
        truncated: truncated || cut,
    }
}

/// Does something whole or not at all.
pub(super) fn in_transaction<T>(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = work(&transaction)?;
    transaction.commit()?;
    Ok(done)
}

/// Makes the file smaller where much of it is free; says whether there may be more to give.
fn give_pages_back(connection: &Connection) -> Result<bool, Stop> {
    let (step, keep) = PAGES;
    let free = || connection.pragma_query_value(None, "freelist_count", |row| row.get::<_, u32>(0));
    let before = free()?;
    if before <= keep {
        return Ok(false);
    }
    let mut statement = connection.prepare(&format!("PRAGMA incremental_vacuum({step})"))?;
    let mut rows = statement.query([])?;
    // It gives back one page with each row.
    while rows.next()?.is_some() {}
    // A file that another program wrote anew may not be able to give any back.
    Ok(free()? < before)
}

/// Moves what the write-ahead log has into the database, and empties the log.
pub(super) fn empty_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

impl NotTaken {
    /// What whoever waits for the job is told.
    pub(super) fn report(self, database: &Database) -> Report {
        match self {
            Self::Behind | Self::NoThread => super::database::busy(database.file()),
            Self::Closed => Report::told(Code::ShuttingDown, &CallTrouble::Closing),
        }
    }
}
