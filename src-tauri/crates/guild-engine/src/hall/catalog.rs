//! Lists all tools from the roster's snapshot.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use guild_api::wire::{
    Catalog, CatalogMember, CatalogRequest, CatalogTool, DiscoveryStatus, OfferList, ReadOnlyClaim,
    ToolKind,
};
use guild_catalog::menu::MenuTool;
use guild_model::endpoint::Endpoint;
use guild_model::policy::ToolClass;
use guild_model::tool::ToolSpec;
use guild_model::{Code, MemberName, Report, ToolName};
use guild_review::trust::offer_list;
use guild_schema::schema::first_sentence;
use serde_json::value::RawValue;

use super::GuildHall;
use super::detail::provenance;
use guild_agents::{EffectivePolicies, MemberPolicies, Nameless, whole_report};
use guild_roster::{RosterEntry, Snapshot};

/// Guild Hall's own tools. Agents see some of them in lazy and search mode.
static NATIVE: LazyLock<Vec<CatalogTool>> = LazyLock::new(|| {
    let own = |tool: MenuTool| {
        let definition: Option<&RawValue> = serde_json::from_str(tool.definition()).ok();
        let spec = definition.and_then(|text| ToolSpec::from_text(text).ok());
        CatalogTool {
            name: tool.name().into(),
            description: spec
                .as_ref()
                .map(|spec| first_sentence(spec.description()))
                .unwrap_or_default()
                .into(),
            kind: ToolKind::Native,
            policy: None,
            policy_reason: None,
            hints: spec.as_ref().map(ToolSpec::hints).unwrap_or_default(),
            class: None,
            read_only_claim: None,
            mark: None,
            withheld: None,
            provenance: None,
            discovery_status: None,
            last_discovered_ms: None,
        }
    };
    MenuTool::ALL.map(own).to_vec()
});

impl GuildHall {
    /// Returns every tool, with its policy for agents and the way in which it was discovered. For a
    /// profile, returns only the tools of that profile. Starts nothing. Only the first request
    /// reads from disk, to load the policies.
    ///
    /// # Errors
    /// `profile-unknown`.
    pub async fn catalog(&self, of: CatalogRequest) -> Result<Catalog, Report> {
        let agents = self.agents().await;
        let endpoint = match of.profile.clone() {
            Some(profile) => Endpoint::Profile { profile },
            None => Endpoint::All,
        };
        let policies = agents.policies(of.profile)?;
        let nameless = agents.nameless(&endpoint)?;
        Ok(catalog_of(&self.snapshot(), &policies, &nameless))
    }
}

fn catalog_of(snapshot: &Snapshot, policies: &EffectivePolicies, nameless: &Nameless) -> Catalog {
    let count: usize = snapshot
        .members
        .values()
        .map(|m| m.tools.tools().len())
        .sum();
    let mut tools = Vec::with_capacity(NATIVE.len() + count);
    tools.extend_from_slice(&NATIVE);
    let mut offers = Vec::new();
    let mut members = Vec::with_capacity(snapshot.members.len());
    for (member, entry) in snapshot.members.iter() {
        let Some(of_member) = policies.of(member, entry.manifest.as_deref()) else {
            continue;
        };
        let before = tools.len();
        add_tools(&mut tools, (member, entry), of_member, nameless.get(member));
        add_offers(&mut offers, member, entry, of_member);
        members.push(CatalogMember {
            member: member.clone(),
            discovery_status: entry.discovery,
            last_discovered_ms: entry.tools.listed_at_ms,
            discovery_error: why_failed(entry),
            found: entry.tools.found,
            tools: tools.len() - before,
            withheld: whole_report(entry),
        });
    }
    Catalog {
        members,
        tools,
        offers,
    }
}

fn add_tools(
    tools: &mut Vec<CatalogTool>,
    (member, entry): (&MemberName, &RosterEntry),
    policies: MemberPolicies<'_>,
    nameless: Option<&HashMap<ToolName, Report>>,
) {
    let provenance = provenance(&entry.tools, entry.view.freshness);
    for tool in entry.tools.tools() {
        let name = tool.spec.name();
        if !policies.chooses(name) {
            continue;
        }
        let line = tool.line(member);
        let ruling = policies.of(&tool.spec);
        let claim = line.is_doubted.then(|| policies.claim(name));
        let class = match claim {
            Some(ReadOnlyClaim::Confirmed) => ToolClass::of(line.hints),
            Some(ReadOnlyClaim::Doubted) | None => line.class,
        };
        tools.push(CatalogTool {
            name: Arc::clone(&line.name),
            description: Arc::clone(&line.description),
            kind: ToolKind::Mcp,
            policy: Some(ruling.policy),
            policy_reason: Some(ruling.reason),
            hints: line.hints,
            class: Some(class),
            read_only_claim: claim,
            mark: entry.held.get(name).copied(),
            withheld: nameless.and_then(|tools| tools.get(name)).cloned(),
            provenance: Some(provenance),
            discovery_status: Some(entry.discovery),
            last_discovered_ms: entry.tools.listed_at_ms,
        });
    }
}

/// Adds the known prompts, resources, templates and skills, and unknown ones that have a policy.
fn add_offers(
    offers: &mut Vec<CatalogTool>,
    member: &MemberName,
    entry: &RosterEntry,
    policies: MemberPolicies<'_>,
) {
    let known = entry.offers.as_deref().map_or(&[][..], Vec::as_slice);
    let mut named = policies.named_offers();
    for spec in known {
        named.remove(spec.name());
    }
    let known = known.iter().map(|spec| (spec.name(), Some(spec)));
    let named = named.iter().map(|name| (name, None));
    for (name, spec) in known.chain(named) {
        let Some(list) =
            offer_list(name).filter(|_| policies.chooses_offer(std::slice::from_ref(name)))
        else {
            continue;
        };
        let ruling = policies.of_offer(name);
        let description = spec.map(|spec| first_sentence(spec.description()));
        offers.push(CatalogTool {
            name: format!("{member}/{name}").into(),
            description: description.unwrap_or_default().into(),
            kind: match list {
                OfferList::Prompts => ToolKind::Prompt,
                OfferList::Resources => ToolKind::Resource,
                OfferList::Templates => ToolKind::Template,
                OfferList::Skills => ToolKind::Skill,
            },
            policy: Some(ruling.policy),
            policy_reason: Some(ruling.reason),
            hints: Default::default(),
            class: None,
            read_only_claim: None,
            mark: entry.held.get(name).copied(),
            withheld: None,
            provenance: None,
            discovery_status: spec.map(|_| DiscoveryStatus::Success),
            last_discovered_ms: None,
        });
    }
}

/// Returns the reason why a member's tools could not be discovered.
fn why_failed(entry: &RosterEntry) -> Option<Report> {
    if entry.discovery != DiscoveryStatus::Failed {
        return None;
    }
    let view = &entry.view;
    let of_list = || view.warnings.iter().find(|w| w.code == Code::ListFailed);
    view.error.as_ref().or_else(of_list).cloned()
}
