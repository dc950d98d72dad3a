//! Reads a part of a result: a page of its text, a part of its JSON, or the matches of a search.
//!
//! A part has at most as many tokens as its budget. Each part describes how to read the next one.

use std::time::{Duration, Instant};

use guild_catalog::menu::ResultPart;
use guild_text::number::grouped;
use regex::{Regex, RegexBuilder};

use super::document::{ResultDocument, each_element, each_field};
use super::outline::of_json;
use crate::tokens;

/// Time limit of a search.
const SEARCH_LIMIT: Duration = Duration::from_secs(2);
/// Maximum size of a compiled regular expression, in bytes.
const REGEX_BYTES_MAX: usize = 256 << 10;
/// Number of bytes after which a search checks its time limit.
const SEARCH_STEP: usize = 16 << 10;
/// Maximum length of a match that may begin in one piece of [`SEARCH_STEP`] bytes and end in the
/// next one, in bytes.
const MATCH_MAX: usize = 4 << 10;
/// Maximum number of matches that are counted.
const MATCHES_COUNTED_MAX: usize = 10_000;
/// Maximum number of lines of the outline that replaces a value that does not fit.
const OUTLINE_LINES: usize = 20;
/// Maximum number of names in an error.
const NAMES_SHOWN_MAX: usize = 10;

/// A part of a result, and a note about its position and how to continue.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PartText {
    pub(super) text: String,
    pub(super) note: String,
}

/// Reads a part of at most `budget` tokens. Blocking.
///
/// # Errors
/// The problem, as a sentence for the model that requested the part.
pub(super) fn read(
    document: &ResultDocument,
    part: &ResultPart,
    budget: usize,
) -> Result<PartText, String> {
    match part {
        ResultPart::Text {
            offset,
            limit,
            lines: false,
        } => page(&document.text, *offset, *limit, budget),
        ResultPart::Text { offset, limit, .. } => lines(&document.text, *offset, *limit, budget),
        ResultPart::Json {
            pointer,
            offset,
            limit,
        } => {
            let json = document.json.as_deref().ok_or(
                "The result is not JSON. Read it without pointer, or find a text with search.",
            )?;
            json_part(json, pointer, (*offset, *limit), budget)
        }
        ResultPart::Matches {
            search,
            regex,
            context,
            offset,
            limit,
        } => {
            let pattern = match regex {
                true => search.clone(),
                false => regex::escape(search),
            };
            let mut builder = RegexBuilder::new(&pattern);
            builder.multi_line(true).case_insensitive(!regex);
            builder.size_limit(REGEX_BYTES_MAX);
            let regex = builder.build();
            let regex = regex.map_err(|error| {
                let reason: String = error.to_string().chars().take(400).collect();
                format!("The regular expression can't be used: {reason}")
            })?;
            matches(&document.text, &regex, *context, (*offset, *limit), budget)
        }
    }
}

/// Returns the offset in bytes at which a text is cut so that its beginning has at most `budget`
/// tokens. Prefers the end of a line, then the end of a word. Never returns 0 unless the text is
/// empty.
pub(super) fn cut_at(text: &str, budget: usize) -> usize {
    let (end, _) = tokens::fitting(text, budget);
    if end == text.len() {
        return end;
    }
    let window = text.floor_char_boundary(end / 4 * 3);
    let tail = &text[window..end];
    let after = |c: fn(char) -> bool| {
        let (at, found) = tail.char_indices().rfind(|(_, found)| c(*found))?;
        Some(window + at + found.len_utf8())
    };
    let nice = after(|c| c == '\n').or_else(|| after(|c| c == ' ' || c == ','));
    let first = text.chars().next().map_or(0, char::len_utf8);
    nice.unwrap_or(end).max(first)
}

/// Returns the byte at which a character begins, or the text's length.
fn byte_of(text: &str, char: usize) -> usize {
    let place = text.char_indices().nth(char);
    place.map_or(text.len(), |(at, _)| at)
}

