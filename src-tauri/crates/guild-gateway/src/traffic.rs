//! Reports answered requests to the traffic view.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::backend::{GatewayBackend, GatewayError, GatewayRequestContext, TrafficExchange};

/// A request and its answer, stored until the answer is sent. The bytes are shared, not copied.
#[derive(Debug)]
pub(super) struct GatewayExchange {
    request: ExchangeMeta,
    answer: Result<Bytes, String>,
    duration: Duration,
}

/// Data of a request for the traffic view.
#[derive(Debug, Clone)]
pub(super) struct ExchangeMeta {
    /// Client and endpoint.
    pub(super) context: Arc<GatewayRequestContext>,
    pub(super) method: Bytes,
    /// The tool, resource or prompt.
    pub(super) subject: Option<Bytes>,
    pub(super) params: Option<Bytes>,
    /// When the request arrived.
    pub(super) since: Instant,
    /// The size of the request's body, in bytes.
    pub(super) request_bytes: usize,
}

impl ExchangeMeta {
    /// Combines the request with its answer.
    pub(super) fn answered(self, answer: Result<Bytes, &GatewayError>) -> GatewayExchange {
        GatewayExchange {
            duration: self.since.elapsed(),
            request: self,
            answer: answer.map_err(|refusal| refusal.message.clone()),
        }
    }
}

impl GatewayExchange {
    pub(super) fn report(&self, backend: &dyn GatewayBackend) {
        let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
        let request = &self.request;
        backend.record(
            &request.context,
            TrafficExchange {
                method: text(&request.method),
                subject: request.subject.as_deref().map(text),
                params: request.params.as_deref().map(text),
                answer: match &self.answer {
                    Ok(result) => Ok(text(result)),
                    Err(message) => Err(message),
                },
                duration: self.duration,
                request_bytes: request.request_bytes,
            },
        );
    }
}
