//! Forwards one request of the program and the messages of its answer. Also forwards the session's
//! event stream.

use std::time::Duration;

use bytes::Bytes;
use http::HeaderValue;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::envelope;
use super::gateway_client::{BridgeEndpoint, GatewayRequestError, RequestHeaders};
use crate::header_params::HeaderParams;

/// First and longest pause before a session's broken stream is reopened.
const PAUSES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

#[derive(Debug)]
pub(super) struct BridgeRequest {
    pub(super) ticket: u64,
    /// The ids as JSON text. A batch has several.
    pub(super) ids: Vec<String>,
    pub(super) lists_tools: bool,
    /// The headers of a modern request. `None` means that the headers of the session are used.
    pub(super) headers: Option<RequestHeaders>,
    pub(super) line: Bytes,
    /// Whether the request is sent for the second time.
    pub(super) repeated: bool,
}

#[derive(Debug)]
pub(super) enum TaskOutcome {
    Answered {
        ticket: u64,
    },
    /// The request was answered with an error, because the gateway does not answer.
    Unreachable {
        ticket: u64,
        why: String,
    },
    /// The gateway does not know the session, and has not executed the request.
    Forgotten {
        session: HeaderValue,
        asked: Option<Box<BridgeRequest>>,
    },
    /// The proxy has nothing to do.
    Silent,
}

/// Sends a request, and forwards the gateway's messages to the program. If the gateway does not
/// answer a request, the program gets an error for it.
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
        // An error means that the output is closed, which ends the proxy.
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
            // Data after the last answer is not needed, so errors in it don't matter.
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

/// Opens a session, and returns the headers for the session's later requests. If `id` is given, the
/// program gets the answer.
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

/// Forwards the messages of a session's event stream, and reopens the stream after interruptions.
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
