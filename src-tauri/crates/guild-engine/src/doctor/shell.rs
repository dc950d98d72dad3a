//! Lists the variables that members get from the login shell.

use std::sync::Arc;

use guild_api::wire::{Check, FactKind, Finding, Verdict};
use guild_process::Environment;
use guild_process::environment::{ShellQueryOptions, ShellQueryOutcome, ShellVariables, Skipped};

use super::DoctorInput;

pub(super) const SUBJECT: &str = "login shell";

pub(super) async fn run(known: Arc<DoctorInput>) -> Vec<Finding> {
    let of_hall = &known.environment;
    match of_hall.outcome {
        // This program runs in a terminal. The finding also lists the variables that Guild Hall
        // would get when it is started from the desktop.
        ShellQueryOutcome::Skipped(why @ (Skipped::Terminal | Skipped::NotWanted)) => {
            let asked = Environment::ask(ShellQueryOptions {
                registry: Some(known.custody.clone()),
                ..ShellQueryOptions::by(known.own_binary.clone())
            });
            let asked = asked.settled().await;
            vec![finding(&asked, Some(why))]
        }
        _ => vec![finding(of_hall, None)],
    }
}

fn finding(shell: &ShellVariables, unused: Option<Skipped>) -> Finding {
    let subject = match &shell.shell {
        Some(shell) => shell.display().to_string(),
        None => SUBJECT.to_owned(),
    };
    let ms = shell.took.as_millis();
    let of = |verdict, kind, found| Finding::new(Check::LoginShell, subject, verdict, kind, found);
    match &shell.outcome {
        ShellQueryOutcome::Skipped(why) => {
            let found = format!("The check was skipped: {}.", reason(*why));
            of(Verdict::Note, FactKind::ShellNotAsked, found)
        }
        ShellQueryOutcome::Failed(problem) => {
            let found =
                format!("{problem} It took {ms} ms. Members get Guild Hall's own variables.");
            of(Verdict::Warning, FactKind::ShellFailed, found).advised(
                "Run the shell by hand (`$SHELL -ilc true`) to see what it waits for or says; \
                 `GUILD_HALL_LOGIN_SHELL=off` skips the shell.",
            )
        }
        ShellQueryOutcome::Read => {
            let variables = shell.differing.iter().map(|(name, value)| {
                match name.as_str() {
                    // Only the names of other variables are listed, since their values may be
                    // secret.
                    "PATH" => format!("PATH={value}"),
                    _ => name.clone(),
                }
            });
            let found = answered(ms, shell.differing.len(), unused);
            of(Verdict::Fine, FactKind::ShellAnswered, found).with(variables)
        }
    }
}

fn answered(ms: u128, differing: usize, unused: Option<Skipped>) -> String {
    let differ = match differing {
        0 => "no variable differs".to_owned(),
        1 => "one variable differs".to_owned(),
        many => format!("{many} variables differ"),
    };
    let used = match (unused, differing) {
        (Some(why), _) => format!(" Members do not get them, because {}.", reason(why)),
        (None, 0) => String::new(),
        (None, _) => " Members get them.".to_owned(),
    };
    format!("It answered in {ms} ms; {differ}.{used}")
}

fn reason(why: Skipped) -> &'static str {
    match why {
        Skipped::NotWanted => "this check starts nothing",
        Skipped::Windows => "Windows gives apps the user's variables",
        Skipped::Terminal => "Guild Hall was started from a terminal and has its variables",
        Skipped::SwitchedOff => "GUILD_HALL_LOGIN_SHELL is off",
        Skipped::InsideShell => "the login shell started Guild Hall",
        Skipped::NoShell => "the user has no login shell",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_variables_have_a_reason() {
        assert_eq!(
            answered(212, 1, Some(Skipped::Terminal)),
            "It answered in 212 ms; one variable differs. Members do not get them, because Guild \
             Hall was started from a terminal and has its variables."
        );
    }
}
