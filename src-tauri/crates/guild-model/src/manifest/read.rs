//! Parses `plugin.json` into a [`Manifest`](super::Manifest), or returns all errors with their
//! positions.
//!
//! The JSON Schema of [`ManifestFile`] checks each field, and [`checks`] covers all other rules.
//! `jsonschema` finds the errors, and this module writes their messages.

use std::convert::Infallible;
use std::sync::LazyLock;

use jsonc_parser::ast::Value as Node;
use jsonc_parser::common::Ranged as _;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError, Validator};
use serde_json::{Number, Value};

use super::file::{ManifestFile, fields_schema};
use super::findings::{Findings, nearest};
use super::forms::UNKNOWN_VARIABLE;
use super::{Lifecycle, MANIFEST_BYTES_MAX, ParsedManifest, Transport, checks, variables};
use crate::error::{Code, Report};
use crate::id::MemberName;
use crate::manifest::{ManifestProblem, ProblemSeverity};
use guild_schema::schema::escaped;
use guild_schema::validate::sentence;
use guild_text::number::grouped;
use guild_text::spanned::{self, FaultKind, JsonParseError, TextPosition, in_words};

/// The name of the file in errors, for callers that have only its text.
const FILE: &str = "plugin.json";
/// Maximum nesting depth of a manifest.
pub(super) const DEPTH_MAX: usize = 32;
pub(super) const KNOWN_VARIABLES: &str = "Known variables: ${PORT}, ${PLUGIN_DIR}, ${GUILDHALL}, \
    ${env:NAME}, ${secret:NAME}. Write $${ for a plain ${.";

/// The schema of the fields, and its compiled validator. A test ensures that the schema compiles.
static SCHEMA: LazyLock<(Value, Option<Validator>)> = LazyLock::new(|| {
    let schema = fields_schema();
    let mut checked = schema.clone();
    drop_variables(&mut checked);
    let validator = jsonschema::options().build(&checked).ok();
    (schema, validator)
});

/// Removes the patterns for variables from the schema, because each of them would be compiled ten
/// times. This module checks variables itself.
fn drop_variables(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields
                .get("not")
                .is_some_and(|not| not["pattern"] == UNKNOWN_VARIABLE)
            {
                fields.remove("not");
            }
            fields.values_mut().for_each(drop_variables);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_variables),
        _ => {}
    }
}

/// Parses a manifest. `file` is the file's name for errors.
pub fn parse(bytes: &[u8], file: &str) -> ParsedManifest {
    let text = match text_of(bytes, file) {
        Ok(text) => text,
        Err(report) => return ParsedManifest::refused(report),
    };
    let tree = match spanned::read(text, DEPTH_MAX) {
        Ok(tree) => tree,
        Err(fault) => return ParsedManifest::refused(fault_report(&fault, text, file)),
    };
    let mut findings = Findings::new(&tree);
    let (root, manifest) = examine(text, &tree, &mut findings);
    let as_text = |key: &str| root[key].as_str().unwrap_or_default().to_owned();
    let (name, lifecycle) = (as_text("name"), &root["lifecycle"]);
    let unfit = || {
        let message = format!("{file}: the manifest does not fit its schema.");
        Report::new(Code::ManifestField, message, "")
    };
    ParsedManifest {
        manifest: match findings.report(text, file) {
            Some(report) => Err(report),
            None => manifest.ok_or_else(unfit),
        },
        name: MemberName::parse(&name).ok(),
        version: as_text("version"),
        description: as_text("description"),
        transport: serde_json::from_value::<Transport>(root["transport"].clone()).ok(),
        lifecycle: serde_json::from_value::<Lifecycle>(lifecycle.clone()).unwrap_or_default(),
        warnings: findings.warnings(text, file),
    }
}

