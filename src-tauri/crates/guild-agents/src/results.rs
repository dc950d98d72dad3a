//! Limits the results that agents get, and reads the rest of a cut result (`result_read`).
//!
//! The complete text of a cut result stays readable: from the history, or from memory if the
//! history does not store it completely.

mod cut;
mod document;
mod held;
mod outline;
mod part;

use std::fmt::Write;
use std::sync::Arc;

use guild_api::wire::EntryId;
use guild_catalog::menu::{self, ResultPart};
use guild_files::blocking::blocking;
use guild_gateway::{GatewayError, GatewayRequestContext};
use guild_model::endpoint::RESULT_TOKENS;
use guild_model::{CallId, Report};
use serde_json::json;
use serde_json::value::RawValue;

use self::cut::{NOTE_TOKENS, ResultLimit, cut};
use self::document::ResultDocument;
use self::held::HeldResult;
pub(crate) use self::held::HeldResults;
use super::backend::{AgentBackend, refusal};
use super::tool_calls::unserialized;
use super::view::{ExposedTool, View};

impl AgentBackend {
    /// Cuts the result of a call that was just recorded, if the result exceeds the endpoint's
    /// limit.
    pub(super) async fn limited(
        &self,
        context: &GatewayRequestContext,
        (view, tool): (&View, &ExposedTool),
        (call, at_ms): (CallId, u64),
        result: Box<RawValue>,
    ) -> Result<Box<RawValue>, GatewayError> {
        let spec = &tool.tool().spec;
        let tokens = match view.result_tokens {
            // A token has at least one byte, so a result with fewer bytes than the limit has tokens
            // can't exceed it.
            Some(tokens) if result.get().len() > tokens && !spec.is_for_apps_only() => tokens,
            _ => return Ok(result),
        };
        let is_for_app = spec.app_uri().is_some();
        let limit = ResultLimit { tokens, is_for_app };
        let cutting = blocking(move || (cut(result.get(), limit), result));
        let (cut, result) = cutting.await.map_err(|report| refusal(&report))?;
        let (Some(cut), Some(random)) = (cut, random()) else {
            return Ok(result);
        };
        let reader = format!("{random} {}", reader(context));
        let history = &self.agents.history;
        let entry = history.make_readable(call, at_ms, reader.clone()).await;
        let handle = match entry {
            Some(EntryId(id)) => format!("r{id}-{random}"),
            None => {
                let handle = format!("m{random}");
                self.agents.results.hold(HeldResult {
                    handle: handle.clone(),
                    reader,
                    result: Arc::from(result.get()),
                });
                handle
            }
        };
        let text = cut.with_handle(&handle, entry.is_some());
        RawValue::from_string(text).map_err(unserialized)
    }

    /// Reads a part of a cut result. A failure is a tool result too, so that the model sees it.
    pub(super) async fn read_result(
        &self,
        context: &GatewayRequestContext,
        handle: &str,
        part: ResultPart,
    ) -> Result<String, GatewayError> {
        let view = self.view(context)?;
        let result = match self.result_of(context, handle).await {
            Ok(result) => result,
            Err(problem) => return Ok(menu::tool_error(&problem)),
        };
        // The limit of the endpoint may have been removed since.
        let tokens = view.result_tokens.unwrap_or(RESULT_TOKENS as usize);
        let reading = blocking(move || {
            let document = ResultDocument::read(&result);
            part::read(&document, &part, tokens - NOTE_TOKENS)
        });
        let read = reading.await.map_err(|report| refusal(&report))?;
        Ok(match read {
            Ok(part) => {
                let texts =
                    [part.text, part.note].map(|text| json!({"type": "text", "text": text}));
                json!({"content": texts}).to_string()
            }
            Err(problem) => menu::tool_error(&problem),
        })
    }

    /// Returns the result with a handle, if it belongs to the client and the endpoint.
    async fn result_of(
        &self,
        context: &GatewayRequestContext,
        handle: &str,
    ) -> Result<Arc<str>, String> {
        let (random, found) = match recorded(handle) {
            Some((id, random)) => {
                let found = self.agents.history.readable(EntryId(id)).await;
                let found = found.map_err(|report: Report| report.message)?;
                let found = found.ok_or(
                    "The history no longer keeps this result. Call the tool again to get it.",
                )?;
                (random, (found.reader, Arc::from(found.result)))
            }
            None => {
                let held = self.agents.results.get(handle).ok_or(
                    "No result has this handle. A handle is at the end of a result that was cut. \
                     If this one was there, the result is no longer in memory: call the tool again.",
                )?;
                (&handle[1..], (held.reader, held.result))
            }
        };
        let (owner, result) = found;
        match owner.split_once(' ') {
            Some((own, of)) if own == random && of == reader(context) => Ok(result),
            Some((own, _)) if own == random => Err(
                "This handle belongs to another client or endpoint. Call the tool here to get a \
                 handle of your own."
                    .into(),
            ),
            _ => Err(
                "No result has this handle. A handle is at the end of a result that was cut."
                    .into(),
            ),
        }
    }
}

/// Returns the ID of the history's entry and the random part of a handle. `None` for the handle of
/// a result that is held in memory.
fn recorded(handle: &str) -> Option<(i64, &str)> {
    let (id, random) = handle.strip_prefix('r')?.split_once('-')?;
    Some((id.parse().ok()?, random))
}

/// Returns a string that identifies the client and the endpoint of a request. Clients without a
/// token are distinguished by the names that they report.
fn reader(context: &GatewayRequestContext) -> String {
    let client = match &context.client.id {
        Some(id) => id.to_string(),
        None => format!("({})", context.calls_itself),
    };
    format!("{client} {}", context.endpoint)
}

/// Returns random hexadecimal digits. `None` if the system has no random numbers.
fn random() -> Option<String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).ok()?;
    let mut text = String::new();
    for byte in bytes {
        // Writing to a string never fails.
        let _ = write!(text, "{byte:02x}");
    }
    Some(text)
}
