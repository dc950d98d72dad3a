//! Decides which members of a profile can run for a team, and builds their manifests or, if another
//! program than Guild Hall runs them, the descriptions of their servers.

use guild_model::manifest::SECRET_PREFIX;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{Team, USER, pretty, slug};
use crate::messages::{TeamNeed, TeamProgram, TeamUnfit};
use guild_api::wire::{ExportTeam, TeamTarget};
use guild_model::container::{Container, Network};
use guild_model::endpoint::GATEWAY_PORT;
use guild_model::manifest::{
    Launch, Lifecycle, Manifest, RestartPolicy, Transport, with_references,
};
use guild_text::secret_detection::{ArgScanner, may_be_secret, secretless};

/// Programs that download the server that they run.
const FETCHING: &[&str] = &["npx", "uvx", "bunx", "pnpm", "pipx", "uv", "bun", "deno"];

/// Maximum number of headers that agentgateway reads from Secrets for one target.
const HEADERS_MAX: usize = 8;

/// A member's server in a sidecar container.
#[derive(Debug, Clone)]
pub(super) struct Sidecar {
    pub(super) name: String,
    pub(super) container: Container,
    /// The container's environment variables, with `${env:NAME}` in values.
    pub(super) env: BTreeMap<String, String>,
}

impl Sidecar {
    /// Returns the numeric user and group of the container, because a cluster accepts no names. A
    /// user that has no number or is root is replaced by a default. The group is optional.
    pub(super) fn user(&self) -> (u32, Option<u32>) {
        let named = self.container.user.as_deref().and_then(numbers);
        let named = named.filter(|(user, _)| *user != 0);
        named.unwrap_or((USER, Some(USER)))
    }
}

/// A member's server that another program than Guild Hall runs. Its strings contain `${env:NAME}`
/// instead of secrets.
#[derive(Debug)]
pub(super) struct TeamServer {
    pub(super) member: String,
    pub(super) transport: Transport,
    pub(super) launch: TeamLaunch,
}

impl TeamServer {
    /// Returns the container of the server. `None` if it is not a container.
    pub(super) fn sidecar(&self) -> Option<&Sidecar> {
        match &self.launch {
            TeamLaunch::Container(sidecar) => Some(sidecar.as_ref()),
            TeamLaunch::Command { .. } | TeamLaunch::Url { .. } => None,
        }
    }
}

/// How a member's server is started or reached.
#[derive(Debug)]
pub(super) enum TeamLaunch {
    Command {
        command: String,
        args: Vec<String>,
        env: BTreeMap<String, String>,
    },
    Url {
        url: String,
        headers: BTreeMap<String, String>,
    },
    Container(Box<Sidecar>),
}

/// The members of a profile: those that are exported and those that are left out.
#[derive(Debug)]
pub(super) struct TeamMembers {
    target: TeamTarget,
    has_image: bool,
    /// The manifests of the members that Guild Hall runs.
    pub(super) manifests: BTreeMap<String, String>,
    /// The members that another program runs, by their names there: lowercase letters, digits and
    /// hyphens, with a letter first.
    pub(super) servers: BTreeMap<String, TeamServer>,
    pub(super) sidecars: Vec<Sidecar>,
    /// Members that can't run for a team, with the reasons.
    pub(super) left_out: Vec<(String, TeamUnfit)>,
    /// The environment variables that the team has to set, and the value that each needs.
    pub(super) variables: BTreeMap<String, TeamNeed>,
    /// The programs that the image must contain, by the command that starts a member.
    pub(super) programs: BTreeMap<String, TeamProgram>,
    /// The ports of remote servers, except 443.
    pub(super) ports: BTreeSet<u16>,
    /// The variable that replaces each secret, by the secret's name.
    named: BTreeMap<String, String>,
}

