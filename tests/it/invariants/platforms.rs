//! Compares the list of `docs/platforms.md` with the sources that have blocks for other systems.

use std::collections::BTreeSet;

use super::{read, sources};

const CONDITIONS: &[&str] = &["cfg(", "cfg!(", "cfg_attr("];
const OTHER_SYSTEMS: &[&str] = &[
    "windows",
    "\"macos\"",
    "\"apple\"",
    "not(unix)",
    "not(target_os = \"linux\")",
];

/// Shortens the path of a crate's source as the documents do.
fn short(path: &str) -> String {
    let in_crate = path.strip_prefix("src-tauri/crates/guild-");
    in_crate.map_or_else(|| path.to_owned(), |path| path.replacen("/src/", "/", 1))
}

#[test]
fn platforms_page_lists_each_foreign_block() {
    let page = read("docs/platforms.md");
    let (_, list) = page
        .split_once("\n## Code for other systems\n")
        .expect("the list");
    let list = list.split("\n## ").next().unwrap_or_default();
    let rows = list.lines().filter_map(|line| line.strip_prefix("| `"));
    let listed: BTreeSet<String> = rows
        .filter_map(|row| Some(row.split_once('`')?.0.to_owned()))
        .collect();
    let has = |line: &str, words: &[&str]| words.iter().any(|word| line.contains(word));
    let found: BTreeSet<String> = ["packaging", "src-tauri", "xtask"]
        .iter()
        .flat_map(|folder| sources(folder, &[".rs"]))
        .filter(|source| {
            let mut lines = source.code();
            lines.any(|(_, line)| has(line, CONDITIONS) && has(line, OTHER_SYSTEMS))
        })
        .map(|source| short(&source.path))
        .collect();
    assert_eq!(listed, found, "docs/platforms.md");
}
