//! Results of every kind that a tool can answer with.

pub(super) mod commission;
pub(super) mod offers;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{ErrorCode, ErrorData};
use serde_json::{Map, Value, json};

use super::answer::{Answer, failed, structured, text};
use super::media;

const CATALOGUE: &str = "gallery://catalogue";
/// Kibibytes of the longest scroll.
const SCROLL_MAX: u64 = 2_048;

const POEM: &str = "The door is open, step inside,\nthe lamps are lit, the halls are wide.\n\
A tool for every hand is near:\nyou ask, it answers, and it's here.";

const NOTICE: &str = "# Opening hours\n\n| day | from | to |\n|---|---|---|\n| weekdays | 9:00 | \
17:00 |\n| Sunday | 11:00 | 16:00 |\n\nBring **nothing**, and leave _nothing_ behind. The \
[catalogue](gallery://catalogue) lists all works.\n\n```sh\nguildhall call gallery poem\n```\n";

/// The tools in the order of a walk through the rooms.
pub(super) fn tools() -> Vec<Value> {
    [
        results(),
        vec![commission::definition()],
        failures(),
        hints(),
    ]
    .concat()
}

fn tool(name: &str, title: &str, description: &str, input_schema: Value) -> Value {
    json!({
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": input_schema,
        "annotations": {"readOnlyHint": true, "openWorldHint": false},
    })
}

fn nothing() -> Value {
    json!({"type": "object", "properties": {}, "examples": [{}]})
}

fn results() -> Vec<Value> {
    let mut ledger = tool(
        "ledger",
        "Read the ledger",
        "Answers with a table: the works that were sold, as structured rows.",
        json!({
            "type": "object",
            "properties": {
                "year": {"type": "integer", "minimum": 2020, "maximum": 2026,
                    "description": "Only works sold in this year"},
            },
            "examples": [{}, {"year": 2025}],
        }),
    );
    ledger["outputSchema"] = json!({
        "type": "object",
        "properties": {
            "rows": {"type": "array", "items": {
                "type": "object",
                "properties": {
                    "work": {"type": "string"},
                    "artist": {"type": "string"},
                    "year": {"type": "integer"},
                    "price": {"type": "number"},
                    "framed": {"type": "boolean"},
                },
                "required": ["work", "artist", "year", "price", "framed"],
            }},
            "total": {"type": "number"},
        },
        "required": ["rows", "total"],
    });
    vec![
        tool(
            "poem",
            "Read a poem",
            "Answers with plain text of a few lines.",
            nothing(),
        ),
        tool(
            "notice",
            "Read the notice",
            "Answers with Markdown: a table, a list, code.",
            nothing(),
        ),
        tool(
            "painting",
            "See a painting",
            "Answers with a PNG that is painted on the spot: a sun over water.",
            json!({
                "type": "object",
                "properties": {
                    "sky": {"type": "string", "enum": ["dawn", "noon", "dusk"], "default": "dusk",
                        "description": "The time of day"},
                    "side": {"type": "integer", "minimum": 16, "maximum": 512, "default": 160,
                        "description": "Width and height in pixels"},
                },
                "examples": [{}, {"sky": "noon", "side": 64}],
            }),
        ),
        tool(
            "chime",
            "Hear a chime",
            "Answers with a short sound (WAV).",
            json!({
                "type": "object",
                "properties": {
                    "hertz": {"type": "number", "minimum": 110, "maximum": 1760, "default": 440,
                        "description": "The pitch; 440 is an A"},
                    "milliseconds": {"type": "integer", "minimum": 50, "maximum": 2000,
                        "default": 600, "description": "How long it sounds"},
                },
                "examples": [{}, {"hertz": 660, "milliseconds": 200}],
            }),
        ),
        tool(
            "signpost",
            "Follow the signpost",
            "Answers with a link to a resource of this server.",
            nothing(),
        ),
        tool(
            "letter",
            "Open a letter",
            "Answers with embedded resources: one of text, one of bytes.",
            nothing(),
        ),
        ledger,
        tool(
            "collage",
            "See a collage",
            "Answers with text, a picture and a sound together.",
            nothing(),
        ),
        tool(
            "scroll",
            "Unroll a scroll",
            "Answers with a large text, to see how a long result is shown.",
            json!({
                "type": "object",
                "properties": {
                    "kibibytes": {"type": "integer", "minimum": 1, "maximum": SCROLL_MAX,
                        "default": 256, "description": "How large it is"},
                },
                "examples": [{"kibibytes": 4}],
            }),
        ),
        tool(
            "silence",
            "Hear nothing",
            "Answers with a result that has no content at all.",
            nothing(),
        ),
    ]
}

