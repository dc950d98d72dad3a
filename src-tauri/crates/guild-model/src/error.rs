//! The errors that the user, the command line and the window get.
//!
//! Each crate has its own error enum with `code()`; at the engine's boundary it becomes a
//! [`Report`]. A code exists only if a caller or a user acts on it, and each has a section in
//! `docs/errors.md` (a test compares the two).

mod explained;
#[cfg(test)]
mod tests;

use std::fmt;

use miette::Diagnostic;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::MemberName;

pub use self::explained::{Explained, explained};

/// The kinds of failure that callers distinguish (REQ-MCP-HTTP-29, -41 to -44).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// The request itself can't be carried out: bad arguments, a manifest that is wrong.
    Usage,
    /// The member's process or connection: not found, ended, refused, past a time limit.
    Transport,
    /// An answer came, and it is a JSON-RPC error or no valid MCP.
    Protocol,
    /// No member or tool has that name.
    Unknown,
    /// A file of Guild Hall's own could not be read or written.
    Storage,
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $text:literal, $failure:ident;)+) => {
        /// A stable name for each cause that a user or program can act on.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum Code {
            $($(#[doc = $doc])+ #[serde(rename = $text)] $variant,)+
        }

        impl Code {
            /// All codes, in the order of `docs/errors.md`.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)+];

            /// The code's canonical spelling.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $text,)+ }
            }

            /// Which kind of failure it is.
            pub fn failure(self) -> Failure {
                match self { $(Code::$variant => Failure::$failure,)+ }
            }
        }
    };
}

