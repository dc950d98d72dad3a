//! Members in containers: the `container` field of a manifest, and the command line of an engine
//! (`docker` or `podman`).
//!
//! [`Container`] is the parsed field. [`Container::filled`] resolves its variables, and
//! [`Container::run_args`] returns the command line. The command line never contains a secret: it
//! contains the name of a variable, whose value the engine reads from its own environment.
//! [`sources`] lists the paths that must not be mounted. [`trouble`] interprets the errors of
//! engines. [`command`] converts a `docker run` command to a container. This module does not start
//! or query engines.

pub mod command;
pub mod sources;
pub mod trouble;
pub mod word;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Report;
use crate::id::MemberName;
use crate::manifest::forms::{
    Cpus, Entrypoint, Image, Inside, Memory, MountSource, MountTarget, NetworkText, Pids, Port,
    User, some_whole,
};
use crate::messages::MountUse;

/// Maximum length of an image name, in bytes.
pub(crate) const IMAGE_BYTES_MAX: usize = 512;
/// Maximum length of the name of a program in an image, in bytes.
pub(crate) const ENTRYPOINT_BYTES_MAX: usize = 512;
/// The label with the member's name.
pub(crate) const LABEL_MEMBER: &str = "guild-hall.member";
/// The label with the id of the member's start.
pub(crate) const LABEL_RUN: &str = "guild-hall.run";

/// The engine that runs a container.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum EngineChoice {
    /// Docker if it is installed and responds, else Podman.
    #[default]
    Auto,
    /// `docker`.
    Docker,
    /// `podman`.
    Podman,
}

/// A container engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// `docker`: a client of a daemon that owns the containers.
    Docker,
    /// `podman`: runs a separate process for each container.
    Podman,
}

impl Engine {
    /// Returns the name of the engine's program.
    pub fn program(self) -> &'static str {
        match self {
            Self::Docker => "docker",
            Self::Podman => "podman",
        }
    }

    /// Returns the engine with this program name.
    pub fn of_program(name: &str) -> Option<Self> {
        [Self::Docker, Self::Podman]
            .into_iter()
            .find(|engine| engine.program() == name)
    }

    /// Returns the arguments that stop and remove a container at once. If the container does not
    /// exist, the engine reports an error that [`trouble::is_gone`] recognizes.
    pub fn removal_args(self, name: &str) -> Vec<String> {
        let words: &[&str] = match self {
            Self::Docker => &["rm", "--force", "--volumes", name],
            // Without `--time 0`, Podman would send SIGTERM first and wait for ten seconds.
            Self::Podman => &["rm", "--force", "--time", "0", "--volumes", name],
        };
        words.iter().map(|&word| word.to_owned()).collect()
    }
}

impl EngineChoice {
    /// Returns the candidate engines, in search order.
    pub fn engines(self) -> &'static [Engine] {
        match self {
            Self::Auto => &[Engine::Docker, Engine::Podman],
            Self::Docker => &[Engine::Docker],
            Self::Podman => &[Engine::Podman],
        }
    }

    /// Returns the identifier in the manifest.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Docker => "docker",
            Self::Podman => "podman",
        }
    }
}

/// When an image is pulled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pull {
    /// If the image is not on this machine.
    #[default]
    Missing,
    /// Never. A start without the image fails.
    Never,
    /// Before each start.
    Always,
}

impl Pull {
    /// Returns the identifier in the manifest.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Never => "never",
            Self::Always => "always",
        }
    }
}

/// The network access of a container.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(from = "String")]
pub enum Network {
    /// No network access.
    None,
    /// The access of the engine's default bridge.
    #[default]
    Bridge,
    /// The access of a user-defined network.
    Named(String),
}

impl From<String> for Network {
    fn from(word: String) -> Self {
        match word.as_str() {
            "none" => Self::None,
            "bridge" => Self::Bridge,
            _ => Self::Named(word),
        }
    }
}

impl Network {
    /// Returns the identifier in the manifest.
    pub fn as_str(&self) -> &str {
        match self {
            Self::None => "none",
            Self::Bridge => "bridge",
            Self::Named(name) => name,
        }
    }
}

/// A folder or file of this machine that is mounted in the container.
// Generic over the type of its strings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Mount<T = String> {
    /// The path on this machine: an absolute path, or a path that begins with `${PLUGIN_DIR}` or
    /// `${env:NAME}`. The folder or file must exist.
    #[schemars(with = "MountSource", extend("examples" = ["${PLUGIN_DIR}/data"]))]
    pub source: T,
    /// The path in the container.
    #[schemars(with = "MountTarget", extend("examples" = ["/data"]))]
    pub target: String,
    /// Whether the server has only read access.
    #[serde(default = "only_read")]
    pub read_only: bool,
    /// Whether to allow a source that exposes the whole machine: the root, the whole home folder,
    /// or an engine's socket.
    #[serde(default)]
    pub dangerous: bool,
}

