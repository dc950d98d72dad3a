//! Forwards requests for resources, prompts, skills and completion to members.
//!
//! The endpoint of a single member forwards requests and results unchanged, except that withheld
//! entries are removed. At an endpoint with several members, their lists are merged, and prompts
//! get the member's name as a prefix. The owner of a name or a URI is the member whose list
//! contains it. A list request does not start stopped members.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use guild_api::wire::OfferList;
use guild_gateway::{ForwardedRequest, GatewayError, GatewayRequestContext, ResponseChannels};
use guild_mcp_client::{CallOptions, RequestMeta};
use guild_model::endpoint::{Endpoint, SEPARATOR};
use guild_model::{MemberName, ToolName};
use guild_trace::{TraceError, TraceSpan, TraceTarget, TracedRequest};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use super::apps;
use super::backend::{AgentBackend, refusal};
use super::offers::{OfferRequest, not_an_object};
use super::settings::no_profile;
use super::skills;
use super::templates::{self, UriTemplate};
use super::tool_calls::{options_of, refused, starting, unserialized};
use super::traffic::name_of;
use guild_supervisor::calls::{CallFailure, call_limit};
use guild_supervisor::member::SessionLease;

/// Timeout of one page of a member's list, when several members are listed.
const LIST_LIMIT: Duration = Duration::from_secs(5);
/// Maximum number of pages of one member's list.
const PAGES_MAX: usize = 20;
/// Maximum size of one member's list in bytes, when several members are listed.
const LIST_BYTES_MAX: usize = 16 << 20;
/// Maximum number of entries of a merged list. Further entries are left out.
const REMEMBERED_MAX: usize = 50_000;

/// The owner of each prompt name and resource URI, by endpoint and kind.
#[derive(Debug, Default)]
pub(super) struct Owners(Mutex<HashMap<(Endpoint, OfferList), HashMap<String, ForwardingTarget>>>);

#[derive(Debug, Clone)]
pub(super) struct ForwardingTarget {
    pub(super) member: MemberName,
    pub(super) own: String,
    /// For a resource template: the parsed template.
    pub(super) template: Option<UriTemplate>,
}

impl ForwardingTarget {
    pub(super) fn new(member: MemberName, own: String) -> Self {
        Self {
            member,
            own,
            template: None,
        }
    }

    fn of_template(member: MemberName, own: String) -> Self {
        let template = UriTemplate::parse(&own);
        Self {
            template,
            ..Self::new(member, own)
        }
    }
}

/// Returns the method that requests a list, and the field with the list in its result.
fn list_request(list: OfferList) -> (&'static str, &'static str) {
    match list {
        OfferList::Resources => ("resources/list", "resources"),
        OfferList::Templates => ("resources/templates/list", "resourceTemplates"),
        OfferList::Prompts => ("prompts/list", "prompts"),
        OfferList::Skills => ("skills/list", "skills"),
    }
}

/// Returns the list that a method requests. `None` for other methods.
fn requested_list(method: &str) -> Option<OfferList> {
    OfferList::ALL
        .into_iter()
        .find(|list| list_request(*list).0 == method)
}

impl Owners {
    fn remember(
        &self,
        endpoint: &Endpoint,
        kind: OfferList,
        owners: HashMap<String, ForwardingTarget>,
    ) {
        let mut all = self.0.lock();
        all.insert((endpoint.clone(), kind), owners);
    }

    /// Clears the owners, since members' lists have changed.
    pub(super) fn forget(&self) {
        self.0.lock().clear();
    }

    /// Whether the owners of an endpoint's entries are stored for all these kinds of lists.
    fn knows(&self, endpoint: &Endpoint, kinds: &[OfferList]) -> bool {
        let all = self.0.lock();
        kinds
            .iter()
            .all(|kind| all.contains_key(&(endpoint.clone(), *kind)))
    }

    /// Returns the owner of a listed name, unless its member has left the endpoint.
    fn find(
        &self,
        endpoint: &Endpoint,
        kind: OfferList,
        name: &str,
        members: &[MemberName],
    ) -> Option<ForwardingTarget> {
        let all = self.0.lock();
        let owner = all.get(&(endpoint.clone(), kind))?.get(name)?;
        members.contains(&owner.member).then(|| owner.clone())
    }

