//! `guildhall serve`.

use std::process::ExitCode;
use std::time::Duration;

use guild_core::Report;
use guild_engine::Hall;

use crate::interrupts::Interrupts;
use crate::print_line;

/// How long the end waits for the last events to be printed.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Starts all members and prints the roster, then each event, a JSON value a line; ends with
/// SIGINT or SIGTERM, or when nobody reads any more, and leaves nothing running.
pub(crate) async fn serve(hall: &Hall, interrupts: &mut Interrupts) -> Result<ExitCode, Report> {
    let mut events = hall.subscribe();
    let printing = async {
        while let Some(envelope) = events.next().await {
            let Ok(line) = serde_json::to_string(&*envelope) else {
                continue;
            };
            // A reader that is slow must not hold up the members: only this thread waits.
            let printed = tokio::task::spawn_blocking(move || print_line(&line)).await;
            if !printed.unwrap_or(false) {
                return;
            }
        }
    };
    let mut printing = std::pin::pin!(printing);
    let _started = hall.start_all();
    let reading = tokio::select! {
        () = &mut printing => false,
        () = unread() => false,
        () = interrupts.next() => true,
    };
    let closing = hall.shutdown();
    if reading {
        tokio::select! {
            () = closing => {}
            () = async { (&mut printing).await; std::future::pending().await } => {}
        }
        // The last events are on their way; a reader that has gone does not hold up the end.
        let _ = tokio::time::timeout(LAST_WORDS, printing).await;
    } else {
        closing.await;
    }
    Ok(ExitCode::SUCCESS)
}

/// Ends when nobody reads stdout any more, which otherwise only the next event would show.
async fn unread() {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use tokio::io::Interest;
        use tokio::net::unix::pipe;
        // Only watched, never written to: its other writers go on as they were, blocking. A plain
        // file can't be watched, and has no reader that could go.
        let watched = std::io::stdout()
            .as_fd()
            .try_clone_to_owned()
            .and_then(pipe::Sender::from_owned_fd_unchecked);
        if let Ok(watched) = watched
            && let Ok(ready) = watched.ready(Interest::ERROR).await
            && ready.is_error()
        {
            return;
        }
    }
    std::future::pending().await
}
