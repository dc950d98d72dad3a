//! Converts tools to a form that strict clients accept.
//!
//! The SDKs of some clients validate a whole list at once, so that one unexpected schema hides all
//! tools of all members. A converted schema accepts all arguments that the original accepts. Calls
//! are validated against the original schema of the member.

use serde_json::{Map, Value, json};

use guild_schema::schema::Holds;

/// The form of the schemas in a list of whole tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SchemaForm {
    /// Each schema is an object. A boolean schema is replaced by an equivalent object.
    #[default]
    Objects,
    /// Like [`Self::Objects`], without a choice at the top level (`oneOf`, `anyOf`, `allOf`,
    /// `enum`, `not`).
    Flat,
    /// The member's original schemas.
    Raw,
}

impl SchemaForm {
    /// All forms.
    pub const ALL: [Self; 3] = [Self::Objects, Self::Flat, Self::Raw];
}

/// Keywords whose value may be a boolean without any client rejecting the schema.
const BOOLEAN_TAKEN: [&str; 4] = [
    "additionalProperties",
    "additionalItems",
    "unevaluatedProperties",
    "unevaluatedItems",
];
/// Choices that model APIs reject at the top level of a schema.
const CHOICES: [&str; 5] = ["oneOf", "anyOf", "allOf", "enum", "not"];
/// Maximum nesting depth of choices that are flattened.
const CHOICES_DEEP: usize = 8;
/// Maximum number of schemas that are merged from all choices.
const MERGED_MAX: usize = 500;
const HINTS: [&str; 4] = [
    "readOnlyHint",
    "destructiveHint",
    "idempotentHint",
    "openWorldHint",
];

/// Converts the fields of a tool to `form`. `None` if they already have this form.
pub fn tool(raw: &Map<String, Value>, form: SchemaForm) -> Option<Map<String, Value>> {
    if form == SchemaForm::Raw {
        return None;
    }
    let mut strict = Map::new();
    let mut changed = false;
    for (key, value) in raw {
        let kept = match key.as_str() {
            "inputSchema" => match input(value, form) {
                Some(schema) => StrictFieldResult::Changed(schema),
                None => StrictFieldResult::Same,
            },
            "outputSchema" => output(value),
            "description" | "title" if !value.is_string() => StrictFieldResult::Dropped,
            "_meta" if !value.is_object() => StrictFieldResult::Dropped,
            "annotations" => annotations(value),
            "icons" if !are_icons(value) => StrictFieldResult::Dropped,
            "execution" if !is_execution(value) => StrictFieldResult::Dropped,
            _ => StrictFieldResult::Same,
        };
        changed |= !matches!(kept, StrictFieldResult::Same);
        match kept {
            StrictFieldResult::Same => drop(strict.insert(key.clone(), value.clone())),
            StrictFieldResult::Changed(value) => drop(strict.insert(key.clone(), value)),
            StrictFieldResult::Dropped => {}
        }
    }
    changed.then_some(strict)
}

/// The result of converting a field.
enum StrictFieldResult {
    Same,
    Changed(Value),
    Dropped,
}

/// A schema shape for which some client rejects a tool and its whole list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OddShape {
    /// `inputSchema` is not of type `object`: `{}`, a union of types, no type at all.
    Untyped,
    /// `inputSchema` has `oneOf`, `anyOf`, `allOf`, `enum` or `not` at its top level.
    Choice,
    /// A subschema is `true` or `false`.
    Boolean,
    /// Another field does not have the type that the protocol specifies.
    Field,
}

impl OddShape {
    /// All shapes.
    pub const ALL: [Self; 4] = [Self::Untyped, Self::Choice, Self::Boolean, Self::Field];

    /// Returns the shape in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Untyped => "`inputSchema` without `\"type\": \"object\"`, such as `{}`",
            Self::Choice => "`oneOf`, `anyOf`, `allOf`, `enum` or `not` at the top level",
            Self::Boolean => "a boolean in the place of a schema",
            Self::Field => "another field whose type differs from the protocol's",
        }
    }
}

/// Returns the shapes of a tool that some client rejects.
pub fn odd_shapes(raw: &Map<String, Value>) -> Vec<OddShape> {
    let input = raw.get("inputSchema").unwrap_or(&Value::Null);
    let has = |shape: &OddShape| match shape {
        OddShape::Untyped => top_level(input),
        OddShape::Choice => CHOICES.iter().any(|choice| input.get(choice).is_some()),
        OddShape::Boolean => has_boolean(input) || raw.get("outputSchema").is_some_and(has_boolean),
        OddShape::Field => {
            let mut rest = raw.clone();
            rest.insert("inputSchema".into(), json!({"type": "object"}));
            rest.get("outputSchema").is_none_or(|it| !has_boolean(it))
                && tool(&rest, SchemaForm::Objects).is_some()
        }
    };
    OddShape::ALL.into_iter().filter(has).collect()
}

