//! Requests of the lane over HTTP: each is a POST of its own, beside those of rmcp.
//!
//! What the server says on the stream of an answer beside the answer is met as rmcp would: its
//! questions are put to a person and answered with a POST of their own, its notifications reach
//! the session. A stream that breaks after an event with an id is taken up again from there.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use http::header::{ACCEPT, CONTENT_TYPE, HOST, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use http_body_util::Full;
use rmcp::RoleClient;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, PingRequest, RequestId, ServerJsonRpcMessage,
    ServerNotification, ServerRequest,
};
use rmcp::service::Peer;
use tokio::sync::Semaphore;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::events::{Events, TooLarge};
use super::near::Near;
use super::reply::Reply;
use super::{
    AGENT, BODY_MAX, Carrier, ERROR_BODY_MAX, EVENT_MAX, EVENTS, Headers, HttpFault, JSON,
    LAST_EVENT, REQUESTS_MAX, SESSION, STREAM_PAUSE_MAX, STREAM_TRIES, VERSION,
};
use crate::McpError;
use crate::failure;
use crate::lane::compose::Request;
use crate::lane::{self, Answered, LaneId};
use crate::notify::{InLane, Listener};
use crate::text;
use crate::wire::{Fault, Misread, error_of};

/// The pause before a stream is taken up again, unless the server names one; it doubles.
const STREAM_PAUSE: Duration = Duration::from_secs(1);

/// The lane of one HTTP connection.
#[derive(Debug, Clone)]
pub(crate) struct HttpLane(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    carrier: Carrier,
    url: Arc<str>,
    /// The address as it stands in a request to the server itself.
    path: Uri,
    near: Option<Near>,
    /// Those that every request has.
    headers: HeaderMap,
    /// The own ones, as the carrier takes them.
    own: Headers,
    listener: Listener,
    slots: Semaphore,
}

/// What is read of a stream, and what is to be known while it is.
struct Reading<'a> {
    lane: &'a Shared,
    id: LaneId,
    session: Option<&'a str>,
    events: Events,
    /// What came instead of an answer, should none come.
    unread: Option<Fault>,
    /// The server's own requests that are being answered.
    questions: FuturesUnordered<BoxFuture<'a, ()>>,
    asked: Vec<(RequestId, CancellationToken)>,
}

