//! The history: finished calls, saved calls and drafts, in one database in the data folder.
//!
//! [`History`] is the handle. The database is opened on first use, so that neither a start nor a
//! call waits for it. One thread writes ([`writer`]) and a few connections read ([`readers`]), all
//! with timeouts. Secrets are masked before anything is written ([`mask`]). Calls continue even if
//! the file is unusable ([`database`]).

mod calls;
mod database;
mod deletion;
mod export;
mod health;
mod masking;
pub mod messages;
mod readers;
mod revisions;
mod saved;
mod schemas;
mod sessions;
mod settings;
mod tokens;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::messages::HistoryError;
use guild_api::wire::{
    AgentSession, AgentSessions, CallEnd, CallOutcome, Caller, Cleared, EntryId, ExportHistory,
    Exported, HistoryEntry, HistoryEntryRef, HistoryFilter, HistoryPage, HistorySettings,
    HistoryState, KeepDraft, KeptDraft, ListSessions, OutcomeKind, PAGE_MAX, RecordedCall,
    RenameSavedCall, SESSIONS_MAX, SaveCall, SavedCall, SavedCallRef, SavedCalls, SavedCallsOf,
    SavedId, SearchHistory, ToolRef,
};
use guild_model::arguments::parse_exact;
use guild_model::tool::ToolSpec;
use guild_model::{CallId, Code, MemberName, Report};
use rusqlite::Connection;
use tokio::sync::oneshot;
use tokio::time::timeout;

pub use self::calls::ReadableResult;
use self::calls::{HistoryOrder, Selection};
use self::database::{Database, DatabaseConnection, Stop};
use self::deletion::HistoryDeletion;
use self::health::Health;
pub use self::masking::Masking;
use self::readers::Readers;
pub use self::revisions::{NewRevision, ToolRevision};
use self::schemas::{Schemas, schema_digest, spec_of};
use self::writer::{HistoryWriter, HistoryWriterContext, Job, NotTaken, in_transaction};
use guild_files::blocking::blocking;
use guild_files::clock::now_ms;
use guild_roster::Roster;
use guild_secrets::SecretResolver;
use guild_secrets::mask::{self, SecretMatcher};

/// How long a search waits for recently finished calls to be written.
const SETTLE_LIMIT: Duration = Duration::from_millis(500);

/// Maximum size of a stored result, in bytes.
const RESULT_KEPT: usize = 1 << 20;
/// Maximum size of a result in the queue, in bytes. It exceeds [`RESULT_KEPT`] by more than the
/// length of any secret. A secret that begins before the cut is therefore complete in the queue,
/// and can be masked.
const RESULT_WAITING: usize = 2 << 20;
/// Maximum size of arguments in the queue, in bytes. Calls reject longer arguments.
const ARGUMENTS_WAITING: usize = guild_model::arguments::ARGUMENTS_BYTES_MAX + 1;
/// Timeout of a query.
const READ_LIMIT: Duration = Duration::from_secs(10);
/// Timeout of a single change.
const WRITE_LIMIT: Duration = Duration::from_secs(15);
/// Timeout of [`History::make_readable`], for which an agent waits.
const READABLE_LIMIT: Duration = Duration::from_secs(2);
/// Timeout of removing or exporting many calls.
const LONG_LIMIT: Duration = Duration::from_secs(10 * 60);

/// The history. Cheap to clone.
#[derive(Debug, Clone)]
pub struct History {
    inner: Arc<HistoryStore>,
}

#[derive(Debug)]
struct HistoryStore {
    roster: Arc<Roster>,
    database: Arc<Database>,
    health: Arc<Health>,
    values: SecretResolver,
    settings: PathBuf,
    writer: HistoryWriter,
    readers: Readers,
}

/// A finished call to record.
#[derive(Debug)]
pub struct FinishedCall {
    /// The list entry, without ID and summary.
    entry: HistoryEntry,
    arguments: String,
    end: CallEnd,
    /// Whether the result in `end` is only the beginning of the whole result.
    cut: bool,
    spec: Option<ToolSpec>,
}

