use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::error::Code;

mod auth;
mod authors;
mod containers;
mod misplaced;
mod secrets;
mod wording;

fn read(manifest: &Value) -> ParsedManifest {
    parse(manifest.to_string().as_bytes(), "plugin.json")
}

fn refused(text: &str) -> Report {
    parse(text.as_bytes(), "plugin.json")
        .manifest
        .expect_err("the manifest has an error")
}

/// Returns a minimal manifest with changed fields. `null` removes a field.
fn with(changes: Value) -> Value {
    let mut manifest = json!({
        "name": "notes", "transport": "http", "command": "serve", "args": ["--port", "${PORT}"]
    });
    for (key, value) in changes.as_object().expect("changes") {
        let fields = manifest.as_object_mut().expect("an object");
        if value.is_null() {
            fields.shift_remove(key);
        } else {
            fields.insert(key.clone(), value.clone());
        }
    }
    manifest
}

#[test]
fn req_mcp_http_1_to_4_manifest_sets_command() {
    let text = r#"{
        "name": "example", "version": "1.0.0", "transport": "http", "command": "bun",
        "args": ["run", "server.ts", "--port", "${PORT}"], "env": {"NODE_ENV": "production"}
    }"#;
    let parsed = parse(text.as_bytes(), "plugin.json");
    assert_eq!(parsed.warnings, []);
    let manifest = parsed.manifest.expect("a manifest");
    assert_eq!(manifest.name.as_str(), "example");
    assert_eq!(manifest.version, "1.0.0");
    assert_eq!(manifest.transport, Transport::Http);
    assert_eq!(manifest.timeouts, Timeouts::default());
    assert!(manifest.enabled);
    let Launch::Command {
        command,
        args,
        env,
        cwd: None,
    } = manifest.launch
    else {
        panic!("a command");
    };
    assert_eq!(command, "bun");
    assert_eq!(args, ["run", "server.ts", "--port", "${PORT}"]);
    assert_eq!(env["NODE_ENV"], "production");
}

#[test]
fn an_error_says_which_field_at_which_line() {
    let text = "{\n  \"name\": \"notes\",\n  \"transport\": \"stdio\",\n  \"command\": \"x\",\n  \
                \"timeouts\": {\"start_ms\": \"5s\"},\n  \"args\": [\"a\", \"b\", 3]\n}";
    let report = refused(text);
    assert_eq!(report.code, Code::ManifestField);
    assert_eq!(
        report.message,
        "plugin.json:5:28: `timeouts.start_ms` must be a whole number of milliseconds from 1 to \
         86400000; found a string\n\
         plugin.json:6:22: `args[2]` must be a text in double quotes; found the number 3"
    );
}

