//! `plugin.json`: the definition of a member and its launch.
//!
//! [`parse`] parses the file, and [`Substitution`] resolves its variables. [`config_hash`]
//! determines whether a cached tool list still belongs to the manifest. [`json_schema`] returns the
//! schema for editors. Guild Hall reads and watches the file. It changes the file only if the user
//! saves a call as an example ([`with_example`]) or changes a field ([`with_field`]).

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
pub(crate) use variables::{UNRESERVED, has_valid_escapes};
pub use variables::{environment_in, with_references, with_values};

/// Prefix of the environment variables with the secrets of an exported team. Only members whose
/// manifests name such a variable receive it.
pub const SECRET_PREFIX: &str = "GUILD_SECRET_";
/// Maximum size of `plugin.json`, in bytes.
pub const MANIFEST_BYTES_MAX: u64 = 256 * 1024;

/// How Guild Hall communicates with a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// Streamable HTTP at `/mcp` on a port that Guild Hall assigns (REQ-MCP-HTTP-1). If the server
    /// rejects this transport, Guild Hall uses HTTP+SSE.
    Http,
    /// The process's stdin and stdout.
    Stdio,
    /// HTTP+SSE, the transport of 2024-11-05, at `/sse` or at the `url`.
    Sse,
}

impl Transport {
    /// Whether the server listens on a port: streamable HTTP or HTTP+SSE.
    pub fn is_http(self) -> bool {
        self != Self::Stdio
    }

    /// Returns the usual path of the server's endpoint.
    pub fn path(self) -> &'static str {
        match self {
            Self::Http | Self::Stdio => "/mcp",
            Self::Sse => "/sse",
        }
    }
}

/// When a member is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Lifecycle {
    /// The member is started when Guild Hall starts, and keeps running.
    #[default]
    Eager,
    /// The member is started to list its tools, and then stopped. A call starts the member again.
    OnDemand,
}

/// The restart rule after a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RestartPolicy {
    /// Restarts after 1, 2, 4, 8 and 16 seconds. Then the user has to act.
    #[default]
    OnCrash,
    /// Never restarts.
    Never,
}

/// Whether agents may call a tool. Stricter policies are greater.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// The call runs without a question.
    Allow,
    /// A person has to approve the call.
    Ask,
    /// The call is denied.
    Deny,
}

/// Time limits of a member, in milliseconds.
// Missing limits come from the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(inline)]
pub struct Timeouts {
    /// The limit from the start until the port answers (http), or until the handshake is done
    /// (stdio).
    #[serde(deserialize_with = "some_whole")]
    #[schemars(with = "Option<Millis>", extend("default" = 30_000))]
    pub start_ms: Option<u64>,
    /// The limit from the open port until the handshake is done. Only for http.
    // REQ-MCP-HTTP-14
    #[serde(deserialize_with = "some_whole")]
    #[schemars(with = "Option<Millis>", extend("default" = 5_000))]
    pub handshake_ms: Option<u64>,
    /// The limit for a tool call.
    // REQ-MCP-HTTP-28
    #[serde(deserialize_with = "some_whole")]
    #[schemars(with = "Option<Millis>", extend("default" = 30_000))]
    pub call_ms: Option<u64>,
    /// The limit for listing the tools.
    #[serde(deserialize_with = "some_whole")]
    #[schemars(with = "Option<Millis>", extend("default" = 10_000))]
    pub discovery_ms: Option<u64>,
}

impl Timeouts {
    /// Returns the limits of this value. A missing limit is taken from `limits`.
    pub fn or(self, limits: &Limits) -> Limits {
        Limits {
            start_ms: self.start_ms.unwrap_or(limits.start_ms),
            handshake_ms: self.handshake_ms.unwrap_or(limits.handshake_ms),
            call_ms: self.call_ms.unwrap_or(limits.call_ms),
            discovery_ms: self.discovery_ms.unwrap_or(limits.discovery_ms),
        }
    }
}

/// The manifest's settings for one tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(inline)]
pub struct ToolSettings {
    /// Whether agents may call the tool.
    pub policy: Option<Policy>,
    /// The time limit of the tool's calls, in milliseconds.
    #[serde(deserialize_with = "some_whole")]
    #[schemars(with = "Option<Millis>")]
    pub timeout_ms: Option<u64>,
}

