//! Checks once per new connection that a port still belongs to its server.
//!
//! Another program may get a server's port as soon as the server has ended. Only a made connection
//! reveals its peer: if the server is alive after that, the port was still its port. So the check
//! runs then, before anything is written.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

use crate::fault::HttpFault;

/// Error of a connection that is not used.
const GONE: &str = "the server has ended, and its port may be another program's";

/// Checks whether the target server is still alive. It runs between a connection and its first
/// request, so it has to be quick and must not block.
#[derive(Clone)]
pub struct AtHome(Arc<dyn Fn() -> bool + Send + Sync>);

impl AtHome {
    /// Asks `lives`.
    pub fn new(lives: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(lives))
    }

    /// An error unless the server lives.
    pub(super) fn check(&self) -> Result<(), HttpFault> {
        match (self.0)() {
            true => Ok(()),
            false => Err(HttpFault::Unreachable(GONE.into())),
        }
    }
}

impl std::fmt::Debug for AtHome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AtHome")
    }
}

/// Has an HTTP client ask for each connection that it makes.
#[derive(Debug, Clone)]
pub(super) struct AskFirst(pub(super) AtHome);

impl<S> Layer<S> for AskFirst {
    type Service = PeerCheckConnector<S>;

    fn layer(&self, connector: S) -> PeerCheckConnector<S> {
        PeerCheckConnector {
            connector,
            at_home: self.0.clone(),
        }
    }
}

/// A connector whose connections are asked about.
#[derive(Debug, Clone)]
pub(super) struct PeerCheckConnector<S> {
    connector: S,
    at_home: AtHome,
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
        let at_home = self.at_home.clone();
        Box::pin(async move {
            let connection = connecting.await?;
            at_home.check()?;
            Ok(connection)
        })
    }
}
