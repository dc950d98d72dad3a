//! A request that a member answers, from its beginning to its end: a plain answer, or a stream with
//! the member's notifications and questions before the result.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use guild_api::event::Progress;
use http::Response;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::answer::{EventStream, Fitted, GatewayResponseBody, code, event};
use super::directory::{GatewayError, GatewayResultFuture, WayBack};
use super::door::GatewayServer;
use super::questions::{CallElicitations, CallMessage, Put};
use super::request::GatewayRequest;
use super::session::Flying;
use super::version::{Legacy, RequestVersion};

/// Limit of the progress steps that wait to be sent.
const STEPS_MAX: usize = 16;

/// A running request.
pub(super) struct Flight {
    answering: Option<GatewayResultFuture>,
    answer: Option<Result<Bytes, GatewayError>>,
    progress: Option<mpsc::Receiver<Progress>>,
    questions: Option<Arc<CallElicitations>>,
    // Cancels the directory's work when the flight is dropped before its end.
    cancel: Option<DropGuard>,
    flying: Option<Flying>,
}

/// An event before or at the end of a call.
#[derive(Debug)]
pub(super) enum CallEvent {
    /// The member reports progress.
    Progress(Progress),
    /// The member sends a log message or a question, or withdraws a question.
    Said(CallMessage),
    Answer(Result<Bytes, GatewayError>),
}

impl Flight {
    /// Creates the channels to the agent, and the gateway's side of a request. Cancelling `parent`
    /// cancels the request too.
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

    /// Starts the request.
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

/// A comment, which keeps a stream alive.
pub(super) const COMMENT: &[u8] = b": \n\n";

/// Output for a step.
enum Sent {
    /// A message before the answer.
    Message(String),
    /// The end.
    Last(Result<Fitted, GatewayError>),
    Nothing,
}

/// Checks whether a silent stream needs a comment. This is checked slightly early, since the clock
/// of the listener that wakes the connection may be a little behind.
pub(super) fn is_due(since: Instant, keep_alive: Duration) -> bool {
    since.elapsed() >= keep_alive - keep_alive / 8
}

/// Returns the error for requests that are running when the gateway closes.
pub(super) fn closing() -> GatewayError {
    GatewayError::new(code::REFUSED, "Guild Hall is closing.")
}

impl GatewayServer {
    /// Waits for a flight's end. Responds with one plain answer, or with a stream once there is a
    /// message or the call takes long. The connection's own task drives the flight, so closing the
    /// connection ends it.
    pub(super) async fn follow(
        self: &Arc<Self>,
        asked: GatewayRequest,
        mut flight: Flight,
    ) -> Response<GatewayResponseBody> {
        let first = poll_fn(|cx| match flight.poll_step(cx) {
            Poll::Ready(step) => Poll::Ready(Some(step)),
            Poll::Pending if asked.responder.0.stops() => {
                Poll::Ready(Some(CallEvent::Answer(Err(closing()))))
            }
            Poll::Pending if self.takes_long(&asked, asked.told.since) => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        })
        .await;
        let mut flight = Some(flight);
        let first = match first.map(|step| self.send(&asked, &mut flight, step)) {
            Some(Sent::Last(answer)) => return asked.respond(answer),
            Some(Sent::Message(message)) => event(&[Bytes::from(message)]),
            Some(Sent::Nothing) | None => Bytes::from_static(COMMENT),
        };
        let responder = asked.responder.clone();
        responder.stream(CallEventStream {
            gate: Arc::clone(self),
            asked,
            flight,
            first: Some(first),
            sent: Instant::now(),
        })
    }

    /// Waits for a call's end without sending anything before it.
    pub(super) async fn settled(
        &self,
        asked: &GatewayRequest,
        mut flight: Flight,
    ) -> Result<Fitted, GatewayError> {
        let answer = poll_fn(|cx| {
            loop {
                match flight.poll_step(cx) {
                    Poll::Ready(CallEvent::Answer(answer)) => return Poll::Ready(answer),
                    Poll::Ready(_) => {}
                    Poll::Pending if asked.responder.0.stops() => {
                        return Poll::Ready(Err(closing()));
                    }
                    Poll::Pending => return Poll::Pending,
                }
            }
        })
        .await;
        asked.settle(answer)
    }

