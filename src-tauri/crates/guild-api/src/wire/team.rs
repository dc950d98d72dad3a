//! Exporting a profile as files that run its members for a team, behind a shared gateway.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::profile::ProfileName;

/// The format of an export. It decides which program runs the members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TeamTarget {
    /// A compose file. Guild Hall runs the members in a container.
    Compose,
    /// Kubernetes manifests. Guild Hall runs the members in a pod.
    Kubernetes,
    /// The configuration file of agentgateway, which starts the members itself.
    Agentgateway,
    /// Resources for agentgateway in Kubernetes, which connects to the members.
    AgentgatewayKubernetes,
    /// Resources for ToolHive's operator in Kubernetes.
    Toolhive,
}

impl TeamTarget {
    /// Whether `guildhall serve` runs the members, behind the team's gateway.
    pub fn runs_guild_hall(self) -> bool {
        matches!(self, Self::Compose | Self::Kubernetes)
    }

    /// Whether the members run in a Kubernetes cluster.
    pub fn is_cluster(self) -> bool {
        !matches!(self, Self::Compose | Self::Agentgateway)
    }
}

/// A request to export a profile for a team. It writes no files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportTeam {
    pub profile: ProfileName,
    /// The format.
    pub target: TeamTarget,
    /// The image with `guildhall` and the programs that start the members. Required if Guild Hall
    /// runs the members. In ToolHive, it runs the members that are commands.
    #[serde(default)]
    pub image: Option<String>,
    /// The image of the team's gateway, the only service with a published port. Required if Guild
    /// Hall runs the members.
    #[serde(default)]
    pub gateway_image: Option<String>,
    /// The port of the team's gateway; 8080 by default.
    #[serde(default)]
    pub gateway_port: Option<u16>,
    /// The URL at which the desktop app reaches the exported profile. By default a URL of this
    /// machine, which suits compose and a forwarded port.
    #[serde(default)]
    pub url: Option<String>,
}

/// The files that run a profile's members for a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamExport {
    /// The files, by their paths in one folder. The user applies the first file. The last file is
    /// the manifest of a member that connects the desktop app to the team's gateway.
    pub files: Vec<TeamFile>,
    /// The exported members.
    pub members: Vec<String>,
    /// The members that can't be exported.
    pub left_out: Vec<LeftOut>,
    /// The variables to set before the members run. No file contains their values.
    pub to_set: Vec<ToSet>,
    /// Further remarks, one or two sentences each.
    pub notes: Vec<String>,
}

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamFile {
    /// The file's path in the export's folder.
    pub path: String,
    pub text: String,
}

/// A member that can't be exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    pub member: String,
    /// The reason, as the end of a sentence.
    pub why: String,
}

/// A variable to set before the members run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToSet {
    /// The name of the variable, or of the secret's key.
    pub name: String,
    /// The variable's purpose.
    pub what: String,
}

/// A request to write an export into a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WriteTeamExport {
    pub export: ExportTeam,
    /// The absolute path of the folder. A missing folder is created.
    pub folder: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WrittenTeamExport {
    /// The absolute paths of the files.
    pub paths: Vec<String>,
}
