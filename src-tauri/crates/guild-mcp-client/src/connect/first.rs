//! Opens a connection to a server of unknown era, by trying version 2026-07-28 first.
//!
//! A legacy server answers the unknown request with an error, does not answer, or exits. Over
//! stdio, this module writes the `server/discover` request before rmcp gets the pipes, so that
//! `initialize` can follow on the same pipes. Over HTTP, each era has a separate transport.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use guild_model::protocol::{Era, ProtocolVersion};
use rmcp::model::ClientConfig;
use serde::Deserialize;
use serde_json::json;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, sleep, timeout};

use crate::error::McpError;
use crate::failure::EraFailure;
use crate::raw_requests::{RawRequestId, RawResponse};
use crate::session::Session;

/// How long a server over stdio must be idle, after it has read the `server/discover` request, to
/// count as not answering.
const QUIET: Duration = Duration::from_millis(60);
/// Interval of the checks whether the server is idle.
const LOOK: Duration = Duration::from_millis(15);
/// Timeout for the answer of a server whose process can't be observed, so that it is unknown
/// whether it is idle.
const UNSEEN: Duration = Duration::from_secs(2);
/// How long to wait for the answer of a server over HTTP before `initialize` is sent too.
const HEAD_START: Duration = Duration::from_millis(300);
/// Limit of the bytes that a server over stdio writes before its answer. Beyond it, the server
/// counts as not answering.
const WRITTEN_MAX: usize = 1 << 20;
/// Bytes per read.
const READ_SIZE: usize = 16 << 10;

/// How to ask a server of unknown era for the newest version, before `initialize`.
#[derive(Debug, Clone, Default)]
pub struct DiscoverFirst {
    /// Checks whether the process of a server over stdio is idle. `None` if the process can't be
    /// observed.
    pub idle: Option<Idle>,
}

/// Checks whether a server has read all of its input and then waits.
#[derive(Clone)]
pub struct Idle(Arc<dyn Fn() -> BoxFuture<'static, Option<bool>> + Send + Sync>);

impl Idle {
    /// Creates a check that calls `look`. `look` returns `None` if the process can't be observed.
    pub fn new(
        look: impl Fn() -> BoxFuture<'static, Option<bool>> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(look))
    }
}

impl std::fmt::Debug for Idle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Idle")
    }
}

/// The reaction of a server over stdio to the `server/discover` request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StdioProbeResult {
    /// The server supports the newest version.
    Modern,
    /// The server answered with an error or another result, or did not answer.
    Other,
    /// The server closed its output or its input.
    Ended,
}

/// The server's pipes after the `server/discover` request. `reader` returns everything again that
/// was read so far, except the answer.
pub(super) struct ServerDiscoverOutcome {
    pub(super) reaction: StdioProbeResult,
    pub(super) reader: Box<dyn AsyncRead + Send + Unpin>,
    pub(super) writer: Box<dyn AsyncWrite + Send + Unpin>,
}

/// Returns the id of the `server/discover` request. It is the last of the raw request ids. rmcp
/// never uses these, so a late answer is never mistaken for an answer to a request of rmcp.
fn question_id() -> RawRequestId {
    RawRequestId::after(u32::MAX)
}

/// Returns the `server/discover` request as a line.
fn question(client: &ClientConfig) -> Vec<u8> {
    let question = json!({
        "jsonrpc": "2.0",
        "id": question_id().number(),
        "method": "server/discover",
        "params": {"_meta": {
            "io.modelcontextprotocol/protocolVersion": ProtocolVersion::V2026_07_28.as_str(),
            "io.modelcontextprotocol/clientInfo": client.client_info,
            "io.modelcontextprotocol/clientCapabilities": client.capabilities,
        }},
    });
    let mut line = question.to_string().into_bytes();
    line.push(b'\n');
    line
}

#[derive(Deserialize)]
struct SupportedVersions {
    #[serde(rename = "supportedVersions")]
    supported: Vec<String>,
}

/// Returns the server's reaction if a line is the answer to the `server/discover` request, or else
/// `None`.
fn answer_in(line: &[u8]) -> Option<StdioProbeResult> {
    let line = line.trim_ascii();
    if line.first() != Some(&b'{') {
        return None;
    }
    let answer: RawResponse<'_> = serde_json::from_slice(line).ok()?;
    if answer.method.is_some() || RawRequestId::of_text(answer.id?.get()) != Some(question_id()) {
        return None;
    }
    let versions = answer
        .result
        .and_then(|result| serde_json::from_str::<SupportedVersions>(result.get()).ok())
        .map(|versions| versions.supported)
        .unwrap_or_default();
    let newest = ProtocolVersion::V2026_07_28.as_str();
    Some(match versions.iter().any(|version| version == newest) {
        true => StdioProbeResult::Modern,
        false => StdioProbeResult::Other,
    })
}

