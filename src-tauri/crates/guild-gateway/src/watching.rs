//! State that a client of the versions up to 2025-11-25 sets for its whole session: watched
//! resources and the log level.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::answer::code;
use super::directory::{Answering, Refusal, Watch};
use super::door::Gate;
use super::flight::Flight;
use super::outline::{Params, text_of};
use super::post::part_of;
use super::request::{Asked, Course, fly, invalid};
use super::session::WATCHED_MAX;
use guild_mcp_client::{Level, URI_MAX};

impl Gate {
    /// `resources/subscribe`
    pub(super) fn watch(&self, asked: &mut Asked, params: &Params<'_>) -> Course {
        let uri = match address(asked, params) {
            Ok(uri) => uri,
            Err(refusal) => return Course::Answer(Err(refusal)),
        };
        let Some(session) = asked.session.clone() else {
            let why = "A subscription belongs to a session; open one by initialize.";
            return Course::Answer(Err(Refusal::new(code::INVALID_REQUEST, why)));
        };
        let Some(over) = session.watch(&uri) else {
            let why = format!("A session hears of at most {WATCHED_MAX} resources.");
            return Course::Answer(Err(Refusal::new(code::REFUSED, why)));
        };
        let (directory, visit) = (Arc::clone(&self.directory), Arc::clone(&asked.told.visit));
        let watch = Watch {
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

    /// `resources/unsubscribe`
    pub(super) fn unwatch(&self, asked: &mut Asked, params: &Params<'_>) -> Course {
        let unwatched = address(asked, params).and_then(|uri| {
            if let Some(session) = &asked.session {
                session.unwatch(&uri);
            }
            empty()
        });
        self.settle_by(asked, Box::pin(std::future::ready(unwatched)))
    }

    /// `logging/setLevel`
    pub(super) fn set_level(&self, asked: &mut Asked, raw: Option<&RawValue>) -> Course {
        #[derive(Deserialize)]
        struct Leveled {
            level: Level,
        }
        let leveled = raw.and_then(|raw| serde_json::from_str::<Leveled>(raw.get()).ok());
        let Some(Leveled { level }) = leveled else {
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

    /// Runs a call without messages before its end.
    fn settle_by(&self, asked: &Asked, answering: Answering) -> Course {
        let revoked = &asked.told.visit.client.revoked;
        let (back, mut flight) = Flight::begin(revoked, false, None);
        let flying = fly(asked, &back.cancel);
        let answering = Box::pin(async move {
            tokio::select! {
                answer = answering => answer,
                () = back.cancel.cancelled() => {
                    Err(Refusal::new(Refusal::INTERNAL, "The request was cancelled."))
                }
            }
        });
        flight.send(answering, flying);
        Course::Flight(flight)
    }
}

/// The resource that a request is about.
fn address(asked: &mut Asked, params: &Params<'_>) -> Result<String, Refusal> {
    let uri = params.uri.and_then(text_of);
    let uri = uri.filter(|uri| !uri.is_empty() && uri.len() <= URI_MAX);
    let uri = uri.ok_or_else(|| invalid("uri, the address of a resource, is missing."))?;
    asked.told.subject = Some(part_of(&asked.body, &uri));
    Ok(uri.into_owned())
}

fn empty() -> Result<Box<RawValue>, Refusal> {
    RawValue::from_string("{}".to_owned())
        .map_err(|error| Refusal::new(Refusal::INTERNAL, error.to_string()))
}