impl FinishedCall {
    /// Creates the record of a call from its outcome and its arguments as typed. `spec` is the
    /// called tool, if it is known.
    pub fn new(
        outcome: &CallOutcome,
        caller: Caller,
        arguments: &str,
        spec: Option<ToolSpec>,
    ) -> Self {
        let (end, size, cut) = match &outcome.end {
            CallEnd::Result { result, is_error } => {
                let kept = waiting(result);
                let end = CallEnd::Result {
                    result: kept.to_owned(),
                    is_error: *is_error,
                };
                (end, result.len(), kept.len() < result.len())
            }
            failed @ CallEnd::Failed { .. } => (failed.clone(), 0, false),
        };
        let code = match &end {
            CallEnd::Failed { report, .. } => Some(report.code),
            CallEnd::Result { .. } => None,
        };
        Self {
            entry: HistoryEntry {
                id: EntryId(0),
                call: outcome.call.clone(),
                at_ms: outcome.started_at_ms,
                caller,
                client: None,
                member: outcome.member.clone(),
                tool: outcome.tool.clone(),
                outcome: OutcomeKind::of(&end),
                code,
                duration_ms: outcome.duration_ms,
                size: size as u64,
                summary: String::new(),
                trace_id: None,
                session: None,
            },
            arguments: arguments[..arguments.floor_char_boundary(ARGUMENTS_WAITING)].to_owned(),
            end,
            cut,
            spec,
        }
    }

    /// Sets the result of a call that has one. Copies only the part that is stored.
    #[must_use]
    pub fn with_result(mut self, whole: &str) -> Self {
        if let CallEnd::Result { result, .. } = &mut self.end {
            let kept = waiting(whole);
            kept.clone_into(result);
            self.cut = kept.len() < whole.len();
            self.entry.size = whole.len() as u64;
        }
        self
    }

    /// Sets the name of the agent that made the call, and its MCP session.
    #[must_use]
    pub fn by(mut self, client: &str, session: Option<&str>) -> Self {
        self.entry.client = Some(client.to_owned());
        self.entry.session = session.map(str::to_owned);
        self
    }

    /// Sets the id of the call's trace.
    #[must_use]
    pub fn traced(mut self, trace_id: String) -> Self {
        self.entry.trace_id = Some(trace_id);
        self
    }

    /// Returns the approximate memory of the call in the queue, in bytes.
    fn bytes(&self) -> usize {
        let end = match &self.end {
            CallEnd::Result { result, .. } => result.len(),
            CallEnd::Failed { stderr, .. } => stderr.iter().map(|line| line.text.len()).sum(),
        };
        1_024 + self.arguments.len() + end
    }
}

/// Returns the part of a result that is put into the queue.
fn waiting(result: &str) -> &str {
    &result[..result.floor_char_boundary(RESULT_WAITING)]
}

impl History {
    /// Creates the history of a data folder. Opens no file.
    pub fn new(data_dir: &Path, values: SecretResolver, roster: Arc<Roster>) -> Self {
        let health = Arc::new(Health::new(Arc::clone(&roster)));
        let database = Arc::new(Database::new(
            data_dir.join("history.db"),
            Arc::clone(&health),
        ));
        let settings = data_dir.join("history.json");
        let context = HistoryWriterContext {
            database: Arc::clone(&database),
            settings: settings.clone(),
            values: values.clone(),
            health: Arc::clone(&health),
        };
        Self {
            inner: Arc::new(HistoryStore {
                roster,
                readers: Readers::new(Arc::clone(&database)),
                database,
                health,
                values,
                settings,
                writer: HistoryWriter::new(context),
            }),
        }
    }

    /// Queues a call to be recorded, without waiting. If the queue is full, the call is counted as
    /// not recorded, and the user gets a warning.
    pub fn record(&self, ended: FinishedCall) {
        match self.inner.writer.send(Job::Record(Box::new(ended))) {
            Err(NotTaken::Behind | NotTaken::NoThread) => self.inner.health.behind(),
            Ok(()) | Err(NotTaken::Closed) => {}
        }
    }

    /// Counts a call that is not recorded because of a rate limit.
    pub fn passed_over(&self) {
        self.inner.health.passed_over();
    }

    /// Returns a masker with the currently known secrets. Blocking.
    pub fn masking(&self) -> Masking {
        Masking(SecretMatcher::new(self.inner.values.known()))
    }

    /// Waits until each finished call is either written or counted as not recorded.
    ///
    /// # Errors
    /// The errors of the database.
    pub async fn settled(&self) -> Result<(), Report> {
        self.write(WRITE_LIMIT, |_| Ok(())).await
    }

    /// Returns the calls that match a filter, newest first. If they can't be read, the page
    /// contains the error and no calls.
    pub async fn search(&self, search: SearchHistory) -> HistoryPage {
        let SearchHistory {
            filter,
            before,
            limit,
        } = search;
        // The writing thread collects finished calls for a moment before it writes them. If the
        // disk is slow, the page lacks the newest calls, and events report them later.
        let _ = tokio::time::timeout(SETTLE_LIMIT, self.settled()).await;
        let found = self.read(READ_LIMIT, move |connection| {
            let mut selection = Selection::of(connection, &filter)?;
            if let Some(before) = before {
                selection = selection.behind(before, HistoryOrder::NewestFirst);
            }
            selection.page(connection, limit.min(PAGE_MAX))
        });
        let ((entries, more), trouble) = with_trouble(found.await);
        HistoryPage {
            entries,
            more,
            trouble: trouble.or_else(|| self.inner.health.trouble()),
        }
    }

