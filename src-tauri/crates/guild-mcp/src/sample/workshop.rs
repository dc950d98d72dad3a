//! A tool for every kind of form field.
//!
//! Each does something small and answers with what it was given, so that it can be seen what a
//! form sends.

mod choices;
mod fields;
mod shapes;

use serde_json::{Map, Value, json};

use super::answer::{failed, structured};

/// The tools from simple fields to nested ones.
pub(super) fn tools() -> Vec<Value> {
    [fields::tools(), choices::tools(), shapes::tools()].concat()
}

/// A tool's definition; every one answers with `received` and a sentence.
fn tool(name: &str, title: &str, description: &str, input_schema: Value) -> Value {
    json!({
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": input_schema,
        "outputSchema": {
            "type": "object",
            "properties": {
                "summary": {"type": "string", "description": "What was done, in a sentence"},
                "received": {"type": "object", "description": "The arguments as they came"},
            },
            "required": ["summary", "received"],
        },
        "annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false},
    })
}

/// Answers a call; the tool is one of [`tools`], and what is required is there.
pub(super) fn call(tool: &str, arguments: Map<String, Value>) -> Value {
    let summary = match tool {
        "write_label" => write_label(&arguments),
        "cut_board" => cut_board(&arguments),
        "switch_lamp" => switch_lamp(&arguments),
        "book_visit" => Ok(format!("A visit at {} is booked.", word(&arguments, "at"))),
        "choose_finish" => Ok(format!("The finish is {}.", word(&arguments, "finish"))),
        "choose_wood" => Ok(format!("{} it is.", word(&arguments, "wood"))),
        "order_material" => order_material(&arguments),
        "tag_parts" => Ok(format!("{} tags are tied on.", length(&arguments, "tags"))),
        "mark_points" => mark_points(&arguments),
        "set_prices" => Ok(format!("{} prices are set.", length(&arguments, "prices"))),
        "rename_tool" => Ok(rename_tool(&arguments)),
        "arrange_delivery" => Ok(arrange_delivery(&arguments)),
        "plan_assembly" => Ok(plan_assembly(&arguments)),
        "attach_data" => Ok(format!("{} fields came along.", arguments.len())),
        _ => Ok("The workshop is tidy.".to_owned()),
    };
    match summary {
        Ok(summary) => {
            let content = json!({"summary": summary, "received": arguments});
            structured(&summary, &content)
        }
        Err(words) => failed(&words),
    }
}

/// A field as a word for a sentence.
fn word(arguments: &Map<String, Value>, field: &str) -> String {
    match arguments.get(field) {
        None => "(nothing)".into(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

fn length(arguments: &Map<String, Value>, field: &str) -> usize {
    match arguments.get(field) {
        Some(Value::Array(items)) => items.len(),
        Some(Value::Object(entries)) => entries.len(),
        _ => 0,
    }
}

fn number(arguments: &Map<String, Value>, field: &str, default: f64) -> f64 {
    arguments
        .get(field)
        .and_then(Value::as_f64)
        .unwrap_or(default)
}

fn write_label(arguments: &Map<String, Value>) -> Result<String, String> {
    let text = word(arguments, "text");
    if text.trim().is_empty() {
        return Err("The label needs a text that is more than spaces.".into());
    }
    let sealed = arguments.contains_key("secret");
    let seal = if sealed { ", and sealed" } else { "" };
    Ok(format!("The label reads \u{201c}{text}\u{201d}{seal}."))
}

fn cut_board(arguments: &Map<String, Value>) -> Result<String, String> {
    let board = number(arguments, "length_mm", 0.0);
    let piece = number(arguments, "piece_mm", 1.0);
    let kerf = number(arguments, "kerf_mm", 3.2);
    let pieces = number(arguments, "pieces", 1.0);
    let needed = pieces * piece + (pieces - 1.0).max(0.0) * kerf;
    if needed > board {
        return Err(format!(
            "{pieces} pieces of {piece} mm need {needed:.1} mm; the board has {board} mm."
        ));
    }
    Ok(format!(
        "{pieces} pieces of {piece} mm; {:.1} mm are left.",
        board - needed
    ))
}

fn switch_lamp(arguments: &Map<String, Value>) -> Result<String, String> {
    let on = arguments.get("on").and_then(Value::as_bool);
    let dim = arguments.get("dim").and_then(Value::as_bool) == Some(true);
    match (on, dim) {
        (Some(true), true) => Ok("The lamp is on, dimmed.".into()),
        (Some(true), false) => Ok("The lamp is on.".into()),
        (Some(false), _) => Ok("The lamp is off.".into()),
        (None, _) => Err("on is neither true nor false.".into()),
    }
}

fn order_material(arguments: &Map<String, Value>) -> Result<String, String> {
    let items = arguments.get("items").and_then(Value::as_array);
    let items = items.filter(|items| !items.is_empty());
    let items = items.ok_or("An order needs an item at least.")?;
    let count: u64 = items
        .iter()
        .map(|item| item["quantity"].as_u64().unwrap_or(1))
        .sum();
    let customer = arguments
        .get("customer")
        .and_then(|customer| customer["name"].as_str());
    let customer = customer.unwrap_or("someone");
    Ok(format!(
        "{count} things in {} lines for {customer}.",
        items.len()
    ))
}

fn mark_points(arguments: &Map<String, Value>) -> Result<String, String> {
    let points = arguments.get("points").and_then(Value::as_array);
    let points: Option<Vec<(f64, f64)>> = points.map(|points| {
        let pair = |point: &Value| Some((point[0].as_f64()?, point[1].as_f64()?));
        points.iter().filter_map(pair).collect()
    });
    let points = points.unwrap_or_default();
    if points.len() < 2 {
        return Err("A line needs two points at least, each of two numbers.".into());
    }
    let length: f64 = points
        .iter()
        .zip(points.iter().skip(1))
        .map(|(a, b)| (b.0 - a.0).hypot(b.1 - a.1))
        .sum();
    Ok(format!("The line is {length:.2} mm long."))
}

fn rename_tool(arguments: &Map<String, Value>) -> String {
    let tool = word(arguments, "tool");
    match arguments.get("nickname") {
        None => format!("{tool} keeps its nickname."),
        Some(Value::Null) => format!("{tool} has no nickname any more."),
        Some(_) => format!("{tool} is now called {}.", word(arguments, "nickname")),
    }
}

fn arrange_delivery(arguments: &Map<String, Value>) -> String {
    let way = arguments.get("way").unwrap_or(&Value::Null);
    match way["kind"].as_str() {
        Some("pickup") => format!("It waits at {}.", way["shelf"]),
        Some("post") => format!("It goes by post to {}.", way["address"]),
        Some("courier") => format!("A courier brings it within {} hours.", way["within_hours"]),
        _ => "It stays here until someone says how it goes.".into(),
    }
}

/// Counts the parts of a tree; a list of what is left to visit rather than recursion, since the
/// tree comes from outside.
fn plan_assembly(arguments: &Map<String, Value>) -> String {
    let mut left: Vec<&Value> = arguments.get("part").into_iter().collect();
    let mut parts = 0;
    while let Some(part) = left.pop() {
        parts += 1;
        left.extend(part["parts"].as_array().into_iter().flatten());
    }
    format!("{parts} parts to put together.")
}
