//! Property tests: any file yields servers or one error, and its secrets are never shown.

use proptest::prelude::*;

use super::*;
use crate::ClientProgram::{
    ClaudeCode, ClaudeDesktop, Cline, Codex, Cursor, GeminiCli, VsCode, Windsurf, Zed,
};
use guild_model::id::MemberName;
use guild_model::manifest::{Origin, parse};

/// Supplies a dummy for each value that a manifest does not have.
struct Wants;

impl PlaceholderResolver for Wants {
    fn input(&mut self, id: &str) -> String {
        format!("given {id}")
    }

    fn secret(&mut self, name: &str, _: &str) -> String {
        format!("${{secret:{name}}}")
    }
}

#[test]
fn server_manifest_round_trips_without_secrets() {
    let name = MemberName::parse("adopted").expect("a name");
    let files = [
        (of_user(ClaudeCode), fixture!("claude-code.json")),
        (of_project(ClaudeCode), fixture!("claude-code-project.json")),
        (of_user(ClaudeDesktop), fixture!("claude-desktop.json")),
        (of_user(Cursor), fixture!("cursor.json")),
        (of_user(VsCode), fixture!("vscode.json")),
        (of_user(Windsurf), fixture!("windsurf.json")),
        (of_user(Cline), fixture!("cline.json")),
        (of_user(Zed), fixture!("zed.json")),
        (of_user(Codex), fixture!("codex.toml")),
        (of_user(GeminiCli), fixture!("gemini.json")),
    ];
    let mut manifests = Vec::new();
    for (source, text) in &files {
        for server in read(source, text).servers {
            let Ok(run) = &server.run else { continue };
            let member = NewMember {
                name: &name,
                version: "",
                description: &server.description,
                run,
                contained: None,
                auto_approve: &server.auto_approve,
                denied: &server.denied,
                start_ms: server.start_ms,
                call_ms: server.call_ms,
                origin: Origin {
                    from: source.owner.as_str().to_owned(),
                    path: Some(source.path.display().to_string()),
                    ..Origin::default()
                },
            };
            let text = member.manifest(&mut Wants);
            let parsed = parse(text.as_bytes(), "plugin.json");
            // Each argument with a secret has a warning, and no other argument has one.
            let read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let args = read["args"].as_array().into_iter().flatten();
            let secret = |arg: &&serde_json::Value| {
                arg.as_str().is_some_and(|arg| arg.contains("${secret:"))
            };
            let with_secret = args.filter(secret).count();
            assert_eq!(parsed.warnings.len(), with_secret, "{text}");
            let manifest = parsed.manifest.expect("a manifest");
            assert!(run.is_run_by(&manifest), "{text}");
            for secret in ["ghp_", "k-123", "me:pw", "t-1", "Bearer abc", "Bearer x"] {
                assert!(!text.contains(secret), "{text}");
            }
            manifests.push((run.clone(), manifest));
        }
    }
    assert!(manifests.len() > 25, "{}", manifests.len());
    for (run, manifest) in &manifests {
        let same = manifests
            .iter()
            .filter(|(other, _)| other.is_run_by(manifest));
        for (other, _) in same {
            assert_eq!(other.command_line(), run.command_line());
        }
    }
}

#[test]
fn member_matches_server_except_for_inputs() {
    let text = r#"{"servers": {"s": {"command": "run", "args": ["--in=${input:dir}/x"],
        "env": {"T": "${env:T}", "API_KEY": "k-1"}}}}"#;
    let found = read(&of_user(VsCode), text);
    let run = found.servers[0].run.as_ref().expect("runs");
    let runs = |arg: &str, t: &str, key: &str| {
        let manifest = serde_json::json!({
            "name": "m", "transport": "stdio", "command": "run", "args": [arg],
            "env": {"T": t, "API_KEY": key},
        });
        let parsed = parse(manifest.to_string().as_bytes(), "plugin.json");
        run.is_run_by(&parsed.manifest.expect("a manifest"))
    };
    let key = "${secret:m/API_KEY}";
    for (arg, t, key, expect) in [
        ("--in=/a/x", "${env:T}", key, true),
        ("--in=/a/x/x", "${env:T}", "k-1", true),
        ("--in=${secret:m/dir}/x", "${secret:m/T-2}", key, true),
        ("--in=/a/x", "given", key, true),
        ("--in=/a/x", "${env:OTHER}", "k-2", false),
        ("--in=/a/x", "${secret:m/OTHER}", key, false),
        ("--in=/a/y", "${env:T}", key, false),
        ("--out=/a/x", "${env:T}", key, false),
        ("--in=/a/x", "${env:T}", "k-2", false),
    ] {
        assert_eq!(runs(arg, t, key), expect, "{arg} {t} {key}");
    }
}

proptest! {
    #[test]
    fn any_text_gives_servers_or_one_error(text in ".{0,400}") {
        for source in user_sources(&folders()) {
            let _ = source.servers(&text, &SURROUNDINGS);
        }
    }

    #[test]
    fn a_file_with_bytes_changed_gives_servers_or_one_error(
        at in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        for (source, text) in [
            (of_user(ClaudeCode), fixture!("claude-code.json")),
            (of_user(VsCode), fixture!("vscode.json")),
            (of_user(Zed), fixture!("zed.json")),
            (of_user(Codex), fixture!("codex.toml")),
            (of_user(GeminiCli), fixture!("gemini.json")),
        ] {
            let mut bytes = text.as_bytes().to_vec();
            for (index, byte) in &at {
                let index = index.index(bytes.len());
                bytes[index] = *byte;
            }
            let Ok(read) = source.servers(&String::from_utf8_lossy(&bytes), &SURROUNDINGS) else {
                continue;
            };
            for server in &read.servers {
                prop_assert!(server.line >= 1);
                if let Ok(run) = &server.run {
                    prop_assert_eq!(run.id(), run.clone().id());
                    let description = format!("{run:?}");
                    prop_assert!(!description.contains("ghp_0123456789abcdefghij"));
                }
            }
        }
    }

    #[test]
    fn an_entry_of_any_shape_is_a_server_or_says_why_not(value in json_value()) {
        let text = serde_json::json!({"mcpServers": {"odd": value, "good": {"command": "x"}}});
        for program in [ClaudeCode, Cursor, Cline, GeminiCli] {
            let found = read(&of_user(program), &text.to_string());
            prop_assert_eq!(found.servers.len(), 2);
            let good = &found.servers[1];
            prop_assert!(good.run.is_ok(), "one that is odd hides no other");
            if let Err(why) = &found.servers[0].run {
                prop_assert!(!why.to_string().is_empty());
            }
        }
    }
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z$${}:./=@ -]{0,12}".prop_map(Value::from),
    ];
    let key = prop_oneof![
        Just("command".to_owned()),
        Just("args".to_owned()),
        Just("env".to_owned()),
        Just("url".to_owned()),
        Just("type".to_owned()),
        Just("headers".to_owned()),
        Just("cwd".to_owned()),
        "[a-z]{0,4}",
    ];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}
