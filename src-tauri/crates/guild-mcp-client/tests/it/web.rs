//! An HTTP server for tests, which records every request.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, Method, Response};
use futures::StreamExt;
use guild_mcp_client::{ConnectOptions, ServerTransport, Session, connect};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio_util::task::AbortOnDropHandle;

use crate::{answer, initialized};

/// A request as the server received it.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) verb: Method,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub(crate) fn method(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }

    /// Returns the JSON-RPC method, or the HTTP verb of a request other than POST.
    fn name(&self) -> String {
        match self.verb {
            Method::POST => self.method().to_owned(),
            _ => self.verb.to_string(),
        }
    }
}

/// The server's response to a request.
pub(crate) enum Reply {
    Json(Value),
    /// A stream with these events, which is then closed.
    Events(Vec<Value>),
    /// A stream of events that stays open.
    Open(mpsc::Receiver<Value>),
    /// A stream with these bytes, which stays open.
    Bytes(mpsc::Receiver<Bytes>),
    Text(u16, &'static str, String),
    /// A status with headers, without a body.
    Status(u16, Vec<(&'static str, String)>),
    /// An endless repetition of the same bytes.
    Endless(&'static str, &'static str, Bytes),
    Silence,
    /// A reply that has the header of this session.
    In(&'static str, Box<Reply>),
}

pub(crate) struct Web {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    /// The number of requests that the client cancelled before they were answered.
    pub(crate) given_up: watch::Receiver<usize>,
    /// Changes with each request.
    count: watch::Receiver<usize>,
    _task: AbortOnDropHandle<()>,
}

struct GivenUp(Option<watch::Sender<usize>>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        if let Some(count) = self.0.take() {
            count.send_modify(|count| *count += 1);
        }
    }
}

impl Web {
    pub(crate) async fn start(handle: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (dropped, given_up) = watch::channel(0);
        let (counter, count) = watch::channel(0);
        let handle = Arc::new(handle);
        let log = seen.clone();
        let app = Router::new().fallback(move |request: Request| {
            let (handle, log) = (handle.clone(), log.clone());
            let (dropped, counter) = (dropped.clone(), counter.clone());
            async move {
                let (parts, body) = request.into_parts();
                let body = axum::body::to_bytes(body, 1 << 24).await.unwrap();
                let request = Seen {
                    verb: parts.method,
                    path: parts.uri.path().to_owned(),
                    headers: parts.headers,
                    body: serde_json::from_slice(&body).unwrap_or(Value::Null),
                };
                log.lock().unwrap().push(request.clone());
                counter.send_modify(|count| *count += 1);
                let mut waiting = GivenUp(Some(dropped));
                let response = respond(handle(&request)).await;
                waiting.0 = None;
                response
            }
        });
        let task = tokio::spawn(async move {
            axum::serve(listener, app).await.unwrap();
        });
        Self {
            url,
            seen,
            given_up,
            count,
            _task: AbortOnDropHandle::new(task),
        }
    }

    pub(crate) fn link(&self) -> ServerTransport {
        ServerTransport::Http {
            url: self.url.clone(),
            headers: vec![("X-Key".into(), "secret".into())],
        }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Returns the JSON-RPC methods of all POST requests, and the HTTP verbs of the others, in
    /// order.
    pub(crate) fn story(&self) -> Vec<String> {
        self.seen().iter().map(Seen::name).collect()
    }

    /// Waits until a request with this method or verb was received, and returns it.
    pub(crate) async fn until(&self, name: &str) -> Seen {
        self.shown(|seen| seen.iter().find(|seen| seen.name() == name).cloned())
            .await
    }

    /// Waits until `fits` returns a value for the received requests, and returns that value.
    pub(crate) async fn shown<T>(&self, fits: impl Fn(&[Seen]) -> Option<T>) -> T {
        let mut count = self.count.clone();
        loop {
            count.borrow_and_update();
            let found = fits(&self.seen.lock().unwrap());
            if let Some(found) = found {
                return found;
            }
            count.changed().await.expect("the server runs");
        }
    }

    pub(crate) async fn session(&self, options: ConnectOptions) -> Session {
        connect(self.link(), options)
            .await
            .expect("the handshake succeeds")
    }
}

fn respond(reply: Reply) -> futures::future::BoxFuture<'static, Response<Body>> {
    Box::pin(async move {
        let event = |message: Value| format!("event: message\ndata: {message}\n\n");
        let build = |status: u16, kind: &str, body: Body| {
            Response::builder()
                .status(status)
                .header("content-type", kind)
                .body(body)
                .unwrap()
        };
        match reply {
            Reply::Json(message) => build(200, "application/json", Body::from(message.to_string())),
            Reply::Events(messages) => {
                let text: String = messages.into_iter().map(event).collect();
                build(200, "text/event-stream", Body::from(text))
            }
            Reply::Open(messages) => {
                let stream = futures::stream::unfold(messages, |mut messages| async {
                    let message = messages.recv().await?;
                    Some((message, messages))
                });
                let stream = stream.map(move |message| Ok::<_, std::io::Error>(event(message)));
                build(200, "text/event-stream", Body::from_stream(stream))
            }
            Reply::Bytes(bytes) => {
                let stream = futures::stream::unfold(bytes, |mut bytes| async {
                    let chunk = bytes.recv().await?;
                    Some((Ok::<_, std::io::Error>(chunk), bytes))
                });
                build(200, "text/event-stream", Body::from_stream(stream))
            }
            Reply::Text(status, kind, text) => build(status, kind, Body::from(text)),
            Reply::Status(status, headers) => {
                let mut response = Response::builder().status(status);
                for (name, value) in headers {
                    response = response.header(name, value);
                }
                response.body(Body::empty()).unwrap()
            }
            Reply::Endless(kind, start, bytes) => {
                let start = futures::stream::iter([Ok::<_, std::io::Error>(Bytes::from(start))]);
                let rest = futures::stream::repeat_with(move || Ok(bytes.clone()));
                build(200, kind, Body::from_stream(start.chain(rest)))
            }
            Reply::Silence => std::future::pending().await,
            Reply::In(session, reply) => {
                let mut response = respond(*reply).await;
                response
                    .headers_mut()
                    .insert("mcp-session-id", session.parse().unwrap());
                response
            }
        }
    })
}

/// Answers a request as a legacy server with tools, for requests that a test does not handle
/// itself.
pub(crate) fn legacy(seen: &Seen) -> Reply {
    match (seen.verb.as_str(), seen.method()) {
        ("POST", "initialize") => {
            let version = seen.body["params"]["protocolVersion"].as_str().unwrap();
            Reply::Json(answer(
                &seen.body,
                initialized(version, json!({"tools": {}})),
            ))
        }
        ("POST", method) if method.starts_with("notifications/") => Reply::Status(202, vec![]),
        ("POST", "tools/list") => Reply::Json(answer(
            &seen.body,
            json!({"tools": [{"name": "strike", "inputSchema": {"type": "object"}}]}),
        )),
        ("POST", method) => Reply::Json(crate::refusal(&seen.body, -32601, method)),
        _ => Reply::Status(405, vec![]),
    }
}

/// Starts a server that answers calls with `reply`, and other requests like [`legacy`].
pub(crate) async fn calling(reply: impl Fn(&Value) -> Reply + Send + Sync + 'static) -> Web {
    Web::start(move |seen| match seen.method() {
        "tools/call" => reply(&seen.body),
        _ => legacy(seen),
    })
    .await
}
