//! What a hall is asked about registries.

use guild_core::Report;
use guild_core::wire::{
    InstallRegistryServer, InstalledRegistryServer, Nothing, OfRegistryServer, OfRegistrySource,
    ReadRegistry, RegistryPage, RegistryServer, RegistrySource, RegistrySources, SearchRegistry,
};

use crate::reach::Reach;

impl Reach {
    /// The sources that a person named.
    pub(super) async fn registry_sources(&self) -> Result<RegistrySources, Report> {
        match self {
            Self::Own(hall) => hall.registry_sources().await,
            Self::Running(visit) => {
                visit
                    .lock()
                    .await
                    .ask("registry_sources", &Nothing {})
                    .await
            }
        }
    }

    /// Remembers one more.
    pub(super) async fn add_registry_source(
        &self,
        request: OfRegistrySource,
    ) -> Result<RegistrySources, Report> {
        match self {
            Self::Own(hall) => hall.add_registry_source(request).await,
            Self::Running(visit) => {
                let mut visit = visit.lock().await;
                visit.ask("add_registry_source", &request).await
            }
        }
    }

    /// Forgets one.
    pub(super) async fn remove_registry_source(
        &self,
        request: OfRegistrySource,
    ) -> Result<RegistrySources, Report> {
        match self {
            Self::Own(hall) => hall.remove_registry_source(request).await,
            Self::Running(visit) => {
                let mut visit = visit.lock().await;
                visit.ask("remove_registry_source", &request).await
            }
        }
    }

    /// Reads one from where it is.
    pub(super) async fn read_registry(
        &self,
        request: ReadRegistry,
    ) -> Result<RegistrySource, Report> {
        match self {
            Self::Own(hall) => hall.read_registry(request).await,
            Self::Running(visit) => visit.lock().await.ask("read_registry", &request).await,
        }
    }

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
