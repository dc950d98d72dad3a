//! Merges the entries for the same server in several files.

use std::collections::HashMap;

use crate::messages::FoundError;
use guild_api::wire::FoundPlace;
use guild_client_config::{ConfiguredServer, LaunchSpec, ParsedServers, ServerFile};
use guild_model::{Code, FoundId, Report};
use sha2::{Digest, Sha256};

/// Maximum length of a displayed name, in characters.
const NAME_MAX: usize = 200;

/// A scanned file.
#[derive(Debug)]
pub struct ScannedFile {
    pub source: ServerFile,
    pub exists: bool,
    pub servers: Result<ParsedServers, Report>,
    /// Whether the file is reported even if it is missing.
    pub wanted: bool,
}

/// A server, with all entries in files that define it.
#[derive(Debug)]
pub struct MergedServer {
    pub id: FoundId,
    /// The name of the server in the first entry, cut for display.
    pub name: String,
    /// The launch, or the reason why it is unusable.
    pub run: Result<LaunchSpec, Report>,
    /// The entries that define the server. The first entry becomes the member's origin.
    pub places: Vec<FoundPlace>,
    /// The server as the first entry defines it, supplemented by settings of the other entries.
    pub configured: ConfiguredServer,
}

/// Merges the servers of all files, in scan order.
pub(super) fn merged(files: &[ScannedFile]) -> Vec<MergedServer> {
    let mut all: Vec<MergedServer> = Vec::new();
    let mut by_id: HashMap<FoundId, usize> = HashMap::new();
    for file in files {
        for server in file.servers.iter().flat_map(|found| &found.servers) {
            let id = match &server.run {
                Ok(run) => run.id(),
                Err(_) => id_of_place(&file.source, server),
            };
            match by_id.get(&id).and_then(|&at| all.get_mut(at)) {
                Some(known) => known.take(&file.source, server),
                None => {
                    by_id.insert(id.clone(), all.len());
                    all.push(MergedServer::new(id, &file.source, server));
                }
            }
        }
    }
    all
}

/// Returns an ID for an unusable server, made from its file, folder and name.
fn id_of_place(source: &ServerFile, server: &ConfiguredServer) -> FoundId {
    let folder = server
        .folder
        .as_deref()
        .map(|folder| folder.as_os_str().as_encoded_bytes());
    let mut hash = Sha256::new();
    for part in [
        source.owner.as_str().as_bytes(),
        source.path.as_os_str().as_encoded_bytes(),
        folder.unwrap_or_default(),
        server.name.as_bytes(),
    ] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    FoundId::of_hash(&hash.finalize())
}

impl MergedServer {
    fn new(id: FoundId, source: &ServerFile, server: &ConfiguredServer) -> Self {
        let place = place(source, server);
        Self {
            id,
            name: place.name.clone(),
            run: server.run.clone().map_err(|why| {
                let (file, name) = (place.path.clone(), place.name.clone());
                let trouble = FoundError::Unusable(file, place.line, name, why);
                Report::from_error(Code::FoundServerUnusable, &trouble)
            }),
            places: vec![place],
            configured: server.clone(),
        }
    }

    /// Adds another entry that defines the same server.
    fn take(&mut self, source: &ServerFile, other: &ConfiguredServer) {
        self.places.push(place(source, other));
        let server = &mut self.configured;
        joined(&mut server.auto_approve, &other.auto_approve);
        joined(&mut server.denied, &other.denied);
        joined(&mut server.notes, &other.notes);
        for input in &other.inputs {
            let known = server.inputs.iter_mut().find(|known| known.id == input.id);
            if let Some(known) = known {
                known.password |= input.password;
            }
        }
        if server.description.is_empty() {
            server.description.clone_from(&other.description);
        }
        server.start_ms = server.start_ms.or(other.start_ms);
        server.call_ms = server.call_ms.or(other.call_ms);
    }
}

/// Appends those items of `others` that `mine` lacks.
fn joined<T: Clone + PartialEq>(mine: &mut Vec<T>, others: &[T]) {
    for other in others {
        if !mine.contains(other) {
            mine.push(other.clone());
        }
    }
}

fn place(source: &ServerFile, server: &ConfiguredServer) -> FoundPlace {
    FoundPlace {
        program: source.owner.as_str().to_owned(),
        title: source.owner.title().to_owned(),
        path: source.path.display().to_string(),
        line: server.line,
        scope: server.scope,
        folder: server
            .folder
            .as_deref()
            .map(|folder| folder.display().to_string()),
        name: server.name.chars().take(NAME_MAX).collect(),
        disabled: server.disabled,
    }
}
