//! The first minute with a new data folder: one click, one key, and a result. Then the tour.

use std::time::{Duration, Instant};

use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::Value;

use crate::desktop::{Desktop, Home, until};
use crate::keyboard::Hands;
use crate::{RESULT, RUN};

/// Limit of the time from the start of the window to a tool's result.
const MINUTE: Duration = Duration::from_secs(60);

const STARTS: Locator<'_> = Locator::Css("[data-testid=starts]");
const STARTING: Locator<'_> = Locator::Css("[data-testid=starts] summary");
const TRY: Locator<'_> = Locator::Css("[data-testid=try-it]");
const TOUR: Locator<'_> = Locator::Css("[data-testid=tour]");

/// Opens the program as a double click does: with a new data folder and without `--members`, so
/// that the program writes its samples.
async fn opened_anew(home: &Home) -> Desktop {
    let data = home.data();
    Desktop::open_with(home, &["--data".as_ref(), data.as_ref()]).await
}

#[tokio::test]
async fn new_data_folder_leads_to_a_result() {
    let home = Home::empty();
    let began = Instant::now();
    let window = opened_anew(&home).await;
    // The first click shows the start commands of the samples.
    window.click(STARTING).await;
    let text = window
        .text_where(STARTS, |text| text.contains("sample-member notes"))
        .await;
    assert!(text.contains("sample-member playground --stdio"), "{text}");
    assert!(text.contains("part of Guild Hall"), "{text}");
    assert!(text.contains("sample-member clock"), "{text}");
    assert!(text.contains("on demand"), "{text}");
    assert!(text.contains("3 members start with Guild Hall"), "{text}");
    let shown = began.elapsed();

    window.click(TRY).await;
    window.appears(RUN).await;
    let hands = Hands { window: &window };
    hands.press(&[Key::Control.into(), Key::Enter.into()]).await;
    let result = window
        .text_where(RESULT, |text| text.contains("Done"))
        .await;
    let taken = began.elapsed();
    assert!(result.contains("Asia/Tokyo"), "{result}");
    println!(
        "from the start of the window to the result: {:.1} s with 3 interactions; the page was there after {:.1} s",
        taken.as_secs_f64(),
        shown.as_secs_f64()
    );
    assert!(taken < MINUTE, "{taken:?}");
    window.quit().await;
}

/// A member that writes the time of its first start to a file, in Unix milliseconds.
const CLERK: &str = r#"{
  "name": "clerk",
  "version": "1.0.0",
  "description": "Knows when it began",
  "transport": "stdio",
  "command": "/bin/sh",
  "args": [
    "-c", "[ -e began ] || date +%s%3N > began; exec \"$0\" \"$@\"",
    "${GUILDHALL}", "sample-member", "playground", "--stdio"
  ]
}"#;

#[tokio::test]
async fn planned_starts_are_shown_first() {
    // The time when the start commands were painted, by the page's clock.
    const SHOWN_AT: &str =
        "return document.querySelector('[data-testid=starts]').dataset.drawn ?? null;";

    let home = Home::empty();
    let began = home.add_member("clerk", CLERK).join("began");
    let window = Desktop::open(&home).await;
    let row = Locator::Css("[data-testid=member-clerk]");
    window.is_ready(row).await;
    window.click(STARTING).await;
    window
        .text_where(STARTS, |text| text.contains("sample-member playground"))
        .await;
    let shown_at = window.client.execute(SHOWN_AT, Vec::new()).await;
    let shown_at = shown_at.expect("an answer");
    let shown_at: u64 = shown_at
        .as_str()
        .and_then(|text| text.parse().ok())
        .expect("a time");
    let began = std::fs::read_to_string(began).expect("it was started");
    let began: u64 = began.trim().parse().expect("a time");
    assert!(
        shown_at <= began,
        "shown at {shown_at} ms, started at {began} ms"
    );
    window.quit().await;
}

/// The callout's position, the page's size, and whether the callout has the focus.
const WITHIN: &str = "const { left, top, right, bottom } = \
    document.querySelector('[data-testid=tour]').getBoundingClientRect(); \
    const focused = document.activeElement.closest('[data-testid=tour]') !== null; \
    return { left, top, right, bottom, width: innerWidth, height: innerHeight, focused };";

fn is_ready_within(place: &Value) -> bool {
    let at = |name: &str| place[name].as_f64().unwrap_or(f64::NAN);
    place["focused"] == true
        && at("left") >= 0.0
        && at("top") >= 0.0
        && at("right") <= at("width")
        && at("bottom") <= at("height")
}

#[tokio::test]
async fn tour_works_at_triple_size() {
    let home = Home::empty();
    let window = opened_anew(&home).await;
    let row = Locator::Css("[data-testid=member-notes]");
    window.is_ready(row).await;
    let begin = Locator::XPath("//main//button[normalize-space()='Take the tour']");
    window.click(begin).await;
    window.appears(TOUR).await;
    // The rest uses only the keyboard, at the largest text size. The tour must not cover the page.
    let hands = Hands { window: &window };
    for _ in 0..20 {
        hands.press(&[Key::Control.into(), '+']).await;
    }
    until("it is drawn at three times the size", async || {
        let width = window.client.execute("return innerWidth;", Vec::new());
        (width.await.ok()?.as_f64()? < 600.0).then_some(())
    })
    .await;
    let stops = [
        "The roster",
        "A tool's form",
        "The result",
        "The history",
        "The gateway for agents",
        "Find anything",
    ];
    for (index, title) in stops.iter().enumerate() {
        window.text_where(TOUR, |text| text.contains(title)).await;
        until(
            "the callout has the focus and stands within the window",
            async || {
                let place = window.client.execute(WITHIN, Vec::new()).await.ok()?;
                is_ready_within(&place).then_some(())
            },
        )
        .await;
        if index + 1 < stops.len() {
            hands.press(&[Key::Enter.into()]).await;
        }
    }
    hands.press(&[Key::Escape.into()]).await;
    until("the tour is gone", async || {
        window.client.find(TOUR).await.is_err().then_some(())
    })
    .await;
    let calls = window.calls().await;
    assert_eq!(calls, Vec::<Value>::new(), "nothing was called");
    window.quit().await;
}
