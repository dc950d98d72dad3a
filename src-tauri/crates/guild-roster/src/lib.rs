//! The roster: an immutable snapshot of all members and tools, and the stream of its changes.
//!
//! Members publish their state here. Requests that need no running member (lists, search, a tool's
//! form, the gateway's `tools/list`) are answered from the snapshot without waiting. A change of
//! the snapshot and the sending of its event are one atomic step, so that the events have the order
//! of the changes.

mod push;
mod unknown;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

pub use self::push::pushed_as;
use guild_api::event::{Envelope, HallEvent};
use guild_api::wire::{
    CallEnd, DiscoveryStatus, FoundTools, MemberTools, MemberView, RosterView, ToolMark,
    ToolSummary,
};
use guild_catalog::claim::judged_hints;
use guild_model::discovery::FoundBy;
use guild_model::manifest::Manifest;
use guild_model::messages::CallError;
use guild_model::policy::ToolClass;
use guild_model::status::Freshness;
use guild_model::tool::{ListProblem, ToolHints, ToolSpec};
use guild_model::{Code, MemberName, Report, ToolName};
use guild_review::trust::{NameIndex, NameProbe};
use guild_schema::schema::first_sentence;
use guild_schema::validate::Validator;
use tokio::sync::{broadcast, watch};

pub use self::unknown::near;
use guild_secrets::Redactor;

/// Maximum number of events that a listener may be behind. Beyond that, it gets the whole roster
/// instead.
const EVENTS_KEPT: usize = 512;
/// Maximum number of results of a search.
const FOUND_MAX: usize = 500;

/// Tools withheld from agents because the user has not accepted their current version.
pub type ReviewMarks = HashMap<ToolName, ToolMark>;

/// A member's tools, with data that is computed once and on demand.
#[derive(Debug, Default)]
pub struct ToolSet {
    /// When the server sent the list, in milliseconds since 1970.
    pub listed_at_ms: Option<u64>,
    /// Entries left out of the list, with reasons.
    pub problems: Vec<ListProblem>,
    /// How Guild Hall found the list. `None` if the server sent it by the MCP protocol.
    pub found: Option<FoundBy>,
    tools: Vec<IndexedTool>,
    /// The index of each tool by name, built at the first lookup.
    places: OnceLock<HashMap<ToolName, usize>>,
    /// Index of similar names, built at the first call of [`ToolSet::like`].
    names: OnceLock<NameIndex>,
}

/// One tool of a set.
#[derive(Debug)]
pub struct IndexedTool {
    /// The tool as its server described it.
    pub spec: ToolSpec,
    validator: OnceLock<Arc<Validator>>,
    output_validator: OnceLock<Option<Arc<Validator>>>,
    /// Title and description in lower case, computed by the first search.
    haystack: OnceLock<String>,
    /// The tool's catalog data, computed on demand.
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
    /// The tool's class according to its hints. A read-only hint that the tool's text contradicts
    /// is ignored.
    pub class: ToolClass,
    /// Whether the tool's name or description contradicts the server's read-only hint.
    pub is_doubted: bool,
}

impl ToolSet {
    /// Creates the set from a server's or a cached list.
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

    /// Sets how the list was found.
    pub fn found_by(mut self, found: Option<FoundBy>) -> Self {
        self.found = found;
        self
    }

    /// Returns an error if the server has not confirmed that it has these tools, so that none can
    /// be called.
    pub fn unconfirmed(&self) -> Option<Report> {
        let found = self.found.filter(|found| !found.rung.is_confirmed())?;
        let trouble = CallError::Unconfirmed(found);
        Some(Report::from_error(Code::ToolUnconfirmed, &trouble))
    }

    /// Returns all tools in the server's order.
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

    /// Returns the tools whose names are similar to the name in `probe`, and the tools that its
    /// text mentions, in the server's order.
    pub fn like(&self, probe: &NameProbe) -> impl Iterator<Item = &IndexedTool> {
        let index = || NameIndex::of(self.tools.iter().map(|tool| tool.spec.name()));
        let found = self.names.get_or_init(index).find(probe);
        found.into_iter().filter_map(|place| self.tools.get(place))
    }

    /// Returns the tools as their server described them.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().map(|tool| tool.spec.clone()).collect()
    }
}

impl IndexedTool {
    /// Whether the validator of the tool's arguments is built already.
    pub fn has_validator(&self) -> bool {
        self.validator.get().is_some()
    }

    /// Returns the validator of the tool's arguments. The first call builds it, which takes up to
    /// some milliseconds.
    pub fn validator(&self) -> Arc<Validator> {
        let build = || Arc::new(Validator::build(self.spec.input_schema()));
        Arc::clone(self.validator.get_or_init(build))
    }

    /// Returns the validator of the tool's structured results. `None` without an output schema.
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

    /// Returns the tool's catalog data. Every call must pass the member that owns the tool.
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

    /// Returns the rank of the tool for the search words. Lower ranks are better. `None` if a word
    /// occurs neither in the tool nor in the member's name.
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
    /// The member as the roster shows it.
    pub view: Arc<MemberView>,
    /// The newest known tools, which may come from a cache.
    pub tools: Arc<ToolSet>,
    /// The member's manifest. `None` if the manifest can't be used.
    pub manifest: Option<Arc<Manifest>>,
    /// The member's folder, whose name can differ from the member's name.
    pub folder: PathBuf,
    /// State of the fallback discovery.
    pub discovery: DiscoveryStatus,
    /// The member's tools that are withheld from agents because the user has not accepted their
    /// current version.
    pub held: Arc<ReviewMarks>,
    /// The member's prompts, resources and templates. `None` if they are unknown. If Guild Hall
    /// withholds the member's changes, it also compares these entries with the accepted ones.
    pub offers: Option<Arc<Vec<ToolSpec>>>,
    /// Whether the running server itself sent these tools, in its latest tool list.
    pub is_confirmed: bool,
}

