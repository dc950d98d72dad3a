//! TOML, edited in place: the entry is a table of its own at the end of the file.
//!
//! `toml_edit` says where things stand; what it would write itself is not used, since it writes
//! line ends in its own way.

use std::ops::Range;

use serde_json::{Number, Value as Json};
use toml_edit::{Document, InlineTable, Item, Table, Value};

use super::comments;
use super::edit::{Before, Edit, Untouchable, line_end, line_start, spliced};
use super::entry::{ENTRY_MAX, Entry};
use super::lines::Lines;
use crate::note::{RunWrong, TextWrong};

/// Puts the entry `[list.name]` into the text.
pub(super) fn set(text: &str, list: &str, name: &str, value: &Json) -> Result<Edit, Untouchable> {
    let end = line_end(text);
    let entry = table(list, name, value, end);
    let body = without_mark(text);
    if body.trim().is_empty() {
        let mark = &text[..text.len() - body.len()];
        return Ok(Edit {
            text: format!("{mark}{entry}"),
            before: Before::Blank {
                text: text.to_owned(),
            },
        });
    }
    let parsed = Parsed::read(text)?;
    let edit = match parsed.entry(list, name)? {
        None => {
            let joint = match body {
                _ if body.ends_with("\n\n") || body.ends_with("\n\r\n") => String::new(),
                _ if body.ends_with('\n') => end.to_owned(),
                _ => end.repeat(2),
            };
            Edit {
                text: format!("{text}{joint}{entry}"),
                before: Before::Appended { joint },
            }
        }
        Some(found) => {
            let new = match &found {
                Found::Tables(_) => entry,
                Found::Inline(_) => inline(value),
            };
            let same = parsed.json(list, name).as_ref() == Some(value);
            Edit {
                text: match same {
                    true => text.to_owned(),
                    false => found.replaced(text, &new),
                },
                before: Before::Entry {
                    text: found.written(text),
                },
            }
        }
    };
    parsed.rest_is_same(&Parsed::read(&edit.text)?, list, &|key| key == name)?;
    Ok(edit)
}

/// The entry as it stands in the text.
pub(super) fn get(text: &str, list: &str, name: &str) -> Result<Option<Json>, Untouchable> {
    Ok(Parsed::read(text)?.json(list, name))
}

/// The entries of a list, each by its line; none where there is no such list.
pub(super) fn entries(
    text: &str,
    list: &str,
    lines: &mut Lines<'_>,
) -> Result<Vec<Entry>, Untouchable> {
    let parsed = Parsed::read(text)?;
    let Some(servers) = parsed.document.as_table().get(list) else {
        return Ok(Vec::new());
    };
    let Some(table) = servers.as_table_like() else {
        let wrong = TextWrong::NoTable(list.to_owned());
        return Err(parsed.refused(servers.span(), wrong));
    };
    let entry = |(name, item): (&str, &Item)| {
        let key = table.get_key_value(name).and_then(|(key, _)| key.span());
        let place = key.or_else(|| item.span()).map_or(0, |span| span.start);
        let size = item.span().map_or(0, |span| span.len());
        Entry {
            name: name.to_owned(),
            line: lines.of(place + parsed.mark),
            earlier: None,
            value: match size > ENTRY_MAX {
                true => Err(RunWrong::TooLarge(ENTRY_MAX >> 10)),
                false => Ok(to_json(item)),
            },
        }
    };
    Ok(table.iter().map(entry).collect())
}

/// The text without some of the list's entries. What is said about them in comments stays.
pub(super) fn take_out(text: &str, list: &str, names: &[&str]) -> Result<String, Untouchable> {
    let parsed = Parsed::read(text)?;
    let cuts = parsed.cuts(list, names)?;
    let cuts: Vec<(Range<usize>, &str)> = cuts.into_iter().map(|cut| (cut, "")).collect();
    let result = spliced(text, &cuts);
    parsed.rest_is_same(&Parsed::read(&result)?, list, &|key| names.contains(&key))?;
    Ok(result)
}

/// How many comments stand inside of some of the list's entries.
pub(super) fn comments_in(text: &str, list: &str, names: &[&str]) -> Result<usize, Untouchable> {
    let cuts = Parsed::read(text)?.cuts(list, names)?;
    let counts = cuts.into_iter().map(|cut| comments::in_toml(&text[cut]));
    Ok(counts.sum())
}

