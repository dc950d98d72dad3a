//! Tests of edits that replace servers by the gateway's entry, and of their undo.

use guild_model::endpoint::ENTRY;
use guild_text::tree;
use serde_json::Value;

use super::*;
use crate::ClientProgram::{ClaudeCode, Codex, Cursor, VsCode};

fn entries(file: &ConfigFile, names: &[&str]) -> Vec<EntryAt> {
    let entry = |name: &&str| EntryAt {
        list: file.list.clone(),
        name: (*name).to_owned(),
    };
    names.iter().map(entry).collect()
}

/// Removes entries from the program's own list, and checks that the edit can be undone.
fn handed(program: ClientProgram, text: &str, names: &[&str]) -> String {
    let file = of_user(program);
    let gone = entries(&file, names);
    let edit = file.switched_over(text, &gone, &access(None));
    let edit = edit.unwrap_or_else(|error| panic!("{error}: {text}"));
    let back = file.taken_back(&edit, &gone, text);
    let back = back.unwrap_or_else(|error| panic!("{error}: {}", edit));
    assert_eq!(back, text, "by way of {}", edit);
    edit
}

/// Returns the error of an edit that must fail.
fn refused(program: ClientProgram, text: &str, name: &str) -> String {
    let file = of_user(program);
    let edit = file.switched_over(text, &entries(&file, &[name]), &access(None));
    edit.expect_err(text).to_string()
}

/// Returns the names in a list of a text, in order.
fn names(file: &ConfigFile, text: &str) -> Vec<String> {
    let text = text.trim_start_matches('\u{feff}');
    let keys = file.list.keys();
    let root = tree::json::of_file(text, &keys[..1]).expect("a file of it");
    let list = root
        .as_ref()
        .and_then(|root| root.object(&keys).expect("a list"));
    let list = list.into_iter().flatten();
    list.map(|member| member.key.clone()).collect()
}

const GATEWAY: &str = "\"guild-hall\": {\n      \"url\": \"http://127.0.0.1:19999/mcp\"\n    }";

#[test]
fn entries_go_wherever_they_stand_and_the_gateway_comes_last() {
    let text = "\u{feff}{\n  // mine\n  \"mcpServers\": {\n    \"a\": {\"x\": 1}, // one\n    \
                \"b\": {},\n    // keep\n    \"c\": {},\n    \"d\": {}\n  },\n  \"z\": 1,\n}\n";
    assert_eq!(
        handed(Cursor, text, &["a", "d"]),
        format!(
            "\u{feff}{{\n  // mine\n  \"mcpServers\": {{ // one\n    \"b\": {{}},\n    // keep\n    \
             \"c\": {{}},\n    {GATEWAY}\n  }},\n  \"z\": 1,\n}}\n"
        )
    );
    assert_eq!(
        handed(Cursor, text, &["d", "c", "b", "a"]),
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
        handed(Cursor, text, &["a", "b"]),
        format!("{{\n  \"mcpServers\": {{\n    {GATEWAY}\n  }}\n}}\n").replace('\n', "\r\n")
    );
}

#[test]
fn removal_keeps_text_out_of_comments() {
    for text in [
        "{\"mcpServers\": { // all\n  \"a\": {},\n  \"b\": {}, \"c\": {}\n}}",
        "{\"mcpServers\": { // all\n  \"a\": {} /* two\nlines */,\n \"b\": {},\n \"c\": {}\n}}",
    ] {
        let after = handed(Cursor, text, &["a", "b"]);
        assert!(after.contains("// all\n"), "{after}");
        assert_eq!(names(&of_user(Cursor), &after), ["c", ENTRY]);
    }
}

#[test]
fn toml_removal_keeps_comments_around_entry() {
    let text = "model = \"o\"\r\n\r\n# the first\r\n[mcp_servers.a]\r\ncommand = \"x\" # \
                why\r\n[mcp_servers.a.env]\r\nK = \"v\"\r\n\r\n# two\r\n[mcp_servers.b]\r\nurl = \
                'y'\r\n";
    assert_eq!(
        handed(Codex, text, &["a"]),
        "model = \"o\"\r\n\r\n# the first\r\n\r\n# two\r\n[mcp_servers.b]\r\nurl = \
         'y'\r\n\r\n[mcp_servers.guild-hall]\r\nurl = \"http://127.0.0.1:19999/mcp\"\r\n"
    );
    let inline = "[mcp_servers]\na = { command = \"x\" } # one\n  b = { url = 'y' }\nc = { url = 'z' \
                  }";
    assert_eq!(
        handed(Codex, inline, &["b", "a"]),
        "[mcp_servers]\n # one\nc = { url = 'z' }\n\n[mcp_servers.guild-hall]\nurl = \
         \"http://127.0.0.1:19999/mcp\"\n"
    );
}

