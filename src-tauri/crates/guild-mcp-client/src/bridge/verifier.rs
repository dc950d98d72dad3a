//! Verifies that the listener at an address is the gateway for which a token is meant.
//!
//! While Guild Hall is closed, any program of any user on this machine may listen on its port and
//! would receive the token. So each new connection is verified before anything is sent. The check
//! itself is supplied by the caller. `guildhall connect` asks the hall of the data folder, through
//! the hall's private socket, whether the hall's gateway has exactly the connected address.
//!
//! One race remains: a program accepts the connection and closes its port, and the hall opens the
//! port while the check asks it.

use std::error::Error;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::future::BoxFuture;
use http::Uri;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tower_service::Service;

use crate::messages::BridgeFault;

type GatewayVerifyFn = dyn Fn(SocketAddr) -> BoxFuture<'static, Result<(), String>> + Send + Sync;

/// Checks whether the gateway for a token listens at an address.
#[derive(Clone)]
pub struct GatewayVerifier(Option<Arc<GatewayVerifyFn>>);

impl GatewayVerifier {
    /// Accepts any listener, for connections without a token.
    pub fn anybody() -> Self {
        Self(None)
    }

    /// Calls `ask` for each new connection. The error of `ask` names the actual listener in a few
    /// words.
    pub fn by<F, E>(ask: impl Fn(SocketAddr) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: ToString + 'static,
    {
        Self(Some(Arc::new(move |address| {
            let asking = ask(address);
            Box::pin(async move { asking.await.map_err(|error| error.to_string()) })
        })))
    }
}

/// The reason that a connection is rejected.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct UnverifiedListener(pub(super) BridgeFault);

/// Connects, and rejects unverified connections.
#[derive(Clone)]
pub(super) struct Connector {
    pub(super) inner: HttpConnector,
    pub(super) known: GatewayVerifier,
}

type BridgeConnectResult = Result<TokioIo<TcpStream>, Box<dyn Error + Send + Sync>>;

impl Service<Uri> for Connector {
    type Response = TokioIo<TcpStream>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = BridgeConnectResult> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx).map_err(Into::into)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = self.inner.call(uri);
        let known = self.known.clone();
        Box::pin(async move {
            let connection = connecting.await?;
            if let GatewayVerifier(Some(ask)) = known {
                let address = connection.inner().peer_addr()?;
                let asked = ask(address).await;
                asked.map_err(|who| UnverifiedListener(BridgeFault::Stranger(who)))?;
            }
            Ok(connection)
        })
    }
}
