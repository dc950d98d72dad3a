//! Putting one value where it belongs in JSON with comments, and taking it out again.

use serde_json::{Value, json};

use super::layout::{New, Style, indent_of, laid_out, read_value, removed};
use super::scan::{self, Member, Object};
use super::{Room, Untouchable, line_end, spliced};
use crate::note::TextWrong;

/// The text with a value at the place that keys lead to; what is missing on the way is made.
///
/// # Errors
/// When the text can't be read to its end, or something on the way is no object.
pub fn put(text: &str, path: &[&str], value: &Value) -> Result<String, Untouchable> {
    let Some((key, holders)) = path.split_last() else {
        return Err(Untouchable::whole(TextWrong::NoPlace));
    };
    let begin = scan::begin(text);
    if text[begin..].trim().is_empty() {
        let whole = nested(path, value.clone());
        let end = line_end(text);
        let whole = laid_out(&whole, "  ", "", end);
        return Ok(format!("{}{whole}{end}", &text[..begin]));
    }
    let root = scan::root(text)?;
    let style = Style::of(text, &root);
    let mut here = root;
    for (at, holder) in holders.iter().enumerate() {
        let Some(member) = here.find(text, holder)? else {
            let value = nested(&path[at + 1..], value.clone());
            let new = style.insert(text, &here, holder, New::Value(&value)).0;
            return checked(text, new, &path[..at], holder);
        };
        here = object_of(text, member)?;
    }
    let new = match here.find(text, key)? {
        Some(member) => {
            let old = &text[member.value.clone()];
            if read_value(old).as_ref() == Some(value) {
                return Ok(text.to_owned());
            }
            let written = match indent_of(text, member.key_at) {
                Some(indent) => laid_out(value, &style.unit, indent, style.end),
                None => value.to_string(),
            };
            spliced(text, &[(member.value.clone(), &written)])
        }
        None => style.insert(text, &here, key, New::Value(value)).0,
    };
    checked(text, new, holders, key)
}

/// The text without the value that keys lead to. What comments say of it stays.
///
/// # Errors
/// When the text can't be read to its end, or something on the way is no object.
pub(crate) fn take_out(text: &str, path: &[&str]) -> Result<String, Untouchable> {
    let Some((key, holders)) = path.split_last() else {
        return Err(Untouchable::whole(TextWrong::NoPlace));
    };
    if text[scan::begin(text)..].trim().is_empty() {
        return Ok(text.to_owned());
    }
    let mut here = scan::root(text)?;
    for holder in holders {
        let Some(member) = here.find(text, holder)? else {
            return Ok(text.to_owned());
        };
        here = object_of(text, member)?;
    }
    let Some(member) = here.find(text, key)? else {
        return Ok(text.to_owned());
    };
    let new = removed(text, &here, member, &Room::Filled);
    checked(text, new, holders, key)
}

/// Whether there is a `null` at the place that keys lead to.
///
/// # Errors
/// When the text can't be read to its end.
pub fn is_null(text: &str, path: &[&str]) -> Result<bool, Untouchable> {
    let Some((key, holders)) = path.split_last() else {
        return Ok(false);
    };
    if text[scan::begin(text)..].trim().is_empty() {
        return Ok(false);
    }
    let mut here = scan::root(text)?;
    for holder in holders {
        let Some(member) = here.find(text, holder)? else {
            return Ok(false);
        };
        here = object_of(text, member)?;
    }
    let member = here.find(text, key)?;
    Ok(member.is_some_and(|member| &text[member.value.clone()] == "null"))
}

/// The object that a member is.
pub(crate) fn object_of(text: &str, member: &Member) -> Result<Object, Untouchable> {
    if !text[member.value.clone()].starts_with('{') {
        let wrong = TextWrong::NoObject(member.key.clone());
        return Err(Untouchable::at(text, member.value.start, wrong));
    }
    scan::object(text, member.value.start)
}

/// Makes sure that an edit changed nothing but what `changes` says of the object that keys lead to.
pub(crate) fn rest_is_same<'k>(
    old: &str,
    new: &str,
    keys: impl Iterator<Item = &'k str> + Clone,
    changes: &dyn Fn(&str) -> bool,
) -> Result<(), Untouchable> {
    let rest = |text: &str| -> Result<Vec<String>, Untouchable> {
        if text[scan::begin(text)..].trim().is_empty() {
            return Ok(Vec::new());
        }
        let written = |object: &Object, changes: &dyn Fn(&str) -> bool| -> Vec<String> {
            let others = object.members.iter().filter(|member| !changes(&member.key));
            let others = others.map(|member| text[member.key_at..member.value.end].to_owned());
            others.collect()
        };
        let mut here = scan::root(text)?;
        let mut rest = Vec::new();
        for key in keys.clone() {
            rest.extend(written(&here, &|other| other == key));
            let Some(member) = here.find(text, key)? else {
                return Ok(rest);
            };
            here = object_of(text, member)?;
        }
        rest.extend(written(&here, changes));
        Ok(rest)
    };
    match rest(old)? == rest(new)? {
        true => Ok(()),
        false => Err(Untouchable::whole(TextWrong::Around)),
    }
}

fn checked(old: &str, new: String, holders: &[&str], key: &str) -> Result<String, Untouchable> {
    rest_is_same(old, &new, holders.iter().copied(), &|other| other == key)?;
    Ok(new)
}

/// A value within objects of these keys.
fn nested(keys: &[&str], value: Value) -> Value {
    keys.iter()
        .rev()
        .fold(value, |inner, key| json!({ *key: inner }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
    fn what_is_missing_on_the_way_is_made() {
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
    fn what_is_taken_out_leaves_the_rest_and_what_comments_say() {
        let text = "{\n  // theme\n  \"theme\": \"dark\",\n  \"zoom\": 90\n}\n";
        let without = take_out(text, &["theme"]).expect("taken out");
        assert!(without.contains("// theme\n"), "{without}");
        assert!(!without.contains("dark"));
        assert_eq!(take_out(&without, &["theme"]).as_deref(), Ok(&*without));
        assert_eq!(take_out(text, &["none", "at", "all"]).as_deref(), Ok(text));
    }

    #[test]
    fn what_can_not_be_read_is_not_touched() {
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
        assert_eq!(
            error.to_string(),
            "line 1: expected ',' or '}', found the end of the file"
        );
        assert!(put("{}", &[], &json!(2)).is_err());
    }

    proptest! {
        #[test]
        fn what_was_put_is_read_and_what_was_there_stays(
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
