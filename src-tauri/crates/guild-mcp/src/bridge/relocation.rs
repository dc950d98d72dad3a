//! Finding the gateway again after it was opened at another address.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

type Address = Pin<Box<dyn Future<Output = Option<String>> + Send>>;
type Finding = dyn Fn() -> Address + Send + Sync;

/// Finds the gateway's address when no connection to the last one could be made.
#[derive(Clone)]
pub struct Relocation(Option<Arc<Finding>>);

impl Relocation {
    /// The gateway stays at its address.
    pub fn never() -> Self {
        Self(None)
    }

    /// Asks `find` for the endpoint's address; it returns `None` where it knows no gateway.
    pub fn by<F>(find: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Option<String>> + Send + 'static,
    {
        Self(Some(Arc::new(move || Box::pin(find()))))
    }

    /// The address now, where it can be found.
    pub(super) async fn find(&self) -> Option<String> {
        match &self.0 {
            Some(find) => find().await,
            None => None,
        }
    }
}

impl fmt::Debug for Relocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Some(_) => "Relocation::by",
            None => "Relocation::never",
        })
    }
}