impl HttpLane {
    pub(crate) fn new(
        carrier: Carrier,
        url: &str,
        own: Headers,
        version: &str,
        listener: Listener,
    ) -> Result<Self, McpError> {
        let invalid = |reason: String| McpError::Connect { reason };
        let uri: Uri = reqwest::Url::parse(url)
            .map_err(|error| invalid(format!("the address is not valid ({error})")))?
            .as_str()
            .parse()
            .map_err(|error| invalid(format!("the address is not valid ({error})")))?;
        let near = Near::to(&uri);
        let mut headers: HeaderMap = own.clone().into_iter().collect();
        if near.is_some() {
            let host = uri.authority().map(|authority| authority.as_str());
            let host = host.and_then(|host| HeaderValue::from_str(host).ok());
            if let (false, Some(host)) = (headers.contains_key(HOST), host) {
                headers.insert(HOST, host);
            }
            if !headers.contains_key(USER_AGENT) {
                headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
            }
        }
        let version = carrier.pin.clone().or(HeaderValue::from_str(version).ok());
        if let Some(version) = version {
            headers.insert(VERSION, version);
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let path = path
            .parse()
            .map_err(|error| invalid(format!("the address is not valid ({error})")))?;
        Ok(Self(Arc::new(Shared {
            carrier,
            url: url.into(),
            path,
            near,
            headers,
            own,
            listener,
            slots: Semaphore::new(REQUESTS_MAX),
        })))
    }

    /// Sends a request and waits for its answer. `None`: the connection ended before.
    pub(crate) async fn ask(
        &self,
        request: &Request<'_>,
        message: Vec<u8>,
        waits: &mut InLane,
        peer: &Peer<RoleClient>,
    ) -> Option<Answered> {
        let lane = &*self.0;
        let _slot = lane.slots.acquire().await.ok()?;
        let id = waits.id;
        let exchange = async {
            match lane.exchange(request, message.into(), id, peer).await {
                Ok(Some(answered)) => answered,
                Err(error) => Err(error),
                // It comes on another stream of the session.
                Ok(None) => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            answered = exchange => Some(answered),
            answered = &mut waits.answer => answered.ok(),
        }
    }
}

impl Shared {
    /// Posts a request and reads what comes of it; `None` when the server accepts it and answers
    /// elsewhere.
    async fn exchange(
        &self,
        request: &Request<'_>,
        body: Bytes,
        id: LaneId,
        peer: &Peer<RoleClient>,
    ) -> Result<Option<Answered>, McpError> {
        let mirrored = match &self.carrier.mirrors {
            Some(mirrors) => mirrors.of_request(request),
            None => Vec::new(),
        };
        let mut session = self.carrier.session();
        let mut opened_anew = false;
        loop {
            let reply = self.post(body.clone(), session.as_deref(), &mirrored);
            let reply = reply.await.map_err(|fault| fault.to_error())?;
            let expired = reply.status() == StatusCode::NOT_FOUND && session.is_some();
            if !expired {
                return self.read(reply, session.as_deref(), id).await;
            }
            reply.finish();
            let next = match opened_anew {
                true => None,
                false => self.session_after(&session, peer).await?,
            };
            // The server did not look at the request, so that it may be sent in the new session.
            session = Some(next.ok_or_else(|| McpError::Connect {
                reason: "the server does not know its own session (HTTP 404)".into(),
            })?);
            opened_anew = true;
        }
    }

    /// The session that follows one which the server has forgotten, where there is one.
    async fn session_after(
        &self,
        old: &Option<Arc<str>>,
        peer: &Peer<RoleClient>,
    ) -> Result<Option<Arc<str>>, McpError> {
        if self.carrier.session() == *old {
            // rmcp finds the session gone too, and opens it anew.
            let ping = ClientRequest::PingRequest(PingRequest::default());
            match peer.send_request(ping).await {
                Ok(_) | Err(rmcp::ServiceError::McpError(_)) => {}
                Err(error) => return Err(failure::of_request(error, None)),
            }
        }
        Ok(self
            .carrier
            .session()
            .filter(|new| Some(new) != old.as_ref()))
    }

    async fn post(
        &self,
        body: Bytes,
        session: Option<&str>,
        mirrored: &[(HeaderName, HeaderValue)],
    ) -> Result<Reply, HttpFault> {
        let mut headers = self.headers.clone();
        headers.insert(ACCEPT, HeaderValue::from_static(super::ACCEPTED));
        headers.extend(mirrored.iter().cloned());
        self.send(Method::POST, headers, session, body).await
    }

    async fn send(
        &self,
        method: Method,
        mut headers: HeaderMap,
        session: Option<&str>,
        body: Bytes,
    ) -> Result<Reply, HttpFault> {
        if let Some(session) = session.and_then(|session| HeaderValue::from_str(session).ok()) {
            headers.insert(SESSION, session);
        }
        match &self.near {
            Some(near) => {
                let mut request = http::Request::new(Full::new(body));
                *request.method_mut() = method;
                *request.uri_mut() = self.path.clone();
                *request.headers_mut() = headers;
                Ok(Reply::Near(Box::new(near.send(request).await?)))
            }
            None => {
                let request = self.carrier.client.request(method, &*self.url);
                Ok(Reply::Far(
                    request.headers(headers).body(body).send().await?,
                ))
            }
        }
    }

    /// Reads what came of a request.
    async fn read(
        &self,
        reply: Reply,
        session: Option<&str>,
        id: LaneId,
    ) -> Result<Option<Answered>, McpError> {
        let status = reply.status();
        if !status.is_success() {
            return Err(self.refused(reply).await);
        }
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            reply.finish();
            // Without a stream of the session no answer can come any more.
            if self.carrier.pin.is_none() && session.is_some() {
                return Ok(None);
            }
            let what = format!("HTTP {} without an answer", status.as_u16());
            return Err(Fault::malformed(what, b"").into());
        }
        let kind = reply.content_type();
        if kind.starts_with(EVENTS) {
            let reading = Reading {
                lane: self,
                id,
                session,
                events: Events::default(),
                unread: None,
                questions: FuturesUnordered::new(),
                asked: Vec::new(),
            };
            return Ok(Some(reading.to_the_end(reply).await));
        }
        if !kind.starts_with(JSON) {
            let body = reply.beginning(ERROR_BODY_MAX).await;
            let what = match kind.as_str() {
                "" => "it has no content type".into(),
                kind => format!("it is {}, not JSON", text::cut_chars(kind, 80)),
            };
            return Err(Fault::malformed(what, &body).into());
        }
        let body = reply.body(BODY_MAX).await;
        let body = body.map_err(|fault| fault.to_error())?;
        if let Some((answered, result)) = lane::result_in(body.trim_ascii())
            && answered == id
        {
            return Ok(Some(Ok(result.to_owned())));
        }
        let message = self
            .carrier
            .wire
            .read(&body)
            .map_err(|misread| misread.fault)?;
        match whose(&message) {
            Whose::Of(answered) if answered == id => Ok(Some(lane::answer_in(message))),
            Whose::Nameless(error) => Ok(Some(Err(error))),
            _ => Err(Fault::malformed("it answers another request", &body).into()),
        }
    }

    /// What a status other than success means.
    async fn refused(&self, reply: Reply) -> McpError {
        let status = reply.status();
        let body = reply.beginning(ERROR_BODY_MAX).await;
        let unauthorized = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        match self.carrier.wire.read(&body) {
            // It is meant for this request, whatever its id: a server that could not read the
            // request can't repeat it.
            Ok(ServerJsonRpcMessage::Error(error)) if !unauthorized => error_of(&error.error),
            _ => McpError::HttpStatus {
                status: status.as_u16(),
                excerpt: text::excerpt(&body),
            },
        }
    }
}

/// Whom a message answers.
enum Whose {
    /// A request of the lane.
    Of(LaneId),
    /// Whichever request its stream is of: an error without an id.
    Nameless(McpError),
    Another,
}

fn whose(message: &ServerJsonRpcMessage) -> Whose {
    match (lane::answered_by(message), message) {
        (Some(id), _) => Whose::Of(id),
        (None, ServerJsonRpcMessage::Error(error)) if error.id.is_none() => {
            Whose::Nameless(error_of(&error.error))
        }
        _ => Whose::Another,
    }
}

impl Reading<'_> {
    /// Reads a stream until the answer has come, taking it up again where it broke.
    async fn to_the_end(mut self, mut reply: Reply) -> Answered {
        let mut pause = STREAM_PAUSE;
        for _ in 0..=STREAM_TRIES {
            let broken = match self.of(&mut reply).await {
                Ok(Some(answered)) => {
                    reply.finish();
                    return answered;
                }
                Ok(None) => McpError::Closed {
                    reason: Some("the server ended its answer's stream without an answer".into()),
                },
                Err(fault) => fault.to_error(),
            };
            if let Some(fault) = self.unread.take() {
                return Err(fault.into());
            }
            if self.lane.carrier.pin.is_some() || matches!(broken, McpError::TooLarge { .. }) {
                return Err(broken);
            }
            let Some(last) = self.events.last_id.as_deref() else {
                return Err(broken);
            };
            let Ok(last) = HeaderValue::from_str(last) else {
                return Err(broken);
            };
            let named = self.events.retry_ms.map(Duration::from_millis);
            self.answering(sleep(named.unwrap_or(pause).min(STREAM_PAUSE_MAX)))
                .await;
            pause = STREAM_PAUSE_MAX.min(pause * 2);
            self.events.begin_anew();
            let mut headers = self.lane.headers.clone();
            headers.remove(CONTENT_TYPE);
            headers.insert(ACCEPT, HeaderValue::from_static(EVENTS));
            headers.insert(LAST_EVENT, last);
            let again = self
                .lane
                .send(Method::GET, headers, self.session, Bytes::new());
            match again.await {
                Ok(again)
                    if again.status().is_success() && again.content_type().starts_with(EVENTS) =>
                {
                    reply = again;
                }
                Ok(again) if again.status().is_server_error() => {}
                Ok(_) => return Err(broken),
                Err(_) => {}
            }
        }
        Err(McpError::Closed {
            reason: Some("the stream of the answer broke again and again".into()),
        })
    }

