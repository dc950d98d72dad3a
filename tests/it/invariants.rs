//! Checks the invariants of `docs/ARCHITECTURE.md` with cargo's metadata and the sources
//! themselves.

mod documents;
mod paths;
mod platforms;
mod reading;
mod requirements;
mod unused;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use guild_model::Code;
use serde_json::Value;

/// Folders without sources of this repository. A folder `src` has none of them.
const NOT_SOURCES: &[&str] = &[".git", ".vite", "dist", "gen", "node_modules", "target"];
/// Maximum number of lines of a source file.
const LINES_MAX: usize = 1_000;

/// The crates with a window: the app, and the empty window that the bench compares it with.
const WITH_A_WINDOW: &[&str] = &["guild-hall", "empty-window"];

/// The crates that have only plain data.
const PLAIN: &[&str] = &["guild-model", "guild-schema", "guild-text"];

static PACKAGES: LazyLock<Vec<Package>> = LazyLock::new(packages);

struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

struct Dependency {
    name: String,
    features: Vec<String>,
    has_defaults: bool,
    for_tests: bool,
}

pub(crate) fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent()
        .expect("the tests are a folder of the repository")
}

pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo metadata succeeds");
    serde_json::from_slice(&output.stdout).expect("cargo's metadata are JSON")
}

fn packages() -> Vec<Package> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let list = |value: &Value| value.as_array().expect("a list").clone();
    list(&metadata()["packages"])
        .iter()
        .map(|package| Package {
            name: text(&package["name"]),
            dependencies: list(&package["dependencies"])
                .iter()
                .map(|dependency| Dependency {
                    name: text(&dependency["name"]),
                    features: list(&dependency["features"]).iter().map(text).collect(),
                    has_defaults: dependency["uses_default_features"] == true,
                    for_tests: dependency["kind"] == "dev",
                })
                .collect(),
        })
        .collect()
}

/// Returns the packages of the workspace that depend on a package that `is_meant` accepts.
fn dependants(is_meant: impl Fn(&str) -> bool) -> Vec<&'static str> {
    PACKAGES
        .iter()
        .filter(|package| package.dependencies.iter().any(|one| is_meant(&one.name)))
        .map(|package| package.name.as_str())
        .collect()
}

struct Source {
    /// The path from the root of the repository, with `/`.
    path: String,
    text: String,
}

impl Source {
    /// Returns the lines that are not comments and not only for tests, with their numbers.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let is_test = self.path.ends_with("/tests.rs") || self.path.contains("/tests/");
        let for_tests = match self.path.ends_with(".rs") {
            true => reading::for_tests(&self.text),
            false => Vec::new(),
        };
        (1..)
            .zip(self.text.lines())
            .filter(move |_| !is_test)
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
            .filter(move |(number, _)| !for_tests.iter().any(|lines| lines.contains(number)))
    }

    /// Returns the lines of code that contain one of the words.
    fn uses(&self, words: &[&str]) -> Vec<String> {
        self.code()
            .filter(|(_, line)| words.iter().any(|word| line.contains(word)))
            .map(|(number, line)| format!("{}:{number}: {}", self.path, line.trim()))
            .collect()
    }
}

/// Returns all text files below a folder that have one of the name endings.
fn sources(folder: &str, endings: &[&str]) -> Vec<Source> {
    let mut files = Vec::new();
    walk(&root().join(folder), &mut files);
    files.sort();
    files
        .into_iter()
        .filter_map(|path| {
            let short = path.strip_prefix(root()).ok()?.to_str()?.replace('\\', "/");
            let wanted = endings.iter().any(|ending| short.ends_with(ending));
            let text = wanted.then(|| fs::read_to_string(&path).ok())??;
            Some(Source { path: short, text })
        })
        .collect()
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let kind = entry.file_type().expect("a kind of file");
        if kind.is_file() {
            files.push(path);
        } else if kind.is_dir()
            && (folder.ends_with("src")
                || !NOT_SOURCES.iter().any(|name| entry.file_name() == *name))
        {
            walk(&path, files);
        }
    }
}

fn nowhere(found: &[String], reason: &str) {
    assert!(found.is_empty(), "{reason}:\n{}", found.join("\n"));
}

