//! Entries that go and the gateway's that comes, in one edit.

use super::*;

fn handed(program: Program, text: &str, names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let edit = program.handed_over(text, &names, &access(None));
    edit.unwrap_or_else(|error| panic!("{error}: {text}")).text
}

/// What is refused, and what is said then.
fn refused(program: Program, text: &str, name: &str) -> String {
    let edit = program.handed_over(text, &[name.to_owned()], &access(None));
    edit.expect_err(text).to_string()
}

const GATEWAY: &str = "\"guild-hall\": {\n      \"url\": \"http://127.0.0.1:19999/mcp\"\n    }";

#[test]
fn entries_go_wherever_they_stand_and_the_gateway_comes_last() {
    let text = "\u{feff}{\n  // mine\n  \"mcpServers\": {\n    \"a\": {\"x\": 1}, // one\n    \
                \"b\": {},\n    // keep\n    \"c\": {},\n    \"d\": {}\n  },\n  \"z\": 1,\n}\n";
    assert_eq!(
        handed(Program::Cursor, text, &["a", "d"]),
        format!(
            "\u{feff}{{\n  // mine\n  \"mcpServers\": {{ // one\n    \"b\": {{}},\n    // keep\n    \
             \"c\": {{}},\n    {GATEWAY}\n  }},\n  \"z\": 1,\n}}\n"
        )
    );
    assert_eq!(
        handed(Program::Cursor, text, &["d", "c", "b", "a"]),
        format!(
            "\u{feff}{{\n  // mine\n  \"mcpServers\": {{ // one\n    // keep\n    {GATEWAY}\n  \
             }},\n  \"z\": 1,\n}}\n"
        )
    );
}

#[test]
fn a_list_that_is_emptied_has_the_gateway_alone() {
    let text = "{\r\n  \"mcpServers\": {\r\n    \"a\": {},\r\n    \"b\": {},\r\n  }\r\n}\r\n";
    assert_eq!(
        handed(Program::Cursor, text, &["a", "b"]),
        format!("{{\n  \"mcpServers\": {{\n    {GATEWAY}\n  }}\n}}\n").replace('\n', "\r\n")
    );
}

#[test]
fn a_comment_never_swallows_what_stood_behind_two_entries_that_go() {
    for text in [
        "{\"mcpServers\": { // all\n  \"a\": {},\n  \"b\": {}, \"c\": {}\n}}",
        "{\"mcpServers\": { // all\n  \"a\": {} /* two\nlines */,\n \"b\": {},\n \"c\": {}\n}}",
    ] {
        let after = handed(Program::Cursor, text, &["a", "b"]);
        assert!(after.contains("// all\n"), "{after}");
        let servers = Program::Cursor.servers(&after).expect("a file of it");
        let names = servers.as_ref().and_then(Value::as_object).expect("a list");
        assert_eq!(names.keys().collect::<Vec<_>>(), ["c", ENTRY]);
    }
}

#[test]
fn in_toml_the_tables_of_an_entry_go_and_the_comments_around_it_stay() {
    let text = "model = \"o\"\r\n\r\n# the first\r\n[mcp_servers.a]\r\ncommand = \"x\" # \
                why\r\n[mcp_servers.a.env]\r\nK = \"v\"\r\n\r\n# two\r\n[mcp_servers.b]\r\nurl = \
                'y'\r\n";
    assert_eq!(
        handed(Program::Codex, text, &["a"]),
        "model = \"o\"\r\n\r\n# the first\r\n\r\n# two\r\n[mcp_servers.b]\r\nurl = \
         'y'\r\n\r\n[mcp_servers.guild-hall]\r\nurl = \"http://127.0.0.1:19999/mcp\"\r\n"
    );
    let inline = "[mcp_servers]\na = { command = \"x\" } # one\n  b = { url = 'y' }\nc = { url = 'z' \
                  }";
    assert_eq!(
        handed(Program::Codex, inline, &["b", "a"]),
        "[mcp_servers]\n # one\nc = { url = 'z' }\n\n[mcp_servers.guild-hall]\nurl = \
         \"http://127.0.0.1:19999/mcp\"\n"
    );
}

#[test]
fn what_is_not_there_or_stands_twice_is_not_taken_out() {
    let missing = "\"a\" is not in its \"mcpServers\"";
    for text in ["", "{}", "{\"mcpServers\": {\"b\": {}}}"] {
        assert_eq!(refused(Program::Cursor, text, "a"), missing);
    }
    let twice = "{\"mcpServers\": {\"a\": {},\n\"a\": {}}}";
    assert!(refused(Program::Cursor, twice, "a").contains("line 2: \"a\" stands twice"));
    let dotted = "[mcp_servers]\na.url = 'x'\n";
    assert!(refused(Program::Codex, dotted, "a").contains("dotted keys"));
    assert!(refused(Program::Codex, "", "a").contains("is not in its"));
}

