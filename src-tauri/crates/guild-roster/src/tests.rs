use guild_api::wire::Trust;
use guild_model::manifest::{Lifecycle, Transport};
use guild_model::status::Status;
use serde_json::json;

use super::*;

fn name(text: &str) -> MemberName {
    MemberName::parse(text).expect("a name")
}

fn view(member: &str, tools: usize) -> MemberView {
    MemberView {
        name: name(member),
        version: String::new(),
        description: String::new(),
        transport: Some(Transport::Stdio),
        lifecycle: Lifecycle::Eager,
        status: Status::Stopped,
        step: None,
        freshness: Freshness::Unknown,
        listed_at_ms: None,
        tools,
        port: None,
        pid: None,
        since_ms: 0,
        retry_at_ms: None,
        attempt: 0,
        protocol_version: None,
        last_stderr: None,
        error: None,
        warnings: vec![],
        calls: 0,
        trust: Trust::default(),
    }
}

fn entry(view: MemberView, tools: &Arc<ToolSet>) -> RosterEntry {
    RosterEntry {
        view: Arc::new(view),
        tools: Arc::clone(tools),
        manifest: None,
        folder: std::path::PathBuf::new(),
        discovery: DiscoveryStatus::Never,
        held: Arc::default(),
        offers: None,
        is_confirmed: true,
    }
}

fn tools(all: &[(&str, &str)]) -> Arc<ToolSet> {
    let specs = all
        .iter()
        .map(|(name, description)| {
            let raw = json!({"name": name, "description": description, "inputSchema": {}});
            ToolSpec::from_raw(raw).expect("a tool")
        })
        .collect();
    Arc::new(ToolSet::new(specs, vec![], 1))
}

#[tokio::test]
async fn a_listener_gets_the_roster_and_then_each_change_once() {
    let roster = Arc::new(Roster::new("members".into()));
    roster.show(entry(view("a", 0), &tools(&[])));
    let mut subscription = roster.subscribe();
    let set = tools(&[]);
    roster.show(entry(view("b", 0), &set));
    roster.show(entry(view("b", 0), &set));
    roster.remove(&name("a"));
    let first = subscription.next().await.expect("an event");
    let HallEvent::Roster { roster } = &first.event else {
        panic!("expected a roster, got {first:?}");
    };
    assert_eq!(first.revision, 1, "as it was when the listening began");
    assert_eq!(roster.members.len(), 1);
    let second = subscription.next().await.expect("an event");
    assert_eq!(second.revision, 2, "nothing is lost though it is read late");
    assert!(matches!(&second.event, HallEvent::MemberAdded { member } if member.name == name("b")));
    let third = subscription.next().await.expect("an event");
    assert_eq!(third.revision, 3, "what changed nothing is no event");
    assert!(matches!(third.event, HallEvent::MemberRemoved { .. }));
}

#[tokio::test]
async fn events_share_members_between_snapshots() {
    let roster = Arc::new(Roster::new("members".into()));
    roster.show(entry(view("a", 0), &tools(&[])));
    let before = roster.snapshot();
    let mut subscription = roster.subscribe();
    subscription.next().await.expect("the roster");
    roster.tell(HallEvent::MemberRemoved { member: name("x") });
    roster.remove(&name("nobody"));
    roster.set_error(None);
    let told = roster.snapshot();
    assert_eq!(told.revision, before.revision + 1);
    assert!(
        Arc::ptr_eq(&told.members, &before.members),
        "the map is the same one"
    );
    roster.show(entry(view("b", 0), &tools(&[])));
    roster.remove(&name("a"));
    let names = |snapshot: &Snapshot| {
        let names = snapshot.members.keys();
        names.map(MemberName::to_string).collect::<Vec<_>>()
    };
    assert_eq!(names(&before), ["a"]);
    assert_eq!(names(&roster.snapshot()), ["b"]);
    let mut revisions = Vec::new();
    for _ in 0..3 {
        revisions.push(subscription.next().await.expect("an event").revision);
    }
    assert_eq!(revisions, [2, 3, 4], "each change once, in order");
}

#[tokio::test]
async fn a_listener_that_falls_behind_gets_the_whole_roster() {
    let roster = Arc::new(Roster::new("members".into()));
    let mut subscription = roster.subscribe();
    subscription.next().await.expect("the first roster");
    for attempt in 0..(EVENTS_KEPT as u32 + 10) {
        roster.show(entry(
            MemberView {
                attempt,
                ..view("a", 0)
            },
            &tools(&[]),
        ));
    }
    let envelope = subscription.next().await.expect("an event");
    let HallEvent::Roster { roster: view } = &envelope.event else {
        panic!("expected a roster, got {envelope:?}");
    };
    assert_eq!(view.members[0].attempt, EVENTS_KEPT as u32 + 9);
    roster.remove(&name("a"));
    let next = subscription.next().await.expect("an event");
    assert!(next.revision > envelope.revision);
    assert!(matches!(next.event, HallEvent::MemberRemoved { .. }));
}

#[test]
fn search_wants_every_word_and_puts_names_first() {
    let roster = Roster::new(String::new());
    roster.show(entry(
        view("files", 3),
        &tools(&[
            ("list", "Reads a folder."),
            ("read_file", "Gives a file's text."),
            ("write", "Writes; see read."),
        ]),
    ));
    roster.show(entry(
        view("git", 1),
        &tools(&[("log", "Read the history of a file.")]),
    ));
    let found = roster.snapshot().search("READ", 10);
    let names: Vec<_> = found.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["read_file", "list", "write", "log"]);
    assert_eq!(found.total, 4);
    let both = roster.snapshot().search("file read", 10);
    assert_eq!(
        both.tools.len(),
        4,
        "'files' the member counts for its tools"
    );
    assert_eq!(
        roster.snapshot().search("git read", 1).tools[0]
            .name
            .as_str(),
        "log"
    );
    assert_eq!(roster.snapshot().search("nothing like it", 10).total, 0);
}