/// Returns all errors and warnings of a manifest's text, with their positions.
pub fn problems(text: &str) -> Vec<ManifestProblem> {
    let alone = |TextPosition { line, column }, message, hint| {
        vec![ManifestProblem {
            line,
            column,
            field: String::new(),
            message,
            hint,
            severity: ProblemSeverity::Error,
        }]
    };
    let text = match text_of(text.as_bytes(), FILE) {
        Ok(text) => text,
        Err(report) => {
            return alone(
                TextPosition { line: 1, column: 1 },
                report.message,
                report.hint,
            );
        }
    };
    match spanned::read(text, DEPTH_MAX) {
        Ok(tree) => {
            let mut findings = Findings::new(&tree);
            examine(text, &tree, &mut findings);
            findings.problems(text)
        }
        Err(fault) => {
            let hint = fault_report(&fault, text, FILE).hint;
            alone(
                TextPosition::of(text, fault.at),
                fault.wrong.to_string(),
                hint,
            )
        }
    }
}

/// Collects the errors and warnings of a parsed text. Returns the text as JSON, and the manifest if
/// there are no errors.
fn examine(
    text: &str,
    tree: &Node<'_>,
    findings: &mut Findings<'_>,
) -> (Value, Option<super::Manifest>) {
    let number = |digits: &str, _| {
        let largest = || Number::from_f64(f64::MAX).unwrap_or_else(|| u64::MAX.into());
        Ok::<_, Infallible>(serde_json::from_str(digits).unwrap_or_else(|_| largest()))
    };
    let Ok(mut root) = spanned::to_json(tree, &number);
    let manifest = match client_config(&root) {
        Some(list) => {
            findings.error(
                &format!("/{list}"),
                "belongs to another app's configuration, not to a member's manifest",
                "Import its servers: use `guildhall add FILE`, or Add member in the window.",
            );
            None
        }
        None => manifest(text, &mut root, findings),
    };
    (root, manifest)
}

pub(super) fn text_of<'b>(bytes: &'b [u8], file: &str) -> Result<&'b str, Report> {
    if bytes.len() as u64 > MANIFEST_BYTES_MAX {
        let (length, most) = (grouped(bytes.len()), grouped(MANIFEST_BYTES_MAX));
        let message = format!("{file} has {length} bytes; the limit is {most}.");
        let hint = "Remove what does not belong in a manifest.";
        return Err(Report::new(Code::ManifestTooLarge, message, hint));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let refused = |before: &str, what: &str, hint: &str| {
        let TextPosition { line, column } = TextPosition::of(before, before.len());
        let message = format!("{file}:{line}:{column}: {what}");
        Err(Report::new(Code::ManifestNotJson, message, hint))
    };
    match std::str::from_utf8(bytes) {
        Ok(text) if text.trim().is_empty() => {
            let hint = "Write at least name, transport and command.";
            refused("", "the file is empty", hint)
        }
        Ok(text) => Ok(text),
        Err(error) => {
            let before = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
            refused(before, "not UTF-8", "Save the file as UTF-8.")
        }
    }
}

fn fault_report(fault: &JsonParseError, text: &str, file: &str) -> Report {
    let TextPosition { line, column } = TextPosition::of(text, fault.at);
    let (code, hint) = match fault.kind {
        FaultKind::Syntax => (
            Code::ManifestNotJson,
            "A manifest is one JSON object, without comments or trailing commas.",
        ),
        FaultKind::Duplicate => (Code::ManifestField, "Remove one of them."),
        FaultKind::Depth | FaultKind::Value => (Code::ManifestField, "Nest its values less deep."),
    };
    let message = format!("{file}:{line}:{column}: {}", fault.wrong);
    Report::new(code, message, hint)
}

/// Returns a field that only the configuration files of other programs have, such as `mcpServers`.
fn client_config(root: &Value) -> Option<&'static str> {
    const LISTS: [&str; 4] = ["mcpServers", "mcp_servers", "context_servers", "servers"];
    let has = |key: &&str| root.get(key).is_some();
    let is_manifest = ["name", "transport", "command"].iter().any(has);
    LISTS.into_iter().find(|list| !is_manifest && has(list))
}

