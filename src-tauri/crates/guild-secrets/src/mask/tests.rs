use guild_api::wire::LogLine;
use guild_model::{Code, Report};
use serde_json::json;

use super::*;

fn masked(text: &str, schema: &Value, secrets: &[&str]) -> (String, Vec<String>) {
    let secrets = SecretMatcher::new(secrets.iter().map(|&secret| secret.to_owned()));
    let (masked, _) = arguments(text, Some(schema), &secrets);
    (masked.text, masked.places)
}

#[test]
fn text_without_secrets_stays_unchanged() {
    let text = "{ \"path\" : \"a\",\n \"n\": 1.50, \"password\": \"\", \"secret\": null }";
    let (after, places) = masked(text, &Value::Null, &["planted-value"]);
    assert_eq!((after.as_str(), places), (text, vec![]));
}

#[test]
fn well_known_names_are_masked_at_any_depth_and_the_shape_stays() {
    let text = r#"{"a":[{"db_password":"hunter2"}],"credentials":{"user":"me","pin":1234,"on":true},"~/":{"token":"t"}}"#;
    let (after, places) = masked(text, &Value::Null, &[]);
    assert_eq!(
        after,
        r#"{"a":[{"db_password":"•••"}],"credentials":{"user":"•••","pin":"•••","on":true},"~/":{"token":"•••"}}"#
    );
    assert_eq!(
        places,
        [
            "/a/0/db_password",
            "/credentials/user",
            "/credentials/pin",
            "/~0~1/token"
        ]
    );
}

