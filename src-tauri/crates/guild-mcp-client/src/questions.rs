//! Asks a person the questions of one connection. The time limits of the calls concerned are paused
//! until the answer.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use futures::future::join_all;
use guild_api::wire::ElicitationAction;
use parking_lot::Mutex;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::elicitation::{
    ElicitationHandler, ElicitationPrompt, ElicitationReply, RequestedInput, VISIT_MAX, read,
};
use crate::pending_requests::{PendingRequest, PendingRequests};

/// Limit of the stored ids of visits to web addresses that the server reported as done before their
/// question arrived.
const EARLY_MAX: usize = 16;
/// The place of the id of the task to which a question belongs (2025-11-25).
const RELATED_TASK: &str = "/_meta/io.modelcontextprotocol~1related-task/taskId";

/// The visits to web addresses that the server of one connection asks for, by the ids that the
/// server gave them.
#[derive(Debug, Default)]
struct Visits {
    waiting: HashMap<String, CancellationToken>,
    /// Ids of visits that the server reported as done before their question was handled here, the
    /// newest last. This order is possible because rmcp handles each message in a separate task.
    early: VecDeque<String>,
}

/// Asks the questions of one connection.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionElicitations {
    asking: Option<Arc<dyn ElicitationHandler>>,
    calls: PendingRequests,
    visits: Arc<Mutex<Visits>>,
    /// Cancelled when the connection has ended.
    over: CancellationToken,
}

impl ConnectionElicitations {
    pub(crate) fn new(
        asking: Option<Arc<dyn ElicitationHandler>>,
        calls: PendingRequests,
        over: CancellationToken,
    ) -> Self {
        Self {
            asking,
            calls,
            visits: Arc::default(),
            over,
        }
    }

    /// Whether there is a handler for the session's questions.
    pub(crate) fn are_taken(&self) -> bool {
        self.asking.is_some()
    }

    /// Asks a person the question of a server's request. `origin` is the request on whose stream
    /// the question arrived, if the transport knows it. A question may also name the task to which
    /// it belongs. Otherwise it belongs to the only running call, if there is exactly one. The time
    /// limits of all calls that may wait for the answer are paused.
    pub(crate) async fn ask(
        &self,
        mut params: Value,
        origin: Option<&rmcp::model::RequestId>,
    ) -> Result<ElicitationReply, String> {
        let (message, wanted) = read(&mut params).map_err(|wrong| wrong.to_string())?;
        let task = params.pointer(RELATED_TASK).and_then(Value::as_str);
        let of_task = task.and_then(|id| self.calls.of_task(id));
        let concerned = match of_task.or_else(|| self.calls.of_request(origin?)) {
            Some(call) => vec![call],
            None => self.calls.askable(),
        };
        let (label, own) = match concerned.as_slice() {
            [one] => (one.label.as_ref(), one.asking.as_ref()),
            _ => (None, None),
        };
        let question = ElicitationPrompt::of_call(label, message, wanted);
        let nobody_waits = join_all(
            concerned
                .iter()
                .map(|call| call.over.clone().cancelled_owned()),
        );
        let any = !concerned.is_empty();
        let _held: Vec<CallTimeoutPause> = concerned.iter().map(CallTimeoutPause::new).collect();
        tokio::select! {
            reply = self.put(question, own) => Ok(reply),
            _ = nobody_waits, if any => Ok(ElicitationReply::CANCEL),
        }
    }

