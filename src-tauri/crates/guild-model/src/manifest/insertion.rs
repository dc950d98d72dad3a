//! Inserts an example into a manifest's text and leaves every other byte unchanged.

use jsonc_parser::ast::Value as Node;
use jsonc_parser::common::Ranged as _;
use serde_json::{Map, Value};

use super::parse;
use super::read::{DEPTH_MAX, text_of};
use crate::arguments::parse_exact;
use crate::error::{Code, Report};
use crate::id::{MemberName, ToolName};
use crate::messages::ManifestError;
use guild_text::spanned;
use guild_text::text_edit::layout::{indent_of, laid_out};
use guild_text::text_edit::{self, TextEditError, line_end};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request to save a call as an example in a member's manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveExample {
    /// The member.
    pub member: MemberName,
    /// The example's name.
    pub name: String,
    /// The tool.
    pub tool: ToolName,
    /// The arguments, as JSON text.
    pub arguments: String,
    /// The expectation, as JSON text of the object in the manifest.
    pub expect: String,
}

/// Returns the manifest's text with one more example at the end. `file` is the name of the file,
/// for errors.
///
/// The function parses the result again, and fails unless the result equals the old manifest with
/// the example added.
///
/// # Errors
/// The errors of the manifest, `arguments-not-json`, and `manifest-field` if the example can't be
/// inserted.
pub fn with_example(bytes: &[u8], file: &str, example: &SaveExample) -> Result<Vec<u8>, Report> {
    let before = parse(bytes, file);
    let old = before.manifest?;
    let refused = |trouble| Report::from_error(Code::ManifestField, &trouble);
    if old.examples.iter().any(|other| other.name == example.name) {
        let name = format!("{:?}", example.name);
        return Err(refused(ManifestError::ExampleTwice(name)));
    }
    let text = text_of(bytes, file)?;
    let written = insert(text, &value_of(example)?)
        .ok_or_else(|| refused(ManifestError::NoPlace(file.to_owned())))?;
    let mark = bytes.len() - text.len();
    let new_bytes = [&bytes[..mark], written.as_bytes()].concat();
    let after = parse(&new_bytes, file);
    if let Some(warning) = after.warnings.get(before.warnings.len()) {
        return Err(warning.clone());
    }
    let mut new = after.manifest?;
    let added = new.examples.pop();
    if added.is_none_or(|added| added.name != example.name) || old != new {
        return Err(refused(ManifestError::NotTheSame(file.to_owned())));
    }
    Ok(new_bytes)
}

/// Returns a manifest's text in which one field is set, or removed if the value is `None`. The rest
/// of the text is unchanged.
///
/// # Errors
/// If the text can't be parsed.
pub fn with_field(text: &str, field: &str, value: Option<&Value>) -> Result<String, TextEditError> {
    match value {
        Some(value) => text_edit::put(text, &[field], value),
        None => text_edit::take_out(text, &[field]),
    }
}

fn value_of(example: &SaveExample) -> Result<Value, Report> {
    let object = |text: &str| parse_exact(text).map_err(|error| error.report());
    let mut fields = Map::new();
    fields.insert("name".into(), example.name.clone().into());
    fields.insert("tool".into(), example.tool.as_str().into());
    fields.insert("arguments".into(), object(&example.arguments)?.into());
    let expect = object(&example.expect)?;
    if !expect.is_empty() {
        fields.insert("expect".into(), expect.into());
    }
    Ok(fields.into())
}

/// Inserts an item into `examples`. `None` if the text has no place where the item can be inserted.
fn insert(text: &str, item: &Value) -> Option<String> {
    let Node::Object(object) = spanned::read(text, DEPTH_MAX).ok()? else {
        return None;
    };
    let fields = &object.properties;
    let style = ManifestTextStyle::of(text, fields.first().map(|first| first.range.start));
    let listed = object.get("examples");
    let (at, until, put) = match listed.map(|field| (field, &field.value)) {
        Some((_, Node::Array(list))) if !list.elements.is_empty() => {
            let last = list.elements.last()?;
            let put = match indent_of(text, last.start()) {
                Some(indent) => {
                    let item = laid_out(item, style.unit, indent, style.end);
                    format!(",{}{indent}{item}", style.end)
                }
                None => format!(", {item}"),
            };
            (last.end(), last.end(), put)
        }
        Some((field, Node::Array(empty))) => {
            let list = style.list(item, indent_of(text, field.range.start));
            (empty.range.start, empty.range.end, list)
        }
        Some(_) => return None,
        None => {
            let last = fields.last()?;
            let indent = indent_of(text, last.range.start);
            let list = style.list(item, indent);
            let put = match indent {
                Some(indent) => format!(",{}{indent}\"examples\": {list}", style.end),
                None => format!(", \"examples\": {list}"),
            };
            (last.range.end, last.range.end, put)
        }
    };
    Some(format!("{}{put}{}", text.get(..at)?, text.get(until..)?))
}

/// The text's line ends and indentation.
struct ManifestTextStyle<'t> {
    end: &'static str,
    unit: &'t str,
}

impl<'t> ManifestTextStyle<'t> {
    fn of(text: &'t str, first: Option<usize>) -> Self {
        let unit = first.and_then(|at| indent_of(text, at));
        Self {
            end: line_end(text),
            unit: unit.filter(|unit| !unit.is_empty()).unwrap_or("  "),
        }
    }

