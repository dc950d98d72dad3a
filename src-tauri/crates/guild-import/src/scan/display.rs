//! Prepares scanned servers for display.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::messages::FoundError;
use guild_api::wire::{
    FoundContainer, FoundFile, FoundInput, FoundServer, FoundServers, FoundState, HandingOver,
};
use guild_client_config::messages::InputNote;
use guild_client_config::{
    ConfigContainer, ConfigFile, ConfigInput, ConfiguredServer, LaunchSpec, LaunchSpecField,
    TextSegment,
};
use guild_model::endpoint::ENTRY;
use guild_model::endpoint::Endpoint;
use guild_model::manifest::{Manifest, Transport};
use guild_model::messages::Beyond;
use guild_model::{Code, FoundId, MemberName, Report};
use guild_text::messages::to_strings;
use guild_text::secret_detection::{is_secret, may_be_secret};

use super::files::ScanResult;
use super::merge::{MergedServer, ScannedFile};
use super::names::UsedMemberNames;
use guild_roster::Snapshot;

/// The context for displaying a scan.
#[derive(Debug)]
pub struct ScanDisplayContext<'a> {
    /// The roster that scanned servers are compared with.
    pub snapshot: &'a Snapshot,
    /// The port of this hall's gateway. Entries with this port are the gateway's.
    pub gateway_port: u16,
}