#[test]
fn five_errors_are_listed_and_the_others_counted() {
    let report =
        refused(r#"{"name":1,"transport":2,"command":3,"env":4,"restart":5,"tools":6,"args":7}"#);
    assert_eq!(report.message.lines().count(), 6);
    assert!(
        report.message.ends_with("\nand 2 more"),
        "{}",
        report.message
    );
}

#[test]
fn a_manifest_with_an_error_still_has_its_name() {
    let parsed = read(&with(
        json!({"version": "2", "description": "Notes.", "enabled": "yes"}),
    ));
    assert!(parsed.manifest.is_err());
    assert_eq!(parsed.name.expect("a name").as_str(), "notes");
    assert_eq!(
        (parsed.version.as_str(), parsed.description.as_str()),
        ("2", "Notes.")
    );
    assert_eq!(parsed.transport, Some(Transport::Http));
}

#[test]
fn unknown_fields_are_warned_of_and_stop_nothing() {
    let manifest = with(
        json!({"lifecicle": "eager", "autoApprove": [], "x": 1, "tools": {"t": {"polcy": "ask"}}}),
    );
    let parsed = read(&manifest);
    assert!(parsed.manifest.is_ok());
    let hints: Vec<&str> = parsed.warnings.iter().map(|w| w.hint.as_str()).collect();
    assert_eq!(hints[0], "Did you mean `lifecycle`?");
    assert_eq!(hints[1], "Did you mean `auto_approve`?");
    assert!(
        hints[2].starts_with("Known here: $schema, name"),
        "{}",
        hints[2]
    );
    assert_eq!(hints[3], "Did you mean `policy`?");
    assert!(parsed.warnings[3].message.contains("`tools.t.polcy`"));
}

#[test]
fn invalid_json_reports_its_place() {
    for (text, code, message) in [
        (
            "",
            Code::ManifestNotJson,
            "plugin.json:1:1: the file is empty",
        ),
        (
            "{\n  \"name\": \"a\",\n}",
            Code::ManifestNotJson,
            "plugin.json:2:14: trailing commas are not allowed; found ','",
        ),
        (
            "{ // a\n}",
            Code::ManifestNotJson,
            "plugin.json:1:3: key must be a string; found '/' (JSON has no comments)",
        ),
        (
            "{\"ä\": 1,\n \"name\": \"a\", \"name\": \"b\"}",
            Code::ManifestField,
            "plugin.json:2:15: the key \"name\" appears twice in the same object",
        ),
        (
            "[1]",
            Code::ManifestField,
            "plugin.json:1:1: expected an object in braces; found a list",
        ),
    ] {
        let report = refused(text);
        assert_eq!(
            (report.code, report.message.as_str()),
            (code, message),
            "{text}"
        );
    }
    let report = parse(b"{\"name\": \"\xff\"}", "plugin.json")
        .manifest
        .expect_err("no UTF-8");
    assert_eq!(report.message, "plugin.json:1:11: not UTF-8");
}

#[test]
fn a_manifest_is_bounded() {
    let huge = format!("{{\"name\": \"{}\"}}", "x".repeat(300 * 1024));
    assert_eq!(refused(&huge).code, Code::ManifestTooLarge);
    let deep = format!("{{\"x\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(refused(&deep).message.contains("32 levels"));
    let long = with(json!({"description": "x".repeat(33_000)}));
    assert!(
        refused(&long.to_string())
            .message
            .contains("the limit is 32,768")
    );
    let many = with(json!({"args": vec!["x"; 1_001]}));
    assert!(refused(&many.to_string()).message.contains("1,001 entries"));
    let nul = with(json!({"args": ["a\0b"]}));
    assert!(
        refused(&nul.to_string())
            .message
            .contains("`args[0]` has a NUL")
    );
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let text = format!("\u{feff}{}", with(json!({})));
    assert!(parse(text.as_bytes(), "plugin.json").manifest.is_ok());
}

#[test]
fn req_mcp_http_9_a_port_that_is_never_passed_on_is_warned_of() {
    let parsed = read(&with(json!({"args": null})));
    assert!(parsed.manifest.is_ok());
    assert!(parsed.warnings[0].message.contains("${PORT}"));
    let parsed = read(&with(json!({"args": null, "env": {"PORT": "${PORT}"}})));
    assert_eq!(parsed.warnings, []);
}

#[test]
fn errors_never_repeat_a_password() {
    let report = refused(
        &with(json!({"command": null, "args": null, "url": "https://me:hunter2@example.com/mcp"}))
            .to_string(),
    );
    assert!(
        report
            .message
            .contains("must not have a user name or password")
    );
    assert!(!report.to_string().contains("hunter2"));
}

/// Manifests, and whether both the parser and the published schema accept them.
fn table() -> Vec<(Value, bool)> {
    let at = |url: &str| with(json!({"command": null, "args": null, "url": url}));
    vec![
        (with(json!({})), true),
        (with(json!({"name": null})), false),
        (with(json!({"name": "-a"})), false),
        (with(json!({"name": "a b"})), false),
        (with(json!({"name": 1})), false),
        (with(json!({"transport": null})), false),
        (with(json!({"transport": "sse"})), true),
        (with(json!({"transport": "ws"})), false),
        (with(json!({"transport": "stdio"})), true),
        (with(json!({"command": null})), false),
        (with(json!({"command": " "})), false),
        (with(json!({"command": "${GUILDHALL}"})), true),
        (with(json!({"url": "http://localhost/mcp"})), false),
        (at("http://localhost/mcp"), true),
        (at("HTTPS://example.com"), true),
        (at("https://example.com:8443?a=b@c"), true),
        (at("https://[::1]:80/mcp"), true),
        (at("ftp://example.com"), false),
        (at("https://me:secret@example.com"), false),
        (at("https:///mcp"), false),
        (at("https://example.com/a b"), false),
        (at("https://example.com/${secret:key}"), true),
        (at("https://example.com/${key}"), false),
        (
            with(json!({"command": null, "url": "http://a/", "transport": "stdio"})),
            false,
        ),
        (
            with(json!({"args": ["${PORT}", "$PORT", "$${X}", "$", "${env:HOME}"]})),
            true,
        ),
        (with(json!({"args": ["${HOME}"]})), false),
        (with(json!({"args": ["$${${HOME}"]})), false),
        (with(json!({"args": ["${PORT"]})), false),
        (with(json!({"args": ["${env:}"]})), false),
        (with(json!({"args": [1]})), false),
        (with(json!({"args": "x"})), false),
        (with(json!({"env": {"A": "${secret:B}"}})), true),
        (with(json!({"env": {"A=B": "x"}})), false),
        (with(json!({"env": {"": "x"}})), false),
        (with(json!({"env": {"A": 1}})), false),
        (with(json!({"headers": {"X-A": "b"}})), true),
        (with(json!({"headers": {"X A": "b"}})), false),
        (with(json!({"headers": {"X-A": "b\nc"}})), false),
        (
            with(json!({"lifecycle": "on-demand", "restart": "never"})),
            true,
        ),
        (with(json!({"lifecycle": "lazy"})), false),
        (with(json!({"restart": true})), false),
        (
            with(json!({"timeouts": {"start_ms": 1, "call_ms": 86_400_000}})),
            true,
        ),
        (with(json!({"timeouts": {"start_ms": 5000.0}})), true),
        (with(json!({"timeouts": {"start_ms": 0}})), false),
        (with(json!({"timeouts": {"start_ms": 86_400_001}})), false),
        (with(json!({"timeouts": {"start_ms": 1.5}})), false),
        (with(json!({"timeouts": []})), false),
        (
            with(json!({"tools": {"a": {"policy": "ask", "timeout_ms": 5}, "b": {}}})),
            true,
        ),
        (with(json!({"tools": {"a": {"policy": "maybe"}}})), false),
        (with(json!({"tools": {"": {}}})), false),
        (with(json!({"auto_approve": ["a"]})), true),
        (with(json!({"auto_approve": [1]})), false),
        (with(json!({"protocol_version": "auto"})), true),
        (with(json!({"protocol_version": "2025-06-18"})), true),
        (with(json!({"protocol_version": "2024-11-05"})), false),
        (with(json!({"enabled": false})), true),
        (with(json!({"enabled": 1})), false),
        (with(json!({"x-anything": {"at": ["all"]}})), true),
        (
            with(json!({"$schema": "https://example.com/schema.json"})),
            true,
        ),
        (json!([]), false),
    ]
    .into_iter()
    .chain(authors::table())
    .chain(auth::table())
    .chain(containers::table())
    .collect()
}

#[test]
fn the_published_schema_accepts_what_the_parser_accepts() {
    let published = json_schema();
    let schema = jsonschema::options()
        .build(&published)
        .expect("the published schema is legal");
    for (manifest, accepted) in table() {
        let parsed = read(&manifest).manifest;
        assert_eq!(parsed.is_ok(), accepted, "parser: {manifest}: {parsed:?}");
        let errors: Vec<String> = schema
            .iter_errors(&manifest)
            .map(|e| e.to_string())
            .collect();
        assert_eq!(
            errors.is_empty(),
            accepted,
            "schema: {manifest}: {errors:?}"
        );
    }
}

#[test]
fn published_schema_describes_every_field() {
    let published = json_schema();
    let mut parts = vec![("".to_owned(), &published)];
    let mut described = 0;
    while let Some((path, part)) = parts.pop() {
        for (name, field) in part["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}/{name}");
            assert!(field["description"].is_string(), "{path}");
            described += 1;
            parts.push((path.clone(), field));
            parts.extend(["items", "additionalProperties"].map(|key| (path.clone(), &field[key])));
        }
    }
    assert_eq!(described, 69);
}

struct Known;

impl Lookup for Known {
    fn env(&self, name: &str) -> Option<String> {
        (name == "HOME").then(|| "/home/${PORT}".to_owned())
    }
    fn secret(&self, name: &str) -> Option<String> {
        (name == "key").then(|| "s3cret".to_owned())
    }
}

fn substitute(text: &str) -> Result<String, Report> {
    let substitution = Substitution {
        port: Some(20_000),
        plugin_dir: "/members/notes",
        guildhall: "/usr/bin/guildhall",
        lookup: &Known,
    };
    substitution.substitute(text)
}

#[test]
fn req_mcp_http_3_and_9_variables_get_their_values() {
    for (text, expected) in [
        ("--port=${PORT}", "--port=20000"),
        (
            "${PLUGIN_DIR}/x:${GUILDHALL}",
            "/members/notes/x:/usr/bin/guildhall",
        ),
        ("${env:HOME}", "/home/${PORT}"),
        ("Bearer ${secret:key}", "Bearer s3cret"),
        ("$${PORT} $PORT $ ${PORT}", "${PORT} $PORT $ 20000"),
        ("$$${PORT}", "$${PORT}"),
        ("", ""),
    ] {
        assert_eq!(substitute(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn a_variable_without_a_value_is_named() {
    let report = substitute("${secret:key} ${env:NOWHERE}").expect_err("no value");
    assert_eq!(report.code, Code::VariableMissing);
    assert!(report.message.contains("${env:NOWHERE}"));
    assert!(!report.to_string().contains("s3cret"));
    let without_port = Substitution {
        port: None,
        plugin_dir: "",
        guildhall: "",
        lookup: &Known,
    };
    let report = without_port.substitute("${PORT}").expect_err("no port");
    assert_eq!(report.code, Code::VariableMissing);
}

#[test]
fn a_secret_without_a_value_has_a_code_of_its_own() {
    let report = substitute("Bearer ${secret:other}").expect_err("no value");
    assert_eq!(report.code, Code::SecretMissing);
    assert!(
        report.hint.contains("guildhall secret set other"),
        "{report}"
    );
}

#[test]
fn the_secrets_of_a_launch_are_known_by_name() {
    let launch = read(&with(json!({
        "args": ["--key=${secret:key}", "$${secret:plain}", "${secret:key}${secret:b}"],
        "env": {"A": "${secret:in env}", "TOKEN": "x${secret:token}"},
    })));
    // A name with a space is invalid.
    assert!(launch.manifest.is_err());
    let launch = Launch::Url {
        url: "https://example.test/${secret:path}".to_owned(),
        headers: [("X".to_owned(), "${secret:head}".to_owned())].into(),
    };
    assert_eq!(Vec::from_iter(launch.secrets()), ["head", "path"]);
    let launch = Launch::Command {
        command: "run".to_owned(),
        args: vec![
            "--key=${secret:key}".into(),
            "$${secret:plain}${secret:key}".into(),
        ],
        env: [("TOKEN".to_owned(), "x${secret:token}".to_owned())].into(),
        cwd: Some("/at/${secret:place}".to_owned()),
    };
    assert_eq!(Vec::from_iter(launch.secrets()), ["key", "place", "token"]);
}

#[test]
fn only_what_may_differ_by_the_login_shell_has_to_know_it() {
    let command = |command: &str, arg: &str, value: &str| Launch::Command {
        command: command.to_owned(),
        args: vec!["sample-member".to_owned(), arg.to_owned()],
        env: [("LOG".to_owned(), value.to_owned())].into(),
        cwd: None,
    };
    let url = |url: &str, value: &str| Launch::Url {
        url: url.to_owned(),
        headers: [("Authorization".to_owned(), value.to_owned())].into(),
    };
    for (launch, needs) in [
        (command("${GUILDHALL}", "--port=${PORT}", "info"), false),
        (
            command("${GUILDHALL}", "$${env:HOME}", "${secret:key}"),
            false,
        ),
        (command("${GUILDHALL}", "${env:HOME}/notes", "info"), true),
        (command("${GUILDHALL}", "gallery", "${env:LEVEL}"), true),
        (command("${GUILDHALL}.old", "gallery", "info"), true),
        (command("npx", "gallery", "info"), true),
        (command("/usr/bin/guildhall", "gallery", "info"), true),
        (
            url("https://example.test/mcp", "Bearer ${secret:key}"),
            false,
        ),
        (url("https://example.test/mcp", "Bearer ${env:KEY}"), true),
        (url("https://${env:HOST}/mcp", "Bearer x"), true),
    ] {
        assert_eq!(launch.needs_environment(), needs, "{launch:?}");
    }
}

#[test]
fn the_hash_tells_what_is_run_and_nothing_else() {
    let hash = |changes: Value| config_hash(&read(&with(changes)).manifest.expect("a manifest"));
    let base = hash(json!({}));
    assert_eq!(base.len(), 64);
    for same in [
        json!({"description": "Other."}),
        json!({"timeouts": {"call_ms": 1}}),
        json!({"version": "2"}),
        json!({"tools": {"a": {"policy": "deny"}}}),
    ] {
        assert_eq!(hash(same), base);
    }
    let others = [
        json!({"command": "other"}),
        json!({"args": ["--port${PORT}"]}),
        json!({"args": ["--port", "${PORT}", ""]}),
        json!({"env": {"A": "b"}}),
        json!({"env": {"A": "c"}}),
        json!({"env": {"Ab": ""}}),
        json!({"transport": "stdio"}),
        json!({"protocol_version": "2025-06-18"}),
        json!({"command": null, "url": "http://a/"}),
        json!({"command": null, "url": "http://a/", "headers": {"A": "b"}}),
    ];
    let mut hashes: Vec<String> = others.into_iter().map(hash).collect();
    hashes.push(base);
    let count = hashes.len();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), count, "each difference shows");
}

#[test]
fn the_command_line_is_quoted_and_shows_no_secret() {
    let changes = json!({"command": "my server", "args": ["--key", "${secret:key}", "it's", ""]});
    let manifest = read(&with(changes)).manifest.expect("a manifest");
    assert_eq!(
        command_line(&manifest),
        r"'my server' --key '${secret:key}' 'it'\''s' ''"
    );
}

proptest! {
    #[test]
    fn escaped_text_comes_back_as_it_was(text in "[${}a-zé]{0,20}") {
        // A `$` before `${` would be read as the escape.
        prop_assume!(!text.contains("$${"));
        let written = text.replace("${", "$${");
        prop_assert_eq!(substitute(&written), Ok(text));
    }

    #[test]
    fn parsed_templates_can_be_substituted(text in "(\\$|\\{|\\}|PORT|env:HOME|x){0,8}") {
        /// Has a value for every name, so that only the text can be invalid.
        struct Everything;
        impl Lookup for Everything {
            fn env(&self, name: &str) -> Option<String> {
                Some(name.to_owned())
            }
            fn secret(&self, name: &str) -> Option<String> {
                Some(name.to_owned())
            }
        }
        let substitution = Substitution {
            port: Some(20_000),
            plugin_dir: "",
            guildhall: "",
            lookup: &Everything,
        };
        let fits = variables::problem_in(&text).is_none();
        prop_assert_eq!(substitution.substitute(&text).is_ok(), fits);
    }
}

#[test]
fn working_folder_is_part_of_the_command() {
    let text = |cwd: &str| {
        format!(r#"{{"name":"a","transport":"stdio","command":"x","env":{{"cwd":"/w"}}{cwd}}}"#)
    };
    let read = |cwd: &str| {
        let parsed = parse(text(cwd).as_bytes(), "plugin.json");
        assert_eq!(parsed.warnings, []);
        parsed.manifest.expect("a manifest")
    };
    let (without, with) = (read(""), read(r#","cwd":"${env:HOME}/w""#));
    let Launch::Command { cwd, .. } = &with.launch else {
        panic!("a command");
    };
    assert_eq!(cwd.as_deref(), Some("${env:HOME}/w"));
    assert!(with.launch.needs_environment());
    assert_ne!(config_hash(&with), config_hash(&without));
    assert_ne!(launch_hash(&with), launch_hash(&without));
    for (cwd, expect) in [
        (r#","cwd":" ""#, "must name a folder"),
        (r#","cwd":"${home}""#, "unknown variable"),
        (r#","cwd":7"#, "text in double quotes"),
    ] {
        let report = refused(&text(cwd));
        assert!(report.message.contains("cwd"), "{report}");
        assert!(report.message.contains(expect), "{report}");
    }
}