/// Converts an input schema. `None` if it already has the form.
fn input(schema: &Value, form: SchemaForm) -> Option<Value> {
    let flattens =
        form == SchemaForm::Flat && CHOICES.iter().any(|choice| schema.get(choice).is_some());
    if !flattens && !top_level(schema) && !has_boolean(schema) {
        return None;
    }
    let Value::Object(fields) = objects_only(schema) else {
        return Some(json!({"type": "object"}));
    };
    let fields = if flattens { flat(fields) } else { fields };
    Some(Value::Object(typed(fields)))
}

/// Checks whether strict clients reject the top level of a schema.
fn top_level(schema: &Value) -> bool {
    schema.get("type") != Some(&Value::from("object"))
        || schema.get("properties").is_some_and(|it| !it.is_object())
        || schema.get("required").is_some_and(|it| !are_texts(it))
}

fn are_texts(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|items| items.iter().all(Value::is_string))
}

/// Corrects the top level of an input schema. Arguments are always an object.
fn typed(mut fields: Map<String, Value>) -> Map<String, Value> {
    if fields.get("properties").is_some_and(|it| !it.is_object()) {
        fields.shift_remove("properties");
    }
    if fields.get("required").is_some_and(|it| !are_texts(it)) {
        fields.shift_remove("required");
    }
    if fields.contains_key("type") {
        fields.insert("type".into(), "object".into());
        return fields;
    }
    let mut typed = Map::from_iter([("type".to_owned(), Value::from("object"))]);
    typed.extend(fields);
    typed
}

/// Converts an output schema. A schema whose type is not `object` is dropped, since no protocol
/// version up to 2025-11-25 allows it.
fn output(schema: &Value) -> StrictFieldResult {
    let Some(fields) = schema.as_object() else {
        return StrictFieldResult::Dropped;
    };
    if fields.get("type").is_some_and(|kind| *kind != "object") {
        return StrictFieldResult::Dropped;
    }
    if !top_level(schema) && !has_boolean(schema) {
        return StrictFieldResult::Same;
    }
    match objects_only(schema) {
        Value::Object(fields) => StrictFieldResult::Changed(Value::Object(typed(fields))),
        _ => StrictFieldResult::Dropped,
    }
}

fn annotations(value: &Value) -> StrictFieldResult {
    let Some(fields) = value.as_object() else {
        return StrictFieldResult::Dropped;
    };
    let fits = |key: &str, value: &Value| match key {
        "title" => value.is_string(),
        hint if HINTS.contains(&hint) => value.is_boolean(),
        _ => true,
    };
    if fields.iter().all(|(key, value)| fits(key, value)) {
        return StrictFieldResult::Same;
    }
    let kept = fields.iter().filter(|(key, value)| fits(key, value));
    let kept = kept.map(|(key, value)| (key.clone(), value.clone()));
    StrictFieldResult::Changed(Value::Object(kept.collect()))
}

fn are_icons(value: &Value) -> bool {
    let text_or_none = |icon: &Value, key| icon.get(key).is_none_or(Value::is_string);
    let is_icon = |icon: &Value| {
        icon.get("src").is_some_and(Value::is_string)
            && text_or_none(icon, "mimeType")
            && icon.get("sizes").is_none_or(are_texts)
            && match icon.get("theme") {
                Some(theme) => theme == "light" || theme == "dark",
                None => true,
            }
    };
    value
        .as_array()
        .is_some_and(|icons| icons.iter().all(is_icon))
}

fn is_execution(value: &Value) -> bool {
    const SUPPORT: [&str; 3] = ["forbidden", "optional", "required"];
    value.is_object()
        && value
            .get("taskSupport")
            .is_none_or(|support| support.as_str().is_some_and(|it| SUPPORT.contains(&it)))
}

/// Checks whether a schema has a subschema that is `true` or `false`.
fn has_boolean(schema: &Value) -> bool {
    let Value::Object(fields) = schema else {
        return schema.is_boolean();
    };
    fields
        .iter()
        .any(|(keyword, value)| match (Holds::below(keyword), value) {
            (Holds::Schemas, Value::Bool(_)) => !BOOLEAN_TAKEN.contains(&keyword.as_str()),
            (Holds::Schemas, Value::Array(items)) => items.iter().any(has_boolean),
            (Holds::Schemas, value) => has_boolean(value),
            (Holds::SchemaMap, Value::Object(map)) => map.values().any(has_boolean),
            _ => false,
        })
}

