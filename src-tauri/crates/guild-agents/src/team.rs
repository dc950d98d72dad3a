//! Exports a profile for a team. The export also contains the manifest of a member that connects
//! the desktop app to the team's gateway.
//!
//! As a compose file or as Kubernetes manifests, the files run `guildhall serve` with the profile's
//! members. It listens only on the loopback interface. The team's gateway is a container image that
//! the team chooses. It shares the network namespace of `guildhall serve` and has the only public
//! port. The other formats are the configuration of agentgateway or ToolHive, which run the members
//! without Guild Hall. They allow exactly what agents may use here without asking.
//!
//! The export contains references to secrets and a list of the values to set, but no secret. This
//! module neither reads manifests nor writes files.

mod access;
mod agentgateway;
mod agentgateway_kubernetes;
mod cedar;
mod cel;
mod compose;
mod kubernetes;
mod members;
mod toolhive;
pub mod yaml;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::messages::{TeamError, TeamNeed, TeamNote, TeamProgram, TeamUnfit};
use guild_api::wire::{ExportTeam, LeftOut, TeamExport, TeamFile, TeamTarget, ToSet};
use guild_model::container::is_image;
use guild_model::endpoint::GATEWAY_PORT;
use guild_model::error::{Code, Report};
use guild_model::manifest::{Manifest, Policy};
use guild_model::profile::Profile;
use guild_text::messages::to_strings;

pub use self::access::{MemberAccess, OfferAccess};
use self::members::{Sidecar, TeamMembers, free_name};

/// The folder of the members' manifests in the container.
const MEMBERS_DIR: &str = "/etc/guild-hall/members";
/// The data folder in the container.
const DATA_DIR: &str = "/var/lib/guild-hall";
/// The token file in the container.
const TOKEN_FILE: &str = "/run/secrets/guild-hall/token";
/// The user id in the container.
const USER: u32 = 10_001;
/// The key of the value in a Secret with one value.
const SECRET_KEY: &str = "value";
/// The default port of the team's gateway.
pub(crate) const TEAM_PORT: u16 = 8_080;
/// Maximum size of the values in a ConfigMap, in bytes. Leaves room for its keys, because
/// Kubernetes allows 1 MiB in total.
const CONFIG_BYTES_MAX: usize = 900 * 1024;

/// A profile with its members, as the engine knows them.
#[derive(Debug)]
pub struct Team<'a> {
    /// The profile.
    pub profile: &'a Profile,
    /// The members' manifests, or the reasons that members can't be used.
    pub manifests: BTreeMap<&'a str, Result<&'a Manifest, TeamUnfit>>,
    /// The content of `gateway.json` without the profiles: policies, rules and listing.
    pub settings: Value,
    /// The tools that are withheld until a person reviews them, by member.
    pub held: BTreeMap<&'a str, Vec<&'a str>>,
    /// The access of agents to the members without the approval of a person.
    pub access: BTreeMap<&'a str, &'a MemberAccess>,
}

/// The data that all formats share.
struct TeamExportContext<'a> {
    /// The name of all resources, such as `guild-hall-writing`.
    name: String,
    request: &'a ExportTeam,
    port: u16,
    members: TeamMembers,
    /// The content of `gateway.json`.
    gateway: String,
    /// The access of agents to the members.
    access: &'a BTreeMap<&'a str, &'a MemberAccess>,
    /// The number of tools per member that the export denies because a review is pending.
    held: Vec<(String, usize)>,
}

