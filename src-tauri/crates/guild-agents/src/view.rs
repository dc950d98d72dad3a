//! The view of an endpoint: the tools that agents see there with their exposed names, and the
//! withheld tools with the reasons.
//!
//! A view depends only on the roster and the settings, so listing needs no running member. It is
//! built once for each state of these. Each of its lists is built when it is first requested.

mod meaning;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use guild_api::wire::{AgentTool, WithheldTool};
use guild_catalog::menu::{FoundTool, MenuTool, NearNames, found};
use guild_catalog::messages::NamingError;
use guild_catalog::names::{Meaning, MemberNaming, SeenNames, ToName, put_together};
use guild_catalog::search::{CatalogHit, Findable, Searcher, SemanticRanking};
use guild_catalog::strict::{self, SchemaForm};
use guild_catalog::stub;
use guild_model::endpoint::{Endpoint, Listing};
use guild_model::policy::{PolicyDecision, PolicyRules};
use guild_model::profile::{MountedMember, ToolChange, ToolChoice};
use guild_model::{Code, MemberName, Report};
use guild_schema::schema::bound;
use parking_lot::Mutex;
use serde_json::{Map, Value};

use crate::Agents;
use crate::messages::AgentsError;

use super::policies::{InProfile, MemberPolicies};
use super::settings::{GatewayConfig, no_profile};
use super::{apps, withheld};
use guild_roster::{IndexedTool, RosterEntry, Snapshot, ToolSet};

/// An exposed tool.
#[derive(Debug)]
pub(super) struct ExposedTool {
    pub(super) name: String,
    pub(super) member: MemberName,
    set: Arc<ToolSet>,
    at: usize,
    change: Option<ToolChange>,
    pub(super) ruling: PolicyDecision,
    /// Whether the tool counts as read-only.
    pub(super) reads: bool,
    /// The URI of the tool's app with the member's name appended, because another member has a
    /// resource with the same URI. `None` if the URI is unchanged.
    shown_at: Option<String>,
}

impl ExposedTool {
    /// Returns the tool as its server describes it.
    pub(super) fn tool(&self) -> &IndexedTool {
        &self.set.tools()[self.at]
    }

    /// Whether another value is the same tool of the same member.
    pub(super) fn is_same_as(&self, other: &Self) -> bool {
        self.member == other.member && self.tool().spec.name() == other.tool().spec.name()
    }

    /// Returns the tool for the window.
    pub(super) fn shown(&self) -> AgentTool {
        let spec = &self.tool().spec;
        AgentTool {
            name: self.name.clone(),
            member: self.member.clone(),
            tool: spec.name().clone(),
            policy: self.ruling.policy,
            policy_reason: self.ruling.reason,
            hints: spec.hints(),
        }
    }

    pub(super) fn description(&self) -> &str {
        stub::description(&self.tool().spec, self.change.as_ref())
    }

    pub(super) fn findable(&self) -> Findable<'_> {
        Findable {
            member: self.member.as_str(),
            name: &self.name,
            spec: &self.tool().spec,
            change: self.change.as_ref(),
        }
    }

    /// Returns the stub: the name and the first sentence of the description.
    pub(super) fn stub(&self) -> String {
        self.at_its_address(stub::stub(
            &self.name,
            &self.tool().spec,
            self.change.as_ref(),
        ))
    }

    /// Whether the tool has an app, or only apps may call it.
    fn has_app(&self) -> bool {
        let spec = &self.tool().spec;
        spec.app_uri().is_some() || spec.is_for_apps_only()
    }

    /// Whether the tool's text contradicts its server's read-only claim.
    pub(super) fn is_doubted(&self) -> bool {
        !self.reads && self.tool().spec.hints().read_only == Some(true)
    }

    fn at_its_address(&self, text: String) -> String {
        let text = match self.is_doubted() {
            true => without_claim(text),
            false => text,
        };
        match &self.shown_at {
            Some(address) => apps::shown_at(text, address),
            None => text,
        }
    }

    /// Returns the whole tool as JSON text. The size of its schemas is limited, and `taskSupport` is
    /// removed if it requires tasks.
    pub(super) fn full(&self) -> String {
        self.listed(SchemaForm::Raw)
    }

    pub(super) fn listed(&self, form: SchemaForm) -> String {
        self.at_its_address(self.bounded(form))
    }

    fn bounded(&self, form: SchemaForm) -> String {
        let spec = &self.tool().spec;
        let cut = |schema: &Value| {
            let bounded = bound(schema);
            (!bounded.notes.is_empty()).then_some(bounded.schema)
        };
        let input = cut(spec.input_schema());
        let output = spec.output_schema().and_then(cut);
        let mut bounded = None;
        if input.is_some() || output.is_some() || spec.requires_task() {
            let raw = bounded.insert(spec.raw().clone());
            // The hall itself waits for the task, so agents call the tool like any other.
            if let Some(Value::Object(execution)) = raw.get_mut("execution") {
                execution.shift_remove("taskSupport");
            }
            raw.extend(input.map(|input| ("inputSchema".to_owned(), input)));
            raw.extend(output.map(|output| ("outputSchema".to_owned(), output)));
        }
        let sent = strict::tool(bounded.as_ref().unwrap_or(spec.raw()), form).or(bounded);
        let Some(sent) = sent else {
            return stub::full(&self.name, spec, self.change.as_ref());
        };
        // Only schemas and optional fields were changed, so a valid tool is still valid.
        match guild_model::tool::ToolSpec::from_raw(Value::Object(sent)) {
            Ok(spec) => stub::full(&self.name, &spec, self.change.as_ref()),
            Err(_) => self.stub(),
        }
    }
}

