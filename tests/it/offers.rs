//! Resources and prompts of members: listed, read and used. Results are checked against their
//! schema.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use guild_api::event::HallEvent;
use guild_api::wire::{
    Answered, CallEnd, CompleteArgument, CompletedThing, GetPrompt, MemberOffers, OfferList,
    ReadResource,
};
use guild_model::status::Status;
use guild_model::{CallId, Code, Report};
use guild_schema::validate::CheckedArguments;
use guild_tests::{MemberFolder, RecordFile};
use serde_json::{Value, json};

use crate::test_env::{Open, TestEnv, name, request};

fn id() -> CallId {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    CallId::parse(&format!("offer-{number}")).expect("an id")
}

pub(crate) fn read(member: &str, uri: &str) -> ReadResource {
    ReadResource {
        call: id(),
        member: name(member),
        uri: uri.into(),
        timeout_ms: None,
    }
}

pub(crate) fn prompt(member: &str, prompt: &str, arguments: &[(&str, &str)]) -> GetPrompt {
    let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    GetPrompt {
        call: id(),
        member: name(member),
        prompt: prompt.into(),
        arguments: arguments.iter().map(owned).collect(),
        timeout_ms: None,
    }
}

pub(crate) fn result(answered: &Answered) -> Value {
    match &answered.end {
        CallEnd::Result { result, .. } => serde_json::from_str(result).expect("JSON"),
        CallEnd::Failed { report, .. } => panic!("it failed: {report}"),
    }
}

fn failure(answered: &Answered) -> (&Report, Option<i64>) {
    match &answered.end {
        CallEnd::Result { result, .. } => panic!("it answered: {result}"),
        CallEnd::Failed { report, rpc, .. } => (report, rpc.as_ref().map(|rpc| rpc.code)),
    }
}

async fn offers(open: &Open, member: &str) -> MemberOffers {
    let offers = open.hall.member_offers(&name(member)).await;
    offers.expect("its offers")
}

const WAYS: &[(&str, &[&str])] = &[
    ("stdio", &[]),
    ("http", &["--answer", "sse", "--sessions"]),
    ("stdio", &["--era", "modern"]),
    ("http", &["--era", "modern"]),
];

