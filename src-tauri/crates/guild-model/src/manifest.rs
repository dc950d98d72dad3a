//! `plugin.json`: the definition of a member and its launch.
//!
//! [`parse`] reads it, and [`Substitution`] resolves its variables. [`config_hash`] shows whether a
//! cached tool list still belongs to it. [`json_schema`] describes it to editors. Guild Hall reads
//! and watches the file. It writes the file only for a person, who saves a call as an example
//! ([`with_example`]) or changes a field ([`with_field`]).

mod auth;
mod checks;
mod develop;
mod file;
mod findings;
pub mod forms;
mod identity;
mod insertion;
mod read;
mod variables;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::container::Container;
use crate::error::Report;
use crate::id::MemberName;
use crate::protocol::ProtocolVersion;
use crate::settings::Limits;

pub use auth::Auth;
pub use checks::check_url;
pub use develop::{Dev, Example, Expect};
pub use file::json_schema;
pub use findings::nearest;
pub use findings::{ManifestProblem, ProblemSeverity};
pub(crate) use forms::TIMEOUT_MS_MAX;
use forms::{Filled, Millis, some_whole};
pub use identity::quoted;
pub use identity::{command_line, command_words, config_hash, launch_hash};
pub use insertion::{SaveExample, with_example, with_field};
pub use read::{parse, problems};
pub use variables::{Lookup, Substitution, is_secret_name};
pub use variables::{environment_in, with_references, with_values};

/// Prefix of variables that hold a secret in a deployment. Only members whose manifests name a
/// variable receive it.
pub const SECRET_PREFIX: &str = "GUILD_SECRET_";
/// The largest `plugin.json` that is read, in bytes.
pub const MANIFEST_BYTES_MAX: u64 = 256 * 1024;

/// How a member is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// Streamable HTTP at `/mcp` on a port that Guild Hall gives (REQ-MCP-HTTP-1).
    Http,
    /// The process's stdin and stdout.
    Stdio,
}

/// When a member is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Lifecycle {
    /// When the roster opens; it stays up.
    #[default]
    Eager,
    /// To list its tools, then stopped; started again by a call.
    OnDemand,
}

/// The restart rule after a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RestartPolicy {
    /// Started again after 1, 2, 4, 8, 16 seconds; then someone has to act.
    #[default]
    OnCrash,
    /// Left in error.
    Never,
}

/// Whether agents may call a tool, the stricter the greater.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// Called without a question.
    Allow,
    /// A person is asked first.
    Ask,
    /// Never.
    Deny,
}

/// Time limits in milliseconds.
// Missing limits come from the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(inline)]
pub struct Timeouts {
    /// Until the port answers (http), or until the handshake is done (stdio).
    #[serde(deserialize_with = "some_whole")]
    #[schemars(with = "Option<Millis>", extend("default" = 30_000))]
    pub start_ms: Option<u64>,
    /// From an open port to a finished handshake, http only.
    // REQ-MCP-HTTP-14
    #[serde(deserialize_with = "some_whole")]
    #[schemars(with = "Option<Millis>", extend("default" = 5_000))]
    pub handshake_ms: Option<u64>,
    /// A call of a tool.
    // REQ-MCP-HTTP-28
    #[serde(deserialize_with = "some_whole")]
    #[schemars(with = "Option<Millis>", extend("default" = 30_000))]
    pub call_ms: Option<u64>,
    /// Reading the tool list.
    #[serde(deserialize_with = "some_whole")]
    #[schemars(with = "Option<Millis>", extend("default" = 10_000))]
    pub discovery_ms: Option<u64>,
}

impl Timeouts {
    /// Returns these limits, with missing ones from `limits`.
    pub fn or(self, limits: &Limits) -> Limits {
        Limits {
            start_ms: self.start_ms.unwrap_or(limits.start_ms),
            handshake_ms: self.handshake_ms.unwrap_or(limits.handshake_ms),
            call_ms: self.call_ms.unwrap_or(limits.call_ms),
            discovery_ms: self.discovery_ms.unwrap_or(limits.discovery_ms),
        }
    }
}

