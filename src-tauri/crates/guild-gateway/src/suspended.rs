//! Calls of 2026-07-28 that are suspended until a person answers a question. The agent received a
//! result that describes the missing input, and repeats the call with the input.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use guild_model::ClientId;
use guild_model::endpoint::Endpoint;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use super::elicitation::SentQuestion;
use super::in_flight::InFlight;
use super::session::random_id;

pub(super) struct SuspendedCall {
    pub(super) in_flight: InFlight,
    /// The client that made the call.
    pub(super) client: Option<ClientId>,
    /// The client's name in `clientInfo`.
    pub(super) calls_itself: Arc<str>,
    /// Cancelled when the client's token becomes invalid.
    pub(super) revoked: CancellationToken,
    /// The requested endpoint.
    pub(super) endpoint: Endpoint,
    pub(super) method: Bytes,
    /// The tool, resource or prompt.
    pub(super) subject: Option<Bytes>,
    pub(super) questions: Vec<SentQuestion>,
}

impl SuspendedCall {
    /// Checks whether two calls belong to the same client: compares the ids, or for clients without
    /// a token their names. A client can invent names, but the total limit still applies.
    fn is_of_the_same(&self, other: &Self) -> bool {
        match (&self.client, &other.client) {
            (None, None) => self.calls_itself == other.calls_itself,
            (one, other) => one == other,
        }
    }
}

/// All suspended calls, limited in number and time.
pub(super) struct SuspendedCalls {
    max: usize,
    /// Limit of one client's suspended calls.
    of_client: usize,
    limit: Duration,
    calls: Mutex<HashMap<String, (Instant, SuspendedCall)>>,
}

impl SuspendedCalls {
    pub(super) fn new(max: usize, of_client: usize, limit: Duration) -> Self {
        Self {
            max,
            of_client,
            limit,
            calls: Mutex::default(),
        }
    }

    /// Suspends a call and returns its `requestState`. Returns `None` if too many are suspended.
    pub(super) fn suspend(&self, call: SuspendedCall) -> Option<String> {
        let id = random_id()?;
        let mut calls = self.calls.lock();
        let own = |(_, other): &&(Instant, SuspendedCall)| call.is_of_the_same(other);
        if calls.len() >= self.max || calls.values().filter(own).count() >= self.of_client {
            return None;
        }
        calls.insert(id.clone(), (Instant::now(), call));
        Some(id)
    }

    /// Removes and returns the suspended call that this request continues.
    pub(super) fn take(
        &self,
        id: &str,
        client: Option<&ClientId>,
        endpoint: &Endpoint,
        method: &[u8],
        subject: Option<&[u8]>,
    ) -> Option<SuspendedCall> {
        let mut calls = self.calls.lock();
        let (since, call) = calls.get(id)?;
        let same = call.client.as_ref() == client
            && call.endpoint == *endpoint
            && call.method == method
            && call.subject.as_deref() == subject
            && since.elapsed() < self.limit;
        if !same {
            return None;
        }
        let (_, call) = calls.remove(id)?;
        Some(call)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.calls.lock().is_empty()
    }

    /// Ends calls that waited too long, and calls of clients whose access was revoked.
    pub(super) fn sweep(&self) {
        let late: Vec<_> = {
            let mut calls = self.calls.lock();
            let late: Vec<String> = calls
                .iter()
                .filter(|(_, (since, call))| {
                    since.elapsed() >= self.limit || call.revoked.is_cancelled()
                })
                .map(|(id, _)| id.clone())
                .collect();
            late.iter().filter_map(|id| calls.remove(id)).collect()
        };
        // Dropping the calls runs code of the backend, so this happens after the lock is released.
        drop(late);
    }

    pub(super) fn clear(&self) {
        let all = std::mem::take(&mut *self.calls.lock());
        drop(all);
    }
}
