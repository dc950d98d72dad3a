//! Copying a call as text for another program.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::id::{MemberName, ToolName};

/// A call to copy as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CopyAs {
    pub member: MemberName,
    pub tool: ToolName,
    /// The arguments as JSON text: an object.
    pub arguments: String,
    pub form: CopyForm,
}

/// The form of a copied call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CopyForm {
    /// The JSON-RPC message of the call.
    JsonRpc,
    /// A shell script that calls the member with `curl`.
    Curl,
    /// The command line of `guildhall call`.
    Guildhall,
    /// The member in an `mcpServers` file of another program.
    ClientConfig,
}

/// A copied call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Copied {
    /// The text. Empty if the call can't be written in this form.
    pub text: String,
    /// A remark on the text's use, or the reason for a missing text.
    pub note: Option<String>,
}
