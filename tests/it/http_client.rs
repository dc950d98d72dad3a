//! A minimal client of the gateway, which sends single requests over HTTP without a handshake.

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::{Request, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};

#[derive(Clone)]
pub(crate) struct HttpClient {
    /// `http://127.0.0.1:PORT`.
    base: String,
    token: Option<String>,
    http: Client<HttpConnector, Full<Bytes>>,
}

impl HttpClient {
    /// Creates a client for the address of the endpoint of all members.
    pub(crate) fn new(address: &str) -> Self {
        let base = address.strip_suffix("/mcp").expect("an endpoint's address");
        Self {
            base: base.to_owned(),
            token: None,
            http: Client::builder(TokioExecutor::new()).build_http(),
        }
    }

    pub(crate) fn with_token(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }

    /// Sends one message. Returns the status and the body.
    pub(crate) async fn post(&self, path: &str, message: &Value) -> (StatusCode, String) {
        let mut request = Request::post(format!("{}{path}", self.base))
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let body = Full::new(Bytes::from(message.to_string()));
        let request = request.body(body).expect("a request");
        let response = self.http.request(request).await.expect("an answer");
        let status = response.status();
        let body = response.into_body().collect().await.expect("a body");
        let body = String::from_utf8(body.to_bytes().to_vec()).expect("text");
        (status, body)
    }

    /// Sends a request. Returns the whole response, with its `result` or `error`.
    pub(crate) async fn ask(&self, path: &str, method: &str, params: Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        let (status, body) = self.post(path, &message).await;
        let events = body.lines().filter_map(|line| line.strip_prefix("data:"));
        let messages = std::iter::once(body.as_str()).chain(events);
        messages
            .filter_map(|text| serde_json::from_str::<Value>(text).ok())
            .find(|answer| answer["id"] == 7)
            .unwrap_or_else(|| panic!("{method}: {status}, {body:?}"))
    }

    /// Sends a request, and returns its result. Panics if the response has an error.
    pub(crate) async fn result(&self, path: &str, method: &str, params: Value) -> Value {
        let answer = self.ask(path, method, params).await;
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    pub(crate) async fn tools(&self, path: &str) -> Vec<Value> {
        let listed = self.result(path, "tools/list", json!({})).await;
        listed["tools"].as_array().expect("tools").clone()
    }

    /// Calls a tool. Returns its result, also if it has `isError`.
    pub(crate) async fn call(&self, path: &str, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.result(path, "tools/call", params).await
    }
}
