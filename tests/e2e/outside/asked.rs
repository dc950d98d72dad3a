//! What the system is asked for as the settings say: a shortcut in every program, and a start at
//! login.

use fantoccini::Locator;
use serde_json::json;

use super::{presence, set};
use crate::desktop::{Desktop, Home, until};
use crate::screen::Screen;

#[tokio::test]
async fn the_shortcut_opens_the_palette_from_another_program() {
    const CONTROL: u32 = 0xffe3;
    const ALT: u32 = 0xffe9;
    const G: u32 = 0x67;

    let home = Home::empty();
    set(&home, &json!({"shortcut": {"palette": "Ctrl+Alt+G"}}));
    let window = Desktop::open(&home).await;
    until("the keys are taken", async || {
        (presence(&window).await["shortcut"]["kind"] == "on").then_some(())
    })
    .await;
    // The page is drawn, and hears what it is to show.
    let drawn = Locator::XPath("//h1[normalize-space()='No members yet']");
    window.appears(drawn).await;
    let screen = Screen::of(window.display());
    screen.look_away();
    screen.press(&[CONTROL, ALT, G]);
    window
        .appears(Locator::Css("[data-testid=palette-input]"))
        .await;
    // Without the setting they are anybody's again.
    set(&home, &json!({}));
    until("the keys are given back", async || {
        (presence(&window).await["shortcut"]["kind"] == "off").then_some(())
    })
    .await;
    window.quit().await;
}

#[tokio::test]
async fn the_start_at_login_follows_the_settings() {
    let home = Home::empty();
    set(
        &home,
        &json!({"window": {"startAtLogin": true, "startHidden": true}}),
    );
    let window = Desktop::open(&home).await;
    let entry = home
        .config()
        .join("autostart/org.guildhall.desktop.desktop");
    let text = until("the entry is written", async || {
        std::fs::read_to_string(&entry).ok()
    })
    .await;
    let exec = text.lines().find(|line| line.starts_with("Exec="));
    let exec = exec.expect("what is started");
    let program = home.program();
    assert!(exec.contains(program.to_str().expect("UTF-8")), "{exec}");
    assert!(
        exec.contains("--data") && exec.ends_with("--hidden"),
        "{exec}"
    );

    set(&home, &json!({"window": {"startAtLogin": false}}));
    until("the entry is gone", async || {
        (!entry.exists()).then_some(())
    })
    .await;
    window.quit().await;
}
