//! Tests of HTTP+SSE, the transport of 2024-11-05.

use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use guild_api::wire::ElicitationAction;
use guild_mcp_client::sign_in::{AuthDecision, SignedIn, Want};
use guild_mcp_client::{
    CallOptions, ConnectOptions, ElicitationHandler, ElicitationPrompt, ElicitationReply, McpError,
    ServerTransport, Session, SessionEvent, connect,
};
use guild_model::Code;
use guild_model::protocol::Era;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::opening::unknown;
use crate::web::{Reply, Web};
use crate::{answer, arguments, call_options, initialized, options, tool};

const ENDPOINT: &str = "event: endpoint\ndata: /messages?session=1\n\n";

type Stream = Arc<Mutex<Option<mpsc::Sender<Bytes>>>>;

/// A server with HTTP+SSE at a path. `call` returns the messages that the server sends after a tool
/// call.
struct SseServer {
    web: Web,
    stream: Stream,
}

impl SseServer {
    async fn start(
        path: &'static str,
        call: impl Fn(&Value) -> Vec<Value> + Send + Sync + 'static,
    ) -> Self {
        let stream: Stream = Arc::default();
        let current = stream.clone();
        let web = Web::start(move |seen| match (seen.verb.as_str(), seen.path.as_str()) {
            ("GET", at) if at == path => {
                let (sender, bytes) = mpsc::channel(64);
                sender.try_send(ENDPOINT.into()).expect("room");
                *current.lock().unwrap() = Some(sender);
                Reply::Bytes(bytes)
            }
            ("POST", "/messages") => {
                for message in replies(&seen.body, &call) {
                    let event = format!(": ping\nevent: message\r\ndata: {message}\n\n");
                    let current = current.lock().unwrap();
                    let sender = current.as_ref().expect("a stream");
                    sender.try_send(event.into()).expect("room");
                }
                Reply::Text(202, "text/plain", "Accepted".into())
            }
            _ => Reply::Status(404, vec![]),
        })
        .await;
        Self { web, stream }
    }

    fn link(&self, path: &str) -> ServerTransport {
        ServerTransport::Http {
            url: self.web.url.replace("/mcp", path),
            headers: vec![("X-Key".into(), "secret".into())],
        }
    }

    async fn session(&self, options: ConnectOptions) -> Session {
        connect(self.link("/sse"), options)
            .await
            .expect("a session")
    }

    fn end_stream(&self) {
        *self.stream.lock().unwrap() = None;
    }

    fn send(&self, bytes: impl Into<Bytes>) {
        let stream = self.stream.lock().unwrap();
        let sender = stream.as_ref().expect("a stream");
        sender.try_send(bytes.into()).expect("room");
    }
}

fn replies(message: &Value, call: &impl Fn(&Value) -> Vec<Value>) -> Vec<Value> {
    match message["method"].as_str() {
        Some("initialize") => {
            vec![answer(
                message,
                initialized("2024-11-05", json!({"tools": {}})),
            )]
        }
        Some("tools/list") => {
            let tools = json!([{"name": "strike", "inputSchema": {"type": "object"}}]);
            vec![answer(message, json!({"tools": tools}))]
        }
        Some("tools/call") => call(message),
        _ => vec![],
    }
}

fn sse_only() -> ConnectOptions {
    ConnectOptions {
        sse_only: true,
        ..options()
    }
}

async fn call(session: &Session, options: CallOptions) -> Result<Value, McpError> {
    let arguments = arguments(json!({}));
    session.call(&tool("strike"), arguments, options).await
}

#[tokio::test]
async fn sse_is_recognized_after_a_refusal() {
    let remembered = ConnectOptions {
        remembered: Some(Era::Legacy),
        ..options()
    };
    for (path, opens, posts) in [
        ("/sse", remembered, 2),
        ("/sse", unknown(), 2),
        ("/mcp", options(), 2),
    ] {
        let server = SseServer::start("/sse", |request| {
            let token = &request["params"]["_meta"]["progressToken"];
            let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress",
                "params": {"progressToken": token, "progress": 1}});
            vec![progress, answer(request, json!({"content": [{"n": 7}]}))]
        })
        .await;
        let session = connect(server.link(path), opens).await.expect("a session");
        assert!(session.uses_sse());
        assert_eq!(session.server().protocol_version, "2024-11-05");
        assert_eq!(
            session
                .list_tools(crate::AMPLE)
                .await
                .expect("a list")
                .tools
                .len(),
            1
        );
        let (steps, mut progress) = mpsc::channel(4);
        let options = CallOptions {
            progress: Some(steps),
            ..call_options()
        };
        let result = call(&session, options).await.expect("a result");
        assert_eq!(result, json!({"content": [{"n": 7}]}));
        assert_eq!(progress.recv().await.expect("a step").progress, 1.0);
        let seen = server.web.seen();
        let refused = seen
            .iter()
            .filter(|seen| seen.verb == "POST" && seen.path == path);
        assert!(refused.count() <= posts);
        for seen in seen {
            assert_eq!(seen.header("x-key"), Some("secret"), "{seen:?}");
        }
    }
}

