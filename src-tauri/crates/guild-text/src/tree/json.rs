//! Parses JSON that people paste: with comments, trailing commas, unquoted keys and single quotes.
//! Omissions that make a text ambiguous, such as a missing comma between members, are errors.

use jsonc_parser::ParseOptions;
use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged as _;

use super::lines::LineCounter;
use super::{DEPTH_MAX, NODES_MAX, Node, NodeKind, TreeMember, TreeParseError};
use crate::messages::{MisreadAdvice, MisreadProblem};
use crate::spanned::COMMENTED;
use crate::text_edit::TextEditError;
use crate::text_edit::scan;

/// The syntax of pasted JSON: that of configuration files, and also unquoted keys and single
/// quotes.
const OF_PEOPLE: ParseOptions = ParseOptions {
    allow_loose_object_property_names: true,
    allow_single_quoted_strings: true,
    ..COMMENTED
};

/// Parses a text that is one value.
///
/// # Errors
/// When the text is not one value, or exceeds a limit.
pub fn read(text: &str) -> Result<Node, TreeParseError> {
    let plain = without_hashes(text);
    let value = scan::value(&plain, &OF_PEOPLE, DEPTH_MAX)
        .map_err(|wrong| TreeParseError::at(text, wrong.at, wrong.message, wrong.hint))?;
    let Some(value) = value else {
        let message = MisreadProblem::NoValue;
        return Err(TreeParseError::at(
            text,
            text.len(),
            message,
            MisreadAdvice::CopyAll,
        ));
    };
    let (node, count) = (node(&value, &mut LineCounter::of_text(text)), count(&value));
    match count > NODES_MAX {
        true => {
            let message = MisreadProblem::ManyValues(NODES_MAX);
            Err(TreeParseError::whole(message, MisreadAdvice::ListAlone))
        }
        false => Ok(node),
    }
}

/// Reads only the top-level `keys` of a program's configuration file, since the file may contain
/// much more than servers. `None` if the file is empty.
pub fn of_file(text: &str, keys: &[&str]) -> Result<Option<Node>, TextEditError> {
    let Some(mut root) = scan::root(text)? else {
        return Ok(None);
    };
    root.properties
        .retain(|member| keys.contains(&member.name.as_str()));
    let mut lines = LineCounter::of_text(text);
    Ok(Some(node(&Value::Object(root), &mut lines)))
}

/// Replaces a byte order mark, and lines that begin with `#`, by spaces, so that offsets stay the
/// same.
fn without_hashes(text: &str) -> String {
    let line = |line: &str| match line.trim_start().starts_with('#') {
        true => line
            .bytes()
            .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
            .collect(),
        false => line.to_owned(),
    };
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(text) => ("   ", text),
        None => ("", text),
    };
    let lines = text.split_inclusive('\n').map(line);
    std::iter::once(mark.to_owned()).chain(lines).collect()
}

fn node(value: &Value<'_>, lines: &mut LineCounter<'_>) -> Node {
    let line = lines.of(value.start());
    let kind = match value {
        Value::Object(object) => {
            let member = |member: &jsonc_parser::ast::ObjectProp<'_>| TreeMember {
                key: member.name.as_str().to_owned(),
                line: lines.of(member.start()),
                node: node(&member.value, lines),
            };
            NodeKind::Object(object.properties.iter().map(member).collect())
        }
        Value::Array(list) => {
            NodeKind::List(list.elements.iter().map(|item| node(item, lines)).collect())
        }
        plain => NodeKind::Plain(plain.clone().into()),
    };
    Node { line, kind }
}

fn count(value: &Value<'_>) -> usize {
    let inner: usize = match value {
        Value::Object(object) => object
            .properties
            .iter()
            .map(|member| count(&member.value))
            .sum(),
        Value::Array(list) => list.elements.iter().map(count).sum(),
        _ => 0,
    };
    inner + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_with_common_slips_is_read() {
        let text = "\u{feff}{ // a comment\n  'a': \"x\\ty\", b: [1, true, null,], /* c */\n  # d\n  \"c\": {\"d\": 'it\\'s \"so\"'},\n}\n";
        assert_eq!(
            read(text).expect("JSON").to_value(),
            serde_json::json!({"a": "x\ty", "b": [1, true, null], "c": {"d": "it's \"so\""}})
        );
    }

    #[test]
    fn an_error_names_its_place_and_what_to_do() {
        for (text, place, message) in [
            ("{\"a\": 1\n \"b\": 2}", (1, 8), "expected comma"),
            ("{\"a\": {\"b\": 1}", (1, 1), "is missing"),
            ("{\"a\": \"x\n\"}", (1, 7), "without a closing"),
            ("{\"a\": \"C:\\dir\"}", (1, 10), "backslash"),
            ("{\"a\" 1}", (1, 6), "expected colon"),
            ("{\"é\": 1} x", (1, 10), "more than one JSON value"),
            ("{\"a\": [...]}", (1, 8), "unexpected token"),
        ] {
            let error = read(text).expect_err(text);
            assert_eq!(
                (error.line, error.column),
                (Some(place.0), Some(place.1)),
                "{text}"
            );
            assert!(error.message.to_string().contains(message), "{error}");
            assert!(!error.hint.to_string().is_empty());
        }
        let deep = read(&"[".repeat(10_000)).expect_err("deep");
        assert!(deep.message.to_string().contains("levels deep"), "{deep}");
    }
}
