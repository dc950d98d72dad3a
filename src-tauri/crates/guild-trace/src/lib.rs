//! Traces of requests to members, in the format of OpenTelemetry.
//!
//! Each request continues its caller's trace, or starts a new one. If the environment names a
//! collector, [`export`] sends the spans of the request. Otherwise the request only has a trace id
//! and a span id, which the member receives. Spans never contain arguments, results or texts of
//! errors.

mod export;
mod position;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::SystemTime;

use guild_mcp_client::{RequestMeta, Session};
use guild_model::{Code, MemberName};
use guild_secrets::Redactor;
use guild_settings::SettingsBook;
use opentelemetry::trace::{
    SpanBuilder, SpanContext, SpanKind, Status, TraceContextExt as _, Tracer as _,
};
use opentelemetry::{Context, KeyValue};

use self::export::Exporter;

/// The tool or the prompt of a request. Its name is part of the names of the spans.
#[derive(Debug, Clone, Copy)]
pub enum TraceTarget<'a> {
    /// A tool's name on its server.
    Tool(&'a str),
    /// A prompt's name on its server.
    Prompt(&'a str),
    /// A resource or a list. Spans don't contain a resource's URI, since a URI may contain private
    /// data.
    Unnamed,
}

/// A request to trace.
#[derive(Debug, Clone, Copy)]
pub struct TracedRequest<'a> {
    /// The JSON-RPC method.
    pub method: &'static str,
    /// The tool or the prompt.
    pub target: TraceTarget<'a>,
    /// The member that answers the request.
    pub member: &'a MemberName,
    /// The agent's name. `None` for a request of a person or of Guild Hall.
    pub client: Option<&'a str>,
    /// The `_meta` of the caller's request, which may contain a `traceparent`.
    pub meta: &'a RequestMeta,
}

/// The reason why a traced request failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceError {
    /// The JSON-RPC error code of the member's answer.
    Rpc(i64),
    /// The tool reported a failure (`isError`).
    Tool,
    /// The member did not answer.
    Code(Code),
}

/// The times of a member's start.
#[derive(Debug, Clone, Copy)]
pub struct StartTimes {
    /// When the start began, after its wait for other starts.
    pub began: SystemTime,
    /// When the member was ready for requests.
    pub ready: SystemTime,
}

/// Traces requests. Clones share the exporter.
#[derive(Debug, Clone, Default)]
pub struct Tracer {
    exporter: Option<Arc<Exporter>>,
}

impl Tracer {
    /// Creates the tracer. It exports spans if the environment names a collector
    /// (`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` or `OTEL_EXPORTER_OTLP_ENDPOINT`).
    ///
    /// Must be called within a tokio runtime, which runs the exports.
    pub fn from_environment(settings: &Arc<SettingsBook>, redactor: &Redactor) -> Self {
        let exporter = export::from_environment(settings, redactor);
        Self {
            exporter: exporter.map(Arc::new),
        }
    }

    /// Starts the span of a request, in the caller's trace or in a new one.
    pub fn begin(&self, request: TracedRequest<'_>) -> TraceSpan {
        let caller = request.meta.traceparent();
        let caller = caller.as_deref().and_then(position::parse);
        let continues = caller.is_some();
        let exported = self.exporter.as_ref().and_then(|exporter| {
            let parent = match &caller {
                Some(caller) => Context::new().with_remote_span_context(caller.clone()),
                None => Context::new(),
            };
            let kind = match request.client {
                Some(_) => SpanKind::Server,
                None => SpanKind::Internal,
            };
            ExportedSpan::of_request(exporter, request).start(kind, &parent)
        });
        TraceSpan::new(exported, caller.unwrap_or_else(position::first), continues)
    }

    /// Sends the remaining spans, for at most 1 s. Later spans are not exported.
    pub async fn close(&self) {
        if let Some(exporter) = &self.exporter {
            exporter.close().await;
        }
    }
}

/// The span of a request, or of a part of it. A span that is dropped before [`Self::end`] is
/// recorded as cancelled.
#[derive(Debug)]
pub struct TraceSpan {
    /// The ids of the span. Without an export, those of the caller's span or of a new trace.
    position: SpanContext,
    /// Whether the span continues a trace that the caller started.
    continues: bool,
    exported: Option<ExportedSpan>,
}

impl TraceSpan {
    fn new(exported: Option<ExportedSpan>, fallback: SpanContext, continues: bool) -> Self {
        let position = exported.as_ref().map(ExportedSpan::position);
        Self {
            position: position.unwrap_or(fallback),
            continues,
            exported,
        }
    }

    /// Returns the trace's ID, in 32 hexadecimal digits.
    pub fn trace_id(&self) -> String {
        self.position.trace_id().to_string()
    }

    /// Records the wait for a member that was not ready: first for other requests and starts, then
    /// for the start of the member. `error` is the reason if the wait ended without a session.
    pub fn waited(&self, since: SystemTime, start: Option<StartTimes>, error: Option<Code>) {
        let Some(exported) = &self.exported else {
            return;
        };
        let now = SystemTime::now();
        let (began, ready) = match start {
            // The session was ready before the wait began, so this request waited only for other
            // requests.
            Some(start) if start.ready < since => (now, now),
            Some(start) => (start.began.clamp(since, now), start.ready.min(now)),
            None => (since, now),
        };
        if since < began {
            exported.part("wait in queue", (since, began), None);
        }
        if began < ready {
            exported.part("start member", (began, ready), error);
        }
    }

