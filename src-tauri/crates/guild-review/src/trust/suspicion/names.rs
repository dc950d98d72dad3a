//! Finds names that can be confused with others.

use std::collections::HashMap;

use super::quote;
use crate::messages::SuspicionNote;
use guild_api::wire::{Suspicion, SuspicionKind};
use guild_model::id::{MemberName, ToolName};
use guild_model::tool::ToolSpec;

/// Minimum length of a name that is compared with names that differ by one letter, in bytes.
const NEAR_MIN: usize = 5;
/// Minimum length of a name that is searched in descriptions, in bytes.
const SPOKEN_MIN: usize = 6;
/// Maximum number of similar names that are reported.
const OTHERS_MAX: usize = 8;

/// ASCII characters, and the letters of other scripts and styles that resemble them: Cyrillic, Greek,
/// Latin letters with diacritics, and small capitals.
const LOOK_ALIKES: &[(char, &str)] = &[
    ('a', "аАΑαàáâãäåāăąɑᴀ"),
    ('b', "ВΒβ"),
    ('c', "сСçćčᴄ"),
    ('d', "ԁ"),
    ('e', "еёЕЁΕεèéêëēėęěᴇ"),
    ('g', "ɡ"),
    ('h', "һНΗ"),
    ('i', "іїІЇΙιìíîïīįıɪ"),
    ('j', "јЈ"),
    ('k', "КкΚκ"),
    ('l', "ӏӀℓ"),
    ('m', "МмΜ"),
    ('n', "Νñńňɴ"),
    ('o', "оОΟοòóôõöøōőᴏ"),
    ('p', "рРΡρ"),
    ('q', "ԛ"),
    ('s', "ѕЅşśšꜱ"),
    ('t', "ТтΤτ"),
    ('u', "Υυùúûüūůűᴜ"),
    ('v', "ѵν"),
    ('w', "ԝ"),
    ('x', "хХΧχ"),
    ('y', "уүУҮýÿʏ"),
    ('z', "Ζżźžᴢ"),
    ('-', "‐‑‒–—―−"),
];

/// A tool of another member.
#[derive(Debug, Clone, Copy)]
pub struct OtherTool<'a> {
    /// The tool's member.
    pub member: &'a MemberName,
    /// The tool's name.
    pub name: &'a ToolName,
}

pub(super) fn suspicions<'a>(
    member: &MemberName,
    tool: &ToolSpec,
    others: impl Iterator<Item = OtherTool<'a>>,
) -> Vec<Suspicion> {
    let name = tool.name().as_str();
    let found = |kind, what: SuspicionNote| Suspicion {
        place: "/name".to_owned(),
        kind,
        what: what.to_string(),
        quote: quote(name, 0),
    };
    let mut suspicions = Vec::new();
    let foreign: String = name
        .chars()
        .filter(|c| fold(*c) != *c && !c.is_ascii())
        .collect();
    if !foreign.is_empty() {
        let what = SuspicionNote::ForeignLetters(codes(&foreign));
        suspicions.push(found(SuspicionKind::LookAlike, what));
    }
    let own = skeleton(name);
    let description = tool.description();
    let spoken = spoken_of(description);
    for other in others.filter(|other| other.member != member) {
        if suspicions.len() >= OTHERS_MAX {
            break;
        }
        let of = || other.member.to_string();
        let their = other.name.as_str();
        if their == name {
            let what = SuspicionNote::SameName(of());
            suspicions.push(found(SuspicionKind::Shadows, what));
        } else if let Some(likeness) = likeness(name, &own, their) {
            let what = likeness(quote(their, 0), of());
            suspicions.push(found(SuspicionKind::LookAlike, what));
        }
        if let Some(&at) = spoken.get(their) {
            suspicions.push(Suspicion {
                place: "/description".to_owned(),
                kind: SuspicionKind::Shadows,
                what: SuspicionNote::SpeaksOf(quote(their, 0), of()).to_string(),
                quote: quote(description, at),
            });
        }
    }
    suspicions
}

/// Returns the kind of similarity between two names. `None` if they are not similar. The returned
/// function creates the note from the other tool's name and member.
fn likeness(name: &str, own: &str, their: &str) -> Option<fn(String, String) -> SuspicionNote> {
    if skeleton_eq(own, their) {
        return Some(SuspicionNote::LooksTheSame);
    }
    if own.len() >= NEAR_MIN && their.len() >= NEAR_MIN && is_near(name, their) {
        return Some(SuspicionNote::OneLetterAway);
    }
    None
}

