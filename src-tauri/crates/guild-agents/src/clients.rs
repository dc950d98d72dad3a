//! The gateway's clients and their tokens.
//!
//! A token has 256 random bits. The file stores its SHA-256, so that reading the file does not
//! reveal the token. Tokens are compared in constant time.
//!
//! A token may be bound to endpoints. It is then accepted only at these endpoints, and a change of
//! the binding ends the client's requests at all others.
//!
//! A client that is valid for one run ([`Clients::add_for_this_run`]) is not stored in the file.
//! Its token is accepted only by this process, until it ends.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::messages::{AgentsError, GatewayProblem};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use guild_api::wire::AgentClient;
use guild_gateway::GatewayClient;
use guild_model::endpoint::Endpoint;
use guild_model::messages::io_message;
use guild_model::{ClientId, Code, Report};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tokio_util::sync::CancellationToken;

use guild_files::clock::now_ms;
use guild_files::files::{read_bounded, write_atomically};

/// Maximum size of the file, in bytes.
const BYTES_MAX: u64 = 1 << 20;
/// Maximum number of clients.
const CLIENTS_MAX: usize = 200;
/// Maximum length of a client's name, in characters.
const NAME_MAX: usize = 80;
/// Prefix of tokens, which lets people and secret scanners recognize them.
const TOKEN_PREFIX: &str = "gh_";
/// Number of a token's last characters that are shown.
const TOKEN_END: usize = 4;
/// Minimum and maximum length of a token that another program created, in bytes.
const GIVEN_TOKEN_MIN: usize = 32;
const GIVEN_TOKEN_MAX: usize = 4_096;
/// Maximum number of endpoints that a token is bound to.
const ENDPOINTS_MAX: usize = 32;
/// Minimum interval between checks whether another program has changed the clients file.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Precision of the stored time of last use.
const USE_STEP_MS: u64 = 60_000;

/// A client in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientRecord {
    #[serde(flatten)]
    shown: AgentClient,
    /// SHA-256 of the client's token, in hexadecimal.
    token_sha256: String,
    /// Whether the client has declared that it shows MCP Apps.
    #[serde(default)]
    shows_apps: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct AgentClientsFile {
    clients: Vec<ClientRecord>,
}

#[derive(Debug)]
struct AgentClientRecord {
    kept: ClientRecord,
    digest: [u8; 32],
    client: GatewayClient,
    /// How long the client is valid.
    lifetime: ClientLifetime,
    /// Whether the client was used since the file was last written.
    used: bool,
    /// The endpoints that the client has used, each with a cancellation token that is cancelled
    /// when the client may no longer use the endpoint.
    admitted: HashMap<Endpoint, CancellationToken>,
    /// The endpoints at which the client was refused since its binding changed.
    refused: HashSet<Endpoint>,
}

/// How long a client is valid, unless it is revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClientLifetime {
    /// The client is valid permanently, and is stored in the file.
    Stored,
    /// The client is valid until this program ends. It is never stored in the file.
    ThisRun,
}

#[derive(Debug)]
pub(super) struct Clients {
    file: PathBuf,
    known: Mutex<Vec<AgentClientRecord>>,
    /// The clients that this process has revoked. The file may still contain them if it could not
    /// be written, or was read before it was written. Locked only while `known` is locked.
    revoked: Mutex<HashSet<ClientId>>,
    /// Held from before the file is read until it is written, so that a concurrent change can't
    /// restore a revoked client.
    changing: Mutex<()>,
    /// The time of the last check of the file, and the file's modification time at that check.
    last_check: Mutex<(Option<Instant>, Option<SystemTime>)>,
}

impl Clients {
    /// Reads the clients of a data folder. Blocking.
    ///
    /// # Errors
    /// `data-unwritable` if the file is unusable. The caller must then accept no client. The file
    /// is not changed.
    pub(super) fn read(data_dir: &Path) -> Result<Self, Report> {
        let clients = Self::empty(data_dir);
        clients.read_again()?;
        Ok(clients)
    }

