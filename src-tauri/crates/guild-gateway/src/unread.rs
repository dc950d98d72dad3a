//! Limits the memory of answers that clients have not read yet, over all connections.
//!
//! The bytes of an answer count as unread from its creation until its last byte was passed to the
//! system, or until its connection ended. If a new answer does not fit, connections whose clients
//! stopped reading are closed, the longest-stalled client first. If there is no such connection,
//! the new answer is rejected.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;

use super::connection::ConnectionState;

/// Parts of an answer up to this size are not counted.
const SMALL: usize = 16 << 10;

/// The count of unread bytes of all connections, and its limit.
#[derive(Debug)]
pub(super) struct Unread {
    max: usize,
    /// Time without reading after which a client's connection may be closed to make room.
    stall: Duration,
    total: AtomicUsize,
    connections: Mutex<Vec<Weak<ConnectionState>>>,
}

impl Unread {
    /// Creates a limit of `max` bytes. Connections whose clients have not read for `stall` may be
    /// closed to make room.
    pub(super) fn up_to(max: usize, stall: Duration) -> Self {
        Self {
            max,
            stall,
            total: AtomicUsize::new(0),
            connections: Mutex::default(),
        }
    }

    /// Registers a connection, so that it can be closed to make room.
    pub(super) fn add(&self, connection: &Arc<ConnectionState>) {
        let mut connections = self.connections.lock();
        connections.retain(|connection| connection.strong_count() > 0);
        connections.push(Arc::downgrade(connection));
    }

    /// Counts bytes as unread by the connection's client. `None` if they don't fit.
    pub(super) fn charge(
        self: &Arc<Self>,
        connection: &Arc<ConnectionState>,
        bytes: Bytes,
    ) -> Option<Bytes> {
        let length = bytes.len();
        if length <= SMALL {
            return Some(bytes);
        }
        while !self.take(length) {
            if !self.end_one(connection) {
                return None;
            }
        }
        connection.unread.fetch_add(length, Ordering::Relaxed);
        Some(Bytes::from_owner(ChargedBytes {
            bytes,
            connection: Arc::clone(connection),
            unread: Arc::clone(self),
        }))
    }

    fn take(&self, length: usize) -> bool {
        let add = |total: usize| Some(total + length).filter(|total| *total <= self.max);
        let order = Ordering::Relaxed;
        self.total.fetch_update(order, order, add).is_ok()
    }

    /// Subtracts at most `length` bytes from the connection's unread bytes.
    fn release(&self, connection: &ConnectionState, length: usize) {
        let order = Ordering::Relaxed;
        let less = |unread: usize| Some(unread.saturating_sub(length));
        let before = connection.unread.fetch_update(order, order, less);
        let released = before.unwrap_or_default().min(length);
        self.total.fetch_sub(released, order);
    }

    /// Closes the connection whose client has not read for the longest time. Returns false if no
    /// client is stalled. The connection's unread bytes are subtracted at once, because its task
    /// drops them next.
    fn end_one(&self, asking: &Arc<ConnectionState>) -> bool {
        let longest = {
            let connections = self.connections.lock();
            let stalled = connections.iter().filter_map(|connection| {
                let connection = connection.upgrade()?;
                let holds = connection.unread.load(Ordering::Relaxed) > 0;
                let since = connection
                    .stalled_for()
                    .filter(|since| *since >= self.stall)?;
                let other = !Arc::ptr_eq(&connection, asking);
                (holds && other && !connection.is_over()).then_some((since, connection))
            });
            stalled.max_by_key(|(since, _)| *since)
        };
        let Some((_, connection)) = longest else {
            return false;
        };
        connection.end();
        self.release(&connection, usize::MAX);
        true
    }
}

/// Bytes of an answer that count as unread until they are dropped.
struct ChargedBytes {
    bytes: Bytes,
    connection: Arc<ConnectionState>,
    unread: Arc<Unread>,
}

impl AsRef<[u8]> for ChargedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for ChargedBytes {
    fn drop(&mut self) {
        self.unread.release(&self.connection, self.bytes.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_given_back_once() {
        let unread = Arc::new(Unread::up_to(100_000, Duration::ZERO));
        let connection = Arc::new(ConnectionState::new(Arc::clone(&unread)));
        let bytes = Bytes::from(vec![0; 60_000]);
        let first = unread.charge(&connection, bytes.clone()).expect("room");
        assert_eq!(first, bytes);
        assert!(unread.charge(&connection, bytes.clone()).is_none());
        let small = Bytes::from_static(b"{}");
        assert!(unread.charge(&connection, small).is_some());
        unread.release(&connection, usize::MAX);
        drop(first);
        assert_eq!(unread.total.load(Ordering::Relaxed), 0);
        assert!(unread.charge(&connection, bytes).is_some());
        assert_eq!(unread.total.load(Ordering::Relaxed), 0);
    }
}
