//! Predictions, the last step of fallback discovery: after an approval, a model predicts the tools
//! of a server. The model is a local stand-in.

pub(crate) mod model;

use guild_api::wire::{
    ChangeDiscovery, PredictTools, PredictionRequest, SecretPlace, SetSecret, ViewAsAgent,
};
use guild_engine::CACHE_FILE;
use guild_model::discovery::{Confidence, Rung};
use guild_model::status::{Freshness, Status};
use guild_model::tool::Provenance;
use guild_model::{CallId, Code, Report, ToolName};
use guild_tests::{LIMIT, MemberFolder};
use rustix::process::Signal;
use serde_json::{Value, json};

use self::model::{Answer, Model, tools};
use crate::guildhall::CliHarness;
use crate::test_env::{Open, TestEnv, json as read_json, name};

const KEY: &str = "planted-model-key-0123456789";

/// Returns a member that never answers and prints no tools.
fn silent(env: &TestEnv, member: &str) -> MemberFolder {
    env.member(member)
        .args(["--listen-mute"])
        .manifest(json!({"timeouts": {"start_ms": 300, "discovery_ms": 300}}))
}

/// Returns a server that lists its tools without a handshake. Its time limits suit a busy machine.
fn speaking(env: &TestEnv, member: &str) -> MemberFolder {
    silent(env, member)
        .args(["--says", "tools"])
        .manifest(json!({"timeouts": {"start_ms": 300, "discovery_ms": 6_000}}))
}

/// Writes `config.yml` with these lines for `discovery` and below `prediction`.
fn configure(env: &TestEnv, discovery: &str, prediction: &str) {
    std::fs::create_dir_all(env.data_dir()).expect("made");
    let text = format!("{discovery}\nprediction:\n{prediction}\n");
    std::fs::write(env.data_dir().join("config.yml"), text).expect("written");
}

/// Enables predictions with the stand-in.
fn with_model(env: &TestEnv, model: &Model, more: &str) {
    let url = &model.url;
    let prediction = format!("  enabled: true\n  url: {url}\n  model: small\n{more}");
    configure(env, "discovery: {cache: true}", &prediction);
}

async fn shown(open: &Open, member: &str) -> PredictionRequest {
    let request = open.hall.prediction_request(&name(member)).await;
    request.expect("what would be sent")
}

fn yes(request: &PredictionRequest, remember: bool) -> PredictTools {
    PredictTools {
        call: CallId::parse("predict").expect("an id"),
        member: request.member.clone(),
        hash: request.hash.clone(),
        remember,
    }
}

fn names_of(open: &Open, member: &str) -> Vec<String> {
    let tools = open.hall.member_tools(&name(member)).expect("a member");
    let names = tools.tools.iter().map(|tool| tool.name.to_string());
    names.collect()
}

