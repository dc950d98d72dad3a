//! The events of the hall, in one ordered stream. Each event carries the new state, so that a
//! listener need not request the state: the event of a changed member has its whole [`MemberView`].

#![expect(
    missing_docs,
    reason = "a field without a comment is described by its name and type"
)]

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::wire::{
    Approval, DevRound, Elicitation, Exchange, Finding, GatewayState, HistoryEntry, LogLine,
    MemberView, RosterView, SignInView, UpdateState,
};
use guild_model::diff::ToolListDiff;
use guild_model::error::Report;
use guild_model::id::{ApprovalId, CallId, ElicitationId, MemberName, ToolName};
use guild_model::settings::{Settings, SettingsProblem};

/// An event with its revision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Envelope {
    /// Grows by one with each event. A roster has the revision of the newest event that it
    /// includes.
    pub revision: u64,
    pub event: HallEvent,
}

/// The Tauri events that the window listens for. Each carries a list of [`Envelope`].
pub const PUSHED_EVENTS: [&str; 5] = [
    "roster_changed",
    "member_changed",
    "tools_updated",
    "approval_requested",
    "hall_changed",
];

/// An event of the hall.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum HallEvent {
    /// The whole roster. A listener gets it first, and again after missed events. All listeners get
    /// it when the members' folder becomes readable or unreadable.
    Roster {
        /// The current state of all members.
        roster: Box<RosterView>,
    },
    /// A member was added to the roster.
    MemberAdded { member: Box<MemberView> },
    /// The state of a member changed.
    MemberChanged {
        member: Box<MemberView>,
        /// Whether only the member's running calls or last line on stderr changed.
        #[serde(skip)]
        is_activity: bool,
    },
    /// A member was removed from the roster.
    MemberRemoved { member: MemberName },
    /// A member's tool list was read from its server (REQ-MCP-TOOL-16). The difference may be
    /// empty.
    ToolsUpdated {
        member: MemberName,
        /// The current number of tools.
        count: usize,
        /// The changes since the previous list.
        diff: ToolListDiff,
    },
    /// A member's resources or prompts changed. Guild Hall reads them when the user opens them.
    OffersChanged {
        member: MemberName,
        /// Whether the resources changed.
        resources: bool,
        /// Whether the prompts changed.
        prompts: bool,
    },
    /// A call began.
    CallStarted {
        call: CallId,
        member: MemberName,
        tool: ToolName,
    },
    /// A call's server reported progress, or its member is starting.
    CallProgress { call: CallId, progress: Progress },
    /// A call ended, with or without a result.
    CallFinished {
        call: CallId,
        member: MemberName,
        tool: ToolName,
        duration_ms: u64,
        /// Whether the tool itself reported a failure (`isError`).
        is_error: bool,
        /// The reason for a missing result. `None` if the call has a result.
        error: Option<Report>,
    },
    /// A running examination of this machine (`doctor`) has a new finding.
    Examined {
        /// The id of the examination.
        call: CallId,
        finding: Box<Finding>,
        /// The number of finished checks.
        done: usize,
        /// The total number of checks.
        of: usize,
    },
    /// A bundle is being unpacked.
    Unpacking {
        /// The id of the install.
        call: CallId,
        /// The number of unpacked bytes.
        done: u64,
        /// The total number of bytes.
        of: u64,
    },
    /// The history has recorded a call. Its secrets are masked.
    CallRecorded {
        /// The call as the history's list shows it.
        entry: Box<HistoryEntry>,
    },
    /// A member's server asks the user a question.
    ElicitationAsked { elicitation: Box<Elicitation> },
    /// A question has ended: the user answered or cancelled it, it timed out, or the server
    /// withdrew it.
    ElicitationEnded { id: ElicitationId },
    /// The gateway, its clients or its profiles changed.
    GatewayChanged { gateway: Box<GatewayState> },
    /// An agent's call waits for the user's decision.
    ApprovalAsked { approval: Box<Approval> },
    /// A call no longer waits: the user decided, the wait timed out, or the agent cancelled the
    /// call.
    ApprovalEnded { id: ApprovalId },
    /// Requests of agents, sent in batches. At high rates some requests are left out, which leaves
    /// gaps in the numbers of the exchanges.
    TrafficSeen {
        /// The exchanges in chronological order.
        exchanges: Vec<Exchange>,
    },
    /// The files of other programs changed. The event does not list the servers in these files, so
    /// a listener has to request them.
    FoundChanged {
        /// The number of found servers that no member runs.
        new: usize,
    },
    /// A development round of a member began a step or ended.
    DevRound { round: Box<DevRound> },
    /// The content of `settings.json` or its problems changed.
    SettingsChanged {
        /// The settings in force.
        settings: Box<Settings>,
        /// The problems of the file.
        problems: Vec<SettingsProblem>,
    },
    /// The sign-in of a member changed.
    SignInChanged { sign_in: Box<SignInView> },
    /// The state of updates changed.
    UpdatesChanged { updates: Box<UpdateState> },
    /// New lines on a member's stderr, sent in batches.
    Stderr {
        member: MemberName,
        /// The lines in chronological order.
        lines: Vec<LogLine>,
        /// The number of lines before the first of `lines` that were dropped because they came too
        /// fast.
        skipped: u64,
    },
    /// A problem that does not stop the hall, such as a cache that can't be written or a noisy
    /// stdout.
    Warning {
        /// The problem, its member, and the fix.
        report: Report,
    },
}

/// The progress of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// The finished amount, in the server's own unit.
    pub progress: f64,
    /// The total amount, if the server knows it.
    pub total: Option<f64>,
    /// The current step, at most 1,000 characters.
    pub message: Option<String>,
}

/// Returns the schema of [`Envelope`], from which the TypeScript bindings are generated.
pub fn schema(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Envelope>()
}
