//! Tests of the history alone: search, retention, and data that must never reach the file.

mod clearing;
mod finding;
mod keeping;
mod revisions;
mod sessions;
mod trouble;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use guild_api::event::HallEvent;
use guild_api::wire::{DRAFT_BYTES_MAX, ExistingName, MASK, SchemaSince};
use guild_model::{CallId, ToolName};
use serde_json::{Value, json};

use super::*;
use guild_roster::Subscription;

/// Upper bound for any expected event on a busy machine.
const LIMIT: Duration = Duration::from_secs(30);

/// Upper bound for many batches, each of which takes seconds on a busy disk. Only a defect exceeds
/// it.
const FAULT_LIMIT: Duration = Duration::from_secs(15 * 60);

/// Maximum number of jobs that the test puts into the history's queue.
const QUEUED_MAX: usize = 512;

/// A history in a temporary folder.
struct Archive {
    folder: tempfile::TempDir,
    roster: Arc<Roster>,
    history: History,
}

impl Archive {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let roster = Arc::new(Roster::new(String::new()));
        let history = Self::open(&folder, &roster);
        Self {
            folder,
            roster,
            history,
        }
    }

    fn open(folder: &tempfile::TempDir, roster: &Arc<Roster>) -> History {
        let values = SecretResolver::new(
            folder.path().to_owned(),
            None,
            guild_process::Environment::default(),
        );
        History::new(folder.path(), values, Arc::clone(roster))
    }

    /// Closes and reopens the history, like the next start of the program.
    async fn restart(&mut self) {
        self.history.close().await;
        self.history = Self::open(&self.folder, &self.roster);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Stores the secrets that the engine knows.
    #[cfg(unix)]
    fn plant(&self, secrets: &Value) {
        use std::os::unix::fs::PermissionsExt;
        let file = self.path("secrets.json");
        std::fs::write(&file, secrets.to_string()).expect("written");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("set");
    }

    /// Waits until all queued calls are written, however busy the disk is.
    async fn written(&self) {
        // A full queue rejects jobs, and the thread does not report free space.
        let waiting = self.history.inner.writer.waiting();
        while waiting.jobs.load(Ordering::Relaxed) > QUEUED_MAX {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let written = self.history.write(FAULT_LIMIT, |_| Ok(())).await;
        written.expect("the history is in order");
    }

    async fn find(&self, filter: HistoryFilter) -> Vec<HistoryEntry> {
        let page = self.page(filter, None, PAGE_MAX).await;
        assert_eq!(page.trouble, None);
        page.entries
    }

    async fn page(
        &self,
        filter: HistoryFilter,
        before: Option<EntryId>,
        limit: usize,
    ) -> HistoryPage {
        let search = SearchHistory {
            filter,
            before,
            limit,
        };
        self.history.search(search).await
    }

    /// Returns the ids of the calls with these words.
    async fn words(&self, text: &str) -> Vec<String> {
        let filter = HistoryFilter {
            text: Some(text.to_owned()),
            ..HistoryFilter::default()
        };
        ids(&self.find(filter).await)
    }

    /// Returns the bytes of all files of the history.
    fn bytes(&self) -> Vec<u8> {
        let files = std::fs::read_dir(self.folder.path()).expect("listed");
        files
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| !path.ends_with("secrets.json"))
            .flat_map(|path| std::fs::read(path).expect("read"))
            .collect()
    }

    fn holds(&self, text: &str) -> bool {
        let bytes = self.bytes();
        bytes
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    }
}

fn ids(entries: &[HistoryEntry]) -> Vec<String> {
    let id = |entry: &HistoryEntry| entry.call.as_str().to_owned();
    entries.iter().map(id).collect()
}

/// A builder of a call.
struct Call {
    outcome: CallOutcome,
    arguments: String,
    spec: Option<ToolSpec>,
}

/// Begins a call of the tool `smith/forge` with an unimportant result.
fn call(id: &str) -> Call {
    static NEXT: AtomicU32 = AtomicU32::new(1_000);
    Call {
        outcome: CallOutcome {
            call: CallId::parse(id).expect("an id"),
            member: member("smith"),
            tool: tool("forge"),
            started_at_ms: NEXT.fetch_add(1, Ordering::Relaxed).into(),
            duration_ms: 7,
            request: None,
            structured: None,
            end: CallEnd::Result {
                result: r#"{"content":[]}"#.into(),
                is_error: false,
            },
        },
        arguments: "{}".into(),
        spec: None,
    }
}

fn member(name: &str) -> MemberName {
    MemberName::parse(name).expect("a name")
}

fn tool(name: &str) -> ToolName {
    ToolName::parse(name).expect("a name")
}

impl Call {
    fn of(mut self, of_member: &str, of_tool: &str) -> Self {
        self.outcome.member = member(of_member);
        self.outcome.tool = tool(of_tool);
        self
    }

    fn with(mut self, arguments: &Value) -> Self {
        self.arguments = arguments.to_string();
        self
    }

    fn answers(mut self, text: &str) -> Self {
        let result = json!({"content": [{"type": "text", "text": text}]}).to_string();
        self.outcome.end = CallEnd::Result {
            result,
            is_error: false,
        };
        self
    }

    fn fails(mut self, code: Code, message: &str) -> Self {
        self.outcome.end = CallEnd::Failed {
            report: Report::new(code, message, ""),
            rpc: None,
            arguments: vec![],
            stderr: vec![],
        };
        self
    }

    fn at(mut self, ms: u64) -> Self {
        self.outcome.started_at_ms = ms;
        self
    }

    fn into(self, archive: &Archive) {
        let ended = FinishedCall::new(&self.outcome, Caller::Window, &self.arguments, self.spec);
        archive.history.record(ended);
    }
}

/// Waits for an event.
async fn told<T>(events: &mut Subscription, mut pick: impl FnMut(&HallEvent) -> Option<T>) -> T {
    let waiting = async {
        loop {
            let envelope = events.next().await.expect("the roster lives");
            if let Some(found) = pick(&envelope.event) {
                return found;
            }
        }
    };
    timeout(LIMIT, waiting).await.expect("it is told")
}