    /// Returns an empty set of clients, for use if the file is unusable.
    pub(super) fn empty(data_dir: &Path) -> Self {
        Self {
            file: data_dir.join("gateway-clients.json"),
            known: Mutex::default(),
            revoked: Mutex::default(),
            changing: Mutex::default(),
            last_check: Mutex::default(),
        }
    }

    /// Reads the file again, and applies the clients that another program has added or revoked.
    /// Blocking.
    fn read_again(&self) -> Result<(), Report> {
        let unusable = |problem: String| {
            let trouble = AgentsError::ClientsUnusable(self.file.clone(), problem);
            Report::from_error(Code::DataUnwritable, &trouble)
        };
        let kept = match read_bounded(&self.file, BYTES_MAX) {
            Ok(bytes) => serde_json::from_slice::<AgentClientsFile>(&bytes)
                .map_err(|error| unusable(error.to_string()))?,
            Err(error) if error.kind() == ErrorKind::NotFound => AgentClientsFile::default(),
            Err(error) => return Err(unusable(io_message(&error))),
        };
        let mut read = Vec::with_capacity(kept.clients.len());
        for kept in kept.clients {
            let digest = from_hex(&kept.token_sha256);
            let digest = digest.ok_or_else(|| {
                let id = kept.shown.id.to_string();
                unusable(GatewayProblem::NoDigest(id).to_string())
            })?;
            read.push(AgentClientRecord::new(kept, digest, ClientLifetime::Stored));
        }
        let mut known = self.known.lock();
        let revoked = self.revoked.lock();
        read.retain(|client| !revoked.contains(&client.kept.shown.id));
        let mut of_this_run = Vec::new();
        for mut old in known.drain(..) {
            if old.lifetime == ClientLifetime::ThisRun {
                of_this_run.push(old);
                continue;
            }
            match read.iter_mut().find(|new| new.digest == old.digest) {
                Some(new) => {
                    old.kept.shows_apps |= new.kept.shows_apps;
                    // A use that this process has not saved yet is the latest one, even if the
                    // clocks differ.
                    if !old.used {
                        old.kept.shown.last_used_ms = new.kept.shown.last_used_ms;
                    }
                    if old.kept.shown.endpoints != new.kept.shown.endpoints {
                        old.bind(new.kept.shown.endpoints.take());
                        // Ends all requests of the client. It can connect again to the endpoints
                        // that its new binding allows.
                        old.enforce(|_, _| false);
                    }
                    *new = old;
                }
                None => old.client.revoked.cancel(),
            }
        }
        *known = read;
        known.append(&mut of_this_run);
        Ok(())
    }

    /// Checks whether the file has changed since the last check. Checks at most once per second,
    /// regardless of the number of tokens.
    fn has_changed(&self) -> bool {
        let mut last_check = self.last_check.lock();
        let now = Instant::now();
        let (last, before) = &mut *last_check;
        if last.is_some_and(|last| now.duration_since(last) < CHECK_INTERVAL) {
            return false;
        }
        *last = Some(now);
        let modified = std::fs::metadata(&self.file)
            .and_then(|file| file.modified())
            .ok();
        std::mem::replace(before, modified) != modified
    }

    /// Returns all clients, oldest first.
    pub(super) fn all(&self) -> Vec<AgentClient> {
        self.known
            .lock()
            .iter()
            .map(|known| known.kept.shown.clone())
            .collect()
    }

    /// Returns the client with a token. Compares the token with those of all clients, so that the
    /// duration reveals nothing about the match.
    pub(super) fn by_token(&self, token: &str) -> Option<GatewayClient> {
        let digest: [u8; 32] = Sha256::digest(token.as_bytes()).into();
        let find = || {
            let known = self.known.lock();
            let mut found = None;
            for one in known.iter() {
                if bool::from(one.digest.ct_eq(&digest)) {
                    found = Some(one.client.clone());
                }
            }
            found
        };
        find().or_else(|| {
            // Another program may have added the client since the last check.
            if let Some(_changing) = self.changing.try_lock()
                && self.has_changed()
            {
                self.read_again().ok()?;
            }
            find()
        })
    }

