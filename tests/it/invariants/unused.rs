//! Finds unused public items, dependencies, and switches of the fixture.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{Source, metadata, nowhere, root, sources};

const CRATES: &str = "src-tauri/crates/";
/// The crate that no other crate uses.
const PROGRAM: &str = "guild-cli";
/// Items that are public only for readers of the documentation.
const FOR_READERS: &[&str] = &["FORWARDED_METHODS"];
/// The folders with Rust sources.
const CODE: &[&str] = &["src-tauri", "tests", "xtask", "packaging"];

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}

fn code() -> Vec<Source> {
    let folders = CODE.iter();
    folders
        .flat_map(|folder| sources(folder, &[".rs"]))
        .collect()
}

/// Returns the name of the public function or constant that a line declares. Types are not checked,
/// because public functions use them.
fn shown(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let mut words = words(rest).peekable();
    let mut kind = words.next()?;
    while matches!(kind, "async" | "const") && matches!(words.peek(), Some(&("async" | "fn"))) {
        kind = words.next()?;
    }
    matches!(kind, "fn" | "const" | "static")
        .then(|| words.next())
        .flatten()
}

#[test]
fn public_items_are_used_by_other_crates() {
    let all = code();
    let mut found = Vec::new();
    let crates: BTreeSet<&str> = all
        .iter()
        .filter_map(|source| source.path.strip_prefix(CRATES)?.split('/').next())
        .filter(|name| *name != PROGRAM)
        .collect();
    for library in crates {
        let own = format!("{CRATES}{library}/src/");
        let (inside, outside): (Vec<&Source>, Vec<&Source>) =
            all.iter().partition(|source| source.path.starts_with(&own));
        assert!(!inside.is_empty(), "{own} has sources");
        let mut used: HashSet<&str> = outside
            .iter()
            .flat_map(|source| words(&source.text))
            .collect();
        used.extend(FOR_READERS);
        for source in inside {
            let idle = source
                .code()
                .filter_map(|(number, line)| shown(line).map(|name| (number, name)))
                .filter(|(_, name)| !used.contains(name));
            found.extend(idle.map(|(number, name)| format!("{}:{number}: {name}", source.path)));
        }
    }
    nowhere(
        &found,
        "`pub` where `pub(crate)` is enough, or used by nobody",
    );
}

#[test]
fn every_dependency_is_used() {
    let metadata = metadata();
    let mut found = Vec::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        let folder = manifest.parent().expect("a folder");
        // The desktop program has its manifest at the root, but not its sources.
        let folder = match folder.strip_prefix(root()).expect("below the root") {
            own if own == Path::new("") => "src-tauri".to_owned(),
            own => own.display().to_string(),
        };
        let own = sources(&folder, &[".rs"]);
        assert!(!own.is_empty(), "{folder} has sources");
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let name = dependency["rename"]
                .as_str()
                .or(dependency["name"].as_str())
                .expect("a name");
            let name = name.replace('-', "_");
            if !own
                .iter()
                .any(|source| words(&source.text).any(|word| word == name))
            {
                found.push(format!("{}: {name}", manifest.display()));
            }
        }
    }
    nowhere(&found, "a dependency that no source of its package names");
}

/// Checks each npm package of the UI. A source imports it, a configuration names it, a script runs
/// it, another package needs it, or it has the types of an imported package.
#[test]
fn every_npm_package_of_the_ui_is_used() {
    let read = |name: &str| -> Value {
        let text = fs::read_to_string(root().join("ui").join(name)).expect("a file of the UI");
        serde_json::from_str(&text).expect("JSON")
    };
    let keys = |value: &Value| -> Vec<String> {
        let entries = value.as_object().into_iter().flatten();
        entries.map(|(key, _)| key.clone()).collect()
    };
    let (manifest, lock) = (read("package.json"), read("package-lock.json"));
    let kinds = [&manifest["dependencies"], &manifest["devDependencies"]];
    let packages: Vec<String> = kinds.into_iter().flat_map(keys).collect();
    assert!(packages.len() > 20, "{packages:?}");

    let own = sources("ui", &[".css", ".html", ".js", ".mjs", ".ts", ".tsx"]);
    let scripts = manifest["scripts"].to_string();
    let mut needed: HashSet<String> = HashSet::new();
    for package in &packages {
        let entry = &lock["packages"][format!("node_modules/{package}")];
        needed.extend(keys(&entry["peerDependencies"]));
    }
    let programs = |name: &str| keys(&lock["packages"][format!("node_modules/{name}")]["bin"]);
    let is_named = |name: &str| {
        let quoted = ['"', '/', ':'].map(|end| format!("\"{name}{end}"));
        own.iter()
            .any(|source| quoted.iter().any(|name| source.text.contains(name)))
    };
    let is_used = |name: &str| {
        is_named(name.strip_prefix("@types/").unwrap_or(name))
            || needed.contains(name)
            || words(&scripts)
                .any(|word| word == name || programs(name).iter().any(|own| own == word))
    };
    let idle: Vec<String> = packages.into_iter().filter(|name| !is_used(name)).collect();
    nowhere(&idle, "packages of ui/package.json that nothing needs");
}

#[test]
fn every_switch_of_the_fixture_is_used() {
    const SWITCHES: &str = "tests/src/fixture/switches.rs";
    let all: Vec<Source> = [code(), sources("tests/clients", &[".mjs", ".json"])]
        .into_iter()
        .flatten()
        .collect();
    let (own, others): (Vec<&Source>, Vec<&Source>) =
        all.iter().partition(|source| source.path == SWITCHES);
    let lines = own.iter().flat_map(|source| source.text.lines());
    let switches: Vec<String> = lines
        .filter_map(|line| line.strip_prefix("    pub ")?.split_once(": "))
        .filter(|(field, _)| words(field).count() == 1)
        .map(|(field, _)| format!("--{}", field.replace('_', "-")))
        .collect();
    assert!(switches.len() > 50, "{switches:?}");
    let given: HashSet<&str> = others
        .iter()
        .flat_map(|source| source.text.split(|letter: char| !is_of_a_switch(letter)))
        .collect();
    let idle: Vec<String> = switches
        .into_iter()
        .filter(|switch| !given.contains(switch.as_str()))
        .collect();
    nowhere(&idle, "switches that no test gives");
}

fn is_of_a_switch(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-'
}