    /// Returns everything that is stored about one call.
    ///
    /// # Errors
    /// `history-entry-unknown`, and the errors of the database.
    pub async fn entry(&self, of: HistoryEntryRef) -> Result<RecordedCall, Report> {
        let mut schemas = Schemas::new(self.inner.roster.snapshot());
        self.read(READ_LIMIT, move |connection| {
            let call = calls::read(connection, of.id)?.ok_or_else(gone)?;
            Ok(schemas.recorded(call))
        })
        .await
    }

    /// Like [`entry`](Self::entry), for a file that is made of the call: secrets that became known
    /// after the recording are masked too.
    ///
    /// # Errors
    /// `history-entry-unknown`, and the errors of the database.
    pub async fn reusable(&self, of: HistoryEntryRef) -> Result<RecordedCall, Report> {
        let snapshot = self.inner.roster.snapshot();
        let values = self.inner.values.clone();
        self.read(READ_LIMIT, move |connection| {
            let mut call = calls::read(connection, of.id)?.ok_or_else(gone)?;
            let spec = spec_of(&snapshot, &call.entry.member, &call.entry.tool);
            let secrets = SecretMatcher::new(values.known());
            let schema = spec.as_ref().map(ToolSpec::input_schema);
            let (masked, secrets) = mask::again(&call.arguments, schema, &secrets);
            (call.arguments, call.masked) = (masked.text, masked.places);
            let (end, truncated) = mask::end(call.end, &secrets, RESULT_KEPT);
            call.end = end;
            call.truncated |= truncated;
            Ok(Schemas::new(snapshot.clone()).recorded(call))
        })
        .await
    }

    /// Returns the newest sessions of agents.
    ///
    /// # Errors
    /// The errors of the database.
    pub async fn sessions(&self, list: ListSessions) -> Result<AgentSessions, Report> {
        // As in a search, the newest calls may still be waiting to be written.
        let _ = tokio::time::timeout(SETTLE_LIMIT, self.settled()).await;
        let limit = list.limit.min(SESSIONS_MAX);
        self.read(READ_LIMIT, move |connection| {
            sessions::list(connection, limit)
        })
        .await
    }

    /// Returns the session of an agent's call.
    ///
    /// # Errors
    /// `history-entry-unknown`, also if no agent made the call, and the errors of the database.
    pub async fn session_of(&self, of: HistoryEntryRef) -> Result<AgentSession, Report> {
        self.read(READ_LIMIT, move |connection| {
            let session = sessions::of(connection, of.id)?;
            Ok(session.ok_or_else(gone)?)
        })
        .await
    }

    /// Removes the calls that currently match a filter. Calls that end during the removal stay. The
    /// bytes of removed calls are overwritten. If the remaining history is not too large, the file
    /// is rewritten, so that it contains no copies of them. If calls arrive too fast or the disk is
    /// full, the next program that writes to the file finishes the removal.
    ///
    /// # Errors
    /// The errors of the database, and `shutting-down` if the history closes first. Removed calls
    /// stay removed, and the next program that writes to the file removes their remains.
    pub async fn clear(&self, filter: HistoryFilter) -> Result<Cleared, Report> {
        let (answer, answered) = oneshot::channel();
        let mut answer = Some(answer);
        let database = Arc::clone(&self.inner.database);
        let mut removal = HistoryDeletion::of(filter, self.inner.writer.waiting());
        let step = move |opened: &mut Option<DatabaseConnection>, idle: bool| {
            // The caller has stopped waiting and reported that the removal is incomplete, so the
            // removal stops.
            if answer.as_ref().is_none_or(oneshot::Sender::is_closed) {
                return false;
            }
            let done = database.with(opened, writer::PATIENCE, |connection| {
                removal.step(connection, idle)
            });
            let Some(done) = done.transpose() else {
                return true;
            };
            if let Some(answer) = answer.take() {
                let _ = answer.send(done);
            }
            false
        };
        self.answered(Job::Slow(Box::new(step)), answered, LONG_LIMIT)
            .await
    }

