//! A profile for a team: what runs its members in a cluster or with compose, behind a gateway that
//! the team has already, and the member that connects the app to it.
//!
//! `guildhall serve` listens on the loopback and nowhere else, there as here: the team's gateway is
//! beside it in the same network namespace, and is the only one that others reach. No secret is
//! written; each is a reference, and what has to be set is listed. Deliberately absent: reading
//! manifests, and writing files.

mod compose;
mod kubernetes;
mod members;
pub mod yaml;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::agents::{GATEWAY_PORT, Profile};
use crate::container::is_image;
use crate::error::{Code, Report};
use crate::manifest::{Manifest, Policy};
use crate::note::{TeamNeed, TeamNote, TeamTrouble, TeamUnfit, Told, told};
use crate::wire::{ExportTeam, LeftOut, TeamExport, TeamFile, TeamTarget, ToSet};

use self::members::{Members, Sidecar};

/// What the name of a variable begins with that holds a secret there. Only the member whose manifest
/// names it is given it.
pub const SECRET_PREFIX: &str = "GUILD_SECRET_";
/// Where the members' manifests are in the container.
const MEMBERS_DIR: &str = "/etc/guild-hall/members";
/// Where its data is.
const DATA_DIR: &str = "/var/lib/guild-hall";
/// Where its token is.
const TOKEN_FILE: &str = "/run/secrets/guild-hall/token";
/// Who it runs as.
const USER: u32 = 10_001;
/// The port of the team's gateway, unless another one is named.
pub(crate) const TEAM_PORT: u16 = 8_080;
/// The most that a ConfigMap may hold, in bytes, with room for its names.
const CONFIG_BYTES_MAX: usize = 900 * 1024;

/// A profile with what its members are, as the engine knows them.
#[derive(Debug)]
pub struct Team<'a> {
    /// The profile.
    pub profile: &'a Profile,
    /// Its members' manifests, or why one has none that can be used.
    pub manifests: BTreeMap<&'a str, Result<&'a Manifest, TeamUnfit>>,
    /// `gateway.json` beside the profiles: policies, rules, listing.
    pub settings: Value,
    /// The tools that agents do not get before a person has seen what is new or has changed, by their
    /// members.
    pub held: BTreeMap<&'a str, Vec<&'a str>>,
}

/// What is put together for every target.
struct Parts<'a> {
    /// The name of everything there: `guild-hall-writing`.
    name: String,
    request: &'a ExportTeam,
    port: u16,
    members: Members,
    /// `gateway.json`.
    gateway: String,
    /// How many tools of which members are denied there because they are held back here.
    held: Vec<(String, usize)>,
}

/// What runs a profile's members elsewhere, with what is to be known.
/// Nothing is written.
///
/// # Errors
/// `profile-refused` where an image or an address can't be used, no member can run there, or all of
/// it is too large.
pub fn export(team: &Team<'_>, request: &ExportTeam) -> Result<TeamExport, Report> {
    check(request)?;
    let port = request.gateway_port.unwrap_or(TEAM_PORT);
    let members = Members::of(team, port);
    if members.manifests.is_empty() {
        let why = {
            let said = members.left_out.iter();
            let said = said.map(|(member, why)| format!("{member}: {}", why.told()));
            said.collect::<Vec<_>>().join(" ")
        };
        return Err(refused(TeamTrouble::Nobody(why)));
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
    let parts = Parts {
        name: slug(&format!("guild-hall-{}", team.profile.name)),
        request,
        port,
        gateway: pretty(&settings),
        members,
        held,
    };
    if parts.size() > CONFIG_BYTES_MAX {
        return Err(refused(TeamTrouble::TooLarge));
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
        notes: told(&parts.notes()),
        left_out: parts
            .members
            .left_out
            .iter()
            .map(|(member, why)| LeftOut {
                member: member.clone(),
                why: why.told(),
            })
            .collect(),
        members: parts.members.manifests.into_keys().collect(),
        files,
    })
}

/// Whether a container reads a file of an export in its place: as its own user, whoever wrote it. None of
/// those has a secret.
pub fn is_mounted(path: &str) -> bool {
    path.starts_with(compose::CONFIG)
}

fn check(request: &ExportTeam) -> Result<(), Report> {
    let quoted = |image: &String| format!("{image:?}");
    if !is_image(&request.image) {
        return Err(refused(TeamTrouble::Image(quoted(&request.image))));
    }
    if !is_image(&request.gateway_image) {
        let image = quoted(&request.gateway_image);
        return Err(refused(TeamTrouble::GatewayImage(image)));
    }
    if request
        .gateway_port
        .is_some_and(|port| port == GATEWAY_PORT || port < 1024)
    {
        return Err(refused(TeamTrouble::Port(GATEWAY_PORT)));
    }
    if let Some(url) = &request.url
        && let Err(wrong) = crate::manifest::check_url(url)
    {
        return Err(refused(TeamTrouble::Address(wrong)));
    }
    Ok(())
}

fn refused(trouble: TeamTrouble) -> Report {
    Report::told(Code::ProfileRefused, &trouble)
}

impl Parts<'_> {
    fn size(&self) -> usize {
        let manifests = self.members.manifests.values();
        manifests.map(String::len).sum::<usize>() + self.gateway.len()
    }

    /// The words behind `guildhall`.
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

    /// The member that the app imports.
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
        let token = ToSet {
            name: match self.request.target {
                TeamTarget::Compose => "GUILD_HALL_TOKEN_FILE".to_owned(),
                TeamTarget::Kubernetes => "token".to_owned(),
            },
            what: match self.request.target {
                TeamTarget::Compose => TeamNeed::TokenFile.told(),
                TeamTarget::Kubernetes => TeamNeed::Token.told(),
            },
        };
        let variables = self.members.variables.iter();
        let variables = variables.map(|(name, what)| ToSet {
            name: name.clone(),
            what: what.told(),
        });
        std::iter::once(token).chain(variables).collect()
    }

    /// The variables that `guildhall serve` needs: those that manifests name. The others are those of
    /// a container beside it.
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
        notes.push(TeamNote::NobodyToAsk);
        if !self.held.is_empty() {
            let held = self.held.iter();
            let held = held.map(|(member, tools)| format!("{member} ({tools})"));
            notes.push(TeamNote::Held(held.collect::<Vec<_>>().join(", ")));
        }
        if self.request.target == TeamTarget::Kubernetes {
            let limited = self.sidecars().iter();
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

    fn sidecars(&self) -> &[Sidecar] {
        &self.members.sidecars
    }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// A name that clusters and compose take: lower case, digits and hyphens.
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
