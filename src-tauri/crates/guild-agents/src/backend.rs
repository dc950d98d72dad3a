//! Implements [`GatewayBackend`], through which the gateway reaches the members.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use guild_api::wire::Exchange;
use guild_catalog::known::KnownClient;
use guild_catalog::menu::MenuTool;
use guild_catalog::strict::SchemaForm;
use guild_gateway::{
    AgentCall, EndpointInfo, ForwardedRequest, GatewayBackend, GatewayClient, GatewayError,
    GatewayRequestContext, GatewayResultFuture, GatewayToolList, ListChangeCounts,
    ResourceSubscription, TrafficExchange,
};
use guild_mcp_client::{Level, NotificationSink};
use guild_model::arguments::without_fields;
use guild_model::endpoint::{Endpoint, Listing};
use guild_model::status::Status;
use guild_model::tool::ToolSpec;
use guild_model::{Code, MemberName, Report};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::Agents;
use super::added_fields::added_by;
use super::traffic::RawExchange;
use super::view::View;
use guild_files::clock::now_ms;
use guild_history::Masking;

/// How long clients may cache a list while no member is starting.
const TTL: Duration = Duration::from_secs(60);
/// How long clients may cache a list while a member is starting. The list may change soon.
const TTL_STARTING: Duration = Duration::from_secs(1);
/// Maximum size of a masked request or response that is shown, in bytes.
const SHOWN: usize = 2 << 10;

/// The gateway's access to the members.
#[derive(Debug)]
pub(super) struct AgentBackend {
    pub(super) agents: Arc<Agents>,
    /// The client to which requests without a token belong, if tokens are not required.
    anonymous: GatewayClient,
}

impl AgentBackend {
    pub(super) fn new(agents: Arc<Agents>) -> Self {
        let anonymous = GatewayClient {
            id: None,
            name: Arc::from(""),
            revoked: CancellationToken::new(),
        };
        Self { agents, anonymous }
    }

    /// Masks secrets in an error for an agent.
    pub(super) fn redacted(&self, mut refusal: GatewayError) -> GatewayError {
        if let Some(veil) = self.agents.roster.redactor() {
            veil.rpc(&mut refusal.message, &mut refusal.data);
        }
        refusal
    }
}

impl GatewayBackend for AgentBackend {
    fn client(&self, token: Option<&str>) -> Option<GatewayClient> {
        let Some(token) = token else {
            let required = self.agents.tokens_required.load(Ordering::Relaxed);
            return (!required).then(|| self.anonymous.clone());
        };
        self.agents.clients.by_token(token)
    }

    fn admit(&self, client: GatewayClient, endpoint: &Endpoint) -> Result<GatewayClient, String> {
        let Some(id) = &client.id else {
            return Ok(client);
        };
        match self.agents.admit(&client, id, endpoint, self.has(endpoint)) {
            Ok(revoked) => Ok(GatewayClient { revoked, ..client }),
            Err(trouble) => Err(trouble.to_string()),
        }
    }

    fn has(&self, endpoint: &Endpoint) -> bool {
        match endpoint {
            Endpoint::All => true,
            Endpoint::Member { member } => {
                self.agents.roster.snapshot().members.contains_key(member)
            }
            Endpoint::Profile { profile } => {
                let settings = self.agents.settings.borrow();
                settings.profile(profile).is_some()
            }
        }
    }

    fn info(&self, endpoint: &Endpoint) -> Option<EndpointInfo> {
        let apps = !self.agents.view(endpoint).ok()?.apps.is_empty();
        let instructions = match endpoint {
            Endpoint::Member { .. } => None,
            Endpoint::All | Endpoint::Profile { .. } => Some(
                "Guild Hall serves the tools of several MCP servers; a tool's name begins with its \
                 server's. A list may hold only the first sentence of each description and no \
                 schemas: `tools_describe` gives the whole."
                    .to_owned(),
            ),
        };
        Some(EndpointInfo {
            name: match endpoint {
                Endpoint::All => "guild-hall".to_owned(),
                Endpoint::Member { member } => format!("guild-hall/{member}"),
                Endpoint::Profile { profile } => format!("guild-hall/profiles/{profile}"),
            },
            instructions,
            // Whether a member supports these is known only after its start. The lists of a member
            // without support are empty.
            resources: true,
            prompts: true,
            completions: true,
            skills: true,
            apps,
        })
    }

