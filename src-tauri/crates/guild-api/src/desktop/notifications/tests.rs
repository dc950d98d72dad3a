use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn member(number: usize) -> MemberName {
    MemberName::parse(&format!("m{number}")).expect("a name")
}

fn crash(number: usize) -> NotificationTopic {
    NotificationTopic::CrashLoop {
        member: member(number),
    }
}

fn approval(number: usize) -> NotificationTopic {
    NotificationTopic::Approval {
        id: ApprovalId::numbered(number as u64),
        member: member(0),
    }
}

fn shown(commands: &[NotificationCommand]) -> Vec<&DesktopNotification> {
    let shown = commands.iter().filter_map(|order| match order {
        NotificationCommand::Show(notification) => Some(notification),
        NotificationCommand::Withdraw(_) => None,
    });
    shown.collect()
}

#[test]
fn events_within_ten_seconds_are_combined() {
    let mut pending = PendingNotifications::default();
    assert_eq!(pending.due(), None, "nothing wakes where nothing happens");
    for number in 0..20 {
        pending.arose(crash(number), number as u64 * 400);
    }
    assert_eq!(pending.due(), Some(GATHER_MS));
    assert_eq!(pending.take(GATHER_MS - 1, |_| true), []);
    let commands = pending.take(GATHER_MS, |_| true);
    let [notification] = shown(&commands)[..] else {
        panic!("one: {commands:?}");
    };
    assert_eq!(notification.kind, NotificationKind::CrashLoop);
    assert_eq!(
        notification.named,
        (0..NAMED_MAX).map(crash).collect::<Vec<_>>()
    );
    assert_eq!(notification.more, 20 - NAMED_MAX);
    assert_eq!(notification.count(), 20);
    assert_eq!(pending.due(), None);
}

#[test]
fn a_kind_is_told_once_a_minute_and_each_kind_by_itself() {
    let mut pending = PendingNotifications::default();
    pending.arose(crash(1), 0);
    assert_eq!(pending.take(GATHER_MS, |_| true).len(), 1);
    pending.arose(crash(2), GATHER_MS + 1);
    pending.arose(approval(1), GATHER_MS + 1);
    let due = pending.due().expect("the approval");
    assert_eq!(
        due,
        GATHER_MS + 1 + GATHER_MS,
        "it does not wait for the other kind"
    );
    let commands = pending.take(due, |_| true);
    assert_eq!(shown(&commands)[0].named, [approval(1)]);
    assert_eq!(pending.due(), Some(GATHER_MS + PAUSE_MS));
    let commands = pending.take(GATHER_MS + PAUSE_MS, |_| true);
    assert_eq!(
        shown(&commands)[0].named,
        [crash(1), crash(2)],
        "the notification names what it replaces"
    );
}

#[test]
fn resolved_events_are_withdrawn() {
    let mut pending = PendingNotifications::default();
    pending.arose(approval(1), 0);
    assert_eq!(pending.settled(&approval(1)), None);
    assert_eq!(
        pending.due(),
        None,
        "decided before the notification was due"
    );

    pending.arose(approval(2), 100);
    pending.arose(approval(3), 100);
    assert_eq!(pending.take(20_000, |_| true).len(), 1);
    assert_eq!(pending.settled(&approval(2)), None, "one still waits");
    let gone = pending.settled(&approval(3));
    assert_eq!(
        gone,
        Some(NotificationCommand::Withdraw(NotificationKind::Waiting))
    );
    assert_eq!(pending.settled(&approval(3)), None);
}

#[test]
fn window_focus_marks_all_seen() {
    let mut pending = PendingNotifications::default();
    pending.arose(crash(1), 0);
    assert_eq!(pending.take(GATHER_MS, |_| true).len(), 1);
    pending.arose(approval(1), GATHER_MS);
    assert_eq!(
        pending.seen(),
        [NotificationCommand::Withdraw(NotificationKind::CrashLoop)]
    );
    assert_eq!(pending.due(), None);
    assert_eq!(pending.seen(), []);
}

#[test]
fn disabled_kind_is_never_shown() {
    let mut pending = PendingNotifications::default();
    pending.arose(crash(1), 0);
    assert_eq!(pending.take(GATHER_MS, |_| false), []);
    assert_eq!(pending.due(), None);
    assert_eq!(pending.take(GATHER_MS * 10, |_| true), []);
}

#[test]
fn dismissed_event_is_not_repeated() {
    let mut pending = PendingNotifications::default();
    pending.arose(crash(1), 0);
    pending.take(GATHER_MS, |_| true);
    pending.dismissed(NotificationKind::CrashLoop);
    pending.arose(crash(2), GATHER_MS + 1);
    let commands = pending.take(GATHER_MS + PAUSE_MS, |_| true);
    assert_eq!(shown(&commands)[0].named, [crash(2)]);
}

