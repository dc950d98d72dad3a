//! Texts, numbers, switches, and texts of a known format.

use serde_json::{Value, json};

use super::tool;

pub(super) fn tools() -> Vec<Value> {
    vec![
        write_label(),
        cut_board(),
        switch_lamp(),
        book_visit(),
        tidy_up(),
    ]
}

fn write_label() -> Value {
    tool(
        "write_label",
        "Write a label",
        "Writes a label. Text fields: short, with a pattern, long, secret, with a default.",
        json!({
            "type": "object",
            "properties": {
                "text": {"type": "string", "title": "Text", "minLength": 1, "maxLength": 40,
                    "description": "What stands on the label"},
                "code": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$",
                    "description": "Two capitals, a dash, four digits",
                    "examples": ["AB-1234"]},
                "language": {"type": "string", "default": "en", "minLength": 2, "maxLength": 5},
                "note": {"type": "string", "maxLength": 4000, "format": "textarea",
                    "description": "Anything to add, in as many lines as it takes"},
                "secret": {"type": "string", "format": "password", "writeOnly": true,
                    "minLength": 4, "description": "A word that opens the drawer"},
            },
            "required": ["text"],
            "additionalProperties": false,
            "examples": [
                {"text": "Screws"},
                {"text": "Screws", "code": "AB-1234", "language": "en", "note": "M4\nM5",
                    "secret": "sesame"},
            ],
        }),
    )
}

fn cut_board() -> Value {
    tool(
        "cut_board",
        "Cut a board",
        "Works out how a board is cut and what is left. Numbers and whole numbers with bounds.",
        json!({
            "type": "object",
            "properties": {
                "length_mm": {"type": "number", "exclusiveMinimum": 0, "maximum": 6000,
                    "description": "The board's length in mm"},
                "piece_mm": {"type": "number", "minimum": 1, "multipleOf": 0.5,
                    "description": "The length of a piece, in steps of half a millimetre"},
                "pieces": {"type": "integer", "minimum": 1, "maximum": 100, "default": 1},
                "pack_of": {"type": "integer", "multipleOf": 4, "exclusiveMaximum": 100,
                    "description": "Pieces come in packs of four"},
                "kerf_mm": {"type": "number", "minimum": 0, "maximum": 10, "default": 3.2,
                    "description": "What the saw takes"},
                "offset_mm": {"type": "number", "description": "May be less than nothing"},
            },
            "required": ["length_mm", "piece_mm"],
            "additionalProperties": false,
            "examples": [
                {"length_mm": 2400, "piece_mm": 399.5, "pieces": 4},
                {"length_mm": 2400.25, "piece_mm": 100, "pieces": 8, "pack_of": 8,
                    "kerf_mm": 0, "offset_mm": -1.5},
            ],
        }),
    )
}

fn switch_lamp() -> Value {
    tool(
        "switch_lamp",
        "Switch the lamp",
        "Switches the lamp over the bench. Switches: one that must be set, one with a default, \
         one that may stay unset.",
        json!({
            "type": "object",
            "properties": {
                "on": {"type": "boolean", "description": "Whether it is lit"},
                "dim": {"type": "boolean", "default": false},
                "warm": {"type": "boolean", "description": "Unset leaves it as it is"},
            },
            "required": ["on"],
            "additionalProperties": false,
            "examples": [{"on": true}, {"on": true, "dim": true, "warm": false}],
        }),
    )
}

fn book_visit() -> Value {
    tool(
        "book_visit",
        "Book a visit",
        "Books a visit to the workshop. Texts of a known format: dates, addresses, ids.",
        json!({
            "type": "object",
            "properties": {
                "at": {"type": "string", "format": "date-time", "description": "When"},
                "email": {"type": "string", "format": "email"},
                "day_of_return": {"type": "string", "format": "date"},
                "opens": {"type": "string", "format": "time"},
                "lasts": {"type": "string", "format": "duration", "default": "PT1H",
                    "description": "As in ISO 8601: PT1H30M is an hour and a half"},
                "page": {"type": "string", "format": "uri"},
                "booking": {"type": "string", "format": "uuid"},
                "host": {"type": "string", "format": "hostname"},
                "address": {"type": "string", "format": "ipv4"},
            },
            "required": ["at", "email"],
            "additionalProperties": false,
            "examples": [
                {"at": "2026-03-01T09:30:00Z", "email": "visitor@example.org"},
                {"at": "2026-03-01T09:30:00+01:00", "email": "visitor@example.org",
                    "day_of_return": "2026-03-02", "opens": "08:00:00Z", "lasts": "PT1H30M",
                    "page": "https://example.org/visit?day=1#map",
                    "booking": "6f1f2b0e-4c35-4f0e-9d53-0c6b8f6f4a11",
                    "host": "bench.example.org", "address": "192.0.2.7"},
            ],
        }),
    )
}

fn tidy_up() -> Value {
    tool(
        "tidy_up",
        "Tidy up",
        "Tidies the workshop. Takes no arguments.",
        json!({
            "type": "object",
            "properties": {},
            "additionalProperties": false,
            "examples": [{}],
        }),
    )
}
