//! Compares the command lists of the guide and the manual page with the program and its sources,
//! and the packages' release metadata with the changelog.

use std::collections::BTreeSet;

use super::{read, sources};
use crate::guildhall::CliHarness;

/// Returns the guide's chapter on the command line.
fn chapter(guide: &str) -> &str {
    let (_, chapter) = guide
        .split_once("\n## Without a window\n")
        .expect("its chapter");
    chapter.split("\n## ").next().unwrap_or_default()
}

/// Returns the commands at the start of the table's rows.
fn listed_commands(chapter: &str) -> BTreeSet<&str> {
    let rows = chapter.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    let spans = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let words = spans.filter_map(|span| span.split_whitespace().next());
    // A code span may consist only of options for the command in the span before it.
    words.filter(|word| !word.starts_with(['[', '-'])).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_guide_has_each_command_that_the_help_lists() {
    let cli = CliHarness::new("documents").await;
    let help = cli.run(&["--help"]).await;
    assert_eq!(help.code, Some(0), "{help:#?}");
    let (_, listed) = help.stdout.split_once("\nMembers:\n").expect("a list");
    let listed = listed.split("\nOptions:\n").next().unwrap_or_default();
    let lines = listed.lines().filter_map(|line| line.strip_prefix("  "));
    let commands: BTreeSet<&str> = lines
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() > 20, "{commands:?}");

    let guide = read("docs/user-guide.md");
    assert_eq!(listed_commands(chapter(&guide)), commands);
}

/// Returns the exit codes of the command line.
fn codes() -> BTreeSet<u8> {
    let mut codes = BTreeSet::from([0]);
    for source in sources("src-tauri/crates/guild-cli/src", &[".rs"]) {
        for (_, line) in source.code() {
            let line = line.trim();
            let behind = |mark: &str| line.split_once(mark).map(|(_, rest)| rest);
            let of_failure = || behind(" => ").filter(|_| line.starts_with("Failure::"));
            let number = behind("ExitCode::from(")
                .or_else(|| behind(": u8 = "))
                .or_else(of_failure);
            let digits = number.map(|rest| {
                let digits = rest.chars().take_while(char::is_ascii_digit);
                digits.collect::<String>()
            });
            codes.extend(digits.and_then(|digits| digits.parse::<u8>().ok()));
        }
    }
    codes
}

#[test]
fn the_guide_and_the_manual_page_have_each_exit_code() {
    let codes = codes();
    assert!(codes.len() > 5, "{codes:?}");

    let guide = read("docs/user-guide.md");
    let (_, table) = chapter(&guide)
        .split_once("\n| exit code | meaning |\n")
        .expect("the table of the codes");
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let listed: BTreeSet<u8> = rows
        .filter_map(|row| row.split(' ').nth(1)?.parse().ok())
        .collect();
    assert_eq!(listed, codes, "docs/user-guide.md");

    let page = read("packaging/guildhall.1");
    let (_, status) = page
        .split_once("\n.SH EXIT STATUS\n")
        .expect("the section of the codes");
    let status = status.split("\n.SH ").next().unwrap_or_default();
    let listed: BTreeSet<u8> = status
        .lines()
        .filter_map(|line| line.strip_prefix(".B ")?.parse().ok())
        .collect();
    assert_eq!(listed, codes, "packaging/guildhall.1");
}

#[test]
fn the_metadata_has_the_release_that_the_changelog_dates() {
    let changes = read("CHANGELOG.md");
    let mut headings = changes.lines().filter_map(|line| line.strip_prefix("## "));
    assert_eq!(headings.next(), Some("[Unreleased]"), "CHANGELOG.md");
    let newest = headings.next().map(|heading| {
        let parts = heading
            .strip_prefix('[')
            .and_then(|rest| rest.split_once("] - "));
        parts.expect("a version and its day")
    });

    let file = "packaging/org.guildhall.desktop.metainfo.xml";
    let metadata = read(file);
    let release_notes = metadata.split_once("<release ").map(|(_, newest)| newest);
    let Some((version, day)) = newest else {
        assert_eq!(
            release_notes, None,
            "{file}: AppStream takes none without its day"
        );
        return;
    };
    assert_eq!(version, env!("CARGO_PKG_VERSION"), "CHANGELOG.md");
    let release = format!("version=\"{version}\" date=\"{day}\"");
    assert!(
        release_notes.is_some_and(|release_notes| release_notes.starts_with(&release)),
        "{file} begins its releases otherwise than with {release}"
    );
}