#[test]
fn absent_entry_is_not_taken_out() {
    assert_eq!(
        refused(Cursor, "{\"mcpServers\": {\"b\": {}}}", "a"),
        "\"a\" is not in its \"mcpServers\""
    );
    for text in ["", "{}"] {
        assert_eq!(refused(Cursor, text, "a"), "it has no \"mcpServers\"");
    }
    let dotted = "[mcp_servers]\na.url = 'x'\n";
    assert!(refused(Codex, dotted, "a").contains("dotted keys"));
    assert!(refused(Codex, "", "a").contains("is not in its"));
}

#[test]
fn duplicate_entries_go_and_come_back_together() {
    let twice = "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"old\"},\n    \"b\": {},\n    \
                 // the one that runs\n    \"a\": {\"command\": \"x\" /* why */}\n  }\n}\n";
    let file = of_user(Cursor);
    let gone = entries(&file, &["a"]);
    let entry = file.entry(twice, &gone[0]).expect("read").expect("there");
    assert_eq!(entry["command"], "x", "the last one runs");
    assert_eq!(file.comments_in(twice, &gone), Ok(1));
    let edit = file
        .switched_over(twice, &gone, &access(None))
        .expect("an edit");
    assert_eq!(file.entry(&edit, &gone[0]), Ok(None));
    assert!(edit.contains("\"b\": {}"), "{}", edit);
    let back = file.taken_back(&edit, &gone, twice);
    assert_eq!(back.as_deref(), Ok(twice));
    let changed = edit.replace("\"b\": {}", "\"c\": {}");
    let back = file.taken_back(&changed, &gone, twice).expect("a text");
    assert!(back.contains("\"x\"") && !back.contains("old"), "{back}");
}

#[test]
fn nested_list_is_switched_over_alone() {
    let settings = "{\n  \"editor.tabSize\": 2, // mine\n  \"mcp\": {\n    \"inputs\": [],\n    \
                    \"servers\": {\n      \"a\": {\"command\": \"x\"},\n      \"b\": {}\n    }\n  \
                    },\n}\n";
    let mut file = of_user(VsCode);
    file.list.holders = vec!["mcp".into()];
    let gone = entries(&file, &["a"]);
    let edit = file
        .switched_over(settings, &gone, &access(None))
        .expect("an edit");
    assert_eq!(
        edit,
        settings.replace(
            "\n      \"a\": {\"command\": \"x\"},\n      \"b\": {}\n",
            "\n      \"b\": {},\n      \"guild-hall\": {\n        \"type\": \"http\",\n        \
             \"url\": \"http://127.0.0.1:19999/mcp\"\n      }\n"
        )
    );
    assert_eq!(file.entry(&edit, &gone[0]), Ok(None));
    let back = file.taken_back(&edit, &gone, settings);
    assert_eq!(back.as_deref(), Ok(settings));
    for text in ["", "{}", "{\"mcp\": 1}"] {
        file.switched_over(text, &[], &access(None))
            .expect_err(text);
    }
}

#[test]
fn project_lists_are_switched_over_too() {
    let text = "{\n  \"projects\": {\n    \"/w/a\": {\"mcpServers\": {\"one\": {}, \"two\": {\"x\": \
                1.50}}, \"n\": 1},\n    \"/w/b\": {\"n\": 2}\n  },\n  \"numStartups\": 7\n}\n";
    let file = of_user(ClaudeCode);
    let gone = [EntryAt {
        list: ListAt {
            holders: vec!["projects".into(), "/w/a".into()],
            key: "mcpServers".into(),
        },
        name: "two".into(),
    }];
    let edit = file
        .switched_over(text, &gone, &access(None))
        .expect("an edit");
    let rest = text.replace(", \"two\": {\"x\": 1.50}", "");
    let own = ",\n  \"mcpServers\": {\n    \"guild-hall\": {\n      \"type\": \"http\",\n      \
               \"url\": \"http://127.0.0.1:19999/mcp\"\n    }\n  }\n}\n";
    assert_eq!(edit, rest.replace("\n}\n", own));
    // The program writes to its file continuously.
    let later = edit.replace("\"numStartups\": 7", "\"numStartups\": 8, \"p\": [1]");
    let back = file.taken_back(&later, &gone, text).expect("taken back");
    assert_eq!(
        back,
        text.replace("\"numStartups\": 7", "\"numStartups\": 8, \"p\": [1]")
    );
    // If the project is gone, the removed entry can't be restored.
    let gone_project = later.replace("\"/w/a\"", "\"/w/c\"");
    let refused = file.taken_back(&gone_project, &gone, text);
    assert_eq!(
        refused.expect_err("no place").to_string(),
        "it has no \"projects./w/a.mcpServers\""
    );
}

