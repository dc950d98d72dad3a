//! Determines the effect of a schema change on arguments that were valid before.
//!
//! A change counts as widening only if that is certain, and otherwise as breaking. Arguments are
//! assumed to contain only properties that the old schema names.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::messages::SchemaChangeNote as Note;
use guild_api::wire::SchemaEffect::{self, Breaking, Widened, Words};

/// Maximum nesting depth that is compared.
const DEPTH_MAX: usize = 40;
/// Maximum number of changes that are reported for one schema.
const CHANGES_MAX: usize = 200;
/// Maximum length of a value in a change's text, in characters.
const VALUE_MAX: usize = 120;

/// Keywords that only describe values and don't affect validation.
const WORDS: &str = "\
    title description $comment $schema $id examples example default deprecated readOnly \
    writeOnly contentMediaType";
/// Keywords with a lower limit for a value.
const LEAST: &str = "minimum exclusiveMinimum minLength minItems minProperties";
/// Keywords with an upper limit for a value.
const MOST: &str = "maximum exclusiveMaximum maxLength maxItems maxProperties";
/// Keywords that restrict values. Removing one widens the schema.
const WANTS: &str = "pattern format multipleOf uniqueItems allOf items";
/// Keywords with subschemas that narrow the schema when they become wider.
const TURNING: &str = "\
    not if then else oneOf contains minContains maxContains dependencies dependentSchemas \
    unevaluatedProperties unevaluatedItems";

/// Keywords that apply to all properties or items that neither the schema's other keywords nor its
/// subschemas name.
const WHOLE: &str = "unevaluatedProperties unevaluatedItems";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SchemaDiffEntry {
    pub(super) pointer: String,
    /// The effect of the change on callers of the tool.
    pub(super) effect: SchemaEffect,
    pub(super) what: Note,
}

/// Returns the changes between two schemas, breaking ones first.
pub(super) fn changes(old: &Value, new: &Value) -> Vec<SchemaDiffEntry> {
    let any = |keywords: &str| has_any(old, keywords, 0) || has_any(new, keywords, 0);
    let turning = any(TURNING);
    let mut walk = SchemaComparison {
        changes: vec![],
        turning,
    };
    walk.schema(old, new, &mut String::new(), 0);
    if any(WHOLE) || turning && (refers_to_a_place(old, 0) || refers_to_a_place(new, 0)) {
        walk.nothing_is_certain_from(0);
    }
    walk.changes.sort_by_key(|change| change.effect);
    walk.changes
}

/// Checks whether a list of keywords, separated by blanks, has this one.
fn among(keywords: &str, key: &str) -> bool {
    keywords.split(' ').any(|known| known == key)
}

/// Checks whether a schema contains one of the keywords. A schema that is nested too deeply counts
/// as containing it.
fn has_any(schema: &Value, keywords: &str, depth: usize) -> bool {
    match schema {
        _ if depth > 2 * DEPTH_MAX => true,
        Value::Object(fields) => fields
            .iter()
            .any(|(key, value)| among(keywords, key) || has_any(value, keywords, depth + 1)),
        Value::Array(items) => items.iter().any(|item| has_any(item, keywords, depth + 1)),
        _ => false,
    }
}

/// Checks whether a schema refers to a part of itself outside of its definitions.
fn refers_to_a_place(schema: &Value, depth: usize) -> bool {
    let is_place = |value: &Value| {
        let to = value.as_str().unwrap_or_default();
        !to.starts_with("#/$defs/") && !to.starts_with("#/definitions/")
    };
    match schema {
        _ if depth > 2 * DEPTH_MAX => true,
        Value::Object(fields) => fields.iter().any(|(key, value)| {
            key.ends_with("$ref") && is_place(value)
                || key.ends_with("Ref") && key.starts_with('$')
                || refers_to_a_place(value, depth + 1)
        }),
        Value::Array(items) => items.iter().any(|item| refers_to_a_place(item, depth + 1)),
        _ => false,
    }
}

struct SchemaComparison {
    changes: Vec<SchemaDiffEntry>,
    /// Whether one of the schemas has keywords of [`TURNING`], so that the effect of a change in
    /// the definitions is uncertain.
    turning: bool,
}

