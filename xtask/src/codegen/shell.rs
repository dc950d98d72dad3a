//! What the desktop shell registers and permits: each command of the contract, and its own.

use std::fmt::Write as _;

use guild_core::wire::command_names;

/// What the shell answers beside the contract: how a page hears of anything, what it tells the shell,
/// the system's dialogs, and what there is outside the window.
const OF_THE_SHELL: &[&str] = &[
    "subscribe",
    "next_events",
    "window_ready",
    "drafts_flushed",
    "save_file",
    "pick_path",
    "open",
    "presence",
];

const NAMES_HEAD: &str = "\
// Written by `cargo xtask codegen` from `guild_core::wire`; edit that and run it again.
// The window's commands, for whoever includes this: `build.rs` makes a permission of each name, the
// library registers a function for each.
";

/// Tauri's own commands that the page uses: for pushed events, and for the page's zoom.
const OF_TAURI: [&str; 3] = [
    "core:event:allow-listen",
    "core:event:allow-unlisten",
    "core:webview:allow-set-webview-zoom",
];

fn all() -> impl Iterator<Item = &'static str> {
    command_names().chain(OF_THE_SHELL.iter().copied())
}

/// `command_names.rs`.
pub(crate) fn names() -> String {
    let mut out = format!("{NAMES_HEAD}commands![\n");
    for name in all() {
        let _ = writeln!(out, "    {name},");
    }
    out.push_str("]\n");
    out
}

/// The one window's capability.
pub(crate) fn capability() -> String {
    let allowed = all().map(|name| format!("allow-{}", name.replace('_', "-")));
    let permissions = OF_TAURI
        .iter()
        .map(|name| (*name).to_owned())
        .chain(allowed);
    let permissions: Vec<String> = permissions.map(|one| format!("    \"{one}\"")).collect();
    format!(
        r#"{{
  "$schema": "https://schema.tauri.app/config/2/capability",
  "identifier": "main",
  "description": "The permissions of the one window: each command of Guild Hall by name, Tauri's events, and the zoom of its own page. It may use nothing of the system.",
  "windows": ["main"],
  "permissions": [
{}
  ]
}}
"#,
        permissions.join(",\n")
    )
}
