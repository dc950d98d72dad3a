//! What would change in a program's file, line by line.

use guild_core::client_config::changed_lines;
use guild_core::wire::ClientConfigPreview;

/// How many lines are shown before and after a change.
const AROUND: usize = 3;

/// The lines that go and come, with some around them.
pub(crate) fn changes(seen: &ClientConfigPreview) -> String {
    let before: Vec<&str> = seen.before.as_deref().unwrap_or_default().lines().collect();
    let after: Vec<&str> = seen.after.lines().collect();
    let mut lines = vec![format!("--- {}", seen.path), format!("+++ {}", seen.path)];
    let mut add = |mark: char, part: &[&str]| {
        lines.extend(part.iter().map(|line| format!("{mark}{line}")));
    };
    let changed = changed_lines(&before, &after);
    let mut shown = 0;
    for (index, change) in changed.iter().enumerate() {
        let from = change.old.start.saturating_sub(AROUND).max(shown);
        if index > 0 && from > shown {
            add('@', &["@"]);
        }
        add(' ', &before[from..change.old.start]);
        add('-', &before[change.old.clone()]);
        add('+', &after[change.new.clone()]);
        let next = changed.get(index + 1);
        let limit = next.map_or(before.len(), |next| next.old.start);
        shown = (change.old.end + AROUND).min(limit);
        add(' ', &before[change.old.end..shown]);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: Option<&str>, after: &str, expect: &str) {
        let seen = ClientConfigPreview {
            path: "/f".into(),
            before: before.map(str::to_owned),
            after: after.into(),
            precondition: String::new(),
            taken_out: vec![],
            comments: 0,
            choices: vec![],
            profile: None,
            project: None,
        };
        assert_eq!(changes(&seen), format!("--- /f\n+++ /f{expect}"));
    }

    #[test]
    fn changes_are_shown_with_the_lines_around_them() {
        check(
            Some("1\n2\n3\n4\n5\n6\n7\n8\n9\n"),
            "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
            "\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8",
        );
        check(
            Some("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n"),
            "2\n3\n4\n5\n6\n7\n8\n9\n10\n",
            "\n-1\n 2\n 3\n 4\n@@\n 8\n 9\n 10\n-11",
        );
        check(Some("1\n2\n3\n4\n"), "2\n3\n", "\n-1\n 2\n 3\n-4");
    }

    #[test]
    fn no_change_and_a_new_file_are_shown_as_what_they_are() {
        check(None, "a\nb\n", "\n+a\n+b");
        check(Some("a\na\n"), "a\na\na\n", "\n a\n a\n+a");
        check(Some("a\n"), "a\n", "");
    }
}
