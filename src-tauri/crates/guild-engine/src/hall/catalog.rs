//! The catalogue: every tool, out of the index alone.

use std::sync::{Arc, LazyLock};

use guild_core::Code;
use guild_core::agents::menu::MenuTool;
use guild_core::schema::first_sentence;
use guild_core::tool::ToolSpec;
use guild_core::wire::{Catalog, CatalogMember, CatalogTool, DiscoveryStatus, ToolKind};
use serde_json::value::RawValue;

use super::Hall;
use super::detail::provenance;
use crate::agents::Policies;
use crate::index::{Entry, Snapshot};

/// Guild Hall's own tools, as agents find them in every list that is not in full.
static NATIVE: LazyLock<Vec<CatalogTool>> = LazyLock::new(|| {
    let own = |tool: MenuTool| {
        let definition: Option<&RawValue> = serde_json::from_str(tool.definition()).ok();
        let spec = definition.and_then(|text| ToolSpec::from_text(text).ok());
        CatalogTool {
            name: tool.name().into(),
            description: spec
                .map(|spec| first_sentence(spec.description()))
                .unwrap_or_default()
                .into(),
            kind: ToolKind::Native,
            policy: None,
            provenance: None,
            discovery_status: None,
            last_discovered_ms: None,
        }
    };
    MenuTool::ALL.map(own).to_vec()
});

impl Hall {
    /// Every tool, with whether agents may call it and how it was found out. Nothing is started,
    /// and nothing is read but the index; the policies are read from the disk when they are first
    /// asked for.
    pub async fn catalog(&self) -> Catalog {
        let policies = self.agents().await.policies();
        self.snapshot().catalog(&policies)
    }
}

impl Snapshot {
    fn catalog(&self, policies: &Policies) -> Catalog {
        let count: usize = self.members.values().map(|m| m.tools.tools().len()).sum();
        let mut tools = Vec::with_capacity(NATIVE.len() + count);
        tools.extend_from_slice(&NATIVE);
        for (member, entry) in self.members.iter() {
            let policy = policies.of(member, entry.manifest.as_deref());
            let provenance = provenance(&entry.tools, entry.view.freshness);
            let listed = entry.tools.tools().iter();
            tools.extend(listed.map(|tool| {
                let line = tool.line(member);
                CatalogTool {
                    name: Arc::clone(&line.name),
                    description: Arc::clone(&line.description),
                    kind: ToolKind::Mcp,
                    policy: Some(policy.of(tool.spec.name()).0),
                    provenance: Some(provenance),
                    discovery_status: Some(entry.discovery),
                    last_discovered_ms: entry.tools.listed_at_ms,
                }
            }));
        }
        let members = self.members.iter().map(|(member, entry)| CatalogMember {
            member: member.clone(),
            discovery_status: entry.discovery,
            last_discovered_ms: entry.tools.listed_at_ms,
            discovery_error: why_failed(entry),
            found: entry.tools.found,
            tools: entry.tools.tools().len(),
        });
        Catalog {
            members: members.collect(),
            tools,
        }
    }
}

/// Why a member's tools could not be found out.
fn why_failed(entry: &Entry) -> Option<guild_core::Report> {
    if entry.discovery != DiscoveryStatus::Failed {
        return None;
    }
    let view = &entry.view;
    let of_list = || view.warnings.iter().find(|w| w.code == Code::ListFailed);
    view.error.as_ref().or_else(of_list).cloned()
}