#[test]
fn each_matter_leads_to_its_place() {
    let lead = |topic: NotificationTopic| topic.link().to_string();
    assert_eq!(lead(crash(7)), "guildhall://member/m7");
    assert_eq!(lead(approval(7)), "guildhall://page/approvals");
    let question = NotificationTopic::Question {
        id: ElicitationId::numbered(1),
        member: member(3),
    };
    assert_eq!(lead(question), "guildhall://question/m3");
    let changed = NotificationTopic::ChangedTools { member: member(2) };
    assert_eq!(lead(changed), "guildhall://review/m2");
}

/// A step of a generated test: an event, an action of the user, or a wait in milliseconds.
#[derive(Debug, Clone)]
enum Step {
    Arose(NotificationTopic),
    Settled(NotificationTopic),
    Seen,
    Dismissed(NotificationKind),
    Wait(u64),
}

fn topics() -> impl Strategy<Value = NotificationTopic> {
    prop_oneof![
        (0..30_usize).prop_map(crash),
        (0..30_usize).prop_map(approval),
        (0..30_usize).prop_map(|number| NotificationTopic::ChangedTools {
            member: member(number)
        }),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => topics().prop_map(Step::Arose),
        3 => topics().prop_map(Step::Settled),
        1 => Just(Step::Seen),
        1 => prop::sample::select(NotificationKind::ALL.to_vec()).prop_map(Step::Dismissed),
        6 => (0..20_000_u64).prop_map(Step::Wait),
        1 => (60_000..200_000_u64).prop_map(Step::Wait),
    ];
    prop::collection::vec(step, 0..200)
}

proptest! {
    /// With any order of events: each kind is shown at most once a minute, each notification
    /// carries all open events, and every open event is shown in the end.
    #[test]
    fn no_stream_of_events_floods_anybody_and_none_loses_anything(steps in steps()) {
        let mut pending = PendingNotifications::default();
        let mut now = 0_u64;
        let mut told: Vec<(NotificationKind, u64)> = Vec::new();
        // The topics that are still open, and the topics that were shown.
        let mut stands: BTreeSet<NotificationTopic> = BTreeSet::new();
        let mut known: BTreeSet<NotificationTopic> = BTreeSet::new();
        // The last step waits until all notifications are due.
        for step in steps.into_iter().chain([Step::Wait(GATHER_MS + PAUSE_MS)]) {
            match step {
                Step::Arose(topic) => {
                    pending.arose(topic.clone(), now);
                    known.remove(&topic);
                    stands.insert(topic);
                }
                Step::Settled(topic) => {
                    pending.settled(&topic);
                    stands.remove(&topic);
                    known.remove(&topic);
                }
                Step::Seen => {
                    pending.seen();
                    stands.clear();
                    known.clear();
                }
                Step::Dismissed(kind) => {
                    pending.dismissed(kind);
                    stands.retain(|one| one.kind() != kind || !known.contains(one));
                }
                Step::Wait(ms) => {
                    let until = now + ms;
                    // Like the shell, sleeps until a notification is due.
                    while let Some(due) = pending.due().filter(|due| *due <= until) {
                        now = now.max(due);
                        let commands = pending.take(now, |_| true);
                        prop_assert!(!commands.is_empty(), "it was woken for nothing");
                        for notification in shown(&commands) {
                            let of_kind = stands.iter().filter(|one| one.kind() == notification.kind);
                            let of_kind: Vec<&NotificationTopic> = of_kind.collect();
                            prop_assert_eq!(notification.count(), of_kind.len());
                            prop_assert!((1..=NAMED_MAX).contains(&notification.named.len()));
                            prop_assert!(notification.named.iter().all(|one| stands.contains(one)));
                            let events = of_kind.iter().any(|one| !known.contains(*one));
                            prop_assert!(events, "no notification is repeated without a reason");
                            known.extend(of_kind.into_iter().cloned());
                            told.push((notification.kind, now));
                        }
                    }
                    now = until;
                }
            }
        }
        for kind in NotificationKind::ALL {
            let times: Vec<u64> = told.iter().filter(|(of, _)| *of == kind).map(|(_, at)| *at).collect();
            prop_assert!(times.windows(2).all(|two| two[1] - two[0] >= PAUSE_MS), "{kind:?} {times:?}");
        }
        prop_assert!(stands.is_subset(&known), "untold: {:?}", stands.difference(&known));
        prop_assert_eq!(pending.due(), None, "nothing is left to wake for");
    }
}
