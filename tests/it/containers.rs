//! Members in containers: started with minimal rights, used like other members, and removed however
//! Guild Hall ends.
//!
//! Most tests use a stand-in for Docker. As with Docker, its containers are not descendants of the
//! tested program. The tests in [`real`] use Podman, if it works on this machine.

mod adopted;
mod doctor;
mod engine;
mod installed;
mod real;

use guild_tests::{LIMIT, MemberFolder, bin, eventually, is_alive};
use rustix::process::Signal;
use serde_json::{Value, json};

use self::engine::{Engine, member, no_server, processes, servers};
use crate::guildhall::CliHarness;
use crate::supervision::watchdog_of;
use crate::test_env::kill;

const IMAGE: &str = "ghcr.io/example/fixture:1";

/// A member whose server is the fixture in a container.
fn contained(cli: &CliHarness, name: &str, words: &[&str], changes: Value) -> MemberFolder {
    let mut container = json!({"image": IMAGE, "args": words});
    for (key, value) in changes.as_object().expect("changes") {
        container[key] = value.clone();
    }
    cli.env
        .member(name)
        .manifest(json!({"container": container}))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn container_server_runs_without_leaking_secret() {
    let cli = CliHarness::new("a container's call").await;
    let engine = Engine::new(&[IMAGE]).await;
    let folder = contained(
        &cli,
        "notes",
        &["--stdio"],
        json!({
            "mounts": [{"source": "${PLUGIN_DIR}", "target": "/data"}],
            "network": "none", "memory": "256m", "pids_limit": 64,
        }),
    )
    .env("TOKEN", "${secret:NOTES}")
    .write();
    let mut set = engine.command(&cli, &["secret", "set", "NOTES", "--place", "file"]);
    set.stdin(std::process::Stdio::piped());
    let mut setting = set.spawn().expect("it runs");
    let mut stdin = setting.stdin.take().expect("its stdin");
    tokio::io::AsyncWriteExt::write_all(&mut stdin, b"hunter2-of-the-container\n")
        .await
        .expect("written");
    drop(stdin);
    assert!(setting.wait().await.expect("it ends").success());

    let mut running = engine.serve(&cli);
    member(&mut running, "notes", "ready").await;
    let called = engine
        .run(
            &cli,
            &["call", "notes", "echo", "--args", r#"{"text":"in a box"}"#],
        )
        .await;
    assert_eq!(called.code, Some(0), "{called:?}");
    assert!(called.stdout.contains("in a box"), "{called:?}");

    let words = engine.run_words().join(" ");
    let source = folder.canonicalize().expect("the folder");
    let mount = format!(
        "--mount type=bind,source={},target=/data,readonly",
        source.display()
    );
    for part in [
        "run --rm --interactive --init --name guild-hall-notes-",
        "--label guild-hall.member=notes",
        "--cap-drop ALL --security-opt no-new-privileges --network none --memory 256m --pids-limit 64",
        &mount,
        "--env TOKEN ghcr.io/example/fixture:1 --stdio",
    ] {
        assert!(words.contains(part), "{part} in {words}");
    }
    let all = engine.calls().concat().join(" ");
    assert!(!all.contains("hunter2"), "a secret is a word of a command");
    let server = servers(&cli);
    let given = std::fs::read(format!("/proc/{}/environ", server[0])).expect("its environment");
    assert!(String::from_utf8_lossy(&given).contains("TOKEN=hunter2-of-the-container"));

    running.signal(Signal::TERM);
    let ended = running.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(engine.containers().await, Vec::<String>::new());
    assert_eq!(servers(&cli), Vec::<u32>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn container_port_is_published_on_loopback() {
    let cli = CliHarness::new("a container's port").await;
    let engine = Engine::new(&[IMAGE]).await;
    contained(
        &cli,
        "web",
        &["--port", "8080", "--boot-ms", "700"],
        json!({"port": 8080}),
    )
    .manifest(json!({"transport": "http"}))
    .write();
    let mut running = engine.serve(&cli);
    let view = member(&mut running, "web", "ready").await;
    let port = view["port"].as_u64().expect("a port");
    let words = engine.run_words().join(" ");
    assert!(
        words.contains(&format!("--publish 127.0.0.1:{port}:8080 ")),
        "{words}"
    );
    assert!(!words.contains("--interactive"), "{words}");
    let called = engine
        .run(
            &cli,
            &["call", "web", "echo", "--args", r#"{"text":"by a port"}"#],
        )
        .await;
    assert!(called.stdout.contains("by a port"), "{called:?}");
    running.signal(Signal::TERM);
    assert_eq!(running.ended(&cli).await.code, Some(0));
    assert_eq!(engine.containers().await, Vec::<String>::new());
}

/// Starts two servers. One of them ignores all requests to end except SIGKILL.
async fn two_up(cli: &CliHarness, engine: &Engine) -> crate::guildhall::Running {
    contained(cli, "meek", &["--stdio"], json!({})).write();
    contained(
        cli,
        "deaf",
        &["--stdio", "--ignore-term", "--ignore-eof"],
        json!({}),
    )
    .write();
    let mut running = engine.serve(cli);
    running.all_up(&["meek", "deaf"]).await;
    assert_eq!(engine.containers().await.len(), 2);
    running
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_program_end_leaves_no_container() {
    for signal in [Signal::KILL, Signal::ABORT, Signal::TERM] {
        let cli = CliHarness::new("the end of the program, and containers").await;
        let engine = Engine::new(&[IMAGE]).await;
        let running = two_up(&cli, &engine).await;
        let began = std::time::Instant::now();
        running.signal(signal);
        running.gone().await;
        engine.emptied().await;
        no_server(&cli).await;
        println!(
            "{signal:?}: no container is left after {:?}",
            began.elapsed()
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn next_start_removes_leftover_containers() {
    let cli = CliHarness::new("the sweep of containers").await;
    let engine = Engine::new(&[IMAGE]).await;
    let running = two_up(&cli, &engine).await;
    let watchdog = watchdog_of(running.pid()).expect("a watchdog");
    // Stops the watchdog first, so that it can't react to the program's end before it is killed
    // too.
    kill(watchdog, Signal::STOP);
    running.signal(Signal::KILL);
    running.gone().await;
    kill(watchdog, Signal::KILL);
    let before = engine.containers().await;
    assert!(
        before
            .iter()
            .any(|name| name.starts_with("guild-hall-deaf-")),
        "{before:?}"
    );
    for name in ["meek", "deaf"] {
        std::fs::remove_dir_all(cli.env.members_dir().join(name)).expect("removed");
    }
    let next = engine.serve(&cli);
    engine.emptied().await;
    no_server(&cli).await;
    next.signal(Signal::TERM);
    assert_eq!(next.ended(&cli).await.code, Some(0));
    let ledger = std::fs::read_dir(cli.env.data_dir().join("running"));
    assert_eq!(
        ledger.into_iter().flatten().count(),
        0,
        "nothing is left to be swept"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_client_removes_its_container() {
    let cli = CliHarness::new("a killed client").await;
    let engine = Engine::new(&[IMAGE]).await;
    contained(
        &cli,
        "deaf",
        &["--stdio", "--ignore-term", "--ignore-eof"],
        json!({}),
    )
    .write();
    let mut running = engine.serve(&cli);
    member(&mut running, "deaf", "ready").await;
    let first = engine.containers().await;
    let client = processes(&cli, &bin("fake-docker"));
    kill(client[0], Signal::KILL);
    member(&mut running, "deaf", "error").await;
    member(&mut running, "deaf", "ready").await;
    eventually(LIMIT, "one server is left", || {
        (servers(&cli).len() == 1).then_some(())
    })
    .await;
    let second = engine.containers().await;
    assert_eq!(second.len(), 1, "{second:?}");
    assert_ne!(first, second, "each start has a name of its own");
    assert!(!is_alive(client[0]));
    running.signal(Signal::TERM);
    assert_eq!(running.ended(&cli).await.code, Some(0));
    assert_eq!(engine.containers().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_image_is_pulled_in_its_own_step() {
    let cli = CliHarness::new("a pull").await;
    let engine = Engine::new(&[]).await;
    contained(&cli, "notes", &["--stdio"], json!({})).write();
    let mut running = engine.serve(&cli);
    let starting = running
        .line_where("the image is fetched", |line| {
            line["event"]["member"]["step"] == "pulling"
        })
        .await;
    assert_eq!(starting["event"]["member"]["status"], "starting");
    member(&mut running, "notes", "ready").await;
    let heard = engine.run(&cli, &["logs", "notes"]).await;
    assert!(
        heard
            .stdout
            .contains("Pulling from ghcr.io/example/fixture:1"),
        "{heard:?}"
    );
    let verbs: Vec<String> = engine
        .calls()
        .iter()
        .map(|words| words[0].clone())
        .collect();
    assert_eq!(verbs[..3], ["image", "pull", "run"], "{verbs:?}");
    running.signal(Signal::TERM);
    assert_eq!(running.ended(&cli).await.code, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stop_gives_up_a_long_pull() {
    let cli = CliHarness::new("a pull that is given up").await;
    let engine = Engine::new(&[]).await;
    contained(&cli, "notes", &["--stdio"], json!({"image": "slow"})).write();
    let mut running = engine.serve(&cli);
    running
        .line_where("the image is fetched", |line| {
            line["event"]["member"]["step"] == "pulling"
        })
        .await;
    let stopped = engine.run(&cli, &["stop", "notes"]).await;
    assert_eq!(stopped.code, Some(0), "{stopped:?}");
    eventually(LIMIT, "nobody pulls", || {
        processes(&cli, &bin("fake-docker"))
            .is_empty()
            .then_some(())
    })
    .await;
    running.signal(Signal::TERM);
    assert_eq!(running.ended(&cli).await.code, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn image_pulls_do_not_block_other_starts() {
    let cli = CliHarness::new("many pulls").await;
    let engine = Engine::new(&[IMAGE]).await;
    // More members than may start at once. Their image pulls never end.
    for number in 0..40 {
        let name = format!("fetched-{number}");
        contained(&cli, &name, &["--stdio"], json!({"image": "slow"})).write();
    }
    contained(&cli, "there", &["--stdio"], json!({})).write();
    let mut running = engine.serve(&cli);
    member(&mut running, "there", "ready").await;
    running.signal(Signal::TERM);
    assert_eq!(running.ended(&cli).await.code, Some(0));
}

/// Returns the error of a member that does not start.
async fn trouble(cli: &CliHarness, engine: &Engine, name: &str) -> Value {
    let mut running = engine.serve(cli);
    let view = member(&mut running, name, "error").await;
    running.signal(Signal::TERM);
    assert_eq!(running.ended(cli).await.code, Some(0));
    view["error"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_image_that_can_not_be_had_says_why() {
    for (changes, part) in [
        (json!({"pull": "never"}), "\"pull\" is \"never\""),
        (json!({"image": "missing"}), "manifest unknown"),
        (json!({"image": "private"}), "access denied"),
    ] {
        let cli = CliHarness::new("an image that is not there").await;
        let engine = Engine::new(&[]).await;
        contained(&cli, "notes", &["--stdio"], changes).write();
        let error = trouble(&cli, &engine, "notes").await;
        assert_eq!(error["code"], "image-unavailable", "{error}");
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|message| message.contains(part)),
            "{error}"
        );
        assert_ne!(error["hint"], "", "{error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn engine_down_refusing_or_missing_differ() {
    let cli = CliHarness::new("no engine").await;
    contained(&cli, "notes", &["--stdio"], json!({})).write();
    let down = Engine::down();
    let error = trouble(&cli, &down, "notes").await;
    assert_eq!(error["code"], "engine-unreachable", "{error}");
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|text| text.contains("is not running")),
        "{error}"
    );
    down.deny();
    let error = trouble(&cli, &down, "notes").await;
    assert_eq!(error["code"], "engine-unreachable", "{error}");
    assert!(
        error["hint"]
            .as_str()
            .is_some_and(|text| text.contains("usermod -aG docker")),
        "{error}"
    );
    std::fs::remove_file(down.path().join("docker")).expect("removed");
    let error = trouble(&cli, &down, "notes").await;
    assert_eq!(error["code"], "command-not-found", "{error}");
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|text| text.contains("podman")),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_engines_the_used_one_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let cli = CliHarness::new("podman fails").await;
    contained(&cli, "notes", &["--stdio"], json!({})).write();
    let engine = Engine::down();
    let program = engine.path().join("podman");
    // This `podman` has the image, but fails to run it.
    let script = "#!/bin/sh\ncase \"$1\" in run) ;; *) exit 0 ;; esac\n\
                  echo 'Cannot connect to Podman. Please verify your connection' >&2\nexit 125\n";
    std::fs::write(&program, script).expect("written");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("set");
    // `docker` is installed too, but its daemon does not answer.
    let error = trouble(&cli, &engine, "notes").await;
    assert_eq!(error["code"], "engine-unreachable", "{error}");
    let message = error["message"].as_str().expect("a text");
    assert!(message.contains("Podman is not running."), "{error}");
    let hint = error["hint"].as_str().expect("a text");
    assert!(
        hint.contains("podman machine start") && !hint.contains("Docker"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mount_is_looked_at_as_it_is_on_the_disk() {
    let cli = CliHarness::new("mounts").await;
    let engine = Engine::new(&[IMAGE]).await;
    let link = cli.env.data_dir().join("innocent");
    std::fs::create_dir_all(cli.env.data_dir()).expect("made");
    std::os::unix::fs::symlink("/", &link).expect("linked");
    for (name, source, part) in [
        ("gone", cli.env.data_dir().join("gone"), "No such file"),
        ("sly", link, "the whole file system"),
        ("own", cli.env.data_dir(), "Guild Hall's data folder"),
    ] {
        let mounts = json!({"mounts": [{"source": source, "target": "/data"}]});
        contained(&cli, name, &["--stdio"], mounts).write();
        let error = trouble(&cli, &engine, name).await;
        assert_eq!(error["code"], "mount-refused", "{error}");
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|text| text.contains(part)),
            "{error}"
        );
        std::fs::remove_dir_all(cli.env.members_dir().join(name)).expect("removed");
    }
    assert!(
        engine.calls().iter().all(|words| words[0] != "run"),
        "nothing was started"
    );
}
