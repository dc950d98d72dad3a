//! Determines what agents may use of a profile's members without the approval of a person.

use std::collections::{BTreeMap, BTreeSet};

use guild_api::wire::OfferList;
use guild_model::endpoint::Endpoint;
use guild_model::manifest::Policy;
use guild_model::profile::{Profile, ToolChoice};
use guild_model::status::Freshness;
use guild_model::{MemberName, ToolName};
use guild_review::trust::is_offer;
use guild_roster::RosterEntry;

use crate::Agents;
use crate::policies::{InProfile, MemberPolicies};
use crate::withheld;

/// The characters before the digest in the review name of a long name or URI.
const SHORTENED: &str = "…#";

/// The access of agents to a member without the approval of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberAccess {
    /// The allowed tools. `None` if the member's tools are unknown.
    pub tools: Option<Vec<String>>,
    /// Whether the member's prompts and resources are known. Unknown ones are not allowed.
    pub has_offers: bool,
    /// The allowed prompts, by name.
    pub prompts: OfferAccess,
    /// The allowed resources, by URI, and templates, by their text.
    pub resources: OfferAccess,
}

/// The allowed prompts or resources of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OfferAccess {
    /// Only those with these names.
    Only(Vec<String>),
    /// All except those with these names or with one of these prefixes. An empty prefix excludes
    /// all.
    Except {
        /// The excluded names.
        names: Vec<String>,
        /// The beginnings of excluded names.
        prefixes: Vec<String>,
    },
}

/// The access to a member of which nothing is known: none.
pub(super) static NO_ACCESS: MemberAccess = MemberAccess {
    tools: None,
    has_offers: false,
    prompts: OfferAccess::NONE,
    resources: OfferAccess::NONE,
};

impl OfferAccess {
    /// No prompts or resources.
    pub const NONE: Self = Self::Only(Vec::new());
    /// All prompts or resources.
    pub const ALL: Self = Self::Except {
        names: Vec::new(),
        prefixes: Vec::new(),
    };
}

impl Agents {
    /// Returns what agents may use of each member of a profile without the approval of a person.
    pub fn team_access(&self, profile: &Profile) -> BTreeMap<MemberName, MemberAccess> {
        let endpoint = Endpoint::Profile {
            profile: profile.name.clone(),
        };
        let Ok(view) = self.view(&endpoint) else {
            return BTreeMap::new();
        };
        let sources = self.sources();
        let (snapshot, settings) = sources.parts();
        let mut access = BTreeMap::new();
        for mounted in &profile.members {
            let member = &mounted.member;
            let Some(entry) = snapshot.members.get(member) else {
                continue;
            };
            let own = InProfile {
                rules: &profile.rules,
                mounted,
            };
            let policies = MemberPolicies::new(settings, member, entry.manifest.as_deref());
            let offers = offers(entry, policies.in_profile(Some(own)), &mounted.offers);
            let tools = view.exposed.iter().filter(|tool| tool.member == *member);
            let tools = tools.filter(|tool| tool.ruling.policy == Policy::Allow);
            let tools = tools.map(|tool| tool.tool().spec.name().to_string());
            let is_known =
                withheld::whole(entry).is_none() && entry.view.freshness != Freshness::Unknown;
            let tools = is_known.then(|| tools.collect());
            let [prompts, resources] = offers;
            access.insert(
                member.clone(),
                MemberAccess {
                    tools,
                    has_offers: entry.offers.is_some(),
                    prompts,
                    resources,
                },
            );
        }
        access
    }
}

/// Returns the allowed prompts and the allowed resources.
fn offers(
    entry: &RosterEntry,
    policies: MemberPolicies<'_>,
    choice: &ToolChoice,
) -> [OfferAccess; 2] {
    if entry.offers.is_none() || withheld::whole(entry).is_some() {
        return [OfferAccess::NONE, OfferAccess::NONE];
    }
    let held = entry.held.keys().filter(|name| is_offer(name)).cloned();
    let held: BTreeSet<ToolName> = held.collect();
    let excluded: &[ToolName] = match choice {
        ToolChoice::Except { tools } => tools,
        ToolChoice::All | ToolChoice::Only { .. } => &[],
    };
    let mut denied = policies.named_offers();
    denied
        .retain(|name| policies.of_offer(name).policy != Policy::Allow || excluded.contains(name));
    denied.extend(held);
    [
        &[OfferList::Prompts][..],
        &[
            OfferList::Resources,
            OfferList::Templates,
            OfferList::Skills,
        ],
    ]
    .map(|lists| allowed(lists, &denied, choice))
}

