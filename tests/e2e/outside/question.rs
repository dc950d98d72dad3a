//! A member's question to its user while one of its tools runs for an agent. The tray and a
//! notification show it, a link opens its form, and the call continues with the answer.

use fantoccini::Locator;
use fantoccini::key::Key;
use guild_tests::fixture_bin;
use serde_json::json;
use tokio::task::JoinHandle;

use super::links::start_again;
use super::{FORGE_ROW, OnScreen, set, to_tray};
use crate::agents::Agent;
use crate::desktop::{Home, until};
use crate::keyboard::Hands;
use crate::session::Session;

const NOTICE: Locator<'_> = Locator::Css("[aria-label='A server asks']");
const QUESTION: Locator<'_> = Locator::Css("[data-testid=question]");
const DECLINE: Locator<'_> =
    Locator::XPath("//*[@data-testid='question']//button[normalize-space()='Decline']");
const ENDED: Locator<'_> = Locator::Css("[aria-label='Ended questions']");

/// Opens a window with `forge`, which asks for a color, and creates an agent that can't answer
/// questions.
async fn with_forge(session: &Session) -> (Home, OnScreen, Agent) {
    let home = Home::on_bus(&session.address);
    let manifest = json!({
        "name": "forge",
        "version": "1.0.0",
        "description": "Work at the anvil, to one's wishes",
        "transport": "stdio",
        "command": fixture_bin(),
        "args": ["--stdio", "--asks"],
    });
    home.add_member("forge", &manifest.to_string());
    set(&home, &to_tray());
    let shown = OnScreen::open(&home).await;
    let window = &shown.window;
    window.is_ready(FORGE_ROW).await;
    let agent = Agent::let_in(window).await;
    (home, shown, agent)
}

/// Calls the asking tool as an agent. Returns a task with the call's response.
fn call(agent: Agent) -> JoinHandle<String> {
    tokio::spawn(async move { agent.call("forge__ask", json!({})).await })
}

/// Waits for a call's result, which contains the answer that the server received.
async fn answered(call: JoinHandle<String>) -> String {
    until("the call is answered", async || {
        call.is_finished().then_some(())
    })
    .await;
    // The result contains the answer as a string with escaped quotes.
    call.await.expect("no panic").replace('\\', "")
}

#[tokio::test]
async fn link_leads_to_a_question_answered_by_keys() {
    let session = Session::start().await;
    let tray = session.with_a_tray().await;
    let (home, shown, agent) = with_forge(&session).await;
    let (window, icon) = (&shown.window, tray.icon().await);
    let call = call(agent);
    window
        .text_where(NOTICE, |text| text.contains("Which colour?"))
        .await;
    icon.line(|text| text == "1 question waits for an answer")
        .await;

    shown.close().await;
    start_again(&home, window, &["guildhall://question/forge"]).await;
    shown.is_shown().await;
    window
        .text_where(QUESTION, |text| text.contains("Which colour?"))
        .await;
    shown.screen.look_at(shown.own);
    let hands = Hands { window };
    until("its first field has the focus", async || {
        (hands.focus().await["name"] == "colour").then_some(())
    })
    .await;
    hands.press(&[Key::Left.into()]).await;
    hands.press(&[' ']).await;
    hands.press(&[Key::Control.into(), Key::Enter.into()]).await;
    let answer = answered(call).await;
    assert!(
        answer.contains(r#""action":"accept","content":{"colour":"red"}"#),
        "{answer}"
    );
    window
        .text_where(ENDED, |text| text.contains("you answered"))
        .await;
    until("the tray tells of no question", async || {
        let menu = icon.menu().await;
        let tells = menu.iter().any(|(_, text)| text.contains("question"));
        (!tells).then_some(())
    })
    .await;
    shown.window.quit().await;
}

#[tokio::test]
async fn notification_leads_to_a_declined_question() {
    let session = Session::start().await;
    let board = session.with_notifications().await;
    let (_home, shown, agent) = with_forge(&session).await;
    let window = &shown.window;
    shown.look_away().await;
    let call = call(agent);
    let notification = board
        .newest(|notification| notification.body == "forge asks you something.")
        .await;
    board.click(notification.id, "default").await;
    window
        .text_where(QUESTION, |text| text.contains("Which colour?"))
        .await;
    window.click(DECLINE).await;
    let answer = answered(call).await;
    assert!(answer.contains(r#""action":"decline""#), "{answer}");
    assert!(!answer.contains("colour"), "no value of it: {answer}");
    window
        .text_where(ENDED, |text| text.contains("you declined"))
        .await;
    board.until_withdrawn(notification.id).await;
    shown.window.quit().await;
}
