//! The events of the hall, in one ordered stream. Each event carries the new state, so that a listener
//! asks for nothing after it: the change of a member carries its whole [`MemberView`].

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

/// An event with its place in the order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Envelope {
    /// Grows by one with each event; a roster carries the revision up to which it is complete.
    pub revision: u64,
    /// The event.
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
    /// A listener fell behind, or has just begun: the whole roster.
    Roster {
        /// The current state of all members.
        roster: Box<RosterView>,
    },
    /// A member was added to the roster.
    MemberAdded {
        /// The current state.
        member: Box<MemberView>,
    },
    /// Something about a member changed.
    MemberChanged {
        /// The current state.
        member: Box<MemberView>,
        /// Whether its running calls and its last line on stderr are all that changed.
        #[serde(skip)]
        is_activity: bool,
    },
    /// A member left the roster.
    MemberRemoved {
        /// Its name.
        member: MemberName,
    },
    /// A member's tool list was read from its server (REQ-MCP-TOOL-16); the difference may be
    /// empty.
    ToolsUpdated {
        /// The member.
        member: MemberName,
        /// How many tools it has now.
        count: usize,
        /// The changes against the list before.
        diff: ToolListDiff,
    },
    /// A member's resources or prompts changed; they are read when a person opens them.
    OffersChanged {
        /// The member.
        member: MemberName,
        /// Whether the resources did.
        resources: bool,
        /// Whether the prompts did.
        prompts: bool,
    },
    /// A call began.
    CallStarted {
        /// The call.
        call: CallId,
        /// Its member.
        member: MemberName,
        /// Its tool.
        tool: ToolName,
    },
    /// A call's server reported progress, or its member is starting.
    CallProgress {
        /// The call.
        call: CallId,
        /// How far it is.
        progress: Progress,
    },
    /// A call ended, with or without a result.
    CallFinished {
        /// The call.
        call: CallId,
        /// Its member.
        member: MemberName,
        /// Its tool.
        tool: ToolName,
        /// How long it took.
        duration_ms: u64,
        /// Whether the tool itself said that it failed.
        is_error: bool,
        /// The reason for a missing result.
        error: Option<Report>,
    },
    /// An examination of this machine found something.
    Examined {
        /// The examination.
        call: CallId,
        /// The finding.
        finding: Box<Finding>,
        /// How much it has looked at by now.
        done: usize,
        /// How much it looks at in all.
        of: usize,
    },
    /// A bundle is being unpacked.
    Unpacking {
        /// The install.
        call: CallId,
        /// How many bytes are unpacked.
        done: u64,
        /// How many there are in all.
        of: u64,
    },
    /// The history has recorded a call, secrets masked.
    CallRecorded {
        /// The call as the history's list shows it.
        entry: Box<HistoryEntry>,
    },
    /// A member's server asks a person something.
    ElicitationAsked {
        /// The question.
        elicitation: Box<Elicitation>,
    },
    /// A question has ended: answered, given up, or withdrawn by the server.
    ElicitationEnded {
        /// Its id.
        id: ElicitationId,
    },
    /// The gateway, its clients or its profiles changed.
    GatewayChanged {
        /// The current state.
        gateway: Box<GatewayState>,
    },
    /// An agent's call waits for a person's decision.
    ApprovalAsked {
        /// The call.
        approval: Box<Approval>,
    },
    /// A call no longer waits: it was decided, it timed out, or the agent cancelled it.
    ApprovalEnded {
        /// Its id.
        id: ApprovalId,
    },
    /// Requests of agents; sent in batches, the newest where there are more than are kept.
    TrafficSeen {
        /// The exchanges in their order.
        exchanges: Vec<Exchange>,
    },
    /// The files of other programs changed; the listener requests the found servers again.
    FoundChanged {
        /// How many servers are there that no member runs.
        new: usize,
    },
    /// A development round of a member began a step or ended.
    DevRound {
        /// The current state.
        round: Box<DevRound>,
    },
    /// The content of `settings.json` or its problems changed.
    SettingsChanged {
        /// The settings in force.
        settings: Box<Settings>,
        /// The problems of the file.
        problems: Vec<SettingsProblem>,
    },
    /// The sign-in of a member changed.
    SignInChanged {
        /// The current state.
        sign_in: Box<SignInView>,
    },
    /// The state of updates changed.
    UpdatesChanged {
        /// The current state.
        updates: Box<UpdateState>,
    },
    /// New lines on a member's stderr; sent in batches.
    Stderr {
        /// The member.
        member: MemberName,
        /// The lines in their order.
        lines: Vec<LogLine>,
        /// How many lines before these were dropped because they came too fast.
        skipped: u64,
    },
    /// A warning that stops nothing: an unwritable cache, a noisy stdout.
    Warning {
        /// The problem, its member, and the fix.
        report: Report,
    },
}

impl HallEvent {
    /// The Tauri event that carries this one to the window.
    ///
    /// `None` for logs, for calls with their progress and for the traffic of agents: the web view keeps the
    /// script of each Tauri event, and these are too many for that. The window pulls them.
    #[must_use]
    pub fn pushed_as(&self) -> Option<&'static str> {
        let [roster, member, tools, approvals, hall] = PUSHED_EVENTS;
        match self {
            Self::Roster { .. } | Self::MemberAdded { .. } | Self::MemberRemoved { .. } => {
                Some(roster)
            }
            Self::MemberChanged { is_activity, .. } => (!is_activity).then_some(member),
            Self::ToolsUpdated { .. } => Some(tools),
            Self::ApprovalAsked { .. } | Self::ApprovalEnded { .. } => Some(approvals),
            Self::OffersChanged { .. }
            | Self::ElicitationAsked { .. }
            | Self::ElicitationEnded { .. }
            | Self::GatewayChanged { .. }
            | Self::FoundChanged { .. }
            | Self::DevRound { .. }
            | Self::SettingsChanged { .. }
            | Self::SignInChanged { .. }
            | Self::UpdatesChanged { .. }
            | Self::Warning { .. } => Some(hall),
            Self::CallStarted { .. }
            | Self::CallProgress { .. }
            | Self::CallFinished { .. }
            | Self::CallRecorded { .. }
            | Self::Examined { .. }
            | Self::Unpacking { .. }
            | Self::TrafficSeen { .. }
            | Self::Stderr { .. } => None,
        }
    }
}

/// How far a call is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// How much is done, in the server's own unit.
    pub progress: f64,
    /// How much there is in all, if the server knows.
    pub total: Option<f64>,
    /// The current step, bounded to 1,000 characters.
    pub message: Option<String>,
}

/// The schema of the stream's items, which reach the window over a channel.
pub fn schema(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Envelope>()
}
