//! The names that agents know tools by.
//!
//! A name follows from the member, the tool and the profile's change alone, never from what else
//! is mounted: it can only be withheld, not become another one. Which tool a name means is looked
//! up, never read out of the name.

use std::collections::HashMap;
use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::{AGENT_NAME_MAX, SEPARATOR};
use crate::id::{MemberName, ToolName};
use crate::note::NamingTrouble;

/// How much of a name that is too long is kept, in bytes.
const KEPT: usize = 55;
/// How many bytes of the hash end a shortened name; twice as many digits.
const HASH_BYTES: usize = 4;
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
/// names are given to nobody.
pub fn put_together(
    mounts: &[Mount<'_>],
    reserved: &[&str],
) -> Vec<Vec<Result<String, NamingTrouble>>> {
    let wanted: Vec<Vec<String>> = mounts
        .iter()
        .map(|mount| mount.tools.iter().map(|tool| name(mount, tool)).collect())
        .collect();
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
    lead.truncate(KEPT);
    name.starts_with(&lead)
}

/// The name of one tool, whoever else has it; empty when there is nothing to make it of.
fn name(mount: &Mount<'_>, tool: &ToName<'_>) -> String {
    let own = tool.rename.unwrap_or(tool.tool.as_str());
    if own.trim().is_empty() {
        return String::new();
    }
    if mount.without_prefix {
        return fit(own);
    }
    fit(&format!("{}{SEPARATOR}{own}", mount.member))
}

/// The same name as clients take it: no foreign characters, and not too long.
///
/// The hash is that of the name as it was, so that long names that differ only in characters that
/// were replaced, or behind the cut, stay apart.
fn fit(full: &str) -> String {
    let mut name = plain(full);
    if name.len() > AGENT_NAME_MAX {
        name.truncate(KEPT);
        name.push('_');
        for byte in Sha256::digest(full).iter().take(HASH_BYTES) {
            // Writing to a text never fails.
            let _ = write!(name, "{byte:02x}");
        }
    }
    name
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
