//! Variables that the login shell adds for members.

use std::sync::Arc;

use guild_core::doctor::{Advice, Detail, Fact, Observation, Subject, Unasked};
use guild_core::wire::{Check, Verdict};
use guild_process::Environment;
use guild_process::environment::{Asking, Outcome, ShellVariables, Skipped};

use super::Knowledge;

pub(super) async fn look(known: Arc<Knowledge>) -> Vec<Observation> {
    let of_hall = &known.environment;
    match of_hall.outcome {
        // In a terminal, the variables after a double click are useful too.
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

fn tell(shell: &ShellVariables, only_looked: Option<Skipped>) -> Observation {
    let subject = match &shell.shell {
        Some(shell) => Subject::Named(shell.display().to_string()),
        None => Subject::LoginShell,
    };
    let ms = shell.took.as_millis();
    let of = |verdict, fact| Observation::new(Check::LoginShell, subject, verdict, fact);
    match &shell.outcome {
        Outcome::Skipped(why) => {
            let why = unasked(*why);
            of(Verdict::Note, Fact::ShellNotAsked { why })
        }
        Outcome::Failed(problem) => {
            let problem = problem.clone();
            of(Verdict::Warning, Fact::ShellFailed { problem, ms }).advised(Advice::RunShell)
        }
        Outcome::Read => {
            let variables = shell.differing.iter().map(|(name, value)| {
                Detail::Plain(match name.as_str() {
                    // Other values may be secret.
                    "PATH" => format!("PATH={value}"),
                    _ => name.clone(),
                })
            });
            let answered = Fact::ShellAnswered {
                ms,
                differing: shell.differing.len(),
                unused: only_looked.map(unasked),
            };
            of(Verdict::Fine, answered).with(variables)
        }
    }
}

fn unasked(why: Skipped) -> Unasked {
    match why {
        Skipped::NotWanted => Unasked::NotWanted,
        Skipped::Windows => Unasked::Windows,
        Skipped::Terminal => Unasked::Terminal,
        Skipped::SwitchedOff => Unasked::SwitchedOff,
        Skipped::InsideShell => Unasked::InsideShell,
        Skipped::NoShell => Unasked::NoShell,
    }
}