impl TeamMembers {
    pub(super) fn of(team: &Team<'_>, request: &ExportTeam, port: u16) -> Self {
        let mut members = Self {
            target: request.target,
            has_image: request.image.is_some(),
            manifests: BTreeMap::new(),
            servers: BTreeMap::new(),
            sidecars: Vec::new(),
            left_out: Vec::new(),
            variables: BTreeMap::new(),
            programs: BTreeMap::new(),
            ports: BTreeSet::new(),
            named: BTreeMap::new(),
        };
        let mut taken = BTreeSet::from([port, GATEWAY_PORT]);
        for mounted in &team.profile.members {
            let name = mounted.member.as_str();
            let manifest = match team.manifests.get(name) {
                Some(Ok(manifest)) => Ok(*manifest),
                Some(Err(why)) => Err(why.clone()),
                None => Err(TeamUnfit::Gone),
            };
            let added = manifest.and_then(|manifest| members.add(manifest, &mut taken));
            if let Err(why) = added {
                members.left_out.push((name.to_owned(), why));
            }
        }
        members
    }

    /// Returns the exported members.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let servers = self.servers.values().map(|server| &server.member);
        self.manifests.keys().chain(servers).map(String::as_str)
    }

    fn add(&mut self, manifest: &Manifest, taken: &mut BTreeSet<u16>) -> Result<(), TeamUnfit> {
        if !manifest.enabled {
            return Err(TeamUnfit::Off);
        }
        let member = manifest.name.as_str();
        self.check(manifest)?;
        let launch = match &manifest.launch {
            Launch::Command {
                command,
                args,
                env,
                cwd,
            } => {
                runs_there(command, args, env, cwd.as_deref())?;
                self.program(command);
                let mut words = ArgScanner::default();
                let args = args.iter().map(|arg| {
                    let arg = words.next(arg, &mut |name| self.written(member, name));
                    self.text(&arg, TeamNeed::InArgument(member.to_owned()))
                });
                let args = args.collect();
                let command = command.clone();
                let env = self.values(member, env);
                TeamLaunch::Command { command, args, env }
            }
            Launch::Url { url, headers } => {
                if is_here(url) {
                    return Err(TeamUnfit::AddressHere);
                }
                if manifest.may_be_signed_in_to() && manifest.auth.is_some() {
                    return Err(TeamUnfit::SignIn);
                }
                self.ports.extend(port_of(url));
                let url = secretless(url, &mut |name| self.written(member, name));
                let url = self.text(&url, TeamNeed::InAddress(member.to_owned()));
                let headers = self.headers(member, headers);
                TeamLaunch::Url { url, headers }
            }
            Launch::Container(container) => {
                let port = container.port.filter(|_| manifest.transport.is_http());
                if self.target != TeamTarget::Toolhive && port.is_none() {
                    return Err(TeamUnfit::OverStdin);
                }
                runs_as_container(container)?;
                if let Some(port) = port
                    && self.target.runs_guild_hall()
                    && !taken.insert(port)
                {
                    return Err(TeamUnfit::PortTaken(port));
                }
                let env = self.values(member, &container.env);
                let name = match self.target.runs_guild_hall() {
                    true => self.free_sidecar(member),
                    false => self.free_server(member),
                };
                let container = container.as_ref().clone();
                TeamLaunch::Container(Box::new(Sidecar {
                    name,
                    container,
                    env,
                }))
            }
        };
        if self.target.runs_guild_hall() {
            self.add_manifest(manifest, launch);
        } else {
            let name = self.free_server(member);
            let server = TeamServer {
                member: member.to_owned(),
                transport: manifest.transport,
                launch,
            };
            self.servers.insert(name, server);
        }
        Ok(())
    }

    fn add_manifest(&mut self, manifest: &Manifest, launch: TeamLaunch) {
        let mut fields = match launch {
            TeamLaunch::Command { command, args, env } => {
                json!({"transport": manifest.transport, "command": command, "args": args, "env": env})
            }
            TeamLaunch::Url { url, headers } => {
                json!({"transport": "http", "url": url, "headers": headers})
            }
            TeamLaunch::Container(sidecar) => {
                let port = sidecar.container.port.unwrap_or_default();
                self.sidecars.push(*sidecar);
                json!({"transport": "http", "url": format!("http://127.0.0.1:{port}/mcp")})
            }
        };
        if !manifest.headers.is_empty() {
            fields["headers"] = json!(self.values(manifest.name.as_str(), &manifest.headers));
        }
        let text = pretty(&whole(manifest, fields));
        self.manifests.insert(manifest.name.to_string(), text);
    }

    /// Checks whether the program that runs the members supports a member.
    fn check(&self, manifest: &Manifest) -> Result<(), TeamUnfit> {
        if self.target.runs_guild_hall() {
            return Ok(());
        }
        if !manifest.headers.is_empty() {
            return Err(TeamUnfit::Headers);
        }
        let is_toolhive = self.target == TeamTarget::Toolhive;
        match &manifest.launch {
            Launch::Command { command, .. } if command == "${GUILDHALL}" => {
                Err(TeamUnfit::PartOfGuildHall)
            }
            Launch::Command { .. } if manifest.transport.is_http() => Err(TeamUnfit::OwnPort),
            Launch::Command { .. } if self.target == TeamTarget::AgentgatewayKubernetes => {
                Err(TeamUnfit::NoCommands)
            }
            Launch::Command { .. } if is_toolhive && !self.has_image => Err(TeamUnfit::NoImage),
            Launch::Command { args, .. } if is_toolhive && has_values(args) => {
                Err(TeamUnfit::ValueInArguments)
            }
            Launch::Container(_) if self.target == TeamTarget::Agentgateway => {
                Err(TeamUnfit::NoContainers)
            }
            Launch::Url { url, .. }
                if self.target != TeamTarget::Agentgateway
                    && (url.contains("${") || secretless(url, &mut |_| String::new()) != *url) =>
            {
                Err(TeamUnfit::ValueInAddress)
            }
            Launch::Url { headers, .. }
                if self.target == TeamTarget::AgentgatewayKubernetes
                    && headers.len() > HEADERS_MAX =>
            {
                Err(TeamUnfit::ManyHeaders(HEADERS_MAX))
            }
            _ => Ok(()),
        }
    }

    /// Converts the headers of a member with a URL. agentgateway reads all headers from Secrets in
    /// a cluster, so that each value becomes a variable as a whole.
    fn headers(
        &mut self,
        member: &str,
        headers: &BTreeMap<String, String>,
    ) -> BTreeMap<String, String> {
        if self.target != TeamTarget::AgentgatewayKubernetes {
            return self.values(member, headers);
        }
        let headers = headers.iter().map(|(name, value)| {
            let value = match is_reference(value) {
                true => self.value(member, name, value),
                false => self.written(member, name),
            };
            (name.clone(), value)
        });
        headers.collect()
    }

    /// Whether values from Secrets can only be whole values, so that a value with a part from a
    /// Secret becomes a variable as a whole.
    fn has_whole_values(&self) -> bool {
        self.target == TeamTarget::Toolhive
    }

    fn values(
        &mut self,
        member: &str,
        values: &BTreeMap<String, String>,
    ) -> BTreeMap<String, String> {
        let mut converted = BTreeMap::new();
        for (name, value) in values {
            let mut value = self.value(member, name, value);
            // ToolHive accepts each Secret only once for a server.
            if self.has_whole_values()
                && is_reference(&value)
                && converted.values().any(|other| *other == value)
            {
                value = self.written(member, name);
            }
            converted.insert(name.clone(), value);
        }
        converted
    }

    /// Converts the value of a variable or a header. A literal value that may be a secret becomes a
    /// variable to set.
    fn value(&mut self, member: &str, name: &str, value: &str) -> String {
        let refers = value.contains("${secret:") || value.contains("${env:");
        if may_be_secret(name) && !refers && !value.is_empty() {
            return self.written(member, name);
        }
        if self.has_whole_values() && !is_reference(value) && (refers || is_partly_secret(value)) {
            return self.written(member, name);
        }
        let value = secretless(value, &mut |_| self.written(member, name));
        self.text(&value, TeamNeed::InValue(name.to_owned()))
    }

    /// Replaces a literal secret by a new variable. The variable is not shared, since fields with
    /// the same name in two members may have different values.
    fn written(&mut self, member: &str, field: &str) -> String {
        let variable = self.free_variable(&format!("{member}/{field}"));
        let need = TeamNeed::Written(member.to_owned(), field.to_owned());
        self.variables.insert(variable.clone(), need);
        format!("${{env:{variable}}}")
    }

    /// Replaces each `${secret:…}` in a string by a variable. Variables that the string already
    /// contains stay, and `need` describes the values that the team has to supply for them.
    fn text(&mut self, text: &str, need: TeamNeed) -> String {
        let mut used = Vec::new();
        let text = with_references(
            text,
            |secret| {
                let variable = self.variable_of(secret);
                used.push((variable.clone(), TeamNeed::Secret(secret.to_owned())));
                format!("${{env:{variable}}}")
            },
            |_| {},
        );
        let mut named = Vec::new();
        with_references(&text, |_| String::new(), |name| named.push(name.to_owned()));
        for (variable, what) in used {
            self.variables.insert(variable, what);
        }
        for name in named {
            self.variables.entry(name).or_insert_with(|| need.clone());
        }
        text
    }

    /// Returns the variable for a secret.
    fn variable_of(&mut self, secret: &str) -> String {
        if let Some(known) = self.named.get(secret) {
            return known.clone();
        }
        let name = self.free_variable(secret);
        self.named.insert(secret.to_owned(), name.clone());
        name
    }

    fn free_variable(&self, called: &str) -> String {
        let plain = |c: char| match c.is_ascii_alphanumeric() {
            true => c.to_ascii_uppercase(),
            false => '_',
        };
        let first: String = called.chars().map(plain).take(100).collect();
        free_name(&format!("{SECRET_PREFIX}{first}"), '_', |name| {
            self.variables.contains_key(name) || self.named.values().any(|taken| taken == name)
        })
    }

    /// Returns an unused container name, since members may share a slug.
    fn free_sidecar(&self, member: &str) -> String {
        free_name(&slug(&format!("server-{member}")), '-', |name| {
            self.sidecars.iter().any(|other| other.name == name)
        })
    }

    /// Returns an unused name for a member's server.
    fn free_server(&self, member: &str) -> String {
        let name = slug(member);
        let name = match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            true => name,
            false => slug(&format!("server-{member}")),
        };
        free_name(&name, '-', |name| self.servers.contains_key(name))
    }

    fn program(&mut self, command: &str) {
        if command != "${GUILDHALL}" {
            let program = match FETCHING.contains(&command) {
                true => TeamProgram::Fetching(command.to_owned()),
                false => TeamProgram::Plain(command.to_owned()),
            };
            self.programs.insert(command.to_owned(), program);
        }
    }
}

