//! Development of a server: when its files change, the member is built, restarted, compared and
//! checked.

mod commands;

use std::fs;
use std::path::{Path, PathBuf};

use guild_api::event::HallEvent;
use guild_api::wire::{
    Caller, DevRound, DevStep, ExampleEnd, ExamplePart, HistoryFilter, RunExamples, SearchHistory,
    ToolDifference,
};
use guild_model::manifest::SaveExample;
use guild_model::status::Status;
use guild_model::{CallId, Code, ToolName};
use guild_tests::{LIMIT, MemberFolder, RecordFile, eventually, processes_of};
use serde_json::{Value, json};

use crate::test_env::{HallEvents, Open, TestEnv, name};

/// A tool of the fixture, as its list names it.
fn tool(name: &str, description: &str) -> Value {
    json!({"name": name, "description": description, "inputSchema": {"type": "object"}})
}

/// A member that lists the tools in its `src/tools.json`, and whose files are watched.
pub(super) struct Author {
    pub(super) folder: MemberFolder,
}

impl Author {
    pub(super) fn new(env: &TestEnv, manifest: Value) -> Self {
        let folder = env
            .member("forge")
            .args(["--tools-json", "src/tools.json", "--record", "record.jsonl"])
            .manifest(json!({"dev": {"watch": ["src/**"], "debounce_ms": 20}}))
            .manifest(manifest);
        let author = Self { folder };
        author.put(
            "src/tools.json",
            &json!([tool("echo", "Repeats.")]).to_string(),
        );
        author.folder.write();
        author
    }

    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// Writes a file in one step, like careful editors do.
    pub(super) fn put(&self, file: &str, text: &str) {
        let path = self.path(file);
        let parent = path.parent().expect("a folder");
        fs::create_dir_all(parent).expect("made");
        let draft = parent.join(".draft");
        fs::write(&draft, text).expect("written");
        fs::rename(&draft, &path).expect("renamed");
    }

    pub(super) fn tools(&self, tools: &[(&str, &str)]) {
        let tools: Vec<Value> = tools.iter().map(|(name, says)| tool(name, says)).collect();
        self.put("src/tools.json", &Value::from(tools).to_string());
    }

    fn starts(&self) -> usize {
        RecordFile::new(&self.path("record.jsonl")).starts().len()
    }
}

/// The events of development rounds: after a change of files, a member is built, restarted and
/// checked.
struct Rounds(HallEvents);

impl Rounds {
    /// Waits until the member's files are watched, and starts to receive events.
    async fn of(open: &Open) -> Self {
        eventually(LIMIT, "the files are watched", || {
            let state = open.hall.dev_state(&name("forge")).expect("a member");
            state.watch
        })
        .await;
        Self(HallEvents::of(&open.hall))
    }

    /// Waits for a step of a round that `fits` accepts.
    async fn step(&mut self, what: &str, fits: impl Fn(&DevRound) -> bool) -> DevRound {
        self.0
            .find(what, |event| match event {
                HallEvent::DevRound { round } if fits(round) => Some((**round).clone()),
                _ => None,
            })
            .await
    }

    /// Waits until the round for this file is over.
    async fn over(&mut self, file: &str) -> DevRound {
        self.step(&format!("the round of {file}"), |round| {
            round.step.is_over() && round.files.iter().any(|name| name == file)
        })
        .await
    }
}

