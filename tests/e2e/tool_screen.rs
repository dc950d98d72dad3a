//! The tool page with the real engine: a server's question, a call in the history, and typed
//! arguments from before the window was closed.

use fantoccini::Locator;

use crate::desktop::{Desktop, Home, until};
use crate::keyboard::Hands;
use crate::{RESULT, RUN};

/// Opens a tool from the roster.
pub(crate) async fn open(window: &Desktop, member: &str, tool: &str) {
    let row = format!("[data-testid=member-{member}]");
    window.click(Locator::Css(&row)).await;
    let row = format!("[data-testid=tool-{member}-{tool}]");
    window.click(Locator::Css(&row)).await;
}

/// Waits until the field with this label has this text.
pub(crate) async fn holds(window: &Desktop, label: &str, text: &str) {
    let labelled = format!("//label[normalize-space()='{label}']");
    until(&format!("{label} holds {text:?}"), async || {
        let label = window.client.find(Locator::XPath(&labelled)).await.ok()?;
        let field = label.attr("for").await.ok()??;
        let field = window.client.find(Locator::Id(&field)).await.ok()?;
        let value = field.prop("value").await.ok()??;
        (value == text).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_server_s_question_is_answered_beside_its_call() {
    let home = Home::with_samples();
    let window = Desktop::open(&home).await;
    open(&window, "playground", "long_task").await;
    window.appears(RUN).await;
    let hands = Hands { window: &window };
    hands.tab_to_field("ask").await;
    hands.select_segment(1).await;
    window.click(RUN).await;
    let question = Locator::Css("[data-testid=question]");
    window
        .text_where(question, |text| {
            text.contains("What should the task be called?")
        })
        .await;
    let submit = Locator::XPath("//*[@data-testid='question']//button[normalize-space()='Submit']");
    window.click(submit).await;
    let result = window
        .text_where(RESULT, |text| text.contains("Task finished"))
        .await;
    assert!(result.contains("Done"), "{result}");
    window.quit().await;
}

#[tokio::test]
async fn a_past_call_and_what_was_typed_are_there_after_a_restart() {
    let home = Home::with_samples();
    let first = Desktop::open(&home).await;
    open(&first, "playground", "echo").await;
    first.fill("message", "Brass screws").await;
    first.click(RUN).await;
    first.text_where(RESULT, |text| text.contains("Done")).await;
    first.fill("message", " and nails").await;
    // Leaving a form saves its input at once.
    open(&first, "notes", "list_notes").await;
    first
        .click(Locator::Css("[data-testid=tool-playground-echo]"))
        .await;
    holds(&first, "message", "Brass screws and nails").await;
    first.quit().await;

    let second = Desktop::open(&home).await;
    open(&second, "playground", "echo").await;
    holds(&second, "message", "Brass screws and nails").await;

    second
        .click(Locator::XPath("//header//button[@data-tour='history']"))
        .await;
    let past = "//*[@data-testid='history-list']//*[@role='option'][contains(., 'Echo')]";
    second.click(Locator::XPath(past)).await;
    let entry = Locator::Css("[data-testid=history-entry]");
    second
        .text_where(entry, |text| text.contains("Brass screws"))
        .await;
    second
        .click(Locator::XPath("//button[normalize-space()='Open in form']"))
        .await;
    holds(&second, "message", "Brass screws").await;
    second.quit().await;
}
