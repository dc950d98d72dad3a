//! State that a client of the versions up to 2025-11-25 sets for its whole session: watched
//! resources and the log level.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::answer::code;
use super::directory::{GatewayError, GatewayResultFuture, ResourceSubscription};
use super::door::GatewayServer;
use super::flight::Flight;
use super::outline::{RequestParams, text_of};
use super::post::part_of;
use super::request::{Course, GatewayRequest, fly, invalid};
use super::session::WATCHED_MAX;
use guild_mcp_client::{Level, URI_MAX};

impl GatewayServer {
    /// Handles `resources/subscribe`.
    pub(super) fn watch(&self, asked: &mut GatewayRequest, params: &RequestParams<'_>) -> Course {
        let uri = match address(asked, params) {
            Ok(uri) => uri,
            Err(refusal) => return Course::Answer(Err(refusal)),
        };
        let Some(session) = asked.session.clone() else {
            let why = "A subscription belongs to a session; open one by initialize.";
            return Course::Answer(Err(GatewayError::new(code::INVALID_REQUEST, why)));
        };
        let Some(over) = session.watch(&uri) else {
            let why = format!("A session can subscribe to at most {WATCHED_MAX} resources.");
            return Course::Answer(Err(GatewayError::new(code::REFUSED, why)));
        };
        let (directory, visit) = (Arc::clone(&self.directory), Arc::clone(&asked.told.visit));
        let watch = ResourceSubscription {
            uri: uri.clone(),
            hearing: Arc::clone(&session.ear) as _,
            over,
        };
        self.settle_by(
            asked,
            Box::pin(async move {
                let watched = directory.watch(&visit, watch).await;
                if watched.is_err() {
                    session.unwatch(&uri);
                }
                watched.and_then(|()| empty())
            }),
        )
    }

    /// Handles `resources/unsubscribe`.
    pub(super) fn unwatch(&self, asked: &mut GatewayRequest, params: &RequestParams<'_>) -> Course {
        let unwatched = address(asked, params).and_then(|uri| {
            if let Some(session) = &asked.session {
                session.unwatch(&uri);
            }
            empty()
        });
        self.settle_by(asked, Box::pin(std::future::ready(unwatched)))
    }

    /// Handles `logging/setLevel`.
    pub(super) fn set_level(&self, asked: &mut GatewayRequest, raw: Option<&RawValue>) -> Course {
        #[derive(Deserialize)]
        struct SetLevelParams {
            level: Level,
        }
        let leveled = raw.and_then(|raw| serde_json::from_str::<SetLevelParams>(raw.get()).ok());
        let Some(SetLevelParams { level }) = leveled else {
            let all = Level::ALL.map(Level::as_str).join(", ");
            return Course::Answer(Err(invalid(format!("level is one of {all}."))));
        };
        if let Some(session) = &asked.session {
            session.ear.listen_from(level);
        }
        let (directory, visit) = (Arc::clone(&self.directory), Arc::clone(&asked.told.visit));
        self.settle_by(
            asked,
            Box::pin(async move {
                directory.log_from(&visit, level).await?;
                empty()
            }),
        )
    }

    /// Runs a call that sends no messages before its answer.
    fn settle_by(&self, asked: &GatewayRequest, answering: GatewayResultFuture) -> Course {
        let revoked = &asked.told.visit.client.revoked;
        let (back, mut flight) = Flight::begin(revoked, false, None);
        let flying = fly(asked, &back.cancel);
        let answering = Box::pin(async move {
            tokio::select! {
                answer = answering => answer,
                () = back.cancel.cancelled() => {
                    Err(GatewayError::new(GatewayError::INTERNAL, "The request was cancelled."))
                }
            }
        });
        flight.send(answering, flying);
        Course::Flight(flight)
    }
}

/// Returns the URI that a request names.
fn address(asked: &mut GatewayRequest, params: &RequestParams<'_>) -> Result<String, GatewayError> {
    let uri = params.uri.and_then(text_of);
    let uri = uri.filter(|uri| !uri.is_empty() && uri.len() <= URI_MAX);
    let uri = uri.ok_or_else(|| invalid("uri, the address of a resource, is missing."))?;
    asked.told.subject = Some(part_of(&asked.body, &uri));
    Ok(uri.into_owned())
}

fn empty() -> Result<Box<RawValue>, GatewayError> {
    RawValue::from_string("{}".to_owned())
        .map_err(|error| GatewayError::new(GatewayError::INTERNAL, error.to_string()))
}