    /// Reads one response; `None` when it ended without the answer.
    async fn of(&mut self, reply: &mut Reply) -> Result<Option<Answered>, HttpFault> {
        loop {
            loop {
                match self.events.next() {
                    Ok(Some(event)) => {
                        if let Some(answered) = self.take(event.data.trim_ascii()) {
                            return Ok(Some(answered));
                        }
                    }
                    Ok(None) => break,
                    Err(TooLarge) => {
                        return Err(Fault::too_large("The answer", EVENT_MAX).into());
                    }
                }
            }
            match self.answering(reply.chunk()).await? {
                Some(chunk) => self.events.push(&chunk),
                None => return Ok(None),
            }
        }
    }

    /// Waits for something, and answers the server's own requests meanwhile.
    async fn answering<T>(&mut self, wait: impl Future<Output = T>) -> T {
        tokio::pin!(wait);
        loop {
            tokio::select! {
                biased;
                output = &mut wait => return output,
                Some(()) = self.questions.next(), if !self.questions.is_empty() => {}
            }
        }
    }

    /// Takes one message; gives the answer, if it is that.
    fn take(&mut self, message: &[u8]) -> Option<Answered> {
        let wire = &self.lane.carrier.wire;
        if let Some((id, result)) = lane::result_in(message) {
            if id == self.id {
                return Some(Ok(result.to_owned()));
            }
            wire.calls().answer(id, Ok(result.to_owned()));
            return None;
        }
        let message = match wire.read(message) {
            Ok(message) => message,
            Err(Misread {
                answers: Some(id),
                fault,
            }) => fault.answering(id),
            Err(Misread { fault, .. }) => {
                self.unread.get_or_insert(fault);
                return None;
            }
        };
        match whose(&message) {
            Whose::Of(id) if id == self.id => return Some(lane::answer_in(message)),
            Whose::Of(id) => wire.calls().answer(id, lane::answer_in(message)),
            Whose::Nameless(error) => return Some(Err(error)),
            Whose::Another => self.meet(message),
        }
        None
    }