fn offering(env: &TestEnv, transport: &str, args: &[&str]) -> MemberFolder {
    let member = match transport {
        "http" => env.http("shelf"),
        _ => env.member("shelf"),
    };
    member
        .args(["--offers"])
        .args(args.iter().copied())
        .recorded()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resources_and_prompts_are_listed_and_read() {
    for (transport, args) in WAYS {
        println!("{transport} {args:?}");
        let env = TestEnv::new("offers");
        let folder = offering(&env, transport, &[&["--page-size", "3"], *args].concat());
        let record = RecordFile::new(&folder.record_path());
        folder.write();
        // The members are stopped. The request for the list starts them.
        let open = env.open().await;
        let listed = offers(&open, "shelf").await;
        assert_eq!(open.view("shelf").status, Status::Ready);
        assert_eq!(listed.problems, []);
        let uris: Vec<_> = listed.resources.iter().map(|r| r.uri.as_str()).collect();
        assert_eq!(uris.len(), 8);
        assert_eq!((uris[0], uris[7]), ("fixture://note/1", "fixture://blob"));
        let note = &listed.resources[0];
        assert_eq!(note.title.as_deref(), Some("Note 1"));
        assert_eq!(note.mime_type.as_deref(), Some("text/plain"));
        assert_eq!(note.size, Some(19));
        let variables: Vec<_> = listed
            .templates
            .iter()
            .map(|t| t.variables.join(" "))
            .collect();
        assert_eq!(variables, ["number", "path year month"]);
        let greet = &listed.prompts[0];
        assert_eq!((greet.name.as_str(), greet.arguments.len()), ("greet", 2));
        assert!(greet.arguments[0].required && !greet.arguments[1].required);
        // The review may read the same pages concurrently.
        let requests = record.of_method("resources/list");
        let cursors = requests
            .iter()
            .map(|sent| &sent["message"]["params"]["cursor"]);
        let pages: HashSet<_> = cursors.map(Value::to_string).collect();
        assert_eq!(pages.len(), 3, "{pages:?}");

        let answered = open
            .hall
            .read_resource(read("shelf", "fixture://note/2"))
            .await;
        assert_eq!(
            result(&answered)["contents"][0]["text"],
            "The text of note 2\n"
        );
        let sent: Value =
            serde_json::from_str(answered.request.as_deref().expect("sent")).expect("JSON");
        assert_eq!(sent, record.of_method("resources/read")[0]["message"]);
        let answered = open
            .hall
            .read_resource(read("shelf", "fixture://none"))
            .await;
        let (report, code) = failure(&answered);
        assert_eq!((report.code, code), (Code::RpcError, Some(-32002)));
        assert_eq!(report.member, Some(name("shelf")));

        let arguments = [("name", "the king"), ("tone", "solemn")];
        let answered = open
            .hall
            .get_prompt(prompt("shelf", "greet", &arguments))
            .await;
        let text = &result(&answered)["messages"][0]["content"]["text"];
        assert_eq!(text, "Greet the king in a solemn tone.");
        let answered = open.hall.get_prompt(prompt("shelf", "greet", &[])).await;
        let (report, code) = failure(&answered);
        assert_eq!(
            (report.code, code),
            (Code::RpcError, Some(-32602)),
            "{report}"
        );

        let complete = |of, argument: &str, value: &str, known: &[(&str, &str)]| {
            let known = known.iter().map(|&(k, v)| (k.to_owned(), v.to_owned()));
            let asked = CompleteArgument {
                member: name("shelf"),
                of,
                argument: argument.into(),
                value: value.into(),
                known: BTreeMap::from_iter(known),
            };
            let hall = open.hall.clone();
            async move {
                hall.complete_argument(asked)
                    .await
                    .expect("its member")
                    .values
            }
        };
        let greet = || CompletedThing::Prompt {
            name: "greet".into(),
        };
        let uri_template = "fixture://note/{number}".to_owned();
        let note = CompletedThing::Template { uri_template };
        assert_eq!(
            complete(greet(), "tone", "fr", &[]).await,
            ["friendly", "frosty"]
        );
        let known = [("name", "the king")];
        assert_eq!(complete(greet(), "tone", "", &known).await, ["solemn"]);
        assert_eq!(complete(note, "number", "7", &[]).await, ["7"]);
        assert_eq!(complete(greet(), "name", "x", &[]).await, [""; 0]);
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_offers_has_none_and_is_not_asked() {
    let env = TestEnv::new("no offers");
    let folder = env.member("plain").recorded();
    let record = RecordFile::new(&folder.record_path());
    folder.write();
    let open = env.started().await;
    let listed = offers(&open, "plain").await;
    assert_eq!(
        (
            listed.resources.len(),
            listed.templates.len(),
            listed.prompts.len()
        ),
        (0, 0, 0)
    );
    assert_eq!(listed.problems, []);
    for method in ["resources/list", "resources/templates/list", "prompts/list"] {
        assert!(record.of_method(method).is_empty(), "{method}");
    }
    let unknown = open.hall.member_offers(&name("nobody")).await;
    assert_eq!(
        unknown.expect_err("no such member").code,
        Code::MemberUnknown
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unusable_list_entries_are_reported() {
    let env = TestEnv::new("malformed offers");
    offering(&env, "stdio", &["--malformed-offers"]).write();
    env.member("endless")
        .args(["--offers", "--repeat-offers"])
        .write();
    let open = env.started().await;
    let listed = offers(&open, "shelf").await;
    assert_eq!(
        (
            listed.resources.len(),
            listed.templates.len(),
            listed.prompts.len()
        ),
        (8, 2, 2)
    );
    let problems: Vec<_> = listed.problems.iter().map(|p| (p.list, p.index)).collect();
    let each = |list, last| [Some(1), Some(last - 1), Some(last)].map(|index| (list, index));
    let expected = [
        each(OfferList::Resources, 10),
        each(OfferList::Templates, 4),
        each(OfferList::Prompts, 4),
    ];
    assert_eq!(problems, expected.concat());
    // An endless list is reported as one problem. The other lists are complete.
    let listed = offers(&open, "endless").await;
    assert!(listed.resources.is_empty() && listed.prompts.is_empty());
    assert_eq!(listed.problems.len(), 3, "{:?}", listed.problems);
    for problem in &listed.problems {
        assert_eq!(problem.index, None);
        assert!(
            problem.reason.contains("does not end"),
            "{}",
            problem.reason
        );
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn huge_resource_arrives_too_large_is_refused() {
    let env = TestEnv::new("huge blobs");
    offering(&env, "http", &["--blob", "10485760"]).write();
    env.member("too-large")
        .args(["--offers", "--blob", "13631488"])
        .write();
    let open = env.started().await;
    let answered = open
        .hall
        .read_resource(read("shelf", "fixture://blob"))
        .await;
    let result = result(&answered);
    let blob = result["contents"][0]["blob"].as_str().expect("base64");
    assert_eq!(STANDARD.decode(blob).expect("base64").len(), 10_485_760);
    let answered = open
        .hall
        .read_resource(read("too-large", "fixture://blob"))
        .await;
    let (report, _) = failure(&answered);
    assert_eq!(report.code, Code::AnswerTooLarge, "{report}");
    assert_eq!(open.view("too-large").status, Status::Ready, "it stays up");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reading_is_cancelled_and_ends_at_its_limit_as_a_call_does() {
    let env = TestEnv::new("readings that end");
    for method in ["resources/read", "prompts/get"] {
        env.member(&method.replace('/', "-"))
            .args(["--offers", "--listen-mute", "--on", method])
            .recorded()
            .write();
    }
    let open = env.started().await;
    let late = ReadResource {
        timeout_ms: Some(300),
        ..read("resources-read", "fixture://note/1")
    };
    let answered = open.hall.read_resource(late).await;
    assert_eq!(failure(&answered).0.code, Code::CallTimeout);
    let asked = prompt("prompts-get", "plain", &[]);
    let (hall, call) = (open.hall.clone(), asked.call.clone());
    let running = tokio::spawn(async move { hall.get_prompt(asked).await });
    let record = env.members_dir().join("prompts-get/record.jsonl");
    guild_tests::eventually(guild_tests::LIMIT, "the request arrives", || {
        let seen = RecordFile::new(&record).of_method("prompts/get");
        (!seen.is_empty()).then_some(())
    })
    .await;
    open.hall.cancel_call(&call);
    let answered = running.await.expect("it ends");
    assert_eq!(failure(&answered).0.code, Code::CallCancelled);
    let answered = open.hall.read_resource(read("nobody", "x://y")).await;
    assert_eq!(failure(&answered).0.code, Code::MemberUnknown);
    assert_eq!(answered.request, None);
    open.close().await;
}

async fn promised(open: &Open, arguments: Value) -> Option<CheckedArguments> {
    let outcome = open
        .outcome("smith", "promise", &arguments.to_string())
        .await;
    assert!(matches!(outcome.end, CallEnd::Result { .. }), "{outcome:?}");
    outcome.structured
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn result_is_checked_against_its_output_schema() {
    let schema = json!({
        "type": "object",
        "properties": {"rows": {"type": "array", "items": {"type": "integer"}}},
        "required": ["rows"],
    });
    let env = TestEnv::new("promises");
    env.member("smith")
        .args(["--output-schema".to_owned(), schema.to_string()])
        .write();
    let open = env.started().await;
    let content = json!([]);
    let kept = json!({"content": content, "structuredContent": {"rows": [1, 2]}});
    assert_eq!(
        promised(&open, kept).await,
        Some(CheckedArguments::default())
    );
    let broken = json!({"content": content, "structuredContent": {"rows": [1, "2"]}});
    let check = promised(&open, broken).await.expect("a check");
    let places: Vec<_> = check.errors.iter().map(|e| e.pointer.as_str()).collect();
    assert_eq!(places, ["/rows/1"]);
    let check = promised(&open, json!({"content": content}))
        .await
        .expect("a check");
    assert_eq!(check.errors.len(), 1);
    assert_eq!(check.errors[0].keyword, "structuredContent");
    // The result of a failed tool need not match the output schema.
    let failed = json!({"content": content, "isError": true});
    assert_eq!(promised(&open, failed).await, None);
    // Nor does the result of a tool without an output schema.
    let outcome = open
        .hall
        .invoke(request("smith", "add", r#"{"a": 1, "b": 2}"#))
        .await;
    assert_eq!(outcome.structured, None);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_structured_result_is_checked_and_arrives_whole() {
    let schema = json!({"type": "object", "properties": {"rows": {"type": "array", "items": {
        "type": "object", "properties": {"n": {"type": "integer"}, "text": {"type": "string"}},
        "required": ["n", "text"],
    }}}, "required": ["rows"]});
    let rows: Vec<_> = (0..7_000)
        .map(|n| json!({"n": n, "text": "x".repeat(1_000)}))
        .collect();
    let arguments = json!({"content": [], "structuredContent": {"rows": rows}}).to_string();
    let env = TestEnv::new("a large promise");
    env.member("smith")
        .args(["--output-schema".to_owned(), schema.to_string()])
        .write();
    let open = env.started().await;
    let outcome = open.outcome("smith", "promise", &arguments).await;
    let check = outcome.structured.expect("a check");
    assert_eq!(check.errors, []);
    let CallEnd::Result { result, .. } = outcome.end else {
        panic!("a result");
    };
    assert!(result.len() > 7_000_000);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_says_its_prompts_changed_is_heard_of() {
    let env = TestEnv::new("changed prompts");
    env.member("forge").args(["--conformance"]).write();
    let mut open = env.started().await;
    let change = open
        .outcome("forge", "test_trigger_prompt_change", "{}")
        .await;
    assert!(matches!(change.end, CallEnd::Result { .. }), "{change:?}");
    open.events
        .find("the change", |event| match event {
            HallEvent::OffersChanged {
                member,
                resources: false,
                prompts: true,
            } if *member == name("forge") => Some(()),
            _ => None,
        })
        .await;
    open.close().await;
}
