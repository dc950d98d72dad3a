//! Repeats arguments of tool calls in HTTP headers, if the tool's schema requires that
//! (`x-mcp-header`, 2026-07-28).
//!
//! The `Mcp-Param-…` headers are for proxies that only read headers. rmcp creates them from the
//! tool lists that it parses. But this crate does not parse lists as rmcp's types, so this module
//! applies the same rules. A tool with invalid annotations is left out of the list, as the protocol
//! requires over HTTP.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use guild_model::ToolName;
use guild_model::messages::ToolProblem;
use guild_model::tool::{ListProblem, ToolSpec};
use http::{HeaderName, HeaderValue};
use parking_lot::RwLock;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest};
use serde_json::{Map, Value};

use crate::raw_requests::compose::Request;
use crate::text;

const ANNOTATION: &str = "x-mcp-header";
const PREFIX: &str = "mcp-param-";
/// Limit of the headers for one tool. Servers reject requests with more than about 100 headers in
/// total.
const HEADERS_MAX: usize = 64;
/// Limit of the name of a header, in bytes.
const NAME_MAX: usize = 256;

/// An argument that must be repeated in a header.
#[derive(Debug, PartialEq, Eq)]
struct HeaderParam {
    /// The names of the nested properties that lead to the argument.
    path: Vec<String>,
    header: HeaderName,
}

/// For each tool of the server's last tool list, the arguments that must be repeated in headers.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeaderParams(Arc<RwLock<HashMap<String, Vec<HeaderParam>>>>);

impl HeaderParams {
    /// Records the annotations of a complete tool list. Returns the valid tools, and adds the
    /// others to `problems`.
    pub(crate) fn learn(
        &self,
        tools: Vec<ToolSpec>,
        problems: &mut Vec<ListProblem>,
    ) -> Vec<ToolSpec> {
        let mut header_params = HashMap::new();
        let mut kept = Vec::with_capacity(tools.len());
        let gone: HashSet<usize> = problems.iter().map(|problem| problem.index).collect();
        let indexes = (0..).filter(|index| !gone.contains(index));
        for (index, tool) in indexes.zip(tools) {
            match of_schema(tool.input_schema()) {
                Ok(found) => {
                    if !found.is_empty() {
                        header_params.insert(tool.name().as_str().to_owned(), found);
                    }
                    kept.push(tool);
                }
                Err(wrong) => {
                    let name = Some(text::cut_chars(tool.name().as_str(), 80));
                    problems.push(ListProblem::new(index, name, &wrong));
                }
            }
        }
        problems.sort_by_key(|problem| problem.index);
        *self.0.write() = header_params;
        kept
    }

    /// Returns the headers that repeat parts of a raw request: its method, the name or URI of its
    /// subject, and the annotated arguments.
    pub(crate) fn of_request(&self, request: &Request<'_>) -> Vec<(HeaderName, HeaderValue)> {
        let mut headers = Vec::new();
        let mut add = |name: &'static str, text: &str| {
            let value = encoded(&Value::String(text.to_owned()));
            if let Some(Ok(value)) = value.map(HeaderValue::try_from) {
                headers.push((HeaderName::from_static(name), value));
            }
        };
        add("mcp-method", request.method);
        if let Some(subject) = request.subject() {
            add("mcp-name", &subject);
            if request.method == "tools/call" {
                headers.extend(self.of_call(&subject, || request.arguments()));
            }
        }
        headers
    }

    pub(crate) fn headers(&self, message: &ClientJsonRpcMessage) -> Vec<(HeaderName, HeaderValue)> {
        let ClientJsonRpcMessage::Request(request) = message else {
            return Vec::new();
        };
        let ClientRequest::CallToolRequest(call) = &request.request else {
            return Vec::new();
        };
        self.of_call(&call.params.name, || call.params.arguments.clone())
    }

    pub(crate) fn of_call(
        &self,
        tool: &str,
        arguments: impl FnOnce() -> Option<Map<String, Value>>,
    ) -> Vec<(HeaderName, HeaderValue)> {
        let known = self.0.read();
        let Some(header_params) = known.get(tool) else {
            return Vec::new();
        };
        let Some(arguments) = arguments() else {
            return Vec::new();
        };
        header_params
            .iter()
            .filter_map(|header_param| {
                let value = HeaderValue::try_from(encoded(header_param.of(&arguments)?)?).ok()?;
                Some((header_param.header.clone(), value))
            })
            .collect()
    }
}

