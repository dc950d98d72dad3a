//! What is said of a name that nobody has.

use guild_core::{Code, MemberName, Report, ToolName};

use super::Snapshot;

impl Snapshot {
    /// There is no such member.
    pub(crate) fn unknown_member(&self, member: &MemberName) -> Report {
        let names = self.members.keys().map(MemberName::as_str);
        Report::new(
            Code::MemberUnknown,
            format!("There is no member {:?}.", member.as_str()),
            near(member.as_str(), names)
                .unwrap_or_else(|| format!("Members are looked for in {}.", self.members_dir)),
        )
        .of(member)
    }

    /// The member has no such tool.
    pub(crate) fn unknown_tool(&self, member: &MemberName, tool: &ToolName) -> Report {
        let entry = self.members.get(member);
        let names: Vec<&str> = entry
            .iter()
            .flat_map(|entry| entry.tools.tools())
            .map(|tool| tool.spec.name().as_str())
            .collect();
        let count = names.len();
        Report::new(
            Code::ToolUnknown,
            format!("The member has no tool {:?}.", tool.as_str()),
            near(tool.as_str(), names.into_iter())
                .unwrap_or_else(|| format!("It has {count} tools; list them to see their names.")),
        )
        .of(member)
    }
}

/// The name that was probably meant.
pub(crate) fn near<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    names
        .map(|name| (strsim::jaro_winkler(wanted, name), name))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| format!("Did you mean {name:?}?"))
}