    /// Whether any client has declared that it shows MCP Apps.
    pub(super) fn any_shows_apps(&self) -> bool {
        self.known.lock().iter().any(|one| one.kept.shows_apps)
    }

    /// Records that a client was used at a time in milliseconds since 1970, and whether it declares
    /// that it shows MCP Apps. Returns whether the file should be written.
    pub(super) fn used(&self, id: &ClientId, at_ms: u64, shows_apps: bool) -> bool {
        let at_ms = at_ms / USE_STEP_MS * USE_STEP_MS;
        let mut known = self.known.lock();
        let Some(one) = known.iter_mut().find(|one| one.kept.shown.id == *id) else {
            return false;
        };
        let is_news = one.kept.shown.last_used_ms.replace(at_ms) != Some(at_ms)
            || shows_apps && !one.kept.shows_apps;
        one.kept.shows_apps |= shows_apps;
        one.used |= is_news;
        is_news
    }

    /// Checks that a client may use an endpoint. `same` compares two endpoints, one of which is in
    /// the client's binding. Returns a cancellation token, which is cancelled when the client may
    /// no longer use the endpoint. An endpoint that does not exist is not remembered, since a client
    /// can invent any number of them.
    ///
    /// # Errors
    /// The endpoints at which the client's token is accepted, if `endpoint` is not one of them.
    pub(super) fn admit(
        &self,
        id: &ClientId,
        endpoint: &Endpoint,
        exists: bool,
        same: impl Fn(&Endpoint, &Endpoint) -> bool,
    ) -> Result<CancellationToken, Vec<Endpoint>> {
        let mut known = self.known.lock();
        // If the client is missing, it has just been revoked, which has already ended its requests.
        let Some(one) = known.iter_mut().find(|one| one.kept.shown.id == *id) else {
            return Err(vec![]);
        };
        if let Some(only) = &one.kept.shown.endpoints
            && !only.iter().any(|bound| same(bound, endpoint))
        {
            let only = only.clone();
            // A refusal is logged once for each endpoint, since a client may try again and again.
            if one.refused.len() < ENDPOINTS_MAX && one.refused.insert(endpoint.clone()) {
                let client = &one.kept.shown.name;
                tracing::warn!(client, %endpoint, "a client's token was refused at an endpoint");
            }
            return Err(only);
        }
        let revoked = &one.client.revoked;
        if !exists {
            return Ok(revoked.clone());
        }
        let admitted = one.admitted.entry(endpoint.clone());
        Ok(admitted.or_insert_with(|| revoked.child_token()).clone())
    }

    /// Binds a client's token to endpoints. `None` accepts it at all endpoints. Blocking.
    ///
    /// # Errors
    /// `gateway-settings` for too many endpoints, `client-unknown`, `data-unwritable`. The binding
    /// is then unchanged.
    pub(super) fn bind(
        &self,
        id: &ClientId,
        endpoints: Option<Vec<Endpoint>>,
    ) -> Result<(), Report> {
        let endpoints = checked_binding(endpoints)?;
        let mut is_found = false;
        self.change_bindings(|client, bound| {
            if client == id {
                is_found = true;
                bound.clone_from(&endpoints);
            }
        })?;
        match is_found {
            true => Ok(()),
            false => Err(Report::from_error(
                Code::ClientUnknown,
                &AgentsError::NoClient,
            )),
        }
    }

