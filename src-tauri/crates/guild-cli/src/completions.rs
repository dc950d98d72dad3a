//! `guildhall completions`.

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Cli;

/// Which shell is told.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Prints the script that the shell reads.
pub(crate) fn print(arguments: &CompletionsArgs) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Cli::command(),
        "guildhall",
        &mut script,
    );
    match std::io::stdout().lock().write_all(&script) {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads any more.
        Err(_) => ExitCode::from(4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shell_is_told_of_the_commands() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "guildhall", &mut script);
            let script = String::from_utf8(script).expect("a text");
            for command in ["hand-over", "doctor", "completions"] {
                assert!(script.contains(command), "{shell} completes {command}");
            }
        }
    }
}