    /// Returns the owner of the most exact template that matches a URI. If no template matches,
    /// returns the owner of the template with the longest literal prefix that the URI begins with,
    /// since members may accept more URIs than their templates describe.
    fn find_template(
        &self,
        endpoint: &Endpoint,
        address: &str,
        members: &[MemberName],
    ) -> Option<ForwardingTarget> {
        let all = self.0.lock();
        let owners = all.get(&(endpoint.clone(), OfferList::Templates))?;
        let there = owners
            .iter()
            .filter(|(_, owner)| members.contains(&owner.member));
        let templates = there
            .filter_map(|(text, owner)| Some((owner.template.as_ref()?, (text, &owner.member))));
        let nearest = templates::of_address(address, templates);
        let (_, member) = nearest.first()?;
        Some(ForwardingTarget::new((*member).clone(), address.to_owned()))
    }
}

impl AgentBackend {
    /// Forwards a request to its member, or a list request to all members.
    pub(super) async fn forward_request(
        &self,
        context: &GatewayRequestContext,
        request: ForwardedRequest,
    ) -> Result<Box<RawValue>, GatewayError> {
        let ForwardedRequest {
            method,
            params,
            meta,
            back,
        } = request;
        if let Endpoint::Member { member } = &context.endpoint {
            let request = OfferRequest {
                context,
                member,
                method,
            };
            return self
                .forward_to_member(request, params.as_deref(), meta, &back)
                .await;
        }
        let params = params.as_deref().map_or("{}", RawValue::get);
        let mut params: Map<String, Value> = serde_json::from_str(params).map_err(not_an_object)?;
        if let Some(kind) = requested_list(method) {
            return written(&self.list(context, kind, &back).await?);
        }
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        let of_prompt =
            text(params.get("ref").and_then(|of| of.get("type"))).as_deref() == Some("ref/prompt");
        let (kind, name) = match method {
            "prompts/get" => (OfferList::Prompts, text(params.get("name"))),
            "completion/complete" if of_prompt => {
                (OfferList::Prompts, text(params["ref"].get("name")))
            }
            "completion/complete" => {
                let of = params.get("ref").and_then(|of| of.get("uri"));
                (OfferList::Templates, text(of))
            }
            "skills/get" => (OfferList::Skills, text(params.get("uri"))),
            _ => (OfferList::Resources, text(params.get("uri"))),
        };
        let name = name.ok_or_else(|| {
            GatewayError::new(
                GatewayError::INVALID_PARAMS,
                "The parameters name no prompt, resource, template or skill.",
            )
        })?;
        let owner = self.owner(context, kind, &name, &back).await?;
        let key = match kind {
            OfferList::Prompts => Some("name"),
            _ => matches!(method, "resources/read" | "skills/get").then_some("uri"),
        };
        if let Some(key) = key {
            let place = match params.get_mut("ref") {
                Some(of) => of.get_mut(key),
                None => params.get_mut(key),
            };
            if let Some(place) = place {
                *place = Value::from(owner.own.as_str());
            }
        }
        let params = written(&params)?;
        let request = OfferRequest {
            context,
            member: &owner.member,
            method,
        };
        let answer = self
            .forward_to_member(request, Some(&params), meta, &back)
            .await?;
        match skills::own(&name) {
            Some((own, member)) if own == owner.own && member == owner.member => {
                skills::renamed(&answer, &member)
            }
            _ => Ok(answer),
        }
    }

    /// Returns the member that owns an entry. If the entry is unknown, requests the lists again.
    pub(super) async fn owner(
        &self,
        context: &GatewayRequestContext,
        kind: OfferList,
        name: &str,
        back: &ResponseChannels,
    ) -> Result<ForwardingTarget, GatewayError> {
        let kinds: &[OfferList] = match kind {
            OfferList::Resources => &[OfferList::Resources, OfferList::Templates],
            OfferList::Templates => &[OfferList::Templates],
            OfferList::Prompts => &[OfferList::Prompts],
            OfferList::Skills => &[],
        };
        let owners = &self.agents.owners;
        let members = self.members(context)?;
        if matches!(kind, OfferList::Resources | OfferList::Skills)
            && let Some(owner) = self.owner_of_address(context, name, &members)
        {
            return Ok(owner);
        }
        if kind == OfferList::Skills {
            let owner = self.owner_of_skill(name, false, &members);
            return owner.ok_or_else(|| skills::unknown(name));
        }
        let endpoint = &context.endpoint;
        let known = || {
            let listed = owners.find(endpoint, kind, name, &members);
            listed.or_else(|| match kind {
                OfferList::Prompts | OfferList::Skills => None,
                OfferList::Resources | OfferList::Templates => {
                    owners.find_template(endpoint, name, &members)
                }
            })
        };
        // A URI that matches a template may also be in a list of resources, so both lists are
        // needed to find its owner.
        if let Some(owner) = owners.find(endpoint, kind, name, &members) {
            return Ok(owner);
        }
        if owners.knows(endpoint, kinds)
            && let Some(owner) = known()
        {
            return Ok(owner);
        }
        for &kind in kinds {
            self.list(context, kind, back).await?;
        }
        let of_skill = || self.owner_of_skill(name, true, &members);
        known().or_else(of_skill).ok_or_else(|| {
            let what = if kind == OfferList::Prompts {
                "prompt"
            } else {
                "resource"
            };
            GatewayError {
                code: GatewayError::INVALID_PARAMS,
                message: format!("No running member has the {what} {name:?}."),
                data: (kind != OfferList::Prompts).then(|| json!({ "uri": name }).to_string()),
            }
        })
    }