#[test]
fn only_the_desktop_app_depends_on_tauri() {
    let dependants = dependants(|name| name == "tauri" || name.starts_with("tauri-"));
    for name in dependants {
        assert!(
            WITH_A_WINDOW.contains(&name),
            "{name} depends on Tauri, which compiles a web view"
        );
    }
}

#[test]
fn only_protocol_crates_depend_on_rmcp() {
    assert_eq!(
        dependants(|name| name.starts_with("rmcp")),
        ["guild-mcp-client", "guild-samples"]
    );
}

#[test]
fn plain_crates_have_no_async_no_io_and_no_clock() {
    let forbidden = [
        "tokio", "futures", "reqwest", "notify", "axum", "hyper", "rustix", "libc",
    ];
    for name in PLAIN {
        let package = PACKAGES.iter().find(|package| package.name == *name);
        for dependency in &package.expect("a member").dependencies {
            assert!(
                !forbidden.contains(&dependency.name.as_str()) || dependency.for_tests,
                "{name} must not depend on {}",
                dependency.name
            );
        }
    }
    let words = [
        "std::fs",
        "std::net",
        "std::process",
        "std::env",
        "async fn",
        ".await",
        "Instant::now",
        "SystemTime::now",
    ];
    let found: Vec<String> = PLAIN
        .iter()
        .flat_map(|name| sources(&format!("src-tauri/crates/{name}/src"), &[".rs"]))
        .flat_map(|source| source.uses(&words))
        .collect();
    nowhere(&found, "a plain crate works on values alone");
}

#[test]
fn nothing_above_guild_process_starts_a_process() {
    let mut found = Vec::new();
    for source in sources("src-tauri", &[".rs"]) {
        if source.path.starts_with("src-tauri/crates/guild-process/") {
            continue;
        }
        let starts = source.uses(&["process::Command", "Command::new", ".spawn_child("]);
        // `exec` replaces the app's own process, so it does not start another one.
        let replaces = !source.uses(&[".exec()"]).is_empty();
        if !replaces
            || !source
                .uses(&[".spawn()", ".output()", ".status()"])
                .is_empty()
        {
            found.extend(starts);
        }
    }
    nowhere(
        &found,
        "children are started, grouped and ended by guild-process",
    );
}

#[test]
fn nobody_polls_the_engine() {
    let words = ["time::interval", "sleep("];
    let found: Vec<String> = ["src-tauri/src", "src-tauri/crates/guild-cli/src"]
        .iter()
        .flat_map(|folder| sources(folder, &[".rs"]))
        .flat_map(|source| source.uses(&words))
        .collect();
    nowhere(&found, "the engine pushes its events");
    let found: Vec<String> = sources("ui/src/ipc", &[".ts", ".tsx"])
        .iter()
        // The demonstration in a browser creates events itself, because it has no engine.
        .filter(|source| source.text.contains("@tauri-apps/"))
        .flat_map(|source| source.uses(&["setInterval("]))
        .collect();
    nowhere(
        &found,
        "the window is told, and does not ask again and again",
    );
}

#[test]
fn only_the_bridge_talks_to_the_shell() {
    let found: Vec<String> = sources("ui/src", &[".ts", ".tsx"])
        .iter()
        .filter(|source| !source.path.starts_with("ui/src/ipc/"))
        .flat_map(|source| source.uses(&["@tauri-apps/", "__TAURI"]))
        .collect();
    nowhere(&found, "everything else imports ui/src/ipc");
}

#[test]
fn environment_is_constant_and_channels_bounded() {
    let words = [
        "set_var(",
        "remove_var(",
        "unbounded_channel",
        "mpsc::channel()",
        "unbounded(",
    ];
    let found: Vec<String> = sources("src-tauri", &[".rs"])
        .iter()
        .flat_map(|source| source.uses(&words))
        .collect();
    nowhere(
        &found,
        "children get an environment of their own, and a channel has a limit",
    );
}

#[test]
fn schemas_of_others_can_not_make_the_validator_read_anything() {
    for package in PACKAGES.iter() {
        for dependency in package
            .dependencies
            .iter()
            .filter(|one| one.name == "jsonschema")
        {
            let reads = dependency
                .features
                .iter()
                .any(|name| name.starts_with("resolve-"));
            assert!(
                !dependency.has_defaults && !reads,
                "jsonschema's resolve-http and resolve-file stay off in {}",
                package.name
            );
        }
    }
    let lock = read("Cargo.lock");
    let entry = lock
        .split("[[package]]")
        .find(|entry| entry.contains("\nname = \"jsonschema\"\n"))
        .expect("jsonschema is in the lock");
    assert!(
        !entry.contains("\"reqwest"),
        "no HTTP client in the validator"
    );
}

