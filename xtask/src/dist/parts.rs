//! The components of the programs: linked crates, the page's npm packages, and Rust's standard
//! library. Read from cargo and the lock files.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use fs_err as fs;
use serde_json::Value;

use super::bundle::host;
use crate::program::Program;

/// The workspace packages with the programs to pack.
const PROGRAMS: &[&str] = &["guild-hall", "guild-cli", "guild-appimage"];

/// One crate or npm package, or the standard library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SbomComponent {
    /// The type in its package URL: `cargo`, `npm` or `generic`.
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) version: String,
    /// An SPDX expression.
    pub(crate) licence: String,
    /// The digest in the lock file: its algorithm, and the hex digits.
    pub(crate) digest: Option<(&'static str, String)>,
    /// The folder with the source.
    pub(crate) folder: PathBuf,
    /// Whether the component is a crate of this workspace.
    pub(crate) own: bool,
    /// The package URLs of the dependencies.
    pub(crate) uses: BTreeSet<String>,
}

impl SbomComponent {
    /// Returns the package URL: `pkg:cargo/serde@1.0.0`.
    pub(crate) fn address(&self) -> String {
        address(self.kind, &self.name, &self.version)
    }
}

fn address(kind: &str, name: &str, version: &str) -> String {
    format!("pkg:{kind}/{}@{version}", name.replacen('@', "%40", 1))
}

/// Returns all components: crates, Rust's standard library, npm packages, each kind sorted by name
/// and version.
pub(crate) fn all(root: &Path) -> Result<Vec<SbomComponent>> {
    let mut parts = crates(root)?;
    parts.push(standard_library()?);
    parts.extend(npm_packages(&root.join("ui"))?);
    Ok(parts)
}

/// Returns Rust's standard library, which is in each program but not in a lock file.
fn standard_library() -> Result<SbomComponent> {
    let said = Program::new("rustc").args(["-vV"]).text()?;
    let version = said
        .lines()
        .find_map(|line| line.strip_prefix("release: "))
        .context("rustc names no release")?;
    let toolchain = Program::new("rustc").words("--print sysroot").text()?;
    Ok(SbomComponent {
        kind: "generic",
        name: "rust-std".into(),
        version: version.into(),
        licence: "MIT OR Apache-2.0".into(),
        digest: None,
        folder: Path::new(toolchain.trim()).join("share/doc/rust"),
        own: false,
        uses: BTreeSet::new(),
    })
}

/// Returns the crates that are linked into the programs on this system.
fn crates(root: &Path) -> Result<Vec<SbomComponent>> {
    let metadata = Program::cargo()
        .words("metadata --locked --format-version 1")
        .args(["--filter-platform", &host()?])
        .limit(Duration::from_secs(10 * 60))
        .text()?;
    let metadata: Value = serde_json::from_str(&metadata).context("reading cargo's metadata")?;
    let lock = fs::read_to_string(root.join("Cargo.lock")).context("reading Cargo.lock")?;
    linked(&metadata, &checksums(&lock))
}

/// Returns the linked crates from cargo's metadata, without those of build scripts and tests.
fn linked(
    metadata: &Value,
    sums: &HashMap<(String, String), String>,
) -> Result<Vec<SbomComponent>> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages = list(&metadata["packages"]);
    let nodes = list(&metadata["resolve"]["nodes"]);
    let package: HashMap<&str, &Value> =
        packages.iter().map(|one| (text(&one["id"]), one)).collect();
    let node: HashMap<&str, &Value> = nodes.iter().map(|one| (text(&one["id"]), one)).collect();

    let of = |id: &str| -> Result<(&str, &str)> {
        let found = package.get(id).context("a crate without metadata")?;
        Ok((text(&found["name"]), text(&found["version"])))
    };
    let mut waiting: Vec<&str> = packages
        .iter()
        .filter(|one| one["source"].is_null() && PROGRAMS.contains(&text(&one["name"])))
        .map(|one| text(&one["id"]))
        .collect();
    if waiting.len() != PROGRAMS.len() {
        bail!("cargo's metadata name only {waiting:?} of {PROGRAMS:?}");
    }
    let mut parts = BTreeMap::new();
    while let Some(id) = waiting.pop() {
        let (name, version) = of(id)?;
        if parts.contains_key(&(name, version)) {
            continue;
        }
        let mut uses = BTreeSet::new();
        let dependencies = node.get(id).map(|found| &found["deps"]);
        for dependency in dependencies.and_then(Value::as_array).into_iter().flatten() {
            // The kind of a normal dependency is null.
            let kinds = dependency["dep_kinds"].as_array();
            if !kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null())) {
                continue;
            }
            let used = text(&dependency["pkg"]);
            let (name, version) = of(used)?;
            uses.insert(address("cargo", name, version));
            waiting.push(used);
        }
        let found = package.get(id).context("a crate without metadata")?;
        let key = (name.to_owned(), version.to_owned());
        let manifest = Path::new(text(&found["manifest_path"]));
        let part = SbomComponent {
            kind: "cargo",
            name: name.to_owned(),
            version: version.to_owned(),
            // Old manifests write `MIT/Apache-2.0`.
            licence: text(&found["license"]).replace('/', " OR "),
            digest: sums.get(&key).map(|sum| ("SHA-256", sum.clone())),
            folder: manifest.parent().map(Path::to_owned).unwrap_or_default(),
            own: found["source"].is_null(),
            uses,
        };
        parts.insert((name, version), part);
    }
    Ok(parts.into_values().collect())
}

