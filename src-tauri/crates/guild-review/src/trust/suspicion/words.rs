//! Finds words in descriptions that address a model instead of a person.
//!
//! A pattern is a sequence of words with a few other words allowed between them. Case, punctuation
//! and similar letters do not matter.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::names::skeleton;
use super::quote;
use crate::messages::SuspicionNote;
use guild_api::wire::{Suspicion, SuspicionKind};

/// Maximum number of other words between two words of a pattern.
const GAP: usize = 4;
/// Maximum number of words of one text that are inspected.
const WORDS_MAX: usize = 50_000;
/// Minimum length of a Base64 text that is reported, in characters.
const BLOB_MIN: usize = 80;

/// A pattern, and the note for a match. Each item of the pattern lists the words that match at its
/// position, separated by blanks.
type SuspicionPattern = (&'static [&'static str], SuspicionNote);

const ROWS: &[SuspicionPattern] = &[
    (
        &[
            "ignore disregard forget override bypass",
            "previous prior above earlier all any other preceding",
            "instruction instructions rules prompt prompts directions guidelines",
        ],
        SuspicionNote::ToBeIgnored,
    ),
    (
        &[
            "not never dont don without avoid",
            "tell telling mention mentioning inform informing reveal show notify notifying disclose \
             ask asking alert alerting say",
            "user users human person anyone anybody",
        ],
        SuspicionNote::KeptFromUser,
    ),
    (
        &[
            "before after whenever prior",
            "using calling use call invoking running executing",
            "any other another every each all",
            "tool tools function functions",
        ],
        SuspicionNote::OtherTools,
    ),
    (
        &[
            "must always instead first",
            "call use invoke run execute",
            "tool function",
        ],
        SuspicionNote::ToBeCalled,
    ),
    (
        &["system", "prompt message"],
        SuspicionNote::OwnInstructions,
    ),
    (
        &[
            "send forward upload post include pass copy append",
            "conversation chat context history credentials secrets passwords keys",
        ],
        SuspicionNote::PassedOn,
    ),
    (&["bcc exfiltrate jailbreak"], SuspicionNote::RareWord),
];

/// A pattern with normalized words.
type SeenRow = (Vec<HashSet<String>>, SuspicionNote);

static SEEN: LazyLock<Vec<SeenRow>> = LazyLock::new(|| {
    let step = |words: &&str| words.split(' ').map(skeleton).collect();
    let row = |(row, what): &SuspicionPattern| (row.iter().map(step).collect(), what.clone());
    ROWS.iter().map(row).collect()
});

/// Lowercase substrings to search for, and their notes.
const PARTS: &[(&str, SuspicionNote)] = &[
    ("<important", SuspicionNote::ModelTag),
    ("<system", SuspicionNote::ModelTag),
    ("<secret", SuspicionNote::ModelTag),
    ("<instruction", SuspicionNote::ModelTag),
    ("<assistant", SuspicionNote::ModelTag),
    ("<|im_", SuspicionNote::ModelMark),
    ("[inst]", SuspicionNote::ModelMark),
    ("[system]", SuspicionNote::ModelMark),
    ("### system", SuspicionNote::ModelMark),
    ("<!--", SuspicionNote::Comment),
    ("~/.ssh", SuspicionNote::SecretFile),
    (".ssh/", SuspicionNote::SecretFile),
    ("id_rsa", SuspicionNote::SecretFile),
    ("id_ed25519", SuspicionNote::SecretFile),
    (".aws/credentials", SuspicionNote::SecretFile),
    (".netrc", SuspicionNote::SecretFile),
    (".npmrc", SuspicionNote::SecretFile),
    ("/etc/passwd", SuspicionNote::SecretFile),
    ("/etc/shadow", SuspicionNote::SecretFile),
    (".cursor/mcp.json", SuspicionNote::SecretFile),
    ("claude_desktop_config", SuspicionNote::SecretFile),
    ("private key", SuspicionNote::Secret),
];

pub(super) fn suspicions(text: &str, place: &str) -> Vec<Suspicion> {
    let found = |what: &SuspicionNote, at: usize| Suspicion {
        place: place.to_owned(),
        kind: SuspicionKind::Instruction,
        what: what.to_string(),
        quote: quote(text, at),
    };
    let mut suspicions = Vec::new();
    if text.len() >= 8 {
        let words = words(text);
        for (row, what) in SEEN.iter() {
            if let Some(at) = row_in(row, &words) {
                suspicions.push(found(what, at));
            }
        }
        for (part, what) in PARTS {
            if let Some(at) = part_in(part, text)
                && !suspicions
                    .iter()
                    .any(|known: &Suspicion| known.what == what.to_string())
            {
                suspicions.push(found(what, at));
            }
        }
    }
    if let Some(at) = blob_in(text) {
        suspicions.push(found(&SuspicionNote::Unreadable, at));
    }
    suspicions
}

/// Returns the normalized words of a text, each with its offset.
fn words(text: &str) -> Vec<(usize, String)> {
    let mut words: Vec<(usize, String)> = Vec::new();
    let mut begin = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (begin, c.is_alphanumeric()) {
            (None, true) => begin = Some(at),
            (Some(from), false) if c != '\'' && c != '’' => {
                let word = text[from..at].replace(['\'', '’'], "");
                words.push((from, skeleton(&word)));
                begin = None;
            }
            _ => {}
        }
        if words.len() >= WORDS_MAX {
            break;
        }
    }
    words
}

/// Returns the offset of the first match of a pattern.
fn row_in(row: &[HashSet<String>], words: &[(usize, String)]) -> Option<usize> {
    let (first, rest) = row.split_first()?;
    'begin: for (at, (begin, word)) in words.iter().enumerate() {
        if !first.contains(word) {
            continue;
        }
        let mut from = at + 1;
        for step in rest {
            let near = words.iter().enumerate().skip(from).take(GAP + 1);
            let mut near = near.filter(|(_, (_, word))| step.contains(word));
            match near.next() {
                Some((next, _)) => from = next + 1,
                None => continue 'begin,
            }
        }
        return Some(*begin);
    }
    None
}

/// Returns the offset of a substring. ASCII case is ignored.
fn part_in(part: &str, text: &str) -> Option<usize> {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let windows = text.windows(part.len());
    // The substring is ASCII, so a match begins at a character boundary.
    windows
        .enumerate()
        .find_map(|(at, window)| window.eq_ignore_ascii_case(part).then_some(at))
}

/// Returns the offset of a long Base64 sequence: letters of both cases and digits.
fn blob_in(text: &str) -> Option<usize> {
    let of_blob = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=_-".contains(&byte);
    let bytes = text.as_bytes();
    let mut begin = 0;
    for at in 0..=bytes.len() {
        if bytes.get(at).is_some_and(|byte| of_blob(*byte)) {
            continue;
        }
        let run = &bytes[begin..at];
        let mixed = run.iter().any(u8::is_ascii_lowercase)
            && run.iter().any(u8::is_ascii_uppercase)
            && run.iter().any(u8::is_ascii_digit);
        // A path or an address contains a separator every few letters, and is not reported.
        let plain = run
            .split(|byte| b"/-_".contains(byte))
            .any(|part| part.len() >= BLOB_MIN / 2);
        let of_image = text.starts_with("data:image/");
        if run.len() >= BLOB_MIN && mixed && plain && !of_image {
            return Some(begin);
        }
        begin = at + 1;
    }
    None
}
