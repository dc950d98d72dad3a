//! The changes of a program's file, as a unified diff.

use std::time::Duration;

use guild_api::wire::ClientConfigPreview;
use similar::{ChangeTag, TextDiff};

/// Time limit of the comparison. After this time, the rest of the file counts as one change.
const TIME_MAX: Duration = Duration::from_millis(500);

/// Returns the changed lines, with three lines before and after each change.
pub(crate) fn changes(seen: &ClientConfigPreview) -> String {
    let before = seen.before.as_deref().unwrap_or_default();
    let diff = TextDiff::configure()
        .timeout(TIME_MAX)
        .diff_lines(before, &seen.after);
    let mut lines = vec![format!("--- {}", seen.path), format!("+++ {}", seen.path)];
    for hunk in diff.unified_diff().iter_hunks() {
        lines.push(hunk.header().to_string());
        lines.extend(hunk.iter_changes().map(|change| {
            let mark = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            format!("{mark}{}", change.value().trim_end_matches(['\r', '\n']))
        }));
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
            "\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8",
        );
        check(
            Some("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n"),
            "2\n3\n4\n5\n6\n7\n8\n9\n10\n",
            "\n@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -8,4 +7,3 @@\n 8\n 9\n 10\n-11",
        );
        check(
            Some("1\n2\n3\n4\n"),
            "2\n3\n",
            "\n@@ -1,4 +1,2 @@\n-1\n 2\n 3\n-4",
        );
    }

    #[test]
    fn no_change_and_a_new_file_are_shown_as_what_they_are() {
        check(None, "a\nb\n", "\n@@ -0,0 +1,2 @@\n+a\n+b");
        check(Some("a\na\n"), "a\na\na\n", "\n@@ -1,2 +1,3 @@\n a\n a\n+a");
        check(Some("a\n"), "a\n", "");
    }
}
