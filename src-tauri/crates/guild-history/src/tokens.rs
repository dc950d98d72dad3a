//! Splits calls and searches into the words of the full-text index.
//!
//! The index stores words, not texts. The same function splits the texts of calls and of searches,
//! so that their words match. A call's member, tool, outcome and caller are added as special words
//! that no text contains. A search that combines such a property with words is therefore a single
//! index query.

use std::collections::BTreeSet;

use guild_api::wire::HistoryFilter;
use sha2::{Digest, Sha256};

/// Maximum length of a word, in characters. Longer words are indexed by their first characters.
const WORD_MAX: usize = 40;
/// Maximum number of words in a search. Further words are ignored.
const QUERY_WORDS_MAX: usize = 16;
/// The first character of the special words, which index a call's member, tool, outcome and caller.
/// It is a private-use character, not a letter, so that no word of a text contains it.
const MARK: char = '\u{E000}';

/// The index words of a call.
#[derive(Debug, Default)]
pub(super) struct IndexTerms(BTreeSet<String>);

impl IndexTerms {
    /// Adds the words of a text. The parts of a camel-case name such as `readFile` are added too.
    pub(super) fn take(&mut self, text: &str) {
        split(text, |word| {
            self.keep(word);
            let mut part = 0;
            let mut before = None;
            for (at, c) in word.char_indices() {
                if c.is_uppercase() && before.is_some_and(char::is_lowercase) {
                    self.keep(&word[part..at]);
                    part = at;
                }
                before = Some(c);
            }
            if part > 0 {
                self.keep(&word[part..]);
            }
        });
    }

    /// Adds the words of JSON text, without its escape sequences.
    pub(super) fn take_json(&mut self, text: &str) {
        if !text.contains('\\') {
            return self.take(text);
        }
        let mut plain = String::with_capacity(text.len());
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            if c != '\\' {
                plain.push(c);
                continue;
            }
            let escaped = chars.next();
            if escaped == Some('u') {
                let digits: String = chars.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok();
                plain.push(code.and_then(char::from_u32).unwrap_or(' '));
            } else {
                plain.push(' ');
            }
        }
        self.take(&plain);
    }

    /// Adds a property as a special word.
    pub(super) fn mark(&mut self, kind: char, value: &str) {
        self.0.insert(marked(kind, value));
    }

    /// Returns the words, separated by spaces, as input for the index.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for word in &self.0 {
            text.push_str(word);
            text.push(' ');
        }
        text
    }

    fn keep(&mut self, word: &str) {
        self.0.insert(lowered(word));
    }
}

/// The conditions of a search that the full-text index evaluates.
#[derive(Debug, PartialEq)]
pub(super) enum Query {
    /// The filter has no condition that the index evaluates.
    Anything,
    /// An FTS5 query that requires all words and properties of the filter.
    Words(String),
    /// The filter's text has no searchable word, so nothing matches.
    Nothing,
}

/// Builds the conditions of a filter that the full-text index evaluates.
pub(super) fn query(filter: &HistoryFilter) -> Query {
    let mut terms = Vec::new();
    if let Some(text) = filter
        .text
        .as_deref()
        .map(str::trim)
        .filter(|t| !t.is_empty())
    {
        let mut wanted: Vec<String> = Vec::new();
        split(text, |word| {
            if wanted.len() < QUERY_WORDS_MAX {
                wanted.push(lowered(word));
            }
        });
        let Some(last) = wanted.pop() else {
            return Query::Nothing;
        };
        terms.extend(wanted.iter().map(|word| format!("\"{word}\"")));
        // The last word may be incomplete, so it also matches as a prefix. The other words don't,
        // because a frequent prefix makes the index visit many calls.
        terms.push(format!("\"{last}\"*"));
    }
    let marks = [
        ('m', filter.member.as_ref().map(AsRef::as_ref)),
        ('t', filter.tool.as_ref().map(AsRef::as_ref)),
        ('o', filter.outcome.map(|outcome| outcome.as_str())),
        ('c', filter.caller.map(|caller| caller.as_str())),
    ];
    for (kind, value) in marks {
        terms.extend(value.map(|value| format!("\"{}\"", marked(kind, value))));
    }
    if terms.is_empty() {
        Query::Anything
    } else {
        Query::Words(terms.join(" AND "))
    }
}

/// Returns the marked index word for a value such as a member's name. The value is hashed, because
/// the index truncates long words.
fn marked(kind: char, value: &str) -> String {
    let mut word = format!("{MARK}{kind}");
    let digest = Sha256::digest(value);
    word.extend(digest.iter().take(8).map(|byte| format!("{byte:02x}")));
    word
}

fn lowered(word: &str) -> String {
    word.chars()
        .take(WORD_MAX)
        .flat_map(char::to_lowercase)
        .collect()
}

/// Splits a text into runs of letters and digits. In scripts without spaces, each character is a
/// word.
fn split(text: &str, mut word: impl FnMut(&str)) {
    let mut begin = None;
    for (at, c) in text.char_indices() {
        let alone = stands_alone(c);
        if (alone || !c.is_alphanumeric())
            && let Some(begin) = begin.take()
        {
            word(&text[begin..at]);
        }
        if alone {
            word(&text[at..at + c.len_utf8()]);
        } else if c.is_alphanumeric() {
            begin.get_or_insert(at);
        }
    }
    if let Some(begin) = begin {
        word(&text[begin..]);
    }
}

/// Returns true for Han, Kana and Thai characters, since these scripts have no spaces between
/// words.
fn stands_alone(c: char) -> bool {
    c.is_alphanumeric()
        && matches!(u32::from(c), 0x0E00..=0x0E7F | 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
}

#[cfg(test)]
mod tests {
    use guild_api::wire::OutcomeKind;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = IndexTerms::default();
        words.take_json(text);
        words.0.into_iter().collect()
    }

    fn asked(text: &str) -> Query {
        query(&HistoryFilter {
            text: Some(text.to_owned()),
            ..HistoryFilter::default()
        })
    }

    #[test]
    fn a_text_is_taken_apart_at_what_is_no_letter_and_no_digit() {
        assert_eq!(
            words(r#"{"read_File":"a-1.txt"}"#),
            ["1", "a", "file", "read", "txt"]
        );
        assert_eq!(
            words("readFile2 URL"),
            ["file2", "read", "readfile2", "url"]
        );
        assert_eq!(
            words(r#"one\ntwo\"three\u00e9 x\\y"#),
            ["one", "threeé", "two", "x", "y"]
        );
        assert_eq!(words("東京 ok"), ["ok", "京", "東"]);
        let long = "x".repeat(500);
        assert_eq!(words(&long), [long[..WORD_MAX].to_owned()]);
    }

    #[test]
    fn search_text_is_never_index_syntax() {
        assert_eq!(
            asked("  Foo-bar OR \"NEAR(x\" * "),
            Query::Words(r#""foo" AND "bar" AND "or" AND "near" AND "x"*"#.into())
        );
        assert_eq!(asked(" \"*-\u{E000}"), Query::Nothing);
        assert_eq!(asked("  "), Query::Anything);
    }

    #[test]
    fn a_property_is_a_word_that_no_text_has() {
        let filter = HistoryFilter {
            outcome: Some(OutcomeKind::Ok),
            ..HistoryFilter::default()
        };
        let Query::Words(query) = query(&filter) else {
            panic!("an outcome is asked of the index");
        };
        let mut call = IndexTerms::default();
        call.mark('o', "ok");
        assert_eq!(query, format!("\"{}\"", call.text().trim_end()));
        assert!(!words(&query).contains(&query.replace('"', "")));
    }
}
