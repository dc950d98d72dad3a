//! A request that a member answers, from its beginning to its end: it can be moved from a plain
//! wait into a stream of events, and on to where it waits for a person.

use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use guild_api::event::Progress;
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::directory::{GatewayError, GatewayResultFuture, WayBack};
use super::questions::{CallElicitations, CallMessage};
use super::session::Flying;

/// How many steps of progress may wait to be sent.
const STEPS_MAX: usize = 16;

/// A request on its way.
pub(super) struct Flight {
    answering: Option<GatewayResultFuture>,
    answer: Option<Result<Bytes, GatewayError>>,
    progress: Option<mpsc::Receiver<Progress>>,
    questions: Option<Arc<CallElicitations>>,
    // Cancels what the directory does when the flight is dropped before its end.
    cancel: Option<DropGuard>,
    flying: Option<Flying>,
}

/// An event before or at the end of a call.
#[derive(Debug)]
pub(super) enum CallEvent {
    /// The member is further.
    Progress(Progress),
    /// The member says or asks something.
    Said(CallMessage),
    Answer(Result<Bytes, GatewayError>),
}

impl Flight {
    /// Creates a request's response channels and its gateway side. Cancelling `parent` cancels it
    /// too.
    pub(super) fn begin(
        parent: &CancellationToken,
        with_progress: bool,
        questions: Option<(Arc<CallElicitations>, bool, bool)>,
    ) -> (WayBack, Self) {
        let (steps, progress) = if with_progress {
            let (steps, progress) = mpsc::channel(STEPS_MAX);
            (Some(steps), Some(progress))
        } else {
            (None, None)
        };
        let cancel = parent.child_token();
        let mut back = WayBack {
            progress: steps,
            asking: None,
            hearing: None,
            cancel: cancel.clone(),
        };
        let questions = questions.map(|(questions, asks, hears)| {
            back.asking = asks.then(|| Arc::clone(&questions) as _);
            back.hearing = hears.then(|| Arc::clone(&questions) as _);
            questions
        });
        let flight = Self {
            answering: None,
            answer: None,
            progress,
            questions,
            cancel: Some(cancel.drop_guard()),
            flying: None,
        };
        (back, flight)
    }

    /// Sends it on its way.
    pub(super) fn send(&mut self, answering: GatewayResultFuture, flying: Option<Flying>) {
        self.answering = Some(answering);
        self.flying = flying;
    }

    pub(super) fn questions(&self) -> Option<&Arc<CallElicitations>> {
        self.questions.as_ref()
    }

    /// Polls the next step. Events from before the answer come first.
    pub(super) fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<CallEvent> {
        if let Some(answering) = &mut self.answering
            && let Poll::Ready(answer) = answering.as_mut().poll(cx)
        {
            self.answering = None;
            if let Some(cancel) = self.cancel.take() {
                cancel.disarm();
            }
            let text = answer.map(|result| {
                let text: Box<str> = result.into();
                Bytes::from(text.into_string())
            });
            self.answer = Some(text);
        }
        if let Some(progress) = &mut self.progress {
            match progress.poll_recv(cx) {
                Poll::Ready(Some(step)) => return Poll::Ready(CallEvent::Progress(step)),
                Poll::Ready(None) => self.progress = None,
                Poll::Pending => {}
            }
        }
        if let Some(questions) = &self.questions {
            // A question of an ended call is dropped.
            while let Poll::Ready(said) = questions.poll_said(cx) {
                if self.answer.is_none() || !matches!(said, CallMessage::Question(_)) {
                    return Poll::Ready(CallEvent::Said(said));
                }
            }
        }
        match self.answer.take() {
            Some(answer) => Poll::Ready(CallEvent::Answer(answer)),
            None => Poll::Pending,
        }
    }
}
