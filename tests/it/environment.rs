//! The variables of the login shell, also from shells that hang, fail or print other text.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use guild_engine::{GuildHallOptions, LoginShell};
use guild_model::Code;
use guild_model::status::Status;
use guild_tests::{LIMIT, MemberFolder, PromiseClock, eventually, is_alive, processes_of};

use crate::guildhall::{CliHarness, guildhall_bin};
use crate::test_env::{CLOSED, Open, TestEnv};

/// Writes a shell that runs `script`. In it, `$4` is the command to run.
fn shell(env: &TestEnv, script: &str) -> PathBuf {
    let file = env.data_dir().join("fake-shell");
    executable(&file, &format!("#!/bin/sh\n{script}\n"));
    file
}

fn executable(file: &Path, text: &str) {
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    std::fs::write(file, text).expect("written");
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).expect("set");
}

async fn open(env: &TestEnv, shell: PathBuf, limit: Duration) -> Open {
    let options = GuildHallOptions {
        own_binary: Some(guildhall_bin().display().to_string()),
        login_shell: LoginShell::This(shell, limit),
        ..env.options()
    };
    env.open_with(options).await
}

/// Returns the pid that a hanging shell wrote to a file.
#[cfg(target_os = "linux")]
fn noted(env: &TestEnv, file: &str) -> Option<u32> {
    let text = std::fs::read_to_string(env.data_dir().join(file)).ok()?;
    text.trim().parse().ok()
}

