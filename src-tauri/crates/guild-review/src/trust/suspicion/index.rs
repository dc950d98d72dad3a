//! An index of a list's tool names. It finds the names that may be similar to a given one, so that
//! a name need not be compared with all names of all members.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::names::{skeleton, spoken_of};
use guild_model::id::ToolName;
use guild_model::tool::ToolSpec;

/// The tool names of a list, indexed by the traits that similar names share.
#[derive(Debug, Default)]
pub struct NameIndex {
    /// Pairs of the hash of a trait and the index of a name with that trait, sorted.
    entries: Vec<(u64, u32)>,
}

/// The hashed traits of one tool, for a lookup in the index: the traits of its name, and those of
/// the names in its description.
#[derive(Debug)]
pub struct NameProbe(Vec<u64>);

/// A trait that similar names share. If one letter is changed, or two adjacent letters are swapped,
/// either the first or the second half stays the same. The middle letter belongs to neither half.
#[derive(Hash)]
enum Trait<'a> {
    Name(&'a str),
    Skeleton(&'a str),
    /// The first half, with the length of the whole name in characters.
    Beginning(usize, &'a str),
    /// The second half, with the length of the whole name in characters.
    End(usize, &'a str),
}

impl Trait<'_> {
    fn hashed(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

impl NameIndex {
    /// Builds the index. It stores each name's position in `names`.
    pub fn of<'a>(names: impl Iterator<Item = &'a ToolName>) -> Self {
        let mut entries = Vec::new();
        for (name, place) in names.zip(0_u32..) {
            let name = name.as_str();
            let (beginning, end) = parts(name, name.chars().count());
            let traits = [
                Trait::Name(name).hashed(),
                Trait::Skeleton(&skeleton(name)).hashed(),
                beginning.hashed(),
                end.hashed(),
            ];
            entries.extend(traits.map(|hash| (hash, place)));
        }
        entries.sort_unstable();
        entries.shrink_to_fit();
        Self { entries }
    }

    /// Returns the positions of the names that may be similar to the tool's, in ascending order.
    pub fn find(&self, probe: &NameProbe) -> Vec<usize> {
        let mut places: Vec<usize> = Vec::new();
        for hash in &probe.0 {
            let first = self.entries.partition_point(|(other, _)| other < hash);
            let same = self.entries[first..].iter();
            let same = same.take_while(|(other, _)| other == hash);
            places.extend(same.map(|(_, place)| *place as usize));
        }
        places.sort_unstable();
        places.dedup();
        places
    }
}

impl NameProbe {
    /// Computes the traits of a tool.
    pub fn of(tool: &ToolSpec) -> Self {
        let name = tool.name().as_str();
        let mut hashes = vec![
            Trait::Name(name).hashed(),
            Trait::Skeleton(&skeleton(name)).hashed(),
        ];
        let count = name.chars().count();
        for theirs in count.saturating_sub(1).max(1)..=count + 1 {
            let (beginning, end) = parts(name, theirs);
            hashes.extend([beginning.hashed(), end.hashed()]);
        }
        let spoken = spoken_of(tool.description());
        hashes.extend(spoken.keys().map(|name| Trait::Name(name).hashed()));
        Self(hashes)
    }
}

/// Returns the beginning and the end of a name by which similar names with this number of
/// characters are found. A name that is similar has the same beginning or the same end.
fn parts(name: &str, characters: usize) -> (Trait<'_>, Trait<'_>) {
    let half = characters.saturating_sub(1) / 2;
    let rest = characters.saturating_sub(half + 1);
    let begins = name.char_indices().nth(half);
    let begins = begins.map_or(name, |(end, _)| &name[..end]);
    let ends = match rest {
        0 => "",
        _ => {
            let start = name.char_indices().rev().nth(rest - 1);
            start.map_or(name, |(start, _)| &name[start..])
        }
    };
    (
        Trait::Beginning(characters, begins),
        Trait::End(characters, ends),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::trust::{OtherTool, suspicions};
    use guild_model::id::MemberName;

    fn tool(name: &str, description: &str) -> ToolSpec {
        ToolSpec::from_raw(json!({"name": name, "description": description, "inputSchema": {}}))
            .expect("a tool")
    }

    #[test]
    fn index_finds_likely_names_and_few_others() {
        let names: Vec<ToolName> = (0..2_000)
            .map(|number| format!("tool_of_number_{number}"))
            .chain(["send_mail", "sendMail", "send_mial", "sent_mail", "other"].map(str::to_owned))
            .map(|name| ToolName::parse(&name).expect("a name"))
            .collect();
        let index = NameIndex::of(names.iter());
        let found = index.find(&NameProbe::of(&tool("send_mail", "Like tool_of_number_7.")));
        assert!(
            [2_000, 2_001, 2_002, 2_003, 7]
                .iter()
                .all(|at| found.contains(at))
        );
        assert!(found.len() < 10, "{found:?}");
    }

    proptest! {
        #[test]
        fn index_leaves_out_no_suspicion(
            own in "[abi1_é]{1,8}",
            theirs in proptest::collection::vec("[abi1_é]{1,8}", 1..12),
        ) {
            let own_member = MemberName::parse("own").expect("a name");
            let member = MemberName::parse("other").expect("a name");
            let tool = tool(&own, &format!("Before {} comes {}.", theirs[0], own));
            let names: Vec<ToolName> =
                theirs.iter().map(|name| ToolName::parse(name).expect("a name")).collect();
            let other = |name| OtherTool { member: &member, name };
            let all = suspicions(&own_member, &tool, names.iter().map(other));
            let found = NameIndex::of(names.iter()).find(&NameProbe::of(&tool));
            let likely = found.iter().map(|at| other(&names[*at]));
            prop_assert_eq!(all, suspicions(&own_member, &tool, likely));
        }
    }
}
