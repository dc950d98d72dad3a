//! A request while a member processes it. The response is plain JSON, or an event stream with the
//! member's notifications and questions before the result.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::stream::{self, Stream, StreamExt as _};
use guild_api::event::Progress;
use guild_model::protocol::{Era, ProtocolVersion};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::answer::{Adapted, GatewayResponse, code, event};
use super::backend::{GatewayError, GatewayResultFuture, ResponseChannels};
use super::elicitation::{CallElicitations, CallMessage, SentQuestion};
use super::request::GatewayRequest;
use super::server::GatewayServer;
use super::session::InFlightGuard;

/// Limit of the progress messages that wait to be sent.
const STEPS_MAX: usize = 16;

/// A running request.
pub(super) struct InFlight {
    answering: Option<GatewayResultFuture>,
    answer: Option<Result<Bytes, GatewayError>>,
    progress: Option<mpsc::Receiver<Progress>>,
    questions: Option<Arc<CallElicitations>>,
    // Cancels the backend's work when the request is dropped before its end.
    cancel: Option<DropGuard>,
    guard: Option<InFlightGuard>,
}

/// An event during a call, or its end.
#[derive(Debug)]
pub(super) enum CallEvent {
    /// The member reports progress.
    Progress(Progress),
    /// The member sends a log message or a question, or withdraws a question.
    Message(CallMessage),
    Answer(Result<Bytes, GatewayError>),
}

impl InFlight {
    /// Creates a running request, and the channels to its agent for the backend. Cancelling
    /// `parent` cancels the request too.
    pub(super) fn begin(
        parent: &CancellationToken,
        with_progress: bool,
        questions: Option<(Arc<CallElicitations>, bool, bool)>,
    ) -> (ResponseChannels, Self) {
        let steps = with_progress.then(|| mpsc::channel(STEPS_MAX));
        let (steps, progress) = steps.unzip();
        let cancel = parent.child_token();
        let mut back = ResponseChannels {
            progress: steps,
            asking: None,
            hearing: None,
            cancel: cancel.clone(),
        };
        let questions = questions.map(|(questions, asks, logs)| {
            back.asking = asks.then(|| Arc::clone(&questions) as _);
            back.hearing = logs.then(|| Arc::clone(&questions) as _);
            questions
        });
        let in_flight = Self {
            answering: None,
            answer: None,
            progress,
            questions,
            cancel: Some(cancel.drop_guard()),
            guard: None,
        };
        (back, in_flight)
    }

    pub(super) fn start(&mut self, answering: GatewayResultFuture, guard: Option<InFlightGuard>) {
        self.answering = Some(answering);
        self.guard = guard;
    }

    pub(super) fn questions(&self) -> Option<&Arc<CallElicitations>> {
        self.questions.as_ref()
    }

    /// Polls the next event. Events from before the answer come first.
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
            // A question is dropped if the call has already ended.
            while let Poll::Ready(message) = questions.poll_message(cx) {
                if self.answer.is_none() || !matches!(message, CallMessage::Question(_)) {
                    return Poll::Ready(CallEvent::Message(message));
                }
            }
        }
        match self.answer.take() {
            Some(answer) => Poll::Ready(CallEvent::Answer(answer)),
            None => Poll::Pending,
        }
    }
}

/// A comment of an event stream, which keeps the connection alive.
pub(super) const COMMENT: &[u8] = b": \n\n";

/// The output for one event of a call.
enum StepOutput {
    /// A message that is sent before the answer.
    Message(String),
    Last(Result<Adapted, GatewayError>),
    Nothing,
}

/// Whether a silent stream needs a comment. The threshold is slightly lower than `keep_alive`,
/// because the listener wakes the connection by a clock that may be slightly behind.
pub(super) fn is_due(since: Instant, keep_alive: Duration) -> bool {
    since.elapsed() >= keep_alive - keep_alive / 8
}

/// Returns the error for requests that are running when the gateway closes.
pub(super) fn closing() -> GatewayError {
    GatewayError::new(code::REFUSED, "Guild Hall is closing.")
}

impl GatewayServer {
    /// Waits until a request ends. Responds with plain JSON, or with an event stream once there is
    /// a message or the call takes long. The connection's own task drives the request, so closing
    /// the connection ends the request.
    pub(super) async fn follow(
        self: &Arc<Self>,
        request: GatewayRequest,
        mut in_flight: InFlight,
    ) -> GatewayResponse {
        let first = poll_fn(|cx| match in_flight.poll_step(cx) {
            Poll::Ready(step) => Poll::Ready(Some(step)),
            Poll::Pending if request.responder.connection.is_stopping() => {
                Poll::Ready(Some(CallEvent::Answer(Err(closing()))))
            }
            Poll::Pending if self.takes_long(&request, request.exchange.since) => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        })
        .await;
        let mut in_flight = Some(in_flight);
        let first = match first.map(|step| self.step_output(&request, &mut in_flight, step)) {
            Some(StepOutput::Last(answer)) => return request.respond(answer),
            Some(StepOutput::Message(message)) => event(&[Bytes::from(message)]),
            Some(StepOutput::Nothing) | None => Bytes::from_static(COMMENT),
        };
        let responder = request.responder.clone();
        let more = CallEventStream {
            server: Arc::clone(self),
            request,
            in_flight,
            sent: Instant::now(),
        };
        responder.stream(stream::iter([first]).chain(more))
    }