async fn refused(open: &Open, member: &str) -> Report {
    let request = shown(open, member).await;
    let predicted = open.hall.predict_tools(yes(&request, false)).await;
    predicted.expect_err("no tools")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn model_is_asked_only_after_consent() {
    let env = TestEnv::new("prediction");
    let model = Model::new(tools(&["forecast", "alerts"])).await;
    with_model(&env, &model, "  key: ${secret:prediction-key}\n");
    let folder = silent(&env, "weather").env("WEATHER_TOKEN", "planted-in-the-manifest");
    folder.write();
    let open = env.at_rest().await;
    open.hall
        .set_secret(SetSecret {
            name: "prediction-key".into(),
            value: KEY.into(),
            place: Some(SecretPlace::File),
        })
        .await
        .expect("kept");
    let error = open.view("weather").error.expect("why it did not start");
    assert!(error.hint.contains("To ask a model"), "{error}");

    let request = shown(&open, "weather").await;
    assert_eq!((request.remembered, &request.why_not), (false, &None));
    let folder_path = env.members_dir().display().to_string();
    for hidden in [KEY, "planted-in-the-manifest", &folder_path] {
        assert!(
            !request.body.contains(hidden),
            "{hidden} in {}",
            request.body
        );
    }
    assert!(request.body.contains("WEATHER_TOKEN"), "{}", request.body);
    assert_eq!(model.asked(), [], "nothing was sent for that");

    let mut other = yes(&request, false);
    other.hash = "0".repeat(64);
    let report = open.hall.predict_tools(other).await.expect_err("another");
    assert_eq!(report.code, Code::ReviewOutdated);
    assert_eq!(model.asked(), []);

    let predicted = open.hall.predict_tools(yes(&request, false)).await;
    let predicted = predicted.expect("the model's answer");
    let asked = model.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].body, request.body, "as it was shown");
    assert!(
        asked[0]
            .head
            .starts_with("POST /v1/chat/completions HTTP/1.1\r\n"),
        "{}",
        asked[0].head
    );
    let head = asked[0].head.to_ascii_lowercase();
    assert!(
        head.contains(&format!("authorization: bearer {KEY}")),
        "{head}"
    );
    assert_eq!(names_of(&open, "weather"), ["forecast", "alerts"]);
    let found = predicted.found.expect("how");
    assert_eq!(
        (found.rung, found.stream, found.confidence),
        (Rung::Prediction, None, Confidence::Guess)
    );
    let forecast = ToolName::parse("forecast").expect("a name");
    let detail = open.hall.tool_detail(&name("weather"), &forecast);
    assert_eq!(detail.expect("its form").provenance, Provenance::Predicted);
    let refusal = open.refusal("weather", "forecast", "{}").await;
    assert_eq!(refusal.code, Code::ToolUnconfirmed, "{refusal}");
    let view = open
        .hall
        .view_as_agent(ViewAsAgent {
            endpoint: guild_model::endpoint::Endpoint::All,
            listing: None,
        })
        .await
        .expect("a view");
    assert!(view.tools.is_empty(), "{view:#?}");
    assert_eq!(view.withheld.len(), 2);
    assert_eq!(open.view("weather").status, Status::Error);
    open.close().await;

    // The predicted tools are cached like other discovered tools, and not requested again.
    let cache = read_json(&folder.path().join(CACHE_FILE));
    assert_eq!(cache["found"]["rung"], "prediction");
    let open = env.at_rest().await;
    assert_eq!(names_of(&open, "weather"), ["forecast", "alerts"]);
    assert_eq!(open.view("weather").freshness, Freshness::Cached);
    assert_eq!(model.asked().len(), 1);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn remembered_consent_covers_one_request() {
    let env = TestEnv::new("remembered prediction");
    let model = Model::new(tools(&["one"])).await;
    let prediction = format!("  enabled: true\n  url: {}\n  model: small", model.url);
    // Nothing is cached, so each start searches for tools again.
    configure(&env, "discovery: {cache: false}", &prediction);
    let folder = silent(&env, "quiet");
    folder.write();
    let open = env.at_rest().await;
    let request = shown(&open, "quiet").await;
    let predicted = open.hall.predict_tools(yes(&request, true)).await;
    predicted.expect("the model's answer");
    open.close().await;

    let open = env.at_rest().await;
    assert_eq!(
        names_of(&open, "quiet"),
        ["one"],
        "{:#?}",
        open.view("quiet")
    );
    let asked = model.asked();
    assert_eq!(asked.len(), 2, "without a question");
    assert_eq!(asked[0].body, asked[1].body);
    assert!(!asked[1].head.to_ascii_lowercase().contains("authorization"));
    assert!(shown(&open, "quiet").await.remembered);
    open.close().await;

    // Other arguments lead to another request, which was not approved.
    folder.args(["--tools", "3"]).write();
    let open = env.at_rest().await;
    assert_eq!(names_of(&open, "quiet"), [""; 0]);
    assert_eq!(model.asked().len(), 2);
    assert!(!shown(&open, "quiet").await.remembered);
    open.close().await;

    silent(&env, "quiet").write();
    let open = env.open().await;
    assert!(
        shown(&open, "quiet").await.remembered,
        "it is the first again"
    );
    let forgotten = open.hall.forget_prediction(&name("quiet")).await;
    assert!(!forgotten.expect("taken back").remembered);
    open.hall.start_all().settled().await;
    open.hall.at_rest().await;
    assert_eq!(names_of(&open, "quiet"), [""; 0]);
    assert_eq!(model.asked().len(), 2);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faulty_endpoint_is_reported_without_tools() {
    let env = TestEnv::new("bad models");
    let model = Model::new(tools(&["one"])).await;
    with_model(&env, &model, "  timeout: 60000\n");
    silent(&env, "weather").write();
    let open = env.at_rest().await;
    let says = |text: &str| Answer::Says(text.to_owned());
    let error = json!({"error": {"message": "Incorrect key.\u{1b}[31m", "code": 1}}).to_string();
    let declined = json!({"choices": [{"message": {"refusal": "I can't."}}]}).to_string();
    let cut =
        json!({"choices": [{"message": {"content": "{\"tools\": ["}, "finish_reason": "length"}]});
    let elsewhere = Model::new(tools(&["elsewhere"])).await;
    for (answer, expected) in [
        (
            Answer::status(401, "", &error),
            "it rejected the key (HTTP 401): \"Incorrect key.[31m\"",
        ),
        (
            Answer::status(403, "", ""),
            "it rejected the key (HTTP 403)",
        ),
        (
            Answer::status(404, "", "no"),
            "the model or the address doesn't exist",
        ),
        (
            Answer::status(429, "retry-after: 7\r\n", ""),
            "Retry-After: 7",
        ),
        (
            Answer::status(307, &format!("location: {}\r\n", elsewhere.url), ""),
            "it redirects, which Guild Hall does not follow (HTTP 307)",
        ),
        (
            Answer::status(500, "", "<html>"),
            "it has an internal error (HTTP 500)",
        ),
        (
            Answer::status(418, "", ""),
            "it rejected the request (HTTP 418)",
        ),
        (says("<html>no</html>"), "it is not JSON"),
        (says("{}"), "it has no `choices`"),
        (Answer::Says(declined), "the model declined"),
        (
            Answer::Says(cut.to_string()),
            "the model's answer is incomplete",
        ),
        (tools(&[]), "doesn't know this server's tools"),
        (Answer::Floods, "larger than 1,048,576 bytes"),
        (Answer::Closes, "the connection failed"),
    ] {
        model.answers(answer);
        let report = refused(&open, "weather").await;
        assert_eq!(report.code, Code::PredictionFailed, "{expected}: {report}");
        assert!(
            report.to_string().contains(expected),
            "{expected}: {report}"
        );
        assert_eq!(report.member, Some(name("weather")));
    }
    assert_eq!(elsewhere.asked(), [], "no redirect is followed");

    // The model never answers.
    model.answers(Answer::Hangs);
    with_model(&env, &model, "  timeout: 1000\n");
    let report = refused(&open, "weather").await;
    assert!(report.message.contains("no answer within 1 s"), "{report}");
    // The address has no listener.
    let gone = elsewhere.gone().await;
    let prediction = format!("  enabled: true\n  url: {gone}\n  model: small");
    configure(&env, "", &prediction);
    let report = refused(&open, "weather").await;
    assert!(report.message.contains("the connection failed"), "{report}");
    // The key does not exist.
    with_model(&env, &model, "  key: ${secret:no-such-key}\n");
    let report = refused(&open, "weather").await;
    assert_eq!(report.code, Code::SecretMissing, "{report}");
    assert_eq!(names_of(&open, "weather"), [""; 0]);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_is_not_asked_where_it_is_off_too_early_or_needless() {
    let env = TestEnv::new("no prediction");
    let model = Model::new(tools(&["one"])).await;
    silent(&env, "quiet").write();
    speaking(&env, "spoken").write();
    env.member("sound").write();
    env.http("far").write();
    let open = env.open().await;
    let early = async |member: &str| {
        let request = shown(&open, member).await;
        let why = request.why_not.clone().expect("why not");
        let sent = open.hall.predict_tools(yes(&request, false)).await;
        assert_eq!(
            sent.map_err(|report| report.code),
            Err(why.code),
            "{member}"
        );
        why
    };
    let report = open.hall.prediction_request(&name("quiet")).await;
    assert_eq!(
        report.map_err(|report| report.code),
        Err(Code::PredictionOff)
    );

    configure(&env, "", &format!("  url: {}\n  model: small", model.url));
    let why = early("quiet").await;
    assert_eq!(why.code, Code::PredictionOff);
    configure(
        &env,
        "discovery: {enabled: false}",
        &format!("  enabled: true\n  url: {}\n  model: small", model.url),
    );
    assert_eq!(early("quiet").await.code, Code::PredictionOff);
    with_model(&env, &model, "");
    let why = early("quiet").await;
    assert_eq!(why.code, Code::PredictionRefused);
    assert!(why.message.contains("were not tried yet"), "{why}");

    open.hall.start_all().settled().await;
    open.hall.at_rest().await;
    assert_eq!(shown(&open, "quiet").await.why_not, None);
    for member in ["spoken", "sound", "far"] {
        assert_eq!(
            early(member).await.code,
            Code::PredictionRefused,
            "{member}"
        );
    }
    assert_eq!(model.asked(), []);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_prediction_ends_with_cancel_or_close() {
    let env = TestEnv::new("cancelled prediction");
    let model = Model::new(Answer::Hangs).await;
    with_model(&env, &model, "  timeout: 300000\n");
    silent(&env, "weather").write();
    let open = env.at_rest().await;
    for closes in [false, true] {
        let request = yes(&shown(&open, "weather").await, false);
        let (hall, call) = (open.hall.clone(), request.call.clone());
        let asking = tokio::spawn(async move { hall.predict_tools(request).await });
        model.next_question().await;
        match closes {
            false => open.hall.cancel_call(&call),
            true => open.hall.shutdown().await,
        }
        let ended = asking.await.expect("no panic");
        assert_eq!(
            ended.map_err(|report| report.code),
            Err(Code::CallCancelled)
        );
        model.hung_up().await;
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_change_only_if_seen_unchanged() {
    let env = TestEnv::new("discovery settings");
    configure(
        &env,
        "# ours\ndiscovery: {timeout: 900} # short",
        "  enabled: false",
    );
    let open = env.open().await;
    let before = open.hall.discovery_settings().await;
    assert_eq!(before.trouble, None);
    assert_eq!(before.settings.timeout_ms, Some(900));
    let mut wanted = before.settings.clone();
    wanted.prediction.url = "https://models.example.org/v1".into();
    let change = ChangeDiscovery {
        seen: before.settings.clone(),
        settings: wanted.clone(),
    };
    let after = open.hall.change_discovery_settings(change.clone()).await;
    assert_eq!(after.expect("written").settings, wanted);
    let text = std::fs::read_to_string(env.data_dir().join("config.yml")).expect("the file");
    assert_eq!(
        text,
        "# ours\ndiscovery: {timeout: 900} # short\nprediction:\n  enabled: false\n  \
         url: https://models.example.org/v1\n"
    );
    let again = open.hall.change_discovery_settings(change).await;
    let report = again.expect_err("others than were seen");
    assert!(
        report.message.contains("has changed since it was read"),
        "{report}"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_line_shows_the_request_and_sends_it_after_a_yes() {
    let cli = CliHarness::new("discover").await;
    let model = Model::new(tools(&["forecast"])).await;
    with_model(&cli.env, &model, "");
    silent(&cli.env, "weather").write();
    speaking(&cli.env, "spoken").write();
    let found = cli
        .run(&[
            "--json",
            "tools",
            "discover",
            "spoken",
            "--predict",
            "--yes",
        ])
        .await
        .json(0);
    assert_eq!(found["tools"][0]["provenance"], "parsed", "{found}");

    let shown = cli
        .run(&["tools", "discover", "weather", "--show-request"])
        .await;
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    let line = format!("POST {}/chat/completions\n", model.url);
    assert!(shown.stdout.starts_with(&line), "{}", shown.stdout);
    let request = cli
        .run(&["--json", "tools", "discover", "weather", "--show-request"])
        .await
        .json(0);
    let body: Value =
        serde_json::from_str(request["body"].as_str().expect("a body")).expect("JSON");
    assert_eq!(body["model"], "small");

    // No person can approve the request, so nothing is sent.
    let refused = cli
        .run(&["--json", "tools", "discover", "weather", "--predict"])
        .await
        .json(2);
    assert_eq!(refused["error"]["code"], "prediction-refused", "{refused}");
    let plain = cli
        .run(&["--json", "tools", "discover", "weather"])
        .await
        .json(4);
    assert_eq!(plain["error"]["code"], "start-timeout", "{plain}");
    assert_eq!(model.asked(), []);

    let words = [
        "--json",
        "tools",
        "discover",
        "weather",
        "--predict",
        "--yes",
        "--remember",
    ];
    let sent = cli.run(&words).await;
    let body = request["body"].as_str().expect("a body");
    assert!(
        sent.stderr.contains(body),
        "it is shown all the same: {}",
        sent.stderr
    );
    let sent = sent.json(0);
    assert_eq!(sent["tools"][0]["name"], "forecast", "{sent}");
    assert_eq!(sent["tools"][0]["provenance"], "predicted", "{sent}");
    assert_eq!(model.asked().len(), 1);
    let forgotten = cli
        .run(&["--json", "tools", "discover", "weather", "--forget"])
        .await
        .json(0);
    assert_eq!(forgotten["remembered"], false);
    cli.nothing_left();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hall_that_runs_sends_it_for_the_command_line() {
    let cli = CliHarness::new("discover beside").await;
    let model = Model::new(tools(&["forecast"])).await;
    with_model(&cli.env, &model, "");
    silent(&cli.env, "weather").write();
    let mut serve = cli.start(&["serve", "--no-gateway"]);
    let failed = |line: &Value| {
        let member = &line["event"]["member"];
        member["name"] == "weather" && member["status"] == "error"
    };
    serve.line_where("the member has failed", failed).await;
    let words = [
        "--json",
        "tools",
        "discover",
        "weather",
        "--predict",
        "--yes",
    ];
    let sent = cli.run_beside(&words).await.json(0);
    assert_eq!(sent["tools"][0]["provenance"], "predicted", "{sent}");
    assert_eq!(model.asked().len(), 1);
    let known = cli
        .run_beside(&["--json", "tools", "weather"])
        .await
        .json(0);
    assert_eq!(known["tools"], sent["tools"], "the hall has them");
    serve.signal(Signal::TERM);
    let ended = serve.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_cached_prediction_is_a_warning() {
    let env = TestEnv::new("failing prediction");
    let model = Model::new(tools(&["one"])).await;
    let prediction = format!("  enabled: true\n  url: {}\n  model: small", model.url);
    configure(&env, "discovery: {cache: false}", &prediction);
    silent(&env, "quiet").write();
    let open = env.at_rest().await;
    let request = shown(&open, "quiet").await;
    let predicted = open.hall.predict_tools(yes(&request, true)).await;
    predicted.expect("the model's answer");
    open.close().await;
    model.answers(Answer::status(503, "", "down"));
    let open = env.at_rest().await;
    let view = open.view("quiet");
    assert_eq!(view.error.map(|error| error.code), Some(Code::StartTimeout));
    let codes: Vec<Code> = view.warnings.iter().map(|report| report.code).collect();
    assert_eq!(codes, [Code::PredictionFailed], "{:#?}", view.warnings);
    // The member stops without waiting for the model.
    model.answers(Answer::Hangs);
    let hall = open.hall.clone();
    let asking = tokio::spawn(async move { hall.refresh_member(&name("quiet")).await });
    model.next_question().await;
    let stopped = async { open.hall.stop_member(&name("quiet")).await };
    let stopped = tokio::time::timeout(LIMIT, stopped).await;
    let stopped = stopped
        .expect("the model is not waited for")
        .expect("stopped");
    assert_eq!(stopped.status, Status::Stopped);
    assert!(asking.await.expect("no panic").is_err());
    open.close().await;
}
