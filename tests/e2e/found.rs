//! A server that another program has in its file becomes a member in the desktop program, and the
//! program uses Guild Hall instead until it has its file back.

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
        .text_where(ticked, |text| text == "1 server selected")
        .await;
    assert!(!manifest.exists(), "it was ticked, and not adopted");

    let adopt = "//button[normalize-space()='Import 1 server']";
    window.click(Locator::XPath(adopt)).await;
    let outcome = Locator::Css("[data-testid=found-outcome]");
    let came = window
        .text_where(outcome, |text| text.contains("imported"))
        .await;
    assert!(came.contains("1 server imported."), "{came}");
    assert_eq!(read(&file), text, "the file is as it was");
    it_is_handed_over_and_back(&window, &file, &text).await;
    let open = "//section[@data-testid='found-outcome']//button[normalize-space()='Open gallery']";
    window.click(Locator::XPath(open)).await;
    let row = Locator::Css("[data-testid=member-gallery]");
    window.is_ready(row).await;

    let manifest = std::fs::read_to_string(manifest).expect("the manifest");
    assert!(manifest.contains("${secret:"), "{manifest}");
    assert!(!manifest.contains(SECRET), "the manifest has the secret");
    window.quit().await;
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).expect("the file")
}

/// The program uses Guild Hall instead, after a look and a refusal, and has its file back.
async fn it_is_handed_over_and_back(window: &Desktop, file: &Path, text: &str) {
    let place = Locator::Css("[data-testid=found-hand-over]");
    let says = async |words: &str| window.text_where(place, |text| text.contains(words)).await;
    let click = async |words: &str| window.click(Locator::XPath(&button(words))).await;
    let hand_over = "Let Cursor use Guild Hall instead…";

    says("has 1 server that is a member: gallery").await;
    click(hand_over).await;
    says("Removes gallery").await;
    assert_eq!(read(file), text, "a look writes nothing");
    // Writes exactly the shown text, or nothing.
    let otherwise = format!("{text}// by somebody else meanwhile\r\n");
    std::fs::write(file, &otherwise).expect("written");
    click("Save changes").await;
    says("client-config-changed").await;
    assert_eq!(read(file), otherwise);

    std::fs::write(file, text).expect("written");
    click(hand_over).await;
    click("Save changes").await;
    says("Saved.").await;
    says("uses Guild Hall").await;
    let written = read(file);
    assert!(written.contains("\"guild-hall\""), "{written}");
    assert!(written.contains("// mine") && written.contains("/* kept */"));
    assert!(!written.contains("sample-member") && !written.contains(SECRET));
    click("Give Cursor its file back").await;
    says("Restored").await;
    assert_eq!(read(file), text, "to the byte");
}