codes! {
    /// The members' folder can't be read.
    MembersFolderUnreadable = "members-folder-unreadable", Storage;
    /// A member's folder has no `plugin.json`.
    ManifestMissing = "manifest-missing", Usage;
    /// `plugin.json` can't be read, or is not a regular file.
    ManifestUnreadable = "manifest-unreadable", Storage;
    /// `plugin.json` is larger than a manifest may be.
    ManifestTooLarge = "manifest-too-large", Usage;
    /// `plugin.json` is not JSON.
    ManifestNotJson = "manifest-not-json", Usage;
    /// A field of `plugin.json` is missing or has a value that is not allowed.
    ManifestField = "manifest-field", Usage;
    /// `plugin.json` has changed since it was opened for editing.
    ManifestChanged = "manifest-changed", Usage;
    /// Two folders give the same member name.
    DuplicateName = "duplicate-name", Usage;
    /// The folder is a link that leads nowhere, round in a circle, or back to the members' folder.
    FolderUnsafe = "folder-unsafe", Usage;
    /// A `${env:NAME}` or `${secret:NAME}` of the manifest has no value.
    VariableMissing = "variable-missing", Usage;
    /// A `${secret:NAME}` of the manifest has no value.
    SecretMissing = "secret-missing", Usage;
    /// The keychain did not answer in time, is locked, or refused.
    KeychainUnanswered = "keychain-unanswered", Storage;
    /// A secret's name or value can't be stored.
    SecretRefused = "secret-refused", Usage;
    /// The file of the secrets can't be read or written, or others may read it.
    SecretsUnsafe = "secrets-unsafe", Storage;
    /// The command is nowhere on the PATH, or no such file.
    CommandNotFound = "command-not-found", Transport;
    /// The command is there and may not be executed.
    CommandNotExecutable = "command-not-executable", Transport;
    /// The operating system refused to start the process.
    SpawnFailed = "spawn-failed", Transport;
    /// The container engine is there and does not work: its daemon is down, or refuses this user.
    EngineUnreachable = "engine-unreachable", Transport;
    /// A container's image is not there, and could not or may not be fetched.
    ImageUnavailable = "image-unavailable", Transport;
    /// A container's mount is not there, or would give away the machine.
    MountRefused = "mount-refused", Usage;
    /// All ports from 20000 to 30000 are taken.
    PortsExhausted = "ports-exhausted", Transport;
    /// The member lost its port to another program several times in a row.
    PortLost = "port-lost", Transport;
    /// Another process than the member's own answers on its port.
    PortHeld = "port-held", Transport;
    /// The member can be reached from other machines: it listens on all addresses.
    PortExposed = "port-exposed", Transport;
    /// The member did not open its port, or did not answer, within the start limit.
    StartTimeout = "start-timeout", Transport;
    /// The port is open, and the handshake was not done within its limit.
    HandshakeTimeout = "handshake-timeout", Transport;
    /// The member answered the handshake with an error or with something else than MCP.
    HandshakeFailed = "handshake-failed", Protocol;
    /// The process ended without a request to stop.
    MemberExited = "member-exited", Transport;
    /// The process ended again and again; nothing is tried until someone acts.
    CrashLoop = "crash-loop", Transport;
    /// No connection to the member, or it broke.
    ConnectionFailed = "connection-failed", Transport;
    /// An HTTP status that does not answer the request.
    HttpStatus = "http-status", Protocol;
    /// The server requires a sign-in, or more permissions than were granted.
    SignInNeeded = "sign-in-needed", Usage;
    /// The sign-in failed: the authorization server can't be found or used, or it refused.
    SignInFailed = "sign-in-failed", Protocol;
    /// No sign-in of that member is under way, or the member is none that anybody signs in to.
    SignInUnknown = "sign-in-unknown", Unknown;
    /// The answer is not MCP: HTML, cut-off JSON, the wrong shape.
    AnswerMalformed = "answer-malformed", Protocol;
    /// The answer is larger than may be read.
    AnswerTooLarge = "answer-too-large", Protocol;
    /// The member answered with a JSON-RPC error.
    RpcError = "rpc-error", Protocol;
    /// The tool list could not be read; the last known one is kept.
    ListFailed = "list-failed", Protocol;
    /// A call went past its time limit and was cancelled.
    CallTimeout = "call-timeout", Transport;
    /// The caller cancelled the call.
    CallCancelled = "call-cancelled", Transport;
    /// The member ended while the call ran; the call is not repeated.
    CallInterrupted = "call-interrupted", Transport;
    /// No member of that name.
    MemberUnknown = "member-unknown", Unknown;
    /// The trash has no such member.
    RemovalUnknown = "removal-unknown", Unknown;
    /// The member has no tool of that name.
    ToolUnknown = "tool-unknown", Unknown;
    /// The tool was found in what the server wrote, and the server has not confirmed it.
    ToolUnconfirmed = "tool-unconfirmed", Usage;
    /// `config.yml` can't be used.
    DiscoverySettings = "discovery-settings", Usage;
    /// Asking a model for tools is switched off, or no model is named.
    PredictionOff = "prediction-off", Usage;
    /// A model is not asked about this member, or not before the other ways were tried.
    PredictionRefused = "prediction-refused", Usage;
    /// The model was asked, and returned no usable answer.
    PredictionFailed = "prediction-failed", Transport;
    /// The embeddings endpoint was asked, and gave no vectors that could be used.
    EmbeddingsFailed = "embeddings-failed", Transport;
    /// The build of a member's server failed, or took too long.
    BuildFailed = "build-failed", Usage;
    /// A member's files can't be watched, or not all of them.
    DevUnwatched = "dev-unwatched", Storage;
    /// The member's manifest does not say that its files are watched.
    DevOff = "dev-off", Usage;
    /// The member has no example of that name.
    ExampleUnknown = "example-unknown", Unknown;
    /// The member is disabled in plugin.json.
    MemberDisabled = "member-disabled", Usage;
    /// The member comes from elsewhere, and its launch command is not accepted yet.
    MemberUnreviewed = "member-unreviewed", Usage;
    /// The tool is not as it was accepted, or is new, and agents do not get it.
    ToolHeld = "tool-held", Usage;
    /// The version to be accepted is not the current one.
    ReviewOutdated = "review-outdated", Usage;
    /// A file of what was accepted is unreadable or malformed.
    ReviewsUnreadable = "reviews-unreadable", Storage;
    /// The arguments are not a JSON object, or can't be sent as typed.
    ArgumentsNotJson = "arguments-not-json", Usage;
    /// The arguments do not fit the tool's input schema.
    ArgumentsInvalid = "arguments-invalid", Usage;
    /// More calls at once than a member may have.
    TooManyCalls = "too-many-calls", Usage;
    /// The question of a server waits for no answer any more.
    ElicitationEnded = "elicitation-ended", Unknown;
    /// A server's question could not be shown to a person, and the server got an error.
    ElicitationUnanswered = "elicitation-unanswered", Usage;
    /// `tools-cache.json` is unreadable, malformed or too large, and was ignored.
    CacheUnreadable = "cache-unreadable", Storage;
    /// `tools-cache.json` could not be written.
    CacheUnwritable = "cache-unwritable", Storage;
    /// Guild Hall's own data folder can't be read or written.
    DataUnwritable = "data-unwritable", Storage;
    /// `settings.json` can't be used, or a field of it.
    SettingsUnusable = "settings-unusable", Usage;
    /// No setting of that name.
    SettingUnknown = "setting-unknown", Unknown;
    /// A setting can't have that value.
    SettingRefused = "setting-refused", Usage;
    /// Another program changed a settings file in the same moment, or since it was shown.
    SettingsChanged = "settings-changed", Usage;
    /// A file that the user asked for could not be written.
    FileUnwritable = "file-unwritable", Storage;
    /// The history's database is damaged, or its path holds something else.
    HistoryUnreadable = "history-unreadable", Storage;
    /// The history's database was made by a newer version of Guild Hall.
    HistoryNewer = "history-newer", Storage;
    /// Another program holds the history's database, or it did not answer in time.
    HistoryBusy = "history-busy", Storage;
    /// The disk has no room for the history.
    HistoryFull = "history-full", Storage;
    /// Calls come faster than the history can write them down.
    HistoryBehind = "history-behind", Storage;
    /// No entry or saved call of that id: it was removed.
    HistoryEntryUnknown = "history-entry-unknown", Unknown;
    /// A saved call's name is empty, too long, or taken.
    SavedNameRefused = "saved-name-refused", Usage;
    /// A history record is larger than the limit for its kind.
    HistoryTooLarge = "history-too-large", Usage;
    /// A file of the logs could not be read or written.
    LogUnwritable = "log-unwritable", Storage;
    /// Another program listens on the gateway's port.
    GatewayPortTaken = "gateway-port-taken", Transport;
    /// The gateway could not listen for another reason.
    GatewayFailed = "gateway-failed", Transport;
    /// `gateway.json` can't be used.
    GatewaySettings = "gateway-settings", Usage;
    /// No client of that id: its token was revoked.
    ClientUnknown = "client-unknown", Unknown;
    /// No profile of that name.
    ProfileUnknown = "profile-unknown", Unknown;
    /// A profile that can't be stored.
    ProfileRefused = "profile-refused", Usage;
    /// Agents may not call this tool.
    ToolDenied = "tool-denied", Usage;
    /// A server says something else of its tools, and by the rules agents may do more with them.
    HintsLoosened = "hints-loosened", Usage;
    /// Agents don't get this tool: two would have the same name.
    ToolNameTaken = "tool-name-taken", Usage;
    /// A person has to allow the call, and none did.
    ApprovalMissing = "approval-missing", Usage;
    /// An agent's call waits for no decision any more.
    ApprovalEnded = "approval-ended", Unknown;
    /// Guild Hall does not know where that program keeps its configuration.
    ProgramUnknown = "program-unknown", Unknown;
    /// A program's configuration file can't be changed safely, and was not touched.
    ClientConfigRefused = "client-config-refused", Usage;
    /// A program's configuration file is not what it was when the change was shown or made.
    ClientConfigChanged = "client-config-changed", Usage;
    /// A program's configuration file can't be read, or not all of it.
    ClientConfigUnreadable = "client-config-unreadable", Usage;
    /// No such project folder or workspace file, or the limit of scanned ones is reached.
    ProjectUnknown = "project-unknown", Unknown;
    /// No program's file has a server of that id any more: its command was changed.
    FoundServerUnknown = "found-server-unknown", Unknown;
    /// A server in a program's file can't be made a member.
    FoundServerUnusable = "found-server-unusable", Usage;
    /// The imported text has no server, or can't be read.
    SnippetUnreadable = "snippet-unreadable", Usage;
    /// A server can't be adopted so: its name is taken, or something is missing.
    AdoptionRefused = "adoption-refused", Usage;
    /// An MCPB bundle can't be used: not a bundle, unsafe, or changed since it was inspected.
    McpbUnusable = "mcpb-unusable", Usage;
    /// The name of a registry is neither a whole path nor an address that may be read.
    RegistrySourceRefused = "registry-source-refused", Usage;
    /// A registry, or a file in its format, could not be read, and no earlier answer is kept.
    RegistryUnread = "registry-unread", Transport;
    /// The registry does not list such a server, or no longer as it was shown.
    RegistryUnknown = "registry-unknown", Unknown;
    /// A link leads to no place in the window.
    LinkInvalid = "link-invalid", Usage;
    /// The desktop has no tray that the icon could be in.
    TrayMissing = "tray-missing", Transport;
    /// The shortcut can't be had: another program has it, or the desktop gives none away.
    ShortcutUnavailable = "shortcut-unavailable", Transport;
    /// The desktop shows no notifications of other programs.
    NotificationsMissing = "notifications-missing", Transport;
    /// The start at login could not be set up or taken back.
    LoginItem = "login-item", Storage;
    /// The system could not open a folder, a file, a terminal or an address.
    NotOpened = "not-opened", Transport;
    /// The update information can't be read, or no such version could be fetched.
    UpdateUnread = "update-unread", Transport;
    /// A newer version is not signed as it must be, or is not the one it claims to be.
    UpdateRefused = "update-refused", Usage;
    /// This program can't be replaced by a newer version of itself.
    UpdateUnplaced = "update-unplaced", Storage;
    /// Another program of Guild Hall runs on this data folder.
    HallRuns = "hall-runs", Usage;
    /// Another program of Guild Hall holds this data folder, and does not answer.
    HallUnreachable = "hall-unreachable", Transport;
    /// No program of Guild Hall runs on this data folder.
    HallNotRunning = "hall-not-running", Usage;
    /// A member's process asks for something that only a person may decide.
    MemberRequest = "member-request", Usage;
    /// The data folder belongs to another user.
    DataOfAnother = "data-of-another", Storage;
    /// The hall is closing, and starts nothing any more.
    ShuttingDown = "shutting-down", Usage;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error for display: the event, the member or tool concerned, and the next step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The stable name of the cause.
    pub code: Code,
    /// The event, as one or a few sentences.
    pub message: String,
    /// The next step; empty if there is none.
    pub hint: String,
    /// The member that it happened to.
    pub member: Option<MemberName>,
}

impl Report {
    /// A report of an error, that names no member yet.
    pub fn from_error(code: Code, error: &impl Diagnostic) -> Self {
        let hint = error.help().map(|hint| hint.to_string());
        Self::new(code, error.to_string(), hint.unwrap_or_default())
    }

    /// A report that names no member yet.
    pub fn new(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            hint: hint.into(),
            member: None,
        }
    }

    /// The same with something else to do next.
    #[must_use]
    pub fn advising(&self, next: &impl ToString) -> Self {
        Self {
            hint: next.to_string(),
            ..self.clone()
        }
    }

    /// The message and the hint.
    pub fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        [&mut self.message, &mut self.hint].into_iter()
    }

    /// The same report with the member's name.
    #[must_use]
    pub fn of(mut self, member: &MemberName) -> Self {
        self.member = Some(member.clone());
        self
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(member) = &self.member {
            write!(f, "{member}: ")?;
        }
        write!(f, "{} [{}]", self.message, self.code)?;
        if !self.hint.is_empty() {
            write!(f, "\nhint: {}", self.hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for Report {}
