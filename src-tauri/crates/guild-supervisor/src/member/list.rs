//! A member's tool list: its content, freshness and refresh.

use std::sync::Arc;
use std::time::Duration;

use crate::messages::{OddTool, StartError};
use guild_model::discovery::FoundBy;
use guild_model::manifest::Manifest;
use guild_model::protocol::{Era, ServerInfo};
use guild_model::status::Freshness;
use guild_model::tool::ListProblem;
use guild_model::{Failure, Report};

use crate::cache::{CachedList, FromCache, ToolCache};
use guild_roster::{ToolSet, without_server};

/// A member's currently known tools.
#[derive(Debug, Default)]
pub(super) struct KnownList {
    pub(super) tools: Arc<ToolSet>,
    /// The freshness of the list, without regard to `refreshing`.
    freshness: Freshness,
    pub(super) refreshing: bool,
    /// The protocol era for opening the next session. `None` if it has to be detected.
    pub(super) opens_with: Option<Era>,
    /// The server's version when the era was detected.
    server_version: Option<String>,
    /// Duration of the server's last start, in milliseconds.
    pub(super) start_ms: Option<u64>,
    /// The reason why the last refresh failed, or why the cache could not be used.
    pub(super) warning: Option<Report>,
}

impl KnownList {
    /// Reads the cache (REQ-MCP-TOOL-4, -5).
    pub(super) fn from_cache(files: &ToolCache, manifest: &Manifest) -> Self {
        match files.read(manifest) {
            Ok(Some(FromCache { list, freshness })) => Self {
                // With another configuration, the command may start another server.
                opens_with: list.opens_with.filter(|_| freshness == Freshness::Cached),
                server_version: list.server.as_ref().map(|server| server.version.clone()),
                start_ms: list.start_ms,
                tools: Arc::new(set_of(list)),
                freshness,
                ..Self::default()
            },
            Ok(None) => Self::default(),
            Err(report) => {
                tracing::warn!("{report}");
                Self {
                    warning: Some(report),
                    ..Self::default()
                }
            }
        }
    }

    /// Returns the list's freshness for display.
    pub(super) fn freshness(&self) -> Freshness {
        match self.freshness {
            Freshness::Unknown => Freshness::Unknown,
            _ if self.refreshing => Freshness::Refreshing,
            known => known,
        }
    }

    /// Returns the duration of the server's last start. `None` if it is unknown.
    pub(super) fn last_start(&self) -> Option<Duration> {
        self.start_ms.map(Duration::from_millis)
    }

    /// Stores a list that the server has just returned.
    pub(super) fn take(&mut self, list: &CachedList) {
        self.tools = Arc::new(set_of(list.clone()));
        self.freshness = Freshness::Live;
        self.refreshing = false;
        self.warning = None;
        self.opens_with = list.opens_with;
        let server = list.server.as_ref();
        self.server_version = server.map(|server| server.version.clone());
    }

    /// Stores the detected protocol era of the server that is being started.
    pub(super) fn found_out(&mut self, era: Era) {
        self.opens_with = Some(era);
        self.server_version = None;
    }

    /// Returns the era for opening the next session. `None` for a legacy server whose version
    /// changed since the era was detected.
    pub(super) fn opens_next(&self, server: &ServerInfo) -> Option<Era> {
        let is_other = |version: &String| *version != server.version;
        let unasked = self.opens_with == Some(Era::Legacy)
            && server.era == Era::Legacy
            && self.server_version.as_ref().is_some_and(is_other);
        (!unasked).then_some(server.era)
    }

    /// Stores a list that was not read from the running server.
    pub(super) fn take_found(&mut self, list: &CachedList) {
        self.take(list);
        self.freshness = Freshness::Cached;
    }

    /// Returns how the list was found. `None` if the server returned it as the protocol requires.
    pub(super) fn found(&self) -> Option<FoundBy> {
        self.tools.found
    }

    /// Whether the list belongs to another configuration.
    pub(super) fn is_outdated(&self) -> bool {
        self.freshness == Freshness::Outdated
    }

    /// Whether the server has never returned a list in this configuration.
    pub(super) fn is_wanting(&self) -> bool {
        let unsaid = self.found().is_some_and(|found| !found.rung.is_confirmed());
        unsaid || matches!(self.freshness, Freshness::Unknown | Freshness::Outdated)
    }

    /// Handles the result of writing the cache: sets or clears the warning about it. A warning
    /// about a failed refresh stays.
    pub(super) fn kept(&mut self, kept: Result<(), Report>) {
        let about_cache = |warning: &Report| warning.code.failure() == Failure::Storage;
        match kept {
            Err(report) => self.warning = Some(report),
            Ok(()) if self.warning.as_ref().is_some_and(about_cache) => self.warning = None,
            Ok(()) => {}
        }
    }

    /// Records that the server has ended. Its last list stays known.
    pub(super) fn server_gone(&mut self) {
        self.freshness = without_server(self.freshness);
        self.refreshing = false;
    }

    /// Marks the list as outdated after a change of the configuration, until the server answers.
    pub(super) fn outdate(&mut self) {
        if self.freshness != Freshness::Unknown {
            self.freshness = Freshness::Outdated;
        }
        self.opens_with = None;
    }
}

fn set_of(list: CachedList) -> ToolSet {
    ToolSet::new(list.tools, list.problems, list.listed_at_ms).found_by(list.found)
}

/// Converts a list to its form in the cache.
pub(super) fn to_cached(
    list: guild_mcp_client::ToolList,
    server: Option<&ServerInfo>,
    found: Option<FoundBy>,
    now_ms: u64,
) -> CachedList {
    CachedList {
        tools: list.tools,
        problems: list.problems,
        listed_at_ms: now_ms,
        era: server.map(|server| server.era),
        opens_with: None,
        server: server.cloned(),
        ttl_ms: list.ttl_ms,
        found,
        start_ms: None,
    }
}

/// Returns the warning about the malformed tools of a list.
pub(super) fn odd_tools(problems: &[ListProblem]) -> StartError {
    let shown = problems.iter().take(5).map(|problem| {
        let (index, reason) = (problem.index, problem.reason.clone());
        match &problem.name {
            Some(name) => OddTool::Named(index, name.clone(), reason),
            None => OddTool::Nameless(index, reason),
        }
    });
    let mut shown: Vec<OddTool> = shown.collect();
    let more = problems.len().saturating_sub(shown.len());
    if more > 0 {
        shown.push(OddTool::More(more));
    }
    StartError::OddTools(
        problems.len(),
        guild_text::messages::to_strings(&shown).join("; "),
    )
}