#[tokio::test]
async fn chosen_sse_sends_no_other_request_first() {
    let server = SseServer::start("/sse", |_| vec![]).await;
    let session = server.session(sse_only()).await;
    assert_eq!(server.web.story()[..2], ["GET", "initialize"]);
    assert_eq!(session.server().era, Era::Legacy);
}

#[tokio::test]
async fn unusable_streams_are_refused() {
    let other = Web::start(|_| Reply::Status(202, vec![])).await;
    let foreign = format!("event: endpoint\ndata: {}\n\n", other.url);
    let long = format!("event: endpoint\ndata: /{}\n\n", "m".repeat(5_000));
    for (stream, expected, is_named) in [
        (
            "event: message\ndata: {}\n\n".to_owned(),
            "doesn't begin",
            false,
        ),
        (": nothing\n\n".to_owned(), "doesn't begin", false),
        (foreign, "another server", true),
        (long, "larger than 4,096 bytes", true),
        (
            "event: endpoint\ndata: http://[\n\n".to_owned(),
            "not valid",
            true,
        ),
    ] {
        let web = Web::start(move |seen| match seen.verb.as_str() {
            "GET" => Reply::Text(200, "text/event-stream", stream.clone()),
            _ => Reply::Status(405, vec![]),
        })
        .await;
        let failure = connect(web.link(), sse_only()).await.expect_err("refused");
        assert!(matches!(failure.error, McpError::Endpoint(_)), "{failure}");
        assert!(failure.error.to_string().contains(expected), "{failure}");
        assert_eq!(failure.error.code(), Code::HandshakeFailed);
        // If no stream names an address for messages, the error of the rejected POST is the better
        // explanation.
        let failure = connect(web.link(), options()).await.expect_err("refused");
        let named = matches!(failure.error, McpError::Endpoint(_));
        assert_eq!(named, is_named, "{failure}");
    }
    assert!(other.seen().is_empty(), "no message went to another server");
}

#[tokio::test]
async fn web_page_is_no_stream() {
    let web = Web::start(|_| Reply::Text(200, "text/html", "<h1>Welcome</h1>".into())).await;
    let failure = connect(web.link(), sse_only()).await.expect_err("refused");
    assert!(
        matches!(failure.error, McpError::Malformed { .. }),
        "{failure}"
    );
    let web = Web::start(|_| Reply::Status(307, vec![("location", "/other".into())])).await;
    let failure = connect(web.link(), sse_only()).await.expect_err("refused");
    assert!(failure.error.report().hint.contains("/other"), "{failure}");
}

#[tokio::test(start_paused = true)]
async fn silent_stream_is_given_up_at_its_limit() {
    for endless in [false, true] {
        let web = Web::start(move |seen| match (seen.verb.as_str(), endless) {
            ("GET", false) => Reply::Silence,
            ("GET", true) => Reply::Endless("text/event-stream", "", Bytes::from_static(b"data:")),
            _ => Reply::Status(405, vec![]),
        })
        .await;
        let failure = connect(web.link(), sse_only()).await.expect_err("refused");
        assert!(matches!(failure.error, McpError::Endpoint(_)), "{failure}");
    }
}

#[tokio::test]
async fn ended_stream_ends_calls_and_session() {
    let server = Arc::new(SseServer::start("/sse", |_| vec![]).await);
    let mut session = server.session(sse_only()).await;
    let mut events = session.take_events().expect("events");
    let ended = async {
        server.web.until("tools/call").await;
        server.end_stream();
    };
    let (result, ()) = tokio::join!(call(&session, call_options()), ended);
    let error = result.expect_err("no result");
    assert_eq!(error.code(), Code::CallInterrupted, "{error}");
    assert!(error.to_string().contains("ended the stream"), "{error}");
    let reason = loop {
        if let SessionEvent::Closed { reason } = events.recv().await.expect("an event") {
            break reason;
        }
    };
    assert!(reason.is_some_and(|reason| reason.contains("ended the stream")));
    assert!(session.is_closed());
    assert_eq!(
        server
            .web
            .story()
            .iter()
            .filter(|name| *name == "tools/call")
            .count(),
        1
    );
}

#[tokio::test]
async fn oversized_event_ends_the_session() {
    let server = SseServer::start("/sse", |_| vec![]).await;
    let mut session = server.session(sse_only()).await;
    let mut events = session.take_events().expect("events");
    server.send("data: ");
    for _ in 0..17 {
        server.send(vec![b'x'; 1 << 20]);
    }
    let closed = loop {
        if let SessionEvent::Closed { reason } = events.recv().await.expect("an event") {
            break reason.expect("a reason");
        }
    };
    assert!(closed.contains("larger than 16 MiB"), "{closed}");
}