    /// Returns the owner of a URI that contains a member's name, or that a tool references.
    fn owner_of_address(
        &self,
        context: &GatewayRequestContext,
        uri: &str,
        members: &[MemberName],
    ) -> Option<ForwardingTarget> {
        if let Some((own, member)) = skills::own(uri).filter(|(_, it)| members.contains(it)) {
            return Some(ForwardingTarget::new(member, own));
        }
        let (own, member) = match apps::own(uri).filter(|(_, it)| members.contains(it)) {
            Some((own, member)) => (own, member),
            None => {
                let view = self.agents.view(&context.endpoint).ok()?;
                (uri, view.apps.get(uri)?.clone())
            }
        };
        Some(ForwardingTarget::new(member, own.to_owned()))
    }

    /// Merges the lists of all running members of the endpoint.
    async fn list(
        &self,
        context: &GatewayRequestContext,
        kind: OfferList,
        back: &ResponseChannels,
    ) -> Result<Value, GatewayError> {
        let ((_, field), key) = (list_request(kind), kind.key());
        let mounted = self.mounted(context)?;
        let lists = mounted
            .iter()
            .map(|(member, _)| self.list_of(&context.endpoint, member, kind, back));
        let lists = join_all(lists).await;
        let view = self.agents.view(&context.endpoint);
        let apps = view.map(|view| view.apps.clone()).unwrap_or_default();
        let mut owners = HashMap::new();
        let mut items = Vec::new();
        for ((member, without_prefix), list) in mounted.iter().zip(lists) {
            for mut item in list {
                let Some(own) = item.get(key).and_then(Value::as_str).map(str::to_owned) else {
                    continue;
                };
                let name = match kind {
                    OfferList::Prompts if *without_prefix => own.clone(),
                    OfferList::Prompts => format!("{member}{SEPARATOR}{own}"),
                    OfferList::Resources
                        if owners.contains_key(&own)
                            || apps.get(&own).is_some_and(|owner| owner != member) =>
                    {
                        apps::distinct(&own, member)
                    }
                    OfferList::Skills => skills::distinct(&own, member),
                    OfferList::Resources | OfferList::Templates => own.clone(),
                };
                if owners.len() >= REMEMBERED_MAX || owners.contains_key(&name) {
                    // The first member with an entry of this name keeps the name.
                    continue;
                }
                match kind {
                    OfferList::Skills => skills::rename(&mut item, member),
                    _ => item[key] = Value::from(name.as_str()),
                }
                let owner = match kind {
                    OfferList::Templates => ForwardingTarget::of_template(member.clone(), own),
                    OfferList::Resources | OfferList::Prompts | OfferList::Skills => {
                        ForwardingTarget::new(member.clone(), own)
                    }
                };
                owners.insert(name, owner);
                items.push(item);
            }
        }
        self.agents.owners.remember(&context.endpoint, kind, owners);
        Ok(json!({ field: items }))
    }

    /// Returns one member's list. The list is empty if the member is stopped or does not support
    /// lists.
    async fn list_of(
        &self,
        endpoint: &Endpoint,
        member: &MemberName,
        kind: OfferList,
        back: &ResponseChannels,
    ) -> Vec<Value> {
        let (method, field) = list_request(kind);
        let mut items = Vec::new();
        let Some(loan) = self
            .agents
            .members
            .member(member)
            .ok()
            .and_then(|handle| handle.try_lease())
        else {
            return items;
        };
        if kind == OfferList::Skills && !loan.session.has_skills() {
            return items;
        }
        let mut cursor: Option<String> = None;
        let mut bytes = 0;
        for _ in 0..PAGES_MAX {
            let params = cursor.take().map(|cursor| json!({"cursor": cursor}));
            let params = params.and_then(|params| to_raw_value(&params).ok());
            let options = options(LIST_LIMIT, back);
            let asked = loan.session.ask_text(method, params.as_deref(), options);
            let Ok(page) = asked.await else { break };
            bytes += page.get().len();
            if bytes > LIST_BYTES_MAX {
                tracing::warn!(%member, "the answers to {method} are too large; the rest is left out");
                break;
            }
            let Ok(mut page) = serde_json::from_str::<Value>(page.get()) else {
                break;
            };
            match page.get_mut(field).map(Value::take) {
                Some(Value::Array(more)) => items.extend(more),
                _ => break,
            }
            match page.get("nextCursor").and_then(Value::as_str) {
                Some(next) => cursor = Some(next.to_owned()),
                None => break,
            }
        }
        self.permitted_offers(endpoint, member, kind, items)
    }