/// The text with entries of a list again that `original` has and it has not: where they stood if
/// what is around that place is the same, at the end of the file otherwise.
pub(super) fn put_back(
    text: &str,
    list: &str,
    names: &[&str],
    original: &str,
) -> Result<String, Untouchable> {
    let parsed = Parsed::read(text)?;
    let old = Parsed::read(original)?;
    // One that came to be since is another's.
    let is_gone = |name: &&str| parsed.item(list, name).is_none();
    let names: Vec<&str> = names.iter().copied().filter(is_gone).collect();
    let changes = |key: &str| names.contains(&key);
    let is_whole = |result: &str| -> Result<(), Untouchable> {
        let after = Parsed::read(result)?;
        parsed.rest_is_same(&after, list, &changes)?;
        let mut entries = names.iter();
        match entries.all(|name| after.json(list, name) == old.json(list, name)) {
            true => Ok(()),
            false => Err(Untouchable::whole(TextWrong::NotPutBack)),
        }
    };
    let in_place = in_place(text, original, &old.cuts(list, &names)?);
    if let Some(result) = in_place.filter(|result| is_whole(result).is_ok()) {
        return Ok(result);
    }
    let end = line_end(text);
    let mut result = text.to_owned();
    for name in &names {
        if !result.is_empty() && !result.ends_with('\n') {
            result.push_str(end);
        }
        match old.entry(list, name)? {
            Some(tables @ Found::Tables(_)) => result.push_str(&tables.written(original)),
            Some(Found::Inline(_)) | None => result.push_str(&old.as_table(list, name, end)?),
        }
    }
    is_whole(&result)?;
    Ok(result)
}

/// The text with the cuts of another put back, where it differs from what that one is without them
/// in one place alone, and no cut was made there.
fn in_place(text: &str, original: &str, cuts: &[Range<usize>]) -> Option<String> {
    let without: Vec<(Range<usize>, &str)> = cuts.iter().map(|cut| (cut.clone(), "")).collect();
    let rest = spliced(original, &without);
    let pairs = rest.bytes().zip(text.bytes());
    let head = pairs.take_while(|(one, other)| one == other).count();
    let pairs = rest.bytes().rev().zip(text.bytes().rev());
    let tail = pairs.take_while(|(one, other)| one == other).count();
    let tail = tail.min(rest.len().min(text.len()) - head);
    let mut gone = 0;
    let mut splices = Vec::new();
    for cut in cuts {
        let at = cut.start - gone;
        gone += cut.len();
        let at = match at {
            at if at <= head => at,
            at if at >= rest.len() - tail => text.len() - (rest.len() - at),
            _ => return None,
        };
        splices.push((at..at, &original[cut.clone()]));
    }
    Some(spliced(text, &splices))
}

/// A key of a table's name, between quotation marks where it has to be.
fn quoted_key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    match !name.is_empty() && name.chars().all(bare) {
        true => name.to_owned(),
        // JSON's escapes are TOML's too.
        false => Json::from(name).to_string(),
    }
}

/// What the list of a text says; `None` where there is none.
#[cfg(test)]
pub(super) fn whole_list(text: &str, list: &str) -> Result<Option<Json>, Untouchable> {
    Ok(Parsed::read(text)?
        .document
        .as_table()
        .get(list)
        .map(to_json))
}

/// Takes the entry out again.
pub(super) fn take_back(
    text: &str,
    list: &str,
    name: &str,
    before: &Before,
) -> Result<String, Untouchable> {
    let parsed = Parsed::read(text)?;
    let Some(found) = parsed.entry(list, name)? else {
        return Ok(text.to_owned());
    };
    let result = match (before, &found) {
        (Before::Entry { text: old }, Found::Tables(parts)) if !old.starts_with('{') => {
            // The last line of a file may have no end, and it may not be the last any more.
            let last = parts.first().is_none_or(|part| part.end == text.len());
            match last || old.ends_with('\n') {
                true => found.replaced(text, old),
                false => found.replaced(text, &format!("{old}{}", line_end(text))),
            }
        }
        (Before::Entry { text: old }, Found::Inline(_)) if old.starts_with('{') => {
            found.replaced(text, old)
        }
        (_, Found::Inline(_)) | (Before::Entry { .. }, _) => {
            return Err(Untouchable::whole(TextWrong::WrittenAnew));
        }
        (Before::Blank { text: blank }, Found::Tables(_)) => {
            let rest = found.replaced(text, "");
            match without_mark(&rest).trim().is_empty() {
                true => blank.clone(),
                false => rest,
            }
        }
        (Before::Appended { joint }, Found::Tables(parts)) => {
            let first = parts.first().map_or(0, |part| part.start);
            let joined = text[..first].ends_with(joint.as_str());
            let rest = found.replaced(text, "");
            match joined {
                true => spliced(&rest, &[(first - joint.len()..first, "")]),
                false => rest,
            }
        }
        (Before::Unlisted { .. } | Before::NoList { .. }, Found::Tables(_)) => {
            found.replaced(text, "")
        }
    };
    parsed.rest_is_same(&Parsed::read(&result)?, list, &|key| key == name)?;
    Ok(result)
}

