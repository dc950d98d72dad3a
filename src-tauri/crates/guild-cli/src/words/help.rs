//! The help of the command line in a person's language.
//!
//! English stands at the commands and arguments themselves, where clap wants it. Another language is a
//! table by their words, which a test holds against them: none is missing, and none is too many.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseIntError};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg as Argument, ArgAction, Command, Error};
use guild_core::language::Language;
use guild_core::note::{ArgumentWrong, Told};

use super::de;

/// The words of an argument: `--json`, or `<member>` for one that stands by itself.
fn words_of(argument: &Argument) -> String {
    match argument.get_long() {
        Some(long) => format!("--{long}"),
        None => format!("<{}>", argument.get_id()),
    }
}

fn under(path: &str, word: &str) -> String {
    format!("{path} {word}").trim_start().to_owned()
}

/// The command with its help in a language.
pub(crate) fn localised(command: Command, language: Language) -> Command {
    match language {
        Language::En => command,
        Language::De => german(command, ""),
    }
}

fn german_argument(argument: Argument, path: &str) -> Argument {
    let words = under(path, &words_of(&argument));
    let Some(text) = de::help(&words) else {
        return argument;
    };
    let mut text = text.to_owned();
    let argument = match argument.get_action().takes_values() {
        true => argument.hide_possible_values(true).hide_default_value(true),
        false => return argument.help(text).long_help(None),
    };
    let values: Vec<_> = argument
        .get_possible_values()
        .iter()
        .map(
            |value| match de::help(&format!("{words}={}", value.get_name())) {
                Some(meaning) => format!("{} ({meaning})", value.get_name()),
                None => value.get_name().to_owned(),
            },
        )
        .collect();
    if !values.is_empty() {
        text.push_str(&format!(" [möglich: {}]", values.join(", ")));
    }
    let ordinary: Vec<_> = argument
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy())
        .collect();
    if !ordinary.is_empty() {
        text.push_str(&format!(" [Vorgabe: {}]", ordinary.join(", ")));
    }
    argument.help(text).long_help(None)
}

fn german(command: Command, path: &str) -> Command {
    let (template, usage) = (template(&command), usage(&command, path));
    let version = path.is_empty().then(|| {
        Argument::new("version")
            .display_order(1_001)
            .long("version")
            .short('V')
            .action(ArgAction::Version)
            .help("Version ausgeben")
    });
    let command = command
        .help_template(template)
        .override_usage(usage)
        .subcommand_value_name("BEFEHL")
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .disable_version_flag(true)
        .args(version)
        .arg(
            Argument::new("help")
                .display_order(1_000)
                .long("help")
                .short('h')
                .action(ArgAction::Help)
                .help("Hilfe ausgeben"),
        )
        .mut_args(|argument| german_argument(argument, path))
        .mut_subcommands(|inner| {
            let path = under(path, inner.get_name());
            german(inner, &path)
        });
    match de::help(path) {
        Some(text) => command.about(text).long_about(None),
        None => command,
    }
}

/// How a command is written, as clap puts it together, but for its words in English.
fn usage(command: &Command, path: &str) -> String {
    let usage = command
        .clone()
        .bin_name(under("guildhall", path))
        .render_usage()
        .to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    usage
        .replace("[OPTIONS]", "[OPTIONEN]")
        .replace("<COMMAND>", "<BEFEHL>")
        .replace("[COMMAND]", "[BEFEHL]")
}

/// What help looks like, with the headings that clap has in English only.
fn template(command: &Command) -> String {
    let mut template = "{about-with-newline}\nAufruf: {usage}\n".to_owned();
    if command.has_subcommands() {
        template.push_str("\nBefehle:\n{subcommands}\n");
    }
    if command.get_positionals().next().is_some() {
        template.push_str("\nArgumente:\n{positionals}\n");
    }
    template + "\nOptionen:\n{options}\n"
}

/// What is wrong with the words of a command, in a person's language; `None` where clap says it itself.
pub(crate) fn mistake(error: &Error, language: Language) -> Option<String> {
    if language == Language::En {
        return None;
    }
    let said = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        Some(ContextValue::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let argument = || said(ContextKind::InvalidArg);
    let what = match error.kind() {
        ErrorKind::UnknownArgument => format!("Das Argument »{}« gibt es hier nicht.", argument()),
        ErrorKind::InvalidSubcommand => {
            format!(
                "Den Befehl »{}« gibt es nicht.",
                said(ContextKind::InvalidSubcommand)
            )
        }
        ErrorKind::MissingRequiredArgument => format!("Es fehlt: {}.", argument()),
        ErrorKind::InvalidValue if said(ContextKind::InvalidValue).is_empty() => {
            format!("{} braucht einen Wert.", argument())
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => format!(
            "»{}« ist kein Wert für {}{}.",
            said(ContextKind::InvalidValue),
            argument(),
            why(error).map_or_else(String::new, |why| format!(": {why}"))
        ),
        ErrorKind::TooManyValues => format!(
            "»{}« ist ein Wert zu viel für {}.",
            said(ContextKind::InvalidValue),
            argument()
        ),
        ErrorKind::InvalidUtf8 => "Ein Wort des Befehls ist kein UTF-8.".to_owned(),
        ErrorKind::ArgumentConflict => format!(
            "{} geht nicht zusammen mit {}.",
            argument(),
            said(ContextKind::PriorArg)
        ),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "Es fehlt ein Befehl.".to_owned()
        }
        _ => return None,
    };
    let mut near = String::new();
    let valid = said(ContextKind::ValidValue);
    if !valid.is_empty() {
        near.push_str(&format!("Möglich: {valid}\n"));
    }
    let alike = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand].map(said);
    if let Some(alike) = alike.iter().find(|alike| !alike.is_empty()) {
        near.push_str(&format!("Gemeint vielleicht: {alike}\n"));
    }
    Some(framed(&what, &near))
}

