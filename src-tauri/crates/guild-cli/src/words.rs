//! What the command line says to people, in their language.
//!
//! A language is a value of [`Words`], so that one with a sentence missing does not compile. Answers
//! in JSON are for programs and the same everywhere. Reports of what went wrong are told in English, which
//! logs and agents get, and most in the other languages too; of those that are not, [`reported`] says what
//! their code means.

mod authors;
mod care;
mod de;
pub(crate) mod help;
mod members;
mod registry;
mod servers;
mod settings;
mod usage;

use std::sync::OnceLock;

use guild_core::Report;
use guild_core::error;
use guild_core::language::Language;

pub(crate) use self::authors::Authors;
pub(crate) use self::care::Care;
pub(crate) use self::members::Members;
pub(crate) use self::registry::Registry;
pub(crate) use self::servers::Servers;
pub(crate) use self::settings::Settings;
pub(crate) use self::usage::Usage;

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
    pub(crate) usage: &'static Usage,
}

const EN: Words = Words {
    warning: "warning",
    error: "error",
    note: "note",
    hint: "hint",
    yes_or_no: "[y/N]",
    yes: &["y", "Y", "yes", "Yes"],
    more: |count| format!("and {} more", Language::En.number(count as u64)),
    members: &members::EN,
    servers: &servers::EN,
    registry: &registry::EN,
    care: &care::EN,
    settings: &settings::EN,
    authors: &authors::EN,
    usage: &usage::EN,
};

const DE: Words = Words {
    warning: "Warnung",
    error: "Fehler",
    note: "Hinweis",
    hint: "Rat",
    yes_or_no: "[j/N]",
    yes: &["j", "J", "ja", "Ja", "y", "Y"],
    // Of files, changes, tools: no gender fits them all.
    more: |count| match count {
        1 => "und noch 1".to_owned(),
        _ => format!("und {} weitere", Language::De.number(count as u64)),
    },
    members: &members::DE,
    servers: &servers::DE,
    registry: &registry::DE,
    care: &care::DE,
    settings: &settings::DE,
    authors: &authors::DE,
    usage: &usage::DE,
};

static LANGUAGE: OnceLock<Language> = OnceLock::new();

/// Speaks this language from now on; the first one holds.
pub(crate) fn speak(language: Language) {
    let _ = LANGUAGE.set(language);
}

/// The language that is spoken.
pub(crate) fn language() -> Language {
    LANGUAGE.get().copied().unwrap_or_default()
}

/// The words of the language that is spoken.
pub(crate) fn words() -> &'static Words {
    match language() {
        Language::En => &EN,
        Language::De => &DE,
    }
}

/// A report for people, in their language: as the engine says it, or where it says it in English alone
/// what its code means and what to do about it, with the engine's own words for both in between.
pub(crate) fn reported(report: &Report) -> String {
    reported_in(report, language(), words().hint)
}

fn reported_in(report: &Report, language: Language, hint: &str) -> String {
    let Some(meant) = report.code.words(language) else {
        return report.to_string();
    };
    let of = report.member.as_ref();
    let of = of.map_or_else(String::new, |member| format!("{member}: "));
    if report.german.is_some() {
        let error::Wording {
            message,
            hint: next,
        } = report.words(language);
        let text = format!("{of}{message} [{}]", report.code);
        return match next.as_str() {
            "" => text,
            next => format!("{text}\n{hint}: {next}"),
        };
    }
    let mut text = format!("{of}{} [{}]", meant.what, report.code);
    for line in report.message.lines().chain(report.hint.lines()) {
        text.push_str("\n  ");
        text.push_str(line);
    }
    format!("{text}\n{hint}: {}", meant.hint)
}

/// What happened, in a line and without the hint.
pub(crate) fn reported_shortly(report: &Report) -> String {
    report.words(language()).message
}

/// What to do about it.
pub(crate) fn advice_of(report: &Report) -> String {
    report.words(language()).hint
}

/// `1 tool`, `2,000 tools`.
fn counted(language: Language, count: usize, one: &str, other: &str) -> String {
    let form = if count == 1 { one } else { other };
    format!("{} {form}", language.number(count as u64))
}

#[cfg(test)]
mod tests {
    use guild_core::note::FolderTrouble;
    use guild_core::wire::{ExamplePart, FoundScope, RegistryStanding, SettingsPart};
    use guild_core::{Code, MemberName};

    use super::*;

