//! Asking the hall about the files of the caller's programs.

use guild_core::Report;
use guild_core::agents::Listing;
use guild_core::wire::control::{
    EXPORT_LIST, EXPORT_PREVIEW, EXPORT_UNDO, EXPORT_WRITE, FOUND_ADOPT, FOUND_LIST, FromCaller,
};
use guild_core::wire::{
    AdoptServers, Adopted, ClientConfigPreview, ClientConfigs, FoundServers, Nothing,
    OfClientConfig, OfEndpoint, UndoClientConfig, UndoneClientConfig, WriteClientConfig,
    WrittenClientConfig,
};
use guild_engine::caller_folders;

use super::Reach;

/// The request, with the folders that this program's environment names.
pub(crate) fn from_here<R>(listing: Option<Listing>, request: R) -> FromCaller<R> {
    FromCaller {
        folders: caller_folders(),
        listing,
        request,
    }
}

impl Reach {
    /// The programs whose configuration can name the gateway.
    pub(crate) async fn export_list(
        &self,
        request: FromCaller<OfEndpoint>,
    ) -> Result<ClientConfigs, Report> {
        match self {
            Self::Own(hall) => hall.client_configs_for(request).await,
            Self::Running(visit) => visit.lock().await.ask(EXPORT_LIST, &request).await,
        }
    }

    /// What would be written into a program's file.
    pub(crate) async fn export_preview(
        &self,
        request: FromCaller<OfClientConfig>,
    ) -> Result<ClientConfigPreview, Report> {
        match self {
            Self::Own(hall) => hall.preview_client_config_for(request).await,
            Self::Running(visit) => visit.lock().await.ask(EXPORT_PREVIEW, &request).await,
        }
    }

    /// Writes it.
    pub(crate) async fn export_write(
        &self,
        request: FromCaller<WriteClientConfig>,
    ) -> Result<WrittenClientConfig, Report> {
        match self {
            Self::Own(hall) => hall.write_client_config_for(request).await,
            Self::Running(visit) => visit.lock().await.ask(EXPORT_WRITE, &request).await,
        }
    }

    /// Restores a program's file.
    pub(crate) async fn export_undo(
        &self,
        request: FromCaller<UndoClientConfig>,
    ) -> Result<UndoneClientConfig, Report> {
        match self {
            Self::Own(hall) => hall.undo_client_config_for(request).await,
            Self::Running(visit) => visit.lock().await.ask(EXPORT_UNDO, &request).await,
        }
    }
    /// The servers that the caller's programs have.
    pub(crate) async fn found_servers(&self) -> Result<FoundServers, Report> {
        let request = from_here(None, Nothing {});
        match self {
            Self::Own(hall) => hall.found_servers_for(request).await,
            Self::Running(visit) => visit.lock().await.ask(FOUND_LIST, &request).await,
        }
    }

    /// Makes members of some.
    pub(crate) async fn adopt_servers(&self, request: AdoptServers) -> Result<Adopted, Report> {
        let request = from_here(None, request);
        match self {
            Self::Own(hall) => hall.adopt_servers_for(request).await,
            Self::Running(visit) => visit.lock().await.ask(FOUND_ADOPT, &request).await,
        }
    }
}