#[test]
fn a_name_beside_its_value_tells_of_the_value() {
    let text =
        r#"{"headers":[{"name":"Authorization","value":"Basic x"},{"name":"Accept","value":"a"}]}"#;
    let (after, places) = masked(text, &Value::Null, &[]);
    assert_eq!(places, ["/headers/0/value"]);
    assert!(after.contains(r#""Accept","value":"a""#), "{after}");
}

#[test]
fn schema_marks_are_masked_through_references() {
    let schema = json!({
        "properties": {
            "login": {"$ref": "#/$defs/the%20login"},
            "either": {"anyOf": [{"type": "null"}, {"format": "password"}]},
            "list": {"items": {"writeOnly": true}},
            "pair": {"prefixItems": [{}, {"format": "password"}]},
            "plain": {"type": "string", "writeOnly": false},
        },
        "additionalProperties": {"properties": {"deep": {"format": "password"}}},
        "$defs": {"the login": {"allOf": [{"properties": {"code": {"writeOnly": true}}}]}},
    });
    let text = r#"{"login":{"code":"c1","user":"u"},"either":"e1","list":["l1","l2"],"pair":["p1","p2"],"plain":"x","other":{"deep":"d1"}}"#;
    let (after, places) = masked(text, &schema, &[]);
    assert_eq!(
        places,
        [
            "/login/code",
            "/either",
            "/list/0",
            "/list/1",
            "/pair/1",
            "/other/deep"
        ]
    );
    for gone in ["c1", "e1", "l1", "l2", "p2", "d1"] {
        assert!(!after.contains(gone), "{gone} in {after}");
    }
    for kept in ["\"u\"", "\"p1\"", "\"x\""] {
        assert!(after.contains(kept), "{kept} in {after}");
    }
}

#[test]
fn a_mark_counts_wherever_a_schema_may_have_it() {
    let mark = json!({"format": "password"});
    for schema in [
        json!({"dependentSchemas": {"x": {"properties": {"code": mark}}}}),
        json!({"dependencies": {"x": {"properties": {"code": mark}}, "y": ["x"]}}),
        json!({"unevaluatedProperties": mark}),
        json!({"properties": {"code": {"contains": mark}}}),
        json!({"properties": {"code": {"unevaluatedItems": mark}}}),
    ] {
        let (after, _) = masked(r#"{"code":["c1"]}"#, &schema, &[]);
        assert_eq!(after, r#"{"code":["•••"]}"#, "{schema}");
    }
}

#[test]
fn a_schema_that_refers_to_itself_comes_to_an_end() {
    let schema = json!({"$ref": "#", "properties": {"x": {"$ref": "#"}}});
    let (_, places) = masked(r#"{"x":{"x":{"x":"v"}}}"#, &schema, &[]);
    assert_eq!(places, Vec::<String>::new());
}

#[test]
fn a_known_secret_is_hidden_wherever_and_however_it_is_written() {
    let secret = "pl\"ant\\ed é";
    let secrets = SecretMatcher::new([secret.to_owned()]);
    let once = json!({ "echo": secret }).to_string();
    let twice = json!({ "text": once }).to_string();
    let python = r#"{"echo": "pl\"ant\\ed \u00e9"}"#;
    let python_inside = json!({ "text": python }).to_string();
    let address = "https://x/?q=pl%22ant%5Ced%20%C3%A9&r=1";
    for text in [
        secret,
        once.as_str(),
        twice.as_str(),
        python,
        python_inside.as_str(),
        address,
    ] {
        let hidden = secrets.hide(text);
        assert!(hidden.contains(MASK), "{text} became {hidden}");
        assert!(!hidden.contains("ant"), "{text} became {hidden}");
    }
}

#[test]
fn secret_in_one_field_is_masked_in_all() {
    let (text, places) = masked(
        r#"{"url":"https://h/?q=hunter%2F22","note":"it is hunter/22","basic":"bWU6aHVudGVyLzIy","password":"hunter/22","hunter/22":[1],"pin":1}"#,
        &Value::Null,
        &[],
    );
    let read: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(read["url"], format!("https://h/?q={MASK}"));
    assert_eq!(read["note"], format!("it is {MASK}"));
    assert_eq!(read["password"], MASK);
    assert_eq!(read[MASK], serde_json::json!([1]));
    assert!(
        !text.contains("hunter") && !text.contains("aHVudGVyLzIy"),
        "{text}"
    );
    let expect = ["/password", "/•••", "/url", "/note", "/basic"];
    assert_eq!(places.len(), expect.len(), "{places:?}");
    assert!(
        expect
            .iter()
            .all(|place| places.iter().any(|known| known == place)),
        "{places:?}"
    );
    let order: Vec<&String> = read.as_object().expect("an object").keys().collect();
    assert_eq!(order, ["url", "note", "basic", "password", MASK, "pin"]);
}

#[test]
fn short_secret_is_masked_in_whole_strings() {
    let text = r#"{"otp":"123","code":"123","note":"1234","n":123,"list":["123","12"]}"#;
    let (after, places) = masked(text, &Value::Null, &[]);
    assert_eq!(
        after,
        r#"{"otp":"•••","code":"•••","note":"1234","n":123,"list":["•••","12"]}"#
    );
    assert_eq!(places, ["/otp", "/code", "/list/0"]);
}

/// A token that was not set as a secret.
const TOKEN: &str = "ghp_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX";

#[test]
fn token_by_shape_is_masked_in_arguments_and_end() {
    let arguments_text = json!({
        "note": format!("use {TOKEN}, once"),
        "env": r#"{"API_KEY":"hunter-22","LEVEL":"info"}"#,
        "url": "postgres://me:pass-22@db/x",
        "again": ["pass-22", "me", "hunter-22"],
        TOKEN: 1,
    });
    let secrets = SecretMatcher::default();
    let (masked, all) = arguments(&arguments_text.to_string(), None, &secrets);
    for gone in [TOKEN, "hunter", "pass-22"] {
        assert!(!masked.text.contains(gone), "{gone} in {}", masked.text);
    }
    let read: Value = serde_json::from_str(&masked.text).expect("JSON");
    assert_eq!(read["note"], format!("use {MASK}, once"));
    assert_eq!(read["again"], json!([MASK, "me", MASK]));
    assert!(masked.places.contains(&"/note".to_owned()));

    let other = "sk-ant-0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX";
    let result =
        json!({"echo": "it was pass-22", "key": other, "pem": "-----BEGIN PRIVATE KEY-----\nMII"});
    let ended = CallEnd::Result {
        result: result.to_string(),
        is_error: false,
    };
    let (CallEnd::Result { result, .. }, false) = end(ended, &all, 10_000) else {
        panic!("a result, as long as it was");
    };
    let read: Value = serde_json::from_str(&result).expect("still JSON");
    assert_eq!(
        read,
        json!({"echo": format!("it was {MASK}"), "key": MASK, "pem": MASK})
    );
    let failed = CallEnd::Failed {
        report: Report::new(Code::RpcError, format!("no {other}"), ""),
        rpc: Some(RpcError {
            code: 1,
            message: format!("no {other}"),
            data: Some(json!({ "key": other }).to_string()),
        }),
        arguments: vec![],
        stderr: vec![],
    };
    let (failed, _) = end(failed, &secrets, 10_000);
    assert!(!format!("{failed:?}").contains(other), "{failed:?}");
}

#[test]
fn token_across_the_cut_is_hidden_whole() {
    let text = format!("{} {TOKEN} end", "é".repeat(30));
    let secrets = SecretMatcher::default();
    for max in 0..=text.len() {
        let (hidden, truncated) = secrets.hide_head_with_tokens(&text, max);
        assert!(!hidden.contains("ghp"), "{max}: {hidden}");
        assert_eq!(truncated, max < text.len());
    }
}

#[test]
fn draft_hides_a_token_by_its_shape() {
    let given = format!(r#"["o",[["note",["s","use {TOKEN}"]],["n",["s","1"]]]]"#);
    let hidden = draft(&given, &SecretMatcher::default()).expect("a draft");
    assert_eq!(hidden, given.replace(TOKEN, MASK));
}

#[test]
fn draft_hides_a_secret_in_all_fields() {
    let given = r#"["o",[["password",["s","hunter22"]],["note",["s","it is hunter22"]]]]"#;
    let secrets = SecretMatcher::default();
    let hidden = draft(given, &secrets).expect("a draft");
    assert!(!hidden.contains("hunter"), "{hidden}");
}

#[test]
fn a_short_secret_is_masked_where_it_stands_alone() {
    let (after, places) = masked(
        r#"{"a":"abc","b":"abcdef","n":77}"#,
        &Value::Null,
        &["abc", "77"],
    );
    assert_eq!(after, r#"{"a":"•••","b":"abcdef","n":"•••"}"#);
    assert_eq!(places, ["/a", "/n"]);
}

#[test]
fn a_known_secret_inside_of_a_text_or_a_key_is_marked_too() {
    let text = r#"{"header":"Bearer planted-value","planted-value":1}"#;
    let (after, places) = masked(text, &Value::Null, &["planted-value"]);
    assert_eq!(after, r#"{"header":"Bearer •••","•••":1}"#);
    assert_eq!(places, ["/header", "/•••"]);
}

#[test]
fn invalid_secret_named_arguments_are_hidden() {
    for text in [
        r#"{"password": "hunter2""#,
        r#"{"password": "hunter2", "password": "x"}"#,
        r#"[{"token": "hunter2"}]"#,
    ] {
        assert_eq!(masked(text, &Value::Null, &[]).0, MASK, "{text}");
    }
    let (after, _) = masked(
        r#"{"path": planted-value"#,
        &Value::Null,
        &["planted-value"],
    );
    assert_eq!(after, r#"{"path": •••"#);
    let (after, _) = masked(&"x".repeat(1 << 20), &Value::Null, &[]);
    assert_eq!(after.len(), UNREADABLE_MAX);
}

#[test]
fn argument_secrets_are_redacted_in_results() {
    let none = SecretMatcher::default();
    let (_, secrets) = arguments(r#"{"password":"hunter2"}"#, None, &none);
    let (result, truncated) = end(
        CallEnd::Result {
            result: r#"{"content":[{"type":"text","text":"hunter2 is weak"}]}"#.into(),
            is_error: false,
        },
        &secrets,
        1_000,
    );
    assert!(!format!("{result:?}").contains("hunter2") && !truncated);
    let line = LogLine {
        seq: 0,
        start: 1,
        at_ms: 0,
        text: "got hunter2".into(),
    };
    let failed = CallEnd::Failed {
        report: Report::new(Code::RpcError, "\"hunter2\" is no number", "not hunter2"),
        rpc: Some(RpcError {
            code: 1,
            message: "hunter2".into(),
            data: Some(r#""hunter2""#.into()),
        }),
        arguments: vec![ArgumentError {
            pointer: "/hunter2".into(),
            message: "hunter2".into(),
            keyword: "type".into(),
        }],
        stderr: vec![line],
    };
    let (failed, _) = end(failed, &secrets, 1_000);
    assert!(!format!("{failed:?}").contains("hunter2"), "{failed:?}");
}

#[test]
fn masked_result_stays_json() {
    let secrets = SecretMatcher::new(["1234".to_owned(), "true".to_owned(), "pla\\".to_owned()]);
    let result = r#"{"size":912345,"n":1.5,"on":true,"1234":["pin 1234","is true","pla\\n"]}"#;
    let (end, truncated) = end(
        CallEnd::Result {
            result: result.into(),
            is_error: false,
        },
        &secrets,
        1_000,
    );
    let expected = r#"{"size":"•••","n":1.5,"on":true,"•••":["pin •••","is •••","•••n"]}"#;
    let CallEnd::Result { result, .. } = end else {
        panic!("a result");
    };
    assert_eq!((result.as_str(), truncated), (expected, false));
}

#[test]
fn a_secret_across_the_cut_is_hidden_whole() {
    let secrets = SecretMatcher::new(["planted-value".to_owned()]);
    let text = format!("{}planted-value", "x".repeat(10));
    for max in 0..=text.len() {
        let (hidden, truncated) = secrets.hide_head(&text, max);
        assert!(!hidden.contains('p'), "{hidden} at {max}");
        assert_eq!(truncated, max < text.len());
    }
}

#[test]
fn each_long_line_of_a_secret_of_several_lines_is_hidden() {
    let secrets =
        SecretMatcher::new(["-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----\n".to_owned()]);
    assert_eq!(secrets.hide("line: MIIEvQIBADANBg."), "line: •••.");
}

#[test]
fn invalid_arguments_are_fully_redacted() {
    let schema = json!({"properties": {"code": {"$ref": "#/$defs/code"}},
        "$defs": {"code": {"type": "string", "format": "password"}}});
    let torn = r#"{"code": "hunter2","#;
    assert_eq!(
        masked(torn, &schema, &[]),
        (MASK.into(), vec![String::new()])
    );
    // A property with such a name is not a mark.
    let plain = json!({"properties": {"format": {"enum": ["password"]}, "writeOnly": {}}});
    assert_eq!(masked(torn, &plain, &[]).0, torn);
}

#[test]
fn a_known_secret_is_hidden_as_other_languages_write_it() {
    let secret = "p/l+a&n=t'e<d é!";
    let secrets = SecretMatcher::new([secret.to_owned()]);
    let as_json = [
        // PHP, Go, .NET, Gson, JavaScript.
        r#"{"k":"p\/l+a&n=t'e<d \u00e9!"}"#,
        r#"{"k":"p/l+a\u0026n=t'e\u003cd é!"}"#,
        r#"{"k":"p/l\u002Ba\u0026n=t\u0027e\u003Cd \u00E9!"}"#,
        r#"{"k":"p/l+a\u0026n\u003dt\u0027e\u003cd é!"}"#,
        r#"{"k":"p/l+a&n=t'e<d é!"}"#,
    ];
    let in_addresses = [
        "?k=p%2Fl%2Ba%26n%3Dt%27e%3Cd%20%C3%A9%21",
        "?k=p%2fl%2ba%26n%3dt%27e%3cd%20%c3%a9%21",
        "?k=p%2Fl%2Ba%26n%3Dt'e%3Cd%20%C3%A9!",
        "?k=p%2Fl%2Ba%26n%3Dt%27e%3Cd+%C3%A9%21",
        "?k=p/l%2Ba%26n%3Dt%27e%3Cd%20%C3%A9%21",
        "?k=p/l+a&n=t'e%3Cd%20%C3%A9!",
    ];
    for text in as_json.into_iter().chain(in_addresses) {
        let inside = json!({ "text": text }).to_string();
        for text in [text, inside.as_str()] {
            let hidden = secrets.hide(text);
            assert!(hidden.contains(MASK), "{text} became {hidden}");
            assert!(
                !hidden.contains("e<d") && !hidden.contains("%C3"),
                "{text} became {hidden}"
            );
            assert!(
                !hidden.contains("00e9") && !hidden.contains("00E9"),
                "{text} became {hidden}"
            );
        }
    }
}

#[test]
fn call_with_too_many_secrets_keeps_no_text() {
    let many: Vec<_> = (0..200_000).map(|n| format!("secret-{n}")).collect();
    let few: Vec<_> = many.iter().take(PLACES_MAX).collect();
    let long = "x".repeat(FOUND_MAX + 1);
    let none = SecretMatcher::default();
    let result = || CallEnd::Result {
        result: r#"{"content":"secret-7 of many"}"#.into(),
        is_error: false,
    };
    for (text, kept) in [
        (json!({ "credentials": many }).to_string(), false),
        (json!({ "token": long }).to_string(), false),
        (json!({ "credentials": few }).to_string(), true),
    ] {
        let (masked, secrets) = arguments(&text, None, &none);
        let (CallEnd::Result { result, .. }, cut) = end(result(), &secrets, 1_000) else {
            panic!("a result");
        };
        if kept {
            assert_eq!(masked.places.len(), PLACES_MAX);
            assert_eq!(
                (result.as_str(), cut),
                (r#"{"content":"••• of many"}"#, false)
            );
        } else {
            assert_eq!(
                (masked.text.as_str(), masked.places),
                (MASK, vec![String::new()])
            );
            assert_eq!(
                (result.as_str(), cut),
                (MASK, true),
                "it is no JSON any more"
            );
        }
    }
}

#[test]
fn draft_loses_values_under_secret_names() {
    let secrets = SecretMatcher::new(["planted-value".to_owned()]);
    for (text, kept) in [
        (
            r#"{"v":1,"draft":["o",[["path",["s","a token of it"]]]]}"#,
            None,
        ),
        (
            r##"{"v":1,"draft":["o",[["token",["s","hunter2"]],["n",["#","1.50"]]]]}"##,
            Some(r##"{"v":1,"draft":["o",[["token",["s","•••"]],["n",["#","1.50"]]]]}"##),
        ),
        (
            r#"["o",[["credentials",["o",[["user",["s","me"],1],["list",["l",[["s","ab"],["b",1]]]]]]]]]"#,
            Some(
                r#"["o",[["credentials",["o",[["user",["s","•••"],1],["list",["l",[["s","•••"],["b",1]]]]]]]]]"#,
            ),
        ),
        (
            r#"["o",[["name",["s","Authorization"]],["value",["s","Basic x"]]]]"#,
            Some(r#"["o",[["name",["s","Authorization"]],["value",["s","•••"]]]]"#),
        ),
        (
            r#"["r",["{\"password\": \"hun","no end"]]"#,
            Some(r#"["r",["•••","•••"]]"#),
        ),
        (r#"["s","has planted-value"]"#, Some(r#"["s","has •••"]"#)),
    ] {
        let expected = kept.unwrap_or(text);
        assert_eq!(draft(text, &secrets).as_deref(), Some(expected), "{text}");
    }
    assert_eq!(draft("no JSON: password hunter2", &secrets), None);
    let deep = format!("{}[\"token\"]{}", "[".repeat(400), "]".repeat(400));
    assert_eq!(draft(&deep, &secrets), None, "too deep to be looked at");
    assert_eq!(draft("no JSON", &secrets).as_deref(), Some("no JSON"));
}