fn failures() -> Vec<Value> {
    vec![
        tool(
            "stumble",
            "Stumble",
            "Fails as a tool does: with a result that says so (isError).",
            json!({
                "type": "object",
                "properties": {
                    "over": {"type": "string", "default": "the doorstep", "maxLength": 200},
                },
                "examples": [{}, {"over": "a bucket"}],
            }),
        ),
        tool(
            "breakdown",
            "Break down",
            "Fails as a server does: with an error of the protocol that carries data.",
            nothing(),
        ),
    ]
}

/// One tool for each hint. None does more than say so.
fn hints() -> Vec<Value> {
    let work = json!({
        "type": "object",
        "properties": {"work": {"type": "string", "minLength": 1, "description": "Which work"}},
        "required": ["work"],
        "examples": [{"work": "Harbour at noon"}],
    });
    let with = |name, title, description, annotations: Value| {
        let mut tool = tool(name, title, description, work.clone());
        tool["annotations"] = annotations;
        tool
    };
    vec![
        with(
            "look",
            "Look at a work",
            "Only reads. Marked as read-only.",
            json!({"readOnlyHint": true, "openWorldHint": false}),
        ),
        with(
            "hang",
            "Hang a work",
            "Changes something and destroys nothing. Pretends to.",
            json!({"readOnlyHint": false, "destructiveHint": false, "idempotentHint": false,
                "openWorldHint": false}),
        ),
        with(
            "straighten",
            "Straighten a work",
            "Doing it twice changes nothing more. Pretends to.",
            json!({"readOnlyHint": false, "destructiveHint": false, "idempotentHint": true,
                "openWorldHint": false}),
        ),
        with(
            "discard",
            "Discard a work",
            "Marked as destructive, so that it asks before it runs. Pretends to.",
            json!({"readOnlyHint": false, "destructiveHint": true, "openWorldHint": false}),
        ),
        with(
            "send_postcard",
            "Send a postcard",
            "Marked as reaching the world outside. Pretends to; nothing is sent.",
            json!({"readOnlyHint": false, "destructiveHint": false, "openWorldHint": true}),
        ),
    ]
}

/// Answers a call; the tool is one of [`tools`], and what is required is there.
pub(super) fn call(tool: &str, arguments: &Map<String, Value>) -> Answer {
    let text_of = |field: &str| arguments.get(field).and_then(Value::as_str);
    let work = text_of("work").unwrap_or("the work");
    Ok(match tool {
        "poem" => text(POEM),
        "notice" => text(NOTICE),
        "painting" => {
            let side = arguments.get("side").and_then(Value::as_u64).unwrap_or(160);
            let side = u32::try_from(side).unwrap_or(media::SIDE_MAX);
            json!({"content": [picture(side, text_of("sky"))]})
        }
        "chime" => {
            let hertz = arguments
                .get("hertz")
                .and_then(Value::as_f64)
                .unwrap_or(440.0);
            let long = arguments.get("milliseconds").and_then(Value::as_u64);
            let long = long
                .and_then(|long| u32::try_from(long).ok())
                .unwrap_or(600);
            json!({"content": [sound(hertz.clamp(110.0, 1760.0), long)]})
        }
        "signpost" => {
            let mut link = catalogue_link();
            link["type"] = "resource_link".into();
            json!({"content": [{"type": "text", "text": "The catalogue is this way."}, link]})
        }
        "letter" => json!({"content": [
            {"type": "resource", "resource": {
                "uri": "gallery://letters/1",
                "mimeType": "text/plain",
                "text": "Dear visitor,\n\nthe key is under the mat.\n",
            }},
            {"type": "resource", "resource": {
                "uri": "gallery://letters/1/seal",
                "mimeType": "application/octet-stream",
                "blob": STANDARD.encode([0xde, 0xad, 0xbe, 0xef]),
            }},
        ]}),
        "ledger" => ledger(arguments.get("year").and_then(Value::as_i64)),
        "collage" => json!({"content": [
            {"type": "text", "text": "A picture, a sound, and these words.",
                "annotations": {"audience": ["user"], "priority": 0.8}},
            picture(96, Some("dawn")),
            sound(523.25, 300),
        ]}),
        "scroll" => {
            let size = arguments
                .get("kibibytes")
                .and_then(Value::as_u64)
                .unwrap_or(256);
            text(&scroll(size.clamp(1, SCROLL_MAX)))
        }
        "silence" => json!({"content": []}),
        "stumble" => {
            let over = text_of("over").unwrap_or("the doorstep");
            failed(&format!(
                "Stumbled over {over}. Nothing is broken; try again."
            ))
        }
        "breakdown" => {
            let data = json!({"room": "east wing", "since": "this morning"});
            let code = ErrorCode(-32_050);
            return Err(ErrorData::new(
                code,
                "The gallery has broken down",
                Some(data),
            ));
        }
        "look" => text(&format!("{work} hangs where it hung.")),
        "hang" => text(&format!("{work} would hang now. Nothing was changed.")),
        "straighten" => text(&format!(
            "{work} would be straight now. Nothing was changed."
        )),
        "discard" => text(&format!("{work} would be gone now. Nothing was changed.")),
        _ => text(&format!(
            "A postcard of {work} would be on its way. Nothing was sent."
        )),
    })
}

