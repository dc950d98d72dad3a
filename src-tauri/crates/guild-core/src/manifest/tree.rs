//! A manifest as a tree that knows where its values stand, and what was found wrong with it.

use crate::error::{Code, Report};
use crate::note::{FieldLine, FieldWrong, ManifestTrouble, Told as _, Trouble as _, told};
use crate::spanned::Place;
pub(super) use crate::spanned::tree::{Node, Shape, Trees};

/// How many errors one report lists.
const LISTED_MAX: usize = 5;
/// The longest text in a manifest, in bytes.
const TEXT_BYTES_MAX: usize = 32 * 1024;
/// The most entries of one list or object.
const ENTRIES_MAX: usize = 1_000;

/// One thing that is wrong, and where.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) at: usize,
    /// The field, e.g. `args[2]`; empty for the file as a whole.
    pub(super) path: String,
    pub(super) wrong: FieldWrong,
}

impl Finding {
    fn line(&self, text: &str, file: &str) -> FieldLine {
        let Place { line, column } = Place::of(text, self.at);
        let place = format!("{file}:{line}:{column}");
        let wrong = self.wrong.words().message;
        if self.path.is_empty() {
            FieldLine::OfFile(place, wrong)
        } else {
            FieldLine::OfField(place, self.path.clone(), wrong)
        }
    }

    /// What to do about it; empty where nothing is said of it.
    fn hint(&self) -> String {
        self.wrong.words().hint
    }

    /// The same, or what always helps.
    fn advice(&self) -> String {
        match self.wrong.words().hint {
            none if none.is_empty() => FieldLine::BySchema.told(),
            hint => hint,
        }
    }
}

/// Everything found while a manifest is read.
#[derive(Debug, Default)]
pub(super) struct Findings {
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
}

impl Findings {
    pub(super) fn error(&mut self, at: usize, path: &str, wrong: FieldWrong) {
        let path = path.to_owned();
        self.errors.push(Finding { at, path, wrong });
    }

    pub(super) fn warn(&mut self, at: usize, path: &str, wrong: FieldWrong) {
        let path = path.to_owned();
        self.warnings.push(Finding { at, path, wrong });
    }

    /// Checks what holds for every value: the length of texts and lists, and no NUL.
    pub(super) fn bounds(&mut self, node: &Node, path: &str) {
        match &node.shape {
            Shape::Text(text) => self.text_bounds(text, node.at, path),
            Shape::List(items) => {
                self.entry_bound(items.len(), node.at, path);
                for (index, item) in items.iter().take(ENTRIES_MAX).enumerate() {
                    self.bounds(item, &format!("{path}[{index}]"));
                }
            }
            Shape::Object(entries) => {
                self.entry_bound(entries.len(), node.at, path);
                for entry in entries.iter().take(ENTRIES_MAX) {
                    let path = join(path, &entry.key);
                    self.text_bounds(&entry.key, entry.key_at, &path);
                    self.bounds(&entry.value, &path);
                }
            }
            Shape::Null | Shape::Bool(_) | Shape::Number(_) => {}
        }
    }

    fn text_bounds(&mut self, text: &str, at: usize, path: &str) {
        if text.len() > TEXT_BYTES_MAX {
            self.error(at, path, FieldWrong::TextLong(text.len(), TEXT_BYTES_MAX));
        }
        if text.contains('\0') {
            self.error(at, path, FieldWrong::Nul);
        }
    }

    fn entry_bound(&mut self, count: usize, at: usize, path: &str) {
        if count > ENTRIES_MAX {
            self.error(at, path, FieldWrong::ManyEntries(count, ENTRIES_MAX));
        }
    }

    /// One report of all errors, the first in full; `None` when there are none.
    pub(super) fn report(&mut self, text: &str, file: &str) -> Option<Report> {
        self.errors.sort_by_key(|finding| finding.at);
        let first = self.errors.first()?;
        let listed = self.errors.iter().take(LISTED_MAX);
        let mut lines: Vec<FieldLine> = listed.map(|finding| finding.line(text, file)).collect();
        let unlisted = self.errors.len().saturating_sub(LISTED_MAX);
        if unlisted > 0 {
            lines.push(FieldLine::More(unlisted));
        }
        let lines = told(&lines).join("\n");
        let trouble = ManifestTrouble::Fields(lines, first.advice());
        Some(Report::told(Code::ManifestField, &trouble))
    }

    /// The warnings, in the file's order.
    pub(super) fn warnings(mut self, text: &str, file: &str) -> Vec<Report> {
        self.warnings.sort_by_key(|finding| finding.at);
        let report = |finding: &Finding| {
            let line = finding.line(text, file).told();
            let trouble = ManifestTrouble::Fields(line, finding.hint());
            Report::told(Code::ManifestField, &trouble)
        };
        self.warnings.iter().map(report).collect()
    }
}

/// The path of a field inside an object; keys are cut to 80 characters.
pub(super) fn join(path: &str, key: &str) -> String {
    let key: String = key.chars().take(80).collect();
    if path.is_empty() {
        key
    } else {
        format!("{path}.{key}")
    }
}
