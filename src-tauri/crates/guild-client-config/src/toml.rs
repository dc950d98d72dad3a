//! Edits TOML in place: a new entry is a separate table at the end of the file.
//!
//! `toml_edit` supplies only positions. Its output is not used, because it normalizes line ends.

use std::ops::Range;

use serde_json::Value as Json;
use toml_edit::{Document, InlineTable, Item, Table, Value};
use toml_parser::lexer::{Token, TokenKind};

use super::edit::{TextEditError, line_end, line_start, spliced};
use guild_text::messages::TextProblem;
use guild_text::tree::toml::json;

/// Sets the entry `[list.name]`.
pub(super) fn set(
    text: &str,
    list: &str,
    name: &str,
    value: &Json,
) -> Result<String, TextEditError> {
    let entry = table(list, name, value, line_end(text));
    if text.trim().is_empty() {
        return Ok(entry);
    }
    let parsed = Parsed::read(text)?;
    let result = match parsed.entry(list, name)? {
        None => format!("{text}{}{entry}", joint(text)),
        Some(_) if parsed.json(list, name).as_ref() == Some(value) => text.to_owned(),
        Some(tables @ TomlEntryRange::Tables(_)) => tables.replaced(text, &entry),
        Some(of_line @ TomlEntryRange::Inline(_)) => of_line.replaced(text, &inline(value)),
    };
    parsed.rest_is_same(&Parsed::read(&result)?, list, &|key| key == name)?;
    Ok(result)
}

/// Returns the line ends to insert between a text and an appended entry.
fn joint(text: &str) -> String {
    match text {
        _ if text.ends_with("\n\n") || text.ends_with("\n\r\n") => String::new(),
        _ if text.ends_with('\n') => line_end(text).to_owned(),
        _ => line_end(text).repeat(2),
    }
}

/// Returns an entry. `None` if it does not exist.
pub(super) fn get(text: &str, list: &str, name: &str) -> Result<Option<Json>, TextEditError> {
    Ok(Parsed::read(text)?.json(list, name))
}

/// Removes entries from the list. Comments about them stay.
pub(super) fn take_out(text: &str, list: &str, names: &[&str]) -> Result<String, TextEditError> {
    let parsed = Parsed::read(text)?;
    let cuts = parsed.cuts(list, names)?;
    let result = without(text, &cuts);
    parsed.rest_is_same(&Parsed::read(&result)?, list, &|key| names.contains(&key))?;
    Ok(result)
}

/// Counts the comments inside the given entries of the list.
pub(super) fn comments_in(text: &str, list: &str, names: &[&str]) -> Result<usize, TextEditError> {
    let parsed = Parsed::read(text)?;
    let cuts = parsed.cuts(list, names)?;
    let inside = |comment: &Range<usize>| cuts.iter().any(|cut| cut.contains(&comment.start));
    Ok(comments(text)
        .iter()
        .filter(|comment| inside(comment))
        .count())
}

fn comments(text: &str) -> Vec<Range<usize>> {
    let tokens = toml_parser::Source::new(text).lex();
    let comments = tokens.filter(|token| token.kind() == TokenKind::Comment);
    let range = |token: Token| token.span().start()..token.span().end();
    comments.map(range).collect()
}

/// Restores entries that `original` has and the text lacks. The entries return to their old
/// position if the surrounding text is unchanged. Otherwise they are appended to the file.
pub(super) fn put_back(
    text: &str,
    list: &str,
    names: &[&str],
    original: &str,
) -> Result<String, TextEditError> {
    let parsed = Parsed::read(text)?;
    let old = Parsed::read(original)?;
    // If an entry with this name was added after the edit, it is the user's, so it stays.
    let is_gone = |name: &&str| parsed.item(list, name).is_none();
    let names: Vec<&str> = names.iter().copied().filter(is_gone).collect();
    let changes = |key: &str| names.contains(&key);
    let is_whole = |result: &str| -> Result<(), TextEditError> {
        let after = Parsed::read(result)?;
        parsed.rest_is_same(&after, list, &changes)?;
        let mut entries = names.iter();
        match entries.all(|name| after.json(list, name) == old.json(list, name)) {
            true => Ok(()),
            false => Err(TextEditError::whole(TextProblem::NotPutBack)),
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
            Some(tables @ TomlEntryRange::Tables(_)) => result.push_str(&tables.written(original)),
            Some(TomlEntryRange::Inline(_)) | None => {
                result.push_str(&old.as_table(list, name, end)?)
            }
        }
    }
    is_whole(&result)?;
    Ok(result)
}

