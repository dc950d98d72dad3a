//! A fake backend for the gateway's tests.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, ready};
use guild_api::event::Progress;
use guild_model::endpoint::{Endpoint, Listing};
use guild_model::{ClientId, MemberName};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;

use crate::{
    AgentCall, EndpointInfo, ForwardedRequest, GatewayBackend, GatewayClient, GatewayError,
    GatewayRequestContext, GatewayResultFuture, GatewayToolList, ListChangeCounts,
    ResourceSubscription, TrafficExchange,
};
use guild_mcp_client::{ElicitationPrompt, RequestedInput};
use guild_mcp_client::{Level, NotificationSink};

/// The token of the only client.
pub(super) const TOKEN: &str = "a-token-that-is-good";

/// Records the backend's calls and holds its answers.
#[derive(Debug)]
pub(super) struct Fake {
    pub(super) wants_token: bool,
    pub(super) revoked: CancellationToken,
    /// The only endpoint at which the token is accepted. `None` for all endpoints.
    pub(super) bound: Mutex<Option<Endpoint>>,
    pub(super) changes: watch::Sender<ListChangeCounts>,
    pub(super) seen: Mutex<Vec<String>>,
    /// Number of running calls.
    pub(super) running: AtomicUsize,
    /// Gets a permit for each call that was dropped before it ended.
    pub(super) left: Semaphore,
    /// Gets a permit for each started call of the tools `wait` and `deaf`.
    pub(super) began: Semaphore,
    /// Each permit ends one call of the tool `wait`.
    pub(super) go: Semaphore,
    /// The requested log levels.
    pub(super) levels: Mutex<Vec<Level>>,
    /// The subscribers to log messages outside of calls.
    pub(super) hears: watch::Sender<Vec<(Arc<dyn NotificationSink>, CancellationToken)>>,
    /// The resource subscriptions.
    pub(super) watches: watch::Sender<Vec<ResourceSubscription>>,
}

impl Fake {
    pub(super) fn new(wants_token: bool) -> Self {
        Self {
            wants_token,
            revoked: CancellationToken::new(),
            bound: Mutex::default(),
            changes: watch::Sender::default(),
            seen: Mutex::default(),
            running: AtomicUsize::new(0),
            left: Semaphore::new(0),
            began: Semaphore::new(0),
            go: Semaphore::new(0),
            levels: Mutex::default(),
            hears: watch::Sender::default(),
            watches: watch::Sender::default(),
        }
    }
}

/// Counts a call while it runs, and records if it is dropped before its end.
struct Running<'a> {
    fake: &'a Fake,
    done: bool,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.fake.running.fetch_sub(1, Ordering::Relaxed);
        if !self.done {
            self.fake.left.add_permits(1);
        }
    }
}

fn raw(value: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("JSON")
}

fn text(text: &str) -> Box<RawValue> {
    raw(&json!({"content": [{"type": "text", "text": text}]}))
}

impl Fake {
    async fn run(
        &self,
        visit: &GatewayRequestContext,
        call: AgentCall,
    ) -> Result<Box<RawValue>, GatewayError> {
        let cancelled = || GatewayError::new(GatewayError::INTERNAL, "The call was cancelled.");
        match call.name.as_str() {
            "echo" => Ok(call.arguments.unwrap_or_else(|| text("nothing"))),
            "who" => Ok(text(&visit.calls_itself)),
            "steps" => {
                for step in 1..=3 {
                    let progress = Progress {
                        progress: f64::from(step),
                        total: Some(3.0),
                        message: Some(format!("step {step}")),
                    };
                    if let Some(steps) = &call.back.progress {
                        steps.send(progress).await.map_err(|_| cancelled())?;
                    }
                }
                Ok(text("done"))
            }
            "log" => {
                if let Some(hearing) = &call.back.hearing {
                    for level in [Level::Info, Level::Debug] {
                        let params = json!({"level": level.as_str(), "data": "heard"});
                        hearing.log(level, &raw(&params));
                    }
                }
                Ok(text("done"))
            }
            "wait" => {
                self.began.add_permits(1);
                tokio::select! {
                    permit = self.go.acquire() => {
                        permit.map_err(|_| cancelled())?.forget();
                        Ok(text("waited"))
                    }
                    () = call.back.cancel.cancelled() => Err(cancelled()),
                }
            }
            "deaf" => {
                self.began.add_permits(1);
                std::future::pending().await
            }
            "ask" | "ask-twice" => {
                let Some(asking) = call.back.asking else {
                    return Ok(text("nobody to ask"));
                };
                let question = |message: &str| ElicitationPrompt {
                    call: None,
                    tool: None,
                    key: Some("who".into()),
                    message: message.into(),
                    wanted: RequestedInput::Values {
                        schema: json!({"type": "object", "properties": {"name": {"type": "string"}}}),
                    },
                };
                if call.name == "ask-twice" {
                    let both = (
                        asking.ask(question("First?")),
                        asking.ask(question("Second?")),
                    );
                    let (first, second) = tokio::join!(both.0, both.1);
                    return Ok(text(&format!("{:?} {:?}", first.content, second.content)));
                }
                let reply = asking.ask(question("Who?")).await;
                Ok(text(&reply.into_result().to_string()))
            }
            "needs" => Err(GatewayError::new(
                -32_021,
                "Missing required client capability",
            )),
            "fail" => Err(GatewayError {
                code: -32_042,
                message: "It \"failed\".".into(),
                data: Some(r#"{"member":"m"}"#.into()),
            }),
            _ => Err(GatewayError::new(
                GatewayError::INVALID_PARAMS,
                "There is no such tool.",
            )),
        }
    }
}

impl GatewayBackend for Fake {
    fn wait_for_first_lists<'a>(&'a self, _: &'a GatewayRequestContext) -> BoxFuture<'a, ()> {
        Box::pin(std::future::ready(()))
    }