    /// Starts the span of the request to the member, and writes its ids into the `_meta` of that
    /// request.
    pub fn send(&self, session: &Session, meta: &mut RequestMeta) -> Self {
        let child = self.exported.as_ref().and_then(|exported| {
            let mut child = exported.sibling();
            let network = if session.uses_http() { "tcp" } else { "pipe" };
            child
                .attributes
                .push(KeyValue::new("network.transport", network));
            let version = &session.server().protocol_version;
            if !version.is_empty() {
                let version = exported.exporter.redacted(version);
                child
                    .attributes
                    .push(KeyValue::new("mcp.protocol.version", version));
            }
            child.start(SpanKind::Client, &exported.context)
        });
        let child = Self::new(child, self.position.clone(), self.continues);
        // Without an export, the `traceparent` of the caller is passed on unchanged.
        if child.exported.is_some() || !self.continues {
            meta.set_traceparent(position::write(&child.position), self.continues);
        }
        child
    }

    /// Ends the span. Calls `error` only if the span is exported. Further calls have no effect.
    pub fn end(&mut self, error: impl FnOnce() -> Option<TraceError>) {
        if let Some(exported) = self.exported.take() {
            exported.end(error());
        }
    }
}

impl Drop for TraceSpan {
    fn drop(&mut self) {
        self.end(|| Some(TraceError::Code(Code::CallCancelled)));
    }
}

/// A span that is exported, with the data that all spans of the request share.
#[derive(Debug)]
struct ExportedSpan {
    exporter: Arc<Exporter>,
    context: Context,
    name: String,
    attributes: Vec<KeyValue>,
}

impl ExportedSpan {
    /// Returns the span of a request, not yet started. The names of its attributes are those of
    /// OpenTelemetry's conventions for MCP.
    fn of_request(exporter: &Arc<Exporter>, request: TracedRequest<'_>) -> Self {
        let mut attributes = vec![
            KeyValue::new("mcp.method.name", request.method),
            KeyValue::new("guildhall.member.name", request.member.to_string()),
        ];
        let mut name = Cow::Borrowed(request.method);
        let mut targeted = |key, target: &str| {
            let target = exporter.redacted(target);
            name = format!("{} {target}", request.method).into();
            attributes.push(KeyValue::new(key, target));
        };
        match request.target {
            TraceTarget::Tool(tool) => {
                targeted("gen_ai.tool.name", tool);
                attributes.push(KeyValue::new("gen_ai.operation.name", "execute_tool"));
            }
            TraceTarget::Prompt(prompt) => targeted("gen_ai.prompt.name", prompt),
            TraceTarget::Unnamed => {}
        }
        if let Some(client) = request.client {
            let client = exporter.redacted(client);
            attributes.push(KeyValue::new("guildhall.client.name", client));
        }
        Self {
            exporter: Arc::clone(exporter),
            context: Context::new(),
            name: name.into_owned(),
            attributes,
        }
    }

    /// Returns another span, not yet started, with the same name and attributes.
    fn sibling(&self) -> Self {
        Self {
            exporter: Arc::clone(&self.exporter),
            context: Context::new(),
            name: self.name.clone(),
            attributes: self.attributes.clone(),
        }
    }

    /// Starts the span. Returns `None` if the export has ended.
    fn start(mut self, kind: SpanKind, parent: &Context) -> Option<Self> {
        let builder = SpanBuilder::from_name(self.name.clone())
            .with_kind(kind)
            .with_attributes(self.attributes.clone());
        let span = self.exporter.tracer().build_with_context(builder, parent);
        self.context = Context::new().with_span(span);
        self.position().is_valid().then_some(self)
    }

    fn position(&self) -> SpanContext {
        self.context.span().span_context().clone()
    }

    /// Records a finished part of the request as a span.
    fn part(
        &self,
        name: &'static str,
        (from, until): (SystemTime, SystemTime),
        error: Option<Code>,
    ) {
        let builder = SpanBuilder::from_name(name)
            .with_kind(SpanKind::Internal)
            .with_start_time(from);
        let span = self
            .exporter
            .tracer()
            .build_with_context(builder, &self.context);
        let context = Context::new().with_span(span);
        set_error(&context, error.map(TraceError::Code));
        context.span().end_with_timestamp(until);
    }

    fn end(self, error: Option<TraceError>) {
        set_error(&self.context, error);
        self.context.span().end();
    }
}

fn set_error(context: &Context, error: Option<TraceError>) {
    let Some(error) = error else {
        return;
    };
    let span = context.span();
    let kind = match error {
        TraceError::Rpc(code) => {
            let code = code.to_string();
            span.set_attribute(KeyValue::new("rpc.response.status_code", code.clone()));
            code
        }
        TraceError::Tool => "tool_error".to_owned(),
        TraceError::Code(code) => code.as_str().to_owned(),
    };
    span.set_attribute(KeyValue::new("error.type", kind));
    span.set_status(Status::error(""));
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test fails by panicking")]
mod tests {
    use serde_json::value::to_raw_value;

    use super::*;

    fn traced(traceparent: &str) -> TraceSpan {
        let meta = serde_json::json!({ "traceparent": traceparent });
        let meta = to_raw_value(&meta).expect("JSON");
        Tracer::default().begin(TracedRequest {
            method: "tools/call",
            target: TraceTarget::Tool("echo"),
            member: &MemberName::parse("forge").expect("a name"),
            client: Some("agent"),
            meta: &RequestMeta::read(Some(&meta)).expect("an object"),
        })
    }

    #[test]
    fn request_continues_a_valid_trace_only() {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        let valid = traced(&format!("00-{trace}-00f067aa0ba902b7-00"));
        assert_eq!((valid.trace_id().as_str(), valid.continues), (trace, true));
        let (one, other) = (traced("00-x"), traced("00-x"));
        assert!(!one.continues && one.trace_id() != other.trace_id());
    }

    #[test]
    fn error_is_not_evaluated_without_an_export() {
        let mut span = traced("");
        span.end(|| unreachable!("nothing is exported"));
    }
}
