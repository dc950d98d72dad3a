//! The floors of the engine: a module names only what stands below it.

use std::collections::{BTreeMap, BTreeSet};

use super::{nowhere, sources};

/// The engine's sources.
const ENGINE: &str = "src-tauri/crates/guild-engine/src";

/// Its modules, from the ground up. Those of one floor do not know each other.
const FLOORS: &[&[&str]] = &[
    &["bulletin", "clock", "lull", "own_program", "places"],
    &["files"],
    &[
        "control",
        "listings",
        "login_item",
        "members_folder",
        "ports",
        "samples",
        "secrets",
    ],
    &["index", "newcomer", "prediction"],
    &[
        "elicitation",
        "logs",
        "mcpb",
        "reviews",
        "settings",
        "signing",
        "store",
    ],
    &["paths"],
    &["cache", "client_configs", "context", "doctor"],
    &["dev", "found", "member"],
    &["beginnings", "calls", "members"],
    &["agents"],
    &["hall"],
    &["bug_report", "updates"],
];

/// The modules that a line names.
fn named(line: &str) -> Vec<&str> {
    let mut named = Vec::new();
    for (at, word) in line.match_indices("crate::") {
        if line[..at].ends_with(|before: char| before.is_ascii_alphanumeric() || before == '_') {
            continue;
        }
        let rest = &line[at + word.len()..];
        let several = rest.strip_prefix('{');
        let list = several.map_or(rest, |list| list.split('}').next().unwrap_or(list));
        let parts = list.split(',').take(several.map_or(1, |_| usize::MAX));
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let firsts = parts.filter_map(|part| part.trim().split(|it| !is_word(it)).next());
        named.extend(firsts);
    }
    named
}

/// The module of the engine that a file is a part of.
fn module_of(path: &str) -> &str {
    let within = path.strip_prefix(ENGINE).unwrap_or(path);
    let first = within.trim_start_matches('/').split('/').next();
    first.map_or("", |first| first.trim_end_matches(".rs"))
}

#[test]
fn a_line_names_the_modules_that_it_takes_from() {
    for (line, expected) in [
        ("use crate::index::{Entry, Index};", vec!["index"]),
        (
            "use crate::{samples, settings};",
            vec!["samples", "settings"],
        ),
        ("pub(crate) fn look(&self) -> guild_crate::Look {", vec![]),
        (
            "let ended = crate::member::Loan::of(crate::clock::now());",
            vec!["member", "clock"],
        ),
        ("use crate::hall::Hall;", vec!["hall"]),
    ] {
        assert_eq!(named(line), expected, "{line}");
    }
    assert_eq!(module_of(&format!("{ENGINE}/agents/news.rs")), "agents");
    assert_eq!(module_of(&format!("{ENGINE}/hall.rs")), "hall");
}

#[test]
fn modules_of_the_engine_name_only_what_is_below_them() {
    let floors: BTreeMap<&str, usize> = FLOORS
        .iter()
        .enumerate()
        .flat_map(|(floor, modules)| modules.iter().map(move |module| (*module, floor)))
        .collect();
    let all = sources(ENGINE, &[".rs"]);
    let face = format!("{ENGINE}/lib.rs");
    let there: BTreeSet<&str> = all
        .iter()
        .filter(|source| source.path != face)
        .map(|source| module_of(&source.path))
        .collect();
    let known: BTreeSet<&str> = floors.keys().copied().collect();
    let astray: Vec<String> = there
        .symmetric_difference(&known)
        .map(|module| format!("{ENGINE}/{module}.rs"))
        .collect();
    nowhere(
        &astray,
        "Each module of the engine has its place in FLOORS: the lowest floor that is above all that it \
         names. One that is gone has none",
    );
    let mut found = Vec::new();
    let mut looked_at = 0;
    for source in all.iter().filter(|source| source.path != face) {
        let own = module_of(&source.path);
        for (number, line) in source.code() {
            for name in named(line).into_iter().filter(|name| *name != own) {
                looked_at += 1;
                let place = format!("{}:{number}: {own} names {name}", source.path);
                match floors.get(name) {
                    Some(floor) if floor < &floors[own] => {}
                    Some(_) => found.push(format!("{place}, which does not stand below it")),
                    None => found.push(format!("{place}, which is no module: name its module")),
                }
            }
        }
    }
    assert!(looked_at > 100, "the engine's modules use each other");
    nowhere(
        &found,
        "A module of the engine names only what is below it. Take what is needed as an argument or by \
         a narrow trait of the lower module, move a type that both need down, or move what needs both \
         up. Where the order itself is wrong, change FLOORS and the floors in docs/ARCHITECTURE.md",
    );
}
