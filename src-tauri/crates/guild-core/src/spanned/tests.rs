use proptest::prelude::*;
use serde_json::Value;

use super::*;

/// Builds what `serde_json` builds.
struct Values;

impl Build for Values {
    type Value = Value;

    fn scalar(&self, scalar: Scalar<'_>, _at: usize) -> Result<Value, Fault> {
        Ok(match scalar {
            Scalar::Null => Value::Null,
            Scalar::Bool(flag) => flag.into(),
            Scalar::Number(digits) => serde_json::from_str(digits).unwrap_or(Value::Null),
            Scalar::Text(text) => text.into(),
        })
    }

    fn list(&self, items: Vec<Value>, _at: usize) -> Value {
        items.into()
    }

    fn object(&self, entries: Vec<Entry<Value>>, _at: usize) -> Value {
        let fields = entries.into_iter().map(|entry| (entry.key, entry.value));
        Value::Object(fields.collect())
    }
}

#[test]
fn a_place_counts_characters_from_one() {
    let place = |line, column| Place { line, column };
    assert_eq!(Place::of("", 0), place(1, 1));
    assert_eq!(Place::of("äb\r\ncd", 2), place(1, 2));
    assert_eq!(Place::of("äb\r\ncd", 6), place(2, 2));
    assert_eq!(Place::of("a\n", 99), place(2, 1), "past the end is the end");
}

proptest! {
    /// Near-JSON, so that both sides of the line are met often.
    #[test]
    fn it_accepts_what_serde_json_accepts(
        text in r#"([\[\]{}:,]|"[a-c\\nu0é]{0,4}"|"[a-c]"|-?[0-9.eE+-]{1,4}|true|false|null|[ \n\t\r]|x){0,12}"#
    ) {
        let ours = read(&text, 100, &Values);
        let theirs = serde_json::from_str::<Value>(&text);
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs),
            (Err(fault), Ok(_)) => prop_assert_eq!(fault.kind, FaultKind::Duplicate),
            (Ok(ours), Err(error)) => {
                // A number beyond an f64 is JSON all the same.
                prop_assert!(error.to_string().contains("out of range"), "{}: {}", ours, error);
            }
            (Err(_), Err(_)) => {}
        }
    }

    #[test]
    fn any_text_is_read_to_an_answer(text in any::<String>()) {
        if let Err(fault) = read(&text, 100, &Values) {
            prop_assert!(fault.at <= text.len());
        }
    }
}
