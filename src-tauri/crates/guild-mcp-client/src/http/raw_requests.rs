//! Sends raw requests ([`crate::raw_requests`]) over HTTP. Each is a POST that does not pass
//! through rmcp.

use std::sync::Arc;

use crate::messages::AnswerFault;
use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, HOST, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use http_body_util::Full;
use rmcp::RoleClient;
use rmcp::model::{ClientRequest, PingRequest, ServerJsonRpcMessage};
use rmcp::service::Peer;
use tokio::sync::Semaphore;

use super::keep_alive::KeepAlivePool;
use super::reply::HttpResponse;
use super::stream::{AnsweredRequest, RawStreamReader, whose};
use super::{
    AGENT, BODY_MAX, Carrier, ERROR_BODY_MAX, EVENTS, Headers, JSON, REQUESTS_MAX, SESSION,
    VERSION, content_type, no_json,
};
use crate::error::McpError;
use crate::failure;
use crate::fault::{ResponseError, error_of};
use crate::notify::ServerRequestHandler;
use crate::pending_requests::PendingRawRequest;
use crate::raw_requests::compose::Request;
use crate::raw_requests::{self, RawRequestId, RawRequestResult};
use crate::text;

#[derive(Debug, Clone)]
pub(crate) struct HttpRequestSender(Arc<RawHttpContext>);

#[derive(Debug)]
pub(super) struct RawHttpContext {
    pub(super) carrier: Carrier,
    pub(super) url: Arc<str>,
    /// The path and query of the address, for requests over [`KeepAlivePool`].
    path: Uri,
    pool: Option<KeepAlivePool>,
    /// The headers of every POST.
    pub(super) headers: HeaderMap,
    /// The manifest's headers, for [`Carrier`].
    pub(super) own: Headers,
    pub(super) listener: ServerRequestHandler,
    slots: Semaphore,
}

