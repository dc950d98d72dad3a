//! Which tools agents do not get, and why.

use guild_core::agents::policy::Ruling;
use guild_core::manifest::Policy;
use guild_core::status::{Freshness, Status};
use guild_core::wire::ToolMark;
use guild_core::{Code, Report, ToolName};

use crate::index::Entry;

/// Why none of a member's tools is given to agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    /// It is switched off.
    Disabled,
    /// Nobody has accepted what it runs.
    Unreviewed,
    /// Its list is of another command than its manifest has now.
    Outdated,
    /// Its server has not confirmed its list.
    Unconfirmed,
}

/// Whether all of a member's tools are withheld, and why.
pub(super) fn whole(entry: &Entry) -> Option<Whole> {
    match (entry.view.status, entry.view.freshness) {
        (Status::Disabled, _) => Some(Whole::Disabled),
        (Status::Unreviewed, _) => Some(Whole::Unreviewed),
        (_, Freshness::Outdated) => Some(Whole::Outdated),
        _ => entry.tools.unconfirmed().map(|_| Whole::Unconfirmed),
    }
}

/// The same as a report.
pub(crate) fn whole_report(entry: &Entry) -> Option<Report> {
    let (code, message, hint) = match whole(entry)? {
        Whole::Disabled => (
            Code::ToolDenied,
            "The member is switched off in its manifest.",
            "Set `enabled` to true in its plugin.json.",
        ),
        Whole::Unreviewed => (
            Code::MemberUnreviewed,
            "The member comes from elsewhere, and nobody has accepted what it runs.",
            "The user can accept it on the member's page in Guild Hall.",
        ),
        Whole::Outdated => (
            Code::ToolDenied,
            "The list of its tools is from before its manifest changed.",
            "Start the member, so that it is read anew.",
        ),
        Whole::Unconfirmed => return entry.tools.unconfirmed(),
    };
    Some(Report::new(code, message, hint))
}

/// Why a tool is withheld, if it is.
pub(super) fn reason(entry: &Entry, tool: &ToolName, ruling: Ruling) -> Option<Report> {
    if let Some(report) = whole_report(entry) {
        return Some(report);
    }
    let (code, message, hint) = match entry.held.get(tool) {
        _ if ruling.policy == Policy::Deny => (
            Code::ToolDenied,
            format!(
                "Agents may not call it: its policy is `deny` ({}).",
                ruling.reason
            ),
            "Change the policy on the agents' page.",
        ),
        Some(mark) => (
            Code::ToolHeld,
            match mark {
                ToolMark::New => "It is new since the member's tools were accepted.".into(),
                ToolMark::Changed => "It is not as it was when it was accepted.".into(),
            },
            "The user can look at the difference on the member's page in Guild Hall, and accept it.",
        ),
        None => return None,
    };
    Some(Report::new(code, message, hint))
}