impl SchemaComparison {
    fn note(&mut self, pointer: &str, effect: SchemaEffect, what: Note) {
        if self.changes.len() < CHANGES_MAX {
            self.changes.push(SchemaDiffEntry {
                pointer: pointer.to_owned(),
                effect,
                what,
            });
        } else if effect == Breaking
            && let Some(last) = self.changes.last_mut()
        {
            // The list of changes is incomplete, so the last entry counts as breaking.
            last.effect = Breaking;
        }
    }

    fn below(
        &mut self,
        pointer: &mut String,
        key: &str,
        visit: impl FnOnce(&mut Self, &mut String),
    ) {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
        visit(self, pointer);
        pointer.truncate(length);
    }

    fn schema(&mut self, old: &Value, new: &Value, pointer: &mut String, depth: usize) {
        if old == new {
            return;
        }
        if depth > DEPTH_MAX {
            self.note(pointer, Breaking, Note::TooDeep);
            return;
        }
        let empty = Map::new();
        match (fields(old, &empty), fields(new, &empty)) {
            (Some(old), Some(new)) => self.object(old, new, pointer, depth),
            (None, Some(_)) if *old == Value::Bool(false) => {
                self.note(pointer, Widened, Note::AllowedNothing);
            }
            (_, None) if *new == Value::Bool(false) => {
                self.note(pointer, Breaking, Note::AllowsNothing);
            }
            _ => self.note(pointer, Breaking, Note::OtherKind),
        }
    }

    fn object(
        &mut self,
        old: &Map<String, Value>,
        new: &Map<String, Value>,
        pointer: &mut String,
        depth: usize,
    ) {
        self.choices(old, new, pointer);
        let keys: Vec<&String> = old
            .keys()
            .chain(new.keys().filter(|key| !old.contains_key(*key)))
            .collect();
        for key in keys {
            let (before, after) = (old.get(key), new.get(key));
            if before == after {
                continue;
            }
            match key.as_str() {
                "enum" | "const" | "type" => {}
                "required" => self.required(before, after, pointer),
                "properties" => self.properties(before, after, pointer, depth),
                "$defs" | "definitions" => self.definitions(key, before, after, pointer, depth),
                "additionalProperties" => self.additional(before, after, pointer, depth),
                "anyOf" => self.any_of(before, after, pointer, depth),
                key => self.keyword(key, before, after, pointer, depth),
            }
        }
    }

    fn keyword(
        &mut self,
        key: &str,
        before: Option<&Value>,
        after: Option<&Value>,
        pointer: &mut String,
        depth: usize,
    ) {
        let what = changed(key, before, after);
        let numbers = (
            before.and_then(Value::as_f64),
            after.and_then(Value::as_f64),
        );
        let effect = if among(WORDS, key) || key.starts_with("x-") {
            Words
        } else if among(LEAST, key) || among(MOST, key) {
            let looser = match numbers {
                (Some(old), Some(new)) if among(LEAST, key) => new <= old,
                (Some(old), Some(new)) => new >= old,
                (Some(_), None) => after.is_none(),
                _ => false,
            };
            if looser { Widened } else { Breaking }
        } else if among(WANTS, key) {
            match (before, after) {
                // A list of schemas in `items` is compared together with `additionalItems`.
                (Some(before), None) if !before.is_array() || key == "allOf" => Widened,
                (None | Some(Value::Bool(false)), Some(Value::Bool(false)))
                    if key == "uniqueItems" =>
                {
                    Words
                }
                (Some(before), Some(after)) if key == "items" && before.is_object() => {
                    self.below(pointer, key, |walk, pointer| {
                        walk.schema(before, after, pointer, depth + 1);
                    });
                    return;
                }
                (Some(Value::Array(before)), Some(Value::Array(after)))
                    if key == "allOf" && before.len() == after.len() =>
                {
                    self.each(key, before, after, pointer, depth);
                    return;
                }
                (Some(Value::Bool(true)), Some(Value::Bool(false))) if key == "uniqueItems" => {
                    Widened
                }
                _ => Breaking,
            }
        } else {
            Breaking
        };
        self.note(pointer, effect, what);
    }

