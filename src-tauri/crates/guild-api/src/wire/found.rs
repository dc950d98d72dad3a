//! Servers in other programs' configuration files, and the results of importing them.
//!
//! Scanning only reads and never starts a server. Secrets are masked in every answer. A secret's
//! value goes from the file directly into the secret store and never crosses this interface.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::error::Report;
use guild_model::id::{FoundId, MemberName};

/// The most folders that a person can add to the scan.
pub const FOUND_FOLDERS_MAX: usize = 64;
/// The longest value that is given for an input, in bytes.
pub const FOUND_INPUT_MAX: usize = 16 * 1024;

/// Everything that was found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundServers {
    /// The servers, sorted by name; the same one in several files is one.
    pub servers: Vec<FoundServer>,
    /// The scanned files, including missing ones.
    pub files: Vec<FoundFile>,
    /// The project folders and workspace files that a person named, as they were named.
    pub folders: Vec<String>,
    /// How many of the servers are `new`.
    pub new: usize,
}

/// A server in one or more files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundServer {
    /// A digest of its whole command, secrets included: another command is another server.
    pub id: FoundId,
    /// Its name in the first of its places, at most 200 characters.
    pub name: String,
    /// A name for the member that is legal and free.
    pub suggested: MemberName,
    /// The command that it would run; `None` where that is unclear.
    pub launch: Option<FoundLaunch>,
    /// The same as a line for people, secrets masked; empty where it can't be made out.
    pub command_line: String,
    /// Its command as a container, where it runs one.
    pub container: Option<FoundContainer>,
    /// Its places, the user's own files first; never empty.
    pub places: Vec<FoundPlace>,
    /// Servers that have the same name and run something else.
    pub differs: Vec<FoundId>,
    /// Its state.
    pub state: FoundState,
    /// The inputs that it needs and the file lacks.
    pub inputs: Vec<FoundInput>,
    /// Names of tools that may be called without a question, by the file.
    pub auto_approve: Vec<String>,
    /// Whether it is switched off in all of its places.
    pub disabled: bool,
    /// The parts that a member would lack, and other oddities, a sentence each.
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
    /// A process.
    Command {
        /// The program, as a manifest would have it.
        command: String,
        /// Its arguments, secrets masked.
        args: Vec<String>,
        /// Its variables, sorted by name.
        env: Vec<FoundValue>,
        /// The folder that it would run in; `None` is the member's own.
        cwd: Option<String>,
    },
    /// A server that runs elsewhere.
    Url {
        /// Its address, secrets masked.
        url: String,
        /// The headers of each request, sorted by name.
        headers: Vec<FoundValue>,
    },
}

/// A command that runs a container (`docker run …`), in the form of a member. A container that such
/// a command started keeps running after its client is killed. Guild Hall removes the container of
/// a member with `container`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum FoundContainer {
    /// It is adopted as this container, unless the command is to be kept.
    Container {
        /// Its rights, part by part: `image`, `network`, `mount /data` and so on.
        parts: Vec<FoundValue>,
        /// The words behind the image, secrets masked.
        args: Vec<String>,
        /// Its variables, sorted by name.
        env: Vec<FoundValue>,
        /// Variables that the entry sets for the engine's program alone, which hands them to no
        /// container: the member has none of them.
        kept_outside: Vec<String>,
    },
    /// The answers to its questions decide whether it becomes a container.
    Open {
        /// The open points, each as the rest of a sentence.
        reasons: Vec<String>,
    },
    /// It stays a command.
    Command {
        /// The parts that `container` has no word for, each as the rest of a sentence.
        reasons: Vec<String>,
    },
}

/// A variable of the environment or a header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundValue {
    /// Its name.
    pub name: String,
    /// Its value, with [`MASK`](super::MASK) in the place of a secret.
    pub value: String,
    /// Whether it contains a secret, which is kept as a secret when the server is adopted.
    pub secret: bool,
}

