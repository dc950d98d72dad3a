//! Settings that a client of the versions up to 2025-11-25 makes for its whole session: watched
//! resources and the log level.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::answer::code;
use super::backend::{GatewayError, GatewayResultFuture, ResourceSubscription};
use super::envelope::{RequestParams, text_of};
use super::in_flight::InFlight;
use super::post::part_of;
use super::request::{Dispatch, GatewayRequest, invalid, register};
use super::server::GatewayServer;
use super::session::WATCHED_MAX;
use guild_mcp_client::{Level, URI_MAX};

impl GatewayServer {
    /// Handles `resources/subscribe`.
    pub(super) fn watch(
        &self,
        request: &mut GatewayRequest,
        params: &RequestParams<'_>,
    ) -> Result<Dispatch, GatewayError> {
        let uri = address(request, params)?;
        let Some(session) = request.session.clone() else {
            let why = "A subscription belongs to a session; open one by initialize.";
            return Err(GatewayError::new(code::INVALID_REQUEST, why));
        };
        let Some(over) = session.watch(&uri) else {
            let why = format!("A session can subscribe to at most {WATCHED_MAX} resources.");
            return Err(GatewayError::new(code::REFUSED, why));
        };
        let (backend, context) = (
            Arc::clone(&self.backend),
            Arc::clone(&request.exchange.context),
        );
        let watch = ResourceSubscription {
            uri: uri.clone(),
            hearing: Arc::clone(&session.notifications) as _,
            over,
        };
        let watching = Box::pin(async move {
            let watched = backend.subscribe(&context, watch).await;
            if watched.is_err() {
                session.unwatch(&uri);
            }
            watched.and_then(|()| empty())
        });
        Ok(self.run(request, watching))
    }

    /// Handles `resources/unsubscribe`.
    pub(super) fn unwatch(
        &self,
        request: &mut GatewayRequest,
        params: &RequestParams<'_>,
    ) -> Result<Dispatch, GatewayError> {
        let unwatched = address(request, params).and_then(|uri| {
            if let Some(session) = &request.session {
                session.unwatch(&uri);
            }
            empty()
        });
        Ok(self.run(request, Box::pin(std::future::ready(unwatched))))
    }

    /// Handles `logging/setLevel`.
    pub(super) fn set_level(
        &self,
        request: &mut GatewayRequest,
        raw: Option<&RawValue>,
    ) -> Result<Dispatch, GatewayError> {
        #[derive(Deserialize)]
        struct SetLevelParams {
            level: Level,
        }
        let params = raw.and_then(|raw| serde_json::from_str::<SetLevelParams>(raw.get()).ok());
        let Some(SetLevelParams { level }) = params else {
            let all = Level::ALL.map(Level::as_str).join(", ");
            return Err(invalid(format!("level must be one of {all}.")));
        };
        if let Some(session) = &request.session {
            session.notifications.listen_from(level);
        }
        let (backend, context) = (
            Arc::clone(&self.backend),
            Arc::clone(&request.exchange.context),
        );
        let setting = Box::pin(async move {
            backend.set_log_level(&context, level).await?;
            empty()
        });
        Ok(self.run(request, setting))
    }

    /// Starts a request whose response has no messages before the answer.
    fn run(&self, request: &GatewayRequest, answering: GatewayResultFuture) -> Dispatch {
        let revoked = &request.exchange.context.client.revoked;
        let (back, mut in_flight) = InFlight::begin(revoked, false, None);
        let guard = register(request, &back.cancel);
        let answering = Box::pin(async move {
            tokio::select! {
                answer = answering => answer,
                () = back.cancel.cancelled() => {
                    Err(GatewayError::new(GatewayError::INTERNAL, "The request was cancelled."))
                }
            }
        });
        in_flight.start(answering, guard);
        Dispatch::InFlight(in_flight)
    }
}

/// Returns the URI in a request's parameters.
fn address(
    request: &mut GatewayRequest,
    params: &RequestParams<'_>,
) -> Result<String, GatewayError> {
    let uri = params.uri.and_then(text_of);
    let uri = uri.filter(|uri| !uri.is_empty() && uri.len() <= URI_MAX);
    let uri = uri.ok_or_else(|| invalid("uri, the address of a resource, is missing."))?;
    request.exchange.subject = Some(part_of(&request.body, &uri));
    Ok(uri.into_owned())
}

fn empty() -> Result<Box<RawValue>, GatewayError> {
    RawValue::from_string("{}".to_owned())
        .map_err(|error| GatewayError::new(GatewayError::INTERNAL, error.to_string()))
}
