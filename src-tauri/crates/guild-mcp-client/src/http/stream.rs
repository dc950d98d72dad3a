//! Reads the event stream that answers a raw request, and handles the server's other messages on
//! it.
//!
//! Other messages are handled as rmcp handles them: a person is asked the server's questions, each
//! answer is posted separately, and notifications are forwarded to the session. If the stream
//! breaks after an event with an id, it is resumed after that event.

use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderValue, Method};
use rmcp::model::{
    ClientJsonRpcMessage, RequestId, ServerJsonRpcMessage, ServerNotification, ServerRequest,
};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::raw_requests::RawHttpContext;
use super::reply::HttpResponse;
use super::{EVENT_MAX, EVENTS, LAST_EVENT, STREAM_PAUSE_MAX, STREAM_TRIES, VERSION};
use crate::decoder::InvalidMessage;
use crate::error::McpError;
use crate::events::{SseParser, TooLarge};
use crate::fault::{ResponseError, error_of};
use crate::raw_requests::{self, RawRequestId, RawRequestResult};

/// The first pause before a stream is resumed, if the server does not set one. Each further pause
/// is twice as long.
const STREAM_PAUSE: Duration = Duration::from_secs(1);

pub(super) struct RawStreamReader<'a> {
    sender: &'a RawHttpContext,
    id: RawRequestId,
    session: Option<&'a str>,
    events: SseParser,
    /// The error of a message that could not be parsed. It is used if no answer arrives.
    unread: Option<ResponseError>,
    /// The server's requests that are being answered.
    questions: FuturesUnordered<BoxFuture<'a, RequestId>>,
    asked: Vec<(RequestId, CancellationToken)>,
}

pub(super) enum AnsweredRequest {
    Of(RawRequestId),
    /// An error without an id, which belongs to the stream's request.
    Nameless(McpError),
    Another,
}

pub(super) fn whose(message: &ServerJsonRpcMessage) -> AnsweredRequest {
    match (raw_requests::answered_by(message), message) {
        (Some(id), _) => AnsweredRequest::Of(id),
        (None, ServerJsonRpcMessage::Error(error)) if error.id.is_none() => {
            AnsweredRequest::Nameless(error_of(&error.error))
        }
        _ => AnsweredRequest::Another,
    }
}

impl<'a> RawStreamReader<'a> {
    pub(super) fn new(
        sender: &'a RawHttpContext,
        id: RawRequestId,
        session: Option<&'a str>,
    ) -> Self {
        Self {
            sender,
            id,
            session,
            events: SseParser::up_to(EVENT_MAX),
            unread: None,
            questions: FuturesUnordered::new(),
            asked: Vec::new(),
        }
    }

    /// Reads a stream until the answer arrives. If the stream breaks, resumes it.
    pub(super) async fn answer_of(mut self, mut reply: HttpResponse) -> RawRequestResult {
        let mut pause = STREAM_PAUSE;
        for _ in 0..=STREAM_TRIES {
            let broken = match self.of(&mut reply).await {
                Ok(Some(answered)) => {
                    reply.finish();
                    return answered;
                }
                Ok(None) => McpError::Closed {
                    reason: Some("the server ended its answer's stream without an answer".into()),
                },
                Err(error) => error,
            };
            if let Some(fault) = self.unread.take() {
                return Err(fault.into());
            }
            if self.sender.carrier.pin.is_some() || matches!(broken, McpError::TooLarge { .. }) {
                return Err(broken);
            }
            let Some(last) = self.events.last_id.as_deref() else {
                return Err(broken);
            };
            let Ok(last) = HeaderValue::from_str(last) else {
                return Err(broken);
            };
            let named = self.events.retry_ms.map(Duration::from_millis);
            self.answering(sleep(named.unwrap_or(pause).min(STREAM_PAUSE_MAX)))
                .await;
            pause = STREAM_PAUSE_MAX.min(pause * 2);
            self.events.begin_anew();
            let mut headers = self.sender.headers.clone();
            headers.remove(CONTENT_TYPE);
            headers.insert(ACCEPT, HeaderValue::from_static(EVENTS));
            headers.insert(LAST_EVENT, last);
            let again = self
                .sender
                .send(Method::GET, headers, self.session, Bytes::new());
            match again.await {
                Ok(again) if again.status().is_success() && again.is(EVENTS) => {
                    reply = again;
                }
                Ok(again) if again.status().is_server_error() => {}
                Ok(_) => return Err(broken),
                // The server will reject each further attempt until a person signs in.
                Err(error @ McpError::SignIn(_)) => return Err(error),
                Err(_) => {}
            }
        }
        Err(McpError::Closed {
            reason: Some("the stream of the answer broke again and again".into()),
        })
    }

