//! Imports of servers whose command runs a container. Such a server becomes a member with a
//! container, unless the user chooses to keep the command.

use std::path::PathBuf;

use guild_tests::Nonce;
use rustix::process::Signal;
use serde_json::{Value, json};

use super::IMAGE;
use super::engine::{Engine, member, no_server};
use crate::guildhall::Ended;
use crate::import::servers;
use crate::test_env::json;
use crate::user::{AtHome, put};

/// A user of Cursor, whose configuration runs the fixture with `docker run`.
struct User {
    home: AtHome,
    engine: Engine,
}

impl User {
    async fn new(test: &str) -> Self {
        Self {
            home: AtHome::new(test).await,
            engine: Engine::new(&[IMAGE]).await,
        }
    }

    /// Returns the arguments of `docker`, including these options.
    fn words(&self, options: &[&str]) -> Vec<String> {
        let nonce = format!("{}={}", Nonce::VARIABLE, self.home.cli.env.nonce.as_str());
        let before = ["run", "-i", "--rm", "-e", &nonce];
        let words = before.iter().chain(options).chain(&[IMAGE, "--stdio"]);
        words.map(|&word| word.to_owned()).collect()
    }

    fn has(&self, options: &[&str], env: Value) -> (PathBuf, String) {
        let entry = json!({"command": "docker", "args": self.words(options), "env": env});
        let other = json!({"command": "no-such-program", "args": []});
        let text = format!("{:#}\n", servers(json!({"box": entry, "other": other})));
        let file = self.home.home.path().join(".cursor/mcp.json");
        put(&file, &text);
        (file, text)
    }

    fn command(&self, words: &[&str]) -> tokio::process::Command {
        self.engine.reached_by(self.home.command(words))
    }

    async fn run(&self, words: &[&str]) -> Ended {
        self.home.cli.ended(self.command(words)).await
    }

