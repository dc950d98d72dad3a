//! Removes the invalid parts of a schema, so that the rest can be used.

use std::collections::BTreeSet;

use jsonschema::{Draft, ValidationError};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::messages::{Cut, SchemaNote};
use crate::schema::{Holds, escaped};

/// Maximum number of rounds that validate a schema against its dialect's meta-schema.
const ROUNDS_MAX: usize = 8;

/// Returns the dialect of the schema, and removes `$schema` from it.
pub(super) fn take_draft(schema: &mut Value, notes: &mut Vec<SchemaNote>) -> Draft {
    let named = schema
        .as_object_mut()
        .and_then(|fields| fields.shift_remove("$schema"));
    let draft = match &named {
        None => Draft::Draft202012,
        Some(Value::String(uri)) => Draft::from_schema_uri(uri),
        Some(_) => Draft::Unknown,
    };
    if draft == Draft::Unknown {
        notes.push(SchemaNote::at("/$schema", Cut::UnknownDialect));
        return Draft::Draft202012;
    }
    draft
}

/// Removes references inside the document that have no target.
pub(super) fn drop_dangling(schema: &mut Value, notes: &mut Vec<SchemaNote>) {
    let mut targets = Targets::default();
    each_schema(schema, "", &mut |fields, path| {
        targets.collect(fields, path);
    });
    if targets.embedded {
        // References in an embedded document are relative to it, so only the compiler can resolve
        // them.
        return;
    }
    let mut dangling = Vec::new();
    each_schema(schema, "", &mut |fields, path| {
        for keyword in ["$ref", "$dynamicRef"] {
            if let Some(Value::String(target)) = fields.get(keyword)
                && !targets.leads_somewhere(schema, target)
            {
                dangling.push(format!("{path}/{keyword}"));
            }
        }
    });
    for path in dangling {
        drop_at(schema, &path, &Cut::LeadsNowhere, notes);
    }
}

/// The possible targets of references inside a document.
#[derive(Default)]
struct Targets {
    anchors: BTreeSet<String>,
    embedded: bool,
}

impl Targets {
    fn collect(&mut self, fields: &Map<String, Value>, path: &str) {
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(Value::String(anchor)) = fields.get(keyword) {
                self.anchors.insert(anchor.clone());
            }
        }
        for keyword in ["$id", "id"] {
            if let Some(Value::String(id)) = fields.get(keyword) {
                match id.strip_prefix('#') {
                    Some(anchor) => {
                        self.anchors.insert(anchor.to_owned());
                    }
                    None => self.embedded |= !path.is_empty(),
                }
            }
        }
    }

    fn leads_somewhere(&self, schema: &Value, target: &str) -> bool {
        match (pointer(target), target.strip_prefix('#')) {
            (Some(pointer), _) => schema
                .pointer(&pointer)
                .is_some_and(|found| found.is_object() || found.is_boolean()),
            (None, Some(anchor)) => self.anchors.contains(&percent_decoded(anchor)),
            (None, None) => false,
        }
    }
}

/// Returns the JSON Pointer of a reference. `None` for an anchor or for another document.
pub(super) fn pointer(target: &str) -> Option<String> {
    let fragment = percent_decoded(target.strip_prefix('#')?);
    (fragment.is_empty() || fragment.starts_with('/')).then_some(fragment)
}

pub(super) fn percent_decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Ensures that a removed part, which now accepts anything, never makes the schema reject a value.
/// Removes all keywords that depend on a part *not* matching, and replaces `oneOf` by `anyOf`. The
/// whole schema is changed, because references may lead to the part from anywhere.
pub(super) fn loosen(schema: &mut Value, notes: &mut Vec<SchemaNote>) {
    if loosen_below(schema) {
        notes.push(SchemaNote::NotChecked);
        // The removed keywords may have contained the target of a reference.
        drop_dangling(schema, notes);
    }
}

fn loosen_below(schema: &mut Value) -> bool {
    let Value::Object(fields) = schema else {
        return false;
    };
    let mut changed = false;
    for keyword in [
        "not",
        "if",
        "then",
        "else",
        "maxContains",
        "unevaluatedItems",
        "unevaluatedProperties",
    ] {
        changed |= fields.shift_remove(keyword).is_some();
    }
    if let Some(branches) = fields.shift_remove("oneOf") {
        fields.entry("anyOf").or_insert(branches);
        changed = true;
    }
    for (keyword, value) in fields {
        match (Holds::below(keyword), value) {
            (Holds::Schemas, Value::Array(items)) => {
                for item in items {
                    changed |= loosen_below(item);
                }
            }
            (Holds::Schemas, value) => changed |= loosen_below(value),
            (Holds::SchemaMap, Value::Object(map)) => {
                for value in map.values_mut() {
                    changed |= loosen_below(value);
                }
            }
            _ => {}
        }
    }
    changed
}

