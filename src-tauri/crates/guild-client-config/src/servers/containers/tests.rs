use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::super::ConfiguredServer;
use super::super::tests::{of_user, read};
use super::*;
use crate::{ClientProgram, NewMember};
use guild_model::id::MemberName;
use guild_model::manifest::{Launch, Origin};
use guild_text::messages::to_strings;

const HOME: &str = "/home/me";
const FILE: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../tests/data/clients/containers.json"
));

/// The environment variables of the machine that imports a server.
struct Here(BTreeMap<&'static str, &'static str>);

impl PlaceholderResolver for Here {
    fn input(&mut self, id: &str) -> String {
        format!("given {id}")
    }

    fn secret(&mut self, name: &str, _: &str) -> String {
        format!("${{secret:m/{name}}}")
    }

    fn passed(&mut self, name: &str) -> Option<String> {
        self.0.contains_key(name).then(|| self.env(name))
    }
}

/// Returns the container of a run whose inputs are not secrets.
fn contained(run: &LaunchSpec) -> Option<Result<ConfigContainer, Vec<Beyond>>> {
    contained_with(run, &[])
}

/// Like `contained`, where these inputs are secrets.
fn contained_with(
    run: &LaunchSpec,
    secrets: &[&str],
) -> Option<Result<ConfigContainer, Vec<Beyond>>> {
    let secrets = secrets.iter().map(|&id| id.to_owned()).collect();
    let read = run.read_contained()?;
    Some(read.and_then(|read| {
        read.fits_a_member(Transport::Stdio, HOME, &secrets)
            .map(|()| read)
    }))
}

fn servers() -> Vec<ConfiguredServer> {
    read(&of_user(ClientProgram::ClaudeDesktop), FILE).servers
}

fn manifest(server: &ConfiguredServer, here: &mut Here) -> Manifest {
    let run = server.run.as_ref().expect("runs");
    let contained = contained(run).and_then(Result::ok);
    let name = MemberName::parse("m").expect("a name");
    let origin = Origin {
        from: "claude-desktop".to_owned(),
        ..Origin::default()
    };
    let member = NewMember {
        contained: contained.as_ref(),
        ..NewMember::new(&name, run, origin)
    };
    let text = member.manifest(here);
    for secret in ["ghp_", "pw-of-the-base"] {
        assert!(!text.contains(secret), "{text}");
    }
    let parsed = parse(text.as_bytes(), "plugin.json");
    // Each argument with a secret has a warning, and no other argument has one.
    let read: Value = serde_json::from_str(&text).expect("JSON");
    let args = read["args"].as_array().into_iter().flatten();
    let secret = args.filter(|arg| arg.as_str().is_some_and(|arg| arg.contains("${secret:")));
    assert_eq!(parsed.warnings.len(), secret.count(), "{text}");
    parsed
        .manifest
        .unwrap_or_else(|report| panic!("{report}: {text}"))
}

/// Returns the `env` and `container` of the member for a server. If the server stays a command,
/// returns the reasons; if it runs no container, null.
fn description(server: &ConfiguredServer) -> Value {
    let run = server.run.as_ref().expect("runs");
    match contained(run) {
        None => Value::Null,
        Some(Err(reasons)) => json!(to_strings(&reasons)),
        Some(Ok(_)) => {
            let manifest = manifest(server, &mut Here([("GITHUB_HOST", "x")].into()));
            let Launch::Container(container) = &manifest.launch else {
                panic!("a container: {:?}", manifest.launch);
            };
            json!({"env": container.env, "container": field(container)})
        }
    }
}

