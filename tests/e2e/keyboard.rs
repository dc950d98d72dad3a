//! Uses the tool page with the keyboard alone: from the open window to a result, and back to the
//! roster. The driver presses keys as input actions, so each key goes to the focused element.

use fantoccini::Locator;
use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::key::Key;
use guild_tests::fixture_bin;
use serde_json::{Value, json};

use crate::RESULT;
use crate::desktop::{Desktop, Home};

const FORM_CHOSEN: Locator<'_> =
    Locator::XPath("//*[@role='tab'][@aria-selected='true'][normalize-space()='Form']");
const JSON_CHOSEN: Locator<'_> =
    Locator::XPath("//*[@role='tab'][@aria-selected='true'][normalize-space()='JSON']");

/// Counts pointer presses. The test ends with a check that there were none.
const WATCH_POINTERS: &str = "
    window.pointerPresses = 0;
    addEventListener('pointerdown', () => { window.pointerPresses += 1; }, true);";

/// More presses of Tab than the window has focusable elements.
const AROUND: usize = 150;

/// A script that returns the focused element as a screen reader announces it, with the label of a
/// field or the name of a region.
const FOCUSED: &str = "
    const at = document.activeElement;
    const group = at.closest('[role=radiogroup]');
    const place = (selector) => at.closest(selector) !== null;
    return {
        name: group?.ariaLabel ?? at.labels?.[0]?.textContent ?? at.ariaLabel ?? '',
        role: at.getAttribute('role') ?? at.tagName.toLowerCase(),
        result: place('[data-testid=result]'),
        roster: place('section[aria-label=Roster]'),
        main: place('main'),
    };";

/// Presses keys in a window.
pub(crate) struct Hands<'a> {
    pub(crate) window: &'a Desktop,
}

impl Hands<'_> {
    /// Presses keys together: all keys are down before the first one is released.
    pub(crate) async fn press(&self, keys: &[char]) {
        let down = keys.iter().map(|&value| KeyAction::Down { value });
        let up = keys.iter().rev().map(|&value| KeyAction::Up { value });
        let mut actions = KeyActions::new("keyboard".to_owned());
        for action in down.chain(up) {
            actions = actions.then(action);
        }
        let pressed = self.window.client.perform_actions(actions).await;
        pressed.expect("keys are pressed");
    }

    async fn control(&self, key: char) {
        self.press(&[Key::Control.into(), key]).await;
    }

    /// Types a text, one key at a time.
    async fn write(&self, text: &str) {
        for key in text.chars() {
            self.press(&[key]).await;
        }
    }

    /// Returns the focus, see [`FOCUSED`].
    pub(crate) async fn focus(&self) -> Value {
        let said = self.window.client.execute(FOCUSED, Vec::new()).await;
        said.expect("the page says where the focus is")
    }

    /// Presses a key until `wanted` accepts the focused element.
    async fn press_until(&self, key: Key, what: &str, wanted: impl Fn(&Value) -> bool) {
        for _ in 0..AROUND {
            if wanted(&self.focus().await) {
                return;
            }
            self.press(&[key.into()]).await;
        }
        panic!(
            "{key:?} does not lead to {what}; the focus is at {}",
            self.focus().await
        );
    }

    pub(crate) async fn tab_to_field(&self, name: &str) {
        self.press_until(Key::Tab, &format!("the field {name}"), |at| {
            at["name"] == name && at["role"] != "button"
        })
        .await;
    }

    /// Selects the segment that is `after` places behind the focused one.
    pub(crate) async fn select_segment(&self, after: usize) {
        for _ in 0..after {
            self.press(&[Key::Right.into()]).await;
        }
        self.press(&[' ']).await;
    }

    /// Opens a tool with the command palette.
    async fn find(&self, tool: &str) {
        let palette = Locator::Css("[data-testid=palette-input]");
        self.control('k').await;
        self.window.appears(palette).await;
        self.write(tool).await;
        // The list is filtered with each typed character.
        let first = format!("//*[@role='option'][@aria-selected='true'][contains(., '{tool}')]");
        self.window.appears(Locator::XPath(&first)).await;
        self.press(&[Key::Enter.into()]).await;
        let page = format!("article[aria-label='forge {tool}']");
        self.window.appears(Locator::Css(&page)).await;
        self.window.appears(Locator::Css("[data-testid=run]")).await;
    }
}

