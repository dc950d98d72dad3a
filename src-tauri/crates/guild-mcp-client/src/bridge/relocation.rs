//! Finds the gateway after its address changed.

use std::sync::Arc;

use futures::future::BoxFuture;

type AddressLookup = dyn Fn() -> BoxFuture<'static, Option<String>> + Send + Sync;

/// Looks up the gateway's address after a connection has failed.
#[derive(Clone)]
pub struct Relocation(Option<Arc<AddressLookup>>);

impl Relocation {
    /// Creates a lookup that never finds another address.
    pub fn never() -> Self {
        Self(None)
    }

    /// Creates a lookup that calls `find`. `find` returns the endpoint's current address, or `None`
    /// if no gateway is known.
    pub fn by<F>(find: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Option<String>> + Send + 'static,
    {
        Self(Some(Arc::new(move || Box::pin(find()))))
    }

    pub(super) async fn find(&self) -> Option<String> {
        match &self.0 {
            Some(find) => find().await,
            None => None,
        }
    }
}
