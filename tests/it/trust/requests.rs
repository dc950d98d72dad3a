//! The processes of a member can use the control socket to read and call, but not to approve
//! anything.

use std::path::Path;

use guild_model::manifest::Policy;

use super::*;
use crate::guildhall::guildhall_bin;
use crate::test_env::put_in_place;

/// Writes a member that runs a shell script before it is ready. The script has three variables.
/// `$HALL` is `guildhall` with the environment's folders. `$GATEWAY` is the same without the run
/// journal, so that only the running hall can refuse it. `$OUT` is a folder for the output.
fn scripted(env: &TestEnv, name: &str, script: &str) -> PathBuf {
    // The script runs its commands one after the other before the member is ready.
    let patient = json!({"timeouts": {"start_ms": 200_000}});
    let folder = env.member(name).manifest(patient);
    folder.write();
    let out = env.data_dir().join(format!("{name}-said"));
    std::fs::create_dir_all(&out).expect("a folder");
    let file = folder.path().join("plugin.json");
    let mut manifest = crate::test_env::json(&file);
    let serve = [&manifest["command"], &manifest["args"]]
        .map(words_of)
        .join(" ");
    let linked = env.data_dir().join(format!("{name}-door"));
    std::fs::create_dir_all(&linked).expect("a folder");
    for file in ["hall.lock", "hall.json"] {
        let link = std::os::unix::fs::symlink(env.data_dir().join(file), linked.join(file));
        link.expect("a link");
    }
    let [hall, linked] = [env.data_dir(), linked].map(|data| {
        format!(
            "{} --json --data {} --members {}",
            guildhall_bin().display(),
            data.display(),
            env.members_dir().display(),
        )
    });
    let out_dir = out.display();
    let whole =
        format!("HALL='{hall}'; GATEWAY='{linked}'; OUT='{out_dir}'; {script}; exec {serve}");
    manifest["command"] = json!("sh");
    manifest["args"] = json!(["-c", whole]);
    put_in_place(&file, &manifest.to_string());
    out
}

/// Quotes a command or its arguments for a shell.
fn words_of(value: &Value) -> String {
    let quoted = |word: &Value| format!("'{}'", word.as_str().expect("a word"));
    match value.as_array() {
        Some(words) => words.iter().map(quoted).collect::<Vec<_>>().join(" "),
        None => quoted(value),
    }
}

/// Waits until the script's output with this name is complete, and returns it.
async fn said(out: &Path, name: &str) -> Value {
    let file = out.join(name);
    let what = format!("{} is written", file.display());
    eventually(LIMIT, &what, || {
        let text = std::fs::read_to_string(&file).ok()?;
        serde_json::from_str(&text).ok()
    })
    .await
}

fn is_refused(answer: &Value) -> bool {
    answer["error"]["code"] == "member-request"
}

/// Lists the members' tools, so that they have policies.
async fn listed_once(cli: &CliHarness) {
    let listed = cli.run(&["tools", "--wait"]).await;
    assert_eq!(listed.code, Some(0), "{listed:#?}");
}