/// Adds a member that is only found on the PATH of the shell, and needs a variable of the shell.
fn member(env: &TestEnv) -> PathBuf {
    let tools = env.data_dir().join("tools");
    let fixture = guild_tests::fixture_bin();
    let launcher = format!("#!/bin/sh\nexec '{}' \"$@\"\n", fixture.display());
    executable(&tools.join("only-in-shell"), &launcher);
    let member = env.member("forge").stdio();
    member
        .manifest(serde_json::json!({"command": "only-in-shell"}))
        .env("FROM_SHELL", "${env:FAKE_SHELL_SAYS}")
        .write();
    tools
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_is_found_on_the_path_of_a_noisy_login_shell() {
    let env = TestEnv::new("noisy shell");
    let tools = member(&env);
    let noise = format!(
        "echo welcome; echo \"$4\"; printf '\\377\\000\\001<guild-hall:x:end>\\n'; \
         head -c 200000 /dev/urandom; echo trouble >&2\n\
         PATH='{}':$PATH FAKE_SHELL_SAYS='two words' sh -c \"$4\"\n\
         (sleep 60 &) ; echo bye",
        tools.display()
    );
    let shell = shell(&env, &noise);
    let mut open = open(&env, shell, Duration::from_secs(20)).await;
    open.hall.start_all().settled().await;
    open.status("forge", Status::Ready).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hanging_shell_is_ended_and_delays_no_list() {
    let env = TestEnv::new("hanging shell");
    env.member("neighbour").stdio().write();
    let nonce = env.nonce.as_str();
    // A job of an interactive shell has a separate process group.
    let script = format!("export GUILD_TEST={nonce}\nset -m\nsleep 300 &\nsleep 300",);
    let shell = shell(&env, &script);
    let limit = Duration::from_secs(8);
    let (begun, clock) = (Instant::now(), PromiseClock::start());
    let mut open = open(&env, shell, limit).await;
    clock.assert_within(limit, "opened beside a shell that hangs");
    assert_eq!(open.hall.roster().members.len(), 1);
    open.hall.start_all().settled().await;
    let neighbour = open.status("neighbour", Status::Ready).await.pid;
    eventually(LIMIT, "the shell and its jobs are gone", || {
        (processes_of(&env.nonce) == [neighbour?]).then_some(())
    })
    .await;
    assert!(begun.elapsed() >= limit, "it had its time");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_login_shell_keeps_own_variables() {
    for script in [
        "kill -SEGV $$",
        "exit 3",
        "head -c 100000 /dev/urandom",
        "cat",
    ] {
        let env = TestEnv::new("crashing shell");
        member(&env);
        env.member("neighbour").stdio().write();
        let shell = shell(&env, script);
        let mut open = open(&env, shell, Duration::from_secs(20)).await;
        open.hall.start_all().settled().await;
        open.status("neighbour", Status::Ready).await;
        let report = open.view("forge").error.expect("why");
        let expected = [Code::VariableMissing, Code::CommandNotFound];
        assert!(expected.contains(&report.code), "{script}: {report}");
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shell_that_floods_is_ended_at_a_bound() {
    let env = TestEnv::new("flooding shell");
    env.member("neighbour").stdio().write();
    let shell = shell(&env, "exec yes");
    // The shell's time limit is longer than any test.
    let mut open = open(&env, shell, Duration::from_secs(3_600)).await;
    open.hall.start_all().settled().await;
    open.status("neighbour", Status::Ready).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_shells_of_this_machine_answer_with_their_own_files() {
    for (name, file) in [
        ("bash", ".bash_profile"),
        ("zsh", ".zshrc"),
        ("fish", ".config/fish/config.fish"),
        ("dash", ".profile"),
    ] {
        let Some(shell) = ["/bin", "/usr/bin", "/usr/local/bin"]
            .iter()
            .map(|folder| Path::new(folder).join(name))
            .find(|shell| shell.is_file())
        else {
            continue;
        };
        let env = TestEnv::new("real shell");
        let tools = member(&env);
        let home = env.data_dir().join("home");
        let says = match name {
            "fish" => format!(
                "set -gx FAKE_SHELL_SAYS yes\nset -gx PATH '{}' $PATH\n",
                tools.display()
            ),
            _ => format!(
                "export FAKE_SHELL_SAYS=yes PATH='{}':$PATH\n",
                tools.display()
            ),
        };
        let file = home.join(file);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        std::fs::write(&file, says).expect("written");
        // A wrapper sets another home folder for the shell.
        let wrapper = env.data_dir().join(name);
        let text = format!(
            "#!/bin/sh\nHOME='{}' exec '{}' \"$@\"\n",
            home.display(),
            shell.display()
        );
        executable(&wrapper, &text);
        let mut open = open(&env, wrapper, Duration::from_secs(20)).await;
        open.hall.start_all().settled().await;
        open.status("forge", Status::Ready).await;
        open.close().await;
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_program_leaves_only_shell_daemons() {
    use rustix::process::{Pid, Signal, kill_process};
    use tokio::io::{AsyncBufReadExt, BufReader};

    let cli = CliHarness::new("killed beside a hanging shell").await;
    let env = &cli.env;
    let sample = ["sample-member", "playground", "--stdio"];
    let of_our_own = serde_json::json!({"command": "${GUILDHALL}", "args": sample});
    let member = MemberFolder::new(&env.members_dir(), "playground").stdio();
    member.manifest(of_our_own).write();
    let script = format!(
        "trap '' TERM HUP INT; cd '{}'\n\
         setsid sleep 1000 </dev/null >/dev/null 2>&1 &\n\
         echo $! >daemon; set -m; sleep 1000 &\n\
         echo $! >job; while :; do sleep 1000; done",
        env.data_dir().display()
    );
    let shell = shell(env, &script);
    let mut serve = cli
        .command(&["serve", "--no-gateway"])
        .env("SHELL", &shell)
        .env("GUILD_HALL_LOGIN_SHELL", "on")
        .spawn()
        .expect("guildhall runs");
    // A member that needs no variable of the shell is ready earlier.
    let mut lines = BufReader::new(serve.stdout.take().expect("its stdout")).lines();
    while let Some(line) = lines.next_line().await.expect("UTF-8") {
        let line: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        if line["event"]["member"]["status"] == "ready" {
            break;
        }
    }
    // The shell may have hung at the kill, or have been ended after its 5 s. Only its daemon may
    // remain.
    eventually(LIMIT, "the shell hangs", || noted(env, "job")).await;
    let daemon = noted(env, "daemon").expect("it began before the job");

    let killed = PromiseClock::start();
    serve.start_kill().expect("it lives");
    serve.wait().await.expect("it ends");
    eventually(LIMIT, "nobody is left but the daemon", || {
        (processes_of(&env.nonce) == [daemon]).then_some(())
    })
    .await;
    killed.assert_within(CLOSED, "all but the daemon are gone");

    let daemon_pid = i32::try_from(daemon).ok().and_then(Pid::from_raw);
    kill_process(daemon_pid.expect("a number"), Signal::KILL).expect("it lives");
    eventually(LIMIT, "the daemon is gone", || {
        (!is_alive(daemon)).then_some(())
    })
    .await;
}
