//! What is made of a result before it is told: its text, and whether it keeps its promise.

use std::sync::Arc;

use guild_core::ToolName;
use guild_core::wire::{ArgumentError, CallEnd, StructuredCheck};
use serde_json::Value;

use crate::index::ToolSet;

/// A result as it is told.
pub(super) struct Ended {
    pub(super) end: CallEnd,
    pub(super) structured: Option<StructuredCheck>,
}

/// Writes a result and holds its structured content against the tool's output schema. Results are
/// up to 64 MiB: not on the runtime's threads.
pub(super) async fn ended(result: Value, promised: Option<(Arc<ToolSet>, ToolName)>) -> Ended {
    let is_error = result.get("isError") == Some(&Value::Bool(true));
    let result = Arc::new(result);
    let shared = Arc::clone(&result);
    let work = tokio::task::spawn_blocking(move || {
        let structured = promised.and_then(|(tools, tool)| check(&tools, &tool, &shared, is_error));
        (shared.to_string(), structured)
    });
    let (text, structured) = match work.await {
        Ok(done) => done,
        // The check gave up on itself; the result is told all the same.
        Err(error) => {
            let notes = vec![format!("The result could not be checked: {error}.")];
            let unchecked = StructuredCheck {
                notes,
                ..StructuredCheck::default()
            };
            (result.to_string(), Some(unchecked))
        }
    };
    Ended {
        end: CallEnd::Result {
            result: text,
            is_error,
        },
        structured,
    }
}

fn check(
    tools: &ToolSet,
    tool: &ToolName,
    result: &Value,
    is_error: bool,
) -> Option<StructuredCheck> {
    let validator = tools.get(tool)?.output_validator()?;
    match result.get("structuredContent") {
        Some(content) => {
            let checked = validator.check(content);
            Some(StructuredCheck {
                errors: checked.errors,
                notes: checked.notes,
            })
        }
        // A tool that failed has nothing to give.
        None if is_error => None,
        None => Some(StructuredCheck {
            errors: vec![ArgumentError {
                pointer: String::new(),
                message: "is missing, though the tool has an output schema".into(),
                keyword: "structuredContent".into(),
            }],
            notes: vec![],
        }),
    }
}