impl RosterEntry {
    fn is_same(&self, other: &Self) -> bool {
        let manifests = [&self.manifest, &other.manifest].map(|m| m.as_ref().map(Arc::as_ptr));
        self.view == other.view
            && Arc::ptr_eq(&self.tools, &other.tools)
            && manifests[0] == manifests[1]
            && self.folder == other.folder
            && self.discovery == other.discovery
            && self.is_confirmed == other.is_confirmed
            && self.offers.as_ref().map(Arc::as_ptr) == other.offers.as_ref().map(Arc::as_ptr)
            && (Arc::ptr_eq(&self.held, &other.held) || self.held == other.held)
    }

    /// Whether `other` has the same state except for the running calls and the last line on stderr.
    fn differs_in_activity(&self, other: &Self) -> bool {
        let mut active = self.clone();
        let view = Arc::make_mut(&mut active.view);
        view.calls = other.view.calls;
        view.last_stderr.clone_from(&other.view.last_stderr);
        active.is_same(other)
    }
}

/// The roster at one point in time.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// The revision of the newest event that the snapshot includes.
    pub revision: u64,
    /// The path of the members' folder, for display.
    pub members_dir: Arc<str>,
    /// Why the members' folder can't be read.
    pub error: Option<Report>,
    /// All members by name. The next snapshot shares this map unless a member has changed.
    pub members: Arc<BTreeMap<MemberName, RosterEntry>>,
}

impl Snapshot {
    /// Returns the roster for the window and the command line.
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

    /// Returns a member's tools if the tool is one of them.
    pub fn tools_with(&self, member: &MemberName, tool: &ToolName) -> Option<Arc<ToolSet>> {
        let tools = &self.members.get(member)?.tools;
        tools.get(tool).map(|_| Arc::clone(tools))
    }

    /// Returns a member's tools in the server's order.
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

    /// Returns one tool of a member, as a list shows it.
    pub fn summary(&self, member: &MemberName, tool: &ToolName) -> Option<ToolSummary> {
        let entry = self.members.get(member)?;
        Some(entry.tools.get(tool)?.summary(member, &entry.held))
    }

    /// Returns the tools that contain every word of the query, best first, then by member and in
    /// the server's order. An empty query matches all tools.
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

/// Holds and changes the current snapshot, and sends the events.
#[derive(Debug)]
pub struct Roster {
    current: watch::Sender<Arc<Snapshot>>,
    events: broadcast::Sender<Arc<Envelope>>,
    /// Masks secrets in everything that the roster publishes. Empty until [`Self::set_redactor`].
    redactor: OnceLock<Redactor>,
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
            redactor: OnceLock::new(),
        }
    }

    /// Sets the redactor for everything that the roster publishes. Later calls have no effect.
    pub fn set_redactor(&self, redactor: Redactor) {
        let _ = self.redactor.set(redactor);
    }

    /// Masks secrets in the report of a failed call. Does nothing to other outcomes.
    pub fn hide_in(&self, end: &mut CallEnd) {
        if let Some(redactor) = self.redactor() {
            redactor.end(end);
        }
    }

    /// Returns the redactor, if there is one.
    pub fn redactor(&self) -> Option<&Redactor> {
        self.redactor.get()
    }

    /// Returns the current roster. Later changes do not affect it.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.current.borrow())
    }

    /// Returns a receiver of the current and all later snapshots.
    pub fn watch(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.current.subscribe()
    }

    /// Waits until `fits` returns true for the roster.
    pub async fn until(&self, fits: impl Fn(&Snapshot) -> bool) {
        // The wait can't fail, because `self` owns the sender.
        let _ = self
            .current
            .subscribe()
            .wait_for(|snapshot| fits(snapshot))
            .await;
    }

    /// Publishes the state of a new or a known member, unless it is published already.
    pub fn show(&self, mut entry: RosterEntry) {
        if let Some(redactor) = self.redactor() {
            entry.view = redactor.view(entry.view);
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

    /// Removes a member from the roster.
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

    /// Sets or clears the error of the members' folder.
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

    /// Sends an event that does not change the snapshot.
    pub fn tell(&self, mut event: HallEvent) {
        if let Some(redactor) = self.redactor() {
            redactor.event(&mut event);
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
            // An error only means that no listener exists.
            let _ = self.events.send(Arc::new(Envelope { revision, event }));
            true
        });
    }

    /// Subscribes to the events, starting with the current roster.
    pub fn subscribe(self: &Arc<Self>) -> Subscription {
        // The receiver has to be created first. A change between both steps is then in the snapshot
        // as well as in the receiver, and its event is skipped later because of its revision.
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

/// One listener's position in the stream of events.
///
/// The first item is the roster at the time of the subscription. If the listener falls so far
/// behind that events are lost, the next item is the whole roster again, so that the listener
/// misses no change.
#[derive(Debug)]
pub struct Subscription {
    events: broadcast::Receiver<Arc<Envelope>>,
    roster: Arc<Roster>,
    /// The revision of the last event or roster that the listener received.
    known: u64,
    /// The roster that the listener receives next. `None` if it receives the next event.
    owed: Option<Arc<Snapshot>>,
}

impl Subscription {
    /// Waits for the next event. `None` once the hall is gone.
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
                    // The events in the buffer are older than the roster that is sent next. Without
                    // a new receiver, each event that arrives before that roster is read would be
                    // reported as lost again.
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
