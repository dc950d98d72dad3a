//! Forwards one request of the program and its answer, and the session's stream.

use std::time::Duration;

use bytes::Bytes;
use http::HeaderValue;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::envelope;
use super::gateway_client::{BridgeEndpoint, GatewayRequestError, RequestHeaders};
use crate::header_params::HeaderParams;

/// First and longest pause before a broken session stream is reopened.
const PAUSES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

#[derive(Debug)]
pub(super) struct BridgeRequest {
    pub(super) ticket: u64,
    /// The ids as written, several for a batch.
    pub(super) ids: Vec<String>,
    pub(super) lists_tools: bool,
    /// The request's own headers. `None` for the session's headers.
    pub(super) headers: Option<RequestHeaders>,
    pub(super) line: Bytes,
    /// Whether this is the second attempt.
    pub(super) repeated: bool,
}

#[derive(Debug)]
pub(super) enum TaskOutcome {
    Answered {
        ticket: u64,
    },
    /// The request got an error, since the gateway does not answer.
    Unreachable {
        ticket: u64,
        why: String,
    },
    /// The session is unknown, and the request was not executed.
    Forgotten {
        session: HeaderValue,
        asked: Option<Box<BridgeRequest>>,
    },
    /// No action is necessary.
    Silent,
}

/// Sends a request and forwards the gateway's messages to the program. If there is no answer, the
/// program gets an error.
pub(super) async fn ask(
    gateway: BridgeEndpoint,
    mut asked: BridgeRequest,
    session: Option<RequestHeaders>,
    header_params: HeaderParams,
    out: mpsc::Sender<String>,
) -> TaskOutcome {
    let ticket = asked.ticket;
    let headers = asked.headers.clone().or(session);
    let mut waiting = asked.ids.clone();
    let carried = forward(
        &gateway,
        &asked,
        &mut waiting,
        headers.as_ref(),
        &header_params,
        &out,
    );
    let fault = match carried.await {
        Ok(()) => return TaskOutcome::Answered { ticket },
        Err(fault) => fault,
    };
    if let (GatewayRequestError::Forgotten, false) = (&fault, asked.repeated)
        && let Some(session) = headers.and_then(|headers| headers.session)
    {
        asked.repeated = true;
        return TaskOutcome::Forgotten {
            session,
            asked: Some(Box::new(asked)),
        };
    }
    for id in &waiting {
        // A closed output ends the proxy.
        let _ = out.send(fault.answer(&gateway, id)).await;
    }
    match fault {
        GatewayRequestError::Unreachable(why) => TaskOutcome::Unreachable { ticket, why },
        _ => TaskOutcome::Answered { ticket },
    }
}

async fn forward(
    gateway: &BridgeEndpoint,
    asked: &BridgeRequest,
    waiting: &mut Vec<String>,
    headers: Option<&RequestHeaders>,
    header_params: &HeaderParams,
    out: &mpsc::Sender<String>,
) -> Result<(), GatewayRequestError> {
    let silence = gateway.limits.silence;
    let mut messages = gateway.post(asked.line.clone(), headers, silence).await?;
    loop {
        let message = match messages.next().await {
            Ok(Some(message)) => message,
            // Data after the answer is not needed.
            Ok(None) | Err(_) if waiting.is_empty() => return Ok(()),
            Ok(None) => {
                return Err(GatewayRequestError::Answer(
                    "it ended without an answer".into(),
                ));
            }
            Err(fault) => return Err(fault),
        };
        let answered = envelope::answered(&message, waiting);
        waiting.retain(|id| !answered.contains(id));
        if asked.lists_tools && !answered.is_empty() {
            envelope::learn(header_params, &message);
        }
        if out.send(message).await.is_err() {
            return Ok(());
        }
    }
}

/// Opens a session and returns the headers of its further requests. The program gets the answer if
/// `id` is given.
pub(super) async fn open(
    gateway: &BridgeEndpoint,
    line: &Bytes,
    id: Option<&str>,
    out: &mpsc::Sender<String>,
) -> Result<RequestHeaders, GatewayRequestError> {
    let mut messages = match gateway
        .post(line.clone(), None, gateway.limits.opening)
        .await
    {
        Ok(messages) => messages,
        Err(fault @ GatewayRequestError::Status { .. }) if id.is_some() => {
            let _ = out.send(fault.answer(gateway, id.unwrap_or("null"))).await;
            return Ok(RequestHeaders::default());
        }
        Err(fault) => return Err(fault),
    };
    let session = messages.session.clone();
    let mut version = None;
    let mut answered = false;
    while let Some(message) = messages.next().await? {
        answered |= id.is_none_or(|id| envelope::answers(&message, id));
        version = envelope::agreed_version(&message).or(version);
        if id.is_some() && out.send(message).await.is_err() {
            break;
        }
        if answered {
            break;
        }
    }
    match answered {
        true => Ok(RequestHeaders {
            session,
            version,
            ..RequestHeaders::default()
        }),
        false => Err(GatewayRequestError::Answer(
            "it ended without an answer".into(),
        )),
    }
}

/// Forwards the messages of a session's stream, and reopens it after interruptions.
pub(super) async fn listen(
    gateway: BridgeEndpoint,
    headers: RequestHeaders,
    out: mpsc::Sender<String>,
) -> TaskOutcome {
    let mut last_event: Option<String> = None;
    let mut pause = PAUSES.0;
    loop {
        match gateway.stream(&headers, last_event.as_deref()).await {
            Ok(None) | Err(GatewayRequestError::Status { .. } | GatewayRequestError::Answer(_)) => {
                return TaskOutcome::Silent;
            }
            Err(GatewayRequestError::Forgotten) => {
                return match headers.session {
                    Some(session) => TaskOutcome::Forgotten {
                        session,
                        asked: None,
                    },
                    None => TaskOutcome::Silent,
                };
            }
            Err(GatewayRequestError::Unreachable(_)) => {}
            Ok(Some(mut messages)) => {
                while let Ok(Some(message)) = messages.next().await {
                    pause = PAUSES.0;
                    last_event = messages.last_event.clone().or(last_event);
                    if out.send(message).await.is_err() {
                        return TaskOutcome::Silent;
                    }
                }
            }
        }
        sleep(pause).await;
        pause = (pause * 2).min(PAUSES.1);
    }
}
