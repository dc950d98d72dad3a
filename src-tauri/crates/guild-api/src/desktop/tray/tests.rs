use serde_json::json;

use super::*;
use crate::wire::RosterView;

fn name(text: &str) -> MemberName {
    MemberName::parse(text).expect("a name")
}

fn member(of: &str, status: Status, held: usize) -> MemberView {
    let view = json!({
        "name": of, "version": "1", "description": "", "transport": null, "lifecycle": "eager",
        "status": status, "step": null, "freshness": "unknown", "listedAtMs": null, "tools": 0,
        "port": null, "pid": null, "sinceMs": 0, "retryAtMs": null, "attempt": 0,
        "protocolVersion": null, "lastStderr": null, "error": null, "warnings": [], "calls": 0,
        "trust": {"origin": null, "launch": "own", "holds": held > 0, "held": held},
    });
    serde_json::from_value(view).expect("a member")
}

fn roster(members: Vec<MemberView>) -> HallEvent {
    HallEvent::Roster {
        roster: Box::new(RosterView {
            revision: 1,
            members_dir: String::new(),
            members,
            error: None,
        }),
    }
}

fn changed(of: &str, status: Status, held: usize) -> HallEvent {
    HallEvent::MemberChanged {
        member: Box::new(member(of, status, held)),
        is_activity: false,
    }
}

fn approval(number: u64) -> Approval {
    Approval {
        id: ApprovalId::numbered(number),
        client: "an agent".to_owned(),
        member: name("a"),
        tool: guild_model::ToolName::parse("write").expect("a name"),
        arguments: "{}".to_owned(),
        asked_at_ms: 0,
        expires_at_ms: 1,
    }
}

fn crash(of: &str) -> NotificationTopic {
    NotificationTopic::CrashLoop { member: name(of) }
}

#[test]
fn the_icon_tells_the_most_pressing() {
    let mut watched = HallStateTracker::default();
    watched.take(&roster(vec![
        member("a", Status::Ready, 0),
        member("b", Status::Stopped, 0),
    ]));
    let tray_state = watched.tray_state();
    assert_eq!(tray_state.status, TrayStatus::Well);
    assert_eq!(
        (tray_state.ready, tray_state.down, tray_state.members()),
        (1, 1, 2)
    );

    watched.take(&changed("b", Status::Starting, 0));
    assert_eq!(watched.tray_state().status, TrayStatus::Working);
    watched.take(&changed("b", Status::Backoff, 0));
    assert_eq!(watched.tray_state().status, TrayStatus::Error);
    assert_eq!(
        watched.tray_state().troubled,
        [(name("b"), Status::Backoff)]
    );
    let event = HallEvent::ApprovalAsked {
        approval: Box::new(approval(1)),
    };
    watched.take(&event);
    assert_eq!(watched.tray_state().status, TrayStatus::NeedsYou);
    watched.take(&HallEvent::ApprovalEnded {
        id: ApprovalId::numbered(1),
    });
    assert_eq!(watched.tray_state().status, TrayStatus::Error);
    watched.take(&HallEvent::MemberRemoved { member: name("b") });
    assert_eq!(watched.tray_state().status, TrayStatus::Well);
}

#[test]
fn unrelated_event_changes_nothing() {
    let mut watched = HallStateTracker::default();
    let first = roster(vec![member("a", Status::Ready, 0)]);
    assert!(watched.take(&first).0, "the first one is drawn");
    assert!(!watched.take(&first).0);
    assert!(!watched.take(&changed("a", Status::Ready, 0)).0);
    let event = HallEvent::FoundChanged { new: 3 };
    assert_eq!(watched.take(&event), (false, Vec::new()));
}

#[test]
fn failed_member_is_news_until_its_retry() {
    let mut watched = HallStateTracker::default();
    watched.take(&roster(vec![member("a", Status::Stopped, 0)]));
    let (_, events) = watched.take(&changed("a", Status::CrashLoop, 0));
    assert_eq!(events, [NotificationEvent::Arose(crash("a"))]);
    assert_eq!(watched.take(&changed("a", Status::CrashLoop, 0)).1, []);
    let (_, events) = watched.take(&changed("a", Status::Starting, 0));
    assert_eq!(events, [NotificationEvent::Settled(crash("a"))]);
}

#[test]
fn missed_changes_are_news_initial_ones_not() {
    let mut watched = HallStateTracker::default();
    let first = roster(vec![
        member("a", Status::CrashLoop, 0),
        member("b", Status::Ready, 2),
        member("c", Status::Ready, 0),
    ]);
    assert_eq!(watched.take(&first).1, []);
    assert_eq!(watched.tray_state().held, [(name("b"), 2)]);
    // After missed events, a roster has the current state.
    let later = roster(vec![
        member("b", Status::Ready, 0),
        member("c", Status::CrashLoop, 1),
    ]);
    let (_, events) = watched.take(&later);
    let tools = |of: &str| NotificationTopic::ChangedTools { member: name(of) };
    assert_eq!(
        events,
        [
            NotificationEvent::Settled(crash("a")),
            NotificationEvent::Settled(tools("b")),
            NotificationEvent::Arose(crash("c")),
            NotificationEvent::Arose(tools("c")),
        ]
    );
}

