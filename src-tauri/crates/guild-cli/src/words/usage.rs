//! What is wrong with words of a command that clap takes for right.

use guild_core::note::{NameWrong, Told};

pub(crate) fn name(wrong: &NameWrong) -> String {
    wrong.told()
}

pub(crate) fn no_policy(word: &str) -> String {
    format!("{word:?} is none of allow, ask and deny")
}