/// A table of its own, as text.
pub(super) fn table(list: &str, name: &str, value: &Json, end: &str) -> String {
    let mut text = format!("[{list}.{}]{end}", quoted_key(name));
    for (key, value) in value.as_object().into_iter().flatten() {
        text.push_str(&format!("{} = {}{end}", quoted_key(key), inline(value)));
    }
    text
}

fn inline(value: &Json) -> String {
    match value {
        Json::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(key, value)| format!("{} = {}", quoted_key(key), inline(value)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        // JSON's escapes are TOML's too.
        other => other.to_string(),
    }
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Where an entry stands.
enum Found {
    /// As tables, whole lines each; more than one where it has tables inside.
    Tables(Vec<Range<usize>>),
    /// As a value.
    Inline(Range<usize>),
}

impl Found {
    fn ranges(&self) -> &[Range<usize>] {
        match self {
            Self::Tables(parts) => parts,
            Self::Inline(value) => std::slice::from_ref(value),
        }
    }

    fn written(&self, text: &str) -> String {
        let parts = self.ranges().iter().map(|part| &text[part.clone()]);
        parts.collect()
    }

    /// The text with something else in the place of the first part, and nothing in the others'.
    fn replaced(&self, text: &str, new: &str) -> String {
        let splices: Vec<(Range<usize>, &str)> = self
            .ranges()
            .iter()
            .enumerate()
            .map(|(index, part)| (part.clone(), if index == 0 { new } else { "" }))
            .collect();
        spliced(text, &splices)
    }
}

struct Parsed<'t> {
    text: &'t str,
    /// How long the byte order mark is.
    mark: usize,
    document: Document<&'t str>,
}

impl<'t> Parsed<'t> {
    fn read(text: &'t str) -> Result<Self, Untouchable> {
        let body = without_mark(text);
        let document = Document::parse(body).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let said = error.message().trim().replace('\n', "; ");
            Untouchable::at(body, at, TextWrong::Unread(said))
        })?;
        Ok(Self {
            text,
            mark: text.len() - body.len(),
            document,
        })
    }

    fn item(&self, list: &str, name: &str) -> Option<&Item> {
        self.document
            .as_table()
            .get(list)?
            .as_table_like()?
            .get(name)
    }

    fn json(&self, list: &str, name: &str) -> Option<Json> {
        self.item(list, name).map(to_json)
    }

    fn entry(&self, list: &str, name: &str) -> Result<Option<Found>, Untouchable> {
        let Some(servers) = self.document.as_table().get(list) else {
            return Ok(None);
        };
        if !servers.is_table() {
            let wrong = TextWrong::NoTable(list.to_owned());
            return Err(self.refused(servers.span(), wrong));
        }
        let Some(item) = self.item(list, name) else {
            return Ok(None);
        };
        let no_place = || self.refused(None, TextWrong::NoOwnPlace(name.to_owned()));
        match item {
            Item::Table(table) if !table.is_dotted() => {
                let mut parts = Vec::new();
                self.parts(table, &mut parts);
                parts.sort_by_key(|part| part.start);
                match parts.is_empty() {
                    true => Err(no_place()),
                    false => Ok(Some(Found::Tables(parts))),
                }
            }
            Item::Value(Value::InlineTable(table)) => match table.span() {
                Some(span) => Ok(Some(Found::Inline(
                    span.start + self.mark..span.end + self.mark,
                ))),
                None => Err(no_place()),
            },
            other => {
                let wrong = TextWrong::DottedOrPlain(name.to_owned());
                Err(self.refused(other.span(), wrong))
            }
        }
    }

    /// Where entries stand, in the order of the text.
    fn cuts(&self, list: &str, names: &[&str]) -> Result<Vec<Range<usize>>, Untouchable> {
        let mut cuts = Vec::new();
        for name in names {
            match self.entry(list, name)? {
                Some(Found::Tables(parts)) => cuts.extend(parts),
                Some(Found::Inline(value)) => cuts.push(line_of_value(self.text, self.mark, value)),
                None => {
                    let wrong = TextWrong::NoEntry((*name).to_owned(), list.to_owned());
                    return Err(Untouchable::whole(wrong));
                }
            }
        }
        cuts.sort_by_key(|cut| cut.start);
        Ok(cuts)
    }

    /// An entry that is written as a value, as a table of its own, its values as they are written.
    fn as_table(&self, list: &str, name: &str, end: &str) -> Result<String, Untouchable> {
        let fields = self.item(list, name).and_then(Item::as_inline_table);
        let mut text = format!("[{list}.{}]{end}", quoted_key(name));
        for (key, value) in fields.into_iter().flatten() {
            // A table of dotted keys has no text of its own: its span may be that of one of its values.
            let is_dotted = value.as_inline_table().is_some_and(InlineTable::is_dotted);
            let Some(span) = value.span().filter(|_| !is_dotted) else {
                return Err(self.refused(None, TextWrong::Dotted(name.to_owned())));
            };
            let value = &self.text[span.start + self.mark..span.end + self.mark];
            text.push_str(&format!("{} = {value}{end}", quoted_key(key)));
        }
        Ok(text)
    }

    fn refused(&self, span: Option<Range<usize>>, wrong: TextWrong) -> Untouchable {
        match span {
            Some(span) if !span.is_empty() => {
                Untouchable::at(self.text, span.start + self.mark, wrong)
            }
            _ => Untouchable::whole(wrong),
        }
    }

    /// The lines of a table and of those inside it.
    fn parts(&self, table: &Table, parts: &mut Vec<Range<usize>>) {
        // A table that only those inside it speak of has no lines of its own.
        if let Some(header) = table.span().filter(|_| !table.is_implicit()) {
            let end = own_end(table).max(header.end) + self.mark;
            let start = line_start(self.text, header.start + self.mark).max(self.mark);
            let end = self.text[end..]
                .find('\n')
                .map_or(self.text.len(), |length| end + length + 1);
            parts.push(start..end);
        }
        for (_, item) in table.iter() {
            match item {
                Item::Table(inner) if !inner.is_dotted() => self.parts(inner, parts),
                Item::ArrayOfTables(tables) => {
                    tables.iter().for_each(|inner| self.parts(inner, parts));
                }
                _ => {}
            }
        }
    }

    /// Makes sure that an edit changed nothing but the entries that `changes` says.
    fn rest_is_same(
        &self,
        after: &Parsed<'_>,
        list: &str,
        changes: &dyn Fn(&str) -> bool,
    ) -> Result<(), Untouchable> {
        let rest = |parsed: &Parsed<'_>| {
            let mut root = to_json(parsed.document.as_item());
            let servers = root.get_mut(list).and_then(Json::as_object_mut);
            let emptied = servers.is_none_or(|servers| {
                servers.retain(|name, _| !changes(name));
                servers.is_empty()
            });
            // `[list]` without an entry is as good as none.
            if let (true, Some(root)) = (emptied, root.as_object_mut()) {
                root.shift_remove(list);
            }
            root
        };
        match rest(self) == rest(after) {
            true => Ok(()),
            false => Err(Untouchable::whole(TextWrong::AroundEntry)),
        }
    }
}

