//! MCPB bundles: previews, and installing them as members.
//!
//! A preview writes and runs nothing. An install request names the digest of the previewed file, so
//! that no one gets a different bundle.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FoundContainer, FoundLaunch, Suspicion};
use guild_model::error::Report;
use guild_model::id::{CallId, MemberName};

/// A bundle's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfMcpb {
    /// Its whole path.
    pub path: String,
}

/// The content of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpbLook {
    /// The file.
    pub path: String,
    /// SHA-256 of the file, in lower-case hexadecimal.
    pub digest: String,
    /// The file's length.
    pub bytes: u64,
    /// How many files it has.
    pub files: usize,
    /// How many bytes they have.
    pub unpacked: u64,
    /// Its description of itself.
    pub about: McpbAbout,
    /// The launch command, with `${input:KEY}` for each answer and `${PLUGIN_DIR}` for the member's
    /// folder.
    pub launch: FoundLaunch,
    /// The same as a line for people.
    pub command_line: String,
    /// Its command as a container, where it runs one.
    pub container: Option<FoundContainer>,
    /// Its inputs.
    pub asks: McpbAsks,
    /// Why it is not meant for this machine.
    pub unfit: Option<String>,
    /// The words in it that look like an attempt to deceive.
    pub suspicions: Vec<McpbSuspicion>,
    /// Whether the file ends with a signature block. Guild Hall does not verify it, because it
    /// trusts no authority that could vouch for a signer.
    pub signed: bool,
    /// Oddities that stop nothing, a sentence each.
    pub notes: Vec<String>,
    /// A name for a member that is legal and free.
    pub suggested: MemberName,
    /// The members that were made of a bundle of this name, at most 20.
    pub installed: Vec<McpbInstalled>,
}

/// A bundle's description of itself, unverified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpbAbout {
    /// Its name for programs.
    pub name: String,
    /// Its name for people; the same where it has none.
    pub title: String,
    /// Its version.
    pub version: String,
    /// Its description, in a sentence.
    pub description: String,
    /// Its long description; may be empty.
    pub long_description: String,
    /// Its author; may be empty.
    pub author: String,
    /// Its licence; may be empty.
    pub license: String,
    /// Where more is said about it.
    pub links: Vec<String>,
    /// Its privacy policies.
    pub privacy_policies: Vec<String>,
    /// Its server's runtime: `node`, `python`, `binary` or `uv`.
    pub runs_on: String,
    /// The runtimes that it needs, each with the versions.
    pub runtimes: Vec<String>,
    /// The tools that it declares.
    pub tools: Vec<McpbDeclared>,
    /// Whether there may be more when it runs.
    pub more_tools: bool,
    /// The prompts that it declares.
    pub prompts: Vec<McpbDeclared>,
    /// Whether there may be more when it runs.
    pub more_prompts: bool,
}

/// A tool or a prompt that a bundle declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpbDeclared {
    /// Its name.
    pub name: String,
    /// Its description; may be empty.
    pub description: String,
}

/// Something suspicious about a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpbSuspicion {
    /// The tool that it is about; `None` where it is the bundle's own words.
    pub tool: Option<String>,
    /// The finding.
    pub suspicion: Suspicion,
}

/// The inputs before an install.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpbAsks {
    /// A JSON Schema of one object, as text; `writeOnly` marks what is kept as a secret. Its
    /// defaults are what the answers begin with.
    pub schema: String,
    /// The keys whose answers are kept as secrets.
    pub secrets: Vec<String>,
}

/// A member that was made of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpbInstalled {
    /// The member.
    pub member: MemberName,
    /// Its bundle's version.
    pub version: String,
    /// The order of its version and the inspected one.
    pub change: McpbChange,
    /// The questions for an update of this member: earlier answers are the defaults, and a stored
    /// secret need not be entered again.
    pub asks: McpbAsks,
}

/// The order of a bundle's version and the installed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum McpbChange {
    /// It is the same file.
    Same,
    /// A newer version.
    Newer,
    /// An older version.
    Older,
    /// Another file, of the same version or of one that can't be compared.
    Other,
}

/// A bundle to be made a member, or to be put in the place of an older one.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstallMcpb {
    /// The install's id, chosen by the caller: its progress events carry it, and `cancel_call`
    /// cancels it until the new files are in place.
    pub call: CallId,
    /// The file.
    pub path: String,
    /// Its digest from the preview.
    pub digest: String,
    /// The name of the new member.
    pub member: MemberName,
    /// Whether it takes the place of a bundle that the member has; without, the name has to be free.
    pub update: bool,
    /// The answers, as the text of one JSON object. A missing one has no answer.
    pub answers: String,
}

/// Says no answer: secrets are among them.
impl std::fmt::Debug for InstallMcpb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InstallMcpb")
            .field("call", &self.call)
            .field("path", &self.path)
            .field("digest", &self.digest)
            .field("member", &self.member)
            .field("update", &self.update)
            .finish_non_exhaustive()
    }
}

/// A bundle that is a member now. It runs when a person has accepted what it runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstalledMcpb {
    /// The member.
    pub member: MemberName,
    /// Its folder.
    pub folder: String,
    /// The version whose place it took.
    pub replaced: Option<String>,
    /// The names of the secrets that were kept for it.
    pub secrets: Vec<String>,
    /// A warning about the place where they are kept.
    pub warning: Option<Report>,
    /// The options in the answers that `container` can't express, each as the rest of a sentence.
    /// The member then runs a command although the preview showed a container.
    #[serde(default)]
    pub stays_command: Vec<String>,
}

/// Answers to be checked against the inputs.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckAnswers {
    /// The inputs: a JSON Schema as text.
    pub schema: String,
    /// The answers, as the text of one JSON object.
    pub answers: String,
}

/// Says no answer.
impl std::fmt::Debug for CheckAnswers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CheckAnswers")
    }
}
