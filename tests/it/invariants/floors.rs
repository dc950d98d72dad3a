//! Checks the layers: a module names only modules below it.

use std::collections::{BTreeMap, BTreeSet};

use super::reading::named;
use super::{nowhere, sources};

/// A crate, or a module with others in it.
struct House {
    /// Its sources.
    folder: &'static str,
    /// The way to it from its crate; empty for a crate.
    root: &'static [&'static str],
    /// Its modules, from the ground up. Those of one floor do not know each other.
    floors: &'static [&'static [&'static str]],
    /// How often they name each other, at the least.
    named: usize,
}

const ENGINE: House = House {
    folder: "src-tauri/crates/guild-engine/src",
    root: &[],
    named: 100,
    floors: &[
        &[
            "blocking",
            "bulletin",
            "clock",
            "lull",
            "own_program",
            "start_limiter",
        ],
        &["files"],
        &[
            "control",
            "editor",
            "listings",
            "login_item",
            "members_folder",
            "ports",
            "removed",
            "samples",
            "secrets",
        ],
        &["index", "newcomer", "prediction"],
        &["logs", "mcpb", "reviews", "settings", "signing", "store"],
        &["elicitation", "paths"],
        &["cache", "client_configs", "context", "doctor"],
        &["dev", "found", "member"],
        &["beginnings", "members"],
        &["calls"],
        &["agents"],
        &["hall"],
        &["bug_report", "updates"],
    ],
};

const CLIENT_CONFIG: House = House {
    folder: "src-tauri/crates/guild-core/src/client_config",
    root: &["client_config"],
    named: 20,
    floors: &[
        &["edit", "entry", "lines", "program"],
        &["list", "tree"],
        &["json", "toml", "usual"],
        &["servers"],
        &["file", "snippet"],
    ],
};

const PROTOCOL: House = House {
    folder: "src-tauri/crates/guild-mcp/src",
    root: &[],
    named: 50,
    floors: &[
        &["challenge", "events", "news", "raw", "text"],
        &["asking", "error"],
        &["fault"],
        &["failure", "lane"],
        &["calls", "mirror"],
        &["bridge", "gateway", "questions", "sample", "wire"],
        &["notify"],
        &["http", "lines"],
        &["session", "sign_in"],
        &["connect", "probe"],
    ],
};

impl House {
    /// The module that a file is a part of.
    fn module_of<'p>(&self, path: &'p str) -> &'p str {
        let first = self.within(path).split('/').next();
        first.map_or("", |first| first.trim_end_matches(".rs"))
    }

    /// How far below the root the module of a file is.
    fn depth_of(&self, path: &str) -> usize {
        let within = self.within(path).trim_end_matches("/mod.rs");
        within.split('/').count()
    }

    fn within<'p>(&self, path: &'p str) -> &'p str {
        let within = path.strip_prefix(self.folder).unwrap_or(path);
        within.trim_start_matches('/')
    }

    /// Looks whether each module names only what is below it.
    fn stands(&self) {
        let Self { folder, floors, .. } = self;
        let floors: BTreeMap<&str, usize> = floors
            .iter()
            .enumerate()
            .flat_map(|(floor, modules)| modules.iter().map(move |module| (*module, floor)))
            .collect();
        let mut all = sources(folder, &[".rs"]);
        let is_test = |path: &str| path.ends_with("/tests.rs") || path.contains("/tests/");
        let face = format!("{folder}/lib.rs");
        all.retain(|source| source.path != face && !is_test(&source.path));
        let there: BTreeSet<&str> = all
            .iter()
            .map(|source| self.module_of(&source.path))
            .collect();
        let known: BTreeSet<&str> = floors.keys().copied().collect();
        let astray: Vec<String> = there
            .symmetric_difference(&known)
            .map(|module| format!("{folder}/{module}.rs"))
            .collect();
        nowhere(
            &astray,
            "Each module has its place in the floors of its house: the lowest that is above all that it \
             names. One that is gone has none",
        );
        let mut found = Vec::new();
        let mut looked_at = 0;
        for source in &all {
            let own = self.module_of(&source.path);
            let named = named(&source.text, self.depth_of(&source.path), self.root);
            for (number, name) in named.into_iter().filter(|(_, name)| *name != own) {
                looked_at += 1;
                let place = format!("{}:{number}: {own} names {name}", source.path);
                match floors.get(name) {
                    Some(floor) if floor < &floors[own] => {}
                    Some(_) => found.push(format!("{place}, which does not stand below it")),
                    None => found.push(format!("{place}, which is no module: name its module")),
                }
            }
        }
        assert!(
            looked_at >= self.named,
            "{folder}: {looked_at} are looked at"
        );
        nowhere(
            &found,
            "A module names only what is below it. Take what is needed as an argument or by a narrow trait \
             of the lower module, move a type that both need down, or move what needs both up. Where the \
             order itself is wrong, change the floors here and in docs/ARCHITECTURE.md",
        );
    }
}

#[test]
fn a_file_is_a_part_of_the_module_that_its_path_begins_with() {
    let at = |path: &str| format!("{}/{path}", ENGINE.folder);
    assert_eq!(ENGINE.module_of(&at("agents/news.rs")), "agents");
    assert_eq!(ENGINE.depth_of(&at("agents/news.rs")), 2);
    assert_eq!(ENGINE.module_of(&at("hall.rs")), "hall");
    assert_eq!(ENGINE.depth_of(&at("hall.rs")), 1);
}

#[test]
fn modules_of_the_engine_name_only_what_is_below_them() {
    ENGINE.stands();
}

#[test]
fn modules_import_only_lower_modules() {
    CLIENT_CONFIG.stands();
}

#[test]
fn modules_of_the_protocol_name_only_what_is_below_them() {
    PROTOCOL.stands();
}
