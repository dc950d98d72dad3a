//! Servers in other programs' configuration files, and the results of importing them.
//!
//! Scanning only reads and never starts a server. Secrets are masked in every answer. A secret's
//! value goes from the file directly into the secret store and never crosses this interface.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::error::Report;
use guild_model::id::{FoundId, MemberName};

/// Maximum number of folders that the user can add to the scan.
pub const FOUND_FOLDERS_MAX: usize = 64;
/// Maximum length of an input's value, in bytes.
pub const FOUND_INPUT_MAX: usize = 16 * 1024;

/// The result of a scan.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundServers {
    /// The servers, sorted by name. A server in several files appears once.
    pub servers: Vec<FoundServer>,
    /// The scanned files, including missing ones.
    pub files: Vec<FoundFile>,
    /// The project folders and workspace files that the user added, unchanged.
    pub folders: Vec<String>,
    /// The number of servers in the state `new`.
    pub new: usize,
}

/// A server in one or more files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundServer {
    /// A digest of the whole command, including secrets. Servers with different commands have
    /// different digests.
    pub id: FoundId,
    /// The server's name in the first of the `places`, at most 200 characters.
    pub name: String,
    /// A valid and unused name for the member.
    pub suggested: MemberName,
    /// The command that a member would run. `None` if it can't be determined.
    pub launch: Option<FoundLaunch>,
    /// The command as one line for display, with masked secrets. Empty if it can't be determined.
    pub command_line: String,
    /// The container that the command runs, if there is one.
    pub container: Option<FoundContainer>,
    /// The file entries that define the server, the user's own files first. Never empty.
    pub places: Vec<FoundPlace>,
    /// The ids of servers with the same name and another command.
    pub differs: Vec<FoundId>,
    pub state: FoundState,
    /// The inputs that the server needs and the file does not contain.
    pub inputs: Vec<FoundInput>,
    /// The tools that the file allows agents to call without approval.
    pub auto_approve: Vec<String>,
    /// Whether every file entry disables the server.
    pub disabled: bool,
    /// Parts that a member would lack, and other remarks, one sentence each.
    pub notes: Vec<String>,
}

/// The command or address of a found server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum FoundLaunch {
    /// A command that starts a process.
    Command {
        /// The program, as a manifest would name it.
        command: String,
        /// The program's arguments, with masked secrets.
        args: Vec<String>,
        /// The environment variables, sorted by name.
        env: Vec<FoundValue>,
        /// The working directory. `None` for the member's own folder.
        cwd: Option<String>,
    },
    /// A remote server.
    Url {
        /// The server's URL, with masked secrets.
        url: String,
        /// The headers of each request, sorted by name.
        headers: Vec<FoundValue>,
    },
}

/// How a member would run a found command that starts a container, such as `docker run …`. If the
/// member runs the command itself, the container keeps running when the `docker` process is killed.
/// If the member's manifest has a `container` instead, Guild Hall removes the container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum FoundContainer {
    /// The import creates a member with this container, unless the user keeps the command.
    Container {
        /// The image and the permissions, one per entry: `image`, `network`, `mount /data` and so
        /// on.
        parts: Vec<FoundValue>,
        /// The arguments after the image, with masked secrets.
        args: Vec<String>,
        /// The environment variables, sorted by name.
        env: Vec<FoundValue>,
        /// Variables that the file entry sets only for the container engine, not in the container.
        /// The member has none of them.
        kept_outside: Vec<String>,
    },
    /// The values of the inputs decide whether the member becomes a container.
    Open {
        /// The options whose values decide it, each as the end of a sentence.
        reasons: Vec<String>,
    },
    /// The member runs the command.
    Command {
        /// The options that `container` can't express, each as the end of a sentence.
        reasons: Vec<String>,
    },
}

/// A variable of the environment or a header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundValue {
    pub name: String,
    /// The value, with [`MASK`](super::MASK) instead of a secret.
    pub value: String,
    /// Whether the value contains a secret. The import saves that secret in the secret store.
    pub secret: bool,
}