/// Returns `first`, or else `first` with the lowest number that makes it free.
pub(super) fn free_name(first: &str, separator: char, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = first.to_owned();
    let mut number = 2;
    while is_taken(&name) {
        name = format!("{first}{separator}{number}");
        number += 1;
    }
    name
}

/// Returns the manifest to export. It lacks fields that only server authors and imports need.
fn whole(manifest: &Manifest, launch: Value) -> Value {
    let mut text = json!({"name": manifest.name, "version": manifest.version});
    if !manifest.description.is_empty() {
        text["description"] = json!(manifest.description);
    }
    if let Value::Object(launch) = launch {
        for (key, value) in launch {
            let empty = value.as_object().is_some_and(Map::is_empty)
                || value.as_array().is_some_and(Vec::is_empty);
            if !empty {
                text[key.as_str()] = value;
            }
        }
    }
    if manifest.lifecycle != Lifecycle::default() {
        text["lifecycle"] = json!(manifest.lifecycle);
    }
    if manifest.restart != RestartPolicy::default() {
        text["restart"] = json!(manifest.restart);
    }
    let limits = json!(manifest.timeouts);
    if let Value::Object(mut limits) = limits {
        limits.retain(|_, limit| !limit.is_null());
        if !limits.is_empty() {
            text["timeouts"] = limits.into();
        }
    }
    let tools = manifest.tools.iter().map(|(tool, settings)| {
        let mut entry = Map::new();
        if let Some(policy) = settings.policy {
            entry.insert("policy".into(), json!(policy));
        }
        if let Some(limit) = settings.timeout_ms {
            entry.insert("timeout_ms".into(), json!(limit));
        }
        (tool.clone(), Value::Object(entry))
    });
    let tools: Map<String, Value> = tools.collect();
    if !tools.is_empty() {
        text["tools"] = tools.into();
    }
    if let Some(version) = manifest.protocol_version {
        text["protocol_version"] = json!(version.as_str());
    }
    text
}

