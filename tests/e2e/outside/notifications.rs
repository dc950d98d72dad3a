//! Notifications: simultaneous events share one notification, a click opens the right page, and a
//! focused window gets none.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fantoccini::Locator;
use guild_tests::fixture_bin;
use serde_json::{Value, json};

use super::{FORGE_ROW, HEADING, OnScreen, REVIEW, presence};
use crate::FORGE;
use crate::agents::{Agent, button};
use crate::desktop::{Home, LIMIT, until};
use crate::session::{Session, ShownNotification};

/// The minimum time between two notifications of a kind.
const PAUSE: Duration = Duration::from_secs(60);
const APPROVAL: Locator<'_> = Locator::Css("[data-testid=approval]");

/// Returns the actions of a notification for named things, such as members, each with its key and
/// name.
fn parts(notification: &ShownNotification) -> Vec<(&str, &str)> {
    let pairs = notification.actions.chunks(2).map(|pair| match pair {
        [key, name] => (key.as_str(), name.as_str()),
        _ => panic!("a key and a name: {:?}", notification.actions),
    });
    pairs.filter(|(key, _)| *key != "default").collect()
}

/// Checks that all notifications since `began` replace one another, and come at most once a minute.
fn is_one(notifications: &[ShownNotification], began: Instant) {
    let ids: BTreeSet<u32> = notifications.iter().map(|one| one.id).collect();
    assert_eq!(
        ids.len(),
        1,
        "each takes the place of the one before: {notifications:?}"
    );
    let minutes = began.elapsed().as_secs() / PAUSE.as_secs() + 1;
    assert!(
        notifications.len() as u64 <= minutes,
        "one a minute at most: {notifications:?}"
    );
}

/// Opens a window with `forge`, whose tool `echo` needs a person's approval, and creates an agent.
async fn asking(session: &Session) -> (Home, OnScreen, Agent) {
    let home = Home::on_bus(&session.address);
    home.add_member("forge", FORGE);
    let settings = json!({"port": 0, "policies": {"forge": {"echo": "ask"}}});
    home.add_file("data/gateway.json", &settings.to_string());
    let shown = OnScreen::open(&home).await;
    let window = &shown.window;
    window.is_ready(FORGE_ROW).await;
    let agent = Agent::let_in(window).await;
    (home, shown, agent)
}

/// Starts this many simultaneous calls of a tool that waits for approval.
fn ask(agent: &Agent, times: usize) {
    for number in 0..times {
        let agent = agent.clone();
        let arguments = json!({"message": format!("message {number}")});
        // The call ends at the latest when the program ends.
        tokio::spawn(async move { agent.try_to_call("forge__echo", arguments).await });
    }
}

#[tokio::test]
async fn twenty_failures_make_one_notification() {
    let session = Session::start().await;
    let board = session.with_notifications().await;
    let home = Home::on_bus(&session.address);
    for number in 0..20 {
        let name = format!("broken{number:02}");
        let manifest = json!({
            "name": name, "version": "1.0.0", "description": "It ends at once",
            "transport": "http", "command": "/bin/sh", "args": ["-c", "echo gone; exit 3"],
        });
        home.add_member(&name, &manifest.to_string());
    }
    let began = Instant::now();
    let shown = OnScreen::open(&home).await;
    shown.look_away().await;

    // The notifications of this kind may pause twice before the last member stops restarting.
    let all = board
        .newest_within(LIMIT + 2 * PAUSE, |notification| {
            notification.title == "20 members crashed again and again"
        })
        .await;
    is_one(&board.notifications(), began);
    assert!(all.body.ends_with(", and 17 more"), "{}", all.body);

    let [_, (key, name), ..] = parts(&all)[..] else {
        panic!("a button for each of the first: {all:?}");
    };
    board.click(all.id, key).await;
    let window = &shown.window;
    window.text_where(HEADING, |text| text.contains(name)).await;
    let end = Locator::Css("[data-testid=member-error][data-code=crash-loop]");
    window.appears(end).await;
    board.until_withdrawn(all.id).await;
    shown.window.quit().await;
}

#[tokio::test]
async fn five_waiting_calls_make_one_notification() {
    let session = Session::start().await;
    let board = session.with_notifications().await;
    let (_home, shown, agent) = asking(&session).await;
    let window = &shown.window;
    shown.look_away().await;
    let began = Instant::now();
    ask(&agent, 5);

    let all = board
        .newest(|notification| notification.title == "5 things wait for you")
        .await;
    is_one(&board.notifications(), began);
    board.click(all.id, "default").await;
    window
        .text_where(APPROVAL, |text| text.contains("echo"))
        .await;
    let five = "//nav[@aria-label]//li";
    let waiting = window.client.find_all(Locator::XPath(five)).await;
    assert_eq!(waiting.expect("a list").len(), 5);
    board.until_withdrawn(all.id).await;
    shown.window.quit().await;
}

