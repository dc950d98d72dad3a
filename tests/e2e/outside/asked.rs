//! System settings that follow the program's settings: a shortcut in every program, and a start at
//! login.

use std::pin::pin;
use std::time::Duration;

use fantoccini::Locator;
use serde_json::json;

use super::{WithATray, presence, set};
use crate::desktop::{Desktop, Home, until};
use crate::screen::Screen;

/// Keysyms of X11.
const CONTROL: u32 = 0xffe3;
const ALT: u32 = 0xffe9;
const G: u32 = 0x67;
const H: u32 = 0x68;
/// The keys of the shortcut, as keysyms.
const KEYS: [u32; 3] = [CONTROL, ALT, G];
const PALETTE: Locator<'_> = Locator::Css("[data-testid=palette-input]");

async fn keys_are_taken(window: &Desktop) {
    until("the keys are taken", async || {
        (presence(window).await["shortcut"]["kind"] == "on").then_some(())
    })
    .await;
}

/// Opens a window with the shortcut, and gives another program the focus.
async fn beside_another_program() -> (Home, Desktop, Screen) {
    let home = Home::empty();
    set(&home, &json!({"shortcut": {"palette": "Ctrl+Alt+G"}}));
    let window = Desktop::open(&home).await;
    keys_are_taken(&window).await;
    // The page is shown, so it receives the shortcut's event.
    let drawn = Locator::XPath("//h1[normalize-space()='Your guild is empty']");
    window.appears(drawn).await;
    let screen = Screen::of(window.display());
    screen.look_away();
    (home, window, screen)
}

#[tokio::test]
async fn the_shortcut_follows_its_key_to_where_another_layout_has_it() {
    let (_home, window, screen) = beside_another_program().await;
    screen.exchange(G, H);
    // The program learns of the new layout later, so the keys are pressed until the palette opens.
    {
        let mut opened = pin!(window.appears(PALETTE));
        loop {
            screen.press(&KEYS);
            let shown = tokio::time::timeout(Duration::from_millis(500), opened.as_mut());
            if shown.await.is_ok() {
                break;
            }
        }
    }
    window.quit().await;
}

#[tokio::test]
async fn the_shortcut_opens_the_palette_from_another_program() {
    let (home, window, screen) = beside_another_program().await;
    screen.press(&KEYS);
    window.appears(PALETTE).await;
    // Without the setting, other programs can use the keys again.
    set(&home, &json!({}));
    until("the keys are given back", async || {
        (presence(&window).await["shortcut"]["kind"] == "off").then_some(())
    })
    .await;
    window.quit().await;
}

#[tokio::test]
async fn the_shortcut_brings_up_a_window_that_was_closed_to_the_tray() {
    let hall = WithATray::open().await;
    let (shown, window) = (&hall.shown, &hall.shown.window);
    let keys = json!({"key": "shortcut.palette", "value": "Ctrl+Alt+G"});
    let changed = window.ask("change_settings", json!({"changes": [keys]}));
    changed.await.expect("the keys are set");
    keys_are_taken(window).await;
    shown.close().await;
    shown.screen.look_away();
    shown.screen.press(&KEYS);
    shown.is_shown().await;
    window.appears(PALETTE).await;
    hall.shown.window.quit().await;
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
