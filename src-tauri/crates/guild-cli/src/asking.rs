//! Asking whoever sits at the terminal.

use std::io::IsTerminal;

use guild_core::note::CliTrouble;
use guild_core::{Code, Report};

use crate::{harmless, tell};

/// Asks whether something is to be done; `refusal` is what it is where nobody can be asked.
pub(crate) async fn agreed(question: &str, refusal: Code) -> Result<bool, Report> {
    if !std::io::stdin().is_terminal() {
        return Err(Report::told(refusal, &CliTrouble::NobodyToAsk));
    }
    tell(format_args!("{} [y/N]", harmless(question)));
    off_the_runtime(|| {
        let mut answer = String::new();
        std::io::stdin().read_line(&mut answer).map_err(unread)?;
        Ok(["y", "Y", "yes", "Yes"].contains(&answer.trim()))
    })
    .await
}

/// What was typed or given could not be read.
pub(crate) fn unread(error: std::io::Error) -> Report {
    let trouble = CliTrouble::Unread(error.to_string());
    Report::told(Code::AdoptionRefused, &trouble)
}

/// Runs what may block on a thread of its own: nobody may be typing.
pub(crate) async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Report> + Send + 'static,
) -> Result<T, Report> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(unread(std::io::Error::other(error))))
}