    /// Meets what is no answer.
    fn meet(&mut self, message: ServerJsonRpcMessage) {
        match message {
            ServerJsonRpcMessage::Request(request) => {
                let over = CancellationToken::new();
                self.asked.push((request.id.clone(), over.clone()));
                let answer = self
                    .lane
                    .respond(self.id, request.id, request.request, over);
                self.questions.push(Box::pin(answer));
            }
            ServerJsonRpcMessage::Notification(notification) => {
                if let ServerNotification::CancelledNotification(cancelled) =
                    &notification.notification
                {
                    let of = cancelled.params.request_id.as_ref();
                    let asked = self.asked.iter().filter(|(id, _)| Some(id) == of);
                    asked.for_each(|(_, over)| over.cancel());
                }
                self.lane.listener.hear(notification.notification);
            }
            ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_) => {}
        }
    }
}

impl Shared {
    /// Answers a request of the server itself.
    async fn respond(
        &self,
        origin: LaneId,
        id: RequestId,
        request: ServerRequest,
        over: CancellationToken,
    ) {
        // A question that nobody waits for any more makes room for another one.
        let _answered = Answering {
            lane: self,
            id: &id,
        };
        let origin = origin.request();
        let answer = tokio::select! {
            answer = self.listener.answer(request, Some(&origin)) => answer,
            () = over.cancelled() => return,
        };
        let message = match answer {
            Ok(result) => ClientJsonRpcMessage::response(result, id.clone()),
            Err(error) => ClientJsonRpcMessage::error(error, Some(id.clone())),
        };
        let mut headers = self.own.clone();
        if let Some(version) = self.headers.get(VERSION) {
            headers.insert(VERSION, version.clone());
        }
        let session = self.carrier.session();
        let posted = self
            .carrier
            .post(&self.url, message, session.as_deref(), headers, EVENT_MAX);
        if let Err(error) = posted.await {
            tracing::debug!(%error, "a question's answer did not arrive");
        }
    }
}

/// A request of the server that is being answered.
struct Answering<'a> {
    lane: &'a Shared,
    id: &'a RequestId,
}

impl Drop for Answering<'_> {
    fn drop(&mut self) {
        self.lane.carrier.wire.answered(self.id);
    }
}
