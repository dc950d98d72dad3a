//! Messages between programs on one data folder and the hall that runs there, in addition to the
//! commands of the table.

use guild_model::holder::HallRole;
use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::event::Envelope;
use guild_model::endpoint::Listing;
use guild_model::error::Report;
use guild_model::id::{MemberName, ToolName};
use guild_model::status::Freshness;
use guild_model::tool::Provenance;

/// Says who runs: no fields -> [`RunningHall`].
pub const WHO: &str = "who";
/// Brings the window up: [`ShowWindow`] -> no fields. Refused where there is none.
pub const SHOW_WINDOW: &str = "show_window";
/// Answers once no member is being started or stopped: no fields -> no fields.
pub const AT_REST: &str = "at_rest";

/// Lists all tools of a member in one answer: [`ListTools`] -> a list of [`ListedTool`].
pub const LIST_TOOLS: &str = "list_tools";

/// Lists the programs whose files can name the gateway: [`FromCaller`] of `OfEndpoint` ->
/// `ClientConfigs`.
pub const EXPORT_LIST: &str = "export_list";
/// Shows what would be written into a program's file: [`FromCaller`] of `OfClientConfig` ->
/// `ClientConfigPreview`.
pub const EXPORT_PREVIEW: &str = "export_preview";
/// Writes it: [`FromCaller`] of `WriteClientConfig` -> `WrittenClientConfig`.
pub const EXPORT_WRITE: &str = "export_write";
/// Restores a program's file: [`FromCaller`] of `UndoClientConfig` -> `WrittenClientConfig`.
pub const EXPORT_UNDO: &str = "export_undo";
/// Lists the servers in programs' files: [`FromCaller`] of no fields -> `FoundServers`.
pub const FOUND_LIST: &str = "found_list";
/// Makes members of such servers: [`FromCaller`] of `AdoptServers` -> `Adopted`.
pub const FOUND_ADOPT: &str = "found_adopt";

/// Sends each further round of a member in development until the client disconnects: `OfMember` ->
/// no fields, once the member is removed.
pub const FOLLOW_DEV: &str = "follow_dev";

/// The hall that runs on a data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunningHall {
    /// Its process.
    pub pid: u32,
    /// The kind of program that runs it.
    pub role: HallRole,
    /// Guild Hall's version.
    pub version: String,
    /// Its folder of members.
    pub members_dir: String,
    /// The gateway's address, while it is open.
    pub gateway: Option<String>,
    /// Whether it is about to end.
    pub closing: bool,
}

/// How often a hall reports that a request is still pending.
pub const ACKNOWLEDGED_EVERY: Duration = Duration::from_secs(5);

/// The most files that a window is opened with.
pub const OPENED_FILES_MAX: usize = 16;

/// The place that the window shows when it comes up.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ShowWindow {
    /// A link, valid or not: the program with the window reports what is wrong with it.
    pub link: Option<String>,
    /// Full paths of files to open, [`OPENED_FILES_MAX`] at most.
    pub files: Vec<String>,
}

/// A request about the files of other programs. The calling program's environment may differ from
/// the hall's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FromCaller<R> {
    /// The folders with the files; `None` for those that the hall itself sees.
    pub folders: Option<CallerFolders>,
    /// How the gateway lists tools for the program; `None` for the endpoint's setting.
    pub listing: Option<Listing>,
    /// The request.
    pub request: R,
}

/// A request about the files that the hall itself sees.
impl<R> From<R> for FromCaller<R> {
    fn from(request: R) -> Self {
        Self {
            folders: None,
            listing: None,
            request,
        }
    }
}

/// The folders of the caller that the files of programs are in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallerFolders {
    /// The home folder.
    pub home: PathBuf,
    /// The folder of configuration files.
    pub config: PathBuf,
    /// The folder that `CLAUDE_CONFIG_DIR` names.
    pub claude: Option<PathBuf>,
    /// The folder that `CODEX_HOME` names.
    pub codex: Option<PathBuf>,
}

/// Which tools are listed, and how much of each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListTools {
    /// The member.
    pub member: MemberName,
    /// Whether the descriptions and the input schemas are included.
    pub full: bool,
}

/// A tool as `guildhall tools` prints it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedTool {
    /// The name.
    pub name: ToolName,
    /// The first sentence of the description; empty if `full` has the whole description.
    pub summary: String,
    /// How fresh the list is.
    pub freshness: Freshness,
    /// How the tool was found.
    pub provenance: Provenance,
    /// The description and the input schema, if requested.
    pub full: Option<ListedInFull>,
}

/// The parts of a listed tool that may be large.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedInFull {
    /// The description.
    pub description: String,
    /// The input schema, limited in size and not parsed.
    pub input_schema: Box<RawValue>,
}

/// A request to a running hall: one line of JSON. Several may be under way at once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ask<R> {
    /// An id that the caller chose; the answers carry the same.
    pub id: u64,
    /// The command's name.
    pub command: String,
    /// Whether the hall sends [`ResponsePayload::Pending`] until it answers. Programs of an earlier version
    /// don't ask for it.
    #[serde(default)]
    pub acknowledge: bool,
    /// The command's request.
    pub request: R,
}

/// A line of JSON with which a running hall answers a request.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ControlResponse<R> {
    /// The request's.
    pub id: u64,
    /// The content.
    pub what: ResponsePayload<R>,
}

/// A running hall's response to a request: any number of events and acknowledgments, then an answer
/// or a refusal.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResponsePayload<R> {
    /// The hall received the request and is working on it. Sent at once, then every
    /// [`ACKNOWLEDGED_EVERY`], if [`Ask::acknowledge`] requests it.
    Pending,
    /// An event during a call: its progress, or a question that no one answers.
    Event(Box<Envelope>),
    /// The command's response.
    Answer(R),
    /// The reason for a failed request.
    Refusal(Report),
}
