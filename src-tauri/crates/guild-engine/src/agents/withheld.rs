//! Which tools agents do not get, and why.

use std::collections::HashMap;

use guild_core::agents::Endpoint;
use guild_core::agents::policy::Ruling;
use guild_core::manifest::Policy;
use guild_core::note::WithheldTrouble;
use guild_core::status::{Freshness, Status};
use guild_core::wire::ToolMark;
use guild_core::{Code, MemberName, Report, ToolName};

use super::Agents;
use crate::index::Entry;

/// The tools that no name is left for, by their members, and why.
pub(crate) type Nameless = HashMap<MemberName, HashMap<ToolName, Report>>;

impl Agents {
    /// The tools of an endpoint that agents do not get because no name is left for them.
    ///
    /// # Errors
    /// `member-unknown`, `profile-unknown`.
    pub(crate) fn nameless(&self, endpoint: &Endpoint) -> Result<Nameless, Report> {
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
    let (code, trouble) = match whole(entry)? {
        Whole::Disabled => (Code::ToolDenied, WithheldTrouble::Disabled),
        Whole::Unreviewed => (Code::MemberUnreviewed, WithheldTrouble::Unreviewed),
        Whole::Outdated => (Code::ToolDenied, WithheldTrouble::Outdated),
        Whole::Unconfirmed => return entry.tools.unconfirmed(),
    };
    Some(Report::told(code, &trouble))
}

/// Why a tool is withheld, if it is.
pub(super) fn reason(entry: &Entry, tool: &ToolName, ruling: Ruling) -> Option<Report> {
    if let Some(report) = whole_report(entry) {
        return Some(report);
    }
    let (code, trouble) = match entry.held.get(tool) {
        _ if ruling.policy == Policy::Deny => {
            (Code::ToolDenied, WithheldTrouble::Denied(ruling.reason))
        }
        Some(ToolMark::New) => (Code::ToolHeld, WithheldTrouble::New),
        Some(ToolMark::Changed) => (Code::ToolHeld, WithheldTrouble::Changed),
        None => return None,
    };
    Some(Report::told(code, &trouble))
}
