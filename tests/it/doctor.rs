//! The findings of `guildhall doctor`, and their suggested fixes.

use std::time::Duration;

use guild_api::event::HallEvent;
use guild_api::wire::{CallRef, Check, Examination, Finding, Verdict};
use guild_model::CallId;
use guild_tests::{LIMIT, PromiseClock};
use serde_json::json;

use crate::guildhall::{CliHarness, Ended};
use crate::test_env::TestEnv;

fn of<'a>(examination: &'a Examination, check: Check, subject: &str) -> &'a Finding {
    let found = examination
        .findings
        .iter()
        .find(|finding| finding.check == check && finding.subject == subject);
    found.unwrap_or_else(|| panic!("nothing of {check:?} {subject}: {examination:#?}"))
}

fn read(ended: &Ended, code: i32) -> Examination {
    serde_json::from_value(ended.json(code)).expect("an examination")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_command_is_a_problem_with_advice() {
    let cli = CliHarness::new("doctor problem").await;
    let member = cli.env.member("lost").stdio();
    member
        .manifest(json!({"command": "no-such-command-anywhere"}))
        .write();
    cli.env.member("found").stdio().write();
    let ended = cli.run(&["doctor", "--json"]).await;
    let examination = read(&ended, 6);
    let lost = of(&examination, Check::Member, "lost");
    assert_eq!(lost.verdict, Verdict::Problem);
    assert!(
        lost.details
            .iter()
            .any(|line| line.starts_with("looked in ")),
        "{lost:#?}"
    );
    assert!(lost.advice.contains("Install"), "{lost:#?}");
    let found = of(&examination, Check::Member, "found");
    assert_eq!(found.verdict, Verdict::Fine, "{found:#?}");
    let words = cli.run(&["doctor"]).await;
    assert_eq!(words.code, Some(6));
    assert!(
        words.stdout.contains("✕ lost: problem:"),
        "{}",
        words.stdout
    );
    assert!(words.stdout.contains("→ Install"), "{}", words.stdout);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn command_is_checked_in_a_folder_of_another_name() {
    let cli = CliHarness::new("doctor folder").await;
    let member = cli.env.member("local").stdio();
    let folder = member.manifest(json!({"command": "./server"})).write();
    let renamed = folder.with_file_name("elsewhere");
    std::fs::rename(&folder, &renamed).expect("renamed");
    std::fs::copy("/bin/true", renamed.join("server")).expect("copied");
    let examination = read(&cli.run(&["doctor", "--json"]).await, 0);
    let local = of(&examination, Check::Member, "local");
    assert_eq!(local.verdict, Verdict::Fine, "{local:#?}");
    assert!(local.found.contains("elsewhere"), "{local:#?}");
}

/// Returns the finding of a subject that contains these words.
fn saying<'a>(examination: &'a Examination, subject: &str, words: &str) -> Option<&'a Finding> {
    let mut findings = examination.findings.iter();
    findings.find(|finding| finding.subject == subject && finding.found.contains(words))
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_that_others_can_see_are_warned_of() {
    use std::os::unix::fs::PermissionsExt;
    const TOKEN: &str = "ghp_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX";
    let cli = CliHarness::new("doctor secrets").await;
    let env = &cli.env;
    let args = ["--stderr-line", "${secret:FORGE_KEY}"];
    env.member("shown").args(args).write();
    env.member("kept").env("KEY", "${secret:FORGE_KEY}").write();
    for (member, mode) in [("loose", 0o644), ("closed", 0o600)] {
        let folder = env.member(member).env("GITHUB_TOKEN", TOKEN).write();
        let file = folder.join("plugin.json");
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&file, permissions).expect("set");
    }
    let ended = cli.run(&["doctor", "--json"]).await;
    let examination: Examination = serde_json::from_str(&ended.stdout).expect("JSON");
    assert!(!ended.stdout.contains(TOKEN), "{}", ended.stdout);

    let shown = saying(&examination, "shown", "`ps`").expect("warned of");
    assert_eq!(shown.verdict, Verdict::Warning);
    assert!(shown.found.contains("${secret:FORGE_KEY}"), "{shown:#?}");
    assert!(shown.advice.contains("`env`"), "{shown:#?}");
    let loose = saying(&examination, "loose", "other users can read it").expect("warned of");
    assert_eq!(loose.verdict, Verdict::Warning);
    assert!(loose.advice.contains("chmod 600"), "{loose:#?}");
    for (member, words) in [
        ("kept", "`ps`"),
        ("shown", "other users"),
        ("closed", "other users"),
        ("kept", "other users"),
    ] {
        let found = saying(&examination, member, words);
        assert_eq!(found, None, "{member}");
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_hangs_holds_up_nothing_and_is_ended() {
    use std::os::unix::fs::PermissionsExt;
    let cli = CliHarness::new("doctor hang").await;
    std::fs::create_dir_all(cli.env.data_dir()).expect("the data folder");
    let tools = cli.env.data_dir().join("tools");
    std::fs::create_dir_all(&tools).expect("made");
    for (name, says) in [
        ("node", "sleep 300"),
        ("uv", "echo uv 9.9.9"),
        ("bun", "exit 4"),
    ] {
        let file = tools.join(name);
        std::fs::write(&file, format!("#!/bin/sh\n{says}\n")).expect("written");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("set");
    }
    let mut command = cli.command(&["doctor", "--json"]);
    command
        .env("PATH", format!("{}:/usr/bin:/bin", tools.display()))
        .env("GUILD_HALL_LOGIN_SHELL", "off");
    let begun = PromiseClock::start();
    let ended = cli.ended(command).await;
    let took = begun.took();
    let examination: Examination = serde_json::from_str(&ended.stdout).expect("JSON");
    let node = of(&examination, Check::Program, "node");
    assert!(node.found.contains("within 5 s"), "{node:#?}");
    assert_eq!(
        of(&examination, Check::Program, "uv").verdict,
        Verdict::Fine
    );
    let bun = of(&examination, Check::Program, "bun");
    assert!(bun.found.ends_with("it ended with code 4."), "{bun:#?}");
    let shell = of(&examination, Check::LoginShell, "login shell");
    assert!(shell.found.contains("GUILD_HALL_LOGIN_SHELL"), "{shell:#?}");
    // Sequential checks would take up to five seconds each.
    took.assert_within(Duration::from_secs(30), "checks side by side");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rights_that_let_others_in_are_told() {
    use std::os::unix::fs::PermissionsExt;
    let cli = CliHarness::new("doctor rights").await;
    let data = cli.env.data_dir();
    std::fs::create_dir_all(&data).expect("the data folder");
    let mode = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("set");
    };
    mode(&cli.env.members_dir(), 0o777);
    std::fs::write(data.join("secrets.json"), r#"{"KEY":"planted"}"#).expect("written");
    mode(&data.join("secrets.json"), 0o644);
    let ended = cli.run(&["doctor", "--json"]).await;
    let examination = read(&ended, 6);
    let folder = of(&examination, Check::Folders, "members' folder");
    assert_eq!(folder.verdict, Verdict::Warning, "{folder:#?}");
    assert!(folder.advice.contains("chmod go-w"), "{folder:#?}");
    let file = of(&examination, Check::Keychain, "secrets.json");
    assert_eq!(file.verdict, Verdict::Problem, "{file:#?}");
    assert!(!ended.stdout.contains("planted"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn findings_stream_and_can_be_cancelled() {
    let env = TestEnv::new("doctor events");
    env.member("neighbour").stdio().write();
    let mut open = env.open().await;
    let call = CallId::parse("look-1").expect("an id");
    let looking = {
        let (hall, call) = (open.hall.clone(), call.clone());
        tokio::spawn(async move { hall.doctor(CallRef { call }).await })
    };
    open.events
        .find("a finding", |event| match event {
            HallEvent::Examined {
                call: of,
                done,
                of: all,
                ..
            } => {
                assert_eq!(of, &call);
                assert!(*done <= *all);
                Some(())
            }
            _ => None,
        })
        .await;
    open.hall.cancel_call(&call);
    let ended = tokio::time::timeout(LIMIT, looking).await;
    let examination = ended
        .expect("it ends")
        .expect("no panic")
        .expect("a report");
    assert!(
        !examination.findings.is_empty(),
        "what was found till then is kept"
    );
    open.close().await;
}