#[test]
fn a_list_is_put_back_to_the_byte_and_what_changed_beside_it_stays() {
    let text = "{\n  \"n\": 1,\n  \"mcpServers\": { \"a\": {}, /* b */ \"b\": {}, }\n}\n";
    let edit = handed(Program::ClaudeCode, text, &["a"]);
    let later = edit.replace("\"n\": 1", "\"n\": 22");
    assert_eq!(
        Program::ClaudeCode.taken_back(&later, text),
        Ok(text.replace("\"n\": 1", "\"n\": 22"))
    );
    for (program, text, original) in [
        (Program::ClaudeCode, "{}", text),
        (Program::ClaudeCode, text, "{}"),
        (Program::ClaudeCode, "", text),
        (Program::Codex, "[mcp_servers.a]\n", "[mcp_servers.b]\n"),
    ] {
        program.taken_back(text, original).expect_err("refused");
    }
}

/// A list of servers by the pieces that it is made of: what stands before a key, the entry, what
/// stands behind it, and whether the entry is to go.
fn list() -> impl Strategy<Value = Vec<(String, String, String, bool)>> {
    let entry = (
        properties::trivia(),
        properties::trivia(),
        properties::value(),
        properties::trivia(),
        any::<bool>(),
    );
    prop::collection::vec(entry, 1..6).prop_map(|entries| {
        let entries = entries.into_iter().enumerate();
        let entry = |(index, (before, inside, value, behind, goes))| {
            let entry = format!("\"s{index}\":{inside}{value}");
            (before, entry, behind, goes)
        };
        entries.map(entry).collect()
    })
}

/// Everything but white space and commas.
fn squeezed(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_whitespace() && *c != ',');
    kept.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn in_json_nothing_goes_but_the_entries_and_the_list_comes_back_to_the_byte(
        pieces in list(), end in properties::trivia(), comma in any::<bool>()
    ) {
        let (mut text, mut rest) = ("\u{feff}{\"a\": [1], \"mcpServers\": {".to_owned(), String::new());
        rest.push_str(&text);
        let mut names = Vec::new();
        let mut left = Vec::new();
        for (index, (before, entry, behind, goes)) in pieces.iter().enumerate() {
            let last = index + 1 == pieces.len() && !comma;
            text.push_str(&format!("{before}{entry}{behind}{}", if last { "" } else { "," }));
            let name = format!("s{index}");
            match goes {
                true => {
                    rest.push_str(&format!("{before}{behind}"));
                    names.push(name);
                }
                false => {
                    rest.push_str(&format!("{before}{entry}{behind}"));
                    left.push(name);
                }
            }
        }
        for text in [&mut text, &mut rest] {
            text.push_str(&format!("{end}}},\r\n \"z\": 1,}}\n"));
        }
        let program = Program::Cursor;
        let edit = program.handed_over(&text, &names, &access(None)).expect("an edit");
        let gateway = squeezed(&format!("\"guild-hall\": {}", program.entry(&access(None))));
        let squeezed_edit = squeezed(&edit.text);
        prop_assert!(squeezed_edit.contains(&gateway));
        prop_assert_eq!(squeezed_edit.replacen(&gateway, "", 1), squeezed(&rest));
        let servers = program.servers(&edit.text).expect("a file of it").expect("a list");
        left.push(ENTRY.to_owned());
        let now: Vec<&String> = servers.as_object().expect("a list").keys().collect();
        prop_assert_eq!(now, left.iter().collect::<Vec<_>>());
        prop_assert_eq!(program.taken_back(&edit.text, &text), Ok(text.clone()));
    }

    #[test]
    fn in_toml_nothing_goes_but_lines_of_the_entries(text in properties::toml_file()) {
        let program = Program::Codex;
        let names = ["a".to_owned(), "b c".to_owned()];
        let before = program.servers(&text).ok().flatten().unwrap_or_default();
        let names: Vec<String> = names.into_iter().filter(|name| before.get(name).is_some()).collect();
        if let Ok(edit) = program.handed_over(&text, &names, &access(None)) {
            let after = program.servers(&edit.text).expect("a file of it").expect("a list");
            let mut expect = before.as_object().cloned().unwrap_or_default();
            expect.retain(|name, _| !names.contains(name));
            expect.insert(ENTRY.into(), program.entry(&access(None)));
            prop_assert_eq!(after.as_object(), Some(&expect));
            let own = |line: &&str| !line.contains("guild-hall]") && !line.contains(URL);
            let body = |text: &str| text.trim_start_matches('\u{feff}').to_owned();
            let (old, new) = (body(&text), body(&edit.text));
            let mut lines = old.lines();
            for line in new.lines().filter(own).filter(|line| !line.is_empty()) {
                // Of a line whose value went, the comment behind it is left.
                prop_assert!(lines.any(|old| old.ends_with(line)), "{:?} stood there", line);
            }
        }
    }
}