#[test]
fn a_plain_cargo_test_builds_no_web_view() {
    let metadata = metadata();
    for member in metadata["workspace_default_members"]
        .as_array()
        .expect("a list")
    {
        let id = member.as_str().expect("an id");
        for name in WITH_A_WINDOW {
            assert!(
                !id.contains(&format!("{name}#")),
                "{id} is not built by default"
            );
        }
        let is_root = id.contains(&format!("{}#", root().display()));
        assert!(!is_root, "the app is not built by default");
    }
}

#[test]
fn every_code_has_a_section_in_the_docs() {
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    let pages = read("docs/errors.md");
    let described: Vec<&str> = pages
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .collect();
    assert_eq!(
        described, codes,
        "docs/errors.md has the codes in their order"
    );
    for page in pages.split("\n## ").skip(1) {
        let code = page.lines().next().unwrap_or_default();
        for part in ["**Cause.** ", "**Fix.** "] {
            assert!(page.contains(part), "{code} has its {part}");
        }
    }
}

#[test]
fn every_parser_has_its_mangling_test() {
    let page = read("docs/reliability.md");
    let (_, section) = page
        .split_once("\n## Parsers of what comes from outside\n")
        .expect("its section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|line| line.ends_with("` |"));
    let named: Vec<&str> = rows.filter_map(|line| line.rsplit('`').nth(1)).collect();
    assert!(named.len() > 20, "{named:?}");
    let sources = sources("src-tauri/crates", &[".rs"]);
    let is_there = |test: &str| {
        let written = format!("fn {test}(");
        sources.iter().any(|source| source.text.contains(&written))
    };
    for test in &named {
        assert!(is_there(test), "no test is named {test}");
    }
    // The table must also have every parser that is tested with the corpus.
    for source in &sources {
        let tried = source.text.split("mangled::each(\"").skip(1);
        for parser in tried.filter_map(|rest| rest.split('"').next()) {
            let corpus = root().join("tests/data/corpus").join(parser);
            assert!(corpus.is_dir(), "{parser} has no corpus");
            let is_listed = named
                .iter()
                .any(|test| source.text.contains(&format!("fn {test}(")));
            assert!(is_listed, "the table has no test of {}", source.path);
        }
    }
}

#[test]
fn source_files_stay_short() {
    let mut found = Vec::new();
    for folder in [
        "src-tauri",
        "tests",
        "xtask",
        "ui/src",
        "bench",
        "packaging",
    ] {
        for source in sources(folder, &[".rs", ".ts", ".tsx", ".css"]) {
            let lines = source.text.lines().count();
            let is_generated =
                source.path == "ui/src/ipc/bindings.ts" || source.path.contains("/generated/");
            if lines > LINES_MAX && !is_generated {
                found.push(format!("{}: {lines} lines", source.path));
            }
        }
    }
    nowhere(
        &found,
        "a file of more than 1,000 lines does more than one thing",
    );
}

#[test]
fn locks_and_files_name_no_registry() {
    // Each name has two parts, so that this file does not contain it.
    let hosts = [
        concat!("registry.", "npmjs"),
        concat!("registry.", "yarnpkg"),
        concat!("npm.", "pkg.github"),
        concat!("index.", "crates.io"),
        concat!("static.", "crates.io"),
        concat!("files.", "pythonhosted"),
        concat!("pypi", ".org"),
        concat!("arti", "factory"),
    ];
    let endings = [
        ".rs", ".toml", ".json", ".lock", ".md", ".ts", ".tsx", ".js", ".mjs", ".html", ".css",
        ".txt", ".yml", ".yaml", ".npmrc", ".ci/run",
    ];
    let mut found = Vec::new();
    for source in sources("", &endings) {
        for host in hosts {
            if source.text.contains(host) {
                found.push(format!("{}: {host}", source.path));
            }
        }
        if source.path.ends_with("package-lock.json") && source.text.contains("\"resolved\":") {
            found.push(format!("{}: addresses of packages", source.path));
        }
    }
    nowhere(&found, "where packages come from is the user's own setting");
}
