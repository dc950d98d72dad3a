//! SIGINT and SIGTERM, listened to before anything is started that would outlive them.

use guild_core::note::CliTrouble;
use guild_core::{Code, Report};
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlC as Signal, ctrl_c};

/// What asks the program to end. While this lives the signals do nothing but show up here.
#[derive(Debug)]
pub(crate) struct Interrupts {
    interrupt: Option<Signal>,
    #[cfg(unix)]
    terminate: Option<Signal>,
}

impl Interrupts {
    /// Begins to listen; must be called within the runtime.
    pub(crate) fn listen() -> Self {
        Self {
            #[cfg(unix)]
            interrupt: signal(SignalKind::interrupt()).ok(),
            #[cfg(unix)]
            terminate: signal(SignalKind::terminate()).ok(),
            #[cfg(windows)]
            interrupt: ctrl_c().ok(),
        }
    }

    /// Ends with the next signal, or with one that came since the last.
    pub(crate) async fn next(&mut self) {
        #[cfg(unix)]
        tokio::select! {
            () = sent(&mut self.interrupt) => {}
            () = sent(&mut self.terminate) => {}
        }
        #[cfg(windows)]
        sent(&mut self.interrupt).await;
    }
}

async fn sent(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        // It can't be listened to, so the system ends the program with it.
        None => std::future::pending().await,
    }
}

/// What an interrupted command answers.
pub(crate) fn interrupted() -> Report {
    Report::told(Code::CallCancelled, &CliTrouble::Interrupted)
}
