//! The hall's events for its listeners: one ordered stream, in which each event carries the new
//! state.
//!
//! No listener needs another request after an event: a member's change carries the whole
//! [`MemberView`].

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::diff::ToolListDiff;
use crate::error::Report;
use crate::id::{ApprovalId, CallId, ElicitationId, MemberName, ToolName};
use crate::settings::{Settings, SettingsProblem};
use crate::wire::{
    Approval, DevRound, Elicitation, Exchange, Finding, GatewayState, HistoryEntry, LogLine,
    MemberView, Roster, SignInView, UpdateState,
};

/// An event with its place in the order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Envelope {
    /// Grows by one with each event; a roster carries the revision up to which it is complete.
    pub revision: u64,
    /// The revision that the listener knows, where what lies between needs not be told any more: later
    /// events took it back. Absent, it is the one just before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
    /// What happened.
    pub event: HallEvent,
}

impl Envelope {
    /// An event that follows the one just before it.
    #[must_use]
    pub fn new(revision: u64, event: HallEvent) -> Self {
        Self {
            revision,
            since: None,
            event,
        }
    }
}

/// Everything that the hall tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum HallEvent {
    /// A listener fell behind, or has just begun: the whole roster.
    Roster {
        /// All members as they are now.
        roster: Box<Roster>,
    },
    /// A member was added to the roster.
    MemberAdded {
        /// The member as it is now.
        member: Box<MemberView>,
    },
    /// Something about a member changed.
    MemberChanged {
        /// The member as it is now.
        member: Box<MemberView>,
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
        /// What changed against the list before.
        diff: ToolListDiff,
    },
    /// A member says that its resources or its prompts changed; they are read when somebody looks.
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
    /// A call's server told how far it is, or the member it needs is being started.
    CallProgress {
        /// The call.
        call: CallId,
        /// How far it is.
        progress: Progress,
    },
    /// A call ended, in whatever way.
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
        /// Why there is no result, if there is none.
        error: Option<Report>,
    },
    /// An examination of this machine found something.
    Examined {
        /// The examination.
        call: CallId,
        /// What it found.
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
    /// A call stands in the history now; it has been masked.
    CallRecorded {
        /// The call as the history's list shows it.
        entry: Box<HistoryEntry>,
    },
    /// A member's server asks a person something.
    ElicitationAsked {
        /// The question.
        elicitation: Box<Elicitation>,
    },
    /// A question waits no more: it was answered, given up, or nobody asks any longer.
    ElicitationEnded {
        /// Its id.
        id: ElicitationId,
    },
    /// The gateway, its clients or its profiles changed.
    GatewayChanged {
        /// As it is now.
        gateway: Box<GatewayState>,
    },
    /// An agent's call waits for a person's decision.
    ApprovalAsked {
        /// The call.
        approval: Box<Approval>,
    },
    /// A call waits no more: it was decided, its time is up, or the agent gave it up.
    ApprovalEnded {
        /// Its id.
        id: ApprovalId,
    },
    /// What agents asked; sent in batches, the newest where there is more than is kept.
    TrafficSeen {
        /// The exchanges in their order.
        exchanges: Vec<Exchange>,
    },
    /// What other programs have in their files changed; what was found is to be asked for again.
    FoundChanged {
        /// How many servers are there that no member runs.
        new: usize,
    },
    /// A round of a member that somebody writes: what is being done, or what came of it.
    DevRound {
        /// The round as it is now.
        round: Box<DevRound>,
    },
    /// `settings.json` was changed, in the window or by hand, or what is wrong with it.
    SettingsChanged {
        /// What holds now.
        settings: Box<Settings>,
        /// What is wrong with the file.
        problems: Vec<SettingsProblem>,
    },
    /// How it stands with signing in to a member changed.
    SignInChanged {
        /// As it is now.
        sign_in: Box<SignInView>,
    },
    /// How it stands with newer versions of the program changed.
    UpdatesChanged {
        /// As it is now.
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
    /// Something to be told that stops nothing: an unwritable cache, a noisy stdout.
    Warning {
        /// What, to whom, and what to do.
        report: Report,
    },
}

/// How far a call is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// How much is done, in the server's own unit.
    pub progress: f64,
    /// How much there is in all, if the server knows.
    pub total: Option<f64>,
    /// What is being done, bounded to 1,000 characters.
    pub message: Option<String>,
}

/// The schema of the stream's items, which reach the window over a channel.
pub fn schema(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Envelope>()
}
