//! Third-party members and their changes need a person's approval in the window.

use std::path::{Path, PathBuf};

use fantoccini::Locator;
use guild_tests::fixture_bin;
use serde_json::{Value, json};

use crate::agents::{Agent, button};
use crate::desktop::{Desktop, Home, until};
use crate::processes;

const ROW: Locator<'_> = Locator::Css("[data-testid=member-forge]");
const REVIEW: Locator<'_> = Locator::Css("[data-testid=review]");
const LAUNCH: Locator<'_> = Locator::Css("[data-testid=launch-trust]");

/// A member from a bundle, which reads its tools from a file for each list.
struct Forge<'h> {
    home: &'h Home,
    tools: PathBuf,
}

impl<'h> Forge<'h> {
    fn brought_into(home: &'h Home) -> Self {
        let tools = home.add_file("forge-tools.json", "[]");
        let forge = Self { home, tools };
        forge.says(&[("echo", "Answers at once.")]);
        forge.runs_with(&[]);
        forge
    }

    /// Writes the member's manifest with additional arguments.
    fn runs_with(&self, more: &[&str]) {
        let tools = self.tools.display().to_string();
        let args = [&["--stdio", "--change-tools-file", tools.as_str()], more].concat();
        let manifest = json!({
            "name": "forge",
            "version": "1.0.0",
            "description": "Work at the anvil, brought by a bundle",
            "transport": "stdio",
            "command": fixture_bin(),
            "args": args,
            "origin": {"from": "bundle", "path": "/downloads/forge.mcpb"},
        });
        self.home.add_member("forge", &manifest.to_string());
    }

    /// Sets the descriptions of the member's tools.
    fn says(&self, tools: &[(&str, &str)]) {
        let tool = |(name, description): &(&str, &str)| json!({"name": name, "description": description, "inputSchema": {"type": "object"}});
        let tools: Vec<Value> = tools.iter().map(tool).collect();
        std::fs::write(&self.tools, Value::from(tools).to_string()).expect("written");
    }

    fn runs(&self) -> bool {
        let named = self.tools.to_str().expect("UTF-8");
        !processes::marked(named).is_empty()
    }
}

/// Opens the review of the member on the current page.
async fn open_review(window: &Desktop, tab: &str) {
    let tab = format!("//*[@role='tab'][normalize-space()='{tab}']");
    window.click(Locator::XPath(&tab)).await;
    window.appears(REVIEW).await;
}

/// Waits until an agent can call a tool.
async fn gets(agent: &Agent, tool: &str) {
    until(&format!("an agent gets {tool}"), async || {
        let answer = agent.call(tool, json!({"a": 1})).await;
        answer.contains("\"content\"").then_some(())
    })
    .await;
}

/// Checks that an agent's call of a tool fails with this error code.
async fn is_refused(agent: &Agent, tool: &str, code: &str) {
    let answer = agent.call(tool, json!({"a": 1})).await;
    assert!(answer.contains(code), "{tool}: {answer}");
    assert!(!answer.contains("\"content\""), "{tool}: {answer}");
}

#[tokio::test]
async fn unreviewed_member_never_runs() {
    let home = Home::empty();
    let forge = Forge::brought_into(&home);
    let window = Desktop::open(&home).await;
    window
        .text_where(ROW, |text| text.contains("Needs review"))
        .await;
    let agent = Agent::let_in(&window).await;

    // The review shows the member's whole command. The member has not started.
    window.click(ROW).await;
    let shown = window
        .text_where(REVIEW, |text| text.contains("Approve and start"))
        .await;
    let command = fixture_bin().display().to_string();
    for part in [&command, "--change-tools-file", "/downloads/forge.mcpb"] {
        assert!(shown.contains(part), "{part} is shown: {shown}");
    }
    is_refused(&agent, "forge__echo", "member-unreviewed").await;
    assert!(!forge.runs(), "nobody has said yes");

    window
        .click(Locator::XPath(&button("Approve and start")))
        .await;
    window.is_ready(ROW).await;
    assert!(forge.runs());
    gets(&agent, "forge__echo").await;

    a_changed_tool_waits(&window, &agent, &forge).await;
    a_changed_command_waits(&window, &agent, &forge).await;
    window.quit().await;
}