#[test]
fn a_list_that_a_program_has_laid_out_anew_is_what_it_was_again() {
    let text = "{\n  \"mcpServers\": { \"a\": {\"x\": [1]}, /* b */ \"b\": {}, }, \"n\": 1\n}\n";
    let file = of_user(ClaudeCode);
    let gone = entries(&file, &["a"]);
    let anew = "{\"mcpServers\": {\"guild-hall\": {\"url\": \"u\"}, \"b\": {}}, \"n\": 2}";
    let back = file.taken_back(anew, &gone, text).expect("taken back");
    assert_eq!(
        back,
        "{\"mcpServers\": { \"a\": {\"x\": [1]}, /* b */ \"b\": {}, }, \"n\": 2}"
    );
}

#[test]
fn undo_keeps_later_changes_of_a_list() {
    let text =
        "{\n  \"mcpServers\": {\n    \"a\": {\"x\": 1.50 /* why */},\n    \"b\": {}\n  }\n}\n";
    let file = of_user(Cursor);
    let gone = entries(&file, &["a"]);
    let edit = file
        .switched_over(text, &gone, &access(None))
        .expect("an edit");
    let later = edit.replace("\"b\": {}", "\"b\": {\"new\": true}");
    let back = file.taken_back(&later, &gone, text).expect("taken back");
    assert_eq!(
        back,
        "{\n  \"mcpServers\": {\n    \"b\": {\"new\": true},\n    \"a\": {\"x\": 1.50 /* why */}\n  }\n}\n"
    );
    let without_any = "{\"n\": 1}";
    let back = file
        .taken_back(without_any, &gone, text)
        .expect("taken back");
    assert_eq!(
        back,
        "{\"n\": 1, \"mcpServers\": {\"a\": {\"x\": 1.50 /* why */}}}"
    );
    // A later entry of the same name is not Guild Hall's, and stays.
    let taken = later.replace("\"b\": {\"new\": true}", "\"a\": {\"mine\": 1}");
    let back = file.taken_back(&taken, &gone, text).expect("taken back");
    assert_eq!(
        back,
        "{\n  \"mcpServers\": {\n    \"a\": {\"mine\": 1}\n  }\n}\n"
    );
}

#[test]
fn toml_undo_restores_place_or_appends() {
    let text = "model = 'o'\n\n[mcp_servers.a]\ncommand = 'x'\nwhen = 1979-05-27\n\n[mcp_servers.\"b \
                c\"]\nurl = 'y'\n";
    let file = of_user(Codex);
    let gone = entries(&file, &["a", "b c"]);
    let edit = file
        .switched_over(text, &gone, &access(None))
        .expect("an edit");
    let back = |later: &str| {
        let back = file.taken_back(later, &gone, text);
        back.unwrap_or_else(|error| panic!("{error}: {later}"))
    };
    let appended = "\n[projects.\"/w\"]\ntrust_level = \"trusted\"\n";
    assert_eq!(
        back(&format!("{}{appended}", edit)),
        format!("{text}{appended}")
    );
    let changed = edit.replace("'o'", "'o5'");
    assert_eq!(back(&changed), text.replace("'o'", "'o5'"));
    assert_eq!(
        back("other = 1"),
        "other = 1\n[mcp_servers.a]\ncommand = 'x'\nwhen = 1979-05-27\n[mcp_servers.\"b c\"]\nurl = 'y'\n"
    );
    // A later entry of the same name is not Guild Hall's.
    assert_eq!(
        back("[mcp_servers.a]\nurl = 'mine'\n"),
        "[mcp_servers.a]\nurl = 'mine'\n[mcp_servers.\"b c\"]\nurl = 'y'\n"
    );
}

