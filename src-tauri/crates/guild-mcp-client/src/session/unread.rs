//! Raw requests and results, which are forwarded without parsing.

use std::sync::Arc;

use crate::messages::AnswerFault;
use guild_model::ToolName;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::{Abandoned, CallOptions, Session};
use crate::calls::PendingRequest;
use crate::error::McpError;
use crate::lane::RawRequestResult;
use crate::lane::compose::{InputReply, RawRequestParams, Request};

impl Session {
    /// Sends a request and returns the server's result as text. `params` is a JSON object.
    ///
    /// As with [`Session::call`], nothing is sent twice, and input requests of the server are
    /// answered.
    ///
    /// # Errors
    /// When the server returns no valid result.
    pub async fn ask_text(
        &self,
        method: &str,
        params: Option<&RawValue>,
        options: CallOptions,
    ) -> Result<Box<RawValue>, McpError> {
        let params = params.map_or(RawRequestParams::None, RawRequestParams::Text);
        self.ask(method, params, options).await
    }

    /// Calls a tool with arguments that are forwarded unchanged, a JSON object.
    ///
    /// # Errors
    /// When the server returns no valid result.
    pub async fn call_text(
        &self,
        tool: &ToolName,
        arguments: Option<&RawValue>,
        options: CallOptions,
    ) -> Result<Box<RawValue>, McpError> {
        let name = tool.as_str();
        let params = RawRequestParams::Tool { name, arguments };
        self.ask("tools/call", params, options).await
    }

    pub(super) async fn ask(
        &self,
        method: &str,
        params: RawRequestParams<'_>,
        options: CallOptions,
    ) -> RawRequestResult {
        let request = Request {
            method,
            params,
            given: InputReply::default(),
            log: None,
        };
        self.converse(request, options).await
    }

    /// Sends a request once and waits for its outcome. Dropping the future cancels the request at
    /// the server.
    pub(super) async fn ask_once(
        &self,
        request: &Request<'_>,
        call: &Arc<PendingRequest>,
        options: &CallOptions,
    ) -> RawRequestResult {
        let closed = || McpError::Closed {
            reason: self.end.get().cloned(),
        };
        let mut waits = self.calls.enter_lane(call).ok_or_else(closed)?;
        let message = request.compose(waits.id, &self.introduction)?;
        options.sent.keep(&message);
        let mut abandoned = Abandoned {
            session: self,
            id: Some(waits.id.request()),
            token: None,
            call,
        };
        let answered = self
            .lane
            .ask(request, message, &mut waits, &self.peer)
            .await;
        abandoned.id = None;
        answered.unwrap_or_else(|| Err(closed()))
    }
}

/// Serializes a value.
pub(super) fn raw(value: &impl Serialize) -> Result<Box<RawValue>, McpError> {
    to_raw_value(value).map_err(|error| {
        let wrong = AnswerFault::ParamsUnwritten(error.to_string());
        McpError::malformed(&wrong, b"")
    })
}

pub(super) fn value_of(result: &RawValue) -> Result<Value, McpError> {
    serde_json::from_str(result.get()).map_err(|error| {
        let wrong = AnswerFault::ResultUnread(error.to_string());
        McpError::malformed(&wrong, result.get().as_bytes())
    })
}
