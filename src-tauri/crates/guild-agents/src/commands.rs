//! The gateway's commands for the window and the command line.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::messages::AgentsError;
use guild_api::wire::{
    AddAgentClient, AddedAgentClient, AgentClientRef, AgentView, Approvals, ArgumentCheck,
    ChangeGateway, DecideApproval, Decision, FindForTask, FoundAgentTool, FoundForTask,
    GatewayState, MemberTokens, ModeTokens, ProfileRef, SaveProfile, Traffic, ViewAsAgent,
};
use guild_catalog::strict::SchemaForm;
use guild_catalog::stub;
use guild_model::arguments::parse_exact;
use guild_model::endpoint::Listing;
use guild_model::settings::SettingChange;
use guild_model::{Code, MemberName, Report, ToolName};
use guild_review::trust::is_offer;

use super::settings::{GatewayConfig, check_profile};
use super::view::View;
use super::{Agents, GatewayOptions, Tokens, bindings, migration, tokens};
use guild_files::blocking::blocking;
use guild_supervisor::calls::{CallFailure, RawArguments, admit};

/// Maximum size of the part of a tool list that is shown, in bytes.
const PAYLOAD_SHOWN: usize = 1 << 20;
/// Maximum number of tools that are found for a task.
const FOUND_MAX: usize = 50;

impl Agents {
    /// Changes the settings file and the active settings. If the file can't be written, neither
    /// changes.
    pub(super) async fn change(
        self: &Arc<Self>,
        change: impl FnOnce(&mut GatewayConfig) -> Result<(), Report> + Send + 'static,
    ) -> Result<Arc<GatewayConfig>, Report> {
        let agents = Arc::clone(self);
        let changing = blocking(move || {
            let settings = agents
                .file
                .change(change, |settings| agents.activate(settings))?;
            let warnings = &mut agents.running.lock().warnings;
            warnings.retain(|report| report.code != Code::GatewaySettings);
            Ok(settings)
        });
        changing.await?
    }

    /// Changes the settings and publishes the new state.
    pub(super) async fn change_and_publish(
        self: &Arc<Self>,
        change: impl FnOnce(&mut GatewayConfig) -> Result<(), Report> + Send + 'static,
    ) -> Result<GatewayState, Report> {
        self.change(change).await?;
        Ok(self.publish_state())
    }

    /// Opens the gateway with its settings, or on the port in `options`. The gateway stays open
    /// until the hall closes. If the port is in use, no other port is tried, and the returned state
    /// has the error.
    pub async fn open_gateway(self: &Arc<Self>, options: GatewayOptions) -> GatewayState {
        let required = options.tokens == Tokens::Required;
        self.tokens_required.store(required, Ordering::Relaxed);
        let followers = self.follow();
        {
            let mut running = self.running.lock();
            running.options = Some(options);
            running.followers = followers;
        }
        self.listen().await
    }

    /// Changes the gateway's settings. Returns the new state, which has the error if the gateway
    /// could not be opened.
    pub async fn change_gateway(
        self: &Arc<Self>,
        wanted: ChangeGateway,
    ) -> Result<GatewayState, Report> {
        let before = Arc::clone(&self.settings.borrow());
        let mut changes = Vec::new();
        if let Some(port) = wanted.port {
            changes.push(SettingChange::new(migration::PORT, port));
        }
        if let Some(listing) = wanted.listing {
            changes.push(SettingChange::new(migration::LISTING, listing.as_str()));
        }
        if !changes.is_empty() {
            let book = Arc::clone(&self.book);
            blocking(move || book.change(&changes)).await??;
        }
        let settings = self
            .change(move |settings| {
                settings.enabled = wanted.enabled.unwrap_or(settings.enabled);
                // These two settings are in `settings.json` now, so the values of earlier versions
                // are removed.
                settings.port = settings.port.filter(|_| wanted.port.is_none());
                settings.listing = settings.listing.filter(|_| wanted.listing.is_none());
                Ok(())
            })
            .await?;
        let is_behind = {
            let mut running = self.running.lock();
            if wanted.port.is_some()
                && let Some(options) = running.options.as_mut()
            {
                // A port that the user sets now overrides the port from the start of the program.
                options.port = None;
            }
            running.listening.is_none() || running.error.is_some()
        };
        let moved = settings.port() != before.port() || settings.enabled != before.enabled;
        Ok(if moved || is_behind || wanted.port.is_some() {
            self.listen().await
        } else {
            self.publish_state()
        })
    }

