//! The history: every call that ended, saved calls, and drafts, in one database of the data folder.
//!
//! [`History`] is the one handle. Nothing is opened before it is first used, so that a start never
//! waits for it, and no call ever does: one thread writes ([`writer`]), a few connections read
//! ([`readers`]), and both have time limits. Secrets are masked before anything is written
//! ([`mask`]). Whatever is wrong with the file ([`database`]), calls go on.

mod calls;
mod clearing;
mod database;
mod export;
mod health;
mod kept;
mod readers;
mod revisions;
mod schemas;
mod seen;
mod settings;
mod tokens;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use guild_core::arguments::parse_exact;
use guild_core::note::{HistoryTrouble, SettingsTrouble};
use guild_core::tool::ToolSpec;
use guild_core::wire::{
    CallEnd, CallOutcome, Caller, Cleared, ExportHistory, Exported, HistoryFilter, HistoryPage,
    HistorySettings, HistoryState, KeepDraft, KeptDraft, OfEntry, OfSavedCall, OfTool, PAGE_MAX,
    RecordedCall, RenameSavedCall, SaveCall, SavedCall, SavedCalls, SavedCallsOf, SavedId,
    SearchHistory,
};
use guild_core::{CallId, Code, MemberName, Report, ToolName};
use rusqlite::Connection;
use tokio::sync::oneshot;
use tokio::time::timeout;

use self::calls::{Order, Selection};
use self::clearing::Removal;
use self::database::{Database, Opened, Stop};
use self::health::Health;
use self::readers::Readers;
pub(crate) use self::revisions::{NewRevision, Step};
use self::schemas::{Schemas, schema_digest, spec_of};
pub(crate) use self::seen::Masking;
use self::writer::{Desk, Job, NotTaken, Writer, in_transaction};
use crate::clock::now_ms;
use crate::index::Index;
use crate::secrets::Values;
use crate::secrets::mask::{self, Secrets};

/// How much of a result is kept, in bytes.
const RESULT_KEPT: usize = 1 << 20;
/// How much of a result waits to be written: no secret is longer than the difference, so that one
/// which begins before the cut is there whole.
const RESULT_WAITING: usize = 2 << 20;
/// How much of the arguments waits; longer ones are refused by every call.
const ARGUMENTS_WAITING: usize = guild_core::arguments::ARGUMENTS_BYTES_MAX + 1;
/// How long a question may take.
const READ_LIMIT: Duration = Duration::from_secs(10);
/// How long a change may take.
const WRITE_LIMIT: Duration = Duration::from_secs(15);
/// How long the removal or the export of many calls may take.
const LONG_LIMIT: Duration = Duration::from_secs(10 * 60);

/// The history. Cheap to clone.
#[derive(Debug, Clone)]
pub struct History {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    index: Arc<Index>,
    database: Arc<Database>,
    health: Arc<Health>,
    values: Values,
    settings: PathBuf,
    writer: Writer,
    readers: Readers,
}

/// A call that has ended, as it is handed to the history.
#[derive(Debug)]
pub struct Ended {
    call: CallId,
    caller: Caller,
    client: Option<String>,
    member: MemberName,
    tool: ToolName,
    at_ms: u64,
    duration_ms: u64,
    arguments: String,
    end: CallEnd,
    /// Whether the result was longer than what waits of it.
    cut: bool,
    /// How large the result was.
    size: u64,
    spec: Option<ToolSpec>,
}

impl Ended {
    /// A call, by its outcome, its arguments as they were typed, and its tool where that is known.
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
        Self {
            call: outcome.call.clone(),
            caller,
            client: None,
            member: outcome.member.clone(),
            tool: outcome.tool.clone(),
            at_ms: outcome.started_at_ms,
            duration_ms: outcome.duration_ms,
            arguments: arguments[..arguments.floor_char_boundary(ARGUMENTS_WAITING)].to_owned(),
            end,
            cut,
            size: size as u64,
            spec,
        }
    }

    /// The same call, where it has a result, with this one. Of it no more is copied than waits.
    #[must_use]
    pub(crate) fn with_result(mut self, whole: &str) -> Self {
        if let CallEnd::Result { result, .. } = &mut self.end {
            let kept = waiting(whole);
            kept.clone_into(result);
            self.cut = kept.len() < whole.len();
            self.size = whole.len() as u64;
        }
        self
    }

    /// The same call with the name of the agent that asked for it.
    #[must_use]
    pub(crate) fn by(mut self, client: &str) -> Self {
        self.client = Some(client.to_owned());
        self
    }

    /// What it takes while it waits, about.
    fn bytes(&self) -> usize {
        let end = match &self.end {
            CallEnd::Result { result, .. } => result.len(),
            CallEnd::Failed { stderr, .. } => stderr.iter().map(|line| line.text.len()).sum(),
        };
        1_024 + self.arguments.len() + end
    }
}

/// What waits of a result.
fn waiting(result: &str) -> &str {
    &result[..result.floor_char_boundary(RESULT_WAITING)]
}

