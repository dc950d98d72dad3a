//! A real AppImage that updates itself to a newer one, and rolls back one that can't start.
//!
//! `cargo xtask dist --try` packs, signs and publishes the AppImages like a release, and runs this
//! test. The older AppImage uses the update address and the key in its package, without settings.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::publisher::{LATEST, Publisher};
use super::{LAST, Room, look_again, names_in, open_settings, press, press_last, says};
use crate::desktop::{Desktop, Home, until};
use crate::processes;

/// The variable with a folder that has one folder for each version.
const VERSIONS: &str = "GUILD_HALL_VERSIONS";
/// The name of the AppImage in the user's folder. It is the same for every version.
const FILE: &str = "Guild_Hall.AppImage";
/// The user's variable `XDG_DATA_DIRS`, which the AppImage extends for itself.
const DATA_DIRS: &str = "/usr/local/share:/usr/share:/of/the/user";

/// A packed version, as `cargo xtask dist --sign` writes it.
struct Packed {
    image: PathBuf,
    latest: Value,
}

impl Packed {
    fn in_folder(folder: &Path) -> Self {
        let names = names_in(folder);
        let name = names.iter().find(|name| name.ends_with(".AppImage"));
        let latest = fs::read(folder.join(LATEST)).expect("the update information");
        Self {
            image: folder.join(name.expect("an AppImage")),
            latest: serde_json::from_slice(&latest).expect("JSON"),
        }
    }

    fn version(&self) -> &str {
        self.latest["version"].as_str().expect("a version")
    }

    fn platform(&self) -> String {
        format!("linux-{}", std::env::consts::ARCH)
    }

    /// Returns the address at which the AppImage is published.
    fn address(&self) -> &str {
        let latest = &self.latest["platforms"][self.platform()];
        latest["url"].as_str().expect("an address")
    }

    fn name(&self) -> &str {
        self.address().rsplit('/').next().expect("a name")
    }

    fn port(&self) -> u16 {
        let host = self.address().split('/').nth(2).expect("a host");
        let (_, port) = host.rsplit_once(':').expect("a port");
        port.parse().expect("a number")
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.image).expect("the AppImage")
    }

    /// Publishes `latest.json` of this version, and `bytes` as its AppImage.
    fn publish(&self, publisher: &Publisher, bytes: Vec<u8>) {
        publisher.serve(self.name(), bytes);
        publisher.serve(LATEST, self.latest.to_string());
    }
}

/// Downloads and installs a version that the program has found.
async fn take(window: &Desktop, version: &str) {
    press(window, &format!("Download {version}")).await;
    says(window, "downloaded and verified").await;
    press_last(window, "Restart to update").await;
}

async fn is_refused(window: &Desktop, version: &str, code: &str) {
    press(window, &format!("Download {version}")).await;
    says(window, code).await;
}

/// Waits until only one version is unpacked. The next start removes the unused versions.
async fn one_is_unpacked(home: &Home) {
    let cache = home.config().join("guild-hall/appimage");
    until("one version is unpacked", async || {
        let folders = names_in(&cache);
        let count = folders.iter().filter(|name| *name != "lock").count();
        (count == 1).then_some(())
    })
    .await;
}

/// Adds a member that writes its environment variables to a file. Returns the file.
fn noting_member(home: &Home) -> PathBuf {
    let noted = home.data().join("variables");
    let script =
        "env > \"$0.new\" && mv \"$0.new\" \"$0\"; exec \"$1\" sample-member playground --stdio";
    let manifest = json!({
        "name": "noting",
        "version": "1.0.0",
        "description": "Notes what it is started with",
        "transport": "stdio",
        "command": "/bin/sh",
        "args": ["-c", script, noted, "${GUILDHALL}"],
    });
    home.add_member("noting", &manifest.to_string());
    noted
}

/// Checks that a member gets the user's variables, and none of the AppImage's. Removes the file
/// with the variables, so that the next start can be detected.
async fn members_have_the_users_variables(noted: &Path) {
    let text = until("the member has noted its variables", async || {
        fs::read_to_string(noted).ok()
    })
    .await;
    let dirs = text
        .lines()
        .find_map(|line| line.strip_prefix("XDG_DATA_DIRS="));
    assert_eq!(dirs, Some(DATA_DIRS));
    for line in text.lines() {
        let of_an_appimage = line.contains("/guild-hall/appimage/")
            || ["APPDIR=", "APPIMAGE=", "ARGV0=", "OWD=", "GUILD_HALL_WAS_"]
                .iter()
                .any(|own| line.starts_with(own));
        assert!(!of_an_appimage, "{line}");
    }
    fs::remove_file(noted).expect("it was there");
}

