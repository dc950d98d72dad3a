//! Connects other apps to this gateway by editing their configuration files.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use guild_agents::messages::AgentsError;
use guild_api::event::HallEvent;
use guild_api::wire::control::{CallerFolders, FromCaller};
use guild_api::wire::{
    AddAgentClient, AgentClientRef, ClientConfigPreview, ClientConfigRef, ClientConfigs as Listed,
    EndpointRef, GatewayState, ProfileRef, ProgramChoice, SaveProfile, UndoClientConfig,
    UndoneClientConfig, WriteClientConfig, WrittenClientConfig,
};
use guild_client_config::{ClientConfigFolders, ClientProgram, ConfigFile, System};
use guild_import::messages::ClientFileError;
use guild_model::endpoint::{Endpoint, Listing};
use guild_model::manifest::Manifest;
use guild_model::policy::PolicyRules;
use guild_model::profile::{MountedMember, Profile, ProfileName, ToolChoice};
use guild_model::status::Status;
use guild_model::{Code, MemberName, Report};

use super::GuildHall;
use guild_agents::unknown_profile;
use guild_import::client_configs::{
    ClientConfigChange, ClientConfigFiles, ConfigFileTarget, GatewayConnection, readable_token,
};
use guild_import::scan::ReplacementMembers;

/// Maximum number of names that are tried for the profile of an app.
const PROFILE_NAMES_MAX: usize = 100;

/// A planned change of an app's configuration.
struct PlannedConfigChange {
    target: ConfigFileTarget,
    endpoint: Endpoint,
    /// The profile through which the app gets no more tools than before.
    profile: Option<Profile>,
    /// For each server that the gateway replaces: the tools that the app's file enabled.
    choices: Vec<ProgramChoice>,
}

impl GuildHall {
    /// Returns the apps whose configuration can contain the gateway.
    ///
    /// # Errors
    /// `data-unwritable` if the system has no home folder.
    pub async fn client_configs(
        &self,
        from: impl Into<FromCaller<EndpointRef>>,
    ) -> Result<Listed, Report> {
        let FromCaller {
            folders,
            listing,
            request,
        } = from.into();
        let configs = self.configs()?;
        let mut listed = configs
            .list(
                folders.map(programs_in),
                request.endpoint.clone(),
                self.gateway_address(listing).await,
            )
            .await;
        if let Endpoint::Member { member } = &request.endpoint {
            for client in &mut listed.clients {
                if let Some(program) = ClientProgram::parse(&client.client) {
                    client.direct = Some(self.member_for(member, program).await);
                }
            }
        }
        Ok(listed)
    }

    /// Previews the change of an app's configuration.
    ///
    /// # Errors
    /// The reason why the file can't be changed safely.
    pub async fn preview_client_config(
        &self,
        from: impl Into<FromCaller<ClientConfigRef>>,
    ) -> Result<ClientConfigPreview, Report> {
        let FromCaller {
            folders,
            listing,
            request,
        } = from.into();
        let configs = self.configs()?;
        let PlannedConfigChange {
            target,
            endpoint,
            profile,
            mut choices,
        } = self.plan_change(configs, folders, request).await?;
        let address = self.gateway_address(listing).await;
        let preview = configs.preview(target, endpoint, address).await?;
        choices.retain(|choice| choice.tools != ToolChoice::All);
        Ok(ClientConfigPreview {
            choices,
            profile: profile.map(|profile| profile.name),
            ..preview
        })
    }

    /// Plans the change of an app's configuration, without writing anything.
    async fn plan_change(
        &self,
        configs: &ClientConfigFiles,
        folders: Option<CallerFolders>,
        request: ClientConfigRef,
    ) -> Result<PlannedConfigChange, Report> {
        let endpoint = &request.endpoint;
        let leaving = request.hand_over.then_some(endpoint);
        let place = (folders.map(programs_in), request.path);
        let (target, choices) = self
            .target(configs, &request.client, place, leaving)
            .await?;
        let profile = match request.hand_over && !request.all_tools {
            true => {
                self.profile_keeping(configs, &target, endpoint, &choices)
                    .await?
            }
            false => None,
        };
        let name = profile.as_ref().map(|profile| profile.name.clone());
        Ok(PlannedConfigChange {
            target,
            endpoint: name.map_or(request.endpoint, of_profile),
            profile,
            choices,
        })
    }

