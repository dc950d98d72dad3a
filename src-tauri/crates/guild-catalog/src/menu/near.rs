//! Suggests known names that are similar to an unknown one.
//!
//! Each query inspects a bounded number of names: those that share the rarest character pairs with
//! the requested name. Only the best of these are compared in full. A query therefore costs about
//! the same for ten tools and for ten thousand.

use std::collections::HashMap;

use super::NAME_SHOWN_MAX;

/// Maximum number of suggestions.
const NEAR_MAX: usize = 3;
/// Lowest similarity of a suggestion, from 0 to 1.
const NEAR_ENOUGH: f64 = 0.84;
/// Maximum number of index entries that one query reads.
const LOOKED_AT_MAX: usize = 4_096;
/// Maximum number of names that one query compares in full.
const COMPARED_MAX: usize = 48;

/// Two adjacent characters. A space is added at both ends of a name.
type Pair = (char, char);

/// An index of names for similarity queries.
#[derive(Debug, Default)]
pub struct NearNames {
    /// Each name, and its normalized form.
    names: Vec<(String, String)>,
    /// The indexes of the names with each pair, ascending.
    having: HashMap<Pair, Vec<u32>>,
}

/// The work that one query has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Cost {
    looked_at: usize,
    compared: usize,
}

impl NearNames {
    /// Builds the index.
    pub fn of<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut near = Self::default();
        for (at, name) in (0..u32::MAX).zip(names) {
            let own = plain(name);
            for pair in pairs(&own) {
                let having = near.having.entry(pair).or_default();
                // A repeated pair in a name counts once.
                if having.last() != Some(&at) {
                    having.push(at);
                }
            }
            near.names.push((name.to_owned(), own));
        }
        near
    }

    /// Returns at most three similar names, most similar first.
    ///
    /// A tool's own name without the member's prefix counts as a perfect match.
    pub fn near(&self, wanted: &str) -> Vec<String> {
        self.weighed(wanted).0
    }

    fn weighed(&self, wanted: &str) -> (Vec<String>, Cost) {
        let wanted = plain(wanted);
        let mut cost = Cost::default();
        if wanted.is_empty() {
            return (vec![], cost);
        }
        let mut compared: Vec<(f64, &str)> = Vec::new();
        for at in self.candidates(&wanted, &mut cost) {
            let Some((name, own)) = self.names.get(at as usize) else {
                continue;
            };
            cost.compared += 1;
            let likeness = match own.ends_with(&wanted) {
                true => 1.0,
                false => strsim::jaro_winkler(&wanted, own),
            };
            if likeness >= NEAR_ENOUGH {
                compared.push((likeness, name));
            }
        }
        compared.sort_by(|a, b| b.0.total_cmp(&a.0));
        compared.truncate(NEAR_MAX);
        let near = compared.into_iter().map(|(_, name)| name.to_owned());
        (near.collect(), cost)
    }

    /// Returns the names that share most pairs with the requested one, in index order.
    fn candidates(&self, wanted: &str, cost: &mut Cost) -> Vec<u32> {
        let mut shared: Vec<&Vec<u32>> = {
            let mut pairs: Vec<Pair> = pairs(wanted).collect();
            pairs.sort_unstable();
            pairs.dedup();
            let having = pairs.iter().filter_map(|pair| self.having.get(pair));
            having.collect()
        };
        // The rarest pairs are the most specific.
        shared.sort_by_key(|having| having.len());
        let mut shares: HashMap<u32, usize> = HashMap::new();
        for &at in shared.into_iter().flatten().take(LOOKED_AT_MAX) {
            cost.looked_at += 1;
            *shares.entry(at).or_default() += 1;
        }
        let mut best: Vec<(u32, usize)> = shares.into_iter().collect();
        best.sort_by_key(|&(at, count)| (std::cmp::Reverse(count), at));
        best.truncate(COMPARED_MAX);
        let mut best: Vec<u32> = best.into_iter().map(|(at, _)| at).collect();
        best.sort_unstable();
        best
    }
}

fn pairs(plain: &str) -> impl Iterator<Item = Pair> {
    const BLANK: char = ' ';
    let firsts = std::iter::once(BLANK).chain(plain.chars());
    firsts.zip(plain.chars().chain(std::iter::once(BLANK)))
}

/// Normalizes a name: lowercase, without separators.
fn plain(name: &str) -> String {
    name.chars()
        .take(NAME_SHOWN_MAX)
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_those_that_were_probably_meant() {
        let names = NearNames::of(
            [
                "github__create_issue",
                "github__create_pull_request",
                "gitlab__create_issue",
                "time__now",
                "math__x",
            ]
            .into_iter(),
        );
        for (wanted, expect) in [
            (
                "create_issue",
                vec!["github__create_issue", "gitlab__create_issue"],
            ),
            ("github-createIssue", vec!["github__create_issue"]),
            ("time__know", vec!["time__now"]),
            ("x", vec!["math__x"]),
            ("weather", vec![]),
            ("", vec![]),
            ("__", vec![]),
        ] {
            let found = names.near(wanted);
            assert_eq!(&found[..expect.len()], expect, "{wanted}");
            assert!(
                found.len() <= 3 && (!expect.is_empty() || found.is_empty()),
                "{found:?}"
            );
        }
    }

    #[test]
    fn a_question_costs_no_more_among_many_names_than_its_bounds() {
        // Worst case: all names share nearly all of their pairs.
        let many: Vec<String> = (0..10_000)
            .map(|n| format!("warehouse__create_shipping_order_{n:05}"))
            .collect();
        let names = NearNames::of(many.iter().map(String::as_str));
        let long = "warehouse__create_shipping_order".repeat(100);
        for wanted in [
            "warehouse__create_shiping_order_04711",
            "warehouse__create",
            "nothing_like_it",
            &long,
        ] {
            let (_, cost) = names.weighed(wanted);
            assert!(
                cost.looked_at <= LOOKED_AT_MAX && cost.compared <= COMPARED_MAX,
                "{wanted}: {cost:?}"
            );
        }
        let (near, _) = names.weighed("warehouse__create_shiping_order_04711");
        assert_eq!(near[0], "warehouse__create_shipping_order_04711");
    }
}
