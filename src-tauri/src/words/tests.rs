use guild_api::desktop::notifications::NotificationKind;
use guild_model::MemberName;

use super::*;

fn crash(name: &str) -> NotificationTopic {
    let member = MemberName::parse(name).expect("a name");
    NotificationTopic::CrashLoop { member }
}

fn notice(names: &[&str], more: usize) -> DesktopNotification {
    DesktopNotification {
        kind: NotificationKind::CrashLoop,
        named: names.iter().map(|name| crash(name)).collect(),
        more,
    }
}

#[test]
fn one_is_told_in_a_sentence_and_several_by_their_names() {
    let one = notice(&["forge"], 0);
    assert_eq!(title(&one), "A member crashed again and again");
    assert_eq!(body(&one), "forge stays down until someone starts it.");
    let many = notice(&["a", "b", "c"], 17);
    assert_eq!(title(&many), "20 members crashed again and again");
    assert_eq!(body(&many), "a, b, c, and 17 more");
}

#[test]
fn the_state_is_one_line_of_what_there_is() {
    let mut outlook = TrayState::default();
    assert_eq!(state(&outlook), "No members");
    (outlook.ready, outlook.failed) = (6, 1);
    assert_eq!(state(&outlook), "6 ready, 1 failed");
    (outlook.disabled, outlook.unreviewed) = (2, 3);
    assert_eq!(
        state(&outlook),
        "6 ready, 1 failed, 2 switched off, 3 to be reviewed"
    );
    outlook.folder_failed = true;
    assert_eq!(state(&outlook), "The members folder can't be read");
}

#[test]
fn numbers_are_grouped() {
    let outlook = TrayState {
        ready: 2_000,
        moving: 1_234_567,
        failed: 999,
        down: 12_345,
        ..TrayState::default()
    };
    assert_eq!(
        state(&outlook),
        "2,000 ready, 1,234,567 under way, 999 failed, 12,345 stopped"
    );
    let mut texts = vec![
        held("forge", 2_000),
        approvals(2_000),
        questions(2_000),
        more(2_000),
    ];
    for kind in NotificationKind::ALL {
        let named = Vec::new();
        let notice = DesktopNotification {
            kind,
            named,
            more: 2_000,
        };
        texts.push(title(&notice));
    }
    for text in texts {
        assert!(text.contains("2,000"), "{text}");
    }
}
