//! Registry servers, bundles and snippets that run an image: the preview shows a member with a
//! container, and the installation creates this member.

use guild_tests::Nonce;
use guild_tests::bundles::{Packing, manifest};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::process::Command;

use super::IMAGE;
use super::engine::{Engine, member, no_server};
use crate::guildhall::{CliHarness, Ended};
use crate::test_env::json;

/// A user without a keychain, whose container engine has the fixture's image.
struct User {
    cli: CliHarness,
    engine: Engine,
    folder: tempfile::TempDir,
}

impl User {
    async fn new(test: &str) -> Self {
        Self {
            cli: CliHarness::new(test).await,
            engine: Engine::new(&[IMAGE]).await,
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.engine.command(&self.cli, words);
        command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
        command
    }

    async fn run(&self, words: &[&str]) -> Ended {
        self.cli.ended(self.command(words)).await
    }

    /// Writes a file of this user. Returns its path.
    fn put(&self, name: &str, content: &Value) -> String {
        let file = self.folder.path().join(name);
        std::fs::write(&file, content.to_string()).expect("written");
        file.display().to_string()
    }

    fn made(&self, name: &str) -> Value {
        let members = self.cli.env.members_dir();
        json(&members.join(name).join("plugin.json"))
    }

    /// Accepts and starts the member, kills Guild Hall, and checks that the container is removed.
    async fn runs_and_is_put_away(&self, name: &str) {
        let review = self.run(&["review", name, "--accept", "--yes"]).await;
        assert_eq!(review.code, Some(0), "{review:#?}");
        let serving = self.command(&["serve", "--no-gateway"]);
        let mut running = self.cli.started(serving);
        member(&mut running, name, "ready").await;
        let words = self.engine.run_words().join(" ");
        let named = format!("--name guild-hall-{name}-");
        assert!(words.contains(&named), "{words}");
        assert!(!words.contains("planted"), "{words}");
        running.signal(Signal::KILL);
        running.gone().await;
        self.engine.emptied().await;
        no_server(&self.cli).await;
    }
}

fn marked(cli: &CliHarness) -> Value {
    json!({"name": Nonce::VARIABLE, "value": cli.env.nonce.as_str()})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn registry_image_is_installed_as_a_container() {
    let user = User::new("a listed image").await;
    let list = user.put(
        "servers.json",
        &json!([{
            "name": "com.example/forge", "version": "1.0.0", "description": "Keeps a forge.",
            "packages": [{
                "registryType": "oci", "identifier": IMAGE, "transport": {"type": "stdio"},
                "runtimeArguments": [
                    {"type": "named", "name": "-e", "value": "FORGE_TOKEN={token}",
                     "variables": {"token": {"isRequired": true, "isSecret": true}}},
                    {"type": "named", "name": "--mount", "isRepeated": true,
                     "value": "type=bind,src={source},dst={target},readonly",
                     "variables": {
                        "source": {"format": "filepath"}, "target": {"default": "/project"}}},
                ],
                "packageArguments": [{"type": "positional", "value": "--stdio"}],
                "environmentVariables": [
                    marked(&user.cli), {"name": "FORGE_KEY", "isSecret": true},
                    {"name": "FORGE_LEVEL", "default": "info"},
                ],
            }, {
                "registryType": "oci", "identifier": IMAGE, "transport": {"type": "stdio"},
                "runtimeArguments": [
                    {"type": "named", "name": "-p", "value": "127.0.0.1:8085:8085"}],
            }],
        }]),
    );
    let added = user.run(&["settings", "set", "registry", &list]).await;
    assert_eq!(added.code, Some(0), "{added:#?}");
    let shown = user
        .run(&["add", "registry", "show", "com.example/forge"])
        .await;
    for says in [
        "the member's container if your answers allow it, otherwise a command: the mount target",
        "stays a command, whose container may outlive it: its port 8085 is published",
    ] {
        assert!(shown.stdout.contains(says), "{says}: {shown:#?}");
    }

    let source = user.folder.path().join("a=b");
    std::fs::create_dir(&source).expect("made");
    let answers = user.put(
        "answers.json",
        &json!({"token": "planted", "source": [source], "target": ["/project"], "FORGE_LEVEL": "info"}),
    );
    let install = |name: &'static str, more: &[&str]| {
        let words = [
            "add",
            "registry",
            "install",
            "com.example/forge",
            "--yes",
            "--as",
            name,
        ];
        let words = [&words[..], more].concat();
        user.command(&words)
    };
    let installed = user
        .cli
        .ended(install("forge", &["--inputs", &answers]))
        .await;
    assert_eq!(installed.code, Some(0), "{installed:#?}");
    assert!(
        !format!("{installed:?}").contains("planted"),
        "{installed:#?}"
    );
    let manifest = user.made("forge");
    assert_eq!(manifest["command"], Value::Null, "{manifest:#}");
    assert_eq!(
        manifest["container"],
        json!({
            "image": IMAGE, "engine": "docker", "args": ["--stdio"],
            "mounts": [{"source": source, "target": "/project"}],
        })
    );
    assert_eq!(
        manifest["env"],
        json!({
            "FORGE_TOKEN": "${secret:forge/token}", "FORGE_LEVEL": "info",
            Nonce::VARIABLE: user.cli.env.nonce.as_str(),
        })
    );

    // A member's container can't mount `/`, so this member keeps the command.
    let answers = user.put(
        "others.json",
        &json!({"token": "planted", "source": ["/"], "target": ["/project"]}),
    );
    let stays = user
        .cli
        .ended(install("whole", &["--inputs", &answers]))
        .await;
    assert_eq!(stays.code, Some(0), "{stays:#?}");
    assert!(stays.stderr.contains("/ can't be mounted"), "{stays:#?}");
    assert_eq!(user.made("whole")["command"], "docker");
    let other = user.cli.ended(install("port", &["--way", "2"])).await;
    assert_eq!(other.code, Some(0), "{other:#?}");
    assert_eq!(user.made("port")["command"], "docker");
    user.runs_and_is_put_away("forge").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn image_bundle_and_snippet_become_containers() {
    let user = User::new("a bundled image").await;
    let args = [
        "run",
        "-i",
        "--rm",
        "-e",
        "FORGE_TOKEN",
        "-v",
        "${user_config.folder}:/data:ro",
        IMAGE,
        "--stdio",
    ];
    let mut bundle = manifest("1.0.0");
    bundle["name"] = json!("boxed");
    bundle["server"] = json!({"type": "binary", "entry_point": "", "mcp_config": {
        "command": "docker", "args": args, "env": {"FORGE_TOKEN": "${user_config.token}"},
    }});
    bundle["user_config"] = json!({
        "token": {
            "type": "string", "title": "Token", "description": "Of the forge", "sensitive": true,
            "required": true,
        },
        "folder": {
            "type": "directory", "title": "Folder", "description": "To be read", "required": true,
        },
    });
    let file = Packing::new(&bundle).write(user.folder.path(), "boxed.mcpb");
    let file = file.display().to_string();
    let data = user.folder.path().join("data:b");
    std::fs::create_dir(&data).expect("made");
    let answers = user.put("answers.json", &json!({"token": "planted", "folder": data}));
    let added = user
        .run(&["add", &file, "--yes", "--inputs", &answers])
        .await;
    assert_eq!(added.code, Some(0), "{added:#?}");
    let said = format!("{}{}", added.stdout, added.stderr);
    assert!(said.contains("as the member's container"), "{added:#?}");
    let manifest = user.made("boxed");
    assert_eq!(manifest["command"], Value::Null, "{manifest:#}");
    assert_eq!(
        manifest["container"]["mounts"],
        json!([{"source": data, "target": "/data"}])
    );
    assert_eq!(
        manifest["env"],
        json!({"FORGE_TOKEN": "${secret:boxed/token}"})
    );

    let nonce = format!("{}={}", Nonce::VARIABLE, user.cli.env.nonce.as_str());
    let snippet = user.put(
        "mcp.json",
        &json!({"mcpServers": {"pasted": {
            "command": "docker",
            "args": ["run", "-i", "--rm", "-e", nonce, "-e", "API_TOKEN", IMAGE, "--stdio"],
            "env": {"API_TOKEN": "planted"},
        }}}),
    );
    let shown = user.run(&["add", &snippet, "--yes"]).await;
    assert_eq!(shown.code, Some(0), "{shown:#?}");
    let manifest = user.made("pasted");
    assert_eq!(manifest["container"]["image"], IMAGE, "{manifest:#}");
    assert_eq!(manifest["env"]["API_TOKEN"], "${secret:pasted/API_TOKEN}");
    user.runs_and_is_put_away("pasted").await;
}