impl History {
    /// The history of a data folder; nothing is opened yet.
    pub(crate) fn new(data_dir: &Path, values: Values, index: Arc<Index>) -> Self {
        let health = Arc::new(Health::new(Arc::clone(&index)));
        let database = Arc::new(Database::new(
            data_dir.join("history.db"),
            Arc::clone(&health),
        ));
        let settings = data_dir.join("history.json");
        let desk = Desk {
            database: Arc::clone(&database),
            settings: settings.clone(),
            values: values.clone(),
            health: Arc::clone(&health),
        };
        Self {
            inner: Arc::new(Inner {
                index,
                readers: Readers::new(Arc::clone(&database)),
                database,
                health,
                values,
                settings,
                writer: Writer::new(desk),
            }),
        }
    }

    /// Has a call written down. Never waits: where too much waits already, the call is counted as
    /// missing instead, and that is told.
    pub fn record(&self, ended: Ended) {
        match self.inner.writer.send(Job::Record(Box::new(ended))) {
            Err(NotTaken::Behind | NotTaken::NoThread) => self.inner.health.behind(),
            Ok(()) | Err(NotTaken::Closed) => {}
        }
    }

    /// Takes note of a call that is not recorded because too many of its kind are.
    pub(crate) fn passed_over(&self) {
        self.inner.health.passed_over();
    }

    /// What must not be shown to anybody, as it is known now. Blocking.
    pub(crate) fn masking(&self) -> Masking {
        Masking(Secrets::new(self.inner.values.known()))
    }

