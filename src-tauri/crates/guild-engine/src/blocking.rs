//! Blocking work beside the runtime.

use guild_core::note::SettingsTrouble;
use guild_core::{Code, Report};

/// Runs work that blocks, or takes long, on a thread for it.
///
/// # Errors
/// The work panicked, or the program ends.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Report> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        let trouble = SettingsTrouble::NotCarriedOut(error.to_string());
        Report::from_error(Code::DataUnwritable, &trouble)
    })
}
