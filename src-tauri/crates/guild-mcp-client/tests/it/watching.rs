//! Tests of subscriptions to resources, as the server receives them.

use std::collections::BTreeSet;
use std::time::Duration;

use guild_mcp_client::{ConnectOptions, McpError, Session, SessionNotification, connect};
use guild_model::protocol::Era;
use serde_json::{Value, json};

use crate::pipe::{self, Pipe};
use crate::{AMPLE, answer, discovered, options, refusal};

fn wanted(uris: &[&str]) -> BTreeSet<String> {
    uris.iter().map(|uri| (*uri).to_owned()).collect()
}

/// Watches exactly these resources. Returns the resources that the server rejected, with the error
/// codes.
async fn watch(session: &Session, uris: &[&str]) -> Vec<(String, Option<i64>)> {
    let refused = session.watch_resources(|| wanted(uris), AMPLE).await;
    let code = |error: McpError| error.rpc().map(|rpc| rpc.code);
    let refused = refused.into_iter();
    refused.map(|(uri, error)| (uri, code(error))).collect()
}

fn updated(uri: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}})
}

#[tokio::test]
async fn legacy_subscription_is_shared_and_ended() {
    let telling = json!({"resources": {"subscribe": true}});
    let (session, mut pipe) = pipe::session(telling).await;
    let mut told = session.notifications();
    let serve = async {
        let mut asked = BTreeSet::new();
        for _ in 0..2 {
            let request = pipe.expect("resources/subscribe").await;
            let uri = request["params"]["uri"].as_str().expect("an address");
            asked.insert(uri.to_owned());
            pipe.say(match uri {
                "x://b" => refusal(&request, -32_002, "there is none"),
                _ => answer(&request, json!({})),
            })
            .await;
        }
        assert_eq!(asked, wanted(&["x://a", "x://b"]));
        pipe.say(updated("x://a")).await;
        // No other request came in between, so a resource that is still watched is not subscribed
        // to again.
        let request = pipe.expect("resources/unsubscribe").await;
        assert_eq!(request["params"]["uri"], "x://a");
        pipe.say(answer(&request, json!({}))).await;
        let request = pipe.expect("resources/subscribe").await;
        pipe.say(answer(&request, json!({}))).await;
    };
    let watching = async {
        let refused = watch(&session, &["x://a", "x://b"]).await;
        assert_eq!(refused, [("x://b".to_owned(), Some(-32_002))]);
        let Ok(SessionNotification::Updated { uri }) = told.recv().await else {
            panic!("the change");
        };
        assert_eq!(&*uri, "x://a");
        assert!(watch(&session, &["x://a"]).await.is_empty());
        assert!(watch(&session, &[]).await.is_empty());
        assert!(watch(&session, &["x://a"]).await.is_empty());
    };
    tokio::join!(serve, watching);
}

#[tokio::test]
async fn a_server_that_tells_of_no_single_resource_is_not_asked() {
    let (session, mut pipe) = pipe::session(json!({"resources": {}})).await;
    let refused = watch(&session, &["x://a"]).await;
    assert_eq!(refused, [("x://a".to_owned(), Some(-32_601))]);
    session.close(Duration::from_secs(1)).await;
    assert_eq!(pipe.next().await, None, "nothing was asked");
}

/// The message with which a server ends a subscription and expects a new one.
fn over(request: &Value) -> Value {
    let meta = json!({"io.modelcontextprotocol/subscriptionId": request["id"]});
    answer(request, json!({"_meta": meta, "resultType": "complete"}))
}

/// Acknowledges a subscription to the resources `taken`.
fn acknowledged(request: &Value, taken: &[&str]) -> Value {
    let meta = json!({"io.modelcontextprotocol/subscriptionId": request["id"]});
    let params = json!({"_meta": meta, "notifications": {"resourceSubscriptions": taken}});
    json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params})
}

/// Opens a session with a server of 2026-07-28 that sends updates of its resources.
async fn modern_session() -> (Session, Pipe) {
    let (mut pipe, link) = Pipe::new();
    let open = async {
        let request = pipe.expect("server/discover").await;
        let telling = json!({"resources": {"subscribe": true}});
        pipe.say(answer(&request, discovered(&["2026-07-28"], telling)))
            .await;
        // Every modern session subscribes to list changes.
        pipe.expect("subscriptions/listen").await;
    };
    let modern = ConnectOptions {
        remembered: Some(Era::Modern),
        ..options()
    };
    let (session, ()) = tokio::join!(connect(link, modern), open);
    (session.expect("a session"), pipe)
}

