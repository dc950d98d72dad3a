//! The end of a call: a result's text and its check against the tool's output schema; and the
//! handling of calls when the hall closes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use guild_api::wire::CallEnd;
use guild_model::messages::CallTrouble;
use guild_model::{Code, Report, ToolName};
use guild_schema::messages::{SchemaNote, ValueWrong};
use guild_schema::validate::{Checked, Misfit};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio_util::sync::CancellationToken;

use super::GuildHall;
use guild_roster::ToolSet;
use guild_supervisor::calls::{CallFailure, cancelled};

/// How long calls have to be cancelled when the hall closes. A member that reads no more lines can't
/// be notified.
const CALLS_TOLD: Duration = Duration::from_millis(500);

/// A result ready to be published.
pub(super) struct CallCompletion {
    pub(super) end: CallEnd,
    pub(super) structured: Option<Checked>,
}

/// The largest structured content that is held against its schema, in bytes: read, one of many
/// short values takes twenty times its size in memory.
const CHECKED_MAX: usize = 8 << 20;

/// The inspected part of a result.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallResultHead<'a> {
    #[serde(borrow, default)]
    is_error: Option<&'a RawValue>,
    #[serde(borrow, default)]
    structured_content: Option<&'a RawValue>,
}

impl GuildHall {
    /// Waits until the calls that were cancelled by the hall's end are over: each member that runs
    /// has been notified by then, and each caller has its answer.
    pub(super) async fn calls_are_told(&self) {
        let over = async {
            while !self.running().is_empty() {
                self.inner.call_over.notified().await;
            }
        };
        if tokio::time::timeout(CALLS_TOLD, over).await.is_err() {
            tracing::debug!("some calls are not over yet");
        }
    }
}

/// Waits until a call is cancelled, and a moment longer: a session that has the call notifies its
/// server first and answers by itself.
pub(super) async fn given_up(token: &CancellationToken) -> CallFailure {
    token.cancelled().await;
    tokio::time::sleep(Duration::from_millis(250)).await;
    cancelled()
}

/// Holds a result's structured content against the tool's output schema; the result itself stays
/// the text that came, on one line. It may have 64 MiB: not on the runtime's threads.
pub(super) async fn ended(
    result: Box<RawValue>,
    promised: Option<(Arc<ToolSet>, ToolName)>,
) -> CallCompletion {
    let work = tokio::task::spawn_blocking(move || {
        let text = String::from(Box::<str>::from(result));
        let head: CallResultHead<'_> = serde_json::from_str(&text).unwrap_or_default();
        let is_error = head.is_error.is_some_and(|value| value.get() == "true");
        let content = head.structured_content;
        // A check that exceeds its limit does not lose the result.
        let check = || promised.and_then(|(tools, tool)| check(&tools, &tool, content, is_error));
        let structured = catch_unwind(AssertUnwindSafe(check))
            .unwrap_or_else(|_| Some(unchecked(SchemaNote::Uncheckable)));
        CallCompletion {
            end: CallEnd::Result {
                result: on_one_line(text),
                is_error,
            },
            structured,
        }
    });
    work.await.unwrap_or_else(|error| CallCompletion {
        end: CallEnd::Failed {
            report: Report::from_error(Code::ShuttingDown, &CallTrouble::Lost(error.to_string())),
            rpc: None,
            arguments: vec![],
            stderr: vec![],
        },
        structured: None,
    })
}

fn unchecked(note: SchemaNote) -> Checked {
    Checked {
        notes: vec![note],
        ..Checked::default()
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
) -> Option<Checked> {
    let validator = tools.get(tool)?.output_validator()?;
    match content {
        Some(content) if content.get().len() > CHECKED_MAX => {
            Some(unchecked(SchemaNote::TooLarge(CHECKED_MAX >> 20)))
        }
        Some(content) => {
            let content: Value = serde_json::from_str(content.get()).unwrap_or_default();
            Some(validator.check(&content))
        }
        // A tool that failed has nothing to give.
        None if is_error => None,
        None => Some(Checked {
            errors: vec![Misfit {
                pointer: String::new(),
                what: ValueWrong::NothingStructured,
                keyword: "structuredContent".into(),
            }],
            notes: vec![],
        }),
    }
}
