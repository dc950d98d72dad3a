//! Inserts a value at a path of keys in JSON with comments, or removes it.

use jsonc_parser::ast::Value as Parsed;
use serde_json::{Value, json};

use super::layout::{New, TextEditStyle, indent_of, without};
use super::scan::{self, ObjectMember, SpannedObject};
use super::{TextEditError, line_end, marked, spliced, without_mark};
use crate::messages::TextProblem;

/// Returns the text with a value at a path of keys. Missing objects on the path are created.
///
/// # Errors
/// When the text can't be parsed, or a value on the path is not an object.
pub fn put(text: &str, path: &[&str], value: &Value) -> Result<String, TextEditError> {
    marked(text, |text| put_new(text, path, New::Value(value.clone())))
}

/// Inserts a value, or the text of a value, as [`put`] does. `text` must not begin with a byte
/// order mark.
pub fn put_new(text: &str, path: &[&str], new: New) -> Result<String, TextEditError> {
    let (key, holders) = split(path)?;
    let Some(parsed) = scan::root(text)? else {
        let end = line_end(text);
        return Ok(format!(
            "{}{end}",
            nested(path, new).on_lines("  ", "", end)
        ));
    };
    let mut here = SpannedObject::of(text, &parsed)?;
    let style = TextEditStyle::of(text, &here);
    for (at, holder) in holders.iter().enumerate() {
        let Some(member) = here.find(text, holder)? else {
            let new = style.insert(text, &here, holder, &nested(&path[at + 1..], new));
            return checked(text, new, &path[..at], holder);
        };
        here = member.object(text)?;
    }
    let result = match here.find(text, key)? {
        Some(member) if is_there(text, member, &new) => return Ok(text.to_owned()),
        Some(member) => {
            let written = match indent_of(text, member.key_at) {
                Some(indent) => new.on_lines(&style.unit, indent, style.end),
                None => new.on_one_line(),
            };
            spliced(text, &[(member.value.clone(), &written)])
        }
        None => style.insert(text, &here, key, &new),
    };
    checked(text, result, holders, key)
}

fn is_there(text: &str, member: &ObjectMember<'_>, new: &New) -> bool {
    match new {
        New::Value(value) => Value::from(member.parsed.clone()) == *value,
        New::Text(written) => text[member.value.clone()] == **written,
    }
}

/// Returns the text without the value at a path of keys. Comments near the value stay.
///
/// # Errors
/// When the text can't be parsed, or a value on the path is not an object.
pub fn take_out(text: &str, path: &[&str]) -> Result<String, TextEditError> {
    let (key, holders) = split(path)?;
    marked(text, |text| {
        let Some(parsed) = scan::root(text)? else {
            return Ok(text.to_owned());
        };
        let holder = SpannedObject::of(text, &parsed)?.at(text, holders.iter().copied())?;
        let Some(holder) = holder else {
            return Ok(text.to_owned());
        };
        if holder.find(text, key)?.is_none() {
            return Ok(text.to_owned());
        }
        let new = without(text, &holder, |member| member.key == key);
        checked(text, new, holders, key)
    })
}

/// Checks whether the value at a path of keys is `null`.
///
/// # Errors
/// When the text can't be parsed.
pub fn is_null(text: &str, path: &[&str]) -> Result<bool, TextEditError> {
    let (key, holders) = split(path)?;
    let text = without_mark(text);
    let Some(parsed) = scan::root(text)? else {
        return Ok(false);
    };
    let holder = SpannedObject::of(text, &parsed)?.at(text, holders.iter().copied())?;
    let member = match &holder {
        Some(holder) => holder.find(text, key)?,
        None => None,
    };
    Ok(member.is_some_and(|member| matches!(member.parsed, Parsed::NullKeyword(_))))
}

/// Splits a path into its last key and the keys before it.
fn split<'p, 'k>(path: &'p [&'k str]) -> Result<(&'k str, &'p [&'k str]), TextEditError> {
    let split = path.split_last().map(|(key, holders)| (*key, holders));
    split.ok_or_else(|| TextEditError::whole(TextProblem::NoPlace))
}

/// Checks that an edit changed only some members of the object at a path of keys: those that
/// `changes` accepts.
pub fn rest_is_same(
    old: &str,
    new: &str,
    keys: &[&str],
    changes: &dyn Fn(&str) -> bool,
) -> Result<(), TextEditError> {
    let rest = |text: &str| -> Result<Vec<String>, TextEditError> {
        let mut rest = Vec::new();
        let mut add = |object: &SpannedObject<'_>, changes: &dyn Fn(&str) -> bool| {
            let others = object.members.iter().filter(|member| !changes(member.key));
            rest.extend(others.map(|member| text[member.key_at..member.value.end].to_owned()));
        };
        let Some(parsed) = scan::root(text)? else {
            return Ok(rest);
        };
        let mut here = SpannedObject::of(text, &parsed)?;
        for key in keys {
            add(&here, &|other| other == *key);
            let Some(member) = here.find(text, key)? else {
                return Ok(rest);
            };
            here = member.object(text)?;
        }
        add(&here, changes);
        Ok(rest)
    };
    match rest(old)? == rest(new)? {
        true => Ok(()),
        false => Err(TextEditError::whole(TextProblem::Around)),
    }
}

