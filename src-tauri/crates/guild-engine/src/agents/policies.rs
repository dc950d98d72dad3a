//! Which policy a tool has for agents, before any profile's.

use std::collections::BTreeMap;
use std::sync::Arc;

use guild_core::manifest::{Manifest, Policy, ToolSettings};
use guild_core::{MemberName, ToolName};

use super::Agents;
use super::settings::Settings;

/// All policies as they are now.
#[derive(Debug)]
pub(crate) struct Policies(Arc<Settings>);

/// Those of one member's tools.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfMember<'a> {
    /// Set by a person.
    set: Option<&'a BTreeMap<ToolName, Policy>>,
    manifest: Option<&'a BTreeMap<String, ToolSettings>>,
}

impl Agents {
    /// All policies as they are now.
    pub(crate) fn policies(&self) -> Policies {
        Policies(Arc::clone(&self.settings.borrow()))
    }
}

impl Policies {
    /// Those of one member's tools.
    pub(crate) fn of<'a>(
        &'a self,
        member: &MemberName,
        manifest: Option<&'a Manifest>,
    ) -> OfMember<'a> {
        OfMember::new(&self.0, member, manifest)
    }
}

impl<'a> OfMember<'a> {
    pub(super) fn new(
        settings: &'a Settings,
        member: &MemberName,
        manifest: Option<&'a Manifest>,
    ) -> Self {
        Self {
            set: settings.policies.get(member),
            manifest: manifest.map(|manifest| &manifest.tools),
        }
    }

    /// A tool's policy, and where it comes from.
    pub(crate) fn of(self, tool: &ToolName) -> (Policy, &'static str) {
        let set = self.set.and_then(|set| set.get(tool));
        let of_manifest = || self.manifest?.get(tool.as_str())?.policy;
        set.map(|&policy| (policy, "gateway.json"))
            .or_else(|| Some((of_manifest()?, "the manifest")))
            .unwrap_or((Policy::Allow, "the default"))
    }
}
