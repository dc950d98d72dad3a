//! Reads servers that a person pasted, dropped or entered, and compares them with existing members.

use std::path::Path;
use std::sync::Arc;

use crate::messages::{BroughtAdvice, BroughtKind, FoundError};
use guild_api::wire::{
    Brought, BroughtServers, FoundPlace, FoundScope, FoundServer, FoundServers, FoundState,
};
use guild_client_config::messages::{FileProblem, FoundNote};
use guild_client_config::snippet::{Snippet, of_file, of_words, pasted};
use guild_client_config::{FILE_MAX, LaunchSpec, ReferenceContext};
use guild_model::messages::ServerEntryOwner;
use guild_model::messages::io_message;
use guild_model::{Code, MemberName, Report};
use guild_process::environment::ShellVariables;
use guild_text::messages::to_strings;

use super::ServerScanner;
use super::files::{LIMIT, ScanReadGuard, ScanResult, env_file};
use super::merge::ScannedFile;
use super::merge::merged;
use super::names::UsedMemberNames;
use guild_files::files::read_bounded;
use guild_roster::Snapshot;

/// The servers that a person pasted, dropped or entered, and the skipped parts.
#[derive(Debug)]
pub struct BroughtIn {
    /// The servers in the form of a scan.
    pub scan: ScanResult,
    /// Reasons for the parts that were skipped.
    pub left_out: Vec<FoundNote>,
}

impl ServerScanner {
    /// Reads the servers in the text, file or command.
    ///
    /// # Errors
    /// `snippet-unreadable`.
    pub async fn bring(
        &self,
        brought: Brought,
        environment: Arc<ShellVariables>,
    ) -> Result<BroughtIn, Report> {
        let finds = self.clone();
        let reading = {
            let (brought, environment) = (brought.clone(), Arc::clone(&environment));
            let begun = match &brought {
                Brought::File { path } => Some(self.begin(Path::new(path))?),
                Brought::Text { .. } | Brought::Words { .. } => None,
            };
            move || {
                let _begun = begun;
                finds.snippet(&brought, &environment)
            }
        };
        let reading = tokio::task::spawn_blocking(reading);
        let snippet = match tokio::time::timeout(LIMIT, reading).await {
            Ok(Ok(read)) => read?,
            Ok(Err(error)) => {
                let again = BroughtAdvice::Again;
                return Err(unreadable(&brought, &error.to_string(), &again));
            }
            Err(_) => return Err(slow(&brought)),
        };
        let at = |(source, servers)| ScannedFile {
            source,
            exists: true,
            servers: Ok(servers),
            wanted: true,
        };
        let files: Vec<ScannedFile> = snippet.parts.into_iter().map(at).collect();
        let servers = merged(&files);
        Ok(BroughtIn {
            scan: ScanResult {
                missing: self.missing(&servers).await,
                servers,
                files,
                folders: Vec::new(),
                environment,
                home: self.home(),
            },
            left_out: snippet.left_out,
        })
    }

    /// Begins to read a file. Fails if another read of the file hangs.
    fn begin(&self, path: &Path) -> Result<ScanReadGuard, Report> {
        let brought = || Brought::File {
            path: path.display().to_string(),
        };
        if !path.is_absolute() {
            let next = BroughtAdvice::WholePath;
            return Err(unreadable(&brought(), &FileProblem::NotWhole, &next));
        }
        ScanReadGuard::unless_slow(&self.0, path).ok_or_else(|| slow(&brought()))
    }

    /// Parses the text, file or command. Blocking.
    fn snippet(&self, brought: &Brought, environment: &ShellVariables) -> Result<Snippet, Report> {
        let programs = self.0.programs.as_ref();
        let home = self.home();
        let env = |name: &str| environment.get(name);
        let surroundings = ReferenceContext {
            home: &home,
            env: &env,
            env_file: &env_file,
        };
        let read = match brought {
            Brought::Text { text } => pasted(text, &surroundings),
            Brought::Words { words } => of_words(words, &surroundings),
            Brought::File { path } => {
                let text = text_of(path).map_err(|(why, next)| unreadable(brought, &why, &next))?;
                of_file(Path::new(path), &text, programs, &surroundings)
            }
        };
        read.map_err(|wrong| unreadable(brought, &wrong, &wrong.hint))
    }
}

/// Returns the text of a file, or the error with advice.
fn text_of(path: &str) -> Result<String, (String, BroughtAdvice)> {
    let bytes = read_bounded(Path::new(path), FILE_MAX as u64)
        .map_err(|error| (io_message(&error), BroughtAdvice::Look))?;
    String::from_utf8(bytes).map_err(|_| (FileProblem::NotUtf8.to_string(), BroughtAdvice::Formats))
}

fn slow(brought: &Brought) -> Report {
    let slow = FileProblem::Slow(LIMIT.as_secs());
    unreadable(brought, &slow, &BroughtAdvice::Copy)
}

fn unreadable(brought: &Brought, problem: &impl ToString, next: &impl ToString) -> Report {
    let trouble = FoundError::Unread(kind_of(brought), problem.to_string(), next.to_string());
    Report::from_error(Code::SnippetUnreadable, &trouble)
}

fn kind_of(brought: &Brought) -> BroughtKind {
    match brought {
        Brought::Text { .. } => BroughtKind::Text,
        Brought::File { path } => BroughtKind::File(path.clone()),
        Brought::Words { .. } => BroughtKind::Command,
    }
}

/// Returns the servers for display, each with the members of the same name.
pub fn beside_members(
    shown: FoundServers,
    scan: &ScanResult,
    left_out: &[FoundNote],
    snapshot: &Snapshot,
) -> BroughtServers {
    let mut servers = shown.servers;
    // Sorts the servers in the order of the text.
    let place = |server: &FoundServer| scan.servers.iter().position(|one| one.id == server.id);
    servers.sort_by_key(place);
    let mut members: Vec<FoundServer> = Vec::new();
    for server in &mut servers {
        if server.state != FoundState::New {
            continue;
        }
        let natural = UsedMemberNames::default().free(&server.name);
        let Some(member) = named(&natural, snapshot) else {
            continue;
        };
        if !members.iter().any(|known| known.id == member.id) {
            members.push(member.clone());
        }
        server.differs.push(member.id);
    }
    BroughtServers {
        servers,
        members,
        left_out: to_strings(left_out),
    }
}

/// Returns the member of this name in the form of a server, for comparison.
fn named(name: &MemberName, snapshot: &Snapshot) -> Option<FoundServer> {
    let is_called =
        |(known, _): &(&MemberName, _)| known.as_str().eq_ignore_ascii_case(name.as_str());
    let (name, entry) = snapshot.members.iter().find(is_called)?;
    let run: LaunchSpec = LaunchSpec::of_member(entry.manifest.as_deref()?);
    Some(FoundServer {
        id: run.id(),
        name: name.to_string(),
        suggested: name.clone(),
        launch: Some(run.shown()),
        command_line: run.command_line(),
        container: None,
        places: vec![FoundPlace {
            program: "guild-hall".to_owned(),
            title: ServerEntryOwner::Member(name.to_string()).to_string(),
            path: snapshot.members_dir.to_string(),
            line: 1,
            scope: FoundScope::User,
            folder: None,
            name: name.to_string(),
            disabled: false,
        }],
        differs: Vec::new(),
        state: FoundState::Adopted {
            member: name.clone(),
        },
        inputs: Vec::new(),
        auto_approve: Vec::new(),
        disabled: false,
        notes: Vec::new(),
    })
}
