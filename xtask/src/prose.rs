//! `cargo xtask prose`: counts banned habits of writing in comments, documents and interface text,
//! and fails when their number exceeds the limit in `xtask/prose.json`.
//!
//! The limit may only fall: the check also fails when the number is far below it. Generated files,
//! and strings in tests, are not read.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use fs_err as fs;
use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use serde::Deserialize;

use crate::program::Program;

/// The file with the limit and the patterns, from the root of the repository.
const RULES: &str = "xtask/prose.json";

#[derive(Args)]
pub(crate) struct ProseOptions {
    /// Lists every match by file.
    #[arg(long)]
    list: bool,
    /// Lowers the stored limit to the present number.
    #[arg(long, conflicts_with = "list")]
    lower: bool,
}

/// The content of `xtask/prose.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    limit: usize,
    /// How far the number may be below the limit before the check asks for a lower limit.
    slack: usize,
    /// The name endings of the files that are read.
    endings: Vec<String>,
    /// Paths of generated files, which are not read.
    generated: String,
    /// Paths of tests. Only their comments are read.
    tests: String,
    /// Pattern of the comment lines in a source file.
    comment: String,
    /// Pattern of the source lines with a string, or an element's text, of at least three words.
    sentence: String,
    habits: Vec<Habit>,
}

/// One habit of writing that the project avoids.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Habit {
    name: String,
    pattern: String,
    /// A match does not count if its regex group `next` begins with one of these strings.
    #[serde(default)]
    except: Vec<String>,
    /// The suggested replacement.
    instead: String,
}

/// A line that matches a habit.
#[derive(Debug, PartialEq, Eq)]
struct ProseMatch {
    path: String,
    /// The line's number, from 1.
    line: usize,
    /// The habit's position in the rules.
    habit: usize,
    text: String,
}

/// The rules with their compiled patterns.
struct ProseChecker {
    rules: Rules,
    generated: Regex,
    tests: Regex,
    comment: Regex,
    sentence: Regex,
    habits: Vec<Regex>,
    /// Matches any habit, which is faster for the many lines without one.
    any: RegexSet,
}

pub(crate) fn run(options: &ProseOptions) -> Result<ExitCode> {
    let reader = ProseChecker::open(crate::root())?;
    let hits = reader.hits(crate::root())?;
    if options.list {
        print!("{}", listed(&reader.rules, &hits));
        return Ok(ExitCode::SUCCESS);
    }
    if options.lower {
        return lower(reader.rules.limit, hits.len()).map(|()| ExitCode::SUCCESS);
    }
    print!("{}", summary(&reader.rules, &hits));
    compare(hits.len(), &reader.rules)?;
    Ok(ExitCode::SUCCESS)
}

/// Fails if the number of hits is above the limit, or too far below it.
pub(crate) fn check(root: &Path) -> Result<()> {
    let reader = ProseChecker::open(root)?;
    compare(reader.hits(root)?.len(), &reader.rules)
}

fn compare(count: usize, rules: &Rules) -> Result<()> {
    let limit = rules.limit;
    if count > limit {
        bail!(
            "{count} places have a banned habit, and the limit is {limit}\n\
             hint: `cargo xtask prose --list` shows them; CONTRIBUTING.md has the rules"
        );
    }
    if count + rules.slack < limit {
        bail!(
            "{count} places have a banned habit, fewer than the limit of {limit}\n\
             hint: run `cargo xtask prose --lower` and commit {RULES}"
        );
    }
    Ok(())
}

/// Writes a lower limit. A higher one is an error.
fn lower(limit: usize, count: usize) -> Result<()> {
    if count > limit {
        bail!("the limit may only fall, and {count} is above {limit}");
    }
    let path = crate::root().join(RULES);
    let text = fs::read_to_string(&path)?;
    let text = text.replacen(
        &format!("\"limit\": {limit},"),
        &format!("\"limit\": {count},"),
        1,
    );
    fs::write(&path, text)?;
    println!("the limit is {count}");
    Ok(())
}