    /// Changes the endpoints of all clients. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`. In this case nothing has changed.
    pub(super) fn change_bindings(
        &self,
        mut change: impl FnMut(&ClientId, &mut Option<Vec<Endpoint>>),
    ) -> Result<(), Report> {
        let _changing = self.changing.lock();
        self.read_again()?;
        let mut before = Vec::new();
        for one in self.known.lock().iter_mut() {
            let mut endpoints = one.kept.shown.endpoints.clone();
            change(&one.kept.shown.id, &mut endpoints);
            if endpoints != one.kept.shown.endpoints {
                before.push((one.digest, one.bind(endpoints)));
            }
        }
        if before.is_empty() {
            return Ok(());
        }
        self.write().inspect_err(|_| {
            let mut known = self.known.lock();
            for (digest, endpoints) in before {
                if let Some(one) = known.iter_mut().find(|one| one.digest == digest) {
                    one.bind(endpoints);
                }
            }
        })
    }

    /// Ends the requests and streams of clients at endpoints that they may no longer use. `same`
    /// compares two endpoints, one of which is in a binding.
    pub(super) fn enforce(&self, same: impl Fn(&Endpoint, &Endpoint) -> bool) {
        for one in self.known.lock().iter_mut() {
            one.enforce(&same);
        }
    }

    /// Adds a client, whose token is bound to `endpoints` if given. Returns the token, of which
    /// only the digest is stored. Blocking.
    ///
    /// # Errors
    /// `gateway-settings` for an invalid name, too many clients or endpoints, `data-unwritable`.
    pub(super) fn add(
        &self,
        name: &str,
        endpoints: Option<Vec<Endpoint>>,
    ) -> Result<(AgentClient, String), Report> {
        let (mut kept, digest, token) = new_client(name)?;
        kept.shown.endpoints = checked_binding(endpoints)?;
        let shown = kept.shown.clone();
        let _changing = self.changing.lock();
        self.read_again()?;
        self.insert(AgentClientRecord::new(kept, digest, ClientLifetime::Stored))?;
        self.write().inspect_err(|_| {
            // A client that is not stored would not exist after a restart, so it is removed again.
            self.known
                .lock()
                .retain(|known| known.kept.shown.id != shown.id);
        })?;
        Ok((shown, token))
    }

    /// Adds a client that is valid until this process ends.
    ///
    /// # Errors
    /// `gateway-settings` for an invalid name or too many clients.
    pub(super) fn add_for_this_run(&self, name: &str) -> Result<(AgentClient, String), Report> {
        let (kept, digest, token) = new_client(name)?;
        let shown = kept.shown.clone();
        self.insert(AgentClientRecord::new(
            kept,
            digest,
            ClientLifetime::ThisRun,
        ))?;
        Ok((shown, token))
    }

    /// Accepts this token from a new client until this process ends.
    ///
    /// # Errors
    /// `gateway-settings` for a token that could be guessed, and the errors of
    /// [`Self::add_for_this_run`].
    pub(super) fn admit_for_this_run(&self, name: &str, token: &str) -> Result<(), Report> {
        let is_plain = token.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_plain || !(GIVEN_TOKEN_MIN..=GIVEN_TOKEN_MAX).contains(&token.len()) {
            return Err(refused(AgentsError::BadToken(
                GIVEN_TOKEN_MIN,
                GIVEN_TOKEN_MAX,
            )));
        }
        let (kept, digest) = record_of(name, token)?;
        self.insert(AgentClientRecord::new(
            kept,
            digest,
            ClientLifetime::ThisRun,
        ))
    }

    fn insert(&self, client: AgentClientRecord) -> Result<(), Report> {
        let mut known = self.known.lock();
        if known.len() >= CLIENTS_MAX {
            return Err(refused(AgentsError::ManyClients(CLIENTS_MAX)));
        }
        known.push(client);
        Ok(())
    }