/// Returns the files that run a profile's members for a team, with notes. Writes nothing.
///
/// # Errors
/// `profile-refused` if an image or an address is invalid, no member can run for a team, or the
/// result is too large.
pub fn export(team: &Team<'_>, request: &ExportTeam) -> Result<TeamExport, Report> {
    check(request)?;
    let port = request.gateway_port.unwrap_or(TEAM_PORT);
    let members = TeamMembers::of(team, request, port);
    if members.names().next().is_none() {
        let why = {
            let reasons = members.left_out.iter();
            let reasons = reasons.map(|(member, why)| format!("{member}: {why}"));
            reasons.collect::<Vec<_>>().join(" ")
        };
        return Err(refused(TeamError::NoMembers(why)));
    }
    let mut settings = team.settings.clone();
    let mut profile = team.profile.clone();
    profile
        .members
        .retain(|mounted| members.manifests.contains_key(mounted.member.as_str()));
    let mut held = Vec::new();
    for (member, tools) in &team.held {
        if members.names().any(|name| name == *member) && !tools.is_empty() {
            held.push(((*member).to_owned(), tools.len()));
            for tool in tools {
                settings["policies"][*member][*tool] = json!(Policy::Deny);
            }
        }
    }
    settings["port"] = GATEWAY_PORT.into();
    settings["profiles"] = json!([profile]);
    let parts = TeamExportContext {
        name: slug(&format!("guild-hall-{}", team.profile.name)),
        request,
        port,
        gateway: pretty(&settings),
        access: &team.access,
        members,
        held,
    };
    if parts.size() > CONFIG_BYTES_MAX {
        return Err(refused(TeamError::TooLarge));
    }
    let mut files = match request.target {
        TeamTarget::Compose => compose::files(&parts),
        TeamTarget::Kubernetes => kubernetes::files(&parts),
        TeamTarget::Agentgateway => agentgateway::files(&parts),
        TeamTarget::AgentgatewayKubernetes => {
            if cel::rules(parts.access()).len() > agentgateway_kubernetes::RULES_MAX {
                return Err(refused(TeamError::TooLarge));
            }
            agentgateway_kubernetes::files(&parts)
        }
        TeamTarget::Toolhive => toolhive::files(&parts),
    };
    if files.iter().any(|file| file.text.len() > CONFIG_BYTES_MAX) {
        return Err(refused(TeamError::TooLarge));
    }
    files.push(TeamFile {
        path: "connect/plugin.json".to_owned(),
        text: pretty(&parts.connecting(team.profile)),
    });
    Ok(TeamExport {
        to_set: parts.to_set(),
        notes: to_strings(&parts.notes()),
        left_out: parts
            .members
            .left_out
            .iter()
            .map(|(member, why)| LeftOut {
                member: member.clone(),
                why: why.to_string(),
            })
            .collect(),
        members: parts.members.names().map(str::to_owned).collect(),
        files,
    })
}

/// Whether a container mounts the exported file at `path`. The user of the container must be able
/// to read such a file, which contains no secrets.
pub fn is_mounted(path: &str) -> bool {
    path.starts_with(compose::CONFIG)
}

fn check(request: &ExportTeam) -> Result<(), Report> {
    let is_required = request.target.runs_guild_hall();
    let wrong = |image: &Option<String>| match image.as_deref() {
        None => is_required.then(|| "\"\"".to_owned()),
        Some(image) => (!is_image(image)).then(|| format!("{image:?}")),
    };
    if let Some(image) = wrong(&request.image) {
        return Err(refused(TeamError::Image(image)));
    }
    if let Some(image) = wrong(&request.gateway_image) {
        return Err(refused(TeamError::GatewayImage(image)));
    }
    if request
        .gateway_port
        .is_some_and(|port| port == GATEWAY_PORT || port < 1024)
    {
        return Err(refused(TeamError::Port(GATEWAY_PORT)));
    }
    if let Some(url) = &request.url
        && let Err(wrong) = guild_model::manifest::check_url(url)
    {
        return Err(refused(TeamError::Address(wrong)));
    }
    Ok(())
}

fn refused(trouble: TeamError) -> Report {
    Report::from_error(Code::ProfileRefused, &trouble)
}