/// The settings of one tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(inline)]
pub struct ToolSettings {
    /// Whether agents may call it.
    pub policy: Option<Policy>,
    /// The time limit of its calls, in milliseconds.
    #[serde(deserialize_with = "some_whole")]
    #[schemars(with = "Option<Millis>")]
    pub timeout_ms: Option<u64>,
}

/// Where a member comes from that its user did not write: such a member is started only after a
/// person has accepted what it runs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// Another program's word (`cursor`), `registry`, `bundle`, or another origin's name.
    #[schemars(with = "Filled", extend("examples" = ["registry", "bundle", "cursor"]))]
    pub from: String,
    /// The file that it was read from.
    pub path: Option<String>,
    /// The address that it was read from.
    pub url: Option<String>,
    /// When, as ISO 8601.
    pub at: Option<String>,
    /// The server's name in its registry.
    #[schemars(extend("examples" = ["com.example/notes"]))]
    pub server: Option<String>,
}

/// The launch of a member's server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Launch {
    /// A process that Guild Hall starts and ends.
    Command {
        /// The program, with variables.
        command: String,
        /// Its arguments, with variables.
        args: Vec<String>,
        /// Environment variables, values with variables.
        env: BTreeMap<String, String>,
        /// The working folder instead of the member's own, with variables. A relative path is
        /// resolved against the member's folder.
        cwd: Option<String>,
    },
    /// A container that an engine runs. Guild Hall has it removed when it ends.
    Container(Box<Container>),
    /// A remote server (`transport` is `http`).
    Url {
        /// Its address, `http:` or `https:`.
        url: String,
        /// Headers of each request, values with variables.
        headers: BTreeMap<String, String>,
    },
}

impl Launch {
    /// Returns the names of all secrets that it uses.
    pub fn secrets(&self) -> BTreeSet<&str> {
        self.texts().flat_map(variables::secrets_in).collect()
    }

    /// Returns the references to secrets in its arguments, which the operating system shows to
    /// every user.
    pub fn secrets_in_arguments(&self) -> Vec<String> {
        let args = match self {
            Self::Command { args, .. } => args.as_slice(),
            Self::Container(_) | Self::Url { .. } => &[],
        };
        let names: BTreeSet<&str> = args
            .iter()
            .flat_map(|arg| variables::secrets_in(arg))
            .collect();
        let references = names.into_iter().map(|name| format!("${{secret:{name}}}"));
        references.collect()
    }

    /// Checks whether it depends on the variables of the user's login shell. It does if it uses
    /// `${env:NAME}`, or runs another program than this one, which is searched on the PATH and may
    /// read any variable.
    pub fn needs_environment(&self) -> bool {
        let runs_another = match self {
            Self::Command { command, .. } => !variables::is_own_binary(command),
            Self::Container(_) => true,
            Self::Url { .. } => false,
        };
        runs_another || self.texts().any(variables::uses_environment)
    }

    /// Returns all texts that may contain variables.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let texts: Vec<&str> = match self {
            Self::Command {
                command,
                args,
                env,
                cwd,
            } => {
                let texts = std::iter::once(command).chain(args).chain(env.values());
                texts.chain(cwd).map(String::as_str).collect()
            }
            Self::Container(container) => container.texts().collect(),
            Self::Url { url, headers } => {
                let texts = std::iter::once(url).chain(headers.values());
                texts.map(String::as_str).collect()
            }
        };
        texts.into_iter()
    }
}

