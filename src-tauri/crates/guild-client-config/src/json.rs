//! Edits JSON with comments and trailing commas in place.
//!
//! Only the entry is written. After each edit, all other members of the objects on the entry's path
//! must be unchanged, byte by byte.

use serde_json::Value;

use super::edit::{TextEditError, spliced};
use super::list::ListAt;
use guild_text::text_edit::layout::{New, without};
use guild_text::text_edit::scan::{self, SpannedObject};
use guild_text::text_edit::{put_new, rest_is_same, take_out as take_out_at};

/// Sets the entry `name` of a list to `value`. Creates the entry and the list if they are missing,
/// but not the object that contains the list.
pub(super) fn set(
    text: &str,
    list: &ListAt,
    name: &str,
    value: &Value,
) -> Result<String, TextEditError> {
    put(text, list, name, New::Value(value.clone()))
}

fn put(text: &str, list: &ListAt, name: &str, new: New) -> Result<String, TextEditError> {
    let (_, holders) = list.split();
    if !holders.is_empty() {
        read(text, &holders, |_| Ok(()))?.ok_or_else(|| list.absent())?;
    }
    put_new(text, &list.path(name), new)
}

/// Reads the object at a path of keys. `None` if it does not exist.
fn read<T>(
    text: &str,
    keys: &[&str],
    read: impl FnOnce(&SpannedObject<'_>) -> Result<T, TextEditError>,
) -> Result<Option<T>, TextEditError> {
    let Some(parsed) = scan::root(text)? else {
        return Ok(None);
    };
    let object = SpannedObject::of(text, &parsed)?.at(text, keys.iter().copied())?;
    object.map(|object| read(&object)).transpose()
}

/// Returns the source text of the last entry with this name.
fn written<'t>(text: &'t str, list: &ListAt, name: &str) -> Result<Option<&'t str>, TextEditError> {
    let range = read(text, &list.keys(), |entries| {
        Ok(entries.last(name).map(|entry| entry.value.clone()))
    })?;
    Ok(range.flatten().map(|range| &text[range]))
}

/// Returns the value of the last entry with this name.
pub(super) fn get(text: &str, list: &ListAt, name: &str) -> Result<Option<Value>, TextEditError> {
    let value = read(text, &list.keys(), |entries| {
        Ok(entries.last(name).map(|entry| entry.parsed.clone().into()))
    })?;
    Ok(value.flatten())
}

/// Removes the gateway's entry. If the edit created the list, the list is removed too. If
/// `original` had such an entry, that entry is restored.
pub(super) fn take_back(
    text: &str,
    list: &ListAt,
    name: &str,
    original: &str,
) -> Result<String, TextEditError> {
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
    // A list that was created for the entry is removed if it is empty again.
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

fn is_blank(text: &str, keys: &[&str]) -> Result<bool, TextEditError> {
    let is_blank = read(text, keys, |object| {
        Ok(object.inside(text).trim().is_empty())
    })?;
    Ok(is_blank == Some(true))
}

/// Gives an empty object the white space that it has in `other`, if the comments inside the object
/// are the same in both texts.
fn with_inside_of(text: &str, other: &str, keys: &[&str]) -> Result<String, TextEditError> {
    let empty = |text: &str| {
        let place = |object: &SpannedObject<'_>| {
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

/// Removes all entries with these names from the list. Comments about them stay.
pub(super) fn take_out(text: &str, list: &ListAt, names: &[&str]) -> Result<String, TextEditError> {
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

/// Counts the comments inside the given entries of the list.
pub(super) fn comments_in(
    text: &str,
    list: &ListAt,
    names: &[&str],
) -> Result<usize, TextEditError> {
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

/// Restores entries that `original` has and the text lacks. If nothing else in the list has
/// changed, the list gets its original text. Otherwise each entry is appended to the list. Of
/// several entries with the same name, only the last one is restored.
pub(super) fn put_back(
    text: &str,
    list: &ListAt,
    names: &[&str],
    original: &str,
) -> Result<String, TextEditError> {
    let keys = list.keys();
    let mut result = text.to_owned();
    let mut put_back = Vec::new();
    for &name in names {
        let entry = written(original, list, name)?.ok_or_else(|| list.absent_entry(name))?;
        // If an entry with this name was added after the edit, it is the user's, so it stays.
        if written(&result, list, name)?.is_none() {
            result = put(&result, list, name, New::Text(entry.to_owned()))?;
            put_back.push(name);
        }
    }
    rest_is_same(text, &result, &keys, &|key| put_back.contains(&key))?;
    let whole = |text: &str| {
        let whole =
            |entries: &SpannedObject<'_>| Ok((entries.open..entries.close + 1, entries.value()));
        read(text, &keys, whole)?.ok_or_else(|| list.absent())
    };
    let ((place, now), (of_original, before)) = (whole(&result)?, whole(original)?);
    Ok(match now == before {
        true => spliced(&result, &[(place, &original[of_original])]),
        false => result,
    })
}
