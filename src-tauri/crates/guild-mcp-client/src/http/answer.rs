//! Reads event streams for rmcp, within memory limits.

use bytes::Bytes;
use futures::stream::{BoxStream, unfold};
use futures::{Stream, StreamExt};
use rmcp::model::{RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::SseError;
use sse_stream::{Sse, SseStream};

use super::reply::HttpResponse;
use super::{EVENT_MAX, same};
use crate::decoder::{InvalidMessage, MessageDecoder};
use crate::error::McpError;
use crate::fault::ResponseError;
use crate::raw_requests::pass_result_on;

/// The reason why an event stream is not read further.
#[derive(Debug, thiserror::Error)]
enum Broken {
    #[error("an event is larger than {0} bytes")]
    EventTooLarge(usize),
    #[error(transparent)]
    Connection(McpError),
}

/// Reads a body as events of at most [`EVENT_MAX`] bytes.
pub(super) fn events(response: HttpResponse) -> BoxStream<'static, Result<Sse, SseError>> {
    let chunks = unfold(response, |mut response| async {
        let chunk = response.chunk().await.transpose()?;
        Some((chunk, response))
    });
    SseStream::from_bytes_stream(bounded(chunks, EVENT_MAX)).boxed()
}

fn bounded(
    bytes: impl Stream<Item = Result<Bytes, McpError>> + Send + 'static,
    max: usize,
) -> impl Stream<Item = Result<Bytes, Broken>> + Send + 'static {
    bytes.scan((EventSize::default(), false), move |(size, over), chunk| {
        let item = match chunk {
            _ if *over => None,
            Ok(chunk) if size.add(&chunk) > max => {
                *over = true;
                Some(Err(Broken::EventTooLarge(max)))
            }
            Ok(chunk) => Some(Ok(chunk)),
            Err(error) => {
                *over = true;
                Some(Err(Broken::Connection(error)))
            }
        };
        std::future::ready(item)
    })
}

/// The size of the event that is being received. An empty line ends the event. Comments don't
/// count, because a stream may have nothing but keep-alive comments for days.
#[derive(Debug, Default)]
struct EventSize {
    event: usize,
    line: usize,
    comment: bool,
    after_return: bool,
}

impl EventSize {
    /// Adds a chunk, and returns the largest event size within it.
    fn add(&mut self, chunk: &[u8]) -> usize {
        let mut largest = 0;
        for &byte in chunk {
            // The second byte of a two-byte line end is not an empty line.
            if std::mem::replace(&mut self.after_return, byte == b'\r') && byte == b'\n' {
                continue;
            }
            if matches!(byte, b'\n' | b'\r') {
                if self.line == 0 {
                    self.event = 0;
                } else if !self.comment {
                    self.event += self.line;
                }
                self.line = 0;
                self.comment = false;
            } else {
                self.comment |= self.line == 0 && byte == b':';
                self.line += 1;
            }
            largest = largest.max(self.event + self.line);
        }
        largest
    }
}

/// Converts events for rmcp. Results are wrapped, and an unusable answer becomes an error for the
/// request that the stream answers.
pub(super) fn readable(
    events: BoxStream<'static, Result<Sse, SseError>>,
    decoder: MessageDecoder,
    asked: Option<RequestId>,
) -> BoxStream<'static, Result<Sse, SseError>> {
    let reading = SseResponseReader {
        events,
        decoder,
        asked,
        unread: None,
    };
    unfold(reading, |mut reading| async move {
        let event = reading.next().await?;
        Some((event, reading))
    })
    .boxed()
}

struct SseResponseReader {
    events: BoxStream<'static, Result<Sse, SseError>>,
    decoder: MessageDecoder,
    /// The request that has no answer yet.
    asked: Option<RequestId>,
    /// The error of an unreadable message, for the case that no answer arrives.
    unread: Option<ResponseError>,
}

impl SseResponseReader {
    async fn next(&mut self) -> Option<Result<Sse, SseError>> {
        let mut event = match self.events.next().await {
            Some(Ok(event)) => event,
            Some(Err(error)) => return Some(self.broken(error)),
            None => {
                let fault = self.unread.take()?;
                let id = self.asked.take()?;
                return Some(Ok(as_event(&fault.answering(id))));
            }
        };
        let Some(data) = event.data.as_deref().filter(|data| !data.trim().is_empty()) else {
            return Some(Ok(event));
        };
        if pass_result_on(self.decoder.calls(), data.trim().as_bytes()) {
            event.data = None;
            return Some(Ok(event));
        }
        let message = match self.decoder.read_on(data.as_bytes(), self.asked.as_ref()) {
            Ok(message) => message,
            Err(InvalidMessage {
                answers: Some(id),
                fault,
            }) => fault.answering(id),
            Err(InvalidMessage {
                answers: None,
                fault,
            }) => {
                self.unread.get_or_insert(fault);
                // An event without data is skipped, but its id still counts for resuming.
                event.data = None;
                return Some(Ok(event));
            }
        };
        let Some(message) = self.decoder.divert(message) else {
            event.data = None;
            return Some(Ok(event));
        };
        let message = self.correlated(message);
        event.data = serde_json::to_string(&message).ok();
        Some(Ok(event))
    }

    /// Records that the request was answered. An error without an id belongs to that request.
    fn correlated(&mut self, message: ServerJsonRpcMessage) -> ServerJsonRpcMessage {
        let answered = match &message {
            ServerJsonRpcMessage::Response(response) => Some(&response.id),
            ServerJsonRpcMessage::Error(error) => match &error.id {
                Some(id) => Some(id),
                None => {
                    let error = error.error.clone();
                    return ServerJsonRpcMessage::error(error, self.asked.take());
                }
            },
            _ => None,
        };
        if let (Some(answered), Some(asked)) = (answered, &self.asked)
            && same(answered, asked)
        {
            self.asked = None;
        }
        message
    }

    /// Handles a broken stream. It can be resumed unless an event is too large.
    fn broken(&mut self, error: SseError) -> Result<Sse, SseError> {
        let limit = match &error {
            SseError::Body(source) => match source.downcast_ref::<Broken>() {
                Some(Broken::EventTooLarge(limit)) => *limit,
                _ => return Err(error),
            },
            _ => return Err(error),
        };
        let Some(id) = self.asked.take() else {
            return Err(error);
        };
        let fault = ResponseError::TooLarge(limit);
        Ok(as_event(&fault.answering(id)))
    }
}

fn as_event(message: &ServerJsonRpcMessage) -> Sse {
    Sse {
        data: serde_json::to_string(message).ok(),
        ..Sse::default()
    }
}
