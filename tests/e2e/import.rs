//! Imports a server of another app in the desktop program, then moves the app to Guild Hall and
//! back.

use std::path::Path;

use fantoccini::Locator;
use serde_json::json;

use crate::agents::button;
use crate::desktop::{Desktop, Home};

const SECRET: &str = "planted-in-the-file-of-another-program";

#[tokio::test]
async fn imported_server_switches_over_and_back() {
    let home = Home::empty();
    let gallery = json!({
        "command": home.program(),
        "args": ["sample-member", "playground", "--stdio"],
        "env": {"GALLERY_TOKEN": SECRET},
    });
    let text = format!(
        "{{\r\n\t\"mcpServers\": {{ // mine\r\n\t\t\"gallery\": {gallery},\r\n\t\t\"notes\": \
         {{\"url\": \"http://127.0.0.1:9/mcp\"}}, /* kept */\r\n\t}},\r\n}}\r\n"
    );
    let file = home.add_file(".cursor/mcp.json", &text);
    let window = Desktop::open(&home).await;

    let lead = "//main//button[normalize-space()='Import from other apps (2)']";
    window.click(Locator::XPath(lead)).await;
    let details = Locator::Css("[aria-label='Details of gallery']");
    window.click(details).await;
    let server = Locator::Css("[data-testid=found-server]");
    let shown = window
        .text_where(server, |text| text.contains("Cursor"))
        .await;
    for part in [
        "sample-member playground --stdio",
        "GALLERY_TOKEN=•••",
        "mcp.json, line 3",
    ] {
        assert!(shown.contains(part), "{part} is shown: {shown}");
    }
    let page = window.client.source().await.expect("the page");
    assert!(!page.contains(SECRET), "the page has the secret");
    let manifest = home.members().join("gallery").join("plugin.json");
    let tick = Locator::Css("[aria-label='Import gallery from Cursor']");
    window.click(tick).await;
    let ticked = Locator::Css("[data-testid=found-ticked]");
    window
        .text_where(ticked, |text| text == "1 of 2 selected")
        .await;
    assert!(!manifest.exists(), "the server was selected, not imported");

    let add = "//button[normalize-space()='Add 1 member']";
    window.click(Locator::XPath(add)).await;
    // The dialog stays open to report that the secret was written to a file, since there is no
    // keychain.
    let open = "//button[normalize-space()='Open gallery']";
    window.click(Locator::XPath(open)).await;
    let title = Locator::XPath("//main//h1[normalize-space()='gallery']");
    window.appears(title).await;
    assert_eq!(read(&file), text, "the import left the file unchanged");
    let row = Locator::Css("[data-testid=member-gallery]");
    window.is_ready(row).await;
    servers_move_and_move_back(&window, &file, &text).await;

    let manifest = std::fs::read_to_string(manifest).expect("the manifest");
    assert!(manifest.contains("${secret:"), "{manifest}");
    assert!(!manifest.contains(SECRET), "the manifest has the secret");
    window.quit().await;
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).expect("the file")
}

/// Moves the servers of the app after a rejected attempt, and moves them back.
async fn servers_move_and_move_back(window: &Desktop, file: &Path, text: &str) {
    let place = Locator::Css("[data-testid=move-servers]");
    let says = async |words: &str| window.text_where(place, |text| text.contains(words)).await;
    let click = async |words: &str| window.click(Locator::XPath(&button(words))).await;
    let move_servers = "Move 1 server…";

    window
        .click(Locator::Css("[data-testid=gateway-mark]"))
        .await;
    let tab = "//*[@role='tab'][normalize-space()='Connect']";
    window.click(Locator::XPath(tab)).await;
    says("1 server: gallery").await;
    click(move_servers).await;
    says("Removes gallery").await;
    assert_eq!(read(file), text, "a look writes nothing");
    // The change is written exactly as shown, or not at all.
    let otherwise = format!("{text}// by somebody else meanwhile\r\n");
    std::fs::write(file, &otherwise).expect("written");
    click("Save changes").await;
    says("client-config-changed").await;
    assert_eq!(read(file), otherwise);

    std::fs::write(file, text).expect("written");
    click(move_servers).await;
    click("Save changes").await;
    says("Saved.").await;
    says("Uses Guild Hall").await;
    let written = read(file);
    assert!(written.contains("\"guild-hall\""), "{written}");
    assert!(written.contains("// mine") && written.contains("/* kept */"));
    assert!(!written.contains("sample-member") && !written.contains(SECRET));
    click("Move back").await;
    says("Config file restored.").await;
    assert_eq!(read(file), text, "to the byte");
}
