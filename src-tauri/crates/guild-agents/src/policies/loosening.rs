//! Warns if a server's changed hints give agents more access to its tools. For members whose
//! changes are withheld no warning is needed.

use crate::messages::AgentsError;
use guild_model::profile::Profile;
use guild_model::tool::ToolSpec;
use guild_model::{Code, MemberName, Report};

use super::super::settings::GatewayConfig;
use super::super::view::ViewInputs;
use super::{InProfile, MemberPolicies};
use guild_roster::RosterEntry;

/// Maximum number of tool names in a warning.
const NAMED_MAX: usize = 5;

/// Returns a warning for each member whose changed hints give agents more access under the current
/// rules.
pub(in super::super) fn loosened(before: &ViewInputs, now: &ViewInputs) -> Vec<Report> {
    let (before, _) = before.parts();
    let (now, settings) = now.parts();
    let rules = |profile: &Profile| !profile.rules.is_empty();
    if settings.rules.is_empty() && !settings.profiles.iter().any(rules) {
        return vec![];
    }
    let members = now.members.iter().filter_map(|(member, entry)| {
        let was = before.members.get(member)?;
        of_member(member, was, entry, settings)
    });
    members.collect()
}

fn of_member(
    member: &MemberName,
    before: &RosterEntry,
    now: &RosterEntry,
    settings: &GatewayConfig,
) -> Option<Report> {
    if std::sync::Arc::ptr_eq(&before.tools, &now.tools) {
        return None;
    }
    let policies = MemberPolicies::new(settings, member, now.manifest.as_deref());
    let in_profiles: Vec<MemberPolicies<'_>> = settings
        .profiles
        .iter()
        .filter_map(|profile| Some(policies.in_profile(Some(InProfile::of(profile, member)?))))
        .collect();
    let looser = |was: &ToolSpec, is: &ToolSpec| {
        let all = std::iter::once(&policies).chain(&in_profiles);
        let mut all = all.filter(|policies| policies.chooses(is.name()));
        all.any(|policies| policies.of(is).policy < policies.of(was).policy)
    };
    let tools = now.tools.tools().iter().map(|tool| &tool.spec);
    let names: Vec<&str> = tools
        .filter(|tool| {
            let was = before.tools.get(tool.name());
            was.is_some_and(|was| policies.hints(&was.spec) != policies.hints(tool) && looser(&was.spec, tool))
                // Agents don't get a withheld tool before its review.
                && !now.held.contains_key(tool.name())
        })
        .map(|tool| tool.name().as_str())
        .collect();
    let (first, rest) = names.split_at(names.len().min(NAMED_MAX));
    if first.is_empty() {
        return None;
    }
    let tools = first.join(", ");
    let trouble = match rest.len() {
        0 => AgentsError::Loosened(tools),
        more => AgentsError::LoosenedMore(tools, more),
    };
    Some(Report::from_error(Code::HintsLoosened, &trouble).of(member))
}