/// Formats the number of hits of each habit, and the total.
fn summary(rules: &Rules, hits: &[ProseMatch]) -> String {
    let mut text = String::new();
    for (at, habit) in rules.habits.iter().enumerate() {
        let count = hits.iter().filter(|hit| hit.habit == at).count();
        text += &format!("{count:>5}  {}: write {}\n", habit.name, habit.instead);
    }
    text + &format!("{:>5}  of at most {}\n", hits.len(), rules.limit)
}

/// Lists each file with its number of hits, and each hit with its line.
fn listed(rules: &Rules, hits: &[ProseMatch]) -> String {
    let mut files: BTreeMap<&str, Vec<&ProseMatch>> = BTreeMap::new();
    for hit in hits {
        files.entry(&hit.path).or_default().push(hit);
    }
    let mut text = String::new();
    for (path, hits) in files {
        text += &format!("{path}: {}\n", hits.len());
        for hit in hits {
            let name = &rules.habits[hit.habit].name;
            text += &format!("  {}: {name}: {}\n", hit.line, hit.text);
        }
    }
    text
}

impl ProseChecker {
    fn open(root: &Path) -> Result<Self> {
        let text = fs::read_to_string(root.join(RULES))?;
        Self::of(serde_json::from_str(&text).with_context(|| format!("reading {RULES}"))?)
    }

    fn of(rules: Rules) -> Result<Self> {
        let compiled =
            |pattern: &str| Regex::new(pattern).with_context(|| format!("a pattern of {RULES}"));
        let patterns = || rules.habits.iter().map(|habit| habit.pattern.as_str());
        let habits = patterns()
            .map(|pattern| RegexBuilder::new(pattern).case_insensitive(true).build())
            .collect::<Result<_, _>>()
            .with_context(|| format!("a habit of {RULES}"))?;
        let any = RegexSetBuilder::new(patterns())
            .case_insensitive(true)
            .build()
            .with_context(|| format!("the habits of {RULES}"))?;
        Ok(Self {
            generated: compiled(&rules.generated)?,
            tests: compiled(&rules.tests)?,
            comment: compiled(&rules.comment)?,
            sentence: compiled(&rules.sentence)?,
            habits,
            any,
            rules,
        })
    }

    /// Returns the hits in all files that git tracks.
    fn hits(&self, root: &Path) -> Result<Vec<ProseMatch>> {
        let tracked = Program::new("git")
            .words("-c core.quotePath=false ls-files")
            .folder(root)
            .text()?;
        let mut hits = Vec::new();
        for path in tracked.lines().filter(|path| self.is_read(path)) {
            // A tracked file may have been deleted.
            let Ok(bytes) = fs::read(root.join(path)) else {
                continue;
            };
            self.read(path, &String::from_utf8_lossy(&bytes), &mut hits);
        }
        Ok(hits)
    }

    fn is_read(&self, path: &str) -> bool {
        let ending = path.rsplit_once('.').map(|(_, ending)| ending);
        ending.is_some_and(|ending| self.rules.endings.iter().any(|one| one == ending))
            && !self.generated.is_match(path)
    }

    /// Adds the hits of one file.
    fn read(&self, path: &str, text: &str, hits: &mut Vec<ProseMatch>) {
        let is_document = path.ends_with(".md");
        let has_sentences = !path.ends_with(".css") && !self.tests.is_match(path);
        for (line, text) in (1..).zip(text.lines()) {
            let is_prose = || {
                is_document
                    || self.comment.is_match(text)
                    || has_sentences && self.sentence.is_match(text)
            };
            let found = self.any.matches(text);
            if !found.matched_any() || !is_prose() {
                continue;
            }
            for habit in found {
                hits.extend((0..self.count(habit, text)).map(|_| ProseMatch {
                    path: path.to_owned(),
                    line,
                    habit,
                    text: text.trim().to_owned(),
                }));
            }
        }
    }

    /// Counts the matches of a habit in a line.
    fn count(&self, habit: usize, line: &str) -> usize {
        let except = &self.rules.habits[habit].except;
        let matches = self.habits[habit].captures_iter(line);
        let counted = matches.filter(|groups| {
            let next = groups.name("next").map(|next| next.as_str().to_lowercase());
            !next.is_some_and(|next| except.iter().any(|word| next.starts_with(word.as_str())))
        });
        counted.count()
    }
}
