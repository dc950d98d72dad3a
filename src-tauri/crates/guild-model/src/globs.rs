//! Selects source files below a folder by patterns such as `src/**/*.py`.
//!
//! `*` and `?` match characters within a name, `**` matches any number of folders, and `{a,b}`
//! matches `a` or `b`. A pattern with a leading `!` excludes files. A pattern that matches a folder
//! also matches everything in it. Generated files (`node_modules`, hidden files, …) match only if
//! the pattern contains their name literally.
//!
//! A path is matched name by name. Each step computes all positions in the pattern that the names
//! so far can match. The cost of a step is therefore at most the length of the pattern.

use crate::messages::GlobProblem;

/// Maximum number of patterns of one member.
pub(crate) const GLOBS_MAX: usize = 64;
/// Maximum length of a pattern, in bytes.
pub(crate) const GLOB_BYTES_MAX: usize = 512;
/// Maximum number of names between the slashes of one pattern.
const SEGMENTS_MAX: usize = 32;
/// Maximum number of expansions of a pattern with `{a,b}`.
const SPELLINGS_MAX: usize = 64;

/// Names of folders that contain generated files.
const TOOLS_FOLDERS: &[&str] = &["node_modules", "target", "__pycache__", "venv", "logs"];
/// Files that Guild Hall and servers write.
const TOOLS_FILES: &[&str] = &["tools-cache.json"];

/// Selects files by patterns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFilter {
    taken: Vec<Glob>,
    left: Vec<Glob>,
}

impl SourceFilter {
    /// Selects the files that match a pattern and no pattern with `!`. Without patterns, selects
    /// all files. A pattern that `check_glob` rejects matches nothing.
    pub fn new<'t>(patterns: impl IntoIterator<Item = &'t str>) -> Self {
        let mut sources = Self {
            taken: Vec::new(),
            left: Vec::new(),
        };
        for pattern in patterns {
            let (left, pattern) = match pattern.strip_prefix('!') {
                Some(pattern) => (true, pattern),
                None => (false, pattern),
            };
            let globs = Glob::all(pattern).unwrap_or_default();
            match left {
                true => sources.left.extend(globs),
                false => sources.taken.extend(globs),
            }
        }
        if sources.taken.is_empty() {
            sources.taken = Glob::all("**").unwrap_or_default();
        }
        sources
    }

    /// Checks whether a file is selected. `path` is the list of names in its path.
    pub fn has(&self, path: &[&str]) -> bool {
        let takes = |globs: &[Glob]| globs.iter().any(|glob| glob.has(path));
        takes(&self.taken) && !takes(&self.left)
    }

    /// Checks whether a folder may contain selected files.
    pub fn may_have_below(&self, folder: &[&str]) -> bool {
        self.taken.iter().any(|glob| glob.leads_below(folder))
    }
}

/// Returns the error of a pattern, as words that follow the field's name.
pub(crate) fn check_glob(pattern: &str) -> Option<GlobProblem> {
    Glob::all(pattern.strip_prefix('!').unwrap_or(pattern)).err()
}

/// One expansion of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Glob(Vec<Segment>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    /// `**`: any number of folders.
    Folders,
    /// A name without `*` and `?`.
    Literal(String),
    /// A name with wildcards.
    Wild(Vec<char>),
}

impl Glob {
    fn all(pattern: &str) -> Result<Vec<Self>, GlobProblem> {
        if pattern.len() > GLOB_BYTES_MAX {
            return Err(GlobProblem::Long(pattern.len(), GLOB_BYTES_MAX));
        }
        if pattern.trim().is_empty() {
            return Err(GlobProblem::Blank);
        }
        if pattern.contains('\\') {
            return Err(GlobProblem::Backslash);
        }
        let mut spellings = Vec::new();
        spell(pattern, &mut spellings)?;
        spellings
            .iter()
            .map(|spelling| Self::of(spelling))
            .collect()
    }

    fn of(spelling: &str) -> Result<Self, GlobProblem> {
        if spelling.starts_with('/') {
            return Err(GlobProblem::Rooted);
        }
        let mut segments = Vec::new();
        for name in spelling.split('/') {
            let segment = match name {
                "" | "." => continue,
                ".." => return Err(GlobProblem::Outside),
                "**" => Segment::Folders,
                name if name.contains(['*', '?']) => Segment::Wild(name.chars().collect()),
                name => Segment::Literal(name.to_owned()),
            };
            segments.push(segment);
        }
        if segments.is_empty() {
            segments.push(Segment::Folders);
        }
        if segments.len() > SEGMENTS_MAX {
            return Err(GlobProblem::Names(SEGMENTS_MAX));
        }
        Ok(Self(segments))
    }

