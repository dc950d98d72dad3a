//! An agent at the gateway of the desktop program.

use fantoccini::Locator;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};

use crate::FORGE;
use crate::desktop::{Desktop, Home, until};

const MARK: Locator<'_> = Locator::Css("[data-testid=gateway-mark]");
const ADDRESS: Locator<'_> = Locator::Css("[data-testid=gateway-address]");
const TOKEN: Locator<'_> = Locator::Css("[data-testid=new-token]");
const TRAFFIC: Locator<'_> = Locator::Css("[data-testid=traffic]");

/// Returns the XPath of the button with this label.
pub(crate) fn button(words: &str) -> String {
    format!("//button[normalize-space()='{words}']")
}

/// An agent with a token that was created in the window.
#[derive(Clone)]
pub(crate) struct Agent {
    address: String,
    token: String,
}

impl Agent {
    /// Creates a token in the window.
    pub(crate) async fn let_in(window: &Desktop) -> Self {
        window.click(MARK).await;
        let address = window
            .text_where(ADDRESS, |text| text.ends_with("/mcp"))
            .await;
        window.fill("Client name", "a test").await;
        window.click(Locator::XPath(&button("Add client"))).await;
        let token = window
            .text_where(TOKEN, |text| text.starts_with("gh_"))
            .await;
        Self { address, token }
    }

    /// Calls a tool. Returns the whole response. Panics if there is none.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> String {
        let answer = self.try_to_call(tool, arguments).await;
        answer.expect("an answer")
    }

    /// Calls a tool. Returns the whole response, if there is one.
    pub(crate) async fn try_to_call(&self, tool: &str, arguments: Value) -> Option<String> {
        let message = json!({
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        });
        let request = Request::post(&self.address)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("authorization", format!("Bearer {}", self.token))
            .body(Full::new(Bytes::from(message.to_string())))
            .expect("a request");
        let http = Client::builder(TokioExecutor::new()).build_http::<Full<Bytes>>();
        let response = http.request(request).await.ok()?;
        let body = response.into_body().collect().await.ok()?;
        Some(String::from_utf8_lossy(&body.to_bytes()).into_owned())
    }
}

#[tokio::test]
async fn agent_uses_a_token_and_its_call_is_decided() {
    let home = Home::empty();
    home.add_member("forge", FORGE);
    let settings = json!({"port": 0, "policies": {"forge": {"echo": "ask"}}});
    std::fs::write(home.data().join("gateway.json"), settings.to_string()).expect("the settings");
    let window = Desktop::open(&home).await;
    let row = Locator::Css("[data-testid=member-forge]");
    window.is_ready(row).await;

    let agent = Agent::let_in(&window).await;
    let arguments = json!({"message": "Brass screws"});
    let answer = tokio::spawn(async move { agent.call("forge__echo", arguments).await });
    window.click(Locator::XPath(&button("Review"))).await;
    let approval = Locator::Css("[data-testid=approval]");
    let shown = window
        .text_where(approval, |text| text.contains("echo"))
        .await;
    assert!(shown.contains("a test"), "it says who asks: {shown}");
    // A new element may ignore the first click.
    let allow = button("Approve once");
    until("the call goes on", async || {
        if let Ok(button) = window.client.find(Locator::XPath(&allow)).await {
            let _ = button.click().await;
        }
        answer.is_finished().then_some(())
    })
    .await;
    let answer = answer.await.expect("no panic");
    assert!(answer.contains("Brass screws"), "{answer}");

    window.click(MARK).await;
    window
        .click(Locator::XPath(
            "//*[@role='tab'][normalize-space()='Activity']",
        ))
        .await;
    window
        .text_where(TRAFFIC, |text| text.contains("echo"))
        .await;
    window.quit().await;
}
