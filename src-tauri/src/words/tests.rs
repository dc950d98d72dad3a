use guild_core::MemberName;
use guild_core::presence::notices::Kind;

use super::*;

fn crash(name: &str) -> Matter {
    let member = MemberName::parse(name).expect("a name");
    Matter::CrashLoop { member }
}

fn notice(names: &[&str], more: usize) -> Notice {
    Notice {
        kind: Kind::CrashLoop,
        named: names.iter().map(|name| crash(name)).collect(),
        more,
    }
}

#[test]
fn one_is_told_in_a_sentence_and_several_by_their_names() {
    let words = &en::WORDS;
    let one = notice(&["forge"], 0);
    assert_eq!((words.title)(&one), "A member crashed again and again");
    assert_eq!(
        words.body(&one),
        "forge stays down until someone starts it."
    );
    let many = notice(&["a", "b", "c"], 17);
    assert_eq!((words.title)(&many), "20 members crashed again and again");
    assert_eq!(words.body(&many), "a, b, c, and 17 more");
    assert_eq!(de::WORDS.body(&many), "a, b, c, und 17 weitere");
}

#[test]
fn the_state_is_one_line_of_what_there_is() {
    let mut outlook = Outlook::default();
    assert_eq!((en::WORDS.state)(&outlook), "No members");
    (outlook.ready, outlook.failed) = (6, 1);
    assert_eq!((en::WORDS.state)(&outlook), "6 ready, 1 failed");
    assert_eq!((de::WORDS.state)(&outlook), "6 bereit, 1 fehlgeschlagen");
    (outlook.disabled, outlook.unreviewed) = (2, 3);
    assert_eq!(
        (en::WORDS.state)(&outlook),
        "6 ready, 1 failed, 2 switched off, 3 to be reviewed"
    );
    assert_eq!(
        (de::WORDS.state)(&outlook),
        "6 bereit, 1 fehlgeschlagen, 2 ausgeschaltet, 3 ungeprüft"
    );
    outlook.folder_failed = true;
    assert_eq!(
        (en::WORDS.state)(&outlook),
        "The members' folder can't be read"
    );
}

#[test]
fn numbers_are_grouped_as_the_language_has_it() {
    let outlook = Outlook {
        ready: 2_000,
        moving: 1_234_567,
        failed: 999,
        down: 12_345,
        ..Outlook::default()
    };
    assert_eq!(
        (en::WORDS.state)(&outlook),
        "2,000 ready, 1,234,567 under way, 999 failed, 12,345 stopped"
    );
    assert_eq!(
        (de::WORDS.state)(&outlook),
        "2.000 bereit, 1.234.567 im Übergang, 999 fehlgeschlagen, 12.345 angehalten"
    );
    for (words, expected) in [(&en::WORDS, "2,000"), (&de::WORDS, "2.000")] {
        let mut said = vec![
            (words.more_troubled)(2_000),
            (words.held)("forge", 2_000),
            (words.approvals)(2_000),
            (words.questions)(2_000),
            (words.more)(2_000),
        ];
        for kind in Kind::ALL {
            let named = Vec::new();
            let notice = Notice {
                kind,
                named,
                more: 2_000,
            };
            said.push((words.title)(&notice));
        }
        for text in said {
            assert!(text.contains(expected), "{text}");
        }
    }
}
