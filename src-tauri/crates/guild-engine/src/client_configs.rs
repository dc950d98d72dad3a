//! Other programs' configuration files: shown, changed and put back.
//!
//! Nothing is written that was not seen before, secrets aside ([`mod@masked`]): a change carries the preview's precondition, which
//! stands for the file's bytes and for what would become of them. The file as it was is kept in the
//! data folder, so that an undo gives it back to the byte. Programs write into their files
//! themselves; then an undo takes back the gateway's entry, puts back the servers that were taken
//! out for it, and leaves the rest.

mod changed_lines;
mod excerpt;
mod file;
mod masked;
mod record;
mod subject;
#[cfg(test)]
mod tests;
mod undo;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use guild_core::agents::{Endpoint, Listing};
use guild_core::client_config::{
    Access, ConfigFile, EntryAt, FILE_MAX, Folders, Program, System, TOKEN_LEFT_OUT, TOKEN_VARIABLE,
};
use guild_core::note::{ClientFileTrouble, SecretTrouble, Told};
use guild_core::wire::control::CallerFolders;
use guild_core::wire::{
    ClientConfig, ClientConfigPreview, ClientConfigs as Listed, WrittenClientConfig,
};
use guild_core::{ClientId, Code, Report};
use sha2::{Digest, Sha256};

use self::file::Target;
pub(crate) use self::masked::masked;
use self::record::{Record, Records, digest, own_entry};
pub use self::subject::{Change, Subject};
pub use self::undo::Undone;
use crate::files::{others_may_read, read_bounded};
use crate::own_program::lasting_binary;
use crate::paths::Paths;

/// How many clients are kept of a file, the latest first to be kept.
const CLIENTS_MAX: usize = 32;

/// The gateway as other programs reach it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GatewayDoor {
    /// Its port.
    pub port: u16,
    /// Whether a client has to show a token.
    pub tokens_required: bool,
    /// How tools are listed for the program; `None` for what the endpoint is set to.
    pub listing: Option<Listing>,
}

/// Warns of a file that has a bearer token in it and that others than its user can read. Blocking.
pub fn readable_token(path: &Path) -> Option<Report> {
    if !others_may_read(path) {
        return None;
    }
    let bytes = read_bounded(path, FILE_MAX as u64).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    // A header, or the variable of a program that can only start commands.
    let has_token = text.contains("Bearer ") || text.contains(TOKEN_VARIABLE);
    let trouble = SecretTrouble::TokenReadable(path.to_owned());
    has_token.then(|| Report::told(Code::SecretsUnsafe, &trouble))
}

/// The configuration files of the programs that are known. A clone is the same.
#[derive(Debug, Clone)]
pub struct ClientConfigs(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    folders: Folders,
    records: Records,
    /// The program `guildhall`, for programs that start a command.
    guildhall: String,
    /// The data folder, where `guildhall` would look for another one by itself.
    data_dir: Option<String>,
    /// One change at a time: the check of a precondition and the write are not one step.
    changing: Mutex<()>,
}

impl ClientConfigs {
    /// The files in these folders, which start `own_binary`; what is kept of them is in the data
    /// folder.
    ///
    /// # Errors
    /// `data-unwritable` when an AppImage can't be linked in the data folder.
    pub(crate) fn of_own(
        own_binary: &str,
        data_dir: &Path,
        folders: Folders,
    ) -> Result<Self, Report> {
        let guildhall = lasting_binary(own_binary, data_dir).map_err(|error| {
            let trouble = ClientFileTrouble::NoOwnPlace(error.to_string());
            Report::told(Code::DataUnwritable, &trouble)
        })?;
        Ok(Self::new(data_dir, folders, guildhall))
    }

    /// The files in these folders.
    pub fn new(data_dir: &Path, folders: Folders, guildhall: String) -> Self {
        Self(Arc::new(Inner {
            folders,
            records: Records::new(data_dir),
            guildhall,
            data_dir: is_elsewhere(data_dir).then(|| data_dir.display().to_string()),
            changing: Mutex::default(),
        }))
    }

    /// The programs that are known, those whose file is there first.
    pub async fn list(&self, endpoint: Endpoint, door: GatewayDoor) -> Listed {
        self.list_in(None, endpoint, door).await
    }

