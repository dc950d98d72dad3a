//! JSON with comments and trailing commas, edited in place.
//!
//! Nothing is written anew but the entry: the editor finds where things stand and puts text there.
//! After each edit the members of the two objects that it went through are compared with what they
//! were, byte by byte.

mod file;

use std::collections::HashSet;
use std::ops::Range;

use serde_json::Value;

pub(super) use self::file::File;
use super::comments;
use super::edit::{Before, Edit, Room, Untouchable, line_end, spliced};
use super::list::ListAt;
use crate::text_edit;
use crate::text_edit::layout::{New, Style, indent_of, laid_out, read_value, removed, without};
use crate::text_edit::object_of;
use crate::text_edit::scan::{self, Member, Object};

/// Puts `name: value` into a list; both are made where they are missing.
pub(super) fn set(
    text: &str,
    list: &ListAt,
    name: &str,
    value: &Value,
) -> Result<Edit, Untouchable> {
    let begin = scan::begin(text);
    if text[begin..].trim().is_empty() && list.holders.is_empty() {
        let end = line_end(text);
        let whole = serde_json::json!({ &*list.key: { name: value } });
        return Ok(Edit {
            text: format!("{}{}{end}", &text[..begin], laid_out(&whole, "  ", "", end)),
            before: Before::Blank {
                text: text.to_owned(),
            },
        });
    }
    let root = scan::root(text)?;
    let style = Style::of(text, &root);
    let holder = holder_of(text, root, list)?.ok_or_else(|| list.absent())?;
    let edit = match find_list(text, &holder, list)? {
        None => {
            let servers = serde_json::json!({ name: value });
            let (text, room) = style.insert(text, &holder, &list.key, New::Value(&servers));
            Edit {
                text,
                before: Before::NoList { room },
            }
        }
        Some((_, servers)) => match servers.find(text, name)? {
            Some(member) => replaced(text, &style, member, value),
            None => {
                let (text, room) = style.insert(text, &servers, name, New::Value(value));
                Edit {
                    text,
                    before: Before::Unlisted { room },
                }
            }
        },
    };
    rest_is_same(text, &edit.text, list, &|key| key == name)?;
    Ok(edit)
}

/// The entry of a name in the text: the last one, where there are several.
pub(super) fn get(text: &str, list: &ListAt, name: &str) -> Result<Option<Value>, Untouchable> {
    let Some(servers) = servers_of(text, list)? else {
        return Ok(None);
    };
    let member = servers.find_last(name);
    Ok(member.and_then(|member| read_value(&text[member.value.clone()])))
}

/// Takes the entry out again, and what was made for it.
pub(super) fn take_back(
    text: &str,
    list: &ListAt,
    name: &str,
    before: &Before,
) -> Result<String, Untouchable> {
    if text[scan::begin(text)..].trim().is_empty() {
        return Ok(text.to_owned());
    }
    let Some(object) = holder_of(text, scan::root(text)?, list)? else {
        return Ok(text.to_owned());
    };
    let Some((holder, servers)) = find_list(text, &object, list)? else {
        return Ok(text.to_owned());
    };
    let Some(entry) = servers.find(text, name)? else {
        return Ok(text.to_owned());
    };
    let alone = servers.members.len() == 1 && servers.has_no_comments(text);
    let result = match before {
        Before::Blank { text: blank }
            if alone && object.members.len() == 1 && object.has_no_comments(text) =>
        {
            return Ok(blank.clone());
        }
        Before::Entry { text: old } => spliced(text, &[(entry.value.clone(), old)]),
        Before::Unlisted { room } => removed(text, &servers, entry, room),
        Before::NoList { room } if alone => removed(text, &object, holder, room),
        Before::Blank { .. } | Before::NoList { .. } | Before::Appended { .. } => {
            removed(text, &servers, entry, &Room::Filled)
        }
    };
    rest_is_same(text, &result, list, &|key| key == name)?;
    Ok(result)
}

/// The text without some of the list's entries, with all entries of each name. What is said about them
/// in comments stays.
pub(super) fn take_out(text: &str, list: &ListAt, names: &[&str]) -> Result<String, Untouchable> {
    let servers = servers_of(text, list)?.ok_or_else(|| list.absent())?;
    for name in names {
        servers
            .find_last(name)
            .ok_or_else(|| list.absent_entry(name))?;
    }
    let names: HashSet<&str> = names.iter().copied().collect();
    let goes = |member: &Member| names.contains(member.key.as_str());
    let result = without(text, &servers, goes, &Room::Filled);
    rest_is_same(text, &result, list, &|key| names.contains(key))?;
    Ok(result)
}

