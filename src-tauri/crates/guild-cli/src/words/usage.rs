//! What is wrong with words of a command that clap takes for right.

use guild_core::note::{NameWrong, Told};

pub(crate) fn name(wrong: &NameWrong) -> String {
    wrong.told()
}

pub(crate) fn no_policy(word: &str) -> String {
    format!("{word:?} is none of allow, ask and deny")
}

pub(crate) fn tested(dimensions: usize, ms: u64) -> String {
    format!("The endpoint works: vectors of {dimensions} numbers, answered in {ms} ms.")
}
