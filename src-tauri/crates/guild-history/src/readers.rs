//! Reads the database through a few connections, on blocking threads, with a timeout.

use std::sync::Arc;
use std::time::Duration;

use guild_model::Report;
use parking_lot::Mutex;
use rusqlite::{Connection, InterruptHandle};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::database::{Database, DatabaseConnection, Stop, busy};

/// Maximum number of concurrent readers.
const READERS: usize = 4;
/// How long a read waits for a writer's lock.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs reads, and keeps idle connections for the next reads.
#[derive(Debug)]
pub(super) struct Readers {
    database: Arc<Database>,
    idle: Arc<Mutex<Vec<DatabaseConnection>>>,
    permits: Arc<Semaphore>,
}

impl Readers {
    pub(super) fn new(database: Arc<Database>) -> Self {
        Self {
            database,
            idle: Arc::default(),
            permits: Arc::new(Semaphore::new(READERS)),
        }
    }

    /// Runs a read, and interrupts it after `limit`.
    ///
    /// # Errors
    /// The errors of [`Database::with`]. `history-busy` after the limit.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        limit: Duration,
        mut work: impl FnMut(&Connection) -> Result<T, Stop> + Send + 'static,
    ) -> Result<T, Report> {
        let late = || busy(self.database.file());
        let permit = timeout(limit, Arc::clone(&self.permits).acquire_owned());
        let permit = permit.await.map_err(|_| late())?.map_err(|_| late())?;
        let (database, idle) = (Arc::clone(&self.database), Arc::clone(&self.idle));
        let running: Arc<Mutex<Option<InterruptHandle>>> = Arc::default();
        let stop = Arc::clone(&running);
        let reading = tokio::task::spawn_blocking(move || {
            let mut opened = idle.lock().pop();
            let done = database.with(&mut opened, PATIENCE, |connection| {
                let handle = connection.get_interrupt_handle();
                *running.lock() = Some(handle);
                let done = work(connection);
                // From now on, another read may use the connection, so it must not be interrupted.
                *running.lock() = None;
                done
            });
            idle.lock().extend(opened);
            drop(permit);
            done
        });
        match timeout(limit, reading).await {
            Ok(done) => done.unwrap_or_else(|_| Err(late())),
            Err(_) => {
                if let Some(running) = &*stop.lock() {
                    running.interrupt();
                }
                Err(late())
            }
        }
    }

    pub(super) fn close(&self) {
        self.permits.close();
        self.idle.lock().clear();
    }
}
