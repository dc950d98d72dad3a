//! Finds the user's saved calls, policies and profiles that a changed tool breaks.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::messages::{BreakageNote, PolicyPlace};
use guild_api::wire::{Breakage, BreakageKind, SavedCall};
use guild_model::arguments::parse_exact;
use guild_model::id::{MemberName, ToolName};
use guild_model::manifest::Policy;
use guild_model::profile::{Profile, ToolChoice};
use guild_model::tool::ToolSpec;
use guild_schema::schema::bound;
use guild_schema::validate::Validator;
use guild_text::messages::short;

/// Maximum length of a name or reason, in characters.
const WORDS_MAX: usize = 300;

/// The saved calls, policies and profiles that use a member's tools.
#[derive(Debug, Clone, Copy)]
pub struct ToolUses<'a> {
    /// The member.
    pub member: &'a MemberName,
    /// The member's saved calls.
    pub saved: &'a [SavedCall],
    /// The policies of the member's tools, and where each is set.
    pub policies: &'a BTreeMap<ToolName, (Policy, PolicyPlace)>,
    /// All profiles.
    pub profiles: &'a [Profile],
}

/// Returns the saved calls, policies and profiles that a tool's change breaks.
pub fn breakages(
    name: &ToolName,
    old: Option<&ToolSpec>,
    new: Option<&ToolSpec>,
    uses: ToolUses<'_>,
) -> Vec<Breakage> {
    let mut found: Vec<Breakage> = Vec::new();
    let mut note = |kind, name: &str, what: BreakageNote| {
        found.push(Breakage {
            kind,
            name: short(name, WORDS_MAX),
            what: short(&what.to_string(), WORDS_MAX),
            saved: None,
        });
    };
    if let Some((policy, from)) = uses.policies.get(name)
        && let Some(what) = of_policy(*policy, old, new)
    {
        note(BreakageKind::Policy, &from.to_string(), what);
    }
    for profile in uses.profiles {
        for mounted in profile.members.iter().filter(|m| m.member == *uses.member) {
            let named = match &mounted.tools {
                ToolChoice::All => false,
                ToolChoice::Only { tools } | ToolChoice::Except { tools } => tools.contains(name),
            };
            let change = mounted.changes.get(name);
            if new.is_none() && (named || change.is_some()) {
                let what = BreakageNote::NamesNone;
                note(BreakageKind::Profile, profile.name.as_str(), what);
            }
            let words = |tool: Option<&ToolSpec>| tool.map(|tool| tool.description().to_owned());
            if change.is_some_and(|change| change.description.is_some())
                && new.is_some()
                && words(old) != words(new)
            {
                let what = BreakageNote::OwnWords;
                note(BreakageKind::Profile, profile.name.as_str(), what);
            }
        }
    }
    let calls = uses.saved.iter().filter(|call| call.tool == *name);
    found.extend(of_calls(calls, old, new));
    found
}

fn of_policy(
    policy: Policy,
    old: Option<&ToolSpec>,
    new: Option<&ToolSpec>,
) -> Option<BreakageNote> {
    let Some(new) = new else {
        return Some(BreakageNote::PolicyOfNone);
    };
    let (before, after) = (old?.hints(), new.hints());
    let less = if before.read_only == Some(true) && after.read_only != Some(true) {
        BreakageNote::NoLongerReads
    } else if before.destructive != Some(true) && after.destructive == Some(true) {
        BreakageNote::MayDestroy
    } else {
        return None;
    };
    match policy {
        Policy::Allow => Some(less),
        Policy::Ask | Policy::Deny => None,
    }
}

fn of_calls<'a>(
    calls: impl Iterator<Item = &'a SavedCall>,
    old: Option<&ToolSpec>,
    new: Option<&ToolSpec>,
) -> Vec<Breakage> {
    let mut validators = None;
    let build = |tool: &ToolSpec| Validator::build(&bound(tool.input_schema()).schema);
    let mut broken = Vec::new();
    for call in calls {
        let what = match new {
            None => Some(BreakageNote::CallsNone),
            Some(new) => {
                let (before, after) =
                    validators.get_or_insert_with(|| (old.map(build), build(new)));
                no_longer_fits(call, before.as_ref(), after)
            }
        };
        if let Some(what) = what {
            broken.push(Breakage {
                kind: BreakageKind::SavedCall,
                name: call.name.clone(),
                what: short(&what.to_string(), WORDS_MAX),
                saved: Some(call.id),
            });
        }
    }
    broken
}