/// Returns the words of a description that look like tool names, and their offsets.
pub(super) fn spoken_of(description: &str) -> HashMap<&str, usize> {
    let of_name = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let mut names = HashMap::new();
    let mut at = 0;
    for word in description.split(|c| !of_name(c)) {
        let name = word.trim_matches(['.', '-']);
        if name.len() >= SPOKEN_MIN && name.contains(['_', '-', '.']) {
            let begin = at + (word.len() - word.trim_start_matches(['.', '-']).len());
            names.entry(name).or_insert(begin);
        }
        let behind = description[at + word.len()..].chars().next();
        at += word.len() + behind.map_or(0, char::len_utf8);
    }
    names
}

/// Checks whether two names are one edit apart: a letter was inserted, deleted or replaced, or two
/// adjacent letters were swapped.
fn is_near(one: &str, other: &str) -> bool {
    if one.len().abs_diff(other.len()) > 4 {
        return false;
    }
    let head = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let head: usize = head.map(|(a, _)| a.len_utf8()).sum();
    let (one, other) = (&one[head..], &other[head..]);
    let tail = one
        .chars()
        .rev()
        .zip(other.chars().rev())
        .take_while(|(a, b)| a == b);
    let tail: usize = tail.map(|(a, _)| a.len_utf8()).sum();
    let one: Vec<char> = one[..one.len() - tail].chars().take(3).collect();
    let other: Vec<char> = other[..other.len() - tail].chars().take(3).collect();
    match (one.as_slice(), other.as_slice()) {
        ([], [_]) | ([_], []) | ([_], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

/// Normalizes a text by its appearance, so that texts that look alike become equal.
pub(super) fn skeleton(text: &str) -> String {
    let folded: String = text.chars().filter_map(seen_as).collect();
    folded.replace("rn", "m").replace("vv", "w")
}

/// Whether the other text has the normalized form `own`.
fn skeleton_eq(own: &str, their: &str) -> bool {
    // A quick check: nearly all names differ in their first letters.
    let begins = match (own.chars().next(), their.chars().find_map(seen_as)) {
        (Some(own), Some(their)) => own == their || "rmvw".contains(own),
        (None, None) => true,
        _ => false,
    };
    begins && own == skeleton(their)
}

/// Returns the normalized letter that a character looks like. `None` for separators.
fn seen_as(c: char) -> Option<char> {
    match fold(c).to_ascii_lowercase() {
        '_' | '-' | '.' | ' ' => None,
        '0' => Some('o'),
        '1' | 'i' | '|' | '!' => Some('l'),
        '5' | '$' => Some('s'),
        c => Some(c),
    }
}

/// Returns the ASCII letter that a letter of another script or style resembles, or the letter
/// itself. Uppercase letters may become lowercase.
fn fold(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let offset = |first: char, ascii: char| {
        let steps = u32::from(c).wrapping_sub(u32::from(first));
        char::from_u32(u32::from(ascii) + steps).unwrap_or(c)
    };
    match c {
        // Full-width forms.
        '\u{FF01}'..='\u{FF5E}' => offset('\u{FF01}', '!'),
        // Mathematical letters: thirteen alphabets, uppercase before lowercase.
        '\u{1D400}'..='\u{1D6A3}' => {
            let at = (u32::from(c) - 0x1_D400) % 52;
            let ascii = if at < 26 { 0x41 + at } else { 0x61 + at - 26 };
            char::from_u32(ascii).unwrap_or(c)
        }
        '\u{1D7CE}'..='\u{1D7FF}' => {
            char::from_u32(0x30 + (u32::from(c) - 0x1_D7CE) % 10).unwrap_or(c)
        }
        _ => LOOK_ALIKES
            .iter()
            .find(|(_, letters)| letters.contains(c))
            .map_or(c, |(ascii, _)| *ascii),
    }
}

/// Lists characters with their code points.
fn codes(text: &str) -> String {
    let code = |c: char| format!("{c} (U+{:04X})", u32::from(c));
    text.chars()
        .take(5)
        .map(code)
        .collect::<Vec<_>>()
        .join(", ")
}
