//! The clients that may come in, each by a token of its own.
//!
//! A token is 256 random bits; what is kept is its SHA-256, so that whoever reads the file has no
//! token. Tokens are told apart in constant time.
//!
//! A client of one run ([`Clients::add_for_this_run`]) stands in no file: its token is good here
//! alone, ends with the program however that ends, and no other program can take it for its own.

use std::fmt::Write;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use guild_core::note::{GatewayTrouble, GatewayWrong, Told as _};
use guild_core::wire::AgentClient;
use guild_core::{ClientId, Code, Report};
use guild_mcp::gateway::Client;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tokio_util::sync::CancellationToken;

use crate::clock::now_ms;
use crate::files::{read_bounded, write_atomically};

/// The largest file that is read, in bytes.
const BYTES_MAX: u64 = 1 << 20;
/// How many clients there may be.
const CLIENTS_MAX: usize = 200;
/// The longest name, in characters.
const NAME_MAX: usize = 80;
/// What a token begins with, so that it is known for what it is wherever it turns up.
const TOKEN_PREFIX: &str = "gh_";
/// How many of a token's last characters are shown.
const TOKEN_END: usize = 4;
/// How long a token is that somebody else made.
const GIVEN_TOKEN_MIN: usize = 32;
const GIVEN_TOKEN_MAX: usize = 4_096;
/// How often the file is looked at for clients that another program let in.
const LOOKED_AT: Duration = Duration::from_secs(1);
/// How exactly it is kept when a token was last used.
const USE_STEP_MS: u64 = 60_000;

/// A client as the file has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kept {
    #[serde(flatten)]
    shown: AgentClient,
    /// SHA-256 of its token, in hexadecimal digits.
    token_sha256: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct File {
    clients: Vec<Kept>,
}

#[derive(Debug)]
struct Known {
    kept: Kept,
    digest: [u8; 32],
    client: Client,
    /// How long it is let in.
    stays: Stays,
    /// Whether it was used here since the file was last written.
    used: bool,
}

/// How long a client is let in, unless it is revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stays {
    /// From now on; the file has it.
    Kept,
    /// As long as this program runs; the file never has it.
    ThisRun,
}

/// All clients.
#[derive(Debug)]
pub(super) struct Clients {
    file: PathBuf,
    known: Mutex<Vec<Known>>,
    /// Held from a look at the file until it is written: what is revoked meanwhile stays revoked.
    changing: Mutex<()>,
    /// When the file was last looked at, and when it had been changed then.
    looked_at: Mutex<(Option<Instant>, Option<SystemTime>)>,
}

impl Clients {
    /// Reads the clients of a data folder. Blocking.
    ///
    /// # Errors
    /// `data-unwritable` when the file can't be used: then nobody is let in, and nobody is lost.
    pub(super) fn read(data_dir: &Path) -> Result<Self, Report> {
        let clients = Self::nobody(data_dir);
        clients.read_again()?;
        Ok(clients)
    }

    /// Nobody, where the file can't be used.
    pub(super) fn nobody(data_dir: &Path) -> Self {
        Self {
            file: data_dir.join("gateway-clients.json"),
            known: Mutex::default(),
            changing: Mutex::default(),
            looked_at: Mutex::default(),
        }
    }

