//! Connects to a member that has a URL, and is not started by this program.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::messages::StartError;
use guild_mcp_client::sign_in::SignedIn;
use guild_mcp_client::{CapturedOutput, ConnectOptions, DiscoverFirst, ServerTransport};
use guild_model::manifest::Transport;
use guild_model::protocol::Era;
use guild_model::{Code, Report};

use super::failures::not_connected;
use super::{LaunchFailure, LaunchInput, LaunchOutcome, Launched, cancelled, gather};
use crate::signing::{Bearer, OAuthTarget};

/// Connects to the member's URL, with substituted variables and the signed-in user's token.
pub(super) async fn connect_remote(
    plan: &LaunchInput,
    url: &str,
    headers: &BTreeMap<String, String>,
    era: Option<Era>,
) -> Result<LaunchOutcome, LaunchFailure> {
    let written = url.to_owned();
    let (url, headers) = (url.to_owned(), headers.clone());
    let given = gather(plan).await?;
    let manifest = plan.manifest.clone();
    let proxies = plan.context.settings.uses_proxies();
    let filled = plan.substituted(None, given, move |substitution, _| {
        let fill = |(name, value): (String, String)| Ok((name, substitution.substitute(&value)?));
        let headers = headers
            .into_iter()
            .map(fill)
            .collect::<Result<Vec<_>, Report>>()?;
        let place = match manifest.may_be_signed_in_to() {
            true => Some(OAuthTarget::of(&manifest, substitution, proxies)?),
            false => None,
        };
        Ok((substitution.substitute_url(&url)?, headers, place))
    });
    let (url, headers, place) = filled.await.map_err(LaunchFailure::settled)?;
    let gateway = plan.context.gateway_port.load(Ordering::Relaxed);
    if gateway != 0 && guild_mcp_client::loopback_port(&url) == Some(gateway) {
        let report = Report::from_error(Code::ManifestField, &StartError::OwnGateway(written));
        return Err(LaunchFailure::settled(report.of(&plan.name)));
    }
    let signed = match place {
        Some(place) => {
            let signer = plan.context.signings.of(&plan.name);
            let address = place.url.clone();
            signer.at(place).await.map_err(LaunchFailure::settled)?;
            Some(Arc::new(Bearer(signer, address)) as Arc<dyn SignedIn>)
        }
        None => None,
    };
    // Without a process, the start and the handshake can't be separated: one limit covers both.
    let options = ConnectOptions {
        asking: Some(plan.context.elicitations.of(&plan.name)),
        apps: plan.context.shows_apps.load(Ordering::Relaxed),
        pin: plan.manifest.protocol_version,
        remembered: era,
        // Only a process shows whether it is idle.
        discover_first: Some(DiscoverFirst { idle: None }),
        handshake: Duration::from_millis(plan.limits.start_ms),
        longest: Duration::from_millis(plan.limits.start_ms),
        sse_only: plan.manifest.transport == Transport::Sse,
        peer_check: None,
        proxies,
        signed,
    };
    let connected = tokio::select! {
        biased;
        connected = guild_mcp_client::connect(ServerTransport::Http { url, headers }, options) => connected,
        () = plan.cancel.cancelled() => return Ok(LaunchOutcome::Failed(cancelled())),
    };
    Ok(match connected {
        Ok(session) => LaunchOutcome::Up(Box::new(Launched {
            session,
            process: None,
            home: None,
            bare: false,
            start_warnings: vec![],
            took: None,
        })),
        Err(failure) => LaunchOutcome::Failed(not_connected(
            plan,
            &CapturedOutput::default(),
            &failure.error,
        )),
    })
}
