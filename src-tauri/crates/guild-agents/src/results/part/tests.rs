use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn document(text: &str) -> ResultDocument {
    let result = json!({"content": [{"type": "text", "text": text}]});
    ResultDocument::read(&result.to_string())
}

fn page_of(text: &str, part: &ResultPart, budget: usize) -> Result<PartText, String> {
    read(&document(text), part, budget)
}

fn by_pointer(pointer: &str, offset: usize, limit: Option<usize>) -> ResultPart {
    ResultPart::Json {
        pointer: pointer.into(),
        offset,
        limit,
    }
}

fn search(search: &str, regex: bool, offset: usize, limit: Option<usize>) -> ResultPart {
    ResultPart::Matches {
        search: search.into(),
        regex,
        context: 4,
        offset,
        limit,
    }
}

/// Returns the number after `Continue with offset` in a note.
fn next(note: &str) -> Option<usize> {
    let (_, rest) = note.split_once("ontinue with offset ")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[test]
fn page_ends_at_a_line_and_names_the_next() {
    let text = "größer und länger\n".repeat(400);
    let part = ResultPart::Text {
        offset: 18,
        limit: None,
        lines: false,
    };
    let page = page_of(&text, &part, 300).expect("a page");
    assert!(page.text.starts_with("größer") && page.text.ends_with("länger\n"));
    let end = 18 + page.text.chars().count();
    assert_eq!(next(&page.note), Some(end));
    assert!(page.note.starts_with("Characters 18 to "), "{}", page.note);
    let part = ResultPart::Text {
        offset: 7_190,
        limit: Some(5),
        lines: false,
    };
    let page = page_of(&text, &part, 300).expect("a page");
    assert_eq!(page.text, "nd lä");
    let past = ResultPart::Text {
        offset: 7_200,
        limit: None,
        lines: false,
    };
    let past = page_of(&text, &past, 300).expect_err("past the end");
    assert_eq!(past, "The text has only 7,200 characters.");
}

#[test]
fn lines_are_counted_and_a_long_one_is_cut() {
    let text = format!("one\ntwo\n{}\nfour", "x ".repeat(5_000));
    let lines = |offset, limit| ResultPart::Text {
        offset,
        limit,
        lines: true,
    };
    let page = page_of(&text, &lines(1, Some(1)), 300).expect("a page");
    assert_eq!(page.text, "two\n");
    assert_eq!(
        page.note,
        "Lines 1 to 2. Continue with offset 2 and unit lines."
    );
    let page = page_of(&text, &lines(2, None), 300).expect("a page");
    assert!(page.note.contains("The last line is cut."), "{}", page.note);
    assert_eq!(next(&page.note), Some(8 + page.text.len()));
    let page = page_of(&text, &lines(3, None), 300).expect("a page");
    assert_eq!(
        (page.text.as_str(), page.note.contains("the end")),
        ("four", true)
    );
    let past = page_of(&text, &lines(4, None), 300).expect_err("past the end");
    assert_eq!(past, "The text has only 4 lines.");
}

#[test]
fn pointer_reads_values_and_slices() {
    let text = r#"{"a/b":[10.50,{"x":"größer"},3],"n":1e2}"#;
    for (pointer, offset, limit, expected) in [
        ("", 0, None, text),
        ("/n", 0, None, "1e2"),
        ("/a~1b", 0, None, r#"[10.50,{"x":"größer"},3]"#),
        ("/a~1b", 1, Some(1), r#"[{"x":"größer"}]"#),
        ("/a~1b/1/x", 2, Some(3), "öße"),
        ("", 1, None, r#"{"n":1e2}"#),
    ] {
        let page = page_of(text, &by_pointer(pointer, offset, limit), 300);
        assert_eq!(page.expect("a part").text, expected, "{pointer}");
    }
    for (pointer, offset, error) in [
        ("/m", 0, "The whole has no key m. Its keys: a/b, n."),
        (
            "/a~1b/03",
            0,
            "The part at /a~1b is an array of 3, without an element 03.",
        ),
        (
            "/n/x",
            0,
            "The part at /n is neither an object nor an array.",
        ),
        ("n", 0, "A pointer is empty, or begins with /."),
        ("/a~1b", 3, "There are only 3 elements here."),
    ] {
        let refused = page_of(text, &by_pointer(pointer, offset, None), 300);
        assert_eq!(refused.expect_err(pointer), error);
    }
    let refused = page_of("plain", &by_pointer("", 0, None), 300).expect_err("no JSON");
    assert!(refused.starts_with("The result is not JSON."), "{refused}");
}

#[test]
fn too_large_element_is_outlined() {
    let json = json!([{"long": "word ".repeat(2_000)}, 1]).to_string();
    let part = page_of(&json, &by_pointer("", 0, None), 300).expect("an outline");
    assert!(
        part.text.contains("/0/long: string, 10,000 characters"),
        "{part:?}"
    );
    assert_eq!(next(&part.note), None);
    assert!(part.note.ends_with("skip it with offset 1."), "{part:?}");
}

#[test]
fn search_finds_text_and_patterns_in_place() {
    let text = "größer Alpha\nbeta alpha\n";
    let part = page_of(text, &search("ALPHA", false, 0, None), 300).expect("matches");
    assert_eq!(
        part.text,
        "offset 7, line 0:\n…ßer Alpha\nbet…\n\noffset 18, line 1:\n…eta alpha\n\n\n"
    );
    assert_eq!(part.note, "2 of 2 matches from offset 0.");
    let part = page_of(text, &search("^b.ta", true, 0, None), 300).expect("matches");
    assert!(part.text.starts_with("offset 13, line 1:"), "{part:?}");
    let part = page_of(text, &search("a", false, 0, Some(2)), 300).expect("matches");
    assert!(part.note.starts_with("2 of 5 matches"), "{part:?}");
    assert_eq!(next(&part.note), Some(16));
    let none = page_of(text, &search("gamma", false, 0, None), 300).expect("none");
    assert_eq!(
        (none.text.as_str(), &*none.note),
        ("", "0 of 0 matches from offset 0.")
    );
    for pattern in ["(", "(?:a{1000}){1000}"] {
        let refused = page_of(text, &search(pattern, true, 0, None), 300);
        assert!(refused.expect_err(pattern).contains("can't be used"));
    }
}

#[test]
fn match_across_search_steps_is_found_once() {
    for before in SEARCH_STEP - 6..SEARCH_STEP + 2 {
        let text = format!("{}needle{}", "x".repeat(before), "y".repeat(MATCH_MAX * 6));
        let part = page_of(&text, &search("needle", false, 0, None), 300).expect("a match");
        assert!(
            part.note.starts_with("1 of 1 matches"),
            "{before}: {part:?}"
        );
    }
}

#[test]
fn slow_search_is_stopped() {
    let text = "a".repeat(4 << 20);
    let pattern = Regex::new("(a|aa|a?){200}b").expect("a pattern");
    let begun = Instant::now();
    let done = each_match(&text, &pattern, 0, begun, |_, _| true);
    assert!(!done, "the time is over");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn pages_concatenated_equal_the_whole(
        text in "([a-zé🙂 ,\n]{0,40}|[x]{50,400}){0,40}",
        budget in 5_usize..200,
        lines in any::<bool>(),
    ) {
        let (mut whole, mut offset, mut by_lines) = (String::new(), 0, lines);
        loop {
            let part = ResultPart::Text { offset, limit: None, lines: by_lines };
            let page = page_of(&text, &part, budget).expect("a page");
            // A single character may need more tokens than the smallest budgets.
            prop_assert!(tokens::count(&page.text) <= budget.max(8) + 2);
            whole.push_str(&page.text);
            let Some(next) = next(&page.note) else { break };
            by_lines = page.note.contains("and unit lines");
            prop_assert!(next > offset || !by_lines);
            offset = next;
        }
        prop_assert_eq!(whole, text);
    }

    #[test]
    fn slices_concatenated_equal_the_array(
        array in prop::collection::vec("[a-z ]{0,60}", 0..60),
        budget in 60_usize..200,
    ) {
        let json = json!(array).to_string();
        let (mut whole, mut offset) = (Vec::new(), 0);
        loop {
            let part = page_of(&json, &by_pointer("", offset, None), budget).expect("a slice");
            whole.extend(serde_json::from_str::<Vec<Value>>(&part.text).expect("an array"));
            match next(&part.note) {
                Some(next) => offset = next,
                None => break,
            }
        }
        prop_assert_eq!(json!(whole), json!(array));
    }
}
