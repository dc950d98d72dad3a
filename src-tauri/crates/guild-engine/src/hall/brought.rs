//! Servers that a person brings in, shown and made members.

use guild_api::wire::{AdoptBrought, Adopted, AdoptionEnd, Brought, BroughtServers};
use guild_model::Report;

use super::GuildHall;
use guild_import::found::{BroughtIn, ScanDisplayContext, beside_members};

impl GuildHall {
    /// The servers in what a person pasted, in a file, or in the words of a command. Nothing is
    /// started, and nothing of it is kept.
    ///
    /// # Errors
    /// `snippet-unreadable`.
    pub async fn read_brought(&self, brought: Brought) -> Result<BroughtServers, Report> {
        let BroughtIn { looked, left_out } = self.bring(brought).await?;
        let snapshot = self.snapshot();
        let showing = ScanDisplayContext {
            snapshot: &snapshot,
            gateway_port: self.gateway_port().await,
        };
        let shown = showing.show(&looked);
        Ok(beside_members(shown, &looked, &left_out, &snapshot))
    }

    /// Makes members of the servers that a person imported, as shown. The caller has
    /// shown a person what each of them runs: that is accepted with it.
    ///
    /// # Errors
    /// `snippet-unreadable`. Why a single server could not be adopted is part of the answer.
    pub async fn adopt_brought(&self, request: AdoptBrought) -> Result<Adopted, Report> {
        let _alone = self.finds().alone().await;
        let BroughtIn { looked, .. } = self.bring(request.brought).await?;
        let adopted = self.adopt_each(&looked, request.servers).await;
        let is_member = |end: &AdoptionEnd| matches!(end, AdoptionEnd::Member { .. });
        // Other programs may have the same.
        if adopted.each.iter().any(|one| is_member(&one.end))
            && let Ok(found) = self.look().await
        {
            self.tell_found(&found).await;
        }
        Ok(adopted)
    }

    async fn bring(&self, brought: Brought) -> Result<BroughtIn, Report> {
        let environment = self.values().environment();
        let environment = match environment.now() {
            Some(known) => known,
            None => environment.settled().await,
        };
        self.finds().bring(brought, environment).await
    }
}
