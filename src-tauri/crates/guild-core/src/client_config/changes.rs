//! Where two texts differ, by their lines.

use std::ops::Range;

/// The most lines that are looked for one by one; what differs in more is one change.
const LINES_MAX: usize = 500;

/// Lines that stand in the place of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedLines {
    /// Those of the old text, from 0.
    pub old: Range<usize>,
    /// Those of the new text.
    pub new: Range<usize>,
}

/// Where two texts differ, in order and apart from each other.
pub fn changed_lines(old: &[&str], new: &[&str]) -> Vec<ChangedLines> {
    let head = alike(old.iter().zip(new));
    let shorter = old.len().min(new.len()) - head;
    let tail = alike(old.iter().rev().zip(new.iter().rev())).min(shorter);
    let (before, after) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let whole = ChangedLines {
        old: 0..before.len(),
        new: 0..after.len(),
    };
    let mut changes = match (before.is_empty(), after.is_empty()) {
        (true, true) => Vec::new(),
        (false, false) => between(&same_lines(before, after).unwrap_or_default(), whole),
        _ => vec![whole],
    };
    for ChangedLines { old, new } in &mut changes {
        *old = old.start + head..old.end + head;
        *new = new.start + head..new.end + head;
    }
    changes
}

fn alike<'l>(pairs: impl Iterator<Item = (&'l &'l str, &'l &'l str)>) -> usize {
    pairs.take_while(|(one, other)| one == other).count()
}

/// What lies between lines that are the same.
fn between(same: &[(usize, usize)], whole: ChangedLines) -> Vec<ChangedLines> {
    let mut changes = Vec::new();
    let (mut old, mut new) = (0, 0);
    let end = (whole.old.end, whole.new.end);
    for &(of_old, of_new) in same.iter().chain([&end]) {
        if of_old > old || of_new > new {
            changes.push(ChangedLines {
                old: old..of_old,
                new: new..of_new,
            });
        }
        (old, new) = (of_old + 1, of_new + 1);
    }
    changes
}

/// The lines that both texts have, in pairs: as many as there can be (Myers, 1986). `None` where
/// more than [`LINES_MAX`] lines are not.
fn same_lines(old: &[&str], new: &[&str]) -> Option<Vec<(usize, usize)>> {
    let (count, others) = (old.len(), new.len());
    // How far each diagonal has come, by `old - new + offset`.
    let offset = LINES_MAX + 1;
    let mut furthest = vec![0_usize; 2 * offset + 1];
    let mut steps = Vec::new();
    for step in 0..=LINES_MAX {
        for diagonal in (offset - step..=offset + step).step_by(2) {
            let down = diagonal == offset - step
                || diagonal != offset + step && furthest[diagonal - 1] < furthest[diagonal + 1];
            let mut x = match down {
                true => furthest[diagonal + 1],
                false => furthest[diagonal - 1] + 1,
            };
            let mut y = (x + offset).checked_sub(diagonal)?;
            while x < count && y < others && old[x] == new[y] {
                (x, y) = (x + 1, y + 1);
            }
            furthest[diagonal] = x;
            if x >= count && y >= others {
                return Some(pairs(&steps, offset, (count, others)));
            }
        }
        steps.push(furthest[offset - step..=offset + step].to_vec());
    }
    None
}

/// The pairs on the way that the steps went, from its end back.
fn pairs(steps: &[Vec<usize>], offset: usize, end: (usize, usize)) -> Vec<(usize, usize)> {
    let (mut x, mut y) = end;
    let mut pairs = Vec::new();
    for (step, furthest) in steps.iter().enumerate().rev() {
        let diagonal = x + offset - y;
        let at = |diagonal: usize| {
            let index = (diagonal + step).checked_sub(offset)?;
            furthest.get(index).copied()
        };
        let (below, above) = (at(diagonal - 1), at(diagonal + 1));
        let down = below.is_none() || above.is_some() && below < above;
        let (from, diagonal) = match down {
            true => (above.unwrap_or(0), diagonal + 1),
            false => (below.unwrap_or(0), diagonal - 1),
        };
        let start = if down { from } else { from + 1 };
        while x > start {
            (x, y) = (x - 1, y - 1);
            pairs.push((x, y));
        }
        (x, y) = (from, from + offset - diagonal);
    }
    while x > 0 && y > 0 {
        (x, y) = (x - 1, y - 1);
        pairs.push((x, y));
    }
    pairs.reverse();
    pairs
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
