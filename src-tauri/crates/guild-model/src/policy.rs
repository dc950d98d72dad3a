//! Decides whether clients may call a tool.
//!
//! The global decision is the first of these that is set: the user's policy for the tool, the rule
//! for the tool's kind, the policy in the member's manifest, the default. A rule never relaxes a
//! `deny` of the manifest. A profile decides in the same way by its own policies and rules. The
//! stricter of the global and the profile's decision applies, so that no endpoint allows more than
//! `/mcp` does.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::manifest::Policy;
use crate::tool::ToolHints;

/// A kind of tools, by their servers' hints. Hints are never guarantees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ToolClass {
    /// The tool changes nothing.
    ReadOnly,
    /// The tool changes things, but destroys nothing.
    Changing,
    /// The tool may destroy something. By the protocol's defaults, this includes a tool that
    /// changes something and does not declare how. It also includes a tool with the contradicting
    /// hints that it is read-only and destructive.
    Destructive,
    /// The tool has neither `readOnlyHint` nor `destructiveHint`.
    Unsaid,
    /// The tool reaches things outside its server. A tool may be of this kind in addition to
    /// another one.
    OpenWorld,
}

impl ToolClass {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::ReadOnly,
        Self::Changing,
        Self::Destructive,
        Self::Unsaid,
        Self::OpenWorld,
    ];

    /// Returns the tool's kind other than `OpenWorld`.
    pub fn of(hints: ToolHints) -> Self {
        match (hints.read_only, hints.destructive) {
            (_, Some(true)) => Self::Destructive,
            (Some(true), _) => Self::ReadOnly,
            (_, Some(false)) => Self::Changing,
            (Some(false), None) => Self::Destructive,
            (None, None) => Self::Unsaid,
        }
    }

    /// Returns the identifier used in commands.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::Changing => "changing",
            Self::Destructive => "destructive",
            Self::Unsaid => "unsaid",
            Self::OpenWorld => "open-world",
        }
    }

    /// Parses the identifier. `None` for an unknown one.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.as_str() == text)
    }

    /// Returns the plural name of the tools of this kind.
    pub fn words(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only tools",
            Self::Changing => "changing tools",
            Self::Destructive => "destructive tools",
            Self::Unsaid => "tools without hints",
            Self::OpenWorld => "open-world tools",
        }
    }
}

/// The policies for kinds of tools. `null` sets no policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct PolicyRules {
    /// The policy for tools that change nothing.
    pub read_only: Option<Policy>,
    /// The policy for tools that change things and destroy nothing.
    pub changing: Option<Policy>,
    /// The policy for tools that may destroy something.
    pub destructive: Option<Policy>,
    /// The policy for tools with neither `readOnlyHint` nor `destructiveHint`.
    pub unsaid: Option<Policy>,
    /// The policy for tools that reach things outside their servers, in addition to the policy for
    /// their kind. The stricter of the two applies.
    pub open_world: Option<Policy>,
}

impl PolicyRules {
    /// Whether there are no rules.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the rule for a kind.
    pub fn get(&self, class: ToolClass) -> Option<Policy> {
        let mut rules = *self;
        *rules.place(class)
    }

    /// Sets the rule for a kind.
    pub fn set(&mut self, class: ToolClass, policy: Option<Policy>) {
        *self.place(class) = policy;
    }

    fn place(&mut self, class: ToolClass) -> &mut Option<Policy> {
        match class {
            ToolClass::ReadOnly => &mut self.read_only,
            ToolClass::Changing => &mut self.changing,
            ToolClass::Destructive => &mut self.destructive,
            ToolClass::Unsaid => &mut self.unsaid,
            ToolClass::OpenWorld => &mut self.open_world,
        }
    }

    /// Returns the rule that applies to a tool: the stricter of the rule for its kind and the rule
    /// for open-world tools.
    pub fn of(&self, hints: ToolHints) -> Option<(Policy, ToolClass)> {
        let rule = |class: ToolClass| Some((self.get(class)?, class));
        let own = rule(ToolClass::of(hints));
        let open = match hints.open_world {
            Some(true) => rule(ToolClass::OpenWorld),
            _ => None,
        };
        match (own, open) {
            (Some(own), Some(open)) if open.0 > own.0 => Some(open),
            (own, open) => own.or(open),
        }
    }
}

/// The setting or the rule that decided a tool's policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum PolicyReason {
    /// No setting or rule applied.
    Default,
    /// The policy in the member's manifest.
    Manifest,
    /// A global rule for a kind of tools.
    Rule {
        /// The kind of the tools.
        class: ToolClass,
    },
    /// The user's setting for the tool.
    Hand,
    /// A profile's rule for a kind of tools.
    ProfileRule {
        /// The kind of the tools.
        class: ToolClass,
    },
    /// The user's setting for the tool in the profile.
    ProfileHand,
}

impl fmt::Display for PolicyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("the default"),
            Self::Manifest => f.write_str("the manifest"),
            Self::Rule { class } => write!(f, "the rule for {}", class.words()),
            Self::Hand => f.write_str("set by hand"),
            Self::ProfileRule { class } => {
                write!(f, "the profile's rule for {}", class.words())
            }
            Self::ProfileHand => f.write_str("set by hand in the profile"),
        }
    }
}

/// A tool's policy, and the reason for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyDecision {
    /// The policy.
    pub policy: Policy,
    /// The setting or the rule that decided the policy.
    pub reason: PolicyReason,
}

impl PolicyDecision {
    fn new(policy: Policy, reason: PolicyReason) -> Self {
        Self { policy, reason }
    }

    /// Combines the user's setting for a tool, the rule for its kind and its policy in the manifest
    /// into the global decision.
    pub fn everywhere(
        by_hand: Option<Policy>,
        rule: Option<(Policy, ToolClass)>,
        manifest: Option<Policy>,
    ) -> Self {
        if let Some(policy) = by_hand {
            return Self::new(policy, PolicyReason::Hand);
        }
        match (rule, manifest) {
            (_, Some(Policy::Deny)) => Self::new(Policy::Deny, PolicyReason::Manifest),
            (Some((policy, class)), _) => Self::new(policy, PolicyReason::Rule { class }),
            (None, Some(policy)) => Self::new(policy, PolicyReason::Manifest),
            (None, None) => Self::new(Policy::Allow, PolicyReason::Default),
        }
    }

    /// Returns a profile's own decision. `None` if the profile has neither a setting nor a rule.
    pub fn of_profile(by_hand: Option<Policy>, rule: Option<(Policy, ToolClass)>) -> Option<Self> {
        match (by_hand, rule) {
            (Some(policy), _) => Some(Self::new(policy, PolicyReason::ProfileHand)),
            (None, Some((policy, class))) => {
                Some(Self::new(policy, PolicyReason::ProfileRule { class }))
            }
            (None, None) => None,
        }
    }

    /// Combines the global decision with a profile's: the stricter one applies.
    pub fn within(self, profile: Option<Self>) -> Self {
        profile
            .filter(|profile| profile.policy > self.policy)
            .unwrap_or(self)
    }
}

#[cfg(test)]
mod tests;