/// One place of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundPlace {
    /// The word of the program whose file it is, e.g. `claude-code`.
    pub program: String,
    /// The program's name.
    pub title: String,
    /// The file.
    pub path: String,
    /// The line of the file, from 1.
    pub line: usize,
    /// Whom it is for.
    pub scope: FoundScope,
    /// The project's folder, where it is for one.
    pub folder: Option<String>,
    /// Its name there, at most 200 characters.
    pub name: String,
    /// Whether it is switched off there.
    pub disabled: bool,
}

/// Whom a server in a file is for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum FoundScope {
    /// The user, in every folder.
    User,
    /// The user, in one project; the file is the user's own.
    Local,
    /// The users of one project; the file is in the project's folder.
    Project,
    /// The users of one workspace of several folders.
    Workspace,
}

impl FoundScope {
    /// The scope in a word.
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
    /// No member runs it.
    New,
    /// A member runs the same.
    Adopted {
        /// The member.
        member: MemberName,
    },
    /// It is Guild Hall's own gateway.
    Gateway,
    /// It can't be made a member.
    Unusable {
        /// Why.
        report: Report,
    },
}

/// Something that a server needs and its file does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundInput {
    /// The id of the file's input, or `env:NAME`.
    pub id: String,
    /// Its description in the file; may be empty.
    pub description: String,
    /// Whether it is kept as a secret.
    pub secret: bool,
    /// Whether nothing can be adopted without it. A variable of the environment that has no value
    /// yet may get one later.
    pub required: bool,
    /// Its default value.
    pub default: Option<String>,
    /// Its allowed values; empty where every value is allowed.
    pub choices: Vec<String>,
}

/// A scanned file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundFile {
    /// The word of the program whose file it is.
    pub program: String,
    /// The program's name.
    pub title: String,
    /// The file.
    pub path: String,
    /// Whom it is for.
    pub scope: FoundScope,
    /// The project's folder, where it is for one.
    pub folder: Option<String>,
    /// Whether it is there.
    pub exists: bool,
    /// The number of its servers, Guild Hall's own left out.
    pub servers: usize,
    /// Why nothing, or not all, could be read of it; a mistake is named by its line.
    pub error: Option<Report>,
    /// Whether its program can switch to Guild Hall; `null` if Guild Hall doesn't write files of
    /// that kind.
    pub handing: Option<HandingOver>,
}

/// The switch of a program from the servers of one of its files to Guild Hall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HandingOver {
    /// The names of its servers that members run.
    pub adopted: Vec<String>,
    /// Whether the file names the gateway.
    pub connected: bool,
    /// Whether there is a backup to go back to.
    pub can_undo: bool,
    /// The next step after the file has changed.
    pub then: String,
}

/// A project folder, or a `.code-workspace` file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfFoundFolder {
    /// Its whole path.
    pub folder: String,
}

/// Servers to import. The sender has already shown a person the command of each one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdoptServers {
    /// The servers, at most 1,000.
    pub servers: Vec<AdoptServer>,
}

/// A server to be made a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdoptServer {
    /// The server.
    pub id: FoundId,
    /// The name of the new member.
    pub name: MemberName,
    /// The inputs that the file lacks.
    pub inputs: Vec<GivenInput>,
    /// Whether a command that runs a container stays a command.
    #[serde(default)]
    pub keep_command: bool,
}

/// The value of an input.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GivenInput {
    /// The input.
    pub id: String,
    /// Its value.
    pub value: String,
}

/// Says the id and never the value.
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
    /// Each server, in the order of the request.
    pub each: Vec<AdoptedServer>,
}

/// The result of importing one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdoptedServer {
    /// The server.
    pub id: FoundId,
    /// The result.
    pub end: AdoptionEnd,
}

/// How the adoption of one server ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum AdoptionEnd {
    /// It is a member.
    Member {
        /// The member.
        member: MemberName,
        /// Its folder.
        folder: String,
        /// The names of the secrets that were kept for it.
        secrets: Vec<String>,
        /// A warning about the place where they are kept.
        warning: Option<Report>,
    },
    /// It was not made a member, and nothing was written.
    Refused {
        /// Why.
        report: Report,
    },
}
