//! Tests of damaged, foreign, locked, full and missing databases. The app continues in each case.

use std::sync::mpsc;

use guild_tests::PromiseClock;
use rusqlite::Connection;

use super::*;

/// Returns the reports of all warnings until a call is recorded.
async fn warnings_until_recorded(archive: &Archive, id: &str) -> Vec<Report> {
    let mut events = archive.roster.subscribe();
    call(id).into(archive);
    let mut warnings = Vec::new();
    told(&mut events, |event| match event {
        HallEvent::Warning { report } => {
            warnings.push(report.clone());
            None
        }
        HallEvent::CallRecorded { entry } => (entry.call.as_str() == id).then_some(()),
        _ => None,
    })
    .await;
    warnings
}

async fn warning(events: &mut Subscription) -> Code {
    told(events, |event| match event {
        HallEvent::Warning { report } => Some(report.code),
        _ => None,
    })
    .await
}

async fn trouble(archive: &Archive) -> Option<Code> {
    let page = archive.page(HistoryFilter::default(), None, 10).await;
    page.trouble.map(|report| report.code)
}

async fn all(archive: &Archive) -> Vec<String> {
    ids(&archive.find(HistoryFilter::default()).await)
}

fn files_like(archive: &Archive, part: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(archive.folder.path()).expect("listed");
    files
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.display().to_string().contains(part))
        .collect()
}

#[tokio::test]
async fn damaged_file_is_moved_aside() {
    let archive = Archive::new();
    let garbage = b"this is no database ".repeat(500);
    std::fs::write(archive.path("history.db"), &garbage).expect("written");
    let warnings = warnings_until_recorded(&archive, "first").await;
    let [report] = warnings.as_slice() else {
        panic!("it is said once: {warnings:#?}");
    };
    assert_eq!(report.code, Code::HistoryUnreadable);
    let aside = files_like(&archive, "history.corrupt-");
    let [aside] = aside.as_slice() else {
        panic!("one file was moved aside: {aside:?}");
    };
    assert!(
        report.message.contains(&aside.display().to_string()),
        "{report}"
    );
    assert_eq!(
        std::fs::read(aside).expect("read"),
        garbage,
        "it is kept as it was"
    );
    assert_eq!(all(&archive).await, ["first"]);
}

