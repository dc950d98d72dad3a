//! The desktop program itself, driven through its real window.
//!
//! Not covered here: other systems than Linux, Wayland, and real graphics cards.

#![allow(
    clippy::expect_used,
    reason = "what a test needs and does not find has to end the test, in its helpers too"
)]

mod adding;
mod agents;
mod animation;
mod apps;
mod desktop;
mod display;
mod evidence;
mod failure;
mod first_run;
mod help;
mod import;
mod installed;
mod keyboard;
mod keys;
#[cfg(target_os = "linux")]
mod outside;
mod processes;
#[cfg(target_os = "linux")]
mod screen;
mod screenshots;
#[cfg(target_os = "linux")]
mod session;
mod settings;
mod tool_screen;
mod trust;
mod updates;

use fantoccini::Locator;
use serde_json::{Value, json};

use crate::desktop::{Desktop, Home, until};

const RESULT: Locator<'_> = Locator::Css("[data-testid=result]");
const RUN: Locator<'_> = Locator::Css("[data-testid=run]");

/// A member whose server starts only after a file `open` was written into the member's folder.
const GATEHOUSE: &str = r#"{
  "name": "gatehouse",
  "version": "1.0.0",
  "description": "Serves once its gate is open",
  "transport": "stdio",
  "command": "/bin/sh",
  "args": [
    "-c", "while [ ! -e open ]; do sleep 0.05; done; exec \"$0\" \"$@\"",
    "${GUILDHALL}", "sample-member", "playground", "--stdio"
  ]
}"#;

/// A member that is not restarted after its process has ended.
pub(crate) const FORGE: &str = r#"{
  "name": "forge",
  "version": "1.0.0",
  "description": "Work at the anvil; stays down once it has ended",
  "transport": "http",
  "restart": "never",
  "command": "${GUILDHALL}",
  "args": ["sample-member", "playground", "--port", "${PORT}"]
}"#;

#[tokio::test]
async fn req_mcp_tool_4_cached_tools_show_first() {
    let home = Home::empty();
    let gate = home.add_member("gatehouse", GATEHOUSE).join("open");
    let row = Locator::Css("[data-testid=member-gatehouse]");
    let tool = Locator::Css("[data-testid=tool-gatehouse-echo]");

    std::fs::write(&gate, "").expect("the gate opens");
    let first = Desktop::open(&home).await;
    first.is_ready(row).await;
    first.quit().await;

    std::fs::remove_file(&gate).expect("the gate closes");
    let second = Desktop::open(&home).await;
    second
        .text_where(row, |text| text.contains("Starting"))
        .await;
    second.click(row).await;
    second.appears(tool).await;
    let text = second.text_where(row, |_| true).await;
    assert!(
        text.contains("Starting"),
        "the tools came from the cache, not from a server: {text}"
    );

    std::fs::write(&gate, "").expect("the gate opens");
    second.is_ready(row).await;
    second.appears(tool).await;
    second.quit().await;
}

#[tokio::test]
async fn a_tool_is_called_from_its_form_and_its_result_is_read() {
    let home = Home::with_samples();
    let window = Desktop::open(&home).await;
    for member in ["clock", "notes", "playground"] {
        let row = format!("[data-testid=member-{member}]");
        window.appears(Locator::Css(&row)).await;
    }

    let row = Locator::Css("[data-testid=member-playground]");
    window.click(row).await;
    window
        .click(Locator::Css("[data-testid=tool-playground-echo]"))
        .await;
    window.fill("message", "Brass screws").await;
    window.click(RUN).await;
    let text = window
        .text_where(RESULT, |text| text.contains("Done"))
        .await;
    assert!(text.contains("Brass screws"), "{text}");

    // An error of the tool itself is a result, not a failure of the member.
    window
        .click(Locator::Css("[data-testid=tool-playground-fail]"))
        .await;
    window.click(RUN).await;
    window
        .text_where(RESULT, |text| text.contains("Tool error"))
        .await;
    window.is_ready(row).await;
    window.quit().await;
}

#[tokio::test]
async fn a_killed_member_says_so_and_is_restarted_by_hand() {
    let home = Home::empty();
    home.add_member("forge", FORGE);
    let window = Desktop::open(&home).await;
    let status = Locator::Css("[data-testid=member-status]");
    let error = Locator::Css("[data-testid=member-error]");
    let page = Locator::Css("article");

    window
        .click(Locator::Css("[data-testid=member-forge]"))
        .await;
    window
        .text_where(status, |text| text.contains("Ready"))
        .await;
    window.click(CONFIGURATION).await;
    let page_text = window.text_where(page, |text| pid_in(text).is_some()).await;
    let pid = pid_in(&page_text).expect("the page shows a pid");
    processes::kill(pid);
    window
        .text_where(error, |text| text.contains("member-exited"))
        .await;
    window
        .text_where(status, |text| text.contains("Failed"))
        .await;

    window.click(Locator::Css("[data-testid=restart]")).await;
    window
        .text_where(status, |text| text.contains("Ready"))
        .await;
    window
        .text_where(page, |text| pid_in(text).is_some_and(|new| new != pid))
        .await;
    window.quit().await;
}

