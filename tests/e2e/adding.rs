//! Adds servers from a configuration and a bundle that a person drops on the window.
//!
//! A WebDriver can't drag a file from another program, so the test sends the page the drop event of
//! the shell.

use std::path::Path;

use fantoccini::Locator;
use guild_tests::bundles::weather;
use serde_json::json;

use crate::agents::button;
use crate::desktop::{Desktop, Home};
use crate::processes;

/// Sends the page a drop event for a file.
async fn drop_file(window: &Desktop, path: &Path) {
    let detail = json!({"kind": "dropped", "paths": [path]});
    let script =
        "window.dispatchEvent(new CustomEvent('guild-hall-drop', { detail: arguments[0] }));";
    let dropped = window.client.execute(script, vec![detail]).await;
    dropped.expect("the page is told");
}

#[tokio::test]
async fn dropped_files_become_members_after_consent() {
    let home = Home::empty();
    let gallery = json!({
        "command": home.program(),
        "args": ["sample-member", "playground", "--stdio"],
    });
    let text = format!("{{\"mcpServers\": {{\"gallery\": {gallery}}}}}\n");
    let config = home.add_file("project/.mcp.json", &text);
    let folder = config.parent().expect("a folder");
    let bundle = weather("1.0.0").write(folder, "weather.mcpb");
    let window = Desktop::open(&home).await;
    // The page must be shown before the drop.
    let heading = Locator::XPath("//h1[normalize-space()='Your guild is empty']");
    window.appears(heading).await;
    let click = async |words: &str| window.click(Locator::XPath(&button(words))).await;

    drop_file(&window, &config).await;
    let says = Locator::Css("[data-testid=adding-says]");
    window
        .text_where(says, |text| text.starts_with("1 server"))
        .await;
    let server = Locator::Css("[data-testid=found-server]");
    window
        .text_where(server, |text| {
            text.contains("sample-member playground --stdio")
        })
        .await;
    assert!(
        !home.members().join("gallery").exists(),
        "the server was previewed, not added"
    );
    // A single server is selected.
    click("Add 1 member").await;
    let row = Locator::Css("[data-testid=member-gallery]");
    window.is_ready(row).await;

    drop_file(&window, &bundle).await;
    let says = Locator::Css("[data-testid=bundle-says]");
    window
        .text_where(says, |text| text.contains("Weather Here 1.0.0"))
        .await;
    let tab = Locator::Css("[data-testid=bundle]");
    let shown = window
        .text_where(tab, |text| text.contains("index.mjs"))
        .await;
    assert!(shown.contains("node"), "all that it would run: {shown}");
    // The bundle asks its questions before anything is written.
    click("Install").await;
    window.text_where(tab, |text| text.contains("Key")).await;
    assert!(!home.members().join("weather").exists());
    let key = window
        .client
        .find(Locator::Css("[data-testid=bundle] input[type=password]"));
    let key = key.await.expect("the field of the key");
    key.send_keys("planted-weather-key").await.expect("typed");
    click("Install").await;
    let review = Locator::Css("[data-testid=review]");
    window
        .text_where(review, |text| text.contains("index.mjs"))
        .await;
    let weather = home.members().join("weather");
    let named = weather.to_str().expect("UTF-8");
    assert!(
        processes::marked(named).is_empty(),
        "nobody has accepted it"
    );
    let manifest = std::fs::read_to_string(weather.join("plugin.json")).expect("a manifest");
    assert!(!manifest.contains("planted-weather-key"), "{manifest}");
    window.quit().await;
}
