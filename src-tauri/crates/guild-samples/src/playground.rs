//! `playground`: every kind of form field, result and failure, for trying a client.

use std::process;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rmcp::handler::server::tool::InputResponses;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolResponse, CallToolResult, ContentBlock, ElicitRequest, ElicitRequestParams,
    ElicitResult, ElicitationAction, ElicitationSchema, ErrorCode, Implementation, InputRequest,
    InputRequests, InputRequiredResult, ListResourcesResult, PaginatedRequestParams,
    ProgressNotificationParam, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, Resource, ResourceContents, ServerCapabilities, ServerConfig,
};
use rmcp::schemars::JsonSchema;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, Json, RoleServer, ServerHandler, schemars, tool, tool_handler, tool_router};
use serde::{Deserialize, Serialize};
use serde_json::json;

const GUIDE_URI: &str = "playground://guide";
pub(super) const GUIDE: &str = include_str!("guide.md");
const IMAGE: &[u8] = include_bytes!("../../../../icons/128x128.png");
const SOUND: &[u8] = include_bytes!("chime.wav");
/// The number of lines in the large result.
const LARGE_LINES: usize = 5_000;
/// The key of the input request that `long_task` returns.
const QUESTION: &str = "details";

#[derive(Clone)]
pub(super) struct Playground;

#[derive(Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{"message": "Hello"}]))]
struct Echo {
    /// The text to return
    #[schemars(length(max = 10_000))]
    message: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{
    "title": "Paint for the hall",
    "size": "medium",
    "quantity": 3,
    "price": 12.5,
    "deliver_on": "2026-12-01",
    "labels": ["paint", "hall"],
    "recipient": {"name": "Ada", "email": "ada@example.com"},
}]))]
struct Order {
    /// Short text
    #[schemars(length(min = 1, max = 80))]
    title: String,
    /// One of a few choices
    size: Size,
    /// Whole number
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 100))]
    quantity: u8,
    /// Number with decimals
    #[schemars(range(min = 0))]
    price: Option<f64>,
    /// Yes or no
    #[serde(default)]
    express: bool,
    /// Date
    #[schemars(extend("format" = "date"))]
    deliver_on: Option<String>,
    /// List of texts
    #[serde(default)]
    #[schemars(length(max = 10))]
    labels: Vec<String>,
    /// Group of fields
    recipient: Option<Recipient>,
    /// Path of a file; the file is not read
    file_path: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Size {
    Small,
    Medium,
    Large,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Recipient {
    name: String,
    #[schemars(extend("format" = "email"))]
    email: Option<String>,
}

fn one() -> u8 {
    1
}

#[derive(Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{"kind": "table"}, {"kind": "image"}]))]
struct ResultDemo {
    /// The kind of content to return
    #[serde(default)]
    kind: ResultKind,
}

#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ResultKind {
    Text,
    Markdown,
    Table,
    #[default]
    Image,
    Audio,
    Link,
    Resource,
    Large,
    Empty,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{"how": "tool_error"}]))]
struct Fail {
    /// The kind of failure
    #[serde(default)]
    how: PlaygroundFailure,
}

#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum PlaygroundFailure {
    /// A result that is marked as an error
    #[default]
    ToolError,
    /// An error response of JSON-RPC
    ProtocolError,
    /// The server process exits
    Crash,
    /// No answer until the call is cancelled or its time limit ends
    NoAnswer,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{"seconds": 2}]))]
struct LongTask {
    /// Duration of the task in seconds
    #[serde(default = "five")]
    #[schemars(range(min = 0, max = 600))]
    seconds: f64,
    /// Number of steps, each of which reports progress
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 1_000))]
    steps: u32,
    /// Ask you for details before the task begins
    #[serde(default)]
    ask: bool,
}

fn five() -> f64 {
    5.0
}

fn ten() -> u32 {
    10
}

/// The form that `long_task` shows to the user.
#[derive(Deserialize, JsonSchema)]
struct TaskDetails {
    /// Name of the task
    #[serde(default = "task_name")]
    #[schemars(length(min = 1, max = 80))]
    name: String,
}

fn task_name() -> String {
    "Task".to_owned()
}

