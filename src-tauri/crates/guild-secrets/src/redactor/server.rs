//! Masks secrets in a server's own information and tools, which are stored, shown and sent to
//! agents.
//!
//! Some servers put environment values into a description, or use them as the default of an
//! argument. Texts for people and models are masked. A default with a secret is removed, so that
//! the server uses its own. Texts that calls depend on stay unchanged: names, addresses and
//! validation keywords.

use std::borrow::Cow;

use guild_mcp_client::{McpError, ToolList};
use guild_model::protocol::ServerInfo;
use guild_model::tool::{ListProblem, ToolSpec};
use serde_json::{Map, Value};

use super::{Redactor, hide};
use crate::mask::SecretMatcher;

/// Fields that calls depend on, so they stay unchanged.
const KEPT: [&str; 18] = [
    "$anchor",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$ref",
    "$schema",
    "const",
    "contentEncoding",
    "contentMediaType",
    "dependentRequired",
    "enum",
    "format",
    "pattern",
    "required",
    "resourceUri",
    "type",
    "ui/resourceUri",
    "x-mcp-header",
];
/// Fields whose value is an object with arbitrary names as keys, not schema keywords.
const OF_NAMES: [&str; 5] = [
    "$defs",
    "definitions",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

impl Redactor {
    /// Masks secrets in a list of tools. If any secrets are known, this runs on a blocking thread.
    ///
    /// # Errors
    /// `Closed` when the program ends first.
    pub async fn list(&self, list: ToolList) -> Result<ToolList, McpError> {
        let Some(mask) = self.mask() else {
            return Ok(list);
        };
        tokio::task::spawn_blocking(move || list_without(&mask, list))
            .await
            .map_err(|_| McpError::Closed { reason: None })
    }

    /// Masks secrets in a server's information.
    pub fn server(&self, mut server: ServerInfo) -> ServerInfo {
        if let Some(mask) = self.mask() {
            hide(&mask, &mut server.name);
            hide(&mask, &mut server.version);
            if let Some(instructions) = &mut server.instructions {
                hide(&mask, instructions);
            }
            if let Some(hidden) = value_without(&mask, &server.capabilities, false) {
                server.capabilities = hidden;
            }
        }
        server
    }
}

fn list_without(mask: &SecretMatcher, list: ToolList) -> ToolList {
    let ToolList {
        tools,
        mut problems,
        ttl_ms,
    } = list;
    for problem in &mut problems {
        if let Some(name) = &mut problem.name {
            hide(mask, name);
        }
        hide(mask, &mut problem.reason);
    }
    let mut without = Vec::with_capacity(tools.len());
    for (index, tool) in tools.into_iter().enumerate() {
        let Some(mut hidden) = object_without(mask, tool.raw(), false) else {
            without.push(tool);
            continue;
        };
        hidden.insert("name".to_owned(), tool.name().as_str().into());
        match ToolSpec::from_raw(Value::Object(hidden)) {
            Ok(tool) => without.push(tool),
            // The mask may be longer than a secret, so a masked tool may exceed its size limit.
            Err(wrong) => {
                let name = Some(mask.hide(tool.name().as_str()).into_owned());
                problems.push(ListProblem::new(index, name, &wrong));
            }
        }
    }
    ToolList {
        tools: without,
        problems,
        ttl_ms,
    }
}

/// Masks secrets in a value. `None` if the value has none.
fn value_without(mask: &SecretMatcher, value: &Value, of_names: bool) -> Option<Value> {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
        Value::String(text) => match mask.hide(text) {
            Cow::Owned(hidden) => Some(hidden.into()),
            Cow::Borrowed(_) => None,
        },
        Value::Array(items) => {
            let mut changed = false;
            let without: Vec<Value> = items
                .iter()
                .map(|item| {
                    let hidden = value_without(mask, item, false);
                    changed |= hidden.is_some();
                    hidden.unwrap_or_else(|| item.clone())
                })
                .collect();
            changed.then(|| without.into())
        }
        Value::Object(fields) => object_without(mask, fields, of_names).map(Value::Object),
    }
}

