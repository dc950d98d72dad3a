//! Collects the errors and warnings of a manifest with their positions in the file.

use jsonc_parser::ast::Value as Node;
use jsonc_parser::common::Ranged as _;

use crate::error::{Code, Report};
use guild_text::spanned::TextPosition;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An error or a warning of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ManifestProblem {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The path of the field, e.g. `args[2]`. Empty for the whole file.
    pub field: String,
    /// The message, with the field.
    pub message: String,
    /// The next step.
    pub hint: String,
    /// The severity.
    pub severity: ProblemSeverity,
}

/// The severity of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemSeverity {
    /// The manifest can't be used.
    Error,
    /// The manifest can be used.
    Warning,
}

/// Maximum number of errors that one report lists.
const LISTED_MAX: usize = 5;
/// Maximum number of returned errors and warnings.
const PROBLEMS_MAX: usize = 200;
const BY_SCHEMA: &str =
    "Fix it in an editor that knows the manifest's JSON Schema, plugin.schema.json.";

/// A location in the file, addressed by a JSON Pointer.
pub(super) struct ManifestLocation<'t> {
    /// The readable path, e.g. `args[2]`. Empty for the whole file.
    path: String,
    /// The byte offset of the value, or of its parent if the value is missing.
    at: usize,
    /// The byte offset of the value's name.
    key_at: usize,
    pub(super) node: Option<&'t Node<'t>>,
}

impl<'t> ManifestLocation<'t> {
    fn of(tree: &'t Node<'t>, pointer: &str) -> Self {
        let at = tree.start();
        let mut spot = Self {
            path: String::new(),
            at,
            key_at: at,
            node: Some(tree),
        };
        for step in pointer.split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            let found = match spot.node {
                Some(Node::Array(list)) => {
                    spot.path.push_str(&format!("[{step}]"));
                    let item = step
                        .parse()
                        .ok()
                        .and_then(|at: usize| list.elements.get(at));
                    item.map(|item| (item.start(), item))
                }
                Some(Node::Object(object)) => {
                    spot.enter(&step);
                    object
                        .get(&step)
                        .map(|field| (field.range.start, &field.value))
                }
                _ => {
                    spot.enter(&step);
                    None
                }
            };
            spot.node = found.map(|(_, node)| node);
            if let Some((key_at, node)) = found {
                (spot.key_at, spot.at) = (key_at, node.start());
            }
        }
        spot
    }

    fn enter(&mut self, key: &str) {
        if !self.path.is_empty() {
            self.path.push('.');
        }
        self.path.extend(key.chars().take(80));
    }
}

struct ManifestFinding {
    pointer: String,
    at: usize,
    path: String,
    message: String,
    hint: String,
}

impl ManifestFinding {
    fn line(&self, text: &str, file: &str) -> String {
        let TextPosition { line, column } = TextPosition::of(text, self.at);
        let message = &self.message;
        match self.path.as_str() {
            "" => format!("{file}:{line}:{column}: {message}"),
            path => format!("{file}:{line}:{column}: `{path}` {message}"),
        }
    }
}

/// All errors and warnings of a manifest. Each message continues the name of its field.
pub(super) struct Findings<'t> {
    tree: &'t Node<'t>,
    errors: Vec<ManifestFinding>,
    warnings: Vec<ManifestFinding>,
}

impl<'t> Findings<'t> {
    pub(super) fn new(tree: &'t Node<'t>) -> Self {
        Self {
            tree,
            errors: Vec::new(),
            warnings: Vec::new(),
        }
    }

