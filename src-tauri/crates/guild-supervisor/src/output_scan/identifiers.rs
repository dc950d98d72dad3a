//! Finds words that look like tool names: lowercase `word_word`, separate from other text.
//!
//! This is a guess of last resort. It skips parts of paths, file names, assignments and messages of
//! a language's runtime. It also skips the lines of a stack trace and the code that it quotes.

use serde_json::Value;

use super::ToolNameCollector;
use super::text::OutputText;

/// Maximum length of a word, in bytes.
const WORD_MAX: usize = 64;
/// Words that look like tool names but are names of settings or folders.
const NEVER: &str = "\
    access_token api_key api_token base_url client_id client_secret dist_packages env_file \
    exit_code log_level node_modules project_id site_packages stack_trace user_agent user_id";
/// Characters that, next to a word, show that the word is a part of something else, such as a path.
const TIES: &[char] = &[
    '/', '\\', '.', '-', '=', '@', '$', '%', '#', '~', '<', '>', '&', '+', '[', '{',
];

pub(super) fn entries(text: &OutputText) -> Vec<Value> {
    let mut names = ToolNameCollector::default();
    let mut quoted = false;
    for line in text.unspoken().lines() {
        // A line of quoted source code follows a source position.
        let quotes = std::mem::replace(&mut quoted, is_place(line));
        if quotes || quoted || is_trace(line) {
            continue;
        }
        for (at, word) in words(line) {
            let before = line[..at].chars().next_back();
            let mut after = line[at + word.len()..].chars();
            let free = !before.is_some_and(|c| TIES.contains(&c)) && is_end(&mut after);
            if free
                && is_name(word)
                && !NEVER.split(' ').any(|never| never == word)
                && !names.take(word)
            {
                return names.entries;
            }
        }
    }
    names.entries
}

/// Returns the words of a line, and their offsets.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_between = |c: char| !c.is_alphanumeric() && c != '_';
    let mut next = 0;
    line.split_inclusive(is_between).map(move |piece| {
        let at = next;
        next += piece.len();
        (at, piece.trim_end_matches(is_between))
    })
}

/// Checks whether a word ends here. A full stop or a colon ends it only before white space.
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

/// Checks for a line of a stack trace of Node or Python.
fn is_trace(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("at ") || line.contains("Error: ")
}

/// Checks for a source position that precedes a quoted line: `File "/a.py", line 1`, `/a.js:1`.
fn is_place(line: &str) -> bool {
    let line = line.trim();
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let of_node = line.rsplit_once(':').is_some_and(|(place, number)| {
        place.contains(['/', '\\']) && !number.is_empty() && is_number(number)
    });
    line.starts_with("File \"") || of_node
}
