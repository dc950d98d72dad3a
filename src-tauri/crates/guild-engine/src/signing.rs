//! Who is signed in to members that run elsewhere.
//!
//! Each such member has a [`Signer`], which knows the tokens of its server and sees to it that they
//! are renewed once, however many calls wait for that. Tokens are kept with the secrets, under names
//! that no manifest can use ([`keeping`]), and are masked like them. A sign-in ([`flow`]) is begun
//! by a person's act alone, and no address is opened for it here.

mod flow;
mod keeping;
mod signer;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use guild_core::{MemberName, Report};
use tokio_util::task::TaskTracker;

pub(crate) use self::flow::Attempt;
pub(crate) use self::signer::{Bearer, Place, Signer};
use crate::index::Index;
use crate::secrets::Values;

/// The signers of all members that were ever reached, or asked about.
#[derive(Debug)]
pub(crate) struct Signings {
    signers: Mutex<HashMap<MemberName, Arc<Signer>>>,
    values: Values,
    index: Arc<Index>,
    tasks: TaskTracker,
}

impl Signings {
    pub(crate) fn new(values: Values, index: Arc<Index>, tasks: TaskTracker) -> Self {
        Self {
            signers: Mutex::default(),
            values,
            index,
            tasks,
        }
    }

    /// The signer of a member.
    pub(crate) fn of(&self, member: &MemberName) -> Arc<Signer> {
        let mut signers = self.signers.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || {
            let (values, index) = (self.values.clone(), Arc::clone(&self.index));
            Arc::new(Signer::new(
                member.clone(),
                values,
                index,
                self.tasks.clone(),
            ))
        };
        Arc::clone(signers.entry(member.clone()).or_insert_with(new))
    }

    /// The signer of a member that nobody can sign in to any more, where something is kept of it.
    ///
    /// # Errors
    /// `keychain-unanswered`, `secrets-unsafe`.
    pub(crate) async fn left_of(&self, member: &MemberName) -> Result<Option<Arc<Signer>>, Report> {
        let is_kept = keeping::is_kept(&self.values, member).await?;
        Ok(is_kept.then(|| self.of(member)))
    }
}
