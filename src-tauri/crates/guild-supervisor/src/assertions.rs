//! Compares a call's result with an example's expectations.

use crate::messages::ExampleNote;
use guild_api::wire::{CallEnd, CallOutcome, ExampleDifference, ExamplePart};
use guild_model::manifest::Expect;
use guild_schema::validate::Validator;
use guild_text::number::is_same;
use serde_json::Value;

/// Maximum number of reported differences per example.
const DIFFERENCES_MAX: usize = 20;
/// Maximum length of an expected or actual result in a difference, in characters.
const SHOWN_MAX: usize = 4_000;

/// Returns the differences between a call's result and the expectations.
///
/// A declared output schema counts as an expectation. Blocking, since results can be large.
pub fn compare(expect: &Expect, outcome: &CallOutcome) -> Vec<ExampleDifference> {
    let mut found = Differences { found: Vec::new() };
    match &outcome.end {
        CallEnd::Failed { report, .. } => {
            let expected = ExampleNote::AnyResult.to_string();
            found.note(ExamplePart::Answer, "", &expected, &report.message);
        }
        CallEnd::Result { result, is_error } => {
            if *is_error != expect.is_error {
                let words = |failed| match failed {
                    true => ExampleNote::ToolFailed.to_string(),
                    false => ExampleNote::ToolWorked.to_string(),
                };
                // The error text is the most useful information here.
                let got = match *is_error {
                    true => format!("{}:\n{}", words(true), text_of(&read(result))),
                    false => words(false),
                };
                found.note(ExamplePart::IsError, "", &words(expect.is_error), &got);
            }
            found.compare_result(expect, &read(result));
            if let Some(checked) = outcome.structured.as_ref().filter(|_| !*is_error) {
                for error in &checked.errors {
                    let expected = ExampleNote::Promised.to_string();
                    let (part, place) = (ExamplePart::OutputSchema, &error.pointer);
                    found.note(part, place, &expected, &error.message);
                }
            }
        }
    }
    found.found
}

/// Returns the differences between a result and the expectations for its content.
#[cfg(test)]
pub(crate) fn differences(expect: &Expect, result: &Value) -> Vec<ExampleDifference> {
    let mut found = Differences { found: Vec::new() };
    found.compare_result(expect, result);
    found.found
}

fn read(result: &str) -> Value {
    serde_json::from_str(result).unwrap_or_default()
}

/// Returns all text blocks of a result, joined by newlines.
pub(crate) fn text_of(result: &Value) -> String {
    let blocks = result["content"].as_array().into_iter().flatten();
    let texts = blocks.filter(|block| block["type"] == "text");
    let texts: Vec<&str> = texts.filter_map(|block| block["text"].as_str()).collect();
    texts.join("\n")
}

struct Differences {
    found: Vec<ExampleDifference>,
}

impl Differences {
    fn note(&mut self, part: ExamplePart, place: &str, expected: &str, got: &str) {
        if self.found.len() < DIFFERENCES_MAX {
            self.found.push(ExampleDifference {
                part,
                place: place.to_owned(),
                expected: shown(expected),
                got: shown(got),
            });
        }
    }

    fn compare_result(&mut self, expect: &Expect, result: &Value) {
        let text = text_of(result);
        if let Some(expected) = &expect.text_equals
            && *expected != text
        {
            self.note(ExamplePart::Text, "", expected, &text);
        }
        if let Some(part) = &expect.text_contains
            && !text.contains(part.as_str())
        {
            let expected = ExampleNote::TextWith(format!("{part:?}")).to_string();
            self.note(ExamplePart::Text, "", &expected, &text);
        }
        let structured = result.get("structuredContent");
        if let Some(expected) = &expect.structured {
            match structured {
                Some(structured) => self.within("", expected, structured),
                None => {
                    let got = ExampleNote::Unstructured.to_string();
                    self.note(ExamplePart::Structured, "", &laid_out(expected), &got);
                }
            }
        }
        if let Some(schema) = &expect.schema {
            match structured {
                Some(structured) => self.against_schema(schema, structured),
                None => {
                    let expected = ExampleNote::Structured.to_string();
                    let got = ExampleNote::Unstructured.to_string();
                    self.note(ExamplePart::Schema, "", &expected, &got);
                }
            }
        }
    }

