//! The MCP side of the samples: one handler for all three.
#![expect(
    deprecated,
    reason = "log messages are on their way out of the protocol; servers of today send them"
)]

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ServerCapabilities, ServerConfig, SetLevelRequestParams, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::answer::{self, Answer};
use super::gallery::{commission, offers};
use super::{gallery, lookout, workshop};

/// Which sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sample {
    /// A tool for every kind of form field.
    Workshop,
    /// Results of every kind.
    Gallery,
    /// Slow calls.
    Lookout,
}

impl Sample {
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "workshop" => Some(Self::Workshop),
            "gallery" => Some(Self::Gallery),
            "lookout" => Some(Self::Lookout),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Workshop => "workshop",
            Self::Gallery => "gallery",
            Self::Lookout => "lookout",
        }
    }

    fn instructions(self) -> &'static str {
        match self {
            Self::Workshop => "Small tools around a workshop. Each answers with what it was given.",
            Self::Gallery => "Results of every kind that a tool can answer with.",
            Self::Lookout => {
                "Calls that take their time, tell how far they are, and can be cancelled."
            }
        }
    }

    fn capabilities(self) -> ServerCapabilities {
        let tools = ServerCapabilities::builder().enable_tools();
        match self {
            Self::Workshop => tools.build(),
            Self::Gallery => tools
                .enable_resources()
                .enable_prompts()
                .enable_completions()
                .build(),
            Self::Lookout => tools.enable_logging().build(),
        }
    }

    /// The tools as they are listed.
    pub(super) fn tools(self) -> Vec<Value> {
        match self {
            Self::Workshop => workshop::tools(),
            Self::Gallery => gallery::tools(),
            Self::Lookout => lookout::tools(),
        }
    }
}

/// The handler; cheap to clone, one for each connection.
#[derive(Debug, Clone)]
pub(super) struct SampleServer {
    sample: Sample,
    tools: Arc<Vec<Value>>,
}

impl SampleServer {
    pub(super) fn new(sample: Sample) -> Self {
        let tools = Arc::new(sample.tools());
        Self { sample, tools }
    }

    /// What a call lacks, in words for people.
    fn missing(&self, tool: &str, arguments: &Map<String, Value>) -> Option<String> {
        let tool = self.tools.iter().find(|entry| entry["name"] == tool)?;
        let required = tool["inputSchema"]["required"].as_array()?;
        let missing: Vec<_> = required
            .iter()
            .filter_map(Value::as_str)
            .filter(|field| !arguments.contains_key(*field))
            .collect();
        (!missing.is_empty()).then(|| format!("These fields are needed: {}", missing.join(", ")))
    }

    async fn run(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        context: RequestContext<RoleServer>,
    ) -> Answer {
        if !self.tools.iter().any(|entry| entry["name"] == tool) {
            let words = format!("{} has no tool {tool}", self.sample.name());
            return Err(ErrorData::invalid_params(words, None));
        }
        if let Some(words) = self.missing(tool, &arguments) {
            return Ok(answer::failed(&words));
        }
        match self.sample {
            Sample::Workshop => Ok(workshop::call(tool, arguments)),
            Sample::Gallery => gallery::call(tool, &arguments),
            Sample::Lookout => lookout::call(tool, &arguments, &context).await,
        }
    }
}

/// Reads JSON that is written by hand in this module into the SDK's own type.
pub(super) fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

impl ServerHandler for SampleServer {
    fn get_info(&self) -> ServerConfig {
        let info = Implementation::new(self.sample.name(), env!("CARGO_PKG_VERSION"));
        ServerConfig::new(self.sample.capabilities())
            .with_server_info(info)
            .with_instructions(self.sample.instructions())
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools: Result<Vec<Tool>, _> = self.tools.iter().cloned().map(typed).collect();
        Ok(ListToolsResult::with_all_items(tools?))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if self.sample == Sample::Gallery && request.name == commission::NAME {
            return commission::call(request, &context).await;
        }
        let arguments = request.arguments.unwrap_or_default();
        let answer = self.run(&request.name, arguments, context).await?;
        Ok(typed::<CallToolResult>(answer)?.into())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        match self.sample {
            Sample::Gallery => typed(offers::resources()),
            Sample::Workshop | Sample::Lookout => Ok(ListResourcesResult::default()),
        }
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let content = match self.sample {
            Sample::Gallery => offers::read(&request.uri),
            Sample::Workshop | Sample::Lookout => None,
        };
        let Some(content) = content else {
            let words = format!("{} has no resource {}", self.sample.name(), request.uri);
            return Err(ErrorData::resource_not_found(words, None));
        };
        Ok(typed::<ReadResourceResult>(json!({"contents": [content]}))?.into())
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        match self.sample {
            Sample::Gallery => typed(offers::templates()),
            Sample::Workshop | Sample::Lookout => Ok(ListResourceTemplatesResult::default()),
        }
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        match self.sample {
            Sample::Gallery => typed(offers::prompts()),
            Sample::Workshop | Sample::Lookout => Ok(ListPromptsResult::default()),
        }
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let prompt = match self.sample {
            Sample::Gallery => offers::prompt(&request.name, &arguments),
            Sample::Workshop | Sample::Lookout => {
                let name = self.sample.name();
                Err(format!("{name} has no prompt {}", request.name))
            }
        };
        let prompt = prompt.map_err(|words| ErrorData::invalid_params(words, None))?;
        Ok(typed::<GetPromptResult>(prompt)?.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let argument = request.argument;
        match self.sample {
            Sample::Gallery => typed(offers::complete(&argument.name, &argument.value)),
            Sample::Workshop | Sample::Lookout => Ok(CompleteResult::default()),
        }
    }

    async fn set_level(
        &self,
        _request: SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // A message is sent only when a call asks for one, so there is nothing to hold back.
        Ok(())
    }
}