/// Calls `visit` for every schema object in the document.
pub(super) fn each_schema<'s>(
    schema: &'s Value,
    path: &str,
    visit: &mut dyn FnMut(&'s Map<String, Value>, &str),
) {
    let Value::Object(fields) = schema else {
        return;
    };
    visit(fields, path);
    for (keyword, value) in fields {
        let path = format!("{path}/{}", escaped(keyword));
        match (Holds::below(keyword), value) {
            (Holds::Schemas, Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    each_schema(item, &format!("{path}/{index}"), visit);
                }
            }
            (Holds::Schemas, value) => each_schema(value, &path, visit),
            (Holds::SchemaMap, Value::Object(map)) => {
                for (key, value) in map {
                    each_schema(value, &format!("{path}/{}", escaped(key)), visit);
                }
            }
            _ => {}
        }
    }
}

/// Removes everything that the dialect's meta-schema rejects.
pub(super) fn drop_illegal(schema: &mut Value, draft: Draft, notes: &mut Vec<SchemaNote>) {
    for _ in 0..ROUNDS_MAX {
        let errors: BTreeSet<String> = match draft {
            Draft::Draft4 => paths(jsonschema::draft4::meta::validator().iter_errors(schema)),
            Draft::Draft6 => paths(jsonschema::draft6::meta::validator().iter_errors(schema)),
            Draft::Draft7 => paths(jsonschema::draft7::meta::validator().iter_errors(schema)),
            Draft::Draft201909 => {
                paths(jsonschema::draft201909::meta::validator().iter_errors(schema))
            }
            _ => paths(jsonschema::draft202012::meta::validator().iter_errors(schema)),
        };
        // In reverse order, so that a removal does not shift later paths.
        let mut dropped = false;
        for path in errors.iter().rev() {
            dropped |= drop_at(schema, path, &Cut::NotLegal, notes);
        }
        if !dropped {
            return;
        }
    }
}

fn paths<'e>(errors: impl Iterator<Item = ValidationError<'e>>) -> BTreeSet<String> {
    errors
        .map(|error| error.instance_path().as_str().to_owned())
        .collect()
}

/// Removes the part that the compiler rejected. Returns `false` if the error has no usable path.
pub(super) fn drop_reported(
    schema: &mut Value,
    error: &ValidationError<'_>,
    notes: &mut Vec<SchemaNote>,
) -> bool {
    [error.instance_path(), error.schema_path()]
        .into_iter()
        .map(|path| path.as_str().to_owned())
        .filter(|path| !path.is_empty())
        .any(|path| drop_at(schema, &path, &Cut::Unusable, notes))
}

/// Removes all identifiers and references, as a last resort. Returns whether there were any.
pub(super) fn drop_identities(schema: &mut Value, notes: &mut Vec<SchemaNote>) -> bool {
    let mut found = Vec::new();
    each_schema(schema, "", &mut |fields, path| {
        for keyword in [
            "$id",
            "id",
            "$ref",
            "$dynamicRef",
            "$recursiveRef",
            "$schema",
        ] {
            if fields.contains_key(keyword) {
                found.push(format!("{path}/{keyword}"));
            }
        }
    });
    let mut dropped = false;
    for path in &found {
        dropped |= drop_at(schema, path, &Cut::Unusable, notes);
    }
    dropped
}

/// Removes the value at a JSON Pointer. A subschema that must not be missing is replaced by `true`.
/// Returns whether the schema changed.
pub(super) fn drop_at(
    schema: &mut Value,
    path: &str,
    why: &Cut,
    notes: &mut Vec<SchemaNote>,
) -> bool {
    let Some((parent, last)) = path.rsplit_once('/') else {
        let open = Value::Bool(true);
        let changes = *schema != open;
        *schema = open;
        return changes;
    };
    let last = last.replace("~1", "/").replace("~0", "~");
    let holder = parent.rsplit('/').next().unwrap_or_default();
    let Some(found) = schema.pointer_mut(parent) else {
        return false;
    };
    let changed = match found {
        Value::Object(fields) => match fields.get_mut(&last) {
            None => return false,
            Some(value) if Holds::below(holder) == Holds::SchemaMap && !value.is_boolean() => {
                *value = Value::Bool(true);
                true
            }
            Some(_) => fields.shift_remove(&last).is_some(),
        },
        Value::Array(items) => {
            let index = last.parse::<usize>().ok();
            match index.and_then(|index| items.get_mut(index)) {
                None => return false,
                Some(item) if Holds::below(holder) == Holds::Schemas && !item.is_boolean() => {
                    *item = Value::Bool(true);
                    true
                }
                // One invalid entry of `required`, `enum` and similar keywords makes the whole
                // keyword unusable.
                Some(_) => return drop_at(schema, parent, why, notes),
            }
        }
        _ => return false,
    };
    if changed {
        notes.push(SchemaNote::at(path, why.clone()));
    }
    changed
}
