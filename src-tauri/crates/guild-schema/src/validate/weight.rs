//! Removes references that exceed limits: chains of references that are too long for the stack, and
//! definitions that double the number of checks at each step.
//!
//! If each of thirty definitions references the next one twice, a single value requires a billion
//! checks. Only keywords that apply to the *same* value (`allOf`, `$ref`, …) are counted. The work
//! for keywords that apply to parts of a value depends on the value, see [`super::work`].

use std::collections::HashMap;

use serde_json::Value;

use super::repair::{drop_at, each_schema, pointer};
use crate::messages::{Cut, SchemaNote};
use crate::schema::{Holds, escaped};

/// Maximum number of checks of one value. Schemas of published servers stay below 300.
const CHECKS_MAX: u64 = 10_000;
/// Maximum number of nested levels of schemas, including those that references lead to.
pub(super) const LEVELS_MAX: usize = 300;

/// Keywords whose subschemas apply to the value itself.
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

/// Removes references whose targets are nested too deep, and parts that require too many checks.
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

/// The cost of a schema.
#[derive(Debug, Clone, Copy)]
struct SchemaCost {
    /// The number of checks of one value.
    checks: u64,
    /// The number of nested schema levels, including this schema.
    levels: usize,
}

impl SchemaCost {
    const ONE: Self = Self {
        checks: 1,
        levels: 1,
    };
}

struct Scale<'s> {
    schema: &'s Value,
    /// Costs by JSON Pointer. `None` while the cost is being computed, so that a cycle ends.
    loads: HashMap<String, Option<SchemaCost>>,
    /// JSON Pointers of subschemas that require too many checks. All of them apply to a property or
    /// an item of the checked value, not to the value itself.
    heavy: Vec<String>,
    /// JSON Pointers of references whose targets are nested too deep.
    deep: Vec<String>,
}

impl Scale<'_> {
    /// Computes the cost of the schema at a JSON Pointer, `depth` levels below the root.
    fn weigh(&mut self, path: &str, depth: usize) -> SchemaCost {
        match self.loads.get(path) {
            Some(Some(load)) => return *load,
            // The reference is part of a cycle. How often the cycle is followed depends on the
            // value.
            Some(None) => return SchemaCost::ONE,
            None => {}
        }
        let schema = self.schema;
        let Some(Value::Object(fields)) = schema.pointer(path) else {
            return SchemaCost::ONE;
        };
        self.loads.insert(path.to_owned(), None);
        let mut load = SchemaCost::ONE;
        for (keyword, value) in fields {
            let here = format!("{path}/{}", escaped(keyword));
            let same_value = SAME_VALUE.contains(&keyword.as_str());
            let parts = match (Holds::below(keyword), value) {
                (Holds::Schemas, Value::Array(items)) => {
                    (0..items.len()).map(|i| format!("{here}/{i}")).collect()
                }
                (Holds::Schemas, Value::Object(_)) => vec![here],
                // Only references lead to definitions, so their costs are computed when they are
                // referenced.
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

    /// Adds the cost of a reference's target. If the target is nested too deep, marks the reference
    /// for removal instead.
    fn refer(&mut self, load: &mut SchemaCost, here: String, target: &str, depth: usize) {
        // The target of an anchor is not resolved here. Its cost is part of the estimate for each
        // check.
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