/// Returns the prompts or resources that a profile selects, without the denied ones. A resource
/// that begins like a denied template is denied too, since it may be an instance of that template.
/// The files of a denied skill are denied.
fn allowed(lists: &[OfferList], denied: &BTreeSet<ToolName>, choice: &ToolChoice) -> OfferAccess {
    let (mut names, mut prefixes) = (Vec::new(), Vec::new());
    for name in denied {
        let Some((list, key)) = key_of(lists, name) else {
            continue;
        };
        if key.contains(SHORTENED) {
            prefixes.push(String::new());
        } else if list == OfferList::Templates {
            let (head, _) = key.split_once('{').unwrap_or((key, ""));
            prefixes.push(head.to_owned());
        } else if list == OfferList::Skills {
            prefixes.push(key.strip_suffix("SKILL.md").unwrap_or(key).to_owned());
        } else {
            names.push(key.to_owned());
        }
    }
    let ToolChoice::Only { tools } = choice else {
        return OfferAccess::Except { names, prefixes };
    };
    let chosen = tools.iter().filter_map(|name| key_of(lists, name));
    let chosen = chosen.map(|(_, key)| key.to_owned()).filter(|key| {
        !names.contains(key) && !prefixes.iter().any(|prefix| key.starts_with(prefix))
    });
    OfferAccess::Only(chosen.collect())
}

fn key_of<'n>(lists: &[OfferList], name: &'n ToolName) -> Option<(OfferList, &'n str)> {
    lists.iter().find_map(|list| {
        let key = name.as_str().strip_prefix(list.prefix())?;
        Some((*list, key))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<ToolName> {
        let names = names.iter().map(|name| ToolName::parse(name));
        names.map(|name| name.expect("a name")).collect()
    }

    #[test]
    fn denied_template_denies_its_instances() {
        let denied = names(&[
            "resource:a://1",
            "template:b://{id}",
            "prompt:p",
            "skill:s://x/SKILL.md",
        ]);
        let denied: BTreeSet<ToolName> = denied.into_iter().collect();
        let lists = [
            OfferList::Resources,
            OfferList::Templates,
            OfferList::Skills,
        ];
        let all = allowed(&lists, &denied, &ToolChoice::All);
        let except = OfferAccess::Except {
            names: vec!["a://1".into()],
            prefixes: vec!["s://x/".into(), "b://".into()],
        };
        assert_eq!(all, except);
        let only = ToolChoice::Only {
            tools: names(&[
                "resource:a://1",
                "resource:b://2",
                "resource:c://3",
                "template:d://{x}",
                "prompt:q",
            ]),
        };
        let only = allowed(&lists, &denied, &only);
        assert_eq!(
            only,
            OfferAccess::Only(vec!["c://3".into(), "d://{x}".into()])
        );
        let prompts = allowed(&[OfferList::Prompts], &denied, &ToolChoice::All);
        let except = OfferAccess::Except {
            names: vec!["p".into()],
            prefixes: vec![],
        };
        assert_eq!(prompts, except);
    }

    #[test]
    fn shortened_denied_name_denies_all() {
        let long = "x".repeat(4000);
        let name = guild_review::trust::offer_name(OfferList::Prompts, &long).expect("a name");
        let denied = BTreeSet::from([name]);
        let prompts = allowed(&[OfferList::Prompts], &denied, &ToolChoice::All);
        let OfferAccess::Except { prefixes, .. } = prompts else {
            panic!("{prompts:?}");
        };
        assert_eq!(prefixes, [""]);
    }
}