fn only_read() -> bool {
    true
}

/// A container.
// Generic over the type of its strings.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Container<T = String> {
    /// The image, without variables.
    #[schemars(with = "Image", extend("examples" = ["ghcr.io/example/notes:1.2"]))]
    pub image: String,
    /// The engine that runs the container: `auto` is Docker if it is installed and responds, else
    /// Podman.
    #[serde(default)]
    pub engine: EngineChoice,
    /// The program in the image to start instead of the image's default, without variables.
    #[schemars(with = "Option<Entrypoint>", extend("examples" = ["/bin/serve"]))]
    pub entrypoint: Option<String>,
    /// The arguments after the image's name, with variables. Secrets belong in `env`.
    #[serde(default)]
    #[schemars(with = "Vec<Inside>", extend("default" = []))]
    pub args: Vec<T>,
    /// Environment variables in the container. Their values may contain variables. In the manifest,
    /// they are in the field `env` next to `container`.
    #[serde(skip)]
    pub env: BTreeMap<String, T>,
    /// Folders and files of this machine that the server sees.
    #[serde(default)]
    #[schemars(extend("default" = [], "maxItems" = 64))]
    pub mounts: Vec<Mount<T>>,
    /// Whether the image's own files are read-only. Each mount has its own setting.
    #[serde(default)]
    pub read_only: bool,
    /// The network of the container: `none`, `bridge`, or the name of an existing network.
    #[serde(default)]
    #[schemars(with = "NetworkText", extend("default" = "bridge"))]
    pub network: Network,
    /// The memory limit.
    #[schemars(with = "Option<Memory>", extend("examples" = ["512m"]))]
    pub memory: Option<String>,
    /// The limit of processors.
    // The digits as the manifest contains them, because a person accepted exactly these.
    #[schemars(with = "Option<Cpus>", extend("examples" = [1.5]))]
    pub cpus: Option<String>,
    /// The limit of processes.
    #[serde(default, deserialize_with = "some_whole")]
    #[schemars(with = "Option<Pids>")]
    pub pids_limit: Option<u32>,
    /// The user that runs the server, instead of the image's default user.
    #[schemars(with = "Option<User>", extend("examples" = ["1000:1000"]))]
    pub user: Option<String>,
    /// When the image is pulled: if it is missing on this machine, never, or before each start.
    #[serde(default)]
    pub pull: Pull,
    /// The port on which the server listens in the container. Required for the transport `http`.
    #[serde(default, deserialize_with = "some_whole")]
    #[schemars(with = "Option<Port>", extend("examples" = [8080]))]
    pub port: Option<u16>,
}

/// One start of a container.
#[derive(Debug, Clone, Copy)]
pub struct ContainerStart<'a> {
    /// The member.
    pub member: &'a MemberName,
    /// The unique id of the start.
    pub run: &'a str,
    /// The host port to which the container's port is published. `None` for stdio.
    pub port: Option<u16>,
}

impl ContainerStart<'_> {
    /// Returns the container's name.
    pub fn container_name(&self) -> String {
        format!("guild-hall-{}-{}", self.member, self.run)
    }
}

impl<T> Container<T> {
    /// Converts all strings that may contain variables, with `make`.
    ///
    /// # Errors
    /// The first error that `make` returns.
    pub fn try_map<U, E>(
        &self,
        mut make: impl FnMut(&T) -> Result<U, E>,
    ) -> Result<Container<U>, E> {
        let args = self.args.iter().map(&mut make).collect::<Result<_, E>>()?;
        let env = self.env.iter();
        let env = env.map(|(name, value)| Ok((name.clone(), make(value)?)));
        let env = env.collect::<Result<_, E>>()?;
        let mounts = self.mounts.iter().map(|mount| {
            Ok(Mount {
                source: make(&mount.source)?,
                target: mount.target.clone(),
                read_only: mount.read_only,
                dangerous: mount.dangerous,
            })
        });
        Ok(Container {
            image: self.image.clone(),
            engine: self.engine,
            entrypoint: self.entrypoint.clone(),
            args,
            env,
            mounts: mounts.collect::<Result<_, E>>()?,
            read_only: self.read_only,
            network: self.network.clone(),
            memory: self.memory.clone(),
            cpus: self.cpus.clone(),
            pids_limit: self.pids_limit,
            user: self.user.clone(),
            pull: self.pull,
            port: self.port,
        })
    }
}

