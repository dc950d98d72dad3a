//! The roster and all tools as one immutable snapshot, and the stream of what changes.
//!
//! Members publish here; everything that is asked of the hall without a member's help (lists,
//! search, a tool's form, later the gateway's `tools/list`) is answered from here, with no
//! waiting. A change and its event are one step, so that the events' order is the changes' order.

mod pushing;
mod unknown;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use guild_api::event::{Envelope, HallEvent};
use guild_api::wire::{
    CallEnd, DiscoveryStatus, FoundTools, MemberTools, MemberView, RosterView, ToolMark,
    ToolSummary,
};
use guild_catalog::claim::judged_hints;
use guild_model::discovery::FoundBy;
use guild_model::manifest::Manifest;
use guild_model::messages::CallTrouble;
use guild_model::policy::ToolClass;
use guild_model::status::Freshness;
use guild_model::tool::{ListProblem, ToolHints, ToolSpec};
use guild_model::{Code, MemberName, Report, ToolName};
use guild_review::trust::{NameIndex, NameProbe};
use guild_schema::schema::first_sentence;
use guild_schema::validate::Validator;
use tokio::sync::{broadcast, watch};

pub use self::unknown::near;
use guild_secrets::Veil;

/// How many events a listener may fall behind before it is given the whole roster instead.
const EVENTS_KEPT: usize = 512;
/// The most results that a search gives.
const FOUND_MAX: usize = 500;

/// Tools withheld from agents because no person has accepted their current version.
pub type ReviewMarks = HashMap<ToolName, ToolMark>;

/// A member's tools, with what is worked out from them once and on demand.
#[derive(Debug, Default)]
pub struct ToolSet {
    /// When the server said the list, in milliseconds since 1970.
    pub listed_at_ms: Option<u64>,
    /// Entries left out of the list, with reasons.
    pub problems: Vec<ListProblem>,
    /// How the list was found, where the server did not say it in the protocol's way.
    pub found: Option<FoundBy>,
    tools: Vec<IndexedTool>,
    /// Position of each name, built at the first lookup.
    places: OnceLock<HashMap<ToolName, usize>>,
    /// Which names can be taken for others, made when the first tool is compared with these.
    names: OnceLock<NameIndex>,
}

/// One tool of a set.
#[derive(Debug)]
pub struct IndexedTool {
    /// The tool as its server described it.
    pub spec: ToolSpec,
    validator: OnceLock<Arc<Validator>>,
    output_validator: OnceLock<Option<Arc<Validator>>>,
    /// Title and description in lower case, made by the first search.
    haystack: OnceLock<String>,
    /// Name and description as the catalogue has them, made when it is first asked for.
    line: OnceLock<CatalogLine>,
}

/// Catalog data of a tool that does not depend on its state.
#[derive(Debug, Clone)]
pub struct CatalogLine {
    /// The qualified name, `MEMBER/TOOL`.
    pub name: Arc<str>,
    /// The first sentence of the tool's description.
    pub description: Arc<str>,
    /// The hints as the server declared them.
    pub hints: ToolHints,
    /// The class by the hints, without a read-only claim that the tool's text contradicts.
    pub class: ToolClass,
    /// Whether its server's claim that it only reads is contradicted by its own words.
    pub is_doubted: bool,
}

impl ToolSet {
    /// Takes a list as a server or a cache gave it.
    pub fn new(tools: Vec<ToolSpec>, problems: Vec<ListProblem>, listed_at_ms: u64) -> Self {
        let tools = tools
            .into_iter()
            .map(|spec| IndexedTool {
                spec,
                validator: OnceLock::new(),
                output_validator: OnceLock::new(),
                haystack: OnceLock::new(),
                line: OnceLock::new(),
            })
            .collect();
        Self {
            listed_at_ms: Some(listed_at_ms),
            problems,
            found: None,
            tools,
            places: OnceLock::new(),
            names: OnceLock::new(),
        }
    }

    /// The same list with how it was found.
    pub fn found_by(mut self, found: Option<FoundBy>) -> Self {
        self.found = found;
        self
    }

    /// Why none of the tools can be called, where the server has not confirmed them.
    pub fn unconfirmed(&self) -> Option<Report> {
        let found = self.found.filter(|found| !found.rung.is_confirmed())?;
        let trouble = CallTrouble::Unconfirmed(found);
        Some(Report::from_error(Code::ToolUnconfirmed, &trouble))
    }

    /// All tools in the server's order.
    pub fn tools(&self) -> &[IndexedTool] {
        &self.tools
    }

