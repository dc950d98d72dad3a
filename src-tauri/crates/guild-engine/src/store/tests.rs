//! The history by itself: what is found, what is kept, and what never reaches the file.

mod trouble;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use guild_core::event::HallEvent;
use guild_core::wire::{
    CallEnd, DRAFT_BYTES_MAX, EntryId, ExistingName, HistoryEntry, MASK, OutcomeKind,
};
use serde_json::json;

use super::*;
use crate::index::Subscription;

/// Long enough for anything that is to happen on a loaded machine.
const LIMIT: Duration = Duration::from_secs(30);

/// A history in a folder of its own.
struct Archive {
    folder: tempfile::TempDir,
    index: Arc<Index>,
    history: History,
}

impl Archive {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let index = Arc::new(Index::new(String::new()));
        let history = Self::open(&folder, &index);
        Self {
            folder,
            index,
            history,
        }
    }

    fn open(folder: &tempfile::TempDir, index: &Arc<Index>) -> History {
        let values = Values::new(folder.path().join("secrets.json"));
        History::new(folder.path(), values, Arc::clone(index))
    }

    /// Closes the history and opens it anew, as the next start of the program does.
    async fn restart(&mut self) {
        self.history.close().await;
        self.history = Self::open(&self.folder, &self.index);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Makes these the secrets that the engine knows.
    #[cfg(unix)]
    fn plant(&self, secrets: &Value) {
        use std::os::unix::fs::PermissionsExt;
        let file = self.path("secrets.json");
        std::fs::write(&file, secrets.to_string()).expect("written");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("set");
    }

    /// Waits until everything that was handed over is written.
    async fn written(&self) {
        self.history
            .write(LIMIT, |_| Ok(()))
            .await
            .expect("the history is in order");
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

    /// The ids of the calls that have these words, as the calls were given them.
    async fn words(&self, text: &str) -> Vec<String> {
        let filter = HistoryFilter {
            text: Some(text.to_owned()),
            ..HistoryFilter::default()
        };
        ids(&self.find(filter).await)
    }

    /// All bytes of all files of the history.
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

/// A call in the making.
struct Call {
    outcome: CallOutcome,
    arguments: String,
    spec: Option<ToolSpec>,
}

/// A call of a tool `smith/forge` that answered nothing much.
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
        let ended = Ended::new(&self.outcome, Caller::Window, &self.arguments, self.spec);
        archive.history.record(ended);
    }
}

/// Waits until something is told.
async fn told<T>(events: &mut Subscription, mut pick: impl FnMut(&HallEvent) -> Option<T>) -> T {
    let waiting = async {
        loop {
            let envelope = events.next().await.expect("the index lives");
            if let Some(found) = pick(&envelope.event) {
                return found;
            }
        }
    };
    timeout(LIMIT, waiting).await.expect("it is told")
}