impl Container {
    /// Resolves the variables in all strings.
    ///
    /// # Errors
    /// The first error that `fill` returns.
    pub fn filled(&self, fill: impl Fn(&str) -> Result<String, Report>) -> Result<Self, Report> {
        self.try_map(|text| fill(text))
    }

    /// Returns the container's permissions as pairs of a manifest field name and a value, for
    /// display. Arguments and environment variables are not included.
    pub fn parts(&self) -> Vec<(String, String)> {
        let mut parts = vec![
            ("image".to_owned(), self.image.clone()),
            ("engine".to_owned(), self.engine.as_str().to_owned()),
            ("network".to_owned(), self.network.as_str().to_owned()),
        ];
        for mount in &self.mounts {
            let may = match (mount.read_only, mount.dangerous) {
                (true, false) => MountUse::ReadOnly,
                (false, false) => MountUse::Writes,
                (true, true) => MountUse::ReadsDangerously,
                (false, true) => MountUse::WritesDangerously,
            };
            let may = may.to_string();
            let source = &mount.source;
            parts.push((format!("mount {}", mount.target), format!("{source} {may}")));
        }
        let others = [
            ("entrypoint", self.entrypoint.clone()),
            ("read_only", self.read_only.then(|| "true".to_owned())),
            ("memory", self.memory.clone()),
            ("cpus", self.cpus.clone()),
            ("pids_limit", self.pids_limit.map(|most| most.to_string())),
            ("user", self.user.clone()),
            ("port", self.port.map(|port| port.to_string())),
        ];
        let others = others.into_iter();
        parts.extend(others.filter_map(|(name, value)| Some((name.to_owned(), value?))));
        parts.push(("pull".to_owned(), self.pull.as_str().to_owned()));
        parts
    }

    /// Returns all strings that may contain variables.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let sources = self.mounts.iter().map(|mount| &mount.source);
        let texts = self.args.iter().chain(self.env.values()).chain(sources);
        texts.map(String::as_str)
    }

    /// Returns the arguments for the engine.
    pub fn run_args(&self, start: &ContainerStart<'_>) -> Vec<String> {
        let mut words = CommandLineBuilder(vec!["run".to_owned(), "--rm".to_owned()]);
        if start.port.is_none() {
            words.push("--interactive");
        }
        words.push("--init");
        words.pair("--name", start.container_name());
        words.pair("--label", format!("{LABEL_MEMBER}={}", start.member));
        words.pair("--label", format!("{LABEL_RUN}={}", start.run));
        self.options(start.port, &mut words);
        words.0
    }

    /// Returns the arguments for display, without the container's name and labels.
    pub fn display_args(&self) -> Vec<String> {
        let mut words = CommandLineBuilder(vec!["run".to_owned(), "--rm".to_owned()]);
        if self.port.is_none() {
            words.push("--interactive");
        }
        words.push("--init");
        self.options(None, &mut words);
        words.0
    }

    fn options(&self, port: Option<u16>, words: &mut CommandLineBuilder) {
        // An earlier step has checked that the image exists, or has pulled it.
        words.pair("--pull", "never");
        words.pair("--cap-drop", "ALL");
        words.pair("--security-opt", "no-new-privileges");
        if self.network != Network::Bridge {
            words.pair("--network", self.network.as_str());
        }
        if self.read_only {
            words.push("--read-only");
        }
        let limits = [
            ("--entrypoint", self.entrypoint.clone()),
            ("--memory", self.memory.clone()),
            ("--cpus", self.cpus.clone()),
            ("--pids-limit", self.pids_limit.map(|most| most.to_string())),
            ("--user", self.user.clone()),
        ];
        for (option, value) in limits {
            if let Some(value) = value {
                words.pair(option, value);
            }
        }
        if let (Some(port), Some(inside)) = (port, self.port) {
            words.pair("--publish", format!("127.0.0.1:{port}:{inside}"));
        }
        for mount in &self.mounts {
            let only = if mount.read_only { ",readonly" } else { "" };
            words.pair(
                "--mount",
                format!(
                    "type=bind,source={},target={}{only}",
                    mount.source, mount.target
                ),
            );
        }
        for (name, value) in &self.env {
            // The engine's client would itself use a variable with such a name, so the variable is
            // passed as an argument. A manifest with a secret in such a variable is rejected.
            match is_for_the_engine(name) {
                true => words.pair("--env", format!("{name}={value}")),
                false => words.pair("--env", name.as_str()),
            }
        }
        words.push(self.image.clone());
        words.0.extend(self.args.iter().cloned());
    }

    /// Returns the variables that the engine forwards from its own environment.
    pub fn forwarded_env(&self) -> impl Iterator<Item = (&String, &String)> {
        self.env.iter().filter(|(name, _)| !is_for_the_engine(name))
    }
}

