//! Which tools agents do not get, and why.

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

/// Why a tool is withheld, if it is.
pub(super) fn reason(
    entry: &Entry,
    tool: &ToolName,
    policy: Policy,
    policy_from: &str,
) -> Option<Report> {
    let (code, message, hint) = match (whole(entry), entry.held.get(tool)) {
        (Some(Whole::Disabled), _) => (
            Code::ToolDenied,
            "The member is switched off in its manifest.".into(),
            "Set `enabled` to true in its plugin.json.",
        ),
        (Some(Whole::Unreviewed), _) => (
            Code::MemberUnreviewed,
            "The member comes from elsewhere, and nobody has accepted what it runs.".into(),
            "The user can accept it on the member's page in Guild Hall.",
        ),
        (Some(Whole::Outdated), _) => (
            Code::ToolDenied,
            "The list of its tools is from before its manifest changed.".into(),
            "Start the member, so that it is read anew.",
        ),
        (Some(Whole::Unconfirmed), _) => return entry.tools.unconfirmed(),
        (None, _) if policy == Policy::Deny => (
            Code::ToolDenied,
            format!("Agents may not call it: its policy is `deny`, by {policy_from}."),
            "Change the policy on the agents' page.",
        ),
        (None, Some(mark)) => (
            Code::ToolHeld,
            match mark {
                ToolMark::New => "It is new since the member's tools were accepted.".into(),
                ToolMark::Changed => "It is not as it was when it was accepted.".into(),
            },
            "The user can look at the difference on the member's page in Guild Hall, and accept it.",
        ),
        (None, None) => return None,
    };
    Some(Report::new(code, message, hint))
}
