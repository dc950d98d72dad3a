//! A server's entry in a file, independent of the file's format.

use std::collections::HashMap;

use serde_json::Value;

use guild_model::messages::RunProblem;
use guild_text::tree::TreeMember;

/// Maximum size of an entry's text, in bytes.
pub(super) const ENTRY_MAX: usize = 256 * 1024;

#[derive(Debug)]
pub(super) struct ConfigEntry {
    pub(super) name: String,
    /// The entry's line, from 1.
    pub(super) line: usize,
    /// The line of an earlier entry with the same name, which the program ignores.
    pub(super) earlier: Option<usize>,
    /// The entry's value, or the reason why it can't be read.
    pub(super) value: Result<Value, RunProblem>,
}

/// Returns the servers of a list by name. If a name is repeated, the last entry counts: the
/// programs do the same.
pub(super) fn entries(members: &[TreeMember]) -> Vec<ConfigEntry> {
    let mut last: HashMap<&str, (usize, Option<usize>)> = HashMap::new();
    for (at, member) in members.iter().enumerate() {
        let before = last.get(member.key.as_str()).map(|(before, _)| *before);
        last.insert(&member.key, (at, before.map(|before| members[before].line)));
    }
    let members = members.iter().enumerate();
    let members = members.filter_map(|(at, member)| match last.get(member.key.as_str()) {
        Some(&(last, earlier)) if last == at => Some((member, earlier)),
        _ => None,
    });
    let entry = |(member, earlier): (&TreeMember, Option<usize>)| {
        let value = member.node.to_value();
        ConfigEntry {
            name: member.key.clone(),
            line: member.line,
            earlier,
            value: match value.to_string().len() > ENTRY_MAX {
                true => Err(RunProblem::TooLarge(ENTRY_MAX >> 10)),
                false => Ok(value),
            },
        }
    };
    members.map(entry).collect()
}
