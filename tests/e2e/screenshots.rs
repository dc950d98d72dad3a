//! Pictures of each screen, dark and light, for the user guide.
//!
//! The pictures are written to the folder in the variable `GUILD_HALL_SCREENSHOTS`. Without it, the
//! test only checks that each screen can be reached and drawn.

use std::path::{Path, PathBuf};

use fantoccini::Locator;
use fantoccini::key::Key;

use crate::desktop::{Desktop, Home};
use crate::keyboard::Hands;
use crate::{FORGE, RESULT, RUN, processes};

const THEMES: [&str; 2] = ["dark", "light"];

/// The configuration of another program.
const CURSOR: &str = r#"{
  "mcpServers": {
    "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv/notes"]}
  }
}"#;
/// The instructions of a server's page.
const PASTED: &str = "npx -y @modelcontextprotocol/server-memory";

/// The folder for the pictures, if there is one.
struct Album {
    folder: Option<PathBuf>,
}

impl Album {
    fn from_environment() -> Self {
        let folder = std::env::var_os("GUILD_HALL_SCREENSHOTS").map(PathBuf::from);
        if let Some(folder) = &folder {
            std::fs::create_dir_all(folder).expect("the folder of the pictures");
        }
        Self { folder }
    }

    /// Takes a picture of a screen in each theme.
    async fn take(&self, window: &Desktop, screen: &str) {
        for theme in THEMES {
            window
                .client
                .execute(
                    "document.documentElement.dataset.theme = arguments[0];",
                    vec![theme.into()],
                )
                .await
                .expect("a theme is set");
            let picture = window.picture().await;
            assert!(picture.starts_with(b"\x89PNG"), "{screen} is a picture");
            if let Some(folder) = &self.folder {
                save(folder, &format!("{screen}-{theme}.png"), &picture);
            }
        }
    }
}

fn save(folder: &Path, name: &str, picture: &[u8]) {
    let file = folder.join(name);
    std::fs::write(&file, picture).expect("the picture is written");
    println!("{}", file.display());
}

