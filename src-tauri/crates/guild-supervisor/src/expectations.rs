//! Derives what a check expects from several results of the same call. Parts of the results that
//! differ are volatile, such as the time, and are not expected.

use std::collections::HashSet;

use guild_api::wire::MASK;
use guild_model::manifest::Expect;
use guild_text::number::is_same;
use serde_json::{Map, Value};

use crate::assertions::text_of;

/// Maximum length of a text that is expected completely, in bytes.
const TEXT_MAX: usize = 4_000;
/// Minimum and maximum length of a line that is expected in a text, in bytes.
const LINE_LENGTH: std::ops::RangeInclusive<usize> = 4..=500;
/// The name of a result's text among the volatile parts.
const TEXT: &str = "text";
/// The name of the structured content, if only some of the results have it.
const STRUCTURED: &str = "structuredContent";
/// Maximum number of volatile parts that are named.
const VOLATILE_MAX: usize = 50;

/// The common parts of several results.
#[derive(Debug, PartialEq)]
pub struct Expectation {
    /// The expectation that all results meet.
    pub expect: Expect,
    /// The parts that are not expected, as JSON Pointers into the structured content, `text`, or
    /// `structuredContent` if only some of the results have it. At most 50.
    pub volatile: Vec<String>,
}

/// Returns what all results have in common. Secrets that the history has masked count as volatile.
/// `None` without a result, or if only some of the results report a failure.
pub fn expectation(results: &[Value]) -> Option<Expectation> {
    let first = results.first()?;
    let is_error = |result: &Value| result["isError"] == true;
    if results
        .iter()
        .any(|result| is_error(result) != is_error(first))
    {
        return None;
    }
    let mut volatile = Vec::new();
    let structured: Vec<&Value> = results
        .iter()
        .filter_map(|result| result.get("structuredContent"))
        .collect();
    let mut expect = Expect {
        is_error: is_error(first),
        ..Expect::default()
    };
    if structured.len() == results.len() {
        expect.structured = common(&structured, "", &mut volatile);
    } else if !structured.is_empty() {
        volatile.push(STRUCTURED.to_owned());
    }
    // Servers repeat their structured content as text, for clients that don't read it.
    let repeats = |result: &Value| {
        let parsed = serde_json::from_str::<Value>(&text_of(result));
        parsed.is_ok_and(|text| result.get("structuredContent") == Some(&text))
    };
    if !results.iter().all(repeats) {
        expect_text(results, &mut expect, &mut volatile);
    }
    volatile.truncate(VOLATILE_MAX);
    Some(Expectation { expect, volatile })
}

fn expect_text(results: &[Value], expect: &mut Expect, volatile: &mut Vec<String>) {
    let texts: Vec<String> = results.iter().map(text_of).collect();
    let Some((first, others)) = texts.split_first() else {
        return;
    };
    let is_stable = others.iter().all(|other| other == first) && !first.contains(MASK);
    if first.is_empty() && is_stable {
        return;
    }
    if is_stable && first.len() <= TEXT_MAX {
        expect.text_equals = Some(first.clone());
        return;
    }
    volatile.push(TEXT.to_owned());
    let others: Vec<HashSet<&str>> = others.iter().map(|other| other.lines().collect()).collect();
    let lines = first.lines().filter(|line| {
        LINE_LENGTH.contains(&line.trim().len())
            && !line.contains(MASK)
            && others.iter().all(|other| other.contains(line))
    });
    // Of equally long lines, the first one.
    let longest = lines.rev().max_by_key(|line| line.len());
    expect.text_contains = longest.map(str::to_owned);
}

