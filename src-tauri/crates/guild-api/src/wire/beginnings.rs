//! Templates for members that the user develops.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::MemberName;

/// The language of a new member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TemplateLanguage {
    /// Python, with the official SDK.
    Python,
    /// TypeScript on Node.js, with the official SDK.
    TypeScript,
    /// Rust, with the official SDK.
    Rust,
    /// Bash and jq.
    Shell,
}

impl TemplateLanguage {
    /// All languages.
    pub const ALL: [Self; 4] = [Self::Python, Self::TypeScript, Self::Rust, Self::Shell];

    /// Returns the language's identifier.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::TypeScript => "typescript",
            Self::Rust => "rust",
            Self::Shell => "shell",
        }
    }
}

/// The templates of new members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberTemplates {
    /// One template per language.
    pub beginnings: Vec<MemberTemplate>,
}

/// The template of a new member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberTemplate {
    /// The template's language.
    pub from: TemplateLanguage,
    /// The files that the template adds, by their paths in the member's folder.
    pub files: Vec<String>,
    /// The command that starts the member, for display. It runs in the member's folder.
    pub command: String,
    /// The command to run once in the member's folder before the first start.
    pub set_up: Vec<String>,
    /// The build command that Guild Hall runs after each change of the sources, for display. `None`
    /// if Guild Hall only restarts the member.
    pub build: Option<String>,
}

/// A member to create from a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateMember {
    /// The member's name, which is also the name of the folder.
    pub member: MemberName,
    /// The template.
    pub from: TemplateLanguage,
}

/// A member created from a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedMember {
    pub member: MemberName,
    pub folder: String,
    /// The command to run once in the member's folder before the first start.
    pub set_up: Vec<String>,
}
