//! Property tests: for any file, an edit adds only the entry, and can be undone.

use super::*;

/// Generates white space and comments, as people and programs write them.
pub(super) fn trivia() -> impl Strategy<Value = String> {
    let segment = prop_oneof![
        6 => Just(""),
        3 => Just(" "),
        2 => Just("\n  "),
        1 => Just("\r\n\t"),
        1 => Just("/* a, \"b\": {} */"),
        1 => Just("// c } \" ,\n"),
        1 => Just("/* two\nlines */"),
    ];
    prop::collection::vec(segment, 0..3).prop_map(|segments| segments.concat())
}

pub(super) fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("1.50e+3".to_owned()),
        Just("true".to_owned()),
        Just("null".to_owned()),
        Just("\"a \\\" // b\"".to_owned()),
        Just("\"é😀\\u00e9\"".to_owned()),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let list =
            prop::collection::vec((trivia(), inner.clone(), trivia()), 0..3).prop_map(|items| {
                let items = items.iter().map(|(a, value, b)| format!("{a}{value}{b}"));
                format!("[{}]", items.collect::<Vec<_>>().join(","))
            });
        prop_oneof![list, object(prop::collection::vec(("[a-e]", inner), 0..3))]
    })
}

/// Generates an object with the given members. Each key occurs once.
fn object(members: impl Strategy<Value = Vec<(String, String)>>) -> impl Strategy<Value = String> {
    let spaces = prop::collection::vec(trivia(), 20);
    (members, spaces, any::<bool>()).prop_map(|(mut members, spaces, comma)| {
        let mut seen = std::collections::HashSet::new();
        members.retain(|(key, _)| seen.insert(key.clone()));
        let mut spaces = spaces.into_iter().cycle();
        let mut space = || spaces.next().unwrap_or_default();
        let mut text = "{".to_owned();
        let count = members.len();
        for (index, (key, value)) in members.into_iter().enumerate() {
            let (a, b, c, d) = (space(), space(), space(), space());
            text.push_str(&format!("{a}\"{key}\"{b}:{c}{value}{d}"));
            if index + 1 < count || comma {
                text.push(',');
            }
        }
        text.push_str(&space());
        text.push('}');
        text
    })
}

fn file() -> impl Strategy<Value = String> {
    let servers = prop::collection::vec(("[a-c]|guild-hall", value()), 0..4);
    let root = (
        prop::collection::vec(("[a-c]", value()), 0..3),
        prop::option::of(object(servers)),
        prop::collection::vec(("[d-f]", value()), 0..2),
    )
        .prop_map(|(mut members, servers, after)| {
            members.extend(servers.map(|servers| ("mcpServers".to_owned(), servers)));
            members.extend(after);
            members
        });
    let mark = prop_oneof![5 => Just(""), 1 => Just("\u{feff}")];
    (mark, trivia(), object(root), trivia())
        .prop_map(|(mark, before, root, after)| format!("{mark}{before}{root}{after}"))
}

/// Returns the parts of two texts that differ, without their common start and end.
fn differing<'t>(old: &'t str, new: &'t str) -> (&'t str, &'t str) {
    let alike = old.chars().zip(new.chars()).take_while(|(a, b)| a == b);
    let begin: usize = alike.map(|(c, _)| c.len_utf8()).sum();
    let (old, new) = (&old[begin..], &new[begin..]);
    let alike = old.chars().rev().zip(new.chars().rev());
    let alike = alike.take_while(|(a, b)| a == b);
    let end: usize = alike.map(|(c, _)| c.len_utf8()).sum();
    (&old[..old.len() - end], &new[..new.len() - end])
}

