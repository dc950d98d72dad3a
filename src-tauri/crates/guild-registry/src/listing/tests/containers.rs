//! Tests of packages that become containers.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::listing::{Installable, install_options, parse};
use guild_client_config::{NewMember, PlaceholderResolver};
use guild_client_config::{TextSegment, TextTemplate};
use guild_import::install::Argument;
use guild_import::install::*;
use guild_model::id::MemberName;
use guild_model::manifest::{Launch, Origin, parse as parse_manifest};
use guild_model::messages::{Beyond, Danger, Private};

const HOME: &str = "/home/me";

/// Resolves inputs to empty strings, and secrets to references.
struct Filled;

impl PlaceholderResolver for Filled {
    fn input(&mut self, _: &str) -> String {
        String::new()
    }

    fn secret(&mut self, name: &str, _: &str) -> String {
        format!("${{secret:m/{name}}}")
    }

    fn passed(&mut self, _: &str) -> Option<String> {
        None
    }
}

/// Returns the only install option of a registry's package.
fn listed(package: Value) -> Installable {
    let entry = json!({"name": "com.example/s", "version": "1", "packages": [package]});
    let listing = parse(entry.to_string().as_bytes()).expect("it is read");
    let way = install_options(&listing.servers[0]).remove(0);
    way.installable.expect("it can be installed")
}

/// Returns the preview of an install option.
fn shown(way: &Installable) -> Value {
    let prospect = ContainerCandidate::of(&way.plan, &way.inputs, way.transport, HOME);
    let shown = prospect.map(|prospect| prospect.shown());
    serde_json::to_value(shown).expect("JSON")
}

/// Returns the written manifest, or the reasons why the package stays a command.
fn written(way: &Installable, answers: Value) -> Result<Value, Vec<Beyond>> {
    let given = way.inputs.read(&answers.to_string()).expect("answers");
    let run = way.plan.filled(&given).expect("it runs");
    let prospect = ContainerCandidate::of(&way.plan, &way.inputs, way.transport, HOME);
    let contained = prospect
        .expect("a container")
        .filled(&run, way.transport, HOME)?;
    let name = MemberName::parse("s").expect("a name");
    let origin = Origin {
        from: "registry".to_owned(),
        ..Origin::default()
    };
    let member = NewMember {
        version: "1",
        contained: Some(&contained),
        ..NewMember::new(&name, &run, origin)
    };
    let text = member.manifest(&mut Filled);
    let manifest = parse_manifest(text.as_bytes(), "").manifest;
    let manifest = manifest.unwrap_or_else(|report| panic!("{report}: {text}"));
    assert!(matches!(manifest.launch, Launch::Container(_)), "{text}");
    Ok(serde_json::from_str(&text).expect("JSON"))
}

fn image(more: Value) -> Value {
    let mut package = json!({
        "registryType": "oci", "identifier": "images.example/forge/server:1.12.2",
        "transport": {"type": "stdio"},
    });
    for (key, value) in more.as_object().expect("an object") {
        package[key] = value.clone();
    }
    package
}

#[test]
fn oci_package_becomes_a_secretless_container() {
    let way = listed(image(json!({
        "runtimeArguments": [
            {"type": "named", "name": "-e", "value": "FORGE_TOKEN={token}",
             "variables": {"token": {"isRequired": true, "isSecret": true}}},
            {"type": "named", "name": "--memory", "value": "512m"},
            {"type": "named", "name": "-v", "value": "{folder}:/work:ro",
             "variables": {"folder": {"isRequired": true, "format": "filepath"}}},
        ],
        "packageArguments": [
            {"type": "positional", "value": "stdio"},
            {"type": "named", "name": "--toolsets", "default": "repos"},
        ],
        "environmentVariables": [
            {"name": "FORGE_HOST", "isRequired": true},
            {"name": "FORGE_KEY", "isSecret": true},
            {"name": "FORGE_LEVEL", "value": "info"},
        ],
    })));
    let before = shown(&way);
    assert_eq!(before["kind"], "container", "{before:#}");
    assert_eq!(
        before["args"],
        json!(["stdio", "--toolsets", "${input:--toolsets}"])
    );
    let text = before.to_string();
    for part in ["${input:folder} (read only)", "${input:FORGE_HOST}", "512m"] {
        assert!(text.contains(part), "{part}: {text}");
    }

    let answers = json!({
        "token": "planted", "folder": "/srv/a:b", "FORGE_HOST": "https://f.example/${x}",
        "--toolsets": "all,none",
    });
    let manifest = written(&way, answers).expect("a container");
    assert!(!manifest.to_string().contains("planted"), "{manifest:#}");
    assert_eq!(manifest["transport"], "stdio");
    assert_eq!(manifest["command"], Value::Null);
    assert_eq!(
        manifest["env"],
        json!({
            "FORGE_TOKEN": "${secret:m/token}", "FORGE_HOST": "https://f.example/$${x}",
            "FORGE_LEVEL": "info",
        }),
        "what was not answered is not given"
    );
    assert_eq!(
        manifest["container"],
        json!({
            "image": "images.example/forge/server:1.12.2", "engine": "docker",
            "args": ["stdio", "--toolsets", "all,none"], "memory": "512m",
            "mounts": [{"source": "/srv/a:b", "target": "/work"}],
        }),
        "a colon in an answer separates nothing"
    );
}

