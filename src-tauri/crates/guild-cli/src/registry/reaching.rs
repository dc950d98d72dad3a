//! What a hall is asked about registries.

use guild_core::Report;
use guild_core::wire::{
    InstallRegistryServer, InstalledRegistryServer, OfRegistryServer, RegistryPage, RegistryServer,
    SearchRegistry,
};

use crate::reach::Reach;

impl Reach {
    /// The servers of one that fit.
    pub(super) async fn search_registry(
        &self,
        request: SearchRegistry,
    ) -> Result<RegistryPage, Report> {
        match self {
            Self::Own(hall) => hall.search_registry(request).await,
            Self::Running(visit) => visit.lock().await.ask("search_registry", &request).await,
        }
    }

    /// Everything about one server.
    pub(super) async fn registry_server(
        &self,
        request: OfRegistryServer,
    ) -> Result<RegistryServer, Report> {
        match self {
            Self::Own(hall) => hall.registry_server(request).await,
            Self::Running(visit) => visit.lock().await.ask("registry_server", &request).await,
        }
    }

    /// Makes a member of it.
    pub(super) async fn install_registry_server(
        &self,
        request: InstallRegistryServer,
    ) -> Result<InstalledRegistryServer, Report> {
        match self {
            Self::Own(hall) => hall.install_registry_server(request).await,
            Self::Running(visit) => {
                let mut visit = visit.lock().await;
                visit.ask("install_registry_server", &request).await
            }
        }
    }
}
