//! Compares `docs/requirements.md` with the requirements that the sources name, and with the tests.

use std::collections::BTreeSet;
use std::fs;

use super::{Source, nowhere, root, sources};

/// Returns the requirements that follow a `REQ-`, such as the two in `MCP-HTTP-3, -9` or the four
/// in `MCP-HTTP-41 to -44`.
fn named_after(rest: &str) -> Option<Vec<String>> {
    let is_part = |it: char| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '-';
    let (id, mut rest) = rest.split_at(rest.find(|it| !is_part(it)).unwrap_or(rest.len()));
    let (area, number) = id.rsplit_once('-')?;
    let mut last: u32 = number.parse().ok()?;
    let mut numbers = vec![last];
    loop {
        let range = rest.strip_prefix(" to -");
        let Some(next) = range.or_else(|| rest.strip_prefix(", -")) else {
            break;
        };
        let end = next.find(|it: char| !it.is_ascii_digit());
        let (digits, after) = next.split_at(end.unwrap_or(next.len()));
        let Ok(number) = digits.parse() else {
            break;
        };
        numbers.extend(if range.is_some() { last + 1 } else { number }..=number);
        (last, rest) = (number, after);
    }
    let ids = numbers.iter().map(|number| format!("{area}-{number}"));
    Some(ids.collect())
}

fn requirements(text: &str) -> BTreeSet<String> {
    let after = text.split("REQ-").skip(1);
    after.filter_map(named_after).flatten().collect()
}

/// Returns the rows of the page: each requirement with its tests.
fn rows(page: &str) -> Vec<(String, Vec<&str>)> {
    let rows = page.lines().filter(|line| line.starts_with("| REQ-"));
    rows.map(|row| {
        let id = requirements(row).pop_first().expect("a requirement");
        let spans = row.split('`').skip(1).step_by(2);
        (id, spans.filter(|span| span.contains("::")).collect())
    })
    .collect()
}

fn has_test(sources: &[Source], test: &str) -> bool {
    let (file, name) = test.split_once("::").expect("a file and a name");
    let written = format!("fn {name}(");
    let mut files = sources.iter().filter(|source| source.path.ends_with(file));
    files.any(|source| source.text.contains(&written))
}

#[test]
fn requirements_page_matches_sources_and_tests() {
    let page = fs::read_to_string(root().join("docs/requirements.md")).expect("the page");
    let rows = rows(&page);
    let listed: BTreeSet<&String> = rows.iter().map(|(id, _)| id).collect();
    assert_eq!(listed.len(), rows.len(), "each requirement has one row");
    let sources: Vec<Source> = ["src-tauri", "tests", "xtask", "ui/src"]
        .iter()
        .flat_map(|folder| sources(folder, &[".rs", ".ts", ".tsx"]))
        .collect();
    let mut found = Vec::new();
    for source in &sources {
        let missing = requirements(&source.text);
        let missing = missing.iter().filter(|id| !listed.contains(id));
        found.extend(missing.map(|id| format!("{}: REQ-{id} has no row", source.path)));
    }
    for (id, tests) in &rows {
        if tests.is_empty() {
            found.push(format!("REQ-{id} has no test"));
        }
        let missing = tests.iter().filter(|test| !has_test(&sources, test));
        found.extend(missing.map(|test| format!("REQ-{id}: no test is named {test}")));
    }
    nowhere(&found, "docs/requirements.md lists them with their tests");
}

#[test]
fn short_forms_name_each_requirement() {
    let ids = |text| named_after(text).unwrap_or_default().join(" ");
    assert_eq!(ids("A-B-3, -9)"), "A-B-3 A-B-9");
    assert_eq!(ids("A-29, -41 to -43: words"), "A-29 A-41 A-42 A-43");
    assert_eq!(ids("A-7, -x"), "A-7");
    assert_eq!(ids("none"), "");
}