/// The line of a key and its value, from the key on; a comment behind the value stays.
fn line_of_value(text: &str, mark: usize, value: Range<usize>) -> Range<usize> {
    let start = line_start(text, value.start).max(mark);
    let rest = &text[value.end..];
    let line = rest.find('\n').map_or(rest.len(), |end| end + 1);
    match rest[..line].trim().is_empty() {
        true => start..value.end + line,
        false => start..value.end,
    }
}

/// Where the last value ends that stands directly under a table's header.
fn own_end(table: &Table) -> usize {
    let ends = table.iter().map(|(_, item)| match item {
        Item::Table(inner) if inner.is_dotted() => own_end(inner),
        Item::Value(value) => value.span().map_or(0, |span| span.end),
        _ => 0,
    });
    ends.max().unwrap_or(0)
}

fn to_json(item: &Item) -> Json {
    match item {
        Item::None => Json::Null,
        Item::Value(value) => value_to_json(value),
        Item::Table(table) => {
            let fields = table
                .iter()
                .map(|(key, item)| (key.to_owned(), to_json(item)));
            Json::Object(fields.collect())
        }
        Item::ArrayOfTables(tables) => {
            let tables = tables
                .iter()
                .map(|table| to_json(&Item::Table(table.clone())));
            Json::Array(tables.collect())
        }
    }
}

fn value_to_json(value: &Value) -> Json {
    match value {
        Value::String(text) => text.value().as_str().into(),
        Value::Integer(number) => (*number.value()).into(),
        Value::Boolean(flag) => (*flag.value()).into(),
        Value::Float(number) => match Number::from_f64(*number.value()) {
            Some(number) => Json::Number(number),
            None => format!("float {:?}", number.value()).into(),
        },
        // Only compared with themselves.
        Value::Datetime(time) => format!("time {:?}", time.value()).into(),
        Value::Array(items) => items.iter().map(value_to_json).collect(),
        Value::InlineTable(table) => {
            let fields = table
                .iter()
                .map(|(key, value)| (key.to_owned(), value_to_json(value)));
            Json::Object(fields.collect())
        }
    }
}