/// Why a word is no value, in German, where whoever read it says so.
fn why(error: &Error) -> Option<String> {
    let why = error.source()?;
    if let Some(wrong) = why.downcast_ref::<ArgumentWrong>() {
        return Some(wrong.told(Language::De));
    }
    if let Some(wrong) = why.downcast_ref::<ParseIntError>() {
        let said = match wrong.kind() {
            IntErrorKind::PosOverflow => "die Zahl ist zu groß",
            IntErrorKind::NegOverflow => "die Zahl ist zu klein",
            _ => "erwartet wird eine ganze Zahl",
        };
        return Some(said.to_owned());
    }
    // As clap has it, with the range behind.
    let said = why.to_string();
    let (_, range) = said.split_once(" is not in ")?;
    Some(format!("erwartet wird eine ganze Zahl in {range}"))
}

/// What is wrong with words that clap took for right, as [`mistake`] says it; `None` where clap does.
pub(crate) fn misuse(what: &str, language: Language) -> Option<String> {
    match language {
        Language::En => None,
        Language::De => Some(framed(what, "")),
    }
}

/// A mistake in German, with what may have been meant.
fn framed(what: &str, near: &str) -> String {
    format!("Fehler: {what}\n{near}Mehr dazu: --help\n")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;
    use crate::Cli;

    /// The words of every command and argument that has help.
    fn all(command: &Command, path: &str, words: &mut BTreeSet<String>) {
        words.insert(path.to_owned());
        for argument in command.get_arguments() {
            let own = under(path, &words_of(argument));
            for value in argument.get_possible_values() {
                if value.get_help().is_some() {
                    words.insert(format!("{own}={}", value.get_name()));
                }
            }
            words.insert(own);
        }
        for inner in command.get_subcommands() {
            all(inner, &under(path, inner.get_name()), words);
        }
    }

    #[test]
    fn every_command_and_argument_has_german_help_and_there_is_none_too_many() {
        let mut words = BTreeSet::new();
        all(&Cli::command(), "", &mut words);
        let german: BTreeSet<String> = de::all().map(|(words, _)| (*words).to_owned()).collect();
        assert_eq!(german.len(), de::all().count(), "each stands there once");
        let missing: Vec<_> = words.difference(&german).collect();
        assert!(missing.is_empty(), "no German help: {missing:#?}");
        let gone: Vec<_> = german.difference(&words).collect();
        assert!(gone.is_empty(), "German help of nothing: {gone:#?}");
    }

    #[test]
    fn german_help_has_no_english_heading() {
        let mut command = localised(Cli::command(), Language::De);
        let mut pages = vec![command.render_long_help().to_string()];
        for name in ["call", "secret", "registry"] {
            let inner = command.find_subcommand_mut(name).expect("a command");
            pages.push(inner.render_long_help().to_string());
        }
        for page in pages {
            assert!(page.contains("Aufruf: "), "{page}");
            assert!(page.contains("Hilfe ausgeben"), "{page}");
            for english in [
                "Usage",
                "Commands:",
                "Arguments:",
                "Options:",
                "Print ",
                "[default",
                "[possible",
            ] {
                assert!(!page.contains(english), "{english} in {page}");
            }
        }
    }

    #[test]
    fn a_mistake_is_told_in_german_with_what_was_meant() {
        let told = |words: &[&str]| {
            let command = localised(Cli::command(), Language::De);
            let error = command.try_get_matches_from(words).expect_err("a mistake");
            mistake(&error, Language::De).expect("German")
        };
        let unknown = told(&["guildhall", "lst"]);
        assert!(
            unknown.contains("»lst«") && unknown.contains("list"),
            "{unknown}"
        );
        assert!(
            told(&["guildhall", "call", "forge"]).contains("Es fehlt: <"),
            "the tool"
        );
        for (words, expected) in [
            (
                &["logs", "forge", "--lines", "many"][..],
                "»many« ist kein Wert für --lines <N>: erwartet wird eine ganze Zahl.",
            ),
            (
                &["logs", "forge", "--lines", "99999999999999999999"][..],
                "»99999999999999999999« ist kein Wert für --lines <N>: die Zahl ist zu groß.",
            ),
            (
                &["history", "--limit", "501"][..],
                "»501« ist kein Wert für --limit <N>: erwartet wird eine ganze Zahl in 1..=500.",
            ),
            (
                &["connect", "--mode", "fast"][..],
                "»fast« ist kein Wert für --mode <MODE>: möglich sind lazy, full und search.",
            ),
            (
                &["add", "notes.mcpb", "--set", "key"][..],
                "»key« ist kein Wert für --set <KEY=VALUE>: zu schreiben als KEY=VALUE.",
            ),
            (
                &["list", "--json=all"][..],
                "»all« ist ein Wert zu viel für --json.",
            ),
        ] {
            let words = [&["guildhall"][..], words].concat();
            let expected = format!("Fehler: {expected}\nMehr dazu: --help\n");
            assert_eq!(told(&words), expected);
        }
        let error = Cli::command()
            .try_get_matches_from(["guildhall", "lst"])
            .expect_err("a mistake");
        assert_eq!(mistake(&error, Language::En), None, "clap's own");
    }

    #[test]
    fn words_that_clap_takes_are_refused_in_the_same_frame() {
        let german = misuse("Das geht nicht.", Language::De);
        assert_eq!(
            german.as_deref(),
            Some("Fehler: Das geht nicht.\nMehr dazu: --help\n")
        );
        assert_eq!(misuse("not so", Language::En), None, "clap's own");
    }
}
