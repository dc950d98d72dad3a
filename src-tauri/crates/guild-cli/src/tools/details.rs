//! `guildhall tools --details`: lists every tool with its policy, the reason for the policy, and
//! the way in which the tool was found.

use std::process::ExitCode;

use clap::Args;
use guild_api::wire::{
    Catalog, CatalogMember, CatalogRequest, CatalogTool, DiscoveryStatus, ReadOnlyClaim, ToolMark,
};
use guild_model::Report;
use guild_model::manifest::Policy;
use guild_model::policy::{PolicyDecision, ToolClass};

use super::policy::{classes, policy_of};
use crate::call::member_name;
use crate::endpoint::profile_name;
use crate::engine_client::EngineClient;
use crate::terminal::{one_line, print, word};

/// Arguments that select the listed tools.
#[derive(Debug, Args)]
pub(super) struct Filter {
    /// With --details: show the policies of this profile
    #[arg(long, value_name = "NAME", requires = "details")]
    profile: Option<String>,
    /// With --details: list only tools with this policy
    #[arg(long, value_parser = ["allow", "ask", "deny"], requires = "details")]
    policy: Option<String>,
    /// With --details: list only tools of this kind. The kind comes from the server's
    /// hints. A read-only hint that the tool's name or description contradicts does not count
    #[arg(long, value_parser = classes(), requires = "details")]
    kind: Option<String>,
}

/// Lists every tool, and the members whose tools were not found.
pub(super) async fn details(
    engine: &EngineClient,
    member: Option<&str>,
    filter: Filter,
) -> Result<ExitCode, Report> {
    let member = match member {
        Some(member) => Some(member_name(engine, member).await?),
        None => None,
    };
    let profile = filter.profile.as_deref().map(profile_name);
    let policy = filter.policy.as_deref().and_then(policy_of);
    let class = filter.kind.as_deref().and_then(ToolClass::parse);
    if let EngineClient::Own(_) = engine {
        // Returns an error if the gateway's settings can't be read. The default policies would be
        // shown otherwise, and be wrong.
        engine.read_gateway().await?;
    }
    let mut catalog = engine.catalog(CatalogRequest { profile }).await?;
    let prefix = member.as_ref().map(|member| format!("{member}/"));
    let is_wanted = |tool: &CatalogTool| {
        policy.is_none_or(|policy| tool.policy == Some(policy))
            && class.is_none_or(|class| is_of(tool, class))
            && prefix.as_deref().is_none_or(|it| tool.name.starts_with(it))
    };
    catalog.tools.retain(is_wanted);
    catalog.offers.retain(is_wanted);
    if let Some(member) = &member {
        catalog.members.retain(|of| of.member == *member);
    }
    // With a filter, members without known tools are not listed, because they may have no tool that
    // matches the filter.
    let filtered = policy.is_some() || class.is_some();
    show(&catalog, !filtered);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn show(catalog: &Catalog, with_members: bool) {
    print(catalog, || {
        let tools = catalog.tools.iter().chain(&catalog.offers).map(line);
        let members = catalog.members.iter().filter(|_| with_members);
        let lines: Vec<String> = tools.chain(members.filter_map(member_line)).collect();
        lines.join("\n")
    });
}

/// Formats a tool as a line: its policy, its kind, its provenance, and its description.
fn line(tool: &CatalogTool) -> String {
    let ruling = tool.policy.zip(tool.policy_reason);
    let ruling = ruling.map(|(policy, reason)| in_words(&PolicyDecision { policy, reason }));
    let claim = tool.read_only_claim.map(|claim| match claim {
        ReadOnlyClaim::Doubted => {
            "claims to only read, but its name or description says otherwise".to_owned()
        }
        ReadOnlyClaim::Confirmed => "confirmed to only read".to_owned(),
    });
    let held = tool.mark.map(|mark| match mark {
        ToolMark::New => "needs review: new".to_owned(),
        ToolMark::Changed => "needs review: changed".to_owned(),
    });
    let withheld = tool.withheld.as_ref();
    let words: Vec<String> = [
        Some(word(tool.kind)),
        tool.class.map(|class| class.as_str().to_owned()),
        tool.provenance.map(word),
        tool.discovery_status.map(word),
        claim,
        held,
        withheld.map(|report| format!("withheld: {}", report.message)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let ruling = ruling.map_or_else(String::new, |ruling| format!("  {ruling}"));
    one_line(&format!(
        "{}{ruling}  [{}]  {}",
        tool.name,
        words.join(", "),
        tool.description
    ))
}

/// Formats a member whose tools were not found or are withheld from agents. `None` for other
/// members.
fn member_line(of: &CatalogMember) -> Option<String> {
    let (state, why) = match (&of.withheld, of.discovery_status) {
        (Some(report), _) => ("withheld", Some(report)),
        (None, DiscoveryStatus::Failed) => ("failed", of.discovery_error.as_ref()),
        (None, _) => return None,
    };
    let why = why.map_or_else(String::new, |report| format!(": {}", report.message));
    Some(one_line(&format!("{}  [mcp, {state}]{why}", of.member)))
}

fn is_of(tool: &CatalogTool, class: ToolClass) -> bool {
    match class {
        ToolClass::OpenWorld => tool.hints.open_world == Some(true),
        class => tool.class == Some(class),
    }
}

/// Formats a policy with its reason.
pub(super) fn in_words(ruling: &PolicyDecision) -> String {
    let policy: Policy = ruling.policy;
    format!("{} ({})", word(policy), ruling.reason)
}
