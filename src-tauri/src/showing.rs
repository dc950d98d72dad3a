//! Shows the window, and possibly a page in it, for a second start, a link, a notification, the
//! tray, or the shortcut.
//!
//! The page's bridge listens for an event. If a link has to be shown before the page listens, the
//! script that sends the event is queued.

use std::collections::VecDeque;

use guild_api::wire::control::ShowWindow;
use guild_model::error::Report;
use guild_model::link::Link;
use parking_lot::Mutex;
use serde_json::json;
use tauri::{AppHandle, Manager};

use crate::{drops, window};

/// The name of the event that the page's bridge listens for.
const EVENT: &str = "guild-hall-show";
/// Maximum number of scripts that wait for the page. If there are more, the oldest is dropped.
const WAITING_MAX: usize = 8;

/// The scripts that wait until the page listens.
#[derive(Debug, Default)]
pub(crate) struct PendingScripts(Mutex<PageScripts>);

#[derive(Debug, Default)]
struct PageScripts {
    /// Whether the page listens.
    is_ready: bool,
    /// The waiting scripts, oldest first.
    waiting: VecDeque<String>,
}

impl PendingScripts {
    /// Returns the script if the page listens. Otherwise queues it.
    fn take(&self, script: String) -> Option<String> {
        let mut page = self.0.lock();
        if page.is_ready {
            return Some(script);
        }
        if page.waiting.len() == WAITING_MAX {
            page.waiting.pop_front();
        }
        page.waiting.push_back(script);
        None
    }

    /// Whether a script is queued.
    pub(crate) fn has_waiting(&self) -> bool {
        !self.0.lock().waiting.is_empty()
    }

    /// Resets the state when the page begins to load.
    pub(crate) fn page_begins(&self) {
        self.0.lock().is_ready = false;
    }

    /// Records that the page listens. Returns the queued scripts.
    fn is_ready(&self) -> VecDeque<String> {
        let mut page = self.0.lock();
        page.is_ready = true;
        std::mem::take(&mut page.waiting)
    }
}

/// Shows the window, with the link and the files of a start of the program.
pub(crate) fn open(app: &AppHandle, wanted: ShowWindow) {
    let ShowWindow { link, files } = wanted;
    if !files.is_empty() {
        deliver(app, drops::script_of_files(&files));
    }
    match link.map(|link| Link::parse(&link)) {
        None => {}
        Some(Ok(link)) => deliver(app, script_of(&link)),
        Some(Err(report)) => {
            tracing::warn!("{}", report.message);
            deliver(app, script_of_refusal(&report));
        }
    }
    window::bring_up(app);
}

/// Shows the window, with the page of a link in it.
pub(crate) fn show(app: &AppHandle, link: &Link) {
    deliver(app, script_of(link));
    window::bring_up(app);
}

/// Runs the queued scripts once the page listens.
pub(crate) fn page_is_ready(app: &AppHandle) {
    let Some(showing) = app.try_state::<PendingScripts>() else {
        return;
    };
    for script in showing.is_ready() {
        run(app, script);
    }
}

fn deliver(app: &AppHandle, script: String) {
    let showing = app.try_state::<PendingScripts>();
    if let Some(script) = showing.and_then(|showing| showing.take(script)) {
        run(app, script);
    }
}

fn run(app: &AppHandle, script: String) {
    let Some(window) = app.get_webview_window(window::LABEL) else {
        return;
    };
    if let Err(error) = window.eval(script) {
        tracing::warn!(%error, "the page could not be notified of the place to show");
    }
}

fn script_of(link: &Link) -> String {
    event(&json!({"kind": "place", "place": link}))
}

fn script_of_refusal(report: &Report) -> String {
    event(&json!({"kind": "refused", "report": report}))
}

fn event(detail: &serde_json::Value) -> String {
    let detail = window::escape_for_script(&detail.to_string());
    format!("window.dispatchEvent(new CustomEvent({EVENT:?}, {{ detail: {detail} }}))")
}

#[cfg(test)]
mod tests {
    use guild_model::link::Page;

    use super::*;

    #[test]
    fn link_during_reload_waits_for_the_page() {
        let showing = PendingScripts::default();
        assert_eq!(showing.take("first".to_owned()), None);
        assert_eq!(showing.is_ready(), ["first"]);
        assert_eq!(showing.take("now".to_owned()).as_deref(), Some("now"));
        showing.page_begins();
        assert_eq!(showing.take("later".to_owned()), None);
        assert!(showing.has_waiting());
        assert_eq!(showing.is_ready(), ["later"]);
        assert!(!showing.has_waiting());
    }

    #[test]
    fn the_page_is_told_of_a_place_and_a_name_ends_no_script() {
        let link = Link::parse("guildhall://tool/gallery/%3C%2Fscript%3E").expect("a link");
        assert_eq!(
            script_of(&link),
            "window.dispatchEvent(new CustomEvent(\"guild-hall-show\", { detail: \
             {\"kind\":\"place\",\"place\":{\"kind\":\"tool\",\"member\":\"gallery\",\
             \"tool\":\"\\u003c/script>\"}} }))"
        );
        let report = Link::parse("guildhall://</script>").expect_err("no link");
        let script = script_of_refusal(&report);
        assert!(
            script.contains("link-invalid") && !script.contains("</"),
            "{script}"
        );
    }

    #[test]
    fn every_package_names_the_scheme_of_links() {
        let link = Link::Page { page: Page::Agents }.to_string();
        let (scheme, _) = link.split_once("://").expect("a scheme");
        let config: serde_json::Value =
            serde_json::from_str(include_str!("../../tauri.conf.json")).expect("JSON");
        let bundled = &config["plugins"]["deep-link"]["desktop"]["schemes"];
        assert_eq!(bundled, &json!([scheme]));
        let entry = include_str!("../../packaging/guild-hall.desktop");
        assert!(entry.contains(&format!("MimeType=x-scheme-handler/{scheme};")));
    }

    #[test]
    fn early_link_waits_for_the_page() {
        let showing = PendingScripts::default();
        for number in 0..WAITING_MAX + 2 {
            assert_eq!(showing.take(number.to_string()), None);
        }
        let waited = showing.is_ready();
        assert_eq!(waited.len(), WAITING_MAX);
        assert_eq!(waited.front().map(String::as_str), Some("2"), "the newest");
        assert_eq!(showing.take("now".to_owned()).as_deref(), Some("now"));
    }
}
