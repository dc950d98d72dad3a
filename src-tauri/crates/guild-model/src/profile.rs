//! A profile: a named selection of members and tools with its own endpoint.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoint::Listing;
use crate::id::{MemberName, NameError, ToolName, name_type};
use crate::manifest::Policy;
use crate::policy::PolicyRules;

name_type! {
    /// A profile's name: 1 to 64 of `A-Z a-z 0-9 . _ -`, beginning with a letter or digit.
    ProfileName
}

impl ProfileName {
    /// Parses a name from an address or the settings.
    ///
    /// # Errors
    /// The errors of [`MemberName::parse`].
    pub fn parse(text: &str) -> Result<Self, NameError> {
        MemberName::parse(text).map(|name| Self(name.as_str().into()))
    }
}

impl TryFrom<String> for ProfileName {
    type Error = NameError;
    fn try_from(text: String) -> Result<Self, NameError> {
        Self::parse(&text)
    }
}

/// A profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// The profile's name.
    pub name: ProfileName,
    /// How the profile's tools are listed. `null` uses the gateway's mode.
    #[serde(default)]
    pub listing: Option<Listing>,
    /// The limit of a result for agents, in tokens (estimated). 0 removes the limit. `null` uses the
    /// setting `gateway.resultTokens`.
    #[serde(default)]
    pub result_tokens: Option<u32>,
    /// The profile's policies for kinds of tools. They never relax the global policies.
    #[serde(default)]
    pub rules: PolicyRules,
    /// The members of the profile, in the order of its list.
    pub members: Vec<MountedMember>,
}

/// A member of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MountedMember {
    /// The member.
    pub member: MemberName,
    /// Whether the tools keep their own names, without the member's name as a prefix. At most one
    /// member of a profile can do so.
    #[serde(default)]
    pub without_prefix: bool,
    /// The selected tools. All by default.
    #[serde(default)]
    pub tools: ToolChoice,
    /// The selected prompts, resources and templates, by the names under which they are reviewed
    /// (`prompt:NAME`, `resource:URI`, `template:URI`). All by default. A template's selection
    /// applies to the resources that match it.
    #[serde(default)]
    pub offers: ToolChoice,
    /// Replacements for the tools' names, descriptions and policies.
    #[serde(default)]
    pub changes: BTreeMap<ToolName, ToolChange>,
}

/// A selection of a member's tools.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum ToolChoice {
    /// All tools, including future ones.
    #[default]
    All,
    /// Only these tools.
    Only {
        /// The tools' names.
        tools: Vec<ToolName>,
    },
    /// All tools except these.
    Except {
        /// The tools' names.
        tools: Vec<ToolName>,
    },
}

impl ToolChoice {
    /// Checks whether an item that has several names is selected. For example, a resource also has
    /// the name of its template.
    pub fn has_by(&self, names: &[ToolName]) -> bool {
        match self {
            Self::All => true,
            Self::Only { .. } => names.iter().any(|name| self.has(name)),
            Self::Except { .. } => names.iter().all(|name| self.has(name)),
        }
    }

    /// Returns the tools that the selection names, whether it includes or excludes them.
    pub fn named(&self) -> &[ToolName] {
        match self {
            Self::All => &[],
            Self::Only { tools } | Self::Except { tools } => tools,
        }
    }

    /// Checks whether a tool is selected.
    pub fn has(&self, tool: &ToolName) -> bool {
        match self {
            Self::All => true,
            Self::Only { tools } => tools.contains(tool),
            Self::Except { tools } => !tools.contains(tool),
        }
    }

    /// Returns the union of two selections.
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, _) | (_, Self::All) => Self::All,
            (Self::Only { mut tools }, Self::Only { tools: others }) => {
                let new = |tool: &ToolName| !tools.contains(tool);
                let new: Vec<ToolName> = others.into_iter().filter(new).collect();
                tools.extend(new);
                Self::Only { tools }
            }
            (Self::Except { tools }, Self::Except { tools: others }) => {
                Self::except(tools, |tool| others.contains(tool))
            }
            (Self::Only { tools: only }, Self::Except { tools })
            | (Self::Except { tools }, Self::Only { tools: only }) => {
                Self::except(tools, |tool| !only.contains(tool))
            }
        }
    }

    /// Returns the intersection of two selections.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, choice) | (choice, Self::All) => choice,
            (Self::Only { tools }, other) | (other, Self::Only { tools }) => Self::Only {
                tools: tools.into_iter().filter(|tool| other.has(tool)).collect(),
            },
            (Self::Except { mut tools }, Self::Except { tools: others }) => {
                let new = |tool: &ToolName| !tools.contains(tool);
                let new: Vec<ToolName> = others.into_iter().filter(new).collect();
                tools.extend(new);
                Self::Except { tools }
            }
        }
    }

    /// Returns the selection of all tools, except those in the list for which `stays_out` returns
    /// true.
    fn except(mut tools: Vec<ToolName>, stays_out: impl Fn(&ToolName) -> bool) -> Self {
        tools.retain(stays_out);
        match tools.is_empty() {
            true => Self::All,
            false => Self::Except { tools },
        }
    }
}

/// Replacements for a tool's name, description and policy in a profile.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ToolChange {
    /// The tool's new name. The member's name is still added as its prefix.
    pub name: Option<String>,
    /// The tool's new description.
    pub description: Option<String>,
    /// The tool's policy in this profile, which takes precedence over the profile's rules. It never
    /// relaxes the global policy.
    pub policy: Option<Policy>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choice_by_several_names_takes_one_and_leaves_out_any() {
        let name = |name: &str| ToolName::parse(name).expect("a name");
        let [own, template, other] = ["resource:a://1", "template:a://{x}", "prompt:p"].map(name);
        let names = [own.clone(), template.clone()];
        let only = |tools| ToolChoice::Only { tools };
        let except = |tools| ToolChoice::Except { tools };
        assert!(ToolChoice::All.has_by(&names));
        assert!(only(vec![template.clone()]).has_by(&names));
        assert!(!only(vec![other.clone()]).has_by(&names));
        assert!(!except(vec![template]).has_by(&names));
        assert!(!except(vec![own]).has_by(&names));
        assert!(except(vec![other]).has_by(&names));
    }

    #[test]
    fn choices_are_joined_and_narrowed() {
        let tools = |names: &str| -> Vec<ToolName> {
            let names = names.chars().map(|name| ToolName::parse(&name.to_string()));
            names.map(|name| name.expect("a name")).collect()
        };
        let only = |names: &str| ToolChoice::Only {
            tools: tools(names),
        };
        let except = |names: &str| ToolChoice::Except {
            tools: tools(names),
        };
        let choices = [
            ToolChoice::All,
            only(""),
            only("ab"),
            only("bc"),
            except("ab"),
            except("bc"),
            except("c"),
        ];
        for one in &choices {
            for other in &choices {
                let (joined, narrowed) = (
                    one.clone().or(other.clone()),
                    one.clone().and(other.clone()),
                );
                for tool in tools("abcd") {
                    let (first, second) = (one.has(&tool), other.has(&tool));
                    assert_eq!(joined.has(&tool), first || second, "{one:?} or {other:?}");
                    assert_eq!(
                        narrowed.has(&tool),
                        first && second,
                        "{one:?} and {other:?}"
                    );
                }
            }
        }
    }
}
