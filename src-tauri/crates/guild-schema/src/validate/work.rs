//! Estimates the work of a check before it starts, so that every check takes a bounded time.
//!
//! The estimate visits the same pairs of schema parts and argument parts as the validator, but
//! ignores whether they match. Its number of steps is therefore at least that of the check. The
//! estimate stops at the limit. A step takes about 50 ns.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::repair::{each_schema, percent_decoded, pointer};
use super::weight::LEVELS_MAX;

/// Maximum number of steps of a check that only determines whether the arguments are valid.
const STEPS_MAX: u64 = 10_000_000;
/// Maximum number of steps of a check that lists errors, including copies of values in errors.
const LISTING_STEPS_MAX: u64 = 250_000;
/// Number of bytes of text that count as one step.
const STEP_BYTES: usize = 64;
/// Number of steps for a pattern with look-around or back-references.
const BACKTRACK_STEPS: u64 = 5_000;
/// Placeholder for a property's name, which is checked like a string.
static NAME: Value = Value::String(String::new());

/// How thorough a check may be within the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Affordable {
    /// A full list of errors.
    Errors,
    /// A verdict only.
    Verdict,
    /// No check at all.
    Nothing,
}

/// Returns how thoroughly these arguments can be checked against this schema.
pub(super) fn affordable(schema: &Value, arguments: &Value) -> Affordable {
    let Value::Object(fields) = schema else {
        return Affordable::Errors;
    };
    let mut walk = ValidationBudget {
        schema,
        steps: 0,
        copies: 0,
        targets: HashMap::new(),
        names: None,
        entered: Vec::new(),
    };
    match walk.schema(fields, arguments, 0, false) {
        Err(TooMuch) => Affordable::Nothing,
        Ok(()) if walk.steps + walk.copies <= LISTING_STEPS_MAX => Affordable::Errors,
        Ok(()) => Affordable::Verdict,
    }
}

struct TooMuch;

type SchemaObject = Map<String, Value>;

/// The named targets of references.
#[derive(Default)]
struct ReferenceTargets<'s> {
    anchors: HashMap<&'s str, Vec<&'s SchemaObject>>,
    /// Embedded documents, which have their own base for references.
    inner: Vec<&'s SchemaObject>,
}

struct ValidationBudget<'s> {
    schema: &'s Value,
    steps: u64,
    copies: u64,
    targets: HashMap<&'s str, Vec<&'s SchemaObject>>,
    names: Option<ReferenceTargets<'s>>,
    /// The references that are being followed. A cycle that does not proceed to a part of the value
    /// is followed only once.
    entered: Vec<(*const SchemaObject, *const Value)>,
}

impl<'s> ValidationBudget<'s> {
    fn spend(&mut self, steps: usize) -> Result<(), TooMuch> {
        self.steps = self.steps.saturating_add(steps as u64);
        if self.steps > STEPS_MAX {
            return Err(TooMuch);
        }
        Ok(())
    }

