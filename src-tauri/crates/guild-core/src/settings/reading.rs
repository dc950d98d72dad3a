//! Reading the file: every field by itself.

use serde_json::{Map, Value};

use super::fields::{self, FIELDS, Field, KEYS};
use super::{
    DEPTH_MAX, KEYS_MAX, PROBLEMS_MAX, ProblemEffect, SETTINGS_BYTES_MAX, Settings,
    SettingsProblem, press,
};
use crate::error::{Code, Report};
use crate::spanned::tree::{Node, Shape, Trees};
use crate::spanned::{self, Entry, FaultKind, Place};

/// What a file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The settings; `None` where the file as a whole can't be read.
    pub settings: Option<Settings>,
    /// What is wrong with it, in its order.
    pub problems: Vec<SettingsProblem>,
}

impl Read {
    /// Whether the file can be relied on for a field.
    pub fn holds(&self, key: &str) -> bool {
        let of = |problem: &SettingsProblem| {
            problem.effect == ProblemEffect::Default && problem.field.as_deref() == Some(key)
        };
        self.settings.is_some() && !self.problems.iter().any(of)
    }
}

/// Reads a file; `name` is what errors call it by. An empty one says nothing.
pub fn read(bytes: &[u8], name: &str) -> Read {
    let mut reading = Reading {
        name,
        text: "",
        problems: Vec::new(),
        untold: 0,
    };
    let settings = reading.whole(bytes);
    let mut problems = reading.problems;
    if reading.untold > 0 {
        problems.push(SettingsProblem {
            effect: ProblemEffect::Default,
            line: None,
            column: None,
            field: None,
            report: Report::new(
                Code::SettingsUnusable,
                format!("{name} has {} mistakes more.", reading.untold),
                "Mend those that are told, and look again.",
            ),
        });
    }
    Read { settings, problems }
}

struct Reading<'t> {
    name: &'t str,
    text: &'t str,
    problems: Vec<SettingsProblem>,
    untold: usize,
}

impl<'t> Reading<'t> {
    fn whole(&mut self, bytes: &'t [u8]) -> Option<Settings> {
        let size = bytes.len();
        if size as u64 > SETTINGS_BYTES_MAX {
            let message = format!("has {size} bytes; {SETTINGS_BYTES_MAX} are the most");
            self.unread(None, &message, "Take out what is not needed.");
            return None;
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => self.text = text.strip_prefix('\u{feff}').unwrap_or(text),
            Err(error) => {
                let before = &bytes[..error.valid_up_to()];
                self.text = std::str::from_utf8(before).unwrap_or_default();
                let at = self.text.len();
                self.unread(Some(at), "is no UTF-8 from here on", "Save it as UTF-8.");
                return None;
            }
        }
        if self.text.trim().is_empty() {
            return Some(Settings::default());
        }
        let root = match spanned::read_commented(self.text, DEPTH_MAX, &Trees) {
            Ok(root) => root,
            Err(fault) => {
                let hint = match fault.kind {
                    FaultKind::Duplicate => "Take one of the two out.",
                    FaultKind::Depth => "Settings are not nested so deep.",
                    FaultKind::Syntax | FaultKind::Value => {
                        "Mend this place; look at what stands right before it too."
                    }
                };
                self.unread(Some(fault.at), &fault.message, hint);
                return None;
            }
        };
        let Shape::Object(entries) = &root.shape else {
            let found = root.shape.in_words();
            let message = format!("expected an object in braces, found {found}");
            self.unread(Some(root.at), &message, "Put braces around the settings.");
            return None;
        };
        let mut good = Map::new();
        for entry in entries {
            if entry.key == KEYS {
                let keys = self.keys(&entry.value);
                good.insert(KEYS.to_owned(), Value::Object(keys));
            } else if entry.key != "$schema" {
                self.field(entry, "", &mut good);
            }
        }
        // What is good fits, each for itself; should it not, nothing is read rather than half of it.
        match serde_json::from_value(Value::Object(good)) {
            Ok(settings) => Some(settings),
            Err(error) => {
                self.unread(None, &format!("can't be used: {error}"), "");
                None
            }
        }
    }

    /// A field, or an object of fields.
    fn field(&mut self, entry: &Entry<Node>, within: &str, good: &mut Map<String, Value>) {
        let path = match within {
            "" => entry.key.clone(),
            within => format!("{within}.{}", entry.key),
        };
        if let Some(field) = fields::find(&path) {
            if let Some(value) = self.value(field, &entry.value) {
                good.insert(entry.key.clone(), value);
            }
            return;
        }
        let inside = format!("{path}.");
        if !FIELDS.iter().any(|field| field.key.starts_with(&inside)) {
            self.unknown(entry, &path);
            return;
        }
        match &entry.value.shape {
            Shape::Null => {}
            Shape::Object(entries) => {
                let mut section = Map::new();
                for entry in entries {
                    self.field(entry, &path, &mut section);
                }
                good.insert(entry.key.clone(), Value::Object(section));
            }
            other => {
                let found = other.in_words();
                let message = format!("must be an object in braces; found {found}");
                self.wrong(entry.value.at, &path, &message, "");
            }
        }
    }

