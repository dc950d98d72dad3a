//! Messages between the running hall and other programs that use its data folder, in addition to
//! the commands of [`for_each_command`](crate::for_each_command).

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

/// Describes the running hall. Request: no fields. Response: [`RunningHall`].
pub const WHO: &str = "who";
/// Shows the window. Request: [`ShowWindow`]. Response: no fields. Fails if the hall has no window.
pub const SHOW_WINDOW: &str = "show_window";
/// Waits until no member is starting or stopping. Request and response: no fields.
pub const AT_REST: &str = "at_rest";

/// Lists all tools of a member in one response. Request: [`ListTools`]. Response: a list of
/// [`ListedTool`].
pub const LIST_TOOLS: &str = "list_tools";

/// Lists the programs that can connect to the gateway. Request: [`FromCaller`] of `EndpointRef`.
/// Response: `ClientConfigs`.
pub const EXPORT_LIST: &str = "export_list";
/// Previews the change of a program's file. Request: [`FromCaller`] of `ClientConfigRef`. Response:
/// `ClientConfigPreview`.
pub const EXPORT_PREVIEW: &str = "export_preview";
/// Writes the previewed change. Request: [`FromCaller`] of `WriteClientConfig`. Response:
/// `WrittenClientConfig`.
pub const EXPORT_WRITE: &str = "export_write";
/// Restores a program's file. Request: [`FromCaller`] of `UndoClientConfig`. Response:
/// `UndoneClientConfig`.
pub const EXPORT_UNDO: &str = "export_undo";
/// Lists the servers in programs' files. Request: [`FromCaller`] of no fields. Response:
/// `FoundServers`.
pub const FOUND_LIST: &str = "found_list";
/// Imports servers from programs' files as members. Request: [`FromCaller`] of `AdoptServers`.
/// Response: `Adopted`.
pub const FOUND_ADOPT: &str = "found_adopt";

/// Sends each new development round of a member as an event until the client disconnects or the
/// member is removed. Request: `MemberRef`. Response, once the member is removed: no fields.
pub const FOLLOW_DEV: &str = "follow_dev";

/// The hall that runs on a data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunningHall {
    /// The id of the hall's process.
    pub pid: u32,
    /// The kind of program that runs the hall.
    pub role: HallRole,
    /// The version of Guild Hall.
    pub version: String,
    /// The members' folder.
    pub members_dir: String,
    /// The gateway's address, while the gateway listens.
    pub gateway: Option<String>,
    /// Whether the hall is shutting down.
    pub closing: bool,
}

/// How often a hall reports that a request is still pending.
pub const ACKNOWLEDGED_EVERY: Duration = Duration::from_secs(5);

/// Maximum number of files in one request to show the window.
pub const OPENED_FILES_MAX: usize = 16;

/// The page or the files that the window opens.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ShowWindow {
    /// A link. It may be invalid: the program with the window reports the error.
    pub link: Option<String>,
    /// Absolute paths of files to open, [`OPENED_FILES_MAX`] at most.
    pub files: Vec<String>,
}

/// A request about the files of other programs. The calling program's environment may differ from
/// the hall's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FromCaller<R> {
    /// The folders with the files. `None` for the folders of the hall's own environment.
    pub folders: Option<CallerFolders>,
    /// How the gateway lists tools for the program. `None` for the endpoint's setting.
    pub listing: Option<Listing>,
    pub request: R,
}

/// Creates a request about the files in the hall's own environment.
impl<R> From<R> for FromCaller<R> {
    fn from(request: R) -> Self {
        Self {
            folders: None,
            listing: None,
            request,
        }
    }
}

/// The calling program's folders, in which other programs have their configuration files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallerFolders {
    pub home: PathBuf,
    /// The folder of configuration files.
    pub config: PathBuf,
    /// The value of `CLAUDE_CONFIG_DIR`, if set.
    pub claude: Option<PathBuf>,
    /// The value of `CODEX_HOME`, if set.
    pub codex: Option<PathBuf>,
}

/// A request for all tools of a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListTools {
    pub member: MemberName,
    /// Whether to include descriptions and input schemas.
    pub full: bool,
}

/// A tool as `guildhall tools` prints it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedTool {
    pub name: ToolName,
    /// The first sentence of the description. Empty if `full` contains the whole description.
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
    /// The whole description.
    pub description: String,
    /// The input schema, limited in size and not parsed.
    pub input_schema: Box<RawValue>,
}

/// A request to a running hall: one line of JSON. Several requests may be pending at once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ask<R> {
    /// An id chosen by the caller. The responses have the same id.
    pub id: u64,
    /// The command's name.
    pub command: String,
    /// Whether the hall sends [`ResponsePayload::Pending`] until it answers. Programs of earlier
    /// versions don't set this field.
    #[serde(default)]
    pub acknowledge: bool,
    /// The command's request.
    pub request: R,
}

/// A running hall's response to a request: one line of JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ControlResponse<R> {
    /// The id of the request.
    pub id: u64,
    /// The content.
    pub what: ResponsePayload<R>,
}

/// The content of a response. Each request is answered by any number of [`Pending`](Self::Pending)
/// and [`Event`](Self::Event) responses, and then by one [`Answer`](Self::Answer) or
/// [`Refusal`](Self::Refusal).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResponsePayload<R> {
    /// The hall received the request and is working on it. Sent at once, then every
    /// [`ACKNOWLEDGED_EVERY`], if [`Ask::acknowledge`] requests it.
    Pending,
    /// An event during the request: the progress of a call, a server's question that no user can
    /// answer, or a development round for [`FOLLOW_DEV`].
    Event(Box<Envelope>),
    /// The command's response.
    Answer(R),
    /// The reason for a failed request.
    Refusal(Report),
}
