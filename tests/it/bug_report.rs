//! `guildhall doctor report`: contains the data for a bug report, and no secret.

use std::io::Read;
use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;
use serde_json::json;

use crate::guildhall::CliHarness;

/// Secrets in each place where a person or a member may leave one. The test searches the bundle for
/// each.
const PLANTED: [&str; 7] = [
    "planted-in-secrets-json-91",
    "planted-in-a-variable-92",
    "planted-behind-an-option-93",
    "planted-in-an-address-94",
    "ghp_plantedbyitslook000000000095",
    "planted-in-a-call-96",
    "planted-in-stderr-97",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bundle_has_what_is_needed_and_none_of_the_planted_secrets() {
    let cli = CliHarness::new("bundle").await;
    let [kept, variable, option, address, look, argument, spoken] = PLANTED;
    let data = cli.env.data_dir();
    std::fs::create_dir_all(&data).expect("the data folder");
    let secrets = data.join("secrets.json");
    std::fs::write(&secrets, json!({"FORGE": kept}).to_string()).expect("written");
    std::fs::set_permissions(&secrets, std::fs::Permissions::from_mode(0o600)).expect("private");
    let line = format!("{kept}, API_KEY={spoken}, https://me:{address}@host/ and {look}");
    cli.env
        .member("forge")
        .env("FORGE_KEY", "${secret:FORGE}")
        .env("API_TOKEN", variable)
        .args(["--stderr-line", &line])
        .manifest(json!({"homepage": format!("https://me:{address}@host/"), "note": look}))
        .write();
    cli.env
        .member("never-run")
        .manifest(json!({"enabled": false, "args": ["--token", option]}))
        .write();
    let mut serve = cli.start(&["serve", "--gateway-port", "0"]);
    let opened = serve.line().await.expect("the gateway");
    let token = opened["token"].as_str().expect("a token").to_owned();
    serve
        .line_where("the member is ready", |line| {
            line["event"]["member"]["name"] == "forge"
                && line["event"]["member"]["status"] == "ready"
        })
        .await;
    let arguments = json!({"password": argument}).to_string();
    let called = cli
        .run_beside(&["call", "forge", "echo", "--args", &arguments])
        .await;
    assert_eq!(called.code, Some(0), "{called:#?}");

    let file = data.join("bundle.tar.gz");
    let path = file.display().to_string();
    let listed = cli.run_beside(&["doctor", "report", "--list"]).await;
    assert!(
        listed.stdout.contains("manifests/forge.json"),
        "{listed:#?}"
    );
    assert!(!file.exists(), "a list writes nothing");
    let written = cli
        .run_beside(&["--json", "doctor", "report", "--to", &path])
        .await
        .json(0);
    let names: Vec<_> = written["files"].as_array().expect("files").iter().collect();
    let has = |name: &str| names.iter().any(|file| file["name"] == name);
    for name in [
        "contents.txt",
        "state/about.json",
        "state/members.json",
        "state/doctor.json",
        "state/history.json",
        "manifests/forge.json",
        "manifests/never-run.json",
        "logs/forge.log",
        "logs/guild-hall.log",
    ] {
        assert!(has(name), "{name} in {names:#?}");
    }

    let packed = std::fs::File::open(&file).expect("the bundle");
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(packed)
        .read_to_end(&mut bytes)
        .expect("unpacked");
    let text = String::from_utf8_lossy(&bytes);
    for planted in PLANTED.into_iter().chain([token.as_str()]) {
        assert!(!text.contains(planted), "{planted} is in the bundle");
    }
    for there in [
        "guild-hall-bundle/manifests/forge.json",
        "${secret:FORGE}",
        "\"version\"",
    ] {
        assert!(text.contains(there), "{there} is in the bundle");
    }
    // Other programs can read the file, too.
    let tar = std::process::Command::new("tar")
        .arg("tzf")
        .arg(&file)
        .output();
    let tar = tar.expect("tar runs");
    assert!(tar.status.success(), "{tar:?}");
    assert_eq!(
        String::from_utf8_lossy(&tar.stdout).lines().count(),
        names.len()
    );
    serve.signal(Signal::TERM);
    serve.ended(&cli).await;
}
