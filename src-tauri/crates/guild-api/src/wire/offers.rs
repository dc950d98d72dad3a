//! Resources, templates of resources and prompts of a member.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CallEnd;
use guild_model::id::{CallId, MemberName};

/// A member's resources and prompts in the server's order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberOffers {
    /// The member.
    pub member: MemberName,
    /// Its resources.
    pub resources: Vec<ResourceView>,
    /// Its templates of resources.
    pub templates: Vec<ResourceTemplateView>,
    /// Its prompts.
    pub prompts: Vec<PromptView>,
    /// The entries that were left out of the three lists, with reasons.
    pub problems: Vec<OfferProblem>,
}

/// One of the lists of a member's offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OfferList {
    /// The resources.
    Resources,
    /// The templates of resources.
    Templates,
    /// The prompts.
    Prompts,
}

impl OfferList {
    /// Returns the field that identifies an entry in requests.
    pub fn key(self) -> &'static str {
        match self {
            Self::Resources => "uri",
            Self::Templates => "uriTemplate",
            Self::Prompts => "name",
        }
    }

    /// Returns the beginning of the name under which an entry is reviewed.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Resources => "resource:",
            Self::Templates => "template:",
            Self::Prompts => "prompt:",
        }
    }
}

/// Something that could not be taken from one of the lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferProblem {
    /// The list.
    pub list: OfferList,
    /// The entry's place, from 0; `None` where it is the list itself that failed.
    pub index: Option<usize>,
    /// The entry's name or address, cut to 80 characters, where it has one.
    pub name: Option<String>,
    /// The problem.
    pub reason: String,
}

impl OfferProblem {
    /// An entry that was left out, or a list that could not be read.
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
    /// Its address, by which it is read.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// Its title for people.
    pub title: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Its MIME type.
    pub mime_type: Option<String>,
    /// How large its content is, in bytes.
    pub size: Option<u64>,
}

/// A template that an address of a resource is made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceTemplateView {
    /// The template (RFC 6570).
    pub uri_template: String,
    /// The names of its variables, in their order.
    pub variables: Vec<String>,
    /// Its name.
    pub name: String,
    /// Its title for people.
    pub title: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// The MIME type of its resources.
    pub mime_type: Option<String>,
}

/// A prompt as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptView {
    /// Its name.
    pub name: String,
    /// Its title for people.
    pub title: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Its arguments.
    pub arguments: Vec<PromptArgument>,
}

/// One argument of a prompt; its value is always a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// Its title for people.
    pub title: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Whether the prompt can't do without it.
    pub required: bool,
}

/// A reading of a resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadResource {
    /// The reading's id, chosen by the caller; it is cancelled by `cancel_call`.
    pub call: CallId,
    /// The member.
    pub member: MemberName,
    /// The resource's address.
    pub uri: String,
    /// A time limit instead of the manifest's, in milliseconds.
    pub timeout_ms: Option<u64>,
}

/// A prompt to be filled in by its server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetPrompt {
    /// The request's id, chosen by the caller; it is cancelled by `cancel_call`.
    pub call: CallId,
    /// The member.
    pub member: MemberName,
    /// The prompt's name.
    pub prompt: String,
    /// The arguments that are given.
    pub arguments: BTreeMap<String, String>,
    /// A time limit instead of the manifest's, in milliseconds.
    pub timeout_ms: Option<u64>,
}

/// How a reading of a resource, or a prompt, ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// The id of the request.
    pub call: CallId,
    /// The member.
    pub member: MemberName,
    /// When it began.
    pub started_at_ms: u64,
    /// How long it took, a start of the member included.
    pub duration_ms: u64,
    /// The JSON-RPC message exactly as it was sent, as JSON text; `None` where nothing was sent.
    pub request: Option<String>,
    /// The answer.
    pub end: CallEnd,
}

/// A question for values that an argument may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompleteArgument {
    /// The member.
    pub member: MemberName,
    /// The owner of the argument.
    pub of: CompletedThing,
    /// The argument's name, or the template's variable.
    pub argument: String,
    /// The text typed so far.
    pub value: String,
    /// The other arguments that are known already.
    pub known: BTreeMap<String, String>,
}

/// The owner of an argument.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum CompletedThing {
    /// A prompt.
    Prompt {
        /// Its name.
        name: String,
    },
    /// A template of resources.
    Template {
        /// The template.
        uri_template: String,
    },
}

/// Values that an argument may have; empty where the server knows none or fails.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Completions {
    /// At most 100 values.
    pub values: Vec<String>,
    /// Whether there are more.
    pub has_more: bool,
}