/// Returns the parts that all values have in common, as expected by a check: an object may lack
/// fields of the values, and a list has all items. `None` if there is nothing in common. `place` is
/// the JSON Pointer of the values.
fn common(values: &[&Value], place: &str, volatile: &mut Vec<String>) -> Option<Value> {
    let (first, others) = values.split_first()?;
    let all = |test: &dyn Fn(&Value) -> bool| others.iter().all(|other| test(other));
    match first {
        Value::Object(fields) if all(&Value::is_object) => {
            let names = values.iter().filter_map(|value| value.as_object());
            let mut names: Vec<&String> = names.flat_map(Map::keys).collect();
            names.sort_unstable();
            names.dedup();
            let mut shared = Map::new();
            for name in fields
                .keys()
                .chain(names.into_iter().filter(|name| !fields.contains_key(*name)))
            {
                let place = format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"));
                let each: Option<Vec<&Value>> =
                    values.iter().map(|value| value.get(name)).collect();
                match each {
                    Some(each) => shared
                        .extend(common(&each, &place, volatile).map(|value| (name.clone(), value))),
                    None => volatile.push(place),
                }
            }
            Some(Value::Object(shared))
        }
        Value::Array(items)
            if all(&|other| other.as_array().map(Vec::len) == Some(items.len())) =>
        {
            let before = volatile.len();
            let mut shared = Vec::new();
            for at in 0..items.len() {
                let each: Vec<&Value> = values.iter().filter_map(|value| value.get(at)).collect();
                match common(&each, &format!("{place}/{at}"), volatile) {
                    Some(value) => shared.push(value),
                    None => {
                        // A list can't be expected without one of its items.
                        volatile.truncate(before);
                        volatile.push(place.to_owned());
                        return None;
                    }
                }
            }
            Some(Value::Array(shared))
        }
        Value::Number(number)
            if all(&|other| matches!(other, Value::Number(it) if is_same(number, it))) =>
        {
            Some((*first).clone())
        }
        Value::String(text) if text.contains(MASK) => {
            volatile.push(place.to_owned());
            None
        }
        _ if all(&|other| other == *first) => Some((*first).clone()),
        _ => {
            volatile.push(place.to_owned());
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::assertions::differences;

    #[track_caller]
    fn check(results: &[Value], expect: &Value, volatile: &[&str]) {
        let found = expectation(results).expect("an expectation");
        let written = serde_json::to_value(&found.expect).expect("JSON");
        assert_eq!(written, *expect);
        assert_eq!(found.volatile, volatile);
    }

    fn structured(value: &Value) -> Value {
        json!({"content": [{"type": "text", "text": value.to_string()}], "structuredContent": value})
    }

    fn text(text: &str) -> Value {
        json!({"content": [{"type": "text", "text": text}]})
    }

    #[test]
    fn equal_results_are_expected_whole() {
        let whole = json!({"a/b": [1, {"c": null}], "d": "x"});
        let results = [structured(&whole), structured(&whole)];
        check(&results, &json!({"structured": whole}), &[]);
        check(
            &[text("one\ntwo")],
            &json!({"text_equals": "one\ntwo"}),
            &[],
        );
        check(&[json!({"content": []}), json!({})], &json!({}), &[]);
    }

    #[test]
    fn differing_fields_are_volatile() {
        let result = |at: u32, more: Option<(&str, Value)>| {
            let mut value = json!({"at": at, "note": {"id": at, "title": "x"}, "n": 1});
            if let Some((name, more)) = more {
                value[name] = more;
            }
            structured(&value)
        };
        check(
            &[result(1, None), result(2, Some(("z/y", json!(1))))],
            &json!({"structured": {"note": {"title": "x"}, "n": 1}}),
            &["/at", "/note/id", "/z~1y"],
        );
    }

    #[test]
    fn list_with_a_volatile_item_is_left_out() {
        let result =
            |id: u32| structured(&json!({"ids": [{"id": 1}, id], "notes": [{"id": id, "t": 1}]}));
        check(
            &[result(1), result(2)],
            &json!({"structured": {"notes": [{"t": 1}]}}),
            &["/ids", "/notes/0/id"],
        );
        let length = |list: Value| structured(&json!({"l": list, "n": 1}));
        check(
            &[length(json!([1])), length(json!([1, 2]))],
            &json!({"structured": {"n": 1}}),
            &["/l"],
        );
    }

    #[test]
    fn volatile_text_is_expected_by_a_stable_line() {
        check(
            &[
                text("at 10:01\nBerlin, Germany\nok"),
                text("at 10:02\nBerlin, Germany\nok"),
            ],
            &json!({"text_contains": "Berlin, Germany"}),
            &["text"],
        );
        check(&[text("10:01"), text("10:02")], &json!({}), &["text"]);
        let long = format!("{}\nthe end", "x".repeat(TEXT_MAX));
        check(
            &[text(&long), text(&long)],
            &json!({"text_contains": "the end"}),
            &["text"],
        );
    }

    #[test]
    fn structure_of_only_some_results_is_volatile() {
        let mut with = text("same");
        with["structuredContent"] = json!({"a": 1});
        let expect = json!({"text_equals": "same"});
        check(&[with, text("same")], &expect, &["structuredContent"]);
    }

    #[test]
    fn masked_secret_is_not_expected() {
        let masked = structured(&json!({"token": "Bearer •••", "n": 1}));
        let real = structured(&json!({"token": "Bearer abc", "n": 1}));
        check(
            std::slice::from_ref(&masked),
            &json!({"structured": {"n": 1}}),
            &["/token"],
        );
        check(
            &[masked, real],
            &json!({"structured": {"n": 1}}),
            &["/token"],
        );
        check(
            &[text("key •••\nsecond line")],
            &json!({"text_contains": "second line"}),
            &["text"],
        );
    }

    #[test]
    fn equal_numbers_may_be_written_differently() {
        let results = [structured(&json!({"n": 1})), structured(&json!({"n": 1.0}))];
        check(&results, &json!({"structured": {"n": 1}}), &[]);
    }

    #[test]
    fn result_that_fails_sometimes_is_no_expectation() {
        let failed = json!({"content": [], "isError": true});
        assert_eq!(expectation(&[failed.clone(), text("x")]), None);
        assert_eq!(expectation(&[]), None);
        check(&[failed.clone(), failed], &json!({"is_error": true}), &[]);
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (0..3_i64).prop_map(Value::from),
            "[ab/~]{0,2}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[ab/~]{0,2}", inner, 0..4)
                    .prop_map(|fields| fields.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn each_result_meets_the_expectation(first in any_json(), second in any_json()) {
            let results = [structured(&first), structured(&second), structured(&first)];
            let found = expectation(&results).expect("an expectation");
            for result in &results {
                let differences = differences(&found.expect, result);
                prop_assert!(differences.is_empty(), "{differences:?}");
            }
        }
    }
}