    /// Asks a person through `own`, the handler of the call, or else through the session's handler.
    /// If the server reports a visit as done, the question counts as accepted.
    pub(crate) async fn put(
        &self,
        question: ElicitationPrompt,
        own: Option<&Arc<dyn ElicitationHandler>>,
    ) -> ElicitationReply {
        let Some(asking) = own.or(self.asking.as_ref()) else {
            return ElicitationReply::CANCEL;
        };
        let visit = match &question.wanted {
            RequestedInput::Visit { id, .. } if !id.is_empty() => {
                Some(UrlVisitGuard::begin(self, id))
            }
            _ => None,
        };
        let asked = asking.ask(question);
        let done = async {
            match &visit {
                Some(visit) => visit.done.cancelled().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            // The handler is polled first, so that the person sees the question even if the visit
            // is already done.
            biased;
            reply = asked => reply,
            () = done => ElicitationReply { action: ElicitationAction::Accept, content: None },
            () = self.over.cancelled() => ElicitationReply::CANCEL,
        }
    }

    /// Records that the server has reported a visit as done.
    pub(crate) fn visited(&self, id: &str) {
        let mut visits = self.visits.lock();
        if let Some(done) = visits.waiting.get(id) {
            done.cancel();
        } else if id.len() <= VISIT_MAX {
            if visits.early.len() >= EARLY_MAX {
                visits.early.pop_front();
            }
            visits.early.push_back(id.to_owned());
        }
    }
}

struct UrlVisitGuard<'a> {
    questions: &'a ConnectionElicitations,
    id: String,
    done: CancellationToken,
}

impl<'a> UrlVisitGuard<'a> {
    fn begin(questions: &'a ConnectionElicitations, id: &str) -> Self {
        let mut visits = questions.visits.lock();
        let done = visits.waiting.entry(id.to_owned()).or_default().clone();
        if let Some(at) = visits.early.iter().position(|early| early == id) {
            visits.early.remove(at);
            done.cancel();
        }
        drop(visits);
        Self {
            questions,
            id: id.to_owned(),
            done,
        }
    }
}

impl Drop for UrlVisitGuard<'_> {
    fn drop(&mut self) {
        self.questions.visits.lock().waiting.remove(&self.id);
    }
}

/// Pauses a call's time limit while this value exists.
#[derive(Debug)]
pub(crate) struct CallTimeoutPause(Arc<PendingRequest>);

impl CallTimeoutPause {
    pub(crate) fn new(call: &Arc<PendingRequest>) -> Self {
        call.held.send_modify(|count| *count += 1);
        Self(Arc::clone(call))
    }
}

impl Drop for CallTimeoutPause {
    fn drop(&mut self) {
        self.0.held.send_modify(|count| *count -= 1);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::FutureExt;
    use futures::future::BoxFuture;

    use super::*;

    /// A handler that never answers.
    #[derive(Debug, Default)]
    struct Silent(AtomicUsize);

    impl ElicitationHandler for Silent {
        fn ask(&self, _question: ElicitationPrompt) -> BoxFuture<'static, ElicitationReply> {
            self.0.fetch_add(1, Ordering::Relaxed);
            std::future::pending().boxed()
        }
    }

    #[tokio::test]
    async fn a_visit_that_was_done_before_it_was_asked_for_is_accepted() {
        let silent = Arc::new(Silent::default());
        let over = CancellationToken::new();
        let questions = ConnectionElicitations::new(
            Some(silent.clone()),
            PendingRequests::default(),
            over.clone(),
        );
        let visit = |id: &str| ElicitationPrompt {
            call: None,
            tool: None,
            key: None,
            message: "Go there".into(),
            wanted: RequestedInput::Visit {
                url: "https://example.org/".into(),
                id: id.into(),
            },
        };
        questions.visited("done");
        let reply = questions.put(visit("done"), None).await;
        assert_eq!(reply.action, ElicitationAction::Accept);
        assert_eq!(silent.0.load(Ordering::Relaxed), 1, "it was put to them");

        // An early report counts only once, and only for the visit that it names.
        for id in ["done", "other"] {
            assert_eq!(questions.put(visit(id), None).now_or_never(), None, "{id}");
        }
        questions.visited("other");
        over.cancel();
        let reply = questions.put(visit("another"), None).await;
        assert_eq!(reply, ElicitationReply::CANCEL);
    }
}
