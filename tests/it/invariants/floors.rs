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

/// The words and signs of a source with their lines, without comments and what stands in quotes.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => quoted(rest),
            '\'' => letter(rest),
            _ if is_word(first) => {
                let word = rest.find(|it| !is_word(it)).unwrap_or(rest.len());
                word + raw(&rest[..word], &rest[word..])
            }
            ':' if rest.starts_with("::") => 2,
            other => other.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        let quotes = ['"', '\''].iter().any(|&quote| token.contains(quote));
        if !(first.is_whitespace() || quotes || token.starts_with("//") || token.starts_with("/*"))
        {
            tokens.push((line, token));
        }
        line += token.matches('\n').count();
        rest = after;
    }
    tokens
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The length of the quoted text that a source begins with.
fn quoted(rest: &str) -> usize {
    let quote = rest.chars().next();
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if Some(letter) == quote {
            return at + 1;
        }
    }
    rest.len()
}

/// The length of the quoted letter that a source begins with; of a lifetime, that of its sign.
fn letter(rest: &str) -> usize {
    let mut letters = rest.chars().skip(1);
    let is_letter = letters.next() == Some('\\') || letters.next() == Some('\'');
    if is_letter { quoted(rest) } else { 1 }
}

/// The length of the raw text that follows the word before it; 0 where none does.
fn raw(word: &str, rest: &str) -> usize {
    let signs = rest.len() - rest.trim_start_matches('#').len();
    if !["r", "br", "cr"].contains(&word) || !rest[signs..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(signs));
    let text = &rest[signs + 1..];
    let length = text.find(&end).map_or(text.len(), |at| at + end.len());
    signs + 1 + length
}

/// Goes through the source of a module.
struct Reader<'a> {
    tokens: Vec<(usize, &'a str)>,
    at: usize,
    /// The modules of the root that it names, with the lines.
    named: Vec<(usize, &'a str)>,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |(_, token)| token)
    }

    fn next(&mut self) -> &'a str {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn takes(&mut self, token: &str) -> bool {
        let is_next = self.peek() == token;
        self.at += usize::from(is_next);
        is_next
    }

    fn name(&mut self, name: &'a str) {
        let line = self.tokens.get(self.at - 1).map_or(0, |(line, _)| *line);
        self.named.push((line, name));
    }

    /// Reads a path, or all that a `use` takes, from a module so far below the root; `None` where it
    /// is known to be another.
    fn path(&mut self, mut depth: Option<usize>) {
        loop {
            if self.takes("{") {
                while !["", "}"].contains(&self.peek()) {
                    self.path(depth);
                    self.takes(",");
                }
                self.takes("}");
                return;
            }
            match self.next() {
                "crate" => depth = Some(0),
                "super" => depth = depth.map(|depth| depth.saturating_sub(1)),
                "self" => {}
                name => {
                    if depth == Some(0) {
                        self.name(name);
                    }
                    depth = None;
                }
            }
            if !self.takes("::") {
                break;
            }
        }
        if self.takes("as") {
            self.next();
            if depth == Some(0) {
                self.name("crate");
            }
        }
    }

    /// Passes over what is there for tests alone, behind its attribute.
    fn skip_item(&mut self) {
        let mut open = 0_usize;
        while !self.peek().is_empty() {
            match self.next() {
                "(" | "[" | "{" => open += 1,
                ")" | "]" => open = open.saturating_sub(1),
                "}" if open <= 1 => return,
                "}" => open -= 1,
                ";" if open == 0 => return,
                _ => {}
            }
        }
    }

    fn is_for_tests(&self) -> bool {
        let is = |words: &[&str]| {
            let mut tokens = self.tokens[self.at..].iter();
            words
                .iter()
                .all(|word| tokens.next().is_some_and(|(_, it)| it == word))
        };
        is(&["#", "[", "cfg", "(", "test", ")"]) || is(&["#", "[", "cfg", "(", "all", "(", "test"])
    }
}

/// The modules of the root that a source names, with the lines, of a file so far below the root. What
/// is there for tests alone names nothing.
fn named(text: &str, depth: usize) -> Vec<(usize, &str)> {
    let (tokens, at, named) = (tokens(text), 0, Vec::new());
    let mut reader = Reader { tokens, at, named };
    let mut open = 0_usize;
    // Of each module within the file, how many braces were open before it.
    let mut within: Vec<usize> = Vec::new();
    while reader.at < reader.tokens.len() {
        if reader.is_for_tests() {
            reader.skip_item();
            continue;
        }
        let here = depth + within.len();
        match reader.peek() {
            "crate" | "super" | "self" => {
                reader.path(Some(here));
                continue;
            }
            "use" => {
                reader.at += 1;
                reader.takes("::");
                reader.path(Some(here));
                continue;
            }
            "mod"
                if reader
                    .tokens
                    .get(reader.at + 2)
                    .is_some_and(|it| it.1 == "{") =>
            {
                within.push(open);
            }
            "{" => open += 1,
            "}" => {
                open = open.saturating_sub(1);
                within.pop_if(|before| *before == open);
            }
            _ => {}
        }
        reader.at += 1;
    }
    reader.named
}

/// The module of the engine that a file is a part of.
fn module_of(path: &str) -> &str {
    let within = path.strip_prefix(ENGINE).unwrap_or(path);
    let first = within.trim_start_matches('/').split('/').next();
    first.map_or("", |first| first.trim_end_matches(".rs"))
}