    /// Returns the members of an endpoint, in order.
    pub(super) fn members(
        &self,
        context: &GatewayRequestContext,
    ) -> Result<Vec<MemberName>, GatewayError> {
        let mounted = self.mounted(context)?;
        Ok(mounted.into_iter().map(|(member, _)| member).collect())
    }

    /// Returns the members of an endpoint, in order. The flag is true if names omit the prefix of
    /// the member.
    fn mounted(
        &self,
        context: &GatewayRequestContext,
    ) -> Result<Vec<(MemberName, bool)>, GatewayError> {
        let settings = Arc::clone(&self.agents.settings.borrow());
        match &context.endpoint {
            Endpoint::All => {
                let snapshot = self.agents.roster.snapshot();
                let members = snapshot.members.keys().cloned();
                Ok(members.map(|member| (member, false)).collect())
            }
            Endpoint::Member { member } => Ok(vec![(member.clone(), true)]),
            Endpoint::Profile { profile } => {
                let known = settings.profile(profile);
                let known = known.ok_or_else(|| refusal(&no_profile(profile)))?;
                let mounted = known.members.iter();
                Ok(mounted
                    .map(|it| (it.member.clone(), it.without_prefix))
                    .collect())
            }
        }
    }

    /// Leases a member's session. Starts the member if necessary.
    pub(super) async fn lease(
        &self,
        member: &MemberName,
        back: &ResponseChannels,
        trace: Option<&TraceSpan>,
    ) -> Result<SessionLease, GatewayError> {
        let leasing = async {
            let handle = self.agents.members.member(member)?;
            let starting = |step| starting(back, member, step);
            self.agents
                .calls
                .lease(&handle, &back.cancel, starting, trace)
                .await
        };
        leasing.await.map_err(|failed| refused(member, failed))
    }

    /// Starts a trace for a forwarded request, or continues the trace of the agent.
    fn trace(
        &self,
        request: OfferRequest<'_>,
        params: Option<&RawValue>,
        meta: &RequestMeta,
    ) -> TraceSpan {
        #[derive(Deserialize)]
        struct PromptName<'a> {
            #[serde(borrow)]
            name: Cow<'a, str>,
        }
        let prompt = params.filter(|_| request.method == "prompts/get");
        let prompt =
            prompt.and_then(|params| serde_json::from_str::<PromptName<'_>>(params.get()).ok());
        self.agents.calls.trace(TracedRequest {
            method: request.method,
            target: prompt
                .as_ref()
                .map_or(TraceTarget::Unnamed, |it| TraceTarget::Prompt(&it.name)),
            member: request.member,
            client: Some(name_of(request.context)),
            meta,
        })
    }

    /// Forwards a request to one member. Starts the member if necessary.
    async fn forward_to_member(
        &self,
        request: OfferRequest<'_>,
        params: Option<&RawValue>,
        meta: RequestMeta,
        back: &ResponseChannels,
    ) -> Result<Box<RawValue>, GatewayError> {
        let mut trace = self.trace(request, params, &meta);
        let answered = self.answer_of_member(request, params, meta, back, &trace);
        let answered = answered.await;
        trace.end(|| {
            answered
                .as_ref()
                .err()
                .map(|failed| TraceError::Rpc(failed.code))
        });
        answered
    }