impl HttpRequestSender {
    pub(crate) fn new(
        carrier: Carrier,
        url: &str,
        own: Headers,
        version: &str,
        listener: ServerRequestHandler,
    ) -> Result<Self, McpError> {
        let invalid = |reason: String| McpError::Connect { reason };
        let uri: Uri = reqwest::Url::parse(url)
            .map_err(|error| invalid(format!("the address is not valid ({error})")))?
            .as_str()
            .parse()
            .map_err(|error| invalid(format!("the address is not valid ({error})")))?;
        let pool = KeepAlivePool::to(&uri, carrier.peer_check.clone());
        let mut headers: HeaderMap = own.clone().into_iter().collect();
        if pool.is_some() {
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
        headers.insert(ACCEPT, HeaderValue::from_static(super::ACCEPTED));
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let path = path
            .parse()
            .map_err(|error| invalid(format!("the address is not valid ({error})")))?;
        Ok(Self(Arc::new(RawHttpContext {
            carrier,
            url: url.into(),
            path,
            pool,
            headers,
            own,
            listener,
            slots: Semaphore::new(REQUESTS_MAX),
        })))
    }

    /// Sends a request and waits for its answer. `None` when the connection ends first.
    pub(crate) async fn ask(
        &self,
        request: &Request<'_>,
        message: Vec<u8>,
        waits: &mut PendingRawRequest,
        peer: &Peer<RoleClient>,
    ) -> Option<RawRequestResult> {
        let sender = &*self.0;
        let _slot = sender.slots.acquire().await.ok()?;
        let id = waits.id;
        let exchange = async {
            match sender.exchange(request, message.into(), id, peer).await {
                Ok(Some(answered)) => answered,
                Err(error) => Err(error),
                // The answer arrives on another stream of the session, and is delivered from there.
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

impl RawHttpContext {
    /// Posts a request and reads the answer. `None` if the server has accepted the request and will
    /// answer on another stream.
    async fn exchange(
        &self,
        request: &Request<'_>,
        body: Bytes,
        id: RawRequestId,
        peer: &Peer<RoleClient>,
    ) -> Result<Option<RawRequestResult>, McpError> {
        let mut headers = self.headers.clone();
        if let Some(header_params) = &self.carrier.header_params {
            for (name, value) in header_params.of_request(request) {
                headers.insert(name, value);
            }
        }
        let mut session = self.carrier.session();
        let mut opened_anew = false;
        loop {
            let (headers, body) = (headers.clone(), body.clone());
            let reply = self.send(Method::POST, headers, session.as_deref(), body);
            let reply = reply.await?;
            let expired = reply.status() == StatusCode::NOT_FOUND && session.is_some();
            if !expired {
                return self.read(reply, session.as_deref(), id).await;
            }
            reply.finish();
            let next = match opened_anew {
                true => None,
                false => self.session_after(&session, peer).await?,
            };
            // The server did not process the request, so the request may be sent once more, in the
            // new session.
            session = Some(next.ok_or_else(|| McpError::Connect {
                reason: "the server does not know its own session (HTTP 404)".into(),
            })?);
            opened_anew = true;
        }
    }

    /// Returns the session that replaces `old`, which the server no longer knows. `None` if there
    /// is none.
    async fn session_after(
        &self,
        old: &Option<Arc<str>>,
        peer: &Peer<RoleClient>,
    ) -> Result<Option<Arc<str>>, McpError> {
        if self.carrier.session() == *old {
            // This ping fails, which makes rmcp notice the lost session and open a new one.
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

    /// Sends a request. If the server rejects its token, the request is sent once more with a new
    /// token.
    pub(super) async fn send(
        &self,
        method: Method,
        mut headers: HeaderMap,
        session: Option<&str>,
        body: Bytes,
    ) -> Result<HttpResponse, McpError> {
        if let Some(session) = session.and_then(|session| HeaderValue::from_str(session).ok()) {
            headers.insert(SESSION, session);
        }
        let sending = |token: HeaderMap| {
            let mut headers = headers.clone();
            headers.extend(token);
            self.send_once(method.clone(), headers, body.clone())
        };
        self.carrier.send_signed(&self.url, sending).await
    }

    async fn send_once(
        &self,
        method: Method,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<HttpResponse, McpError> {
        let Some(pool) = &self.pool else {
            let request = self.carrier.client.request(method, &*self.url);
            let response = request.headers(headers).body(body).send().await?;
            return Ok(HttpResponse::Remote(response));
        };
        let mut request = http::Request::new(Full::new(body));
        *request.method_mut() = method;
        *request.uri_mut() = self.path.clone();
        *request.headers_mut() = headers;
        Ok(HttpResponse::Local(Box::new(pool.send(request).await?)))
    }

    async fn read(
        &self,
        reply: HttpResponse,
        session: Option<&str>,
        id: RawRequestId,
    ) -> Result<Option<RawRequestResult>, McpError> {
        let status = reply.status();
        if !status.is_success() {
            return Err(self.refused(reply).await);
        }
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            reply.finish();
            // The answer arrives on the session's stream. With a pinned version or without a
            // session, this stream does not exist, so no answer can arrive.
            if self.carrier.pin.is_none() && session.is_some() {
                return Ok(None);
            }
            let wrong = AnswerFault::StatusAlone(status.as_u16());
            return Err(ResponseError::malformed(&wrong, b"").into());
        }
        if reply.is(EVENTS) {
            let reading = RawStreamReader::new(self, id, session);
            return Ok(Some(reading.answer_of(reply).await));
        }
        if !reply.is(JSON) {
            let kind = content_type(reply.headers());
            let body = reply.beginning(ERROR_BODY_MAX).await;
            return Err(ResponseError::malformed(&no_json(&kind), &body).into());
        }
        let body = reply.body(BODY_MAX).await?;
        if let Some((answered, result)) = raw_requests::result_in(body.trim_ascii())
            && answered == id
        {
            return Ok(Some(Ok(result.to_owned())));
        }
        let message = self
            .carrier
            .decoder
            .read_answer(&body)
            .map_err(|misread| misread.fault)?;
        match whose(&message) {
            AnsweredRequest::Of(answered) if answered == id => {
                Ok(Some(raw_requests::answer_in(message)))
            }
            AnsweredRequest::Nameless(error) => Ok(Some(Err(error))),
            _ => Err(ResponseError::malformed(&AnswerFault::OtherRequest, &body).into()),
        }
    }

    /// Converts a response with an error status.
    async fn refused(&self, reply: HttpResponse) -> McpError {
        let status = reply.status();
        let body = reply.beginning(ERROR_BODY_MAX).await;
        let unauthorized = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        match self.carrier.decoder.read_answer(&body) {
            // The error belongs to this request, with any id: a server that could not parse
            // the request can't repeat its id.
            Ok(ServerJsonRpcMessage::Error(error)) if !unauthorized => error_of(&error.error),
            _ => McpError::HttpStatus {
                status: status.as_u16(),
                excerpt: text::excerpt(&body),
                location: None,
            },
        }
    }
}