/// The view of an endpoint.
#[derive(Debug)]
pub(super) struct View {
    pub(super) listing: Listing,
    /// The limit of a result, in tokens. `None` without a limit.
    pub(super) result_tokens: Option<usize>,
    /// The members, each with whether its tools have names without the member's prefix.
    mounted: Vec<(MemberName, bool)>,
    /// The exposed tools in list order.
    pub(super) exposed: Vec<ExposedTool>,
    /// Indexes in `exposed` by exposed name.
    by_name: HashMap<String, usize>,
    pub(super) withheld: Vec<WithheldTool>,
    /// Indexes in `withheld` by the name that the tool would have.
    withheld_names: HashMap<String, usize>,
    /// The owners of resources that render tools, by URI.
    pub(super) apps: HashMap<String, MemberName>,
    /// The tools that only apps may call, by exposed name.
    for_apps: BTreeMap<String, ExposedTool>,
    /// Cached lists: for each listing mode and schema form, without and with the tools for apps.
    lists: [OnceLock<Bytes>; 2 * 3 * SchemaForm::ALL.len()],
    searcher: OnceLock<Searcher>,
    names: OnceLock<NearNames>,
    seen: OnceLock<SeenNames>,
}

impl View {
    /// Returns the list for a mode as a JSON array. Tools that are listed in full have the schema
    /// form `form`. A client that shows apps also gets the tools for apps only. In search mode it
    /// also gets the tools that have an app, because it can't show the app of a tool that it calls
    /// through a menu tool.
    pub(super) fn list(&self, listing: Listing, form: SchemaForm, shows_apps: bool) -> Bytes {
        let mode = match listing {
            Listing::Lazy => 0,
            Listing::Search => 1,
            Listing::Full => 2,
        };
        let form_place = match form {
            // Lists of stubs or of only the menu are the same in each schema form.
            _ if listing == Listing::Lazy || listing == Listing::Search && !shows_apps => 0,
            SchemaForm::Objects => 0,
            SchemaForm::Flat => 1,
            SchemaForm::Raw => 2,
        };
        let place = (mode * SchemaForm::ALL.len() + form_place) * 2 + usize::from(shows_apps);
        let write = || {
            let menu = self.menu(listing).map(|tool| tool.definition().to_owned());
            let for_apps = self.for_apps.values().filter(|_| shows_apps);
            let tools = self.exposed.iter().chain(for_apps);
            let tools = tools.filter_map(|tool| match listing {
                Listing::Lazy => Some(tool.stub()),
                Listing::Full => Some(self.listed(tool, form)),
                Listing::Search => (shows_apps && tool.has_app()).then(|| self.listed(tool, form)),
            });
            Bytes::from(array(tools.chain(menu)))
        };
        self.lists[place].get_or_init(write).clone()
    }

