//! Measures the time from a key press to its paint, in the program's own web view.

use std::path::Path;

use fantoccini::Locator;
use guild_tests::fixture_bin;
use serde_json::{Value, json};

use crate::desktop::{Desktop, Home, until};

/// The script that runs in the page and takes the times.
const PAGE: &str = include_str!("keys.js");
/// The number of key presses in each field. The fields are the first, the middle and the deepest
/// one.
const PRESSES: usize = 40;
/// The numbers of groups that are opened before the measurement: none, and more than people usually
/// open.
const GROUPS: [u32; 2] = [0, 60];

/// The tool with the largest schema among those of real servers, and the bytes of its schema.
fn largest_tool() -> (Value, usize) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/testdata/real-schemas.json");
    let text = std::fs::read_to_string(file).expect("the schemas of real servers");
    let servers: Value = serde_json::from_str(&text).expect("JSON");
    let tools = servers
        .as_object()
        .expect("servers by name")
        .values()
        .flat_map(|server| server["tools"].as_array().expect("tools"));
    tools
        .map(|tool| (tool.clone(), tool["inputSchema"].to_string().len()))
        .max_by_key(|(_, bytes)| *bytes)
        .expect("a tool")
}

/// The value below which `percent` of the times lie.
fn quantile(times: &mut [f64], percent: usize) -> f64 {
    times.sort_by(f64::total_cmp);
    times[(times.len() * percent / 100).min(times.len() - 1)]
}

/// The times of all presses under a name, in milliseconds.
fn times_of(times: &Value, name: &str) -> Vec<f64> {
    let times = times.as_array().expect("a list");
    times
        .iter()
        .map(|time| time[name].as_f64().expect("a time"))
        .collect()
}

#[tokio::test]
#[ignore = "a measurement: `cargo xtask bench keys`"]
async fn measure_key_to_paint() {
    let (tool, bytes) = largest_tool();
    let name = tool["name"].as_str().expect("a name").to_owned();
    let home = Home::empty();
    let tools = home.data().join("tools.json");
    std::fs::write(&tools, json!([tool]).to_string()).expect("the tools");
    let manifest = json!({
        "name": "forge",
        "version": "1.0.0",
        "description": "The largest tool of the corpus",
        "transport": "stdio",
        "command": fixture_bin(),
        "args": ["--stdio", "--tools-json", tools],
    });
    home.add_member("forge", &manifest.to_string());

    let window = Desktop::open(&home).await;
    let row = Locator::Css("[data-testid=member-forge]");
    window.is_ready(row).await;
    window.click(row).await;
    let at = format!("[data-testid='tool-forge-{name}']");
    window.click(Locator::Css(&at)).await;
    window.appears(Locator::Css("[data-testid=run]")).await;
    window
        .client
        .execute(PAGE, Vec::new())
        .await
        .expect("the page takes the script");
    let mut forms = Vec::new();
    for groups in GROUPS {
        forms.push(measure(&window, groups).await);
    }
    let floor = measure_floor(&window).await;
    let said = json!({
        "engine": "WebKitGTK",
        "tool": name,
        "schemaBytes": bytes,
        "forms": forms,
        "emptyPageMs": floor,
    });
    println!("{said}");
    window.quit().await;
}

/// Types into the form with this many groups open. Returns the times until the paints.
async fn measure(window: &Desktop, groups: u32) -> Value {
    let form = window
        .client
        .execute_async(
            "window.keyTimes.prepare(arguments[0]).then(arguments[1]);",
            vec![json!(groups)],
        )
        .await
        .expect("the form is opened");
    let fields = form["fields"].as_array().expect("fields");
    let ids = fields
        .iter()
        .map(|field| field["id"].as_str().expect("an id"));
    let times = press(window, ids).await;
    json!({
        "groups": groups,
        "rows": form["rows"],
        "elements": form["elements"],
        "presses": times.as_array().map(Vec::len),
        "paintMs": figures(&times, "paint"),
        "workMs": figures(&times, "work"),
    })
}

/// Measures the same in a page with a single field: the cost of the web view and the machine.
async fn measure_floor(window: &Desktop) -> Value {
    let empty = r#"document.body.innerHTML = '<input id="plain" type="text">';"#;
    let emptied = window.client.execute(empty, Vec::new()).await;
    emptied.expect("the page is emptied");
    figures(&press(window, ["plain"].into_iter()).await, "paint")
}

/// Presses keys in these fields, one at a time. Returns the time of each press.
async fn press<'a>(window: &Desktop, ids: impl Iterator<Item = &'a str>) -> Value {
    let mut presses = 0;
    for id in ids {
        let found = window.client.find(Locator::Id(id)).await;
        let field = found.expect("the field");
        field.click().await.expect("the field takes the focus");
        for key in "abcdefghij".chars().cycle().take(PRESSES) {
            let pressed = field.send_keys(&key.to_string()).await;
            pressed.expect("a key is pressed");
            presses += 1;
            // The next key is pressed after this one was painted.
            until("the press is painted", async || {
                let count = "return window.keyTimes.count();";
                let seen = window.client.execute(count, Vec::new()).await.ok()?;
                (seen == json!(presses)).then_some(())
            })
            .await;
        }
    }
    let take = "return window.keyTimes.take();";
    let times = window.client.execute(take, Vec::new()).await;
    times.expect("the times")
}

/// Returns the median and the 95th percentile of the times under a name, in milliseconds.
fn figures(times: &Value, kind: &str) -> Value {
    let mut times = times_of(times, kind);
    json!({"median": quantile(&mut times, 50), "p95": quantile(&mut times, 95)})
}
