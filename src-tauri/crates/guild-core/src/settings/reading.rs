//! Reading the file: every field by itself.

use serde_json::{Map, Value};

use super::fields::{self, FIELDS, Field, KEYS};
use super::{
    DEPTH_MAX, PROBLEMS_MAX, ProblemEffect, SETTINGS_BYTES_MAX, Settings, SettingsProblem, actions,
    press,
};
use crate::error::{Code, Report};
use crate::note::{
    SettingDoc, SettingHint, SettingPlace, SettingWrong, SettingsTrouble, Told as _,
};
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
        untold_effect: ProblemEffect::Kept,
    };
    let settings = reading.whole(bytes);
    let mut problems = reading.problems;
    if reading.untold > 0 {
        problems.push(SettingsProblem {
            effect: reading.untold_effect,
            line: None,
            column: None,
            field: None,
            report: Report::told(
                Code::SettingsUnusable,
                &SettingsTrouble::MoreMistakes(name.to_owned(), reading.untold),
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
    /// The worst that comes of one of those.
    untold_effect: ProblemEffect,
}

impl<'t> Reading<'t> {
    fn whole(&mut self, bytes: &'t [u8]) -> Option<Settings> {
        let size = bytes.len();
        if size as u64 > SETTINGS_BYTES_MAX {
            let wrong = SettingWrong::Large(size, SETTINGS_BYTES_MAX);
            self.unread(None, wrong, SettingHint::TakeOut);
            return None;
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => self.text = text.strip_prefix('\u{feff}').unwrap_or(text),
            Err(error) => {
                let before = &bytes[..error.valid_up_to()];
                self.text = std::str::from_utf8(before).unwrap_or_default();
                let at = self.text.len();
                self.unread(Some(at), SettingWrong::NotUtf8, SettingHint::SaveAsUtf8);
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
                    FaultKind::Duplicate => SettingHint::TakeOneOut,
                    FaultKind::Depth => SettingHint::NotSoDeep,
                    FaultKind::Syntax | FaultKind::Value => SettingHint::MendHere,
                };
                self.unread(Some(fault.at), SettingWrong::Json(fault.wrong), hint);
                return None;
            }
        };
        let Shape::Object(entries) = &root.shape else {
            let wrong = SettingWrong::NoObject(root.shape.in_words());
            self.unread(Some(root.at), wrong, SettingHint::Braces);
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
                let wrong = SettingWrong::Unusable(error.to_string());
                self.unread(None, wrong, SettingHint::None);
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
                let wrong = SettingWrong::NoSection(other.in_words());
                self.wrong(entry.value.at, &path, wrong, "");
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
            Err(wrong) => {
                self.wrong(node.at, field.key, wrong, field.doc);
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
                let wrong = SettingWrong::NoSection(other.in_words());
                self.wrong(node.at, KEYS, wrong, fields::KEYS_DOC);
                return keys;
            }
        };
        for entry in entries {
            let path = format!("{KEYS}.{}", cut(&entry.key));
            let too_long = entry.key.len() > fields::ACTION_MAX;
            let is_named = !entry.key.is_empty() && !entry.key.chars().any(char::is_control);
            if too_long || !is_named {
                let wrong = SettingWrong::NoAction;
                self.wrong(entry.key_at, &path, wrong, fields::KEYS_DOC);
                continue;
            }
            if !actions::is_action(&entry.key) {
                let hint = SettingHint::Near(actions::near(&entry.key));
                let (at, wrong) = (Some(entry.key_at), SettingWrong::UnknownAction);
                self.note(ProblemEffect::Kept, at, Some(&path), wrong, hint);
                continue;
            }
            let checked = match &entry.value.shape {
                Shape::Null => continue,
                Shape::Text(text) if text.is_empty() => Ok(String::new()),
                Shape::Text(text) => press::check(text).map_err(SettingWrong::Press),
                other => Err(SettingWrong::KeysNoText(other.in_words())),
            };
            match checked {
                Ok(written) => {
                    keys.insert(entry.key.clone(), written.into());
                }
                Err(wrong) => self.wrong(entry.value.at, &path, wrong, fields::KEYS_DOC),
            }
        }
        keys
    }

    fn unknown(&mut self, entry: &Entry<Node>, path: &str) {
        let path = cut(path);
        let hint = SettingHint::Near(fields::near(&path));
        let (at, wrong) = (Some(entry.key_at), SettingWrong::Unknown);
        self.note(ProblemEffect::Kept, at, Some(&path), wrong, hint);
    }

    fn wrong(&mut self, at: usize, path: &str, wrong: SettingWrong, doc: &'static str) {
        let hint = match (path, doc) {
            // Other members than their user's are not started in their place.
            ("membersDir", _) => SettingHint::NoDefault,
            (_, "") => SettingHint::Default,
            (_, doc) => SettingHint::DefaultOf(SettingDoc(doc)),
        };
        self.note(ProblemEffect::Default, Some(at), Some(path), wrong, hint);
    }

    fn unread(&mut self, at: Option<usize>, wrong: SettingWrong, hint: SettingHint) {
        self.note(ProblemEffect::Unread, at, None, wrong, hint);
    }

    fn note(
        &mut self,
        effect: ProblemEffect,
        at: Option<usize>,
        path: Option<&str>,
        wrong: SettingWrong,
        hint: SettingHint,
    ) {
        if self.problems.len() == PROBLEMS_MAX {
            self.untold += 1;
            if effect != ProblemEffect::Kept {
                self.untold_effect = effect;
            }
            return;
        }
        let place = at.map(|at| Place::of(self.text, at));
        let name = self.name;
        let told = match (place, path) {
            (Some(Place { line, column }), Some(path)) => {
                let place = format!("{name}:{line}:{column}");
                SettingPlace::Field(place, path.to_owned(), wrong)
            }
            (Some(Place { line, column }), None) => {
                SettingPlace::At(format!("{name}:{line}:{column}"), wrong)
            }
            (None, _) => SettingPlace::File(name.to_owned(), wrong),
        };
        let trouble = SettingsTrouble::Mistake(told.told(), hint.told());
        self.problems.push(SettingsProblem {
            effect,
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            field: path.map(str::to_owned),
            report: Report::told(Code::SettingsUnusable, &trouble),
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