    /// Compares structured content, and records each difference with its JSON Pointer, `place`.
    /// Objects may have additional fields at any depth. Lists must have the expected length.
    fn within(&mut self, place: &str, expected: &Value, got: &Value) {
        if self.found.len() >= DIFFERENCES_MAX {
            return;
        }
        match (expected, got) {
            (Value::Object(expected), Value::Object(got)) => {
                for (key, expected) in expected {
                    let place = format!("{place}/{}", key.replace('~', "~0").replace('/', "~1"));
                    match got.get(key) {
                        Some(got) => self.within(&place, expected, got),
                        None => {
                            let (part, expected) = (ExamplePart::Structured, laid_out(expected));
                            let got = ExampleNote::Nothing.to_string();
                            self.note(part, &place, &expected, &got);
                        }
                    }
                }
            }
            (Value::Array(expected), Value::Array(got)) if expected.len() == got.len() => {
                for (index, (expected, got)) in expected.iter().zip(got).enumerate() {
                    self.within(&format!("{place}/{index}"), expected, got);
                }
            }
            (Value::Number(expected), Value::Number(got)) if is_same(expected, got) => {}
            (expected, got) if expected == got => {}
            (expected, got) => {
                let part = ExamplePart::Structured;
                self.note(part, place, &laid_out(expected), &laid_out(got));
            }
        }
    }

    fn against_schema(&mut self, schema: &Value, structured: &Value) {
        let checked = Validator::build(schema).check(structured);
        // Where the validator can't use the schema, it accepts any value. A note informs the author
        // of the schema.
        for note in &checked.notes {
            let expected = ExampleNote::UsableSchema.to_string();
            self.note(ExamplePart::Schema, "", &expected, note);
        }
        for error in &checked.errors {
            let expected = ExampleNote::Schema.to_string();
            let (part, got) = (ExamplePart::Schema, &error.message);
            self.note(part, &error.pointer, &expected, got);
        }
    }
}