    /// The same in the folders of a caller, where they are given.
    pub(crate) async fn list_in(
        &self,
        folders: Option<Folders>,
        endpoint: Endpoint,
        door: GatewayDoor,
    ) -> Listed {
        let listed = self.blocking(move |inner| {
            let folders = folders.as_ref().unwrap_or(&inner.folders);
            let clients = Program::ALL.into_iter().map(|program| {
                let file = ConfigFile::of_user(program, folders);
                inner.describe(file, &endpoint, door)
            });
            let mut clients: Vec<ClientConfig> = clients.collect();
            clients.sort_by_key(|client| !client.exists);
            Ok(Listed { clients })
        });
        listed.await.unwrap_or(Listed {
            clients: Vec::new(),
        })
    }

    /// The file that a program reads for the user, as it is.
    ///
    /// # Errors
    /// `program-unknown`.
    pub fn subject(&self, client: &str) -> Result<Subject, Report> {
        self.subject_in(None, client)
    }

    /// The same in the folders of a caller, where they are given.
    ///
    /// # Errors
    /// `program-unknown`.
    pub(crate) fn subject_in(
        &self,
        folders: Option<&Folders>,
        client: &str,
    ) -> Result<Subject, Report> {
        let folders = folders.unwrap_or(&self.0.folders);
        let file = ConfigFile::of_user(program(client)?, folders);
        Ok(Subject::new(file))
    }

    /// Of which of some files Guild Hall has a backup to go back to.
    pub(crate) async fn can_undo(&self, files: Vec<ConfigFile>) -> Vec<bool> {
        let count = files.len();
        let looked = self.blocking(move |inner| {
            let each = files.iter().map(|file| {
                let record = inner.records.read(&inner.key(file), &file.path)?;
                Some(inner.is_left(file, Target::read(&file.path).ok().as_ref(), &record))
            });
            Ok(each.map(|left| left.unwrap_or(false)).collect())
        });
        looked.await.unwrap_or_else(|_| vec![false; count])
    }

    /// What would be written, the token and whatever else is a secret left out.
    ///
    /// # Errors
    /// `client-config-refused` for a file that can't be changed safely.
    pub async fn preview(
        &self,
        subject: Subject,
        endpoint: Endpoint,
        door: GatewayDoor,
    ) -> Result<ClientConfigPreview, Report> {
        self.blocking(move |inner| {
            let target = Target::read(&subject.file.path)?;
            let seen = inner.seen(&subject, &target, &endpoint, door)?;
            let after = masked(&seen.text);
            let (before, after) = match target.text.as_deref().map(masked) {
                Some(before) => {
                    let (before, after) = excerpt::around_change(&before, &after);
                    (Some(before), after)
                }
                None => (None, after),
            };
            Ok(ClientConfigPreview {
                path: target.path.display().to_string(),
                before,
                after,
                precondition: seen.precondition,
                taken_out: seen.gone.into_iter().map(|entry| entry.name).collect(),
                comments: seen.comments,
                choices: Vec::new(),
                profile: None,
                project: subject.project.map(|folder| folder.display().to_string()),
            })
        })
        .await
    }

    /// Writes what a preview showed, with the token that `make_token` gives for the program's name;
    /// its client is kept beside the backup. It is asked only if a token is required, and once everything else is sure.
    ///
    /// # Errors
    /// As [`preview`](Self::preview), and of `make_token`; `client-config-changed` when the file is
    /// another than the preview's, `file-unwritable`, `data-unwritable`. The file is then as it was.
    pub async fn write<F, T>(
        &self,
        change: Change,
        door: GatewayDoor,
        make_token: F,
    ) -> Result<WrittenClientConfig, Report>
    where
        F: FnOnce(String) -> T,
        T: Future<Output = Result<(ClientId, String), Report>>,
    {
        let asked = change.clone();
        self.blocking(move |inner| inner.checked(&asked, door).map(drop))
            .await?;
        let token = match door.tokens_required {
            true => Some(make_token(change.subject.file.program.title().to_owned()).await?),
            false => None,
        };
        self.blocking(move |inner| inner.write(&change, door, token))
            .await
    }

    /// The address of the gateway that a file names now.
    pub(crate) async fn address_in(&self, file: ConfigFile) -> Option<String> {
        let read = self.blocking(move |_| {
            let text = Target::read(&file.path)?.text.unwrap_or_default();
            let entry = file.connection(&text).ok().flatten();
            Ok(entry.and_then(|entry| Program::address_in(&entry).map(str::to_owned)))
        });
        read.await.ok().flatten()
    }

