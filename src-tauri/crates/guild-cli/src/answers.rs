//! Answers to the questions before an installation, from a file, from `--set`, or typed.

use crate::messages::ArgumentProblem;
use guild_api::wire::McpbAsks;
use guild_engine::messages::CliError;
use guild_model::{Code, Report};
use serde_json::{Map, Number, Value};

use crate::terminal::prompt;

/// Parses `KEY=VALUE`.
pub(crate) fn set(text: &str) -> Result<(String, String), ArgumentProblem> {
    let (key, value) = text.split_once('=').ok_or(ArgumentProblem::KeyValue)?;
    // A flag's key may begin with dashes: `--set --level=3`.
    Ok((key.to_owned(), value.to_owned()))
}

/// Returns the answers of an installation: the schema's defaults, overwritten by the answers from
/// the file, which `set` overwrites in turn. The values of `set` are converted to the schema's
/// types.
pub(crate) fn answers(
    asks: &McpbAsks,
    given: Map<String, Value>,
    set: &[(String, String)],
) -> Result<Map<String, Value>, Report> {
    let schema: Value = serde_json::from_str(&asks.schema).unwrap_or_default();
    let mut answers = Map::new();
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        answers.extend(
            property
                .get("default")
                .map(|default| (key.clone(), default.clone())),
        );
    }
    answers.extend(given);
    let mut several: Vec<&str> = Vec::new();
    for (key, value) in set {
        let property = &schema["properties"][key];
        if property.is_null() {
            let known = schema["properties"].as_object().into_iter().flatten();
            let known: Vec<&str> = known.map(|(key, _)| key.as_str()).collect();
            let known = known.join(", ");
            return Err(refused(CliError::NotAsked(format!("{key:?}"), known)));
        }
        if asks.secrets.contains(key) {
            return Err(refused(CliError::OpenAnswer(key.to_string())));
        }
        if property["type"] != "array" {
            answers.insert(key.clone(), formed(property, value));
            continue;
        }
        let one = formed(&property["items"], value);
        match answers.get_mut(key).and_then(Value::as_array_mut) {
            Some(list) if several.contains(&key.as_str()) => list.push(one),
            _ => {
                several.push(key);
                answers.insert(key.clone(), Value::Array(vec![one]));
            }
        }
    }
    Ok(answers)
}

/// Converts a value from the command line or the terminal to the type of a property. An invalid
/// value stays a string, which the hall rejects.
fn formed(property: &Value, text: &str) -> Value {
    let formed = match property["type"].as_str() {
        Some("number") => text.parse::<Number>().ok().map(Value::Number),
        Some("boolean") => text.parse::<bool>().ok().map(Value::Bool),
        _ => None,
    };
    formed.unwrap_or_else(|| Value::from(text))
}

/// Prompts for each required answer that is missing.
pub(crate) async fn typed(
    asks: &McpbAsks,
    mut answers: Map<String, Value>,
) -> Result<Map<String, Value>, Report> {
    let schema: Value = serde_json::from_str(&asks.schema).unwrap_or_default();
    let required = schema["required"].as_array().into_iter().flatten();
    for key in required.filter_map(Value::as_str) {
        if answers.contains_key(key) {
            continue;
        }
        let property = &schema["properties"][key];
        let description = property["description"].as_str().unwrap_or_default();
        let question = format!("{key} {}: ", description.replace('\n', " "));
        let is_secret = asks.secrets.iter().any(|secret| secret == key);
        let text = prompt(question, is_secret).await?;
        let value = match property["type"] == "array" {
            true => Value::Array(vec![formed(&property["items"], &text)]),
            false => formed(property, &text),
        };
        answers.insert(key.to_owned(), value);
    }
    Ok(answers)
}

/// Returns the questions, each as a line.
pub(crate) fn question_lines(asks: &McpbAsks) -> Vec<String> {
    let schema: Value = serde_json::from_str(&asks.schema).unwrap_or_default();
    let required = schema["required"].as_array();
    let is_required = |key: &str| required.is_some_and(|keys| keys.iter().any(|one| one == key));
    let properties = schema["properties"].as_object().into_iter().flatten();
    let line = |(key, property): (&String, &Value)| {
        let need = if is_required(key) {
            "asks for"
        } else {
            "may be given"
        };
        let mut line = format!("{need} {key}");
        if asks.secrets.contains(key) {
            line.push_str(" (a secret)");
        }
        if let Some(default) = property.get("default") {
            line.push_str(&format!(" [{default}]"));
        }
        if let Some(description) = property["description"].as_str() {
            line.push_str(&format!(": {}", description.replace('\n', " ")));
        }
        line
    };
    properties.map(line).collect()
}

fn refused(trouble: CliError) -> Report {
    Report::from_error(Code::AdoptionRefused, &trouble)
}