    fn has(&self, path: &[&str]) -> bool {
        let mut places = self.begin();
        for name in path {
            places = self.step(&places, name);
        }
        places.last().is_some_and(|end| *end)
    }

    fn leads_below(&self, folder: &[&str]) -> bool {
        let mut places = self.begin();
        for name in folder {
            places = self.step(&places, name);
        }
        places.iter().any(|place| *place)
    }

    /// Returns the positions in the pattern before the first name. The last position is the end of
    /// the pattern.
    fn begin(&self) -> Vec<bool> {
        let mut places = vec![false; self.0.len() + 1];
        if let Some(first) = places.first_mut() {
            *first = true;
        }
        self.pass_over(&mut places);
        places
    }

    /// Returns the positions in the pattern after one more name.
    fn step(&self, places: &[bool], name: &str) -> Vec<bool> {
        let mut next = vec![false; places.len()];
        for (at, _) in places.iter().enumerate().filter(|(_, may)| **may) {
            match self.0.get(at) {
                // Everything in a folder that matches the whole pattern matches too, and `**`
                // matches any folder.
                None | Some(Segment::Folders) => next[at] |= !is_tools(name),
                Some(Segment::Literal(literal)) => next[at + 1] |= literal == name,
                Some(Segment::Wild(wild)) => {
                    next[at + 1] |= !is_tools(name) && fits(wild, name);
                }
            }
        }
        self.pass_over(&mut next);
        next
    }

    /// Adds the positions after each `**` that was reached, because `**` also matches zero folders.
    fn pass_over(&self, places: &mut [bool]) {
        for (at, segment) in self.0.iter().enumerate() {
            if *segment == Segment::Folders && places[at] {
                places[at + 1] = true;
            }
        }
    }
}

/// Checks whether a name belongs to a generated file or folder.
fn is_tools(name: &str) -> bool {
    name.starts_with('.')
        || name.ends_with(".log")
        || name.ends_with('~')
        || TOOLS_FOLDERS.contains(&name)
        || TOOLS_FILES.contains(&name)
}

/// Matches a name against a pattern with `*` and `?`.
fn fits(wild: &[char], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut read) = (0, 0);
    // The position of the last `*` in the pattern, and the position in the name up to which it has
    // matched.
    let mut star: Option<(usize, usize)> = None;
    while read < name.len() {
        match wild.get(at) {
            Some('*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(&c) if c == '?' || c == name[read] => {
                at += 1;
                read += 1;
            }
            _ => match &mut star {
                Some((of, taken)) => {
                    *taken += 1;
                    (at, read) = (*of + 1, *taken);
                }
                None => return false,
            },
        }
    }
    wild[at..].iter().all(|c| *c == '*')
}

