//! Resolves tool names in the form in which models see them: with a prefix that their client adds,
//! and with characters that their client has replaced.

use std::collections::{BTreeSet, HashMap};

use super::plain;
use guild_model::endpoint::ENTRY;

/// Maximum length of a name that is parsed, in bytes: a client's prefix and the longest name that
/// clients accept.
const SEEN_MAX: usize = 256;
/// Prefixes that clients add to a server's name. A prefix that begins with another one comes first.
const LEADS: [&str; 3] = ["mcp__", "mcp_", ""];
/// Strings that clients add after a server's name.
const ENDS: [&str; 2] = ["__", "_"];

/// The meaning of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// The name is unknown.
    Nothing,
    /// The name has exactly one meaning: the entry with this index.
    One(usize),
    /// The name is ambiguous: it may mean any of the entries with these indexes.
    Several(Vec<usize>),
}

/// An index of names in the form in which models see them.
#[derive(Debug, Default)]
pub struct SeenNames {
    by_form: HashMap<String, Vec<usize>>,
}

impl SeenNames {
    /// Builds the index from names and the indexes of the entries that they mean. An entry may have
    /// several names.
    pub fn of<'a>(names: impl Iterator<Item = (&'a str, usize)>) -> Self {
        let mut by_form: HashMap<String, Vec<usize>> = HashMap::new();
        for (name, at) in names {
            let places = by_form.entry(form(name)).or_default();
            if !places.contains(&at) {
                places.push(at);
            }
        }
        Self { by_form }
    }

    /// Resolves a name that is not an exposed name. Tries three readings in order: the name with
    /// characters that a client replaced, the name without the gateway's default prefix, and the
    /// name without a client's prefix for any server, such as `mcp__SERVER__`.
    pub fn meaning(&self, name: &str) -> Meaning {
        if name.len() > SEEN_MAX {
            return Meaning::Nothing;
        }
        let name = form(name);
        let meaning = |found: BTreeSet<usize>| {
            let found: Vec<usize> = found.into_iter().collect();
            match found.as_slice() {
                [] => None,
                [one] => Some(Meaning::One(*one)),
                _ => Some(Meaning::Several(found)),
            }
        };
        meaning(self.at(&name).collect())
            .or_else(|| {
                meaning(
                    without_entry(&name)
                        .flat_map(|rest| self.at(rest))
                        .collect(),
                )
            })
            .or_else(|| {
                meaning(
                    without_server(&name)
                        .flat_map(|rest| self.at(rest))
                        .collect(),
                )
            })
            .unwrap_or(Meaning::Nothing)
    }

    fn at(&self, form: &str) -> impl Iterator<Item = usize> {
        self.by_form.get(form).into_iter().flatten().copied()
    }
}

/// Returns the names that a model may mean by this one: the name itself, and the name without
/// the gateway's default prefix.
pub fn readings(name: &str) -> Vec<String> {
    let mut readings = vec![name.to_owned()];
    if name.len() > SEEN_MAX || !name.is_ascii() {
        return readings;
    }
    let form = form(name);
    for rest in without_entry(&form) {
        // The rest is taken from the original name: replacements don't change the length of a name.
        if let Some(own) = name.get(name.len() - rest.len()..) {
            readings.push(own.to_owned());
        }
    }
    readings
}

/// Normalizes a name: each character that some client replaces becomes `_`.
fn form(name: &str) -> String {
    plain(name).replace('-', "_")
}

fn without_entry(name: &str) -> impl Iterator<Item = &str> {
    let entry = form(ENTRY);
    LEADS.into_iter().flat_map(move |lead| {
        let rest = name.strip_prefix(lead).and_then(|rest| {
            let rest = rest.strip_prefix(&entry)?;
            Some(
                ENDS.into_iter()
                    .filter_map(move |end| rest.strip_prefix(end)),
            )
        });
        rest.into_iter().flatten().collect::<Vec<_>>()
    })
}

/// Returns the possible tool names that follow a client's marker and the name of a server.
fn without_server(name: &str) -> impl Iterator<Item = &str> {
    let rest = name.strip_prefix("mcp_").unwrap_or_default();
    let rest = rest.strip_prefix('_').unwrap_or(rest);
    rest.match_indices('_')
        .filter(|(at, _)| *at > 0)
        .filter_map(move |(at, _)| rest.get(at + 1..))
        .filter(|own| !own.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 6] = [
        "kit__echo",
        "everything__get-sum",
        "a__b",
        "b",
        "twin__a-b",
        "twin__a_b",
    ];

    fn meaning(name: &str) -> Meaning {
        SeenNames::of(NAMES.into_iter().zip(0..)).meaning(name)
    }

    #[test]
    fn a_clients_prefix_and_separators_are_seen_through() {
        for (name, at) in [
            ("mcp_guild-hall_kit__echo", 0),
            ("guild-hall_kit__echo", 0),
            ("mcp__guild-hall__kit__echo", 0),
            ("guild_hall_kit__echo", 0),
            ("mcp__tools__kit__echo", 0),
            ("guild-hall.kit__echo", 0),
            ("everything__get_sum", 1),
            ("mcp_guild_hall_everything__get_sum", 1),
            ("mcp__guild-hall__a__b", 2),
            ("mcp__guild-hall__b", 3),
        ] {
            assert_eq!(meaning(name), Meaning::One(at), "{name}");
        }
    }

    #[test]
    fn ambiguous_name_matches_nothing() {
        assert_eq!(meaning("twin__a.b"), Meaning::Several(vec![4, 5]));
        // The server may be "x" or "x__a".
        assert_eq!(meaning("mcp__x__a__b"), Meaning::Several(vec![2, 3]));
    }

    #[test]
    fn a_name_without_a_clients_mark_is_only_itself() {
        for name in [
            "x__kit__echo",
            "echo",
            "kit_echo",
            "",
            "mcp_",
            "mcp__guild-hall__",
        ] {
            assert_eq!(meaning(name), Meaning::Nothing, "{name}");
        }
        assert_eq!(meaning(&"mcp__x".repeat(100)), Meaning::Nothing);
    }

    #[test]
    fn a_name_is_read_without_the_gateways_own() {
        let own = |name: &str| readings(name).contains(&"kit__get-sum".to_owned());
        for name in [
            "kit__get-sum",
            "mcp__guild-hall__kit__get-sum",
            "guild_hall_kit__get-sum",
        ] {
            assert!(own(name), "{name}");
        }
        assert!(!own("x_kit__get-sum"));
        assert_eq!(readings("é_guild-hall_b"), ["é_guild-hall_b"]);
    }
}
