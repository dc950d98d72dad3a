//! The names that agents know tools by.
//!
//! A name follows from the member and its tools, and the profile's changes, never from what else
//! is mounted: it can only be withheld, not become another one. Which tool a name means is looked
//! up, never read out of the name.

mod seen;

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use sha2::{Digest, Sha256};

pub use self::seen::{Meaning, SeenNames, readings};
use super::{AGENT_NAME_MAX, CLIENT_NAME_MAX, SEPARATOR};
use crate::id::{MemberName, ToolName};
use crate::note::NamingTrouble;

/// How many bytes of the hash end a shortened name; twice as many digits, and a `_` before them.
const HASH_BYTES: usize = 4;
const HASH_LENGTH: usize = 2 * HASH_BYTES + 1;
/// How many bytes of the hash tell names apart that only foreign characters did.
const MARK_BYTES: usize = 3;
const MARK_LENGTH: usize = 2 * MARK_BYTES + 1;
/// The most owners of one name that a refusal names.
const OWNERS_NAMED_MAX: usize = 4;

/// A member whose tools are to be named.
#[derive(Debug, Clone)]
pub struct Mount<'a> {
    /// The member.
    pub member: &'a MemberName,
    /// Its tools have their own names, without the member's before them.
    pub without_prefix: bool,
    /// Its tools, in the order of the list.
    pub tools: Vec<ToName<'a>>,
}

/// A tool that is to be named.
#[derive(Debug, Clone, Copy)]
pub struct ToName<'a> {
    /// Its own name.
    pub tool: &'a ToolName,
    /// The name that a profile gives it in place of its own.
    pub rename: Option<&'a str>,
}

/// Names all tools: for each mount, for each of its tools, its name or why it has none.
///
/// A name has at most [`AGENT_NAME_MAX`] bytes of `A-Z a-z 0-9 _ -`, and is given once. `reserved`
/// names are not assigned to any tool. Tools of one member that differ only in characters that clients do
/// not take (`a b` and `a_b`) are told apart by a short hash of their own names; one that has no
/// such characters keeps its name.
pub fn put_together(
    mounts: &[Mount<'_>],
    reserved: &[&str],
) -> Vec<Vec<Result<String, NamingTrouble>>> {
    let wanted: Vec<Vec<String>> = mounts.iter().map(names_of_mount).collect();
    let mut owners: HashMap<&str, Vec<(&Mount<'_>, &ToName<'_>)>> = HashMap::new();
    for (mount, names) in mounts.iter().zip(&wanted) {
        for (tool, name) in mount.tools.iter().zip(names) {
            owners.entry(name).or_default().push((mount, tool));
        }
    }
    let named = |name: &String| match owners.get(name.as_str()) {
        _ if name.is_empty() => Err(NamingTrouble::Nameless),
        _ if reserved.contains(&name.as_str()) => Err(NamingTrouble::OfMenu(format!("{name:?}"))),
        Some(owners) if owners.len() > 1 => Err(claimed_by(owners, name)),
        _ => Ok(name.clone()),
    };
    wanted
        .iter()
        .map(|names| names.iter().map(named).collect())
        .collect()
}

/// Whether some tool of a member may have that name, whatever its tools are: asked while they are
/// not known yet.
pub fn may_be_of(name: &str, member: &MemberName, without_prefix: bool) -> bool {
    if without_prefix {
        return true;
    }
    let mut lead = plain(&format!("{member}{SEPARATOR}"));
    lead.truncate(AGENT_NAME_MAX - HASH_LENGTH.max(MARK_LENGTH));
    // Some clients replace a `-` too.
    name.replace('-', "_").starts_with(&lead.replace('-', "_"))
}

/// The name that a tool had while names were as long as clients take them without a prefix of their
/// own; `None` where it is the same. Configurations may still have it.
pub fn former_name(member: &MemberName, without_prefix: bool, tool: &ToName<'_>) -> Option<String> {
    let full = full_name(member, without_prefix, tool);
    let former = fit(&full, CLIENT_NAME_MAX);
    (former.len() > AGENT_NAME_MAX).then_some(former)
}

/// The names of a member's tools, whoever else has them; one is empty when there is nothing to
/// make it of.
fn names_of_mount(mount: &Mount<'_>) -> Vec<String> {
    let full: Vec<String> = mount
        .tools
        .iter()
        .map(|tool| full_name(mount.member, mount.without_prefix, tool))
        .collect();
    let fitted: Vec<String> = full.iter().map(|full| fit(full, AGENT_NAME_MAX)).collect();
    let mut first: HashMap<&str, &str> = HashMap::new();
    let mut shared = HashSet::new();
    for (name, full) in fitted.iter().zip(&full) {
        // Two that are written the same are two owners of one name, and both lose it.
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

/// The name of one tool before it is fit for clients; empty when there is nothing to make it of.
fn full_name(member: &MemberName, without_prefix: bool, tool: &ToName<'_>) -> String {
    let own = tool.rename.unwrap_or(tool.tool.as_str());
    match (own.trim(), without_prefix) {
        ("", _) => String::new(),
        (_, true) => own.to_owned(),
        (_, false) => format!("{member}{SEPARATOR}{own}"),
    }
}

/// The same name as clients take it: no foreign characters, and not too long.
///
/// The hash is that of the name as it was, so that long names that differ only in characters that
/// were replaced, or behind the cut, stay apart.
fn fit(full: &str, max: usize) -> String {
    let mut name = plain(full);
    if name.len() > max {
        name.truncate(max - HASH_LENGTH);
        push_hash(&mut name, full, HASH_BYTES);
    }
    name
}

/// Ends a name in `_` and the first bytes of a text's hash.
fn push_hash(name: &mut String, full: &str, bytes: usize) {
    name.push('_');
    for byte in Sha256::digest(full).iter().take(bytes) {
        // Writing to a text never fails.
        let _ = write!(name, "{byte:02x}");
    }
}

/// A text without foreign characters.
fn plain(text: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let plain = text.chars().map(|c| if allowed(c) { c } else { '_' });
    plain.collect()
}

fn claimed_by(owners: &[(&Mount<'_>, &ToName<'_>)], name: &str) -> NamingTrouble {
    let mut texts: Vec<String> = owners
        .iter()
        .take(OWNERS_NAMED_MAX)
        .map(|(mount, tool)| format!("{}/{}", mount.member, tool.tool))
        .collect();
    let (name, more) = (format!("{name:?}"), owners.len() - texts.len());
    if more > 0 {
        return NamingTrouble::ClaimedByMore(name, texts.join(", "), more);
    }
    let last = texts.pop().unwrap_or_default();
    NamingTrouble::Claimed(name, texts.join(", "), last)
}

#[cfg(test)]
mod tests;