    async fn answer_of_member(
        &self,
        request: OfferRequest<'_>,
        mut params: Option<&RawValue>,
        mut meta: RequestMeta,
        back: &ResponseChannels,
        trace: &TraceSpan,
    ) -> Result<Box<RawValue>, GatewayError> {
        let OfferRequest {
            context,
            member,
            method,
        } = request;
        // Read once, so that all checks are about the URI that the member reads.
        let uri = match method {
            "resources/read" | "skills/get" => Some(uri_in(params)?),
            _ => None,
        };
        let mut loan = self.lease(member, back, Some(trace)).await?;
        if method.starts_with("skills/") && !loan.session.has_skills() {
            return match requested_list(method) {
                Some(kind) => written(&json!({ list_request(kind).1: [] })),
                None => Err(skills::unknown(&uri.unwrap_or_default())),
            };
        }
        let permitted = self.permitted(request, params, back).await?;
        let changed;
        if let Some(name) = permitted {
            // The lease is released while a person decides, so that the member may stop.
            drop(loan);
            changed = self.offer_consent(request, name, params, back).await?;
            params = changed.as_deref().or(params);
            loan = self.lease(member, back, Some(trace)).await?;
            // The member's entries or the policies may have changed while the person decided.
            self.permitted(request, params, back).await?;
        }
        let members = &self.agents.members;
        let limit = call_limit(members.manifest(member).as_deref(), &members.limits());
        let handle = members.member(member);
        let handle = handle.map_err(|report| refusal(&report.of(member)))?;
        let mut span = trace.send(&loan.session, &mut meta);
        let options = CallOptions {
            meta: Some(meta),
            ..options(limit, back)
        };
        let asking = loan.session.ask_text(method, params, options);
        let answered = self.agents.calls.answer(&handle, &loan, asking).await;
        span.end(|| answered.as_ref().err().map(CallFailure::trace_error));
        if let (Some(kind), Ok(page)) = (requested_list(method), &answered)
            && self.filters_offers(&context.endpoint, member)
        {
            return self.permitted_page(&context.endpoint, member, kind, page);
        }
        if let Some(uri) = uri {
            let answer = answered.map_err(|failed| refused(member, failed))?;
            return self.check_skill(member, method, &uri, answer).await;
        }
        answered.or_else(|failed| match (requested_list(method), &failed.rpc) {
            // A server without this capability has an empty list.
            (Some(kind), Some(rpc)) if rpc.code == GatewayError::METHOD_NOT_FOUND => {
                let (_, field) = list_request(kind);
                written(&json!({ field: [] }))
            }
            _ => Err(refused(member, failed)),
        })
    }

    /// Rejects a request that is not permitted. If a person has to approve the request, returns the
    /// name to show.
    async fn permitted(
        &self,
        request: OfferRequest<'_>,
        params: Option<&RawValue>,
        back: &ResponseChannels,
    ) -> Result<Option<ToolName>, GatewayError> {
        tokio::select! {
            permitted = self.check_offer(request, params) => permitted,
            () = back.cancel.cancelled() => {
                Err(cancelled())
            }
        }
    }

    /// Removes withheld entries from a page of a member's list.
    fn permitted_page(
        &self,
        endpoint: &Endpoint,
        member: &MemberName,
        kind: OfferList,
        page: &RawValue,
    ) -> Result<Box<RawValue>, GatewayError> {
        let (_, field) = list_request(kind);
        let mut read: Value = match serde_json::from_str(page.get()) {
            Ok(read) => read,
            // A page that is nested too deeply to be parsed can't be compared with the accepted
            // entries, so an empty list replaces it.
            Err(_) => json!({ field: [] }),
        };
        let Some(Value::Array(items)) = read.get_mut(field).map(Value::take) else {
            return Ok(page.to_owned());
        };
        let count = items.len();
        let items = self.permitted_offers(endpoint, member, kind, items);
        if items.len() == count {
            return Ok(page.to_owned());
        }
        read[field] = Value::from(items);
        written(&read)
    }
}

pub(super) fn cancelled() -> GatewayError {
    GatewayError::new(GatewayError::INTERNAL, "The request was cancelled.")
}

fn options(limit: Duration, back: &ResponseChannels) -> CallOptions {
    CallOptions {
        limit,
        ..options_of(back)
    }
}

/// Returns the URI in the parameters of a request.
///
/// # Errors
/// When the URI is missing or repeated: servers differ in which of several values they use.
fn uri_in(params: Option<&RawValue>) -> Result<String, GatewayError> {
    #[derive(Deserialize)]
    struct UriParam {
        uri: String,
    }
    let read = serde_json::from_str::<UriParam>(params.map_or("{}", RawValue::get));
    read.map(|read| read.uri).map_err(|error| {
        let why = format!("The parameters have no valid uri: {error}.");
        GatewayError::new(GatewayError::INVALID_PARAMS, why)
    })
}

pub(super) fn written(value: &impl Serialize) -> Result<Box<RawValue>, GatewayError> {
    to_raw_value(value).map_err(unserialized)
}

#[cfg(test)]
mod tests;