    /// Writes the previewed change, with a separate token for the app if it needs one.
    ///
    /// # Errors
    /// The reason why the file can't be written, for example because it changed since the preview.
    pub async fn write_client_config(
        &self,
        from: impl Into<FromCaller<WriteClientConfig>>,
    ) -> Result<WrittenClientConfig, Report> {
        let FromCaller {
            folders,
            listing,
            request,
        } = from.into();
        let shown = ClientConfigRef {
            client: request.client,
            path: request.path,
            endpoint: request.endpoint,
            hand_over: request.hand_over,
            all_tools: request.all_tools,
        };
        let configs = self.configs()?;
        let planned = self.plan_change(configs, folders, shown).await?;
        let change = ClientConfigChange {
            subject: planned.target,
            endpoint: planned.endpoint,
            precondition: request.precondition,
        };
        let before = match planned.profile {
            Some(profile) => Some(self.keep_choices(profile).await?),
            None => None,
        };
        let mut made = None;
        // The token of an app that gets only some tools must not be accepted at other endpoints.
        let bound = match &change.endpoint {
            Endpoint::All => None,
            endpoint => Some(vec![endpoint.clone()]),
        };
        let make_token = async |name: String| {
            let endpoints = bound;
            let added = self
                .add_agent_client(AddAgentClient { name, endpoints })
                .await?;
            made = Some(added.client.id.clone());
            Ok((added.client.id, added.token))
        };
        let address = self.gateway_address(listing).await;
        let written = configs.write(change, address, make_token).await;
        if let (Ok(written), true) = (&written, made.is_some()) {
            let path = PathBuf::from(&written.path);
            let warned = tokio::task::spawn_blocking(move || readable_token(&path)).await;
            if let Ok(Some(report)) = warned {
                let roster = &self.inner.context.roster;
                roster.tell(HallEvent::Warning { report });
            }
        }
        if written.is_err() {
            if let Some(client) = made {
                // No app knows the token. If it can't be revoked, the list of clients still shows
                // it.
                let _ = self.revoke_agent_client(AgentClientRef { client }).await;
            }
            if let Some(before) = before {
                // If restoring also fails, a profile remains that no client uses.
                let _ = self.restore_profile(before).await;
            }
        }
        written
    }

    /// Returns a profile through which an app gets no more tools from the gateway than before. The
    /// profile has the members of the endpoint, or those of the profile that the app's file already
    /// uses. For each server in `replaced`, it includes only the tools that the app's file enabled.
    /// `None` if the app's file enabled all tools of these servers. For the endpoint of all members,
    /// the file must also use no profile.
    async fn profile_keeping(
        &self,
        configs: &ClientConfigFiles,
        target: &ConfigFileTarget,
        endpoint: &Endpoint,
        replaced: &[ProgramChoice],
    ) -> Result<Option<Profile>, Report> {
        let file = target.file();
        let agents = self.agents().await;
        let settings = agents.settings();
        let address = configs.address_in(file.clone()).await;
        let connected = match (address.as_deref().and_then(endpoint_in), endpoint) {
            (Some(Endpoint::Profile { profile }), Endpoint::All) => {
                settings.profile(&profile).cloned()
            }
            _ => None,
        };
        let is_narrowed = replaced.iter().any(|one| one.tools != ToolChoice::All);
        if connected.is_none() && !is_narrowed {
            return Ok(None);
        }
        let word = file.program.as_str();
        let further = (2..=PROFILE_NAMES_MAX).map(|turn| format!("{word}-{turn}"));
        let names = std::iter::once(word.to_owned()).chain(further);
        let mut names = names.filter_map(|name| ProfileName::parse(&name).ok());
        let taken = || {
            let trouble = AgentsError::ProfileTaken(format!("{word:?}"));
            Report::from_error(Code::ProfileRefused, &trouble)
        };
        let name = names.next().ok_or_else(taken)?;
        let mut kept = match (&connected, endpoint) {
            (Some(profile), _) => {
                let mut extended = profile.clone();
                // Members that the profile already has stay as they are.
                let is_new = |one: &&ProgramChoice| {
                    let mut mounted = profile.members.iter();
                    !mounted.any(|known| known.member == one.member)
                };
                let new = replaced.iter().filter(is_new);
                extended
                    .members
                    .extend(new.map(|one| mounted(one.member.clone(), one.tools.clone())));
                if extended == *profile {
                    return Ok(Some(extended));
                }
                extended
            }
            (None, Endpoint::Profile { profile }) => {
                let chosen = settings.profile(profile);
                let chosen = chosen.ok_or_else(|| unknown_profile(profile))?;
                narrowed(chosen.clone(), replaced)
            }
            (None, Endpoint::Member { member }) => {
                let only = MountedMember {
                    without_prefix: true,
                    ..mounted(member.clone(), ToolChoice::All)
                };
                narrowed(profile_of(name.clone(), vec![only]), replaced)
            }
            (None, Endpoint::All) => {
                let snapshot = self.snapshot();
                let members = snapshot.members.keys();
                let members = members.map(|member| mounted(member.clone(), ToolChoice::All));
                narrowed(profile_of(name.clone(), members.collect()), replaced)
            }
        };
        kept.name = name;
        loop {
            match settings.profile(&kept.name) {
                None => break,
                // The app has used this profile since an earlier switch-over, or both profiles are
                // equal.
                Some(known) if connected.as_ref().is_some_and(|of| of.name == known.name) => break,
                Some(known) if *known == kept => break,
                Some(_) => kept.name = names.next().ok_or_else(taken)?,
            }
        }
        Ok(Some(kept))
    }

