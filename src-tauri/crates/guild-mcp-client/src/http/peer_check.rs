//! Checks once per new connection that the port still belongs to the intended server.
//!
//! As soon as a server has ended, another program may get its port. If the server is still alive
//! after a connection was opened, the connection leads to that server. So the check runs directly
//! after the opening, before anything is written.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

/// The error for a connection that the check rejects.
const GONE: &str = "the server has ended, and its port may be another program's";

/// Checks whether the intended server is still alive. The check runs after the connection is opened
/// and before the first request, so it must be quick and must not block.
#[derive(Clone)]
pub struct PeerCheck(Arc<dyn Fn() -> bool + Send + Sync>);

impl PeerCheck {
    /// Creates a check that calls `lives`, which returns whether the server is alive.
    pub fn new(lives: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(lives))
    }

    /// Returns an error with the reason if the server is not alive.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        match (self.0)() {
            true => Ok(()),
            false => Err(GONE),
        }
    }
}

impl std::fmt::Debug for PeerCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PeerCheck")
    }
}

/// Adds the check to an HTTP client, for each new connection.
#[derive(Debug, Clone)]
pub(super) struct PeerCheckLayer(pub(super) PeerCheck);

impl<S> Layer<S> for PeerCheckLayer {
    type Service = PeerCheckConnector<S>;

    fn layer(&self, connector: S) -> PeerCheckConnector<S> {
        PeerCheckConnector {
            connector,
            peer_check: self.0.clone(),
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct PeerCheckConnector<S> {
    connector: S,
    peer_check: PeerCheck,
}

type Error = Box<dyn std::error::Error + Send + Sync>;

impl<S, To> Service<To> for PeerCheckConnector<S>
where
    S: Service<To, Error = Error>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.connector.poll_ready(context)
    }

    fn call(&mut self, to: To) -> Self::Future {
        let connecting = self.connector.call(to);
        let peer_check = self.peer_check.clone();
        Box::pin(async move {
            let connection = connecting.await?;
            peer_check.check()?;
            Ok(connection)
        })
    }
}