/// Checks whether a command can run without files of this machine.
fn runs_there(
    command: &str,
    args: &[String],
    env: &BTreeMap<String, String>,
    cwd: Option<&str>,
) -> Result<(), TeamUnfit> {
    if cwd.is_some() {
        return Err(TeamUnfit::FolderHere);
    }
    if command != "${GUILDHALL}" && command.contains(['/', '\\', '$']) {
        return Err(TeamUnfit::ProgramHere(command.to_owned()));
    }
    if matches!(command, "docker" | "podman" | "nerdctl") {
        return Err(TeamUnfit::RunsContainer);
    }
    let texts = args.iter().chain(env.values());
    for text in texts {
        if text.contains("${PLUGIN_DIR}") {
            return Err(TeamUnfit::OwnFiles);
        }
        if let Some(path) = local_path(text) {
            return Err(TeamUnfit::FilesHere(path.to_owned()));
        }
    }
    Ok(())
}

/// Returns the local path in an argument or a value.
fn local_path(text: &str) -> Option<&str> {
    let value = match text.split_once('=') {
        Some((option, value)) if option.starts_with('-') => value,
        _ => text,
    };
    let is_drive =
        matches!(value.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    let is_path = value.starts_with(['/', '~'])
        || value.starts_with("./")
        || value.starts_with("../")
        || value.starts_with("${env:HOME}")
        || is_drive;
    is_path.then_some(value)
}

/// Checks whether a container can run on another machine.
fn runs_as_container(container: &Container) -> Result<(), TeamUnfit> {
    if !container.mounts.is_empty() {
        return Err(TeamUnfit::MountsHere);
    }
    if let Network::Named(name) = &container.network {
        return Err(TeamUnfit::NetworkHere(name.clone()));
    }
    for text in &container.args {
        if text.contains("${") {
            return Err(TeamUnfit::OpenArguments);
        }
    }
    match has_values(&container.args) {
        true => Err(TeamUnfit::SecretArgument),
        false => Ok(()),
    }
}

/// Checks whether arguments contain variables or secrets.
fn has_values(args: &[String]) -> bool {
    let mut words = ArgScanner::default();
    args.iter()
        .any(|arg| arg.contains("${") || words.next(arg, &mut |_| String::new()) != arg.as_str())
}

/// Checks whether a value is exactly one variable.
fn is_reference(value: &str) -> bool {
    value.starts_with("${") && value.ends_with('}') && value.matches("${").count() == 1
}

fn is_partly_secret(value: &str) -> bool {
    secretless(value, &mut |_| String::new()) != value
}

fn numbers(user: &str) -> Option<(u32, Option<u32>)> {
    match user.split_once(':') {
        Some((user, group)) => Some((user.parse().ok()?, group.parse().ok())),
        None => Some((user.parse().ok()?, None)),
    }
}

/// Splits an address into host and port.
pub(super) fn authority(url: &str) -> (&str, Option<u16>) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
            (host, port.parse().ok())
        }
        _ => (authority, None),
    }
}

fn is_here(url: &str) -> bool {
    let (host, _) = authority(url);
    let host = host.to_ascii_lowercase();
    host == "localhost"
        || host.ends_with(".localhost")
        || host.starts_with("127.")
        || matches!(host.as_str(), "[::1]" | "0.0.0.0" | "host.docker.internal")
}

fn port_of(url: &str) -> Option<u16> {
    let (_, port) = authority(url);
    let port = port.or_else(|| url.to_ascii_lowercase().starts_with("http:").then_some(80));
    port.filter(|port| *port != 443)
}
