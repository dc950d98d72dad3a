//! Reads event streams for rmcp, in bounded memory.

use futures::StreamExt;
use futures::stream::{BoxStream, unfold};
use rmcp::model::{RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::SseError;
use sse_stream::Sse;

use super::reply::HttpResponse;
use super::{EVENT_MAX, same};
use crate::decoder::MessageDecoder;
use crate::error::McpError;
use crate::events::{Event, SseParser, TooLarge};
use crate::fault::ResponseError;

/// Reads a body as a stream of events of at most [`EVENT_MAX`] bytes. Results are wrapped, so that
/// rmcp does not change them. If an answer can't be used, it is replaced by an error for `asked`,
/// the request that the stream answers.
pub(super) fn events(
    response: HttpResponse,
    decoder: MessageDecoder,
    asked: Option<RequestId>,
) -> BoxStream<'static, Result<Sse, SseError>> {
    let reader = SseResponseReader {
        response: Some(response),
        parser: SseParser::up_to(EVENT_MAX),
        decoder,
        asked,
        unread: None,
        reported: (None, None),
    };
    unfold(reader, |mut reader| async move {
        let event = reader.next().await?;
        Some((event, reader))
    })
    .boxed()
}

struct SseResponseReader {
    /// `None` once the stream has ended.
    response: Option<HttpResponse>,
    parser: SseParser,
    decoder: MessageDecoder,
    /// The request that the stream answers. `None` once it is answered.
    asked: Option<RequestId>,
    /// The error of a message that could not be parsed. It is used if no answer arrives.
    unread: Option<ResponseError>,
    /// The event id and the delay that rmcp received last. rmcp needs them to resume the stream.
    reported: (Option<String>, Option<u64>),
}

impl SseResponseReader {
    async fn next(&mut self) -> Option<Result<Sse, SseError>> {
        loop {
            let response = self.response.as_mut()?;
            match self.parser.next() {
                Ok(Some(Event { name, data })) => {
                    let data = self.message(data.trim_ascii());
                    let mut event = self.event(data);
                    event.event = Some(String::from_utf8_lossy(&name).into_owned());
                    return Some(Ok(event));
                }
                Ok(None) => {}
                Err(TooLarge) => {
                    self.response = None;
                    let fault = ResponseError::TooLarge(EVENT_MAX);
                    return Some(match self.asked.take() {
                        Some(id) => Ok(self.event(text_of(&fault.answering(id)))),
                        None => Err(broken(fault.into())),
                    });
                }
            }
            if (&self.parser.last_id, self.parser.retry_ms) != (&self.reported.0, self.reported.1) {
                return Some(Ok(self.event(None)));
            }
            match response.chunk().await {
                Ok(Some(chunk)) => self.parser.push(&chunk),
                Ok(None) => {
                    self.response = None;
                    let (fault, id) = (self.unread.take()?, self.asked.take()?);
                    return Some(Ok(self.event(text_of(&fault.answering(id)))));
                }
                Err(error) => {
                    self.response = None;
                    return Some(Err(broken(error)));
                }
            }
        }
    }

    /// Returns an event for rmcp. Without data, rmcp only uses its id and delay.
    fn event(&mut self, data: Option<String>) -> Sse {
        let (id, retry) = (self.parser.last_id.clone(), self.parser.retry_ms);
        self.reported = (id.clone(), retry);
        Sse {
            data,
            id,
            retry,
            ..Sse::default()
        }
    }

    /// Parses a message. Returns its text if it is for rmcp.
    fn message(&mut self, message: &[u8]) -> Option<String> {
        match self.decoder.receive(message, self.asked.as_ref()) {
            Ok(message) => text_of(&self.correlated(message?)),
            Err(fault) => {
                self.unread.get_or_insert(fault);
                None
            }
        }
    }

    /// If the message answers the stream's request, records that. An error without an id belongs to
    /// the stream's request, so it gets the request's id.
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
}

/// Returns the error that ends a stream.
fn broken(error: McpError) -> SseError {
    SseError::Body(Box::new(error))
}

fn text_of(message: &ServerJsonRpcMessage) -> Option<String> {
    serde_json::to_string(message).ok()
}
