//! A server's question to a person during a call, and the answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::id::{CallId, ElicitationId, MemberName, ToolName};

/// A question of a server that waits for a person (MCP elicitation).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Elicitation {
    /// Its id, by which it is answered.
    pub id: ElicitationId,
    /// The member whose server asks.
    pub member: MemberName,
    /// The call that it belongs to; `None` where several run and the server doesn't say.
    pub call: Option<CallId>,
    /// The tool of that call; `None` for a resource or a prompt, too.
    pub tool: Option<ToolName>,
    /// The server's message to the person: plain text, at most 16 KiB.
    pub message: String,
    /// The requested input.
    pub mode: ElicitationMode,
    /// When it was asked.
    pub asked_at_ms: u64,
    /// The time at which the server gets a refusal.
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
    /// Values for a form.
    Form {
        /// The bounded schema of the requested input, as JSON text.
        schema: String,
        /// The parts that were cut off the schema, with reasons; empty for nearly all.
        notes: Vec<String>,
    },
    /// A visit to an address, outside of Guild Hall. It is shown in full and never opened by
    /// itself; accepting says that the person goes there.
    Url {
        /// The address as the server sent it, at most 8 KiB.
        url: String,
        /// The server's own id of the visit.
        elicitation_id: String,
    },
}

/// The elicitations that wait, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Elicitations {
    /// All that wait, oldest first.
    pub elicitations: Vec<Elicitation>,
}

/// A person's answer to an elicitation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnswerElicitation {
    /// The elicitation.
    pub id: ElicitationId,
    /// The person's decision.
    pub action: ElicitationAction,
    /// With `accept` of a form: the values as JSON text, an object.
    pub content: Option<String>,
}

/// Values to be checked against what an elicitation wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckElicitation {
    /// The elicitation.
    pub id: ElicitationId,
    /// The values as JSON text.
    pub content: String,
}

/// A person's decision about an elicitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ElicitationAction {
    /// The values are sent, or the address is visited.
    Accept,
    /// The person says no.
    Decline,
    /// The person closed it without a decision.
    Cancel,
}