    fn wait_for_first_lists<'a>(&'a self, context: &'a GatewayRequestContext) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if let Ok(view) = self.agents.view(&context.endpoint)
                && listing_of(context, &view) != Listing::Search
            {
                self.wait_for_lists_of(&view).await;
            }
        })
    }

    fn tools(&self, context: &GatewayRequestContext) -> Result<GatewayToolList, GatewayError> {
        let view = self.view(context)?;
        let snapshot = self.agents.roster.snapshot();
        let starting = snapshot
            .members
            .values()
            .any(|m| m.view.status == Status::Starting);
        Ok(GatewayToolList {
            tools: view.list(
                listing_of(context, &view),
                form_of(context),
                context.shows_apps,
            ),
            ttl: if starting { TTL_STARTING } else { TTL },
        })
    }

    fn describe(&self, context: &GatewayRequestContext, name: &str) -> Result<Bytes, GatewayError> {
        let view = self.view(context)?;
        match view.get(name) {
            Some(tool) => Ok(Bytes::from(tool.full())),
            None => Err(refusal(&view.why_not(name))),
        }
    }

    fn requires_headers(&self, context: &GatewayRequestContext, name: &str) -> bool {
        let Ok(view) = self.agents.view(&context.endpoint) else {
            return false;
        };
        listing_of(context, &view) == Listing::Full
            && view
                .get(name)
                .is_some_and(|tool| wants_headers(tool.tool().spec.input_schema()))
    }

    fn call(
        self: Arc<Self>,
        context: Arc<GatewayRequestContext>,
        call: AgentCall,
    ) -> GatewayResultFuture {
        Box::pin(async move {
            let answered = self.call_tool(&context, call).await;
            answered.map_err(|refusal| self.redacted(refusal))
        })
    }

    fn forward(
        self: Arc<Self>,
        context: Arc<GatewayRequestContext>,
        request: ForwardedRequest,
    ) -> GatewayResultFuture {
        Box::pin(async move {
            let answered = self.forward_request(&context, request).await;
            answered.map_err(|refusal| self.redacted(refusal))
        })
    }

    fn set_log_level<'a>(
        &'a self,
        context: &'a GatewayRequestContext,
        level: Level,
    ) -> BoxFuture<'a, Result<(), GatewayError>> {
        Box::pin(self.log_from_level(context, level))
    }

    fn subscribe_logs(
        &self,
        context: &GatewayRequestContext,
        hearing: Arc<dyn NotificationSink>,
        over: CancellationToken,
    ) {
        self.subscribe_log(context, hearing, over);
    }

    fn subscribe<'a>(
        &'a self,
        context: &'a GatewayRequestContext,
        watch: ResourceSubscription,
    ) -> BoxFuture<'a, Result<(), GatewayError>> {
        Box::pin(async move {
            let watched = self.subscribe_resource(context, watch).await;
            watched.map_err(|refusal| self.redacted(refusal))
        })
    }

    fn record(&self, context: &GatewayRequestContext, seen: TrafficExchange<'_>) {
        if let Some(id) = &context.client.id
            && self.agents.clients.used(id, now_ms(), context.shows_apps)
        {
            self.agents.write_clients();
        }
        if context.shows_apps {
            self.agents.shows_apps.store(true, Ordering::Relaxed);
        }
        self.agents.traffic.note(context, &seen);
    }

    fn changes(&self) -> watch::Receiver<ListChangeCounts> {
        self.agents.changes.subscribe()
    }
}

impl Agents {
    /// Masks the secrets of an exchange. Blocking.
    pub(super) fn masked(&self, raw: RawExchange, masking: &Masking) -> Exchange {
        let RawExchange {
            mut exchange,
            calls_itself,
            subject,
            params,
            answer,
        } = raw;
        let called = subject.and_then(|name| self.called(&exchange.endpoint, name, &params));
        if exchange.method == "tools/call" {
            let schema = called.as_ref().map(|called| called.spec.input_schema());
            exchange.dropped = dropped(&calls_itself, schema, &params);
        }
        let schema = called.as_ref().map(|called| {
            exchange.member = Some(called.member.clone());
            exchange.tool = Some(called.name.clone());
            (called.depth, called.spec.input_schema())
        });
        let error = exchange.error.take();
        let masked = masking.exchange(&params, schema, &answer, SHOWN);
        exchange.error = error.map(|error| masked.hide(&error));
        exchange.tool = exchange.tool.map(|tool| masked.hide(&tool));
        exchange.request = masked.request;
        exchange.response = masked.response;
        exchange
    }