fn page(
    text: &str,
    offset: usize,
    limit: Option<usize>,
    budget: usize,
) -> Result<PartText, String> {
    let rest = &text[byte_of(text, offset)..];
    if rest.is_empty() && offset > 0 {
        let all = grouped(text.chars().count());
        return Err(format!("The text has only {all} characters."));
    }
    let wanted = &rest[..limit.map_or(rest.len(), |limit| byte_of(rest, limit))];
    let page = &wanted[..cut_at(wanted, budget)];
    let end = offset + page.chars().count();
    let all = end + rest[page.len()..].chars().count();
    Ok(PartText {
        text: page.to_owned(),
        note: format!(
            "Characters {} to {} of {}.{}",
            grouped(offset),
            grouped(end),
            grouped(all),
            more(end < all, end, ""),
        ),
    })
}

fn lines(
    text: &str,
    offset: usize,
    limit: Option<usize>,
    budget: usize,
) -> Result<PartText, String> {
    let mut ends = text.split_inclusive('\n').scan(0, |at, line| {
        *at += line.len();
        Some(*at)
    });
    let from = match offset {
        0 => 0,
        offset => ends.by_ref().nth(offset - 1).unwrap_or(text.len()),
    };
    if from == text.len() && offset > 0 {
        let all = grouped(text.split_inclusive('\n').count());
        return Err(format!("The text has only {all} lines."));
    }
    let to = limit.and_then(|limit| ends.nth(limit - 1));
    let wanted = &text[from..to.unwrap_or(text.len())];
    let page = &wanted[..cut_at(wanted, budget)];
    let until = from + page.len();
    let end = offset + page.split_inclusive('\n').count();
    let is_cut = until < text.len() && !page.ends_with('\n');
    let next = match is_cut {
        // A part of the last line is missing, so the next read continues at a character, not at a
        // line.
        true => {
            let char = text[..until].chars().count();
            format!(" The last line is cut. Continue with offset {char} and without unit.")
        }
        false => more(until < text.len(), end, " and unit lines"),
    };
    Ok(PartText {
        text: page.to_owned(),
        note: format!("Lines {} to {}.{next}", grouped(offset), grouped(end)),
    })
}

fn more(is_more: bool, next: usize, with: &str) -> String {
    match is_more {
        true => format!(" Continue with offset {next}{with}."),
        false => " This is the end.".into(),
    }
}

/// Finds the value at a JSON Pointer (RFC 6901).
fn value_at<'a>(json: &'a str, pointer: &str) -> Result<&'a str, String> {
    let Some(path) = pointer.strip_prefix('/') else {
        return match pointer {
            "" => Ok(json),
            _ => Err("A pointer is empty, or begins with /.".into()),
        };
    };
    let (mut value, mut passed) = (json, String::new());
    for step in path.split('/') {
        let name = step.replace("~1", "/").replace("~0", "~");
        let index = name.parse::<usize>().ok();
        let index = index.filter(|index| index.to_string() == name);
        let (mut found, mut count, mut names) = (None, 0_usize, Vec::new());
        let is_inside = match value.starts_with('{') {
            true => each_field(value, |field, inner| {
                if names.len() < NAMES_SHOWN_MAX {
                    names.push(field.chars().take(80).collect::<String>());
                }
                count += 1;
                if field == name {
                    found = Some(inner);
                }
            }),
            false => each_element(value, |inner| {
                if index == Some(count) {
                    found = Some(inner);
                }
                count += 1;
            }),
        };
        let place = match passed.as_str() {
            "" => "The whole".to_owned(),
            passed => format!("The part at {}", short(passed)),
        };
        value = match found {
            Some(found) => found,
            None if !is_inside => {
                return Err(format!("{place} is neither an object nor an array."));
            }
            None if value.starts_with('[') => {
                return Err(format!(
                    "{place} is an array of {}, without an element {}.",
                    grouped(count),
                    short(&name)
                ));
            }
            None => {
                let dots = if count > names.len() { ", …" } else { "" };
                return Err(format!(
                    "{place} has no key {}. Its keys: {}{dots}.",
                    short(&name),
                    names.join(", ")
                ));
            }
        };
        passed.push('/');
        passed.push_str(step);
    }
    Ok(value)
}

