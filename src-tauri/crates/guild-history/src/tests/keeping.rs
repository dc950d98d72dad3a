//! Tests of retention, and of data that must never reach the file.

use super::*;

#[tokio::test]
async fn oldest_calls_are_removed_in_background() {
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

#[cfg(unix)]
#[tokio::test]
async fn later_secret_is_masked_for_a_file() {
    let archive = Archive::new();
    call("c1")
        .with(&json!({"of": "Xq7-planted-1", "n": 1}))
        .answers("for Xq7-planted-1")
        .into(&archive);
    archive.written().await;
    let id = archive.find(HistoryFilter::default()).await[0].id;
    let read = async || {
        let call = archive.history.reusable(HistoryEntryRef { id }).await;
        let call = call.expect("the call");
        let CallEnd::Result { result, .. } = call.end else {
            panic!("no result");
        };
        let arguments: Value = serde_json::from_str(&call.arguments).expect("JSON");
        (arguments, call.masked, result)
    };
    let (arguments, masked, result) = read().await;
    assert_eq!(
        (arguments, masked),
        (json!({"of": "Xq7-planted-1", "n": 1}), vec![])
    );
    assert!(result.contains("for Xq7-planted-1"), "{result}");
    archive.plant(&json!({"KEY": "Xq7-planted-1"}));
    let (arguments, masked, result) = read().await;
    assert_eq!(arguments, json!({"of": MASK, "n": 1}));
    assert_eq!(masked, ["/of"]);
    assert!(result.contains(&format!("for {MASK}")), "{result}");
}

#[tokio::test]
async fn clock_jump_keeps_call_order() {
    const DAY: u64 = 24 * 60 * 60 * 1_000;
    const NOON: u64 = 20_000 * DAY + DAY / 2;
    let archive = Archive::new();
    let times = [NOON, NOON + 1, NOON - DAY, NOON - DAY + 1, NOON + 2];
    for (at, time) in times.into_iter().enumerate() {
        call(&format!("c{at}")).at(time).into(&archive);
    }
    archive.written().await;
    let all = HistoryFilter::default;
    assert_eq!(
        ids(&archive.find(all()).await),
        ["c4", "c3", "c2", "c1", "c0"]
    );
    let mut paged = Vec::new();
    let mut before = None;
    loop {
        let page = archive.page(all(), before, 2).await;
        let Some(last) = page.entries.last() else {
            break;
        };
        before = Some(last.id);
        paged.extend(ids(&page.entries));
    }
    assert_eq!(paged, ["c4", "c3", "c2", "c1", "c0"], "page by page");
    let between = async |since_ms, until_ms| {
        let filter = HistoryFilter {
            since_ms: Some(since_ms),
            until_ms: Some(until_ms),
            ..all()
        };
        ids(&archive.find(filter).await)
    };
    // Times are stored as the clock reported them.
    assert_eq!(between(NOON, NOON + DAY).await, ["c4", "c1", "c0"]);
    assert_eq!(between(NOON - DAY, NOON - DAY + 10).await, ["c3", "c2"]);
    let settings = HistorySettings {
        keep_calls: 3,
        ..HistorySettings::default()
    };
    let changed = archive.history.change_settings(settings).await;
    changed.expect("changed");
    let gone = async {
        while archive.history.state().await.calls > 3 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(LIMIT, gone).await.expect("the rest goes");
    let left = ids(&archive.find(all()).await);
    assert_eq!(
        left,
        ["c4", "c3", "c2"],
        "what was recorded first goes first"
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
    // The tool is not listed, so the schema of `pin` is unknown.
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
    let drafted = KeepDraft {
        member: member("smith"),
        tool: tool("by-name"),
        draft: Some(r#"{"v":1,"draft":["o",[["api_key",["s","Xq7-in-draft"]]]]}"#.into()),
    };
    archive.history.keep_draft(drafted).await.expect("kept");
    let torn = KeepDraft {
        member: member("smith"),
        tool: tool("torn"),
        draft: Some("api_key: Xq7-in-torn-draft".into()),
    };
    archive.history.keep_draft(torn).await.expect("no error");
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
        .entry(HistoryEntryRef { id: entry })
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
async fn cleared_calls_leave_the_file() {
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
async fn deleted_entry_leaves_equal_calls() {
    let archive = Archive::new();
    for id in ["first", "second", "third"] {
        call(id).answers("the same").into(&archive);
    }
    archive.written().await;
    let before = archive.find(HistoryFilter::default()).await;
    let second = HistoryFilter {
        entry: Some(before[1].id),
        ..HistoryFilter::default()
    };
    let cleared = archive.history.clear(second.clone()).await;
    assert_eq!(cleared.expect("cleared").count, 1);
    assert_eq!(archive.find(second).await, []);
    let left = archive.find(HistoryFilter::default()).await;
    assert_eq!(left, [before[0].clone(), before[2].clone()]);
}

#[tokio::test]
async fn saved_calls_survive_restart_and_clear() {
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
    let of = SavedCallRef { id: second.id };
    history.delete_saved_call(of).await.expect("deleted");
    history.delete_saved_call(of).await.expect("gone already");
    let refused = history.rename_saved_call(rename("ghost")).await;
    assert_eq!(refused.expect_err("gone").code, Code::HistoryEntryUnknown);
}

#[tokio::test]
async fn a_saved_call_has_a_gap_wherever_the_call_it_is_of_was_masked() {
    let archive = Archive::new();
    let saved = archive
        .history
        .save_call(SaveCall {
            member: member("smith"),
            tool: tool("forge"),
            name: "again".into(),
            arguments:
                r#"{"url":"http://x/?k=•••","list":["\u2022••"],"•••":1,"token":"•••","n":1}"#
                    .into(),
            existing: ExistingName::Keep,
        })
        .await
        .expect("saved");
    assert_eq!(saved.masked, ["/url", "/list/0", "/•••", "/token"]);
}

#[tokio::test]
async fn the_newest_drafts_survive_a_restart() {
    let mut archive = Archive::new();
    let of = |at: usize| ToolRef {
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
    // A changed draft becomes one of the newest.
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
async fn export_is_complete_or_absent() {
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
async fn readable_result_is_whole_and_goes_with_its_call() {
    let mut archive = Archive::new();
    let text = "x".repeat(300_000);
    call("long").at(7).answers(&text).into(&archive);
    call("cut").at(7).answers(&text.repeat(4)).into(&archive);
    call("failed")
        .at(7)
        .fails(Code::CallTimeout, "late")
        .into(&archive);
    let history = archive.history.clone();
    let readable = async |id: &str, at_ms| {
        let id = CallId::parse(id).expect("an id");
        history.make_readable(id, at_ms, "me".into()).await
    };
    let id = readable("long", 7).await.expect("it is recorded whole");
    for (call, at_ms) in [("cut", 7), ("failed", 7), ("long", 8), ("other", 7)] {
        assert_eq!(readable(call, at_ms).await, None, "{call} {at_ms}");
    }
    archive.restart().await;
    let read = async |id| archive.history.readable(id).await.expect("read");
    let found = read(id).await.expect("it is kept");
    assert_eq!(found.reader, "me");
    assert!(found.result.contains(&text));
    assert!(
        read(EntryId(id.0 + 1)).await.is_none(),
        "no agent reads this call"
    );
    archive
        .history
        .clear(HistoryFilter::default())
        .await
        .expect("cleared");
    assert!(read(id).await.is_none());
}
