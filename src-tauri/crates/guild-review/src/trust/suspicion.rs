//! Finds signs of deception in a tool: invisible characters, words that address a model, and names
//! that can be confused with others.
//!
//! A finding is a hint for the reviewer and blocks nothing. The patterns miss some deceptions, and
//! also match harmless texts.

mod index;
mod names;
mod words;

use serde_json::Value;

pub use self::index::{NameIndex, NameProbe};
pub use self::names::OtherTool;
use super::text::{is_hidden, visible};
use crate::messages::SuspicionNote;
use guild_api::wire::{Suspicion, SuspicionKind};
use guild_model::id::MemberName;
use guild_model::tool::ToolSpec;

/// Maximum number of findings of one tool.
const FOUND_MAX: usize = 50;
/// Maximum number of findings of one text.
const OF_TEXT_MAX: usize = 8;
/// Maximum nesting depth of a tool that is inspected.
const DEPTH_MAX: usize = 100;
/// Number of characters that are quoted before a finding. Twice as many are quoted from its start.
const AROUND: usize = 40;

/// Returns the suspicious passages of a tool, the least visible first. `others` contains the tools
/// of all other members.
pub fn suspicions<'a>(
    member: &MemberName,
    tool: &ToolSpec,
    others: impl Iterator<Item = OtherTool<'a>>,
) -> Vec<Suspicion> {
    let mut found = Vec::new();
    for (key, value) in tool.raw() {
        look(value, &below("", key), 0, &mut found);
        look_at_key(key, "", &mut found);
    }
    found.extend(names::suspicions(member, tool, others));
    found.sort_by_key(|suspicion| suspicion.kind);
    found.truncate(FOUND_MAX);
    found
}

fn look(value: &Value, place: &str, depth: usize, found: &mut Vec<Suspicion>) {
    if depth > DEPTH_MAX || found.len() > 2 * FOUND_MAX {
        return;
    }
    match value {
        Value::String(text) => of_text(text, place, found),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                look(item, &below(place, &at.to_string()), depth + 1, found);
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                look_at_key(key, place, found);
                look(value, &below(place, key), depth + 1, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Inspects a property's name, since a model reads names like descriptions.
fn look_at_key(key: &str, place: &str, found: &mut Vec<Suspicion>) {
    if key.contains(is_hidden) || key.len() > 40 {
        of_text(key, &below(place, key), found);
    }
}

fn of_text(text: &str, place: &str, found: &mut Vec<Suspicion>) {
    let mut here: Vec<Suspicion> = hidden_in(text, place).into_iter().collect();
    // Words are searched in the text without its invisible characters, because a model may ignore
    // these.
    let plain: String = text
        .chars()
        .filter(|c| !is_hidden(*c) || c.is_whitespace())
        .collect();
    here.extend(words::suspicions(&plain, place));
    here.truncate(OF_TEXT_MAX);
    found.extend(here);
}

/// Finds invisible characters.
fn hidden_in(text: &str, place: &str) -> Option<Suspicion> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let is_foul = |at: &usize| {
        let before = at.checked_sub(1).map(|before| chars[before].1);
        let after = chars.get(at + 1).map(|(_, c)| *c);
        is_hidden(chars[*at].1) && !belongs(before, chars[*at].1, after)
    };
    if !text.contains(is_hidden) {
        return None;
    }
    let foul: Vec<usize> = (0..chars.len()).filter(is_foul).collect();
    let first = *foul.first()?;
    let tags: String = chars
        .iter()
        .filter_map(|(_, c)| char::from_u32(u32::from(*c).checked_sub(0xE_0000)?))
        .filter(|c| matches!(c, ' '..='~'))
        .take(200)
        .collect();
    let what = match (tags.is_empty(), foul.len()) {
        (false, _) => SuspicionNote::HiddenText(visible(&tags)),
        (true, 1) => SuspicionNote::HiddenCharacter,
        (true, count) => SuspicionNote::HiddenCharacters(count),
    };
    Some(Suspicion {
        place: place.to_owned(),
        kind: SuspicionKind::Invisible,
        what: what.to_string(),
        quote: quote(text, chars[first].0),
    })
}

/// Checks whether an invisible character is normal between its neighbors, as in emoji and in
/// scripts that join letters.
fn belongs(before: Option<char>, c: char, after: Option<char>) -> bool {
    let of_emoji = |c: char| matches!(c, '\u{A9}' | '\u{AE}' | '\u{203C}'..='\u{3299}' | '\u{1F000}'..='\u{1FAFF}' | '\u{FE0F}');
    let joins = |c: char| c.is_alphabetic() && matches!(c, '\u{600}'..='\u{1CFF}');
    match (before, c, after) {
        (Some(before), '\u{FE0E}' | '\u{FE0F}', _) => {
            of_emoji(before) || matches!(before, '0'..='9' | '#' | '*')
        }
        (Some(before), '\u{200D}', Some(after)) => {
            of_emoji(before) && of_emoji(after) || joins(before) && joins(after)
        }
        (Some(before), '\u{200C}', Some(after)) => joins(before) && joins(after),
        _ => false,
    }
}

/// Returns the text around an offset, with codes for invisible characters.
fn quote(text: &str, at: usize) -> String {
    let (before, after) = text.split_at(at);
    let head: Vec<char> = before.chars().rev().take(AROUND).collect();
    let mut quote = String::new();
    if before.chars().nth(AROUND).is_some() {
        quote.push('…');
    }
    quote.extend(head.into_iter().rev());
    quote.extend(after.chars().take(2 * AROUND));
    if after.chars().nth(2 * AROUND).is_some() {
        quote.push('…');
    }
    visible(&quote)
}

fn below(place: &str, key: &str) -> String {
    let key: String = key.chars().take(80).collect();
    format!(
        "{place}/{}",
        visible(&key).replace('~', "~0").replace('/', "~1")
    )
}

#[cfg(test)]
mod tests;