    fn each(
        &mut self,
        key: &str,
        before: &[Value],
        after: &[Value],
        pointer: &mut String,
        depth: usize,
    ) {
        for (at, (before, after)) in before.iter().zip(after).enumerate() {
            self.below(pointer, key, |walk, pointer| {
                walk.below(pointer, &at.to_string(), |walk, pointer| {
                    walk.schema(before, after, pointer, depth + 1);
                });
            });
        }
    }

    /// Compares the values that `type`, `enum` and `const` together allow.
    fn choices(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, pointer: &str) {
        let values = |schema: &Map<String, Value>| -> Option<Vec<Value>> {
            match (schema.get("const"), schema.get("enum")) {
                (Some(only), None) => Some(vec![only.clone()]),
                (None, Some(Value::Array(values))) => Some(values.clone()),
                _ => None,
            }
        };
        let untouched = |key| old.get(key) == new.get(key);
        if !(untouched("enum") && untouched("const")) {
            let both = [old, new]
                .iter()
                .any(|s| s.contains_key("const") && s.contains_key("enum"));
            match (values(old), values(new)) {
                _ if both => self.note(pointer, Breaking, Note::OtherValues),
                (Some(before), Some(after)) => {
                    let gone: Vec<_> = before.iter().filter(|v| !after.contains(v)).collect();
                    let come: Vec<_> = after.iter().filter(|v| !before.contains(v)).collect();
                    for value in gone {
                        let what = Note::NoMore(short(value));
                        self.note(pointer, Breaking, what);
                    }
                    for value in come {
                        let what = Note::Too(short(value));
                        self.note(pointer, Widened, what);
                    }
                }
                (Some(_), None) if !new.contains_key("enum") && !new.contains_key("const") => {
                    self.note(pointer, Widened, Note::AnyValue);
                }
                _ => self.note(pointer, Breaking, Note::SomeValues),
            }
        }
        if !untouched("type") {
            let (before, after) = (types(old.get("type")), types(new.get("type")));
            let what = changed("type", old.get("type"), new.get("type"));
            let effect = match (before, after) {
                (_, None) if !new.contains_key("type") => Widened,
                (Some(before), Some(after)) => {
                    let fits = |kind: &String| {
                        after.contains(kind) || kind == "integer" && after.contains("number")
                    };
                    match before.iter().all(fits) {
                        true => Widened,
                        false => Breaking,
                    }
                }
                _ => Breaking,
            };
            self.note(pointer, effect, what);
        }
    }

