//! Finds the gateway after its address changed.

use std::sync::Arc;

use futures::future::BoxFuture;

type AddressLookup = dyn Fn() -> BoxFuture<'static, Option<String>> + Send + Sync;

/// Finds the gateway's address after a failed connection.
#[derive(Clone)]
pub struct Relocation(Option<Arc<AddressLookup>>);

impl Relocation {
    /// Creates a lookup that never finds another address.
    pub fn never() -> Self {
        Self(None)
    }

    /// Calls `find` for the endpoint's address. `find` returns `None` if no gateway is known.
    pub fn by<F>(find: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Option<String>> + Send + 'static,
    {
        Self(Some(Arc::new(move || Box::pin(find()))))
    }

    /// Returns the current address, if known.
    pub(super) async fn find(&self) -> Option<String> {
        match &self.0 {
            Some(find) => find().await,
            None => None,
        }
    }
}
