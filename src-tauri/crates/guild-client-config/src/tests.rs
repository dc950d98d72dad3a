use std::path::Path;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::ClientProgram::{
    ClaudeCode, ClaudeDesktop, Cline, Codex, Cursor, OpenCode, VsCode, Zed,
};

mod properties;
mod switch_over;

const URL: &str = "http://127.0.0.1:19999/mcp";

fn access(token: Option<&'static str>) -> Access<'static> {
    Access {
        url: URL,
        token,
        guildhall: "/opt/guildhall",
        data_dir: None,
    }
}

fn of_user(program: ClientProgram) -> ConfigFile {
    let folders = ClientConfigFolders {
        system: System::Linux,
        home: "/home/me".into(),
        config: "/home/me/.config".into(),
        claude: None,
        codex: None,
    };
    ConfigFile::of_user(program, &folders)
}

fn disconnected(
    program: ClientProgram,
    text: &str,
    original: &str,
) -> Result<String, TextEditError> {
    of_user(program).taken_back(text, &[], original)
}

fn connect(program: ClientProgram, text: &str) -> String {
    let edit = of_user(program).switched_over(text, &[], &access(Some("t0")));
    let edit = edit.unwrap_or_else(|error| panic!("{error}: {text}"));
    let back = disconnected(program, &edit, text);
    assert_eq!(back.as_deref(), Ok(text), "it can be taken back");
    edit
}

fn check(program: ClientProgram, text: &str, expect: &str) {
    assert_eq!(connect(program, text), expect);
}

#[test]
fn added_entry_keeps_neighbors_formatting() {
    check(
        Cursor,
        "{\n\t\"mcpServers\": {\n\t\t\"a\": {} // mine\n\t}\n}\n",
        "{\n\t\"mcpServers\": {\n\t\t\"a\": {}, // mine\n\t\t\"guild-hall\": {\n\t\t\t\"url\": \
         \"http://127.0.0.1:19999/mcp\",\n\t\t\t\"headers\": {\n\t\t\t\t\"Authorization\": \
         \"Bearer t0\"\n\t\t\t}\n\t\t}\n\t}\n}\n",
    );
}

#[test]
fn a_trailing_comma_stays_the_style_of_the_list() {
    let edit = connect(
        Zed,
        "// Zed\n{\n  \"context_servers\": {\n    \"a\": {}, // mine\n    // off: {}\n  },\n}\n",
    );
    assert!(
        edit.contains("\"a\": {}, // mine\n    \"guild-hall\": {\n"),
        "{}",
        edit
    );
    assert!(
        edit.contains("\n    },\n    // off: {}\n  },\n}\n"),
        "{}",
        edit
    );
}

#[test]
fn a_list_is_made_where_there_is_none() {
    check(
        VsCode,
        "{\r\n    \"inputs\": []\r\n}",
        "{\r\n    \"inputs\": [],\r\n    \"servers\": {\r\n        \"guild-hall\": {\r\n            \
         \"type\": \"http\",\r\n            \"url\": \"http://127.0.0.1:19999/mcp\",\r\n            \
         \"headers\": {\r\n                \"Authorization\": \"Bearer t0\"\r\n            }\r\n\
         \x20       }\r\n    }\r\n}",
    );
}

#[test]
fn a_file_without_anything_becomes_one_with_the_entry() {
    for blank in ["", "\n", "  \r\n", "\u{feff}"] {
        for program in ClientProgram::ALL {
            let edit = connect(program, blank);
            assert!(edit.contains(ENTRY), "{program:?}");
            assert_eq!(
                of_user(program).connection(&edit),
                Ok(Some(program.entry(&access(Some("t0"))))),
                "{program:?}"
            );
        }
    }
    assert!(connect(Cursor, "\u{feff}").starts_with('\u{feff}'));
}

#[test]
fn empty_objects_are_filled_and_come_back_as_they_were() {
    for text in [
        "{}",
        "{}\n",
        "{ }",
        "{\n}\n",
        "{\"mcpServers\":{}}",
        "{\n  \"mcpServers\": {}\n}\n",
        "{\n  \"mcpServers\": {\n\n  }\n}\n",
        "{\n  \"mcpServers\": {\n    // none yet\n  }\n}\n",
        "{ /* nothing */ }",
        "{\"a\":1,\"mcpServers\":{ }}",
    ] {
        connect(Cline, text);
    }
    check(
        ClaudeCode,
        "{\"mcpServers\":{}}",
        "{\"mcpServers\":{\"guild-hall\": {\"type\":\"http\",\"url\":\
         \"http://127.0.0.1:19999/mcp\",\"headers\":{\"Authorization\":\"Bearer t0\"}}}}",
    );
}

#[test]
fn an_entry_that_is_there_is_replaced_where_it_stands() {
    let text = "{\n  \"mcpServers\": {\n    \"guild-hall\": { \"url\": \"http://old\" }, // old\n    \
                \"b\": {}\n  }\n}\n";
    let edit = connect(Cursor, text);
    assert!(edit.contains("}, // old\n    \"b\": {}\n"), "{}", edit);
    assert!(!edit.contains("http://old"), "{}", edit);
    let again = connect(Cursor, &edit);
    assert_eq!(again, edit, "the same entry is no change");
}

#[test]
fn concurrent_changes_elsewhere_stay() {
    let before = "{\n  \"numStartups\": 1\n}\n";
    let edit = connect(ClaudeCode, before);
    let later = edit
        .replace("\"numStartups\": 1", "\"numStartups\": 2, \"tips\": {}")
        .replace("\"mcpServers\": {\n", "\"mcpServers\": {\n    \"b\": {},\n");
    assert_eq!(
        disconnected(ClaudeCode, &later, before),
        Ok(
            "{\n  \"numStartups\": 2, \"tips\": {},\n  \"mcpServers\": {\n    \"b\": {}\n  }\n}\n"
                .into()
        )
    );
    let alone = edit.replace("\"numStartups\": 1", "\"numStartups\": 2");
    assert_eq!(
        disconnected(ClaudeCode, &alone, before),
        Ok("{\n  \"numStartups\": 2\n}\n".into())
    );
    let gone = "{\n  \"numStartups\": 2\n}\n";
    assert_eq!(
        disconnected(ClaudeCode, gone, before),
        Ok(gone.into()),
        "an entry that is gone is no trouble"
    );
}

#[test]
fn a_comment_before_the_entry_never_swallows_what_follows_it() {
    let text = "{\"mcpServers\": { // all\n \"guild-hall\": {}, \"b\": {} }}";
    let original = "{\"mcpServers\": { // all\n  \"b\": {} }}";
    let back = disconnected(Cursor, text, original);
    assert_eq!(back, Ok("{\"mcpServers\": { // all\n  \"b\": {} }}".into()));
}

#[test]
fn a_file_that_can_not_be_read_safely_is_not_touched() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
    for (text, reason) in [
        ("[]", "line 1: it is not an object"),
        (
            "{\n\"mcpServers\": []}",
            "line 2: \"mcpServers\" is not an object",
        ),
        (
            "{\"mcpServers\":{},\n\"mcpServers\":{}}",
            "twice in the same object",
        ),
        (
            "{\"mcpServers\":{\"guild-hall\":{},\n\n\"guild\\u002dhall\":{}}}",
            "line 3: \"guild-hall\" appears twice in the same object",
        ),
        ("{\"a\": 1", "line 1: the closing '}' is missing"),
        (
            "{\"a\": 1}}",
            "line 1: text cannot contain more than one JSON value",
        ),
        (
            "{\"a\": 'b'}",
            "line 1: single-quoted strings are not allowed",
        ),
        ("{a: 1}", "line 1: expected string for object property"),
        ("{\"a\": \"\\x\"}", "a string with an invalid backslash"),
        ("{\"a\": \"b}", "a string without a closing \" on its line"),
        ("{\"a\": 1 /* }", "a comment without an end"),
        ("{\"a\": 01}", "line 1: expected comma"),
        ("{\"a\" \"b\"}", "line 1: expected colon"),
        (",", "line 1: unexpected comma"),
        ("{,}", "line 1: unexpected token in object"),
        ("{\"a\":[1,,2]}", "line 1: unexpected comma"),
        (deep.as_str(), "nested more than 100 levels deep"),
    ] {
        let error = of_user(Cursor).switched_over(text, &[], &access(None));
        let error = error.expect_err(text).to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    for (text, reason) in [
        ("a = \n", "line 1: "),
        ("mcp_servers = 1\n", "\"mcp_servers\" is not a table"),
        (
            "x = 1\nmcp_servers = { a = {} }\n",
            "line 2: \"mcp_servers\" is not a table",
        ),
        ("[[mcp_servers]]\na = 1\n", "is not a table"),
        ("[mcp_servers]\nguild-hall.url = \"x\"\n", "dotted keys"),
        ("[mcp_servers]\nguild-hall = 1\n", "is not a table"),
        ("[a]\n[a]\n", "duplicate key"),
    ] {
        let error = of_user(Codex).switched_over(text, &[], &access(None));
        let error = error.expect_err(text).to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let large = " ".repeat(FILE_MAX + 1);
    assert!(
        of_user(Codex)
            .switched_over(&large, &[], &access(None))
            .is_err()
    );
    assert!(of_user(Cursor).connection(&large).is_err());
}

#[test]
fn in_toml_the_entry_is_a_table_of_its_own() {
    let entry = "[mcp_servers.guild-hall]\nurl = \"http://127.0.0.1:19999/mcp\"\nhttp_headers = { \
                 Authorization = \"Bearer t0\" }\n";
    for (text, joint) in [
        ("model = \"x\"", "\n\n"),
        ("model = \"x\" # best\n", "\n"),
        ("[mcp_servers.a]\ncommand = \"b\"\n\n", ""),
        ("[mcp_servers]\n", "\n"),
        ("mcp_servers.a.url = \"b\"\n", "\n"),
        ("[[x]]\na = [\n 1,\n]\n", "\n"),
        ("\u{feff}a = 1\n", "\n"),
    ] {
        check(Codex, text, &format!("{text}{joint}{entry}"));
    }
    let text = "a = 1\r\n\r\n# two\r\n[b]\r\n";
    let windows = entry.replace('\n', "\r\n");
    check(Codex, text, &format!("{text}\r\n{windows}"));
}

#[test]
fn toml_entry_is_replaced_with_its_tables() {
    let before = "# mine\nmodel = \"x\"\n\n# the hall\n";
    let after = "\n# next\n[mcp_servers.b]\nurl = 'y'\n";
    for old in [
        "[mcp_servers.guild-hall]\ncommand = \"x\" # old\n[mcp_servers.guild-hall.env]\nA = \"1\"\n",
        "[mcp_servers.guild-hall]\r\nurl = \"x\"\r\nb.c = 1\r\n",
        "[ mcp_servers . \"guild-hall\" ]\nargs = [\n  \"a\", # one\n]\n",
        "[mcp_servers.guild-hall.env]\nA = \"1\"\n",
    ] {
        let edit = connect(Codex, &format!("{before}{old}{after}"));
        let middle = edit.strip_prefix(before).expect("what is before stays");
        let middle = middle.strip_suffix(after).expect("what is after stays");
        assert!(middle.starts_with("[mcp_servers.guild-hall]"), "{middle}");
        assert!(middle.contains("Bearer t0"), "{middle}");
        assert!(
            !middle.contains("env") && !middle.contains("args"),
            "{middle}"
        );
        assert_eq!(connect(Codex, &edit), edit);
    }
    let inline = "[mcp_servers]\nguild-hall = { url = \"x\" } # old\nb = { url = \"y\" }\n";
    let edit = connect(Codex, inline);
    assert!(edit.contains("\" } } # old\nb = {"), "{}", edit);
}

#[test]
fn every_program_has_a_way_in_that_it_understands() {
    let folders = ClientConfigFolders {
        system: System::Linux,
        home: "/home/u".into(),
        config: "/home/u/.config".into(),
        claude: None,
        codex: None,
    };
    for program in ClientProgram::ALL {
        assert_eq!(ClientProgram::parse(program.as_str()), Some(program));
        assert!(program.file(&folders).starts_with("/home/u"), "{program:?}");
        let entry = program.entry(&access(Some("t0")));
        assert!(entry.to_string().contains("t0"), "{program:?}");
        assert!(entry.to_string().contains(URL), "{program:?}");
        assert!(!program.entry(&access(None)).to_string().contains("Bearer"));
        let snippet = program.snippet(&access(Some(TOKEN_LEFT_OUT)));
        assert_eq!(
            of_user(program).connection(&snippet),
            Ok(Some(program.entry(&access(Some(TOKEN_LEFT_OUT))))),
            "{program:?}'s snippet is a file of it"
        );
    }
    assert_eq!(ClientProgram::parse("emacs"), None);
    let desktop = ClaudeDesktop.entry(&access(Some("t0")));
    let expect = json!({
        "command": "/opt/guildhall",
        "args": ["connect", "--url", URL],
        "env": {"GUILD_HALL_TOKEN": "t0"},
    });
    assert_eq!(desktop, expect, "it starts commands only");
}

#[test]
fn command_names_a_nondefault_data_folder() {
    let elsewhere = Access {
        data_dir: Some("/srv/my hall"),
        ..access(None)
    };
    for program in ClientProgram::ALL {
        let entry = program.entry(&elsewhere);
        let expect = json!({
            "command": "/opt/guildhall",
            "args": ["connect", "--url", URL, "--data", "/srv/my hall"],
        });
        match program {
            ClaudeDesktop => assert_eq!(entry, expect),
            _ => assert_eq!(entry, program.entry(&access(None)), "an address says all"),
        }
    }
}

#[test]
fn opencode_has_its_own_shapes() {
    let entry = OpenCode.entry(&access(Some("t0")));
    let expect = json!({
        "type": "remote", "url": URL, "enabled": true,
        "headers": {"Authorization": "Bearer t0"},
    });
    assert_eq!(entry, expect);
    let edit = connect(OpenCode, "{\"mcp\": {\"a\": {}}, \"theme\": \"x\"}\n");
    let written: serde_json::Value = serde_json::from_str(&edit).expect("JSON");
    assert_eq!(written["mcp"]["guild-hall"]["type"], "remote");
    assert_eq!(written["theme"], "x");
    let normalize =
        json!({"command": "npx", "args": ["-y", "kit"], "env": {"A": "1"}, "cwd": "/w"});
    let (own, note) = OpenCode.entry_of(normalize).expect("it can have it");
    let expect = json!({
        "type": "local", "command": ["npx", "-y", "kit"], "enabled": true,
        "environment": {"A": "1"},
    });
    assert_eq!(own, expect);
    assert!(note.is_some(), "its folder is left out");
}

#[test]
fn files_are_where_each_system_has_them() {
    let of = |system, config: &str| ClientConfigFolders {
        system,
        home: "/h".into(),
        config: config.into(),
        claude: Some("/c".into()),
        codex: Some("/x".into()),
    };
    let linux = of(System::Linux, "/h/.config");
    let mac = of(System::MacOs, "/h/Library/Application Support");
    let windows = of(System::Windows, "/h/AppData/Roaming");
    let check = |program: ClientProgram, folders: &ClientConfigFolders, expect: &str| {
        assert_eq!(program.file(folders), Path::new(expect));
    };
    check(Zed, &linux, "/h/.config/zed/settings.json");
    check(Zed, &mac, "/h/.config/zed/settings.json");
    check(Zed, &windows, "/h/AppData/Roaming/Zed/settings.json");
    check(VsCode, &linux, "/h/.config/Code/User/mcp.json");
    check(
        VsCode,
        &mac,
        "/h/Library/Application Support/Code/User/mcp.json",
    );
    check(
        ClaudeDesktop,
        &windows,
        "/h/AppData/Roaming/Claude/claude_desktop_config.json",
    );
    check(ClaudeCode, &linux, "/c/.claude.json");
    check(Codex, &mac, "/x/config.toml");
    check(OpenCode, &linux, "/h/.config/opencode/opencode.json");
    check(OpenCode, &mac, "/h/.config/opencode/opencode.json");
}
