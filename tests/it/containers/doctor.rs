//! Findings of `guildhall doctor` about members in containers, and about commands that run one.

use guild_api::wire::{Check, Examination, Finding, Verdict};
use serde_json::{Value, json};

use super::engine::Engine;
use super::{IMAGE, contained};
use crate::guildhall::CliHarness;

async fn examined(cli: &CliHarness, engine: &Engine, code: Option<i32>) -> Examination {
    let ended = engine.run(cli, &["doctor", "--json"]).await;
    assert!(code.is_none() || ended.code == code, "{ended:#?}");
    assert!(!ended.stdout.contains("planted"), "{ended:#?}");
    serde_json::from_str(&ended.stdout).expect("an examination")
}

fn of_member<'a>(examination: &'a Examination, name: &str) -> Vec<&'a Finding> {
    let findings = examination.findings.iter();
    findings
        .filter(|finding| finding.check == Check::Member && finding.subject == name)
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_finds_the_container_engine() {
    let cli = CliHarness::new("doctor and engines").await;
    contained(&cli, "any", &["--stdio"], json!({})).write();
    contained(&cli, "podded", &["--stdio"], json!({"engine": "podman"})).write();
    contained(&cli, "off", &["--stdio"], json!({"engine": "podman"}))
        .manifest(json!({"enabled": false}))
        .write();
    let engine = Engine::new(&[IMAGE]).await;
    let examination = examined(&cli, &engine, Some(6)).await;
    let [any] = of_member(&examination, "any")[..] else {
        panic!("one finding: {examination:#?}");
    };
    assert_eq!(any.verdict, Verdict::Fine, "{any:#?}");
    let docker = engine.path().join("docker").display().to_string();
    assert!(any.found.contains(&docker), "{any:#?}");
    let [podded] = of_member(&examination, "podded")[..] else {
        panic!("one finding: {examination:#?}");
    };
    assert_eq!(podded.verdict, Verdict::Problem, "{podded:#?}");
    assert!(podded.found.contains("podman"), "{podded:#?}");
    assert!(!podded.found.contains("docker"), "{podded:#?}");
    assert!(
        podded
            .details
            .iter()
            .any(|line| line.contains(&engine.path().display().to_string())),
        "where it was looked for: {podded:#?}"
    );
    assert!(podded.advice.contains("Podman"), "{podded:#?}");
    let [off] = of_member(&examination, "off")[..] else {
        panic!("one finding: {examination:#?}");
    };
    assert_eq!(off.verdict, Verdict::Note, "nobody misses it: {off:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn escaping_container_command_is_reported() {
    let cli = CliHarness::new("doctor and escapes").await;
    let engine = Engine::new(&[IMAGE]).await;
    let runs = |name: &str, args: Value, env: Value| {
        let member = cli.env.member(name);
        let manifest = json!({"command": "docker", "args": args, "env": env, "enabled": false});
        member.manifest(manifest).write();
    };
    runs(
        "plain",
        json!([
            "run",
            "-i",
            "--rm",
            "-e",
            "API_TOKEN",
            "-v",
            "/srv/data:/data:ro",
            IMAGE,
            "--api-key",
            "planted-key-of-it"
        ]),
        json!({"API_TOKEN": "planted-token-of-it"}),
    );
    runs(
        "beyond",
        json!(["run", "-i", "--privileged", "-v", "kept:/data", IMAGE]),
        json!({}),
    );
    runs("other", json!(["compose", "up"]), json!({}));
    let examination = examined(&cli, &engine, None).await;
    let escapes = |name: &str, verdict: Verdict| {
        let findings = of_member(&examination, name);
        let mut findings = findings
            .into_iter()
            .filter(|finding| finding.found.contains("container"));
        let finding = findings
            .next()
            .unwrap_or_else(|| panic!("{name}: {examination:#?}"));
        assert_eq!(finding.verdict, verdict, "{finding:#?}");
        assert_ne!(finding.advice, "", "{finding:#?}");
        finding.details.join("\n")
    };
    let plain = escapes("plain", Verdict::Warning);
    let written = plain
        .lines()
        .find(|line| line.starts_with('{'))
        .expect("what to write");
    let written: Value = serde_json::from_str(written).expect("JSON");
    assert_eq!(written["container"]["image"], IMAGE);
    assert_eq!(
        written["container"]["mounts"],
        json!([{"source": "/srv/data", "target": "/data"}])
    );
    assert!(
        plain.contains("API_TOKEN"),
        "its variables are named: {plain}"
    );
    let beyond = escapes("beyond", Verdict::Note);
    assert!(
        beyond.contains("`container` has no field for `--privileged`"),
        "{beyond}"
    );
    assert!(
        beyond.contains("`kept` is a volume of the engine"),
        "{beyond}"
    );
    assert!(
        of_member(&examination, "other")
            .iter()
            .all(|finding| !finding.found.contains("container")),
        "{examination:#?}"
    );
}
