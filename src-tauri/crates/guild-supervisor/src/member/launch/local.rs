//! Leases a port for a server that this program starts, and connects to it.

use std::sync::Arc;

use guild_mcp_client::{ConnectFailure, ConnectOptions, ServerTransport, Session};
use guild_model::Report;
use guild_process::PortLease;
use guild_process::port::holder;

use super::super::identity;
use super::{LaunchFailure, LaunchInput, blocking};
use guild_secrets::ResolvedEnv;

/// Opens a session with a server on a port of this machine. If the server rejects `127.0.0.1` as
/// its host, tries once more with `localhost`.
pub(super) async fn connect_local(
    link: ServerTransport,
    options: ConnectOptions,
    port: u16,
) -> Result<Session, ConnectFailure> {
    let ServerTransport::Http { url, mut headers } = link else {
        return guild_mcp_client::connect(link, options).await;
    };
    let first = ServerTransport::Http {
        url: url.clone(),
        headers: headers.clone(),
    };
    let failure = match guild_mcp_client::connect(first, options.clone()).await {
        Err(failure) if failure.error.refuses_host() => failure,
        opened => return opened,
    };
    let names_host = |(name, _): &(String, String)| name.eq_ignore_ascii_case("host");
    if headers.iter().any(names_host) {
        return Err(failure);
    }
    headers.push(("Host".to_owned(), format!("localhost:{port}")));
    let again = guild_mcp_client::connect(ServerTransport::Http { url, headers }, options).await;
    // If the server rejects both hosts, the first error is the one to report.
    again.map_err(|second| match second.error.refuses_host() {
        true => failure,
        false => second,
    })
}

/// Returns the headers of each request, with substituted variables.
pub(super) async fn request_headers(
    plan: &LaunchInput,
    port: u16,
    given: ResolvedEnv,
) -> Result<Vec<(String, String)>, LaunchFailure> {
    let headers = plan.manifest.headers.clone();
    if headers.is_empty() {
        return Ok(vec![]);
    }
    let filled = plan.substituted(Some(port), given, |substitution, _| {
        let fill = |(name, value): (String, String)| Ok((name, substitution.substitute(&value)?));
        headers.into_iter().map(fill).collect()
    });
    filled.await.map_err(LaunchFailure::settled)
}

/// Leases a port for the member. Also returns a report if another process uses its last port.
pub(super) async fn lease_port(
    plan: &LaunchInput,
    lost: &[u16],
) -> Result<(PortLease, Option<Report>), LaunchFailure> {
    // A process that a killed program left behind may still use the member's last port.
    plan.context.custody.swept().await;
    let context = Arc::clone(&plan.context);
    let (name, lost) = (plan.name.clone(), lost.to_vec());
    let leased = blocking(move || {
        let last = context.port_memory.last(&name);
        let lease = context
            .ports
            .lease(&name, last, &lost)
            .map_err(|error| error.report())?;
        let port = lease.port();
        // Ports that were lost during this start are reported by `launch`.
        let moved = last
            .filter(|last| *last != port && !lost.contains(last))
            .and_then(|last| Some(identity::moved(last, port, &holder(last)?)));
        context.port_memory.keep(&name, port);
        Ok((lease, moved))
    });
    leased
        .await
        .and_then(|leased| leased)
        .map_err(LaunchFailure::settled)
}