/// Returns the event of a ready member with these withheld tools.
fn holding(of: &str, names: &[&str]) -> HallEvent {
    let mut view = member(of, Status::Ready, names.len());
    let parsed = names.iter().map(|name| guild_model::ToolName::parse(name));
    view.trust.held_names = parsed.map(|name| name.expect("a name")).collect();
    HallEvent::MemberChanged {
        member: Box::new(view),
        is_activity: false,
    }
}

#[test]
fn a_held_tool_that_takes_the_place_of_another_is_news() {
    let mut watched = HallStateTracker::default();
    watched.take(&roster(vec![member("a", Status::Ready, 0)]));
    let tools = NotificationTopic::ChangedTools { member: name("a") };
    let steps: [(&[&str], bool); 5] = [
        (&["b", "c"], true),
        (&["b", "c"], false),
        (&["b", "d"], true),
        // One tool was accepted.
        (&["d"], false),
        (&["e"], true),
    ];
    for (held, is_news) in steps {
        let (_, events) = watched.take(&holding("a", held));
        let arose = NotificationEvent::Arose(tools.clone());
        assert_eq!(events.contains(&arose), is_news, "{held:?}: {events:?}");
    }
    // There are too many withheld tools to name, so only their number is compared.
    assert_eq!(watched.take(&changed("a", Status::Ready, 300)).1.len(), 1);
    assert_eq!(watched.take(&changed("a", Status::Ready, 300)).1, []);
    assert_eq!(watched.take(&holding("a", &["e", "f"])).1, []);
    let (_, events) = watched.take(&changed("a", Status::Ready, 0));
    assert_eq!(events, [NotificationEvent::Settled(tools)]);
}

#[test]
fn waiting_items_survive_missed_events() {
    let mut watched = HallStateTracker::default();
    let events = watched.waiting(&[approval(1), approval(2)], &[]);
    assert_eq!(events.len(), 2);
    let events = watched.waiting(&[approval(2), approval(3)], &[]);
    let of = |number: u64| NotificationTopic::Approval {
        id: ApprovalId::numbered(number),
        member: name("a"),
    };
    assert_eq!(
        events,
        [
            NotificationEvent::Settled(of(1)),
            NotificationEvent::Arose(of(3))
        ]
    );
    assert_eq!(watched.tray_state().approvals, 2);
}

#[test]
fn the_oldest_question_is_the_one_that_the_icon_leads_to() {
    let question = |number: u64, of: &str| -> Elicitation {
        let asked = json!({
            "id": ElicitationId::numbered(number), "member": of, "call": null, "tool": null,
            "message": "Which?", "mode": {"kind": "form", "schema": "{}", "notes": []},
            "askedAtMs": 0, "expiresAtMs": 1,
        });
        serde_json::from_value(asked).expect("a question")
    };
    let mut watched = HallStateTracker::default();
    let (nine, ten) = (question(9, "a"), question(10, "b"));
    watched.waiting(&[], &[nine, ten.clone()]);
    let tray_state = watched.tray_state();
    assert_eq!(
        (tray_state.questions, tray_state.asks),
        (2, Some(name("a")))
    );
    assert_eq!(watched.waiting(&[], &[ten]).len(), 1);
    let tray_state = watched.tray_state();
    assert_eq!(
        (tray_state.questions, tray_state.asks),
        (1, Some(name("b")))
    );
    watched.take(&HallEvent::ElicitationEnded {
        id: ElicitationId::numbered(10),
    });
    assert_eq!(watched.tray_state().asks, None);
}

#[test]
fn only_those_are_stopped_that_could_be_started() {
    let mut watched = HallStateTracker::default();
    watched.take(&roster(vec![
        member("a", Status::Stopped, 0),
        member("b", Status::Disabled, 0),
        member("c", Status::Unreviewed, 0),
        member("d", Status::CrashLoop, 0),
    ]));
    let tray_state = watched.tray_state();
    let down = (tray_state.down, tray_state.disabled, tray_state.unreviewed);
    assert_eq!((down, tray_state.members()), ((1, 1, 1), 4));
    assert_eq!(watched.startable(), [name("a"), name("d")]);
}

#[test]
fn of_many_in_trouble_as_many_are_named_as_a_menu_holds() {
    let mut watched = HallStateTracker::default();
    let members = (0..40).map(|number| member(&format!("m{number}"), Status::Error, 1));
    watched.take(&roster(members.collect()));
    let tray_state = watched.tray_state();
    assert_eq!(tray_state.failed, 40);
    assert_eq!(tray_state.troubled.len(), TROUBLED_MAX);
    assert_eq!(tray_state.held.len(), TROUBLED_MAX);
    assert_eq!(watched.startable().len(), 40);
    assert!(watched.running().is_empty());
}