pub(super) fn toml_file() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        Just("1"),
        Just("\"a # b\""),
        Just("'''x\n[y]\n'''"),
        Just("[\n 1, # one\n]"),
        Just("{ a = 1979-05-27, b = 1.5 }"),
    ];
    let end = prop_oneof![3 => Just("\n"), 1 => Just("\r\n"), 1 => Just(" # note\n")];
    let line = ("[a-d]", value, end.clone());
    let lines = prop::collection::vec(line, 0..3).prop_map(|lines| {
        let mut seen = std::collections::HashSet::new();
        let lines = lines
            .into_iter()
            .filter(|(key, ..)| seen.insert(key.clone()));
        lines
            .map(|(key, value, end)| format!("{key} = {value}{end}"))
            .collect::<String>()
    });
    let header = prop_oneof![
        Just("x"),
        Just("x.y"),
        Just("mcp_servers.a"),
        Just("mcp_servers.guild-hall"),
        Just("mcp_servers.guild-hall.env"),
        Just("mcp_servers"),
        Just("mcp_servers.\"b c\""),
    ];
    let space = prop_oneof![Just(""), Just("\n"), Just("# c\n\n"), Just("  \r\n")];
    let tables = prop::collection::vec((space, header, end, lines.clone()), 0..5);
    let mark = prop_oneof![5 => Just(""), 1 => Just("\u{feff}")];
    (mark, lines, tables, any::<bool>()).prop_map(|(mark, lines, tables, cut)| {
        let mut seen = std::collections::HashSet::new();
        let mut text = format!("{mark}{lines}");
        for (space, header, end, lines) in tables {
            if seen.insert(header) {
                text.push_str(&format!("{space}[{header}]{end}{lines}"));
            }
        }
        match cut {
            true => text.trim_end().to_owned(),
            false => text,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn json_edit_adds_one_entry_and_is_undone(text in file()) {
        let program = ClientProgram::Cursor;
        let edit = of_user(program).switched_over(&text, &[], &access(Some("t0"))).expect("a file of the program");
        prop_assert_eq!(
            of_user(program).connection(&edit),
            Ok(Some(program.entry(&access(Some("t0")))))
        );
        let again = of_user(program).switched_over(&edit, &[], &access(Some("t0"))).expect("still a file");
        prop_assert_eq!(&again, &edit, "the second time nothing changes");
        let other = of_user(program).switched_over(&edit, &[], &access(Some("t1"))).expect("still a file");
        prop_assert_eq!(
            other.replace("t1", "t0"), edit.as_str(), "another token is no other text"
        );
        let back = disconnected(program, &edit, &text);
        prop_assert_eq!(back, Ok(text.clone()));
        let (old, new) = differing(&text, &edit);
        if of_user(program).connection(&text) == Ok(None) {
            prop_assert!(new.contains(old.trim()), "{:?} stays in {:?}", old, new);
        }
    }

    #[test]
    fn toml_edit_adds_one_entry_and_is_undone(text in toml_file()) {
        let program = ClientProgram::Codex;
        // Two tables with the same dotted keys are invalid TOML, and are refused.
        if let Ok(edit) = of_user(program).switched_over(&text, &[], &access(Some("t0"))) {
            prop_assert_eq!(
                of_user(program).connection(&edit),
                Ok(Some(program.entry(&access(Some("t0")))))
            );
            let again = of_user(program).switched_over(&edit, &[], &access(Some("t0"))).expect("still a file");
            prop_assert_eq!(&again, &edit, "the second time nothing changes");
            let back = disconnected(program, &edit, &text).expect("taken back");
            match of_user(program).connection(&text) {
                // Tables that were apart in the file may return next to each other.
                Ok(Some(_)) => {
                    prop_assert_eq!(back.starts_with('\u{feff}'), text.starts_with('\u{feff}'));
                    prop_assert_eq!(of_user(program).connection(&back), of_user(program).connection(&text));
                }
                _ => {
                    prop_assert_eq!(&back, &text);
                    let blank = text.trim_start_matches('\u{feff}').trim().is_empty();
                    prop_assert!(edit.starts_with(&text) || blank);
                }
            }
        }
    }

    #[test]
    fn any_text_is_edited_or_refused(text in r#"([\[\]{},:"\\/* \n\r=.#']|"a"|mcpServers|mcp_servers|guild-hall|[a-z0-9é]){0,40}"#) {
        for program in [ClientProgram::Cursor, ClientProgram::Codex] {
            if let Ok(edit) = of_user(program).switched_over(&text, &[], &access(None)) {
                prop_assert!(matches!(of_user(program).connection(&edit), Ok(Some(_))));
            }
        }
    }
}