fn laid_out(value: &Value) -> String {
    format!("{value:#}")
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use guild_model::error::{Code, Report};
    use guild_model::id::{CallId, MemberName, ToolName};
    use guild_schema::validate::{ArgumentError, CheckedArguments};

    fn outcome(end: CallEnd) -> CallOutcome {
        CallOutcome {
            call: CallId::numbered("test", 1),
            member: MemberName::parse("forge").expect("a name"),
            tool: ToolName::parse("heat").expect("a name"),
            started_at_ms: 0,
            duration_ms: 1,
            request: None,
            structured: None,
            end,
        }
    }

    fn result(result: &Value) -> CallOutcome {
        outcome(CallEnd::Result {
            result: result.to_string(),
            is_error: result["isError"] == true,
        })
    }

    /// Asserts the part and the location of each difference.
    #[track_caller]
    fn check(expect: &Expect, got: &CallOutcome, differences: &[(ExamplePart, &str)]) {
        let found = compare(expect, got);
        let found: Vec<_> = found.iter().map(|d| (d.part, d.place.as_str())).collect();
        assert_eq!(found, differences);
    }

    fn texts(texts: &[&str]) -> Value {
        let blocks: Vec<Value> = texts
            .iter()
            .map(|text| json!({"type": "text", "text": text}))
            .collect();
        json!({"content": blocks})
    }

    #[test]
    fn a_text_is_all_text_blocks() {
        let got = result(&texts(&["warm", "red hot"]));
        let expect = |equals: Option<&str>, contains: Option<&str>| Expect {
            text_equals: equals.map(str::to_owned),
            text_contains: contains.map(str::to_owned),
            ..Expect::default()
        };
        check(&Expect::default(), &got, &[]);
        check(&expect(Some("warm\nred hot"), Some("red")), &got, &[]);
        check(
            &expect(Some("warm"), None),
            &got,
            &[(ExamplePart::Text, "")],
        );
        check(
            &expect(None, Some("cold")),
            &got,
            &[(ExamplePart::Text, "")],
        );
        let image = result(&json!({"content": [{"type": "image", "text": "no text"}]}));
        check(&expect(Some(""), None), &image, &[]);
    }

    #[test]
    fn a_failure_is_expected_or_a_difference() {
        let failed =
            result(&json!({"content": [{"type": "text", "text": "no fire"}], "isError": true}));
        let expected = Expect {
            is_error: true,
            ..Expect::default()
        };
        check(&expected, &failed, &[]);
        check(&Expect::default(), &failed, &[(ExamplePart::IsError, "")]);
        assert!(
            compare(&Expect::default(), &failed)[0]
                .got
                .contains("no fire")
        );
        let worked = result(&texts(&["warm"]));
        check(&expected, &worked, &[(ExamplePart::IsError, "")]);
        // A missing answer never matches.
        let report = Report::new(Code::CallTimeout, "No answer in 1 s.", "");
        let none = outcome(CallEnd::Failed {
            report,
            rpc: None,
            arguments: vec![],
            stderr: vec![],
        });
        check(&expected, &none, &[(ExamplePart::Answer, "")]);
    }

    #[test]
    fn structured_content_has_at_least_what_is_expected() {
        let got = result(&json!({
            "content": [],
            "structuredContent": {"n": 1.0, "a/b": {"x": [1, {"y": 2, "z": 3}]}, "more": true}
        }));
        let with = |structured: Value| Expect {
            structured: Some(structured),
            ..Expect::default()
        };
        check(&with(json!({})), &got, &[]);
        let whole = json!({"n": 1, "a/b": {"x": [1, {"y": 2}]}});
        check(&with(whole), &got, &[]);
        let part = ExamplePart::Structured;
        check(
            &with(json!({"n": 2, "q": null})),
            &got,
            &[(part, "/n"), (part, "/q")],
        );
        let inner = json!({"a/b": {"x": [1, {"y": 3}]}});
        check(&with(inner), &got, &[(part, "/a~1b/x/1/y")]);
        let shorter = json!({"a/b": {"x": [1]}});
        check(&with(shorter), &got, &[(part, "/a~1b/x")]);
        check(&with(json!({})), &result(&texts(&["warm"])), &[(part, "")]);
        let large = result(&json!({"structuredContent": {"n": 9_007_199_254_740_993_u64}}));
        let near = json!({"n": 9_007_199_254_740_992_u64});
        check(&with(near), &large, &[(part, "/n")]);
    }

    #[test]
    fn a_schema_holds_and_one_that_can_not_be_used_is_told() {
        let got = result(&json!({"structuredContent": {"n": "one"}}));
        let with = |schema: Value| Expect {
            schema: Some(schema),
            ..Expect::default()
        };
        let string = json!({"properties": {"n": {"type": "string"}}});
        check(&with(string), &got, &[]);
        let number = json!({"properties": {"n": {"type": "number"}}});
        check(&with(number), &got, &[(ExamplePart::Schema, "/n")]);
        let illegal = json!({"properties": {"n": {"type": "strnig"}}});
        let told = compare(&with(illegal), &got);
        assert_eq!(told[0].part, ExamplePart::Schema, "{told:?}");
    }

    #[test]
    fn difference_is_a_sentence() {
        let got = result(&json!({"structuredContent": {"n": "one"}}));
        let expect = Expect {
            structured: Some(json!({"m": 1})),
            schema: Some(json!({"properties": {"n": {"type": "number"}}})),
            ..Expect::default()
        };
        let told: Vec<_> = compare(&expect, &got)
            .into_iter()
            .map(|difference| [difference.expected, difference.got])
            .collect();
        assert_eq!(
            told,
            [
                ["1", "nothing"],
                ["a match of the schema", "must be a number"],
            ]
        );
    }

    #[test]
    fn the_tools_own_promise_counts_unless_it_failed() {
        let mut got = result(&json!({"structuredContent": {}}));
        got.structured = Some(CheckedArguments {
            errors: vec![ArgumentError {
                pointer: "/n".into(),
                message: "is missing".into(),
                keyword: "required".into(),
            }],
            notes: vec![],
        });
        check(
            &Expect::default(),
            &got,
            &[(ExamplePart::OutputSchema, "/n")],
        );
    }

    #[test]
    fn differences_are_bounded() {
        let many: serde_json::Map<String, Value> = (0..1_000)
            .map(|n| (n.to_string(), json!("x".repeat(9_000))))
            .collect();
        let expect = Expect {
            structured: Some(many.into()),
            ..Expect::default()
        };
        let found = compare(&expect, &result(&json!({"structuredContent": {}})));
        assert_eq!(found.len(), DIFFERENCES_MAX);
        assert!(found[0].expected.chars().count() <= SHOWN_MAX + 1);
    }
}
