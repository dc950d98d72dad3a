//! The server's own requests, and the places that they take until their answers are written.

use std::collections::HashMap;
use std::sync::Arc;

use crate::messages::AnswerFault;
use parking_lot::Mutex;
use rmcp::model::{CustomRequest, RequestId, ServerRequest};
use serde_json::Value;

use super::MISSHAPEN;

/// How many requests of a server may wait for their answers, those included whose answers are
/// not written yet; more are not taken.
const ASKED_MAX: usize = 256;

/// The requests of one connection that take places.
#[derive(Debug, Clone, Default)]
pub(super) struct PendingServerRequests(Arc<Mutex<ServerRequestSlots>>);

#[derive(Debug, Default)]
struct ServerRequestSlots {
    by_id: HashMap<RequestId, RequestIdState>,
    taken: usize,
}

/// State of one id.
#[derive(Debug, Default)]
struct RequestIdState {
    /// Whether a request waits for its answer.
    open: bool,
    /// How many answers are being sent. A server may use an id again once it was answered, and
    /// may read the answer before it is known here that it was written.
    sending: usize,
}

impl PendingServerRequests {
    /// Takes a request, unless too many wait or one of its id does.
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

    /// A request waits no more; an answer that is being sent keeps its place.
    pub(super) fn close(&self, id: &RequestId) {
        self.0.lock().release(id, |place| {
            let was_open = std::mem::replace(&mut place.open, false);
            usize::from(was_open)
        });
    }

    /// Marks an answer as being sent until the returned guard is dropped. An answer to a withdrawn
    /// request takes a separate place.
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

/// An answer that is being sent.
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

/// A request under a name that rmcp does not know.
pub(super) fn custom(method: &str, params: Value) -> ServerRequest {
    ServerRequest::CustomRequest(CustomRequest::new(method, Some(params)))
}

/// Placeholder for an unreadable request.
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
        // A request that was withdrawn before its answer was sent.
        let late = asked.send(&id(5));
        assert_eq!(asked.0.lock().taken, 1);
        drop(late);
        assert_eq!(asked.0.lock().taken, 0);
        assert!(asked.0.lock().by_id.is_empty());
    }
}