    /// The value of a field; `None` for its default.
    fn value(&mut self, field: &Field, node: &Node) -> Option<Value> {
        let value = value_of(node);
        if value.is_null() {
            return None;
        }
        match field.kind.check(&value) {
            Ok(value) => Some(value),
            Err(message) => {
                self.wrong(node.at, field.key, &message, field.doc);
                None
            }
        }
    }

    fn keys(&mut self, node: &Node) -> Map<String, Value> {
        let mut keys = Map::new();
        let entries = match &node.shape {
            Shape::Null => return keys,
            Shape::Object(entries) => entries,
            other => {
                let found = other.in_words();
                let message = format!("must be an object in braces; found {found}");
                self.wrong(node.at, KEYS, &message, fields::KEYS_DOC);
                return keys;
            }
        };
        for entry in entries {
            let path = format!("{KEYS}.{}", cut(&entry.key));
            let too_long = entry.key.len() > fields::ACTION_MAX;
            let is_named = !entry.key.is_empty() && !entry.key.chars().any(char::is_control);
            if too_long || !is_named {
                let message = "is no name of an action";
                self.wrong(entry.key_at, &path, message, fields::KEYS_DOC);
                continue;
            }
            if keys.len() == KEYS_MAX {
                let message = format!("is one too many: {KEYS_MAX} are the most");
                self.wrong(
                    entry.key_at,
                    &path,
                    &message,
                    "Take out what is not needed.",
                );
                return keys;
            }
            let checked = match &entry.value.shape {
                Shape::Null => continue,
                Shape::Text(text) if text.is_empty() => Ok(String::new()),
                Shape::Text(text) => press::check(text),
                other => Err(format!(
                    "must be a text in quotes; found {}",
                    other.in_words()
                )),
            };
            match checked {
                Ok(written) => {
                    keys.insert(entry.key.clone(), written.into());
                }
                Err(message) => self.wrong(entry.value.at, &path, &message, fields::KEYS_DOC),
            }
        }
        keys
    }

    fn unknown(&mut self, entry: &Entry<Node>, path: &str) {
        let path = cut(path);
        let hint = fields::hint_for(&path);
        let message = "is no setting; it is kept and has no effect";
        self.note(
            ProblemEffect::Kept,
            Some(entry.key_at),
            Some(&path),
            message,
            &hint,
        );
    }

    fn wrong(&mut self, at: usize, path: &str, message: &str, doc: &str) {
        let hint = match doc {
            "" => "Its default holds.".to_owned(),
            doc => format!("Its default holds. {doc}"),
        };
        self.note(ProblemEffect::Default, Some(at), Some(path), message, &hint);
    }

    fn unread(&mut self, at: Option<usize>, message: &str, hint: &str) {
        self.note(ProblemEffect::Unread, at, None, message, hint);
    }

    fn note(
        &mut self,
        effect: ProblemEffect,
        at: Option<usize>,
        path: Option<&str>,
        message: &str,
        hint: &str,
    ) {
        if self.problems.len() == PROBLEMS_MAX {
            self.untold += 1;
            return;
        }
        let place = at.map(|at| Place::of(self.text, at));
        let name = self.name;
        let whose = match (place, path) {
            (Some(Place { line, column }), Some(path)) => {
                format!("{name}:{line}:{column}: `{path}` ")
            }
            (Some(Place { line, column }), None) => format!("{name}:{line}:{column}: "),
            (None, _) => format!("{name} "),
        };
        let message = format!("{whose}{message}.");
        self.problems.push(SettingsProblem {
            effect,
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            field: path.map(str::to_owned),
            report: Report::new(Code::SettingsUnusable, message, hint),
        });
    }
}

/// A name as errors repeat it.
fn cut(name: &str) -> String {
    name.chars().take(100).collect()
}

/// A value without what is in it, where it is more than one.
fn value_of(node: &Node) -> Value {
    match &node.shape {
        Shape::Null => Value::Null,
        Shape::Bool(flag) => (*flag).into(),
        Shape::Number(digits) => {
            // A number past what is kept exactly is no setting's: it is only ever told.
            serde_json::from_str(digits).unwrap_or_else(|_| f64::MAX.into())
        }
        Shape::Text(text) => text.clone().into(),
        Shape::List(_) => Value::Array(Vec::new()),
        Shape::Object(_) => Value::Object(Map::new()),
    }
}
