//! Taking out of a schema what is illegal in it, so that the rest can be used.

use std::collections::BTreeSet;

use jsonschema::{Draft, ValidationError};
use serde_json::{Map, Value};

use crate::note::{Cut, SchemaNote};
use crate::schema::{Holds, escaped};

/// How many times a schema is held against its dialect's rules.
const ROUNDS_MAX: usize = 8;

/// The dialect that a schema names; its `$schema` is taken out, for it is settled then.
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

/// Takes out references into the document that lead nowhere.
pub(super) fn drop_dangling(schema: &mut Value, notes: &mut Vec<SchemaNote>) {
    let mut targets = Targets::default();
    each_schema(schema, "", &mut |fields, path| {
        targets.collect(fields, path);
    });
    if targets.embedded {
        // References are relative to the inner document: the compiler has to tell.
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

/// What references inside of a document can name.
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

/// The JSON Pointer that a reference names, unless it names an anchor or another document.
pub(super) fn pointer(target: &str) -> Option<String> {
    let fragment = percent_decoded(target.strip_prefix('#')?);
    (fragment.is_empty() || fragment.starts_with('/')).then_some(fragment)
}

pub(super) fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = (byte == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(value) => {
                decoded.push(value);
                at += 3;
            }
            None => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// Makes sure that a part which was opened is nowhere a reason to refuse: what depends on a part
/// *not* fitting is given up, all over the schema, for references carry parts anywhere.
pub(super) fn loosen(schema: &mut Value, notes: &mut Vec<SchemaNote>) {
    if loosen_below(schema) {
        notes.push(SchemaNote::NotChecked);
        // What a reference named may have gone.
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

/// Calls `visit` for every schema in the document that is an object.
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

/// Takes out everything that the dialect's own schema refuses.
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
        // From the end, so that what is taken out moves nothing that is still to be found.
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

/// Takes out what the compiler stumbled over; `false` when it does not say where that is.
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

/// The last resort: a document without identifiers and references.
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

/// Takes out the value at a JSON Pointer, or opens it where a schema has to stand.
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
                // One bad entry of `required`, `enum`, …: the keyword as a whole can't be used.
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
