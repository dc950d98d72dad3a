//! Sends spans to a collector by OTLP: protobuf over HTTP.
//!
//! A thread of the OpenTelemetry SDK sends spans in batches from a bounded queue, so that a slow or
//! dead collector delays no request. Spans that do not fit into the queue are dropped. The SDK
//! reads the standard variables `OTEL_*`. Connections to the collector follow the same rules as
//! those to members: no proxy to this machine, and no redirects.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use guild_secrets::Redactor;
use guild_settings::SettingsBook;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response, ResponseBodyTooLarge};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkError;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use tokio::runtime::Handle;

/// The variables that may contain the address of the collector.
const ENDPOINTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];
/// The variable that switches the export off.
const DISABLED: &str = "OTEL_SDK_DISABLED";
/// The variable with the program's name in traces, and the default name.
const SERVICE: (&str, &str) = ("OTEL_SERVICE_NAME", "guild-hall");
/// Timeout of one request to the collector.
const REQUEST_LIMIT: Duration = Duration::from_secs(10);
/// How long the program waits at its end for the last spans to be sent.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);
/// Maximum size of the collector's answer, in bytes.
const ANSWER_MAX: usize = 64 << 10;

/// The export of a hall's spans.
#[derive(Debug)]
pub(crate) struct Exporter {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    redactor: Redactor,
}

/// Returns the exporter, if the environment names a collector.
pub(crate) fn from_environment(
    settings: &Arc<SettingsBook>,
    redactor: &Redactor,
) -> Option<Exporter> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    ENDPOINTS.into_iter().find_map(variable)?;
    if variable(DISABLED).is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        return None;
    }
    let client = CollectorClient {
        runtime: Handle::current(),
        settings: Arc::clone(settings),
        is_failing: Arc::default(),
    };
    let exporter = SpanExporter::builder().with_http().with_http_client(client);
    let exporter = match exporter.build() {
        Ok(exporter) => exporter,
        Err(error) => {
            tracing::warn!(%error, "traces are not exported");
            return None;
        }
    };
    let mut resource = Resource::builder().with_attribute(opentelemetry::KeyValue::new(
        "service.version",
        env!("CARGO_PKG_VERSION"),
    ));
    if variable(SERVICE.0).is_none() {
        resource = resource.with_service_name(SERVICE.1);
    }
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource.build())
        .build();
    Some(Exporter {
        tracer: provider.tracer("guild-hall"),
        provider,
        redactor: redactor.clone(),
    })
}

impl Exporter {
    pub(crate) fn tracer(&self) -> &SdkTracer {
        &self.tracer
    }

    /// Returns a string with its secrets masked.
    pub(crate) fn redacted(&self, text: &str) -> String {
        let mut text = text.to_owned();
        self.redactor.hide_in(&mut text);
        text
    }

    /// Sends the spans that are still in the queue.
    pub(crate) async fn close(&self) {
        let provider = self.provider.clone();
        let closing = move || provider.shutdown_with_timeout(CLOSE_LIMIT);
        match tokio::task::spawn_blocking(closing).await {
            Ok(Ok(()) | Err(OTelSdkError::AlreadyShutdown)) | Err(_) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the last traces were not exported"),
        }
    }
}

impl Drop for Exporter {
    fn drop(&mut self) {
        // Without this call, dropping the provider would wait for the last spans to be sent.
        let _ = self.provider.shutdown_with_timeout(Duration::ZERO);
    }
}

/// Sends the SDK's HTTP requests on the tokio runtime, since the SDK's own thread has no runtime.
#[derive(Debug)]
struct CollectorClient {
    runtime: Handle,
    settings: Arc<SettingsBook>,
    /// Whether the last request failed, so that only the first failure is logged.
    is_failing: Arc<AtomicBool>,
}

#[async_trait]
impl HttpClient for CollectorClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let proxies = self.settings.uses_proxies();
        // The timeout needs the runtime too, so it runs in the same task as the request.
        let sending = self.runtime.spawn(async move {
            tokio::time::timeout(REQUEST_LIMIT, exchange(request, proxies)).await
        });
        let sent = match sending.await {
            Ok(Ok(sent)) => sent,
            Ok(Err(elapsed)) => Err(elapsed.into()),
            Err(ended) => Err(ended.into()),
        };
        let failed = match &sent {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("HTTP {}", answer.status().as_u16())),
            Err(error) => Some(error.to_string()),
        };
        let was_failing = self.is_failing.swap(failed.is_some(), Ordering::Relaxed);
        if let (Some(error), false) = (failed, was_failing) {
            tracing::warn!(%error, "the trace collector accepts no spans");
        }
        sent
    }
}

async fn exchange(request: Request<Bytes>, proxies: bool) -> Result<Response<Bytes>, HttpError> {
    let (head, body) = request.into_parts();
    let url = head.uri.to_string();
    let client = guild_mcp_client::client(&url, None, proxies).await?;
    let request = client.request(head.method, url).headers(head.headers);
    // The error's URL is removed, since it may contain a password.
    let broken = |error: reqwest::Error| error.without_url();
    let mut answer = request.body(body).send().await.map_err(broken)?;
    let mut response = Response::builder().status(answer.status());
    if let Some(headers) = response.headers_mut() {
        headers.extend(answer.headers().clone());
    }
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(broken)? {
        if body.len() + piece.len() > ANSWER_MAX {
            return Err(ResponseBodyTooLarge::new().into());
        }
        body.extend_from_slice(&piece);
    }
    Ok(response.body(body.into())?)
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test fails by panicking")]
mod tests {
    use guild_mcp_client::RequestMeta;
    use guild_model::MemberName;

    use super::*;
    use crate::{TraceTarget, TracedRequest, Tracer};

    #[test]
    fn exported_names_have_no_secrets() {
        let provider = SdkTracerProvider::builder().build();
        let exporter = Exporter {
            tracer: provider.tracer("test"),
            provider,
            redactor: Redactor::with_secret("planted-1"),
        };
        let tracer = Tracer {
            exporter: Some(Arc::new(exporter)),
        };
        let span = tracer.begin(TracedRequest {
            method: "tools/call",
            target: TraceTarget::Tool("say-planted-1"),
            member: &MemberName::parse("forge").expect("a name"),
            client: Some("agent planted-1"),
            meta: &RequestMeta::default(),
        });
        let exported = span.exported.as_ref().expect("it is exported");
        assert_eq!(exported.name, "tools/call say-•••");
        let attributes = format!("{:?}", exported.attributes);
        assert!(attributes.contains("agent •••") && !attributes.contains("planted"));
    }
}