    fn takes_long(&self, asked: &GatewayRequest, since: Instant) -> bool {
        asked.takes.events && is_due(since, self.options.keep_alive)
    }

    /// Converts a step to output. A question of 2026-07-28 ends the answer and suspends the call
    /// until the next request.
    fn send(
        self: &Arc<Self>,
        asked: &GatewayRequest,
        flight: &mut Option<Flight>,
        step: CallEvent,
    ) -> Sent {
        match step {
            CallEvent::Answer(answer) => {
                *flight = None;
                Sent::Last(asked.settle(answer))
            }
            CallEvent::Progress(progress) => match &asked.progress {
                Some(token) => Sent::Message(progress_text(token, &progress)),
                None => Sent::Nothing,
            },
            CallEvent::Said(CallMessage::Log(params)) => Sent::Message(format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{}}}"#,
                params.get()
            )),
            CallEvent::Said(CallMessage::Question(put)) => match asked.era {
                RequestVersion::Modern => match flight.take() {
                    Some(flight) => Sent::Last(self.park(asked, flight, vec![put])),
                    None => Sent::Nothing,
                },
                RequestVersion::Legacy(_) => question(asked, flight.as_ref(), put),
            },
            CallEvent::Said(CallMessage::Withdrawn(number)) if !asked.era.is_modern() => {
                Sent::Message(format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{number}}}}}"#
                ))
            }
            CallEvent::Said(CallMessage::Withdrawn(_)) => Sent::Nothing,
        }
    }
}

/// Sends a member's question as a request of the gateway. Its answer arrives over the session.
fn question(asked: &GatewayRequest, flight: Option<&Flight>, put: Put) -> Sent {
    let Put {
        number, mut params, ..
    } = put;
    let questions = flight.and_then(Flight::questions);
    let (Some(session), Some(questions)) = (&asked.session, questions) else {
        return Sent::Nothing;
    };
    session.asks(number, questions);
    // Versions before the modes have only forms.
    if session.version < Legacy::V2025_11_25
        && let Value::Object(params) = &mut params
    {
        params.shift_remove("mode");
    }
    let request = json!({
        "jsonrpc": "2.0",
        "id": number,
        "method": "elicitation/create",
        "params": params,
    });
    Sent::Message(request.to_string())
}

fn progress_text(token: &[u8], progress: &Progress) -> String {
    let token = std::str::from_utf8(token).unwrap_or("null");
    let mut text = format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":{}"#,
        Value::from(progress.progress)
    );
    if let Some(total) = progress.total {
        text.push_str(&format!(r#","total":{}"#, Value::from(total)));
    }
    if let Some(message) = &progress.message {
        text.push_str(&format!(r#","message":{}"#, Value::from(message.as_str())));
    }
    text.push_str("}}");
    text
}

/// A stream of a member's messages, which ends with the answer.
struct CallEventStream {
    gate: Arc<GatewayServer>,
    asked: GatewayRequest,
    flight: Option<Flight>,
    first: Option<Bytes>,
    sent: Instant,
}

impl EventStream for CallEventStream {
    fn poll_events(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let this = self.get_mut();
        if let Some(first) = this.first.take() {
            return Poll::Ready(Some(first));
        }
        loop {
            let Some(flight) = &mut this.flight else {
                return Poll::Ready(None);
            };
            let step = match flight.poll_step(cx) {
                Poll::Ready(step) => step,
                Poll::Pending if this.asked.responder.0.stops() => {
                    CallEvent::Answer(Err(closing()))
                }
                Poll::Pending if this.gate.takes_long(&this.asked, this.sent) => {
                    this.sent = Instant::now();
                    return Poll::Ready(Some(Bytes::from_static(COMMENT)));
                }
                Poll::Pending => return Poll::Pending,
            };
            this.sent = Instant::now();
            match this.gate.send(&this.asked, &mut this.flight, step) {
                Sent::Message(message) => {
                    return Poll::Ready(Some(event(&[Bytes::from(message)])));
                }
                Sent::Last(answer) => {
                    this.flight = None;
                    return Poll::Ready(Some(event(&this.asked.parts(answer))));
                }
                Sent::Nothing => {}
            }
        }
    }
}
