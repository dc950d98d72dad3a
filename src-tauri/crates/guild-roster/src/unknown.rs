//! Errors for unknown names.

use guild_model::messages::{CallError, Unknown};
use guild_model::status::Freshness;
use guild_model::{Code, MemberName, Report, ToolName};

use super::Snapshot;

impl Snapshot {
    /// Returns the `member-unknown` report, with a similar name if there is one.
    pub fn unknown_member(&self, member: &MemberName) -> Report {
        let names = self.members.keys().map(MemberName::as_str);
        let next = near(member.as_str(), names)
            .unwrap_or_else(|| Unknown::LookedIn(self.members_dir.to_string()));
        let trouble = CallError::NoMember(format!("{:?}", member.as_str()), next);
        Report::from_error(Code::MemberUnknown, &trouble).of(member)
    }

    /// Returns the `tool-unknown` report, with a similar name or the number of tools.
    pub fn unknown_tool(&self, member: &MemberName, tool: &ToolName) -> Report {
        let entry = self.members.get(member);
        if entry.is_some_and(|entry| entry.view.freshness == Freshness::Unknown) {
            let tool = format!("{:?}", tool.as_str());
            let trouble = CallError::NeverListed(tool, member.clone());
            return Report::from_error(Code::ToolUnknown, &trouble).of(member);
        }
        let names: Vec<&str> = entry
            .iter()
            .flat_map(|entry| entry.tools.tools())
            .map(|tool| tool.spec.name().as_str())
            .collect();
        let count = names.len();
        let next = near(tool.as_str(), names.into_iter()).unwrap_or(Unknown::HasTools(count));
        let trouble = CallError::NoTool(format!("{:?}", tool.as_str()), next);
        Report::from_error(Code::ToolUnknown, &trouble).of(member)
    }
}

/// Returns the most similar name, if one is similar enough.
pub fn near<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<Unknown> {
    names
        .map(|name| (strsim::jaro_winkler(wanted, name), name))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| Unknown::Near(format!("{name:?}")))
}
