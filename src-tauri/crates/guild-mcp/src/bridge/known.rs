//! Whether who listens at an address is the gateway that a token is meant for.
//!
//! A port says nothing of its owner: while Guild Hall is closed, any program of any user of this
//! machine may listen there, and would be handed the token with the first request. So each new
//! connection is looked at before anything is written on it. How that is found out is not the
//! bridge's: `guildhall connect` asks the hall of its data folder, over the door that is open to
//! its own user alone, whether its gateway is at the very address that was connected to.
//!
//! What is left: a program that takes the connection, gives the port up, and has the hall take it
//! within the moment that the hall is asked.

use std::error::Error;
use std::fmt;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use guild_core::note::{BridgeFault, Told};
use http::Uri;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tower_service::Service;

type Answer = Pin<Box<dyn Future<Output = Result<(), String>> + Send>>;
type Asking = dyn Fn(SocketAddr) -> Answer + Send + Sync;

/// Says whether the gateway that a token is meant for listens at an address.
#[derive(Clone)]
pub struct Known(Option<Arc<Asking>>);

impl Known {
    /// Whoever listens there is taken for it: where there is no token to lose.
    pub fn anybody() -> Self {
        Self(None)
    }

    /// Asks for each new connection; the error says, in a few words, who listens there instead.
    pub fn by<F, E>(ask: impl Fn(SocketAddr) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: Told + 'static,
    {
        Self(Some(Arc::new(move |address| {
            let asking = ask(address);
            Box::pin(async move { asking.await.map_err(|error| error.told()) })
        })))
    }
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Some(_) => "Known::by",
            None => "Known::anybody",
        })
    }
}

/// Why a connection is not used.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Stranger(pub(super) BridgeFault);

/// Connects, and hands on no connection to a stranger.
#[derive(Clone)]
pub(super) struct Connector {
    pub(super) inner: HttpConnector,
    pub(super) known: Known,
}

type Connected = Result<TokioIo<TcpStream>, Box<dyn Error + Send + Sync>>;

impl Service<Uri> for Connector {
    type Response = TokioIo<TcpStream>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Connected> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx).map_err(Into::into)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = self.inner.call(uri);
        let known = self.known.clone();
        Box::pin(async move {
            let connection = connecting.await?;
            if let Known(Some(ask)) = known {
                let address = connection.inner().peer_addr()?;
                let asked = ask(address).await;
                asked.map_err(|who| Stranger(BridgeFault::Stranger(who)))?;
            }
            Ok(connection)
        })
    }
}
