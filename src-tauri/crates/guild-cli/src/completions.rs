//! `guildhall completions`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use clap_complete::Shell;

use crate::help;

#[derive(Debug, Args)]
#[command(after_help = help::COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn print(arguments: &CompletionsArgs) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut help::command(),
        "guildhall",
        &mut script,
    );
    match std::io::stdout().lock().write_all(&script) {
        Ok(()) => ExitCode::SUCCESS,
        // Stdout is closed.
        Err(_) => ExitCode::from(4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shell_completes_the_commands() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut help::command(), "guildhall", &mut script);
            let script = String::from_utf8(script).expect("a text");
            for command in ["clients", "doctor", "completions"] {
                assert!(script.contains(command), "{shell} completes {command}");
            }
        }
    }
}
