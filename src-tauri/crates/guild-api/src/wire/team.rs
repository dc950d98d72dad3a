//! A profile exported for a team.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::profile::ProfileName;

/// The runtime of the members there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TeamTarget {
    /// A compose file.
    Compose,
    /// Manifests of a cluster.
    Kubernetes,
}

/// A profile to be exported for a team. Nothing is written for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportTeam {
    /// The profile.
    pub profile: ProfileName,
    /// The runtime of the members there.
    pub target: TeamTarget,
    /// The image that has `guildhall`, and the programs that members are started by.
    pub image: String,
    /// The image of the gateway that the team has, which is the one that others reach.
    pub gateway_image: String,
    /// The port that it listens on; 8080 by default.
    #[serde(default)]
    pub gateway_port: Option<u16>,
    /// The address at which the app reaches the profile there; by default one of this machine, for
    /// compose or a forwarded port.
    #[serde(default)]
    pub url: Option<String>,
}

/// The files that run a profile's members for a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamExport {
    /// The files, by their paths in one folder; the first is what is applied, the last is the member
    /// that connects the app.
    pub files: Vec<TeamFile>,
    /// The members that run there.
    pub members: Vec<String>,
    /// The members that can't.
    pub left_out: Vec<LeftOut>,
    /// The variables to set there; none of their values is in a file.
    pub to_set: Vec<ToSet>,
    /// Further remarks, a sentence or two each.
    pub notes: Vec<String>,
}

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamFile {
    /// Its path in the export's folder.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A member that does not run there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    /// The member.
    pub member: String,
    /// Why, as the rest of a sentence.
    pub why: String,
}

/// Something that has to be set there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToSet {
    /// The name of the variable, or of the secret's key.
    pub name: String,
    /// Its purpose.
    pub what: String,
}

/// An export to be written into a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WriteTeamExport {
    /// The export.
    pub export: ExportTeam,
    /// The whole path of the folder; made where it is not there.
    pub folder: String,
}

/// An export that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WrittenTeamExport {
    /// The files, by their whole paths.
    pub paths: Vec<String>,
}
