//! Generates the window's permissions. The build of the desktop shell reads its command names from
//! them.

use guild_api::wire::command_names;

/// Tauri's commands that the page uses, for events and for the page's zoom.
const OF_TAURI: [&str; 3] = [
    "core:event:allow-listen",
    "core:event:allow-unlisten",
    "core:webview:allow-set-webview-zoom",
];

/// Returns the capability of the only window.
pub(crate) fn capability() -> String {
    let allowed = command_names().map(|name| format!("allow-{}", name.replace('_', "-")));
    let permissions = OF_TAURI
        .iter()
        .map(|name| (*name).to_owned())
        .chain(allowed);
    let permissions: Vec<String> = permissions.map(|one| format!("    \"{one}\"")).collect();
    format!(
        r#"{{
  "$schema": "https://schema.tauri.app/config/2/capability",
  "identifier": "main",
  "description": "The permissions of the one window: each command of Guild Hall by name, Tauri's events, and the zoom of its page. It has no access to the system.",
  "windows": ["main"],
  "permissions": [
{}
  ]
}}
"#,
        permissions.join(",\n")
    )
}