    /// Adds a client. Only this response contains its token.
    pub async fn add_agent_client(
        self: &Arc<Self>,
        request: AddAgentClient,
    ) -> Result<AddedAgentClient, Report> {
        let shared = Arc::clone(self);
        let (client, token) =
            blocking(move || shared.clients.add(&request.name, request.endpoints)).await??;
        self.publish_state();
        Ok(AddedAgentClient { client, token })
    }

    /// Accepts this token from a new client until this program ends.
    pub fn admit_for_this_run(&self, name: &str, token: &str) -> Result<(), Report> {
        self.clients.admit_for_this_run(name, token)?;
        self.publish_state();
        Ok(())
    }

    /// Adds a client until this program ends. Its token is not stored, so no other program with
    /// this data folder can accept or revoke it.
    pub fn add_client_for_this_run(&self, name: &str) -> Result<AddedAgentClient, Report> {
        let (client, token) = self.clients.add_for_this_run(name)?;
        self.publish_state();
        Ok(AddedAgentClient { client, token })
    }

    /// Revokes a client and ends its running requests.
    pub async fn revoke_agent_client(
        self: &Arc<Self>,
        of: AgentClientRef,
    ) -> Result<GatewayState, Report> {
        let shared = Arc::clone(self);
        blocking(move || shared.clients.revoke(&of.client)).await??;
        Ok(self.publish_state())
    }

    /// Saves a profile. It replaces the profile with the same name. If `instead_of` names another
    /// profile, that profile is replaced and thereby renamed, and its former address remains valid.
    pub async fn save_profile(
        self: &Arc<Self>,
        request: SaveProfile,
    ) -> Result<GatewayState, Report> {
        let SaveProfile {
            profile,
            instead_of,
        } = request;
        check_profile(&profile).map_err(|problem| {
            Report::from_error(Code::ProfileRefused, &AgentsError::ProfileRefused(problem))
        })?;
        let name = profile.name.clone();
        let former = instead_of.clone().filter(|former| *former != name);
        self.free_profile_name(&name, former.is_some()).await?;
        let saved = self
            .change_and_publish(move |settings| settings.keep_profile(profile, instead_of.as_ref()))
            .await?;
        let Some(former) = former else {
            return Ok(saved);
        };
        let (former, renamed) = (bindings::profile(former), bindings::profile(name));
        if let Err(report) = self.rename_bound(former, Some(renamed)).await {
            // The bindings keep the former name, which is still valid.
            tracing::warn!("{report}");
        }
        Ok(self.state())
    }

    /// Deletes a profile and its former names. The error is `profile-unknown` if it does not exist.
    pub async fn delete_profile(self: &Arc<Self>, of: ProfileRef) -> Result<GatewayState, Report> {
        self.change_and_publish(move |settings| settings.drop_profile(&of.profile))
            .await
    }

    /// Returns the tools that an agent sees at an endpoint, and their cost in tokens.
    pub async fn view_as_agent(&self, request: ViewAsAgent) -> Result<AgentView, Report> {
        let view = self.view(&request.endpoint)?;
        blocking(move || show(&view, request.listing)).await
    }

    /// Returns the tools that an agent's search finds for a task.
    pub async fn find_for_task(&self, request: FindForTask) -> Result<FoundForTask, Report> {
        let view = self.view(&request.endpoint)?;
        let (close, _) = self.close_to(&view, &request.task).await;
        let finding = blocking(move || {
            let hits = view.find(&request.task, &close, request.limit.min(FOUND_MAX));
            let found = hits.into_iter().map(|hit| {
                let tool = &view.exposed[hit.place];
                FoundAgentTool {
                    name: tool.name.clone(),
                    summary: stub::summary(tool.description()),
                    score: hit.score,
                    why: hit.why,
                }
            });
            FoundForTask {
                found: found.collect(),
            }
        });
        finding.await
    }

