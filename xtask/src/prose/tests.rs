use super::*;

fn reader() -> ProseChecker {
    ProseChecker::open(crate::root()).expect("the rules are readable")
}

/// Returns the names of the habits in a file with this text.
fn habits(path: &str, text: &str) -> Vec<String> {
    let reader = reader();
    let mut hits = Vec::new();
    reader.read(path, text, &mut hits);
    let name = |hit: &ProseMatch| reader.rules.habits[hit.habit].name.clone();
    hits.iter().map(name).collect()
}

#[test]
fn each_habit_is_found_in_a_document() {
    let cases = [
        ("The window was told.", "tell"),
        ("The address Stands in the file.", "stand"),
        ("A link is no file.", "is no"),
        ("It waits for whoever asks.", "nobody"),
        ("What was found", "headless clause"),
        ("Two parts; who asks first wins.", "headless clause"),
        ("It starts anew.", "old word"),
        ("The answer is waited for.", "hidden actor"),
        ("A page of its own.", "of its own"),
    ];
    for (text, name) in cases {
        assert_eq!(habits("docs/page.md", text), [name], "{text}");
    }
}

#[test]
fn harmless_words_are_not_counted() {
    let cases = [
        "It is no longer there, and there are no more of them.",
        "There are no others.",
        "The retold story outstands it.",
        "It shows what was found.",
        "| What | Where |x",
    ];
    for text in cases {
        assert_eq!(habits("docs/page.md", text), [""; 0], "{text}");
    }
}

#[test]
fn one_line_counts_each_place() {
    let text = "It is no file, was no link and is no longer told: told again.";
    assert_eq!(habits("a.md", text), ["tell", "tell", "is no", "is no"]);
}

#[test]
fn code_is_read_by_comments_and_sentences() {
    let cases = [
        ("/// Who asks first.", 1),
        ("let told = whoever;", 0),
        ("fail(\"it is no file\");", 1),
        ("fail(\"told\");", 0),
        ("<p>Nobody is here</p>", 1),
    ];
    for (text, count) in cases {
        assert_eq!(habits("src/a.tsx", text).len(), count, "{text}");
    }
}

#[test]
fn tests_and_styles_are_read_by_comments() {
    for path in [
        "tests/it/a.rs",
        "src/a/tests.rs",
        "ui/src/a.test.tsx",
        "ui/a.css",
    ] {
        assert_eq!(habits(path, "fail(\"it is no file\");"), [""; 0], "{path}");
        assert_eq!(habits(path, "  // it is no file"), ["is no"], "{path}");
    }
}

#[test]
fn generated_files_are_not_read() {
    let reader = reader();
    assert!(reader.is_read("README.md") && reader.is_read("ui/src/App.tsx"));
    for path in [
        "docs/commands.md",
        "ui/src/ipc/bindings.ts",
        "ui/src/testing/generated/a.ts",
        "icons/icon.png",
        "LICENSE-MIT",
    ] {
        assert!(!reader.is_read(path), "{path}");
    }
}

#[test]
fn count_outside_the_limits_fails() {
    let mut rules = reader().rules;
    (rules.limit, rules.slack) = (20, 5);
    let outcome = |count| compare(count, &rules).map_err(|error| error.to_string());
    for count in [15, 16, 20] {
        assert_eq!(outcome(count), Ok(()));
    }
    for (count, words) in [(21, "the limit is 20"), (14, "--lower")] {
        assert!(outcome(count).is_err_and(|error| error.contains(words)));
    }
}

#[test]
fn higher_limit_is_not_written() {
    assert!(lower(3, 4).is_err());
}

#[test]
fn list_has_each_file_with_its_lines() {
    let reader = reader();
    let mut hits = Vec::new();
    reader.read("b.md", "Told.", &mut hits);
    reader.read("a.md", "\nIt was told, and told.", &mut hits);
    assert_eq!(
        listed(&reader.rules, &hits),
        "a.md: 2\n  2: tell: It was told, and told.\n  2: tell: It was told, and told.\n\
         b.md: 1\n  1: tell: Told.\n"
    );
}
