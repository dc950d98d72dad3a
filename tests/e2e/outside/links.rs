//! Links into the window, which a second start of the program passes to the first. Each opens its
//! page, and none changes anything else.

use std::ffi::OsStr;
use std::process::Stdio;

use fantoccini::Locator;
use guild_model::link::{LINK_MAX, Page};
use serde_json::{Value, json};
use tokio::process::Command;

use super::{HEADING, REVIEW, STATUS, WithATray};
use crate::desktop::{Desktop, Home, LIMIT};

/// Starts the program a second time, and waits until the second process has ended.
pub(crate) async fn start_again(home: &Home, window: &Desktop, more: &[&str]) {
    let (members, data) = (home.members(), home.data());
    let status = Command::new(home.program())
        .args([OsStr::new("--members"), members.as_ref()])
        .args([OsStr::new("--data"), data.as_ref()])
        .args(more)
        .env("DISPLAY", format!(":{}", window.display()))
        .env_remove("WAYLAND_DISPLAY")
        .env("GDK_BACKEND", "x11")
        .env("DBUS_SESSION_BUS_ADDRESS", "disabled:")
        .env("NO_AT_BRIDGE", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    let status = tokio::time::timeout(LIMIT, status).await;
    let status = status.expect("it ends").expect("it starts");
    assert!(status.success(), "the first takes what it was started for");
}

/// Returns the CSS selector of an element that only the linked page has.
fn mark_of(page: Page) -> &'static str {
    match page {
        Page::Adding => "#adding-title",
        Page::Agents => "#agents-title",
        Page::Approvals => "[role=group][aria-label='Pending approvals']",
        Page::Discovery => "#discovery-title",
        Page::Doctor => "#doctor-title",
        Page::Found => "[role=tab][aria-selected=true][aria-label='From other apps']",
        Page::History => "#history-title",
        Page::Palette => "[data-testid=palette-input]",
        Page::Secrets => "#secrets-title",
        Page::Settings => "#settings-title",
    }
}

/// Returns everything that an action on `forge` would change: its state, its process and its calls.
async fn touched(window: &Desktop) -> Value {
    let roster = window.ask("roster", json!({})).await;
    let roster = roster.expect("the roster");
    let forge = &roster["members"][0];
    json!({
        "members": roster["members"].as_array().map(Vec::len),
        "status": forge["status"],
        "pid": forge["pid"],
        "calls": window.calls().await,
    })
}

#[tokio::test]
async fn second_start_shows_the_window_and_its_link() {
    let hall = WithATray::open().await;
    let window = &hall.shown.window;
    hall.shown.close().await;
    start_again(&hall.home, window, &["guildhall://member/forge"]).await;
    hall.shown.is_shown().await;
    window
        .text_where(STATUS, |text| text.contains("Ready"))
        .await;
    hall.shown.window.quit().await;
}

#[tokio::test]
async fn a_first_start_shows_the_place_of_its_link() {
    let home = Home::empty();
    let (members, data) = (home.members(), home.data());
    let arguments: [&OsStr; 5] = [
        "--members".as_ref(),
        members.as_ref(),
        "--data".as_ref(),
        data.as_ref(),
        "guildhall://page/settings".as_ref(),
    ];
    let window = Desktop::open_with(&home, &arguments).await;
    window.appears(Locator::Css("#settings-title")).await;
    window.quit().await;
}

#[tokio::test]
async fn each_kind_of_link_leads_to_its_place_and_does_nothing_else() {
    let hall = WithATray::open().await;
    let window = &hall.shown.window;
    let before = touched(window).await;
    let open = async |link: &str, mark: &str| {
        start_again(&hall.home, window, &[link]).await;
        window.appears(Locator::Css(mark)).await;
    };
    for (name, page) in Page::ALL {
        open(&format!("guildhall://page/{name}"), mark_of(*page)).await;
    }
    let tool = "article[aria-label='forge echo']";
    open("guildhall://tool/forge/echo", tool).await;
    // The member asks no question, so its page opens.
    open("guildhall://question/forge", "[data-testid=member-status]").await;
    open("guildhall://tool/forge/echo", tool).await;
    open("guildhall://member/forge", "[data-testid=member-status]").await;
    open("guildhall://review/forge", "[data-testid=review]").await;
    assert_eq!(touched(window).await, before, "links only show");
    hall.shown.window.quit().await;
}

#[tokio::test]
async fn broken_link_is_reported_in_the_window() {
    let hall = WithATray::open().await;
    let (home, window) = (&hall.home, &hall.shown.window);
    start_again(home, window, &["guildhall://review/forge"]).await;
    window.appears(REVIEW).await;
    let before = touched(window).await;

    let long = format!("guildhall://member/{}", "a".repeat(LINK_MAX));
    for (link, message) in [
        ("guildhall://run/forge", "run/forge"),
        ("guildhall:member/forge", "does not begin with"),
        ("guildhall://member/%2e%2e%2fetc", "%2e%2e%2fetc"),
        ("guildhall://tool/forge", "too few or too many parts"),
        ("guildhall://tool/forge/echo?text=x", "it has a '?'"),
        ("guildhall://page/nowhere", "that page doesn't exist"),
        (long.as_str(), "longer than 2,048 bytes"),
    ] {
        start_again(home, window, &[link]).await;
        let notice = format!("//*[@role='alert'][contains(., \"{message}\")]");
        window.appears(Locator::XPath(&notice)).await;
        window.appears(REVIEW).await;
    }
    assert_eq!(touched(window).await, before);

    // A link to a missing member or tool opens a page that reports it.
    let gone = Locator::XPath("//main//p[contains(., 'nobody is not in the members folder')]");
    start_again(home, window, &["guildhall://member/nobody"]).await;
    window.appears(gone).await;
    start_again(home, window, &["guildhall://tool/forge/nothing"]).await;
    let nothing = Locator::Css("article[aria-label='forge nothing'] [role=alert]");
    window.appears(nothing).await;
    start_again(home, window, &["guildhall://review/nobody"]).await;
    window.appears(gone).await;
    start_again(home, window, &["guildhall://member/forge"]).await;
    window
        .text_where(HEADING, |text| text.contains("forge"))
        .await;
    assert_eq!(touched(window).await, before);
    hall.shown.window.quit().await;
}
