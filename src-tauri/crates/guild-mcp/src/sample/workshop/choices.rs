//! Choices: few and many, of texts, numbers and both, titled, fixed, nullable, unions.

use serde_json::{Value, json};

use super::tool;

/// More than fit into a list that is shown at once.
const WOODS: &[&str] = &[
    "acacia",
    "afrormosia",
    "alder",
    "apple",
    "ash",
    "aspen",
    "balsa",
    "bamboo",
    "basswood",
    "beech",
    "birch",
    "black locust",
    "boxwood",
    "bubinga",
    "butternut",
    "cedar",
    "cherry",
    "chestnut",
    "cocobolo",
    "cypress",
    "douglas fir",
    "ebony",
    "elm",
    "eucalyptus",
    "fir",
    "hackberry",
    "hazel",
    "hemlock",
    "hickory",
    "holly",
    "hornbeam",
    "iroko",
    "ironwood",
    "jarrah",
    "juniper",
    "larch",
    "lime",
    "mahogany",
    "maple",
    "mesquite",
    "oak",
    "olive",
    "padauk",
    "pear",
    "pine",
    "plane",
    "plum",
    "poplar",
    "purpleheart",
    "rosewood",
    "spruce",
    "sycamore",
    "teak",
    "walnut",
    "wenge",
    "yew",
];

pub(super) fn tools() -> Vec<Value> {
    vec![
        choose_finish(),
        choose_wood(),
        rename_tool(),
        arrange_delivery(),
    ]
}

fn choose_finish() -> Value {
    tool(
        "choose_finish",
        "Choose a finish",
        "Chooses how a surface is finished. Choices of texts, of numbers, of both; titled ones; \
         a value that is fixed.",
        json!({
            "type": "object",
            "properties": {
                "finish": {"type": "string", "enum": ["oil", "wax", "varnish"]},
                "grit": {"type": "integer", "enum": [80, 120, 240, 400], "default": 120},
                "coats": {"enum": ["none", 1, 2, 2.5, true, null],
                    "description": "Texts, numbers, yes and nothing in one list"},
                "gloss": {
                    "description": "Each choice has a title of its own",
                    "oneOf": [
                        {"const": "m", "title": "Matt"},
                        {"const": "s", "title": "Silk", "description": "Between the two"},
                        {"const": "g", "title": "Glossy"},
                    ],
                    "default": "s",
                },
                "unit": {"const": "mm", "description": "Always the same"},
                "extras": {"type": "array", "uniqueItems": true,
                    "items": {"type": "string", "enum": ["sealed", "buffed", "tinted"]}},
            },
            "required": ["finish", "unit"],
            "additionalProperties": false,
            "examples": [
                {"finish": "oil", "unit": "mm"},
                {"finish": "wax", "grit": 240, "coats": null, "gloss": "g", "unit": "mm",
                    "extras": ["buffed", "tinted"]},
                {"finish": "varnish", "coats": 2.5, "unit": "mm", "extras": []},
            ],
        }),
    )
}

fn choose_wood() -> Value {
    tool(
        "choose_wood",
        "Choose a wood",
        "Chooses a wood. A choice among more than fifty.",
        json!({
            "type": "object",
            "properties": {
                "wood": {"type": "string", "enum": WOODS},
                "second": {"type": "string", "enum": WOODS, "default": "oak"},
            },
            "required": ["wood"],
            "additionalProperties": false,
            "examples": [{"wood": "walnut"}, {"wood": "yew", "second": "ash"}],
        }),
    )
}

fn rename_tool() -> Value {
    tool(
        "rename_tool",
        "Rename a tool",
        "Gives a tool a nickname, or takes it away. Values that may be null, said in each way \
         that schemas have for it.",
        json!({
            "type": "object",
            "properties": {
                "tool": {"type": "string", "minLength": 1},
                "nickname": {"type": ["string", "null"], "maxLength": 20,
                    "description": "Null takes it away; leaving it out changes nothing"},
                "drawer": {
                    "anyOf": [{"type": "integer", "minimum": 1, "maximum": 12}, {"type": "null"}],
                    "default": null,
                },
                "lent_to": {
                    "anyOf": [
                        {"type": "object", "properties": {"name": {"type": "string"}},
                            "required": ["name"]},
                        {"type": "null"},
                    ],
                },
            },
            "required": ["tool", "nickname"],
            "additionalProperties": false,
            "examples": [
                {"tool": "plane", "nickname": "Smoothie"},
                {"tool": "plane", "nickname": null, "drawer": 3, "lent_to": {"name": "next door"}},
                {"tool": "plane", "nickname": null, "drawer": null, "lent_to": null},
            ],
        }),
    )
}

fn arrange_delivery() -> Value {
    tool(
        "arrange_delivery",
        "Arrange a delivery",
        "Says how something leaves the workshop. Unions: one told apart by a field, and one of \
         a text, a number or an object.",
        json!({
            "type": "object",
            "properties": {
                "way": {
                    "oneOf": [
                        {"title": "Picked up", "type": "object", "properties": {
                            "kind": {"const": "pickup"},
                            "shelf": {"type": "string"},
                        }, "required": ["kind", "shelf"], "additionalProperties": false},
                        {"title": "By post", "type": "object", "properties": {
                            "kind": {"const": "post"},
                            "address": {"type": "string"},
                            "insured": {"type": "boolean", "default": false},
                        }, "required": ["kind", "address"], "additionalProperties": false},
                        {"title": "By courier", "type": "object", "properties": {
                            "kind": {"const": "courier"},
                            "within_hours": {"type": "integer", "minimum": 1, "maximum": 72},
                        }, "required": ["kind", "within_hours"], "additionalProperties": false},
                    ],
                },
                "reference": {
                    "description": "A word, a number, or both in an object",
                    "anyOf": [
                        {"type": "string"},
                        {"type": "integer"},
                        {"type": "object", "properties": {
                            "word": {"type": "string"},
                            "number": {"type": "integer"},
                        }, "required": ["word", "number"]},
                    ],
                },
                "weight": {"type": ["number", "string"],
                    "description": "In kg, or in words"},
            },
            "required": ["way"],
            "additionalProperties": false,
            "examples": [
                {"way": {"kind": "pickup", "shelf": "B4"}},
                {"way": {"kind": "post", "address": "1 Example Street", "insured": true},
                    "reference": 17, "weight": "about a bag"},
                {"way": {"kind": "courier", "within_hours": 4},
                    "reference": {"word": "lamp", "number": 2}, "weight": 1.5},
            ],
        }),
    )
}
