//! Values within values: objects, lists, tuples, maps, trees.

use serde_json::{Value, json};

use super::tool;

pub(super) fn tools() -> Vec<Value> {
    vec![
        order_material(),
        tag_parts(),
        mark_points(),
        set_prices(),
        attach_data(),
        plan_assembly(),
    ]
}

fn order_material() -> Value {
    tool(
        "order_material",
        "Order material",
        "Writes an order. Objects within objects, and a list of objects.",
        json!({
            "type": "object",
            "properties": {
                "customer": {
                    "type": "object",
                    "title": "Customer",
                    "properties": {
                        "name": {"type": "string", "minLength": 1},
                        "address": {
                            "type": "object",
                            "properties": {
                                "street": {"type": "string"},
                                "postcode": {"type": "string", "pattern": "^[0-9]{4,5}$"},
                                "city": {"type": "string"},
                            },
                            "required": ["city"],
                        },
                    },
                    "required": ["name"],
                },
                "items": {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": 20,
                    "items": {
                        "type": "object",
                        "properties": {
                            "article": {"type": "string"},
                            "quantity": {"type": "integer", "minimum": 1, "default": 1},
                            "options": {"type": "array",
                                "items": {"enum": ["planed", "sanded", "cut to size"]}},
                        },
                        "required": ["article", "quantity"],
                    },
                },
                "urgent": {"type": "boolean", "default": false},
            },
            "required": ["customer", "items"],
            "additionalProperties": false,
            "examples": [
                {"customer": {"name": "The bench"}, "items": [{"article": "plank", "quantity": 2}]},
                {"customer": {"name": "The bench", "address": {"street": "1 Example Street",
                    "postcode": "12345", "city": "Sampleton"}},
                    "items": [
                        {"article": "plank", "quantity": 2, "options": ["planed", "sanded"]},
                        {"article": "dowel", "quantity": 40, "options": []},
                    ],
                    "urgent": true},
            ],
        }),
    )
}

fn tag_parts() -> Value {
    tool(
        "tag_parts",
        "Tag parts",
        "Ties tags to parts. Lists of texts, of numbers, of choices, and a list that starts full.",
        json!({
            "type": "object",
            "properties": {
                "tags": {"type": "array", "items": {"type": "string", "minLength": 1},
                    "minItems": 1, "maxItems": 8, "uniqueItems": true},
                "weights": {"type": "array", "items": {"type": "number", "minimum": 0}},
                "colours": {"type": "array",
                    "items": {"type": "string", "enum": ["red", "green", "blue"]}},
                "shelves": {"type": "array", "items": {"type": "integer"}, "default": [1, 2]},
            },
            "required": ["tags"],
            "additionalProperties": false,
            "examples": [
                {"tags": ["left"]},
                {"tags": ["left", "spare"], "weights": [1.25, 0], "colours": ["red", "blue"],
                    "shelves": []},
            ],
        }),
    )
}

fn mark_points() -> Value {
    let point = json!({
        "type": "array",
        "prefixItems": [
            {"type": "number", "title": "x"},
            {"type": "number", "title": "y"},
        ],
        "items": false,
        "minItems": 2,
        "maxItems": 2,
    });
    tool(
        "mark_points",
        "Mark points",
        "Marks a line on a board and measures it. Tuples, a list of them, and a list of lists.",
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "points": {"type": "array", "items": point, "minItems": 2,
                    "description": "Each an x and a y in mm"},
                "origin": point,
                "grid": {"type": "array", "description": "Rows of cells",
                    "items": {"type": "array", "items": {"type": "integer"}}},
            },
            "required": ["points"],
            "additionalProperties": false,
            "examples": [
                {"points": [[0, 0], [3, 4]]},
                {"points": [[0, 0], [3, 4], [3, -8.5]], "origin": [1, 1], "grid": [[1, 0], [0, 1]]},
            ],
        }),
    )
}

fn set_prices() -> Value {
    tool(
        "set_prices",
        "Set prices",
        "Writes the price list. Maps: of numbers, of texts with bounded names, of objects.",
        json!({
            "type": "object",
            "properties": {
                "prices": {"type": "object", "description": "Article to price",
                    "additionalProperties": {"type": "number", "minimum": 0}},
                "labels": {"type": "object", "additionalProperties": {"type": "string"},
                    "propertyNames": {"pattern": "^[a-z_]+$"}, "maxProperties": 10},
                "stock": {"type": "object", "additionalProperties": {
                    "type": "object",
                    "properties": {"shelf": {"type": "string"}, "count": {"type": "integer"}},
                    "required": ["count"],
                }},
            },
            "required": ["prices"],
            "additionalProperties": false,
            "examples": [
                {"prices": {}},
                {"prices": {"plank": 12.5, "dowel": 0.4}, "labels": {"plank": "Plank of oak"},
                    "stock": {"plank": {"shelf": "A1", "count": 12}}},
            ],
        }),
    )
}

fn attach_data() -> Value {
    tool(
        "attach_data",
        "Attach data",
        "Takes whatever there is. Objects without a shape, values of any kind, and fields that \
         the schema does not name.",
        json!({
            "type": "object",
            "properties": {
                "settings": {"type": "object", "description": "Any object"},
                "anything": {"description": "Any value at all"},
                "whatever": true,
            },
            "additionalProperties": true,
            "examples": [
                {},
                {"settings": {"a": {"b": [1, null, "c"]}}, "anything": [true, 1.50, "x"],
                    "whatever": null, "not_named": 1},
            ],
        }),
    )
}

fn plan_assembly() -> Value {
    tool(
        "plan_assembly",
        "Plan an assembly",
        "Counts the parts of an assembly. A tree: each part is made of parts.",
        json!({
            "type": "object",
            "properties": {
                "part": {"$ref": "#/$defs/part"},
                "spare": {"$ref": "#/$defs/size", "description": "Room to leave around it"},
            },
            "required": ["part"],
            "additionalProperties": false,
            "$defs": {
                "part": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string", "minLength": 1},
                        "size": {"$ref": "#/$defs/size"},
                        "parts": {"type": "array", "items": {"$ref": "#/$defs/part"}},
                    },
                    "required": ["name"],
                },
                "size": {
                    "type": "object",
                    "properties": {
                        "width": {"type": "number", "exclusiveMinimum": 0},
                        "height": {"type": "number", "exclusiveMinimum": 0},
                    },
                    "required": ["width", "height"],
                },
            },
            "examples": [
                {"part": {"name": "box"}},
                {"part": {"name": "table", "size": {"width": 120, "height": 75}, "parts": [
                    {"name": "top", "parts": [{"name": "board"}, {"name": "board"}]},
                    {"name": "leg"},
                ]}, "spare": {"width": 10, "height": 10}},
            ],
        }),
    )
}
