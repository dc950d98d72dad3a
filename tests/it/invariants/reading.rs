//! Reading sources: their words and signs, which modules they name, and what of them is there for tests
//! alone.

use std::ops::RangeInclusive;

/// Returns the tokens of a source with their lines, without comments and quoted text.
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
    /// The path from the crate to the root of the searched modules.
    root: &'a [&'a str],
    /// The modules of the root that it names, with the lines.
    named: Vec<(usize, &'a str)>,
}

impl<'a> Reader<'a> {
    fn of(text: &'a str, root: &'a [&'a str]) -> Self {
        Self {
            tokens: tokens(text),
            at: 0,
            root,
            named: Vec::new(),
        }
    }

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

    /// The crate itself, seen from the root.
    fn crate_root(&self) -> isize {
        -self.root.len().cast_signed()
    }

    /// Reads a path, or all that a `use` takes, from a module so far below the root, or above it; `None`
    /// where it is known to be another.
    fn path(&mut self, mut depth: Option<isize>) {
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
                "crate" => depth = Some(self.crate_root()),
                "super" => depth = depth.map(|depth| (depth - 1).max(self.crate_root())),
                "self" => {}
                name => {
                    let above = depth.filter(|depth| *depth < 0);
                    let on_the_way = above.and_then(|above| {
                        let at = self.root.len().checked_add_signed(above)?;
                        (self.root.get(at) == Some(&name)).then_some(above + 1)
                    });
                    if depth == Some(0) {
                        self.name(name);
                    }
                    depth = on_the_way;
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

/// Returns the modules of a root that a source names, with the lines. `depth` is the file's depth
/// below the root. The root is given by its path from its crate; a crate's is empty. Code for tests
/// alone names nothing.
pub(super) fn named<'a>(text: &'a str, depth: usize, root: &'a [&'a str]) -> Vec<(usize, &'a str)> {
    let mut reader = Reader::of(text, root);
    let mut open = 0_usize;
    // Of each module within the file, how many braces were open before it.
    let mut within: Vec<usize> = Vec::new();
    while reader.at < reader.tokens.len() {
        if reader.is_for_tests() {
            reader.skip_item();
            continue;
        }
        let here = (depth + within.len()).cast_signed();
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

/// The lines of a source that are there for tests alone.
pub(super) fn for_tests(text: &str) -> Vec<RangeInclusive<usize>> {
    let mut reader = Reader::of(text, &[]);
    let mut found = Vec::new();
    while reader.at < reader.tokens.len() {
        if !reader.is_for_tests() {
            reader.at += 1;
            continue;
        }
        let line = |at: usize| reader.tokens.get(at).map_or(0, |(line, _)| *line);
        let first = line(reader.at);
        reader.skip_item();
        let last = reader.tokens.get(reader.at - 1);
        found.push(first..=last.map_or(first, |(line, _)| *line));
    }
    found
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
        // All of the root, under any name.
        (1, "use crate::*;", &[(1, "*")]),
        (2, "use super::super::*;", &[(1, "*")]),
        (
            2,
            "use {crate as engine, super::super as above};",
            &[(1, "crate"), (1, "crate")],
        ),
        // Text outside of code, and code for tests alone.
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
        assert_eq!(named(text, *depth, &[]), *expected, "{text}");
    }
    // Of a root within its crate.
    let root = &["client_config"];
    let cases: &[(usize, &str, Named)] = &[
        (
            1,
            "use super::{json, toml::table};",
            &[(1, "json"), (1, "toml")],
        ),
        (1, "use super::super::wire::Found;", &[]),
        (2, "use crate::client_config::tree::Node;", &[(1, "tree")]),
        (
            2,
            "use crate::{client_config::{list, tree::Node}, note};",
            &[(1, "list"), (1, "tree")],
        ),
        (1, "use crate::note::short;", &[]),
        (
            2,
            "use super::super::super::client_config::list;",
            &[(1, "list")],
        ),
    ];
    for (depth, text, expected) in cases {
        assert_eq!(named(text, *depth, root), *expected, "{text}");
    }
}

#[test]
fn test_only_code_ends_with_its_item() {
    let text = "use a;\n#[cfg(test)]\nmod tests;\nfn b() {\n    #[cfg(test)]\n    hook();\n    c();\n}\n\
                #[cfg(all(test, unix))]\nmod tests {\n    const D: &str = \"\n}\n\";\n}\nfn e() {}\n";
    assert_eq!(for_tests(text), [2..=3, 5..=6, 9..=14]);
}
