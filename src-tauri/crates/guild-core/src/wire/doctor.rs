//! Findings of an examination of this machine, with fixes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::doctor::FactKind;
use crate::id::MemberName;

/// How good or bad a finding is, the worst last.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// As it should be.
    Fine,
    /// Worth knowing, and nothing is to be done.
    Note,
    /// Something may fail because of it.
    Warning,
    /// Something fails because of it.
    Problem,
}

impl Verdict {
    /// The verdict in a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// A check of an examination.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// The variables that the login shell adds to the environment.
    LoginShell,
    /// A program that servers are often started with.
    Program,
    /// A member's command.
    Member,
    /// Where secrets are kept.
    Keychain,
    /// The ports of the members, and the gateway's.
    Ports,
    /// The folders of members and data.
    Folders,
    /// Room on the disk.
    Disk,
    /// Processes of earlier runs.
    Processes,
}

/// One finding, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Its check.
    pub check: Check,
    /// The finding's name for programs.
    pub kind: FactKind,
    /// The thing: a program's name, a folder, a member.
    pub subject: String,
    /// How good or bad it is.
    pub verdict: Verdict,
    /// The finding as a sentence.
    pub found: String,
    /// More of it, a line each: folders, names.
    pub details: Vec<String>,
    /// The fix; empty where none is needed.
    pub advice: String,
    /// The member that it is about.
    pub member: Option<MemberName>,
}

/// Everything that was found, by kind and then as it was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Examination {
    /// The findings.
    pub findings: Vec<Finding>,
    /// The worst of the verdicts.
    pub worst: Verdict,
    /// Whether it was cancelled before all was looked at.
    pub cancelled: bool,
    /// How long it took.
    pub took_ms: u64,
}