/// Returns the digests in `Cargo.lock`, by name and version.
fn checksums(lock: &str) -> HashMap<(String, String), String> {
    let mut sums = HashMap::new();
    for package in lock.split("[[package]]") {
        let field = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(name))?;
            Some(line.trim_start_matches(" = ").trim_matches('"').to_owned())
        };
        if let (Some(name), Some(version), Some(sum)) =
            (field("name"), field("version"), field("checksum"))
        {
            sums.insert((name, version), sum);
        }
    }
    sums
}

/// Returns the packages of the UI's lock file that are not only for development.
fn npm_packages(ui: &Path) -> Result<Vec<SbomComponent>> {
    let lock = fs::read_to_string(ui.join("package-lock.json")).context("reading the UI's lock")?;
    let lock: Value = serde_json::from_str(&lock).context("reading the UI's lock")?;
    let packages = lock["packages"]
        .as_object()
        .context("the UI's lock lists no packages")?;
    let mut parts = BTreeMap::new();
    for (place, package) in packages {
        if place.is_empty() || package["dev"] == true || package["devOptional"] == true {
            continue;
        }
        let name = name_at(place);
        let mut uses = BTreeSet::new();
        for used in ["dependencies", "peerDependencies"]
            .iter()
            .filter_map(|field| package[*field].as_object())
            .flat_map(|names| names.keys())
        {
            // An optional package may be missing, or only used for the build.
            let nested = packages.get(&format!("{place}/node_modules/{used}"));
            let found = nested.or_else(|| packages.get(&format!("node_modules/{used}")));
            if let Some(package) = found.filter(|package| package["dev"] != true) {
                uses.insert(address("npm", used, text(&package["version"])));
            }
        }
        let part = SbomComponent {
            kind: "npm",
            name: name.to_owned(),
            version: text(&package["version"]).to_owned(),
            licence: text(&package["license"])
                .trim_matches(['(', ')'])
                .to_owned(),
            digest: text(&package["integrity"])
                .strip_prefix("sha512-")
                .and_then(|sum| BASE64.decode(sum).ok())
                .map(|sum| ("SHA-512", super::hex(&sum))),
            folder: ui.join(place),
            own: false,
            uses,
        };
        parts.insert((part.name.clone(), part.version.clone()), part);
    }
    Ok(parts.into_values().collect())
}

/// Returns the name of the package with a path in the lock file, such as
/// `node_modules/a/node_modules/@b/c`.
fn name_at(place: &str) -> &str {
    place
        .rsplit_once("node_modules/")
        .map_or(place, |(_, name)| name)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_linked_crates_are_listed() {
        let package = |name: &str, own: bool| {
            json!({
                "id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0",
                "manifest_path": format!("/crates/{name}/Cargo.toml"),
                "source": if own { Value::Null } else { "registry".into() },
            })
        };
        let uses =
            |name: &str, kind: Value| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [
                package("guild-hall", true), package("guild-cli", true),
                package("guild-appimage", true),
                package("linked", false), package("builds", false), package("tests", false),
            ],
            "resolve": { "nodes": [
                { "id": "guild-hall", "deps": [
                    uses("linked", Value::Null), uses("builds", "build".into()),
                    uses("tests", "dev".into()),
                ] },
                { "id": "guild-cli", "deps": [] },
                { "id": "guild-appimage", "deps": [] },
                { "id": "linked", "deps": [] },
            ] },
        });
        let lock = "[[package]]\nname = \"linked\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n";
        let parts = linked(&metadata, &checksums(lock)).expect("the parts");
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(
            names,
            ["guild-appimage", "guild-cli", "guild-hall", "linked"]
        );
        let part = &parts[3];
        assert_eq!(part.address(), "pkg:cargo/linked@1.0.0");
        assert_eq!(part.licence, "MIT OR Apache-2.0");
        assert_eq!(part.digest, Some(("SHA-256", "abc".to_owned())));
        assert!(!part.own && parts[0].own);
        assert!(parts[2].uses.contains("pkg:cargo/linked@1.0.0"));
        assert_eq!(parts[2].uses.len(), 1, "neither the build's nor the tests'");
    }

    #[test]
    fn a_scope_is_written_as_addresses_of_packages_want_it() {
        assert_eq!(
            address("npm", "@codemirror/view", "6.0.0"),
            "pkg:npm/%40codemirror/view@6.0.0"
        );
        assert_eq!(name_at("node_modules/a/node_modules/@b/c"), "@b/c");
    }
}
