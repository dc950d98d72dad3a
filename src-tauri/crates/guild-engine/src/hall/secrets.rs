//! Secrets by name, as the window sets and shows them.

use guild_api::wire::{KeptSecret, OfSecret, Secrets, SetSecret};
use guild_model::Report;
use guild_model::manifest::Manifest;

use super::GuildHall;
use guild_secrets::SecretUses;

impl GuildHall {
    /// The names of all secrets, where they are kept and which members use them; never a value.
    pub async fn secrets(&self) -> Secrets {
        let uses = self.secret_uses();
        self.inner.context.values.book().list(uses).await
    }

    /// Which members use which secrets.
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

    /// Keeps a secret, in the place of one of the same name. A member gets it at its next start.
    ///
    /// # Errors
    /// `secret-refused`, `keychain-unanswered`, `secrets-unsafe`.
    pub async fn set_secret(&self, request: SetSecret) -> Result<KeptSecret, Report> {
        let values = &self.inner.context.values;
        values.remember(&request.value);
        values.book().set(request).await
    }

    /// Removes a secret wherever it is kept. Members that run keep what they were given.
    ///
    /// # Errors
    /// `keychain-unanswered`, `secrets-unsafe`.
    pub async fn remove_secret(&self, request: OfSecret) -> Result<Secrets, Report> {
        self.inner.context.values.book().remove(&request).await?;
        Ok(self.secrets().await)
    }
}
