//! The settings' page: what is set there stands in the file, and what is written there is on the page.

use fantoccini::Locator;
use fantoccini::key::Key;

use crate::desktop::{Desktop, Home, until};
use crate::keyboard::Hands;

const MISTAKES: Locator<'_> = Locator::Css("[data-testid=settings-mistakes]");
const NOTIFIES: Locator<'_> = Locator::Css("[data-setting='notifications.crashLoop'] input");

/// A file as somebody wrote it.
const WRITTEN: &str = "{\n  // quiet at night\n  \"notifications\": {\"approval\": false},\n}\n";

/// The colours that the window has.
async fn theme(window: &Desktop) -> Option<String> {
    let theme = "return document.documentElement.dataset.theme ?? null;";
    let said = window.client.execute(theme, Vec::new()).await.ok()?;
    said.as_str().map(str::to_owned)
}

/// Waits until the box is ticked, or is not.
async fn is_ticked(window: &Desktop, at: Locator<'_>, ticked: bool) {
    until(&format!("{at:?} is ticked: {ticked}"), async || {
        let found = window.client.find(at).await.ok()?;
        (found.is_selected().await.ok()? == ticked).then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_is_set_in_the_window_stands_in_the_file_and_what_is_written_there_is_shown() {
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
    let hands = Hands { window: &window };
    hands.press(&[Key::Control.into(), ',']).await;
    window.appears(Locator::Css("#settings-title")).await;
    is_ticked(
        &window,
        Locator::Css("[data-setting='notifications.approval'] input"),
        false,
    )
    .await;

    // What is set is saved, and nothing else of the file is touched.
    is_ticked(&window, NOTIFIES, true).await;
    window.click(NOTIFIES).await;
    let text = stands("\"crashLoop\": false").await;
    assert!(text.contains("// quiet at night"), "{text}");
    let choice = Locator::Css("[data-setting='appearance.theme'] select");
    let choice = window.client.find(choice).await.expect("the themes");
    choice.select_by_value("light").await.expect("chosen");
    stands("\"theme\": \"light\"").await;
    until("the window has its colours", async || {
        (theme(&window).await? == "light").then_some(())
    })
    .await;

    // What is written is shown, and a mistake is told with its line.
    let wrong = text.replace("\"crashLoop\": false", "\"crashLoop\": \"no\"");
    std::fs::write(&file, wrong).expect("written");
    let told = window
        .text_where(MISTAKES, |text| text.contains("crashLoop"))
        .await;
    assert!(told.contains("line 3"), "{told}");
    is_ticked(&window, NOTIFIES, true).await;
    std::fs::write(&file, &text).expect("written");
    is_ticked(&window, NOTIFIES, false).await;
    until("nobody is told of a mistake", async || {
        window.client.find(MISTAKES).await.is_err().then_some(())
    })
    .await;
    window.quit().await;
}
