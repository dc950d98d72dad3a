//! The development loop of a server author: the watched files, a round per change, and the example
//! calls that serve as checks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ToolReview;
use guild_model::error::Report;
use guild_model::id::{CallId, MemberName, ToolName};

/// Maximum number of rounds that are remembered per member.
pub const DEV_ROUNDS_MAX: usize = 10;
/// Maximum number of files that one round names.
pub const DEV_FILES_MAX: usize = 20;
/// Maximum number of tools whose changes one round shows.
pub const DEV_TOOLS_MAX: usize = 50;

/// The development state of a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DevState {
    pub member: MemberName,
    /// The watched files. `None` if the manifest has no `dev`, or if this hall watches no files.
    pub watch: Option<DevWatch>,
    /// Why some or all files can't be watched.
    pub problem: Option<Report>,
    /// The calls in the manifest that serve as checks.
    pub examples: Vec<ExampleView>,
    /// The last rounds, the newest first.
    pub rounds: Vec<DevRound>,
}

/// The watched files of a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DevWatch {
    /// The patterns, relative to the member's folder. Empty for all files except hidden and
    /// generated ones, such as those in `node_modules`.
    pub patterns: Vec<String>,
    /// The build command that runs before each restart, if any.
    pub build: Option<String>,
    /// The number of matching files.
    pub files: usize,
    /// The number of watched folders.
    pub folders: usize,
}

/// A call that serves as a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExampleView {
    /// The example's name, unique in the member.
    pub name: String,
    /// The tool that is called.
    pub tool: ToolName,
    /// The arguments, as JSON text.
    pub arguments: String,
    /// The conditions that the result has to meet, in words.
    pub expects: Vec<String>,
}

/// One development round: the results of a change of the member's files, or of running its
/// examples.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DevRound {
    pub member: MemberName,
    /// The round's number, from 1. Starts at 1 again when Guild Hall is restarted.
    pub number: u32,
    /// When the round began.
    pub began_ms: u64,
    /// The duration in milliseconds, once the round has ended.
    pub took_ms: Option<u64>,
    pub step: DevStep,
    /// The changed files, relative to the member's folder. Empty if the user requested the round.
    pub files: Vec<String>,
    /// The number of changed files beyond `files`.
    pub more_files: usize,
    /// The result of the build command, if the member has a build command.
    pub build: Option<DevBuild>,
    /// Why the member did not start.
    pub error: Option<Report>,
    /// The changed tools, each with its former version.
    pub tools: Vec<ToolReview>,
    /// The number of changed tools beyond `tools`.
    pub more_tools: usize,
    /// The result of each example, in the manifest's order.
    pub examples: Vec<ExampleRun>,
}

/// The current step of a round, or its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DevStep {
    /// The build command runs.
    Building,
    /// The member is being restarted and lists its tools.
    Restarting,
    /// The examples run.
    Checking,
    /// Finished: the member runs, and no example failed.
    Passed,
    /// Finished: an example failed.
    ExamplesFailed,
    /// Finished: the build command failed, and the member keeps running unchanged.
    BuildFailed,
    /// Finished: the member did not start.
    StartFailed,
    /// Finished: the member stays stopped, because the user stopped it.
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
    /// The duration in milliseconds, once the build has ended.
    pub took_ms: Option<u64>,
    /// Why the build failed.
    pub error: Option<Report>,
    /// The last lines of the build's output, if the build failed. The member's log has all lines.
    pub output: Vec<String>,
}

/// The result of one example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExampleRun {
    pub name: String,
    /// The tool that was called.
    pub tool: ToolName,
    pub end: ExampleEnd,
    /// The duration of the call, in milliseconds.
    pub took_ms: u64,
    /// The differences from the expected result, at most 20.
    pub differences: Vec<ExampleDifference>,
}

/// The outcome of an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExampleEnd {
    /// The result is as expected.
    Passed,
    /// The result differs, or the call has no result.
    Failed,
    /// The tool was not called, because the files changed again or the user stopped the round.
    LeftOut,
}

/// A part of a result that differs from the expectation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExampleDifference {
    pub part: ExamplePart,
    /// The position inside the part that differs, as a JSON Pointer. Empty for the whole part.
    pub place: String,
    /// The expected value, at most 4,000 characters.
    pub expected: String,
    /// The actual value, at most 4,000 characters.
    pub got: String,
}

/// A part of a result that an example checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExamplePart {
    /// The existence of a result.
    Answer,
    /// The tool's report of a failure (`isError`).
    IsError,
    /// The text of the result.
    Text,
    /// The structured content of the result.
    Structured,
    /// The example's schema for the structured content.
    Schema,
    /// The tool's own output schema.
    OutputSchema,
}

/// A request to run the examples of a member. `cancel_call` cancels it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunExamples {
    /// The run's id, chosen by the caller.
    pub call: CallId,
    pub member: MemberName,
    /// The names of the examples to run. `None` for all.
    pub names: Option<Vec<String>>,
}