    fn required(&mut self, before: Option<&Value>, after: Option<&Value>, pointer: &str) {
        let names = |value: Option<&Value>| -> BTreeSet<String> {
            let items = value.and_then(Value::as_array).into_iter().flatten();
            items.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let (before, after) = (names(before), names(after));
        for name in after.difference(&before) {
            let what = Note::Wants(short_text(name));
            self.note(pointer, Breaking, what);
        }
        for name in before.difference(&after) {
            let what = Note::DoesWithout(short_text(name));
            self.note(pointer, Widened, what);
        }
    }

    fn properties(
        &mut self,
        before: Option<&Value>,
        after: Option<&Value>,
        pointer: &mut String,
        depth: usize,
    ) {
        let empty = Map::new();
        let before = before.and_then(Value::as_object).unwrap_or(&empty);
        let after = after.and_then(Value::as_object).unwrap_or(&empty);
        self.below(pointer, "properties", |walk, pointer| {
            walk.known_names(before, after, pointer, depth);
            for name in after.keys().filter(|name| !before.contains_key(*name)) {
                walk.below(pointer, name, |walk, pointer| {
                    walk.note(pointer, Widened, Note::New);
                });
            }
        });
    }

    /// Compares the subschemas that both maps have under the same name. A missing name is a
    /// breaking change. New names are ignored.
    fn known_names(
        &mut self,
        before: &Map<String, Value>,
        after: &Map<String, Value>,
        pointer: &mut String,
        depth: usize,
    ) {
        for (name, old) in before {
            self.below(pointer, name, |walk, pointer| match after.get(name) {
                Some(new) => walk.schema(old, new, pointer, depth + 1),
                None => walk.note(pointer, Breaking, Note::Gone),
            });
        }
    }

    fn definitions(
        &mut self,
        key: &str,
        before: Option<&Value>,
        after: Option<&Value>,
        pointer: &mut String,
        depth: usize,
    ) {
        let empty = Map::new();
        let before = before.and_then(Value::as_object).unwrap_or(&empty);
        let after = after.and_then(Value::as_object).unwrap_or(&empty);
        let known = self.changes.len();
        self.below(pointer, key, |walk, pointer| {
            walk.known_names(before, after, pointer, depth);
        });
        if self.turning {
            self.nothing_is_certain_from(known);
        }
    }

    fn nothing_is_certain_from(&mut self, known: usize) {
        for change in self.changes.iter_mut().skip(known) {
            if change.effect == Widened {
                change.effect = Breaking;
            }
        }
    }

    fn additional(
        &mut self,
        before: Option<&Value>,
        after: Option<&Value>,
        pointer: &mut String,
        depth: usize,
    ) {
        let open = Value::Bool(true);
        let (before, after) = (before.unwrap_or(&open), after.unwrap_or(&open));
        if before == after {
            return;
        }
        self.below(pointer, "additionalProperties", |walk, pointer| {
            match (before, after) {
                (_, Value::Bool(false)) => walk.note(pointer, Breaking, Note::NoOthers),
                (Value::Bool(false), _) => walk.note(pointer, Widened, Note::Others),
                _ => walk.schema(before, after, pointer, depth + 1),
            }
        });
    }

    fn any_of(
        &mut self,
        before: Option<&Value>,
        after: Option<&Value>,
        pointer: &mut String,
        depth: usize,
    ) {
        let what = || changed("anyOf", before, after);
        match (
            before.and_then(Value::as_array),
            after.and_then(Value::as_array),
        ) {
            (Some(_), None) if after.is_none() => {
                self.note(pointer, Widened, what());
            }
            (Some(before), Some(after)) if before.iter().all(|one| after.contains(one)) => {
                self.note(pointer, Widened, Note::MoreChoices);
            }
            (Some(before), Some(after)) if before.len() == after.len() => {
                self.each("anyOf", before, after, pointer, depth);
            }
            _ => self.note(pointer, Breaking, what()),
        }
    }
}

/// Returns the keywords of a schema: none for `true`, and `None` for `false`.
fn fields<'a>(schema: &'a Value, empty: &'a Map<String, Value>) -> Option<&'a Map<String, Value>> {
    match schema {
        Value::Object(fields) => Some(fields),
        Value::Bool(true) => Some(empty),
        _ => None,
    }
}

/// Returns the allowed types. `None` if they can't be read.
fn types(value: Option<&Value>) -> Option<BTreeSet<String>> {
    match value? {
        Value::String(kind) => Some(BTreeSet::from([kind.clone()])),
        Value::Array(kinds) => kinds
            .iter()
            .map(|kind| Some(kind.as_str()?.to_owned()))
            .collect(),
        _ => None,
    }
}

/// Returns the note for a changed, added or removed keyword.
fn changed(key: &str, before: Option<&Value>, after: Option<&Value>) -> Note {
    let key = short_text(key);
    match (before, after) {
        (Some(before), Some(after)) => Note::IsOther {
            keyword: key,
            now: short(after),
            before: short(before),
        },
        (None, Some(after)) => Note::IsNow(key, short(after)),
        (Some(before), None) => Note::IsGone(key, short(before)),
        (None, None) => Note::Keyword(key),
    }
}

fn short(value: &Value) -> String {
    short_text(&value.to_string())
}

fn short_text(text: &str) -> String {
    let text = super::text::visible(text);
    if text.chars().count() <= VALUE_MAX {
        return text;
    }
    let head: String = text.chars().take(VALUE_MAX).collect();
    format!("{head}…")
}

#[cfg(test)]
mod tests;
