//! Compares JSON texts by value, with every digit of every number.

use serde_json::Value;

/// Whether two texts have the same value. The order of keys and the notation of numbers do not
/// matter. Numbers are not rounded.
pub(crate) fn same(a: &str, b: &str) -> bool {
    match (read(a), read(b)) {
        (Some(a), Some(b)) => a == b,
        _ => false,
    }
}

/// Parses a text. Replaces each number by a string in one notation, and marks all other strings.
fn read(json: &str) -> Option<Value> {
    let mut marked = String::with_capacity(json.len() * 2);
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => text_length(rest)?,
            '-' | '0'..='9' => rest
                .find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'))
                .unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, left) = rest.split_at(length);
        match first {
            '"' => {
                marked.push_str("\"s");
                marked.push_str(&token[1..]);
            }
            '-' | '0'..='9' => {
                marked.push_str("\"n");
                marked.push_str(&number(token));
                marked.push('"');
            }
            _ => marked.push_str(token),
        }
        rest = left;
    }
    serde_json::from_str(&marked).ok()
}

/// Returns the length of the string at the start of `rest` in bytes, with its quotes.
fn text_length(rest: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '"' if !escaped => return Some(at + 1),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}

/// Normalizes a number to its sign, its digits without outer zeros, and the power of ten.
fn number(token: &str) -> String {
    let (sign, digits) = match token.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", token),
    };
    let (mantissa, power) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let trimmed = all.trim_start_matches('0');
    let kept = trimmed.trim_end_matches('0');
    if kept.is_empty() {
        return format!("{sign}0");
    }
    let zeros = i64::try_from(trimmed.len() - kept.len()).unwrap_or(0);
    let fraction = i64::try_from(fraction.len()).unwrap_or(0);
    let power: i64 = power.trim_start_matches('+').parse().unwrap_or(0);
    format!("{sign}{kept}e{}", power - fraction + zeros)
}

#[test]
fn texts_are_the_same_by_what_they_mean_and_by_nothing_less() {
    for (a, b) in [
        (
            r#"{"a":1,"b":[2,"x"]}"#,
            r#"{ "b": [2.0, "x"], "a": 10e-1 }"#,
        ),
        (r#"["\"\\",1.5E+3]"#, r#"["\"\\",1500]"#),
        (r#""é""#, "\"\\u00e9\""),
    ] {
        assert!(same(a, b), "{a} and {b}");
    }
    for (a, b) in [
        ("9007199254740993", "9007199254740992"),
        ("[1]", r#"["1"]"#),
        ("-0", "0"),
        (r#"{"a":null}"#, "{}"),
        ("[1,2]", "[2,1]"),
        ("[1", "[1"),
    ] {
        assert!(!same(a, b), "{a} and {b}");
    }
}