#[tokio::test]
async fn early_notification_click_leads_there() {
    let session = Session::start().await;
    let board = session.with_notifications().await;
    let (_home, shown, agent) = asking(&session).await;
    let window = &shown.window;
    shown.look_away().await;

    board.answer(false);
    ask(&agent, 1);
    let notification = board.newest(|_| true).await;
    board.click(notification.id, "default").await;
    board.answer(true);
    window
        .text_where(APPROVAL, |text| text.contains("echo"))
        .await;
    board.until_withdrawn(notification.id).await;
    shown.window.quit().await;
}

#[tokio::test]
async fn a_click_brings_up_a_window_that_was_closed_to_the_tray() {
    let session = Session::start().await;
    let _tray = session.with_a_tray().await;
    let board = session.with_notifications().await;
    let (_home, shown, agent) = asking(&session).await;
    let window = &shown.window;
    let to_tray = json!({"key": "window.onClose", "value": "tray"});
    let changed = window.ask("change_settings", json!({"changes": [to_tray]}));
    changed.await.expect("it is set");
    until("the icon is in the tray", async || {
        (presence(window).await["tray"]["kind"] == "on").then_some(())
    })
    .await;
    shown.close().await;

    ask(&agent, 1);
    let notification = board.newest(|_| true).await;
    board.click(notification.id, "default").await;
    shown.is_shown().await;
    window
        .text_where(APPROVAL, |text| text.contains("echo"))
        .await;
    board.until_withdrawn(notification.id).await;
    shown.window.quit().await;
}

#[tokio::test]
async fn five_tool_changes_are_one_notification() {
    let session = Session::start().await;
    let board = session.with_notifications().await;
    let home = Home::on_bus(&session.address);
    let members: Vec<(String, PathBuf)> = (0..5).map(|number| changing(&home, number)).collect();
    let shown = OnScreen::open(&home).await;
    let window = &shown.window;
    for (name, _) in &members {
        let row = format!("[data-testid=member-{name}]");
        let row = Locator::Css(&row);
        window.is_ready(row).await;
        let held = window.ask("hold_changes", json!({"member": name, "hold": true}));
        held.await.expect("from now on they are held back");
    }
    shown.look_away().await;
    let began = Instant::now();
    for (name, tools) in &members {
        says(tools, "Answers at once, and tells everybody.");
        let read = window.ask("refresh_member", json!({"member": name})).await;
        read.expect("its tools are read anew");
    }

    let all = board
        .newest(|notification| notification.title == "The tools of 5 members changed")
        .await;
    is_one(&board.notifications(), began);
    let [.., (key, name)] = parts(&all)[..] else {
        panic!("buttons: {all:?}");
    };
    board.click(all.id, key).await;
    window.text_where(HEADING, |text| text.contains(name)).await;
    window
        .text_where(REVIEW, |text| text.contains("tells everybody"))
        .await;
    shown.window.quit().await;
}

/// Adds a member that reads its only tool from a file for each list. Returns its name and the file.
fn changing(home: &Home, number: usize) -> (String, PathBuf) {
    let name = format!("smith{number}");
    let tools = home.add_file(&format!("{name}-tools.json"), "[]");
    says(&tools, "Answers at once.");
    let manifest = json!({
        "name": name,
        "version": "1.0.0",
        "description": "Work at the anvil",
        "transport": "stdio",
        "command": fixture_bin(),
        "args": ["--stdio", "--change-tools-file", tools],
    });
    home.add_member(&name, &manifest.to_string());
    (name, tools)
}

/// Sets the description of the tool in the file.
fn says(tools: &Path, description: &str) {
    let tool = json!({
        "name": "echo", "description": description, "inputSchema": {"type": "object"},
    });
    std::fs::write(tools, Value::from(vec![tool]).to_string()).expect("written");
}

#[tokio::test]
async fn focused_window_withdraws_notifications() {
    let session = Session::start().await;
    let board = session.with_notifications().await;
    let (_home, shown, agent) = asking(&session).await;
    let window = &shown.window;

    shown.look_at().await;
    ask(&agent, 1);
    window.click(Locator::XPath(&button("Review"))).await;
    window.appears(APPROVAL).await;

    // The next notification is about one call: the first call was seen when its approval opened.
    shown.look_away().await;
    ask(&agent, 1);
    let notification = board.newest(|_| true).await;
    assert_eq!(notification.title, "Guild Hall waits for you");
    assert_eq!(
        notification.body,
        "An agent's call of forge waits for your consent."
    );
    assert_eq!(parts(&notification), [], "the whole of it leads there");

    shown.screen.look_at(shown.own);
    board.until_withdrawn(notification.id).await;
    assert_eq!(board.notifications().len(), 1);
    shown.window.quit().await;
}
