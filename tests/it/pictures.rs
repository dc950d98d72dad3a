//! Checks the pictures of the docs: each picture that a page names exists, and `cargo xtask
//! screenshots` takes each existing picture.

use std::collections::BTreeSet;
use std::fs;

use crate::invariants::{read, root};

/// Returns the texts between two marks.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Vec<&'a str> {
    let parts = text.split(before).skip(1);
    parts
        .filter_map(|part| Some(part.split_once(after)?.0))
        .collect()
}

/// Returns the names of the files that `cargo xtask screenshots` writes: two for each screen, and
/// the animation.
fn taken() -> BTreeSet<String> {
    let source = read("tests/e2e/screenshots.rs");
    let screens = between(&source, "album.take(&window, \"", "\")");
    let both = |screen: &str| ["dark", "light"].map(|theme| format!("{screen}-{theme}.png"));
    let command = read("xtask/src/screenshots.rs");
    let animations = between(&command, "&folder.join(\"", "\")");
    assert_eq!(animations.len(), 1, "{animations:?}");
    let animations = animations.into_iter().map(str::to_owned);
    screens
        .into_iter()
        .flat_map(both)
        .chain(animations)
        .collect()
}

#[test]
fn every_documented_picture_exists() {
    let taken = taken();
    let mut named = 0;
    for (document, folder) in [
        ("README.md", "docs/screenshots/"),
        ("docs/user-guide.md", "screenshots/"),
    ] {
        for picture in between(&read(document), &format!("]({folder}"), ")") {
            named += 1;
            assert!(
                taken.contains(picture),
                "{document}: nothing takes {picture}"
            );
        }
    }
    assert!(named >= 4, "{named} pictures are named");
}

#[test]
fn each_picture_of_a_screen_is_one_that_the_command_takes() {
    let folder = root().join("docs/screenshots");
    let mut there = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("the pictures") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "png") {
            let start = fs::read(&path).expect("a picture");
            assert!(start.starts_with(b"\x89PNG"), "{}", path.display());
            let name = path.file_name().expect("a name");
            there.insert(name.to_string_lossy().into_owned());
        }
    }
    assert_eq!(there, taken());
}
