//! Writes the run journal on blocking threads. The journal is opened for the first run.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::oneshot;

use super::run::RunId;
use crate::run_journal::{RunJournal, sweep};

/// The run journal of one running Guild Hall. If a write fails, processes may survive a kill of
/// both the program and its watchdog.
pub(super) struct RunJournalHandle {
    /// The folder in which the journal will be opened for the first run. `None` afterwards.
    running: Option<PathBuf>,
    journal: Option<Arc<RunJournal>>,
}

impl RunJournalHandle {
    /// Ends the processes that earlier programs left. Uses a separate thread: this may take
    /// seconds, and a runtime that shuts down must not wait for it.
    pub(super) async fn swept(running: Option<PathBuf>) -> Self {
        let records = Self {
            running: running.clone(),
            journal: None,
        };
        let Some(running) = running else {
            return records;
        };
        let (done, swept) = oneshot::channel();
        let sweeping = std::thread::Builder::new()
            .name("sweep".into())
            .spawn(move || {
                sweep(&running);
                // The receiver is dropped if Guild Hall was closed already.
                let _ = done.send(());
            });
        match sweeping {
            // `swept` fails only if the thread panicked.
            Ok(_) => drop(swept.await),
            Err(error) => tracing::warn!(%error, "what an earlier run left can't be looked for"),
        }
        records
    }

    /// Records a run before its first process is started.
    pub(super) async fn begin(&mut self, run: RunId, member: String) {
        if let Some(running) = self.running.take() {
            let opening = tokio::task::spawn_blocking(move || {
                RunJournal::open(&running).map_err(|error| (running, error))
            });
            match opening.await {
                Ok(Ok(journal)) => self.journal = Some(Arc::new(journal)),
                Ok(Err((running, error))) => {
                    tracing::warn!(folder = %running.display(), %error, "runs can't be written down");
                }
                // The runtime is shutting down.
                Err(_) => {}
            }
        }
        self.write(move |journal| journal.begin(run, &member)).await;
    }

    pub(super) async fn write(
        &self,
        change: impl FnOnce(&RunJournal) -> io::Result<()> + Send + 'static,
    ) {
        let Some(journal) = self.journal.clone() else {
            return;
        };
        let written = tokio::task::spawn_blocking(move || change(&journal)).await;
        if let Ok(Err(error)) = written {
            tracing::warn!(%error, "a run could not be written down");
        }
    }
}