    /// Revokes a client. Blocking.
    ///
    /// # Errors
    /// `client-unknown`. `data-unwritable` if the file can't be changed. This process then rejects
    /// the token until it ends.
    pub(super) fn revoke(&self, id: &ClientId) -> Result<(), Report> {
        let _changing = self.changing.lock();
        // If the file can't be read, it is not overwritten. This process still rejects the token.
        let read = self.read_again();
        let gone = {
            let mut known = self.known.lock();
            let at = known.iter().position(|known| known.kept.shown.id == *id);
            if at.is_some() {
                self.revoked.lock().insert(id.clone());
            }
            at.map(|at| known.remove(at))
        };
        let Some(gone) = gone else {
            return Err(Report::from_error(
                Code::ClientUnknown,
                &AgentsError::NoClient,
            ));
        };
        gone.client.revoked.cancel();
        read?;
        self.write()
    }

    /// Writes the clients' times of last use. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`.
    pub(super) fn save_uses(&self) -> Result<(), Report> {
        let _changing = self.changing.lock();
        self.read_again()?;
        self.write()
    }

    fn write(&self) -> Result<(), Report> {
        let clients = self
            .known
            .lock()
            .iter()
            .filter(|known| known.lifetime == ClientLifetime::Stored)
            .map(|known| known.kept.clone())
            .collect();
        let file = AgentClientsFile { clients };
        let written = serde_json::to_vec_pretty(&file)
            .map_err(std::io::Error::other)
            .and_then(|bytes| {
                if let Some(folder) = self.file.parent() {
                    guild_files::files::create_own_folder(folder)?;
                }
                write_atomically(&self.file, &bytes)
            });
        written.map_err(|error| {
            let trouble = AgentsError::Unwritable(self.file.clone(), io_message(&error));
            Report::from_error(Code::DataUnwritable, &trouble)
        })?;
        for one in self.known.lock().iter_mut() {
            // A client that was used again during the write still has an unsaved use.
            one.used &= !file.clients.contains(&one.kept);
        }
        Ok(())
    }
}

impl AgentClientRecord {
    fn new(kept: ClientRecord, digest: [u8; 32], lifetime: ClientLifetime) -> Self {
        let client = GatewayClient {
            id: Some(kept.shown.id.clone()),
            name: Arc::from(kept.shown.name.as_str()),
            revoked: CancellationToken::new(),
        };
        Self {
            kept,
            digest,
            client,
            lifetime,
            used: false,
            admitted: HashMap::new(),
            refused: HashSet::new(),
        }
    }

    /// Sets the endpoints of the client's token. Returns the previous ones.
    fn bind(&mut self, endpoints: Option<Vec<Endpoint>>) -> Option<Vec<Endpoint>> {
        self.refused.clear();
        std::mem::replace(&mut self.kept.shown.endpoints, endpoints)
    }

    /// Cancels the tokens of the endpoints that the client may no longer use.
    fn enforce(&mut self, same: impl Fn(&Endpoint, &Endpoint) -> bool) {
        let Some(only) = &self.kept.shown.endpoints else {
            return;
        };
        self.admitted.retain(|endpoint, admitted| {
            let kept = only.iter().any(|bound| same(bound, endpoint));
            if !kept {
                admitted.cancel();
            }
            kept
        });
    }
}

/// Removes duplicates from the endpoints of a binding, and checks their number.
fn checked_binding(endpoints: Option<Vec<Endpoint>>) -> Result<Option<Vec<Endpoint>>, Report> {
    let Some(endpoints) = endpoints else {
        return Ok(None);
    };
    let mut checked = Vec::new();
    for endpoint in endpoints {
        if !checked.contains(&endpoint) {
            checked.push(endpoint);
        }
        if checked.len() > ENDPOINTS_MAX {
            return Err(refused(AgentsError::ManyEndpoints(ENDPOINTS_MAX)));
        }
    }
    Ok(Some(checked))
}

fn refused(trouble: AgentsError) -> Report {
    Report::from_error(Code::GatewaySettings, &trouble)
}

/// Creates a client with a new token. Returns its record, the token's digest and the token.
fn new_client(name: &str) -> Result<(ClientRecord, [u8; 32], String), Report> {
    let token = new_token().map_err(|error| refused(AgentsError::NoRandom(error.to_string())))?;
    let (kept, digest) = record_of(name, &token)?;
    Ok((kept, digest, token))
}