#[tokio::test]
async fn calls_are_listed_page_by_page_the_newest_first_and_told_as_they_are_written() {
    let archive = Archive::new();
    let mut events = archive.index.subscribe();
    for id in ["a", "b", "c", "d", "e"] {
        call(id).with(&json!({"path": "x\n y"})).into(&archive);
    }
    let last = told(&mut events, |event| match event {
        HallEvent::CallRecorded { entry } if entry.call.as_str() == "e" => Some(entry.clone()),
        _ => None,
    });
    let last = *last.await;
    let all = HistoryFilter::default;
    let first = archive.page(all(), None, 2).await;
    assert_eq!(ids(&first.entries), ["e", "d"]);
    assert!(first.more);
    assert_eq!(first.entries[0], last, "what is told is what is listed");
    let before = first.entries.last().map(|entry| entry.id);
    let second = archive.page(all(), before, 3).await;
    assert_eq!(ids(&second.entries), ["c", "b", "a"]);
    assert!(!second.more);
    assert_eq!(last.summary, r#"{"path":"x\n y"}"#);
}

#[tokio::test]
async fn a_call_is_found_by_the_words_of_its_names_arguments_result_and_error() {
    let archive = Archive::new();
    call("names")
        .of("file-system", "readTextFile")
        .into(&archive);
    call("arguments")
        .with(&json!({"where": {"in_folder": "Documents/Über"}}))
        .into(&archive);
    call("result")
        .answers("first line\nsecond \"quoted\"")
        .into(&archive);
    call("error")
        .fails(Code::CallTimeout, "No answer in 30 s.")
        .into(&archive);
    let far = format!("{} beyond", "x ".repeat(RESULT_KEPT / 4));
    call("far").answers(&far).into(&archive);
    archive.written().await;
    for (words, found) in [
        ("file", &["names"] as &[&str]),
        ("READ TEXT", &["names"]),
        ("readtextfile", &["names"]),
        ("documents", &["arguments"]),
        ("folder über", &["arguments"]),
        ("second quoted", &["result"]),
        ("sec", &["result"]),
        ("nsecond", &[]),
        ("call-timeout", &["error"]),
        ("answer 30", &["error"]),
        ("beyond", &[]),
        ("documents quoted", &[]),
        ("smith", &["far", "error", "result", "arguments"]),
        ("* OR \"", &[]),
        ("\"*", &[]),
    ] {
        assert_eq!(archive.words(words).await, found, "{words}");
    }
}

#[tokio::test]
async fn each_filter_holds_by_itself_and_all_hold_together() {
    let archive = Archive::new();
    call("a")
        .of("m1", "t1")
        .at(10)
        .answers("apple")
        .into(&archive);
    call("b")
        .of("m1", "t2")
        .at(20)
        .fails(Code::RpcError, "apple")
        .into(&archive);
    call("c")
        .of("m2", "t1")
        .at(30)
        .fails(Code::CallCancelled, "pear")
        .into(&archive);
    let mut failed = call("d").of("m2", "t2").at(40).answers("apple");
    if let CallEnd::Result { is_error, .. } = &mut failed.outcome.end {
        *is_error = true;
    }
    failed.into(&archive);
    archive.written().await;
    let any = HistoryFilter::default;
    let outcome = |outcome| HistoryFilter {
        outcome: Some(outcome),
        ..any()
    };
    let cases = [
        (any(), "dcba"),
        (
            HistoryFilter {
                member: Some(member("m1")),
                ..any()
            },
            "ba",
        ),
        (
            HistoryFilter {
                tool: Some(tool("t1")),
                ..any()
            },
            "ca",
        ),
        (outcome(OutcomeKind::Ok), "a"),
        (outcome(OutcomeKind::Failed), "b"),
        (outcome(OutcomeKind::Cancelled), "c"),
        (outcome(OutcomeKind::ToolError), "d"),
        (
            HistoryFilter {
                caller: Some(Caller::Window),
                ..any()
            },
            "dcba",
        ),
        (
            HistoryFilter {
                caller: Some(Caller::CommandLine),
                ..any()
            },
            "",
        ),
        (
            HistoryFilter {
                since_ms: Some(20),
                until_ms: Some(40),
                ..any()
            },
            "cb",
        ),
        (
            HistoryFilter {
                until_ms: Some(0),
                ..any()
            },
            "",
        ),
        (
            HistoryFilter {
                since_ms: Some(41),
                text: Some("apple".into()),
                ..any()
            },
            "",
        ),
        (
            HistoryFilter {
                text: Some("apple".into()),
                member: Some(member("m1")),
                since_ms: Some(20),
                ..any()
            },
            "b",
        ),
        (
            HistoryFilter {
                member: Some(member("m1")),
                tool: Some(tool("t3")),
                ..any()
            },
            "",
        ),
    ];
    for (filter, expected) in cases {
        let found = archive.find(filter.clone()).await;
        assert_eq!(ids(&found).concat(), expected, "{filter:?}");
    }
}

#[tokio::test]
async fn a_call_is_read_as_it_was_but_for_a_result_that_is_too_long() {
    let mut archive = Archive::new();
    let spec = ToolSpec::from_raw(json!({"name": "forge", "inputSchema": {"z": 1, "a": 2}}));
    let mut short = call("short").answers("done");
    short.arguments = "{ \"n\": 1.50 }".into();
    short.spec = Some(spec.expect("a tool"));
    let expected = short.outcome.end.clone();
    short.into(&archive);
    call("long")
        .answers(&"é".repeat(RESULT_KEPT))
        .into(&archive);
    call("failed").fails(Code::RpcError, "no").into(&archive);
    archive.written().await;
    archive.restart().await;
    let entries = archive.find(HistoryFilter::default()).await;
    let mut read = Vec::new();
    for entry in &entries {
        let of = OfEntry { id: entry.id };
        read.push(archive.history.entry(of).await.expect("it is there"));
    }
    let [failed, long, short] = read.as_slice() else {
        panic!("three calls: {read:?}");
    };
    assert_eq!(short.arguments, "{ \"n\": 1.50 }");
    assert_eq!((&short.end, short.truncated), (&expected, false));
    assert_eq!(
        short.schema,
        SchemaSince::Unknown,
        "the tool is not listed now"
    );
    let CallEnd::Result { result, .. } = &long.end else {
        panic!("a result");
    };
    assert!(long.truncated && result.len() <= RESULT_KEPT && result.len() > RESULT_KEPT - 4);
    assert!(long.entry.size > 2 * RESULT_KEPT as u64, "the size of then");
    assert!(matches!(&failed.end, CallEnd::Failed { report, .. } if report.message == "no"));
    assert_eq!(failed.entry.code, Some(Code::RpcError));
    let of = OfEntry { id: EntryId(99) };
    let report = archive.history.entry(of).await.expect_err("no such entry");
    assert_eq!(report.code, Code::HistoryEntryUnknown);
}

#[tokio::test]
async fn what_is_too_much_goes_in_the_background_the_oldest_first() {
    let archive = Archive::new();
    for at in 0..700 {
        call(&format!("c{at}"))
            .answers(&"word ".repeat(1_000))
            .into(&archive);
    }
    archive.written().await;
    let left = async |settings: HistorySettings, few: fn(&HistoryState) -> bool| {
        archive
            .history
            .change_settings(settings)
            .await
            .expect("changed");
        let gone = async {
            loop {
                let state = archive.history.state().await;
                if few(&state) {
                    return state;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(LIMIT, gone).await.expect("the rest goes")
    };
    let settings = HistorySettings {
        keep_bytes: 1 << 20,
        ..HistorySettings::default()
    };
    let state = left(settings, |state| state.size <= 1 << 20).await;
    assert!(state.calls > 100, "no more goes than has to: {state:?}");
    let settings = HistorySettings {
        keep_calls: 10,
        ..settings
    };
    left(settings, |state| state.calls == 10).await;
    let kept = ids(&archive.find(HistoryFilter::default()).await);
    assert_eq!((kept[0].as_str(), kept[9].as_str()), ("c699", "c690"));
    assert_eq!(
        archive.words("word").await.len(),
        10,
        "the index forgets them too"
    );
}

#[tokio::test]
async fn a_history_that_is_switched_off_records_nothing_and_stays_so() {
    let mut archive = Archive::new();
    let off = HistorySettings {
        recording: false,
        ..HistorySettings::default()
    };
    archive.history.change_settings(off).await.expect("changed");
    call("a").into(&archive);
    archive.restart().await;
    call("b").into(&archive);
    archive.written().await;
    assert_eq!(archive.find(HistoryFilter::default()).await, []);
    let state = archive.history.state().await;
    assert_eq!(
        (state.settings, state.unrecorded, state.trouble),
        (off, 0, None)
    );
}

#[cfg(unix)]
#[tokio::test]
async fn no_byte_of_a_secret_reaches_the_file() {
    let mut archive = Archive::new();
    archive.plant(&json!({"KEY": "Xq7-planted-1", "MULTI": "line-one-Xq7\nline-two-Xq7-long"}));
    let schema = json!({
        "name": "forge",
        "inputSchema": {"properties": {"pin": {"type": "string", "format": "password"}}},
    });
    let arguments = json!({
        "password": "Xq7-by-name",
        "pin": "Xq7-by-schema",
        "url": "https://x/?key=Xq7-planted-1",
        "nested": [{"headers": {"Authorization": "Bearer Xq7-nested"}}],
        "kept": "visible",
    });
    let mut one = call("one").with(&arguments).answers(
        "you sent Xq7-by-name and Xq7-by-schema, the key is Xq7-planted-1 and line-two-Xq7-long",
    );
    one.spec = Some(ToolSpec::from_raw(schema).expect("a tool"));
    one.into(&archive);
    call("two")
        .with(&json!({"token": "Xq7-in-error"}))
        .fails(
            Code::RpcError,
            "\"Xq7-in-error\" and Xq7-planted-1 are wrong",
        )
        .into(&archive);
    let mut three = call("three");
    three.arguments = r#"{"password": "Xq7-torn"#.into();
    three.into(&archive);
    let save = SaveCall {
        member: member("smith"),
        tool: tool("forge"),
        name: "mine".into(),
        arguments: arguments.to_string(),
        existing: ExistingName::Keep,
    };
    // The tool is not listed, so nothing is known of `pin`.
    let save = SaveCall {
        arguments: save.arguments.replace("Xq7-by-schema", "open"),
        ..save
    };
    let saved = archive.history.save_call(save).await.expect("saved");
    assert_eq!(
        saved.masked,
        ["/password", "/url", "/nested/0/headers/Authorization"]
    );
    let draft = KeepDraft {
        member: member("smith"),
        tool: tool("forge"),
        draft: Some("typed Xq7-planted-1".into()),
    };
    archive.history.keep_draft(draft).await.expect("kept");
    assert!(!archive.holds("Xq7"), "while it is open");
    archive.restart().await;
    assert!(!archive.holds("Xq7"), "once it is closed");
    assert!(archive.holds("visible"), "the rest is there");
    assert_eq!(archive.words("Xq7").await, Vec::<String>::new());
    let entries = archive.words("visible").await;
    assert_eq!(entries, ["one"]);
    let entry = archive.find(HistoryFilter::default()).await[2].id;
    let one = archive
        .history
        .entry(OfEntry { id: entry })
        .await
        .expect("read");
    let masked = [
        "/password",
        "/pin",
        "/url",
        "/nested/0/headers/Authorization",
    ];
    assert_eq!(one.masked, masked);
    assert!(one.arguments.contains(MASK) && one.entry.summary.contains(MASK));
}

#[tokio::test]
async fn what_a_person_clears_is_gone_from_the_file_too() {
    let archive = Archive::new();
    for at in 0..200 {
        let (who, words) = if at % 2 == 0 {
            ("even", "mostsecretive")
        } else {
            ("odd", "harmless")
        };
        let call = call(&format!("c{at}"))
            .of(who, "forge")
            .answers(&format!("{words} {at}"));
        call.into(&archive);
    }
    archive.written().await;
    assert!(archive.holds("mostsecretive"));
    let even = HistoryFilter {
        member: Some(member("even")),
        ..HistoryFilter::default()
    };
    let cleared = archive.history.clear(even).await.expect("cleared");
    assert_eq!(cleared.count, 100);
    assert!(
        !archive.holds("mostsecretive"),
        "neither in the texts nor in the index"
    );
    assert_eq!(archive.find(HistoryFilter::default()).await.len(), 100);
    let cleared = archive.history.clear(HistoryFilter::default()).await;
    assert_eq!(cleared.expect("cleared").count, 100);
    assert!(!archive.holds("harmless"));
    let state = archive.history.state().await;
    assert_eq!((state.calls, state.size), (0, 0));
    call("again").answers("harmless").into(&archive);
    archive.written().await;
    assert_eq!(archive.words("harmless").await, ["again"]);
}

#[tokio::test]
async fn saved_calls_have_names_of_their_own_and_survive_a_restart_and_a_clear() {
    let mut archive = Archive::new();
    let save = |name: &str, existing| SaveCall {
        member: member("smith"),
        tool: tool("forge"),
        name: name.to_owned(),
        arguments: r#"{ "hot": 1.50 }"#.into(),
        existing,
    };
    let history = archive.history.clone();
    let first = history
        .save_call(save(" sword ", ExistingName::Keep))
        .await
        .expect("saved");
    assert_eq!(
        (first.name.as_str(), first.arguments.as_str()),
        ("sword", r#"{ "hot": 1.50 }"#)
    );
    let refused = history.save_call(save("sword", ExistingName::Keep)).await;
    assert_eq!(refused.expect_err("taken").code, Code::SavedNameRefused);
    let replaced = history
        .save_call(save("sword", ExistingName::Replace))
        .await
        .expect("saved");
    assert_eq!(replaced.id, first.id, "it takes the old one's place");
    let second = history
        .save_call(save("axe", ExistingName::Keep))
        .await
        .expect("saved");
    for name in ["", "  ", "two\nlines", &"x".repeat(121)] {
        let refused = history.save_call(save(name, ExistingName::Keep)).await;
        assert_eq!(
            refused.expect_err("no name").code,
            Code::SavedNameRefused,
            "{name:?}"
        );
    }
    let torn = SaveCall {
        arguments: "{".into(),
        ..save("torn", ExistingName::Keep)
    };
    let refused = history.save_call(torn).await.expect_err("no JSON");
    assert_eq!(refused.code, Code::ArgumentsNotJson);
    let rename = |name: &str| RenameSavedCall {
        id: second.id,
        name: name.to_owned(),
    };
    let refused = history.rename_saved_call(rename("sword")).await;
    assert_eq!(refused.expect_err("taken").code, Code::SavedNameRefused);
    let renamed = history
        .rename_saved_call(rename("hammer"))
        .await
        .expect("renamed");
    assert_eq!(
        renamed,
        SavedCall {
            name: "hammer".into(),
            ..second.clone()
        }
    );
    history
        .clear(HistoryFilter::default())
        .await
        .expect("cleared");
    archive.restart().await;
    let history = &archive.history;
    let listed = history.saved_calls(SavedCallsOf::default()).await;
    let names: Vec<_> = listed.calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(
        (names, listed.more, listed.trouble),
        (vec!["hammer", "sword"], false, None)
    );
    let other = SavedCallsOf {
        member: Some(member("other")),
        ..SavedCallsOf::default()
    };
    assert_eq!(history.saved_calls(other).await.calls, []);
    let of = OfSavedCall { id: second.id };
    history.delete_saved_call(of).await.expect("deleted");
    history.delete_saved_call(of).await.expect("gone already");
    let refused = history.rename_saved_call(rename("ghost")).await;
    assert_eq!(refused.expect_err("gone").code, Code::HistoryEntryUnknown);
}

#[tokio::test]
async fn the_newest_drafts_survive_a_restart() {
    let mut archive = Archive::new();
    let of = |at: usize| OfTool {
        member: member("smith"),
        tool: tool(&format!("t{at}")),
    };
    let keep = |at: usize, draft: Option<String>| KeepDraft {
        member: of(at).member,
        tool: of(at).tool,
        draft,
    };
    let history = archive.history.clone();
    for at in 0..505 {
        history
            .keep_draft(keep(at, Some(format!("draft {at}"))))
            .await
            .expect("kept");
    }
    // Typed into again, it is one of the newest.
    history
        .keep_draft(keep(5, Some("newer".into())))
        .await
        .expect("kept");
    history
        .keep_draft(keep(505, Some("last".into())))
        .await
        .expect("kept");
    history
        .keep_draft(keep(504, None))
        .await
        .expect("forgotten");
    let large = "x".repeat(DRAFT_BYTES_MAX + 1);
    let refused = history.keep_draft(keep(1, Some(large))).await;
    assert_eq!(refused.expect_err("too large").code, Code::HistoryTooLarge);
    archive.restart().await;
    let draft = async |at| archive.history.kept_draft(of(at)).await.draft;
    assert_eq!(draft(4).await, None, "the oldest went");
    assert_eq!(draft(5).await.as_deref(), Some("newer"));
    assert_eq!(draft(6).await, None, "one more went for the last one");
    assert_eq!(draft(7).await.as_deref(), Some("draft 7"));
    assert_eq!(draft(504).await, None, "it was forgotten on purpose");
}

#[tokio::test]
async fn an_export_has_one_call_a_line_the_oldest_first_and_is_whole_or_not_there() {
    let archive = Archive::new();
    for at in 0..600 {
        let who = if at % 2 == 0 { "even" } else { "odd" };
        call(&format!("c{at}"))
            .of(who, "forge")
            .with(&json!({"at": at}))
            .into(&archive);
    }
    archive.written().await;
    let path = archive.path("calls.jsonl");
    let export = |path: &Path| ExportHistory {
        filter: HistoryFilter {
            member: Some(member("odd")),
            ..HistoryFilter::default()
        },
        path: path.display().to_string(),
    };
    let exported = archive
        .history
        .export(export(&path))
        .await
        .expect("exported");
    assert_eq!(exported.count, 300);
    let text = std::fs::read_to_string(&path).expect("read");
    let read = |line| serde_json::from_str::<RecordedCall>(line).expect("a call");
    let calls: Vec<RecordedCall> = text.lines().map(read).collect();
    let numbers: Vec<String> = calls.iter().map(|call| call.arguments.clone()).collect();
    let expected: Vec<String> = (0..300)
        .map(|at| json!({"at": 2 * at + 1}).to_string())
        .collect();
    assert_eq!(numbers, expected);
    let blocked = archive.path("blocked");
    std::fs::create_dir_all(blocked.join("inside")).expect("made");
    for wrong in [
        &blocked,
        &archive.path("nowhere/calls.jsonl"),
        &archive.path("history.db"),
    ] {
        let refused = archive.history.export(export(wrong)).await;
        assert_eq!(
            refused.expect_err("can't be written").code,
            Code::FileUnwritable
        );
    }
    let left: Vec<_> = std::fs::read_dir(archive.folder.path())
        .expect("listed")
        .map(|entry| entry.expect("an entry").file_name())
        .filter(|name| name.to_string_lossy().starts_with(".guild-hall"))
        .collect();
    assert_eq!(left, Vec::<std::ffi::OsString>::new());
}

#[tokio::test]
async fn many_calls_are_found_without_looking_at_each() {
    let archive = Archive::new();
    for at in 0..3_000_u32 {
        let who = format!("member-{}", at % 10);
        call(&format!("c{at}"))
            .of(&who, "forge")
            .answers("common")
            .into(&archive);
        if at % 500 == 0 {
            archive.written().await;
        }
    }
    archive.written().await;
    let filters = [
        HistoryFilter::default(),
        HistoryFilter {
            text: Some("com".into()),
            member: Some(member("member-3")),
            ..HistoryFilter::default()
        },
        HistoryFilter {
            since_ms: Some(5),
            until_ms: Some(u64::MAX),
            ..HistoryFilter::default()
        },
    ];
    for filter in filters {
        let steps = archive.history.read(LIMIT, move |connection| {
            Selection::of(connection, &filter)?.plan(connection)
        });
        for step in steps.await.expect("a plan") {
            // A walk by rowid from one end, an index, or a look-up: never all rows, never a sort.
            assert!(
                step.contains("USING") || step.contains("VIRTUAL TABLE INDEX"),
                "{step}"
            );
            assert!(!step.contains("TEMP B-TREE"), "{step}");
        }
    }
}