fn checked(old: &str, new: String, holders: &[&str], key: &str) -> Result<String, TextEditError> {
    rest_is_same(old, &new, holders, &|other| other == key)?;
    Ok(new)
}

/// Returns the value nested in objects, one for each of the keys.
fn nested(keys: &[&str], value: New) -> New {
    let within = |inner: New, key: &&str| match inner {
        New::Value(inner) => New::Value(json!({ *key: inner })),
        New::Text(inner) => New::Text(format!("{{{}: {inner}}}", Value::from(*key))),
    };
    keys.iter().rev().fold(value, within)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read_value(text: &str) -> Option<Value> {
        let root = scan::root(text).ok()??;
        Some(SpannedObject::of(text, &root).ok()?.value())
    }

    #[track_caller]
    fn puts(text: &str, path: &[&str], value: Value, expect: &str) {
        assert_eq!(put(text, path, &value).as_deref(), Ok(expect), "{text:?}");
    }

    #[test]
    fn a_value_goes_where_it_belongs_and_nothing_else_moves() {
        let text = "{\n\t// what I like\n\t\"appearance\" : { \"theme\": \"dark\" /* at night */ },\n\n\t\"own\": [1,  2], // mine\n}\n";
        puts(
            text,
            &["appearance", "theme"],
            json!("light"),
            &text.replace("\"dark\"", "\"light\""),
        );
        puts(
            text,
            &["appearance", "zoom"],
            json!(125),
            &text.replace("\"dark\" /*", "\"dark\", \"zoom\": 125 /*"),
        );
        puts(
            text,
            &["membersDir"],
            json!("de"),
            &text.replace("// mine\n", "// mine\n\t\"membersDir\": \"de\",\n"),
        );
        puts(text, &["appearance", "theme"], json!("dark"), text);
    }

    #[test]
    fn missing_parents_are_created() {
        puts(
            "",
            &["a", "b"],
            json!(1),
            "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n",
        );
        puts(
            "\u{feff}{\r\n}\r\n",
            &["a", "b"],
            json!(true),
            "\u{feff}{\r\n  \"a\": {\r\n    \"b\": true\r\n  }\r\n}\r\n",
        );
        puts("{\"x\":1}", &["a"], json!("é"), "{\"x\":1, \"a\": \"é\"}");
    }

    #[test]
    fn removal_keeps_other_text_and_comments() {
        let text = "{\n  // theme\n  \"theme\": \"dark\",\n  \"zoom\": 90\n}\n";
        let without = take_out(text, &["theme"]).expect("taken out");
        assert!(without.contains("// theme\n"), "{without}");
        assert!(!without.contains("dark"));
        assert_eq!(take_out(&without, &["theme"]).as_deref(), Ok(&*without));
        assert_eq!(take_out(text, &["none", "at", "all"]).as_deref(), Ok(text));
        let empty = "{\n}\n";
        assert_eq!(take_out(empty, &["theme"]).as_deref(), Ok(empty));
    }

    #[test]
    fn unreadable_text_is_not_edited() {
        for text in [
            "{\"a\": 1",
            "[]",
            "{\"a\": 1, \"a\": 2}",
            "{\"a\" 1}",
            "// only words",
        ] {
            assert!(put(text, &["a"], &json!(2)).is_err(), "{text}");
        }
        let error = put("{\n \"a\": 1\n}", &["a", "b"], &json!(2)).expect_err("no object");
        assert_eq!(error.to_string(), "line 2: \"a\" is not an object");
        let error = put("{\"a\": 1", &["a"], &json!(2)).expect_err("no end");
        assert_eq!(error.to_string(), "line 1: the closing '}' is missing");
        assert!(put("{}", &[], &json!(2)).is_err());
    }

    proptest! {
        #[test]
        fn edit_is_readable_and_keeps_the_rest(
            gaps in proptest::collection::vec("( |\t|\n|\r\n|/\\* é \\*/|// c\n){0,3}", 12),
            others in proptest::collection::vec("[a-e]", 0..4),
            comma in any::<bool>(),
            key in "[a-z.\"\\\\é]{1,6}",
            number in any::<i32>(),
        ) {
            let mut names: Vec<String> = others;
            names.sort();
            names.dedup();
            let gap = |at: usize| gaps[at % gaps.len()].as_str();
            let members: Vec<String> = names
                .iter()
                .enumerate()
                .map(|(n, name)| format!("{}\"{name}x\"{}:{}{n}{}", gap(n), gap(n + 1), gap(n + 2), gap(n + 3)))
                .collect();
            let comma = if comma && !names.is_empty() { "," } else { "" };
            let text = format!("{}{{{}{comma}{}}}{}", gap(4), members.join(","), gap(5), gap(6));
            let new = put(&text, &["deep", &key], &json!(number)).expect("it has a place");
            let read = read_value(&new).expect("it can be read");
            prop_assert_eq!(&read["deep"][&key], &json!(number));
            for (n, name) in names.iter().enumerate() {
                prop_assert_eq!(&read[format!("{name}x")], &json!(n));
            }
            let comments = |text: &str| text.matches("é").count() + text.matches("// c").count();
            prop_assert_eq!(comments(&new) - key.matches('é').count(), comments(&text));
            let back = take_out(&new, &["deep", &key]).expect("taken out");
            let read = read_value(&back).expect("it can be read");
            prop_assert_eq!(&read["deep"], &json!({}));
        }
    }
}