fn short(text: &str) -> String {
    guild_text::messages::short(text, 80)
}

/// Reads the value at a pointer: a page of a string, or a slice of an array or object.
fn json_part(
    json: &str,
    pointer: &str,
    (offset, limit): (usize, Option<usize>),
    budget: usize,
) -> Result<PartText, String> {
    let value = value_at(json, pointer)?;
    let (open, close, kind) = match value.as_bytes().first() {
        Some(b'"') => {
            let text: String = serde_json::from_str(value).unwrap_or_default();
            return page(&text, offset, limit, budget);
        }
        Some(b'{') => ('{', '}', "Keys"),
        Some(b'[') => ('[', ']', "Elements"),
        _ => {
            let text = value.to_owned();
            let note = "This is the whole value.".into();
            return Ok(PartText { text, note });
        }
    };
    let mut slice = Slice {
        from: offset,
        limit: limit.unwrap_or(usize::MAX),
        left: budget,
        text: String::from(open),
        count: 0,
        taken: 0,
        too_large: None,
    };
    match open {
        '{' => each_field(value, |name, inner| {
            let escaped = name.replace('~', "~0").replace('/', "~1");
            let name = serde_json::Value::from(name);
            slice.add(&format!("{name}:"), inner, || {
                format!("{pointer}/{escaped}")
            });
        }),
        _ => each_element(value, |inner| {
            let at = slice.count;
            slice.add("", inner, || format!("{pointer}/{at}"));
        }),
    };
    slice.text.push(close);
    let (end, all) = (offset + slice.taken, slice.count);
    if offset > 0 && offset >= all {
        let kind = kind.to_lowercase();
        return Err(format!("There are only {} {kind} here.", grouped(all)));
    }
    if let (0, Some((at, outline))) = (slice.taken, slice.too_large) {
        // The outline gets at most half of the budget, so that the note fits too.
        let mut text = outline.join("\n");
        text.truncate(cut_at(&text, budget / 2));
        return Ok(PartText {
            text,
            note: format!(
                "The value at {} is too large for one answer. This is its outline. Read it by its \
                 own pointer, or skip it with offset {}.",
                short(&at),
                offset + 1
            ),
        });
    }
    Ok(PartText {
        text: slice.text,
        note: format!(
            "{kind} {} to {} of {}.{}",
            grouped(offset),
            grouped(end),
            grouped(all),
            more(end < all, end, " and the same pointer"),
        ),
    })
}

/// The elements of an array, or the fields of an object, that fit.
struct Slice {
    from: usize,
    limit: usize,
    /// The number of tokens that are left.
    left: usize,
    text: String,
    /// The number of elements so far, including those that are not returned.
    count: usize,
    taken: usize,
    /// The first element that does not fit: its pointer and its outline.
    too_large: Option<(String, Vec<String>)>,
}

impl Slice {
    fn add(&mut self, name: &str, value: &str, pointer: impl FnOnce() -> String) {
        self.count += 1;
        let is_wanted = self.count > self.from && self.taken < self.limit;
        if !is_wanted || self.too_large.is_some() {
            return;
        }
        let comma = if self.taken > 0 { "," } else { "" };
        let text = format!("{comma}{name}{value}");
        let (end, used) = tokens::fitting(&text, self.left);
        if end < text.len() {
            let pointer = pointer();
            let mut outline = of_json(&pointer, value);
            outline.truncate(OUTLINE_LINES);
            self.too_large = Some((pointer, outline));
            return;
        }
        self.left -= used;
        self.taken += 1;
        self.text.push_str(&text);
    }
}