async fn policy_of(cli: &CliHarness, tool: &str) -> Value {
    let listed = cli
        .run_beside(&["--json", "tools", "--details"])
        .await
        .json(0);
    let tools = listed["tools"].as_array().expect("tools");
    let found = tools.iter().find(|found| found["name"] == tool);
    found.unwrap_or_else(|| panic!("no {tool} in {listed}"))["policy"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn member_processes_cannot_lift_a_deny() {
    let cli = CliHarness::new("requests of members").await;
    let env = &cli.env;
    let lift = "tools policy set meek/echo allow";
    // As a child process, in a new session without the environment, and after the parent has ended.
    let bare = "env -i PATH=\"$PATH\" HOME=\"$HOME\" setsid";
    // A suite calls tools without the policies for agents.
    let check = json!({"member": "meek", "name": "echo", "tool": "echo", "arguments": {}});
    let suite = env.data_dir().join("sly.suite.json");
    let checks = json!({"suite": 1, "checks": [check]});
    std::fs::create_dir_all(env.data_dir()).expect("a folder");
    std::fs::write(&suite, checks.to_string()).expect("written");
    let suite = format!("'{}'", suite.display());
    let script = [
        format!("$HALL {lift} >$OUT/command 2>/dev/null"),
        format!("$GATEWAY {lift} >$OUT/child 2>/dev/null"),
        format!("{bare} $GATEWAY {lift} >$OUT/session 2>/dev/null"),
        format!("{bare} sh -c \"($GATEWAY {lift} >$OUT/daemon 2>/dev/null &)\""),
        "$GATEWAY settings set window.onClose quit >$OUT/settings 2>/dev/null".into(),
        "$GATEWAY review meek --hold off --yes >$OUT/review 2>/dev/null".into(),
        format!("$HALL dev --once --suite {suite} >$OUT/suite 2>/dev/null"),
        format!("$GATEWAY dev --once --suite {suite} >$OUT/checks 2>/dev/null"),
        "$GATEWAY list >$OUT/list 2>/dev/null".into(),
        "$GATEWAY call meek echo --args '{}' >$OUT/call 2>/dev/null".into(),
    ]
    .join("; ");
    env.member("meek").write();
    listed_once(&cli).await;
    let denied = cli
        .run(&["--json", "tools", "policy", "set", "meek/echo", "deny"])
        .await;
    assert_eq!(denied.code, Some(0), "{denied:#?}");
    let out = scripted(env, "sly", &script);
    let mut running = cli.start(&["serve", "--no-gateway"]);
    running.all_up(&["meek", "sly"]).await;
    for way in [
        "command", "child", "session", "daemon", "settings", "review", "suite", "checks",
    ] {
        let answer = said(&out, way).await;
        assert!(is_refused(&answer), "{way}: {answer}");
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(message.contains("sly"), "it is named: {message}");
    }
    // Reading and calling are allowed.
    let listed = said(&out, "list").await;
    assert_eq!(
        listed["members"].as_array().map(Vec::len),
        Some(2),
        "{listed}"
    );
    assert!(!is_refused(&said(&out, "call").await));
    assert_eq!(policy_of(&cli, "meek/echo").await, json!(Policy::Deny));
    // The same command in a person's terminal is allowed.
    let lifted = cli
        .run_beside(&["--json", "tools", "policy", "set", "meek/echo", "allow"])
        .await;
    assert_eq!(lifted.code, Some(0), "{lifted:#?}");
    assert_eq!(policy_of(&cli, "meek/echo").await, json!(Policy::Allow));
    running.signal(Signal::TERM);
    running.ended(&cli).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_member_processes_have_agents_policies() {
    let cli = CliHarness::new("calls of members").await;
    let env = &cli.env;
    let call = |tool: &str, out: &str| {
        format!(
            "$GATEWAY call meek {tool} --args '{{\"a\": 20, \"b\": 22}}' >$OUT/{out} 2>/dev/null"
        )
    };
    let bare = "env -i PATH=\"$PATH\" HOME=\"$HOME\" setsid";
    let script = [
        call("add", "allowed"),
        call("echo", "denied"),
        format!("{bare} {}", call("echo", "session")),
        "$GATEWAY call meek echo --args '{}' --send-anyway >$OUT/anyway 2>/dev/null".into(),
        call("pid", "asked"),
    ]
    .join("; ");
    env.member("meek").write();
    listed_once(&cli).await;
    for (tool, policy) in [("meek/echo", "deny"), ("meek/pid", "ask")] {
        let set = cli
            .run(&["--json", "tools", "policy", "set", tool, policy])
            .await;
        assert_eq!(set.code, Some(0), "{set:#?}");
    }
    let out = scripted(env, "sly", &script);
    let mut running = cli.start(&["serve", "--no-gateway"]);
    let asked = |line: &Value| line["event"]["kind"] == "approval_asked";
    let line = running.line_where("the question", asked).await;
    let approval = &line["event"]["approval"];
    assert_eq!(approval["client"], "member sly", "{line}");
    let id = approval["id"].as_str().expect("an id");
    let decided = cli.run_beside(&["approvals", "deny", id]).await;
    assert_eq!(decided.code, Some(0), "{decided:#?}");
    let allowed = said(&out, "allowed").await;
    assert!(allowed.to_string().contains("42"), "{allowed}");
    for (way, code) in [
        ("denied", "tool-denied"),
        ("session", "tool-denied"),
        ("anyway", "tool-denied"),
        ("asked", "approval-missing"),
    ] {
        let answer = said(&out, way).await;
        assert!(answer.to_string().contains(code), "{way}: {answer}");
    }
    // The other member was ready before the question.
    running.all_up(&["sly"]).await;
    // A person's own call of the same tool is allowed.
    let own = cli
        .run_beside(&["--json", "call", "meek", "echo", "--args", "{}"])
        .await;
    assert_eq!(own.code, Some(0), "{own:#?}");
    let history = cli.run_beside(&["--json", "history"]).await.json(0);
    let entries = history["entries"].as_array().expect("entries");
    let by = |caller: &str| {
        let of = entries.iter().filter(|entry| entry["caller"] == caller);
        of.map(|entry| entry["client"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(by("agent"), vec![json!("member sly"); 5], "{history}");
    assert_eq!(by("command-line"), [Value::Null]);
    running.signal(Signal::TERM);
    running.ended(&cli).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn member_processes_decide_nothing_where_no_hall_is_asked() {
    let cli = CliHarness::new("requests beside no socket").await;
    let env = &cli.env;
    env.member("meek").write();
    listed_once(&cli).await;
    let denied = cli
        .run(&["--json", "tools", "policy", "set", "meek/pid", "deny"])
        .await;
    assert_eq!(denied.code, Some(0), "{denied:#?}");
    let script = "$HALL call meek pid >$OUT/denied 2>/dev/null; \
                  $HALL call meek add --args '{\"a\": 20, \"b\": 22}' >$OUT/sum 2>/dev/null; \
                  $HALL tools policy set meek/echo deny >$OUT/policy 2>/dev/null; \
                  $HALL secret remove TOKEN >$OUT/secret 2>/dev/null; \
                  $HALL tools policy >$OUT/read 2>/dev/null";
    let out = scripted(env, "sly", script);
    // A one-off command runs its own members, and has no socket.
    let called = cli
        .run(&["--json", "call", "sly", "echo", "--args", "{}"])
        .await;
    assert_eq!(called.code, Some(0), "{called:#?}");
    for way in ["policy", "secret"] {
        let answer = said(&out, way).await;
        assert!(is_refused(&answer), "{way}: {answer}");
    }
    assert!(!is_refused(&said(&out, "read").await));
    let refused = said(&out, "denied").await.to_string();
    assert!(refused.contains("tool-denied"), "{refused}");
    let sum = said(&out, "sum").await.to_string();
    assert!(sum.contains("42"), "{sum}");
    let set = cli
        .run(&["--json", "tools", "policy", "set", "meek/echo", "deny"])
        .await;
    assert_eq!(set.code, Some(0), "{set:#?}");
}
