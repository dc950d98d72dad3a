//! The tray icon: its tooltip, the actions of its menu, and the window that it opens.

use std::ffi::OsStr;

use fantoccini::Locator;

use super::links::start_again;
use super::{FORGE_ROW, STATUS, WithATray, presence, set, to_tray};
use crate::desktop::{Desktop, Home, until};
use crate::screen::Screen;
use crate::session::Session;
use crate::{CONFIGURATION, FORGE, pid_in, processes};

#[tokio::test]
async fn window_closed_to_tray_comes_back() {
    let hall = WithATray::open().await;
    let (shown, window, icon) = (&hall.shown, &hall.shown.window, &hall.icon);
    window.click(FORGE_ROW).await;
    window.click(CONFIGURATION).await;
    let page = Locator::Css("article");
    let text = window.text_where(page, |text| pid_in(text).is_some()).await;
    let pid = pid_in(&text).expect("the page shows a pid");
    assert_eq!(icon.tool_tip().await, "1 ready");
    let well = icon.picture().await;

    shown.close().await;
    icon.line(|text| text == "1 ready").await;
    icon.press().await;
    shown.is_shown().await;
    window
        .text_where(STATUS, |text| text.contains("Ready"))
        .await;

    // The menu lists the failed member, and opens its page.
    shown.close().await;
    processes::kill(pid);
    icon.line(|text| text == "1 failed").await;
    assert_ne!(icon.picture().await, well, "the icon has another shape");
    icon.choose("forge: failed").await;
    shown.is_shown().await;
    window
        .text_where(STATUS, |text| text.contains("Failed"))
        .await;
    // An on-demand member stops after its tools were listed. The start of all members keeps it
    // running.
    let on_demand = r#""lifecycle": "on-demand""#;
    let archive = FORGE.replace(r#""forge""#, r#""archive""#);
    let archive = archive.replace(r#""restart": "never""#, on_demand);
    hall.home.add_member("archive", &archive);
    icon.line(|text| text == "1 failed, 1 stopped").await;
    icon.choose("Start all members").await;
    icon.line(|text| text == "2 ready").await;

    icon.choose("Quit").await;
    hall.shown.window.until_gone().await;
}

#[tokio::test]
async fn closing_without_a_tray_ends_the_program() {
    let home = Home::empty();
    set(&home, &to_tray());
    let window = Desktop::open(&home).await;
    let said = until("the tray is looked for", async || {
        let said = presence(&window).await;
        (said["tray"]["kind"] == "missing").then_some(said)
    })
    .await;
    assert_eq!(said["tray"]["report"]["code"], "tray-missing", "{said}");
    let screen = Screen::of(window.display());
    screen.close(screen.window().await);
    window.until_gone().await;
}

#[tokio::test]
async fn a_window_whose_tray_is_gone_comes_back_by_itself() {
    let hall = WithATray::open().await;
    hall.shown.close().await;
    hall.tray.leave().await;
    hall.shown.is_shown().await;
    hall.shown.window.quit().await;
}

#[tokio::test]
async fn a_hidden_start_shows_no_window_until_it_is_asked_for() {
    let session = Session::start().await;
    let tray = session.with_a_tray().await;
    let home = Home::on_bus(&session.address);
    home.add_member("forge", FORGE);
    let (members, data) = (home.members(), home.data());
    let arguments: [&OsStr; 5] = [
        "--members".as_ref(),
        members.as_ref(),
        "--data".as_ref(),
        data.as_ref(),
        "--hidden".as_ref(),
    ];
    let window = Desktop::open_with(&home, &arguments).await;
    let icon = tray.icon().await;
    icon.line(|text| text == "1 ready").await;
    let screen = Screen::of(window.display());
    assert!(!screen.has_a_window(), "it runs in the tray alone");
    // Login starts the program twice: by its own entry, and by the restored session.
    start_again(&home, &window, &["--hidden"]).await;
    assert!(!screen.has_a_window(), "nor does such a start show it");
    icon.choose("Open Guild Hall").await;
    let own = screen.window().await;
    screen.until_shown(own, true).await;
    window.is_ready(FORGE_ROW).await;
    window.quit().await;
}
