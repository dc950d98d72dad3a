//! A start that can't open the hall: the window shows the reason.

use fantoccini::Locator;

use crate::desktop::{Desktop, Home};

const WHY: Locator<'_> = Locator::Css("[role=alert]");
const DOCS: Locator<'_> = Locator::Css("main");

#[tokio::test]
async fn a_window_without_a_hall_says_why_and_what_the_docs_say_of_it() {
    let home = Home::empty();
    // A file can't be used as the data folder.
    let data = home.add_file("blocked", "");
    let arguments = ["--data".as_ref(), data.as_os_str()];
    let window = Desktop::open_with(&home, &arguments).await;
    let text = window
        .text_where(WHY, |text| text.contains("could not open"))
        .await;
    assert!(text.contains("blocked"), "{text}");
    let docs = window.client.find(DOCS).await.expect("the page");
    let docs = docs.text().await.expect("its text");
    for part in ["data-", "Cause. ", "Fix. "] {
        assert!(docs.contains(part), "{part}: {docs}");
    }
    window.quit().await;
}