    pub(super) fn spot(&self, pointer: &str) -> ManifestLocation<'t> {
        ManifestLocation::of(self.tree, pointer)
    }

    fn finding(&self, pointer: &str, message: &str, hint: &str) -> ManifestFinding {
        let ManifestLocation { path, at, .. } = self.spot(pointer);
        ManifestFinding {
            pointer: pointer.to_owned(),
            at,
            path,
            message: message.to_owned(),
            hint: hint.to_owned(),
        }
    }

    pub(super) fn error(&mut self, pointer: &str, message: &str, hint: &str) {
        let finding = self.finding(pointer, message, hint);
        self.errors.push(finding);
    }

    pub(super) fn error_of_key(&mut self, pointer: &str, message: &str, hint: &str) {
        let mut finding = self.finding(pointer, message, hint);
        finding.at = self.spot(pointer).key_at;
        self.errors.push(finding);
    }

    pub(super) fn warn(&mut self, pointer: &str, message: &str, hint: &str) {
        let finding = self.finding(pointer, message, hint);
        self.warnings.push(finding);
    }

    pub(super) fn warn_of_key(&mut self, pointer: &str, message: &str, hint: &str) {
        let mut finding = self.finding(pointer, message, hint);
        finding.at = self.spot(pointer).key_at;
        self.warnings.push(finding);
    }

    pub(super) fn has_error_at(&self, pointer: &str) -> bool {
        self.errors.iter().any(|finding| finding.pointer == pointer)
    }

    /// Returns one report with the first five errors, the number of further errors, and the hint of
    /// the first error. `None` if there are no errors.
    pub(super) fn report(&mut self, text: &str, file: &str) -> Option<Report> {
        self.errors.sort_by_key(|finding| finding.at);
        let hint = match self.errors.first()?.hint.as_str() {
            "" => BY_SCHEMA,
            hint => hint,
        };
        let listed = self.errors.iter().take(LISTED_MAX);
        let mut lines: Vec<String> = listed.map(|finding| finding.line(text, file)).collect();
        let unlisted = self.errors.len().saturating_sub(LISTED_MAX);
        if unlisted > 0 {
            lines.push(format!("and {unlisted} more"));
        }
        Some(Report::new(Code::ManifestField, lines.join("\n"), hint))
    }

    /// Returns all errors and warnings in file order.
    pub(super) fn problems(self, text: &str) -> Vec<ManifestProblem> {
        let errors = self
            .errors
            .into_iter()
            .map(|it| (ProblemSeverity::Error, it));
        let warnings = self
            .warnings
            .into_iter()
            .map(|it| (ProblemSeverity::Warning, it));
        let mut all: Vec<_> = errors.chain(warnings).collect();
        all.sort_by_key(|(_, finding)| finding.at);
        let problem = |(severity, finding): (ProblemSeverity, ManifestFinding)| {
            let TextPosition { line, column } = TextPosition::of(text, finding.at);
            ManifestProblem {
                line,
                column,
                message: match finding.path.as_str() {
                    "" => finding.message,
                    path => format!("`{path}` {}", finding.message),
                },
                field: finding.path,
                hint: finding.hint,
                severity,
            }
        };
        all.into_iter().take(PROBLEMS_MAX).map(problem).collect()
    }

    /// Returns the warnings in file order.
    pub(super) fn warnings(mut self, text: &str, file: &str) -> Vec<Report> {
        self.warnings.sort_by_key(|finding| finding.at);
        let report = |finding: ManifestFinding| {
            Report::new(Code::ManifestField, finding.line(text, file), finding.hint)
        };
        self.warnings.into_iter().map(report).collect()
    }
}

/// Returns the choice that is most similar to the text, or `None` if none is similar.
pub fn nearest<'c>(text: &str, choices: &[&'c str]) -> Option<&'c str> {
    let plain = |word: &str| {
        let letters = word.chars().take(64).filter(char::is_ascii_alphanumeric);
        letters.collect::<String>().to_ascii_lowercase()
    };
    let text = plain(text);
    choices
        .iter()
        .map(|choice| (strsim::damerau_levenshtein(&text, &plain(choice)), *choice))
        .filter(|(distance, choice)| *distance <= 2 && *distance * 2 < choice.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, choice)| choice)
}
