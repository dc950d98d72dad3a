//! What the command line says to people, in their language.
//!
//! A language is a value of [`Words`], so that one with a sentence missing does not compile. Answers
//! in JSON are for programs and the same everywhere; reports of what went wrong are said as the engine
//! says them, in English, with their code.

mod authors;
mod care;
mod de;
pub(crate) mod help;
mod members;
mod registry;
mod servers;
mod settings;

use std::sync::OnceLock;

use guild_core::language::Language;

pub(crate) use self::authors::Authors;
pub(crate) use self::care::Care;
pub(crate) use self::members::Members;
pub(crate) use self::registry::Registry;
pub(crate) use self::servers::Servers;
pub(crate) use self::settings::Settings;

/// All of it in one language.
#[derive(Debug)]
pub(crate) struct Words {
    /// Before what is odd.
    pub(crate) warning: &'static str,
    /// Before what went wrong.
    pub(crate) error: &'static str,
    /// Before what is worth knowing.
    pub(crate) note: &'static str,
    /// Before what to do about it.
    pub(crate) hint: &'static str,
    /// Behind a question, with the letter of a yes first.
    pub(crate) yes_or_no: &'static str,
    /// What stands for a yes.
    pub(crate) yes: &'static [&'static str],
    /// So much more than is shown.
    pub(crate) more: fn(usize) -> String,
    pub(crate) members: &'static Members,
    pub(crate) servers: &'static Servers,
    pub(crate) registry: &'static Registry,
    pub(crate) care: &'static Care,
    pub(crate) settings: &'static Settings,
    pub(crate) authors: &'static Authors,
}

const EN: Words = Words {
    warning: "warning",
    error: "error",
    note: "note",
    hint: "hint",
    yes_or_no: "[y/N]",
    yes: &["y", "Y", "yes", "Yes"],
    more: |count| format!("and {count} more"),
    members: &members::EN,
    servers: &servers::EN,
    registry: &registry::EN,
    care: &care::EN,
    settings: &settings::EN,
    authors: &authors::EN,
};

const DE: Words = Words {
    warning: "Warnung",
    error: "Fehler",
    note: "Hinweis",
    hint: "Rat",
    yes_or_no: "[j/N]",
    yes: &["j", "J", "ja", "Ja", "y", "Y"],
    more: |count| format!("und {count} weitere"),
    members: &members::DE,
    servers: &servers::DE,
    registry: &registry::DE,
    care: &care::DE,
    settings: &settings::DE,
    authors: &authors::DE,
};

static LANGUAGE: OnceLock<Language> = OnceLock::new();

/// Speaks this language from now on; the first one holds.
pub(crate) fn speak(language: Language) {
    let _ = LANGUAGE.set(language);
}

/// The words of the language that is spoken.
pub(crate) fn words() -> &'static Words {
    match LANGUAGE.get().copied().unwrap_or_default() {
        Language::En => &EN,
        Language::De => &DE,
    }
}

/// `1 tool`, `2 tools`.
fn counted(count: usize, one: &str, other: &str) -> String {
    let form = if count == 1 { one } else { other };
    format!("{count} {form}")
}
