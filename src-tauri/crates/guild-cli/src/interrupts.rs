//! Handles SIGINT and SIGTERM. [`Interrupts::listen`] must be called before the first process is
//! started that could outlive the program.

use guild_engine::messages::CliError;
use guild_model::{Code, Report};
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlC as Signal, ctrl_c};

/// A receiver of termination signals. While it exists, the signals have no other effect.
#[derive(Debug)]
pub(crate) struct Interrupts {
    interrupt: Option<Signal>,
    #[cfg(unix)]
    terminate: Option<Signal>,
}

impl Interrupts {
    /// Begins to receive signals. Must be called within the runtime.
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

    /// Waits for the next signal. Returns at once if a signal has arrived since the last call.
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
        // If the handler could not be installed, the system ends the program.
        None => std::future::pending().await,
    }
}

/// Returns the report for an interrupted command.
pub(crate) fn interrupted() -> Report {
    Report::from_error(Code::CallCancelled, &CliError::Interrupted)
}