    /// Returns the tool with a name. The first lookup builds a map of all names.
    pub fn get(&self, name: &ToolName) -> Option<&IndexedTool> {
        let places = self.places.get_or_init(|| {
            let named = |(at, tool): (usize, &IndexedTool)| (tool.spec.name().clone(), at);
            self.tools.iter().enumerate().map(named).collect()
        });
        places.get(name).and_then(|&at| self.tools.get(at))
    }

    /// The tools that the tool of a probe may be taken for, or that it speaks of, in the server's
    /// order.
    pub fn like(&self, probe: &NameProbe) -> impl Iterator<Item = &IndexedTool> {
        let index = || NameIndex::of(self.tools.iter().map(|tool| tool.spec.name()));
        let found = self.names.get_or_init(index).find(probe);
        found.into_iter().filter_map(|place| self.tools.get(place))
    }

    /// The tools as their server described them.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().map(|tool| tool.spec.clone()).collect()
    }
}

impl IndexedTool {
    /// Whether the validator of the tool's arguments is there already.
    pub fn has_validator(&self) -> bool {
        self.validator.get().is_some()
    }

    /// The validator of the tool's arguments; building it takes up to some milliseconds, once.
    pub fn validator(&self) -> Arc<Validator> {
        let build = || Arc::new(Validator::build(self.spec.input_schema()));
        Arc::clone(self.validator.get_or_init(build))
    }

    /// The validator of the tool's structured results, where it promises any.
    pub fn output_validator(&self) -> Option<Arc<Validator>> {
        let build = || Some(Arc::new(Validator::build(self.spec.output_schema()?)));
        self.output_validator.get_or_init(build).clone()
    }

    fn summary(&self, member: &MemberName, held: &ReviewMarks) -> ToolSummary {
        ToolSummary {
            mark: held.get(self.spec.name()).copied(),
            member: member.clone(),
            name: self.spec.name().clone(),
            title: self
                .spec
                .title()
                .map(|title| title.chars().take(200).collect()),
            summary: first_sentence(self.spec.description()),
            hints: self.spec.hints(),
        }
    }

    /// Its line in the catalogue, of the one member that has it.
    pub fn line(&self, member: &MemberName) -> &CatalogLine {
        self.line.get_or_init(|| {
            let description = first_sentence(&self.spec.description_alone()).into();
            let (hints, judged) = (self.spec.hints(), judged_hints(&self.spec));
            CatalogLine {
                name: format!("{member}/{}", self.spec.name()).into(),
                description,
                hints,
                class: ToolClass::of(judged),
                is_doubted: judged != hints,
            }
        })
    }

    /// How well the tool fits the words; `None` if one of them is nowhere. Lower is better.
    fn rank(&self, member: &str, words: &[String]) -> Option<u32> {
        let name = self.spec.name().as_str().to_lowercase();
        let haystack = self.haystack.get_or_init(|| {
            let title = self.spec.title().unwrap_or_default();
            format!("{title}\n{}", self.spec.description()).to_lowercase()
        });
        words.iter().try_fold(0, |rank, word| {
            let word = word.as_str();
            let here = if name == word {
                0
            } else if name.starts_with(word) {
                1
            } else if name.contains(word) {
                2
            } else if member.contains(word) {
                3
            } else if haystack.contains(word) {
                4
            } else {
                return None;
            };
            Some(rank + here)
        })
    }
}

/// A published member.
#[derive(Debug, Clone)]
pub struct RosterEntry {
    /// As the roster shows it.
    pub view: Arc<MemberView>,
    /// The newest known tools, which may come from a cache.
    pub tools: Arc<ToolSet>,
    /// Its manifest, where that can be used.
    pub manifest: Option<Arc<Manifest>>,
    /// State of the fallback discovery.
    pub discovery: DiscoveryStatus,
    /// Its tools that are withheld from agents because no person has accepted their current
    /// version.
    pub held: Arc<ReviewMarks>,
    /// Its prompts, resources and templates, where they are known; compared with those that were
    /// accepted, where changes are held back.
    pub offers: Option<Arc<Vec<ToolSpec>>>,
    /// Whether the tools are the running server's answer to the last request for them.
    pub is_confirmed: bool,
}

impl RosterEntry {
    fn is_same(&self, other: &Self) -> bool {
        let manifests = [&self.manifest, &other.manifest].map(|m| m.as_ref().map(Arc::as_ptr));
        self.view == other.view
            && Arc::ptr_eq(&self.tools, &other.tools)
            && manifests[0] == manifests[1]
            && self.discovery == other.discovery
            && self.is_confirmed == other.is_confirmed
            && self.offers.as_ref().map(Arc::as_ptr) == other.offers.as_ref().map(Arc::as_ptr)
            && (Arc::ptr_eq(&self.held, &other.held) || self.held == other.held)
    }

