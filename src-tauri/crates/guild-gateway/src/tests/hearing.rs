//! Tests of members' notifications to agents: log messages and changed resources.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::client::{Lines, Open, call, modern, open, read};
use crate::session::WATCHED_MAX;
use guild_mcp_client::{Level, NotificationSink};

fn params(level: Level) -> Box<RawValue> {
    let params = json!({"level": level.as_str(), "logger": "m", "data": {"n": 1}});
    serde_json::value::to_raw_value(&params).expect("JSON")
}

async fn ask(gateway: &Open, session: &str, method: &str, params: Value) -> Value {
    let body = json!({"jsonrpc": "2.0", "id": 4, "method": method, "params": params});
    let mut request = gateway.posting("/mcp", &body.to_string());
    if !session.is_empty() {
        request = request.header("mcp-session-id", session);
    }
    read(request.send().await.expect("an answer")).await.json()
}

async fn stream(gateway: &Open, session: &str) -> Lines {
    let request = gateway
        .request(Method::GET, "/mcp")
        .header("accept", "text/event-stream")
        .header("mcp-session-id", session);
    Lines::of(request.send().await.expect("a stream"))
}

/// Waits for the first subscriber to log messages outside of calls.
async fn listener(gateway: &Open) -> (Arc<dyn NotificationSink>, CancellationToken) {
    let mut hears = gateway.fake.hears.subscribe();
    let hears = hears.wait_for(|all| !all.is_empty()).await;
    hears.expect("open").last().expect("one").clone()
}

async fn ended(over: &CancellationToken) {
    let ended = tokio::time::timeout(Duration::from_secs(5), over.cancelled());
    ended.await.expect("in time");
}

#[tokio::test]
async fn a_session_hears_a_call_s_log_from_its_level_on() {
    let gateway = open().await;
    let session = gateway.session("2025-06-18", json!({})).await;
    let heard = async || {
        let sent = gateway
            .posting("/mcp", &call(3, "log"))
            .header("mcp-session-id", &session);
        let answer = read(sent.send().await.expect("an answer")).await.text;
        let data = answer
            .lines()
            .filter_map(|line| line.strip_prefix("data: "));
        let messages = data.filter_map(|data| serde_json::from_str::<Value>(data).ok());
        let levels = messages.filter_map(|it| Some(it["params"]["level"].as_str()?.to_owned()));
        levels.collect::<Vec<_>>()
    };
    assert_eq!(heard().await, ["info", "debug"], "as its member sees fit");
    let wrong = ask(
        &gateway,
        &session,
        "logging/setLevel",
        json!({"level": "loud"}),
    );
    assert_eq!(wrong.await["error"]["code"], -32_602);
    for (level, expect) in [
        ("info", vec!["info"]),
        ("debug", vec!["info", "debug"]),
        ("error", vec![]),
    ] {
        let set = ask(
            &gateway,
            &session,
            "logging/setLevel",
            json!({"level": level}),
        );
        assert_eq!(set.await["result"], json!({}));
        assert_eq!(heard().await, expect, "{level}");
    }
    let levels = gateway.fake.levels.lock().expect("unpoisoned").clone();
    assert_eq!(levels, [Level::Info, Level::Debug, Level::Error]);
    gateway.close().await;
}

#[tokio::test]
async fn a_session_s_stream_tells_what_is_logged_outside_of_calls() {
    let gateway = open().await;
    let session = gateway.session("2025-06-18", json!({})).await;
    let mut lines = stream(&gateway, &session).await;
    let (hearing, over) = listener(&gateway).await;
    hearing.log(Level::Emergency, &params(Level::Emergency));
    let set = json!({"level": "warning"});
    ask(&gateway, &session, "logging/setLevel", set).await;
    assert_eq!(hearing.level(), Some(Level::Warning));
    hearing.log(Level::Notice, &params(Level::Notice));
    hearing.log(Level::Error, &params(Level::Error));
    let heard = lines.message().await;
    assert_eq!(
        heard,
        json!({"jsonrpc": "2.0", "method": "notifications/message",
            "params": {"level": "error", "logger": "m", "data": {"n": 1}}}),
        "nothing before a level was set, and nothing below it"
    );
    drop(lines);
    ended(&over).await;
    gateway.close().await;
}