async fn a_changed_tool_waits(window: &Desktop, agent: &Agent, forge: &Forge<'_>) {
    forge.says(&[
        ("echo", "Answers at once, and tells nobody."),
        ("melt", "Melts."),
    ]);
    gets(agent, "forge__change_tools").await;
    open_review(window, "Review 2").await;
    let added = Locator::Css("[data-testid=review] ins");
    window
        .text_where(added, |text| text.contains("tells nobody"))
        .await;
    let shown = window
        .text_where(REVIEW, |text| text.contains("2 are hidden from agents"))
        .await;
    assert!(shown.contains("melt"), "{shown}");
    is_refused(agent, "forge__echo", "tool-held").await;
    is_refused(agent, "forge__melt", "tool-held").await;

    // Accepts one tool. The other tool stays withheld until it is accepted too.
    let one = Locator::Css("[aria-label='Approve melt']");
    window.click(one).await;
    window
        .text_where(REVIEW, |text| text.contains("1 is hidden from agents"))
        .await;
    gets(agent, "forge__melt").await;
    is_refused(agent, "forge__echo", "tool-held").await;
    window.click(Locator::XPath(&button("Approve all 1"))).await;
    window
        .text_where(REVIEW, |text| text.contains("tools approved"))
        .await;
    gets(agent, "forge__echo").await;
}

async fn a_changed_command_waits(window: &Desktop, agent: &Agent, forge: &Forge<'_>) {
    forge.runs_with(&["--boot-ms", "1"]);
    window
        .text_where(ROW, |text| text.contains("Needs review"))
        .await;
    window
        .text_where(LAUNCH, |text| text.contains("Changed, needs review"))
        .await;
    let shown = window
        .text_where(REVIEW, |text| text.contains("--boot-ms"))
        .await;
    assert!(shown.contains("args[3]"), "the difference: {shown}");
    until("its process is gone", async || {
        (!forge.runs()).then_some(())
    })
    .await;
    is_refused(agent, "forge__echo", "member-unreviewed").await;
    assert!(!forge.runs(), "a call starts nothing of it");

    window
        .click(Locator::XPath(&button("Approve and start")))
        .await;
    window.is_ready(ROW).await;
    gets(agent, "forge__echo").await;
}

/// Returns the XPath of a button for the app Cursor in the list of apps.
fn in_cursor(button: &str) -> String {
    format!("//li[@data-testid='program-cursor']//button[normalize-space()='{button}']")
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).expect("the file")
}

#[tokio::test]
async fn undo_restores_unchanged_files_only() {
    const ORIGINAL: &str = "{\n  // mine\n  \"mcpServers\": {\n    \"notes\": {\"url\": \
        \"http://127.0.0.1:9/mcp\"},\n  },\n}\r\n";
    const OTHERWISE: &str = "{\n  // changed by somebody else meanwhile\n}\n";
    const CURSOR: Locator<'_> = Locator::Css("[data-testid=program-cursor]");
    let home = Home::empty();
    let file = home.add_file(".cursor/mcp.json", ORIGINAL);
    let window = Desktop::open(&home).await;
    window
        .click(Locator::Css("[data-testid=gateway-mark]"))
        .await;
    let tab = "//*[@role='tab'][normalize-space()='Connect']";
    window.click(Locator::XPath(tab)).await;
    let click = async |words: &str| window.click(Locator::XPath(&in_cursor(words))).await;
    let says = async |words: &str| window.text_where(CURSOR, |text| text.contains(words)).await;

    click("Connect…").await;
    let preview = says("\"guild-hall\"").await;
    assert!(preview.contains("\"guild-hall\""), "{preview}");
    assert_eq!(read(&file), ORIGINAL, "a look writes nothing");
    // The change is written exactly as shown, or not at all.
    std::fs::write(&file, OTHERWISE).expect("written");
    click("Save changes").await;
    says("client-config-changed").await;
    assert_eq!(read(&file), OTHERWISE);

    std::fs::write(&file, ORIGINAL).expect("written");
    click("Connect…").await;
    click("Save changes").await;
    says("Saved.").await;
    let written = read(&file);
    assert!(written.contains("guild-hall") && written.contains("// mine"));
    click("Disconnect").await;
    says("Config file restored.").await;
    assert_eq!(read(&file), ORIGINAL);

    click("Connect…").await;
    click("Save changes").await;
    says("Saved.").await;
    // Waits for the button before the file changes, because a changed file disables the undo.
    window
        .appears(Locator::XPath(&in_cursor("Disconnect")))
        .await;
    std::fs::write(&file, OTHERWISE).expect("written");
    click("Disconnect").await;
    says("client-config-changed").await;
    assert_eq!(read(&file), OTHERWISE);
    window.quit().await;
}
