//! Checks the source paths that the documents name.

use std::collections::BTreeSet;
use std::fs;

use super::{nowhere, root, walk};

/// The documents whose paths are checked.
const DOCUMENTS: &[&str] = &["docs/ARCHITECTURE.md", "docs/walks.md"];
/// Placeholders for names that the reader chooses.
const BLANKS: &[&str] = &["AREA", "NAME"];
/// The endings of file names that may be named without a folder.
const ENDINGS: &[&str] = &[".css", ".js", ".md", ".mjs", ".rs", ".toml", ".ts", ".tsx"];
/// The endings that a document may omit in the path of a module.
const LEFT_OFF: &[&str] = &["", ".rs", ".ts", ".tsx"];
/// Protocol methods that look like paths.
const METHODS: &[&str] = &["server/discover", "subscriptions/listen"];

/// Returns every file and folder of the repository, relative to its root, with `/`.
fn places() -> BTreeSet<String> {
    let mut files = Vec::new();
    walk(root(), &mut files);
    let mut places = BTreeSet::new();
    for file in &files {
        let short = file.strip_prefix(root()).expect("a file below the root");
        for place in short.ancestors() {
            places.insert(place.to_string_lossy().replace('\\', "/"));
        }
    }
    places
}

/// Returns the paths between backticks, outside of code blocks.
fn named(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    let spans = prose.flat_map(|part| part.split('`').skip(1).step_by(2));
    spans.filter(|span| is_path(span)).collect()
}

fn is_path(span: &str) -> bool {
    let is_written = |letter: char| letter.is_ascii_alphanumeric() || "_.-/".contains(letter);
    let leads = span.contains('/') || ENDINGS.iter().any(|ending| span.ends_with(ending));
    leads && span.chars().all(is_written) && !span.starts_with('/') && !METHODS.contains(&span)
}

fn is_blank(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default();
    BLANKS.contains(&stem)
}

/// Whether a path exists. A path may begin at the repository's root or in the sources of a crate.
/// It may also continue the previous path, so any folder is tried. Only the part before a
/// placeholder is checked.
fn is_there(path: &str, places: &BTreeSet<String>) -> bool {
    let parts = path.split('/').filter(|part| !part.is_empty());
    let parts: Vec<&str> = parts.take_while(|part| !is_blank(part)).collect();
    let written = parts.join("/");
    let has = |path: &str| {
        LEFT_OFF
            .iter()
            .any(|ending| places.contains(&format!("{path}{ending}")))
    };
    let whole = match parts.as_slice() {
        [] => return true,
        // Crates have short names: `model/manifest` is `src-tauri/crates/guild-model/src/manifest`.
        [first, rest @ ..]
            if !rest.is_empty()
                && has(&format!(
                    "src-tauri/crates/guild-{first}/src/{}",
                    rest.join("/")
                )) =>
        {
            return true;
        }
        [first, ..] if places.contains(*first) => Some(written.clone()),
        _ => None,
    };
    LEFT_OFF.iter().any(|ending| match &whole {
        Some(whole) => places.contains(&format!("{whole}{ending}")),
        None => {
            let end = format!("/{written}{ending}");
            places.iter().any(|place| place.ends_with(&end))
        }
    })
}

#[test]
fn each_path_that_a_document_names_is_there() {
    let places = places();
    let mut gone = Vec::new();
    for document in DOCUMENTS {
        let text = fs::read_to_string(root().join(document)).expect(document);
        let named = named(&text);
        assert!(named.len() > 50, "{document} names {named:?}");
        let missing = named.iter().filter(|path| !is_there(path, &places));
        gone.extend(missing.map(|path| format!("{document}: {path}")));
    }
    nowhere(&gone, "what a document leads to is where it says");
}

#[test]
fn a_path_is_looked_for_where_it_is_meant() {
    let places = places();
    for (path, expect) in [
        ("client-config/normalize/runners.rs", true),
        ("client-config/snippet/runners.rs", false),
        ("model/manifest", true),
        ("ipc/outside.ts", true),
        ("ui/ipc/outside.ts", false),
        ("docs/walks.md", true),
        ("walks.md", true),
        ("components/ErrorReport", true),
        ("hall/AREA.rs", true),
        ("nowhere/AREA.rs", false),
        ("engine/nowhere.rs", false),
    ] {
        assert_eq!(is_there(path, &places), expect, "{path}");
    }
    assert_eq!(
        named(
            "`model/manifest` and `Note::told`, `/proc`, `de.rs`,\n```\n`a/b`\n```\n`server/discover`"
        ),
        ["model/manifest", "de.rs"]
    );
}
