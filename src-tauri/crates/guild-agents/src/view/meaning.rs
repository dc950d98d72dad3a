//! Resolves tool names at an endpoint.

use std::collections::HashMap;

use guild_api::wire::WithheldTool;
use guild_catalog::menu::{NearNames, NotDescribed, ToolDescriptionResult};
use guild_catalog::messages::NamingError;
use guild_catalog::names::{SeenNames, ToName, former_name, may_be_of, readings};
use guild_model::{Code, MemberName, Report};

use super::{ResolvedName, View};

impl View {
    /// Returns the index of all names in the forms in which models may see them. Its entries are
    /// numbered: an exposed tool has its position in `exposed`, and the numbers of the withheld
    /// tools follow.
    pub(super) fn seen(&self) -> &SeenNames {
        self.seen.get_or_init(|| {
            let prefixes: HashMap<&MemberName, bool> = self
                .mounted
                .iter()
                .map(|(member, without_prefix)| (member, *without_prefix))
                .collect();
            let former = self.exposed.iter().zip(0..).filter_map(|(tool, place)| {
                let without_prefix = *prefixes.get(&tool.member)?;
                let change = tool.change.as_ref();
                let to_name = ToName {
                    tool: tool.tool().spec.name(),
                    rename: change.and_then(|change| change.name.as_deref()),
                };
                Some((former_name(&tool.member, without_prefix, &to_name)?, place))
            });
            let former: Vec<(String, usize)> = former.collect();
            let offered = self.exposed.iter().map(|tool| tool.name.as_str()).zip(0..);
            let first = self.exposed.len();
            let withheld = self.withheld_names.iter();
            let withheld = withheld.map(|(name, at)| (name.as_str(), first + at));
            let former = former.iter().map(|(name, place)| (name.as_str(), *place));
            SeenNames::of(offered.chain(withheld).chain(former))
        })
    }

    /// Whether the name resolves to exposed or withheld tools.
    pub(crate) fn knows(&self, name: &str) -> bool {
        !matches!(self.meant(name), ResolvedName::Nothing)
    }

    /// Returns the members that may own a tool of this name. Considers only the name, not the
    /// tools.
    pub(crate) fn owners(&self, name: &str) -> impl Iterator<Item = &MemberName> {
        let readings = readings(name);
        self.mounted
            .iter()
            .filter(move |(member, without_prefix)| {
                let mut readings = readings.iter();
                readings.any(|name| may_be_of(name, member, *without_prefix))
            })
            .map(|(member, _)| member)
    }

    pub(crate) fn members(&self) -> impl Iterator<Item = &MemberName> {
        self.mounted.iter().map(|(member, _)| member)
    }

    /// Returns the exposed names, for suggestions.
    fn names(&self) -> &NearNames {
        let names = || NearNames::of(self.exposed.iter().map(|tool| tool.name.as_str()));
        self.names.get_or_init(names)
    }

    /// Returns the reason why the name does not resolve to an exposed tool.
    pub(crate) fn why_not(&self, name: &str) -> Report {
        let shown = NotDescribed::shown(name);
        let trouble = match self.meant(name) {
            ResolvedName::Withheld(WithheldTool { member, report, .. }) => {
                return report.clone().of(member);
            }
            ResolvedName::Several(names) => {
                let near = NotDescribed::several(name, names).near;
                NamingError::MayBeSeveral(shown, near.join(", "))
            }
            ResolvedName::Tool(_) | ResolvedName::Nothing => {
                let unknown = NotDescribed::unknown(name, self.names());
                match unknown.near.as_slice() {
                    [] => NamingError::NoTool(shown),
                    near => NamingError::NoToolNear(shown, near.join(", ")),
                }
            }
        };
        Report::from_error(Code::ToolUnknown, &trouble)
    }

    /// Describes one tool, or returns the reason why it is unavailable.
    pub(crate) fn describe(&self, name: &str) -> ToolDescriptionResult {
        let outcome = match self.meant(name) {
            ResolvedName::Tool(tool) => Ok(tool.full()),
            ResolvedName::Withheld(withheld) => Err(NotDescribed {
                reason: withheld.report.message.clone(),
                near: vec![],
            }),
            ResolvedName::Several(names) => Err(NotDescribed::several(name, names)),
            ResolvedName::Nothing => Err(NotDescribed::unknown(name, self.names())),
        };
        ToolDescriptionResult {
            name: name.to_owned(),
            outcome,
        }
    }
}
