//! A start while another program imports settings: a window says so, and leads on or out.

use std::fs::File;

use fantoccini::Locator;
use serde_json::json;

use crate::desktop::{Desktop, Home, until};
use crate::screen::Screen;

const GIVE_UP: Locator<'_> = Locator::Css("a[href='/give-up']");

/// A home that somebody imports settings into, until what is given is dropped.
fn importing() -> (Home, File) {
    let home = Home::empty();
    let lock = home.add_file("data/hall.lock", "");
    let lock = File::options().write(true).open(lock).expect("the lock");
    lock.lock().expect("nobody has it");
    let note = json!({"importing": std::process::id()}).to_string();
    home.add_file("data/hall.json", &note);
    (home, lock)
}

async fn waits(window: &Desktop) {
    let says = format!("Process {} imports settings", std::process::id());
    let status = Locator::Css("[role=status]");
    window.text_where(status, |text| text.contains(&says)).await;
}

#[tokio::test]
async fn a_window_says_who_imports_settings_and_can_be_left() {
    let (home, lock) = importing();
    let window = Desktop::open(&home).await;
    waits(&window).await;
    let out = window.client.find(GIVE_UP).await.expect("a way out");
    // The window may be gone before the driver says so.
    let _ = out.click().await;
    window.until_gone().await;
    drop(lock);
}

#[tokio::test]
async fn the_hall_opens_once_settings_are_imported() {
    let (home, lock) = importing();
    let window = Desktop::open(&home).await;
    waits(&window).await;
    // The note goes before the lock does.
    std::fs::remove_file(home.data().join("hall.json")).expect("it is there");
    drop(lock);
    let screen = Screen::of(window.display());
    screen.window().await;
    let note = home.data().join("hall.json");
    until("the hall keeps the folder", async || {
        let text = std::fs::read_to_string(&note).ok()?;
        let note: serde_json::Value = serde_json::from_str(&text).ok()?;
        (note["pid"] == window.pid()).then_some(())
    })
    .await;
    window.quit().await;
}