fn without(text: &str, cuts: &[Range<usize>]) -> String {
    let cuts: Vec<(Range<usize>, &str)> = cuts.iter().map(|cut| (cut.clone(), "")).collect();
    spliced(text, &cuts)
}

/// Restores the ranges that were cut from `original`. `None` if one of the ranges lies in a part of
/// the text that has changed since.
fn in_place(text: &str, original: &str, cuts: &[Range<usize>]) -> Option<String> {
    let rest = without(original, cuts);
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

/// Quotes a key of a table header if TOML requires it.
fn quoted_key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    match !name.is_empty() && name.chars().all(bare) {
        true => name.to_owned(),
        // JSON escapes are valid in TOML.
        false => Json::from(name).to_string(),
    }
}

/// Returns the list's value. `None` if there is no list.
#[cfg(test)]
pub(super) fn whole_list(text: &str, list: &str) -> Result<Option<Json>, TextEditError> {
    Ok(Parsed::read(text)?.document.as_table().get(list).map(json))
}

/// Removes the gateway's entry. If `original` had such an entry, that entry is restored. `gone` are
/// the entries that the edit removed from `original`.
pub(super) fn take_back(
    text: &str,
    list: &str,
    name: &str,
    gone: &[&str],
    original: &str,
) -> Result<String, TextEditError> {
    let original = take_out(original, list, gone)?;
    let original = original.as_str();
    let parsed = Parsed::read(text)?;
    let Some(found) = parsed.entry(list, name)? else {
        return Ok(text.to_owned());
    };
    let result = match (Parsed::read(original)?.entry(list, name)?, &found) {
        (Some(old @ TomlEntryRange::Tables(_)), TomlEntryRange::Tables(parts)) => {
            // The entry may end with the last line of `original`, without a line end. In the text,
            // other lines may follow it now.
            let mut old = old.written(original);
            let is_last = parts.first().is_none_or(|part| part.end == text.len());
            if !is_last && !old.ends_with('\n') {
                old.push_str(line_end(text));
            }
            found.replaced(text, &old)
        }
        (Some(old @ TomlEntryRange::Inline(_)), TomlEntryRange::Inline(_)) => {
            found.replaced(text, &old.written(original))
        }
        (Some(_), _) | (None, TomlEntryRange::Inline(_)) => {
            return Err(TextEditError::whole(TextProblem::OtherTomlForm));
        }
        (None, TomlEntryRange::Tables(parts)) => {
            let rest = found.replaced(text, "");
            let first = parts.first().map_or(0, |part| part.start);
            let joint = joint(original);
            match original.trim().is_empty() {
                true if rest.trim().is_empty() => original.to_owned(),
                false if text[..first].ends_with(&joint) => {
                    spliced(&rest, &[(first - joint.len()..first, "")])
                }
                _ => rest,
            }
        }
    };
    parsed.rest_is_same(&Parsed::read(&result)?, list, &|key| key == name)?;
    Ok(result)
}

/// Formats an entry as a table.
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
        // JSON escapes are valid in TOML.
        other => other.to_string(),
    }
}

/// The position of an entry in the text.
enum TomlEntryRange {
    /// The whole lines of a table. Several ranges if it has subtables.
    Tables(Vec<Range<usize>>),
    Inline(Range<usize>),
}

impl TomlEntryRange {
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

    /// Replaces the first range and removes the others.
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
    document: Document<&'t str>,
}