    /// Saves a profile. Returns its name and the previous profile of that name.
    async fn keep_choices(
        &self,
        profile: Profile,
    ) -> Result<(ProfileName, Option<Profile>), Report> {
        let name = profile.name.clone();
        let settings = self.agents().await.settings();
        let before = settings.profile(&name);
        let before = before.filter(|known| known.name == name).cloned();
        if before.as_ref() != Some(&profile) {
            self.save_profile(replacing(profile)).await?;
        }
        Ok((name, before))
    }

    async fn restore_profile(
        &self,
        (profile, before): (ProfileName, Option<Profile>),
    ) -> Result<(), Report> {
        match before {
            Some(profile) => self.save_profile(replacing(profile)).await.map(drop),
            None => self.delete_profile(ProfileRef { profile }).await.map(drop),
        }
    }

    /// Restores an app's configuration from before the change.
    ///
    /// # Errors
    /// The reason why no backup exists, or why the file can't be written.
    pub async fn undo_client_config(
        &self,
        from: impl Into<FromCaller<UndoClientConfig>>,
    ) -> Result<UndoneClientConfig, Report> {
        let FromCaller {
            folders, request, ..
        } = from.into();
        let configs = self.configs()?;
        let UndoClientConfig { client, path } = request;
        let place = (folders.map(programs_in), path);
        let (target, _) = self.target(configs, &client, place, None).await?;
        let undone = configs.undo(target).await?;
        let mut clients = self.gateway().await.clients;
        clients.retain(|client| undone.clients.contains(&client.id));
        Ok(UndoneClientConfig {
            path: undone.path.display().to_string(),
            as_before: undone.as_before,
            clients,
        })
    }

    /// Returns, for each file, whether a backup exists from which it can be restored.
    pub(crate) async fn can_undo(&self, files: Vec<ConfigFile>) -> Vec<bool> {
        match self.configs() {
            Ok(configs) => configs.can_undo(files).await,
            Err(_) => vec![false; files.len()],
        }
    }