/// Replaces boolean schemas by objects: `true` by `{}`, which accepts anything, and `false` by
/// `{"not": {}}`, which accepts nothing.
fn objects_only(schema: &Value) -> Value {
    let fields = match schema {
        Value::Bool(true) => return json!({}),
        Value::Bool(false) => return json!({"not": {}}),
        Value::Object(fields) => fields,
        other => return other.clone(),
    };
    let each = fields.iter().map(|(keyword, value)| {
        let value = match (Holds::below(keyword), value) {
            (Holds::Schemas, Value::Bool(_)) if BOOLEAN_TAKEN.contains(&keyword.as_str()) => {
                value.clone()
            }
            (Holds::Schemas, Value::Array(items)) => items.iter().map(objects_only).collect(),
            (Holds::Schemas, value) => objects_only(value),
            (Holds::SchemaMap, Value::Object(map)) => {
                let map = map.iter();
                let map = map.map(|(key, value)| (key.clone(), objects_only(value)));
                Value::Object(map.collect())
            }
            (_, value) => value.clone(),
        };
        (keyword.clone(), value)
    });
    Value::Object(each.collect())
}

/// Flattens the choices at the top level of an object schema. The result has the properties of all
/// branches, as the branches describe them. It requires only the properties that every combination
/// of choices requires.
fn flat(mut fields: Map<String, Value>) -> Map<String, Value> {
    let whole = Value::Object(fields.clone());
    let mut merged = MergedProperties::default();
    let mut room = MERGED_MAX;
    merged.take(&whole, &whole, CHOICES_DEEP, &mut room);
    for choice in CHOICES {
        fields.shift_remove(choice);
    }
    if !merged.properties.is_empty() {
        fields.insert("properties".into(), Value::Object(merged.properties));
    }
    match merged.required.is_empty() {
        true => drop(fields.shift_remove("required")),
        false => drop(fields.insert("required".into(), merged.required.into())),
    }
    if merged.opens {
        // If a branch could not be read, the schema must not reject the properties of that branch.
        fields.shift_remove("additionalProperties");
        fields.shift_remove("unevaluatedProperties");
    }
    fields
}

/// The merged properties of a schema and its branches.
#[derive(Default)]
struct MergedProperties {
    properties: Map<String, Value>,
    required: Vec<String>,
    /// Whether a branch was left out, because of a limit or an unsupported keyword. The merged
    /// schema then accepts other properties.
    opens: bool,
}

impl MergedProperties {
    fn take(&mut self, schema: &Value, whole: &Value, deep: usize, room: &mut usize) {
        let Some(fields) = schema.as_object() else {
            return;
        };
        if deep == 0 || *room == 0 {
            self.opens = true;
            return;
        }
        *room -= 1;
        if let Some(pointer) = fields.get("$ref").and_then(Value::as_str) {
            match pointer.strip_prefix('#').and_then(|at| whole.pointer(at)) {
                Some(target) => self.take(target, whole, deep - 1, room),
                None => self.opens = true,
            }
        }
        let properties = fields.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            self.put(name, schema);
        }
        let required = fields.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            self.require(name);
        }
        let branches = |key: &str| {
            fields
                .get(key)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
        };
        for branch in branches("allOf") {
            self.take(branch, whole, deep - 1, room);
        }
        for key in ["oneOf", "anyOf"] {
            let mut in_all: Option<Vec<String>> = None;
            for branch in branches(key) {
                let mut one = Self::default();
                one.take(branch, whole, deep - 1, room);
                for (name, schema) in &one.properties {
                    self.put(name, schema);
                }
                self.opens |= one.opens;
                in_all = Some(match in_all {
                    Some(mut names) => {
                        names.retain(|name| one.required.contains(name));
                        names
                    }
                    None => one.required,
                });
            }
            for name in in_all.into_iter().flatten() {
                self.require(&name);
            }
        }
    }

    /// Adds a property. If several branches define it, each definition is allowed.
    fn put(&mut self, name: &str, schema: &Value) {
        let Some(known) = self.properties.get_mut(name) else {
            self.properties.insert(name.to_owned(), schema.clone());
            return;
        };
        if *known == *schema {
            return;
        }
        let mark = "anyOf";
        let forms = known.as_object().filter(|fields| fields.len() == 1);
        let forms = forms.and_then(|fields| fields.get(mark)?.as_array());
        let mut forms = match forms {
            Some(forms) => forms.clone(),
            None => vec![known.clone()],
        };
        if !forms.contains(schema) {
            forms.push(schema.clone());
        }
        *known = json!({ mark: forms });
    }

    fn require(&mut self, name: &str) {
        if !self.required.iter().any(|known| known == name) {
            self.required.push(name.to_owned());
        }
    }
}

#[cfg(test)]
mod tests;
