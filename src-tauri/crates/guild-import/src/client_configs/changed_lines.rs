//! Compares two texts by lines.

use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, capture_diff_slices_deadline};

/// Time limit of the comparison. After this time, the rest of the texts counts as one change.
const TIME_MAX: Duration = Duration::from_millis(500);

/// Lines in the old text that are replaced by lines in the new text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChangedLines {
    /// Line numbers in the old text, from 0.
    pub(super) old: Range<usize>,
    /// Line numbers in the new text, from 0.
    pub(super) new: Range<usize>,
}

/// Returns the differences of two texts, in order and without overlaps.
pub(super) fn changed_lines(old: &[&str], new: &[&str]) -> Vec<ChangedLines> {
    let until = Instant::now() + TIME_MAX;
    let parts = capture_diff_slices_deadline(Algorithm::Myers, old, new, Some(until));
    let mut changes: Vec<ChangedLines> = Vec::new();
    let changed = parts
        .iter()
        .filter(|part| part.tag() != similar::DiffTag::Equal);
    for part in changed {
        let (old, new) = (part.old_range(), part.new_range());
        match changes.last_mut() {
            Some(last) if last.old.end == old.start && last.new.end == new.start => {
                (last.old.end, last.new.end) = (old.end, new.end);
            }
            _ => changes.push(ChangedLines { old, new }),
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_place_where_lines_go_or_come_is_told_by_itself() {
        let old = ["{", "a", "b", "c", "d", "e", "}"];
        let new = ["{", "b", "c", "d", "E", "F", "}"];
        let change = |old: Range<usize>, new: Range<usize>| ChangedLines { old, new };
        assert_eq!(
            changed_lines(&old, &new),
            [change(1..2, 1..1), change(5..6, 4..6)]
        );
        assert_eq!(changed_lines(&old, &old), []);
        assert_eq!(changed_lines(&[], &["a"]), [change(0..0, 0..1)]);
    }

    #[test]
    fn texts_that_have_next_to_nothing_in_common_are_one_change() {
        let lines = |what: &str| (0..2_000).map(|n| format!("{what}{n}")).collect::<Vec<_>>();
        let (old, new) = (lines("a"), lines("b"));
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        let new: Vec<&str> = new.iter().map(String::as_str).collect();
        let whole = ChangedLines {
            old: 0..2_000,
            new: 0..2_000,
        };
        assert_eq!(changed_lines(&old, &new), [whole]);
    }

    proptest! {
        #[test]
        fn the_changes_make_the_new_text_of_the_old(
            old in prop::collection::vec("[a-d]", 0..40), new in prop::collection::vec("[a-d]", 0..40)
        ) {
            let old: Vec<&str> = old.iter().map(String::as_str).collect();
            let new: Vec<&str> = new.iter().map(String::as_str).collect();
            let mut made = Vec::new();
            let mut at = 0;
            for change in changed_lines(&old, &new) {
                prop_assert!(change.old.start >= at);
                made.extend_from_slice(&old[at..change.old.start]);
                made.extend_from_slice(&new[change.new.clone()]);
                at = change.old.end;
            }
            made.extend_from_slice(&old[at..]);
            prop_assert_eq!(made, new);
        }
    }
}
