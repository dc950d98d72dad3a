//! Handles files that a person drags over the window or drops on it. The page receives only their
//! paths. The web view neither reads nor opens the files.

use std::path::Path;

use serde_json::json;
use tauri::{AppHandle, DragDropEvent, Manager};

use crate::window::escape_for_script;

/// The name of the event that the page listens for.
const EVENT: &str = "guild-hall-drop";
/// Maximum number of paths that the page gets. The page accepts one file at a time, and shows a
/// message if there are several.
const PATHS_MAX: usize = 16;

/// Reports the drag or the drop to the page.
pub(crate) fn forward(app: &AppHandle, label: &str, event: &DragDropEvent) {
    let (Some(window), Some(script)) = (app.get_webview_window(label), script_of(event)) else {
        return;
    };
    if let Err(error) = window.eval(script) {
        tracing::warn!(%error, "the page could not be notified of the drop");
    }
}

/// Returns the script that reports the event to the page. `None` for a movement during the drag.
fn script_of(event: &DragDropEvent) -> Option<String> {
    let detail = match event {
        DragDropEvent::Enter { .. } => json!({"kind": "over"}),
        DragDropEvent::Leave => json!({"kind": "left"}),
        DragDropEvent::Drop { paths, .. } => {
            // A path that is not valid Unicode can't be part of a JSON request.
            let named = paths.iter().filter_map(|path| Path::to_str(path));
            let named: Vec<&str> = named.take(PATHS_MAX).collect();
            json!({"kind": "dropped", "paths": named})
        }
        _ => return None,
    };
    Some(script_with(&detail))
}

/// Returns the script that passes files of the command line to the page, in the same way as dropped
/// files.
pub(crate) fn script_of_files(files: &[String]) -> String {
    script_with(&json!({"kind": "dropped", "paths": files}))
}

fn script_with(detail: &serde_json::Value) -> String {
    let detail = escape_for_script(&detail.to_string());
    format!("window.dispatchEvent(new CustomEvent({EVENT:?}, {{ detail: {detail} }}))")
}

#[cfg(test)]
mod tests {
    use tauri::PhysicalPosition;

    use super::*;

    #[test]
    fn dropped_names_cannot_end_the_script() {
        let position = PhysicalPosition::new(1.0, 2.0);
        let paths = vec!["/tmp/</script>\"a.json".into()];
        let script = script_of(&DragDropEvent::Drop { paths, position }).expect("told");
        assert_eq!(
            script,
            "window.dispatchEvent(new CustomEvent(\"guild-hall-drop\", { detail: \
             {\"kind\":\"dropped\",\"paths\":[\"/tmp/\\u003c/script>\\\"a.json\"]} }))"
        );
        assert!(script_of(&DragDropEvent::Over { position }).is_none());
        let left = script_of(&DragDropEvent::Leave).expect("told");
        assert!(left.contains("\"left\""), "{left}");
    }
}
