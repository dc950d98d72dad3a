//! Sets, lists and removes secrets.

use guild_api::wire::{KeptSecret, SecretRef, Secrets, SetSecret};
use guild_model::Report;
use guild_model::manifest::Manifest;

use super::GuildHall;
use guild_secrets::SecretUses;

impl GuildHall {
    /// Returns the names of all secrets, with the place where each is stored and the members that
    /// use it. Never returns a value.
    pub async fn secrets(&self) -> Secrets {
        let uses = self.secret_uses();
        self.inner.context.values.store().list(uses).await
    }

    /// Returns the members that use each secret.
    pub(crate) fn secret_uses(&self) -> SecretUses {
        let snapshot = self.snapshot();
        let mut uses = SecretUses::new();
        for (member, entry) in snapshot.members.iter() {
            let manifest = entry.manifest.as_deref();
            for name in manifest.into_iter().flat_map(Manifest::secrets) {
                uses.entry(name.to_owned())
                    .or_default()
                    .push(member.clone());
            }
        }
        uses
    }

    /// Stores a secret, or replaces the secret of the same name. Members get it at their next
    /// start.
    ///
    /// # Errors
    /// `secret-refused`, `keychain-unanswered`, `secrets-unsafe`.
    pub async fn set_secret(&self, request: SetSecret) -> Result<KeptSecret, Report> {
        let values = &self.inner.context.values;
        values.remember(&request.value);
        values.store().set(request).await
    }

    /// Removes a secret from the keychain and the file. Running members still have its value.
    ///
    /// # Errors
    /// `keychain-unanswered`, `secrets-unsafe`.
    pub async fn remove_secret(&self, request: SecretRef) -> Result<Secrets, Report> {
        self.inner.context.values.store().remove(&request).await?;
        Ok(self.secrets().await)
    }
}