/// Returns the record of a client with this token, and the token's digest.
fn record_of(name: &str, token: &str) -> Result<(ClientRecord, [u8; 32]), Report> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
        return Err(refused(AgentsError::ClientName(NAME_MAX)));
    }
    let digest: [u8; 32] = Sha256::digest(token.as_bytes()).into();
    let hex = to_hex(&digest);
    let shown = AgentClient {
        // The id contains a part of the digest, which reveals nothing about the token.
        id: ClientId::try_from(format!("client-{}", &hex[..12]))
            .map_err(|error| refused(AgentsError::ClientId(error.0)))?,
        name: name.to_owned(),
        token_end: token[token.len() - TOKEN_END..].to_owned(),
        created_at_ms: now_ms(),
        last_used_ms: None,
        endpoints: None,
    };
    let kept = ClientRecord {
        shown,
        token_sha256: hex,
        shows_apps: false,
    };
    Ok((kept, digest))
}

fn new_token() -> Result<String, getrandom::Error> {
    let mut random = [0; 32];
    getrandom::fill(&mut random)?;
    Ok(format!("{TOKEN_PREFIX}{}", URL_SAFE_NO_PAD.encode(random)))
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string never fails.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn from_hex(hex: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if hex.len() != 64 || !hex.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a data folder without clients.
    fn no_clients() -> (tempfile::TempDir, Clients) {
        let folder = tempfile::tempdir().expect("a folder");
        let clients = Clients::read(folder.path()).expect("none yet");
        (folder, clients)
    }

    #[test]
    fn token_works_until_revoked_and_is_not_stored() {
        let (folder, clients) = no_clients();
        let (shown, token) = clients.add(" Claude Code ", None).expect("added");
        assert_eq!(shown.name, "Claude Code");
        assert!(token.ends_with(&shown.token_end));
        let text =
            std::fs::read_to_string(folder.path().join("gateway-clients.json")).expect("read");
        assert!(!text.contains(&token[3..token.len() - TOKEN_END]), "{text}");

        let again = Clients::read(folder.path()).expect("read");
        let client = again.by_token(&token).expect("let in");
        assert_eq!(&*client.name, "Claude Code");
        assert!(again.used(&shown.id, 0, false), "the first use is news");
        assert!(again.by_token(&format!("{token}x")).is_none());
        again.revoke(&shown.id).expect("revoked");
        assert!(client.revoked.is_cancelled());
        assert!(again.by_token(&token).is_none());
        assert_eq!(
            again.revoke(&shown.id).expect_err("gone").code,
            Code::ClientUnknown
        );
        assert!(Clients::read(folder.path()).expect("read").all().is_empty());
    }

    fn endpoint(path: &str) -> Endpoint {
        Endpoint::parse(path).expect("an endpoint").expect("a name")
    }

    #[test]
    fn binding_is_stored_and_ends_use_elsewhere() {
        let (folder, clients) = no_clients();
        let (shown, token) = clients.add("a", None).expect("added");
        let same = |one: &Endpoint, other: &Endpoint| one == other;
        let (all, time) = (Endpoint::All, endpoint("/members/time/mcp"));
        let used = |at: &Endpoint| clients.admit(&shown.id, at, true, same);
        let (at_all, at_time) = (used(&all).expect("in"), used(&time).expect("in"));
        clients
            .bind(&shown.id, Some(vec![time.clone(), time.clone()]))
            .expect("bound");
        clients.enforce(same);
        assert!(at_all.is_cancelled() && !at_time.is_cancelled());
        assert_eq!(
            used(&all).expect_err("refused"),
            std::slice::from_ref(&time)
        );
        assert!(!used(&time).expect("in").is_cancelled());
        let again = Clients::read(folder.path()).expect("read");
        assert_eq!(again.all()[0].endpoints, Some(vec![time.clone()]));
        assert!(again.by_token(&token).is_some(), "known, but bound");

        // The next change of this process also applies a change that another program has written.
        again.bind(&shown.id, Some(vec![])).expect("bound");
        clients.save_uses().expect("written");
        assert!(at_time.is_cancelled());
        assert!(used(&time).expect_err("refused").is_empty());
        clients.bind(&shown.id, None).expect("unbound");
        let at_all = used(&all).expect("in again");
        assert!(!at_all.is_cancelled());
        clients.revoke(&shown.id).expect("revoked");
        assert!(at_all.is_cancelled());
        assert!(clients.bind(&shown.id, None).is_err(), "unknown");
    }

    #[test]
    fn unwritable_binding_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        std::fs::create_dir(&data).expect("made");
        let clients = Clients::read(&data).expect("none yet");
        let (shown, _) = clients.add_for_this_run("a").expect("added");
        std::fs::create_dir(data.join("gateway-clients.json")).expect("made");
        assert!(clients.bind(&shown.id, Some(vec![])).is_err());
        assert_eq!(clients.all()[0].endpoints, None);
        let many = (0..=ENDPOINTS_MAX).map(|number| endpoint(&format!("/members/m{number}/mcp")));
        let refused = clients.bind(&shown.id, Some(many.collect()));
        assert_eq!(refused.expect_err("too many").code, Code::GatewaySettings);
    }

    #[test]
    fn revoked_client_of_an_unwritable_file_stays_revoked() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        std::fs::create_dir(&data).expect("made");
        let clients = Clients::read(&data).expect("none yet");
        let (shown, token) = clients.add("a", None).expect("added");
        // Another program's file can't be read for a moment.
        let (file, aside) = (data.join("gateway-clients.json"), data.join("aside"));
        std::fs::rename(&file, &aside).expect("moved");
        std::fs::create_dir(&file).expect("made");
        let refused = clients.revoke(&shown.id).expect_err("unwritable");
        assert_eq!(refused.code, Code::DataUnwritable);
        std::fs::remove_dir(&file).expect("removed");
        std::fs::rename(&aside, &file).expect("moved back");
        clients.read_again().expect("readable");
        assert!(clients.by_token(&token).is_none());
        clients.save_uses().expect("written");
        assert!(Clients::read(&data).expect("read").all().is_empty());
    }

    #[test]
    fn invented_endpoints_are_not_remembered() {
        let (_folder, clients) = no_clients();
        let (shown, _) = clients.add("a", None).expect("added");
        let at = endpoint("/members/invented/mcp");
        assert!(clients.admit(&shown.id, &at, false, |_, _| false).is_ok());
        assert!(clients.known.lock()[0].admitted.is_empty());
    }

    #[test]
    fn client_that_shows_apps_is_remembered() {
        let (folder, clients) = no_clients();
        let (shown, _) = clients.add("a", None).expect("added");
        assert!(clients.used(&shown.id, 0, false) && !clients.any_shows_apps());
        assert!(clients.used(&shown.id, 0, true), "it is news");
        assert!(!clients.used(&shown.id, 0, true), "no more");
        clients.save_uses().expect("written");
        let again = Clients::read(folder.path()).expect("read");
        assert!(again.any_shows_apps());
        again.revoke(&shown.id).expect("revoked");
        assert!(!again.any_shows_apps());
    }

    #[test]
    fn client_of_an_older_version_is_unbound() {
        let folder = tempfile::tempdir().expect("a folder");
        let digest = to_hex(&Sha256::digest(b"a token"));
        let old = format!(
            r#"{{"clients": [{{"id": "client-1", "name": "a", "tokenEnd": "oken", "createdAtMs": 1,
                "lastUsedMs": null, "tokenSha256": "{digest}"}}]}}"#
        );
        std::fs::write(folder.path().join("gateway-clients.json"), old).expect("written");
        let clients = Clients::read(folder.path()).expect("read");
        let client = clients.by_token("a token").expect("let in");
        let id = client.id.expect("an id");
        assert!(
            clients
                .admit(&id, &Endpoint::All, true, |_, _| false)
                .is_ok()
        );
    }

    #[test]
    fn two_programs_of_one_folder_lose_nobody() {
        let (folder, one) = no_clients();
        let other = Clients::read(folder.path()).expect("none yet");
        let (by_one, token) = one.add("one", None).expect("added");
        let (by_other, _) = other.add("other", None).expect("added");
        assert!(
            other.by_token(&token).is_some(),
            "what the other let in comes in"
        );
        one.revoke(&by_other.id).expect("known to both");
        let left = Clients::read(folder.path()).expect("read").all();
        assert_eq!(left, [by_one]);
    }

    #[test]
    fn single_run_client_is_valid_in_its_run_only() {
        let (folder, one) = no_clients();
        let other = Clients::read(folder.path()).expect("none yet");
        let (of_one, token) = one.add_for_this_run("serve").expect("added");
        let (of_other, other_token) = other.add_for_this_run("serve").expect("added");
        let (kept, _) = other.add("kept", None).expect("added");
        assert!(one.by_token(&token).is_some() && other.by_token(&other_token).is_some());
        assert!(one.by_token(&other_token).is_none(), "good there alone");
        one.save_uses().expect("written");
        assert_eq!(one.all(), [kept.clone(), of_one.clone()]);
        let left = Clients::read(folder.path()).expect("read").all();
        assert_eq!(left, [kept], "neither is in the file");
        assert!(other.revoke(&of_one.id).is_err(), "unknown to the other");
        one.revoke(&of_one.id).expect("revoked");
        assert!(one.by_token(&token).is_none());
        assert_eq!(other.all()[1..], [of_other]);
    }

    #[test]
    fn a_use_is_written_once_a_minute_wherever_the_clock_jumps() {
        const DAY: u64 = 24 * 60 * 60 * 1_000;
        const NOON: u64 = 20_000 * DAY + DAY / 2;
        let (folder, clients) = no_clients();
        let (shown, _) = clients.add("Claude Code", None).expect("added");
        for now in [NOON, NOON - DAY, NOON + 365 * DAY, NOON] {
            assert!(clients.used(&shown.id, now, false), "{now} is news");
            clients.save_uses().expect("written");
            for later in 1..100 {
                assert!(
                    !clients.used(&shown.id, now + later, false),
                    "{now} is written"
                );
            }
            let kept = Clients::read(folder.path()).expect("read").all();
            assert_eq!(kept[0].last_used_ms, Some(now));
            assert_eq!(clients.all(), kept);
        }
        // A use that another program recorded counts, unless a newer one was recorded here.
        let other = Clients::read(folder.path()).expect("read");
        assert!(other.used(&shown.id, NOON - 2 * DAY, false));
        other.save_uses().expect("written");
        clients.save_uses().expect("written");
        assert_eq!(clients.all()[0].last_used_ms, Some(NOON - 2 * DAY));
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_reads_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        Clients::read(folder.path())
            .expect("none")
            .add("a", None)
            .expect("added");
        let metadata =
            std::fs::metadata(folder.path().join("gateway-clients.json")).expect("a file");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn mangled_clients_are_refused_whole_and_nobody_is_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("gateway-clients.json");
        guild_tests::mangled::each("gateway-clients", |bytes| {
            std::fs::write(&file, bytes).expect("written");
            match Clients::read(folder.path()) {
                Err(_) => {
                    assert!(Clients::empty(folder.path()).add("New", None).is_err());
                    assert_eq!(std::fs::read(&file).expect("read"), bytes);
                }
                Ok(clients) => {
                    assert!(clients.by_token("a token").is_none());
                    clients.save_uses().expect("written");
                    let again = Clients::read(folder.path()).expect("read again");
                    assert_eq!(again.all(), clients.all());
                }
            }
        });
    }
}