    /// Adds the work of one schema. `kept` is whether errors are stored with copies of their
    /// values, as in the branches of a union.
    fn schema(
        &mut self,
        fields: &'s SchemaObject,
        value: &Value,
        depth: usize,
        kept: bool,
    ) -> Result<(), TooMuch> {
        if depth > LEVELS_MAX {
            return Err(TooMuch);
        }
        self.spend(1 + fields.len())?;
        if kept {
            let size = self.size(value)? as u64;
            let copies = size.saturating_mul(fields.len() as u64);
            self.copies = self.copies.saturating_add(copies);
        }
        let depth = depth + 1;
        for (keyword, below) in fields {
            match keyword.as_str() {
                "allOf" | "not" | "if" | "then" | "else" => {
                    self.each(below, value, depth, kept)?;
                }
                "anyOf" | "oneOf" => self.each(below, value, depth, true)?,
                "$ref" | "$dynamicRef" | "$recursiveRef" => {
                    if let Value::String(target) = below {
                        self.refer(target, value, depth, kept)?;
                    }
                }
                _ => match value {
                    Value::Object(entries) => {
                        self.object(keyword, below, fields, entries, value, depth, kept)?;
                    }
                    Value::Array(items) => {
                        self.array(keyword, below, items, value, depth, kept)?;
                    }
                    Value::String(text) => self.text(keyword, below, text)?,
                    _ => {}
                },
            }
            match (keyword.as_str(), below) {
                ("enum", Value::Array(options)) if value.is_array() || value.is_object() => {
                    for option in options {
                        self.size(option)?;
                    }
                }
                ("enum", Value::Array(options)) => self.spend(options.len() / 8)?,
                ("const", expected) => {
                    self.size(expected)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds the work of one schema, or of a list of schemas, for the same value.
    fn each(
        &mut self,
        below: &'s Value,
        value: &Value,
        depth: usize,
        kept: bool,
    ) -> Result<(), TooMuch> {
        match below {
            Value::Object(fields) => self.schema(fields, value, depth, kept),
            Value::Array(schemas) => {
                for schema in schemas {
                    self.spend(1)?;
                    if let Value::Object(fields) = schema {
                        self.schema(fields, value, depth, kept)?;
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the state of one step of the walk"
    )]
    fn object(
        &mut self,
        keyword: &str,
        below: &'s Value,
        fields: &'s SchemaObject,
        entries: &SchemaObject,
        value: &Value,
        depth: usize,
        kept: bool,
    ) -> Result<(), TooMuch> {
        match (keyword, below) {
            ("properties", Value::Object(schemas)) => {
                self.spend(schemas.len().min(entries.len()))?;
                for (name, entry) in entries {
                    if let Some(schema) = schemas.get(name) {
                        self.each(schema, entry, depth, kept)?;
                    }
                }
            }
            ("patternProperties", Value::Object(schemas)) => {
                for (pattern, schema) in schemas {
                    for (name, entry) in entries {
                        self.matching(pattern, name)?;
                        self.each(schema, entry, depth, kept)?;
                    }
                }
            }
            ("additionalProperties" | "unevaluatedProperties", schema) => {
                let known = match fields.get("properties") {
                    Some(Value::Object(known)) if keyword == "additionalProperties" => Some(known),
                    _ => None,
                };
                self.spend(entries.len())?;
                for (name, entry) in entries {
                    if known.is_none_or(|known| !known.contains_key(name)) {
                        self.each(schema, entry, depth, kept)?;
                    }
                }
            }
            ("propertyNames", schema) => {
                for name in entries.keys() {
                    self.spend(1 + name.len() / STEP_BYTES)?;
                    self.each(schema, &NAME, depth, kept)?;
                }
            }
            ("dependentSchemas" | "dependencies", Value::Object(schemas)) => {
                self.spend(schemas.len())?;
                for (name, schema) in schemas {
                    if entries.contains_key(name) {
                        match schema {
                            Value::Object(_) => self.each(schema, value, depth, kept)?,
                            Value::Array(names) => self.spend(names.len())?,
                            _ => {}
                        }
                    }
                }
            }
            ("dependentRequired", Value::Object(names)) => {
                self.spend(
                    names
                        .values()
                        .filter_map(Value::as_array)
                        .map(Vec::len)
                        .sum(),
                )?;
            }
            ("required", Value::Array(names)) => self.spend(names.len())?,
            _ => {}
        }
        Ok(())
    }

    fn array(
        &mut self,
        keyword: &str,
        below: &'s Value,
        items: &[Value],
        value: &Value,
        depth: usize,
        kept: bool,
    ) -> Result<(), TooMuch> {
        match (keyword, below) {
            ("items" | "prefixItems", Value::Array(schemas)) => {
                for (schema, item) in schemas.iter().zip(items) {
                    self.each(schema, item, depth, kept)?;
                }
            }
            ("items" | "additionalItems" | "contains" | "unevaluatedItems", schema) => {
                for item in items {
                    self.spend(1)?;
                    self.each(schema, item, depth, kept)?;
                }
            }
            // The validator computes the hash of each item, and compares items with equal hashes.
            ("uniqueItems", Value::Bool(true)) => {
                let size = self.size(value)?;
                self.spend(size.saturating_mul(2))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, keyword: &str, below: &Value, text: &str) -> Result<(), TooMuch> {
        match (keyword, below) {
            ("pattern", Value::String(pattern)) => self.matching(pattern, text),
            ("minLength" | "maxLength", _) => self.spend(text.len() / STEP_BYTES),
            _ => Ok(()),
        }
    }

    fn matching(&mut self, pattern: &str, text: &str) -> Result<(), TooMuch> {
        let looks_around = ["(?=", "(?!", "(?<", "(?>"].iter();
        let refers_back = pattern
            .as_bytes()
            .windows(2)
            .any(|pair| pair[0] == b'\\' && matches!(pair[1], b'1'..=b'9' | b'k'));
        let backtracks = refers_back || looks_around.into_iter().any(|m| pattern.contains(m));
        let steps = (text.len() / STEP_BYTES).saturating_mul(1 + pattern.len() / STEP_BYTES);
        self.spend(1 + steps)?;
        if backtracks {
            let most = text.len().saturating_mul(pattern.len()) as u64;
            self.spend(most.min(BACKTRACK_STEPS) as usize)?;
        }
        Ok(())
    }

    fn refer(
        &mut self,
        target: &'s str,
        value: &Value,
        depth: usize,
        kept: bool,
    ) -> Result<(), TooMuch> {
        let found = match self.targets.get(target) {
            Some(found) => found.clone(),
            None => {
                let found = self.find(target)?;
                self.targets.insert(target, found.clone());
                found
            }
        };
        for fields in found {
            let entry = (std::ptr::from_ref(fields), std::ptr::from_ref(value));
            let same_value = self
                .entered
                .iter()
                .rev()
                .take_while(|(_, at)| *at == entry.1);
            if same_value.clone().any(|known| *known == entry) {
                continue;
            }
            let passed = same_value.count();
            self.spend(1 + passed)?;
            self.entered.push(entry);
            self.schema(fields, value, depth, kept)?;
            self.entered.pop();
        }
        Ok(())
    }

    /// Returns all possible targets of a reference, because its target may depend on the evaluation
    /// path.
    fn find(&mut self, target: &str) -> Result<Vec<&'s SchemaObject>, TooMuch> {
        let mut found = Vec::new();
        let names = self
            .names
            .get_or_insert_with(|| ReferenceTargets::of(self.schema));
        let mut steps = 1;
        match pointer(target) {
            Some(pointer) => {
                found.extend(self.schema.pointer(&pointer).and_then(Value::as_object));
                steps += names.inner.len();
                let keys: Vec<&str> = pointer.split('/').skip(1).collect();
                for &inner in &names.inner {
                    found.extend(below(inner, &keys));
                }
            }
            None => {
                let anchor = target.strip_prefix('#').map(percent_decoded);
                if let Some(anchored) = anchor.and_then(|anchor| names.anchors.get(&*anchor)) {
                    found.clone_from(anchored);
                }
            }
        }
        self.spend(steps)?;
        Ok(found)
    }

    /// Returns the size of a value in steps.
    fn size(&mut self, value: &Value) -> Result<usize, TooMuch> {
        let size = match value {
            Value::String(text) => {
                let size = 1 + text.len() / STEP_BYTES;
                self.spend(size)?;
                size
            }
            Value::Array(items) => {
                self.spend(1)?;
                let mut size = 1;
                for item in items {
                    size += self.size(item)?;
                }
                size
            }
            Value::Object(entries) => {
                self.spend(1)?;
                let mut size = 1;
                for (name, entry) in entries {
                    size += 1 + name.len() / STEP_BYTES + self.size(entry)?;
                }
                size
            }
            _ => {
                self.spend(1)?;
                1
            }
        };
        Ok(size)
    }
}

impl<'s> ReferenceTargets<'s> {
    fn of(schema: &'s Value) -> Self {
        let mut names = Self::default();
        each_schema(schema, "", &mut |fields, path| {
            for keyword in ["$anchor", "$dynamicAnchor", "$id", "id"] {
                let Some(Value::String(name)) = fields.get(keyword) else {
                    continue;
                };
                match (name.strip_prefix('#'), keyword) {
                    (_, "$anchor" | "$dynamicAnchor") => {
                        names.anchors.entry(name).or_default().push(fields);
                    }
                    (Some(anchor), _) => names.anchors.entry(anchor).or_default().push(fields),
                    (None, _) if !path.is_empty() => names.inner.push(fields),
                    (None, _) => {}
                }
            }
        });
        names
    }
}

/// Returns the subschema at a path of keys.
fn below<'s>(fields: &'s SchemaObject, keys: &[&str]) -> Option<&'s SchemaObject> {
    let Some((first, rest)) = keys.split_first() else {
        return Some(fields);
    };
    let first = first.replace("~1", "/").replace("~0", "~");
    let mut found = fields.get(&first)?;
    for key in rest {
        let key = key.replace("~1", "/").replace("~0", "~");
        found = match found {
            Value::Object(fields) => fields.get(&key)?,
            Value::Array(items) => items.get(key.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    found.as_object()
}
