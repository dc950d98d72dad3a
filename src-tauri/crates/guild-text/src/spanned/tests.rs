use proptest::prelude::*;
use serde_json::Value as Json;

use super::*;

fn json(value: &Value<'_>) -> Json {
    let number = |digits: &str, _| Ok::<_, ()>(serde_json::from_str(digits).unwrap_or(0.into()));
    to_json(value, &number).expect("no error")
}

#[test]
fn a_place_counts_characters_from_one() {
    let place = |line, column| TextPosition { line, column };
    assert_eq!(TextPosition::of("", 0), place(1, 1));
    assert_eq!(TextPosition::of("äb\r\ncd", 2), place(1, 2));
    assert_eq!(TextPosition::of("äb\r\ncd", 6), place(2, 2));
    assert_eq!(
        TextPosition::of("a\n", 99),
        place(2, 1),
        "past the end is the end"
    );
}

#[test]
fn syntax_error_points_to_its_cause() {
    for (text, line, column, part) in [
        ("{\n \"a\": 1,\n}", 2, 8, "trailing commas are not allowed"),
        ("{\n \"a\": 1,\n", 3, 1, "unterminated object"),
        ("{\"a\": 01}", 1, 8, "invalid number"),
        ("{ // a\n}", 1, 3, "JSON has no comments"),
        ("{'a': 1}", 1, 2, "needs double quotes"),
        ("{\"a\": \"b,\n \"c\": 1}", 1, 10, "control character"),
        ("{\"ä\": x}", 1, 7, "expected value; found 'x'"),
        ("{\"a\": \"b", 1, 7, "unterminated string"),
        ("{} x", 1, 4, "trailing characters; found 'x'"),
        ("", 1, 1, "the end of the text"),
    ] {
        let fault = read(text, 9).expect_err(text);
        let told = fault.wrong.to_string();
        assert_eq!(
            TextPosition::of(text, fault.at),
            TextPosition { line, column },
            "{text}: {told}"
        );
        assert!(told.contains(part), "{text}: {told}");
    }
}

proptest! {
    /// Property: both parsers accept the same texts. The generated texts are nearly JSON, so that
    /// valid and invalid ones are frequent.
    #[test]
    fn it_accepts_what_serde_json_accepts(
        text in r#"([\[\]{}:,]|"[a-c\\nu0é]{0,4}"|"[a-c]"|-?[0-9.eE+-]{1,4}|true|false|null|[ \n\t\r]|x){0,12}"#
    ) {
        let ours = read(&text, 100);
        let theirs = serde_json::from_str::<Json>(&text);
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => prop_assert_eq!(json(&ours), theirs),
            (Err(fault), Ok(_)) => prop_assert_eq!(fault.kind, FaultKind::Duplicate),
            (Ok(ours), Err(error)) => {
                // A number that does not fit an f64 is valid JSON nevertheless.
                prop_assert!(error.to_string().contains("out of range"), "{}: {}", json(&ours), error);
            }
            (Err(_), Err(_)) => {}
        }
    }

    #[test]
    fn any_text_is_read_to_an_answer(text in any::<String>()) {
        if let Err(fault) = read(&text, 100) {
            prop_assert!(fault.at <= text.len());
        }
    }
}
