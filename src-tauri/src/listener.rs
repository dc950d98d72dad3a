//! The way of events into the window: one ordered channel, for one window.

use std::sync::{Mutex, PoisonError};

use guild_core::event::Envelope;
use guild_engine::Hall;
use tauri::async_runtime::{self, JoinHandle};
use tauri::ipc::Channel;

/// Who listens now. The page may be loaded anew (a developer's reload); the new page's channel
/// then takes the place of the old one, whose receiving end is gone.
#[derive(Debug, Default)]
pub(crate) struct Listener {
    forwarding: Mutex<Option<JoinHandle<()>>>,
}

impl Listener {
    /// Sends every event of `hall` into `channel` from now on, the whole roster first.
    pub(crate) fn listen(&self, hall: &Hall, channel: Channel<Envelope>) {
        let mut events = hall.subscribe();
        // A new page is there before the old one goes: its questions go on waiting.
        let attendance = hall.attend();
        let task = async_runtime::spawn(async move {
            let _attendance = attendance;
            while let Some(event) = events.next().await {
                if channel.send(Envelope::clone(&event)).is_err() {
                    // The window is gone.
                    return;
                }
            }
        });
        let before = self
            .forwarding
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .replace(task);
        if let Some(before) = before {
            before.abort();
        }
    }
}