/// One file entry that defines a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundPlace {
    /// The identifier of the program that owns the file, such as `claude-code`.
    pub program: String,
    /// The program's name.
    pub title: String,
    pub path: String,
    /// The line in the file, from 1.
    pub line: usize,
    /// The users and folders that the entry applies to.
    pub scope: FoundScope,
    /// The project's folder, for an entry of a project.
    pub folder: Option<String>,
    /// The server's name in the file, at most 200 characters.
    pub name: String,
    /// Whether the entry disables the server.
    pub disabled: bool,
}

/// The users and folders that a server in a file applies to.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum FoundScope {
    /// The user, in all folders.
    User,
    /// The user, in one project. The file is the user's own.
    Local,
    /// The users of one project. The file is in the project's folder.
    Project,
    /// The users of one multi-folder workspace.
    Workspace,
}

impl FoundScope {
    /// Returns the scope as one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Local => "local",
            Self::Project => "project",
            Self::Workspace => "workspace",
        }
    }
}

/// The state of a found server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum FoundState {
    /// No member runs this server.
    New,
    /// A member already runs this server.
    Adopted { member: MemberName },
    /// The server is Guild Hall's own gateway.
    Gateway,
    /// The server can't be imported.
    Unusable {
        /// The reason.
        report: Report,
    },
}

/// A value that a server needs and its file does not contain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundInput {
    /// The id of the file's input, or `env:NAME`.
    pub id: String,
    /// The description in the file. May be empty.
    pub description: String,
    /// Whether Guild Hall saves the value in the secret store.
    pub secret: bool,
    /// Whether the import requires a value. A variable that is not required can get its value after
    /// the import.
    pub required: bool,
    /// The default value.
    pub default: Option<String>,
    /// The allowed values. Empty if every value is allowed.
    pub choices: Vec<String>,
}

/// A scanned file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundFile {
    /// The identifier of the program that owns the file.
    pub program: String,
    /// The program's name.
    pub title: String,
    pub path: String,
    /// The users and folders that the file applies to.
    pub scope: FoundScope,
    /// The project's folder, for a project's file.
    pub folder: Option<String>,
    /// Whether the file exists.
    pub exists: bool,
    /// The number of servers in the file, without Guild Hall's gateway.
    pub servers: usize,
    /// Why the file was not read, or only in part. Contains the line of a syntax error.
    pub error: Option<Report>,
    /// The state of the program's switch to Guild Hall's gateway. `null` if Guild Hall doesn't
    /// write such files.
    pub handing: Option<HandingOver>,
}

/// The state of a program's switch from the servers in one of its files to Guild Hall's gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HandingOver {
    /// The names of the file's servers that members already run.
    pub adopted: Vec<String>,
    /// Whether the file connects the program to the gateway.
    pub connected: bool,
    /// Whether a backup of the file can be restored.
    pub can_undo: bool,
    /// The user's next step after the file has changed.
    pub then: String,
}

/// A request about a project folder or a `.code-workspace` file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScanFolderRef {
    /// The absolute path of the folder or file.
    pub folder: String,
}

/// Servers to import. The sender has already shown the user the command of each server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdoptServers {
    /// The servers, at most 1,000.
    pub servers: Vec<AdoptServer>,
}

/// A server to import as a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdoptServer {
    pub id: FoundId,
    /// The name of the new member.
    pub name: MemberName,
    /// Values for inputs that the file does not contain.
    pub inputs: Vec<GivenInput>,
    /// Whether the member runs the command instead of the equivalent `container`.
    #[serde(default)]
    pub keep_command: bool,
}

/// The value of an input.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GivenInput {
    pub id: String,
    pub value: String,
}

/// Omits the value, because it may be a secret.
impl fmt::Debug for GivenInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GivenInput")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// The results of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Adopted {
    /// One result per server, in the order of the request.
    pub each: Vec<AdoptedServer>,
}

/// The result of importing one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdoptedServer {
    pub id: FoundId,
    pub end: AdoptionEnd,
}

/// How the import of one server ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum AdoptionEnd {
    /// The server is a member now.
    Member {
        member: MemberName,
        folder: String,
        /// The names of the secrets that were saved for the member.
        secrets: Vec<String>,
        /// A warning about the place where the secrets are saved.
        warning: Option<Report>,
    },
    /// The import failed, and nothing was written.
    Refused {
        /// The reason.
        report: Report,
    },
}