    /// Waits until every call that was handed over is written, or counted as missing.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn settled(&self) -> Result<(), Report> {
        self.write(WRITE_LIMIT, |_| Ok(())).await
    }

    /// The calls that fit a filter, the newest first; nothing, and why, where they can't be read.
    pub async fn search(&self, search: SearchHistory) -> HistoryPage {
        let SearchHistory {
            filter,
            before,
            limit,
        } = search;
        let found = self.read(READ_LIMIT, move |connection| {
            let mut selection = Selection::of(connection, &filter)?;
            if let Some(before) = before {
                selection = selection.behind(before, Order::NewestFirst);
            }
            selection.page(connection, limit.min(PAGE_MAX))
        });
        match found.await {
            Ok((entries, more)) => HistoryPage {
                entries,
                more,
                trouble: self.inner.health.trouble(),
            },
            Err(report) => HistoryPage {
                entries: vec![],
                more: false,
                trouble: Some(report),
            },
        }
    }

    /// Everything that was kept of one call.
    ///
    /// # Errors
    /// `history-entry-unknown`, and those of the database.
    pub async fn entry(&self, of: OfEntry) -> Result<RecordedCall, Report> {
        let mut schemas = Schemas::new(self.inner.index.snapshot());
        self.read(READ_LIMIT, move |connection| {
            let call = calls::read(connection, of.id)?.ok_or_else(gone)?;
            Ok(schemas.recorded(call))
        })
        .await
    }

    /// Removes the calls that fit a filter, as they are now: calls that end meanwhile are recorded, and
    /// stay. Their bytes are overwritten; where what is left is not too large, its file is written
    /// anew, so that none of them is left anywhere: where calls come too fast for that, or the disk has no
    /// room, once the next program writes to it.
    ///
    /// # Errors
    /// Those of the database, and `shutting-down` where the history closes first; what was removed
    /// until then stays removed, and what is left of it in the file goes once the next program writes to it.
    pub async fn clear(&self, filter: HistoryFilter) -> Result<Cleared, Report> {
        let (answer, answered) = oneshot::channel();
        let mut answer = Some(answer);
        let database = Arc::clone(&self.inner.database);
        let mut removal = Removal::of(filter, self.inner.writer.waiting());
        let step = move |opened: &mut Option<Opened>, idle: bool| {
            // Nobody waits for it any more: it was told that not all is done.
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

    /// Writes calls to a file as JSON Lines, the oldest first.
    ///
    /// # Errors
    /// `file-unwritable`, and those of the database.
    pub async fn export(&self, request: ExportHistory) -> Result<Exported, Report> {
        let ExportHistory { filter, path } = request;
        let path = PathBuf::from(path);
        let mut schemas = Schemas::new(self.inner.index.snapshot());
        let file = self.inner.database.file().to_owned();
        if path.parent() == file.parent()
            && path.file_stem().map(std::ffi::OsStr::to_ascii_lowercase)
                == file.file_stem().map(std::ffi::OsStr::to_ascii_lowercase)
        {
            let trouble = HistoryTrouble::OwnFile(path);
            return Err(Report::told(Code::FileUnwritable, &trouble));
        }
        let until = Instant::now() + LONG_LIMIT;
        self.read(LONG_LIMIT, move |connection| {
            export::export(
                connection,
                |connection| Selection::of(connection, &filter),
                &path,
                |call| schemas.recorded(call),
                export::deadline(until, || database::busy(&file)),
            )
        })
        .await
    }

    /// Keeps a call under a name.
    ///
    /// # Errors
    /// `saved-name-refused`, `arguments-not-json`, and those of the database.
    pub async fn save_call(&self, request: SaveCall) -> Result<SavedCall, Report> {
        let name = kept::name(&request.name)?;
        let spec = spec_of(&self.inner.index.snapshot(), &request.member, &request.tool);
        let values = self.inner.values.clone();
        self.write(WRITE_LIMIT, move |connection| {
            parse_exact(&request.arguments).map_err(|error| error.report())?;
            let schema = spec.as_ref().map(ToolSpec::input_schema);
            let secrets = Secrets::new(values.known());
            let masked = mask::again(&request.arguments, schema, &secrets);
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
                kept::save(transaction, call, request.existing)
            })
        })
        .await
    }

    /// The calls that were kept under a name.
    pub async fn saved_calls(&self, of: SavedCallsOf) -> SavedCalls {
        let listed = self.read(READ_LIMIT, move |connection| kept::list(connection, &of));
        match listed.await {
            Ok((calls, more)) => SavedCalls {
                calls,
                more,
                trouble: None,
            },
            Err(report) => SavedCalls {
                calls: vec![],
                more: false,
                trouble: Some(report),
            },
        }
    }

    /// Gives a saved call another name.
    ///
    /// # Errors
    /// `saved-name-refused`, `history-entry-unknown`, and those of the database.
    pub async fn rename_saved_call(&self, request: RenameSavedCall) -> Result<SavedCall, Report> {
        let name = kept::name(&request.name)?;
        self.write(WRITE_LIMIT, move |connection| {
            in_transaction(connection, |transaction| {
                kept::rename(transaction, request.id, &name)
            })
        })
        .await
    }

    /// Removes a saved call.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn delete_saved_call(&self, of: OfSavedCall) -> Result<(), Report> {
        self.write(WRITE_LIMIT, move |connection| {
            kept::delete(connection, of.id)
        })
        .await
    }

    /// Keeps what a person typed into a tool's form, or forgets it.
    ///
    /// # Errors
    /// `history-too-large`, and those of the database.
    pub async fn keep_draft(&self, request: KeepDraft) -> Result<(), Report> {
        let KeepDraft {
            member,
            tool,
            draft,
        } = request;
        draft.as_deref().map_or(Ok(()), kept::check_draft)?;
        let of = OfTool { member, tool };
        let values = self.inner.values.clone();
        self.write(WRITE_LIMIT, move |connection| {
            let secrets = Secrets::new(values.known());
            // One that can't be kept without a secret is as good as none.
            let draft = draft
                .as_deref()
                .and_then(|text| mask::draft(text, &secrets));
            in_transaction(connection, |transaction| {
                kept::keep_draft(transaction, &of, draft.as_deref(), now_ms())
            })
        })
        .await
    }

    /// What a person typed into a tool's form before.
    pub async fn kept_draft(&self, of: OfTool) -> KeptDraft {
        let kept = self.read(READ_LIMIT, move |connection| kept::draft(connection, &of));
        let (kept, trouble) = match kept.await {
            Ok(kept) => (kept, None),
            Err(report) => (None, Some(report)),
        };
        let (draft, kept_at_ms) = kept.unzip();
        KeptDraft {
            draft,
            kept_at_ms,
            trouble,
        }
    }

    /// How the history is kept, and how it fares.
    pub async fn state(&self) -> HistoryState {
        let file = self.inner.settings.clone();
        let settings = blocking(move || settings::read(&file)).await;
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

    /// Changes how the history is kept; what is too much by that goes in the background.
    ///
    /// # Errors
    /// `data-unwritable`.
    pub async fn change_settings(&self, settings: HistorySettings) -> Result<HistoryState, Report> {
        let file = self.inner.settings.clone();
        blocking(move || settings::write(&file, settings)).await?;
        // The thread looks for what is too much after each job; it opens the file for this one.
        // Where it can't, the state says why.
        let _ = self.settled().await;
        Ok(self.state().await)
    }

    /// Leaves what takes long as it is, so that calls are written at once until the history closes.
    pub(crate) fn closes_soon(&self) {
        self.inner.writer.closes_soon();
    }

    /// Waits until everything that was handed over is written, and takes nothing more.
    pub(crate) async fn close(&self) {
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

    /// Has the one thread that writes do something, behind the calls that wait already.
    async fn write<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnMut(&mut Connection) -> Result<T, Stop> + Send + 'static,
    ) -> Result<T, Report> {
        let (answer, answered) = oneshot::channel();
        let database = Arc::clone(&self.inner.database);
        let job = Job::Work(Box::new(move |opened| {
            // Nobody waits for it any more: it was told that nothing was done.
            if !answer.is_closed() {
                let _ = answer.send(database.with(opened, writer::PATIENCE, work));
            }
        }));
        self.answered(job, answered, limit).await
    }

    /// Hands a job over, and waits for what it answers.
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

/// Runs something that reads or writes a small file.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Report> + Send + 'static,
) -> Result<T, Report> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| {
            let trouble = SettingsTrouble::NotCarriedOut(error.to_string());
            Err(Report::told(Code::DataUnwritable, &trouble))
        })
}

/// There is no such entry any more.
fn gone() -> Report {
    Report::told(Code::HistoryEntryUnknown, &HistoryTrouble::Gone)
}

#[cfg(test)]
mod tests;