#[tokio::test]
async fn a_session_hears_of_the_resources_that_it_watches() {
    let gateway = open().await;
    let session = gateway.session("2025-06-18", json!({})).await;
    let watch =
        async |method: &str, uri: &str| ask(&gateway, &session, method, json!({"uri": uri})).await;
    let mut lines = stream(&gateway, &session).await;
    let subscribed = watch("resources/subscribe", "note://1").await;
    assert_eq!(subscribed["result"], json!({}));
    let tell = |uri: &str| {
        let watches = gateway.fake.watches.borrow();
        let watch = watches.iter().find(|watch| watch.uri == uri);
        let watch = watch.expect("it is watched");
        watch.hearing.updated(uri);
        watch.over.clone()
    };
    let over = tell("note://1");
    assert_eq!(
        lines.message().await,
        json!({"jsonrpc": "2.0", "method": "notifications/resources/updated",
            "params": {"uri": "note://1"}})
    );
    assert!(!over.is_cancelled());
    let refused = watch("resources/subscribe", "nobody://1").await;
    assert_eq!(refused["error"]["code"], -32_602, "{refused}");
    let odd = ask(&gateway, &session, "resources/subscribe", json!({"uri": 7}));
    assert_eq!(odd.await["error"]["code"], -32_602);
    let nobody = ask(
        &gateway,
        "",
        "resources/subscribe",
        json!({"uri": "note://1"}),
    );
    assert_eq!(nobody.await["error"]["code"], -32_600, "no session");
    let gone = watch("resources/unsubscribe", "note://1").await;
    assert_eq!(gone["result"], json!({}));
    ended(&over).await;
    for n in 0..WATCHED_MAX {
        let uri = format!("many://{n}");
        let watched = watch("resources/subscribe", &uri).await;
        assert_eq!(watched["result"], json!({}), "{n}");
    }
    let more = watch("resources/subscribe", "many://more").await;
    assert_eq!(more["error"]["code"], -32_000, "{more}");
    let over = tell("many://0");
    let deleted = gateway
        .request(Method::DELETE, "/mcp")
        .header("mcp-session-id", &session);
    assert_eq!(deleted.send().await.expect("an answer").status(), 204);
    ended(&over).await;
    gateway.close().await;
}

#[tokio::test]
async fn in_2026_07_28_a_subscription_names_the_resources() {
    let gateway = open().await;
    let params = json!({"notifications": {
        "resourceSubscriptions": ["note://1", "nobody://2", "note://1", "note://3"],
    }});
    let sent = modern(&gateway, 8, "subscriptions/listen", params, json!({}));
    let mut lines = Lines::of(sent.send().await.expect("a stream"));
    let id = json!({"io.modelcontextprotocol/subscriptionId": 8});
    let acknowledged = lines.message().await;
    assert_eq!(
        acknowledged["params"]["notifications"],
        json!({"resourceSubscriptions": ["note://1", "note://3"]}),
        "those that are watched, each once"
    );
    let (uris, over) = {
        let watches = gateway.fake.watches.borrow();
        watches[0].hearing.updated("note://1/part");
        let uris: Vec<_> = watches.iter().map(|watch| watch.uri.clone()).collect();
        (uris, watches[0].over.clone())
    };
    assert_eq!(uris, ["note://1", "note://3"]);
    assert_eq!(
        lines.message().await,
        json!({"jsonrpc": "2.0", "method": "notifications/resources/updated",
            "params": {"uri": "note://1/part", "_meta": id}})
    );
    assert!(!over.is_cancelled());
    drop(lines);
    ended(&over).await;
    let many: Vec<_> = (0..=WATCHED_MAX).map(|n| format!("a://{n}")).collect();
    let params = json!({"notifications": {"resourceSubscriptions": many}});
    let sent = modern(&gateway, 8, "subscriptions/listen", params, json!({})).send();
    let refused = read(sent.await.expect("an answer")).await.json();
    assert_eq!(refused["error"]["code"], -32_602);
    gateway.close().await;
}
