//! Updates of the program from a local server. An update with an invalid signature is refused, a
//! valid one is installed, and one that can't start is rolled back.
//!
//! Here, the AppImage is a small script that starts the program under test. The tests in `appimage`
//! replace a real AppImage.

mod appimage;
mod publisher;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use fantoccini::Locator;
use serde_json::{Value, json};

use self::publisher::Publisher;
use crate::desktop::{Desktop, Home, until};
use crate::processes;
use crate::settings::open_section;

const UPDATES: Locator<'_> = Locator::Css("[data-testid=updates]");
const LAST: Locator<'_> = Locator::Css("[data-testid=last-update]");

/// The version of the program under test.
const OLD: &str = env!("CARGO_PKG_VERSION");
/// The newest published version.
const NEW: &str = "9.0.0";

/// A home with an AppImage of the running version, and a publisher of newer versions.
struct Room {
    home: Home,
    image: PathBuf,
    publisher: Publisher,
}

impl Room {
    async fn new(patience_ms: u64) -> Self {
        let mut home = Home::empty();
        let publisher = Publisher::open().await;
        let settings = json!({"updates": {
            "address": publisher.address("latest.json"),
            "key": publisher.key(),
        }});
        home.add_file("data/settings.json", &settings.to_string());
        let program = home.program();
        let image = home.add_file("Guild_Hall.AppImage", &starts(&home, "first"));
        let all_may = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&image, all_may).expect("it may be run");
        home.set("APPIMAGE", &image);
        home.set("APPDIR", program.parent().expect("its folder"));
        home.set("GUILD_HALL_UPDATE_PATIENCE_MS", patience_ms.to_string());
        Self {
            home,
            image,
            publisher,
        }
    }

    /// Publishes a program as a version, with a valid signature.
    fn publish(&self, version: &str, program: &str) {
        let signature = self.publisher.signature(program.as_bytes(), version);
        self.publisher.publish(version, program, &signature);
    }

    fn image(&self) -> String {
        std::fs::read_to_string(&self.image).expect("the AppImage")
    }

    /// Waits until the update has succeeded or failed. Returns the content of `update.json`.
    async fn change(&self) -> Value {
        let note = self.home.data().join("update.json");
        until("the change of version is over", async || {
            let text = std::fs::read_to_string(&note).ok()?;
            let note: Value = serde_json::from_str(&text).ok()?;
            (note["step"]["kind"] != "placed").then_some(note)
        })
        .await
    }

    /// Waits until a process other than `other` holds the data folder. Returns its pid.
    async fn keeper(&self, other: u32) -> u32 {
        let note = self.home.data().join("hall.json");
        until("another program keeps the data folder", async || {
            let text = std::fs::read_to_string(&note).ok()?;
            let note: Value = serde_json::from_str(&text).ok()?;
            let pid = u32::try_from(note["pid"].as_u64()?).ok()?;
            (pid != other && processes::runs(pid)).then_some(pid)
        })
        .await
    }

    /// Waits until all files of the update are removed, beside the AppImage and in the data folder.
    async fn is_tidied(&self) {
        let folder = self.image.parent().expect("its folder");
        let updates = self.home.data().join("updates");
        until("nothing is left", async || {
            let beside = names_in(folder);
            let fetched = names_in(&updates);
            let left = beside
                .iter()
                .filter(|name| name.starts_with('.') || name.contains("AppImage"));
            let alone = left.eq(["Guild_Hall.AppImage"].iter());
            (alone && !fetched.iter().any(|name| name.starts_with("fetched"))).then_some(())
        })
        .await;
    }
}

/// Returns the names of the files in a folder.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let name = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    entries.map(name).collect()
}

/// Returns a script that starts the program under test. `name` distinguishes the scripts.
fn starts(home: &Home, name: &str) -> String {
    let program = home.program();
    let folder = program.parent().expect("its folder").display();
    let program = program.display();
    format!(
        "#!/bin/sh\n# {name}\nexport APPIMAGE=\"$0\" APPDIR='{folder}'\nexec '{program}' \"$@\"\n"
    )
}

/// Opens the section Updates of the settings.
async fn open_settings(window: &Desktop) {
    window.appears(Locator::Css("main h1")).await;
    open_section(window, "Updates").await;
    window.appears(UPDATES).await;
}

fn button(name: &str) -> String {
    format!("//*[@data-testid='updates']//button[normalize-space()='{name}']")
}

/// Clicks a button that ends the program. The program may end before the driver gets an answer, so
/// the caller checks the click by its effect on the version.
async fn press_last(window: &Desktop, name: &str) {
    let (button, pid) = (button(name), window.pid());
    let at = Locator::XPath(&button);
    window.appears(at).await;
    until(&format!("{name} is pressed"), async || {
        let pressed = async { window.client.find(at).await?.click().await };
        (pressed.await.is_ok() || !processes::runs(pid)).then_some(())
    })
    .await;
}

async fn press(window: &Desktop, name: &str) {
    let button = button(name);
    let at = Locator::XPath(&button);
    // The driver treats a button that is half below the window's edge as visible, but can't click
    // it.
    until(&format!("{name} is in the middle"), async || {
        let found = serde_json::to_value(window.client.find(at).await.ok()?).ok()?;
        let scroll = "arguments[0].scrollIntoView({ block: 'center' });";
        window.client.execute(scroll, vec![found]).await.ok()
    })
    .await;
    window.click(at).await;
}

