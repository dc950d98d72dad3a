//! The words of what was found.
//!
//! A language is a value of [`Words`], so that one with a sentence missing does not compile.

mod de;
mod en;

use super::{Advice, Detail, Fact, Subject};
use crate::language::Language;

/// All of it in one language.
#[derive(Debug)]
pub(super) struct Words {
    /// The thing that was looked at.
    pub(super) subject: fn(&Subject) -> String,
    /// What was found, as a sentence.
    pub(super) fact: fn(&Fact) -> String,
    /// A line of more.
    pub(super) detail: fn(&Detail) -> String,
    /// What to do about it.
    pub(super) advice: fn(&Advice) -> String,
}

/// The words of a language.
pub(super) fn of(language: Language) -> &'static Words {
    match language {
        Language::En => &en::WORDS,
        Language::De => &de::WORDS,
    }
}

/// A sentence, and what a program wrote, where it wrote something.
fn with_words(sentence: String, said: &str) -> String {
    match said {
        "" => sentence,
        said => format!("{sentence} {said}"),
    }
}

/// A number of bytes for people.
fn size(bytes: u64) -> String {
    let mib = bytes >> 20;
    if mib < 10 * 1024 {
        format!("{mib} MiB")
    } else {
        format!("{} GiB", mib >> 10)
    }
}