    /// Reads one response. Returns `None` if it ends without the answer.
    async fn of(&mut self, reply: &mut HttpResponse) -> Result<Option<RawRequestResult>, McpError> {
        loop {
            loop {
                match self.events.next() {
                    Ok(Some(event)) => {
                        if let Some(answered) = self.take(event.data.trim_ascii()) {
                            return Ok(Some(answered));
                        }
                    }
                    Ok(None) => break,
                    Err(TooLarge) => {
                        return Err(ResponseError::TooLarge(EVENT_MAX).into());
                    }
                }
            }
            match self.answering(reply.chunk()).await? {
                Some(chunk) => self.events.push(&chunk),
                None => return Ok(None),
            }
        }
    }

    /// Awaits a future, and works on the answers to the server's requests at the same time.
    async fn answering<T>(&mut self, wait: impl Future<Output = T>) -> T {
        tokio::pin!(wait);
        loop {
            tokio::select! {
                biased;
                output = &mut wait => return output,
                Some(answered) = self.questions.next() => {
                    self.asked.retain(|(id, _)| *id != answered);
                }
            }
        }
    }

    /// Parses one message. Returns the answer to the stream's raw request, and delivers any other
    /// message.
    fn take(&mut self, message: &[u8]) -> Option<RawRequestResult> {
        let decoder = &self.sender.carrier.decoder;
        if let Some((id, result)) = raw_requests::result_in(message) {
            if id == self.id {
                return Some(Ok(result.to_owned()));
            }
            decoder.calls().answer(id, Ok(result.to_owned()));
            return None;
        }
        let message = match decoder.read_on(message, Some(&self.id.request())) {
            Ok(message) => message,
            Err(InvalidMessage {
                answers: Some(id),
                fault,
            }) => fault.answering(id),
            Err(InvalidMessage { fault, .. }) => {
                self.unread.get_or_insert(fault);
                return None;
            }
        };
        match whose(&message) {
            AnsweredRequest::Of(id) if id == self.id => {
                return Some(raw_requests::answer_in(message));
            }
            AnsweredRequest::Of(id) => decoder.calls().answer(id, raw_requests::answer_in(message)),
            AnsweredRequest::Nameless(error) => return Some(Err(error)),
            AnsweredRequest::Another => self.handle_other(message),
        }
        None
    }

    /// Begins to answer a request of the server, or delivers a notification.
    fn handle_other(&mut self, message: ServerJsonRpcMessage) {
        match message {
            ServerJsonRpcMessage::Request(request) => {
                let over = CancellationToken::new();
                self.asked.push((request.id.clone(), over.clone()));
                let (sender, origin) = (self.sender, self.id);
                self.questions.push(Box::pin(async move {
                    sender
                        .answer(origin, &request.id, request.request, over)
                        .await;
                    request.id
                }));
            }
            ServerJsonRpcMessage::Notification(notification) => {
                if let ServerNotification::CancelledNotification(cancelled) =
                    &notification.notification
                {
                    let of = cancelled.params.request_id.as_ref();
                    let asked = self.asked.iter().filter(|(id, _)| Some(id) == of);
                    asked.for_each(|(_, over)| over.cancel());
                }
                self.sender
                    .listener
                    .on_notification(notification.notification);
            }
            ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_) => {}
        }
    }
}

impl RawHttpContext {
    async fn answer(
        &self,
        origin: RawRequestId,
        id: &RequestId,
        request: ServerRequest,
        over: CancellationToken,
    ) {
        // On drop, this also frees the slot of a question that was withdrawn.
        let _answered = HttpAnswerGuard { sender: self, id };
        let origin = origin.request();
        let answer = tokio::select! {
            answer = self.listener.answer(request, Some(&origin)) => answer,
            () = over.cancelled() => return,
        };
        let message = match answer {
            Ok(result) => ClientJsonRpcMessage::response(result, id.clone()),
            Err(error) => ClientJsonRpcMessage::error(error, Some(id.clone())),
        };
        let _sending = self.carrier.decoder.note_answer(&message);
        let mut headers = self.own.clone();
        if let Some(version) = self.headers.get(VERSION) {
            headers.insert(VERSION, version.clone());
        }
        let session = self.carrier.session();
        let posted = self
            .carrier
            .post(&self.url, message, session.as_deref(), headers);
        if let Err(error) = posted.await {
            tracing::debug!(%error, "a question's answer did not arrive");
        }
    }
}

/// Dropping this value frees the slot of a server's request.
struct HttpAnswerGuard<'a> {
    sender: &'a RawHttpContext,
    id: &'a RequestId,
}

impl Drop for HttpAnswerGuard<'_> {
    fn drop(&mut self) {
        self.sender.carrier.decoder.answered(self.id);
    }
}
