//! Commands that can't run, and processes that are not servers.

use guild_model::Code;
use guild_model::status::Status;
use guild_tests::{LIMIT, eventually, processes_of};
use serde_json::json;

use super::{env, fault, neighbour_is_well};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_40_missing_command_lists_folders() {
    let env = env("not found");
    let path = json!({"PATH": "/opt/guild/bin:/opt/forge/bin"});
    let fields = json!({"command": "no-such-smith", "env": path, "args": []});
    env.member("on-the-path").manifest(fields).write();
    let fields = json!({"command": "./bin/no-such-smith", "args": []});
    let beside = env.http("beside").manifest(fields);
    beside.write();
    env.member("empty")
        .manifest(json!({"command": "${env:HOME}/no/such", "args": []}))
        .write();
    let open = env.started().await;
    let report = fault(&open, "on-the-path", Code::CommandNotFound).await;
    for word in ["no-such-smith", "/opt/guild/bin", "/opt/forge/bin"] {
        assert!(report.to_string().contains(word), "{report}");
    }
    let report = fault(&open, "beside", Code::CommandNotFound).await;
    let folder = beside.path().join("bin").display().to_string();
    assert!(report.to_string().contains(&folder), "{report}");
    fault(&open, "empty", Code::CommandNotFound).await;
    for member in ["on-the-path", "beside", "empty"] {
        let view = open.view(member);
        assert_eq!(
            (view.status, view.retry_at_ms),
            (Status::Error, None),
            "nothing to try again"
        );
    }
    neighbour_is_well(&open).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_working_directory_is_named() {
    let env = env("no working directory");
    let lost = env.member("lost").manifest(json!({"cwd": "gone"}));
    lost.write();
    let file = env.member("file").file("gone", "a file");
    file.manifest(json!({"cwd": "./gone"})).write();
    let open = env.started().await;
    for (member, folder) in [("lost", lost.path().join("gone")), ("file", "gone".into())] {
        let error = open.view(member).error.expect("why");
        let folder = folder.display().to_string();
        assert!(error.message.contains(&folder), "{error}");
        assert!(error.hint.contains("\"cwd\" in plugin.json"), "{error}");
    }
    neighbour_is_well(&open).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn req_mcp_http_40_unexecutable_command_fails() {
    let env = env("not executable");
    let command = json!({"command": "./server", "args": []});
    env.member("plain-file")
        .file("server", "#!/bin/sh\n")
        .manifest(command.clone())
        .write();
    env.member("a-folder")
        .file("readme", "")
        .manifest(json!({"command": "./"}))
        .write();
    let nonsense = env
        .member("nonsense")
        .file("server", [0, 1, 2, 3])
        .manifest(command);
    let folder = nonsense.write();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.join("server"), mode).expect("may be executed");
    }
    let open = env.started().await;
    let report = fault(&open, "plain-file", Code::CommandNotExecutable).await;
    assert!(report.message.contains("server"), "{report}");
    fault(&open, "a-folder", Code::CommandNotExecutable).await;
    fault(&open, "nonsense", Code::SpawnFailed).await;
    neighbour_is_well(&open).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn early_exit_reports_code_and_last_output() {
    let env = env("ends at once");
    let args = ["--exit-at-once", "3", "--stderr-line", "no anvil found"];
    let never = json!({"restart": "never"});
    env.http("http").args(args).manifest(never.clone()).write();
    env.member("stdio").args(args).manifest(never).write();
    let open = env.started().await;
    for member in ["http", "stdio"] {
        let report = fault(&open, member, Code::MemberExited).await;
        assert!(report.message.contains("no anvil found"), "{report}");
        assert!(report.message.contains('3'), "the exit code: {report}");
    }
    neighbour_is_well(&open).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_never_listens_is_ended_at_the_start_limit() {
    let env = env("never listens");
    let args = [
        "--never-listen",
        "--stderr-line",
        "still thinking",
        "--grandchildren",
        "1",
    ];
    // A busy machine needs this long to start the program and read its output.
    let soon = json!({"timeouts": {"start_ms": 4_500, "discovery_ms": 500}});
    env.http("http").args(args).manifest(soon.clone()).write();
    env.member("stdio").args(args).manifest(soon).write();
    let open = env.started().await;
    for member in ["http", "stdio"] {
        let report = fault(&open, member, Code::StartTimeout).await;
        assert!(
            report.message.contains("still thinking"),
            "its last words: {report}"
        );
        assert!(report.message.contains("4.5 s"), "the limit: {report}");
    }
    neighbour_is_well(&open).await;
    eventually(
        LIMIT,
        "nothing left but the neighbour, grandchildren included",
        || (processes_of(&env.nonce).len() == 1).then_some(()),
    )
    .await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn line_on_stdout_that_is_no_mcp_is_shown() {
    let env = env("writes to stdout");
    let said = "Welcome to the notes server";
    let scripts = [
        ("stays", format!("echo '{said}'; exec sleep 100")),
        ("ends", format!("echo '{said}'; exit 3")),
        // Closes stdin first, so that the request can no longer be written when the output comes.
        (
            "deaf",
            format!("exec 0<&-; sleep 0.3; echo '{said}'; exit 3"),
        ),
    ];
    for (name, script) in scripts {
        env.member(name)
            .manifest(json!({
                "command": "sh", "args": ["-c", script],
                "restart": "never", "timeouts": {"start_ms": 4_500, "discovery_ms": 500},
            }))
            .write();
    }
    let open = env.started().await;
    for (name, code) in [
        ("stays", Code::StartTimeout),
        ("ends", Code::MemberExited),
        ("deaf", Code::MemberExited),
    ] {
        let report = fault(&open, name, code).await;
        assert!(report.message.contains(said), "{report}");
    }
    neighbour_is_well(&open).await;
    open.close().await;
}