    /// Returns the pending approvals, oldest first.
    pub fn open_approvals(&self) -> Approvals {
        self.approvals.all()
    }

    /// Decides a pending approval. Invalid arguments are rejected and the approval stays pending,
    /// unless the person sends them anyway. Arguments that are not a JSON object are always
    /// rejected.
    pub async fn decide_approval(&self, request: DecideApproval) -> Result<(), Report> {
        let DecideApproval {
            id,
            decision,
            arguments,
            check,
        } = request;
        if let Some(arguments) = arguments.as_ref().filter(|_| decision != Decision::Deny) {
            let (member, tool) = self.approvals.about(&id)?;
            match check {
                ArgumentCheck::Refuse => {
                    self.check_arguments(&member, &tool, arguments).await?;
                }
                ArgumentCheck::SendAnyway => check_json(&member, arguments).await?,
            }
        }
        self.approvals.decide(&id, decision, arguments)
    }

    /// Returns the newest exchanges.
    pub fn newest_traffic(&self) -> Traffic {
        self.traffic.newest()
    }

    /// Checks the arguments that a person changed.
    async fn check_arguments(
        &self,
        member: &MemberName,
        tool: &ToolName,
        text: &str,
    ) -> Result<(), Report> {
        if is_offer(tool) {
            // Prompts and resources have no schema.
            return check_json(member, text).await;
        }
        let snapshot = self.roster.snapshot();
        let Some(tools) = snapshot.tools_with(member, tool) else {
            return Err(snapshot.unknown_tool(member, tool));
        };
        let admitting = admit(
            Some(&tools),
            tool,
            RawArguments::Text(text.to_owned()),
            ArgumentCheck::Refuse,
        );
        admitting.await.map(drop).map_err(CallFailure::into_report)
    }
}

/// Checks that arguments are a JSON object.
async fn check_json(member: &MemberName, text: &str) -> Result<(), Report> {
    let text = text.to_owned();
    let read = blocking(move || parse_exact(&text).map(drop)).await?;
    read.map_err(|error| error.report().of(member))
}

/// Returns an agent's view. Blocking: it builds the whole list and counts its tokens.
fn show(view: &View, listing: Option<Listing>) -> AgentView {
    let listing = listing.unwrap_or(view.listing);
    let list = view.list(listing, SchemaForm::default(), false);
    let list = String::from_utf8_lossy(&list);
    let payload = format!("{{\"tools\":{list}}}");
    let count = |listing| {
        let list = view.list(listing, SchemaForm::default(), false);
        tokens::count(&String::from_utf8_lossy(&list))
    };
    let mut members: Vec<MemberTokens> = Vec::new();
    for tool in &view.exposed {
        let lazy = tokens::count(&tool.stub());
        let full = tokens::count(&view.listed(tool, SchemaForm::default()));
        let place = members.iter().position(|known| known.member == tool.member);
        let place = place.unwrap_or_else(|| {
            members.push(MemberTokens {
                member: tool.member.clone(),
                tools: 0,
                tokens: ModeTokens::default(),
            });
            members.len() - 1
        });
        let known = &mut members[place];
        known.tools += 1;
        known.tokens.lazy += lazy;
        known.tokens.full += full;
    }
    AgentView {
        listing,
        payload_bytes: payload.len(),
        payload: payload[..payload.floor_char_boundary(PAYLOAD_SHOWN)].to_owned(),
        listed: view.menu(listing).count()
            + if listing == Listing::Search {
                0
            } else {
                view.exposed.len()
            },
        tokens: ModeTokens {
            full: count(Listing::Full),
            lazy: count(Listing::Lazy),
            search: count(Listing::Search),
        },
        members,
        tools: view.all_tools().map(|tool| tool.shown()).collect(),
        withheld: view.withheld.clone(),
    }
}