#[tokio::test]
#[ignore = "needs the AppImages that `cargo xtask dist --try` makes"]
async fn appimage_updates_and_rolls_back() {
    let folder = PathBuf::from(std::env::var_os(VERSIONS).expect("the folder of the versions"));
    let [older, newer, broken] =
        ["older", "newer", "broken"].map(|name| Packed::in_folder(&folder.join(name)));
    let mut home = Home::empty();
    home.set("XDG_DATA_DIRS", DATA_DIRS);
    let noted = noting_member(&home);
    let image = home.add_own_program(FILE, &older.image);
    let beside = image.parent().expect("its folder").to_owned();
    let command_line = beside.join("guildhall");
    std::os::unix::fs::symlink(FILE, &command_line).expect("the command line's name");
    let room = Room {
        home,
        image,
        publisher: Publisher::at(newer.port()).await,
    };
    let current = || fs::read(&room.image).expect("the AppImage");
    let says_its_version = || {
        let said = Command::new(&command_line)
            .arg("--version")
            .env("XDG_CACHE_HOME", room.home.config())
            .output();
        String::from_utf8(said.expect("it runs").stdout).expect("text")
    };

    let window = Desktop::open(&room.home).await;
    open_settings(&window).await;
    says(&window, &format!("Guild Hall {}", older.version())).await;
    members_have_the_users_variables(&noted).await;

    // The AppImage was changed after it was signed.
    let mut altered = newer.bytes();
    let middle = altered.len() / 2;
    altered[middle] ^= 1;
    newer.publish(&room.publisher, altered);
    press(&window, "Check now").await;
    says(&window, &format!("{} is available", newer.version())).await;
    is_refused(&window, newer.version(), "update-refused").await;

    // Signed with another key.
    let bytes = newer.bytes();
    let other = Publisher::open().await;
    let mut latest = newer.latest.clone();
    latest["platforms"][newer.platform()]["signature"] =
        json!(other.signature(&bytes, newer.version()));
    newer.publish(&room.publisher, bytes);
    room.publisher.serve(LATEST, latest.to_string());
    look_again(&window).await;
    is_refused(&window, newer.version(), "update-refused").await;

    // The AppImage's folder is read-only.
    newer.publish(&room.publisher, newer.bytes());
    look_again(&window).await;
    fs::set_permissions(&beside, Permissions::from_mode(0o555)).expect("its user's folder");
    is_refused(&window, newer.version(), "update-unplaced").await;
    fs::set_permissions(&beside, Permissions::from_mode(0o755)).expect("its user's folder");
    assert!(current() == older.bytes(), "nothing of them is used");
    assert!(says_its_version().contains(older.version()));

    // The folder is writable again.
    press(&window, "Check now").await;
    let first = window.pid();
    take(&window, newer.version()).await;
    let change = room.change().await;
    assert_eq!(change["step"]["kind"], "up", "{change}");
    assert!(current() == newer.bytes(), "it is the newer one");
    let second = room.keeper(first).await;
    room.is_tidied().await;
    members_have_the_users_variables(&noted).await;
    processes::terminate(second);
    window.until_gone().await;
    assert!(says_its_version().contains(newer.version()));

    let window = Desktop::open(&room.home).await;
    one_is_unpacked(&room.home).await;
    open_settings(&window).await;
    let updated = format!("to {}", newer.version());
    window
        .text_where(LAST, |text| text.contains(&updated))
        .await;
    press(&window, "Dismiss").await;
    until("it is told no more", async || {
        (!room.home.data().join("update.json").exists()).then_some(())
    })
    .await;
    press(&window, "Check now").await;
    says(&window, "Up to date").await;

    // The signature is valid, but the AppImage was truncated before it was signed.
    broken.publish(&room.publisher, broken.bytes());
    press(&window, "Check now").await;
    let first = window.pid();
    take(&window, broken.version()).await;
    let change = room.change().await;
    assert_eq!(change["step"]["kind"], "taken-back", "{change}");
    assert!(current() == newer.bytes(), "the version before is back");
    let second = room.keeper(first).await;
    room.is_tidied().await;
    processes::terminate(second);
    window.until_gone().await;
    assert!(says_its_version().contains(newer.version()));
}
