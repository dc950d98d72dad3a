//! Differences between two tool lists.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::ToolName;
use crate::tool::ToolSpec;

/// The changes between a list and its successor.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolListDiff {
    /// Tools that are new, in the new list's order.
    pub added: Vec<ToolName>,
    /// Tools that are gone, in the old list's order.
    pub removed: Vec<ToolName>,
    /// Tools that are in both lists and differ, in the new list's order.
    pub changed: Vec<ToolSpecDiff>,
}

/// A tool that differs between the two lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolSpecDiff {
    /// The tool.
    pub name: ToolName,
    /// The fields of the tool's JSON that differ, e.g. `description`, `inputSchema`.
    pub fields: Vec<String>,
}

impl ToolListDiff {
    /// Compares two lists. The order of the tools does not matter.
    pub fn between(old: &[ToolSpec], new: &[ToolSpec]) -> Self {
        let before: HashMap<_, _> = old.iter().map(|tool| (tool.name(), tool)).collect();
        let after: HashMap<_, _> = new.iter().map(|tool| (tool.name(), tool)).collect();
        let mut diff = Self {
            removed: old
                .iter()
                .filter(|tool| !after.contains_key(tool.name()))
                .map(|tool| tool.name().clone())
                .collect(),
            ..Self::default()
        };
        for tool in new {
            match before.get(tool.name()) {
                None => diff.added.push(tool.name().clone()),
                Some(old) if *old == tool => {}
                Some(old) => diff.changed.push(ToolSpecDiff {
                    name: tool.name().clone(),
                    fields: changed_fields(old, tool),
                }),
            }
        }
        diff
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

fn changed_fields(old: &ToolSpec, new: &ToolSpec) -> Vec<String> {
    let mut fields: Vec<String> = new
        .raw()
        .iter()
        .filter(|(key, value)| old.raw().get(*key) != Some(*value))
        .map(|(key, _)| key.clone())
        .collect();
    fields.extend(
        old.raw()
            .keys()
            .filter(|key| !new.raw().contains_key(*key))
            .cloned(),
    );
    fields
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, description: &str) -> ToolSpec {
        ToolSpec::from_raw(json!({"name": name, "description": description, "inputSchema": {}}))
            .expect("a tool")
    }

    #[test]
    fn added_removed_and_changed_tools_are_named() {
        let old = [tool("a", "1"), tool("b", "1"), tool("c", "1")];
        let new = [tool("c", "2"), tool("a", "1"), tool("d", "1")];
        let diff = ToolListDiff::between(&old, &new);
        assert_eq!(
            diff.added.iter().map(ToolName::as_str).collect::<Vec<_>>(),
            ["d"]
        );
        assert_eq!(
            diff.removed
                .iter()
                .map(ToolName::as_str)
                .collect::<Vec<_>>(),
            ["b"]
        );
        assert_eq!(diff.changed.len(), 1);
        assert_eq!(diff.changed[0].name.as_str(), "c");
        assert_eq!(diff.changed[0].fields, ["description"]);
    }

    #[test]
    fn another_order_is_no_change() {
        let diff = ToolListDiff::between(
            &[tool("a", ""), tool("b", "")],
            &[tool("b", ""), tool("a", "")],
        );
        assert!(diff.is_empty());
    }
}
