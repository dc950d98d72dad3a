//! The window in another language, and in one that is read from right to left.

use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::json;

use crate::desktop::{Desktop, Home};
use crate::keyboard::Hands;
use crate::outside::start_again;
use crate::tool_screen::{holds, open};
use crate::{RESULT, RUN};

/// The heading of the settings.
const SETTINGS: Locator<'_> = Locator::Css("#settings-title");

#[tokio::test]
async fn another_language_is_chosen_in_the_settings_and_what_was_typed_is_still_there() {
    const CHOICE: Locator<'_> = Locator::Css("[data-setting='language'] select");

    let home = Home::with_samples();
    let window = Desktop::open(&home).await;
    open(&window, "workshop", "write_label").await;
    window.fill("text", "Brass screws").await;
    let hands = Hands { window: &window };
    hands.press(&[Key::Control.into(), ',']).await;
    window.text_where(SETTINGS, |text| text == "Settings").await;
    window.appears(CHOICE).await;
    let choice = window.client.find(CHOICE).await.expect("the languages");
    // The page may be gone before the driver says so.
    let _ = choice.select_by_value("de").await;

    window
        .text_where(SETTINGS, |text| text == "Einstellungen")
        .await;
    let spoken = "return document.documentElement.lang;";
    let spoken = window.client.execute(spoken, Vec::new()).await;
    assert_eq!(spoken.expect("a language"), "de");
    open(&window, "workshop", "write_label").await;
    holds(&window, "text", "Brass screws").await;
    window.quit().await;
}

/// Loads the page anew in the language that is for trying the layout, once the driver has its answer.
const MIRROR: &str = "sessionStorage.setItem('guild-hall.language', 'ar-XB'); \
    setTimeout(() => location.reload());";

/// Where the roster and the page beside it stand, and what is wider than its place.
const LAYOUT: &str = "const root = document.documentElement; \
    const [roster, page] = ['#roster', 'main'].map((one) => document.querySelector(one)); \
    const inner = [root, page, ...page.querySelectorAll('article')]; \
    const wide = inner.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1); \
    return { direction: root.dir, wide: wide.map(({ tagName }) => tagName), width: root.clientWidth, \
    roster: roster.getBoundingClientRect().toJSON(), page: page.getBoundingClientRect().toJSON() };";

/// What another program has, so that the found servers have one.
const CURSOR: &str = r#"{
  "mcpServers": {
    "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv/notes"]}
  }
}"#;

/// Places by their links, and what is there once they are.
const PLACES: [(&str, &str); 7] = [
    ("member/workshop", "[data-testid=member-status]"),
    ("tool/workshop/write_label", "[data-testid=run]"),
    ("page/settings", "[data-setting='language'] select"),
    ("page/agents", "#agents-title"),
    ("page/found", "[data-testid=found-server]"),
    ("page/adding", "#adding-title"),
    ("page/history", "[data-testid=history-list] [role=option]"),
];

/// Proves that what is shown is laid out from right to left, and has room.
async fn is_mirrored(window: &Desktop, place: &str) {
    let is = window.client.execute(LAYOUT, Vec::new()).await;
    let is = is.expect("a layout");
    let at = |part: &str, side: &str| is[part][side].as_f64().unwrap_or(f64::NAN);
    assert_eq!(is["direction"], "rtl", "{place}");
    assert_eq!(is["wide"], json!([]), "{place} scrolls sideways: {is}");
    // The roster begins at the window's right side, the page goes on to its left one.
    let width = is["width"].as_f64().unwrap_or(f64::NAN);
    assert!((at("roster", "right") - width).abs() < 1.0, "{place}: {is}");
    assert!(
        (at("roster", "left") - at("page", "right")).abs() < 1.0,
        "{place}: {is}"
    );
    assert!(at("page", "left").abs() < 1.0, "{place}: {is}");
    assert!(at("page", "width") > at("roster", "width"), "{place}: {is}");
}

#[tokio::test]
async fn from_right_to_left_the_roster_stands_on_the_right_and_nothing_scrolls_sideways() {
    let home = Home::with_samples();
    home.add_file(".cursor/mcp.json", CURSOR);
    let window = Desktop::open(&home).await;
    open(&window, "workshop", "write_label").await;
    window.fill("text", "Brass screws").await;
    window.click(RUN).await;
    window.text_where(RESULT, |text| text.contains("ok")).await;

    let loaded = window.client.execute(MIRROR, Vec::new()).await;
    loaded.expect("it is loaded anew");
    // The words of that language stand between brackets.
    window
        .text_where(Locator::Css("main h1"), |text| text.contains('⟦'))
        .await;
    is_mirrored(&window, "the welcome").await;
    for (place, mark) in PLACES {
        let link = format!("guildhall://{place}");
        start_again(&home, &window, &[link.as_str()]).await;
        window.appears(Locator::Css(mark)).await;
        is_mirrored(&window, place).await;
    }
    window.quit().await;
}
