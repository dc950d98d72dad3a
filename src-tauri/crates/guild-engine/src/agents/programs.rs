//! Other programs' configurations, as a person connects them to this gateway.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use guild_core::Report;
use guild_core::wire::{
    AddAgentClient, ClientConfigPreview, ClientConfigs as Listed, OfAgentClient, OfClientConfig,
    OfEndpoint, UndoClientConfig, WriteClientConfig, WrittenClientConfig,
};

use super::Agents;
use crate::client_configs::{ClientConfigs, GatewayDoor};
use crate::hall::Hall;

impl Agents {
    /// Where programs reach the gateway: where it listens, or is to.
    fn door(&self) -> GatewayDoor {
        let listening = self.running().listening.as_ref().map(|one| one.port);
        GatewayDoor {
            port: listening.unwrap_or_else(|| self.state().port),
            tokens_required: self.tokens_required.load(Ordering::Relaxed),
        }
    }
}

impl Hall {
    /// The programs whose configuration can name the gateway.
    ///
    /// # Errors
    /// `data-unwritable` when the system names no home folder.
    pub async fn client_configs(&self, request: OfEndpoint) -> Result<Listed, Report> {
        let (configs, agents) = self.configs().await?;
        Ok(configs.list(request.endpoint, agents.door()).await)
    }

    /// What would be written into a program's configuration.
    ///
    /// # Errors
    /// Why the file can't be changed safely.
    pub async fn preview_client_config(
        &self,
        request: OfClientConfig,
    ) -> Result<ClientConfigPreview, Report> {
        let (configs, agents) = self.configs().await?;
        configs.preview(request, agents.door()).await
    }

    /// Writes what was previewed, with a token of its own for the program where one is wanted.
    ///
    /// # Errors
    /// When the file is no longer what was previewed, or can't be written.
    pub async fn write_client_config(
        &self,
        request: WriteClientConfig,
    ) -> Result<WrittenClientConfig, Report> {
        let (configs, agents) = self.configs().await?;
        let mut made = None;
        let make_token = async |name: String| {
            let added = self.add_agent_client(AddAgentClient { name }).await?;
            made = Some(added.client.id);
            Ok(added.token)
        };
        let written = configs.write(request, agents.door(), make_token).await;
        if let (Err(_), Some(client)) = (&written, made) {
            // Nobody has the token. That it is still good then is said by the clients' list.
            let _ = self.revoke_agent_client(OfAgentClient { client }).await;
        }
        written
    }

    /// Puts a program's configuration back to what it was before.
    ///
    /// # Errors
    /// When there is nothing to go back to, or the file can't be written.
    pub async fn undo_client_config(
        &self,
        request: UndoClientConfig,
    ) -> Result<WrittenClientConfig, Report> {
        self.configs().await?.0.undo(request).await
    }

    async fn configs(&self) -> Result<(ClientConfigs, Arc<Agents>), Report> {
        let agents = self.agents().await;
        let data_dir = &self.paths().data_dir;
        let configs = match agents.configs.get() {
            Some(configs) => configs,
            None => {
                let found = ClientConfigs::of_user(data_dir)?;
                agents.configs.get_or_init(|| found)
            }
        };
        Ok((configs.clone(), Arc::clone(&agents)))
    }
}
