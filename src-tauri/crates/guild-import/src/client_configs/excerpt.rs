//! Extracts the changes in a large file, each with its surrounding lines, for display.

use super::changed_lines::changed_lines;

/// Maximum size of a file that is shown completely, in bytes.
const WHOLE_MAX: usize = 256 << 10;
/// Number of lines that are shown before and after a change.
const AROUND: usize = 40;
/// Maximum number of bytes that are shown on each side of a change. This limits long lines.
const BYTES_AROUND: usize = 32 << 10;

/// Returns both texts. If they are large, returns only the parts around their differences.
pub(super) fn around_change(before: &str, after: &str) -> (String, String) {
    if before.len() <= WHOLE_MAX {
        return (before.to_owned(), after.to_owned());
    }
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let changes = changed_lines(&old, &new);
    let (mut before, mut after) = (String::new(), String::new());
    let (mut old_at, mut new_at) = (0, 0);
    for (index, change) in changes.iter().enumerate() {
        // Each excerpt ends halfway between two changes.
        let next = changes.get(index + 1);
        let old_end = next.map_or(old.len(), |next| (change.old.end + next.old.start) / 2);
        let new_end = next.map_or(new.len(), |_| change.new.end + old_end - change.old.end);
        let one = around_one(
            &old[old_at..old_end].concat(),
            &new[new_at..new_end].concat(),
        );
        before.push_str(&one.0);
        after.push_str(&one.1);
        (old_at, new_at) = (old_end, new_end);
    }
    (before, after)
}

/// Returns the parts of both texts around a single difference.
fn around_one(before: &str, after: &str) -> (String, String) {
    let same = |pairs: &mut dyn Iterator<Item = (u8, u8)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let head = same(&mut before.bytes().zip(after.bytes()));
    let shorter = before.len().min(after.len());
    let tail = same(&mut before.bytes().rev().zip(after.bytes().rev())).min(shorter - head);
    (shown(before, head, tail), shown(after, head, tail))
}

fn shown(text: &str, head: usize, tail: usize) -> String {
    let begin = boundary(text, head.saturating_sub(BYTES_AROUND));
    let start = match text[begin..boundary(text, head)]
        .rmatch_indices('\n')
        .nth(AROUND)
    {
        Some((at, _)) => begin + at + 1,
        None => begin,
    };
    let rest = boundary(text, text.len() - tail);
    let limit = boundary(text, (rest + BYTES_AROUND).min(text.len()));
    let end = match text[rest..limit].match_indices('\n').nth(AROUND) {
        Some((at, _)) => rest + at + 1,
        None => limit,
    };
    let mut excerpt = String::new();
    if start > 0 {
        excerpt.push_str(&format!("… {start} unchanged bytes …\n"));
    }
    excerpt.push_str(&text[start..end]);
    if end < text.len() {
        let left = text.len() - end;
        excerpt.push_str(&format!("\n… {left} unchanged bytes …\n"));
    }
    excerpt
}

/// Returns the last character boundary at or before an offset.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpt_shows_a_large_file_around_the_change() {
        let small = ("a\n".to_owned(), "b\n".to_owned());
        assert_eq!(around_change(&small.0, &small.1), small);
        let lines = |what: &str| -> String {
            let line = |n: usize| match n {
                20_000 => what.to_owned(),
                n => format!("line {n} é\n"),
            };
            (0..40_000).map(line).collect()
        };
        let (before, after) = around_change(&lines("old\n"), &lines("new\n"));
        for (text, word) in [(&before, "old"), (&after, "new")] {
            assert!(
                text.contains(&format!("line 19999 é\n{word}\nline 20001 é\n")),
                "{text}"
            );
            assert!(text.lines().count() < 100, "{text}");
        }
        let one_line = format!("{{\"é\":\"{}\"", "é".repeat(WHOLE_MAX));
        let (_, after) = around_change(&format!("{one_line}}}"), &format!("{one_line},\"a\":1}}"));
        assert!(
            after.ends_with(",\"a\":1}") && after.len() < 2 * BYTES_AROUND,
            "{}",
            after.len()
        );
    }
}