/// A command line under construction.
struct CommandLineBuilder(Vec<String>);

impl CommandLineBuilder {
    fn push(&mut self, word: impl Into<String>) {
        self.0.push(word.into());
    }

    fn pair(&mut self, option: &str, value: impl Into<String>) {
        self.push(option);
        self.push(value);
    }
}

/// Checks whether the engine's client itself uses an environment variable with this name.
pub(crate) fn is_for_the_engine(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "PATH",
        "HOME",
        "USER",
        "TMPDIR",
        "TMP",
        "TEMP",
        "SHELL",
        "LANG",
        "REGISTRY_AUTH_FILE",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
        "GUILD_HALL_RUN",
        // Variables that the Go runtime reads, since the engines are written in Go.
        "GODEBUG",
        "GOTRACEBACK",
        "GOGC",
        "GOMEMLIMIT",
        "GOMAXPROCS",
        "GORACE",
        "GOCOVERDIR",
        "LD_PRELOAD",
        "LD_LIBRARY_PATH",
        "LD_AUDIT",
        "LD_DEBUG",
        "LD_BIND_NOW",
        "STORAGE_DRIVER",
        "STORAGE_OPTS",
    ];
    const BEGINNINGS: &[&str] = &[
        "DOCKER_",
        "BUILDKIT_",
        "COMPOSE_",
        "CONTAINER_",
        "CONTAINERS_",
        "PODMAN_",
        "BUILDAH_",
        "XDG_",
        "DYLD_",
        "SSH_",
        "DBUS_",
        "LC_",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "NO_PROXY",
        "ALL_PROXY",
    ];
    let upper = name.to_ascii_uppercase();
    NAMES.contains(&upper.as_str()) || BEGINNINGS.iter().any(|begin| upper.starts_with(begin))
}

/// Checks whether a variable determines which daemon and which files the engine's client uses. A
/// process that removes the container later needs the same values.
pub fn decides_the_engine(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "PATH",
        "HOME",
        "TMPDIR",
        "XDG_RUNTIME_DIR",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "DOCKER_HOST",
        "DOCKER_CONTEXT",
        "DOCKER_CONFIG",
        "DOCKER_CERT_PATH",
        "DOCKER_TLS",
        "DOCKER_TLS_VERIFY",
        "DOCKER_API_VERSION",
        "CONTAINER_HOST",
        "CONTAINER_CONNECTION",
        "CONTAINER_SSHKEY",
        "CONTAINERS_CONF",
        "CONTAINERS_CONF_OVERRIDE",
        "CONTAINERS_STORAGE_CONF",
        "STORAGE_DRIVER",
        "STORAGE_OPTS",
        "SSH_AUTH_SOCK",
    ];
    // Only whole names are compared. The values are written to disk, and other variables with the
    // same prefixes contain passwords.
    NAMES.contains(&name)
}

/// Checks whether a string is an image name and not an option.
pub fn is_image(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._/:@-".contains(&byte);
    text.len() <= IMAGE_BYTES_MAX
        && text.bytes().all(plain)
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.ends_with(|c: char| c.is_ascii_alphanumeric())
}

/// Checks whether a string is the name of a user-defined network.
pub(crate) fn is_network(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    text.len() <= 128
        && text.bytes().all(plain)
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// Checks whether a string is an amount of memory for an engine: `512m`, `1g`, `67108864`.
pub(crate) fn is_memory(text: &str) -> bool {
    let digits = text
        .strip_suffix(|c: char| "bkmgBKMG".contains(c))
        .unwrap_or(text);
    (1..=15).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !digits.starts_with('0')
}

/// Checks whether a string is a program in an image.
pub(crate) fn is_entrypoint(text: &str) -> bool {
    let plain = |c: char| !c.is_control() && c != '$';
    (1..=ENTRYPOINT_BYTES_MAX).contains(&text.len())
        && text.chars().all(plain)
        && !text.starts_with(['-', '[', ' '])
}

/// Checks whether a string is a user, or a user and a group, by name or number.
pub(crate) fn is_user(text: &str) -> bool {
    let one = |part: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        (1..=64).contains(&part.len()) && part.bytes().all(plain) && !part.starts_with(['-', '.'])
    };
    match text.split_once(':') {
        Some((user, group)) => one(user) && one(group),
        None => one(text),
    }
}

#[cfg(test)]
mod tests;