/// The tab of a member's page that shows the member's process.
pub(crate) const CONFIGURATION: Locator<'_> =
    Locator::XPath("//*[@role='tab'][normalize-space()='Configuration']");

/// The process id that a member's page shows.
pub(crate) fn pid_in(text: &str) -> Option<u32> {
    let digits = text.split_once("pid ")?.1;
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    digits[..end].parse().ok()
}

#[tokio::test]
async fn a_member_added_to_the_folder_shows_in_the_open_window() {
    let home = Home::empty();
    let window = Desktop::open(&home).await;
    let heading = Locator::XPath("//h1[normalize-space()='Your guild is empty']");
    window.appears(heading).await;
    home.add_member("forge", FORGE);
    let row = Locator::Css("[data-testid=member-forge]");
    window.is_ready(row).await;
    window.quit().await;
}

#[tokio::test]
async fn a_hall_that_can_not_be_opened_says_why_in_the_window() {
    let home = Home::empty();
    // Without `--members`, the program reads the settings in the data folder. Here, the data
    // folder's path is a file, so that fails.
    let data = home.data();
    std::fs::remove_dir_all(&data).expect("the folder goes");
    std::fs::write(&data, "").expect("a file");
    let window = Desktop::open_with(&home, &["--data".as_ref(), data.as_ref()]).await;
    let text = window
        .text_where(Locator::Css("main"), |text| {
            text.contains("data-unwritable")
        })
        .await;
    assert!(text.contains("Guild Hall could not open"), "{text}");
    window.quit().await;
}

#[tokio::test]
async fn the_page_reaches_nothing_but_its_own_commands() {
    // Each script passes its outcome to the callback in its last argument.
    const COMMAND: &str = "const done = arguments[1]; \
        window.__TAURI_INTERNALS__.invoke(...arguments[0]).then(() => done('done'), \
        (error) => done(String(error)));";
    const FETCH: &str = "const done = arguments[1]; \
        fetch(arguments[0]).then(() => done('done'), () => done('refused'));";
    const INLINE: &str = "const script = document.createElement('script'); \
        script.textContent = 'window.inlineScriptRan = true'; document.body.append(script); \
        return window.inlineScriptRan ?? false;";
    const EVAL: &str = "try { return (0, eval)('\"done\"') } catch { return 'refused' }";
    const OPEN: &str = "return window.open(arguments[0]) === null;";
    const LEAVE: &str = "window.location.href = arguments[0];";

    let home = Home::empty();
    let window = Desktop::open(&home).await;
    let page = window.client.current_url().await.expect("an address");
    // The server would answer, so a refusal can only come from the window.
    let elsewhere = json!(format!("{}/status", window.driver_address()));

    let command = json!(["plugin:window|set_title", {"label": "main", "value": "x"}]);
    let said = window
        .client
        .execute_async(COMMAND, vec![command])
        .await
        .expect("an answer");
    assert!(
        said.as_str()
            .is_some_and(|said| said.contains("not allowed")),
        "{said}"
    );
    let said = window
        .client
        .execute_async(FETCH, vec![elsewhere.clone()])
        .await;
    assert_eq!(
        said.expect("an answer"),
        "refused",
        "the page reaches no network"
    );
    let ran = window
        .client
        .execute(INLINE, Vec::new())
        .await
        .expect("an answer");
    assert_eq!(ran, Value::Bool(false), "no inline script runs");
    let ran = window
        .client
        .execute(EVAL, Vec::new())
        .await
        .expect("an answer");
    assert_eq!(ran, "refused", "no text is run as a script");
    let refused = window.client.execute(OPEN, vec![elsewhere.clone()]).await;
    assert_eq!(
        refused.expect("an answer"),
        Value::Bool(true),
        "no second window opens"
    );
    window
        .client
        .execute(LEAVE, vec![elsewhere])
        .await
        .expect("it is tried");
    until("the page is still the app's", async || {
        let heading = Locator::XPath("//h1[normalize-space()='Your guild is empty']");
        window.client.find(heading).await.ok()
    })
    .await;
    assert_eq!(window.client.current_url().await.expect("an address"), page);
    window.quit().await;
}

#[tokio::test]
async fn hanging_display_does_not_delay_the_end() {
    let home = Home::empty();
    home.add_member("forge", FORGE);
    let window = Desktop::open(&home).await;
    let row = Locator::Css("[data-testid=member-forge]");
    window.is_ready(row).await;
    let pid = window.pid();
    let hangs = processes::hold(window.display_process());
    processes::terminate(pid);
    until("the program has ended", async || {
        (!processes::runs(pid)).then_some(())
    })
    .await;
    drop(hangs);
    window.until_gone().await;
}