impl<'t> Parsed<'t> {
    fn read(text: &'t str) -> Result<Self, TextEditError> {
        let document = Document::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let message = error.message().trim().replace('\n', "; ");
            TextEditError::at(text, at, TextProblem::Unread(message))
        })?;
        Ok(Self { text, document })
    }

    fn item(&self, list: &str, name: &str) -> Option<&Item> {
        self.document
            .as_table()
            .get(list)?
            .as_table_like()?
            .get(name)
    }

    fn json(&self, list: &str, name: &str) -> Option<Json> {
        self.item(list, name).map(json)
    }

    fn entry(&self, list: &str, name: &str) -> Result<Option<TomlEntryRange>, TextEditError> {
        let Some(servers) = self.document.as_table().get(list) else {
            return Ok(None);
        };
        if !servers.is_table() {
            let wrong = TextProblem::NoTable(list.to_owned());
            return Err(self.refused(servers.span(), wrong));
        }
        let Some(item) = self.item(list, name) else {
            return Ok(None);
        };
        let no_place = || self.refused(None, TextProblem::NoOwnPlace(name.to_owned()));
        match item {
            Item::Table(table) if !table.is_dotted() => {
                let mut parts = Vec::new();
                self.parts(table, &mut parts);
                parts.sort_by_key(|part| part.start);
                match parts.is_empty() {
                    true => Err(no_place()),
                    false => Ok(Some(TomlEntryRange::Tables(parts))),
                }
            }
            Item::Value(Value::InlineTable(table)) => match table.span() {
                Some(span) => Ok(Some(TomlEntryRange::Inline(span))),
                None => Err(no_place()),
            },
            other => {
                let wrong = TextProblem::DottedOrPlain(name.to_owned());
                Err(self.refused(other.span(), wrong))
            }
        }
    }

    /// Returns the ranges of entries, in the order of the text.
    fn cuts(&self, list: &str, names: &[&str]) -> Result<Vec<Range<usize>>, TextEditError> {
        let mut cuts = Vec::new();
        for name in names {
            match self.entry(list, name)? {
                Some(TomlEntryRange::Tables(parts)) => cuts.extend(parts),
                Some(TomlEntryRange::Inline(value)) => cuts.push(line_of_value(self.text, value)),
                None => {
                    let wrong = TextProblem::NoEntry((*name).to_owned(), list.to_owned());
                    return Err(TextEditError::whole(wrong));
                }
            }
        }
        cuts.sort_by_key(|cut| cut.start);
        Ok(cuts)
    }

    /// Converts an inline entry to a table. Its values keep their source text.
    fn as_table(&self, list: &str, name: &str, end: &str) -> Result<String, TextEditError> {
        let fields = self.item(list, name).and_then(Item::as_inline_table);
        let mut text = format!("[{list}.{}]{end}", quoted_key(name));
        for (key, value) in fields.into_iter().flatten() {
            // A table of dotted keys has no range. `toml_edit` may report the range of one of its
            // values.
            let is_dotted = value.as_inline_table().is_some_and(InlineTable::is_dotted);
            let Some(span) = value.span().filter(|_| !is_dotted) else {
                return Err(self.refused(None, TextProblem::Dotted(name.to_owned())));
            };
            text.push_str(&format!("{} = {}{end}", quoted_key(key), &self.text[span]));
        }
        Ok(text)
    }

    fn refused(&self, span: Option<Range<usize>>, wrong: TextProblem) -> TextEditError {
        match span {
            Some(span) if !span.is_empty() => TextEditError::at(self.text, span.start, wrong),
            _ => TextEditError::whole(wrong),
        }
    }

    /// Collects the lines of a table and its subtables.
    fn parts(&self, table: &Table, parts: &mut Vec<Range<usize>>) {
        // An implicit table, which only its subtables define, has no lines.
        if let Some(header) = table.span().filter(|_| !table.is_implicit()) {
            let end = own_end(table).max(header.end);
            let start = line_start(self.text, header.start);
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

    /// Checks that an edit changed only entries for which `changes` returns `true`.
    fn rest_is_same(
        &self,
        after: &Parsed<'_>,
        list: &str,
        changes: &dyn Fn(&str) -> bool,
    ) -> Result<(), TextEditError> {
        let rest = |parsed: &Parsed<'_>| {
            let mut root = json(parsed.document.as_item());
            let servers = root.get_mut(list).and_then(Json::as_object_mut);
            let emptied = servers.is_none_or(|servers| {
                servers.retain(|name, _| !changes(name));
                servers.is_empty()
            });
            // An empty `[list]` counts as missing.
            if let (true, Some(root)) = (emptied, root.as_object_mut()) {
                root.shift_remove(list);
            }
            root
        };
        match rest(self) == rest(after) {
            true => Ok(()),
            false => Err(TextEditError::whole(TextProblem::AroundEntry)),
        }
    }
}

/// Returns the line of a key and its value, without a comment after the value.
fn line_of_value(text: &str, value: Range<usize>) -> Range<usize> {
    let start = line_start(text, value.start);
    let rest = &text[value.end..];
    let line = rest.find('\n').map_or(rest.len(), |end| end + 1);
    match rest[..line].trim().is_empty() {
        true => start..value.end + line,
        false => start..value.end,
    }
}

/// Returns the end of the last value directly under a table's header.
fn own_end(table: &Table) -> usize {
    let ends = table.iter().map(|(_, item)| match item {
        Item::Table(inner) if inner.is_dotted() => own_end(inner),
        Item::Value(value) => value.span().map_or(0, |span| span.end),
        _ => 0,
    });
    ends.max().unwrap_or(0)
}