    /// Whether `other` differs in its running calls and its last line on stderr alone.
    fn differs_in_activity(&self, other: &Self) -> bool {
        let mut active = self.clone();
        let view = Arc::make_mut(&mut active.view);
        view.calls = other.view.calls;
        view.last_stderr.clone_from(&other.view.last_stderr);
        active.is_same(other)
    }
}

/// The roster at one moment.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// The revision of the newest event that it includes.
    pub revision: u64,
    /// The path of the members' folder, for display.
    pub members_dir: Arc<str>,
    /// Error of the members' folder.
    pub error: Option<Report>,
    /// All members by name; the next snapshot has the same map, unless a member has changed.
    pub members: Arc<BTreeMap<MemberName, RosterEntry>>,
}

impl Snapshot {
    /// The roster as the window and the command line get it.
    pub fn roster(&self) -> RosterView {
        RosterView {
            revision: self.revision,
            members_dir: self.members_dir.to_string(),
            members: self
                .members
                .values()
                .map(|entry| MemberView::clone(&entry.view))
                .collect(),
            error: self.error.clone(),
        }
    }

    /// One member's tools, if the tool is among them.
    pub fn tools_with(&self, member: &MemberName, tool: &ToolName) -> Option<Arc<ToolSet>> {
        let tools = &self.members.get(member)?.tools;
        tools.get(tool).map(|_| Arc::clone(tools))
    }

    /// One member's tools in the server's order.
    pub fn member_tools(&self, member: &MemberName) -> Option<MemberTools> {
        let entry = self.members.get(member)?;
        Some(MemberTools {
            member: member.clone(),
            freshness: entry.view.freshness,
            listed_at_ms: entry.tools.listed_at_ms,
            tools: entry
                .tools
                .tools()
                .iter()
                .map(|tool| tool.summary(member, &entry.held))
                .collect(),
            problems: entry.tools.problems.clone(),
            found: entry.tools.found,
        })
    }

    /// One tool of a member, as a list shows it.
    pub fn summary(&self, member: &MemberName, tool: &ToolName) -> Option<ToolSummary> {
        let entry = self.members.get(member)?;
        Some(entry.tools.get(tool)?.summary(member, &entry.held))
    }

    /// The tools in which every word of the query occurs, best first, then by member and the
    /// server's order. An empty query finds everything.
    pub fn search(&self, query: &str, limit: usize) -> FoundTools {
        let words: Vec<String> = query
            .split_whitespace()
            .take(16)
            .map(str::to_lowercase)
            .collect();
        let mut found = Vec::new();
        for (name, entry) in self.members.iter() {
            let member = name.as_str().to_lowercase();
            for tool in entry.tools.tools() {
                if let Some(rank) = tool.rank(&member, &words) {
                    found.push((rank, name, entry, tool));
                }
            }
        }
        let total = found.len();
        found.sort_by_key(|(rank, ..)| *rank);
        let tools = found
            .into_iter()
            .take(limit.min(FOUND_MAX))
            .map(|(_, member, entry, tool)| tool.summary(member, &entry.held))
            .collect();
        FoundTools { tools, total }
    }
}

/// The place where the snapshot is kept, changed and listened to.
#[derive(Debug)]
pub struct Roster {
    current: watch::Sender<Arc<Snapshot>>,
    events: broadcast::Sender<Arc<Envelope>>,
    /// Redacts secrets in all output.
    veil: OnceLock<Veil>,
}

impl Roster {
    /// Returns a roster without members. `members_dir` is only displayed.
    pub fn new(members_dir: String) -> Self {
        let snapshot = Snapshot {
            members_dir: members_dir.into(),
            ..Snapshot::default()
        };
        Self {
            current: watch::Sender::new(Arc::new(snapshot)),
            events: broadcast::Sender::new(EVENTS_KEPT),
            veil: OnceLock::new(),
        }
    }

    /// Hides secrets from now on. Only the first veil counts.
    pub fn hide_with(&self, veil: Veil) {
        let _ = self.veil.set(veil);
    }

    /// Hides secrets in the end of a call that failed.
    pub fn hide_in(&self, end: &mut CallEnd) {
        if let Some(veil) = self.veil() {
            veil.end(end);
        }
    }

    /// Returns the redactor, if there is one.
    pub fn veil(&self) -> Option<&Veil> {
        self.veil.get()
    }

