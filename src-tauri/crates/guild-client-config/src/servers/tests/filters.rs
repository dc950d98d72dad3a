//! Tests of fields other than the launch: files of variables, and the choice of tools.

use serde_json::json;

use super::*;
use crate::ClientProgram::{Codex, GeminiCli, VsCode};

#[test]
fn unread_env_file_leaves_variables_open() {
    let entry = |path: &str| {
        format!(
            r#"{{"servers": {{"a": {{"command": "x", "envFile": "{path}", "env": {{"LEVEL": "info"}}}}}}}}"#
        )
    };
    let project = of_project(VsCode);
    let read_one = |path: &str| {
        let mut found = read(&project, &entry(path));
        found.servers.remove(0)
    };
    let known = read_one("${workspaceFolder}/.env");
    assert!(!known.lacks_variables);
    assert!(
        description(&known).contains("with LEVEL=info NOTES_TOKEN=•••"),
        "{}",
        description(&known)
    );
    for (path, note) in [
        ("other.env", "in /srv/site/other.env, which can't be read"),
        ("${input:file}", "only VS Code reads it"),
    ] {
        let unknown = read_one(path);
        assert!(unknown.lacks_variables, "{path}");
        assert!(
            description(&unknown).contains(note),
            "{}",
            description(&unknown)
        );
    }
    // A text from a web page cannot name the reader's files.
    let mut brought =
        ServerFile::of_user(ConfigOwner::File, "/srv/site/x.json".into(), Dialect::Any);
    brought.folder = Some("/srv/site".into());
    let value = json!({"command": "x", "envFile": ".env"});
    let entry = ConfigEntry {
        name: "a".to_owned(),
        line: 1,
        earlier: None,
        value: Ok(value),
    };
    let brought = brought.taken([(entry, Vec::new())], &[], &SURROUNDINGS);
    assert!(!description(&brought.servers[0]).contains("NOTES_TOKEN"));
}

#[test]
fn tool_filters_of_every_program_are_read() {
    let only = |source: &ServerFile, text: &str| {
        let mut found = read(source, text);
        let server = found.servers.remove(0);
        (server.only, server.denied)
    };
    let tools =
        |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.to_owned()).collect() };
    assert_eq!(
        only(&of_user(Codex), fixture!("codex.toml")),
        (Some(tools(&["find"])), tools(&["rebuild"]))
    );
    assert_eq!(
        only(
            &of_user(GeminiCli),
            r#"{"mcpServers": {"a": {"command": "x", "includeTools": ["run(ls)", "see"], "excludeTools": ["see"]}}}"#
        ),
        (Some(tools(&["run", "see"])), tools(&["see"]))
    );
    let goose = user_sources(&folders())
        .into_iter()
        .find(|source| source.owner == ConfigOwner::Goose)
        .expect("known");
    let extension = |tools: &str| {
        format!(
            "extensions:\n  a:\n    type: stdio\n    cmd: x\n    enabled: true\n    available_tools: {tools}\n"
        )
    };
    assert_eq!(only(&goose, &extension("[]")).0, None);
    assert_eq!(only(&goose, &extension("[see]")).0, Some(tools(&["see"])));
}

#[test]
fn tool_choice_is_what_the_program_offers() {
    let member = |tools: Value| {
        let manifest = json!({
            "name": "a", "version": "1", "description": "It is a.", "transport": "stdio",
            "command": "x", "tools": tools,
        });
        let parsed = guild_model::manifest::parse(manifest.to_string().as_bytes(), "plugin.json");
        parsed.manifest.expect("a manifest")
    };
    let choice = |fields: &str, tools: Value| {
        let text = format!("[mcp_servers.a]\ncommand = 'x'\n{fields}\n");
        let found = read(&of_user(Codex), &text);
        found.servers[0].tool_choice(&member(tools))
    };
    let tools = |names: &[&str]| -> Vec<ToolName> {
        let names = names.iter().map(|name| ToolName::parse(name));
        names.map(|name| name.expect("a name")).collect()
    };
    let only = |names: &[&str]| ToolChoice::Only {
        tools: tools(names),
    };
    for (fields, denied, expect) in [
        ("", json!({}), ToolChoice::All),
        (
            "enabled_tools = ['b', 'c']\ndisabled_tools = ['c']",
            json!({}),
            only(&["b"]),
        ),
        ("enabled_tools = []", json!({}), only(&[])),
        ("enabled = false", json!({}), only(&[])),
        (
            "disabled_tools = ['b', 'c']",
            json!({"b": {"policy": "deny"}}),
            ToolChoice::Except {
                tools: tools(&["c"]),
            },
        ),
        (
            "disabled_tools = ['b']",
            json!({"b": {"policy": "deny"}}),
            ToolChoice::All,
        ),
    ] {
        assert_eq!(choice(fields, denied), expect, "{fields}");
    }
}
