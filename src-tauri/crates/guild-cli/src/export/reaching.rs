//! Asking the hall about the files of the caller's programs.

use guild_core::Report;
use guild_core::agents::Listing;
use guild_core::wire::control::{
    EXPORT_LIST, EXPORT_PREVIEW, EXPORT_UNDO, EXPORT_WRITE, FromCaller,
};
use guild_core::wire::{
    ClientConfigPreview, ClientConfigs, OfClientConfig, OfEndpoint, UndoClientConfig,
    UndoneClientConfig, WriteClientConfig, WrittenClientConfig,
};
use guild_engine::caller_folders;

use crate::reach::Reach;

/// The request, with the folders that this program's environment names.
pub(super) fn from_here<R>(listing: Option<Listing>, request: R) -> FromCaller<R> {
    FromCaller {
        folders: caller_folders(),
        listing,
        request,
    }
}

impl Reach {
    /// The programs whose configuration can name the gateway.
    pub(super) async fn export_list(
        &self,
        request: FromCaller<OfEndpoint>,
    ) -> Result<ClientConfigs, Report> {
        match self {
            Self::Own(hall) => hall.client_configs_for(request).await,
            Self::Running(visit) => visit.lock().await.ask(EXPORT_LIST, &request).await,
        }
    }

    /// What would be written into a program's file.
    pub(super) async fn export_preview(
        &self,
        request: FromCaller<OfClientConfig>,
    ) -> Result<ClientConfigPreview, Report> {
        match self {
            Self::Own(hall) => hall.preview_client_config_for(request).await,
            Self::Running(visit) => visit.lock().await.ask(EXPORT_PREVIEW, &request).await,
        }
    }

    /// Writes it.
    pub(super) async fn export_write(
        &self,
        request: FromCaller<WriteClientConfig>,
    ) -> Result<WrittenClientConfig, Report> {
        match self {
            Self::Own(hall) => hall.write_client_config_for(request).await,
            Self::Running(visit) => visit.lock().await.ask(EXPORT_WRITE, &request).await,
        }
    }

    /// Restores a program's file.
    pub(super) async fn export_undo(
        &self,
        request: FromCaller<UndoClientConfig>,
    ) -> Result<UndoneClientConfig, Report> {
        match self {
            Self::Own(hall) => hall.undo_client_config_for(request).await,
            Self::Running(visit) => visit.lock().await.ask(EXPORT_UNDO, &request).await,
        }
    }
}