#[test]
fn a_port_of_a_server_over_stdin_keeps_the_command_and_is_named() {
    let way = listed(image(json!({
        "runtimeArguments": [
            {"type": "named", "name": "-p", "value": "127.0.0.1:8085:8085"},
            {"type": "named", "name": "-e", "value": "FORGE_CALLBACK_PORT=8085"},
        ],
    })));
    let before = shown(&way);
    assert_eq!(before["kind"], "command", "{before:#}");
    assert_eq!(
        before["reasons"],
        json!(["its port 8085 is published, but a stdio server has no port"])
    );
    assert_eq!(
        written(&way, json!({})).expect_err("a command"),
        [Beyond::PortUnused(8085)]
    );
}

#[test]
fn where_a_mount_leads_is_decided_by_what_is_answered() {
    let way = listed(image(json!({
        "runtimeHint": "podman",
        "runtimeArguments": [{
            "type": "named", "name": "--mount", "isRepeated": true,
            "value": "type=bind,src={source_path},dst={target_path}",
            "variables": {
                "source_path": {"isRequired": true, "format": "filepath"},
                "target_path": {"isRequired": true, "default": "/project"},
            },
        }],
        "packageArguments": [{"type": "positional", "valueHint": "dir", "value": "/project"}],
    })));
    let before = shown(&way);
    assert_eq!(before["kind"], "open", "{before:#}");
    let why = before["reasons"][0].as_str().expect("a reason");
    assert!(why.contains("${input:target_path}"), "{why}");

    let paths =
        |source: &[&str], target: &[&str]| json!({"source_path": source, "target_path": target});
    let both = paths(&["/srv/a:b", "/srv/c=d"], &["/one", "/two"]);
    let manifest = written(&way, both).expect("a container");
    assert_eq!(manifest["container"]["engine"], "podman");
    assert_eq!(
        manifest["container"]["mounts"],
        json!([
            {"source": "/srv/a:b", "target": "/one", "read_only": false},
            {"source": "/srv/c=d", "target": "/two", "read_only": false},
        ])
    );
    for (answers, why) in [
        (paths(&["/"], &["/project"]), "`/`"),
        (paths(&[HOME], &["/project"]), "a home"),
        (paths(&["/srv"], &["not-whole"]), "a target"),
        (paths(&["a-volume"], &["/project"]), "a volume"),
        (paths(&["/srv/a,b"], &["/project"]), "a comma"),
    ] {
        let stays = written(&way, answers).expect_err(why);
        assert!(!stays.is_empty(), "{why}");
    }
}

#[test]
fn home_folder_is_never_mounted() {
    let way = |kind: &str, value: &str, key: &str| {
        listed(image(json!({"runtimeArguments": [{
            "type": "named", "name": kind, "value": value, "variables": {key: {"isRequired": true}},
        }]})))
    };
    for (way, key, whole, within) in [
        (
            way("--mount", "type=bind,src=/home/{user},dst=/work", "user"),
            "user",
            "me",
            "me/project",
        ),
        (
            way("-v", "{base}/me:/work", "base"),
            "base",
            "/home",
            "/srv",
        ),
    ] {
        let stays = written(&way, json!({key: whole})).expect_err("a home");
        let why = Danger::Whole(Private::Home);
        assert_eq!(stays, [Beyond::Dangerous(HOME.to_owned(), why)]);
        written(&way, json!({key: within})).expect("a container");
    }
}