    /// Returns the menu tools that follow the members' tools in a mode.
    pub(super) fn menu(&self, listing: Listing) -> impl Iterator<Item = MenuTool> {
        let tools: &[MenuTool] = match listing {
            Listing::Lazy => &MenuTool::LAZY,
            Listing::Full => &[],
            Listing::Search => &MenuTool::SEARCH,
        };
        let reads_on = self.result_tokens.map(|_| MenuTool::ReadResult);
        tools.iter().copied().chain(reads_on)
    }

    /// Returns a tool in full, as this view lists it. If results are limited, the output schema is
    /// removed: a cut result has no structured content, and clients would reject it because of the
    /// schema. A tool with an app keeps its output schema.
    pub(super) fn listed(&self, tool: &ExposedTool, form: SchemaForm) -> String {
        let text = tool.listed(form);
        match self.result_tokens {
            Some(_) if tool.tool().spec.app_uri().is_none() => without_output_schema(text),
            _ => text,
        }
    }

    /// Returns the tools of the endpoint, with those for apps only.
    pub(super) fn all_tools(&self) -> impl Iterator<Item = &ExposedTool> {
        self.exposed.iter().chain(self.for_apps.values())
    }

    /// Returns the tool with a name, if a client may call it. A tool for apps only can be called by
    /// a client that shows apps, and only by its exact exposed name.
    pub(crate) fn callable(&self, name: &str, shows_apps: bool) -> Option<&ExposedTool> {
        let for_apps = self.for_apps.get(name).filter(|_| shows_apps);
        for_apps.or_else(|| self.get(name))
    }

    /// Returns the tools for a task, best first. `close` contains tools that are close to the task
    /// in meaning. Blocking, since the first call builds the index.
    pub(super) fn find(
        &self,
        task: &str,
        close: &SemanticRanking,
        limit: usize,
    ) -> Vec<CatalogHit> {
        let searcher = self
            .searcher
            .get_or_init(|| Searcher::build(self.exposed.iter().map(ExposedTool::findable)));
        searcher.find_beside(task, close, limit)
    }

    /// Formats hits for an agent.
    pub(super) fn found(&self, hits: &[CatalogHit], note: Option<&str>) -> String {
        let of = |hit: &CatalogHit| &self.exposed[hit.place];
        let summaries: Vec<_> = hits
            .iter()
            .map(|hit| stub::summary(of(hit).description()))
            .collect();
        let tools: Vec<_> = hits
            .iter()
            .zip(&summaries)
            .map(|(hit, summary)| FoundTool {
                name: &of(hit).name,
                summary,
                reads: of(hit).reads,
                why: &hit.why,
                weak: hit.weak,
            })
            .collect();
        found(&tools, self.exposed.len(), note)
    }
}

fn without_output_schema(text: String) -> String {
    if !text.contains("\"outputSchema\"") {
        return text;
    }
    match serde_json::from_str::<Map<String, Value>>(&text) {
        Ok(mut tool) => {
            tool.shift_remove("outputSchema");
            Value::Object(tool).to_string()
        }
        Err(_) => text,
    }
}

/// Sets the read-only hint to false. Used for a hint that the tool's text contradicts, because
/// clients would act on the hint.
fn without_claim(text: String) -> String {
    let Ok(mut tool) = serde_json::from_str::<Value>(&text) else {
        return text;
    };
    let annotations = tool.get_mut("annotations").and_then(Value::as_object_mut);
    if annotations.is_some_and(|hints| hints.insert("readOnlyHint".into(), false.into()).is_some())
    {
        return tool.to_string();
    }
    text
}

fn array(items: impl Iterator<Item = String>) -> String {
    let mut text = String::from("[");
    for item in items {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&item);
    }
    text.push(']');
    text
}

/// The data that a view depends on.
#[derive(Debug, Clone)]
pub(super) struct ViewInputs {
    snapshot: Arc<Snapshot>,
    settings: Arc<GatewayConfig>,
}

impl ViewInputs {
    pub(super) fn new(snapshot: Arc<Snapshot>, settings: Arc<GatewayConfig>) -> Self {
        Self { snapshot, settings }
    }

    pub(super) fn parts(&self) -> (&Snapshot, &GatewayConfig) {
        (&self.snapshot, &self.settings)
    }

