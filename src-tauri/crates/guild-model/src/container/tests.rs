mod commands;

use serde_json::json;

use super::command::{CommandInspection, field, inspect};
use super::*;
use crate::manifest::{Launch, Manifest, parse};
use crate::messages::Beyond;

fn manifest(transport: &str, env: serde_json::Value, container: serde_json::Value) -> Manifest {
    let text = json!({"name": "notes", "transport": transport, "env": env, "container": container});
    parse(text.to_string().as_bytes(), "plugin.json")
        .manifest
        .expect("a manifest")
}

fn container(manifest: &Manifest) -> &Container {
    match &manifest.launch {
        Launch::Container(container) => container,
        other => panic!("a container, not {other:?}"),
    }
}

fn words(container: &Container, port: Option<u16>) -> String {
    let member = MemberName::parse("notes").expect("valid");
    let start = ContainerStart {
        member: &member,
        run: "4700000000000001",
        port,
    };
    container.run_args(&start).join(" ")
}

#[test]
fn a_container_is_started_with_nothing_that_it_does_not_need() {
    let manifest = manifest(
        "stdio",
        json!({}),
        json!({"image": "ghcr.io/example/notes:1.2"}),
    );
    assert_eq!(
        words(container(&manifest), None),
        "run --rm --interactive --init --name guild-hall-notes-4700000000000001 \
         --label guild-hall.member=notes --label guild-hall.run=4700000000000001 --pull never \
         --cap-drop ALL --security-opt no-new-privileges ghcr.io/example/notes:1.2"
    );
}

#[test]
fn manifest_fields_become_engine_options() {
    let manifest = manifest(
        "http",
        json!({"TOKEN": "${secret:NOTES}", "HOME": "/data"}),
        json!({
            "image": "notes", "args": ["--port", "8080"], "network": "lan", "memory": "512m",
            "cpus": 1.5, "pids_limit": 64, "user": "1000:1000", "port": 8080,
            "mounts": [
                {"source": "${PLUGIN_DIR}/data", "target": "/data", "read_only": false},
                {"source": "/srv/notes", "target": "/notes"},
            ],
        }),
    );
    let words = words(container(&manifest), Some(20_001));
    let (_, rest) = words.split_once("no-new-privileges ").expect("options");
    assert_eq!(
        rest,
        "--network lan --memory 512m --cpus 1.5 --pids-limit 64 --user 1000:1000 \
         --publish 127.0.0.1:20001:8080 \
         --mount type=bind,source=${PLUGIN_DIR}/data,target=/data \
         --mount type=bind,source=/srv/notes,target=/notes,readonly \
         --env HOME=/data --env TOKEN notes --port 8080"
    );
    assert!(!words.contains("--interactive"), "HTTP has no stdin");
}

#[test]
fn a_secret_is_no_word_of_the_command() {
    let manifest = manifest(
        "stdio",
        json!({"TOKEN": "${secret:NOTES}"}),
        json!({"image": "notes"}),
    );
    let filled = container(&manifest)
        .filled(|text| Ok(text.replace("${secret:NOTES}", "hunter2")))
        .expect("filled");
    assert!(!words(&filled, None).contains("hunter2"));
    let handed: Vec<_> = filled.forwarded_env().collect();
    assert_eq!(handed, [(&"TOKEN".to_owned(), &"hunter2".to_owned())]);
}

#[test]
fn container_command_is_recognized_and_written() {
    let env = [("TOKEN".to_owned(), "${secret:notes/TOKEN}".to_owned())].into();
    let seen = |line: &str| {
        let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
        inspect("/usr/bin/docker", &args, &env)
    };
    let line = "run -i --rm --name n -e TOKEN -e MODE=fast -e HOST -v /srv/a:/data:ro \
                -v ${PLUGIN_DIR}/b:/b --network none -m 1g --cpus=0.5 --pull=never \
                ghcr.io/example/notes:1 serve --fast";
    let CommandInspection::Container(found) = seen(line) else {
        panic!("a container: {:?}", seen(line));
    };
    assert_eq!(found.env["TOKEN"], "${secret:notes/TOKEN}");
    assert_eq!(found.env["MODE"], "fast");
    assert_eq!(found.env["HOST"], "${env:HOST}");
    let written = manifest("stdio", json!(found.env), field(&found));
    assert_eq!(container(&written), &*found, "written and read again");
    assert_eq!(
        field(&found),
        json!({
            "image": "ghcr.io/example/notes:1", "engine": "docker", "args": ["serve", "--fast"],
            "mounts": [
                {"source": "/srv/a", "target": "/data"},
                {"source": "${PLUGIN_DIR}/b", "target": "/b", "read_only": false},
            ],
            "network": "none", "memory": "1g", "cpus": 0.5, "pull": "never",
        })
    );
    for (line, why) in [
        (
            "run --privileged img",
            "`container` has no field for `--privileged`",
        ),
        ("run -d img", "without stdin"),
        ("run -v data:/x img", "a volume of the engine"),
        ("run --network host img", "members can't use the network"),
        ("run -i --rm", "the image is missing"),
        (
            "run --gpus all img",
            "`container` has no field for `--gpus`",
        ),
    ] {
        let CommandInspection::Beyond(reasons) = seen(line) else {
            panic!("{line}: {:?}", seen(line));
        };
        let told: Vec<String> = reasons.iter().map(Beyond::to_string).collect();
        assert!(told.join("; ").contains(why), "{line}: {reasons:?}");
    }
    assert_eq!(seen("compose up"), CommandInspection::Other);
    assert_eq!(
        inspect("node", &["run".to_owned()], &env),
        CommandInspection::Other
    );
}

#[test]
fn option_like_image_and_user_are_refused() {
    for image in ["", "-v", "a b", "a\n", "--privileged", "a:", "${X}"] {
        assert!(!is_image(image), "{image:?}");
    }
    for image in [
        "a",
        "a:1",
        "localhost:5000/a/b@sha256:00ff",
        "example.com/a_b",
    ] {
        assert!(is_image(image), "{image}");
    }
    for user in ["", "-u", "a b", "a:", "a:b:c"] {
        assert!(!is_user(user), "{user:?}");
    }
    assert!(is_user("1000:1000") && is_user("node"));
    for memory in ["", "0m", "1x", "m", "-1"] {
        assert!(!is_memory(memory), "{memory:?}");
    }
    assert!(is_memory("512m") && is_memory("1G") && is_memory("1048576"));
}

#[test]
fn engine_variables_are_not_passed_on() {
    for name in [
        "PATH",
        "home",
        "DOCKER_HOST",
        "XDG_RUNTIME_DIR",
        "https_proxy",
        "LD_PRELOAD",
    ] {
        assert!(is_for_the_engine(name), "{name}");
    }
    for name in [
        "TOKEN",
        "API_KEY",
        "PATHS",
        "DOCKERISH",
        "GOOGLE_API_KEY",
        "LD_API_KEY",
        "STORAGE_ACCOUNT_KEY",
    ] {
        assert!(!is_for_the_engine(name), "{name}");
    }
}