#[test]
fn real_servers_become_containers_or_explain() {
    let image = "ghcr.io/github/github-mcp-server";
    let expected = json!({
        "github": {
            "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": "${secret:m/GITHUB_PERSONAL_ACCESS_TOKEN}"},
            "container": {"image": image, "engine": "docker"},
        },
        "github-inline": {
            "env": {
                "GITHUB_PERSONAL_ACCESS_TOKEN": "${secret:m/GITHUB_PERSONAL_ACCESS_TOKEN}",
                "GITHUB_TOOLSETS": "repos,issues",
            },
            "container": {"image": image, "engine": "docker", "args": ["stdio", "--read-only"]},
        },
        "github-passed": {
            "env": {"GITHUB_HOST": "${env:GITHUB_HOST}"},
            "container": {"image": format!("{image}:v0.20.1"), "engine": "docker"},
        },
        "filesystem": {"env": {}, "container": {
            "image": "mcp/filesystem", "engine": "docker", "args": ["/projects"],
            "mounts": [
                {"source": "/srv/desktop", "target": "/projects/desktop", "read_only": false},
                {"source": "/srv/other", "target": "/projects/other"},
            ],
        }},
        "git": {"env": {}, "container": {
            "image": "mcp/git", "engine": "docker",
            "mounts": [{"source": "C:\\Users\\me\\work", "target": "/mnt/workspace", "read_only": false}],
        }},
        "excel": {"env": {"EXCEL_FILES_PATH": "/app/excel_files"}, "container": {
            "image": "example/excel-mcp-server", "engine": "docker",
            "mounts": [{"source": "/srv/excel", "target": "/app/excel_files"}],
        }},
        "limited": {"env": {"GITHUB_TOKEN": "${secret:m/GITHUB_TOKEN}"}, "container": {
            "image": "example/server", "engine": "docker", "read_only": true, "memory": "256m",
            "cpus": 0.5, "pids_limit": 64, "user": "1000:1000",
        }},
        "postgres": {
            "env": {"DATABASE_URI": "postgresql://${secret:m/DATABASE_URI}@localhost:5432/db"},
            "container": {
                "image": "example/postgres-mcp", "engine": "docker",
                "args": ["--access-mode=unrestricted"],
            },
        },
        "networked": {"env": {"HOST": "graph", "PORT": "6379"}, "container": {
            "image": "localhost/graph-mcp:latest", "engine": "podman", "network": "graph-net",
        }},
        "offline": {"env": {}, "container": {
            "image": "mcp/time@sha256:00ff", "engine": "docker", "entrypoint": "/app/serve",
            "args": ["--local-timezone=Europe/Berlin"], "network": "none", "pull": "never",
        }},
        "idle": {"env": {}, "container": {"image": "mcp/sequentialthinking", "engine": "docker"}},
        "memory": ["`claude-memory` is a volume of the engine, and not a folder"],
        "hosted": ["members can't use the network `host`"],
        "reached": [
            "`container` has no field for `--add-host`",
            "`--env-file /srv/server.env` is a file of variables; put them into `env`",
        ],
        "socket": ["/var/run/docker.sock can't be mounted: it is the socket of a container \
                    engine, which gives full control of this machine"],
        "home": ["/home/me can't be mounted: it is all of the home folder"],
        "browser": ["`container` has no field for `--shm-size`", "`container` has no field for `--ipc`"],
        "keyed": ["`container.args[1]` has a secret, which would be a word of the engine's command"],
        "labelled": ["`container` has no field for `Z` of the volume `/srv/data:/data:Z`"],
        "remote": ["`container` has no field for `--context` before `run`"],
        "gateway": null, "composed": null, "entered": null,
    });
    let servers = servers();
    for server in &servers {
        assert_eq!(
            description(server),
            expected[&server.name],
            "{}",
            server.name
        );
    }
    let expected = expected.as_object().expect("an object").len();
    assert_eq!(servers.len(), expected, "each is told of");
}

#[test]
fn imported_command_is_recognized_as_member() {
    let all = servers();
    let mut here = Here([("GITHUB_HOST", "x")].into());
    for server in &all {
        let run = server.run.as_ref().expect("runs");
        let made = manifest(server, &mut here);
        let runs: Vec<&str> = all
            .iter()
            .filter(|other| other.run.as_ref().is_ok_and(|run| run.is_run_by(&made)))
            .map(|other| other.name.as_str())
            .collect();
        assert_eq!(runs, [server.name.as_str()], "and no other");
        // A forwarded variable without a local value is not in the manifest, but the container
        // still matches.
        let elsewhere = manifest(server, &mut Here(BTreeMap::new()));
        assert!(run.is_run_by(&elsewhere), "{}", server.name);
    }
}

