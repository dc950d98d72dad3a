//! Tests, over HTTP, of the slots that a server's requests occupy until they are answered, and of
//! requests that can't be parsed.

use std::sync::Mutex;

use guild_mcp_client::Session;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::web::{self, Reply, Seen, Web};
use crate::{AMPLE, answer, arguments, call_options, options, pipe, tool};

/// Limit of a server's requests that may wait for their answers.
const PLACES: usize = 256;

fn ping(id: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": format!("own {id}"), "method": "ping"})
}

/// Requests of which only the id can be parsed.
fn misshapen() -> [Value; 2] {
    let mut deep = ping("deep");
    deep["params"]["deep"] = (0..200).fold(json!(1), |deep, _| json!([deep]));
    let mut other = ping("other");
    other["jsonrpc"] = "1.0".into();
    [deep, other]
}

/// Returns the client's answers to the server's requests.
fn answers(seen: &[Seen]) -> Vec<&Value> {
    let bodies = seen.iter().map(|seen| &seen.body);
    let own = |id: &Value| id.as_str().is_some_and(|id| id.starts_with("own "));
    bodies.filter(|body| own(&body["id"])).collect()
}

/// A server that answers each call with the next of the streams in `streams`, or with a request if
/// there is none. `to_answers` is its response to an answer.
struct Asking {
    web: Web,
    streams: mpsc::Sender<mpsc::Receiver<Value>>,
    session: Session,
}

impl Asking {
    async fn start(to_answers: fn() -> Reply) -> Self {
        let (streams, given) = mpsc::channel::<mpsc::Receiver<Value>>(4);
        let given = Mutex::new(given);
        let web = Web::start(move |seen| match seen.method() {
            "tools/call" => match given.lock().expect("not poisoned").try_recv() {
                Ok(stream) => Reply::Open(stream),
                Err(_) => Reply::Json(ping(&seen.body["id"].to_string())),
            },
            "" if !answers(std::slice::from_ref(seen)).is_empty() => to_answers(),
            _ => web::legacy(seen),
        })
        .await;
        let session = web.session(options()).await;
        Self {
            web,
            streams,
            session,
        }
    }

    /// Makes a call, as text or as a value. Returns whether it got a result.
    async fn call(&self, as_text: bool) -> bool {
        let name = tool("strike");
        if as_text {
            let called = self.session.call_text(&name, None, call_options());
            return called.await.is_ok();
        }
        let called = self
            .session
            .call(&name, arguments(json!({})), call_options());
        called.await.is_ok()
    }

    /// Prepares a stream for the next call. Returns the stream, and a future of that call as the
    /// server receives it.
    async fn stream(&self) -> (mpsc::Sender<Value>, impl Future<Output = Value>) {
        let (stream, streamed) = mpsc::channel(4);
        self.streams.send(streamed).await.expect("the server runs");
        let calls = |seen: &[Seen]| {
            let calls = seen.iter().filter(|seen| seen.method() == "tools/call");
            calls.map(|call| call.body.clone()).collect::<Vec<_>>()
        };
        let before = calls(&self.web.seen()).len();
        let called = self.web.shown(move |seen| calls(seen).get(before).cloned());
        (stream, called)
    }

    /// Makes a call. The server sends `times` requests on its stream, and waits for each answer.
    async fn answers(&self, as_text: bool, times: usize) {
        let (stream, called) = self.stream().await;
        let before = answers(&self.web.seen()).len();
        let serve = async {
            let call = called.await;
            for n in 1..=times {
                let asked = ping(&format!("{as_text} {n}"));
                stream.send(asked).await.expect("the stream is read");
                let answered = |seen: &[Seen]| (answers(seen).len() == before + n).then_some(());
                self.web.shown(answered).await;
            }
            let end = answer(&call, json!({"content": []}));
            stream.send(end).await.expect("the stream is read");
        };
        ends_well(self.call(as_text), serve).await;
    }
}

/// Runs a call and its server. The call must get a result, and both must end in time.
async fn ends_well(call: impl Future<Output = bool>, serve: impl Future<Output = ()>) {
    let both = async { tokio::join!(call, serve) };
    let (has_result, ()) = timeout(AMPLE, both).await.expect("in time");
    assert!(has_result);
}

#[tokio::test]
async fn requests_in_the_place_of_answers_take_no_place_of_others() {
    let asking = Asking::start(|| Reply::Status(202, vec![])).await;
    for as_text in [true, false] {
        for _ in 0..PLACES + 10 {
            assert!(!asking.call(as_text).await, "a request is no answer");
        }
        asking.answers(as_text, 1).await;
    }
}

#[tokio::test]
async fn a_place_is_free_again_once_its_answer_was_taken() {
    let asking = Asking::start(|| Reply::Status(202, vec![])).await;
    for as_text in [true, false] {
        asking.answers(as_text, PLACES + 10).await;
    }
}

#[tokio::test]
async fn an_answer_that_the_server_does_not_take_keeps_its_place() {
    let asking = Asking::start(|| Reply::Silence).await;
    let (stream, called) = asking.stream().await;
    let serve = async {
        let call = called.await;
        for n in 0..PLACES + 10 {
            let asked = ping(&n.to_string());
            stream.send(asked).await.expect("the stream is read");
        }
        let all = |seen: &[Seen]| (answers(seen).len() >= PLACES).then_some(());
        asking.web.shown(all).await;
        let end = answer(&call, json!({"content": []}));
        stream.send(end).await.expect("the stream is read");
    };
    ends_well(asking.call(true), serve).await;
    let taken = answers(&asking.web.seen()).len();
    assert_eq!(taken, PLACES, "none was taken beyond them");
}

#[tokio::test]
async fn a_request_that_can_not_be_read_is_refused_as_such() {
    let (_session, mut pipe) = pipe::with_tools().await;
    for asked in misshapen() {
        pipe.say(asked.clone()).await;
        let refused = pipe.next().await.expect("an answer");
        assert_eq!(refused["id"], asked["id"]);
        assert_eq!(refused["error"]["code"], -32_600, "{refused}");
    }
    let asking = Asking::start(|| Reply::Status(202, vec![])).await;
    let (stream, called) = asking.stream().await;
    let serve = async {
        let call = called.await;
        for (n, asked) in misshapen().into_iter().enumerate() {
            stream
                .send(asked.clone())
                .await
                .expect("the stream is read");
            let refused = |seen: &[Seen]| answers(seen).get(n).copied().cloned();
            let refused = asking.web.shown(refused).await;
            assert_eq!(refused["id"], asked["id"]);
            assert_eq!(refused["error"]["code"], -32_600, "{refused}");
        }
        let end = answer(&call, json!({"content": []}));
        stream.send(end).await.expect("the stream is read");
    };
    ends_well(asking.call(true), serve).await;
}
