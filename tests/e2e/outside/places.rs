//! The window opens at its last position, if that is on an existing display.
//!
//! These tests have one display. `displays` has tests with two.

use serde_json::{Value, json};

use super::{OnScreen, WithATray};
use crate::desktop::{Home, until};
use crate::screen::Geometry;

/// Waits until the window is at the position.
pub(super) async fn stands(shown: &OnScreen, at: Geometry) {
    until(&format!("the window stands at {at:?}"), async || {
        (shown.screen.geometry(shown.own) == Some(at)).then_some(())
    })
    .await;
}

/// Waits until the position is saved.
pub(super) async fn is_kept(home: &Home, (x, y, width, height): Geometry) {
    let area = json!({"x": x, "y": y, "width": width, "height": height});
    until("the place is kept", async || {
        let text = std::fs::read_to_string(home.data().join("window.json")).ok()?;
        let frames: Value = serde_json::from_str(&text).ok()?;
        (frames["windows"][0]["frame"]["area"] == area).then_some(())
    })
    .await;
}

#[tokio::test]
async fn window_returns_to_its_place() {
    const PUT: Geometry = (140, 90, 900, 650);

    let home = Home::empty();
    let shown = OnScreen::open(&home).await;
    shown.screen.put(shown.own, PUT);
    is_kept(&home, PUT).await;
    shown.window.quit().await;

    let shown = OnScreen::open(&home).await;
    stands(&shown, PUT).await;
    shown.window.quit().await;

    // The saved position is on a removed display.
    let kept = json!({"windows": [{
        "displays": [{"x": 0, "y": 0, "width": 1400, "height": 1000},
                     {"x": 1400, "y": 0, "width": 2560, "height": 1440}],
        "frame": {"area": {"x": 2000, "y": 200, "width": 1000, "height": 700}, "maximised": false},
    }]});
    home.add_file("data/window.json", &kept.to_string());
    let shown = OnScreen::open(&home).await;
    stands(&shown, (400, 200, 1000, 700)).await;
    shown.window.quit().await;
}

#[tokio::test]
async fn hidden_window_leaves_a_removed_display() {
    const PUT: Geometry = (760, 100, 600, 500);

    let hall = WithATray::open().await;
    let shown = &hall.shown;
    shown.screen.put(shown.own, PUT);
    is_kept(&hall.home, PUT).await;
    shown.close().await;
    shown.screen.have_display((0, 0, 700, 900));
    until("it comes back onto the display", async || {
        hall.icon.press().await;
        shown.is_shown().await;
        let (x, y, width, height) = shown.screen.geometry(shown.own)?;
        if (x, y, width, height) == (100, 100, 600, 500) {
            return Some(());
        }
        // The toolkit does not know the new display yet.
        shown.close().await;
        None
    })
    .await;
    hall.shown.window.quit().await;
}
