//! The settings page: its changes are written to the file, and changes of the file are shown on it.

use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::json;

use crate::agents::button;
use crate::desktop::{Desktop, Home, until};
use crate::keyboard::Hands;

const MISTAKES: Locator<'_> = Locator::Css("[data-testid=settings-mistakes]");
const NOTIFIES: Locator<'_> = Locator::Css("[data-setting='notifications.crashLoop'] input");

const THEME: Locator<'_> = Locator::Css("[data-setting='appearance.theme'] [role=combobox]");

pub(crate) async fn open_section(window: &Desktop, title: &str) {
    let hands = Hands { window };
    hands.press(&[Key::Control.into(), ',']).await;
    window.appears(Locator::Css("#settings-title")).await;
    let entry = format!("//nav[@aria-label='Sections']{}", button(title));
    window.click(Locator::XPath(&entry)).await;
}

/// Opens the list of a control, and selects an option.
pub(crate) async fn choose(window: &Desktop, control: Locator<'_>, option: &str) {
    let option = format!("//*[@role='option'][normalize-space()='{option}']");
    let option = Locator::XPath(&option);
    // The list covers the control before the driver's click has ended.
    until(&format!("{control:?} opens"), async || {
        if window.client.find(option).await.is_err() {
            window.client.find(control).await.ok()?.click().await.ok();
        }
        window.client.find(option).await.ok()
    })
    .await;
    until(&format!("{option:?} is selected"), async || {
        window.client.find(option).await.ok()?.click().await.ok()
    })
    .await;
}

/// A settings file with a comment.
const WRITTEN: &str = "{\n  // quiet at night\n  \"notifications\": {\"approval\": false},\n}\n";

/// Returns the window's color theme.
async fn theme(window: &Desktop) -> Option<String> {
    let theme = "return document.documentElement.dataset.theme ?? null;";
    let said = window.client.execute(theme, Vec::new()).await.ok()?;
    said.as_str().map(str::to_owned)
}

/// Waits until the window has this color theme.
async fn is_drawn(window: &Desktop, colours: &str) {
    until(&format!("the window is {colours}"), async || {
        (theme(window).await? == colours).then_some(())
    })
    .await;
}

/// Waits until the checkbox is ticked, or is not ticked.
async fn is_ticked(window: &Desktop, at: Locator<'_>, ticked: bool) {
    until(&format!("{at:?} is ticked: {ticked}"), async || {
        let found = window.client.find(at).await.ok()?;
        (found.is_selected().await.ok()? == ticked).then_some(())
    })
    .await;
}

#[tokio::test]
async fn window_and_settings_file_stay_in_sync() {
    let home = Home::empty();
    let file = home.add_file("data/settings.json", WRITTEN);
    let stands = async |words: &str| {
        until(&format!("the file has {words}"), async || {
            let text = std::fs::read_to_string(&file).ok()?;
            text.contains(words).then_some(text)
        })
        .await
    };
    let window = Desktop::open(&home).await;
    window.appears(Locator::Css("main h1")).await;
    open_section(&window, "Notifications").await;
    is_ticked(
        &window,
        Locator::Css("[data-setting='notifications.approval'] input"),
        false,
    )
    .await;

    // A changed setting is saved, and all other text of the file stays the same.
    is_ticked(&window, NOTIFIES, true).await;
    window.click(NOTIFIES).await;
    let text = stands("\"crashLoop\": false").await;
    assert!(text.contains("// quiet at night"), "{text}");
    open_section(&window, "Appearance").await;
    choose(&window, THEME, "Light").await;
    stands("\"theme\": \"light\"").await;
    is_drawn(&window, "light").await;

    // A change of the file is shown, and an error names its line.
    let wrong = text.replace("\"crashLoop\": false", "\"crashLoop\": \"no\"");
    std::fs::write(&file, wrong).expect("written");
    let mistakes = window
        .text_where(MISTAKES, |text| text.contains("crashLoop"))
        .await;
    assert!(mistakes.contains("line 3"), "{mistakes}");
    open_section(&window, "Notifications").await;
    is_ticked(&window, NOTIFIES, true).await;
    std::fs::write(&file, &text).expect("written");
    is_ticked(&window, NOTIFIES, false).await;
    until("nobody is told of a mistake", async || {
        window.client.find(MISTAKES).await.is_err().then_some(())
    })
    .await;
    window.quit().await;
}

/// Replaces the system's file dialog, which the driver can't use, by a function that returns a
/// path.
const PICK: &str = "const [path] = arguments; const ask = window.fetch; \
    const headers = { 'Content-Type': 'application/json', 'Tauri-Response': 'ok' }; \
    window.fetch = (address, ...more) => String(address).endsWith('/pick_path') \
    ? Promise.resolve(new Response(JSON.stringify(path), { headers })) : ask(address, ...more);";

#[tokio::test]
async fn imported_settings_apply_at_once() {
    let home = Home::empty();
    let light = r#"{"appearance": {"theme": "light"}}"#;
    let file = home.add_file("data/settings.json", light);
    let exported = home.data().with_file_name("exported.json");
    let window = Desktop::open(&home).await;
    window.appears(Locator::Css("main h1")).await;
    let picked = window.client.execute(PICK, vec![json!(exported)]).await;
    picked.expect("it stands in for the dialog");
    open_section(&window, "Advanced").await;
    let click = async |words: &str| window.click(Locator::XPath(&button(words))).await;

    click("Export…").await;
    let said = "//span[starts-with(normalize-space(), 'Exported to ')]";
    window.appears(Locator::XPath(said)).await;
    assert!(exported.is_file(), "it lies where the dialog said");
    open_section(&window, "Appearance").await;
    choose(&window, THEME, "Dark").await;
    is_drawn(&window, "dark").await;
    open_section(&window, "Advanced").await;

    click("Import…").await;
    let look = Locator::Css("[data-testid=settings-import]");
    window
        .text_where(look, |text| {
            text.contains(r#"appearance.theme: "dark" → "light""#)
        })
        .await;
    let dark = std::fs::read_to_string(&file).expect("the settings");
    assert!(dark.contains("\"dark\""), "a look writes nothing: {dark}");
    click("Import settings").await;
    is_drawn(&window, "light").await;
    let text = std::fs::read_to_string(&file).expect("the settings");
    assert!(text.contains("\"light\""), "{text}");
    window.quit().await;
}
