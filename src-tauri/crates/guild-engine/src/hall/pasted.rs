//! Imports servers that a person pasted or dropped, or entered as a command.

use guild_api::wire::{AdoptBrought, Adopted, AdoptionEnd, Brought, BroughtServers};
use guild_model::Report;

use super::GuildHall;
use guild_import::scan::{BroughtIn, ScanDisplayContext, beside_members};

impl GuildHall {
    /// Returns the servers in pasted text, in a file, or in a command line. Starts and stores
    /// nothing.
    ///
    /// # Errors
    /// `snippet-unreadable`.
    pub async fn read_brought(&self, brought: Brought) -> Result<BroughtServers, Report> {
        let BroughtIn { scan, left_out } = self.bring(brought).await?;
        let snapshot = self.snapshot();
        let showing = ScanDisplayContext {
            snapshot: &snapshot,
            gateway_port: self.gateway_port().await,
        };
        let shown = showing.show(&scan);
        Ok(beside_members(shown, &scan, &left_out, &snapshot))
    }

    /// Creates members from servers that a person pasted, dropped or entered. The caller has shown
    /// the launch command of each server to the person, so the new members count as reviewed.
    ///
    /// # Errors
    /// `snippet-unreadable`. The result contains the reason for each server that could not be
    /// imported.
    pub async fn adopt_brought(&self, request: AdoptBrought) -> Result<Adopted, Report> {
        let _importing = self.finds().lock_imports().await;
        let BroughtIn { scan, .. } = self.bring(request.brought).await?;
        let adopted = self.adopt_each(&scan, request.servers).await;
        let is_member = |end: &AdoptionEnd| matches!(end, AdoptionEnd::Member { .. });
        // The list of servers in other apps is updated, since some of them may be members now.
        if adopted.each.iter().any(|one| is_member(&one.end))
            && let Ok(found) = self.scan().await
        {
            self.publish_found(&found).await;
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
