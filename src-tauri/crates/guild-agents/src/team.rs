//! Exports a profile for a team, as Kubernetes manifests or as a compose file. The files run the
//! profile's members behind the team's gateway. The export also contains the manifest of a member
//! that connects the desktop app to that gateway.
//!
//! `guildhall serve` listens only on the loopback interface. The team's gateway is a container
//! image that the team chooses. It shares the network namespace of `guildhall serve` and has the
//! only public port. The export contains references to secrets and a list of the values to set, but
//! no secret. This module neither reads manifests nor writes files.

mod compose;
mod kubernetes;
mod members;
pub mod yaml;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::messages::{TeamError, TeamNeed, TeamNote, TeamUnfit};
use guild_api::wire::{ExportTeam, LeftOut, TeamExport, TeamFile, TeamTarget, ToSet};
use guild_model::container::is_image;
use guild_model::endpoint::GATEWAY_PORT;
use guild_model::error::{Code, Report};
use guild_model::manifest::{Manifest, Policy};
use guild_model::profile::Profile;
use guild_text::messages::to_strings;

use self::members::{Sidecar, TeamMembers};

/// The folder of the members' manifests in the container.
const MEMBERS_DIR: &str = "/etc/guild-hall/members";
/// The data folder in the container.
const DATA_DIR: &str = "/var/lib/guild-hall";
/// The token file in the container.
const TOKEN_FILE: &str = "/run/secrets/guild-hall/token";
/// The user id in the container.
const USER: u32 = 10_001;
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
}

/// The data that the exports for compose and for Kubernetes share.
struct TeamExportContext<'a> {
    /// The name of all resources, such as `guild-hall-writing`.
    name: String,
    request: &'a ExportTeam,
    port: u16,
    members: TeamMembers,
    gateway: String,
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
    let members = TeamMembers::of(team, port);
    if members.manifests.is_empty() {
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
        if members.manifests.contains_key(*member) && !tools.is_empty() {
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
        members,
        held,
    };
    if parts.size() > CONFIG_BYTES_MAX {
        return Err(refused(TeamError::TooLarge));
    }
    let mut files = match request.target {
        TeamTarget::Compose => compose::files(&parts),
        TeamTarget::Kubernetes => kubernetes::files(&parts),
    };
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
        members: parts.members.manifests.into_keys().collect(),
        files,
    })
}

/// Whether a container mounts the exported file at `path`. The user of the container must be able
/// to read such a file, which contains no secrets.
pub fn is_mounted(path: &str) -> bool {
    path.starts_with(compose::CONFIG)
}

fn check(request: &ExportTeam) -> Result<(), Report> {
    let quoted = |image: &String| format!("{image:?}");
    if !is_image(&request.image) {
        return Err(refused(TeamError::Image(quoted(&request.image))));
    }
    if !is_image(&request.gateway_image) {
        let image = quoted(&request.gateway_image);
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

    /// Returns the manifest of the member that connects the desktop app to the team's gateway.
    fn connecting(&self, profile: &Profile) -> Value {
        let name: String = format!("team-{}", profile.name).chars().take(64).collect();
        let url = match &self.request.url {
            Some(url) => url.clone(),
            None => format!(
                "http://127.0.0.1:{}/profiles/{}/mcp",
                self.port, profile.name
            ),
        };
        json!({
            "name": name,
            "description": format!("The profile {} as the team serves it", profile.name),
            "transport": "http",
            "url": url,
            "headers": {"Authorization": format!("Bearer ${{secret:{name}/TOKEN}}")},
        })
    }

    fn to_set(&self) -> Vec<ToSet> {
        let to_set = |name: &str, need: &TeamNeed| ToSet {
            name: name.to_owned(),
            what: need.to_string(),
        };
        let token = match self.request.target {
            TeamTarget::Compose => to_set("GUILD_HALL_TOKEN_FILE", &TeamNeed::TokenFile),
            TeamTarget::Kubernetes => to_set("token", &TeamNeed::Token),
        };
        let variables = self.members.variables.iter();
        let variables = variables.map(|(name, need)| to_set(name, need));
        std::iter::once(token).chain(variables).collect()
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
        let gateway = self.request.gateway_image.clone();
        let mut notes = vec![TeamNote::Gateway(gateway, GATEWAY_PORT)];
        if !self.members.programs.is_empty() {
            let programs = self.members.programs.values().cloned().collect();
            notes.push(TeamNote::Programs(self.request.image.clone(), programs));
        }
        notes.push(TeamNote::AskIsDenied);
        if !self.held.is_empty() {
            let held = self.held.iter();
            let held = held.map(|(member, tools)| format!("{member} ({tools})"));
            notes.push(TeamNote::Held(held.collect::<Vec<_>>().join(", ")));
        }
        if self.request.target == TeamTarget::Kubernetes {
            let limited = self.members.sidecars.iter();
            let limited = limited.filter(|one| one.container.pids_limit.is_some());
            let limited: Vec<&str> = limited.map(|one| one.name.as_str()).collect();
            if !limited.is_empty() {
                notes.push(TeamNote::NoProcessLimit(limited.join(", ")));
            }
            let keys: Vec<String> = self
                .to_set()
                .iter()
                .map(|one| format!("--from-file={0}=./{0}", one.name))
                .collect();
            notes.push(TeamNote::ClusterSecret(self.name.clone(), keys.join(" ")));
            notes.push(TeamNote::Pods(self.name.clone(), self.port));
        }
        notes
    }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Returns a name for clusters and compose: lowercase letters, digits and hyphens.
fn slug(name: &str) -> String {
    let plain = |c: char| match c.to_ascii_lowercase() {
        c if c.is_ascii_alphanumeric() => c,
        _ => '-',
    };
    let name: String = name.chars().map(plain).take(52).collect();
    name.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests;