/// Returns the reason why a call's arguments don't match the new schema. `None` if they match, or
/// if they did not match the old schema either.
fn no_longer_fits(
    call: &SavedCall,
    before: Option<&Validator>,
    after: &Validator,
) -> Option<BreakageNote> {
    let arguments = Value::Object(parse_exact(&call.arguments).ok()?);
    let wrong = |validator: &Validator| {
        let errors = validator.check(&arguments).errors.into_iter();
        // Masked values don't count, since the user enters them again before each call.
        errors
            .filter(|error| !call.masked.contains(&error.pointer))
            .collect::<Vec<_>>()
    };
    if before.is_some_and(|before| !wrong(before).is_empty()) {
        return None;
    }
    let first = wrong(after).into_iter().next()?;
    Some(match first.pointer.as_str() {
        "" => BreakageNote::Unfit(first.message),
        _ => BreakageNote::UnfitAt(first.pointer, first.message),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use guild_api::wire::SavedId;
    use guild_model::profile::{MountedMember, ProfileName, ToolChange};

    fn tool(schema: Value, annotations: Value) -> ToolSpec {
        ToolSpec::from_raw(json!({
            "name": "t", "inputSchema": schema, "annotations": annotations,
        }))
        .expect("a tool")
    }

    fn saved(name: &str, arguments: Value) -> SavedCall {
        SavedCall {
            id: SavedId(1),
            name: name.into(),
            member: MemberName::parse("m").expect("a name"),
            tool: ToolName::parse("t").expect("a name"),
            arguments: arguments.to_string(),
            masked: vec![],
            saved_at_ms: 0,
        }
    }

    #[test]
    fn only_newly_broken_uses_are_listed() {
        let member = MemberName::parse("m").expect("a name");
        let name = ToolName::parse("t").expect("a name");
        let profile = Profile {
            name: ProfileName::parse("p").expect("a name"),
            listing: None,
            result_tokens: None,
            rules: Default::default(),
            members: vec![MountedMember {
                member: member.clone(),
                without_prefix: false,
                tools: ToolChoice::Only {
                    tools: vec![name.clone()],
                },
                offers: ToolChoice::All,
                changes: BTreeMap::from([(name.clone(), ToolChange::default())]),
            }],
        };
        let saved = [
            saved("fits", json!({"a": 1})),
            saved("breaks", json!({"b": 1})),
            saved("never fitted", json!({"a": "x"})),
        ];
        let policies = BTreeMap::from([(
            name.clone(),
            (Policy::Allow, PolicyPlace::File("gateway.json")),
        )]);
        let uses = ToolUses {
            member: &member,
            saved: &saved,
            policies: &policies,
            profiles: &[profile],
        };
        let old = tool(
            json!({"properties": {"a": {"type": "integer"}}}),
            json!({"readOnlyHint": true}),
        );
        let new = tool(
            json!({"properties": {"a": {"type": "integer"}}, "required": ["a"]}),
            json!({}),
        );
        let kinds = |found: &[Breakage]| -> Vec<(BreakageKind, String)> {
            found.iter().map(|b| (b.kind, b.name.clone())).collect()
        };
        let changed = breakages(&name, Some(&old), Some(&new), uses);
        assert_eq!(
            kinds(&changed),
            [
                (BreakageKind::Policy, "gateway.json".into()),
                (BreakageKind::SavedCall, "breaks".into()),
            ],
            "{changed:#?}"
        );
        let gone = breakages(&name, Some(&old), None, uses);
        assert_eq!(gone.len(), 5, "{gone:#?}");
        let messages: Vec<_> = changed
            .into_iter()
            .map(|one| (one.name, one.what))
            .collect();
        let words = |name: &str, what: &str| (name.to_owned(), what.to_owned());
        assert_eq!(
            messages,
            [
                words(
                    "gateway.json",
                    "It allows a tool that is no longer read-only."
                ),
                words("breaks", "Its arguments no longer match: /a: is required"),
            ]
        );
        let same = breakages(&name, Some(&old), Some(&old), uses);
        assert_eq!(same, []);
    }
}
