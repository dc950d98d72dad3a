//! Errors that the user, the command line and the window receive.
//!
//! Each crate has its own error enum with `code()`. At the engine's boundary, an error becomes a
//! [`Report`]. A code exists only if a caller or a user acts on it. Each code has a section in
//! `docs/errors.md`, which a test checks.

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
    /// The request itself can't be carried out, for example because of bad arguments or an invalid
    /// manifest.
    Usage,
    /// The member's process or connection failed: not found, ended, refused, or too slow.
    Transport,
    /// The response is a JSON-RPC error, or not valid MCP.
    Protocol,
    /// No such member, tool or other item exists.
    Unknown,
    /// A file of Guild Hall could not be read or written.
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

            /// Returns the code's text in JSON and documents.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $text,)+ }
            }

            /// Returns the code's kind of failure.
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
    /// `plugin.json` is larger than the limit.
    ManifestTooLarge = "manifest-too-large", Usage;
    /// `plugin.json` is not JSON.
    ManifestNotJson = "manifest-not-json", Usage;
    /// A field of `plugin.json` is missing or has an invalid value.
    ManifestField = "manifest-field", Usage;
    /// `plugin.json` has changed since it was opened for editing.
    ManifestChanged = "manifest-changed", Usage;
    /// Two folders have the same member name.
    DuplicateName = "duplicate-name", Usage;
    /// The folder is a broken link, a circular link, or a link back to the members' folder.
    FolderUnsafe = "folder-unsafe", Usage;
    /// A `${env:NAME}` or `${secret:NAME}` of the manifest has no value.
    VariableMissing = "variable-missing", Usage;
    /// A `${secret:NAME}` of the manifest has no value.
    SecretMissing = "secret-missing", Usage;
    /// The keychain did not answer in time, is locked, or refused.
    KeychainUnanswered = "keychain-unanswered", Storage;
    /// A secret's name or value can't be stored.
    SecretRefused = "secret-refused", Usage;
    /// The secrets file can't be read or written, or other users may read it.
    SecretsUnsafe = "secrets-unsafe", Storage;
    /// The command is not on the PATH, or the file does not exist.
    CommandNotFound = "command-not-found", Transport;
    /// The command exists but is not executable.
    CommandNotExecutable = "command-not-executable", Transport;
    /// The operating system refused to start the process.
    SpawnFailed = "spawn-failed", Transport;
    /// The container engine is installed but does not work: its daemon is not running, or refuses
    /// this user.
    EngineUnreachable = "engine-unreachable", Transport;
    /// A container's image is not on this machine, and could not or may not be pulled.
    ImageUnavailable = "image-unavailable", Transport;
    /// A container's mount does not exist, or would expose the machine.
    MountRefused = "mount-refused", Usage;
    /// All ports from 20000 to 30000 are taken.
    PortsExhausted = "ports-exhausted", Transport;
    /// The member lost its port to another program several times in a row.
    PortLost = "port-lost", Transport;
    /// Another process answers on the member's port.
    PortHeld = "port-held", Transport;
    /// Other machines can reach the member, because it listens on all addresses.
    PortExposed = "port-exposed", Transport;
    /// The member did not open its port, or did not answer, within the start limit.
    StartTimeout = "start-timeout", Transport;
    /// The port is open, but the handshake did not finish within its limit.
    HandshakeTimeout = "handshake-timeout", Transport;
    /// The member answered the handshake with an error, or with something other than MCP.
    HandshakeFailed = "handshake-failed", Protocol;
    /// The process ended without a request to stop.
    MemberExited = "member-exited", Transport;
    /// The process ended again and again. It is not restarted until the user acts.
    CrashLoop = "crash-loop", Transport;
    /// The connection to the member could not be opened, or it broke.
    ConnectionFailed = "connection-failed", Transport;
    /// The server answered the request with an HTTP error status.
    HttpStatus = "http-status", Protocol;
    /// The server requires a sign-in, or more permissions than were granted.
    SignInNeeded = "sign-in-needed", Usage;
    /// The sign-in failed: the authorization server can't be found or used, or it refused.
    SignInFailed = "sign-in-failed", Protocol;
    /// No sign-in of the member is in progress, or the member does not use sign-ins.
    SignInUnknown = "sign-in-unknown", Unknown;
    /// The response is not MCP: HTML, truncated JSON, or the wrong structure.
    AnswerMalformed = "answer-malformed", Protocol;
    /// The response is larger than the limit.
    AnswerTooLarge = "answer-too-large", Protocol;
    /// The member answered with a JSON-RPC error.
    RpcError = "rpc-error", Protocol;
    /// The tool list could not be read. The last known list is kept.
    ListFailed = "list-failed", Protocol;
    /// A call exceeded its time limit and was cancelled.
    CallTimeout = "call-timeout", Transport;
    /// The caller cancelled the call.
    CallCancelled = "call-cancelled", Transport;
    /// The member ended during the call. The call is not repeated.
    CallInterrupted = "call-interrupted", Transport;
    /// No member has that name.
    MemberUnknown = "member-unknown", Unknown;
    /// The trash does not contain that member.
    RemovalUnknown = "removal-unknown", Unknown;
    /// The member has no tool with that name.
    ToolUnknown = "tool-unknown", Unknown;
    /// The tool was found in the server's output, and the server has not confirmed it.
    ToolUnconfirmed = "tool-unconfirmed", Usage;
    /// `config.yml` can't be used.
    DiscoverySettings = "discovery-settings", Usage;
    /// Prediction by a model is off, or no model is set.
    PredictionOff = "prediction-off", Usage;
    /// The model may not be asked about this member, or only after the other ways were tried.
    PredictionRefused = "prediction-refused", Usage;
    /// The model returned no usable response.
    PredictionFailed = "prediction-failed", Transport;
    /// The embeddings endpoint returned no usable vectors.
    EmbeddingsFailed = "embeddings-failed", Transport;
    /// The build of a member's server failed, or took too long.
    BuildFailed = "build-failed", Usage;
    /// A member's files can't be watched, or not all of them.
    DevUnwatched = "dev-unwatched", Storage;
    /// The member's manifest does not enable watching of its files.
    DevOff = "dev-off", Usage;
    /// The member has no example with that name.
    ExampleUnknown = "example-unknown", Unknown;
    /// A suite of checks can't be used, or a value for it is missing.
    SuiteRefused = "suite-refused", Usage;
    /// No check or mock can be made of the recorded calls.
    RecordingUnusable = "recording-unusable", Usage;
    /// The member is disabled in plugin.json.
    MemberDisabled = "member-disabled", Usage;
    /// The user did not write the member and has not accepted its launch command yet.
    MemberUnreviewed = "member-unreviewed", Usage;
    /// The tool is new or differs from its accepted version, so agents don't get it.
    ToolHeld = "tool-held", Usage;
    /// A file of a skill differs from its reviewed digest, or is not in the reviewed list of files.
    SkillMismatch = "skill-mismatch", Usage;
    /// The version to be accepted is not the current one.
    ReviewOutdated = "review-outdated", Usage;
    /// A file with accepted versions is unreadable or malformed.
    ReviewsUnreadable = "reviews-unreadable", Storage;
    /// The arguments are not a JSON object, or can't be sent as typed.
    ArgumentsNotJson = "arguments-not-json", Usage;
    /// The arguments do not fit the tool's input schema.
    ArgumentsInvalid = "arguments-invalid", Usage;
    /// The member already runs its maximum number of concurrent calls.
    TooManyCalls = "too-many-calls", Usage;
    /// The server's question no longer waits for an answer.
    ElicitationEnded = "elicitation-ended", Unknown;
    /// A server's question could not be shown to a person, so the server got an error.
    ElicitationUnanswered = "elicitation-unanswered", Usage;
    /// `tools-cache.json` is unreadable, malformed or too large, and was ignored.
    CacheUnreadable = "cache-unreadable", Storage;
    /// `tools-cache.json` could not be written.
    CacheUnwritable = "cache-unwritable", Storage;
    /// Guild Hall's own data folder can't be read or written.
    DataUnwritable = "data-unwritable", Storage;
    /// A newer version of Guild Hall has used the data folder.
    DataNewer = "data-newer", Storage;
    /// `settings.json`, or a field of it, can't be used.
    SettingsUnusable = "settings-unusable", Usage;
    /// No setting has that name.
    SettingUnknown = "setting-unknown", Unknown;
    /// The setting can't have that value.
    SettingRefused = "setting-refused", Usage;
    /// Another program changed a settings file at the same moment, or after it was shown.
    SettingsChanged = "settings-changed", Usage;
    /// A file that the user asked for could not be written.
    FileUnwritable = "file-unwritable", Storage;
    /// The history's database is damaged, or its path leads to something else.
    HistoryUnreadable = "history-unreadable", Storage;
    /// The history's database was made by a newer version of Guild Hall.
    HistoryNewer = "history-newer", Storage;
    /// Another program locks the history's database, or the database did not respond in time.
    HistoryBusy = "history-busy", Storage;
    /// The disk has no room for the history.
    HistoryFull = "history-full", Storage;
    /// Calls arrive faster than the history can record them.
    HistoryBehind = "history-behind", Storage;
    /// No history entry or saved call has that id, because it was removed.
    HistoryEntryUnknown = "history-entry-unknown", Unknown;
    /// A saved call's name is empty, too long, or taken.
    SavedNameRefused = "saved-name-refused", Usage;
    /// A history record is larger than the limit for its kind.
    HistoryTooLarge = "history-too-large", Usage;
    /// A log file could not be read or written.
    LogUnwritable = "log-unwritable", Storage;
    /// Another program listens on the gateway's port.
    GatewayPortTaken = "gateway-port-taken", Transport;
    /// The gateway could not listen, for a reason other than a used port.
    GatewayFailed = "gateway-failed", Transport;
    /// `gateway.json` can't be used.
    GatewaySettings = "gateway-settings", Usage;
    /// No client has that id, because its token was revoked.
    ClientUnknown = "client-unknown", Unknown;
    /// No profile has that name.
    ProfileUnknown = "profile-unknown", Unknown;
    /// The profile can't be stored.
    ProfileRefused = "profile-refused", Usage;
    /// Agents may not call this tool.
    ToolDenied = "tool-denied", Usage;
    /// A server changed its tools' hints, so the policy rules now allow agents more.
    HintsLoosened = "hints-loosened", Usage;
    /// Agents don't get this tool, because another tool would have the same name.
    ToolNameTaken = "tool-name-taken", Usage;
    /// The call needs a person's approval, and no one approved it.
    ApprovalMissing = "approval-missing", Usage;
    /// An agent's call no longer waits for a decision.
    ApprovalEnded = "approval-ended", Unknown;
    /// Guild Hall does not know where that program stores its configuration.
    ProgramUnknown = "program-unknown", Unknown;
    /// A program's configuration file can't be changed safely, and is unchanged.
    ClientConfigRefused = "client-config-refused", Usage;
    /// A program's configuration file has changed since the change was shown or made.
    ClientConfigChanged = "client-config-changed", Usage;
    /// A program's configuration file can't be read, or only in part.
    ClientConfigUnreadable = "client-config-unreadable", Usage;
    /// No such project folder or workspace file exists, or the limit of scanned folders and files
    /// is reached.
    ProjectUnknown = "project-unknown", Unknown;
    /// No program's configuration has a server with that id, because its command was changed.
    FoundServerUnknown = "found-server-unknown", Unknown;
    /// A server in a program's file can't be made a member.
    FoundServerUnusable = "found-server-unusable", Usage;
    /// The imported text contains no server, or can't be read.
    SnippetUnreadable = "snippet-unreadable", Usage;
    /// A server can't be imported with these values: its name is taken, or a value is missing.
    AdoptionRefused = "adoption-refused", Usage;
    /// An MCPB bundle can't be used: not a bundle, unsafe, or changed since it was inspected.
    McpbUnusable = "mcpb-unusable", Usage;
    /// The registry is neither an absolute path nor an allowed address.
    RegistrySourceRefused = "registry-source-refused", Usage;
    /// A registry, or a file in its format, could not be read, and no earlier copy is stored.
    RegistryUnread = "registry-unread", Transport;
    /// The registry does not list that server, or its entry has changed since it was shown.
    RegistryUnknown = "registry-unknown", Unknown;
    /// A link does not lead to a page of the window.
    LinkInvalid = "link-invalid", Usage;
    /// The desktop has no tray for the icon.
    TrayMissing = "tray-missing", Transport;
    /// The shortcut is not available: another program uses it, or the desktop offers no shortcuts.
    ShortcutUnavailable = "shortcut-unavailable", Transport;
    /// The desktop does not show notifications of other programs.
    NotificationsMissing = "notifications-missing", Transport;
    /// The start at login could not be set up or removed.
    LoginItem = "login-item", Storage;
    /// The system could not open a folder, a file, a terminal or an address.
    NotOpened = "not-opened", Transport;
    /// A tool's app can't be shown: its resource is not an app, or too large.
    AppUnusable = "app-unusable", Protocol;
    /// The update information can't be read, or the version could not be downloaded.
    UpdateUnread = "update-unread", Transport;
    /// A newer version has no valid signature, or is not the version that it claims to be.
    UpdateRefused = "update-refused", Usage;
    /// This program can't replace itself with a newer version.
    UpdateUnplaced = "update-unplaced", Storage;
    /// Another Guild Hall program is running with this data folder.
    HallRuns = "hall-runs", Usage;
    /// Another Guild Hall program uses this data folder, and does not respond.
    HallUnreachable = "hall-unreachable", Transport;
    /// No Guild Hall program is running with this data folder.
    HallNotRunning = "hall-not-running", Usage;
    /// A member's process requested something that only a person may decide.
    MemberRequest = "member-request", Usage;
    /// The data folder belongs to another user.
    DataOfAnother = "data-of-another", Storage;
    /// The hall is closing and starts nothing new.
    ShuttingDown = "shutting-down", Usage;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error for display: its cause, the member concerned, and the next step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The stable name of the cause.
    pub code: Code,
    /// The description of the error, in one or a few sentences.
    pub message: String,
    /// The next step. Empty if there is none.
    pub hint: String,
    /// The member concerned, if any.
    pub member: Option<MemberName>,
}

impl Report {
    /// Creates a report of an error, without a member.
    pub fn from_error(code: Code, error: &impl Diagnostic) -> Self {
        let hint = error.help().map(|hint| hint.to_string());
        Self::new(code, error.to_string(), hint.unwrap_or_default())
    }

    /// Creates a report without a member.
    pub fn new(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            hint: hint.into(),
            member: None,
        }
    }

    /// Returns the same report with another next step.
    #[must_use]
    pub fn advising(&self, next: &impl ToString) -> Self {
        Self {
            hint: next.to_string(),
            ..self.clone()
        }
    }

    /// Returns the message and the hint.
    pub fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        [&mut self.message, &mut self.hint].into_iter()
    }

    /// Returns the same report with the member's name.
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