/// How many comments stand inside of some of the list's entries.
pub(super) fn comments_in(text: &str, list: &ListAt, names: &[&str]) -> Result<usize, Untouchable> {
    let servers = servers_of(text, list)?.ok_or_else(|| list.absent())?;
    let mut count = 0;
    for name in names {
        servers
            .find_last(name)
            .ok_or_else(|| list.absent_entry(name))?;
        let entries = servers.members.iter().filter(|entry| entry.key == *name);
        count += entries
            .map(|entry| comments::in_json(&text[entry.value.clone()]))
            .sum::<usize>();
    }
    Ok(count)
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
    let old = servers_of(original, list)?.ok_or_else(|| list.absent())?;
    let mut result = text.to_owned();
    let mut put = HashSet::new();
    for &name in names {
        let entry = old.find_last(name).ok_or_else(|| list.absent_entry(name))?;
        let root = scan::root(&result)?;
        let style = Style::of(&result, &root);
        let holder = holder_of(&result, root, list)?.ok_or_else(|| list.absent())?;
        let written = &original[entry.value.clone()];
        let Some((_, servers)) = find_list(&result, &holder, list)? else {
            let servers = format!("{{{}: {written}}}", Value::from(name));
            let servers = New::Text(&servers);
            result = style.insert(&result, &holder, &list.key, servers).0;
            put.insert(name);
            continue;
        };
        // One that came to be since is another's.
        if servers.find_last(name).is_none() {
            result = style.insert(&result, &servers, name, New::Text(written)).0;
            put.insert(name);
        }
    }
    rest_is_same(text, &result, list, &|key| put.contains(key))?;
    match whole_list(&result, list)? == whole_list(original, list)? {
        true => with_list_of(&result, list, original),
        false => Ok(result),
    }
}

/// What the list of a text says; `None` where there is none.
pub(super) fn whole_list(text: &str, list: &ListAt) -> Result<Option<Value>, Untouchable> {
    let servers = servers_of(text, list)?;
    Ok(servers.and_then(|servers| read_value(&text[servers.open..=servers.close])))
}

/// The text with its list written as another text has it.
fn with_list_of(text: &str, list: &ListAt, other: &str) -> Result<String, Untouchable> {
    let place = |text: &str| -> Result<Range<usize>, Untouchable> {
        let servers = servers_of(text, list)?.ok_or_else(|| list.absent())?;
        Ok(servers.open..servers.close + 1)
    };
    let result = spliced(text, &[(place(text)?, &other[place(other)?])]);
    rest_is_same(text, &result, list, &|_| true)?;
    Ok(result)
}

/// The object that has a list, or is to have it; `None` where a key does not lead to one.
fn holder_of(text: &str, root: Object, list: &ListAt) -> Result<Option<Object>, Untouchable> {
    let mut here = root;
    for key in &list.holders {
        match here.find(text, key)? {
            None => return Ok(None),
            Some(member) => here = object_of(text, member)?,
        }
    }
    Ok(Some(here))
}

/// The list in the object that has it.
fn find_list<'o>(
    text: &str,
    holder: &'o Object,
    list: &ListAt,
) -> Result<Option<(&'o Member, Object)>, Untouchable> {
    match holder.find(text, &list.key)? {
        None => Ok(None),
        Some(member) => Ok(Some((member, object_of(text, member)?))),
    }
}

/// The list of a text; `None` where there is none.
fn servers_of(text: &str, list: &ListAt) -> Result<Option<Object>, Untouchable> {
    if text[scan::begin(text)..].trim().is_empty() {
        return Ok(None);
    }
    match holder_of(text, scan::root(text)?, list)? {
        None => Ok(None),
        Some(holder) => Ok(find_list(text, &holder, list)?.map(|(_, servers)| servers)),
    }
}

fn rest_is_same(
    old: &str,
    new: &str,
    list: &ListAt,
    changes: &dyn Fn(&str) -> bool,
) -> Result<(), Untouchable> {
    let keys: Vec<&str> = list.keys().collect();
    text_edit::rest_is_same(old, new, keys.iter().copied(), changes)
}

fn replaced(text: &str, style: &Style, member: &Member, value: &Value) -> Edit {
    let old = &text[member.value.clone()];
    let new = match indent_of(text, member.key_at) {
        Some(indent) => laid_out(value, &style.unit, indent, style.end),
        None => value.to_string(),
    };
    let same = read_value(old).as_ref() == Some(value);
    Edit {
        text: match same {
            true => text.to_owned(),
            false => spliced(text, &[(member.value.clone(), &new)]),
        },
        before: Before::Entry {
            text: old.to_owned(),
        },
    }
}