    /// Gives a file back as it was before Guild Hall wrote to it. Where it has changed since then,
    /// the gateway's entry is taken back, the servers that were taken out are put back, and the rest
    /// stays. A file that is gone is there again.
    ///
    /// # Errors
    /// `client-config-changed` when nothing that was written stands there, or the entry is not the
    /// one that was written; `client-config-refused`, `file-unwritable`.
    pub async fn undo(&self, subject: Subject) -> Result<Undone, Report> {
        self.blocking(move |inner| inner.undo(&subject.file)).await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T, Report> + Send + 'static,
    ) -> Result<T, Report> {
        let inner = Arc::clone(&self.0);
        let work = tokio::task::spawn_blocking(move || work(&inner));
        work.await.unwrap_or_else(|error| {
            let trouble = ClientFileTrouble::BrokenOff(error.to_string());
            Err(Report::told(Code::FileUnwritable, &trouble))
        })
    }
}

/// Where this user's programs have their files; `None` where the system names no home folder.
pub(crate) fn folders_of_user() -> Option<Folders> {
    let dirs = directories::BaseDirs::new()?;
    let named = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    Some(Folders {
        system: System::OWN,
        home: dirs.home_dir().to_owned(),
        config: dirs.config_dir().to_owned(),
        claude: named("CLAUDE_CONFIG_DIR"),
        codex: named("CODEX_HOME"),
    })
}

/// Where the programs of whoever runs this one have their files; `None` where the system names no
/// home folder.
pub fn caller_folders() -> Option<CallerFolders> {
    let Folders {
        home,
        config,
        claude,
        codex,
        ..
    } = folders_of_user()?;
    Some(CallerFolders {
        home,
        config,
        claude,
        codex,
    })
}

/// Whether a program that is started with no more than the system's variables would take another
/// data folder: `GUILD_HALL_DATA` of this one is not theirs.
fn is_elsewhere(data_dir: &Path) -> bool {
    Paths::system_data_dir().is_none_or(|system| system != data_dir)
}

/// What a person is shown before a file is written.
struct Seen {
    text: String,
    /// The entries that go.
    gone: Vec<EntryAt>,
    /// How many comments stand inside of them.
    comments: usize,
    precondition: String,
}

impl Inner {
    /// What a file's record is called.
    fn key(&self, file: &ConfigFile) -> String {
        let program = file.program.as_str();
        match file.path == file.program.file(&self.folders) {
            true => program.to_owned(),
            false => {
                let path = record::hex(&Sha256::digest(file.path.as_os_str().as_encoded_bytes()));
                format!("{program}-{}", path.get(..16).unwrap_or(&path))
            }
        }
    }

    /// Whether something that was written to a file is left in it. Of a file that can't be read
    /// nothing is known.
    fn is_left(
        &self,
        file: &ConfigFile,
        target: Option<&Target>,
        (record, backup): &(Record, Option<String>),
    ) -> bool {
        target
            .is_none_or(|target| !record.is_undone(file, target.text.as_deref(), backup.as_deref()))
    }

    fn url(endpoint: &Endpoint, door: GatewayDoor) -> String {
        let mode = door.listing.map(|mode| format!("?mode={}", mode.as_str()));
        let mode = mode.unwrap_or_default();
        format!("http://127.0.0.1:{}{endpoint}{mode}", door.port)
    }

    fn edit(
        &self,
        file: &ConfigFile,
        target: &Target,
        gone: &[EntryAt],
        access: (&Endpoint, GatewayDoor, Option<&str>),
    ) -> Result<String, Report> {
        let (endpoint, door, token) = access;
        let access = Access {
            url: &Self::url(endpoint, door),
            token,
            guildhall: &self.guildhall,
            data_dir: self.data_dir.as_deref(),
        };
        let text = target.text.as_deref().unwrap_or_default();
        file.handed_over(text, gone, &access)
            .map_err(|error| target.refused(&error))
    }

    fn describe(&self, file: ConfigFile, endpoint: &Endpoint, door: GatewayDoor) -> ClientConfig {
        let program = file.program;
        let target = Target::read(&file.path).ok();
        let text = target.as_ref().and_then(|target| target.text.as_deref());
        let connection = text.and_then(|text| file.connection(text).ok().flatten());
        let record = self.records.read(&self.key(&file), &file.path);
        let is_left = |record| self.is_left(&file, target.as_ref(), record);
        let access = Access {
            url: &Self::url(endpoint, door),
            token: door.tokens_required.then_some(TOKEN_LEFT_OUT),
            guildhall: &self.guildhall,
            data_dir: self.data_dir.as_deref(),
        };
        ClientConfig {
            client: program.as_str().to_owned(),
            title: program.title().to_owned(),
            exists: file.path.exists(),
            can_undo: record.as_ref().is_some_and(is_left),
            path: file.path.display().to_string(),
            connected: connection.is_some(),
            snippet: program.snippet(&access),
            then: program.then().told(),
            direct: None,
        }
    }