/// How far below the root the module of a file is.
fn depth_of(path: &str) -> usize {
    let within = path.strip_prefix(ENGINE).unwrap_or(path);
    let within = within.trim_start_matches('/').trim_end_matches("/mod.rs");
    within.split('/').count()
}

#[test]
fn a_source_names_the_modules_that_it_takes_from() {
    type Named = &'static [(usize, &'static str)];
    let cases: &[(usize, &str, Named)] = &[
        (1, "use crate::index::{Entry, Index};", &[(1, "index")]),
        (
            1,
            "use crate::{samples, settings};",
            &[(1, "samples"), (1, "settings")],
        ),
        (1, "pub(crate) fn look(&self) -> guild_crate::Look {", &[]),
        (
            1,
            "let ended = crate::member::Loan::of(crate::clock::now());",
            &[(1, "member"), (1, "clock")],
        ),
        (1, "use crate::hall::Hall;", &[(1, "hall")]),
        // Over several lines, and in braces within braces.
        (1, "use crate::{\n    hall::Hall,\n};", &[(2, "hall")]),
        (1, "use crate\n    ::hall\n    ::Hall;", &[(2, "hall")]),
        (
            1,
            "use crate::{files::{self, replacing::{real, Real}}, hall::{Hall, Watch}, store};",
            &[(1, "files"), (1, "hall"), (1, "store")],
        ),
        (
            1,
            "use {std::{fs, io}, crate::{clock::now as hall, hall::Hall}};",
            &[(1, "clock"), (1, "hall")],
        ),
        (
            1,
            "pub(crate) use crate::{hall::Hall as _, lull};",
            &[(1, "hall"), (1, "lull")],
        ),
        (
            1,
            "let it = Of::<crate::hall::Hall> { hall: crate::clock::now() };",
            &[(1, "hall"), (1, "clock")],
        ),
        // By way of the modules above, as far as the root and no further.
        (1, "use super::hall::Hall;", &[(1, "hall")]),
        (2, "use super::hall::Hall;", &[]),
        (2, "use super::super::hall::Hall;", &[(1, "hall")]),
        (
            3,
            "use super::super::{view::Offered, super::hall::Hall};",
            &[(1, "hall")],
        ),
        (
            1,
            "use super::{\n    clock,\n    hall::{Hall, Watch},\n};",
            &[(2, "clock"), (3, "hall")],
        ),
        (
            2,
            "let hall = self::super::super::hall::Hall::open();",
            &[(1, "hall")],
        ),
        (
            2,
            "pub(in super::super) fn look(&self) { self.hall.look(super::own()) }",
            &[],
        ),
        (
            1,
            "mod unix {\n    use super::hall;\n    use super::super::lull;\n}\nuse super::clock;",
            &[(3, "lull"), (5, "clock")],
        ),
        // All of the root, by whatever name.
        (1, "use crate::*;", &[(1, "*")]),
        (2, "use super::super::*;", &[(1, "*")]),
        (
            2,
            "use {crate as engine, super::super as above};",
            &[(1, "crate"), (1, "crate")],
        ),
        // What is no code, and what is there for tests alone.
        (
            1,
            "// crate::hall\n/* crate::hall */ let it = \"crate::hall\";",
            &[],
        ),
        (
            1,
            "let of = ['\"', '\\'', '{']; crate::clock::now(); let it: &'a str = \"}\\\"{\";\nmod own {}\nuse super::lull;",
            &[(1, "clock"), (3, "lull")],
        ),
        (
            1,
            "let it = r#\"mod own { \"crate::hall\" \"#; crate::lull::of();",
            &[(1, "lull")],
        ),
        (
            1,
            "#[cfg(test)]\nmod undo;\nuse crate::hall::Hall;",
            &[(3, "hall")],
        ),
        (
            1,
            "#[cfg(test)]\nmod tests {\n    fn a(it: [u8; 2]) { crate::hall::of() }\n}\nuse crate::lull;",
            &[(5, "lull")],
        ),
        (
            1,
            "#[cfg(all(test, unix))]\nuse crate::hall::Hall;\nuse crate::lull;",
            &[(3, "lull")],
        ),
    ];
    for (depth, text, expected) in cases {
        assert_eq!(named(text, *depth), *expected, "{text}");
    }
    assert_eq!(module_of(&format!("{ENGINE}/agents/news.rs")), "agents");
    assert_eq!(depth_of(&format!("{ENGINE}/agents/news.rs")), 2);
    assert_eq!(module_of(&format!("{ENGINE}/hall.rs")), "hall");
    assert_eq!(depth_of(&format!("{ENGINE}/hall.rs")), 1);
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
    let is_test = |path: &str| path.ends_with("/tests.rs") || path.contains("/tests/");
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
    let modules = all.iter().filter(|source| source.path != face);
    for source in modules.filter(|source| !is_test(&source.path)) {
        let own = module_of(&source.path);
        let named = named(&source.text, depth_of(&source.path)).into_iter();
        for (number, name) in named.filter(|(_, name)| *name != own) {
            looked_at += 1;
            let place = format!("{}:{number}: {own} names {name}", source.path);
            match floors.get(name) {
                Some(floor) if floor < &floors[own] => {}
                Some(_) => found.push(format!("{place}, which does not stand below it")),
                None => found.push(format!("{place}, which is no module: name its module")),
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
