//! A manifest as a tree that knows where its values stand, and what was found wrong with it.

use crate::error::{Code, Report};
use crate::spanned::Place;
pub(super) use crate::spanned::tree::{Node, Shape, Trees};

/// How many errors one report lists.
const LISTED_MAX: usize = 5;
/// What to do where an error says no better.
pub(super) const FIELD_HINT: &str =
    "Mend it in an editor that knows the manifest's JSON Schema, plugin.schema.json.";
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
    pub(super) message: String,
    pub(super) hint: String,
}

impl Finding {
    fn line(&self, text: &str, file: &str) -> String {
        let Place { line, column } = Place::of(text, self.at);
        let message = &self.message;
        if self.path.is_empty() {
            format!("{file}:{line}:{column}: {message}")
        } else {
            format!("{file}:{line}:{column}: `{}` {message}", self.path)
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
    pub(super) fn error(&mut self, at: usize, path: &str, message: String, hint: &str) {
        self.errors.push(Finding {
            at,
            path: path.to_owned(),
            message,
            hint: hint.to_owned(),
        });
    }

    pub(super) fn warn(&mut self, at: usize, path: &str, message: &str, hint: String) {
        self.warnings.push(Finding {
            at,
            path: path.to_owned(),
            message: message.to_owned(),
            hint,
        });
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
            let length = text.len();
            let message = format!("has {length} bytes; {TEXT_BYTES_MAX} are the most");
            self.error(at, path, message, "Shorten it, or read it from a file.");
        }
        if text.contains('\0') {
            let message = "has a NUL character, which no operating system passes on".to_owned();
            self.error(at, path, message, "Take the \\u0000 out.");
        }
    }

    fn entry_bound(&mut self, count: usize, at: usize, path: &str) {
        if count > ENTRIES_MAX {
            let message = format!("has {count} entries; {ENTRIES_MAX} are the most");
            self.error(at, path, message, "Take out what is not needed.");
        }
    }

    /// One report of all errors, the first in full; `None` when there are none.
    pub(super) fn report(&mut self, text: &str, file: &str) -> Option<Report> {
        self.errors.sort_by_key(|finding| finding.at);
        let first = self.errors.first()?;
        let mut message = first.line(text, file);
        for other in self.errors.iter().take(LISTED_MAX).skip(1) {
            message.push('\n');
            message.push_str(&other.line(text, file));
        }
        let unlisted = self.errors.len().saturating_sub(LISTED_MAX);
        if unlisted > 0 {
            message.push_str(&format!("\nand {unlisted} more"));
        }
        let hint = match first.hint.as_str() {
            "" => FIELD_HINT,
            hint => hint,
        };
        Some(Report::new(Code::ManifestField, message, hint))
    }

    /// The warnings, in the file's order.
    pub(super) fn warnings(mut self, text: &str, file: &str) -> Vec<Report> {
        self.warnings.sort_by_key(|finding| finding.at);
        let report = |finding: &Finding| {
            Report::new(Code::ManifestField, finding.line(text, file), &finding.hint)
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
