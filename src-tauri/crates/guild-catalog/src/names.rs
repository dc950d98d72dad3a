//! Assigns the names under which clients see tools.
//!
//! A name depends only on the member, its tools and the profile's changes, never on other members.
//! If two members' tools would have the same name, neither tool gets a name. The gateway finds the
//! tool of a name by a lookup and never parses the name.

mod seen;

use std::collections::{HashMap, HashSet};

use sha2::{Digest, Sha256};

pub use self::seen::{Meaning, SeenNames, readings};
use crate::messages::NamingError;
use guild_model::endpoint::{AGENT_NAME_MAX, CLIENT_NAME_MAX, SEPARATOR};
use guild_model::id::{MemberName, ToolName};

/// Number of bytes of the hash that ends a shortened name. It is written as `_` and two digits per
/// byte.
const HASH_BYTES: usize = 4;
const HASH_LENGTH: usize = 2 * HASH_BYTES + 1;
/// Number of bytes of the hash that distinguishes names that differ only in replaced characters.
const MARK_BYTES: usize = 3;
const MARK_LENGTH: usize = 2 * MARK_BYTES + 1;
/// Maximum number of owners of a name that an error lists.
const OWNERS_NAMED_MAX: usize = 4;

/// A member whose tools need names.
#[derive(Debug, Clone)]
pub struct MemberNaming<'a> {
    /// The member.
    pub member: &'a MemberName,
    /// Whether the names omit the member's prefix.
    pub without_prefix: bool,
    /// The member's tools, in the order of the list.
    pub tools: Vec<ToName<'a>>,
}

/// A tool that needs a name.
#[derive(Debug, Clone, Copy)]
pub struct ToName<'a> {
    /// The tool's own name.
    pub tool: &'a ToolName,
    /// The name from a profile, which replaces the tool's own name.
    pub rename: Option<&'a str>,
}

/// Assigns the names of all members' tools. Returns each tool's name, or the reason it has none.
///
/// A name has at most [`AGENT_NAME_MAX`] bytes of `A-Z a-z 0-9 _ -`, and is unique. No tool gets a
/// name in `reserved`. If two tools of a member differ only in characters that clients reject (`a
/// b` and `a_b`), a short hash is appended to each name that had such characters.
pub fn put_together(
    mounts: &[MemberNaming<'_>],
    reserved: &[&str],
) -> Vec<Vec<Result<String, NamingError>>> {
    let wanted: Vec<Vec<String>> = mounts.iter().map(names_of_mount).collect();
    let mut owners: HashMap<&str, Vec<(&MemberNaming<'_>, &ToName<'_>)>> = HashMap::new();
    for (mount, names) in mounts.iter().zip(&wanted) {
        for (tool, name) in mount.tools.iter().zip(names) {
            owners.entry(name).or_default().push((mount, tool));
        }
    }
    let named = |name: &String| match owners.get(name.as_str()) {
        _ if name.is_empty() => Err(NamingError::Nameless),
        _ if reserved.contains(&name.as_str()) => Err(NamingError::OfMenu(format!("{name:?}"))),
        Some(owners) if owners.len() > 1 => Err(claimed_by(owners, name)),
        _ => Ok(name.clone()),
    };
    wanted
        .iter()
        .map(|names| names.iter().map(named).collect())
        .collect()
}

/// Checks whether a name may belong to a tool of this member, whose tools are not known yet.
pub fn may_be_of(name: &str, member: &MemberName, without_prefix: bool) -> bool {
    if without_prefix {
        return true;
    }
    let mut lead = plain(&format!("{member}{SEPARATOR}"));
    lead.truncate(AGENT_NAME_MAX - HASH_LENGTH.max(MARK_LENGTH));
    // Some clients also replace `-`.
    name.replace('-', "_").starts_with(&lead.replace('-', "_"))
}

/// Returns the longer name that earlier versions gave a tool. Configurations may still contain it.
/// `None` if the name is unchanged.
pub fn former_name(member: &MemberName, without_prefix: bool, tool: &ToName<'_>) -> Option<String> {
    let full = full_name(member, without_prefix, tool);
    let former = fit(&full, CLIENT_NAME_MAX);
    (former.len() > AGENT_NAME_MAX).then_some(former)
}

/// Returns the names of a member's tools, before conflicts with other members are resolved. A name
/// is empty if the tool's name has no usable character.
fn names_of_mount(mount: &MemberNaming<'_>) -> Vec<String> {
    let full: Vec<String> = mount
        .tools
        .iter()
        .map(|tool| full_name(mount.member, mount.without_prefix, tool))
        .collect();
    let fitted: Vec<String> = full.iter().map(|full| fit(full, AGENT_NAME_MAX)).collect();
    let mut first: HashMap<&str, &str> = HashMap::new();
    let mut shared = HashSet::new();
    for (name, full) in fitted.iter().zip(&full) {
        // Two tools with identical original names are a conflict: both lose the name.
        if *first.entry(name).or_insert(full) != full {
            shared.insert(name.as_str());
        }
    }
    let lead = match mount.without_prefix {
        true => 0,
        false => mount.member.as_str().len() + SEPARATOR.len(),
    };
    fitted
        .iter()
        .zip(&full)
        .map(|(name, full)| {
            let own = full.get(lead..).unwrap_or_default();
            if !shared.contains(name.as_str()) || plain(own) == own {
                return name.clone();
            }
            let mut marked = name.clone();
            marked.truncate(AGENT_NAME_MAX - MARK_LENGTH);
            push_hash(&mut marked, full, MARK_BYTES);
            marked
        })
        .collect()
}

/// Returns the name of a tool before it is adapted for clients. Empty if the tool's name is blank.
fn full_name(member: &MemberName, without_prefix: bool, tool: &ToName<'_>) -> String {
    let own = tool.rename.unwrap_or(tool.tool.as_str());
    match (own.trim(), without_prefix) {
        ("", _) => String::new(),
        (_, true) => own.to_owned(),
        (_, false) => format!("{member}{SEPARATOR}{own}"),
    }
}

/// Adapts a name for clients: replaces foreign characters and limits the length.
///
/// The hash is that of the original name. Long names therefore stay distinct if they differ only in
/// replaced characters or after the cut.
fn fit(full: &str, max: usize) -> String {
    let mut name = plain(full);
    if name.len() > max {
        name.truncate(max - HASH_LENGTH);
        push_hash(&mut name, full, HASH_BYTES);
    }
    name
}

/// Appends `_` and the first bytes of a text's hash.
fn push_hash(name: &mut String, full: &str, bytes: usize) {
    name.push('_');
    let digest = Sha256::digest(full);
    name.extend(digest.iter().take(bytes).map(|byte| format!("{byte:02x}")));
}

/// Replaces characters that clients reject by `_`.
fn plain(text: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let plain = text.chars().map(|c| if allowed(c) { c } else { '_' });
    plain.collect()
}

fn claimed_by(owners: &[(&MemberNaming<'_>, &ToName<'_>)], name: &str) -> NamingError {
    let mut texts: Vec<String> = owners
        .iter()
        .take(OWNERS_NAMED_MAX)
        .map(|(mount, tool)| format!("{}/{}", mount.member, tool.tool))
        .collect();
    let (name, more) = (format!("{name:?}"), owners.len() - texts.len());
    if more > 0 {
        return NamingError::ClaimedByMore(name, texts.join(", "), more);
    }
    let last = texts.pop().unwrap_or_default();
    NamingError::Claimed {
        name,
        owners: texts.join(", "),
        last,
    }
}

#[cfg(test)]
mod tests;