/// Collects all findings. Returns the manifest if there are no errors.
fn manifest(text: &str, root: &mut Value, findings: &mut Findings<'_>) -> Option<super::Manifest> {
    let (schema, validator) = &*SCHEMA;
    checks::bounds(root, "", findings);
    walk(schema, schema, root, "", findings);
    if root.is_object() {
        checks::rules(root, findings);
    }
    let as_written = as_written(text, root, findings);
    let errors = validator
        .iter()
        .flat_map(|validator| validator.iter_errors(root));
    for error in errors.take(ERRORS_MAX) {
        let mut pointer = error.instance_path().to_string();
        match error.kind() {
            Kind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                pointer.push_str(&format!("/{}", escaped(name)));
            }
            Kind::PropertyNames { error } => {
                let name = error.instance().as_str().unwrap_or_default();
                pointer.push_str(&format!("/{}", escaped(name)));
                let (message, hint) = wording(schema, error, None);
                findings.error_of_key(&pointer, &message, &hint);
                continue;
            }
            _ => {}
        }
        // Another check may already have reported a better message. One error per position is
        // enough.
        if !findings.has_error_at(&pointer) {
            let (message, hint) = wording(schema, &error, findings.spot(&pointer).node);
            findings.error(&pointer, &message, &hint);
        }
    }
    for (pointer, text) in as_written {
        if let Some(value) = root.pointer_mut(&pointer) {
            *value = text.into();
        }
    }
    let file: ManifestFile = serde_json::from_value(root.clone()).ok()?;
    file.into_manifest()
}

/// Maximum number of schema errors that get a message. A file can have a hundred thousand errors.
const ERRORS_MAX: usize = 1_000;
/// The pointer of `cpus`, whose digits are kept as written.
const CPUS: &str = "/container/cpus";

/// Returns the source text of the values that must stay as written, with their JSON Pointers.
fn as_written(text: &str, root: &Value, findings: &mut Findings<'_>) -> Vec<(String, String)> {
    let count = root["examples"].as_array().map_or(0, Vec::len);
    let arguments = (0..count).map(|index| format!("/examples/{index}/arguments"));
    let pointers = arguments.chain([CPUS.to_owned()]);
    let mut written = Vec::new();
    for pointer in pointers {
        match findings.spot(&pointer).node {
            Some(node @ Node::Object(_)) if pointer != CPUS => {
                let arguments = compact(node.text(text));
                checks::arguments(&pointer, &arguments, findings);
                written.push((pointer, arguments));
            }
            Some(Node::NumberLit(digits)) if pointer == CPUS => {
                checks::cpus(digits.value, findings);
                written.push((pointer, digits.value.to_owned()));
            }
            _ => {}
        }
    }
    written
}

/// Removes the white space between JSON tokens.
fn compact(text: &str) -> String {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let keep = |c: &char| {
        let kept = is_quoted || !c.is_ascii_whitespace();
        match c {
            '"' if !is_escaped => is_quoted = !is_quoted,
            _ => {}
        }
        is_escaped = *c == '\\' && !is_escaped;
        kept
    };
    text.chars().filter(keep).collect()
}