/// A validated manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The member's name, unique over all members.
    pub name: MemberName,
    /// The member's version; a change makes the cached tool list outdated (REQ-MCP-TOOL-9).
    pub version: String,
    /// The member's description.
    pub description: String,
    /// The transport.
    pub transport: Transport,
    /// The launch of its server.
    pub launch: Launch,
    /// Headers of each request to a server that a command or a container runs, with variables in
    /// values. Headers of a `url` are part of its launch.
    pub headers: BTreeMap<String, String>,
    /// How users sign in to the server. `None` where discovery supplies everything.
    pub auth: Option<Auth>,
    /// When the member starts.
    pub lifecycle: Lifecycle,
    /// The policy after a crash.
    pub restart: RestartPolicy,
    /// Time limits.
    pub timeouts: Timeouts,
    /// Settings of single tools, by the tool's name.
    pub tools: BTreeMap<String, ToolSettings>,
    /// Names of tools that a client's configuration approved without asking.
    pub auto_approve: Vec<String>,
    /// The protocol version to use. `None` negotiates.
    pub protocol_version: Option<ProtocolVersion>,
    /// Whether the member is enabled.
    pub enabled: bool,
    /// The member's origin, unless its user wrote it.
    pub origin: Option<Origin>,
    /// The reaction to file changes. `None` disables it.
    pub dev: Option<Dev>,
    /// The example calls, which serve as checks.
    pub examples: Vec<Example>,
}

impl Manifest {
    /// Returns the names of all secrets that it uses.
    pub fn secrets(&self) -> BTreeSet<&str> {
        let auth = self
            .auth
            .as_ref()
            .and_then(|auth| auth.client_secret.as_deref());
        let texts = auth
            .into_iter()
            .chain(self.headers.values().map(String::as_str));
        let others = texts.flat_map(variables::secrets_in);
        self.launch.secrets().into_iter().chain(others).collect()
    }

    /// Returns the headers beside a command or a container as a launch, so that their secrets are
    /// detected like those of a `url`.
    pub fn header_launch(&self) -> Launch {
        Launch::Url {
            url: String::new(),
            headers: self.headers.clone(),
        }
    }

    /// Checks whether its start depends on the variables of the user's login shell
    /// ([`Launch::needs_environment`]).
    pub fn needs_environment(&self) -> bool {
        let mut headers = self.headers.values().map(String::as_str);
        self.launch.needs_environment() || headers.any(variables::uses_environment)
    }

    /// Checks whether its server may require a sign-in: it is remote, and the manifest has no
    /// authorization header.
    pub fn may_be_signed_in_to(&self) -> bool {
        match &self.launch {
            Launch::Url { headers, .. } => {
                let signs = |name: &String| name.eq_ignore_ascii_case("authorization");
                !headers.keys().any(signs)
            }
            Launch::Command { .. } | Launch::Container(_) => false,
        }
    }

    /// Returns the reaction to file changes, for members that their user wrote. Nothing is built
    /// for a member from elsewhere, even if its manifest asks for it.
    pub fn own_dev(&self) -> Option<&Dev> {
        self.dev
            .as_ref()
            .filter(|_| self.origin.is_none() && self.enabled)
    }
}

/// The result of parsing a manifest. An invalid manifest still yields its readable fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedManifest {
    /// The manifest, or the first error in full with up to four more in its message.
    pub manifest: Result<Manifest, Report>,
    /// The warnings, in file order.
    pub warnings: Vec<Report>,
    /// The name, if it is readable.
    pub name: Option<MemberName>,
    /// The version, if it is readable, or an empty string.
    pub version: String,
    /// The description, if it is readable, or an empty string.
    pub description: String,
    /// The transport, if it is readable.
    pub transport: Option<Transport>,
    /// The lifecycle, if it is readable, or the default.
    pub lifecycle: Lifecycle,
}

impl ParsedManifest {
    /// Returns the result for an unreadable manifest: a missing or unreadable file, or invalid
    /// JSON.
    pub fn refused(report: Report) -> Self {
        Self {
            manifest: Err(report),
            warnings: Vec::new(),
            name: None,
            version: String::new(),
            description: String::new(),
            transport: None,
            lifecycle: Lifecycle::default(),
        }
    }
}

#[cfg(test)]
mod tests;