#[test]
fn toml_value_becomes_table_if_place_is_gone() {
    let text = "[mcp_servers]\n\"b c\" = { url = 'y', env = { \"K.1\" = 'v' } }\n";
    let file = of_user(Codex);
    let gone = entries(&file, &["b c"]);
    let back = file.taken_back("x = 1\n", &gone, text);
    assert_eq!(
        back.as_deref(),
        Ok("x = 1\n[mcp_servers.\"b c\"]\nurl = 'y'\nenv = { \"K.1\" = 'v' }\n")
    );
    // An entry that can't be written as a table is not restored in another form.
    let text = "[mcp_servers]\na = { env.K = 'v' }\n";
    let gone = entries(&file, &["a"]);
    let refused = file.taken_back("x = 1\n", &gone, text);
    let refused = refused.expect_err("dotted").to_string();
    assert!(refused.contains("dotted keys"), "{refused}");
}

/// Generates lists of servers as segments: text before the key, the entry, text after it, and whether
/// to remove it.
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

/// Returns the text without white space and commas.
fn squeezed(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_whitespace() && *c != ',');
    kept.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn json_undo_restores_every_byte(
        segments in list(), end in properties::trivia(), comma in any::<bool>(), deep in any::<bool>()
    ) {
        let head = match deep {
            true => "\u{feff}{\"mcp\": {\"a\": [1], \"servers\": {",
            false => "\u{feff}{\"a\": [1], \"servers\": {",
        };
        let (mut text, mut rest) = (head.to_owned(), head.to_owned());
        let mut gone = Vec::new();
        let mut left = Vec::new();
        for (index, (before, entry, behind, goes)) in segments.iter().enumerate() {
            let last = index + 1 == segments.len() && !comma;
            text.push_str(&format!("{before}{entry}{behind}{}", if last { "" } else { "," }));
            let name = format!("s{index}");
            match goes {
                true => {
                    rest.push_str(&format!("{before}{behind}"));
                    gone.push(name);
                }
                false => {
                    rest.push_str(&format!("{before}{entry}{behind}"));
                    left.push(name);
                }
            }
        }
        let tail = if deep { "},}\n" } else { ",\r\n \"z\": 1,}\n" };
        for text in [&mut text, &mut rest] {
            text.push_str(&format!("{end}}}{tail}"));
        }
        let mut file = of_user(VsCode);
        if deep {
            file.list.holders.push("mcp".into());
        }
        let gone: Vec<&str> = gone.iter().map(String::as_str).collect();
        let gone = entries(&file, &gone);
        let edit = file.switched_over(&text, &gone, &access(None)).expect("an edit");
        let gateway = squeezed(&format!("\"guild-hall\": {}", VsCode.entry(&access(None))));
        let squeezed_edit = squeezed(&edit);
        prop_assert!(squeezed_edit.contains(&gateway));
        prop_assert_eq!(squeezed_edit.replacen(&gateway, "", 1), squeezed(&rest));
        left.push(ENTRY.to_owned());
        prop_assert_eq!(names(&file, &edit), left);
        // The list is restored exactly, and the other changes of the file stay.
        let later = edit.replacen("[1]", "[1, 2]", 1);
        let back = file.taken_back(&later, &gone, &text);
        prop_assert_eq!(back, Ok(text.replacen("[1]", "[1, 2]", 1)));
    }

    #[test]
    fn toml_edit_reverts_to_the_byte(
        text in properties::toml_file()
    ) {
        let file = of_user(Codex);
        let list = |text: &str| toml::whole_list(text, "mcp_servers").ok().flatten().unwrap_or_default();
        let before = list(&text);
        let gone = ["a", "b c"].into_iter().filter(|name| before.get(name).is_some());
        let gone: Vec<&str> = gone.collect();
        if let Ok(edit) = file.switched_over(&text, &entries(&file, &gone), &access(None)) {
            let mut expect = before.as_object().cloned().unwrap_or_default();
            expect.retain(|name, _| !gone.contains(&name.as_str()));
            expect.insert(ENTRY.into(), Codex.entry(&access(None)));
            prop_assert_eq!(list(&edit), Value::Object(expect));
            let own = |line: &&str| !line.contains("guild-hall]") && !line.contains(URL);
            let body = |text: &str| text.trim_start_matches('\u{feff}').to_owned();
            let (old, new) = (body(&text), body(&edit));
            let mut lines = old.lines();
            for line in new.lines().filter(own).filter(|line| !line.is_empty()) {
                // The comment after a removed value remains.
                prop_assert!(lines.any(|old| old.ends_with(line)), "{:?} stood there", line);
            }
            if before.get(ENTRY).is_none() {
                let back = file.taken_back(&edit, &entries(&file, &gone), &text);
                prop_assert_eq!(back, Ok(text));
            }
        }
    }
}
