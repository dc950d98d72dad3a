//! Checks which process answers on a member's port, and from which machines it can be reached.

use std::net::{Ipv4Addr, TcpListener};

use guild_api::wire::CallEnd;
use guild_model::Code;
use guild_model::status::Status;
use guild_tests::{LIMIT, eventually};

use crate::test_env::{TestEnv, name, request};

fn listen(port: u16) -> std::io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
}

/// Checks that connections to the foreign listener ended without any data.
#[cfg(target_os = "linux")]
fn heard_nothing(stranger: &TcpListener) {
    use std::io::Read;
    stranger.set_nonblocking(true).expect("an option");
    while let Ok((mut connection, _)) = stranger.accept() {
        let mut said = Vec::new();
        connection.set_nonblocking(false).expect("an option");
        connection.read_to_end(&mut said).expect("closed");
        assert_eq!(said, b"", "nothing was said to the stranger");
    }
}

/// Whether a report names the process of this test.
fn names_us(message: &str) -> bool {
    message.contains(&format!("process {}", std::process::id()))
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stranger_on_the_port_gets_no_handshake() {
    let env = TestEnv::new("stranger");
    let go = env.data_dir().join("go");
    std::fs::create_dir_all(env.data_dir()).expect("a folder");
    // The member binds its port only on a signal. A foreign process binds the port earlier.
    env.http("forge")
        .args(["--hold-until".to_owned(), go.display().to_string()])
        .write();
    let mut open = env.open().await;
    let started = open.hall.start_all();
    let port = open
        .shown("forge", "a port", |view| view.port.is_some())
        .await
        .port
        .expect("a port");
    let stranger = listen(port).expect("the member does not listen yet");
    let next = open
        .shown("forge", "another port", |view| {
            view.port.is_some_and(|other| other != port)
        })
        .await;
    std::fs::write(&go, b"").expect("written");
    started.settled().await;
    let view = open.view("forge");
    assert_eq!((view.status, view.port), (Status::Ready, next.port));
    let held: Vec<_> = view
        .warnings
        .iter()
        .filter(|w| w.code == Code::PortHeld)
        .collect();
    assert_eq!(held.len(), 1, "{view:#?}");
    let message = &held[0].message;
    assert!(message.contains(&port.to_string()), "{message}");
    assert!(names_us(message), "who holds it is told: {message}");
    assert!(message.contains("user "), "{message}");
    heard_nothing(&stranger);
    // Another process uses the member's last port. The report names this process and a fix.
    open.hall
        .stop_member(&name("forge"))
        .await
        .expect("stopped");
    let held = next.port.and_then(|port| listen(port).ok()).expect("free");
    let view = open
        .hall
        .start_member(&name("forge"))
        .await
        .expect("started");
    let report = view.warnings.iter().find(|w| w.code == Code::PortHeld);
    let report = report.unwrap_or_else(|| panic!("no warning: {view:#?}"));
    assert!(names_us(&report.message), "{report}");
    assert!(!report.hint.is_empty());
    drop((held, stranger));
    open.close().await;
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_that_never_gets_its_port_says_who_holds_them() {
    let env = TestEnv::new("strangers everywhere");
    env.http("forge").args(["--never-listen"]).write();
    let mut open = env.open().await;
    let started = open.hall.start_all();
    let mut strangers: Vec<TcpListener> = Vec::new();
    let mut last = None;
    for _ in 0..5 {
        let view = open
            .shown("forge", "a next port", |view| {
                view.port.is_some() && view.port != last
            })
            .await;
        last = view.port;
        strangers.extend(listen(last.expect("a port")));
    }
    let report = started
        .settled()
        .await
        .remove(0)
        .expect_err("it has no port");
    assert_eq!(report.code, Code::PortLost, "{report}");
    assert!(names_us(&report.message), "{report}");
    assert!(!report.hint.is_empty(), "{report}");
    open.close().await;
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn port_takeover_is_seen_at_the_next_list() {
    let env = TestEnv::new("usurper");
    // The member's first process keeps running, but the child process that listened has ended.
    let folder = env.http("forge");
    let manifest = folder.to_manifest();
    let command = manifest["command"].as_str().expect("a command").to_owned();
    let script = "\"$0\" --no-get --port \"$1\" & wait $!; exec sleep 60";
    folder
        .manifest(serde_json::json!({
            "command": "sh",
            "args": ["-c", script, command, "${PORT}"],
            "restart": "never",
        }))
        .write();
    let mut open = env.started().await;
    let view = open.view("forge");
    assert_eq!(
        view.status,
        Status::Ready,
        "a child's listener is the member's own: {view:#?}"
    );
    let (port, leader) = (view.port.expect("a port"), view.pid.expect("a process"));
    let child = std::fs::read_to_string(format!("/proc/{leader}/task/{leader}/children"));
    let child: i32 = child
        .expect("its children")
        .trim()
        .parse()
        .expect("one child");
    let child = rustix::process::Pid::from_raw(child).expect("a pid");
    rustix::process::kill_process(child, rustix::process::Signal::KILL).expect("killed");
    let usurper = eventually(LIMIT, "the port is free", || listen(port).ok()).await;
    let report = open
        .hall
        .refresh_member(&name("forge"))
        .await
        .expect_err("not its own");
    assert_eq!(report.code, Code::PortHeld, "{report}");
    assert!(names_us(&report.message), "{report}");
    open.status("forge", Status::Error).await;
    drop(usurper);
    open.close().await;
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn call_is_not_sent_to_a_killed_members_port() {
    let env = TestEnv::new("heir");
    env.http("forge")
        .args(["--no-get"])
        .manifest(serde_json::json!({"restart": "never"}))
        .write();
    let open = env.started().await;
    let view = open.view("forge");
    let (port, leader) = (view.port.expect("a port"), view.pid.expect("a process"));
    let leader = i32::try_from(leader).expect("a pid");
    let leader = rustix::process::Pid::from_raw(leader).expect("a pid");
    let calling = tokio::spawn({
        let hall = open.hall.clone();
        async move {
            // All of this runs on one thread without other tasks. So the code that notices the
            // member's end can't run before the foreign process listens, and the call is made at
            // once.
            let stranger = tokio::task::block_in_place(|| {
                rustix::process::kill_process(leader, rustix::process::Signal::KILL)
                    .expect("killed");
                loop {
                    match listen(port) {
                        Ok(stranger) => break stranger,
                        Err(_) => std::hint::spin_loop(),
                    }
                }
            });
            let call = hall.invoke(request("forge", "echo", r#"{"text":"mine"}"#));
            (call.await, stranger)
        }
    });
    let (called, stranger) = calling.await.expect("called");
    match &called.end {
        CallEnd::Failed { report, .. } => {
            assert_eq!(report.code, Code::CallInterrupted, "{report}");
        }
        // If the end was noticed first nevertheless, the call has started the member again.
        CallEnd::Result { .. } => assert_ne!(open.view("forge").port, Some(port)),
    }
    open.close().await;
    heard_nothing(&stranger);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_beyond_the_loopback_is_shown_with_its_address() {
    let env = TestEnv::new("exposed");
    env.http("everywhere").args(["--host", "0.0.0.0"]).write();
    env.http("six").args(["--host", "::"]).write();
    env.http("here").write();
    let open = env.open().await;
    open.hall.start_all().settled().await;
    let exposed = |member: &str| {
        let view = open.view(member);
        let mut warnings = view.warnings.into_iter();
        warnings
            .find(|report| report.code == Code::PortExposed)
            .map(|report| report.message)
    };
    let everywhere = exposed("everywhere").expect("a warning");
    assert!(everywhere.contains("0.0.0.0"), "{everywhere}");
    assert_eq!(exposed("here"), None);
    if open.view("six").status == Status::Ready {
        let six = exposed("six").expect("a warning");
        assert!(six.contains("(::)"), "{six}");
    }
    open.close().await;
}
