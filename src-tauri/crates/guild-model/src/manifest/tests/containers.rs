//! Tests of members in containers.

use serde_json::{Value, json};

use super::super::{config_hash, launch_hash};
use super::{read, refused, with};

fn contained(container: Value) -> Value {
    with(json!({"command": null, "args": null, "transport": "stdio", "container": container}))
}

/// Manifests and whether they are accepted, as in the main table.
pub(super) fn table() -> Vec<(Value, bool)> {
    let of = |changes: Value| {
        let mut container = json!({"image": "notes:1"});
        for (key, value) in changes.as_object().expect("changes") {
            container[key] = value.clone();
        }
        contained(container)
    };
    let mount = |mount: Value| of(json!({"mounts": [mount]}));
    let http = |changes: Value| {
        let mut manifest = of(changes);
        manifest["transport"] = "http".into();
        manifest
    };
    let beside = |key: &str, value: Value| {
        let mut manifest = of(json!({}));
        manifest[key] = value;
        manifest
    };
    vec![
        (of(json!({})), true),
        (contained(json!({})), false),
        (contained(json!("notes")), false),
        (of(json!({"image": "a b"})), false),
        (of(json!({"image": "--privileged"})), false),
        (of(json!({"image": "localhost:5000/a/b@sha256:00ff"})), true),
        (of(json!({"engine": "podman"})), true),
        (of(json!({"engine": "lxc"})), false),
        (
            of(json!({"args": ["a", "${env:X}", "${PLUGIN_DIR}"]})),
            true,
        ),
        (of(json!({"args": ["${secret:X}"]})), false),
        (of(json!({"args": ["${PORT}"]})), false),
        (of(json!({"args": ["$${PORT}"]})), true),
        (of(json!({"network": "none"})), true),
        (of(json!({"network": "lan"})), true),
        (of(json!({"network": "host"})), false),
        (of(json!({"network": "container:a"})), false),
        (
            of(json!({"memory": "512m", "cpus": 0.5, "pids_limit": 10})),
            true,
        ),
        (of(json!({"memory": 512})), false),
        (of(json!({"memory": "0"})), false),
        (of(json!({"cpus": 0})), false),
        (of(json!({"cpus": "1"})), false),
        (of(json!({"pids_limit": 0})), false),
        (of(json!({"user": "1000:1000", "pull": "never"})), true),
        (of(json!({"user": "-u"})), false),
        (of(json!({"pull": "newer"})), false),
        (
            of(json!({"entrypoint": "/bin/a b", "read_only": true})),
            true,
        ),
        (of(json!({"entrypoint": ""})), false),
        (of(json!({"entrypoint": "-c"})), false),
        (of(json!({"entrypoint": "[\"a\"]"})), false),
        (of(json!({"entrypoint": "${env:SHELL}"})), false),
        (of(json!({"entrypoint": ["a"]})), false),
        (of(json!({"read_only": "true"})), false),
        (mount(json!({"source": "/srv/a", "target": "/a"})), true),
        (
            mount(json!({"source": "${PLUGIN_DIR}/a", "target": "/a", "read_only": false})),
            true,
        ),
        (mount(json!({"source": "data", "target": "/a"})), false),
        (mount(json!({"source": "/srv/a"})), false),
        (mount(json!({"target": "/a"})), false),
        (mount(json!({"source": "/srv/a,ro", "target": "/a"})), false),
        (
            mount(json!({"source": "/srv/${secret:X}", "target": "/a"})),
            false,
        ),
        (mount(json!({"source": "/srv/a", "target": "/"})), false),
        (mount(json!({"source": "/srv/a", "target": "a"})), false),
        (
            mount(json!({"source": "/srv/a", "target": "/a/../.."})),
            false,
        ),
        (
            mount(json!({"source": "/", "target": "/host", "dangerous": true})),
            true,
        ),
        (http(json!({"port": 8080})), true),
        (http(json!({})), false),
        (http(json!({"port": 0})), false),
        (http(json!({"port": 65_536})), false),
        (http(json!({"port": 8080, "network": "none"})), false),
        (beside("command", json!("x")), false),
        (beside("url", json!("http://a/")), false),
        (beside("env", json!({"TOKEN": "${secret:X}"})), true),
    ]
}

#[test]
fn dangerous_option_is_refused_at_its_line() {
    let text = |source: &str, rest: &str| {
        format!(
            "{{\n\"name\": \"notes\",\n\"transport\": \"stdio\",\n\"container\": {{\n\"image\": \"a\",\n\
             \"mounts\": [\n{{\"source\": \"{source}\", \"target\": \"/a\"{rest}}}]}}}}"
        )
    };
    for source in ["/", "/var/run/docker.sock", "/run", "/home/../"] {
        let report = refused(&text(source, ""));
        assert!(
            report
                .message
                .starts_with("plugin.json:7:12: `container.mounts[0].source` can't be mounted"),
            "{source}: {}",
            report.message
        );
        let meant = text(source, ", \"dangerous\": true");
        let parsed = super::super::parse(meant.as_bytes(), "plugin.json");
        assert!(parsed.manifest.is_ok(), "{source}: {:?}", parsed.manifest);
    }
}

#[test]
fn a_secret_under_a_name_that_the_engine_heeds_is_refused() {
    let mut manifest = contained(json!({"image": "a"}));
    manifest["env"] = json!({"DOCKER_HOST": "${secret:X}"});
    let report = refused(&manifest.to_string());
    assert!(
        report.message.contains("`env.DOCKER_HOST` has a secret"),
        "{}",
        report.message
    );
    manifest["env"] = json!({"PATH": "/app/bin"});
    assert!(read(&manifest).manifest.is_ok());
}

#[test]
fn each_part_of_a_container_makes_another_hash() {
    let hashes = |container: Value| {
        let manifest = read(&contained(container)).manifest.expect("a manifest");
        (config_hash(&manifest), launch_hash(&manifest))
    };
    let old = hashes(json!({"image": "a"}));
    for container in [
        json!({"image": "b"}),
        json!({"image": "a", "args": ["x"]}),
        json!({"image": "a", "engine": "podman"}),
        json!({"image": "a", "network": "none"}),
        json!({"image": "a", "memory": "1g"}),
        json!({"image": "a", "user": "root"}),
        json!({"image": "a", "pull": "always"}),
        json!({"image": "a", "entrypoint": "sh"}),
        json!({"image": "a", "read_only": true}),
        json!({"image": "a", "mounts": [{"source": "/srv", "target": "/srv"}]}),
    ] {
        let new = hashes(container.clone());
        assert!(new.0 != old.0 && new.1 != old.1, "{container}");
    }
    let mount = |changes: Value| {
        let mut mount = json!({"source": "/srv", "target": "/srv"});
        for (key, value) in changes.as_object().expect("changes") {
            mount[key] = value.clone();
        }
        hashes(json!({"image": "a", "mounts": [mount]}))
    };
    assert_ne!(mount(json!({})), mount(json!({"read_only": false})));
    assert_ne!(mount(json!({})), mount(json!({"dangerous": true})));
    let mut named_alike = contained(json!({"image": "a"}));
    named_alike["env"] = json!({"entrypoint": "sh"});
    let named_alike = read(&named_alike).manifest.expect("a manifest");
    let entered = hashes(json!({"image": "a", "entrypoint": "sh"}));
    assert_ne!(launch_hash(&named_alike), entered.1, "a variable is none");
}