async fn says(window: &Desktop, words: &str) -> String {
    window
        .text_where(UPDATES, |text| text.contains(words))
        .await
}

/// Checks for updates after the last update was refused.
async fn look_again(window: &Desktop) {
    press(window, "Check now").await;
    window
        .text_where(UPDATES, |text| {
            !text.contains("update-refused") && text.contains("is available")
        })
        .await;
}

/// Updates to the published version, step by step. Returns the window, whose process is about to
/// end, and that process's id.
async fn changed_to_new(home: &Home) -> (Desktop, u32) {
    let window = Desktop::open(home).await;
    open_settings(&window).await;
    press(&window, "Check now").await;
    press(&window, &format!("Download {NEW}")).await;
    says(&window, "downloaded and verified").await;
    let pid = window.pid();
    press_last(&window, "Restart to update").await;
    (window, pid)
}

#[tokio::test]
async fn update_needs_a_matching_signature() {
    let room = Room::new(120_000).await;
    let before = room.image();
    let new = starts(&room.home, "second");
    let window = Desktop::open(&room.home).await;
    open_settings(&window).await;
    says(&window, &format!("Guild Hall {OLD}")).await;

    // An older version is not an update.
    room.publish("0.0.9", &new);
    press(&window, "Check now").await;
    says(&window, "Up to date").await;

    // Signed with another key.
    let other = Publisher::open().await;
    room.publisher
        .publish(NEW, &new, &other.signature(new.as_bytes(), NEW));
    press(&window, "Check now").await;
    says(&window, &format!("Guild Hall {NEW} is available")).await;
    press(&window, &format!("Download {NEW}")).await;
    says(&window, "update-refused").await;

    // An old version with a valid signature, published as new.
    let old = room.publisher.signature(new.as_bytes(), "0.0.9");
    room.publisher.publish(NEW, &new, &old);
    look_again(&window).await;
    press(&window, &format!("Download {NEW}")).await;
    says(&window, "update-refused").await;
    assert_eq!(room.image(), before, "nothing of them is used");
    room.is_tidied().await;

    // A valid version.
    room.publish(NEW, &new);
    look_again(&window).await;
    let text = says(&window, "What there is to say").await;
    assert!(text.contains(&room.publisher.address("program")), "{text}");
    press(&window, &format!("Download {NEW}")).await;
    says(&window, "downloaded and verified").await;
    assert_eq!(room.image(), before, "nothing is replaced unasked");
    let first = window.pid();
    press_last(&window, "Restart to update").await;

    let change = room.change().await;
    assert_eq!(change["step"]["kind"], "up", "{change}");
    assert_eq!(room.image(), new);
    let second = room.keeper(first).await;
    until("the version before has ended", async || {
        (!processes::runs(first)).then_some(())
    })
    .await;
    room.is_tidied().await;
    processes::terminate(second);
    window.until_gone().await;

    // The result is shown until a person has seen it.
    let window = Desktop::open(&room.home).await;
    open_settings(&window).await;
    window
        .text_where(LAST, |text| {
            text.contains(&format!("Updated from {OLD} to {NEW}"))
        })
        .await;
    press(&window, "Dismiss").await;
    until("it is told no more", async || {
        (!room.home.data().join("update.json").exists()).then_some(())
    })
    .await;
    window.quit().await;
}

#[tokio::test]
async fn a_version_that_ends_at_its_start_is_taken_back() {
    let room = Room::new(120_000).await;
    let before = room.image();
    room.publish(NEW, "#!/bin/sh\necho 'no such library' >&2\nexit 3\n");
    let (window, first) = changed_to_new(&room.home).await;
    let change = room.change().await;
    assert_eq!(change["step"]["kind"], "taken-back", "{change}");
    assert_eq!(room.image(), before);
    let second = room.keeper(first).await;
    room.is_tidied().await;
    processes::terminate(second);
    window.until_gone().await;

    let window = Desktop::open(&room.home).await;
    open_settings(&window).await;
    window
        .text_where(LAST, |text| {
            text.contains(&format!(
                "The update to {NEW} didn't start, so {OLD} was restored."
            ))
        })
        .await;
    window
        .click(Locator::Css("[data-testid=last-update] summary"))
        .await;
    window
        .text_where(LAST, |text| {
            text.contains("no such library") && text.contains('3')
        })
        .await;
    window.quit().await;
}

#[tokio::test]
async fn a_version_that_shows_no_window_is_ended_and_taken_back() {
    let room = Room::new(2_000).await;
    let before = room.image();
    room.publish(NEW, "#!/bin/sh\ntrap '' TERM\nsleep 1000\nsleep 1000\n");
    let (window, first) = changed_to_new(&room.home).await;
    let change = room.change().await;
    let why = change["step"]["why"].as_str().expect("why").to_owned();
    assert!(why.contains("within 2 s"), "{why}");
    assert_eq!(room.image(), before);
    let second = room.keeper(first).await;
    processes::terminate(second);
    window.until_gone().await;
}