    fn manifest(&self, name: &str) -> Value {
        json(
            &self
                .home
                .cli
                .env
                .members_dir()
                .join(name)
                .join("plugin.json"),
        )
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn docker_run_entry_becomes_a_container() {
    let user = User::new("an adopted container").await;
    let data = user.home.home.path().join("data");
    std::fs::create_dir(&data).expect("made");
    let volume = format!("{}:/data:ro", data.display());
    let (file, before) = user.has(
        &["-e", "API_TOKEN", "-v", &volume, "--memory=256m"],
        json!({"API_TOKEN": "planted-in-the-file"}),
    );

    let listed = user.run(&["add", "discovered"]).await;
    assert_eq!(listed.code, Some(0), "{listed:#?}");
    let said = format!("as the member's container: image {IMAGE}, engine docker, network bridge");
    assert!(listed.stdout.contains(&said), "{listed:#?}");
    assert!(listed.stdout.contains("API_TOKEN=•••"), "{listed:#?}");
    let adopted = user
        .run(&["add", "discovered", "box", "--yes", "--json"])
        .await;
    assert_eq!(
        adopted.json(0)["each"][0]["end"]["kind"],
        "member",
        "{adopted:#?}"
    );
    assert!(!format!("{listed:?}{adopted:?}").contains("planted"));
    let manifest = user.manifest("box");
    assert_eq!(manifest["command"], Value::Null);
    assert_eq!(
        manifest["container"],
        json!({
            "image": IMAGE, "engine": "docker", "args": ["--stdio"], "memory": "256m",
            "mounts": [{"source": data, "target": "/data"}],
        })
    );
    assert_eq!(manifest["env"]["API_TOKEN"], "${secret:box/API_TOKEN}");

    let found = user.run(&["add", "discovered", "--json"]).await.json(0);
    let state = &found["servers"].as_array().expect("servers")[0]["state"];
    assert_eq!(*state, json!({"kind": "adopted", "member": "box"}));
    let handed = user.run(&["clients", "switch", "cursor", "--yes"]).await;
    assert_eq!(handed.code, Some(0), "{handed:#?}");
    let without = json(&file);
    assert_eq!(without["mcpServers"]["box"], Value::Null);
    assert_eq!(without["mcpServers"]["other"]["command"], "no-such-program");
    let undone = user.run(&["clients", "undo", "cursor"]).await;
    assert_eq!(undone.code, Some(0), "{undone:#?}");
    assert_eq!(std::fs::read_to_string(&file).expect("read"), before);

    // After a kill, the command alone would leave the container running. Guild Hall removes it.
    let cli = &user.home.cli;
    let serving = user.command(&["serve", "--no-gateway"]);
    let mut running = cli.started(serving);
    member(&mut running, "box", "ready").await;
    let words = user.engine.run_words().join(" ");
    assert!(words.contains("--name guild-hall-box-"), "{words}");
    assert!(!words.contains("planted"), "{words}");
    running.signal(Signal::KILL);
    running.gone().await;
    user.engine.emptied().await;
    no_server(cli).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn inconvertible_command_is_kept() {
    let user = User::new("a kept command").await;
    let words = user.words(&[]);
    let added = |name: &'static str, more: &[&str], words: &[String]| {
        let env = &user.home.cli.env;
        let mut command = user.home.cli.bare(&["--members"]);
        command
            .arg(env.members_dir())
            .arg("--data")
            .arg(env.data_dir());
        command.args(["add", "--yes", "--name", name]).args(more);
        command
            .args(["--", "docker"])
            .args(words)
            .env("HOME", user.home.home.path());
        user.engine.reached_by(command)
    };
    let cli = &user.home.cli;
    let contained = cli.ended(added("made", &[], &words)).await;
    assert_eq!(contained.code, Some(0), "{contained:#?}");
    assert_eq!(user.manifest("made")["container"]["image"], IMAGE);

    let other: Vec<String> = user.words(&["--memory", "512m"]);
    let kept = cli.ended(added("kept", &["--keep-command"], &other)).await;
    assert_eq!(kept.code, Some(0), "{kept:#?}");
    let manifest = user.manifest("kept");
    assert_eq!(manifest["container"], Value::Null);
    assert_eq!(manifest["command"], "docker");
    assert_eq!(manifest["args"], json!(other));

    let beyond = user.words(&["--gpus", "all"]);
    let stays = cli.ended(added("beyond", &[], &beyond)).await;
    assert_eq!(stays.code, Some(0), "{stays:#?}");
    assert!(
        stays
            .stderr
            .contains("`container` has no field for `--gpus`"),
        "{stays:#?}"
    );
    assert_eq!(user.manifest("beyond")["command"], "docker");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secret_after_image_keeps_the_command() {
    let user = User::new("an asked secret").await;
    let run =
        |word: &str| json!({"command": "docker", "args": ["run", "-i", "mcp/postgres", word]});
    let entries = json!({
        "asked": run("${input:pg_url}"),
        "named": run("${env:UNKNOWN_HERE_TOKEN}"),
        "plain": run("${input:pg_schema}"),
    });
    let ask =
        |id: &str, hidden: bool| json!({"id": id, "type": "promptString", "password": hidden});
    put(
        &user.home.home.path().join(".config/Code/User/mcp.json"),
        &json!({"inputs": [ask("pg_url", true), ask("pg_schema", false)], "servers": entries})
            .to_string(),
    );
    let found = user.run(&["add", "discovered", "--json"]).await.json(0);
    let server = |name: &str| {
        let mut servers = found["servers"].as_array().expect("servers").iter();
        let server = servers.find(|server| server["name"] == name);
        server.unwrap_or_else(|| panic!("{name}: {found:#}"))
    };
    for name in ["asked", "named"] {
        let container = &server(name)["container"];
        assert_eq!(container["kind"], "command", "{container:#}");
        let why = container["reasons"][0].as_str().expect("a reason");
        assert!(why.contains("has a secret"), "{why}");
        assert_eq!(server(name)["inputs"][0]["secret"], true, "{found:#}");
    }
    assert_eq!(server("plain")["container"]["kind"], "container");

    let given = user.home.home.path().join("given.json");
    let values = json!({
        "pg_url": "planted-by-a-person", "pg_schema": "public",
        "env:UNKNOWN_HERE_TOKEN": "planted-too",
    });
    put(&given, &values.to_string());
    let given = given.display().to_string();
    let adopted = user
        .run(&["add", "discovered", "--all", "--yes", "--inputs", &given])
        .await;
    assert_eq!(adopted.code, Some(0), "{adopted:#?}");
    let args = |name: &str| user.manifest(name)["args"][3].clone();
    assert_eq!(args("asked"), "${secret:asked/pg_url}");
    assert_eq!(args("named"), "${secret:named/UNKNOWN_HERE_TOKEN}");
    assert_eq!(
        user.manifest("plain")["container"]["args"],
        json!(["public"])
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_mount_is_reported_before_the_import() {
    let user = User::new("a missing folder").await;
    let data = user.home.home.path().join("later");
    let volume = format!("{}:/data", data.display());
    user.has(&["-v", &volume], json!({}));
    let message = format!("{} doesn't exist.", data.display());
    let before = user.run(&["add", "discovered"]).await;
    assert!(before.stdout.contains(&message), "{before:#?}");
    std::fs::create_dir(&data).expect("made");
    let after = user.run(&["add", "discovered"]).await;
    assert_eq!(after.code, Some(0), "{after:#?}");
    assert!(!after.stdout.contains(&message), "{after:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entry_that_names_its_engine_by_a_variable_stays_a_command() {
    let user = User::new("another engine").await;
    user.has(&[], json!({"DOCKER_HOST": "ssh://elsewhere"}));
    let found = user.run(&["add", "discovered"]).await;
    assert_eq!(found.code, Some(0), "{found:#?}");
    let why = "`DOCKER_HOST` selects the engine";
    assert!(found.stdout.contains(why), "{found:#?}");
    let adopted = user.run(&["add", "discovered", "box", "--yes"]).await;
    assert_eq!(adopted.code, Some(0), "{adopted:#?}");
    let manifest = user.manifest("box");
    assert_eq!(manifest["command"], "docker");
    assert_eq!(manifest["env"]["DOCKER_HOST"], "ssh://elsewhere");
}