impl HeaderParam {
    fn of<'a>(&self, arguments: &'a Map<String, Value>) -> Option<&'a Value> {
        let (first, rest) = self.path.split_first()?;
        rest.iter()
            .try_fold(arguments.get(first)?, |value, key| value.get(key))
    }
}

/// Encodes a value for a header. `None` if the value is not a string, a number or a boolean.
pub(crate) fn encoded(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        _ => return None,
    };
    let plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
        && text.trim_matches([' ', '\t']).len() == text.len()
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    Some(if plain {
        text
    } else {
        format!("=?base64?{}?=", BASE64_STANDARD.encode(text))
    })
}

/// Returns the headers that repeat parts of a modern call over HTTP: the tool's name, and the
/// arguments that the tool's schema annotates.
pub fn mirrored_headers(
    tool: &ToolName,
    schema: Option<&Value>,
    arguments: &Map<String, Value>,
) -> Vec<(String, String)> {
    let name = encoded(&Value::String(tool.as_str().to_owned()));
    let mut headers = vec![("Mcp-Name".to_owned(), name.unwrap_or_default())];
    let header_params = schema.and_then(|schema| of_schema(schema).ok());
    headers.extend(
        header_params
            .unwrap_or_default()
            .iter()
            .filter_map(|header_param| {
                let value = encoded(header_param.of(arguments)?)?;
                Some((header_param.header.to_string(), value))
            }),
    );
    headers
}

/// Returns the arguments that a schema annotates with `x-mcp-header`.
fn of_schema(schema: &Value) -> Result<Vec<HeaderParam>, ToolProblem> {
    let mut found = Vec::new();
    if let Value::Object(fields) = schema {
        collect(fields, Some(&mut Vec::new()), &mut found)?;
    }
    Ok(found)
}

/// Collects the annotated arguments of a schema. `path` has the names of the properties that lead
/// to the schema. It is `None` if any other keyword leads to the schema. Annotations are invalid
/// there.
fn collect(
    schema: &Map<String, Value>,
    mut path: Option<&mut Vec<String>>,
    found: &mut Vec<HeaderParam>,
) -> Result<(), ToolProblem> {
    for (keyword, value) in schema {
        match (keyword.as_str(), value) {
            (ANNOTATION, name) => {
                let path = path.as_deref().filter(|path| !path.is_empty());
                let path = path.ok_or(ToolProblem::HeaderElsewhere(ANNOTATION))?;
                let header_param = header_param(path, schema, name)?;
                if found
                    .iter()
                    .any(|known| known.header == header_param.header)
                {
                    return Err(ToolProblem::HeaderTwice(ANNOTATION, name.to_string()));
                }
                if found.len() == HEADERS_MAX {
                    return Err(ToolProblem::ManyHeaders(HEADERS_MAX, ANNOTATION));
                }
                found.push(header_param);
            }
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    let Value::Object(property) = property else {
                        continue;
                    };
                    match path.as_deref_mut() {
                        Some(path) => {
                            path.push(name.clone());
                            collect(property, Some(path), found)?;
                            path.pop();
                        }
                        None => collect(property, None, found)?,
                    }
                }
            }
            (
                "$defs" | "definitions" | "dependentSchemas" | "patternProperties",
                Value::Object(schemas),
            ) => {
                for schema in schemas.values().filter_map(Value::as_object) {
                    collect(schema, None, found)?;
                }
            }
            // The values of these keywords are not schemas.
            ("default" | "const" | "enum" | "examples", _) => {}
            (_, value) => collect_nested(value, found)?,
        }
    }
    Ok(())
}

fn collect_nested(value: &Value, found: &mut Vec<HeaderParam>) -> Result<(), ToolProblem> {
    match value {
        Value::Object(schema) => collect(schema, None, found),
        Value::Array(items) => items
            .iter()
            .try_for_each(|item| collect_nested(item, found)),
        _ => Ok(()),
    }
}

