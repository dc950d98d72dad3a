//! Answers of tools, written as the protocol writes them.

use rmcp::model::ErrorData;
use serde_json::{Value, json};

/// What a tool answers: a `CallToolResult` as JSON, or an error of the protocol.
pub(super) type Answer = Result<Value, ErrorData>;

/// One text.
pub(super) fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

/// A failure that is a result: the tool ran, and could not do it.
pub(super) fn failed(words: &str) -> Value {
    json!({"content": [{"type": "text", "text": words}], "isError": true})
}

/// Structured content, and the same as text for clients that show nothing else.
pub(super) fn structured(words: &str, content: &Value) -> Value {
    json!({
        "content": [{"type": "text", "text": format!("{words}\n\n{content:#}")}],
        "structuredContent": content,
    })
}
