//! The help of a page, the help about an error, and the list of all keys.

use fantoccini::Locator;
use fantoccini::key::Key;

use crate::desktop::{Desktop, Home};
use crate::keyboard::Hands;

const SECTION: Locator<'_> = Locator::Css("[data-testid=help-section]");
const MARK: Locator<'_> = Locator::Css("nav [aria-label='Help']");
const ON_THIS_PAGE: Locator<'_> =
    Locator::XPath("//*[@role='menuitem'][contains(., 'Help on this page')]");

/// A member that ends right after its start.
const BROKEN: &str = r#"{
  "name": "broken",
  "version": "1.0.0",
  "description": "It ends at once",
  "transport": "stdio",
  "restart": "never",
  "command": "/bin/sh",
  "args": ["-c", "exit 3"]
}"#;

/// Returns a section's name in links of the docs.
fn anchor(title: &str) -> String {
    let letters = title.to_lowercase().replace(' ', "-");
    letters
        .chars()
        .filter(|letter| letter.is_alphanumeric() || *letter == '-')
        .collect()
}

/// Waits until the help is open at a section.
async fn tells_of(window: &Desktop, section: &str) {
    window
        .text_where(SECTION, |title| anchor(title) == section)
        .await;
}

#[tokio::test]
async fn help_follows_screen_and_error() {
    let home = Home::with_samples();
    home.add_member("broken", BROKEN);
    let window = Desktop::open(&home).await;
    let hands = Hands { window: &window };
    let member = Locator::Css("[data-testid=member-status]");
    let tool = Locator::Css("[data-testid=tool-playground-echo]");
    let playground = Locator::Css("[data-testid=member-playground]");
    window.is_ready(playground).await;

    window.click(MARK).await;
    window.click(ON_THIS_PAGE).await;
    tells_of(&window, "the-first-minute").await;
    window.click(playground).await;
    window.appears(member).await;
    window.click(MARK).await;
    window.click(ON_THIS_PAGE).await;
    tells_of(&window, "a-members-page").await;
    window.click(tool).await;
    window.appears(Locator::Css("[data-testid=run]")).await;
    hands.press(&[Key::F1.into()]).await;
    tells_of(&window, "forms").await;
    hands.press(&[Key::Escape.into()]).await;
    window.appears(Locator::Css("[data-testid=run]")).await;
    hands.press(&[Key::Control.into(), ',']).await;
    window.appears(Locator::Css("#settings-title")).await;
    window.click(MARK).await;
    window.click(ON_THIS_PAGE).await;
    tells_of(&window, "settings").await;

    // The error code leads to its section in the help.
    window
        .click(Locator::Css("[data-testid=member-broken]"))
        .await;
    let code = "[data-testid=member-error] [role=link]";
    let code = window
        .text_where(Locator::Css(code), |text| !text.is_empty())
        .await;
    window
        .click(Locator::Css("[data-testid=member-error] [role=link]"))
        .await;
    tells_of(&window, &code).await;
    hands.press(&[Key::Escape.into()]).await;
    window
        .appears(Locator::Css("[data-testid=member-error]"))
        .await;
    window.quit().await;
}

#[tokio::test]
async fn a_question_mark_shows_all_keys_wherever_nobody_is_typing() {
    let home = Home::empty();
    let window = Desktop::open(&home).await;
    window.appears(Locator::Css("main h1")).await;
    let hands = Hands { window: &window };
    hands.press(&['?']).await;
    let sheet = Locator::Css("[role=dialog]");
    window
        .text_where(sheet, |text| {
            text.contains("Help on this page") && text.contains("Ctrl+K")
        })
        .await;
    hands.press(&[Key::Escape.into()]).await;
    crate::desktop::until("the keys are put away", async || {
        window.client.find(sheet).await.is_err().then_some(())
    })
    .await;
    window.quit().await;
}