/// The source of a member that its user did not write. Such a member starts only after a person has
/// accepted its launch.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// The id of another program (`cursor`), `registry`, `bundle`, or another source's name.
    #[schemars(with = "Filled", extend("examples" = ["registry", "bundle", "cursor"]))]
    pub from: String,
    /// The file that the member came from.
    pub path: Option<String>,
    /// The address that the member came from.
    pub url: Option<String>,
    /// The time when the member was added, as ISO 8601.
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
        /// The program's arguments, with variables.
        args: Vec<String>,
        /// Environment variables. Their values may contain variables.
        env: BTreeMap<String, String>,
        /// The working folder, with variables. Default: the member's own folder. A relative path is
        /// resolved against the member's folder.
        cwd: Option<String>,
    },
    /// A container that an engine runs. Guild Hall removes the container when the member ends.
    Container(Box<Container>),
    /// A remote server (`transport` is `http`).
    Url {
        /// The server's address, `http:` or `https:`.
        url: String,
        /// Headers of each request. Their values may contain variables.
        headers: BTreeMap<String, String>,
    },
}

impl Launch {
    /// Returns the names of all secrets that the launch uses.
    pub fn secrets(&self) -> BTreeSet<&str> {
        self.texts().flat_map(variables::secrets_in).collect()
    }

    /// Returns the references to secrets in the arguments of the launch. Every user of the system
    /// can see the arguments of a process.
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

    /// Checks whether the launch depends on the variables of the user's login shell. This is the
    /// case if the launch uses `${env:NAME}`, and for every program except Guild Hall itself, since
    /// a program is searched on the PATH and may read any variable.
    pub fn needs_environment(&self) -> bool {
        let runs_another = match self {
            Self::Command { command, .. } => !variables::is_own_binary(command),
            Self::Container(_) => true,
            Self::Url { .. } => false,
        };
        runs_another || self.texts().any(variables::uses_environment)
    }

    /// Returns all strings that may contain variables.
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
    /// The member's name, unique among all members.
    pub name: MemberName,
    /// The member's version. A change makes the cached tool list outdated (REQ-MCP-TOOL-9).
    pub version: String,
    /// The member's description.
    pub description: String,
    /// The transport to the server.
    pub transport: Transport,
    /// How the server is launched or reached.
    pub launch: Launch,
    /// Headers of each request to a server that a command or a container runs, with variables in
    /// values. Headers of a `url` are part of `launch`.
    pub headers: BTreeMap<String, String>,
    /// How users sign in to the server. `None` if the server itself provides all details.
    pub auth: Option<Auth>,
    /// When the member starts.
    pub lifecycle: Lifecycle,
    /// The restart rule after a crash.
    pub restart: RestartPolicy,
    /// Time limits.
    pub timeouts: Timeouts,
    /// Settings of individual tools, by the tool's name.
    pub tools: BTreeMap<String, ToolSettings>,
    /// Names of tools that a client's configuration approved in advance.
    pub auto_approve: Vec<String>,
    /// The protocol version to use. `None` negotiates.
    pub protocol_version: Option<ProtocolVersion>,
    /// Whether the member is enabled.
    pub enabled: bool,
    /// The member's origin. `None` if the user wrote the manifest.
    pub origin: Option<Origin>,
    /// The reaction to file changes. `None` disables it.
    pub dev: Option<Dev>,
    /// The example calls, which serve as checks.
    pub examples: Vec<Example>,
}

impl Manifest {
    /// Returns the names of all secrets that the manifest uses.
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

    /// Returns [`Manifest::headers`] as the launch of a remote server, for code that searches
    /// launches for secrets.
    pub fn header_launch(&self) -> Launch {
        Launch::Url {
            url: String::new(),
            headers: self.headers.clone(),
        }
    }

    /// Checks whether the member's start depends on the variables of the user's login shell
    /// ([`Launch::needs_environment`]).
    pub fn needs_environment(&self) -> bool {
        let mut headers = self.headers.values().map(String::as_str);
        self.launch.needs_environment() || headers.any(variables::uses_environment)
    }

    /// Checks whether the server may require a sign-in: the server is remote, and the manifest has
    /// no authorization header.
    pub fn may_be_signed_in_to(&self) -> bool {
        match &self.launch {
            Launch::Url { headers, .. } => {
                let signs = |name: &String| name.eq_ignore_ascii_case("authorization");
                !headers.keys().any(signs)
            }
            Launch::Command { .. } | Launch::Container(_) => false,
        }
    }

    /// Returns the `dev` settings of an enabled member that the user wrote. The `dev` settings of
    /// other members have no effect.
    pub fn own_dev(&self) -> Option<&Dev> {
        self.dev
            .as_ref()
            .filter(|_| self.origin.is_none() && self.enabled)
    }
}

/// The result of parsing a manifest. If the manifest is invalid, the result still has the fields
/// that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedManifest {
    /// The manifest, or a report that lists the first five errors and counts the others.
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
