//! Tests of listing, searching and reading.

use super::*;

#[tokio::test]
async fn history_is_paged_newest_first() {
    let archive = Archive::new();
    let mut events = archive.roster.subscribe();
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
async fn call_is_found_by_any_of_its_words() {
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
        ("READ TEX", &["names"]),
        ("rea text", &[]),
        ("readtextfile", &["names"]),
        ("docum", &["arguments"]),
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
async fn call_is_found_by_its_trace() {
    let archive = Archive::new();
    call("other").into(&archive);
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let of = call("traced").outcome;
    let ended = FinishedCall::new(&of, Caller::Agent, "{}", None).traced(trace.to_owned());
    archive.history.record(ended);
    archive.written().await;
    assert_eq!(archive.words(trace).await, ["traced"]);
    let found = archive.find(HistoryFilter::default()).await;
    let traces: Vec<_> = found.iter().map(|it| it.trace_id.as_deref()).collect();
    assert_eq!(traces, [Some(trace), None]);
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
        let of = HistoryEntryRef { id: entry.id };
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
    let of = HistoryEntryRef { id: EntryId(99) };
    let report = archive.history.entry(of).await.expect_err("no such entry");
    assert_eq!(report.code, Code::HistoryEntryUnknown);
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
            // The plan is a walk by rowid from one end, an index or a look-up, but never a full
            // scan or a sort.
            assert!(
                step.contains("USING") || step.contains("VIRTUAL TABLE INDEX"),
                "{step}"
            );
            assert!(!step.contains("TEMP B-TREE"), "{step}");
        }
    }
}
