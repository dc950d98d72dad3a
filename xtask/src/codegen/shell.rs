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

/// How large the page is drawn is the web view's matter, which Tauri has a command for.
const ZOOM: &str = "core:webview:allow-set-webview-zoom";

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
    let permissions: Vec<String> = std::iter::once(ZOOM.to_owned()).chain(allowed).collect();
    let permissions = permissions.iter().map(|one| format!("    \"{one}\""));
    let permissions: Vec<String> = permissions.collect();
    format!(
        r#"{{
  "$schema": "https://schema.tauri.app/config/2/capability",
  "identifier": "main",
  "description": "What the one window may ask of Guild Hall: each command by name, and how large its own page is drawn; nothing of the system.",
  "windows": ["main"],
  "permissions": [
{}
  ]
}}
"#,
        permissions.join(",\n")
    )
}
