use serde_json::{Value, json};

use super::*;

fn member() -> MemberName {
    MemberName::parse("forge").expect("a name")
}

fn manifest(argument: &str) -> Manifest {
    let text = json!({
        "name": "forge", "transport": "stdio", "command": "server", "args": [argument],
        "origin": {"from": "registry"},
    });
    guild_model::manifest::parse(text.to_string().as_bytes(), "plugin.json")
        .manifest
        .expect("a manifest")
}

fn tool(name: &str, description: &str) -> ToolSpec {
    let raw = json!({"name": name, "description": description, "inputSchema": {}});
    ToolSpec::from_raw(raw).expect("a tool")
}

fn marks(reviews: &Reviews, tools: Vec<ToolSpec>) -> Vec<(String, ToolMark)> {
    let standing = reviews.standing(&member(), Some(&manifest("a")));
    reviews.make_ready(&member(), standing.changes, &tools);
    let set = ToolSet::new(tools, vec![], 1);
    let marks = reviews.marks(&member(), standing.changes, &set, &[]);
    let mut marks: Vec<_> = marks
        .into_iter()
        .map(|(name, mark)| (name.to_string(), mark))
        .collect();
    marks.sort_by(|one, other| one.0.cmp(&other.0));
    marks
}

#[test]
fn only_what_was_accepted_is_accepted_also_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let reviews = Reviews::read(folder.path());
    let launch =
        |reviews: &Reviews, manifest: &Manifest| reviews.standing(&member(), Some(manifest)).launch;
    assert_eq!(launch(&reviews, &manifest("a")), LaunchTrust::Unreviewed);
    reviews.accept(&member(), &manifest("a")).expect("written");
    for reviews in [&reviews, &Reviews::read(folder.path())] {
        assert_eq!(launch(reviews, &manifest("a")), LaunchTrust::Accepted);
        assert_eq!(launch(reviews, &manifest("b")), LaunchTrust::Changed);
        let mut own = manifest("b");
        own.origin = None;
        assert_eq!(launch(reviews, &own), LaunchTrust::Own);
    }
}

#[test]
fn the_first_list_counts_and_what_comes_after_it_waits() {
    let folder = tempfile::tempdir().expect("a folder");
    let reviews = Reviews::read(folder.path());
    reviews.accept(&member(), &manifest("a")).expect("written");
    let first = vec![tool("a", "1"), tool("b", "1")];
    assert_eq!(
        marks(&reviews, first.clone()).len(),
        2,
        "until its server has said it"
    );
    reviews
        .take_first(&member(), first.clone(), None)
        .expect("written");
    assert_eq!(marks(&reviews, first.clone()), []);
    let later = vec![tool("a", "2"), tool("b", "1"), tool("c", "1")];
    let expected = [
        ("a".to_owned(), ToolMark::Changed),
        ("c".to_owned(), ToolMark::New),
    ];
    assert_eq!(marks(&reviews, later.clone()), expected);
    // Only the first call of `take_first` has an effect.
    reviews
        .take_first(&member(), later.clone(), None)
        .expect("nothing to do");
    assert_eq!(
        marks(&Reviews::read(folder.path()), later.clone()),
        expected
    );
    // The list stays after another acceptance.
    reviews.accept(&member(), &manifest("b")).expect("written");
    assert_eq!(marks(&reviews, later), expected);
    reviews.let_pass(&member()).expect("written");
    assert_eq!(marks(&Reviews::read(folder.path()), first), []);
}

#[test]
fn unwritten_review_is_not_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    let reviews = Reviews::read(folder.path());
    // A folder in the file's place can't be overwritten, not even by root.
    std::fs::create_dir_all(folder.path().join("reviews.json/in the way")).expect("made");
    let refused = reviews
        .accept(&member(), &manifest("a"))
        .expect_err("refused");
    assert_eq!(refused.code, guild_model::Code::DataUnwritable);
    let standing = reviews.standing(&member(), Some(&manifest("a")));
    assert!(standing.is_unreviewed());
}

#[test]
fn mangled_files_trust_nobody_and_are_kept_beside_the_new_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("reviews.json");
    Reviews::read(folder.path())
        .accept(&member(), &manifest("a"))
        .expect("written");
    let good = std::fs::read(&file).expect("read");
    for end in (0..good.len()).step_by(7) {
        std::fs::write(&file, &good[..end]).expect("written");
        let reviews = Reviews::read(folder.path());
        let standing = reviews.standing(&member(), Some(&manifest("a")));
        assert!(standing.is_unreviewed(), "cut at {end}");
        assert!(standing.warning.is_some(), "cut at {end}");
        reviews
            .accept(&member(), &manifest("a"))
            .expect("written anew");
        let kept = std::fs::read(folder.path().join("reviews.malformed.json")).expect("kept");
        assert_eq!(kept, &good[..end]);
    }
    let read: Value = serde_json::from_slice(&std::fs::read(&file).expect("read")).expect("JSON");
    assert_eq!(read["members"]["forge"]["changes"], "first");
}

#[test]
fn a_member_that_is_held_stays_so_where_reviews_are_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let reviews = Reviews::read(folder.path());
    reviews
        .hold_to(&member(), vec![tool("a", "1")], None)
        .expect("written");
    std::fs::write(folder.path().join("reviews.json"), "{").expect("written");
    let mut own = manifest("a");
    own.origin = None;
    let lost = Reviews::read(folder.path());
    assert_eq!(
        lost.standing(&member(), Some(&own)).changes,
        ToolChangeMode::Held
    );
    let other = MemberName::parse("other").expect("a name");
    lost.accept(&other, &manifest("a")).expect("written anew");
    let again = Reviews::read(folder.path());
    assert_eq!(
        again.standing(&member(), Some(&own)).changes,
        ToolChangeMode::Held
    );
}

#[test]
fn first_offers_count_and_later_ones_wait() {
    let folder = tempfile::tempdir().expect("a folder");
    let reviews = Reviews::read(folder.path());
    reviews.accept(&member(), &manifest("a")).expect("written");
    // A list from before prompts were reviewed.
    let tools = vec![tool("a", "1")];
    let held = reviews.hold_to(&member(), tools.clone(), None);
    held.expect("written");
    let mark_of = |reviews: &Reviews, description: &str| {
        let offers = [tool("prompt:greet", description)];
        reviews.make_ready(&member(), ToolChangeMode::Held, &offers);
        let set = ToolSet::new(tools.clone(), vec![], 1);
        let marks = reviews.marks(&member(), ToolChangeMode::Held, &set, &offers);
        marks.get(offers[0].name()).copied()
    };
    assert_eq!(mark_of(&reviews, "1"), Some(ToolMark::New));
    let offers = |description| Some(vec![tool("prompt:greet", description)]);
    let taken = reviews.take_first(&member(), tools.clone(), offers("1"));
    taken.expect("written");
    let later = reviews.take_first(&member(), tools.clone(), offers("2"));
    later.expect("nothing to write");
    for reviews in [&reviews, &Reviews::read(folder.path())] {
        assert_eq!(mark_of(reviews, "1"), None);
        assert_eq!(mark_of(reviews, "2"), Some(ToolMark::Changed));
    }
}
