//! Findings of an examination of this machine, with fixes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::error::Report;
use guild_model::id::MemberName;

/// Maximum number of details of a finding.
const DETAILS_MAX: usize = 40;

/// The severity of a finding, in ascending order.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No problem.
    Fine,
    /// Information that needs no action.
    Note,
    /// Something may fail because of this finding.
    Warning,
    /// Something fails because of this finding.
    Problem,
}

impl Verdict {
    /// Returns the verdict as one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// The subject of a check by the doctor.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// The variables that the login shell adds to the environment.
    LoginShell,
    /// A program that servers are often started with, such as a package runner.
    Program,
    /// A member's command.
    Member,
    /// The keychain, which stores secrets.
    Keychain,
    /// The ports of the members, and the gateway's.
    Ports,
    /// The members' folder and the data folder.
    Folders,
    /// Free disk space.
    Disk,
    /// Processes of earlier runs.
    Processes,
}

/// The kind of a finding, as an identifier for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FactKind {
    /// The check exceeded its time limit.
    GivenUp,
    /// The check was interrupted.
    BrokenOff,
    /// The login shell was not run.
    ShellNotAsked,
    /// The login shell returned no readable output.
    ShellFailed,
    /// The login shell returned its variables.
    ShellAnswered,
    /// A program was not found in the folders of PATH.
    ProgramMissing,
    /// A program printed its version.
    ProgramAnswered,
    /// A program ended without printing its version.
    ProgramFailed,
    /// A program exceeded the time limit for its version, and was stopped.
    ProgramSilent,
    /// A program was found, but can't be run.
    ProgramUnusable,
    /// A member's manifest can't be used.
    ManifestUnusable,
    /// An error of another part of Guild Hall. The finding has the message and hint of its report.
    Reported,
    /// A member's command contains a secret, so Guild Hall did not search for the program.
    CommandSecret,
    /// A member's arguments contain secrets, which every user can see.
    SecretsInArguments,
    /// A manifest contains secrets, and other users can read it.
    SecretsReadable,
    /// A member's command was found.
    CommandFound,
    /// A member's command was not found.
    CommandMissing,
    /// A member runs in a container, but no container engine was found.
    EngineMissing,
    /// A member's command runs a container that keeps running if the `docker` process is killed.
    ContainerEscapes,
    /// A member's server requires a sign-in.
    SignInWanted,
    /// A member has never been signed in.
    NobodySignedIn,
    /// The sign-in to a member has ended.
    SignInEnded,
    /// A member's server rejects the sign-in.
    SignInRefused,
    /// A member is signed in.
    SignedIn,
    /// The keychain answers.
    KeychainReady,
    /// No keychain is available.
    KeychainAbsent,
    /// The keychain does not answer.
    KeychainUnanswered,
    /// A secret has no value.
    SecretMissing,
    /// The number of free ports for members.
    Ports,
    /// Agents reach the gateway.
    GatewayReached,
    /// The gateway is switched off.
    GatewayOff,
    /// The gateway's port is free.
    GatewayPortFree,
    /// Guild Hall itself has the gateway's port.
    GatewayPortOwn,
    /// Another program has the gateway's port.
    GatewayPortTaken,
    /// A folder does not exist.
    FolderMissing,
    /// A folder can't be read.
    FolderUnreadable,
    /// A folder can't be written.
    FolderUnwritable,
    /// Other users can change a folder.
    FolderOpen,
    /// A folder can be read and written.
    FolderFine,
    /// The system does not report the free disk space.
    RoomUnknown,
    /// The free disk space.
    Room,
    /// No process of an earlier run is left.
    NothingLeft,
    /// Processes of an earlier run are left.
    ProcessesLeft,
}

/// One finding, as displayed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub check: Check,
    /// The kind of finding, as an identifier for programs.
    pub kind: FactKind,
    /// The subject: a program's name, a folder, a member.
    pub subject: String,
    pub verdict: Verdict,
    /// The finding as a sentence.
    pub found: String,
    /// Further details, one line each: folders, names.
    pub details: Vec<String>,
    /// The fix. Empty if none is needed.
    pub advice: String,
    /// The affected member, if any.
    pub member: Option<MemberName>,
}

impl Finding {
    /// Creates a finding without details, advice or member.
    pub fn new(
        check: Check,
        subject: impl Into<String>,
        verdict: Verdict,
        kind: FactKind,
        found: impl Into<String>,
    ) -> Self {
        Self {
            check,
            kind,
            subject: subject.into(),
            verdict,
            found: found.into(),
            details: Vec::new(),
            advice: String::new(),
            member: None,
        }
    }

    /// Creates a finding with a report's message and hint.
    pub fn of_report(
        check: Check,
        subject: impl Into<String>,
        verdict: Verdict,
        report: &Report,
    ) -> Self {
        let message = report.message.as_str();
        Self::new(check, subject, verdict, FactKind::Reported, message).advised(&report.hint)
    }

    /// Sets the advice.
    #[must_use]
    pub fn advised(mut self, advice: impl Into<String>) -> Self {
        self.advice = advice.into();
        self
    }

    /// Adds at most 40 details, and a line with the number of the omitted ones.
    #[must_use]
    pub fn with(mut self, details: impl IntoIterator<Item = String>) -> Self {
        let mut details = details.into_iter();
        self.details.extend(details.by_ref().take(DETAILS_MAX));
        let more = details.count();
        if more > 0 {
            self.details.push(format!("and {more} more"));
        }
        self
    }

    /// Sets the member.
    #[must_use]
    pub fn about(mut self, member: &MemberName) -> Self {
        self.member = Some(member.clone());
        self
    }
}

/// All findings of an examination, sorted by check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Examination {
    pub findings: Vec<Finding>,
    /// The most severe verdict.
    pub worst: Verdict,
    /// Whether the examination was canceled before the last check.
    pub cancelled: bool,
    pub took_ms: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_beyond_the_limit_are_counted() {
        let details = (0..45).map(|number| format!("/{number}"));
        let finding = Finding::new(
            Check::Member,
            "forge",
            Verdict::Warning,
            FactKind::ProgramMissing,
            "",
        );
        let details = finding.with(details).details;
        assert_eq!(details.len(), 41);
        assert_eq!(details[40], "and 5 more");
    }
}
