//! JSON with comments and trailing commas, edited in place.
//!
//! Nothing is written anew but the entry: the editor finds where things stand and puts text there.
//! After each edit the members of the two objects that it went through are compared with what they
//! were, byte by byte.

mod file;
mod scan;

use std::collections::HashSet;
use std::ops::Range;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

pub(super) use self::file::File;
use self::scan::{Member, Object, after_comments_of_line, without_comments};
use super::edit::{Before, Edit, Room, Untouchable, line_end, line_start, spliced};
use super::list::ListAt;

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

/// The entry as it stands in the text.
pub(super) fn get(text: &str, list: &ListAt, name: &str) -> Result<Option<Value>, Untouchable> {
    let Some(servers) = servers_of(text, list)? else {
        return Ok(None);
    };
    let member = servers.find(text, name)?;
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

/// The text without some of the list's entries. What is said about them in comments stays.
pub(super) fn take_out(text: &str, list: &ListAt, names: &[&str]) -> Result<String, Untouchable> {
    let servers = servers_of(text, list)?.ok_or_else(|| list.absent())?;
    for name in names {
        servers
            .find(text, name)?
            .ok_or_else(|| list.absent_entry(name))?;
    }
    let names: HashSet<&str> = names.iter().copied().collect();
    let goes = |member: &Member| names.contains(member.key.as_str());
    let result = without(text, &servers, goes, &Room::Filled);
    rest_is_same(text, &result, list, &|key| names.contains(key))?;
    Ok(result)
}

/// The text with entries of a list again that `original` has and it has not: the whole list as it
/// is written there where nothing else of it has changed, each at the list's end otherwise.
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
        let entry = old.find(original, name)?;
        let entry = entry.ok_or_else(|| list.absent_entry(name))?;
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
        if servers.find(&result, name)?.is_none() {
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

fn object_of(text: &str, member: &Member) -> Result<Object, Untouchable> {
    if !text[member.value.clone()].starts_with('{') {
        let message = format!("{:?} is not an object", member.key);
        return Err(Untouchable::at(text, member.value.start, message));
    }
    scan::object(text, member.value.start)
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

/// What is put into an object.
#[derive(Clone, Copy)]
enum New<'v> {
    /// A value, laid out as its neighbours are.
    Value(&'v Value),
    /// A value as it was written before.
    Text(&'v str),
}

impl New<'_> {
    fn on_lines(self, unit: &str, indent: &str, end: &str) -> String {
        match self {
            Self::Value(value) => laid_out(value, unit, indent, end),
            Self::Text(text) => text.to_owned(),
        }
    }

    fn on_one_line(self) -> String {
        match self {
            Self::Value(value) => value.to_string(),
            Self::Text(text) => text.to_owned(),
        }
    }
}

/// How the text is laid out.
struct Style {
    end: &'static str,
    unit: String,
    /// The text is all on one line.
    compact: bool,
}

impl Style {
    fn of(text: &str, root: &Object) -> Self {
        let first = root.members.first();
        let indent = first.and_then(|first| indent_of(text, first.key_at));
        let outer = line_indent(text, root.open);
        let unit = indent
            .and_then(|indent| indent.strip_prefix(outer))
            .filter(|unit| !unit.is_empty());
        Self {
            end: line_end(text),
            unit: unit.unwrap_or("  ").to_owned(),
            compact: first.is_some() && !text[root.open..root.close].contains('\n'),
        }
    }

    /// Puts a member into an object, as its last.
    fn insert(&self, text: &str, object: &Object, key: &str, value: New<'_>) -> (String, Room) {
        let key = Value::from(key);
        let Some(last) = object.members.last() else {
            return self.fill(text, object, &key, value);
        };
        let anchor = last.comma.map_or(last.value.end, |comma| comma + 1);
        let (spot, member) = match indent_of(text, last.key_at) {
            Some(indent) => {
                let value = value.on_lines(&self.unit, indent, self.end);
                let spot = after_comments_of_line(text, anchor).unwrap_or(anchor);
                (spot, format!("{}{indent}{key}: {value}", self.end))
            }
            None => (anchor, format!(" {key}: {}", value.on_one_line())),
        };
        let (before, after) = match last.comma {
            Some(_) => ("", ","),
            None => (",", ""),
        };
        let member = format!("{member}{after}");
        let splices = [
            (last.value.end..last.value.end, before),
            (spot..spot, member.as_str()),
        ];
        (spliced(text, &splices), Room::Filled)
    }

    /// Puts a member into an object that has none.
    fn fill(&self, text: &str, object: &Object, key: &Value, value: New<'_>) -> (String, Room) {
        let room = Room::Empty {
            inside: text[object.open + 1..object.close].to_owned(),
        };
        let spot = object.content_end(text);
        let member = if self.compact {
            format!("{key}: {}", value.on_one_line())
        } else {
            let outer = line_indent(text, object.open);
            let inner = format!("{outer}{}", self.unit);
            let value = value.on_lines(&self.unit, &inner, self.end);
            format!("{0}{inner}{key}: {value}{0}{outer}", self.end)
        };
        (spliced(text, &[(spot..object.close, &member)]), room)
    }
}

/// The text without a member; `room` is what the object was before.
fn removed(text: &str, object: &Object, member: &Member, room: &Room) -> String {
    without(text, object, |other| other.key_at == member.key_at, room)
}

/// The text without those members of an object that `goes` says; `room` is what the object is to be
/// where none is left.
fn without(text: &str, object: &Object, goes: impl Fn(&Member) -> bool, room: &Room) -> String {
    // From the last to the first: what is left after a member says how much may go before it.
    let mut cuts: Vec<Range<usize>> = Vec::new();
    let mut comma_too_many = false;
    for member in object.members.iter().rev() {
        if !goes(member) {
            if let Some(comma) = member.comma.filter(|_| comma_too_many) {
                cuts.push(comma..comma + 1);
            }
            comma_too_many = false;
            continue;
        }
        match member.comma {
            Some(comma) => cuts.push(comma..comma + 1),
            None => comma_too_many = true,
        }
        let end = member.value.end;
        // A comment that goes to the end of its line must not swallow what comes after.
        let begin = match member.after_line_comment && !is_rest_of_line_blank(text, end, &cuts) {
            true => member.key_at,
            false => member.trivia_end,
        };
        cuts.push(begin..end);
    }
    cuts.reverse();
    let cuts: Vec<(Range<usize>, &str)> = cuts.into_iter().map(|cut| (cut, "")).collect();
    let without = spliced(text, &cuts);
    if !object.members.iter().all(goes) {
        return without;
    }
    let close = object.close - (text.len() - without.len());
    let inside = &without[object.open + 1..close];
    let original = match room {
        Room::Empty { inside: original } if original.trim() == inside.trim() => original,
        _ if inside.trim().is_empty() => "",
        _ => return without,
    };
    spliced(&without, &[(object.open + 1..close, original)])
}

/// Whether nothing is left of a line after an offset, once all is cut that is to be; the last cut of
/// the text comes first.
fn is_rest_of_line_blank(text: &str, after: usize, cuts: &[Range<usize>]) -> bool {
    let mut at = after;
    let later = cuts.iter().rev().filter(|cut| cut.start >= after);
    let mut later = later.peekable();
    loop {
        let end = later.peek().map_or(text.len(), |cut| cut.start);
        let part = &text[at..end];
        let line = part.split(['\r', '\n']).next().unwrap_or_default();
        if !line.trim().is_empty() {
            return false;
        }
        match later.next() {
            Some(cut) if line.len() == part.len() => at = cut.end,
            _ => return true,
        }
    }
}

/// Makes sure that an edit changed nothing but the entries that `changes` says.
fn rest_is_same(
    old: &str,
    new: &str,
    list: &ListAt,
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
        for key in list.keys() {
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
        false => Err(Untouchable::whole(
            "the entry can't be changed without changing what is around it",
        )),
    }
}

/// The white space before a key that is the first on its line.
fn indent_of(text: &str, at: usize) -> Option<&str> {
    let start = line_start(text, at);
    let indent = text[start..at].trim_start_matches('\u{feff}');
    indent
        .chars()
        .all(|c| c == ' ' || c == '\t')
        .then_some(indent)
}

/// The white space that an offset's line begins with.
fn line_indent(text: &str, at: usize) -> &str {
    let line = text[line_start(text, at)..at].trim_start_matches('\u{feff}');
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// A value on several lines, the first without its indent.
fn laid_out(value: &Value, unit: &str, indent: &str, end: &str) -> String {
    let mut bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(unit.as_bytes());
    let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter));
    match written.ok().and_then(|()| String::from_utf8(bytes).ok()) {
        // A line end inside of a text is always written as an escape.
        Some(text) => text.replace('\n', &format!("{end}{indent}")),
        None => value.to_string(),
    }
}

/// A value of the text, which may have comments inside.
fn read_value(text: &str) -> Option<Value> {
    serde_json::from_str(&without_comments(text)).ok()
}