    /// Takes in what another program has made of the file: clients that it let in, and those that
    /// it lets in no more. Blocking.
    fn read_again(&self) -> Result<(), Report> {
        let unusable = |problem: String| {
            let trouble = GatewayTrouble::ClientsUnusable(self.file.clone(), problem);
            Report::told(Code::DataUnwritable, &trouble)
        };
        let kept = match read_bounded(&self.file, BYTES_MAX) {
            Ok(bytes) => serde_json::from_slice::<File>(&bytes)
                .map_err(|error| unusable(error.to_string()))?,
            Err(error) if error.kind() == ErrorKind::NotFound => File::default(),
            Err(error) => return Err(unusable(error.told())),
        };
        let mut read = Vec::with_capacity(kept.clients.len());
        for kept in kept.clients {
            let digest = from_hex(&kept.token_sha256);
            let digest = digest.ok_or_else(|| {
                let id = kept.shown.id.to_string();
                unusable(GatewayWrong::NoDigest(id).told())
            })?;
            read.push(Known::new(kept, digest, Stays::Kept));
        }
        let mut known = self.known();
        let mut of_this_run = Vec::new();
        for mut old in known.drain(..) {
            if old.stays == Stays::ThisRun {
                of_this_run.push(old);
                continue;
            }
            match read.iter_mut().find(|new| new.digest == old.digest) {
                Some(new) => {
                    // What was noted here is the later one, whatever the clock said then.
                    if !old.used {
                        old.kept.shown.last_used_ms = new.kept.shown.last_used_ms;
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

    /// Whether the file is another than when it was last looked at. Looked at once a second at
    /// most, whoever comes with whatever token.
    fn has_changed(&self) -> bool {
        let mut looked_at = self
            .looked_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let (last, before) = &mut *looked_at;
        if last.is_some_and(|last| now.duration_since(last) < LOOKED_AT) {
            return false;
        }
        *last = Some(now);
        let modified = std::fs::metadata(&self.file)
            .and_then(|file| file.modified())
            .ok();
        std::mem::replace(before, modified) != modified
    }

    /// All clients, the oldest first.
    pub(super) fn all(&self) -> Vec<AgentClient> {
        self.known()
            .iter()
            .map(|known| known.kept.shown.clone())
            .collect()
    }

    /// Who comes with a token. Each client is looked at, whichever it is.
    pub(super) fn by_token(&self, token: &str) -> Option<Client> {
        let digest: [u8; 32] = Sha256::digest(token.as_bytes()).into();
        let find = || {
            let known = self.known();
            let mut found = None;
            for one in known.iter() {
                if bool::from(one.digest.ct_eq(&digest)) {
                    found = Some(one.client.clone());
                }
            }
            found
        };
        find().or_else(|| {
            // Another program may have let it in since.
            if let Ok(_changing) = self.changing.try_lock()
                && self.has_changed()
            {
                self.read_again().ok()?;
            }
            find()
        })
    }

    /// Takes note that a client has asked something at this moment, in milliseconds since 1970;
    /// whether the file should be written for it.
    pub(super) fn used(&self, id: &ClientId, at_ms: u64) -> bool {
        let at_ms = at_ms / USE_STEP_MS * USE_STEP_MS;
        let mut known = self.known();
        let Some(one) = known.iter_mut().find(|one| one.kept.shown.id == *id) else {
            return false;
        };
        let is_news = one.kept.shown.last_used_ms.replace(at_ms) != Some(at_ms);
        one.used |= is_news;
        is_news
    }

    /// Lets a client in; gives its token, which is kept nowhere. Blocking.
    ///
    /// # Errors
    /// `gateway-settings` for a name that can't be used or too many clients, `data-unwritable`.
    pub(super) fn add(&self, name: &str) -> Result<(AgentClient, String), Report> {
        let (kept, digest, token) = made(name)?;
        let shown = kept.shown.clone();
        let _changing = self.changing();
        self.read_again()?;
        self.take_in(Known::new(kept, digest, Stays::Kept))?;
        self.write().inspect_err(|_| {
            // What is not kept would be gone with the next start.
            self.known().retain(|known| known.kept.shown.id != shown.id);
        })?;
        Ok((shown, token))
    }

    /// Lets a client in until this program ends.
    ///
    /// # Errors
    /// `gateway-settings` for a name that can't be used or too many clients.
    pub(super) fn add_for_this_run(&self, name: &str) -> Result<(AgentClient, String), Report> {
        let (kept, digest, token) = made(name)?;
        let shown = kept.shown.clone();
        self.take_in(Known::new(kept, digest, Stays::ThisRun))?;
        Ok((shown, token))
    }

    /// Lets whoever shows this token in until this program ends.
    ///
    /// # Errors
    /// `gateway-settings` for a token that could be guessed, and as [`Self::add_for_this_run`].
    pub(super) fn admit_for_this_run(&self, name: &str, token: &str) -> Result<(), Report> {
        let is_plain = token.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_plain || !(GIVEN_TOKEN_MIN..=GIVEN_TOKEN_MAX).contains(&token.len()) {
            return Err(refused(GatewayTrouble::BadToken(
                GIVEN_TOKEN_MIN,
                GIVEN_TOKEN_MAX,
            )));
        }
        let (kept, digest) = kept_of(name, token)?;
        self.take_in(Known::new(kept, digest, Stays::ThisRun))
    }

    fn take_in(&self, client: Known) -> Result<(), Report> {
        let mut known = self.known();
        if known.len() >= CLIENTS_MAX {
            return Err(refused(GatewayTrouble::ManyClients(CLIENTS_MAX)));
        }
        known.push(client);
        Ok(())
    }

    /// Lets a client in no more. Blocking.
    ///
    /// # Errors
    /// `client-unknown`, `data-unwritable`; it is let in no more either way.
    pub(super) fn revoke(&self, id: &ClientId) -> Result<(), Report> {
        let _changing = self.changing();
        // What can't be read is not written over; the token is good no more either way.
        let read = self.read_again();
        let gone = {
            let mut known = self.known();
            let at = known.iter().position(|known| known.kept.shown.id == *id);
            at.map(|at| known.remove(at))
        };
        let Some(gone) = gone else {
            return Err(Report::told(Code::ClientUnknown, &GatewayTrouble::NoClient));
        };
        gone.client.revoked.cancel();
        read?;
        self.write()
    }

    /// Keeps when clients were last used. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`.
    pub(super) fn keep_uses(&self) -> Result<(), Report> {
        let _changing = self.changing();
        self.read_again()?;
        self.write()
    }

    /// Writes the file. Blocking.
    fn write(&self) -> Result<(), Report> {
        let clients = self
            .known()
            .iter()
            .filter(|known| known.stays == Stays::Kept)
            .map(|known| known.kept.clone())
            .collect();
        let file = File { clients };
        let written = serde_json::to_vec_pretty(&file)
            .map_err(std::io::Error::other)
            .and_then(|bytes| {
                if let Some(folder) = self.file.parent() {
                    crate::files::create_own_folder(folder)?;
                }
                write_atomically(&self.file, &bytes)
            });
        written.map_err(|error| {
            let trouble = GatewayTrouble::Unwritable(self.file.clone(), error.told());
            Report::told(Code::DataUnwritable, &trouble)
        })?;
        for one in self.known().iter_mut() {
            // One that was used meanwhile is not written yet.
            one.used &= !file.clients.contains(&one.kept);
        }
        Ok(())
    }

    fn changing(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> MutexGuard<'_, Vec<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn new(kept: Kept, digest: [u8; 32], stays: Stays) -> Self {
        let client = Client {
            id: Some(kept.shown.id.clone()),
            name: Arc::from(kept.shown.name.as_str()),
            revoked: CancellationToken::new(),
        };
        Self {
            kept,
            digest,
            client,
            stays,
            used: false,
        }
    }
}

fn refused(trouble: GatewayTrouble) -> Report {
    Report::told(Code::GatewaySettings, &trouble)
}

/// A client of this name, the digest of its token, and the token.
fn made(name: &str) -> Result<(Kept, [u8; 32], String), Report> {
    let token =
        new_token().map_err(|error| refused(GatewayTrouble::NoRandom(error.to_string())))?;
    let (kept, digest) = kept_of(name, &token)?;
    Ok((kept, digest, token))
}

/// What is kept of a client with this token.
fn kept_of(name: &str, token: &str) -> Result<(Kept, [u8; 32]), Report> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
        return Err(refused(GatewayTrouble::ClientName(NAME_MAX)));
    }
    let digest: [u8; 32] = Sha256::digest(token.as_bytes()).into();
    let hex = to_hex(&digest);
    let shown = AgentClient {
        // A part of the digest tells nothing of the token.
        id: ClientId::try_from(format!("client-{}", &hex[..12]))
            .map_err(|error| refused(GatewayTrouble::ClientId(error.0)))?,
        name: name.to_owned(),
        token_end: token[token.len() - TOKEN_END..].to_owned(),
        created_at_ms: now_ms(),
        last_used_ms: None,
    };
    let kept = Kept {
        shown,
        token_sha256: hex,
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
        // Writing to a text can't fail.
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

    #[test]
    fn a_token_lets_its_client_in_until_it_is_revoked_and_stands_in_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let clients = Clients::read(folder.path()).expect("none yet");
        let (shown, token) = clients.add(" Claude Code ").expect("added");
        assert_eq!(shown.name, "Claude Code");
        assert!(token.ends_with(&shown.token_end));
        let text =
            std::fs::read_to_string(folder.path().join("gateway-clients.json")).expect("read");
        assert!(!text.contains(&token[3..token.len() - TOKEN_END]), "{text}");

        let again = Clients::read(folder.path()).expect("read");
        let client = again.by_token(&token).expect("let in");
        assert_eq!(&*client.name, "Claude Code");
        assert!(again.used(&shown.id, 0), "the first use is news");
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

    #[test]
    fn two_programs_of_one_folder_lose_nobody() {
        let folder = tempfile::tempdir().expect("a folder");
        let one = Clients::read(folder.path()).expect("none yet");
        let other = Clients::read(folder.path()).expect("none yet");
        let (by_one, token) = one.add("one").expect("added");
        let (by_other, _) = other.add("other").expect("added");
        assert!(
            other.by_token(&token).is_some(),
            "what the other let in comes in"
        );
        one.revoke(&by_other.id).expect("known to both");
        let left = Clients::read(folder.path()).expect("read").all();
        assert_eq!(left, [by_one]);
    }

    #[test]
    fn a_client_of_one_run_is_let_in_there_alone_and_nobody_else_ends_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let one = Clients::read(folder.path()).expect("none yet");
        let other = Clients::read(folder.path()).expect("none yet");
        let (of_one, token) = one.add_for_this_run("serve").expect("added");
        let (of_other, other_token) = other.add_for_this_run("serve").expect("added");
        let (kept, _) = other.add("kept").expect("added");
        assert!(one.by_token(&token).is_some() && other.by_token(&other_token).is_some());
        assert!(one.by_token(&other_token).is_none(), "good there alone");
        one.keep_uses().expect("written");
        assert_eq!(one.all(), [kept.clone(), of_one.clone()]);
        let left = Clients::read(folder.path()).expect("read").all();
        assert_eq!(left, [kept], "neither stands in the file");
        assert!(other.revoke(&of_one.id).is_err(), "unknown to the other");
        one.revoke(&of_one.id).expect("revoked");
        assert!(one.by_token(&token).is_none());
        assert_eq!(other.all()[1..], [of_other]);
    }

    #[test]
    fn a_use_is_written_once_a_minute_wherever_the_clock_jumps() {
        const DAY: u64 = 24 * 60 * 60 * 1_000;
        const NOON: u64 = 20_000 * DAY + DAY / 2;
        let folder = tempfile::tempdir().expect("a folder");
        let clients = Clients::read(folder.path()).expect("none yet");
        let (shown, _) = clients.add("Claude Code").expect("added");
        for now in [NOON, NOON - DAY, NOON + 365 * DAY, NOON] {
            assert!(clients.used(&shown.id, now), "{now} is news");
            clients.keep_uses().expect("written");
            for later in 1..100 {
                assert!(!clients.used(&shown.id, now + later), "{now} is written");
            }
            let kept = Clients::read(folder.path()).expect("read").all();
            assert_eq!(kept[0].last_used_ms, Some(now));
            assert_eq!(clients.all(), kept);
        }
        // What another program noted since counts, as long as nothing newer was noted here.
        let other = Clients::read(folder.path()).expect("read");
        assert!(other.used(&shown.id, NOON - 2 * DAY));
        other.keep_uses().expect("written");
        clients.keep_uses().expect("written");
        assert_eq!(clients.all()[0].last_used_ms, Some(NOON - 2 * DAY));
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_reads_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        Clients::read(folder.path())
            .expect("none")
            .add("a")
            .expect("added");
        let metadata =
            std::fs::metadata(folder.path().join("gateway-clients.json")).expect("a file");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn mangled_clients_are_refused_whole_and_nobody_is_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("gateway-clients.json");
        crate::mangled::each("gateway-clients", |bytes| {
            std::fs::write(&file, bytes).expect("written");
            match Clients::read(folder.path()) {
                Err(_) => {
                    assert!(Clients::nobody(folder.path()).add("New").is_err());
                    assert_eq!(std::fs::read(&file).expect("read"), bytes);
                }
                Ok(clients) => {
                    assert!(clients.by_token("a token").is_none());
                    clients.keep_uses().expect("written");
                    let again = Clients::read(folder.path()).expect("read again");
                    assert_eq!(again.all(), clients.all());
                }
            }
        });
    }
}