impl TeamExportContext<'_> {
    fn size(&self) -> usize {
        let manifests = self.members.manifests.values();
        manifests.map(String::len).sum::<usize>() + self.gateway.len()
    }

    /// Returns the arguments with which the container runs `guildhall`.
    fn words() -> [&'static str; 7] {
        [
            "serve",
            "--members",
            MEMBERS_DIR,
            "--data",
            DATA_DIR,
            "--token-file",
            TOKEN_FILE,
        ]
    }

    /// Returns the image with `guildhall` and the programs that start the members.
    fn image(&self) -> &str {
        self.request.image.as_deref().unwrap_or_default()
    }

    fn gateway_image(&self) -> &str {
        self.request.gateway_image.as_deref().unwrap_or_default()
    }

    /// Returns what agents may use of each member, by the member's name there.
    fn access(&self) -> impl Iterator<Item = (&str, &MemberAccess)> {
        let servers = self.members.servers.iter();
        servers.map(|(name, server)| (name.as_str(), self.access_of(&server.member)))
    }

    fn access_of(&self, member: &str) -> &MemberAccess {
        let access = self.access.get(member);
        access.copied().unwrap_or(&access::NO_ACCESS)
    }

    /// Returns the manifest of the member that connects the desktop app to the team's gateway.
    fn connecting(&self, profile: &Profile) -> Value {
        let name: String = format!("team-{}", profile.name).chars().take(64).collect();
        let (port, path) = match self.request.target {
            TeamTarget::Compose | TeamTarget::Kubernetes => {
                (self.port, format!("/profiles/{}/mcp", profile.name))
            }
            TeamTarget::Agentgateway | TeamTarget::AgentgatewayKubernetes => {
                (self.port, "/mcp".to_owned())
            }
            TeamTarget::Toolhive => (toolhive::PORT, "/mcp".to_owned()),
        };
        let url = match &self.request.url {
            Some(url) => url.clone(),
            None => format!("http://127.0.0.1:{port}{path}"),
        };
        let mut manifest = json!({
            "name": name,
            "description": format!("The profile {} as the team serves it", profile.name),
            "transport": "http",
            "url": url,
        });
        if self.request.target != TeamTarget::Toolhive {
            let token = format!("Bearer ${{secret:{name}/TOKEN}}");
            manifest["headers"] = json!({ "Authorization": token });
        }
        manifest
    }

    fn to_set(&self) -> Vec<ToSet> {
        let to_set = |name: &str, need: &TeamNeed| ToSet {
            name: name.to_owned(),
            what: need.to_string(),
        };
        let mut all = match self.request.target {
            TeamTarget::Compose => vec![to_set("GUILD_HALL_TOKEN_FILE", &TeamNeed::TokenFile)],
            TeamTarget::Kubernetes | TeamTarget::AgentgatewayKubernetes => {
                vec![to_set("token", &TeamNeed::Token)]
            }
            TeamTarget::Agentgateway => vec![
                to_set(agentgateway::TOKEN, &TeamNeed::Token),
                to_set(
                    agentgateway::COLLECTOR,
                    &TeamNeed::Collector(agentgateway::COLLECTOR_DEFAULT),
                ),
            ],
            TeamTarget::Toolhive => vec![],
        };
        let variables = self.members.variables.iter();
        all.extend(variables.map(|(name, need)| to_set(name, need)));
        all
    }

    /// Returns the name of the Secret with the value of each variable.
    fn secrets(&self) -> BTreeMap<&str, String> {
        let mut secrets = BTreeMap::<&str, String>::new();
        for variable in self.members.variables.keys() {
            let name = dashed(&format!("{}-{variable}", self.name), 200);
            let name = free_name(&name, '-', |name| {
                secrets.values().any(|other| other == name)
            });
            secrets.insert(variable, name);
        }
        secrets
    }

    /// Returns the variables that manifests reference, which `guildhall serve` needs. The other
    /// variables are needed only in sidecar containers.
    fn of_serve(&self) -> impl Iterator<Item = &String> {
        self.members.variables.keys().filter(move |name| {
            let reference = format!("${{env:{name}}}");
            let mut manifests = self.members.manifests.values();
            manifests.any(|text| text.contains(&reference))
        })
    }

    fn notes(&self) -> Vec<TeamNote> {
        let programs: Vec<TeamProgram> = self.members.programs.values().cloned().collect();
        let mut notes = Vec::new();
        match self.request.target {
            TeamTarget::Compose | TeamTarget::Kubernetes => {
                let image = self.gateway_image().to_owned();
                notes.push(TeamNote::Gateway(image, GATEWAY_PORT));
            }
            TeamTarget::Agentgateway => {
                notes.push(TeamNote::Expansion);
                notes.push(TeamNote::OpenPort(self.port));
                notes.push(TeamNote::OtherNames("agentgateway"));
            }
            TeamTarget::AgentgatewayKubernetes => {
                notes.push(TeamNote::Forward(self.name.clone(), self.port));
                notes.push(TeamNote::Collector(agentgateway_kubernetes::COLLECTOR_NAME));
                notes.push(TeamNote::OtherNames("agentgateway"));
            }
            TeamTarget::Toolhive => {
                notes.push(TeamNote::NoToken(self.name.clone(), toolhive::PORT));
                notes.push(TeamNote::Collector(toolhive::COLLECTOR));
                notes.push(TeamNote::OtherNames("ToolHive"));
            }
        }
        if !programs.is_empty() {
            notes.push(match self.request.target {
                TeamTarget::Agentgateway => TeamNote::ProgramsThere(programs),
                _ => TeamNote::Programs(self.image().to_owned(), programs),
            });
        }
        notes.push(TeamNote::AskIsDenied);
        if !self.held.is_empty() {
            let held = self.held.iter();
            let held = held.map(|(member, tools)| format!("{member} ({tools})"));
            notes.push(TeamNote::Held(held.collect::<Vec<_>>().join(", ")));
        }
        let servers = self.members.servers.values();
        let unknown = servers.map(|server| server.member.as_str());
        let unknown = unknown.filter(|member| {
            let access = self.access_of(member);
            access.tools.is_none() || !access.has_offers
        });
        let unknown: Vec<&str> = unknown.collect();
        if !unknown.is_empty() {
            notes.push(TeamNote::Unknown(unknown.join(", ")));
        }
        if self.request.target.is_cluster() {
            let servers = self.members.servers.values();
            let servers = servers.filter_map(|server| server.sidecar());
            let limited = self.members.sidecars.iter().chain(servers);
            let limited = limited.filter(|one| one.container.pids_limit.is_some());
            let limited: Vec<&str> = limited.map(|one| one.name.as_str()).collect();
            if !limited.is_empty() {
                notes.push(TeamNote::NoProcessLimit(limited.join(", ")));
            }
        }
        if self.request.target == TeamTarget::Kubernetes {
            let keys: Vec<String> = self
                .to_set()
                .iter()
                .map(|one| format!("--from-file={0}=./{0}", one.name))
                .collect();
            notes.push(TeamNote::ClusterSecret(self.name.clone(), keys.join(" ")));
            notes.push(TeamNote::Pods(self.name.clone(), self.port));
        }
        if self.request.target == TeamTarget::AgentgatewayKubernetes {
            let token = agentgateway_kubernetes::token(self);
            let mut secrets = vec![format!(
                "kubectl create secret generic {token} --from-file=token=./token"
            )];
            let keys = self.members.variables.keys();
            let keys: Vec<String> = keys
                .map(|name| format!("--from-file={name}=./{name}"))
                .collect();
            if !keys.is_empty() {
                let keys = keys.join(" ");
                secrets.push(format!(
                    "kubectl create secret generic {} {keys}",
                    self.name
                ));
            }
            notes.push(TeamNote::ValueSecrets(secrets.join(" && ")));
        }
        if self.request.target == TeamTarget::Toolhive {
            let secrets = self.secrets().into_iter().map(|(variable, name)| {
                format!(
                    "kubectl create secret generic {name} --from-file={SECRET_KEY}=./{variable}"
                )
            });
            let secrets: Vec<String> = secrets.collect();
            if !secrets.is_empty() {
                notes.push(TeamNote::ValueSecrets(secrets.join(" && ")));
            }
        }
        notes
    }
}

/// Converts a manifest's string to another notation: `plain` converts the parts without variables,
/// and `variable` the name in each `${env:NAME}`.
fn converted(
    text: &str,
    plain: impl Fn(&str) -> String,
    mut variable: impl FnMut(&str) -> String,
) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${env:") {
        let Some((name, after)) = after.split_once('}') else {
            break;
        };
        out.push_str(&plain(before));
        out.push_str(&variable(name));
        rest = after;
    }
    out + &plain(rest)
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Returns a name for clusters and compose: lowercase letters, digits and hyphens.
fn slug(name: &str) -> String {
    dashed(name, 52)
}

fn dashed(name: &str, limit: usize) -> String {
    let plain = |c: char| match c.to_ascii_lowercase() {
        c if c.is_ascii_alphanumeric() => c,
        _ => '-',
    };
    let name: String = name.chars().map(plain).take(limit).collect();
    name.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests;
