//! What there is of the program outside its window: the tray, notifications, links, a shortcut, the
//! start at login, and where the window stands.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::process::Stdio;
use std::time::{Duration, Instant};

use fantoccini::Locator;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::desktop::{Desktop, Home, until};
use crate::screen::Screen;
use crate::session::Session;
use crate::{FORGE, pid_in, processes};

const STATUS: Locator<'_> = Locator::Css("[data-testid=member-status]");
const FORGE_ROW: Locator<'_> = Locator::Css("[data-testid=member-forge]");
/// How long a kind of notification is silent after it was told.
const PAUSE: Duration = Duration::from_secs(60);

/// What is set, as the program finds it.
fn set(home: &Home, settings: &Value) {
    home.add_file("data/settings.json", &settings.to_string());
}

fn to_tray() -> Value {
    json!({"window": {"onClose": "tray"}})
}

/// Starts the program a second time, and waits until that has ended.
async fn start_again(home: &Home, window: &Desktop, more: &[&str]) {
    let (members, data) = (home.members(), home.data());
    let status = Command::new(home.program())
        .args([OsStr::new("--members"), members.as_ref()])
        .args([OsStr::new("--data"), data.as_ref()])
        .args(more)
        .env("DISPLAY", format!(":{}", window.display()))
        .env_remove("WAYLAND_DISPLAY")
        .env("GDK_BACKEND", "x11")
        .env("DBUS_SESSION_BUS_ADDRESS", "disabled:")
        .env("NO_AT_BRIDGE", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    let status = tokio::time::timeout(crate::desktop::LIMIT, status).await;
    let status = status.expect("it ends").expect("it starts");
    assert!(status.success(), "the first takes what it was started for");
}

/// What the shell says of what there is outside the window.
async fn presence(window: &Desktop) -> Value {
    const ASK: &str = "const done = arguments[0]; \
        window.__TAURI_INTERNALS__.invoke('presence').then(done, (error) => done(String(error)));";
    let said = window.client.execute_async(ASK, Vec::new()).await;
    said.expect("an answer")
}

#[tokio::test]
async fn what_is_closed_to_the_tray_goes_on_and_the_tray_brings_it_back() {
    let session = Session::start().await;
    let tray = session.with_a_tray().await;
    let home = Home::on_bus(&session.address);
    home.add_member("forge", FORGE);
    set(&home, &to_tray());
    let window = Desktop::open(&home).await;
    window.click(FORGE_ROW).await;
    window
        .text_where(STATUS, |text| text.contains("ready"))
        .await;
    let page = Locator::Css("article");
    let text = window.text_where(page, |text| pid_in(text).is_some()).await;
    let pid = pid_in(&text).expect("the page shows a pid");

    let icon = tray.icon().await;
    icon.line(|text| text == "1 ready").await;
    assert_eq!(icon.tool_tip().await, "1 ready");
    let well = icon.picture().await;

    let screen = Screen::of(window.display());
    let own = screen.window().await;
    screen.until_shown(own, true).await;
    screen.close(own);
    screen.until_shown(own, false).await;
    icon.line(|text| text == "1 ready").await;
    icon.press().await;
    screen.until_shown(own, true).await;
    window
        .text_where(STATUS, |text| text.contains("ready"))
        .await;

    // A member in trouble stands in the menu, and leads to its page.
    screen.close(own);
    screen.until_shown(own, false).await;
    processes::kill(pid);
    icon.line(|text| text == "1 failed").await;
    assert_ne!(icon.picture().await, well, "the icon has another shape");
    icon.choose("forge: failed").await;
    screen.until_shown(own, true).await;
    window
        .text_where(STATUS, |text| text.contains("failed"))
        .await;
    icon.choose("Start all members").await;
    icon.line(|text| text == "1 ready").await;

    icon.choose("Quit").await;
    window.is_gone().await;
}

#[tokio::test]
async fn without_a_tray_closing_the_window_ends_the_program_whatever_is_set() {
    let home = Home::empty();
    set(&home, &to_tray());
    let window = Desktop::open(&home).await;
    let said = until("the tray is looked for", async || {
        let said = presence(&window).await;
        (said["tray"]["kind"] == "missing").then_some(said)
    })
    .await;
    assert_eq!(said["tray"]["report"]["code"], "tray-missing", "{said}");
    let screen = Screen::of(window.display());
    screen.close(screen.window().await);
    window.is_gone().await;
}

#[tokio::test]
async fn a_window_whose_tray_is_gone_comes_back_by_itself() {
    let session = Session::start().await;
    let tray = session.with_a_tray().await;
    let home = Home::on_bus(&session.address);
    set(&home, &to_tray());
    let window = Desktop::open(&home).await;
    tray.icon().await.line(|text| text == "No members").await;
    let screen = Screen::of(window.display());
    let own = screen.window().await;
    screen.until_shown(own, true).await;
    screen.close(own);
    screen.until_shown(own, false).await;
    tray.leave().await;
    screen.until_shown(own, true).await;
    window.quit().await;
}

#[tokio::test]
async fn a_second_start_shows_the_hidden_window_and_the_place_of_its_link() {
    let session = Session::start().await;
    let tray = session.with_a_tray().await;
    let home = Home::on_bus(&session.address);
    home.add_member("forge", FORGE);
    set(&home, &to_tray());
    let window = Desktop::open(&home).await;
    window
        .text_where(FORGE_ROW, |text| text.contains("ready"))
        .await;
    tray.icon().await.line(|text| text == "1 ready").await;
    let screen = Screen::of(window.display());
    let own = screen.window().await;
    screen.until_shown(own, true).await;
    screen.close(own);
    screen.until_shown(own, false).await;

    start_again(&home, &window, &["guildhall://member/forge"]).await;
    screen.until_shown(own, true).await;
    window
        .text_where(STATUS, |text| text.contains("ready"))
        .await;

    start_again(&home, &window, &["guildhall://page/doctor"]).await;
    let doctor = Locator::Css("#doctor-title");
    window.appears(doctor).await;

    // One that leads nowhere is told, and nothing else happens.
    start_again(&home, &window, &["guildhall://run/forge"]).await;
    let told = Locator::XPath("//*[@role='alert'][contains(., 'link')]");
    window.appears(told).await;
    window.appears(doctor).await;
    window.quit().await;
}

#[tokio::test]
async fn a_hidden_start_shows_no_window_until_it_is_asked_for() {
    let session = Session::start().await;
    let tray = session.with_a_tray().await;
    let home = Home::on_bus(&session.address);
    home.add_member("forge", FORGE);
    let (members, data) = (home.members(), home.data());
    let arguments: [&OsStr; 5] = [
        "--members".as_ref(),
        members.as_ref(),
        "--data".as_ref(),
        data.as_ref(),
        "--hidden".as_ref(),
    ];
    let window = Desktop::open_with(&home, &arguments).await;
    let icon = tray.icon().await;
    icon.line(|text| text == "1 ready").await;
    let screen = Screen::of(window.display());
    assert!(!screen.has_a_window(), "it runs in the tray alone");
    icon.choose("Open Guild Hall").await;
    let own = screen.window().await;
    screen.until_shown(own, true).await;
    window
        .text_where(FORGE_ROW, |text| text.contains("ready"))
        .await;
    window.quit().await;
}

#[tokio::test]
async fn the_window_comes_back_to_where_it_was_and_onto_a_display_that_is_there() {
    let home = Home::empty();
    let kept = home.data().join("window.json");
    let window = Desktop::open(&home).await;
    let screen = Screen::of(window.display());
    let own = screen.window().await;
    screen.until_shown(own, true).await;
    let put = (140, 90, 900, 650);
    screen.put(own, put);
    until("the place is kept", async || {
        let text = std::fs::read_to_string(&kept).ok()?;
        let frames: Value = serde_json::from_str(&text).ok()?;
        let is = &frames["windows"][0]["frame"]["area"];
        (*is == json!({"x": 140, "y": 90, "width": 900, "height": 650})).then_some(())
    })
    .await;
    window.quit().await;

    let window = Desktop::open(&home).await;
    let screen = Screen::of(window.display());
    let own = screen.window().await;
    screen.until_shown(own, true).await;
    until("it stands where it stood", async || {
        (screen.geometry(own) == Some(put)).then_some(())
    })
    .await;
    window.quit().await;

    // On a display that is gone.
    let text = json!({"windows": [{
        "displays": [{"x": 0, "y": 0, "width": 1400, "height": 1000},
                     {"x": 1400, "y": 0, "width": 2560, "height": 1440}],
        "frame": {"area": {"x": 2000, "y": 200, "width": 1000, "height": 700}, "maximised": false},
    }]});
    std::fs::write(&kept, text.to_string()).expect("written");
    let window = Desktop::open(&home).await;
    let screen = Screen::of(window.display());
    let own = screen.window().await;
    screen.until_shown(own, true).await;
    until("it stands on the display", async || {
        (screen.geometry(own) == Some((400, 200, 1000, 700))).then_some(())
    })
    .await;
    window.quit().await;
}

#[tokio::test]
async fn twenty_members_that_give_up_are_one_notification_and_a_click_leads_to_one() {
    let session = Session::start().await;
    let board = session.with_notifications().await;
    let home = Home::on_bus(&session.address);
    for number in 0..20 {
        let name = format!("broken{number:02}");
        let manifest = json!({
            "name": name, "version": "1.0.0", "description": "It ends at once",
            "transport": "http", "command": "/bin/sh", "args": ["-c", "exit 3"],
        });
        home.add_member(&name, &manifest.to_string());
    }
    let began = Instant::now();
    let window = Desktop::open(&home).await;
    let screen = Screen::of(window.display());
    let own = screen.window().await;
    screen.until_shown(own, true).await;
    screen.look_away();

    let all = board
        .newest(|told| told.title == "20 members crashed again and again")
        .await;
    let told = board.told();
    let ids: BTreeSet<u32> = told.iter().map(|told| told.id).collect();
    assert_eq!(
        ids.len(),
        1,
        "each takes the place of the one before: {told:?}"
    );
    let minutes = began.elapsed().as_secs() / PAUSE.as_secs() + 1;
    assert!(
        told.len() as u64 <= minutes,
        "one a minute at most: {told:?}"
    );
    assert!(all.body.ends_with(", and 15 more"), "{}", all.body);

    let (first, _) = all.body.split_once(", ").expect("several");
    board.click(all.id, "default").await;
    let heading = Locator::Css("article h1");
    window
        .text_where(heading, |text| text.contains(first))
        .await;
    // A button leads to what it names.
    let names: Vec<&[String]> = all.actions.chunks(2).collect();
    let [key, name] = names[2] else {
        panic!("a key and a name: {names:?}");
    };
    assert_ne!(name, first);
    board.click(all.id, key).await;
    window.quit().await;
}

#[tokio::test]
async fn the_shortcut_opens_the_palette_from_another_program() {
    const CONTROL: u32 = 0xffe3;
    const ALT: u32 = 0xffe9;
    const G: u32 = 0x67;

    let home = Home::empty();
    set(&home, &json!({"shortcut": {"palette": "Ctrl+Alt+G"}}));
    let window = Desktop::open(&home).await;
    until("the keys are taken", async || {
        (presence(&window).await["shortcut"]["kind"] == "on").then_some(())
    })
    .await;
    let screen = Screen::of(window.display());
    screen.look_away();
    screen.press(&[CONTROL, ALT, G]);
    window
        .appears(Locator::Css("[data-testid=palette-input]"))
        .await;
    // Without the setting they are anybody's again.
    set(&home, &json!({}));
    until("the keys are given back", async || {
        (presence(&window).await["shortcut"]["kind"] == "off").then_some(())
    })
    .await;
    window.quit().await;
}

#[tokio::test]
async fn the_start_at_login_follows_the_settings() {
    let home = Home::empty();
    set(
        &home,
        &json!({"window": {"startAtLogin": true, "startHidden": true}}),
    );
    let window = Desktop::open(&home).await;
    let entry = home
        .config()
        .join("autostart/org.guildhall.desktop.desktop");
    let text = until("the entry is written", async || {
        std::fs::read_to_string(&entry).ok()
    })
    .await;
    let exec = text.lines().find(|line| line.starts_with("Exec="));
    let exec = exec.expect("what is started");
    let program = home.program();
    assert!(exec.contains(program.to_str().expect("UTF-8")), "{exec}");
    assert!(
        exec.contains("--data") && exec.ends_with("--hidden"),
        "{exec}"
    );

    set(&home, &json!({"window": {"startAtLogin": false}}));
    until("the entry is gone", async || {
        (!entry.exists()).then_some(())
    })
    .await;
    window.quit().await;
}
