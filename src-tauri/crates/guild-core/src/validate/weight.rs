//! References that a schema can't be given: chains too long for a stack, and definitions that
//! double the work at each step.
//!
//! A chain of thirty definitions, each naming the next one twice, asks for a thousand million
//! checks of a single value. Only what applies to the *same* value (`allOf`, `$ref`, …) is weighed;
//! what applies to parts of a value is bounded by the value, see [`super::work`].

use std::collections::HashMap;

use serde_json::Value;

use super::repair::{drop_at, each_schema, pointer};
use crate::note::{Cut, SchemaNote};
use crate::schema::{Holds, escaped};

/// The most checks that one value may need. Schemas of published servers stay below 300.
const CHECKS_MAX: u64 = 10_000;
/// The most levels of schemas, followed through references.
pub(super) const LEVELS_MAX: usize = 300;

/// The keywords whose schemas are held against the value itself.
const SAME_VALUE: [&str; 9] = [
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependencies",
];

/// Takes out the references that lead too deep, and the parts that ask for too much.
pub(super) fn drop_heavy(schema: &mut Value, notes: &mut Vec<SchemaNote>) {
    let mut scale = Scale {
        schema,
        loads: HashMap::new(),
        heavy: Vec::new(),
        deep: Vec::new(),
    };
    each_schema(schema, "", &mut |_, path| {
        scale.weigh(path, 0);
    });
    let Scale { heavy, deep, .. } = scale;
    for path in deep {
        drop_at(schema, &path, &Cut::LeadsTooDeep, notes);
    }
    for path in heavy {
        drop_at(schema, &path, &Cut::TooManyChecks, notes);
    }
}

/// What a schema asks for.
#[derive(Debug, Clone, Copy)]
struct Load {
    /// Checks of one value.
    checks: u64,
    /// Schemas below one another, itself included.
    levels: usize,
}

impl Load {
    const ONE: Self = Self {
        checks: 1,
        levels: 1,
    };
}

struct Scale<'s> {
    schema: &'s Value,
    /// By JSON Pointer; `None` while a schema is being weighed, so that a circle ends.
    loads: HashMap<String, Option<Load>>,
    /// Parts, each held against a value of its own.
    heavy: Vec<String>,
    /// References.
    deep: Vec<String>,
}

impl Scale<'_> {
    /// Weighs the schema at a JSON Pointer, `depth` levels below the one that was begun with.
    fn weigh(&mut self, path: &str, depth: usize) -> Load {
        match self.loads.get(path) {
            Some(Some(load)) => return *load,
            // A circle: whether it ends is up to the value.
            Some(None) => return Load::ONE,
            None => {}
        }
        let schema = self.schema;
        let Some(Value::Object(fields)) = schema.pointer(path) else {
            return Load::ONE;
        };
        self.loads.insert(path.to_owned(), None);
        let mut load = Load::ONE;
        for (keyword, value) in fields {
            let here = format!("{path}/{}", escaped(keyword));
            let same_value = SAME_VALUE.contains(&keyword.as_str());
            let parts = match (Holds::below(keyword), value) {
                (Holds::Schemas, Value::Array(items)) => {
                    (0..items.len()).map(|i| format!("{here}/{i}")).collect()
                }
                (Holds::Schemas, Value::Object(_)) => vec![here],
                // Reached through references alone; each is weighed for itself.
                _ if matches!(keyword.as_str(), "$defs" | "definitions") => continue,
                (Holds::SchemaMap, Value::Object(map)) => map
                    .keys()
                    .map(|key| format!("{here}/{}", escaped(key)))
                    .collect(),
                (Holds::Reference, Value::String(target)) => {
                    self.refer(&mut load, here, target, depth);
                    continue;
                }
                _ => continue,
            };
            for part in parts {
                let own = self.weigh(&part, depth + 1);
                load.levels = load.levels.max(own.levels + 1);
                if same_value {
                    load.checks = load.checks.saturating_add(own.checks);
                } else if own.checks > CHECKS_MAX {
                    self.heavy.push(part);
                }
            }
        }
        self.loads.insert(path.to_owned(), Some(load));
        load
    }

    /// Adds a reference's load, unless it leads too deep: the first one found gives way.
    fn refer(&mut self, load: &mut Load, here: String, target: &str, depth: usize) {
        // An anchor is met by chance only; what it costs shows when arguments are checked.
        let Some(target) = pointer(target) else {
            return;
        };
        if depth >= LEVELS_MAX {
            self.deep.push(here);
            return;
        }
        let own = self.weigh(&target, depth + 1);
        if own.levels >= LEVELS_MAX {
            self.deep.push(here);
        } else {
            load.checks = load.checks.saturating_add(own.checks);
            load.levels = load.levels.max(own.levels + 1);
        }
    }
}
