//! Compares two versions of a tool, part by part.

use serde_json::{Map, Value};

use super::schemas;
use super::text::pieces;
use guild_api::wire::{PartDifference, SchemaChange, SchemaEffect, ToolDifference};
use guild_model::tool::ToolSpec;

/// The parts of a tool that are listed first, in this order.
const FIRST: [&str; 6] = [
    "name",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
];
/// Maximum number of other parts that are listed.
const OTHERS_MAX: usize = 50;

/// Returns the kind of difference, and the parts that differ.
pub fn difference(
    old: Option<&ToolSpec>,
    new: Option<&ToolSpec>,
) -> (ToolDifference, Vec<PartDifference>) {
    match (old, new) {
        (Some(old), Some(new)) if old == new => (ToolDifference::Same, vec![]),
        (Some(old), Some(new)) => (ToolDifference::Changed, parts(old.raw(), new.raw())),
        (None, Some(new)) => (ToolDifference::New, parts(&Map::new(), new.raw())),
        (Some(_) | None, None) => (ToolDifference::Gone, vec![]),
    }
}

fn parts(old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<PartDifference> {
    let differs = |part: &&str| old.get(*part) != new.get(*part);
    let others = new
        .keys()
        .chain(old.keys().filter(|key| !new.contains_key(*key)))
        .map(String::as_str)
        .filter(|key| !FIRST.contains(key));
    let first = FIRST.into_iter().filter(differs);
    let others = others.filter(differs).take(OTHERS_MAX);
    let part = |part: &str| PartDifference {
        part: part.to_owned(),
        text: pieces(&written(old.get(part)), &written(new.get(part))),
        schema: match (old.get(part), new.get(part)) {
            (Some(old), Some(new)) => of_schema(part, old, new),
            // A schema that was added or removed is not compared in detail.
            _ => vec![],
        },
    };
    first.chain(others).map(part).collect()
}

fn of_schema(part: &str, old: &Value, new: &Value) -> Vec<SchemaChange> {
    let effect_of: fn(SchemaEffect) -> SchemaEffect = match part {
        "inputSchema" => |effect| effect,
        // For an output schema, wider and narrower both count as breaking, since a new value can
        // break a program that reads results.
        "outputSchema" => |effect| match effect {
            SchemaEffect::Words => SchemaEffect::Words,
            SchemaEffect::Breaking | SchemaEffect::Widened => SchemaEffect::Breaking,
        },
        _ => return vec![],
    };
    let changes = schemas::changes(old, new).into_iter();
    changes
        .map(|change| SchemaChange {
            pointer: change.pointer,
            effect: effect_of(change.effect),
            what: change.what.to_string(),
        })
        .collect()
}

/// Formats a part as text: strings literally, other values as indented JSON.
fn written(part: Option<&Value>) -> String {
    match part {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => format!("{other:#}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use guild_api::wire::TextSide;

    fn tool(raw: Value) -> ToolSpec {
        ToolSpec::from_raw(raw).expect("a tool")
    }

    #[test]
    fn each_part_that_differs_is_told_and_no_other() {
        let old = tool(json!({
            "name": "t", "description": "Reads.", "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": true}, "x-gone": 1,
        }));
        let new = tool(json!({
            "name": "t", "description": "Reads all.",
            "inputSchema": {"type": "object", "required": ["path"]},
            "annotations": {"readOnlyHint": true}, "_meta": {"a": 1},
        }));
        let (stands, parts) = difference(Some(&old), Some(&new));
        assert_eq!(stands, ToolDifference::Changed);
        let names: Vec<_> = parts.iter().map(|part| part.part.as_str()).collect();
        assert_eq!(names, ["description", "inputSchema", "_meta", "x-gone"]);
        assert_eq!(parts[1].schema[0].effect, SchemaEffect::Breaking);
        assert_eq!(parts[3].text[0].side, TextSide::Old);
        assert_eq!(difference(Some(&old), Some(&old)).0, ToolDifference::Same);
        assert_eq!(difference(Some(&old), None), (ToolDifference::Gone, vec![]));
        let (stands, parts) = difference(None, Some(&new));
        assert_eq!(
            (stands, parts.len()),
            (ToolDifference::New, 5),
            "its name too"
        );
        assert!(parts.iter().all(|part| part.text[0].side == TextSide::New));
    }

    #[test]
    fn schema_change_is_a_sentence() {
        let with = |input: Value| tool(json!({"name": "t", "inputSchema": input}));
        let old = with(json!({"properties": {"n": {"minimum": 1}, "m": {"enum": ["a"]}}}));
        let new = with(json!({
            "properties": {"n": {"minimum": 2}, "m": {"enum": ["a", "b"]}}, "required": ["n"],
        }));
        let (_, parts) = difference(Some(&old), Some(&new));
        let changes: Vec<_> = parts[0].schema.iter().map(|change| &*change.what).collect();
        let expected = [
            "`minimum` is 2, was 1",
            "now requires `n`",
            "also allows \"b\"",
        ];
        assert_eq!(changes, expected);
    }

    #[test]
    fn a_result_that_may_be_more_breaks_whoever_reads_it() {
        let with =
            |output: Value| tool(json!({"name": "t", "inputSchema": {}, "outputSchema": output}));
        let old = with(json!({"type": "string"}));
        let new = with(json!({"type": ["string", "null"]}));
        let (_, parts) = difference(Some(&old), Some(&new));
        assert_eq!(parts[0].schema[0].effect, SchemaEffect::Breaking);
    }
}
