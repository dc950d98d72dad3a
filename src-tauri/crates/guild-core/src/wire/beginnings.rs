//! Templates for members that a person develops.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::MemberName;

/// The language of a member that is begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Beginning {
    /// Python, with the official SDK.
    Python,
    /// TypeScript on Node.js, with the official SDK.
    TypeScript,
    /// Rust, with the official SDK.
    Rust,
    /// Bash and jq.
    Shell,
}

impl Beginning {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::Python, Self::TypeScript, Self::Rust, Self::Shell];

    /// Its name.
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
pub struct Beginnings {
    /// Each of them.
    pub beginnings: Vec<OneBeginning>,
}

/// The template of a new member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OneBeginning {
    /// Its language.
    pub from: Beginning,
    /// The files that are put into the member's folder, by their paths in it.
    pub files: Vec<String>,
    /// Its start command in that folder, as a line for people.
    pub command: String,
    /// The command that runs there once before it can start.
    pub set_up: Vec<String>,
    /// What Guild Hall runs there whenever its sources change, as a line for people; `None` where
    /// it is only started again.
    pub build: Option<String>,
}

/// A member to be begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BeginMember {
    /// Its name, and its folder's.
    pub member: MemberName,
    /// The template.
    pub from: Beginning,
}

/// A member that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BegunMember {
    /// Its name.
    pub member: MemberName,
    /// Its folder.
    pub folder: String,
    /// The command that runs there once before it can start.
    pub set_up: Vec<String>,
}
