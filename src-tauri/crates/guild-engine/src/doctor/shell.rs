//! What the login shell adds to the variables that members get.

use std::sync::Arc;

use guild_core::wire::{Check, Finding, Verdict};
use guild_process::Environment;
use guild_process::environment::{Asking, Outcome, ShellVariables, Skipped};

use super::{Knowledge, More, finding};

/// How to read the finding again, in words.
const TRY: &str = "Run the shell by hand (`$SHELL -ilc true`) to see what it waits for or says; \
                   `GUILD_HALL_LOGIN_SHELL=off` has Guild Hall ask no shell.";

pub(super) async fn look(known: Arc<Knowledge>) -> Vec<Finding> {
    let of_hall = &known.environment;
    match of_hall.outcome {
        // What a double click would bring is worth knowing in a terminal too.
        Outcome::Skipped(why @ (Skipped::Terminal | Skipped::NotWanted)) => {
            let asked = Environment::ask(Asking {
                custody: Some(known.custody.clone()),
                ..Asking::by(known.own_binary.clone())
            });
            let asked = asked.settled().await;
            vec![tell(&asked, Some(why))]
        }
        _ => vec![tell(of_hall, None)],
    }
}

fn tell(shell: &ShellVariables, only_looked: Option<Skipped>) -> Finding {
    let subject = match &shell.shell {
        Some(shell) => shell.display().to_string(),
        None => "login shell".to_owned(),
    };
    let took = shell.took.as_millis();
    let of = |verdict, found: String| finding(Check::LoginShell, subject, verdict, found);
    match &shell.outcome {
        Outcome::Skipped(why) => of(
            Verdict::Note,
            format!("It was not asked: {}.", reason(*why)),
        ),
        Outcome::Failed(problem) => of(
            Verdict::Warning,
            format!("{problem} It took {took} ms. Members get Guild Hall's own variables."),
        )
        .advised(TRY),
        Outcome::Read => {
            let names: Vec<String> = shell
                .differing
                .iter()
                .map(|(name, value)| match name.as_str() {
                    // Other values may be secret.
                    "PATH" => format!("PATH={value}"),
                    _ => name.clone(),
                })
                .collect();
            let differing = match names.len() {
                0 => "no variable differs".to_owned(),
                1 => "one variable differs".to_owned(),
                many => format!("{many} variables differ"),
            };
            let used = match only_looked {
                Some(why) => format!(" Members do not get them, because {}.", reason(why)),
                None if names.is_empty() => String::new(),
                None => " Members get them.".to_owned(),
            };
            of(
                Verdict::Fine,
                format!("It answered in {took} ms; {differing}.{used}"),
            )
            .with(names)
        }
    }
}

fn reason(why: Skipped) -> &'static str {
    match why {
        Skipped::NotWanted => "nothing is started here",
        Skipped::Windows => "programs have the user's variables however they are started",
        Skipped::Terminal => "Guild Hall was started from a terminal and has its variables",
        Skipped::SwitchedOff => "GUILD_HALL_LOGIN_SHELL is off",
        Skipped::InsideShell => "Guild Hall was started by the shell that it asks",
        Skipped::NoShell => "the user has no shell that lets anybody in",
    }
}
