//! Words that look like a tool's name: `word_word`, in lower case, standing free.
//!
//! The last resort, and a guess. Parts of paths, of files' names, of assignments and of a language's
//! own messages are not taken, nor are lines of a stack trace or of the program that it quotes.

use serde_json::Value;

use super::Names;
use super::text::Text;

/// The longest word that is taken, in bytes.
const WORD_MAX: usize = 64;
/// What looks like a name and is a place or a setting.
const NEVER: [&str; 16] = [
    "access_token",
    "api_key",
    "api_token",
    "base_url",
    "client_id",
    "client_secret",
    "dist_packages",
    "env_file",
    "exit_code",
    "log_level",
    "node_modules",
    "project_id",
    "site_packages",
    "stack_trace",
    "user_agent",
    "user_id",
];
/// A character beside a word that makes it a part of something else.
const TIES: &[char] = &[
    '/', '\\', '.', '-', '=', '@', '$', '%', '#', '~', '<', '>', '&', '+', '[', '{',
];

pub(super) fn entries(text: &Text) -> Vec<Value> {
    let mut names = Names::default();
    let mut quoted = false;
    for line in text.unspoken().lines() {
        // What follows such a line is the program's own text.
        let quotes = std::mem::replace(&mut quoted, is_place(line));
        if quotes || quoted || is_trace(line) {
            continue;
        }
        for (at, word) in words(line) {
            let before = line[..at].chars().next_back();
            let mut after = line[at + word.len()..].chars();
            let free = !before.is_some_and(|c| TIES.contains(&c)) && is_end(&mut after);
            if free && is_name(word) && !NEVER.contains(&word) && !names.take(word) {
                return names.entries;
            }
        }
    }
    names.entries
}

/// The words of a line and where each begins.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_between = |c: char| !c.is_alphanumeric() && c != '_';
    let mut next = 0;
    line.split_inclusive(is_between).map(move |piece| {
        let at = next;
        next += piece.len();
        (at, piece.trim_end_matches(is_between))
    })
}

/// Whether a word that is followed by this stands free: a full stop or a colon ends a sentence, or
/// goes on with a part.
fn is_end(after: &mut std::str::Chars<'_>) -> bool {
    match after.next() {
        None => true,
        Some('.' | ':') => after.next().is_none_or(char::is_whitespace),
        Some(next) => !TIES.contains(&next),
    }
}

fn is_name(word: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    word.len() <= WORD_MAX
        && word.contains('_')
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.split('_').all(part)
}

/// A line of a stack trace, as Node and Python write them.
fn is_trace(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("at ") || line.contains("Error: ")
}

/// A place in a program, before the line that stands there: `File "/a.py", line 1`, `/a.js:1`.
fn is_place(line: &str) -> bool {
    let line = line.trim();
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let of_node = line.rsplit_once(':').is_some_and(|(place, number)| {
        place.contains(['/', '\\']) && !number.is_empty() && is_number(number)
    });
    line.starts_with("File \"") || of_node
}