    fn seen(
        &self,
        subject: &Subject,
        target: &Target,
        endpoint: &Endpoint,
        door: GatewayDoor,
    ) -> Result<Seen, Report> {
        let token = door.tokens_required.then_some(TOKEN_LEFT_OUT);
        let text = target.text.as_deref().unwrap_or_default();
        let gone = subject.gone(text).map_err(|error| target.refused(&error))?;
        let edit = self.edit(&subject.file, target, &gone, (endpoint, door, token))?;
        let mut hash = Sha256::new();
        for part in [
            target.real.as_os_str().as_encoded_bytes(),
            text.as_bytes(),
            if target.text.is_some() { b"1" } else { b"0" },
            edit.as_bytes(),
        ] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        let comments = subject.file.comments_in(text, &gone);
        Ok(Seen {
            text: edit,
            comments: comments.map_err(|error| target.refused(&error))?,
            gone,
            precondition: record::hex(&hash.finalize()),
        })
    }

    /// The file, if it is still what the preview showed, and the entries of it that go.
    fn checked(
        &self,
        change: &Change,
        door: GatewayDoor,
    ) -> Result<(Target, Vec<EntryAt>), Report> {
        let target = Target::read(&change.subject.file.path)?;
        let seen = self.seen(&change.subject, &target, &change.endpoint, door)?;
        match seen.precondition == change.precondition {
            true => Ok((target, seen.gone)),
            false => Err(target.changed()),
        }
    }

    fn write(
        &self,
        change: &Change,
        door: GatewayDoor,
        token: Option<(ClientId, String)>,
    ) -> Result<WrittenClientConfig, Report> {
        let (client, token) = token.unzip();
        let _one = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let (target, gone) = self.checked(change, door)?;
        let file = &change.subject.file;
        let access = (&change.endpoint, door, token.as_deref());
        let edit = self.edit(file, &target, &gone, access)?;
        let key = self.key(file);
        let earlier = self.records.read(&key, &target.path);
        let backup = self.record(file, &target, &edit, (gone, client))?;
        if let Err(report) = target.write(edit.as_bytes()) {
            match earlier {
                Some((record, original)) => {
                    self.records.keep(&key, &record, original.as_deref())?;
                }
                None => self.records.forget(&key),
            }
            return Err(report);
        }
        Ok(WrittenClientConfig {
            path: target.path.display().to_string(),
            backup: backup.map(|backup| backup.display().to_string()),
        })
    }

    /// Keeps what an undo needs, before the file is written. Where the backup is.
    fn record(
        &self,
        file: &ConfigFile,
        target: &Target,
        edit: &str,
        (gone, client): (Vec<EntryAt>, Option<ClientId>),
    ) -> Result<Option<PathBuf>, Report> {
        let key = self.key(file);
        let earlier = self.records.read(&key, &target.path);
        let mut clients = earlier.map_or_else(Vec::new, |(record, _)| record.clients);
        clients.extend(client);
        let more = clients.len().saturating_sub(CLIENTS_MAX);
        clients.drain(..more);
        let original = self.original(file, target, gone);
        if let Some(lost) = &original.lost {
            self.records.keep_aside(&key, lost)?;
        }
        let found = target.text.as_deref();
        let record = Record {
            path: target.path.clone(),
            written: digest(edit),
            entry: own_entry(file, edit),
            existed: original.text.is_some(),
            found: found.map(digest),
            found_entry: found.and_then(|text| own_entry(file, text)),
            gone: original.gone,
            rebuilt: original.rebuilt,
            clients,
        };
        self.records.keep(&key, &record, original.text.as_deref())
    }
}

fn program(word: &str) -> Result<Program, Report> {
    Program::parse(word).ok_or_else(|| {
        let word: String = word.chars().take(80).collect();
        let known = Program::ALL.map(Program::as_str).join(", ");
        let trouble = ClientFileTrouble::NoProgram(format!("{word:?}"), known);
        Report::told(Code::ProgramUnknown, &trouble)
    })
}