#[test]
fn http_image_listens_at_its_own_port() {
    let way = |url: &str, more: Value| {
        let mut package = image(more);
        package["transport"] = json!({"type": "streamable-http", "url": url});
        listed(package)
    };
    let variable = |default: Option<&str>| {
        let mut port = json!({"name": "PORT"});
        port["default"] = json!(default);
        json!({"environmentVariables": [port]})
    };
    for (url, more, inside) in [
        ("http://localhost:3000/mcp", variable(Some("3000")), 3000),
        ("http://127.0.0.1:{PORT}/mcp", variable(Some("4100")), 4100),
        ("http://127.0.0.1:{PORT}/mcp", variable(None), 8080),
    ] {
        let manifest = written(&way(url, more), json!({})).expect("a container");
        assert_eq!(manifest["transport"], "http", "{manifest:#}");
        assert_eq!(manifest["container"]["port"], inside, "{manifest:#}");
        assert_eq!(manifest["env"]["PORT"], inside.to_string());
    }
    let mut shared = variable(Some("3000"));
    shared["runtimeArguments"] = json!([{"type": "named", "name": "--network", "value": "host"}]);
    let shared = shown(&way("http://localhost:3000/mcp", shared));
    assert_eq!(shared["kind"], "command", "{shared:#}");
}

#[test]
fn non_container_command_has_no_container() {
    let way = listed(json!({"registryType": "npm", "identifier": "s", "version": "1"}));
    assert_eq!(shown(&way), Value::Null);
}

#[test]
fn an_answer_that_is_an_option_is_none_of_a_container() {
    let way = listed(image(json!({
        "runtimeArguments": [{"type": "positional", "valueHint": "more"}],
    })));
    for answer in [
        "--privileged",
        "-v/:/host",
        "images.example/other",
        "--pid=host",
    ] {
        let stays = written(&way, json!({"more": answer}));
        assert!(!stays.expect_err(answer).is_empty());
    }
}

proptest! {
    /// Property: an answer never changes the meaning of the text around it.
    #[test]
    fn an_answer_stays_in_its_place(answer in "[ -~]{1,40}", in_env in any::<bool>()) {
        let key = "a".to_owned();
        let place = TextSegment::Input(key.clone());
        let plain = |text: &str| Argument::word(TextTemplate::plain(text));
        let option = match in_env {
            true => [TextSegment::Plain("KEY=".to_owned()), place].into_iter().collect(),
            false => [
                TextSegment::Plain("type=bind,src=/srv/".to_owned()), place, TextSegment::Plain(",dst=/d".to_owned()),
            ].into_iter().collect(),
        };
        let flag = if in_env { "-e" } else { "--mount" };
        let plan = LaunchTemplate::Command {
            command: TextTemplate::plain("docker"),
            args: vec![
                plain("run"), plain("-i"), plain(flag), Argument::word(option), plain("img"), plain("x"),
            ],
            env: BTreeMap::new(),
            cwd: None,
        };
        let given: InstallAnswers = [(key, InstallInputValue::Plain(vec![answer.clone()]))].into();
        let run = plan.filled(&given);
        prop_assume!(run.is_ok());
        let read = run.expect("just seen").read_contained().expect("a container");
        let read = read.expect("nothing else is said");
        prop_assert_eq!(&read.0.container.image, "img");
        prop_assert_eq!(read.0.container.args.len(), 1);
        if in_env {
            prop_assert_eq!(read.0.container.env.len(), 1);
            prop_assert!(read.0.container.mounts.is_empty());
            let value = &read.0.container.env["KEY"];
            let value_text: String = value.segments().iter().map(|segment| match segment {
                guild_client_config::TextSegment::Given(text)
                | guild_client_config::TextSegment::Plain(text) => text.clone(),
                guild_client_config::TextSegment::Secret { value, .. } => value.clone(),
                other => format!("{other:?}"),
            }).collect();
            prop_assert_eq!(value_text, answer);
        } else {
            prop_assert!(read.0.container.env.is_empty());
            prop_assert_eq!(read.0.container.mounts.len(), 1);
            prop_assert_eq!(&read.0.container.mounts[0].target, "/d");
            prop_assert_eq!(read.0.container.mounts[0].source.shown(), format!("/srv/{answer}"));
        }
    }
}