    /// Formats a list of one item. `indent` is the indentation of the line with the list's key.
    fn list(&self, item: &Value, indent: Option<&str>) -> String {
        let Some(indent) = indent else {
            return format!("[{item}]");
        };
        let (end, inner) = (self.end, format!("{indent}{}", self.unit));
        let item = laid_out(item, self.unit, &inner, end);
        format!("[{end}{inner}{item}{end}{indent}]")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::id::ToolName;

    fn example(name: &str, arguments: &str, expect: &str) -> SaveExample {
        SaveExample {
            member: crate::id::MemberName::parse("forge").expect("a name"),
            name: name.into(),
            tool: ToolName::parse("heat").expect("a name"),
            arguments: arguments.into(),
            expect: expect.into(),
        }
    }

    #[track_caller]
    fn check(text: &str, expect: &str) {
        let new = with_example(
            text.as_bytes(),
            "plugin.json",
            &example("a", "{\"n\": 1}", "{}"),
        );
        let new = new.unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(String::from_utf8(new).expect("text"), expect);
    }

    #[test]
    fn an_example_goes_where_examples_are_and_nothing_else_moves() {
        let head = "{\n\t\"name\": \"forge\",   \"transport\":\"stdio\",\n\t\"command\" : \"x\"";
        let item = |tabs: &str| {
            let lines = [
                "{",
                "\t\"name\": \"a\",",
                "\t\"tool\": \"heat\",",
                "\t\"arguments\": {",
                "\t\t\"n\": 1",
                "\t}",
                "}",
            ];
            lines.join(&format!("\n{tabs}"))
        };
        check(
            &format!("{head}\n}}\n"),
            &format!(
                "{head},\n\t\"examples\": [\n\t\t{}\n\t]\n}}\n",
                item("\t\t")
            ),
        );
        check(
            &format!("{head},\n\t\"examples\" : [ ] , \"enabled\": true }}"),
            &format!(
                "{head},\n\t\"examples\" : [\n\t\t{}\n\t] , \"enabled\": true }}",
                item("\t\t")
            ),
        );
        let first = "{ \"name\" : \"b\",\"tool\":\"x\" }";
        check(
            &format!("{head},\n\t\"examples\": [\n\t  {first}\n\n\t]\n}}"),
            &format!(
                "{head},\n\t\"examples\": [\n\t  {first},\n\t  {}\n\n\t]\n}}",
                item("\t  ")
            ),
        );
        check(
            &format!("{head}, \"examples\":[{first}]}}"),
            &format!(
                "{head}, \"examples\":[{first}, {{\"name\":\"a\",\"tool\":\"heat\",\"arguments\":{{\"n\":1}}}}]}}"
            ),
        );
    }

    #[test]
    fn line_ends_and_a_byte_order_mark_stay() {
        let text = "\u{feff}{\r\n  \"name\": \"forge\",\r\n  \"transport\": \"stdio\",\r\n  \"command\": \"x\"\r\n}\r\n";
        let new = with_example(text.as_bytes(), "plugin.json", &example("a", "{}", "{}"));
        let new = String::from_utf8(new.expect("it has a place")).expect("text");
        assert!(new.starts_with("\u{feff}{\r\n"));
        assert_eq!(new.matches('\n').count(), new.matches("\r\n").count());
    }

    #[test]
    fn invalid_insertion_is_refused() {
        let text = r#"{"name":"forge","transport":"stdio","command":"x","examples":[{"name":"b","tool":"t"}]}"#;
        for (wanted, expect) in [
            (example("b", "{}", "{}"), "already"),
            (example(" ", "{}", "{}"), "must not be empty"),
            (example("a", "[]", "{}"), "arguments"),
            (example("a", "{}", "{\"is_error\": 1}"), "is_error"),
            (
                example("a", "{}", "{\"is_eror\": true}"),
                "is not a known field",
            ),
        ] {
            let report = with_example(text.as_bytes(), "plugin.json", &wanted).expect_err(expect);
            assert!(report.message.contains(expect), "{report}");
        }
        let broken = with_example(b"{", "plugin.json", &example("a", "{}", "{}"));
        assert_eq!(broken.expect_err("no JSON").code, Code::ManifestNotJson);
    }

    proptest! {
        #[test]
        fn an_insertion_leaves_what_was_there(
            gaps in proptest::collection::vec("[ \t\r\n]{0,3}", 16),
            listed in 0_usize..4,
            number in any::<i64>(),
            name in "[a-z\"\\\\é]{1,12}",
        ) {
            let gap = |at: usize| gaps[at].as_str();
            let items = (0..listed.saturating_sub(1))
                .map(|n| format!("{}{{\"name\":\"old {n}\",\"tool\":\"t\"}}{}", gap(8 + n), gap(12 + n)))
                .collect::<Vec<_>>()
                .join(",");
            let list = match listed {
                0 => String::new(),
                _ => format!(",{}\"examples\"{}:{}[{}{items}]", gap(0), gap(1), gap(2), gap(3)),
            };
            let text = format!(
                "{}{{\"name\":\"forge\",{}\"transport\":\"stdio\",{}\"command\":\"x\"{list}{}}}{}",
                gap(4), gap(5), gap(6), gap(7), gap(15)
            );
            let wanted = example(&name, &format!("{{\"n\":{number}}}"), "{\"text_contains\":\"é\"}");
            let new = with_example(text.as_bytes(), "plugin.json", &wanted);
            let new = String::from_utf8(new.expect("there is a place")).expect("text");
            // Only one piece was inserted. Nothing was removed except the white space of an empty
            // list.
            let head = text.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
            let tail = text.bytes().rev().zip(new.bytes().rev()).take_while(|(a, b)| a == b).count();
            let gone = text.len().saturating_sub(head + tail);
            prop_assert!(gone <= gap(3).len() + 1, "{text:?} {new:?}");
            let read = parse(new.as_bytes(), "plugin.json").manifest.expect("a manifest");
            let last = read.examples.last().expect("an example");
            prop_assert_eq!(&last.name, &name);
            prop_assert_eq!(&last.arguments, &format!("{{\"n\":{number}}}"));
        }
    }
}