    /// Returns the current roster. Later changes do not affect it.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.current.borrow())
    }

    /// Follows the roster.
    pub fn watch(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.current.subscribe()
    }

    /// Waits until the roster is as `fits` wants it.
    pub async fn until(&self, fits: impl Fn(&Snapshot) -> bool) {
        // The sender is ours: the wait can't end for want of one.
        let _ = self
            .current
            .subscribe()
            .wait_for(|snapshot| fits(snapshot))
            .await;
    }

    /// Publishes a member's current state, or adds a new member. Does nothing without a change.
    pub fn show(&self, mut entry: RosterEntry) {
        if let Some(veil) = self.veil() {
            entry.view = veil.view(entry.view);
        }
        self.change(|snapshot| {
            let before = snapshot.members.get(&entry.view.name);
            if before.is_some_and(|before| before.is_same(&entry)) {
                return None;
            }
            let is_activity = before.map(|before| before.differs_in_activity(&entry));
            let member = Box::new(MemberView::clone(&entry.view));
            Arc::make_mut(&mut snapshot.members).insert(member.name.clone(), entry);
            Some(match is_activity {
                None => HallEvent::MemberAdded { member },
                Some(is_activity) => HallEvent::MemberChanged {
                    member,
                    is_activity,
                },
            })
        });
    }

    /// Takes a member off the roster.
    pub fn remove(&self, member: &MemberName) {
        self.change(|snapshot| {
            if !snapshot.members.contains_key(member) {
                return None;
            }
            Arc::make_mut(&mut snapshot.members).remove(member);
            Some(HallEvent::MemberRemoved {
                member: member.clone(),
            })
        });
    }

    /// Says what is wrong with the members' folder, or that nothing is any more.
    pub fn set_error(&self, error: Option<Report>) {
        self.change(|snapshot| {
            if snapshot.error == error {
                return None;
            }
            snapshot.error = error;
            Some(HallEvent::Roster {
                roster: Box::new(snapshot.roster()),
            })
        });
    }

    /// Sends an event that changes nothing in the roster.
    pub fn tell(&self, mut event: HallEvent) {
        if let Some(veil) = self.veil() {
            veil.event(&mut event);
        }
        self.change(|_| Some(event));
    }

    /// Changes the snapshot and sends the event in one step.
    fn change(&self, change: impl FnOnce(&mut Snapshot) -> Option<HallEvent>) {
        self.current.send_if_modified(|current| {
            let mut next = Snapshot::clone(current);
            next.revision += 1;
            let revision = next.revision;
            let Some(mut event) = change(&mut next) else {
                return false;
            };
            if let HallEvent::Roster { roster } = &mut event {
                roster.revision = revision;
            }
            *current = Arc::new(next);
            // Having no listener is not a failure.
            let _ = self.events.send(Arc::new(Envelope { revision, event }));
            true
        });
    }

    /// Begins to listen.
    pub fn subscribe(self: &Arc<Self>) -> Subscription {
        // In this order: a change between the two is in the roster and is skipped later.
        let events = self.events.subscribe();
        let snapshot = self.snapshot();
        Subscription {
            events,
            roster: Arc::clone(self),
            known: snapshot.revision,
            owed: Some(snapshot),
        }
    }
}

/// One listener's place in the stream of events.
///
/// The first item is the roster as it was when the listening began, whenever that is read; and a
/// whole roster is also the next item after the listener fell so far
/// behind that events were lost; nothing is ever skipped silently.
#[derive(Debug)]
pub struct Subscription {
    events: broadcast::Receiver<Arc<Envelope>>,
    roster: Arc<Roster>,
    /// The revision that the listener knows.
    known: u64,
    /// The roster that the listener still has to get.
    owed: Option<Arc<Snapshot>>,
}

impl Subscription {
    /// Waits for the next event; `None` when the hall is gone.
    pub async fn next(&mut self) -> Option<Arc<Envelope>> {
        loop {
            if let Some(snapshot) = self.owed.take() {
                let revision = snapshot.revision;
                let event = HallEvent::Roster {
                    roster: Box::new(snapshot.roster()),
                };
                return Some(Arc::new(Envelope { revision, event }));
            }
            match self.events.recv().await {
                Ok(envelope) if envelope.revision > self.known => {
                    self.known = envelope.revision;
                    return Some(envelope);
                }
                Ok(_) => {}
                Err(broadcast::error::RecvError::Lagged(_)) => {
                    // Kept events are older than the coming roster. While it is unread, each event
                    // would be one too many again.
                    self.events = self.events.resubscribe();
                    let snapshot = self.roster.snapshot();
                    self.known = snapshot.revision;
                    self.owed = Some(snapshot);
                }
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
    }
}

/// Returns the freshness of a list once its server is gone: a live list becomes a cached one.
pub fn without_server(freshness: Freshness) -> Freshness {
    match freshness {
        Freshness::Live => Freshness::Cached,
        other => other,
    }
}

#[cfg(test)]
mod tests;