fn example(name: &str, tool: &str, arguments: Value, expect: Value) -> Value {
    json!({"name": name, "tool": tool, "arguments": arguments, "expect": expect})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn saved_file_restarts_and_runs_the_examples() {
    let env = TestEnv::new("a round");
    let author = Author::new(
        &env,
        json!({"examples": [
            example("repeats", "echo", json!({"n": 1}), json!({"structured": {"n": 1}})),
            example("repeats otherwise", "echo", json!({"n": 1}), json!({"structured": {"n": 2}})),
            example("fails as it should", "fail", json!({"text": "no fire"}), json!({
                "is_error": true, "text_equals": "no fire"
            })),
        ]}),
    );
    author.tools(&[("echo", "Repeats."), ("fail", "Fails."), ("slow", "Waits.")]);
    let mut open = env.started().await;
    let before = open.view("forge");
    assert_eq!((before.status, before.tools), (Status::Ready, 3));
    let mut rounds = Rounds::of(&open).await;

    author.tools(&[
        ("echo", "Says it again."),
        ("fail", "Fails."),
        ("add", "Adds."),
    ]);
    let round = rounds.over("src/tools.json").await;
    assert_eq!(round.files, ["src/tools.json"], "{round:#?}");
    assert_eq!(round.step, DevStep::ExamplesFailed, "{round:#?}");
    assert!(round.build.is_none() && round.error.is_none());
    let tools: Vec<_> = round
        .tools
        .iter()
        .map(|tool| (tool.name.as_str(), tool.difference))
        .collect();
    assert_eq!(
        tools,
        [
            ("echo", ToolDifference::Changed),
            ("add", ToolDifference::New),
            ("slow", ToolDifference::Gone)
        ]
    );
    assert_eq!(round.tools[0].parts[0].part, "description");
    let ends: Vec<_> = round.examples.iter().map(|run| run.end).collect();
    assert_eq!(
        ends,
        [ExampleEnd::Passed, ExampleEnd::Failed, ExampleEnd::Passed]
    );
    let difference = &round.examples[1].differences[0];
    assert_eq!(
        (difference.part, difference.place.as_str()),
        (ExamplePart::Structured, "/n")
    );
    assert_eq!(
        (difference.expected.as_str(), difference.got.as_str()),
        ("2", "1")
    );

    // The restart does not count as a crash, and changed tools of a user's own member are not
    // withheld.
    let after = open.view("forge");
    assert_eq!((after.status, after.attempt), (Status::Ready, 0));
    assert_ne!(after.pid, before.pid);
    assert_eq!(after.trust.held, 0);
    assert_eq!(author.starts(), 2);
    open.shown("forge", "its calls are over", |view| view.calls == 0)
        .await;
    let kept = eventually_kept(&open, 3).await;
    assert_eq!(
        kept, 3,
        "each example stands in the history, and says what it is"
    );
    open.close().await;
}

/// Waits until the history has `wanted` calls of examples. Returns their number.
async fn eventually_kept(open: &Open, wanted: usize) -> usize {
    let search = || SearchHistory {
        filter: HistoryFilter {
            caller: Some(Caller::Example),
            ..HistoryFilter::default()
        },
        before: None,
        limit: 100,
    };
    let mut events = HallEvents::of(&open.hall);
    loop {
        let kept = open.hall.history().search(search()).await.entries.len();
        if kept >= wanted {
            return kept;
        }
        events
            .find("a call is recorded", |event| {
                matches!(event, HallEvent::CallRecorded { .. }).then_some(())
            })
            .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_build_leaves_the_server_as_it_was_and_says_why() {
    let env = TestEnv::new("a failed build");
    let author = Author::new(
        &env,
        json!({"dev": {"watch": ["src/**"], "debounce_ms": 20, "build": ["sh", "${PLUGIN_DIR}/build.sh"]}}),
    );
    author.put(
        "build.sh",
        "echo looking; test ! -f src/wrong || { echo src/wrong:1: no good >&2; exit 3; }",
    );
    let open = env.started().await;
    let mut rounds = Rounds::of(&open).await;
    let pid = open.view("forge").pid;

    author.put("src/wrong", "x");
    let round = rounds.over("src/wrong").await;
    assert_eq!(round.step, DevStep::BuildFailed, "{round:#?}");
    let build = round.build.expect("it was built");
    let report = build.error.expect("it failed");
    assert_eq!(report.code, Code::BuildFailed);
    assert!(report.message.contains("exit code 3"), "{report}");
    assert!(
        build.output.contains(&"looking".to_owned()),
        "{:?}",
        build.output
    );
    assert!(build.output.contains(&"src/wrong:1: no good".to_owned()));
    let view = open.view("forge");
    assert_eq!((view.status, view.pid), (Status::Ready, pid));
    assert_eq!(
        open.result("forge", "echo", r#"{"a":1}"#).await["structuredContent"]["a"],
        1
    );

    fs::remove_file(author.path("src/wrong")).expect("removed");
    let round = rounds.over("src/wrong").await;
    assert_eq!(round.step, DevStep::Passed, "{round:#?}");
    assert!(round.build.is_some_and(|build| build.error.is_none()));
    assert_ne!(open.view("forge").pid, pid);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hanging_build_ends_at_its_limit() {
    let env = TestEnv::new("a hanging build");
    let mark = format!("GUILD_TEST={}", env.nonce.as_str());
    let hang = format!("env {mark} sleep 1000 & exec env {mark} sleep 1000");
    let author = Author::new(
        &env,
        json!({"dev": {"watch": ["src/**"], "build": ["sh", "-c", hang], "build_timeout_ms": 300}}),
    );
    let open = env.started().await;
    let mut rounds = Rounds::of(&open).await;
    let running = processes_of(&env.nonce).len();
    author.put("src/a", "1");
    let round = rounds.over("src/a").await;
    assert_eq!(round.step, DevStep::BuildFailed, "{round:#?}");
    let report = round
        .build
        .and_then(|build| build.error)
        .expect("it failed");
    assert!(report.message.contains("0.3 s"), "{report}");
    eventually(LIMIT, "nothing is left of the build", || {
        (processes_of(&env.nonce).len() == running).then_some(())
    })
    .await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hall_that_closes_ends_what_is_being_built() {
    let env = TestEnv::new("closing while it builds");
    let began = env.data_dir().join("began");
    let script = format!(
        "touch {}; exec env GUILD_TEST={} sleep 1000",
        began.display(),
        env.nonce.as_str()
    );
    let author = Author::new(
        &env,
        json!({"dev": {"watch": ["src/**"], "debounce_ms": 20, "build": ["sh", "-c", script]}}),
    );
    let open = env.started().await;
    let mut rounds = Rounds::of(&open).await;
    author.put("src/a", "1");
    rounds
        .step("it is being built", |round| round.step == DevStep::Building)
        .await;
    eventually(LIMIT, "the build runs", || began.exists().then_some(())).await;
    open.close().await;
    eventually(LIMIT, "nothing is left", || {
        processes_of(&env.nonce).is_empty().then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fixed_server_is_started_at_once() {
    let env = TestEnv::new("a broken server");
    let run = |line: &str| format!("{line}\nexec \"$@\"\n");
    let author = Author::new(&env, json!({}));
    let fixture = guild_tests::fixture_bin().display().to_string();
    author.put("src/run.sh", &run("true"));
    author
        .folder
        .clone()
        .manifest(json!({
            "command": "sh",
            "args": ["src/run.sh", fixture, "--stdio", "--tools-json", "src/tools.json"],
        }))
        .write();
    let mut open = env.started().await;
    let mut rounds = Rounds::of(&open).await;
    author.put("src/run.sh", &run("echo no fire >&2; exit 4"));
    let round = rounds.over("src/run.sh").await;
    assert_eq!(round.step, DevStep::StartFailed, "{round:#?}");
    let report = round.error.expect("why");
    assert!(report.message.contains("no fire"), "{report}");
    // The repaired server starts at once, in every state of the restart policy.
    open.shown("forge", "it is not up", |view| view.status != Status::Ready)
        .await;
    author.put("src/run.sh", &run("true"));
    let round = rounds.over("src/run.sh").await;
    assert_eq!(round.step, DevStep::Passed, "{round:#?}");
    let view = open.view("forge");
    assert_eq!((view.status, view.attempt), (Status::Ready, 0));
    assert_eq!(view.error, None);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_that_are_written_all_the_time_starve_nobody() {
    let env = TestEnv::new("a flood");
    let author = Author::new(&env, json!({}));
    let open = env.started().await;
    let mut rounds = Rounds::of(&open).await;
    let noise = author.path("src/noise.txt");
    let writing = tokio::spawn(async move {
        for number in 0_u64.. {
            fs::write(&noise, number.to_string()).expect("written");
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    });
    author.tools(&[("echo", "While others write.")]);
    let round = rounds.over("src/tools.json").await;
    assert_eq!(round.step, DevStep::Passed, "{round:#?}");
    assert_eq!(round.tools.len(), 1);
    writing.abort();
    let _ = writing.await;
    // The watch still works after all these writes.
    author.put("src/last.txt", "x");
    rounds.over("src/last.txt").await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_during_examples_are_one_round() {
    let env = TestEnv::new("overtaken");
    let waits = example("waits", "slow", json!({"ms": 600_000}), json!({}));
    let author = Author::new(&env, json!({"examples": [waits]}));
    author.tools(&[("slow", "Waits.")]);
    let mut open = env.started().await;
    let mut rounds = Rounds::of(&open).await;
    author.put("src/a", "1");
    let call = slow_begins(&mut open).await;
    // Writes many files several times while the example runs.
    for text in ["1", "2", "3"] {
        for file in ["src/b", "src/c", "src/d/e"] {
            author.put(file, text);
        }
    }
    open.hall.cancel_call(&call);
    let first = rounds.over("src/a").await;
    assert_eq!(first.step, DevStep::ExamplesFailed, "{first:#?}");
    let call = slow_begins(&mut open).await;
    open.hall.cancel_call(&call);
    let next = rounds.over("src/d/e").await;
    assert_eq!(next.files, ["src/b", "src/c", "src/d/e"], "{next:#?}");
    assert_eq!(next.number, first.number + 1);
    open.close().await;
}

/// Waits for the next call of `slow`.
async fn slow_begins(open: &mut Open) -> CallId {
    open.events
        .find("the call runs", |event| match event {
            HallEvent::CallStarted { call, tool, .. } if tool.as_str() == "slow" => {
                Some(call.clone())
            }
            _ => None,
        })
        .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopped_member_stays_stopped_on_a_change() {
    let env = TestEnv::new("stopped and plain");
    let author = Author::new(&env, json!({}));
    let plain = env.member("plain").recorded().file("a.py", "1");
    plain.write();
    let open = env.started().await;
    let mut rounds = Rounds::of(&open).await;
    fs::write(plain.path().join("a.py"), "2").expect("written");
    open.hall
        .stop_member(&name("forge"))
        .await
        .expect("stopped");
    author.put("src/a", "1");
    let round = rounds.over("src/a").await;
    assert_eq!(round.step, DevStep::NotRunning, "{round:#?}");
    assert_eq!(open.view("forge").status, Status::Stopped);
    assert_eq!(author.starts(), 1);
    let state = open.hall.dev_state(&name("plain")).expect("a member");
    assert!(state.watch.is_none() && state.rounds.is_empty());
    assert_eq!(RecordFile::new(&plain.record_path()).starts().len(), 1);
    let off = open.hall.is_developed(&name("plain")).await;
    assert_eq!(off.expect_err("nobody said so").code, Code::DevOff);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_on_demand_member_is_listed_anew_and_goes_to_rest_again() {
    let env = TestEnv::new("on demand");
    let author = Author::new(&env, json!({"lifecycle": "on-demand"}));
    let mut open = env.started().await;
    open.status("forge", Status::Stopped).await;
    let mut rounds = Rounds::of(&open).await;
    author.tools(&[("echo", "Repeats."), ("add", "Adds.")]);
    let round = rounds.over("src/tools.json").await;
    assert_eq!(round.step, DevStep::Passed, "{round:#?}");
    assert_eq!(round.tools.len(), 1);
    open.shown("forge", "at rest with the new list", |view| {
        view.status == Status::Stopped && view.tools == 2
    })
    .await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn saved_example_is_in_the_manifest_and_runs() {
    let env = TestEnv::new("keeping an example");
    let author = Author::new(&env, json!({}));
    let open = env.started().await;
    let mut rounds = Rounds::of(&open).await;
    let pid = open.view("forge").pid;
    let before = fs::read_to_string(author.path("plugin.json")).expect("there");
    let save = |name: &str, arguments: &str| SaveExample {
        member: crate::test_env::name("forge"),
        name: name.into(),
        tool: ToolName::parse("echo").expect("a name"),
        arguments: arguments.into(),
        expect: r#"{"structured": {"n": 1}}"#.into(),
    };
    let state = open.hall.save_example(save("repeats", r#"{"n": 1}"#)).await;
    let state = state.expect("it is kept");
    assert_eq!(
        state.examples[0].expects,
        [r#"its structured content has {"n":1}"#]
    );
    let after = fs::read_to_string(author.path("plugin.json")).expect("there");
    let (head, _) = after
        .split_once(",\n  \"examples\"")
        .expect("they are there");
    assert!(before.starts_with(head), "{after}");

    // Only the manifest has changed, so the member does not restart, but the example runs.
    let round = rounds.over("plugin.json").await;
    assert_eq!(round.step, DevStep::Passed, "{round:#?}");
    assert_eq!(round.examples.len(), 1);
    assert_eq!(open.view("forge").pid, pid);
    let again = open.hall.save_example(save("repeats", "{}")).await;
    assert_eq!(
        again.expect_err("its name is taken").code,
        Code::ManifestField
    );
    let wrong = open.hall.save_example(save("other", "[]")).await;
    assert_eq!(wrong.expect_err("no object").code, Code::ArgumentsNotJson);
    assert_eq!(
        fs::read_to_string(author.path("plugin.json")).expect("there"),
        after
    );
    open.close().await;
}

fn run_of(names: Option<Vec<String>>) -> RunExamples {
    RunExamples {
        call: CallId::parse("run").expect("an id"),
        member: name("forge"),
        names,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn examples_run_when_they_are_asked_for_and_can_be_broken_off() {
    let env = TestEnv::new("asked for");
    let mut hangs = example("hangs", "slow", json!({"ms": 600_000}), json!({}));
    hangs["timeout_ms"] = json!(200);
    let examples = json!([
        example("waits", "slow", json!({"ms": 600_000}), json!({})),
        example("repeats", "echo", json!({}), json!({})),
        example("is gone", "melt", json!({}), json!({})),
        hangs,
    ]);
    let author = Author::new(&env, json!({"dev": null, "examples": examples}));
    author.tools(&[("echo", "Repeats."), ("slow", "Waits.")]);
    let open = env.started().await;
    let some = Some(["repeats", "is gone", "hangs"].map(str::to_owned).to_vec());
    let round = open
        .hall
        .run_examples(run_of(some))
        .await
        .expect("they run");
    let ends: Vec<_> = round.examples.iter().map(|run| run.end).collect();
    use ExampleEnd::{Failed, Passed};
    assert_eq!(ends, [Passed, Failed, Failed], "{round:#?}");
    let gone = &round.examples[1].differences[0];
    assert!(gone.got.contains("no tool \"melt\""), "{gone:#?}");
    let hung = &round.examples[2].differences[0];
    assert_eq!(hung.part, ExamplePart::Answer, "{hung:#?}");
    let unknown = open
        .hall
        .run_examples(run_of(Some(vec!["repaets".into()])))
        .await;
    let unknown = unknown.expect_err("there is none");
    assert_eq!(unknown.code, Code::ExampleUnknown);
    assert!(unknown.hint.contains("repeats"), "{unknown}");

    let mut events = HallEvents::of(&open.hall);
    let hall = open.hall.clone();
    let running = tokio::spawn(async move { hall.run_examples(run_of(None)).await });
    events
        .find("the call runs", |event| {
            matches!(event, HallEvent::CallStarted { tool, .. } if tool.as_str() == "slow")
                .then_some(())
        })
        .await;
    open.hall.cancel_call(&CallId::parse("run").expect("an id"));
    let round = running.await.expect("no panic").expect("a round");
    assert_eq!(round.step, DevStep::BrokenOff, "{round:#?}");
    assert!(
        round
            .examples
            .iter()
            .all(|run| run.end == ExampleEnd::LeftOut)
    );
    let state = open.hall.dev_state(&name("forge")).expect("a member");
    assert_eq!(state.rounds.first(), Some(&round), "the newest first");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn removed_and_imported_members_are_not_watched() {
    let env = TestEnv::new("removed");
    let author = Author::new(&env, json!({}));
    env.member("foreign")
        .manifest(json!({"dev": {"build": ["touch", "built"]}, "origin": {"from": "bundle"}}))
        .file("a.py", "1")
        .write();
    let mut open = env.started().await;
    let _rounds = Rounds::of(&open).await;
    let foreign = open.view("foreign");
    assert_eq!(foreign.status, Status::Unreviewed);
    let warned = |text: &str| foreign.warnings.iter().any(|w| w.message.contains(text));
    assert!(warned("`dev` has no effect"), "{:#?}", foreign.warnings);
    let off = open.hall.is_developed(&name("foreign")).await;
    assert_eq!(off.expect_err("it comes from elsewhere").code, Code::DevOff);
    // Moves the folder in one step, since its cache may be written at the same time.
    fs::rename(author.folder.path(), env.data_dir().join("gone")).expect("removed");
    open.events
        .find("it is gone", |event| {
            matches!(event, HallEvent::MemberRemoved { member } if member.as_str() == "forge")
                .then_some(())
        })
        .await;
    let gone = open.hall.dev_state(&name("forge"));
    assert_eq!(gone.expect_err("no member").code, Code::MemberUnknown);
    assert!(!Path::new(&env.members_dir().join("foreign/built")).exists());
    open.close().await;
}