fn header_param(
    path: &[String],
    schema: &Map<String, Value>,
    name: &Value,
) -> Result<HeaderParam, ToolProblem> {
    let place = || text::cut_chars(&path.join("."), 80);
    let header = name
        .as_str()
        .filter(|name| !name.is_empty() && name.len() <= NAME_MAX)
        .and_then(|name| HeaderName::try_from(format!("{PREFIX}{name}")).ok())
        .ok_or_else(|| ToolProblem::NoHeader(ANNOTATION, place()))?;
    match schema.get("type").and_then(Value::as_str) {
        Some("string" | "integer" | "boolean") => Ok(HeaderParam {
            path: path.to_vec(),
            header,
        }),
        _ => Err(ToolProblem::NoHeaderValue(place(), ANNOTATION)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_encoded_as_the_protocol_says() {
        for (value, expected) in [
            (json!("eu-west 1"), Some("eu-west 1")),
            (json!(""), Some("")),
            (json!(42), Some("42")),
            (json!(true), Some("true")),
            (json!(" x"), Some("=?base64?IHg=?=")),
            (json!("x\t"), Some("=?base64?eAk=?=")),
            (json!("Zürich"), Some("=?base64?WsO8cmljaA==?=")),
            (json!("a\r\nb: c"), Some("=?base64?YQ0KYjogYw==?=")),
            (
                json!("=?base64?eA==?="),
                Some("=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
            ),
            (json!(null), None),
            (json!(["a"]), None),
        ] {
            assert_eq!(encoded(&value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn annotations_along_properties_are_found() {
        let schema = json!({"properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "x-mcp-header": {"type": "string", "default": {"x-mcp-header": 1}},
            "at": {"type": "object", "properties": {
                "zone": {"type": "integer", "x-mcp-header": "Zone"}
            }}
        }});
        let found = of_schema(&schema).expect("legal");
        let found: Vec<_> = found
            .iter()
            .map(|header_param| (header_param.path.join("."), header_param.header.as_str()))
            .collect();
        let expected = [
            ("region", "mcp-param-region"),
            ("at.zone", "mcp-param-zone"),
        ];
        assert_eq!(
            found,
            expected.map(|(path, header)| (path.to_owned(), header))
        );
    }

    #[test]
    fn annotations_that_break_the_rules_are_refused() {
        let text = |name: &str| json!({"type": "string", "x-mcp-header": name});
        let many: Map<String, Value> = (0..65)
            .map(|n| (format!("p{n}"), text(&format!("H{n}"))))
            .collect();
        for schema in [
            json!({"x-mcp-header": "Root"}),
            json!({"properties": {"a": text("")}}),
            json!({"properties": {"a": text("no colon:")}}),
            json!({"properties": {"a": text(&"x".repeat(300))}}),
            json!({"properties": {"a": {"type": "string", "x-mcp-header": 1}}}),
            json!({"properties": {"a": {"type": "number", "x-mcp-header": "A"}}}),
            json!({"properties": {"a": {"x-mcp-header": "A"}}}),
            json!({"properties": {"a": text("Same"), "b": text("same")}}),
            json!({"properties": {"a": {"items": text("A")}}}),
            json!({"properties": {"a": {"items": {"properties": {"b": text("A")}}}}}),
            json!({"oneOf": [text("A")]}),
            json!({"$defs": {"default": text("A")}}),
            json!({"properties": many}),
        ] {
            assert!(of_schema(&schema).is_err(), "{schema}");
        }
    }

    #[test]
    fn omitted_parameters_are_listed_by_index() {
        let tool = |name: &str, header: &str| {
            let schema = json!({"properties": {"a": {"type": "string", "x-mcp-header": header}}});
            ToolSpec::from_raw(json!({"name": name, "inputSchema": schema})).expect("a tool")
        };
        let mut problems = vec![ListProblem::new(1, None, &ToolProblem::NoName)];
        let tools = vec![tool("first", "A"), tool("third", ""), tool("fourth", "B")];
        let kept = HeaderParams::default().learn(tools, &mut problems);
        let kept: Vec<_> = kept.iter().map(|tool| tool.name().as_str()).collect();
        assert_eq!(kept, ["first", "fourth"]);
        let places: Vec<_> = problems.iter().map(|problem| problem.index).collect();
        assert_eq!(places, [1, 2]);
        assert_eq!(problems[1].name.as_deref(), Some("third"));
    }
}
