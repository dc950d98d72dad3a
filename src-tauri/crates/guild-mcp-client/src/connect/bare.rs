//! Opens a session with a server that has no handshake (`initialize` or `server/discover`).

use rmcp::model::{ServerCapabilities, ServerPeerInfo};
use rmcp::service::{ClientCacheConfig, serve_directly_with_ct};
use serde_json::json;

use super::{
    ConnectFailure, ConnectOptions, ServerTransport, SessionParts, introduced, on_pipes, version_of,
};
use crate::error::McpError;
use crate::failure;
use crate::raw_requests::compose::Introduction;
use crate::session::Session;
use guild_model::protocol::Era;

/// Opens a session with a server that answers requests without a handshake. The session is open
/// when the tool list has arrived, which must happen within the limit.
///
/// # Errors
/// When the list does not arrive, or the transport is not stdio.
pub async fn connect_bare(
    link: ServerTransport,
    options: ConnectOptions,
) -> Result<Session, ConnectFailure> {
    let ServerTransport::Stdio { reader, writer } = link else {
        let reason = "HTTP requires a handshake before a session".into();
        return Err(McpError::Connect { reason }.into());
    };
    let shared = SessionParts::new(crate::decoder::MessageDecoder::default(), None);
    let (lines, sender) = on_pipes(reader, writer, &shared);
    let SessionParts { parts, events } = shared;
    // A server without a handshake declares no capabilities. It must have tools, because its tool
    // list opens the session.
    parts.decoder.assume(json!({"tools": {}}));
    let version = version_of(&options);
    let (listener, questions) = introduced(&options, version, &parts);
    let info = ServerPeerInfo::new(failure::version(version), ServerCapabilities::default());
    let token = parts.cut.child_token();
    let running = serve_directly_with_ct(listener, lines, Some(info.clone()), token);
    running
        .peer()
        .set_response_cache_config(ClientCacheConfig::disabled())
        .await;
    let beside = (sender, Introduction::default());
    let session = Session::start(
        running,
        &info,
        Era::Legacy,
        questions,
        parts,
        beside,
        events,
    )
    .without_agreement();
    match session.list_tools(options.handshake).await {
        Ok(_) => Ok(session),
        Err(error) => {
            let cause = Box::new(error);
            Err(McpError::Handshake { cause }.into())
        }
    }
}