/// Warns of fields that the schema does not have, and checks variables.
fn walk(schema: &Value, part: &Value, value: &Value, pointer: &str, findings: &mut Findings<'_>) {
    let reference = part["$ref"]
        .as_str()
        .and_then(|reference| reference.strip_prefix('#'));
    let part = reference.and_then(|to| schema.pointer(to)).unwrap_or(part);
    match value {
        Value::Object(fields) => {
            let known = part["properties"].as_object();
            for (key, value) in fields {
                let pointer = format!("{pointer}/{}", escaped(key));
                let own = known.and_then(|known| known.get(key));
                if let Some(part) = own.or_else(|| part.get("additionalProperties")) {
                    walk(schema, part, value, &pointer, findings);
                } else if let Some(known) = known {
                    let names: Vec<&str> = known.keys().map(String::as_str).collect();
                    let hint = match nearest(key, &names) {
                        Some(near) => format!("Did you mean `{near}`?"),
                        None => format!("Known here: {}.", names.join(", ")),
                    };
                    let message = "is not a known field; it has no effect";
                    findings.warn_of_key(&pointer, message, &hint);
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let pointer = format!("{pointer}/{index}");
                walk(schema, &part["items"], item, &pointer, findings);
            }
        }
        Value::String(text) if part["not"]["pattern"] == UNKNOWN_VARIABLE => {
            if let Some(wrong) = variables::problem_in(text) {
                findings.error(pointer, &wrong.to_string(), KNOWN_VARIABLES);
            }
        }
        _ => {}
    }
}

/// Returns the message and the hint for an error. The message continues the name of the field. It
/// does not repeat the value, because that may be secret, except for a misspelled choice.
fn wording(
    schema: &Value,
    error: &ValidationError<'_>,
    node: Option<&Node<'_>>,
) -> (String, String) {
    let path = error.schema_path().as_str();
    let (above, keyword) = path.rsplit_once('/').unwrap_or_default();
    let part = schema.pointer(above).unwrap_or(&Value::Null);
    let text = error.instance().as_str();
    let mut hint = String::new();
    let message = match error.kind() {
        Kind::Required { property } if keyword == "dependentRequired" => {
            let pairs = part[keyword].as_object().into_iter().flatten();
            let needs = |(_, names): &(&String, &Value)| {
                names
                    .as_array()
                    .is_some_and(|names| names.contains(property))
            };
            let by = pairs
                .into_iter()
                .find(needs)
                .map_or("another field", |(by, _)| by);
            return (format!("is missing; `{by}` needs it"), hint);
        }
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let described = part["properties"][name]["description"].as_str();
            let first = described.unwrap_or_default().replace('\n', " ");
            let first = first.split(['.', ':']).next().unwrap_or_default();
            return (format!("is missing: {}", lower_first(first)), hint);
        }
        Kind::OneOfNotValid { .. } | Kind::Enum { .. } => {
            let words = choices(part);
            let near = text.and_then(|text| nearest(text, &words));
            hint = near.map_or(hint, |near| format!("Did you mean \"{near}\"?"));
            let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
            let message = format!("must be one of {}", words.join(", "));
            if let Some(text) = text {
                let text: String = text.chars().take(40).collect();
                return (format!("{message}; found {text:?}"), hint);
            }
            message
        }
        Kind::Type { kind } if !is_number(kind) => format!("must be {}", kinds(kind)),
        kind => match part["errorMessage"].as_str() {
            Some(message) => {
                hint = part["errorHint"].as_str().unwrap_or_default().to_owned();
                message.to_owned()
            }
            None => sentence(kind).to_string(),
        },
    };
    let is_own_kind = text.is_some() && !matches!(error.kind(), Kind::Type { .. });
    match node {
        Some(node) if error.instance_path().is_empty() => (
            format!(
                "{}; found {}",
                message.replacen("must be", "expected", 1),
                in_words(node)
            ),
            hint,
        ),
        Some(node) if !is_own_kind => (format!("{message}; found {}", in_words(node)), hint),
        _ => (message, hint),
    }
}

fn choices(part: &Value) -> Vec<&str> {
    let branches = part["oneOf"].as_array().into_iter().flatten();
    let words = branches.map(|branch| &branch["const"]);
    let words = words.chain(part["enum"].as_array().into_iter().flatten());
    words.filter_map(Value::as_str).collect()
}

fn is_number(kind: &TypeKind) -> bool {
    matches!(kind, TypeKind::Single(JsonType::Integer | JsonType::Number))
}

fn kinds(kind: &TypeKind) -> String {
    let words = |kind: JsonType| match kind {
        JsonType::Array => "a list in brackets",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object in braces",
        JsonType::String => "a text in double quotes",
    };
    match kind {
        TypeKind::Single(kind) => words(*kind).to_owned(),
        TypeKind::Multiple(all) => all.iter().map(words).collect::<Vec<_>>().join(", or "),
    }
}

fn lower_first(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
