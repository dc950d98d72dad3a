//! Writes authorization policies for ToolHive in the language Cedar. Cedar denies everything that no
//! policy permits, and a `forbid` has precedence.

use super::access::{MemberAccess, OfferAccess};

/// The policy that allows nothing, since ToolHive expects at least one policy.
const NOTHING: &str = "forbid(principal, action, resource);";

/// Returns the policies that allow what the members' access allows. The names of tools and prompts
/// begin with the member's prefix. Resources have no prefix, so a policy can't distinguish those of
/// several members. If one member restricts its prompts or resources, only named ones of all members
/// are allowed.
pub(super) fn policies(members: &[(String, &MemberAccess)]) -> Vec<String> {
    let mut policies = Vec::new();
    for (prefix, access) in members {
        let tools = access.tools.iter().flatten();
        policies.extend(tools.map(|tool| permit("call_tool", "Tool", &format!("{prefix}{tool}"))));
    }
    let prompts = members
        .iter()
        .map(|(prefix, access)| (prefix.as_str(), &access.prompts));
    offers("get_prompt", "Prompt", prompts, &mut policies);
    let resources = members.iter().map(|(_, access)| ("", &access.resources));
    offers("read_resource", "Resource", resources, &mut policies);
    if policies.is_empty() {
        policies.push(NOTHING.to_owned());
    }
    policies
}

fn offers<'a>(
    action: &str,
    kind: &str,
    members: impl Iterator<Item = (&'a str, &'a OfferAccess)> + Clone,
    policies: &mut Vec<String>,
) {
    let is_open = members.clone().all(|(_, access)| match access {
        OfferAccess::Only(_) => false,
        OfferAccess::Except { prefixes, .. } => prefixes.is_empty(),
    });
    if is_open {
        policies.push(format!(
            "permit(principal, action == Action::\"{action}\", resource);"
        ));
    }
    let excluded: Vec<String> = members
        .clone()
        .filter_map(|(prefix, access)| match access {
            OfferAccess::Except { names, .. } => Some((prefix, names)),
            OfferAccess::Only(_) => None,
        })
        .flat_map(|(prefix, names)| names.iter().map(move |name| format!("{prefix}{name}")))
        .collect();
    for (prefix, access) in members {
        if let OfferAccess::Only(names) = access {
            let names = names.iter().map(|name| format!("{prefix}{name}"));
            policies.extend(names.map(|name| permit(action, kind, &name)));
        }
    }
    let forbidden = excluded.iter().map(|name| {
        let entity = entity(kind, name);
        format!("forbid(principal, action == Action::\"{action}\", resource == {entity});")
    });
    policies.extend(forbidden);
}

fn permit(action: &str, kind: &str, name: &str) -> String {
    let entity = entity(kind, name);
    format!("permit(principal, action == Action::\"{action}\", resource == {entity});")
}

/// Writes an entity. All characters except printable ASCII are escaped, and the quote and the
/// backslash too.
fn entity(kind: &str, name: &str) -> String {
    let mut out = format!("{kind}::\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            ' '..='~' => out.push(c),
            c => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(tools: &[&str], prompts: OfferAccess, resources: OfferAccess) -> MemberAccess {
        MemberAccess {
            tools: Some(tools.iter().map(|tool| (*tool).to_owned()).collect()),
            has_offers: true,
            prompts,
            resources,
        }
    }

    #[test]
    fn hostile_name_stays_one_entity() {
        let hostile = "x\"); permit(principal, action, resource); //\\\n";
        let member = access(&[hostile], OfferAccess::NONE, OfferAccess::NONE);
        let policies = policies(&[("a_".to_owned(), &member)]);
        assert_eq!(
            policies,
            [
                "permit(principal, action == Action::\"call_tool\", resource == Tool::\"a_x\\u{22}); \
             permit(principal, action, resource); //\\u{5c}\\u{a}\");"
            ]
        );
    }

    #[test]
    fn one_restricted_member_allows_only_named_resources() {
        let named = OfferAccess::Only(vec!["a://1".into()]);
        let restricted = access(&[], OfferAccess::NONE, named);
        let open = access(&[], OfferAccess::ALL, OfferAccess::ALL);
        let both = policies(&[("a_".to_owned(), &restricted), ("b_".to_owned(), &open)]);
        assert_eq!(
            both,
            [
                "permit(principal, action == Action::\"read_resource\", resource == Resource::\"a://1\");"
            ]
        );
        let except = OfferAccess::Except {
            names: vec!["p".into()],
            prefixes: vec![],
        };
        let except = access(&[], except, OfferAccess::NONE);
        assert_eq!(
            policies(&[("b_".to_owned(), &except)]),
            [
                "permit(principal, action == Action::\"get_prompt\", resource);",
                "forbid(principal, action == Action::\"get_prompt\", resource == Prompt::\"b_p\");",
            ]
        );
        let none = access(&[], OfferAccess::NONE, OfferAccess::NONE);
        assert_eq!(policies(&[(String::new(), &none)]), [NOTHING]);
    }
}