    /// Whether `other` is the same data. Compares only pointers to shared values.
    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.settings, &other.settings)
            && (Arc::ptr_eq(&self.snapshot.members, &other.snapshot.members)
                || self.has_same_members(other, Arc::ptr_eq))
    }

    /// Whether agents see the same tools with `other`.
    pub(super) fn looks_same(&self, other: &Self) -> bool {
        let same_tools = |one: &Arc<ToolSet>, other: &Arc<ToolSet>| {
            let (tools, others) = (one.tools().iter(), other.tools().iter());
            Arc::ptr_eq(one, other)
                || tools
                    .map(|tool| &tool.spec)
                    .eq(others.map(|tool| &tool.spec))
        };
        self.settings == other.settings && self.has_same_members(other, same_tools)
    }

    fn has_same_members(
        &self,
        other: &Self,
        tools: impl Fn(&Arc<ToolSet>, &Arc<ToolSet>) -> bool,
    ) -> bool {
        let (members, others) = (&self.snapshot.members, &other.snapshot.members);
        members.len() == others.len()
            && members
                .iter()
                .zip(others.iter())
                .all(|(one, other)| one.0 == other.0 && is_same(one.1, other.1, &tools))
    }

    /// Builds the view of an endpoint. `None` when the endpoint does not exist.
    fn view(&self, endpoint: &Endpoint) -> Option<View> {
        let all = |member: &MemberName, without_prefix| MountedMember {
            member: member.clone(),
            without_prefix,
            tools: ToolChoice::All,
            offers: ToolChoice::All,
            changes: Default::default(),
        };
        let mut result_tokens = self.settings.set.result_tokens;
        let (listing, mounted, rules) = match endpoint {
            Endpoint::All => {
                let members = self.snapshot.members.keys();
                let mounted = members.map(|member| all(member, false)).collect();
                (None, mounted, None)
            }
            Endpoint::Member { member } => {
                self.snapshot.members.get(member)?;
                (None, vec![all(member, true)], None)
            }
            Endpoint::Profile { profile } => {
                let profile = self.settings.profile(profile)?;
                result_tokens = profile.result_tokens.unwrap_or(result_tokens);
                (
                    profile.listing,
                    profile.members.clone(),
                    Some(&profile.rules),
                )
            }
        };
        let mut view = self.assemble(listing.unwrap_or(self.settings.listing()), &mounted, rules);
        view.result_tokens = (result_tokens > 0).then_some(result_tokens as usize);
        Some(view)
    }

    fn assemble(
        &self,
        listing: Listing,
        mounted: &[MountedMember],
        rules: Option<&PolicyRules>,
    ) -> View {
        let there: Vec<(&MountedMember, &RosterEntry)> = mounted
            .iter()
            .filter_map(|mounted| Some((mounted, self.snapshot.members.get(&mounted.member)?)))
            .collect();
        let chosen = |(mounted, entry): &(&MountedMember, &RosterEntry)| -> Vec<usize> {
            let tools = entry.tools.tools().iter().enumerate();
            let chosen = tools.filter(|(_, tool)| mounted.tools.has(tool.spec.name()));
            chosen.map(|(at, _)| at).collect()
        };
        let chosen: Vec<Vec<usize>> = there.iter().map(chosen).collect();
        let mounts: Vec<MemberNaming<'_>> = there
            .iter()
            .zip(&chosen)
            .map(|((mounted, entry), places)| MemberNaming {
                member: &mounted.member,
                without_prefix: mounted.without_prefix,
                tools: places
                    .iter()
                    .map(|&at| {
                        let tool = entry.tools.tools()[at].spec.name();
                        let change = mounted.changes.get(tool);
                        let rename = change.and_then(|change| change.name.as_deref());
                        ToName { tool, rename }
                    })
                    .collect(),
            })
            .collect();
        let names = put_together(&mounts, &MenuTool::NAMES);
        let mut view = View {
            listing,
            result_tokens: None,
            mounted: mounted
                .iter()
                .map(|mounted| (mounted.member.clone(), mounted.without_prefix))
                .collect(),
            exposed: vec![],
            by_name: HashMap::new(),
            withheld: vec![],
            withheld_names: HashMap::new(),
            apps: HashMap::new(),
            for_apps: BTreeMap::new(),
            lists: Default::default(),
            searcher: OnceLock::new(),
            names: OnceLock::new(),
            seen: OnceLock::new(),
        };
        for (((mounted, entry), places), names) in there.iter().zip(&chosen).zip(names) {
            for (&at, name) in places.iter().zip(names) {
                self.place(&mut view, (mounted, rules), entry, at, name);
            }
        }
        view
    }

    fn place(
        &self,
        view: &mut View,
        (mounted, rules): (&MountedMember, Option<&PolicyRules>),
        entry: &RosterEntry,
        at: usize,
        name: Result<String, NamingError>,
    ) {
        let member = &mounted.member;
        let tool = entry.tools.tools()[at].spec.name();
        let change = mounted.changes.get(tool).cloned();
        let policies = MemberPolicies::new(&self.settings, member, entry.manifest.as_deref());
        let own = rules.map(|rules| InProfile { rules, mounted });
        let spec = &entry.tools.tools()[at].spec;
        let ruling = policies.in_profile(own).of(spec);
        let reads = policies.hints(spec).read_only == Some(true);
        let (name, report) = match name {
            Ok(name) => match withheld::reason(entry, tool, ruling) {
                None => {
                    let shown_by = entry.tools.tools()[at].spec.app_uri();
                    let shown_at = shown_by.and_then(|uri| {
                        let owner = view.apps.entry(uri.to_owned());
                        let owner = owner.or_insert_with(|| member.clone());
                        (owner != member).then(|| apps::distinct(uri, member))
                    });
                    let exposed = ExposedTool {
                        name: name.clone(),
                        member: member.clone(),
                        set: Arc::clone(&entry.tools),
                        at,
                        change,
                        ruling,
                        reads,
                        shown_at,
                    };
                    if spec.is_for_apps_only() {
                        view.for_apps.insert(name, exposed);
                    } else {
                        view.by_name.insert(name, view.exposed.len());
                        view.exposed.push(exposed);
                    }
                    return;
                }
                Some(report) => (Some(name), report),
            },
            Err(none) => (None, Report::from_error(Code::ToolNameTaken, &none)),
        };
        if let Some(name) = name {
            view.withheld_names.insert(name, view.withheld.len());
        }
        view.withheld.push(WithheldTool {
            member: member.clone(),
            tool: tool.clone(),
            policy: ruling.policy,
            policy_reason: ruling.reason,
            hints: entry.tools.tools()[at].spec.hints(),
            report: report.of(member),
        });
    }
}

