//! Other programs' configurations, as a person connects them to this gateway.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use guild_core::agents::Endpoint;
use guild_core::client_config::{ConfigFile, Program};
use guild_core::event::HallEvent;
use guild_core::manifest::Manifest;
use guild_core::note::ClientFileTrouble;
use guild_core::status::Status;
use guild_core::wire::{
    AddAgentClient, ClientConfigPreview, ClientConfigs as Listed, GatewayState, OfAgentClient,
    OfClientConfig, OfEndpoint, UndoClientConfig, WriteClientConfig, WrittenClientConfig,
};
use guild_core::{Code, MemberName, Report};

use super::Hall;
use crate::agents::unknown_profile;
use crate::client_configs::{Change, ClientConfigs, GatewayDoor, Subject, readable_token};
use crate::found::Members;

impl Hall {
    /// The programs whose configuration can name the gateway.
    ///
    /// # Errors
    /// `data-unwritable` when the system names no home folder.
    pub async fn client_configs(&self, request: OfEndpoint) -> Result<Listed, Report> {
        let configs = self.configs()?;
        let mut listed = configs
            .list(request.endpoint.clone(), self.door().await, self.language())
            .await;
        if let Endpoint::Member { member } = &request.endpoint {
            for client in &mut listed.clients {
                if let Some(program) = Program::parse(&client.client) {
                    client.direct = Some(self.member_for(member, program).await);
                }
            }
        }
        Ok(listed)
    }

    /// What would be written into a program's configuration.
    ///
    /// # Errors
    /// Why the file can't be changed safely.
    pub async fn preview_client_config(
        &self,
        request: OfClientConfig,
    ) -> Result<ClientConfigPreview, Report> {
        let OfClientConfig {
            client,
            path,
            endpoint,
            hand_over,
        } = request;
        let configs = self.configs()?;
        let leaving = hand_over.then_some(&endpoint);
        let subject = self.subject(configs, &client, path, leaving).await?;
        configs.preview(subject, endpoint, self.door().await).await
    }

    /// Writes what was previewed, with a token of its own for the program where one is wanted.
    ///
    /// # Errors
    /// When the file is no longer what was previewed, or can't be written.
    pub async fn write_client_config(
        &self,
        request: WriteClientConfig,
    ) -> Result<WrittenClientConfig, Report> {
        let WriteClientConfig {
            client,
            path,
            endpoint,
            hand_over,
            precondition,
        } = request;
        let configs = self.configs()?;
        let leaving = hand_over.then_some(&endpoint);
        let change = Change {
            subject: self.subject(configs, &client, path, leaving).await?,
            endpoint,
            precondition,
        };
        let mut made = None;
        let make_token = async |name: String| {
            let added = self.add_agent_client(AddAgentClient { name }).await?;
            made = Some(added.client.id);
            Ok(added.token)
        };
        let written = configs.write(change, self.door().await, make_token).await;
        if let (Ok(written), true) = (&written, made.is_some()) {
            let path = PathBuf::from(&written.path);
            let warned = tokio::task::spawn_blocking(move || readable_token(&path)).await;
            if let Ok(Some(report)) = warned {
                let index = &self.inner.context.index;
                index.tell(HallEvent::Warning { report });
            }
        }
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
        let configs = self.configs()?;
        let UndoClientConfig { client, path } = request;
        let subject = self.subject(configs, &client, path, None).await?;
        configs.undo(subject).await
    }

    /// Of which of some files there is a backup to go back to.
    pub(crate) async fn can_undo(&self, files: Vec<ConfigFile>) -> Vec<bool> {
        match self.configs() {
            Ok(configs) => configs.can_undo(files).await,
            Err(_) => vec![false; files.len()],
        }
    }

    /// A file of a program; where `leaving` is an endpoint, without the servers that are reached
    /// there.
    async fn subject(
        &self,
        configs: &ClientConfigs,
        client: &str,
        path: Option<String>,
        leaving: Option<&Endpoint>,
    ) -> Result<Subject, Report> {
        let of_user = configs.subject(client)?;
        if path.is_none() && leaving.is_none() {
            return Ok(of_user);
        }
        let path = path.map_or_else(|| of_user.path().to_owned(), PathBuf::from);
        let looked = self.look().await?;
        let files = looked.files.iter().map(|file| &file.source);
        let mut files = files.filter_map(|source| Some((source, ConfigFile::of(source)?)));
        let known = files.find(|(_, file)| file.program.as_str() == client && file.path == path);
        let Some((source, file)) = known else {
            let trouble = ClientFileTrouble::NotSearched(path);
            return Err(Report::told(Code::ClientConfigRefused, &trouble));
        };
        let subject = Subject::new(file).of_project(source.folder.clone());
        let Some(endpoint) = leaving else {
            return Ok(subject);
        };
        let members = Members {
            source: source.clone(),
            home: looked.home.clone(),
            environment: Arc::clone(&looked.environment),
            manifests: self.manifests_at(endpoint).await?,
        };
        Ok(subject.without(move |file, text| members.entries(file, text)))
    }

    /// The manifests of the members that an endpoint has, as far as they may be started.
    async fn manifests_at(&self, endpoint: &Endpoint) -> Result<Vec<Arc<Manifest>>, Report> {
        let agents = self.agents().await;
        let profile = match endpoint {
            Endpoint::Profile { profile } => {
                let settings = agents.settings();
                let chosen = settings
                    .profile(profile)
                    .ok_or_else(|| unknown_profile(profile))?;
                Some(
                    chosen
                        .members
                        .iter()
                        .map(|one| one.member.clone())
                        .collect(),
                )
            }
            Endpoint::Member { member } => Some(HashSet::from([member.clone()])),
            Endpoint::All => None,
        };
        let snapshot = self.snapshot();
        let members = snapshot.members.iter().filter(|(name, entry)| {
            let is_there = profile
                .as_ref()
                .is_none_or(|chosen: &HashSet<MemberName>| chosen.contains(*name));
            is_there && entry.view.status != Status::Unreviewed
        });
        Ok(members
            .filter_map(|(_, entry)| entry.manifest.clone())
            .collect())
    }

    /// Where programs reach the gateway: where it listens, or is to.
    async fn door(&self) -> GatewayDoor {
        let GatewayState {
            port,
            tokens_required,
            ..
        } = self.gateway().await;
        GatewayDoor {
            port,
            tokens_required,
        }
    }

    fn configs(&self) -> Result<&ClientConfigs, Report> {
        match self.inner.configs.get() {
            Some(configs) => Ok(configs),
            None => {
                let folders = self.finds().programs()?.clone();
                let found = ClientConfigs::of_own(&self.paths().data_dir, folders)?;
                Ok(self.inner.configs.get_or_init(|| found))
            }
        }
    }
}
