//! A server's question to the user during a call, and the answer (MCP elicitation).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::id::{CallId, ElicitationId, MemberName, ToolName};

/// A server's question that waits for the user's answer (MCP elicitation).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Elicitation {
    /// The question's id, for the answer.
    pub id: ElicitationId,
    /// The member whose server asks.
    pub member: MemberName,
    /// The call that caused the question. `None` if several calls run and the server doesn't name
    /// one of them.
    pub call: Option<CallId>,
    /// The tool of the call that caused the question. `None` if the call is unknown, or if it reads
    /// a resource or a prompt.
    pub tool: Option<ToolName>,
    /// The server's message to the user: plain text, at most 16 KiB.
    pub message: String,
    /// The requested input.
    pub mode: ElicitationMode,
    /// When the server asked.
    pub asked_at_ms: u64,
    /// When the server gets a refusal, unless the user answers before.
    pub expires_at_ms: u64,
}

/// The input that a server requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum ElicitationMode {
    /// A form to fill in.
    Form {
        /// The schema of the requested input, limited in size, as JSON text.
        schema: String,
        /// The schema parts that were removed because of the size limit, with reasons. Usually
        /// empty.
        notes: Vec<String>,
    },
    /// A visit to a web address outside of Guild Hall. The window shows the whole address and never
    /// opens it automatically. Accepting means that the user visits it.
    Url {
        /// The address as the server sent it, at most 8 KiB.
        url: String,
        /// The server's id of the elicitation.
        elicitation_id: String,
    },
}

/// The elicitations that wait, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Elicitations {
    /// The waiting elicitations, oldest first.
    pub elicitations: Vec<Elicitation>,
}

/// The user's answer to an elicitation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnswerElicitation {
    pub id: ElicitationId,
    /// The user's decision.
    pub action: ElicitationAction,
    /// The values of an accepted form, as JSON text: an object.
    pub content: Option<String>,
}

/// Values to check against an elicitation's schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckElicitation {
    pub id: ElicitationId,
    /// The values as JSON text.
    pub content: String,
}

/// The user's decision about an elicitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ElicitationAction {
    /// The user sends the values or visits the address.
    Accept,
    /// The user declines.
    Decline,
    /// The user closes the question without a decision.
    Cancel,
}
