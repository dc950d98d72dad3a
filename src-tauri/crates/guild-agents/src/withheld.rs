//! Decides which tools are withheld from agents, with reasons.

use std::collections::HashMap;

use crate::messages::WithheldError;
use guild_api::wire::ToolMark;
use guild_model::endpoint::Endpoint;
use guild_model::manifest::Policy;
use guild_model::policy::PolicyDecision;
use guild_model::status::{Freshness, Status};
use guild_model::{Code, MemberName, Report, ToolName};

use super::Agents;
use guild_roster::RosterEntry;

/// The tools that are withheld because another tool has the same name, by member and tool, with the
/// reason.
pub type Nameless = HashMap<MemberName, HashMap<ToolName, Report>>;

impl Agents {
    /// Returns the tools of an endpoint that are withheld because another tool has the same name.
    ///
    /// # Errors
    /// `member-unknown`, `profile-unknown`.
    pub fn nameless(&self, endpoint: &Endpoint) -> Result<Nameless, Report> {
        let view = self.view(endpoint)?;
        let mut nameless = Nameless::new();
        let taken = view.withheld.iter();
        for tool in taken.filter(|tool| tool.report.code == Code::ToolNameTaken) {
            let of_member = nameless.entry(tool.member.clone()).or_default();
            of_member.insert(tool.tool.clone(), tool.report.clone());
        }
        Ok(nameless)
    }
}

/// The reason why all tools of a member are withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WithheldReason {
    Disabled,
    /// The user has not accepted the member's launch command.
    Unreviewed,
    /// The tool list is that of an earlier launch command.
    Outdated,
    /// The tool list was found in the server's output, and the server has not confirmed it.
    Unconfirmed,
}

/// Returns the reason why all tools of a member are withheld. `None` if they are not all withheld.
pub(super) fn whole(entry: &RosterEntry) -> Option<WithheldReason> {
    match (entry.view.status, entry.view.freshness) {
        (Status::Disabled, _) => Some(WithheldReason::Disabled),
        (Status::Unreviewed, _) => Some(WithheldReason::Unreviewed),
        (_, Freshness::Outdated) => Some(WithheldReason::Outdated),
        _ => entry
            .tools
            .unconfirmed()
            .map(|_| WithheldReason::Unconfirmed),
    }
}

/// Returns the reason from [`whole`] as a report.
pub fn whole_report(entry: &RosterEntry) -> Option<Report> {
    let (code, trouble) = match whole(entry)? {
        WithheldReason::Disabled => (Code::ToolDenied, WithheldError::Disabled),
        WithheldReason::Unreviewed => (Code::MemberUnreviewed, WithheldError::Unreviewed),
        WithheldReason::Outdated => (Code::ToolDenied, WithheldError::Outdated),
        WithheldReason::Unconfirmed => return entry.tools.unconfirmed(),
    };
    Some(Report::from_error(code, &trouble))
}

/// Returns the reason why a tool is withheld. `None` if it is not.
pub(super) fn reason(
    entry: &RosterEntry,
    tool: &ToolName,
    ruling: PolicyDecision,
) -> Option<Report> {
    if let Some(report) = whole_report(entry) {
        return Some(report);
    }
    match ruling.policy {
        Policy::Deny => return Some(denied(ruling)),
        Policy::Allow | Policy::Ask => {}
    }
    let trouble = match entry.held.get(tool)? {
        ToolMark::New => WithheldError::New,
        ToolMark::Changed => WithheldError::Changed,
    };
    Some(Report::from_error(Code::ToolHeld, &trouble))
}

pub(super) fn denied(ruling: PolicyDecision) -> Report {
    Report::from_error(Code::ToolDenied, &WithheldError::Denied(ruling.reason))
}
