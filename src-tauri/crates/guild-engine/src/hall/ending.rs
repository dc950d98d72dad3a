//! What is made of a result before it is told: its text, and whether it keeps its promise.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use guild_core::wire::{ArgumentError, CallEnd, StructuredCheck};
use guild_core::{Code, Report, ToolName};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::index::ToolSet;

/// A result as it is told.
pub(super) struct Ended {
    pub(super) end: CallEnd,
    pub(super) structured: Option<StructuredCheck>,
}

/// The largest structured content that is held against its schema, in bytes: read, one of many
/// short values takes twenty times its size in memory.
const CHECKED_MAX: usize = 8 << 20;

/// What is looked at of a result.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head<'a> {
    #[serde(borrow, default)]
    is_error: Option<&'a RawValue>,
    #[serde(borrow, default)]
    structured_content: Option<&'a RawValue>,
}

/// Holds a result's structured content against the tool's output schema; the result itself stays
/// the text that came, on one line. It may have 64 MiB: not on the runtime's threads.
pub(super) async fn ended(
    result: Box<RawValue>,
    promised: Option<(Arc<ToolSet>, ToolName)>,
) -> Ended {
    let work = tokio::task::spawn_blocking(move || {
        let text = String::from(Box::<str>::from(result));
        let head: Head<'_> = serde_json::from_str(&text).unwrap_or_default();
        let is_error = head.is_error.is_some_and(|value| value.get() == "true");
        let content = head.structured_content;
        // A check that gives up on itself is no reason to lose the result.
        let check = || promised.and_then(|(tools, tool)| check(&tools, &tool, content, is_error));
        let structured = catch_unwind(AssertUnwindSafe(check))
            .unwrap_or_else(|_| Some(unchecked("The result could not be checked.".to_owned())));
        Ended {
            end: CallEnd::Result {
                result: on_one_line(text),
                is_error,
            },
            structured,
        }
    });
    work.await.unwrap_or_else(|error| Ended {
        end: CallEnd::Failed {
            report: Report::new(
                Code::ShuttingDown,
                format!("The result was lost: {error}."),
                "",
            ),
            rpc: None,
            arguments: vec![],
            stderr: vec![],
        },
        structured: None,
    })
}

fn unchecked(note: String) -> StructuredCheck {
    StructuredCheck {
        notes: vec![note],
        ..StructuredCheck::default()
    }
}

/// Line ends of JSON text stand between values alone.
fn on_one_line(text: String) -> String {
    match text.contains(['\n', '\r']) {
        true => text.replace(['\n', '\r'], " "),
        false => text,
    }
}

fn check(
    tools: &ToolSet,
    tool: &ToolName,
    content: Option<&RawValue>,
    is_error: bool,
) -> Option<StructuredCheck> {
    let validator = tools.get(tool)?.output_validator()?;
    match content {
        Some(content) if content.get().len() > CHECKED_MAX => Some(unchecked(format!(
            "structuredContent has more than {} MiB, and was not checked.",
            CHECKED_MAX >> 20
        ))),
        Some(content) => {
            let content: Value = serde_json::from_str(content.get()).unwrap_or_default();
            let checked = validator.check(&content);
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