#[tokio::test]
async fn each_screen_is_drawn_in_dark_and_light() {
    let album = Album::from_environment();

    let empty = Home::empty();
    let window = Desktop::open(&empty).await;
    let heading = Locator::XPath("//h1[normalize-space()='Your guild is empty']");
    window.appears(heading).await;
    album.take(&window, "first-run").await;
    window.quit().await;

    let home = Home::with_samples();
    home.add_member("forge", FORGE);
    home.add_file(".cursor/mcp.json", CURSOR);
    // The tests' display has no tray, and the settings would show a warning about that.
    home.add_file("data/settings.json", r#"{"window": {"tray": false}}"#);
    let window = Desktop::open(&home).await;
    for member in ["forge", "notes", "playground"] {
        let row = format!("[data-testid=member-{member}]");
        window.is_ready(Locator::Css(&row)).await;
    }
    album.take(&window, "welcome").await;

    let notes = Locator::Css("[data-testid=member-notes]");
    window.click(notes).await;
    let form = Locator::Css("[data-testid=tool-notes-search_notes]");
    window.appears(form).await;
    window
        .text_where(Locator::Css("[data-testid=member-status]"), |_| true)
        .await;
    album.take(&window, "member").await;

    window.click(form).await;
    window.appears(RUN).await;
    album.take(&window, "tool").await;
    window.fill("text", "guild").await;
    window.click(RUN).await;
    window
        .text_where(RESULT, |text| text.contains("Done"))
        .await;
    album.take(&window, "result").await;

    window
        .click(Locator::Css("[data-testid=member-playground]"))
        .await;
    let fail = Locator::Css("[data-testid=tool-playground-fail]");
    window.click(fail).await;
    window.click(RUN).await;
    window
        .text_where(RESULT, |text| text.contains("Tool error"))
        .await;
    album.take(&window, "tool-error").await;

    window
        .click(Locator::Css("[data-testid=tool-playground-result_demo]"))
        .await;
    window.click(RUN).await;
    window
        .appears(Locator::Css("[data-testid=result] img"))
        .await;
    album.take(&window, "result-image").await;

    let history = Locator::XPath("//header//button[@data-tour='history']");
    window.click(history).await;
    let past = "//*[@data-testid='history-list']//*[@role='option'][contains(., 'Search notes')]";
    window.click(Locator::XPath(past)).await;
    let call = Locator::Css("[data-testid=history-entry]");
    window
        .text_where(call, |text| text.contains("Structured"))
        .await;
    album.take(&window, "history").await;
    let close = Locator::Css("[data-testid=history-entry] [aria-label='Close']");
    window.click(close).await;
    let more = Locator::Css("[aria-label='More actions for the history']");
    window.click(more).await;
    let checks = "//*[@role='menuitem'][contains(., 'Create checks')]";
    window.click(Locator::XPath(checks)).await;
    let dialog = Locator::Css("[role=dialog]");
    window
        .click(Locator::Css("[role=dialog] [type=submit]"))
        .await;
    window
        .text_where(dialog, |text| text.contains("Created"))
        .await;
    album.take(&window, "checks").await;
    let close = "//*[@role='dialog']//button[.='Close']";
    window.click(Locator::XPath(close)).await;

    let search = window
        .client
        .find(Locator::Css("[data-testid=search]"))
        .await;
    let search = search.expect("the search field");
    search.send_keys("note").await.expect("words are typed");
    window
        .appears(Locator::Css("[role=listbox] [role=option]"))
        .await;
    album.take(&window, "search").await;
    search
        .send_keys(&char::from(Key::Escape).to_string())
        .await
        .expect("the words are removed");
    window.appears(Locator::Css("[role=tree]")).await;

    window
        .click(Locator::XPath("//header//button[@data-tour='palette']"))
        .await;
    let palette = Locator::Css("[data-testid=palette-input]");
    window.appears(palette).await;
    let palette = window
        .client
        .find(palette)
        .await
        .expect("the palette's field");
    palette.send_keys("time").await.expect("words are typed");
    window
        .appears(Locator::Css("[role=dialog] [role=option]"))
        .await;
    album.take(&window, "palette").await;
    palette
        .send_keys(&char::from(Key::Escape).to_string())
        .await
        .expect("the palette closes");

    window
        .click(Locator::Css("[data-testid=gateway-mark]"))
        .await;
    let address = Locator::Css("[data-testid=gateway-address]");
    window
        .text_where(address, |text| text.ends_with("/mcp"))
        .await;
    album.take(&window, "agents").await;
    let policies = "//*[@role='tab'][normalize-space()='Permissions']";
    window.click(Locator::XPath(policies)).await;
    window
        .text_where(Locator::Css("article"), |text| {
            text.contains("Write a note")
        })
        .await;
    album.take(&window, "policies").await;
    let preview = "//article//button[contains(., 'What agents see')]";
    window.click(Locator::XPath(preview)).await;
    let preview = Locator::Css("[data-testid=agent-view]");
    window
        .text_where(preview, |text| text.contains("forge__"))
        .await;
    album.take(&window, "agent-view").await;

    let hands = Hands { window: &window };
    hands.press(&[Key::Control.into(), ',']).await;
    window
        .appears(Locator::Css("[data-setting='window.onClose']"))
        .await;
    album.take(&window, "settings").await;

    let add = Locator::XPath("//button[@aria-label='Add member']");
    window.click(add).await;
    let found = Locator::XPath("//*[@role='tab'][@aria-label='From other apps']");
    window.click(found).await;
    let server = Locator::Css("[data-testid=found-server]");
    window.appears(server).await;
    album.take(&window, "found").await;
    let paste = Locator::XPath("//*[@role='tab'][@aria-label='Paste']");
    window.click(paste).await;
    let field = Locator::Css("textarea");
    window.appears(field).await;
    let field = window.client.find(field).await.expect("the field");
    field.send_keys(PASTED).await.expect("words are typed");
    window.appears(server).await;
    album.take(&window, "adding").await;
    // The typed text would be lost, so the dialog asks first.
    hands.press(&[Key::Escape.into()]).await;
    let discard = Locator::XPath("//button[normalize-space()='Discard']");
    window.click(discard).await;

    let help = Locator::Css("nav [aria-label='Help']");
    window.click(help).await;
    let page = "//*[@role='menuitem'][contains(., 'Help on this page')]";
    window.click(Locator::XPath(page)).await;
    let section = Locator::Css("[data-testid=help-section]");
    window.appears(section).await;
    album.take(&window, "help").await;
    let tour = Locator::XPath("//article//button[normalize-space()='Take the tour']");
    window.click(tour).await;
    let stop = Locator::Css("[data-testid=tour]");
    let next = Locator::XPath("//*[@data-testid='tour']//button[normalize-space()='Next']");
    window.appears(stop).await;
    window.click(next).await;
    // The tour's stop about the form shows a tool's page.
    window.appears(RUN).await;
    album.take(&window, "tour").await;
    hands.press(&[Key::Escape.into()]).await;

    window
        .click(Locator::Css("[data-testid=member-forge]"))
        .await;
    let page = Locator::Css("article");
    window.click(crate::CONFIGURATION).await;
    let text = window
        .text_where(page, |text| crate::pid_in(text).is_some())
        .await;
    processes::kill(crate::pid_in(&text).expect("the page shows a pid"));
    window
        .appears(Locator::Css("[data-testid=member-error]"))
        .await;
    let tools = "//*[@role='tab'][starts-with(normalize-space(), 'Tools')]";
    window.click(Locator::XPath(tools)).await;
    album.take(&window, "member-failed").await;
    window.quit().await;
}