/// Whether a change of a member's entry leaves its exposed tools unchanged.
fn is_same(
    entry: &RosterEntry,
    other: &RosterEntry,
    tools: impl Fn(&Arc<ToolSet>, &Arc<ToolSet>) -> bool,
) -> bool {
    // Of a manifest, a view depends only on the settings of tools.
    let same_settings = match (&entry.manifest, &other.manifest) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other) || one.tools == other.tools,
        (one, other) => one.is_none() == other.is_none(),
    };
    tools(&entry.tools, &other.tools)
        && same_settings
        && withheld::whole(entry) == withheld::whole(other)
        && (Arc::ptr_eq(&entry.held, &other.held) || entry.held == other.held)
}

/// The result of resolving a tool name at an endpoint.
#[derive(Debug)]
pub(crate) enum ResolvedName<'a> {
    Tool(&'a ExposedTool),
    Withheld(&'a WithheldTool),
    /// Ambiguous: the names of the possible tools.
    Several(Vec<String>),
    /// No known tool has the name.
    Nothing,
}

impl View {
    /// Returns a tool by its exposed name, or by the name that a model sees.
    pub(crate) fn get(&self, name: &str) -> Option<&ExposedTool> {
        match self.meant(name) {
            ResolvedName::Tool(tool) => Some(tool),
            ResolvedName::Withheld(_) | ResolvedName::Several(_) | ResolvedName::Nothing => None,
        }
    }

    /// Resolves a name: the exposed name first, then the name that a model may see.
    pub(crate) fn meant(&self, name: &str) -> ResolvedName<'_> {
        if let Some(&at) = self.by_name.get(name) {
            return ResolvedName::Tool(&self.exposed[at]);
        }
        if let Some(&at) = self.withheld_names.get(name) {
            return ResolvedName::Withheld(&self.withheld[at]);
        }
        match self.seen().meaning(name) {
            Meaning::Nothing => ResolvedName::Nothing,
            Meaning::One(place) => match self.exposed.get(place) {
                Some(tool) => ResolvedName::Tool(tool),
                None => ResolvedName::Withheld(&self.withheld[place - self.exposed.len()]),
            },
            Meaning::Several(places) => {
                let name = |place: usize| match self.exposed.get(place) {
                    Some(tool) => tool.name.clone(),
                    None => {
                        let tool = &self.withheld[place - self.exposed.len()];
                        format!("{}/{}", tool.member, tool.tool)
                    }
                };
                ResolvedName::Several(places.into_iter().map(name).collect())
            }
        }
    }

    /// Whether a tool has exactly this name, exposed or withheld.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
            || self.for_apps.contains_key(name)
            || self.withheld_names.contains_key(name)
    }
}

