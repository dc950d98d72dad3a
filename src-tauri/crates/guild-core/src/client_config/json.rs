//! JSON with comments and trailing commas, edited in place.
//!
//! Only the entry is written. After each edit the members of the objects that it went
//! through are compared with what they were, byte by byte.

use serde_json::Value;

use super::edit::{Untouchable, spliced};
use super::list::ListAt;
use crate::text_edit::layout::{New, without};
use crate::text_edit::scan::{self, Object};
use crate::text_edit::{put_new, rest_is_same, take_out as take_out_at};

/// Puts `name: value` into a list; both are made where they are missing, but not what holds the list.
pub(super) fn set(
    text: &str,
    list: &ListAt,
    name: &str,
    value: &Value,
) -> Result<String, Untouchable> {
    put(text, list, name, New::Value(value.clone()))
}

fn put(text: &str, list: &ListAt, name: &str, new: New) -> Result<String, Untouchable> {
    let (_, holders) = list.split();
    if !holders.is_empty() {
        read(text, &holders, |_| Ok(()))?.ok_or_else(|| list.absent())?;
    }
    put_new(text, &list.path(name), new)
}

/// Reads the object that keys lead to; `None` where there is none.
fn read<T>(
    text: &str,
    keys: &[&str],
    read: impl FnOnce(&Object<'_>) -> Result<T, Untouchable>,
) -> Result<Option<T>, Untouchable> {
    let Some(parsed) = scan::root(text)? else {
        return Ok(None);
    };
    let object = Object::of(text, &parsed)?.at(text, keys.iter().copied())?;
    object.map(|object| read(&object)).transpose()
}

/// An entry as it is written: the last one of its name, where there are several.
fn written<'t>(text: &'t str, list: &ListAt, name: &str) -> Result<Option<&'t str>, Untouchable> {
    let range = read(text, &list.keys(), |entries| {
        Ok(entries.last(name).map(|entry| entry.value.clone()))
    })?;
    Ok(range.flatten().map(|range| &text[range]))
}

/// The entry of a name in the text: the last one, where there are several.
pub(super) fn get(text: &str, list: &ListAt, name: &str) -> Result<Option<Value>, Untouchable> {
    let value = read(text, &list.keys(), |entries| {
        Ok(entries.last(name).map(|entry| entry.parsed.clone().into()))
    })?;
    Ok(value.flatten())
}

/// Takes the gateway's entry out again, and what was made for it; where `original` has one, that comes
/// back.
pub(super) fn take_back(
    text: &str,
    list: &ListAt,
    name: &str,
    original: &str,
) -> Result<String, Untouchable> {
    let keys = list.keys();
    let is_there = read(text, &keys, |entries| {
        Ok(entries.find(text, name)?.is_some())
    })?;
    if is_there != Some(true) {
        return Ok(text.to_owned());
    }
    if let Some(before) = written(original, list, name)? {
        return put(text, list, name, New::Text(before.to_owned()));
    }
    let mut result = take_out_at(text, &list.path(name))?;
    // What was made for the entry goes where nothing else has come into it.
    let (own, holders) = list.split();
    let is_made = read(original, &keys, |_| Ok(()))?.is_none();
    if is_made && is_blank(&result, &keys)? {
        result = take_out_at(&result, &keys)?;
        result = with_inside_of(&result, original, &holders)?;
        let was_blank = scan::root(original)?.is_none();
        if was_blank && holders.is_empty() && is_blank(&result, &[])? {
            return Ok(original.to_owned());
        }
    } else {
        result = with_inside_of(&result, original, &keys)?;
    }
    rest_is_same(text, &result, &holders, &|key| key == own)?;
    Ok(result)
}

/// Whether an object has only white space.
fn is_blank(text: &str, keys: &[&str]) -> Result<bool, Untouchable> {
    let is_blank = read(text, keys, |object| {
        Ok(object.inside(text).trim().is_empty())
    })?;
    Ok(is_blank == Some(true))
}

/// The text with the white space of an object without members as another text has it, where both have
/// the same comments there.
fn with_inside_of(text: &str, other: &str, keys: &[&str]) -> Result<String, Untouchable> {
    let empty = |text: &str| {
        let place = |object: &Object<'_>| {
            let is_empty = object.members.is_empty();
            Ok(is_empty.then_some(object.open + 1..object.close))
        };
        read(text, keys, place).map(Option::flatten)
    };
    Ok(match (empty(text)?, empty(other)?) {
        (Some(here), Some(there)) if text[here.clone()].trim() == other[there.clone()].trim() => {
            spliced(text, &[(here, &other[there])])
        }
        _ => text.to_owned(),
    })
}

/// The text without some of the list's entries, with all entries of each name. What is said about them
/// in comments stays.
pub(super) fn take_out(text: &str, list: &ListAt, names: &[&str]) -> Result<String, Untouchable> {
    let keys = list.keys();
    let result = read(text, &keys, |entries| {
        for name in names {
            entries.last(name).ok_or_else(|| list.absent_entry(name))?;
        }
        Ok(without(text, entries, |entry| names.contains(&entry.key)))
    })?;
    let result = result.ok_or_else(|| list.absent())?;
    rest_is_same(text, &result, &keys, &|key| names.contains(&key))?;
    Ok(result)
}

/// How many comments stand inside of some of the list's entries.
pub(super) fn comments_in(text: &str, list: &ListAt, names: &[&str]) -> Result<usize, Untouchable> {
    let count = read(text, &list.keys(), |entries| {
        for name in names {
            entries.last(name).ok_or_else(|| list.absent_entry(name))?;
        }
        let gone = entries.members.iter();
        let gone = gone.filter(|entry| names.contains(&entry.key));
        let comments = gone.map(|entry| scan::comments(&text[entry.value.clone()]));
        Ok(comments.sum())
    })?;
    count.ok_or_else(|| list.absent())
}

/// The text with entries of a list again that `original` has and it has not: the whole list as it
/// is written there where nothing else of it has changed, each at the list's end otherwise. Of several
/// entries of one name, the last one comes back alone where the list has changed.
pub(super) fn put_back(
    text: &str,
    list: &ListAt,
    names: &[&str],
    original: &str,
) -> Result<String, Untouchable> {
    let keys = list.keys();
    let mut result = text.to_owned();
    let mut put_back = Vec::new();
    for &name in names {
        let entry = written(original, list, name)?.ok_or_else(|| list.absent_entry(name))?;
        // One that came to be since is another's.
        if written(&result, list, name)?.is_none() {
            result = put(&result, list, name, New::Text(entry.to_owned()))?;
            put_back.push(name);
        }
    }
    rest_is_same(text, &result, &keys, &|key| put_back.contains(&key))?;
    let whole = |text: &str| {
        let whole = |entries: &Object<'_>| Ok((entries.open..entries.close + 1, entries.value()));
        read(text, &keys, whole)?.ok_or_else(|| list.absent())
    };
    let ((place, now), (of_original, before)) = (whole(&result)?, whole(original)?);
    Ok(match now == before {
        true => spliced(&result, &[(place, &original[of_original])]),
        false => result,
    })
}
