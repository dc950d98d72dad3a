//! Requests and results as text: what passes by is not read.

use guild_core::ToolName;
use rmcp::model::CustomRequest;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::rounds::Task;
use super::{CallOptions, Session};
use crate::McpError;

impl Session {
    /// Makes a request and gives its result as the server wrote it. `params` is a JSON object.
    ///
    /// What holds for [`Session::call`] holds here: nothing is sent twice, and a server that
    /// needs something of a person first is given it.
    ///
    /// # Errors
    /// When there is no answer, or none that is a result.
    pub async fn ask_text(
        &self,
        method: &str,
        params: Option<&RawValue>,
        options: CallOptions,
    ) -> Result<Box<RawValue>, McpError> {
        let params = params.map_or("{}", RawValue::get);
        let unreadable = |error: serde_json::Error| McpError::Malformed {
            what: format!("the parameters can't be read ({error})"),
            excerpt: String::new(),
        };
        let task = match method {
            "tools/call" => Task::Call(serde_json::from_str(params).map_err(unreadable)?),
            "resources/read" => Task::Read(serde_json::from_str(params).map_err(unreadable)?),
            "prompts/get" => Task::Prompt(serde_json::from_str(params).map_err(unreadable)?),
            method => {
                let params = serde_json::from_str(params).map_err(unreadable)?;
                Task::Other(CustomRequest::new(method, Some(params)))
            }
        };
        let result = self.converse(task, options).await?;
        to_raw_value(&result).map_err(unreadable)
    }

    /// Calls a tool with arguments that are passed on as they were written, a JSON object.
    ///
    /// # Errors
    /// When there is no answer, or none that is a result.
    pub async fn call_text(
        &self,
        tool: &ToolName,
        arguments: Option<&RawValue>,
        options: CallOptions,
    ) -> Result<Box<RawValue>, McpError> {
        let params = to_raw_value(&ToolParams {
            name: tool.as_str(),
            arguments,
        });
        let params = params.map_err(|error| McpError::Malformed {
            what: format!("the parameters can't be written ({error})"),
            excerpt: String::new(),
        })?;
        self.ask_text("tools/call", Some(&params), options).await
    }
}

/// The parameters of `tools/call`.
#[derive(Serialize)]
struct ToolParams<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<&'a RawValue>,
}