    fn client(&self, token: Option<&str>) -> Option<GatewayClient> {
        let client = |name: &str, id: Option<&str>| GatewayClient {
            id: id.map(|id| ClientId::try_from(id.to_owned()).expect("an id")),
            name: name.into(),
            revoked: self.revoked.clone(),
        };
        match token {
            None if !self.wants_token => Some(client("", None)),
            Some(TOKEN) => Some(client("a client", Some("client-1"))),
            Some("another") => Some(client("another", Some("client-2"))),
            _ => None,
        }
    }

    fn admit(&self, client: GatewayClient, endpoint: &Endpoint) -> Result<GatewayClient, String> {
        let bound = self.bound.lock().expect("not poisoned");
        match &*bound {
            Some(only) if only != endpoint => Err(format!("not at {endpoint}, only at {only}")),
            _ => Ok(client),
        }
    }

    fn info(&self, endpoint: &Endpoint) -> Option<EndpointInfo> {
        let time = MemberName::parse("time").expect("a name");
        let there = match endpoint {
            Endpoint::All => true,
            Endpoint::Member { member } => *member == time,
            Endpoint::Profile { .. } => false,
        };
        there.then(|| EndpointInfo {
            name: "Guild Hall".into(),
            instructions: Some("Call \"tools\".".into()),
            resources: true,
            prompts: false,
            completions: false,
            skills: false,
            apps: *endpoint == Endpoint::All,
        })
    }

    fn tools(&self, visit: &GatewayRequestContext) -> Result<GatewayToolList, GatewayError> {
        let tools = match visit.listing {
            None => r#"[{"name":"default"}]"#,
            Some(Listing::Lazy) => r#"[{"name":"lazy"}]"#,
            Some(Listing::Full) => r#"[{"name":"full"}]"#,
            Some(Listing::Search) => r#"[{"name":"search"}]"#,
        };
        Ok(GatewayToolList {
            tools: Bytes::from_static(tools.as_bytes()),
            ttl: Duration::from_secs(5),
        })
    }

    fn describe(&self, _visit: &GatewayRequestContext, name: &str) -> Result<Bytes, GatewayError> {
        if name == "echo" {
            return Ok(Bytes::from_static(br#"{"name":"echo","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}"#));
        }
        let why = format!("There is no tool {name:?}; did you mean \"echo\"?");
        Err(GatewayError::new(GatewayError::INVALID_PARAMS, why))
    }

    fn requires_headers(&self, visit: &GatewayRequestContext, name: &str) -> bool {
        visit.listing == Some(Listing::Full) && name == "echo"
    }

    fn call(
        self: Arc<Self>,
        visit: Arc<GatewayRequestContext>,
        call: AgentCall,
    ) -> GatewayResultFuture {
        Box::pin(async move {
            self.running.fetch_add(1, Ordering::Relaxed);
            let mut running = Running {
                fake: &self,
                done: false,
            };
            let answer = self.run(&visit, call).await;
            running.done = true;
            answer
        })
    }

    fn forward(
        self: Arc<Self>,
        _: Arc<GatewayRequestContext>,
        request: ForwardedRequest,
    ) -> GatewayResultFuture {
        Box::pin(ready(match request.method {
            "resources/list" => Ok(raw(&json!({"resources": []}))),
            "resources/read" => Err(GatewayError::new(-32_002, "There is no such resource.")),
            method => Ok(raw(&json!({
                "method": method,
                "params": request.params,
            }))),
        }))
    }

    fn set_log_level<'a>(
        &'a self,
        _: &'a GatewayRequestContext,
        level: Level,
    ) -> BoxFuture<'a, Result<(), GatewayError>> {
        self.levels.lock().expect("unpoisoned").push(level);
        Box::pin(ready(Ok(())))
    }

    fn subscribe_logs(
        &self,
        _: &GatewayRequestContext,
        hearing: Arc<dyn NotificationSink>,
        over: CancellationToken,
    ) {
        self.hears.send_modify(|all| all.push((hearing, over)));
    }

    fn subscribe<'a>(
        &'a self,
        _: &'a GatewayRequestContext,
        watch: ResourceSubscription,
    ) -> BoxFuture<'a, Result<(), GatewayError>> {
        if watch.uri.starts_with("nobody://") {
            let why = "No member that is up has the resource.";
            return Box::pin(ready(Err(GatewayError::new(
                GatewayError::INVALID_PARAMS,
                why,
            ))));
        }
        self.watches.send_modify(|all| all.push(watch));
        Box::pin(ready(Ok(())))
    }

    fn record(&self, visit: &GatewayRequestContext, exchange: TrafficExchange<'_>) {
        let line = format!(
            "{} {} {:?} {:?} {:?}",
            visit.client.name, exchange.method, exchange.subject, exchange.params, exchange.answer
        );
        self.seen.lock().expect("unpoisoned").push(line);
    }

    fn changes(&self) -> watch::Receiver<ListChangeCounts> {
        self.changes.subscribe()
    }
}