#[test]
fn another_part_of_a_container_is_another_server() {
    let all = servers();
    let server = all.iter().find(|server| server.name == "limited");
    let run = server
        .and_then(|server| server.run.as_ref().ok())
        .expect("runs");
    let made = |changes: Value, env: Value| {
        let mut container = json!({
            "image": "example/server", "engine": "docker", "read_only": true, "memory": "256m",
            "cpus": 0.5, "pids_limit": 64, "user": "1000:1000",
        });
        for (key, value) in changes.as_object().expect("changes") {
            container[key] = value.clone();
        }
        let text = json!({
            "name": "m", "transport": "stdio", "env": env, "container": container,
        });
        let parsed = parse(text.to_string().as_bytes(), "plugin.json");
        run.is_run_by(&parsed.manifest.expect("a manifest"))
    };
    let env = || json!({"GITHUB_TOKEN": "${secret:any/GITHUB_TOKEN}"});
    assert!(made(json!({}), env()));
    assert!(!made(json!({}), json!({})), "what is set for it is missing");
    assert!(!made(
        json!({}),
        json!({"GITHUB_TOKEN": "${secret:a}", "X": "1"})
    ));
    for changes in [
        json!({"image": "example/other"}),
        json!({"engine": "podman"}),
        json!({"engine": "auto"}),
        json!({"read_only": false}),
        json!({"memory": "512m"}),
        json!({"cpus": 1}),
        json!({"pids_limit": 65}),
        json!({"user": "root"}),
        json!({"args": ["x"]}),
        json!({"network": "none"}),
        json!({"pull": "always"}),
        json!({"entrypoint": "sh"}),
        json!({"mounts": [{"source": "/srv", "target": "/srv"}]}),
    ] {
        assert!(!made(changes.clone(), env()), "{changes}");
    }
}

#[test]
fn shown_container_hides_secrets() {
    let all = servers();
    let shown = |name: &str| {
        let server = all.iter().find(|server| server.name == name);
        let run = server
            .and_then(|server| server.run.as_ref().ok())
            .expect("runs");
        let shown = contained(run).map(|read| match read {
            Ok(contained) => contained.shown(),
            Err(reasons) => FoundContainer::Command {
                reasons: to_strings(&reasons),
            },
        });
        serde_json::to_value(shown).expect("JSON")
    };
    let github = shown("github");
    assert_eq!(
        github["env"],
        json!([{"name": "GITHUB_PERSONAL_ACCESS_TOKEN", "value": "•••", "secret": true}])
    );
    assert_eq!(
        github["parts"][0],
        json!({"name": "image", "value": "ghcr.io/github/github-mcp-server", "secret": false})
    );
    assert_eq!(shown("idle")["keptOutside"], json!(["NOBODY_HAS_IT"]));
    assert_eq!(shown("memory")["kind"], "command");
    assert_eq!(shown("gateway"), Value::Null);
}

#[test]
fn project_path_is_resolved_or_refused() {
    let project = |cwd: Option<&str>, source: &str| {
        let mut entry = json!({"command": "docker", "args": ["run", "-i", "-v", format!("{source}:/data"), "img"]});
        if let Some(cwd) = cwd {
            entry["cwd"] = cwd.into();
        }
        let text = json!({"mcpServers": {"s": entry}}).to_string();
        let found = read(&of_user(ClientProgram::Cursor), &text);
        let run = found.servers[0].run.clone().expect("runs");
        contained(&run)
            .expect("a container")
            .map(|contained| contained.0.container.mounts[0].source.shown())
    };
    assert_eq!(
        project(Some("/srv/site"), "./data").as_deref(),
        Ok("/srv/site/data")
    );
    assert_eq!(project(Some("/srv/site"), "..").as_deref(), Ok("/srv"));
    let nowhere = project(None, "./data").expect_err("stays a command");
    assert_eq!(
        to_strings(&nowhere),
        ["`./data` depends on the working directory"]
    );
    assert_eq!(project(None, "${userHome}/x").as_deref(), Ok("/home/me/x"));
    assert_eq!(
        project(None, "${env:DATA}/x").as_deref(),
        Ok("${env:DATA}/x")
    );
}

#[test]
fn container_secret_is_passed_as_a_variable() {
    let of = |args: Value, secrets: &[&str]| {
        let text = json!({"servers": {"s": {"command": "docker", "args": args}}}).to_string();
        let found = read(&of_user(ClientProgram::VsCode), &text);
        let run = found.servers[0].run.clone().expect("runs");
        contained_with(&run, secrets).expect("a container")
    };
    let in_variable = json!([
        "run",
        "-i",
        "-e",
        "KEY=${input:api_key}",
        "-v",
        "${input:dir}:/data",
        "img",
        "${input:dir}"
    ]);
    of(in_variable, &["api_key"]).expect("a container");
    for (word, id) in [
        ("${input:api_key}", "api_key"),
        ("${input:pg_url}", "pg_url"),
        ("${env:API_TOKEN}", "env:API_TOKEN"),
    ] {
        let args = || json!(["run", "-i", "img", "--key", word]);
        let stays = of(args(), &[id]).expect_err("stays a command");
        assert_eq!(
            to_strings(&stays),
            ["`container.args[1]` has a secret, which would be a word of the engine's command"]
        );
        of(args(), &[]).expect("a container");
    }
}
