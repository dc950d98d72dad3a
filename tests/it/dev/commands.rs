//! Development with the command line: `guildhall dev` and `guildhall dev --once`.

use std::fs;

use guild_tests::LIMIT;
use rustix::process::Signal;
use serde_json::{Value, json};

use super::{Author, example};
use crate::guildhall::{CliHarness, Running};

/// Reads rounds until `fits` accepts one.
async fn round(running: &mut Running, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
    tokio::time::timeout(LIMIT, running.line_where(what, fits))
        .await
        .unwrap_or_else(|_| panic!("{what} did not come in {LIMIT:?}"))
}

fn about(file: &str) -> impl Fn(&Value) -> bool {
    move |round| {
        let files = round["files"].as_array();
        files.is_some_and(|files| files.iter().any(|name| name == file))
    }
}

fn examples() -> Value {
    json!({"examples": [
        example("repeats", "echo", json!({"n": 1}), json!({"text_contains": "1"})),
        example("is <odd>", "echo", json!({"n": 1}), json!({"text_equals": "2 & 3"})),
    ]})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dev_follows_a_member_in_its_own_hall() {
    let cli = CliHarness::new("guildhall dev").await;
    let author = Author::new(&cli.env, examples());
    let mut running = cli.start(&["dev", "forge", "--json"]);
    let first = round(&mut running, "the first round", |_| true).await;
    assert_eq!(first["step"], "examples-failed", "{first:#}");
    // Other commands work at the same time.
    let listed = cli.run_beside(&["list", "--json"]).await;
    assert_eq!(listed.code, Some(0), "{listed:#?}");
    assert!(listed.stdout.contains("ready"), "{listed:#?}");
    author.tools(&[("echo", "Repeats."), ("add", "Adds.")]);
    let next = round(&mut running, "the change", about("src/tools.json")).await;
    assert_eq!(next["tools"][0]["name"], "add", "{next:#}");
    assert_eq!(next["examples"][0]["end"], "passed");
    running.signal(Signal::INT);
    let ended = running.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dev_follows_a_member_of_the_running_hall() {
    let cli = CliHarness::new("guildhall dev beside serve").await;
    let author = Author::new(&cli.env, examples());
    let mut serve = cli.start(&["serve", "--no-gateway"]);
    serve.line().await.expect("it says that it is there");
    let mut following = cli.start(&["dev", "forge", "--json"]);
    round(&mut following, "the first round", |_| true).await;
    author.tools(&[("echo", "Repeats."), ("add", "Adds.")]);
    round(&mut following, "the change", about("src/tools.json")).await;
    following.signal(Signal::TERM);
    following.gone().await;
    let checked = cli
        .run_beside(&["dev", "--once", "forge", "--json", "--example", "repeats"])
        .await;
    let checked = checked.json(0);
    assert_eq!(
        (&checked["passed"], &checked["failed"]),
        (&json!(1), &json!(0))
    );
    serve.signal(Signal::TERM);
    let ended = serve.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dev_says_what_is_missing() {
    let cli = CliHarness::new("guildhall dev refused").await;
    let author = Author::new(&cli.env, json!({"dev": null}));
    let ended = cli.run(&["dev", "forge"]).await;
    assert_eq!(ended.code, Some(2), "{ended:#?}");
    assert!(ended.stderr.contains("[dev-off]"), "{ended:#?}");
    let ended = cli.run(&["dev", "frge"]).await;
    assert_eq!(ended.code, Some(5), "{ended:#?}");
    assert!(author.path("plugin.json").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_says_what_is_not_as_expected_and_ends_with_it() {
    let cli = CliHarness::new("guildhall dev --once").await;
    let author = Author::new(&cli.env, examples());
    let file = cli.env.data_dir().join("junit.xml");
    let junit = file.display().to_string();
    let ended = cli.run(&["dev", "--once", "--junit", &junit]).await;
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    for line in [
        "  passed   repeats",
        "  FAILED   is <odd>",
        "its text",
        "1 passed, 1 failed",
    ] {
        assert!(ended.stdout.contains(line), "{line}: {ended:#?}");
    }
    let written = fs::read_to_string(&file).expect("it is written");
    let suite = "<testsuite name=\"forge\" tests=\"2\" failures=\"1\" skipped=\"0\"";
    assert!(written.contains(suite), "{written}");
    assert!(written.contains("name=\"is &lt;odd&gt;\""), "{written}");
    assert!(written.contains("2 &amp; 3"), "{written}");

    let one = cli
        .run(&["dev", "--once", "forge", "--example", "repeats"])
        .await;
    assert_eq!(one.code, Some(0), "{one:#?}");
    let unknown = cli
        .run(&["dev", "--once", "forge", "--example", "nothing"])
        .await;
    assert_eq!(unknown.code, Some(5), "{unknown:#?}");
    // The examples of a third-party member run only if it is named and was accepted.
    author
        .folder
        .clone()
        .manifest(json!({"origin": {"from": "bundle"}}))
        .write();
    let none = cli.run(&["dev", "--once"]).await;
    assert_eq!(none.code, Some(0), "{none:#?}");
    assert!(none.stderr.contains("No member has examples"), "{none:#?}");
    let named = cli.run(&["dev", "--once", "forge", "--json"]).await.json(1);
    assert_eq!(named["failed"], 2, "{named:#}");
}
