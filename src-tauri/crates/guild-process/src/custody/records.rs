//! The ledger as the keeper writes it: off the runtime's threads, and from the first run on.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::oneshot;

use super::run::Run;
use crate::ledger::{Ledger, sweep};

/// The ledger of one hall. What can't be written costs the sweep after the program and its guardian
/// were killed together, nothing else.
pub(super) struct Records {
    /// Where it is to be opened for the first run.
    running: Option<PathBuf>,
    ledger: Option<Arc<Ledger>>,
}

impl Records {
    /// Ends what earlier programs left. On a thread of its own: it may take seconds, and a runtime
    /// that closes does not wait for it.
    pub(super) async fn swept(running: Option<PathBuf>) -> Self {
        let records = Self {
            running: running.clone(),
            ledger: None,
        };
        let Some(running) = running else {
            return records;
        };
        let (done, swept) = oneshot::channel();
        let sweeping = std::thread::Builder::new()
            .name("sweep".into())
            .spawn(move || {
                sweep(&running);
                // Nobody waits for it when the hall is closed again already.
                let _ = done.send(());
            });
        match sweeping {
            // An error means that it gave up on itself.
            Ok(_) => drop(swept.await),
            Err(error) => tracing::warn!(%error, "what an earlier run left can't be looked for"),
        }
        records
    }

    /// Writes down a run that is about to have processes.
    pub(super) async fn begin(&mut self, run: Run, member: String) {
        if let Some(running) = self.running.take() {
            let opening = tokio::task::spawn_blocking(move || {
                Ledger::open(&running).map_err(|error| (running, error))
            });
            match opening.await {
                Ok(Ok(ledger)) => self.ledger = Some(Arc::new(ledger)),
                Ok(Err((running, error))) => {
                    tracing::warn!(folder = %running.display(), %error, "runs can't be written down");
                }
                // The runtime is closing.
                Err(_) => {}
            }
        }
        self.write(move |ledger| ledger.begin(run, &member)).await;
    }

    /// Changes what is written.
    pub(super) async fn write(
        &self,
        change: impl FnOnce(&Ledger) -> io::Result<()> + Send + 'static,
    ) {
        let Some(ledger) = self.ledger.clone() else {
            return;
        };
        let written = tokio::task::spawn_blocking(move || change(&ledger)).await;
        if let Ok(Err(error)) = written {
            tracing::warn!(%error, "a run could not be written down");
        }
    }
}
