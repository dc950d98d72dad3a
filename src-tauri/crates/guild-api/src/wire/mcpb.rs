//! MCPB bundles: previews, and installing them as members.
//!
//! A preview writes and runs nothing. An install request contains the digest of the previewed file,
//! so that Guild Hall never installs a different one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FoundContainer, FoundLaunch, Suspicion};
use guild_model::error::Report;
use guild_model::id::{CallId, MemberName};

/// A request about a bundle's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BundleFileRef {
    /// The file's absolute path.
    pub path: String,
}

/// The content of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpbLook {
    pub path: String,
    /// SHA-256 of the file, in lower-case hexadecimal.
    pub digest: String,
    /// The size of the file, in bytes.
    pub bytes: u64,
    /// The number of files in the bundle.
    pub files: usize,
    /// The unpacked size, in bytes.
    pub unpacked: u64,
    /// The bundle's description of itself.
    pub about: McpbAbout,
    /// The launch command, with `${input:KEY}` for each answer and `${PLUGIN_DIR}` for the member's
    /// folder.
    pub launch: FoundLaunch,
    /// The launch command as one line for display.
    pub command_line: String,
    /// The container that the command runs, if there is one.
    pub container: Option<FoundContainer>,
    /// The inputs that the bundle needs.
    pub asks: McpbAsks,
    /// Why the bundle doesn't fit this machine. `None` if it does.
    pub unfit: Option<String>,
    /// Passages that may be meant to deceive a person or a model.
    pub suspicions: Vec<McpbSuspicion>,
    /// Whether the file ends with a signature block. Guild Hall does not verify the signature,
    /// because no trusted authority could vouch for a signer.
    pub signed: bool,
    /// Remarks that don't prevent an install, one sentence each.
    pub notes: Vec<String>,
    /// A valid and unused name for the member.
    pub suggested: MemberName,
    /// The members that were installed from a bundle with this name, at most 20.
    pub installed: Vec<McpbInstalled>,
}

/// A bundle's description of itself, unverified.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpbAbout {
    /// The bundle's identifier.
    pub name: String,
    /// The display name, or the identifier if the bundle has none.
    pub title: String,
    pub version: String,
    /// The short description.
    pub description: String,
    /// The long description. May be empty.
    pub long_description: String,
    /// The author. May be empty.
    pub author: String,
    /// The license. May be empty.
    pub license: String,
    /// Links to further information.
    pub links: Vec<String>,
    pub privacy_policies: Vec<String>,
    /// The server's runtime: `node`, `python`, `binary` or `uv`.
    pub runs_on: String,
    /// The required runtimes, each with its versions.
    pub runtimes: Vec<String>,
    /// The tools that the bundle declares.
    pub tools: Vec<McpbDeclared>,
    /// Whether the running server may have further tools.
    pub more_tools: bool,
    /// The prompts that the bundle declares.
    pub prompts: Vec<McpbDeclared>,
    /// Whether the running server may have further prompts.
    pub more_prompts: bool,
}

/// A tool or a prompt that a bundle declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpbDeclared {
    pub name: String,
    /// The description. May be empty.
    pub description: String,
}

/// A suspicious passage in a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpbSuspicion {
    /// The tool with the passage. `None` if the passage is in the bundle's own texts.
    pub tool: Option<String>,
    /// The finding.
    pub suspicion: Suspicion,
}

/// The inputs to ask for before an install.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpbAsks {
    /// A JSON Schema of one object, as text. `writeOnly` marks secrets. The defaults are the
    /// initial answers.
    pub schema: String,
    /// The keys of the answers that are saved in the secret store.
    pub secrets: Vec<String>,
}

/// A member that was installed from a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpbInstalled {
    pub member: MemberName,
    pub version: String,
    /// How the inspected version compares with the installed one.
    pub change: McpbChange,
    /// The inputs for an update of this member. Earlier answers are the defaults, and a stored
    /// secret need not be entered again.
    pub asks: McpbAsks,
}

/// How a bundle's version compares with the installed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum McpbChange {
    /// The bundle is the same file.
    Same,
    /// A newer version.
    Newer,
    /// An older version.
    Older,
    /// A different file with the same version, or with a version that can't be compared.
    Other,
}

/// A bundle to install as a new member, or as an update of an installed bundle.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstallMcpb {
    /// The install's id, chosen by the caller. Progress events contain the id, and `cancel_call`
    /// cancels the install until the new files are in place.
    pub call: CallId,
    pub path: String,
    /// The file's digest from the preview.
    pub digest: String,
    /// The name of the new member.
    pub member: MemberName,
    /// Whether the bundle replaces the member's installed bundle. If not, the name must be unused.
    pub update: bool,
    /// The answers, as the text of one JSON object. A missing key means no answer.
    pub answers: String,
}

/// Omits the answers, because they may contain secrets.
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

/// The result of installing a bundle. The member starts only after the user has accepted its
/// command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstalledMcpb {
    pub member: MemberName,
    pub folder: String,
    /// The replaced version, if the install was an update.
    pub replaced: Option<String>,
    /// The names of the secrets that were saved for the member.
    pub secrets: Vec<String>,
    /// A warning about the place where the secrets are saved.
    pub warning: Option<Report>,
    /// The options in the answers that `container` can't express, each as the end of a sentence.
    /// The member then runs a command although the preview showed a container.
    #[serde(default)]
    pub stays_command: Vec<String>,
}

/// Answers to check against the inputs.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckAnswers {
    /// The inputs: a JSON Schema as text.
    pub schema: String,
    /// The answers, as the text of one JSON object.
    pub answers: String,
}

/// Omits the answers, because they may contain secrets.
impl std::fmt::Debug for CheckAnswers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CheckAnswers")
    }
}