#[tool_router]
impl Playground {
    #[tool(
        title = "Echo",
        description = "Returns the message.",
        annotations(read_only_hint = true, idempotent_hint = true, open_world_hint = false)
    )]
    fn echo(&self, Parameters(Echo { message }): Parameters<Echo>) -> String {
        message
    }

    #[tool(
        title = "Form demo",
        description = "Shows a form with every common kind of field, and returns the values.",
        annotations(read_only_hint = true, idempotent_hint = true, open_world_hint = false)
    )]
    fn form_demo(&self, Parameters(order): Parameters<Order>) -> Json<Order> {
        Json(order)
    }

    #[tool(
        title = "Result demo",
        description = "Returns a result of the chosen kind.",
        annotations(read_only_hint = true, idempotent_hint = true, open_world_hint = false)
    )]
    fn result_demo(&self, Parameters(demo): Parameters<ResultDemo>) -> CallToolResult {
        let content = match demo.kind {
            ResultKind::Text => ContentBlock::text("The guild hall opens at nine."),
            ResultKind::Markdown => ContentBlock::text(GUIDE),
            ResultKind::Table => {
                return CallToolResult::structured(json!({"cities": [
                    {"name": "Tokyo", "country": "Japan", "population": 37_036_200},
                    {"name": "Delhi", "country": "India", "population": 34_665_600},
                    {"name": "São Paulo", "country": "Brazil", "population": 22_990_000},
                ]}));
            }
            ResultKind::Image => ContentBlock::image(BASE64.encode(IMAGE), "image/png"),
            ResultKind::Audio => ContentBlock::audio(BASE64.encode(SOUND), "audio/wav"),
            ResultKind::Link => ContentBlock::resource_link(guide()),
            ResultKind::Resource => ContentBlock::embedded_text(GUIDE_URI, GUIDE),
            ResultKind::Large => {
                let lines =
                    (1..=LARGE_LINES).map(|line| format!("{line}: a line of a long text\n"));
                ContentBlock::text(lines.collect::<String>())
            }
            ResultKind::Empty => return CallToolResult::success(Vec::new()),
        };
        CallToolResult::success(vec![content])
    }

    #[tool(
        title = "Fail",
        description = "Fails in the chosen way.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn fail(
        &self,
        Parameters(Fail { how }): Parameters<Fail>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        match how {
            PlaygroundFailure::ToolError => {
                let message = "The demo failed as requested. The server still runs.";
                Ok(CallToolResult::error(vec![ContentBlock::text(message)]))
            }
            PlaygroundFailure::ProtocolError => Err(ErrorData::new(
                ErrorCode(-32_050),
                "The demo failed as requested",
                Some(json!({"how": "protocol_error"})),
            )),
            PlaygroundFailure::Crash => process::exit(1),
            PlaygroundFailure::NoAnswer => {
                context.ct.cancelled().await;
                Ok(CallToolResult::error(vec![ContentBlock::text(
                    "Cancelled.",
                )]))
            }
        }
    }

    #[tool(
        title = "Long task",
        description = "Takes some seconds and reports its progress. It can be cancelled, and it \
            can ask you for details first.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn long_task(
        &self,
        Parameters(task): Parameters<LongTask>,
        InputResponses(responses): InputResponses,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut name = task_name();
        if task.ask {
            let answer = match responses.and_then(|mut responses| responses.remove(QUESTION)) {
                // The client repeats the call with the user's answer.
                Some(answer) => serde_json::from_value(answer).map_err(invalid)?,
                None if !can_be_asked(&context) => {
                    let message = "This client can't show questions. Set ask to false.";
                    return Ok(CallToolResult::error(vec![ContentBlock::text(message)]).into());
                }
                None if is_stateless(&context) => {
                    let request = InputRequest::Elicitation(ElicitRequest::new(question()?));
                    let requests = InputRequests::from([(QUESTION.to_owned(), request)]);
                    return Ok(InputRequiredResult::from_input_requests(requests).into());
                }
                None => ask(&context).await?,
            };
            match answer {
                ElicitResult {
                    action: ElicitationAction::Accept,
                    content: Some(content),
                    ..
                } => TaskDetails { name } = serde_json::from_value(content).map_err(invalid)?,
                _ => return Ok(text("The task was not started.")),
            }
        }

        let steps = task.steps.clamp(1, 1_000);
        let pause = Duration::from_secs_f64(task.seconds.clamp(0.0, 600.0)) / steps;
        for step in 1..=steps {
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = context.ct.cancelled() => return Ok(text("Cancelled.")),
            }
            // A client that supports progress sends a token with its call.
            if let Some(token) = context.meta.get_progress_token() {
                let progress = ProgressNotificationParam::new(token, f64::from(step))
                    .with_total(f64::from(steps))
                    .with_message(format!("Step {step} of {steps}"));
                // An error means that the client has disconnected, so the progress is not needed.
                let _ = context.peer.notify_progress(progress).await;
            }
        }
        Ok(text(&format!("{name} finished after {steps} steps.")))
    }
}

/// Whether the client can show a form to its user.
fn can_be_asked(context: &RequestContext<RoleServer>) -> bool {
    context
        .client_capabilities()
        .is_some_and(|capabilities| capabilities.elicitation.is_some())
}

/// Whether the client uses at least the protocol version 2026-07-28, in which a server asks in the
/// result of a call instead of sending a request.
fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

fn question() -> Result<ElicitRequestParams, ErrorData> {
    Ok(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: "What should the task be called?".to_owned(),
        requested_schema: ElicitationSchema::from_type::<TaskDetails>().map_err(invalid)?,
    })
}

async fn ask(context: &RequestContext<RoleServer>) -> Result<ElicitResult, ErrorData> {
    context
        .peer
        .create_elicitation(question()?)
        .await
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn invalid(error: serde_json::Error) -> ErrorData {
    ErrorData::invalid_params(error.to_string(), None)
}

fn text(text: &str) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

fn guide() -> Resource {
    Resource::new(GUIDE_URI, "guide")
        .with_title("Guide to the playground")
        .with_description("What each tool of the playground shows")
        .with_mime_type("text/markdown")
}

#[tool_handler]
impl ServerHandler for Playground {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("playground", env!("CARGO_PKG_VERSION")))
            .with_instructions("Tools for trying a client. They change nothing.")
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![guide()]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != GUIDE_URI {
            let message = format!("No resource named {}", request.uri);
            return Err(ErrorData::resource_not_found(message, None));
        }
        let contents = ResourceContents::text(GUIDE, GUIDE_URI).with_mime_type("text/markdown");
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}
