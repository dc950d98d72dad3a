//! A tool that asks the visitor something while it works.

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientResult, ElicitRequest,
    ElicitRequestParams, ErrorData, InputRequiredResult, ProtocolVersion, ServerRequest,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};

use super::{picture, tool};
use crate::sample::answer::text;
use crate::sample::server::typed;

/// The tool's name.
pub(in crate::sample) const NAME: &str = "commission";
/// What the question is called where several could be asked.
const QUESTION: &str = "wishes";

/// The tool's definition.
pub(super) fn definition() -> Value {
    tool(
        NAME,
        "Commission a painting",
        "Asks what the painting shall be like, in a form of its own, and paints it.",
        json!({
            "type": "object",
            "properties": {
                "patron": {"type": "string", "maxLength": 80, "default": "a visitor",
                    "description": "Whom the painting is for"},
            },
            "examples": [{}, {"patron": "the mayor"}],
        }),
    )
}

fn question(patron: &str) -> Value {
    json!({
        "mode": "form",
        "message": format!("What shall the painting for {patron} be like?"),
        "requestedSchema": {
            "type": "object",
            "properties": {
                "sky": {"type": "string", "title": "Time of day", "enum": ["dawn", "noon", "dusk"],
                    "default": "dusk"},
                "side": {"type": "integer", "title": "Width and height",
                    "description": "In pixels", "minimum": 16, "maximum": 512, "default": 160},
                "signed": {"type": "boolean", "title": "Signed by the painter", "default": true},
            },
            "required": ["sky"],
        },
    })
}

/// Asks, in the way of the client's version, and paints.
pub(in crate::sample) async fn call(
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let patron = request
        .arguments
        .as_ref()
        .and_then(|a| a.get("patron")?.as_str());
    let patron = patron.unwrap_or("a visitor").to_owned();
    let can_be_asked = context
        .client_capabilities()
        .is_some_and(|capabilities| capabilities.elicitation.is_some());
    if !can_be_asked {
        let words = "This client can't ask anybody; the gallery paints as it likes.";
        return painted(words, &json!({}), &patron);
    }
    let modern = context
        .protocol_version()
        .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
    let answer = match (modern, &request.input_responses) {
        (true, None) => {
            let asked = json!({"method": "elicitation/create", "params": question(&patron)});
            let needed: InputRequiredResult = typed(json!({
                "resultType": "input_required",
                "inputRequests": {QUESTION: asked},
            }))?;
            return Ok(CallToolResponse::InputRequired(needed));
        }
        (true, Some(given)) => given.get(QUESTION).cloned().unwrap_or_default(),
        (false, _) => {
            let params: ElicitRequestParams = typed(question(&patron))?;
            let asked = ServerRequest::ElicitRequest(ElicitRequest::new(params));
            let answer = context.peer.send_request(asked).await;
            match answer {
                Ok(ClientResult::ElicitResult(result)) => {
                    serde_json::to_value(result).unwrap_or_default()
                }
                Ok(_) => Value::Null,
                Err(error) => {
                    let words = format!("The question was not answered: {error}");
                    return Err(ErrorData::internal_error(words, None));
                }
            }
        }
    };
    match answer["action"].as_str() {
        Some("accept") => painted("As you wished.", &answer["content"], &patron),
        Some("decline") => said("The commission was declined; nothing is painted."),
        _ => said("The commission was called off; nothing is painted."),
    }
}

fn painted(words: &str, wishes: &Value, patron: &str) -> Result<CallToolResponse, ErrorData> {
    let side = wishes["side"]
        .as_u64()
        .and_then(|side| u32::try_from(side).ok());
    let signed = wishes["signed"].as_bool().unwrap_or(true);
    let signature = if signed { ", signed" } else { "" };
    let words = format!("{words} A painting for {patron}{signature}.");
    let result = json!({"content": [
        {"type": "text", "text": words},
        picture(side.unwrap_or(160), wishes["sky"].as_str()),
    ]});
    Ok(typed::<CallToolResult>(result)?.into())
}

fn said(words: &str) -> Result<CallToolResponse, ErrorData> {
    Ok(typed::<CallToolResult>(text(words))?.into())
}
