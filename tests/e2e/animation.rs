//! The frames of the animated picture in the README: a member is expanded, a tool is run from its
//! form, and agents find the same tool at one address.
//!
//! The frames are written to the folder in the variable `GUILD_HALL_FRAMES`. Each file name has the
//! frame's duration in milliseconds. Without the variable, the test only checks that the steps
//! work.

use std::cell::Cell;
use std::path::PathBuf;

use fantoccini::Locator;
use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use serde_json::json;

use crate::RESULT;
use crate::desktop::{Desktop, Home};

const LEFT_BUTTON: u64 = 0;
const KEYSTROKE_MS: u32 = 140;
const POINTER_MS: u32 = 500;
const READING_MS: u32 = 1_800;
const LAST_MS: u32 = 3_500;

/// A screenshot has no pointer, so the page draws one.
const SHOW_POINTER: &str = "
    const [selector] = arguments;
    const box = document.querySelector(selector).getBoundingClientRect();
    const name = 'filmed-pointer';
    const pointer = document.getElementById(name) ?? document.createElement('div');
    pointer.id = name;
    Object.assign(pointer.style, {
        position: 'fixed', zIndex: '2147483647', pointerEvents: 'none',
        width: '18px', height: '18px', borderRadius: '50%',
        border: '2px solid #fff', background: 'rgb(220 60 60 / 75%)',
        left: `${box.left + Math.min(box.width / 2, 90)}px`,
        top: `${box.top + box.height / 2 - 4}px`,
    });
    document.body.append(pointer);";

/// The window, and the folder for its frames.
struct Film<'a> {
    window: &'a Desktop,
    folder: Option<PathBuf>,
    frames: Cell<u32>,
}

impl Film<'_> {
    /// Adds the current picture of the window, shown for `duration_ms`.
    async fn frame(&self, duration_ms: u32) {
        let picture = self.window.picture().await;
        let number = self.frames.replace(self.frames.get() + 1);
        if let Some(folder) = &self.folder {
            let file = folder.join(format!("{number:03}-{duration_ms}.png"));
            std::fs::write(file, picture).expect("the frame is written");
        }
    }

    /// Moves the pointer to an element, and clicks it `clicks` times.
    async fn click(&self, selector: &str, clicks: u32) {
        self.window.appears(Locator::Css(selector)).await;
        self.window
            .client
            .execute(SHOW_POINTER, vec![json!(selector)])
            .await
            .expect("the pointer is drawn");
        self.frame(POINTER_MS).await;
        let element = self.window.client.find(Locator::Css(selector)).await;
        let mut actions =
            MouseActions::new("mouse".to_owned()).then(PointerAction::MoveToElement {
                element: element.expect("the element"),
                duration: None,
                x: 0.0,
                y: 0.0,
            });
        for _ in 0..clicks {
            actions = actions
                .then(PointerAction::Down {
                    button: LEFT_BUTTON,
                })
                .then(PointerAction::Up {
                    button: LEFT_BUTTON,
                });
        }
        let done = self.window.client.perform_actions(actions).await;
        done.expect("the pointer clicks");
    }
}

#[tokio::test]
async fn member_is_expanded_and_its_tool_is_run() {
    let home = Home::with_samples();
    // The tests' display has no tray, and the settings would show a warning about that.
    home.add_file("data/settings.json", r#"{"window": {"tray": false}}"#);
    let window = Desktop::open(&home).await;
    for member in ["notes", "playground"] {
        let row = format!("[data-testid=member-{member}]");
        window.is_ready(Locator::Css(&row)).await;
    }
    let film = Film {
        window: &window,
        folder: std::env::var_os("GUILD_HALL_FRAMES").map(PathBuf::from),
        frames: Cell::new(0),
    };
    film.frame(READING_MS).await;

    film.click("[data-testid=member-notes]", 2).await;
    let tool = "[data-testid=tool-notes-search_notes]";
    window.appears(Locator::Css(tool)).await;
    film.frame(READING_MS).await;

    film.click(tool, 1).await;
    window.appears(crate::RUN).await;
    film.frame(READING_MS).await;

    for letter in ["g", "u", "i", "l", "d"] {
        window.fill("text", letter).await;
        film.frame(KEYSTROKE_MS).await;
    }
    film.click("[data-testid=run]", 1).await;
    window
        .text_where(RESULT, |text| text.contains("Done"))
        .await;
    film.frame(LAST_MS).await;

    film.click("[data-testid=gateway-mark]", 1).await;
    window
        .text_where(Locator::Css("[data-testid=gateway-address]"), |text| {
            text.ends_with("/mcp")
        })
        .await;
    film.frame(LAST_MS).await;
    window.quit().await;
}