    /// Returns the member's tool that was called, directly or through a menu tool.
    fn called(&self, endpoint: &Endpoint, name: String, params: &str) -> Option<Called> {
        #[derive(Default, Deserialize)]
        struct ByMenu {
            #[serde(default)]
            arguments: MenuToolArguments,
        }
        #[derive(Default, Deserialize)]
        struct MenuToolArguments {
            #[serde(default)]
            name: Option<String>,
        }
        let (name, depth) = match MenuTool::by_name(&name) {
            Some(MenuTool::CallRead | MenuTool::CallWrite) => {
                let inner: ByMenu = serde_json::from_str(params).unwrap_or_default();
                (inner.arguments.name?, 2)
            }
            Some(_) => return None,
            None => (name, 1),
        };
        let view = self.view(endpoint).ok()?;
        let tool = view.callable(&name, true)?;
        Some(Called {
            member: tool.member.clone(),
            spec: tool.tool().spec.clone(),
            name,
            depth,
        })
    }
}

/// Returns the listing mode for a client: the requested one, or else that of the endpoint. A client
/// with `closes_schemas` can't pass arguments to a tool that is listed as a stub, so it gets the
/// menu instead of stubs.
fn listing_of(context: &GatewayRequestContext, view: &View) -> Listing {
    context.listing.unwrap_or_else(|| {
        let known = KnownClient::by_name(&context.calls_itself);
        match known.is_some_and(|known| known.closes_schemas) {
            true if view.listing == Listing::Lazy => Listing::Search,
            _ => view.listing,
        }
    })
}

fn form_of(context: &GatewayRequestContext) -> SchemaForm {
    let known = KnownClient::by_name(&context.calls_itself);
    match known {
        _ if context.raw_schemas => SchemaForm::Raw,
        Some(known) if known.refuses_top_level_choice => SchemaForm::Flat,
        _ => SchemaForm::Objects,
    }
}

struct Called {
    name: String,
    member: MemberName,
    spec: ToolSpec,
    /// The nesting depth of the tool's arguments: 2 in a call through the menu, otherwise 1.
    depth: usize,
}

/// Returns the names of the fields that a known client added to a call and that the gateway
/// removed, as [`super::added_fields`] does. In a call through a menu tool, the arguments of the
/// called tool are nested in the menu tool's arguments, so both levels are searched.
fn dropped(client: &str, schema: Option<&Value>, params: &str) -> Vec<String> {
    #[derive(Deserialize)]
    struct ToolCallParams {
        #[serde(default)]
        arguments: Option<Box<RawValue>>,
    }
    let added = added_by(client, schema);
    let mut dropped = Vec::new();
    let mut text = params.to_owned();
    for _ in 0..2 {
        let inner = serde_json::from_str::<ToolCallParams>(&text).ok();
        let Some(arguments) = inner.and_then(|inner| inner.arguments) else {
            break;
        };
        if let Some((_, names)) = without_fields(arguments.get(), &added) {
            dropped.extend(names);
        }
        text = arguments.get().to_owned();
    }
    dropped.sort();
    dropped.dedup();
    dropped
}

/// Checks whether a schema contains `x-mcp-header`, which asks clients to send an argument as an
/// HTTP header.
fn wants_headers(schema: &Value) -> bool {
    match schema {
        Value::Object(fields) => {
            fields.contains_key("x-mcp-header") || fields.values().any(wants_headers)
        }
        Value::Array(items) => items.iter().any(wants_headers),
        _ => false,
    }
}

/// Converts a report to a JSON-RPC error that names the member.
pub(super) fn refusal(report: &Report) -> GatewayError {
    let code = match report.code {
        Code::ToolUnknown
        | Code::MemberUnknown
        | Code::ProfileUnknown
        | Code::ToolDenied
        | Code::ToolHeld
        | Code::SkillMismatch
        | Code::MemberUnreviewed
        | Code::ToolNameTaken
        | Code::ArgumentsNotJson
        | Code::ArgumentsInvalid => GatewayError::INVALID_PARAMS,
        _ => GatewayError::INTERNAL,
    };
    let message = match (&report.member, report.hint.as_str()) {
        (Some(member), "") => format!("{member}: {}", report.message),
        (Some(member), hint) => format!("{member}: {} {hint}", report.message),
        (None, "") => report.message.clone(),
        (None, hint) => format!("{} {hint}", report.message),
    };
    GatewayError {
        code,
        message,
        data: Some(json!({"code": report.code, "member": report.member}).to_string()),
    }
}