    /// Returns an app's configuration file as the target of a later change. If `leaving` is an
    /// endpoint, the change also removes the servers that the endpoint replaces. The second value
    /// then contains the tools of these servers that the app's file enabled. It is empty without
    /// `leaving`.
    async fn target(
        &self,
        configs: &ClientConfigFiles,
        client: &str,
        (folders, path): (Option<ClientConfigFolders>, Option<String>),
        leaving: Option<&Endpoint>,
    ) -> Result<(ConfigFileTarget, Vec<ProgramChoice>), Report> {
        let of_user = configs.target(folders.as_ref(), client)?;
        if path.is_none() && leaving.is_none() {
            return Ok((of_user, Vec::new()));
        }
        let path = path.map_or_else(|| of_user.path().to_owned(), PathBuf::from);
        let scan = self.scan_in(folders.as_ref()).await?;
        let files = scan.files.iter();
        let mut files = files.filter_map(|file| Some((file, ConfigFile::of(&file.source)?)));
        let known = files.find(|(_, file)| file.program.as_str() == client && file.path == path);
        let Some((known, file)) = known else {
            let trouble = ClientFileError::NotSearched(path);
            return Err(Report::from_error(Code::ClientConfigRefused, &trouble));
        };
        let target = ConfigFileTarget::new(file).of_project(known.source.folder.clone());
        let Some(endpoint) = leaving else {
            return Ok((target, Vec::new()));
        };
        let members = ReplacementMembers {
            source: known.source.clone(),
            home: scan.home.clone(),
            environment: Arc::clone(&scan.environment),
            manifests: self.manifests_at(endpoint).await?,
        };
        let choices = known
            .servers
            .as_ref()
            .map(|servers| members.choices(servers));
        let target = target.without(move |file, text| members.entries(file, text));
        Ok((target, choices.unwrap_or_default()))
    }

    /// Returns the manifests of those members of an endpoint that may be started.
    async fn manifests_at(
        &self,
        endpoint: &Endpoint,
    ) -> Result<Vec<(MemberName, Arc<Manifest>)>, Report> {
        let agents = self.agents().await;
        if let Endpoint::Profile { profile } = endpoint {
            let settings = agents.settings();
            settings
                .profile(profile)
                .ok_or_else(|| unknown_profile(profile))?;
        }
        let snapshot = self.snapshot();
        let members = snapshot.members.iter().filter(|(name, entry)| {
            agents.includes(endpoint, name) && entry.view.status != Status::Unreviewed
        });
        Ok(members
            .filter_map(|(name, entry)| Some((name.clone(), entry.manifest.clone()?)))
            .collect())
    }

    /// Returns the data with which other apps connect to the gateway, even if the gateway is
    /// closed.
    async fn gateway_address(&self, listing: Option<Listing>) -> GatewayConnection {
        let GatewayState {
            port,
            tokens_required,
            ..
        } = self.gateway().await;
        GatewayConnection {
            port,
            tokens_required,
            listing,
        }
    }

    fn configs(&self) -> Result<&ClientConfigFiles, Report> {
        match self.inner.configs.get() {
            Some(configs) => Ok(configs),
            None => {
                let folders = self.finds().programs()?.clone();
                let own_binary = &self.inner.context.own_binary;
                let found = ClientConfigFiles::of_own(own_binary, &self.paths().data_dir, folders)?;
                Ok(self.inner.configs.get_or_init(|| found))
            }
        }
    }
}

pub(super) fn programs_in(folders: CallerFolders) -> ClientConfigFolders {
    let CallerFolders {
        home,
        config,
        claude,
        codex,
    } = folders;
    ClientConfigFolders {
        system: System::OWN,
        home,
        config,
        claude,
        codex,
    }
}

/// Returns the request to save a profile under its current name.
fn replacing(profile: Profile) -> SaveProfile {
    SaveProfile {
        profile,
        instead_of: None,
    }
}

fn of_profile(profile: ProfileName) -> Endpoint {
    Endpoint::Profile { profile }
}

/// Returns the endpoint that an address of the gateway leads to.
fn endpoint_in(address: &str) -> Option<Endpoint> {
    let rest = address.strip_prefix("http://")?;
    let path = &rest[rest.find('/')?..];
    Endpoint::parse(path.split(['?', '#']).next()?)?.ok()
}

fn profile_of(name: ProfileName, members: Vec<MountedMember>) -> Profile {
    Profile {
        name,
        listing: None,
        result_tokens: None,
        rules: PolicyRules::default(),
        members,
    }
}

fn mounted(member: MemberName, tools: ToolChoice) -> MountedMember {
    MountedMember {
        member,
        without_prefix: false,
        tools,
        offers: ToolChoice::All,
        changes: BTreeMap::new(),
    }
}

/// Restricts a profile to the tools that the app's file enabled.
fn narrowed(mut profile: Profile, choices: &[ProgramChoice]) -> Profile {
    for mounted in &mut profile.members {
        let choice = choices.iter().find(|one| one.member == mounted.member);
        if let Some(choice) = choice {
            mounted.tools = std::mem::take(&mut mounted.tools).and(choice.tools.clone());
        }
    }
    profile
}
