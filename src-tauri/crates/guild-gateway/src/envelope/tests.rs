//! Parsing of valid and malformed messages.

use proptest::prelude::*;

use super::*;

#[test]
fn an_id_stays_as_it_was_written() {
    for id in [
        "1",
        "-7",
        "1.50e3",
        "\"a\\u0062\"",
        "12345678901234567890123",
    ] {
        let text = format!(r#"{{"jsonrpc":"2.0", "id" : {id} ,"method":"ping"}}"#);
        match read(&text) {
            Ok(GatewayMessage::Request { id: read, .. }) => assert_eq!(read, id),
            other => panic!("{id}: {other:?}"),
        }
    }
}

#[test]
fn invalid_message_differs_from_invalid_json() {
    for text in ["", "{", "nul", r#"{"jsonrpc":"2.0","id":1,"method":"#] {
        assert_eq!(read(text).map(|_| ()), Err(EnvelopeError::NoJson), "{text}");
    }
    for text in [
        "1",
        "{}",
        "[]",
        r#"["2.0",1,"ping",{}]"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":1,"error":{}}"#,
    ] {
        let read = read(text).map(|_| ());
        assert!(
            matches!(read, Err(EnvelopeError::NoMessage { .. })),
            "{text}: {read:?}"
        );
    }
}

#[test]
fn capabilities_say_which_questions_are_taken() {
    let check = |text: &str, expect: Option<(bool, bool)>| {
        let raw: &RawValue = serde_json::from_str(text).expect("JSON");
        let read = elicitation_modes(Some(raw)).map(|modes| (modes.values, modes.visits));
        assert_eq!(read, expect, "{text}");
    };
    check("{}", Some((false, false)));
    check(r#"{"elicitation":{}}"#, Some((true, false)));
    check(r#"{"elicitation":{"form":{}}}"#, Some((true, false)));
    check(r#"{"elicitation":{"url":{}}}"#, Some((false, true)));
    check(
        r#"{"elicitation":{"form":{},"url":{}}}"#,
        Some((true, true)),
    );
    check(r#"{"elicitation":true}"#, Some((false, false)));
    check("[]", None);
}

proptest! {
    #[test]
    fn no_text_brings_the_outline_down(text in ".{0,200}") {
        let _ = read(&text);
        let _ = batch(&text);
    }

    #[test]
    fn no_mangled_message_brings_it_down(
        at in 0usize..140,
        with in proptest::char::any(),
    ) {
        let mut text: String = concat!(
            r#"{"jsonrpc":"2.0","id":"é","method":"tools/call","params":{"name":"a","#,
            r#""arguments":{"x":[1,2,{"y":null}]},"_meta":{"progressToken":1}}}"#
        ).into();
        if text.is_char_boundary(at) && at < text.len() {
            text.insert(at, with);
        }
        if let Ok(GatewayMessage::Request { id, params, .. }) = read(&text) {
            prop_assert!(text.contains(id));
            if let Ok(params) = RequestParams::read(params) {
                let _ = Meta::read(params.meta).map(|meta| (meta.token(), elicitation_modes(meta.capabilities)));
                let _ = name_of_client(params.arguments);
            }
        }
    }

    #[test]
    fn arguments_go_through_as_they_were_written(
        key in "[a-zé]{1,8}", number in any::<i128>(), space in "[ \n\t]{0,3}",
    ) {
        let arguments = format!("{{{space}\"{key}\"{space}:{space}{number}.000{space}}}");
        let text = format!(
            r#"{{"params":{{"arguments":{arguments},"name":"t"}},"method":"tools/call","id":1,"jsonrpc":"2.0"}}"#
        );
        let Ok(GatewayMessage::Request { params, .. }) = read(&text) else {
            return Err(TestCaseError::fail("no request"));
        };
        let params = RequestParams::read(params).map_err(TestCaseError::fail)?;
        prop_assert_eq!(params.arguments.map(RawValue::get), Some(arguments.as_str()));
    }
}
