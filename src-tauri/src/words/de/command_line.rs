//! The help of the command line, and what is wrong with its words.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command, Error};

/// What help looks like: clap has its headings in English only.
const TEMPLATE: &str =
    "{about-with-newline}\nAufruf: {usage}\n\nArgumente:\n{positionals}\n\nOptionen:\n{options}\n";

/// The command with its help in German.
pub(super) fn help(command: Command) -> Command {
    let flag = |name: &'static str, short: char, action: ArgAction, text: &'static str| {
        Arg::new(name)
            .long(name)
            .short(short)
            .action(action)
            .help(text)
    };
    command
        .about("MCP-Server ausführen, zeigen, ausprobieren und anbieten")
        .override_usage("guild-hall [OPTIONEN] [LINK|DATEI]...")
        .help_template(TEMPLATE)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .mut_args(german)
        .arg(flag("help", 'h', ArgAction::Help, "Hilfe ausgeben"))
        .arg(flag("version", 'V', ArgAction::Version, "Version ausgeben"))
}

fn german(argument: Arg) -> Arg {
    let id = argument.get_id().to_string();
    match id.as_str() {
        "members" => argument
            .value_name("ORDNER")
            .help("Der Ordner der Mitglieder, statt dem in den Einstellungen"),
        "data" => argument
            .value_name("ORDNER")
            .help("Der Ordner für die eigenen Daten von Guild Hall"),
        "safe_render" => argument
            .help("Ohne die Puffer der Grafikkarte zeichnen, wo das Fenster leer bleibt (Linux)"),
        "hidden" => argument.help(
            "Ohne Fenster starten, wo der Desktop einen Infobereich hat, der es zurückbringt",
        ),
        "open" => argument.value_name("LINK|DATEI").help(
            "Was gezeigt wird: ein Link wie guildhall://member/NAME, oder Bundles zum Hineinsehen",
        ),
        _ => argument,
    }
}

/// What is wrong with the words of the command.
pub(super) fn mistake(error: &Error) -> Option<String> {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let what = match error.kind() {
        ErrorKind::UnknownArgument => format!("Das Argument »{argument}« gibt es hier nicht."),
        ErrorKind::InvalidValue => format!("{argument} braucht einen Wert."),
        ErrorKind::TooManyValues => format!("{argument} hat keinen Wert."),
        ErrorKind::ArgumentConflict => format!("{argument} darf nur einmal dastehen."),
        _ => return None,
    };
    Some(format!("Fehler: {what}\nMehr dazu: --help"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::Arguments;

    #[test]
    fn every_argument_has_german_help_under_german_headings() {
        let english = Arguments::command();
        let page = help(Arguments::command()).render_long_help().to_string();
        for argument in english.get_arguments() {
            let own = argument.get_help().expect("help").to_string();
            assert!(!page.contains(&own), "{own} in {page}");
        }
        for german in ["Aufruf: ", "Argumente:", "Optionen:", "Hilfe ausgeben"] {
            assert!(page.contains(german), "{german} in {page}");
        }
        for english in ["Usage", "Arguments:", "Options:", "Print ", "DIR", "FILE"] {
            assert!(!page.contains(english), "{english} in {page}");
        }
    }

    #[test]
    fn the_words_mean_the_same_in_german() {
        let words = [
            "guild-hall",
            "--data",
            "d",
            "--safe-render",
            "guildhall://page/doctor",
        ];
        let read = help(Arguments::command()).try_get_matches_from(words);
        let read = read.expect("a command line");
        let data = read.get_one::<std::path::PathBuf>("data");
        assert_eq!(data.map(|path| path.as_path()), Some("d".as_ref()));
        assert!(read.get_flag("safe_render") && !read.get_flag("hidden"));
    }

    #[test]
    fn a_mistake_is_told_in_german() {
        for (words, expected) in [
            (&["--membrs", "m"][..], "»--membrs« gibt es hier nicht"),
            (&["--members"][..], "--members <ORDNER> braucht einen Wert"),
            (&["--hidden=x"][..], "--hidden hat keinen Wert"),
            (
                &["--data", "a", "--data", "b"][..],
                "darf nur einmal dastehen",
            ),
        ] {
            let words = std::iter::once("guild-hall").chain(words.iter().copied());
            let error = help(Arguments::command()).try_get_matches_from(words);
            let error = error.expect_err("a mistake");
            let text = mistake(&error).expect("German");
            assert!(text.contains(expected), "{text}");
        }
    }
}
