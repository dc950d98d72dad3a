//! Apps of members (MCP Apps) in the real window: the reference app of the specification, and an app
//! that tries to leave its frame.

use std::path::{Path, PathBuf};

use fantoccini::Locator;
use serde_json::{Value, json};

use crate::desktop::{Desktop, Home, until};
use crate::tool_screen::open;
use crate::{RESULT, RUN};

const FRAME: Locator<'_> = Locator::Css("[data-testid=app-frame]");
const PROBLEM: Locator<'_> = Locator::Css("[data-testid=app-problem]");
const TAB: Locator<'_> =
    Locator::XPath("//*[@data-testid='result']//*[@role='tab'][normalize-space()='App']");

/// A file of the installed reference servers.
fn installed(file: &str) -> PathBuf {
    let folder = std::env::var_os("GUILD_REAL_SERVERS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/real-servers"),
        PathBuf::from,
    );
    let path = folder.join(file);
    assert!(
        path.exists(),
        "{} is missing; install it: cargo xtask test --only set-up",
        path.display()
    );
    path
}

fn add_server(home: &Home, name: &str, args: &Value) {
    let manifest = json!({"name": name, "version": "1", "transport": "stdio", "command": "node", "args": args});
    home.add_member(name, &manifest.to_string());
}

/// Runs the tool whose page is open, and selects the app of its result.
async fn open_app(window: &Desktop) {
    window.click(RUN).await;
    window
        .text_where(RESULT, |text| text.contains("Done"))
        .await;
    window.click(TAB).await;
    enter(window).await;
}

async fn enter(window: &Desktop) {
    until("the app's frame can be entered", async || {
        window
            .client
            .find(FRAME)
            .await
            .ok()?
            .enter_frame()
            .await
            .ok()
    })
    .await;
}

async fn leave(window: &Desktop) {
    let left = window.client.enter_parent_frame().await;
    left.expect("the frame is left");
}

#[tokio::test]
async fn reference_app_runs_beside_its_result() {
    let home = Home::empty();
    let server = "node_modules/@modelcontextprotocol/server-basic-vanillajs/dist/index.js";
    add_server(&home, "clock", &json!([installed(server), "--stdio"]));
    let window = Desktop::open(&home).await;
    open(&window, "clock", "get-time").await;
    open_app(&window).await;

    let time = Locator::Id("server-time");
    let first = window.text_where(time, |text| text.starts_with("20")).await;
    window.click(Locator::Id("get-time-btn")).await;
    window
        .text_where(time, |text| text.starts_with("20") && text != first)
        .await;
    window.click(Locator::Id("open-link-btn")).await;
    leave(&window).await;
    let address = Locator::Css("[data-testid=app-address]");
    window
        .text_where(address, |text| text == "https://modelcontextprotocol.io/")
        .await;
    window
        .click(Locator::XPath("//button[normalize-space()='Cancel']"))
        .await;
    let source = Locator::Css("[data-testid=app-source]");
    window
        .text_where(source, |text| {
            text.contains("clock") && text.contains("No network access")
        })
        .await;
    let calls = window.calls().await;
    assert_eq!(calls[0]["caller"], "app", "{calls:#?}");
    assert_eq!(calls[0]["client"], "App of clock", "{calls:#?}");
    assert_eq!(calls[1]["caller"], "window", "{calls:#?}");
    window.quit().await;
}

#[tokio::test]
async fn hostile_app_is_refused_in_each_attempt() {
    let home = Home::empty();
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("e2e/apps");
    add_server(&home, "hostile", &json!([scripts.join("hostile.mjs")]));
    let other = json!({"name": "other", "version": "1", "transport": "stdio", "command": "node", "enabled": false});
    home.add_member("other", &other.to_string());
    let window = Desktop::open(&home).await;
    open(&window, "hostile", "show").await;
    window.fill("address", window.driver_address()).await;
    open_app(&window).await;
    window.appears(Locator::Id("end")).await;
    const ATTEMPTS: &str =
        "return [...document.querySelectorAll('#attempts li')].map((line) => line.textContent);";
    let attempts = window.client.execute(ATTEMPTS, vec![]).await;
    let attempts: Vec<String> =
        serde_json::from_value(attempts.expect("the attempts")).expect("texts");
    let done: Vec<&String> = attempts
        .iter()
        .filter(|line| line.ends_with(": done"))
        .collect();
    assert_eq!(done, ["own-tool: done", "end: done"], "{attempts:#?}");
    assert_eq!(attempts.len(), 16, "{attempts:#?}");

    window.click(Locator::Id("erase")).await;
    leave(&window).await;
    let question = Locator::Css("[data-testid=confirm-what]");
    window
        .text_where(question, |text| text.contains("the app from hostile"))
        .await;
    window
        .click(Locator::XPath("//button[normalize-space()='Cancel']"))
        .await;
    enter(&window).await;
    let refused = Locator::XPath("//li[@id='erase' and .='erase: refused']");
    window.appears(refused).await;
    window.click(Locator::Id("flood")).await;
    leave(&window).await;
    window
        .text_where(PROBLEM, |text| text.contains("messages per second"))
        .await;
    window
        .click(Locator::XPath("//button[normalize-space()='Reload app']"))
        .await;
    enter(&window).await;
    window.appears(Locator::Id("end")).await;
    window.click(Locator::Id("leave")).await;
    leave(&window).await;
    window
        .text_where(PROBLEM, |text| text.contains("another page"))
        .await;

    // The window still shows the same page, and the messages to the shell have removed no member.
    window
        .appears(Locator::Css("[data-testid=member-other]"))
        .await;
    let called: Vec<Value> = window.calls().await;
    let names: Vec<&str> = called
        .iter()
        .filter_map(|call| call["tool"].as_str())
        .collect();
    assert!(!names.contains(&"erase"), "{names:?}");
    window.quit().await;
}
