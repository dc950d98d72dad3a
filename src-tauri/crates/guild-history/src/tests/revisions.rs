//! Tests of stored tool list changes and their limits.

use guild_api::wire::{RevisionId, RevisionRef, RevisionsOf};
use guild_model::diff::ToolListDiff;

use super::*;
use crate::NewRevision;

fn member(name: &str) -> MemberName {
    MemberName::parse(name).expect("a name")
}

fn tool(name: &str, description: &str) -> ToolSpec {
    let raw = json!({"name": name, "description": description, "inputSchema": {}});
    ToolSpec::from_raw(raw).expect("a tool")
}

fn revision(of: &str, before: &[ToolSpec], after: &[ToolSpec]) -> NewRevision {
    NewRevision {
        member: member(of),
        at_ms: 1,
        diff: ToolListDiff::between(before, after),
        before: before.to_vec(),
        after: after.to_vec(),
    }
}

fn of(name: &str, limit: usize) -> RevisionsOf {
    RevisionsOf {
        member: member(name),
        before: None,
        limit,
    }
}

#[tokio::test]
async fn revision_survives_a_restart() {
    let mut archive = Archive::new();
    let (first, second) = (
        [tool("a", "1"), tool("b", "1")],
        [tool("a", "2"), tool("c", "1")],
    );
    let record = async |archive: &Archive, before: &[ToolSpec], after: &[ToolSpec]| {
        let kept = archive
            .history
            .record_revision(revision("m", before, after));
        kept.await.expect("kept");
    };
    record(&archive, &[], &first).await;
    record(&archive, &first, &second).await;
    // If the program is killed before it writes its cache, the next start finds the same change
    // again.
    record(&archive, &first, &second).await;
    archive.restart().await;
    let listed = archive.history.revisions(of("m", 10)).await;
    assert_eq!(
        (listed.revisions.len(), listed.more),
        (2, false),
        "{listed:#?}"
    );
    let newest = &listed.revisions[0];
    let counts = (
        newest.added.len(),
        newest.changed.len(),
        newest.removed.len(),
    );
    assert_eq!((counts, newest.count), ((1, 1, 1), 2));
    let of_one = RevisionRef {
        member: member("m"),
        id: newest.id,
    };
    let (view, mut steps) = archive.history.revision(of_one).await.expect("kept");
    assert_eq!(view, *newest);
    steps.sort_by(|one, other| one.0.as_str().cmp(other.0.as_str()));
    let said = |tool: &Option<ToolSpec>| tool.as_ref().map(|tool| tool.description().to_owned());
    let said: Vec<_> = steps
        .iter()
        .map(|(_, old, new)| (said(old), said(new)))
        .collect();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        said,
        [(some("1"), some("2")), (some("1"), None), (None, some("1"))]
    );
    let page = archive.history.revisions(of("m", 1)).await;
    assert!(page.more);
    let other = RevisionRef {
        member: member("other"),
        id: newest.id,
    };
    let unknown = archive
        .history
        .revision(other)
        .await
        .expect_err("not its own");
    assert_eq!(unknown.code, Code::HistoryEntryUnknown);
}

#[tokio::test]
async fn newest_hundred_revisions_are_kept() {
    let archive = Archive::new();
    let other = archive
        .history
        .record_revision(revision("other", &[], &[tool("a", "")]));
    other.await.expect("kept");
    let mut before = vec![];
    for turn in 0..105 {
        let after = vec![tool("a", &turn.to_string())];
        let kept = archive
            .history
            .record_revision(revision("m", &before, &after));
        kept.await.expect("kept");
        before = after;
    }
    let listed = archive.history.revisions(of("m", 100)).await;
    assert_eq!((listed.revisions.len(), listed.more), (100, false));
    assert_eq!(
        archive
            .history
            .revisions(of("other", 9))
            .await
            .revisions
            .len(),
        1
    );
}

#[tokio::test]
async fn large_revisions_are_kept_by_name_and_size() {
    let archive = Archive::new();
    let long = |letter: char, bytes: usize| letter.to_string().repeat(bytes);
    let huge: Vec<ToolSpec> = (0..6)
        .map(|at| tool(&format!("t{at}"), &long('x', 900_000)))
        .collect();
    let kept = archive.history.record_revision(revision("m", &[], &huge));
    kept.await.expect("kept");
    let listed = archive.history.revisions(of("m", 9)).await;
    assert!(listed.revisions[0].names_only);
    assert_eq!(listed.revisions[0].added.len(), 6);
    // Each has two megabytes, so eight fit.
    let mut before = tool("a", "");
    for turn in 0..12 {
        let after = tool("a", &long(char::from(b'a' + turn), 1_000_000));
        let (old, new) = ([before], [after]);
        let kept = archive.history.record_revision(revision("n", &old, &new));
        kept.await.expect("kept");
        let [after] = new;
        before = after;
    }
    let listed = archive.history.revisions(of("n", 100)).await;
    assert!(
        (7..=9).contains(&listed.revisions.len()),
        "{}",
        listed.revisions.len()
    );
    let ids: Vec<RevisionId> = listed.revisions.iter().map(|view| view.id).collect();
    assert!(
        ids.is_sorted_by(|one, other| one > other),
        "the newest first"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_secret_in_a_description_is_not_written_down() {
    let archive = Archive::new();
    archive.plant(&json!({"PASSWORD": "hunter2hunter2"}));
    let after = [tool("a", "The password is hunter2hunter2.")];
    let kept = archive.history.record_revision(revision("m", &[], &after));
    kept.await.expect("kept");
    let listed = archive.history.revisions(of("m", 1)).await;
    let of_one = RevisionRef {
        member: member("m"),
        id: listed.revisions[0].id,
    };
    let (_, steps) = archive.history.revision(of_one).await.expect("kept");
    let said = steps[0]
        .2
        .as_ref()
        .map(|tool| tool.description().to_owned());
    assert_eq!(said, Some(format!("The password is {MASK}.")));
}
