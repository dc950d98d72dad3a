//! A member's resources, resource templates, prompts and skills ("offers").

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CallEnd;
use guild_model::id::{CallId, MemberName};

/// A member's resources, prompts and skills in the server's order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberOffers {
    pub member: MemberName,
    pub resources: Vec<ResourceView>,
    pub templates: Vec<ResourceTemplateView>,
    pub prompts: Vec<PromptView>,
    pub skills: Vec<SkillView>,
    /// The entries that were left out of the lists, with reasons.
    pub problems: Vec<OfferProblem>,
}

/// One of the lists of a member's offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OfferList {
    /// The resources.
    Resources,
    /// The resource templates.
    Templates,
    /// The prompts.
    Prompts,
    /// The skills (SEP-2640).
    Skills,
}

impl OfferList {
    /// All lists.
    pub const ALL: [Self; 4] = [
        Self::Resources,
        Self::Templates,
        Self::Prompts,
        Self::Skills,
    ];

    /// Returns the field that identifies an entry in requests.
    pub fn key(self) -> &'static str {
        match self {
            Self::Resources | Self::Skills => "uri",
            Self::Templates => "uriTemplate",
            Self::Prompts => "name",
        }
    }

    /// Returns the prefix of an entry's name in reviews and policies.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Resources => "resource:",
            Self::Templates => "template:",
            Self::Prompts => "prompt:",
            Self::Skills => "skill:",
        }
    }
}

/// An entry that was left out of a list, or a list that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferProblem {
    pub list: OfferList,
    /// The entry's index, from 0. `None` if the whole list failed.
    pub index: Option<usize>,
    /// The entry's name or URI, cut to 80 characters. `None` if it has neither.
    pub name: Option<String>,
    pub reason: String,
}

impl OfferProblem {
    /// Creates a problem with one entry or, without an `index`, with the whole list.
    pub fn new(
        list: OfferList,
        index: Option<usize>,
        name: Option<String>,
        why: &impl ToString,
    ) -> Self {
        Self {
            list,
            index,
            name,
            reason: why.to_string(),
        }
    }
}

/// A resource as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceView {
    pub uri: String,
    pub name: String,
    pub title: Option<String>,
    pub description: Option<String>,
    pub mime_type: Option<String>,
    /// The size of the resource's content, in bytes.
    pub size: Option<u64>,
}

/// A template for the URIs of resources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceTemplateView {
    /// The template (RFC 6570).
    pub uri_template: String,
    /// The names of the template's variables, in their order.
    pub variables: Vec<String>,
    pub name: String,
    pub title: Option<String>,
    pub description: Option<String>,
    pub mime_type: Option<String>,
}

/// A prompt as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptView {
    pub name: String,
    pub title: Option<String>,
    pub description: Option<String>,
    pub arguments: Vec<PromptArgument>,
}

/// One argument of a prompt. The argument's value is always a string.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptArgument {
    pub name: String,
    pub title: Option<String>,
    pub description: Option<String>,
    /// Whether the prompt requires the argument.
    pub required: bool,
}

/// A skill as a list shows it (SEP-2640).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillView {
    /// The URI of the skill's `SKILL.md`.
    pub uri: String,
    /// The name in the frontmatter.
    pub name: String,
    /// The description in the frontmatter.
    pub description: Option<String>,
    /// All files of the skill, including `SKILL.md`. `None` if the server generates the skill's
    /// content.
    pub files: Option<Vec<SkillFile>>,
}

/// A file of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillFile {
    pub uri: String,
    /// The size of the file's content, in bytes.
    pub size: u64,
    /// The SHA-256 digest of the file's content: `sha256:` and 64 hexadecimal digits.
    pub digest: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadResource {
    /// The request's id, chosen by the caller. `cancel_call` cancels the request.
    pub call: CallId,
    pub member: MemberName,
    /// The resource's URI.
    pub uri: String,
    /// A time limit in milliseconds that replaces the manifest's.
    pub timeout_ms: Option<u64>,
}

/// A request for a prompt with its arguments filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetPrompt {
    /// The request's id, chosen by the caller. `cancel_call` cancels the request.
    pub call: CallId,
    pub member: MemberName,
    /// The prompt's name.
    pub prompt: String,
    /// The values of the arguments, by name.
    pub arguments: BTreeMap<String, String>,
    /// A time limit in milliseconds that replaces the manifest's.
    pub timeout_ms: Option<u64>,
}

/// The outcome of reading a resource or getting a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// The id of the request.
    pub call: CallId,
    pub member: MemberName,
    /// When the request began.
    pub started_at_ms: u64,
    /// The duration in milliseconds, including a start of the member.
    pub duration_ms: u64,
    /// The exact JSON-RPC message, as JSON text. `None` if nothing was sent.
    pub request: Option<String>,
    /// The result, or the reason for a missing one.
    pub end: CallEnd,
}

/// A request for completions of an argument (MCP completion).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompleteArgument {
    pub member: MemberName,
    /// The prompt or the template with the argument.
    pub of: CompletedThing,
    /// The argument's name, or the template's variable.
    pub argument: String,
    /// The text typed so far.
    pub value: String,
    /// The values of the other arguments that are filled in already.
    pub known: BTreeMap<String, String>,
}

/// A prompt or a template with arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum CompletedThing {
    /// A prompt.
    Prompt { name: String },
    /// A resource template.
    Template { uri_template: String },
}

/// Suggested values of an argument. Empty if the server has none or fails.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Completions {
    /// The suggested values, at most 100.
    pub values: Vec<String>,
    /// Whether the server has further values.
    pub has_more: bool,
}
