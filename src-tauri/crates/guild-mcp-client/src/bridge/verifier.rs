//! Verifies that the process that listens at an address is the gateway for which a token is meant.
//!
//! While Guild Hall is closed, any program of any user on this machine may listen on the gateway's
//! port, and would receive the token. So each new connection is verified before anything is sent.
//! The caller supplies the check. `guildhall connect` asks the running Guild Hall, through its
//! private socket, whether its gateway listens at exactly the connected address.
//!
//! One race remains: another program accepts the connection and closes its port, and Guild Hall
//! opens the same port before it answers the check.

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

/// Checks whether the gateway that a token is meant for listens at an address.
#[derive(Clone)]
pub struct GatewayVerifier(Option<Arc<GatewayVerifyFn>>);

impl GatewayVerifier {
    /// Creates a verifier that accepts any listener, for connections without a token.
    pub fn anybody() -> Self {
        Self(None)
    }

    /// Creates a verifier that calls `ask` for each new connection. If `ask` fails, its error names
    /// the process that listens there, in a few words.
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

/// The reason that a connection was rejected.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct UnverifiedListener(pub(super) BridgeFault);

/// Opens connections, and rejects those that are not verified.
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