    #[test]
    fn what_is_counted_has_the_form_of_its_number() {
        let tools = |count| (EN.members.tools_changed)(count);
        assert_eq!(
            [tools(1), tools(2), tools(2_000)],
            [
                "1 tool changed.",
                "2 tools changed.",
                "2,000 tools changed."
            ]
        );
        let tools = |count| (DE.members.tools_changed)(count);
        assert_eq!(
            [tools(1), tools(2), tools(2_000)],
            [
                "1 Werkzeug geändert.",
                "2 Werkzeuge geändert.",
                "2.000 Werkzeuge geändert."
            ]
        );
        assert_eq!((EN.more)(2_000), "and 2,000 more");
        assert_eq!(
            (EN.registry.left_out)(1),
            "1 entry is wrong and left out",
            "its verb too"
        );
        assert_eq!(
            (DE.members.tools_predicted)(1),
            "1 Werkzeug vorhergesagt. Aufrufen lässt es sich erst, wenn der Server es bestätigt."
        );
    }

    #[test]
    fn what_became_of_tools_and_results_stands_in_the_same_columns() {
        let tool = [EN, DE].map(|words| (words.authors.tool)("+ heat"));
        assert_eq!(tool, ["  tools    + heat", "  Werkz.   + heat"]);
        let part = [EN, DE].map(|words| (words.authors.part)(ExamplePart::Text));
        assert_eq!(part, ["its text", "der Text"]);
    }

    #[test]
    fn how_old_a_list_is_and_how_it_stands_is_told_in_the_language() {
        let as_of = |age| [EN, DE].map(|words| (words.registry.as_of)(age));
        assert_eq!(
            as_of("2days 3h"),
            ["as of 2days 3h ago", "Stand vor 2 Tagen 3h"]
        );
        assert_eq!(
            as_of("1month 1day"),
            ["as of 1month 1day ago", "Stand vor 1 Monat 1 Tag"]
        );
        assert_eq!(as_of("12m 5s"), ["as of 12m 5s ago", "Stand vor 12m 5s"]);
        let standing =
            [EN, DE].map(|words| (words.registry.standing)(RegistryStanding::Deprecated, "Gone."));
        assert_eq!(
            standing,
            ["it is deprecated. Gone.", "der Eintrag ist veraltet. Gone."]
        );
        let scope = [EN, DE].map(|words| (words.servers.scope)(FoundScope::Project));
        assert_eq!(scope, ["project", "für ein Projekt"]);
        let part = [EN, DE].map(|words| (words.settings.part)(SettingsPart::Registries));
        assert_eq!(part, ["registries", "Quellen der Register"]);
    }

    #[test]
    fn a_report_says_what_its_code_means_above_what_the_engine_says() {
        let report = Report::new(Code::CallTimeout, "No answer in 30 s.\nNone.", "Wait.")
            .of(&MemberName::parse("forge").expect("a name"));
        assert_eq!(
            reported_in(&report, Language::En, EN.hint),
            report.to_string(),
            "as it is"
        );
        let german = reported_in(&report, Language::De, DE.hint);
        let meant = Code::CallTimeout.words(Language::De).expect("words");
        let lines: Vec<&str> = german.lines().collect();
        assert_eq!(lines[0], format!("forge: {} [call-timeout]", meant.what));
        assert_eq!(
            lines[1..4],
            ["  No answer in 30 s.", "  None.", "  Wait."],
            "its hint too"
        );
        assert_eq!(lines[4..], [format!("Rat: {}", meant.hint)]);
    }

    #[test]
    fn a_report_that_is_told_in_german_says_nothing_in_english() {
        let wrong = FolderTrouble::NoManifest("/m/plugin.json".into());
        let report = Report::told(Code::ManifestMissing, &wrong);
        assert_eq!(
            reported_in(&report, Language::En, EN.hint),
            report.to_string()
        );
        assert_eq!(
            reported_in(&report, Language::De, DE.hint),
            "/m/plugin.json ist nicht nutzbar: Die Datei gibt es nicht. [manifest-missing]\nRat: Dort \
             eine plugin.json mit name, version, transport und command anlegen oder den Ordner entfernen."
        );
    }

    #[test]
    fn the_name_that_may_have_been_meant_is_not_lost() {
        let report = Report::new(Code::ToolUnknown, "No `het`.", "Did you mean `heat`?");
        let german = reported_in(&report, Language::De, DE.hint);
        assert!(
            german.contains("\n  No `het`.\n  Did you mean `heat`?\nRat: "),
            "{german}"
        );
    }
}