impl Agents {
    /// Returns the current view of an endpoint.
    ///
    /// # Errors
    /// `member-unknown`, `profile-unknown`.
    pub(super) fn view(&self, endpoint: &Endpoint) -> Result<Arc<View>, Report> {
        let view = self.views.get(endpoint, self.sources());
        view.ok_or_else(|| match endpoint {
            Endpoint::Profile { profile } => no_profile(profile),
            Endpoint::All | Endpoint::Member { .. } => {
                let trouble = AgentsError::Nothing(endpoint.to_string());
                Report::from_error(Code::MemberUnknown, &trouble)
            }
        })
    }

    pub(super) fn sources(&self) -> ViewInputs {
        ViewInputs::new(self.roster.snapshot(), Arc::clone(&self.settings.borrow()))
    }
}

/// A cache of the requested endpoints' views.
#[derive(Debug, Default)]
pub(super) struct Views {
    made: Mutex<HashMap<Endpoint, (ViewInputs, Arc<View>)>>,
}

impl Views {
    /// Returns the current view of an endpoint. `None` when the endpoint does not exist.
    pub(super) fn get(&self, endpoint: &Endpoint, sources: ViewInputs) -> Option<Arc<View>> {
        let mut made = self.made.lock();
        if let Some((of, view)) = made.get_mut(endpoint)
            && of.is_same(&sources)
        {
            // The next comparison with the newest data is then faster.
            *of = sources;
            return Some(Arc::clone(view));
        }
        drop(made);
        let view = sources.view(endpoint);
        let mut made = self.made.lock();
        match view {
            Some(view) => {
                let view = Arc::new(view);
                made.insert(endpoint.clone(), (sources, Arc::clone(&view)));
                Some(view)
            }
            None => {
                made.remove(endpoint);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::tests::agents_in;

    #[test]
    fn doubted_claim_is_not_passed_on() {
        let claims = r#"{"name":"send","annotations":{"readOnlyHint":true,"openWorldHint":true}}"#;
        assert_eq!(
            without_claim(claims.into()),
            claims.replace("\"readOnlyHint\":true", "\"readOnlyHint\":false")
        );
        assert_eq!(
            without_claim(r#"{"name":"send"}"#.into()),
            r#"{"name":"send"}"#
        );
    }

    /// Writes the manifest, and returns the inputs of views once the roster shows its description.
    async fn inputs_with(
        agents: &Arc<Agents>,
        folder: &Path,
        description: &str,
        tools: Value,
    ) -> ViewInputs {
        let manifest = json!({
            "name": "forge", "version": "1", "description": description, "transport": "stdio",
            "command": "no-such-program", "tools": tools,
        });
        let member = folder.join("members/forge");
        std::fs::create_dir_all(&member).expect("made");
        std::fs::write(member.join("plugin.json"), manifest.to_string()).expect("written");
        let mut events = agents.roster.subscribe();
        agents
            .members
            .reconcile()
            .await
            .expect("the folder is read");
        let name = MemberName::parse("forge").expect("a name");
        loop {
            let inputs = agents.sources();
            let entry = inputs.snapshot.members.get(&name);
            let manifest = entry.and_then(|entry| entry.manifest.as_ref());
            if manifest.is_some_and(|it| it.description == description) {
                return inputs;
            }
            events.next().await;
        }
    }

    #[tokio::test]
    async fn new_description_keeps_a_view() {
        let folder = tempfile::tempdir().expect("a folder");
        let agents = agents_in(folder.path());
        let before = inputs_with(&agents, folder.path(), "one", json!({})).await;
        let described = inputs_with(&agents, folder.path(), "two", json!({})).await;
        assert!(before.is_same(&described));
        let denied = json!({"heat": {"policy": "deny"}});
        let process_call_ruling = inputs_with(&agents, folder.path(), "three", denied).await;
        assert!(!before.is_same(&process_call_ruling));
    }
}