#[tokio::test]
async fn unknown_events_and_messages_are_skipped() {
    let server = SseServer::start("/sse", |request| {
        vec![answer(request, json!({"content": []}))]
    })
    .await;
    let session = server.session(sse_only()).await;
    server.send("event: ping\ndata: now\n\ndata: not json\n\n");
    server.send("event: endpoint\ndata: http://127.0.0.1:1/elsewhere\n\n");
    call(&session, call_options()).await.expect("a result");
    assert_eq!(server.web.seen().last().expect("one").path, "/messages");
}

#[tokio::test]
async fn call_over_sse_can_be_cancelled() {
    let server = SseServer::start("/sse", |_| vec![]).await;
    let session = server.session(sse_only()).await;
    let cancel = CancellationToken::new();
    let options = CallOptions {
        cancel: cancel.clone(),
        ..call_options()
    };
    let cancelling = async {
        let request = server.web.until("tools/call").await;
        cancel.cancel();
        request
    };
    let (result, request) = tokio::join!(call(&session, options), cancelling);
    assert_eq!(result.expect_err("cancelled"), McpError::Cancelled);
    let cancelled = server.web.until("notifications/cancelled").await;
    assert_eq!(cancelled.body["params"]["requestId"], request.body["id"]);
}

#[tokio::test]
async fn refused_post_fails_its_call_only() {
    let server = Web::start(|seen| match (seen.verb.as_str(), seen.method()) {
        ("GET", _) => {
            let result = answer(&json!({"id": 0}), initialized("2024-11-05", json!({})));
            let (sender, bytes) = mpsc::channel(4);
            sender.try_send(ENDPOINT.into()).expect("room");
            sender
                .try_send(format!("data: {result}\n\n").into())
                .expect("room");
            tokio::spawn(async move { sender.closed().await });
            Reply::Bytes(bytes)
        }
        (_, "tools/call") => Reply::Text(500, "text/plain", "the anvil broke".into()),
        _ => Reply::Status(202, vec![]),
    })
    .await;
    let session = server.session(sse_only()).await;
    let error = call(&session, call_options()).await.expect_err("refused");
    assert!(
        matches!(error, McpError::HttpStatus { status: 500, .. }),
        "{error}"
    );
    assert!(error.to_string().contains("the anvil broke"), "{error}");
    assert!(!session.is_closed());
}

#[derive(Debug)]
struct Declines;

impl ElicitationHandler for Declines {
    fn ask(&self, question: ElicitationPrompt) -> BoxFuture<'static, ElicitationReply> {
        assert_eq!(question.message, "Which anvil?");
        let action = ElicitationAction::Decline;
        async move {
            ElicitationReply {
                action,
                content: None,
            }
        }
        .boxed()
    }
}

#[tokio::test]
async fn questions_over_sse_are_answered_by_post() {
    let server = SseServer::start("/sse", |request| {
        let schema = json!({"type": "object", "properties": {}});
        let params = json!({"message": "Which anvil?", "requestedSchema": schema});
        vec![
            json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": params}),
            json!({"jsonrpc": "2.0", "id": "r", "method": "roots/list"}),
            answer(request, json!({"content": []})),
        ]
    })
    .await;
    let options = ConnectOptions {
        asking: Some(Arc::new(Declines)),
        ..sse_only()
    };
    let session = server.session(options).await;
    call(&session, call_options()).await.expect("a result");
    let replied = |id: &'static str| {
        let find = move |seen: &[crate::web::Seen]| {
            let mut bodies = seen.iter().map(|seen| seen.body.clone());
            bodies.find(|body| body["id"] == id)
        };
        server.web.shown(find)
    };
    assert_eq!(replied("q").await["result"]["action"], "decline");
    assert!(replied("r").await.get("error").is_some());
}

#[derive(Debug)]
struct OneToken;

impl SignedIn for OneToken {
    fn token(&self) -> BoxFuture<'_, Option<Arc<str>>> {
        async { Some(Arc::from("token")) }.boxed()
    }

    fn refused(&self, _: Want, _: Option<Arc<str>>) -> BoxFuture<'_, AuthDecision> {
        async { AuthDecision::SignIn }.boxed()
    }
}

#[tokio::test]
async fn token_is_sent_with_stream_and_messages() {
    let signed = || Some(Arc::new(OneToken) as Arc<dyn SignedIn>);
    let server = SseServer::start("/sse", |_| vec![]).await;
    let options = ConnectOptions {
        signed: signed(),
        ..options()
    };
    let _session = server.session(options.clone()).await;
    for seen in server.web.seen() {
        assert_eq!(
            seen.header("authorization"),
            Some("Bearer token"),
            "{seen:?}"
        );
    }
    let web = Web::start(|seen| match seen.verb.as_str() {
        "GET" => Reply::Status(401, vec![("www-authenticate", "Bearer".into())]),
        _ => Reply::Status(405, vec![]),
    })
    .await;
    let failure = connect(web.link(), options).await.expect_err("refused");
    assert!(matches!(failure.error, McpError::SignIn(_)), "{failure}");
}