fn object_without(
    mask: &SecretMatcher,
    fields: &Map<String, Value>,
    of_names: bool,
) -> Option<Map<String, Value>> {
    let mut changed = Vec::new();
    for (key, value) in fields {
        let key = key.as_str();
        if !of_names && KEPT.contains(&key) {
            continue;
        }
        if !of_names && key == "default" {
            if let Cow::Owned(_) = mask.hide(&value.to_string()) {
                changed.push((key, None));
            }
            continue;
        }
        let names = !of_names && OF_NAMES.contains(&key);
        if let Some(hidden) = value_without(mask, value, names) {
            changed.push((key, Some(hidden)));
        }
    }
    if changed.is_empty() {
        return None;
    }
    let mut without = fields.clone();
    for (key, hidden) in changed {
        match hidden {
            Some(hidden) => drop(without.insert(key.to_owned(), hidden)),
            None => drop(without.shift_remove(key)),
        }
    }
    Some(without)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SECRET: &str = "planted-Zq7/x+9 \"end\"";

    fn redactor() -> Redactor {
        let redactor = Redactor::default();
        redactor.set_secrets([SECRET.to_owned()]);
        redactor
    }

    fn list(tools: impl IntoIterator<Item = Value>) -> ToolList {
        ToolList {
            tools: tools
                .into_iter()
                .map(|tool| ToolSpec::from_raw(tool).expect("a tool"))
                .collect(),
            problems: vec![],
            ttl_ms: None,
        }
    }

    #[tokio::test]
    async fn read_text_is_redacted_except_call_data() {
        let said = format!("<{SECRET}>");
        let raw = json!({
            "name": "melt",
            "title": said,
            "description": said,
            "inputSchema": {
                "type": "object",
                "properties": {
                    "default": {"type": "string", "description": said},
                    "enum": {"type": "string", "title": said, "enum": [SECRET, "b"]},
                    "key": {"type": "string", "default": SECRET, "examples": [said, "other"]},
                    "kind": {"const": SECRET},
                },
                "required": ["key"],
            },
            "_meta": {"ui": {"resourceUri": "ui://chart"}, "vendor": {"note": [1, said]}},
        });
        let other = json!({"name": "add", "description": "Adds", "inputSchema": {}});
        let masked = redactor()
            .list(list([raw, other.clone()]))
            .await
            .expect("the program goes on");
        let tool = masked.tools[0].raw();
        let shown = "<•••>";
        assert_eq!(tool["name"], "melt");
        assert_eq!(
            (&tool["title"], &tool["description"]),
            (&shown.into(), &shown.into())
        );
        let properties = &tool["inputSchema"]["properties"];
        assert_eq!(
            properties["default"],
            json!({"type": "string", "description": shown}),
            "an argument that is called so"
        );
        assert_eq!(
            properties["enum"],
            json!({"type": "string", "title": shown, "enum": [SECRET, "b"]})
        );
        assert_eq!(
            properties["key"],
            json!({"type": "string", "examples": [shown, "other"]}),
            "its server knows its own default"
        );
        assert_eq!(properties["kind"], json!({"const": SECRET}));
        assert_eq!(
            tool["_meta"],
            json!({"ui": {"resourceUri": "ui://chart"}, "vendor": {"note": [1, shown]}})
        );
        let keys: Vec<_> = tool.keys().collect();
        assert_eq!(
            keys,
            ["name", "title", "description", "inputSchema", "_meta"]
        );
        assert_eq!(Value::Object(masked.tools[1].raw().clone()), other);
        assert!(masked.problems.is_empty());
    }

    #[tokio::test]
    async fn a_tool_that_grows_too_large_by_its_masks_is_told_of() {
        let redactor = Redactor::default();
        redactor.set_secrets(["abcd".to_owned()]);
        let tool = json!({
            "name": "long",
            "description": "abcd".repeat(guild_model::tool::TOOL_BYTES_MAX / 5),
            "inputSchema": {},
        });
        let masked = redactor.list(list([tool])).await.expect("it goes on");
        assert!(masked.tools.is_empty());
        assert_eq!(masked.problems[0].name.as_deref(), Some("long"));
    }

    #[test]
    fn a_server_s_own_words_are_masked() {
        let server = ServerInfo {
            name: SECRET.to_owned(),
            version: format!("1 {SECRET}"),
            instructions: Some(SECRET.to_owned()),
            protocol_version: "2025-11-25".to_owned(),
            era: guild_model::protocol::Era::Legacy,
            capabilities: json!({"tools": {"listChanged": true}, "experimental": {"x": SECRET}}),
        };
        let masked = redactor().server(server);
        let text = serde_json::to_string(&masked).expect("JSON");
        assert!(!text.contains("planted"), "{text}");
        assert_eq!(masked.capabilities["tools"], json!({"listChanged": true}));
    }
}