impl ScanDisplayContext<'_> {
    /// Returns the result of a scan for display.
    pub fn show(&self, scan: &ScanResult) -> FoundServers {
        let mut names =
            UsedMemberNames::taken(self.snapshot.members.keys().map(MemberName::as_str));
        let same = same_names(&scan.servers, |server| self.is_gateway(server));
        let mut order: Vec<&MergedServer> = scan.servers.iter().collect();
        order.sort_by_cached_key(|server| (server.name.to_lowercase(), server.places.len()));
        let servers: Vec<FoundServer> = order
            .into_iter()
            .map(|server| self.server(server, scan, &same, &mut names))
            .collect();
        let new = |server: &&FoundServer| server.state == FoundState::New;
        FoundServers {
            new: servers.iter().filter(new).count(),
            servers,
            files: scan
                .files
                .iter()
                .filter(|file| file.exists || file.wanted)
                .map(|file| self.file(file))
                .collect(),
            folders: scan
                .folders
                .iter()
                .map(|folder| folder.display().to_string())
                .collect(),
        }
    }

    fn server(
        &self,
        server: &MergedServer,
        scan: &ScanResult,
        same: &BTreeMap<String, Vec<FoundId>>,
        names: &mut UsedMemberNames,
    ) -> FoundServer {
        let run = server.run.as_ref().ok();
        let state = self.state(server);
        let is_new = state == FoundState::New;
        let others = same.get(&server.name.to_lowercase());
        let others = others.filter(|_| run.is_some() && state != FoundState::Gateway);
        let others = others.into_iter().flatten().filter(|id| **id != server.id);
        let required = run.map(|run| ImportRequirements::of(run, server, scan));
        let mut notes = server.configured.notes.clone();
        let mut container = None;
        if let Some(read) = required
            .as_ref()
            .and_then(|required| required.contained.as_ref())
        {
            let known = read.as_ref().ok().filter(|_| is_new);
            notes.extend(known.and_then(|known| scan.missing_in(known)));
            container = Some(match read {
                Ok(contained) => contained.shown(),
                Err(reasons) => FoundContainer::Command {
                    reasons: to_strings(reasons),
                },
            });
        }
        FoundServer {
            id: server.id.clone(),
            name: server.name.clone(),
            suggested: match &state {
                FoundState::New => names.suggest(&server.name),
                FoundState::Adopted { member } => member.clone(),
                FoundState::Gateway | FoundState::Unusable { .. } => names.free(&server.name),
            },
            launch: run.map(LaunchSpec::shown),
            command_line: run.map(LaunchSpec::command_line).unwrap_or_default(),
            container: container.filter(|_| is_new),
            places: server.places.clone(),
            differs: others.cloned().collect(),
            state,
            inputs: required.map_or_else(Vec::new, |required| required.inputs),
            auto_approve: server.configured.auto_approve.clone(),
            disabled: server.places.iter().all(|place| place.disabled),
            notes: to_strings(&notes),
        }
    }

    /// Returns the import state of a server.
    pub fn state(&self, server: &MergedServer) -> FoundState {
        let run = match &server.run {
            Ok(run) => run,
            Err(report) => {
                return FoundState::Unusable {
                    report: report.clone(),
                };
            }
        };
        if self.is_gateway(server) {
            return FoundState::Gateway;
        }
        match self.member_of(run) {
            Some(member) => FoundState::Adopted {
                member: member.clone(),
            },
            None => FoundState::New,
        }
    }

    /// Whether a server is an entry for this gateway.
    fn is_gateway(&self, server: &MergedServer) -> bool {
        let Ok(run) = &server.run else { return false };
        let named = server.name == ENTRY;
        match run {
            LaunchSpec::Url { url, .. } => self.is_own_address(&url.shown(), named),
            LaunchSpec::Command { command, args, .. } => {
                let command = command.shown();
                let stem = Path::new(&command).file_stem().unwrap_or_default();
                let ours = stem == "guildhall" || stem == "guild-hall";
                let connects = args.first().is_some_and(|arg| arg.shown() == "connect");
                connects && (ours || named)
            }
        }
    }

    fn is_own_address(&self, url: &str, named: bool) -> bool {
        let Some(rest) = url.strip_prefix("http://") else {
            return false;
        };
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let Some((host, port)) = host.rsplit_once(':') else {
            return false;
        };
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let is_endpoint = matches!(Endpoint::parse(path), Some(Ok(_)));
        let ours = port.parse() == Ok(self.gateway_port);
        matches!(host, "127.0.0.1" | "localhost" | "[::1]") && is_endpoint && (ours || named)
    }

    fn file(&self, file: &ScannedFile) -> FoundFile {
        let source = &file.source;
        let (servers, error) = match &file.servers {
            Ok(found) => {
                let cut = found.cut.clone().map(|cut| {
                    let trouble = FoundError::Cut(source.path.clone(), cut);
                    Report::from_error(Code::ClientConfigUnreadable, &trouble)
                });
                (found.servers.len(), cut)
            }
            Err(report) => (0, Some(report.clone())),
        };
        let here = || file.servers.iter().flat_map(|found| &found.servers);
        let own = here().filter(|server| server.name == ENTRY).count();
        FoundFile {
            program: source.owner.as_str().to_owned(),
            title: source.owner.title().to_owned(),
            path: source.path.display().to_string(),
            scope: source.scope,
            folder: source
                .folder
                .as_deref()
                .map(|folder| folder.display().to_string()),
            exists: file.exists,
            servers: servers.saturating_sub(own),
            error,
            handing: ConfigFile::of(source).map(|known| HandingOver {
                adopted: here()
                    .filter(|server| self.is_adopted(server))
                    .map(|server| server.name.clone())
                    .collect(),
                connected: own > 0,
                can_undo: false,
                then: known.program.then().to_string(),
            }),
        }
    }

    /// Whether a member runs the same server.
    fn is_adopted(&self, server: &ConfiguredServer) -> bool {
        let Ok(run) = &server.run else { return false };
        server.name != ENTRY && !server.lacks_variables && self.member_of(run).is_some()
    }

    /// Returns the member with the same launch command.
    fn member_of(&self, run: &LaunchSpec) -> Option<&MemberName> {
        let mut members = self.snapshot.members.iter();
        let runs = |manifest: &Manifest| run.is_run_by(manifest);
        let member = members.find(|(_, entry)| entry.manifest.as_deref().is_some_and(runs));
        member.map(|(name, _)| name)
    }
}

/// Returns the IDs of the usable servers, grouped by their names in lowercase.
fn same_names(
    servers: &[MergedServer],
    is_gateway: impl Fn(&MergedServer) -> bool,
) -> BTreeMap<String, Vec<FoundId>> {
    let mut same: BTreeMap<String, Vec<FoundId>> = BTreeMap::new();
    for server in servers {
        if server.run.is_ok() && !is_gateway(server) {
            let ids = same.entry(server.name.to_lowercase()).or_default();
            ids.push(server.id.clone());
        }
    }
    same
}

