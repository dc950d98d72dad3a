//! Writes authorization rules for agentgateway in the Common Expression Language (CEL).
//!
//! agentgateway allows a request if one rule is true. A rule that fails to evaluate is false, so a
//! rule about tools never applies to prompts. Without any rule, agentgateway allows everything.

use super::access::{MemberAccess, OfferAccess};

/// Maximum length of an expression, in bytes. The CRD of agentgateway allows 16,384 characters.
const EXPRESSION_MAX: usize = 8 * 1024;
/// The rule that allows nothing.
const NOTHING: &str = "false";

/// Returns the rules that allow what the members' access allows. `members` has the name of each
/// member's target.
pub(super) fn rules<'a>(members: impl Iterator<Item = (&'a str, &'a MemberAccess)>) -> Vec<String> {
    let mut rules = Vec::new();
    for (target, access) in members {
        let tools = access.tools.as_deref().unwrap_or_default();
        named("tool", target, tools, &mut rules);
        for (kind, offers) in [("prompt", &access.prompts), ("resource", &access.resources)] {
            match offers {
                OfferAccess::Only(names) => named(kind, target, names, &mut rules),
                OfferAccess::Except { names, prefixes } => {
                    let rule = others(kind, target, names, prefixes);
                    // A rule that is too long is left out, which allows less.
                    rules.extend(Some(rule).filter(|rule| rule.len() <= EXPRESSION_MAX));
                }
            }
        }
    }
    if rules.is_empty() {
        rules.push(NOTHING.to_owned());
    }
    rules
}

/// Adds rules that allow the items with these names.
fn named(kind: &str, target: &str, names: &[String], rules: &mut Vec<String>) {
    let mut list = String::new();
    let mut add = |list: &mut String| {
        if !list.is_empty() {
            let of = of_target(kind, target);
            rules.push(format!("{of} && mcp.{kind}.name in [{list}]"));
            list.clear();
        }
    };
    for name in names {
        let name = literal(name);
        if list.len() + name.len() > EXPRESSION_MAX {
            add(&mut list);
        }
        if !list.is_empty() {
            list.push_str(", ");
        }
        list.push_str(&name);
    }
    add(&mut list);
}

/// Returns the rule that allows all items except those with these names or prefixes.
fn others(kind: &str, target: &str, names: &[String], prefixes: &[String]) -> String {
    let mut rule = of_target(kind, target);
    if !names.is_empty() {
        let names: Vec<String> = names.iter().map(|name| literal(name)).collect();
        rule.push_str(&format!(" && !(mcp.{kind}.name in [{}])", names.join(", ")));
    }
    for prefix in prefixes {
        let prefix = literal(prefix);
        rule.push_str(&format!(" && !mcp.{kind}.name.startsWith({prefix})"));
    }
    rule
}

fn of_target(kind: &str, target: &str) -> String {
    format!("mcp.{kind}.target == {}", literal(target))
}

/// Writes a string literal. All characters except printable ASCII are escaped. So are the quote, the
/// backslash, and `$`, which agentgateway replaces in its configuration file.
fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' | '$' => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            ' '..='~' => out.push(c),
            c if u32::from(c) <= 0xFFFF => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    out.push('"');
    out
}
