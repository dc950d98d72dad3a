//! Suspended calls of 2026-07-28 that wait for a person. The agent got a description of the missing
//! input, and repeats the call with the input.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use guild_model::ClientId;
use guild_model::endpoint::Endpoint;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use super::flight::Flight;
use super::questions::Put;
use super::session::random_id;

/// A suspended call.
pub(super) struct Parked {
    pub(super) flight: Flight,
    /// The client that made the call.
    pub(super) client: Option<ClientId>,
    /// The client's name in `clientInfo`.
    pub(super) calls_itself: Arc<str>,
    /// Cancelled when the client's token is no longer valid.
    pub(super) revoked: CancellationToken,
    /// The requested endpoint.
    pub(super) endpoint: Endpoint,
    pub(super) method: Bytes,
    /// The tool, resource or prompt.
    pub(super) subject: Option<Bytes>,
    pub(super) questions: Vec<Put>,
}

impl Parked {
    /// Checks whether both calls belong to the same client: by token, or without tokens by client
    /// name. A client can invent names, but the total limit still applies.
    fn is_of_the_same(&self, other: &Self) -> bool {
        match (&self.client, &other.client) {
            (None, None) => self.calls_itself == other.calls_itself,
            (one, other) => one == other,
        }
    }
}

/// All suspended calls, limited in number and time.
pub(super) struct Parking {
    max: usize,
    /// Limit of one client's suspended calls.
    of_client: usize,
    limit: Duration,
    places: Mutex<HashMap<String, (Instant, Parked)>>,
}

impl Parking {
    pub(super) fn new(max: usize, of_client: usize, limit: Duration) -> Self {
        Self {
            max,
            of_client,
            limit,
            places: Mutex::default(),
        }
    }

    /// Suspends a call and returns its `requestState`. Returns `None` if too many are suspended.
    pub(super) fn park(&self, parked: Parked) -> Option<String> {
        let id = random_id()?;
        let mut places = self.places.lock();
        let own = |(_, other): &&(Instant, Parked)| parked.is_of_the_same(other);
        if places.len() >= self.max || places.values().filter(own).count() >= self.of_client {
            return None;
        }
        places.insert(id.clone(), (Instant::now(), parked));
        Some(id)
    }

    /// Takes a suspended call out, if this request repeats it.
    pub(super) fn take(
        &self,
        id: &str,
        client: Option<&ClientId>,
        endpoint: &Endpoint,
        method: &[u8],
        subject: Option<&[u8]>,
    ) -> Option<Parked> {
        let mut places = self.places.lock();
        let (since, parked) = places.get(id)?;
        let same = parked.client.as_ref() == client
            && parked.endpoint == *endpoint
            && parked.method == method
            && parked.subject.as_deref() == subject
            && since.elapsed() < self.limit;
        if !same {
            return None;
        }
        let (_, parked) = places.remove(id)?;
        Some(parked)
    }

    /// Whether no call is suspended.
    pub(super) fn is_empty(&self) -> bool {
        self.places.lock().is_empty()
    }

    /// Ends calls that waited too long, and calls of clients that no longer have access.
    pub(super) fn sweep(&self) {
        let late: Vec<_> = {
            let mut places = self.places.lock();
            let late: Vec<String> = places
                .iter()
                .filter(|(_, (since, parked))| {
                    since.elapsed() >= self.limit || parked.revoked.is_cancelled()
                })
                .map(|(id, _)| id.clone())
                .collect();
            late.iter().filter_map(|id| places.remove(id)).collect()
        };
        // Dropping them runs code of the directory, so it happens without the lock.
        drop(late);
    }

    pub(super) fn clear(&self) {
        let all = std::mem::take(&mut *self.places.lock());
        drop(all);
    }
}