/// Sends `server/discover` to a server over stdio. Waits until the server answers, ends or is idle,
/// or until the limit.
pub(super) async fn ask(
    mut reader: Box<dyn AsyncRead + Send + Unpin>,
    mut writer: Box<dyn AsyncWrite + Send + Unpin>,
    client: &ClientConfig,
    first: &DiscoverFirst,
    limit: Duration,
) -> ServerDiscoverOutcome {
    let mut written = Vec::new();
    let asking = async {
        let question = question(client);
        if writer.write_all(&question).await.is_err() || writer.flush().await.is_err() {
            return StdioProbeResult::Ended;
        }
        tokio::select! {
            biased;
            reaction = answer(&mut reader, &mut written) => reaction,
            () = stays_quiet(first) => StdioProbeResult::Other,
        }
    };
    let reaction = timeout(limit, asking)
        .await
        .unwrap_or(StdioProbeResult::Other);
    let reader = std::io::Cursor::new(written).chain(reader);
    ServerDiscoverOutcome {
        reaction,
        reader: Box::new(reader),
        writer,
    }
}

/// Reads up to and including the answer. `written` receives everything else that was read.
async fn answer(reader: &mut (impl AsyncRead + Unpin), written: &mut Vec<u8>) -> StdioProbeResult {
    let mut line_at = 0;
    while written.len() < WRITTEN_MAX {
        written.reserve(READ_SIZE);
        match reader.read_buf(written).await {
            Ok(0) | Err(_) => return StdioProbeResult::Ended,
            Ok(_) => {}
        }
        while let Some(length) = memchr::memchr(b'\n', &written[line_at..]) {
            let next = line_at + length + 1;
            if let Some(reaction) = answer_in(&written[line_at..next]) {
                written.drain(line_at..next);
                return reaction;
            }
            line_at = next;
        }
    }
    StdioProbeResult::Other
}

/// Waits until the server has read the `server/discover` request and has then been idle for
/// [`QUIET`].
async fn stays_quiet(first: &DiscoverFirst) {
    let began = Instant::now();
    let mut quiet_since = None;
    loop {
        sleep(LOOK).await;
        let idle = match &first.idle {
            Some(Idle(look)) => look().await,
            None => None,
        };
        match idle {
            Some(true) => {
                let since: Instant = *quiet_since.get_or_insert_with(Instant::now);
                if since.elapsed() >= QUIET {
                    return;
                }
            }
            Some(false) => quiet_since = None,
            None if began.elapsed() >= UNSEEN => return,
            None => {}
        }
    }
}

/// Opens a session over HTTP in the modern era. If that fails, or gets no answer within
/// [`HEAD_START`], the legacy era is tried. If the legacy attempt ends first, the modern one gets
/// the same time once more, at least [`HEAD_START`]. A modern session is preferred.
pub(super) async fn over_http<F>(attempt: impl Fn(Era) -> F) -> Result<Session, EraFailure>
where
    F: Future<Output = Result<Session, EraFailure>>,
{
    let mut modern = pin!(attempt(Era::Modern));
    match timeout(HEAD_START, &mut modern).await {
        Ok(Err(trouble)) if !wants_sign_in(&trouble) => return attempt(Era::Legacy).await,
        Ok(opened) => return opened,
        Err(_) => {}
    }
    let began = Instant::now();
    let mut legacy = pin!(attempt(Era::Legacy));
    let opened = tokio::select! {
        biased;
        opened = &mut modern => match opened {
            Err(trouble) if !wants_sign_in(&trouble) => return legacy.await,
            opened => return opened,
        },
        opened = &mut legacy => opened,
    };
    match timeout(began.elapsed().max(HEAD_START), modern).await {
        Ok(Ok(session)) => Ok(session),
        _ => opened,
    }
}

/// Whether the server requires a sign-in. The other era would require the same, so it is not tried.
fn wants_sign_in(trouble: &EraFailure) -> bool {
    matches!(trouble.error, McpError::SignIn(_) | McpError::Unrenewed(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_answer_with_the_newest_version_is_modern() {
        let id = question_id().number();
        let reaction = |text: String| answer_in(text.as_bytes());
        let versions = r#""result":{"supportedVersions":["2025-11-25","2026-07-28"]}"#;
        assert_eq!(
            reaction(format!(r#"{{"id":{id},{versions}}}"#)),
            Some(StdioProbeResult::Modern)
        );
        assert_eq!(
            reaction(format!(r#"{{"id":"{id}",{versions}}}"#)),
            Some(StdioProbeResult::Modern)
        );
        for other in [
            r#""result":{"supportedVersions":["2025-06-18"]}"#,
            r#""result":{}"#,
            r#""result":{"supportedVersions":7}"#,
            r#""error":{"code":-32601,"message":"no"}"#,
        ] {
            assert_eq!(
                reaction(format!(r#"{{"id":{id},{other}}}"#)),
                Some(StdioProbeResult::Other),
                "{other}"
            );
        }
        for none in [
            format!(r#"{{"id":1,{versions}}}"#),
            format!(r#"{{"id":{id},"method":"ping"}}"#),
            "booting".to_owned(),
            format!("[{id}]"),
        ] {
            assert_eq!(reaction(none.clone()), None, "{none}");
        }
    }
}