/// A tool with one field of each simple kind, and a tool `slow` that waits. The server answers with
/// its arguments.
fn tools() -> Value {
    let hints = json!({"readOnlyHint": true});
    json!([
        {
            "name": "craft",
            "description": "Makes a thing",
            "annotations": hints,
            "inputSchema": {
                "type": "object",
                "properties": {
                    "label": {"type": "string"},
                    "count": {"type": "integer", "minimum": 1},
                    "polished": {"type": "boolean"},
                    "wood": {"enum": ["ash", "beech", "oak"]},
                    "note": {"type": "string"},
                },
                "required": ["label", "count"],
            },
        },
        {
            "name": "slow",
            "description": "Takes its time",
            "annotations": hints,
            "inputSchema": {
                "type": "object",
                "properties": {"ms": {"type": "integer"}},
                "required": ["ms"],
            },
        },
    ])
}

fn forge(home: &Home) {
    let file = home.data().join("tools.json");
    std::fs::write(&file, tools().to_string()).expect("the tools");
    let manifest = json!({
        "name": "forge",
        "version": "1.0.0",
        "description": "Work at the anvil",
        "transport": "stdio",
        "command": fixture_bin(),
        "args": ["--stdio", "--tools-json", file],
    });
    home.add_member("forge", &manifest.to_string());
}

#[tokio::test]
async fn the_tool_screen_is_worked_with_the_keyboard_alone() {
    let home = Home::empty();
    forge(&home);
    let window = Desktop::open(&home).await;
    let hands = Hands { window: &window };
    let watched = window.client.execute(WATCH_POINTERS, Vec::new()).await;
    watched.expect("pointers are watched");
    let row = Locator::Css("[data-testid=member-forge]");
    window.is_ready(row).await;

    // Opens a tool with the palette, and moves through its fields with Tab.
    hands.find("craft").await;
    hands.tab_to_field("label").await;
    hands.write("brass hook").await;
    hands.tab_to_field("count").await;
    hands.write("12").await;
    // The segments of a field: arrows move between them, Space selects.
    hands.tab_to_field("polished").await;
    hands.select_segment(1).await;
    hands.tab_to_field("wood").await;
    hands.select_segment(3).await;

    // Switches to the JSON view, which has the typed text, and back without losing it.
    hands.control('e').await;
    window.appears(JSON_CHOSEN).await;
    let json = Locator::Css("[role=tabpanel]");
    let text = window
        .text_where(json, |text| text.contains("brass hook"))
        .await;
    for part in [
        "\"count\"",
        "12",
        "\"polished\"",
        "true",
        "\"wood\"",
        "\"oak\"",
    ] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    hands.control('e').await;
    window.appears(FORM_CHOSEN).await;
    hands.tab_to_field("label").await;
    hands.press(&[Key::End.into()]).await;
    hands.write("s").await;

    hands.control(Key::Enter.into()).await;
    let text = window
        .text_where(RESULT, |text| text.contains("brass hooks"))
        .await;
    assert!(text.contains("Done"), "{text}");
    assert!(
        !text.contains("note"),
        "a field that nobody touched is left out: {text}"
    );

    // Moves through the regions to the page, and from there into the result.
    hands
        .press_until(Key::F6, "the page", |at| at["main"] == true)
        .await;
    hands
        .press_until(Key::Tab, "the result", |at| at["result"] == true)
        .await;

    // A slow call is cancelled.
    hands.find("slow").await;
    hands.tab_to_field("ms").await;
    hands.write("100000").await;
    hands.control(Key::Enter.into()).await;
    window
        .appears(Locator::XPath(
            "//*[@data-testid='result']//button[contains(., 'Cancel')]",
        ))
        .await;
    hands.control('.').await;
    window
        .text_where(RESULT, |text| text.to_lowercase().contains("cancelled"))
        .await;

    // Moves back to the roster, and opens another page with its arrow keys.
    hands
        .press_until(Key::F6, "the roster", |at| at["roster"] == true)
        .await;
    hands
        .press_until(Key::Tab, "the roster's rows", |at| at["role"] == "tree")
        .await;
    hands.press(&[Key::Home.into()]).await;
    hands.press(&[Key::Enter.into()]).await;
    window
        .appears(Locator::Css("[data-testid=member-status]"))
        .await;
    hands
        .press_until(Key::F6, "the roster", |at| at["roster"] == true)
        .await;
    hands
        .press_until(Key::Tab, "the roster's rows", |at| at["role"] == "tree")
        .await;
    hands.press(&[Key::Down.into()]).await;
    hands.press(&[Key::Enter.into()]).await;
    window
        .appears(Locator::Css("article[aria-label^='forge ']"))
        .await;
    let presses = window
        .client
        .execute("return window.pointerPresses;", Vec::new())
        .await;
    assert_eq!(presses.expect("a count"), 0, "no pointer was pressed");
    window.quit().await;
}
