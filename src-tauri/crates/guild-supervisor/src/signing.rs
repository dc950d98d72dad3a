//! The OAuth sign-ins of remote members.
//!
//! Each remote member has a [`Signer`], which holds its tokens. However many calls wait for new
//! tokens, the signer renews them once. Tokens are stored as secrets, under names that manifests
//! can't use ([`token_store`]), and are masked like secrets. Only a person can begin a sign-in
//! ([`flow`]). This module opens no browser.

mod flow;
mod signer;
mod token_store;

use std::collections::HashMap;
use std::sync::Arc;

use guild_model::{MemberName, Report};
use parking_lot::Mutex;
use tokio_util::task::TaskTracker;

pub use self::flow::SignInRequest;
pub use self::signer::{Bearer, OAuthTarget, Signer};
use guild_roster::Roster;
use guild_secrets::SecretResolver;

/// The signers of members, each created when it is first needed.
#[derive(Debug)]
pub struct Signings {
    signers: Mutex<HashMap<MemberName, Arc<Signer>>>,
    values: SecretResolver,
    roster: Arc<Roster>,
    tasks: TaskTracker,
}

impl Signings {
    /// Returns a set without signers. `tasks` tracks running sign-ins and renewals.
    pub fn new(values: SecretResolver, roster: Arc<Roster>, tasks: TaskTracker) -> Self {
        Self {
            signers: Mutex::default(),
            values,
            roster,
            tasks,
        }
    }

    /// Returns a member's signer. The first call creates it.
    pub fn of(&self, member: &MemberName) -> Arc<Signer> {
        let mut signers = self.signers.lock();
        let new = || {
            let (values, roster) = (self.values.clone(), Arc::clone(&self.roster));
            Arc::new(Signer::new(
                member.clone(),
                values,
                roster,
                self.tasks.clone(),
            ))
        };
        Arc::clone(signers.entry(member.clone()).or_insert_with(new))
    }

    /// Returns the signer of a member that is no longer remote, if tokens of the member are still
    /// stored.
    ///
    /// # Errors
    /// `keychain-unanswered`, `secrets-unsafe`.
    pub async fn left_of(&self, member: &MemberName) -> Result<Option<Arc<Signer>>, Report> {
        let is_kept = token_store::is_kept(&self.values, member).await?;
        Ok(is_kept.then(|| self.of(member)))
    }
}
