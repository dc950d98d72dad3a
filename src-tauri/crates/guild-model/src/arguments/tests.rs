use proptest::prelude::*;
use serde_json::json;

use super::*;

fn wrong(text: &str) -> String {
    parse_exact(text).expect_err("refused").to_string()
}

#[test]
fn typed_arguments_are_sent_unchanged() {
    for (typed, sent) in [
        ("{}", "{}"),
        (
            r#" {"b": 1, "a": [true, null]} "#,
            r#"{"b":1,"a":[true,null]}"#,
        ),
        (r#"{"n": -0}"#, r#"{"n":-0.0}"#),
        (r#"{"n": 1E5}"#, r#"{"n":100000.0}"#),
        (r#"{"n": 1.0}"#, r#"{"n":1.0}"#),
        (r#"{"n": 1.10}"#, r#"{"n":1.1}"#),
        (r#"{"n": 0.1}"#, r#"{"n":0.1}"#),
        (
            r#"{"n": 0.30000000000000004}"#,
            r#"{"n":0.30000000000000004}"#,
        ),
        (r#"{"n": 0.0e999999999999999999999}"#, r#"{"n":0.0}"#),
        (r#"{"n": 5e-324}"#, r#"{"n":5e-324}"#),
        (
            r#"{"n": 18446744073709551615}"#,
            r#"{"n":18446744073709551615}"#,
        ),
        (
            r#"{"n": -9223372036854775808}"#,
            r#"{"n":-9223372036854775808}"#,
        ),
        (r#"{"t": "\u00e9\ud83d\ude00\n"}"#, "{\"t\":\"é😀\\n\"}"),
        (r#"{"__proto__": {"a": 1}}"#, r#"{"__proto__":{"a":1}}"#),
    ] {
        let arguments = parse_exact(typed).expect(typed);
        assert_eq!(serde_json::to_string(&arguments).expect("JSON"), sent);
    }
}

#[test]
fn a_number_that_would_change_is_named_with_its_place() {
    assert_eq!(
        wrong("{\n  \"id\": 18446744073709551616}"),
        "line 2, column 9: the number 18446744073709551616 can't be sent exactly (limits: \
         -9223372036854775808 to 18446744073709551615); send it as a string"
    );
    assert_eq!(
        wrong(r#"{"id": 9007199254740993.0}"#),
        "line 1, column 8: the number 9007199254740993.0 would be sent as 9007199254740992.0"
    );
    for changed in [
        "1e400",
        "-1e400",
        "1e-400",
        "0.1234567890123456789",
        "-9223372036854775809",
    ] {
        assert!(wrong(&format!("{{\"n\": {changed}}}")).contains(changed));
    }
}

#[test]
fn plain_reader_leaves_doubtful_texts() {
    let deep = |depth: usize| format!("{{\"a\":{}1{}}}", "[".repeat(depth), "]".repeat(depth));
    for plain in [
        "{}",
        r#"{"a":-1,"b":["x\u00e9",null,true]}"#,
        &*deep(ARGUMENTS_DEPTH_MAX - 2),
    ] {
        let read = parse_plain(plain).expect(plain);
        let strict = spanned::read(plain, ARGUMENTS_DEPTH_MAX).expect(plain);
        let strict = spanned::to_json(&strict, &exact).expect(plain);
        assert_eq!(Value::Object(read), strict, "{plain}");
    }
    for doubtful in [
        r#"{"a":1,"a":1}"#,
        r#"{"a":{"b":1,"\u0062":1}}"#,
        r#"{"a":1.0}"#,
        r#"{"a":-0}"#,
        r#"{"a":18446744073709551616}"#,
        r#"{"a":"\ud800"}"#,
        r#"{"a":1} x"#,
        "[1]",
        &*deep(ARGUMENTS_DEPTH_MAX),
    ] {
        assert_eq!(parse_plain(doubtful), None, "{doubtful}");
    }
}

#[test]
fn duplicate_keys_are_refused_where_the_second_stands() {
    assert_eq!(
        wrong("{\"a\": {\"b\": 1,\n\"b\": 2}}"),
        "line 2, column 1: the key \"b\" appears twice in the same object"
    );
}

#[test]
fn arguments_are_one_bounded_object() {
    for (text, part) in [
        ("[]", "expected an object in braces, found a list"),
        (
            " 5",
            "line 1, column 2: expected an object in braces, found a number",
        ),
        ("", "expected a value; found the end of the text"),
        ("{} x", "trailing characters; found 'x'"),
        (r#"{"a": "\ud800"}"#, "invalid unicode escape"),
        (r#"{"a": 01}"#, "invalid number"),
        (r#"{"a": "x"#, "unterminated string"),
        (r#"{'a': 1}"#, "JSON needs double quotes"),
    ] {
        assert!(wrong(text).contains(part), "{text}: {}", wrong(text));
    }
    let nested = |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
    assert!(parse_exact(&nested(ARGUMENTS_DEPTH_MAX)).is_ok());
    assert!(wrong(&nested(ARGUMENTS_DEPTH_MAX + 1)).contains("100 levels"));
    assert!(wrong(&nested(1_000_000)).contains("100 levels"));
    let huge = format!("{{\"a\":\"{}\"}}", "x".repeat(ARGUMENTS_BYTES_MAX));
    assert!(wrong(&huge).contains("limit is"));
}

fn any_value() -> impl Strategy<Value = Value> {
    let float = any::<f64>().prop_filter("JSON has finite numbers", |float| float.is_finite());
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        float.prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 8, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            proptest::collection::btree_map(any::<String>(), inner, 0..8)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_value_comes_back_as_it_was(value in any_value()) {
        let arguments = json!({"value": value});
        let text = serde_json::to_string(&arguments).expect("JSON");
        prop_assert_eq!(parse_exact(&text).map(Value::Object), Ok(arguments.clone()));
        let pretty = serde_json::to_string_pretty(&arguments).expect("JSON");
        prop_assert_eq!(parse_exact(&pretty).map(Value::Object), Ok(arguments));
    }

    #[test]
    fn a_decimal_is_sent_as_typed_or_refused(typed in "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?") {
        if let Ok(arguments) = parse_exact(&format!("{{\"n\":{typed}}}")) {
            let sent = arguments["n"].to_string();
            let typed: f64 = typed.parse().expect("a number");
            prop_assert_eq!(sent.parse::<f64>(), Ok(typed));
        }
    }
}

#[test]
fn fields_are_taken_out_and_the_rest_stays_as_written() {
    let text = r#"{ "b": 1.50, "wait": true, "a" : {"wait": 1}, "b": 2 }"#;
    let (rest, out) = without_fields(text, &["wait", "other"]).expect("it has one");
    assert_eq!(rest, r#"{"b":1.50,"a":{"wait": 1},"b":2}"#);
    assert_eq!(out, ["wait"]);
    for text in ["{}", r#"{"a":"wait"}"#, "[\"wait\"]", "wait", r#"{"wait":"#] {
        assert_eq!(without_fields(text, &["wait"]), None, "{text}");
    }
}
