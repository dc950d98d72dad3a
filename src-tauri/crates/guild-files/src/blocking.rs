//! Runs blocking work outside the async runtime's worker threads.

use guild_model::messages::{CallError, SettingsError};
use guild_model::{Code, Report};

/// Runs work that blocks or takes long on a separate thread.
///
/// # Errors
/// `data-unwritable` if the work panicked, `shutting-down` if the program ends.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Report> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        if error.is_cancelled() {
            return Report::from_error(Code::ShuttingDown, &CallError::Closing);
        }
        tracing::error!(%error, "blocking work panicked");
        Report::from_error(Code::DataUnwritable, &SettingsError::NotCarriedOut)
    })
}