/// The inputs and the container of a server.
pub(super) struct ImportRequirements {
    /// The values that the file does not contain.
    pub(super) inputs: Vec<FoundInput>,
    /// The container that the command runs, or the reasons why it stays a command. `None` for other
    /// commands.
    pub(super) contained: Option<Result<ConfigContainer, Vec<Beyond>>>,
}

impl ImportRequirements {
    pub(super) fn of(run: &LaunchSpec, server: &MergedServer, scan: &ScanResult) -> Self {
        let has_value = |name: &str| scan.environment.get(name).is_some();
        let inputs_of = |contained: Option<&ConfigContainer>| {
            inputs(run, contained, &server.configured.inputs, has_value)
        };
        let contained = match run.read_contained() {
            None => None,
            Some(Err(reasons)) => Some(Err(reasons)),
            Some(Ok(contained)) => {
                let inputs = inputs_of(Some(&contained));
                let secrets: BTreeSet<String> = inputs
                    .iter()
                    .filter(|input| input.secret)
                    .map(|input| input.id.clone())
                    .collect();
                match contained.fits_a_member(Transport::Stdio, &scan.home, &secrets) {
                    Ok(()) => {
                        return Self {
                            inputs,
                            contained: Some(Ok(contained)),
                        };
                    }
                    Err(reasons) => Some(Err(reasons)),
                }
            }
        };
        Self {
            inputs: inputs_of(None),
            contained,
        }
    }
}

/// Returns the inputs for values that the file does not contain. A container may need more inputs.
fn inputs(
    run: &LaunchSpec,
    contained: Option<&ConfigContainer>,
    known: &[ConfigInput],
    has_value: impl Fn(&str) -> bool,
) -> Vec<FoundInput> {
    let mut inputs: Vec<FoundInput> = Vec::new();
    for (field, text) in run.fields() {
        let in_secret = match field {
            LaunchSpecField::Env(name) | LaunchSpecField::Header(name) => may_be_secret(name),
            LaunchSpecField::Command
            | LaunchSpecField::Arg
            | LaunchSpecField::Cwd
            | LaunchSpecField::Url => false,
        };
        for segment in text.segments() {
            let (id, secret) = match segment {
                TextSegment::Input(id) => (id.clone(), in_secret || is_secret(id)),
                TextSegment::Env(name) if !has_value(name) => {
                    (format!("env:{name}"), in_secret || may_be_secret(name))
                }
                TextSegment::Env(_)
                | TextSegment::Plain(_)
                | TextSegment::Given(_)
                | TextSegment::Variable(_)
                | TextSegment::Secret { .. } => continue,
            };
            if let Some(input) = inputs.iter_mut().find(|input| input.id == id) {
                input.secret |= secret;
                continue;
            }
            let file = known.iter().find(|input| input.id == id);
            let is_env = matches!(segment, TextSegment::Env(_));
            inputs.push(FoundInput {
                id,
                description: match (file, is_env) {
                    (Some(file), _) => file.description.to_string(),
                    (None, true) => InputNote::NotSet.to_string(),
                    (None, false) => String::new(),
                },
                secret: secret || file.is_some_and(|file| file.password),
                required: !is_env && file.is_none_or(|file| file.default.is_none()),
                default: file.and_then(|file| file.default.clone()),
                choices: file.map_or_else(Vec::new, |file| file.choices.clone()),
            });
        }
    }
    let variables = contained.iter().flat_map(|known| &known.0.container.env);
    for (name, value) in variables {
        let is_asked = |input: &&mut FoundInput| value.inputs().any(|id| id == input.id);
        for input in inputs.iter_mut().filter(is_asked) {
            input.secret |= may_be_secret(name);
        }
    }
    for name in contained
        .into_iter()
        .flat_map(|contained| &contained.0.passed)
    {
        let id = format!("env:{name}");
        if has_value(name) || inputs.iter().any(|input| input.id == id) {
            continue;
        }
        inputs.push(FoundInput {
            id,
            description: InputNote::NotGiven.to_string(),
            secret: may_be_secret(name),
            required: false,
            default: None,
            choices: Vec::new(),
        });
    }
    inputs
}