/// Finds the matches of a pattern, with the characters around them.
fn matches(
    text: &str,
    regex: &Regex,
    context: usize,
    (offset, limit): (usize, Option<usize>),
    budget: usize,
) -> Result<PartText, String> {
    let until = Instant::now() + SEARCH_LIMIT;
    let begin = byte_of(text, offset);
    let (mut shown, mut count, mut left) = (String::new(), 0_usize, budget);
    let mut next = None;
    let mut places = Places::default();
    let mut taken = 0;
    let complete = each_match(text, regex, begin, until, |from, to| {
        count += 1;
        if next.is_some() {
            return count < MATCHES_COUNTED_MAX;
        }
        let (char, line) = places.of(text, from);
        if limit.is_some_and(|limit| taken >= limit) {
            next = Some(char);
            return true;
        }
        let before = text[..from].char_indices().rev().take(context).last();
        let before = before.map_or(from, |(at, _)| at);
        let after = to + byte_of(&text[to..], context);
        let (head, tail) = (
            if before > 0 { "…" } else { "" },
            if after < text.len() { "…" } else { "" },
        );
        let excerpt = format!(
            "offset {}, line {}:\n{head}{}{tail}\n\n",
            char,
            line,
            &text[before..after]
        );
        let (end, used) = tokens::fitting(&excerpt, left);
        if end == excerpt.len() {
            shown.push_str(&excerpt);
            left -= used;
        } else if taken == 0 {
            // A single match that does not fit is cut.
            shown.push_str(&excerpt[..end]);
            left = 0;
        } else {
            next = Some(char);
            return true;
        }
        taken += 1;
        true
    });
    let found = match complete {
        true if count < MATCHES_COUNTED_MAX => grouped(count),
        _ => format!("at least {}", grouped(count)),
    };
    let late = match complete {
        true => "",
        false => " The search was stopped after 2 seconds. Use a simpler pattern.",
    };
    let next = next.map(|next| format!(" Continue with offset {next} and the same search."));
    Ok(PartText {
        text: shown,
        note: format!(
            "{} of {found} matches from offset {}.{late}{}",
            grouped(taken),
            grouped(offset),
            next.unwrap_or_default()
        ),
    })
}

/// Calls `each` with the range of each match, until it returns false or the time limit is reached.
/// Returns false after the time limit. A match that is longer than [`MATCH_MAX`] may be cut or
/// missing.
fn each_match(
    text: &str,
    regex: &Regex,
    begin: usize,
    until: Instant,
    mut each: impl FnMut(usize, usize) -> bool,
) -> bool {
    let mut at = begin;
    while at < text.len() {
        let step = text.floor_char_boundary((at + SEARCH_STEP).min(text.len()));
        let end = text.floor_char_boundary((step + MATCH_MAX).min(text.len()));
        while at < step {
            if Instant::now() > until {
                return false;
            }
            let found = regex.find_at(&text[..end], at);
            let Some(found) = found.filter(|found| found.start() < step) else {
                at = step;
                break;
            };
            // An empty match has no text to show.
            if found.is_empty() {
                at = found.end() + text[found.end()..].chars().next().map_or(1, char::len_utf8);
                continue;
            }
            at = found.end();
            if !each(found.start(), found.end()) {
                return true;
            }
        }
    }
    true
}

/// Converts byte offsets, which must be passed in increasing order, to offsets in characters and
/// lines.
#[derive(Default)]
struct Places {
    at: usize,
    char: usize,
    line: usize,
}

impl Places {
    fn of(&mut self, text: &str, byte: usize) -> (usize, usize) {
        let passed = &text[self.at..byte];
        self.char += passed.chars().count();
        self.line += passed.matches('\n').count();
        self.at = byte;
        (self.char, self.line)
    }
}

#[cfg(test)]
mod tests;
