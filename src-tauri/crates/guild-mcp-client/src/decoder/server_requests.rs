//! Limits the number of a server's pending requests. Each request occupies a slot until its answer
//! is written.

use std::collections::HashMap;
use std::sync::Arc;

use crate::messages::AnswerFault;
use parking_lot::Mutex;
use rmcp::model::{CustomRequest, RequestId, ServerRequest};
use serde_json::Value;

use super::MISSHAPEN;

/// Limit of a server's requests whose answers are not written yet. Further requests are rejected.
const ASKED_MAX: usize = 256;

/// The slots of one connection.
#[derive(Debug, Clone, Default)]
pub(super) struct PendingServerRequests(Arc<Mutex<ServerRequestSlots>>);

#[derive(Debug, Default)]
struct ServerRequestSlots {
    by_id: HashMap<RequestId, RequestIdState>,
    taken: usize,
}

#[derive(Debug, Default)]
struct RequestIdState {
    /// Whether a request with this id waits for its answer.
    open: bool,
    /// The number of answers with this id that are being sent. A server may reuse an id as soon as
    /// it has read the answer. The write of the answer may return later than that.
    sending: usize,
}

impl PendingServerRequests {
    /// Takes a slot for a request. Fails if no slot is free, or if a request with this id is still
    /// open.
    pub(super) fn take(&self, id: &RequestId) -> Result<(), AnswerFault> {
        let mut places = self.0.lock();
        if places.taken >= ASKED_MAX {
            return Err(AnswerFault::ManyRequests);
        }
        let place = places.by_id.entry(id.clone()).or_default();
        if std::mem::replace(&mut place.open, true) {
            return Err(AnswerFault::RequestTwice);
        }
        places.taken += 1;
        Ok(())
    }

    /// Frees the slot of a request. If its answer is being sent, the answer keeps the slot.
    pub(super) fn close(&self, id: &RequestId) {
        self.0.lock().release(id, |place| {
            let was_open = std::mem::replace(&mut place.open, false);
            usize::from(was_open)
        });
    }

    /// Records that an answer is being sent, until the returned guard is dropped. If the request
    /// was withdrawn, the answer takes a separate slot.
    pub(super) fn send(&self, id: &RequestId) -> Sending {
        let mut places = self.0.lock();
        let place = places.by_id.entry(id.clone()).or_default();
        place.sending += 1;
        if !std::mem::replace(&mut place.open, false) {
            places.taken += 1;
        }
        Sending {
            asked: self.clone(),
            id: id.clone(),
        }
    }
}

impl ServerRequestSlots {
    fn release(&mut self, id: &RequestId, of: impl FnOnce(&mut RequestIdState) -> usize) {
        if let Some(place) = self.by_id.get_mut(id) {
            self.taken -= of(place);
            if !place.open && place.sending == 0 {
                self.by_id.remove(id);
            }
        }
    }
}

/// An answer that is being sent. Dropping this value frees its slot.
#[derive(Debug)]
pub(crate) struct Sending {
    asked: PendingServerRequests,
    id: RequestId,
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.asked.0.lock().release(&self.id, |place| {
            place.sending -= 1;
            1
        });
    }
}

/// Returns a request with the method name `method`, which rmcp does not know.
pub(super) fn custom(method: &str, params: Value) -> ServerRequest {
    ServerRequest::CustomRequest(CustomRequest::new(method, Some(params)))
}

/// Returns a placeholder for a request that can't be parsed.
pub(super) fn misshapen(error: &serde_json::Error) -> ServerRequest {
    custom(MISSHAPEN, error.to_string().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_keeps_its_place_until_it_is_sent() {
        let asked = PendingServerRequests::default();
        let id = |n: usize| RequestId::Number(i64::try_from(n).expect("small"));
        let mut sending = Vec::new();
        for n in 0..ASKED_MAX {
            asked.take(&id(n)).expect("there is room");
            asked.take(&id(n)).expect_err("its id waits already");
            sending.push(asked.send(&id(n)));
            asked.close(&id(n));
        }
        asked.take(&id(ASKED_MAX)).expect_err("no room");
        drop(sending.pop());
        asked.take(&id(0)).expect("an answered id may come again");
        asked.take(&id(1)).expect_err("no room");
        asked.close(&id(0));
        drop(sending);
        // The request is withdrawn before its answer is sent.
        let late = asked.send(&id(5));
        assert_eq!(asked.0.lock().taken, 1);
        drop(late);
        assert_eq!(asked.0.lock().taken, 0);
        assert!(asked.0.lock().by_id.is_empty());
    }
}