/// Expands each `{a,b}` into separate patterns.
fn spell(pattern: &str, into: &mut Vec<String>) -> Result<(), GlobProblem> {
    let Some(open) = pattern.find('{') else {
        if pattern.contains('}') {
            return Err(GlobProblem::ClosedBrace);
        }
        if into.len() >= SPELLINGS_MAX {
            return Err(GlobProblem::Spellings(SPELLINGS_MAX));
        }
        into.push(pattern.to_owned());
        return Ok(());
    };
    let (head, rest) = pattern.split_at(open);
    let Some((choices, tail)) = rest[1..].split_once('}') else {
        return Err(GlobProblem::OpenBrace);
    };
    if head.contains('}') || choices.contains('{') {
        return Err(GlobProblem::NestedBraces);
    }
    for choice in choices.split(',') {
        spell(&format!("{head}{choice}{tail}"), into)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use guild_tests::PromiseClock;
    use proptest::prelude::*;

    use super::*;

    fn names(path: &str) -> Vec<&str> {
        path.split('/').filter(|name| !name.is_empty()).collect()
    }

    #[track_caller]
    fn check(patterns: &[&str], path: &str, expect: bool) {
        let sources = SourceFilter::new(patterns.iter().copied());
        assert_eq!(sources.has(&names(path)), expect, "{patterns:?} {path}");
    }

    #[test]
    fn a_pattern_has_what_it_stands_for_and_nothing_else() {
        for (pattern, path, expect) in [
            ("src/**/*.py", "src/a.py", true),
            ("src/**/*.py", "src/a/b/c.py", true),
            ("src/**/*.py", "src/a.pyc", false),
            ("src/**/*.py", "lib/a.py", false),
            ("*.py", "a.py", true),
            ("*.py", "src/a.py", false),
            ("**/*.py", "a.py", true),
            ("./src", "src/any/thing.rs", true),
            ("src/", "source", false),
            ("s?c/*_t*.rs", "src/a_test.rs", true),
            ("s?c/*_t*.rs", "src/a_best.rs", false),
            ("src/*.{ts,tsx}", "src/a.tsx", true),
            ("src/*.{ts,tsx}", "src/a.js", false),
            ("{a,b}/{c,d}.x", "b/c.x", true),
            ("a/**/b/**/c", "a/b/x/b/c", true),
            ("a/**/b/**/c", "a/c/b", false),
            ("é*", "éa", true),
        ] {
            check(&[pattern], path, expect);
        }
        check(&["src", "!src/gen/**"], "src/a.rs", true);
        check(&["src", "!src/gen/**"], "src/gen/a.rs", false);
        check(&["!*.md"], "a.rs", true);
        check(&["!*.md"], "a.md", false);
    }

    #[test]
    fn generated_files_need_explicit_patterns() {
        for path in [
            ".git/HEAD",
            "src/.a.py.swp",
            "node_modules/x/index.js",
            "target/debug/x",
            "a/__pycache__/b.pyc",
            "tools-cache.json",
            "server.log",
            "logs/today",
            "a.py~",
        ] {
            check(&[], path, false);
            check(&["**/*"], path, false);
            check(&[path], path, true);
        }
        check(&[], "server.py", true);
        check(&[".github"], ".github/a.yml", true);
        check(&["target/*.json"], "target/a.json", true);
    }

    #[test]
    fn folders_without_a_source_are_known_by_name() {
        let sources = SourceFilter::new(["src/**/*.py", "lib/a.py", "!src/gen"]);
        for (folder, expect) in [
            ("", true),
            ("src", true),
            ("src/a/b", true),
            ("src/node_modules", false),
            ("lib", true),
            ("lib/b", false),
            ("docs", false),
        ] {
            assert_eq!(sources.may_have_below(&names(folder)), expect, "{folder}");
        }
    }

    #[test]
    fn a_wrong_pattern_says_why() {
        for (pattern, expect) in [
            ("", "empty"),
            ("/etc/**", "begins with /"),
            ("a/../../b", "leads out"),
            ("a\\b", "backslash"),
            ("{a", "without its }"),
            ("a}", "without its {"),
            ("{a{b,c}}", "within braces"),
            ("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "more than 64"),
        ] {
            let wrong = check_glob(pattern).expect(pattern).to_string();
            assert!(wrong.contains(expect), "{pattern}: {wrong}");
        }
        assert!(
            check_glob(&"a/".repeat(40))
                .is_some_and(|wrong| wrong.to_string().contains("32 parts"))
        );
        assert!(
            check_glob(&"a".repeat(600))
                .is_some_and(|wrong| wrong.to_string().contains("600 bytes"))
        );
    }

    #[test]
    fn no_pattern_takes_long() {
        let pattern = format!("**/*/{}b", "*a".repeat(200));
        let sources = SourceFilter::new([pattern.as_str(), "**/**/**/**/**/**/**/**/*b"]);
        let long = "a".repeat(255);
        let path = vec![long.as_str(); 32];
        let begun = PromiseClock::start();
        assert!(!sources.has(&path));
        begun.assert_within(Duration::from_secs(5), "matching");
    }

    proptest! {
        #[test]
        fn any_pattern_is_refused_or_finds_an_answer(
            pattern in "[a-c/*?{},!.\\\\é]{0,40}", path in "[a-cé./]{0,30}"
        ) {
            let wrong = check_glob(&pattern);
            let sources = SourceFilter::new([pattern.as_str()]);
            let path = names(&path);
            let has = sources.has(&path);
            // If a file matches, its folder may contain matches.
            if has && let Some((_, folder)) = path.split_last() {
                prop_assert!(sources.may_have_below(folder), "{pattern} {path:?}");
            }
            if wrong.is_none() && !pattern.contains(['*', '?', '{', '!']) {
                prop_assert!(sources.has(&names(&pattern)) || names(&pattern).contains(&"."));
            }
        }
    }
}