#[tokio::test]
async fn later_damage_is_found_by_reading_and_writing() {
    for found_by_reading in [true, false] {
        let mut archive = Archive::new();
        for at in 0..200 {
            call(&format!("c{at}"))
                .answers(&"word ".repeat(500))
                .into(&archive);
        }
        archive.history.close().await;
        let file = archive.path("history.db");
        let mut bytes = std::fs::read(&file).expect("read");
        // The first page, which identifies the file, stays. All others are lost.
        bytes[4_096..].fill(0xA5);
        std::fs::write(&file, &bytes).expect("written");
        archive.restart().await;
        if found_by_reading {
            assert_eq!(archive.find(HistoryFilter::default()).await, []);
        }
        call("after").into(&archive);
        archive.written().await;
        assert_eq!(all(&archive).await, ["after"]);
        let mut aside = files_like(&archive, "history.corrupt-");
        // The file's log may have been moved too.
        aside.retain(|path| path.extension().is_some_and(|extension| extension == "db"));
        assert_eq!(aside.len(), 1, "{aside:?}");
    }
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_left_as_it_is() {
    let archive = Archive::new();
    let file = archive.path("history.db");
    let newer = Connection::open(&file).expect("opened");
    let tables = "PRAGMA journal_mode = WAL; CREATE TABLE of_the_future (x); \
                  PRAGMA user_version = 99;";
    newer.execute_batch(tables).expect("made");
    drop(newer);
    let before = std::fs::read(&file).expect("read");
    let mut events = archive.roster.subscribe();
    call("a").into(&archive);
    assert_eq!(warning(&mut events).await, Code::HistoryNewer);
    assert_eq!(trouble(&archive).await, Some(Code::HistoryNewer));
    let draft = KeepDraft {
        member: member("smith"),
        tool: tool("forge"),
        draft: Some("x".into()),
    };
    let refused = archive.history.keep_draft(draft).await;
    assert_eq!(refused.expect_err("not kept").code, Code::HistoryNewer);
    let state = archive.history.state().await;
    assert_eq!((state.unrecorded, state.calls), (1, 0));
    archive.history.close().await;
    assert_eq!(
        std::fs::read(&file).expect("read"),
        before,
        "not a byte changed"
    );
    assert_eq!(files_like(&archive, "corrupt"), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn first_version_file_is_migrated_whole() {
    let archive = Archive::new();
    let first = Connection::open(archive.path("history.db")).expect("opened");
    first
        .execute_batch(include_str!("../tables/1.sql"))
        .expect("its tables");
    first
        .execute_batch(
            r#"INSERT INTO calls VALUES
                   (7, 'old', 1, 'window', 'smith', 'forge', 'ok', NULL, 2, 3, '{}', 600);
               INSERT INTO contents VALUES (7, '{}', '[]', NULL, '{"content":[]}', 0, NULL);
               INSERT INTO words (rowid, of_call) VALUES (7, 'smith forge');
               UPDATE totals SET calls = 1, bytes = 600;
               INSERT INTO drafts VALUES ('smith', 'forge', 'typed', 1);
               PRAGMA user_version = 1;"#,
        )
        .expect("a call");
    drop(first);
    call("new").into(&archive);
    archive.written().await;
    assert_eq!(all(&archive).await, ["new", "old"]);
    assert_eq!(archive.words("smi").await, ["new", "old"]);
    let old = archive
        .history
        .entry(HistoryEntryRef { id: EntryId(7) })
        .await;
    let old = old.expect("it is there");
    assert_eq!((old.arguments.as_str(), old.entry.trace_id), ("{}", None));
    let of = ToolRef {
        member: member("smith"),
        tool: tool("forge"),
    };
    let kept = archive.history.kept_draft(of).await;
    assert_eq!(kept.draft.as_deref(), Some("typed"));
    assert_eq!(files_like(&archive, "corrupt"), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn locked_history_is_reported_and_recovers() {
    let archive = Archive::new();
    call("before").into(&archive);
    archive.written().await;
    let other = Connection::open(archive.path("history.db")).expect("opened");
    other.execute_batch("BEGIN IMMEDIATE").expect("locked");
    call("during").into(&archive);
    let found = all(&archive).await;
    assert_eq!(found, ["before"], "a list answers while another writes");
    other.execute_batch("COMMIT").expect("given back");
    archive.written().await;
    assert_eq!(all(&archive).await, ["during", "before"]);

    let mut events = archive.roster.subscribe();
    other.execute_batch("BEGIN EXCLUSIVE").expect("locked");
    let began = PromiseClock::start();
    call("delayed").into(&archive);
    began.assert_within(Duration::from_secs(1), "a call that can't be recorded yet");
    assert_eq!(warning(&mut events).await, Code::HistoryBusy);
    assert_eq!(trouble(&archive).await, Some(Code::HistoryBusy));
    other.execute_batch("COMMIT").expect("given back");
    call("after").into(&archive);
    archive.written().await;
    let recorded = all(&archive).await;
    assert_eq!(recorded, ["after", "delayed", "during", "before"]);
    let state = archive.history.state().await;
    assert_eq!((state.unrecorded, state.trouble), (0, None));
}

#[tokio::test]
async fn full_disk_is_reported_once() {
    let archive = Archive::new();
    let pages = &archive.history.inner.database.pages_max;
    pages.store(64, Ordering::Relaxed);
    call("small").into(&archive);
    archive.written().await;
    let mut events = archive.roster.subscribe();
    for at in 0..5 {
        let large = call(&format!("large{at}"));
        large.answers(&"x".repeat(900_000)).into(&archive);
        archive.written().await;
    }
    let end = Report::new(Code::RpcError, "the last one", "");
    archive.history.inner.health.warn(end);
    assert_eq!(warning(&mut events).await, Code::HistoryFull);
    assert_eq!(
        warning(&mut events).await,
        Code::RpcError,
        "it was said once"
    );
    let page = archive.page(HistoryFilter::default(), None, 10).await;
    assert_eq!(ids(&page.entries), ["small"]);
    let told = page.trouble.map(|report| report.code);
    assert_eq!(told, Some(Code::HistoryFull));
    let state = archive.history.state().await;
    assert_eq!((state.calls, state.unrecorded), (1, 5));
    call("fits").into(&archive);
    archive.written().await;
    assert_eq!(all(&archive).await, ["fits", "small"]);
}

#[tokio::test]
async fn unusable_place_affects_only_the_history() {
    let archive = Archive::new();
    let file = archive.path("history.db");
    std::fs::create_dir(&file).expect("made");
    let page = archive.page(HistoryFilter::default(), None, 10).await;
    let report = page.trouble.expect("trouble");
    assert_eq!(report.code, Code::HistoryUnreadable);
    assert!(report.message.contains("history.db"), "{report}");
    assert!(file.is_dir(), "what is no database is left alone");
    // Once the path is free, the history begins without a restart.
    let mut events = archive.roster.subscribe();
    call("lost").into(&archive);
    assert_eq!(warning(&mut events).await, Code::HistoryUnreadable);
    std::fs::remove_dir(&file).expect("removed");
    call("kept").into(&archive);
    archive.written().await;
    assert_eq!(all(&archive).await, ["kept"]);
    let state = archive.history.state().await;
    assert_eq!((state.unrecorded, state.trouble), (1, None));
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_was_removed_while_it_was_open_is_begun_anew() {
    let archive = Archive::new();
    call("before").into(&archive);
    archive.written().await;
    assert_eq!(all(&archive).await, ["before"]);
    std::fs::remove_file(archive.path("history.db")).expect("removed");
    call("after").into(&archive);
    archive.written().await;
    assert_eq!(all(&archive).await, ["after"]);
    let other = Connection::open(archive.path("history.db")).expect("opened");
    let sound: String = other
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .expect("checked");
    assert_eq!(sound, "ok");
}

#[tokio::test]
async fn settings_that_can_not_be_read_record_nothing() {
    let archive = Archive::new();
    std::fs::write(archive.path("history.json"), "{").expect("written");
    call("a").into(&archive);
    archive.written().await;
    let page = archive.page(HistoryFilter::default(), None, 10).await;
    assert_eq!(page.entries, []);
    let trouble = page.trouble.expect("trouble");
    assert_eq!(trouble.code, Code::DataUnwritable);
    assert!(trouble.message.contains("history.json"), "{trouble}");
    assert!(!archive.history.state().await.settings.recording);
}

#[tokio::test]
async fn excess_calls_are_counted_without_waiting() {
    let archive = Archive::new();
    let mut events = archive.roster.subscribe();
    let (go_on, held) = mpsc::channel::<()>();
    let (begun, began) = oneshot::channel();
    let mut begun = Some(begun);
    let history = archive.history.clone();
    let holding = tokio::spawn(async move {
        let hold = history.write(LIMIT, move |_| {
            if let Some(begun) = begun.take() {
                begun.send(()).expect("somebody waits");
            }
            held.recv().expect("it is let go");
            Ok(())
        });
        hold.await
    });
    began.await.expect("the thread is held");
    for at in 0..1_500 {
        call(&format!("c{at}")).into(&archive);
    }
    assert!(
        !holding.is_finished(),
        "all were handed over while the thread was held"
    );
    assert_eq!(warning(&mut events).await, Code::HistoryBehind);
    go_on.send(()).expect("it waits");
    holding.await.expect("it ends").expect("it is done");
    archive.written().await;
    let state = archive.history.state().await;
    assert_eq!(
        state.calls + state.unrecorded,
        1_500,
        "each is there or counted"
    );
    assert!(state.unrecorded > 0 && state.calls >= 1_000, "{state:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn the_files_are_their_owner_s_alone() {
    use std::os::unix::fs::PermissionsExt;
    let archive = Archive::new();
    call("a").into(&archive);
    archive.written().await;
    let mode = |name: &str| {
        let metadata = std::fs::metadata(archive.path(name)).expect("it is there");
        metadata.permissions().mode() & 0o777
    };
    for name in ["history.db", "history.db-wal", "history.db-shm"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
    let path = archive.path("calls.jsonl");
    let export = ExportHistory {
        filter: HistoryFilter::default(),
        path: path.display().to_string(),
    };
    archive.history.export(export).await.expect("exported");
    assert_eq!(mode("calls.jsonl"), 0o600);
}

#[tokio::test]
async fn queued_calls_are_written_before_the_end() {
    let mut archive = Archive::new();
    for at in 0..900 {
        call(&format!("c{at}")).into(&archive);
    }
    archive.restart().await;
    let state = archive.history.state().await;
    assert_eq!((state.calls, state.unrecorded), (900, 0));
}

#[tokio::test]
async fn several_programs_write_at_the_same_time() {
    let archive = Archive::new();
    let other = Archive::open(&archive.folder, &archive.roster);
    for at in 0..200 {
        call(&format!("a{at}")).into(&archive);
        let theirs = call(&format!("b{at}"));
        let ended = FinishedCall::new(&theirs.outcome, Caller::CommandLine, "{}", None);
        other.record(ended);
    }
    other.close().await;
    archive.written().await;
    let of = |caller| HistoryFilter {
        caller: Some(caller),
        ..HistoryFilter::default()
    };
    assert_eq!(archive.find(of(Caller::Window)).await.len(), 200);
    assert_eq!(archive.find(of(Caller::CommandLine)).await.len(), 200);
}