fn picture(side: u32, sky: Option<&str>) -> Value {
    let colour = match sky {
        Some("dawn") => [244, 166, 150],
        Some("noon") => [112, 180, 236],
        _ => [86, 70, 122],
    };
    let data = STANDARD.encode(media::painting(side, colour));
    json!({"type": "image", "data": data, "mimeType": "image/png"})
}

/// A painting's bytes in base64, as a resource has them.
fn painted_png(sky: &str) -> Value {
    picture(160, Some(sky))["data"].take()
}

fn sound(hertz: f64, milliseconds: u32) -> Value {
    let data = STANDARD.encode(media::chime(hertz, milliseconds));
    json!({"type": "audio", "data": data, "mimeType": "audio/wav"})
}

fn ledger(year: Option<i64>) -> Value {
    let sold = [
        ("Harbour at noon", "The blue room", 2024, 1_250.0, true),
        ("Three pears", "The kitchen", 2025, 480.5, false),
        ("Road in winter", "The north hall", 2025, 2_100.0, true),
        ("Study of a gate", "The archive", 2026, 95.0, false),
    ];
    let sold: Vec<_> = sold
        .into_iter()
        .filter(|(_, _, sold_in, ..)| year.is_none_or(|year| year == i64::from(*sold_in)))
        .collect();
    let total: f64 = sold.iter().map(|(.., price, _)| price).sum();
    let rows: Vec<_> = sold
        .into_iter()
        .map(|(work, artist, year, price, framed)| {
            json!({"work": work, "artist": artist, "year": year, "price": price, "framed": framed})
        })
        .collect();
    let words = format!("{} works for {total}", rows.len());
    structured(&words, &json!({"rows": rows, "total": total}))
}

fn scroll(kibibytes: u64) -> String {
    let size = usize::try_from(kibibytes * 1_024).unwrap_or(0);
    let mut scroll = String::with_capacity(size + 128);
    let mut line = 1_u32;
    while scroll.len() < size {
        scroll.push_str(&format!(
            "{line:>6}  and the hall was long, and at its end was a door\n"
        ));
        line += 1;
    }
    scroll.truncate(size);
    scroll
}

/// The one resource as it is listed, and as the signpost points to it.
fn catalogue_link() -> Value {
    json!({
        "uri": CATALOGUE,
        "name": "catalogue",
        "title": "Catalogue of the gallery",
        "description": "All rooms, in Markdown",
        "mimeType": "text/markdown",
    })
}

/// The catalogue's text.
fn catalogue() -> String {
    let rooms: String = tools()
        .iter()
        .filter_map(|tool| {
            let title = tool["title"].as_str()?;
            let words = tool["description"].as_str()?;
            Some(format!("- **{title}**: {words}\n"))
        })
        .collect();
    format!("# Catalogue\n\n{rooms}")
}
