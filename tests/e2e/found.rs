//! A server that another program has in its file becomes a member in the desktop program.

use fantoccini::Locator;
use serde_json::json;

use crate::desktop::{Desktop, Home};

const SECRET: &str = "planted-in-the-file-of-another-program";

#[tokio::test]
async fn a_server_of_another_programs_file_runs_only_once_it_was_adopted() {
    let home = Home::empty();
    let config = json!({"mcpServers": {"gallery": {
        "command": home.program(),
        "args": ["sample-member", "gallery", "--stdio"],
        "env": {"GALLERY_TOKEN": SECRET},
    }}});
    let file = home.add_file(".cursor/mcp.json", &format!("{config:#}\n"));
    let written = std::fs::read(&file).expect("the file");
    let window = Desktop::open(&home).await;

    let lead = "//main//button[normalize-space()='Look at 1 found server']";
    window.click(Locator::XPath(lead)).await;
    let server = Locator::Css("[data-testid=found-server]");
    let shown = window
        .text_where(server, |text| text.contains("Cursor"))
        .await;
    for part in [
        "sample-member gallery --stdio",
        "GALLERY_TOKEN=•••",
        "mcp.json, line 3",
    ] {
        assert!(shown.contains(part), "{part} is shown: {shown}");
    }
    let page = window.client.source().await.expect("the page");
    assert!(!page.contains(SECRET), "the page has the secret");
    let manifest = home.members().join("gallery").join("plugin.json");
    let tick = Locator::Css("[aria-label='Adopt gallery of Cursor']");
    window.click(tick).await;
    let ticked = Locator::Css("[data-testid=found-ticked]");
    window
        .text_where(ticked, |text| text == "1 server ticked.")
        .await;
    assert!(!manifest.exists(), "it was ticked, and not adopted");

    let adopt = "//button[normalize-space()='Adopt 1 server']";
    window.click(Locator::XPath(adopt)).await;
    let outcome = Locator::Css("[data-testid=found-outcome]");
    let came = window
        .text_where(outcome, |text| text.contains("adopted"))
        .await;
    assert!(came.contains("1 server adopted."), "{came}");
    let open = "//section[@data-testid='found-outcome']//button[normalize-space()='Open gallery']";
    window.click(Locator::XPath(open)).await;
    let row = Locator::Css("[data-testid=member-gallery]");
    window.text_where(row, |text| text.contains("ready")).await;

    let manifest = std::fs::read_to_string(manifest).expect("the manifest");
    assert!(manifest.contains("${secret:"), "{manifest}");
    assert!(!manifest.contains(SECRET), "the manifest has the secret");
    assert_eq!(
        std::fs::read(&file).expect("the file"),
        written,
        "the other program's file is as it was"
    );
    window.quit().await;
}