#[tokio::test]
async fn new_subscription_precedes_the_old_ones_end() {
    let (session, mut pipe) = modern_session().await;
    let watched = |request: &Value| {
        let notifications = &request["params"]["notifications"];
        notifications["resourceSubscriptions"].clone()
    };
    let serve = async {
        let first = pipe.expect("subscriptions/listen").await;
        assert_eq!(watched(&first), json!(["x://a", "x://b"]));
        pipe.say(acknowledged(&first, &["x://a"])).await;
        let second = pipe.expect("subscriptions/listen").await;
        assert_eq!(watched(&second), json!(["x://a", "x://c"]));
        pipe.say(acknowledged(&second, &["x://a", "x://c"])).await;
        let mut over = BTreeSet::new();
        for _ in 0..2 {
            let told = pipe.expect("notifications/cancelled").await;
            over.insert(told["params"]["requestId"].to_string());
        }
        let both = [&first, &second].map(|request| request["id"].to_string());
        assert_eq!(over, BTreeSet::from(both), "each ends once");
    };
    let watching = async {
        let refused = watch(&session, &["x://a", "x://b"]).await;
        assert_eq!(refused, [("x://b".to_owned(), Some(-32_601))]);
        assert!(watch(&session, &["x://a", "x://c"]).await.is_empty());
        assert!(watch(&session, &[]).await.is_empty());
    };
    tokio::join!(serve, watching);
}

/// Returns the next subscription request. Time is paused, so long pauses pass at once.
async fn listens(pipe: &mut Pipe) -> Value {
    loop {
        let next = tokio::time::timeout(Duration::from_secs(86_400), pipe.next());
        let message = next.await.expect("it is asked for").expect("a message");
        match message["method"].as_str() {
            Some("subscriptions/listen") => return message,
            method => assert_eq!(method, Some("notifications/cancelled"), "{message}"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn ending_streams_are_reopened_at_a_bounded_rate() {
    const ENDS: usize = 12;
    let (session, mut pipe) = modern_session().await;
    let mut told = session.notifications();
    let serve = async {
        for _ in 0..ENDS {
            let request = listens(&mut pipe).await;
            pipe.say(acknowledged(&request, &["x://a"])).await;
            tokio::time::sleep(Duration::from_secs(600)).await;
            pipe.say(over(&request)).await;
        }
        // If the server rejects the subscription temporarily, one more request follows.
        let request = listens(&mut pipe).await;
        pipe.say(refusal(&request, -32_000, "not now")).await;
        let request = listens(&mut pipe).await;
        pipe.say(acknowledged(&request, &["x://a"])).await;
    };
    let watching = async {
        assert!(watch(&session, &["x://a"]).await.is_empty());
        for _ in 0..ENDS {
            let Ok(SessionNotification::Updated { uri }) = told.recv().await else {
                panic!("what may have changed in between");
            };
            assert_eq!(&*uri, "x://a");
        }
    };
    tokio::join!(serve, watching);
}

#[tokio::test(start_paused = true)]
async fn refused_subscription_is_retried_on_request() {
    let (session, mut pipe) = modern_session().await;
    let serve = async {
        let request = listens(&mut pipe).await;
        pipe.say(acknowledged(&request, &["x://a"])).await;
        pipe.say(over(&request)).await;
        for _ in 0..4 {
            let request = listens(&mut pipe).await;
            pipe.say(refusal(&request, -32_000, "not now")).await;
        }
        // No further request is sent.
        let silence = tokio::time::timeout(Duration::from_secs(3_600), listens(&mut pipe)).await;
        assert!(silence.is_err(), "{silence:?}");
        let again = async {
            let request = listens(&mut pipe).await;
            pipe.say(acknowledged(&request, &["x://a"])).await;
        };
        let (refused, ()) = tokio::join!(watch(&session, &["x://a"]), again);
        assert!(refused.is_empty());
    };
    let (refused, ()) = tokio::join!(watch(&session, &["x://a"]), serve);
    assert!(refused.is_empty());
}
