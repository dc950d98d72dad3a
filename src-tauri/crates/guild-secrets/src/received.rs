//! The values that are masked because members received them, within limits.
//!
//! Values of `${secret:NAME}` have a limit of their own, so that a manifest with many values that
//! look secret can't prevent the masking of stored secrets.

use std::collections::BTreeSet;

/// Maximum total size of values that look secret by name, position or shape, in bytes. Searching
/// for them takes about a hundred times their size in memory.
const OTHERS_MAX: usize = 256 << 10;
/// Maximum total size of explicit secrets, stored or received at a sign-in, in bytes.
const SECRETS_MAX: usize = 1 << 20;

/// The masked values. Their total size is bounded.
#[derive(Debug, Default)]
pub(super) struct ReceivedSecrets {
    secrets: BoundedValueSet,
    others: BoundedValueSet,
    /// Whether a value did not fit into the limits, and whether a warning about that was returned.
    is_full: bool,
    is_warned: bool,
}

#[derive(Debug, Default)]
struct BoundedValueSet {
    values: BTreeSet<String>,
    bytes: usize,
}

impl ReceivedSecrets {
    /// Adds explicit secrets. Returns whether one of them is new.
    pub(super) fn add_secrets(&mut self, values: impl IntoIterator<Item = String>) -> bool {
        Self::add(&mut self.secrets, SECRETS_MAX, &mut self.is_full, values)
    }

    /// Adds values that look secret, unless they are explicit secrets. Returns whether one of them
    /// is new.
    pub(super) fn add_others(&mut self, values: impl IntoIterator<Item = String>) -> bool {
        let known = &self.secrets.values;
        let values = values.into_iter().filter(|value| !known.contains(value));
        Self::add(&mut self.others, OTHERS_MAX, &mut self.is_full, values)
    }

    fn add(
        to: &mut BoundedValueSet,
        max: usize,
        is_full: &mut bool,
        values: impl IntoIterator<Item = String>,
    ) -> bool {
        let mut is_new = false;
        for value in values {
            if to.values.contains(&value) {
                continue;
            }
            if to.bytes + value.len() > max {
                *is_full = true;
                continue;
            }
            to.bytes += value.len();
            to.values.insert(value);
            is_new = true;
        }
        is_new
    }

    /// Removes a value. Returns whether it existed.
    pub(super) fn remove(&mut self, value: &str) -> bool {
        let each = [&mut self.secrets, &mut self.others];
        let removed = each.map(|bounded| {
            let removed = bounded.values.remove(value);
            bounded.bytes -= if removed { value.len() } else { 0 };
            removed
        });
        removed.contains(&true)
    }

    /// Returns all values. A value that was added as an explicit secret and as a value that looks
    /// secret occurs twice.
    pub(super) fn all(&self) -> impl Iterator<Item = &String> {
        self.secrets.values.iter().chain(&self.others.values)
    }

    /// Returns the number of stored bytes if a value did not fit and no warning was returned
    /// before. Returns `None` in all other cases.
    pub(super) fn warning(&mut self) -> Option<usize> {
        let warns = self.is_full && !std::mem::replace(&mut self.is_warned, self.is_full);
        warns.then_some(self.secrets.bytes + self.others.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_is_kept_after_many_other_values() {
        let mut received = ReceivedSecrets::default();
        let value = |number: usize| format!("looks-secret-{number:04}");
        assert!(received.add_others((0..1_001).map(value)));
        assert!(received.add_secrets(["planted".to_owned()]));
        assert_eq!(received.all().count(), 1_002, "all fit");
        assert_eq!(received.warning(), None);
    }

    #[test]
    fn explicit_secrets_leave_the_other_budget_alone() {
        let mut handed_out = ReceivedSecrets::default();
        let long = "a".repeat(OTHERS_MAX);
        handed_out.add_secrets([long.clone()]);
        assert!(!handed_out.add_others([long]), "it is masked already");
        assert!(handed_out.add_others(["planted".to_owned()]));
        assert_eq!(handed_out.warning(), None);
    }

    #[test]
    fn full_budget_warns_once_and_keeps_secrets() {
        let mut received = ReceivedSecrets::default();
        let long = |sign: &str| sign.repeat(OTHERS_MAX / 2);
        received.add_others([long("a"), long("b"), long("c")]);
        assert_eq!(received.warning(), Some(OTHERS_MAX));
        received.add_others([long("d")]);
        assert_eq!(received.warning(), None, "once");
        assert!(received.add_secrets(["planted".to_owned()]));
        assert!(received.all().any(|value| value == "planted"));
        assert!(received.remove("planted") && !received.remove("planted"));
        assert!(received.remove(&long("a")) && received.add_others([long("d")]));
    }
}