    /// Waits until a call ends, without sending anything before its answer.
    pub(super) async fn wait_for_answer(
        &self,
        request: &GatewayRequest,
        mut in_flight: InFlight,
    ) -> Result<Adapted, GatewayError> {
        let answer = poll_fn(|cx| {
            loop {
                match in_flight.poll_step(cx) {
                    Poll::Ready(CallEvent::Answer(answer)) => return Poll::Ready(answer),
                    Poll::Ready(_) => {}
                    Poll::Pending if request.responder.connection.is_stopping() => {
                        return Poll::Ready(Err(closing()));
                    }
                    Poll::Pending => return Poll::Pending,
                }
            }
        })
        .await;
        request.finish(answer)
    }

    fn takes_long(&self, request: &GatewayRequest, since: Instant) -> bool {
        request.formats.events && is_due(since, self.options.keep_alive)
    }

    /// Converts an event of a call to output. In 2026-07-28, a question ends the response, and
    /// suspends the call until the client's next request.
    fn step_output(
        self: &Arc<Self>,
        request: &GatewayRequest,
        in_flight: &mut Option<InFlight>,
        step: CallEvent,
    ) -> StepOutput {
        match step {
            CallEvent::Answer(answer) => {
                *in_flight = None;
                StepOutput::Last(request.finish(answer))
            }
            CallEvent::Progress(progress) => match &request.progress {
                Some(token) => StepOutput::Message(progress_text(token, &progress)),
                None => StepOutput::Nothing,
            },
            CallEvent::Message(CallMessage::Log(params)) => StepOutput::Message(format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{}}}"#,
                params.get()
            )),
            CallEvent::Message(CallMessage::Question(question)) => match request.version.era() {
                Era::Modern => match in_flight.take() {
                    Some(in_flight) => {
                        StepOutput::Last(self.suspend(request, in_flight, vec![question]))
                    }
                    None => StepOutput::Nothing,
                },
                Era::Legacy => ask(request, in_flight.as_ref(), question),
            },
            CallEvent::Message(CallMessage::Withdrawn(number)) if !request.is_modern() => {
                StepOutput::Message(format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{number}}}}}"#
                ))
            }
            CallEvent::Message(CallMessage::Withdrawn(_)) => StepOutput::Nothing,
        }
    }
}

/// Sends a member's question to the client as a request of the gateway. The client posts its answer
/// to the session.
fn ask(
    request: &GatewayRequest,
    in_flight: Option<&InFlight>,
    question: SentQuestion,
) -> StepOutput {
    let SentQuestion {
        number, mut params, ..
    } = question;
    let questions = in_flight.and_then(InFlight::questions);
    let (Some(session), Some(questions)) = (&request.session, questions) else {
        return StepOutput::Nothing;
    };
    session.add_question(number, questions);
    // Versions without elicitation modes have only forms.
    if session.handshake.version < ProtocolVersion::V2025_11_25
        && let Value::Object(params) = &mut params
    {
        params.shift_remove("mode");
    }
    let message = json!({
        "jsonrpc": "2.0",
        "id": number,
        "method": "elicitation/create",
        "params": params,
    });
    StepOutput::Message(message.to_string())
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
    server: Arc<GatewayServer>,
    request: GatewayRequest,
    in_flight: Option<InFlight>,
    sent: Instant,
}

impl Stream for CallEventStream {
    type Item = Bytes;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let this = self.get_mut();
        loop {
            let Some(in_flight) = &mut this.in_flight else {
                return Poll::Ready(None);
            };
            let step = match in_flight.poll_step(cx) {
                Poll::Ready(step) => step,
                Poll::Pending if this.request.responder.connection.is_stopping() => {
                    CallEvent::Answer(Err(closing()))
                }
                Poll::Pending if this.server.takes_long(&this.request, this.sent) => {
                    this.sent = Instant::now();
                    return Poll::Ready(Some(Bytes::from_static(COMMENT)));
                }
                Poll::Pending => return Poll::Pending,
            };
            this.sent = Instant::now();
            match this
                .server
                .step_output(&this.request, &mut this.in_flight, step)
            {
                StepOutput::Message(message) => {
                    return Poll::Ready(Some(event(&[Bytes::from(message)])));
                }
                StepOutput::Last(answer) => {
                    this.in_flight = None;
                    return Poll::Ready(Some(event(&this.request.parts(answer))));
                }
                StepOutput::Nothing => {}
            }
        }
    }
}