    /// Allows the agent `reader` to read the result of a call that was just recorded. Returns the
    /// call's ID, or `None` if the history does not contain the whole result.
    pub async fn make_readable(&self, call: CallId, at_ms: u64, reader: String) -> Option<EntryId> {
        let made = self.write(READABLE_LIMIT, move |connection| {
            in_transaction(connection, |transaction| {
                calls::make_readable(transaction, &call, at_ms, &reader)
            })
        });
        made.await.ok().flatten()
    }

    /// Returns the masked result of a call and the agent that may read it. `None` if the call is no
    /// longer in the history.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn readable(&self, id: EntryId) -> Result<Option<ReadableResult>, Report> {
        self.read(READ_LIMIT, move |connection| {
            calls::readable(connection, id)
        })
        .await
    }

    /// Writes calls to a file as JSON Lines, oldest first.
    ///
    /// # Errors
    /// `file-unwritable`, and the errors of the database.
    pub async fn export(&self, request: ExportHistory) -> Result<Exported, Report> {
        let ExportHistory { filter, path } = request;
        let path = PathBuf::from(path);
        let mut schemas = Schemas::new(self.inner.roster.snapshot());
        let file = self.inner.database.file().to_owned();
        if path.parent() == file.parent()
            && path.file_stem().map(std::ffi::OsStr::to_ascii_lowercase)
                == file.file_stem().map(std::ffi::OsStr::to_ascii_lowercase)
        {
            let trouble = HistoryError::OwnFile(path);
            return Err(Report::from_error(Code::FileUnwritable, &trouble));
        }
        let until = Instant::now() + LONG_LIMIT;
        self.read(LONG_LIMIT, move |connection| {
            export::export(
                connection,
                |connection| Selection::of(connection, &filter),
                &path,
                |call| schemas.recorded(call),
                || match Instant::now() < until {
                    true => Ok(()),
                    false => Err(database::busy(&file)),
                },
            )
        })
        .await
    }

    /// Saves a call under a name.
    ///
    /// # Errors
    /// `saved-name-refused`, `arguments-not-json`, and the errors of the database.
    pub async fn save_call(&self, request: SaveCall) -> Result<SavedCall, Report> {
        let name = saved::name(&request.name)?;
        let spec = spec_of(
            &self.inner.roster.snapshot(),
            &request.member,
            &request.tool,
        );
        let values = self.inner.values.clone();
        self.write(WRITE_LIMIT, move |connection| {
            parse_exact(&request.arguments).map_err(|error| error.report())?;
            let schema = spec.as_ref().map(ToolSpec::input_schema);
            let secrets = SecretMatcher::new(values.known());
            let (masked, _) = mask::again(&request.arguments, schema, &secrets);
            let call = SavedCall {
                id: SavedId(0),
                name: name.clone(),
                member: request.member.clone(),
                tool: request.tool.clone(),
                arguments: masked.text,
                masked: masked.places,
                saved_at_ms: now_ms(),
            };
            in_transaction(connection, |transaction| {
                saved::save(transaction, call, request.existing)
            })
        })
        .await
    }

    /// Returns the saved calls.
    pub async fn saved_calls(&self, of: SavedCallsOf) -> SavedCalls {
        let listed = self.read(READ_LIMIT, move |connection| saved::list(connection, &of));
        let ((calls, more), trouble) = with_trouble(listed.await);
        SavedCalls {
            calls,
            more,
            trouble,
        }
    }

    /// Renames a saved call.
    ///
    /// # Errors
    /// `saved-name-refused`, `history-entry-unknown`, and the errors of the database.
    pub async fn rename_saved_call(&self, request: RenameSavedCall) -> Result<SavedCall, Report> {
        let name = saved::name(&request.name)?;
        self.write(WRITE_LIMIT, move |connection| {
            in_transaction(connection, |transaction| {
                saved::rename(transaction, request.id, &name)
            })
        })
        .await
    }

    /// Removes a saved call.
    ///
    /// # Errors
    /// The errors of the database.
    pub async fn delete_saved_call(&self, of: SavedCallRef) -> Result<(), Report> {
        self.write(WRITE_LIMIT, move |connection| {
            saved::delete(connection, of.id)
        })
        .await
    }

    /// Moves the saved calls, drafts and tool list changes of a member to its new name. Past calls
    /// keep the old name.
    ///
    /// # Errors
    /// The errors of the database.
    pub async fn rename_member(&self, from: MemberName, to: MemberName) -> Result<(), Report> {
        self.write(WRITE_LIMIT, move |connection| {
            in_transaction(connection, |transaction| {
                saved::rename_member(transaction, &from, &to)
            })
        })
        .await
    }

    /// Saves or removes the draft of a tool's form.
    ///
    /// # Errors
    /// `history-too-large`, and the errors of the database.
    pub async fn keep_draft(&self, request: KeepDraft) -> Result<(), Report> {
        let KeepDraft {
            member,
            tool,
            draft,
        } = request;
        draft.as_deref().map_or(Ok(()), saved::check_draft)?;
        let of = ToolRef { member, tool };
        let values = self.inner.values.clone();
        self.write(WRITE_LIMIT, move |connection| {
            let secrets = SecretMatcher::new(values.known());
            // A draft is dropped if its secrets can't be masked.
            let draft = draft
                .as_deref()
                .and_then(|text| mask::draft(text, &secrets));
            in_transaction(connection, |transaction| {
                saved::keep_draft(transaction, &of, draft.as_deref(), now_ms())
            })
        })
        .await
    }

    /// Returns the draft of a tool's form.
    pub async fn kept_draft(&self, of: ToolRef) -> KeptDraft {
        let kept = self.read(READ_LIMIT, move |connection| saved::draft(connection, &of));
        let (kept, trouble) = with_trouble(kept.await);
        let (draft, kept_at_ms) = kept.unzip();
        KeptDraft {
            draft,
            kept_at_ms,
            trouble,
        }
    }

    /// Returns the history's settings and its condition.
    pub async fn state(&self) -> HistoryState {
        let file = self.inner.settings.clone();
        let settings = blocking(move || settings::read(&file)).await.flatten();
        let totals = self.read(READ_LIMIT, calls::totals).await;
        let unknown = HistorySettings {
            recording: false,
            ..HistorySettings::default()
        };
        let trouble = settings.as_ref().err().or(totals.as_ref().err()).cloned();
        let (calls, size) = totals.unwrap_or_default();
        HistoryState {
            settings: settings.unwrap_or(unknown),
            file: self.inner.database.file().display().to_string(),
            calls,
            size,
            unrecorded: self.inner.health.unrecorded(),
            trouble: trouble.or_else(|| self.inner.health.trouble()),
        }
    }

    /// Changes the history's settings. Calls beyond new limits are removed in the background.
    ///
    /// # Errors
    /// `data-unwritable`.
    pub async fn change_settings(&self, settings: HistorySettings) -> Result<HistoryState, Report> {
        let file = self.inner.settings.clone();
        blocking(move || settings::write(&file, settings)).await??;
        // The writing thread removes surplus calls after each job, so an empty job triggers that.
        // If the database can't be opened, the state contains the reason.
        let _ = self.settled().await;
        Ok(self.state().await)
    }

    /// Stops long jobs and accepts no new ones, so that calls are written without delay until the
    /// history closes.
    pub fn closes_soon(&self) {
        self.inner.writer.closes_soon();
    }

    /// Accepts no further jobs, and waits until all queued jobs are done.
    pub async fn close(&self) {
        self.inner.readers.close();
        self.inner.writer.close().await;
    }

    async fn read<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnMut(&Connection) -> Result<T, Stop> + Send + 'static,
    ) -> Result<T, Report> {
        self.inner.readers.read(limit, work).await
    }

    /// Runs work on the writing thread, after all queued calls.
    async fn write<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnMut(&mut Connection) -> Result<T, Stop> + Send + 'static,
    ) -> Result<T, Report> {
        let (answer, answered) = oneshot::channel();
        let database = Arc::clone(&self.inner.database);
        let job = Job::Work(Box::new(move |opened| {
            // The caller has stopped waiting and reported that nothing was changed, so the change
            // is not made.
            if !answer.is_closed() {
                let _ = answer.send(database.with(opened, writer::PATIENCE, work));
            }
        }));
        self.answered(job, answered, limit).await
    }

    /// Queues a job and waits for its result.
    async fn answered<T>(
        &self,
        job: Job,
        answered: oneshot::Receiver<Result<T, Report>>,
        limit: Duration,
    ) -> Result<T, Report> {
        let database = &self.inner.database;
        self.inner
            .writer
            .send(job)
            .map_err(|why| why.report(database))?;
        match timeout(limit, answered).await {
            Ok(Ok(done)) => done,
            Ok(Err(_)) => Err(NotTaken::Closed.report(database)),
            Err(_) => Err(database::busy(database.file())),
        }
    }
}

/// Splits the result of a read into its value and its error. After an error, the value is the
/// default.
fn with_trouble<T: Default>(read: Result<T, Report>) -> (T, Option<Report>) {
    match read {
        Ok(value) => (value, None),
        Err(report) => (T::default(), Some(report)),
    }
}

/// Returns the report for a missing entry.
fn gone() -> Report {
    Report::from_error(Code::HistoryEntryUnknown, &HistoryError::Gone)
}

#[cfg(test)]
mod tests;
