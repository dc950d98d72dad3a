//! Other programs' configurations, as a person connects them to this gateway.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use guild_core::agents::{Endpoint, Listing};
use guild_core::client_config::{ConfigFile, Folders, Program, System};
use guild_core::manifest::Manifest;
use guild_core::note::ClientFileTrouble;
use guild_core::status::Status;
use guild_core::wire::control::{CallerFolders, FromCaller};
use guild_core::wire::{
    AddAgentClient, ClientConfigPreview, ClientConfigs as Listed, GatewayState, OfAgentClient,
    OfClientConfig, OfEndpoint, UndoClientConfig, WriteClientConfig, WrittenClientConfig,
};
use guild_core::{Code, MemberName, Report};

use super::Hall;
use crate::agents::unknown_profile;
use crate::client_configs::{Change, ClientConfigs, GatewayDoor, Subject};
use crate::found::Members;

impl Hall {
    /// The programs whose configuration can name the gateway.
    ///
    /// # Errors
    /// `data-unwritable` when the system names no home folder.
    pub async fn client_configs(&self, request: OfEndpoint) -> Result<Listed, Report> {
        self.client_configs_for(by_hall(request)).await
    }

    /// The same for the programs of a caller.
    ///
    /// # Errors
    /// As [`Hall::client_configs`].
    pub async fn client_configs_for(&self, from: FromCaller<OfEndpoint>) -> Result<Listed, Report> {
        let FromCaller {
            folders,
            listing,
            request,
        } = from;
        let configs = self.configs()?;
        let mut listed = configs
            .list_in(
                folders.map(programs_in),
                request.endpoint.clone(),
                self.door(listing).await,
                self.language(),
            )
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
        self.preview_client_config_for(by_hall(request)).await
    }

    /// The same for a program of a caller.
    ///
    /// # Errors
    /// As [`Hall::preview_client_config`].
    pub async fn preview_client_config_for(
        &self,
        from: FromCaller<OfClientConfig>,
    ) -> Result<ClientConfigPreview, Report> {
        let FromCaller {
            folders,
            listing,
            request,
        } = from;
        let OfClientConfig {
            client,
            path,
            endpoint,
            hand_over,
        } = request;
        let configs = self.configs()?;
        let leaving = hand_over.then_some(&endpoint);
        let place = (folders.map(programs_in), path);
        let subject = self.subject(configs, &client, place, leaving).await?;
        let door = self.door(listing).await;
        configs.preview(subject, endpoint, door).await
    }

    /// Writes what was previewed, with a token of its own for the program where one is wanted.
    ///
    /// # Errors
    /// When the file is no longer what was previewed, or can't be written.
    pub async fn write_client_config(
        &self,
        request: WriteClientConfig,
    ) -> Result<WrittenClientConfig, Report> {
        self.write_client_config_for(by_hall(request)).await
    }

    /// The same for a program of a caller.
    ///
    /// # Errors
    /// As [`Hall::write_client_config`].
    pub async fn write_client_config_for(
        &self,
        from: FromCaller<WriteClientConfig>,
    ) -> Result<WrittenClientConfig, Report> {
        let FromCaller {
            folders,
            listing,
            request,
        } = from;
        let WriteClientConfig {
            client,
            path,
            endpoint,
            hand_over,
            precondition,
        } = request;
        let configs = self.configs()?;
        let leaving = hand_over.then_some(&endpoint);
        let place = (folders.map(programs_in), path);
        let change = Change {
            subject: self.subject(configs, &client, place, leaving).await?,
            endpoint,
            precondition,
        };
        let mut made = None;
        let make_token = async |name: String| {
            let added = self.add_agent_client(AddAgentClient { name }).await?;
            made = Some(added.client.id);
            Ok(added.token)
        };
        let door = self.door(listing).await;
        let written = configs.write(change, door, make_token).await;
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
        self.undo_client_config_for(by_hall(request)).await
    }

    /// The same for a program of a caller.
    ///
    /// # Errors
    /// As [`Hall::undo_client_config`].
    pub async fn undo_client_config_for(
        &self,
        from: FromCaller<UndoClientConfig>,
    ) -> Result<WrittenClientConfig, Report> {
        let FromCaller {
            folders, request, ..
        } = from;
        let configs = self.configs()?;
        let UndoClientConfig { client, path } = request;
        let place = (folders.map(programs_in), path);
        let subject = self.subject(configs, &client, place, None).await?;
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
        (folders, path): (Option<Folders>, Option<String>),
        leaving: Option<&Endpoint>,
    ) -> Result<Subject, Report> {
        let of_user = configs.subject_in(folders.as_ref(), client)?;
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
    async fn door(&self, listing: Option<Listing>) -> GatewayDoor {
        let GatewayState {
            port,
            tokens_required,
            ..
        } = self.gateway().await;
        GatewayDoor {
            port,
            tokens_required,
            listing,
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

/// A request about the files that the hall itself sees.
fn by_hall<R>(request: R) -> FromCaller<R> {
    FromCaller {
        folders: None,
        listing: None,
        request,
    }
}

fn programs_in(folders: CallerFolders) -> Folders {
    let CallerFolders {
        home,
        config,
        claude,
        codex,
    } = folders;
    Folders {
        system: System::OWN,
        home,
        config,
        claude,
        codex,
    }
}
