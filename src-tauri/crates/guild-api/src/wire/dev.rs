//! The development loop of a server author: the watched files, the results of each change, and the
//! example calls that serve as checks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ToolReview;
use guild_model::error::Report;
use guild_model::id::{CallId, MemberName, ToolName};

/// The most rounds that are remembered of a member.
pub const DEV_ROUNDS_MAX: usize = 10;
/// The most files that one round names.
pub const DEV_FILES_MAX: usize = 20;
/// The most tools that one round shows part by part.
pub const DEV_TOOLS_MAX: usize = 50;

/// The development state of a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DevState {
    /// The member.
    pub member: MemberName,
    /// The watched files; `None` if the manifest has no `dev`, or this hall watches nothing.
    pub watch: Option<DevWatch>,
    /// Why some or all of its files can't be watched.
    pub problem: Option<Report>,
    /// The calls in its manifest that serve as checks.
    pub examples: Vec<ExampleView>,
    /// The results of the last changes, the newest first.
    pub rounds: Vec<DevRound>,
}

/// The watched files of a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DevWatch {
    /// The patterns, relative to the member's folder; empty for all files that people write.
    pub patterns: Vec<String>,
    /// The command that is run before each restart.
    pub build: Option<String>,
    /// The number of matching files.
    pub files: usize,
    /// How many folders are watched.
    pub folders: usize,
}

/// A call that serves as a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExampleView {
    /// Its name, unique in its member.
    pub name: String,
    /// The tool that is called.
    pub tool: ToolName,
    /// The arguments, as JSON text.
    pub arguments: String,
    /// The expectation, in words.
    pub expects: Vec<String>,
}

/// The result of one change of a member's files, or of running its examples.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DevRound {
    /// The member.
    pub member: MemberName,
    /// Its number, from 1, as long as the hall runs.
    pub number: u32,
    /// When it began.
    pub began_ms: u64,
    /// How long it took, once it is over.
    pub took_ms: Option<u64>,
    /// The current step.
    pub step: DevStep,
    /// The changed files, relative to the member's folder; none where a person requested the round.
    pub files: Vec<String>,
    /// The number of changed files beyond `files`.
    pub more_files: usize,
    /// The build command's result, if the member has one.
    pub build: Option<DevBuild>,
    /// Why the member did not come up.
    pub error: Option<Report>,
    /// The changed tools, each beside its former version.
    pub tools: Vec<ToolReview>,
    /// The number of changed tools beyond `tools`.
    pub more_tools: usize,
    /// The result of each example, in the manifest's order.
    pub examples: Vec<ExampleRun>,
}

/// A step of a round, and its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DevStep {
    /// The build command runs.
    Building,
    /// The member is being restarted and lists its tools.
    Restarting,
    /// The examples run.
    Checking,
    /// Finished: the member is up, and no example failed.
    Passed,
    /// Finished: an example failed.
    ExamplesFailed,
    /// Finished: the build command failed, and the member keeps running unchanged.
    BuildFailed,
    /// Finished: the member did not come up.
    StartFailed,
    /// Finished: a person has stopped the member, and it stays stopped.
    NotRunning,
    /// Finished: the round was canceled.
    BrokenOff,
}

impl DevStep {
    /// Whether the round has ended.
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Building | Self::Restarting | Self::Checking)
    }
}

/// The result of the build command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DevBuild {
    /// How long it took, once it is over.
    pub took_ms: Option<u64>,
    /// Why it failed.
    pub error: Option<Report>,
    /// The last lines of its output, if it failed; the member's log has all of them.
    pub output: Vec<String>,
}

/// The result of one example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExampleRun {
    /// The example.
    pub name: String,
    /// The tool that was called.
    pub tool: ToolName,
    /// The outcome.
    pub end: ExampleEnd,
    /// How long its call took.
    pub took_ms: u64,
    /// The differences from the expected result; at most 20.
    pub differences: Vec<ExampleDifference>,
}

/// The outcome of an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExampleEnd {
    /// The result is as expected.
    Passed,
    /// The result differs, or there is none.
    Failed,
    /// Not called: the files changed again, or a person stopped the round.
    LeftOut,
}

/// A part of a result that differs from the expectation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExampleDifference {
    /// The part.
    pub part: ExamplePart,
    /// Where in it, as a JSON Pointer; empty for all of it.
    pub place: String,
    /// The expected value, bounded to 4,000 characters.
    pub expected: String,
    /// The actual value, bounded to 4,000 characters.
    pub got: String,
}

/// A part of a result that an example makes a statement about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExamplePart {
    /// Whether there is a result at all.
    Answer,
    /// Whether the tool reports a failure.
    IsError,
    /// Its text.
    Text,
    /// Its structured content.
    Structured,
    /// The schema that its structured content has to fit.
    Schema,
    /// The tool's own output schema.
    OutputSchema,
}

/// Runs the examples of a member; `cancel_call` cancels it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunExamples {
    /// The run's id, chosen by the caller.
    pub call: CallId,
    /// The member.
    pub member: MemberName,
    /// Only the examples of these names; `None` for all.
    pub names: Option<Vec<String>>,
}
