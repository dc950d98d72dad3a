//! Shows, changes and restores other apps' configuration files.
//!
//! No file is written without a preview, in which secrets are masked ([`mod@masked`]). A change
//! request contains the precondition from the preview: a hash of the file's bytes and of the
//! planned result. The original file is stored in the data folder, so that an undo restores it
//! exactly. If the app has changed its file since then, an undo only removes the gateway's entry
//! and restores the removed servers.

mod changed_lines;
mod excerpt;
mod file;
mod masked;
mod record;
mod target;
#[cfg(test)]
mod tests;
mod undo;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::messages::ClientFileError;
use guild_api::wire::control::CallerFolders;
use guild_api::wire::{
    ClientConfig, ClientConfigPreview, ClientConfigs as Listed, WrittenClientConfig,
};
use guild_client_config::{
    Access, ClientConfigFolders, ClientProgram, ConfigFile, EntryAt, FILE_MAX, System,
    TOKEN_LEFT_OUT, TOKEN_VARIABLE,
};
use guild_model::endpoint::{Endpoint, Listing};
use guild_model::messages::SecretError;
use guild_model::{ClientId, Code, Report};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use self::file::ResolvedConfigFile;
pub use self::masked::masked;
use self::record::{ClientConfigRecord, ClientConfigRecords, digest, own_entry};
pub use self::target::{ClientConfigChange, ConfigFileTarget};
pub use self::undo::Undone;
use guild_files::blocking::blocking;
use guild_files::files::{others_may_read, read_bounded};
use guild_files::own_program::lasting_binary;
use guild_settings::paths::Paths;

/// Maximum number of clients that are stored per file. If more clients are added, the oldest are
/// dropped.
const CLIENTS_MAX: usize = 32;

/// How other apps reach the gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GatewayConnection {
    /// The gateway's port.
    pub port: u16,
    /// Whether a client needs a token.
    pub tokens_required: bool,
    /// The listing mode for the app. `None` uses the endpoint's setting.
    pub listing: Option<Listing>,
}

/// Returns a warning if a file contains a bearer token and other users can read it. Blocking.
pub fn readable_token(path: &Path) -> Option<Report> {
    if !others_may_read(path) {
        return None;
    }
    let bytes = read_bounded(path, FILE_MAX as u64).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    // The token is in a header. For an app that can only start commands, it is in an environment
    // variable.
    let has_token = text.contains("Bearer ") || text.contains(TOKEN_VARIABLE);
    let trouble = SecretError::TokenReadable(path.to_owned());
    has_token.then(|| Report::from_error(Code::SecretsUnsafe, &trouble))
}

/// The configuration files of the supported apps. Clones share the state.
#[derive(Debug, Clone)]
pub struct ClientConfigFiles(Arc<ClientConfigState>);

#[derive(Debug)]
struct ClientConfigState {
    folders: ClientConfigFolders,
    records: ClientConfigRecords,
    /// Path of the `guildhall` binary, for apps that start a command.
    guildhall: String,
    /// The data folder, if `guildhall` uses another folder by default.
    data_dir: Option<String>,
    /// Serializes changes, because checking a precondition and writing are separate steps.
    changing: Mutex<()>,
}

impl ClientConfigFiles {
    /// Creates the state for the apps whose files are in `folders`. The entries that are written
    /// name `own_binary` as the command. Original files are stored in the data folder.
    ///
    /// # Errors
    /// `data-unwritable` if an AppImage can't be linked in the data folder.
    pub fn of_own(
        own_binary: &str,
        data_dir: &Path,
        folders: ClientConfigFolders,
    ) -> Result<Self, Report> {
        let guildhall = lasting_binary(own_binary, data_dir).map_err(|error| {
            let trouble = ClientFileError::NoOwnPlace(error.to_string());
            Report::from_error(Code::DataUnwritable, &trouble)
        })?;
        Ok(Self::new(data_dir, folders, guildhall))
    }

    /// Creates the state for the apps whose files are in `folders`. The entries that are written
    /// name `guildhall` as the command.
    pub fn new(data_dir: &Path, folders: ClientConfigFolders, guildhall: String) -> Self {
        Self(Arc::new(ClientConfigState {
            folders,
            records: ClientConfigRecords::new(data_dir),
            guildhall,
            data_dir: is_elsewhere(data_dir).then(|| data_dir.display().to_string()),
            changing: Mutex::default(),
        }))
    }

    /// Returns the supported apps. Those whose configuration file exists come first. If a caller's
    /// folders are given, they replace the folders of this process's user.
    pub async fn list(
        &self,
        folders: Option<ClientConfigFolders>,
        endpoint: Endpoint,
        gateway: GatewayConnection,
    ) -> Listed {
        let listed = self.blocking(move |inner| {
            let folders = folders.as_ref().unwrap_or(&inner.folders);
            let clients = ClientProgram::ALL.into_iter().map(|program| {
                let file = ConfigFile::of_user(program, folders);
                inner.describe(file, &endpoint, gateway)
            });
            let mut clients: Vec<ClientConfig> = clients.collect();
            clients.sort_by_key(|client| !client.exists);
            Ok(Listed { clients })
        });
        listed.await.unwrap_or(Listed {
            clients: Vec::new(),
        })
    }

    /// Returns the user's configuration file of an app. If a caller's folders are given, they
    /// replace the folders of this process's user.
    ///
    /// # Errors
    /// `program-unknown`.
    pub fn target(
        &self,
        folders: Option<&ClientConfigFolders>,
        client: &str,
    ) -> Result<ConfigFileTarget, Report> {
        let folders = folders.unwrap_or(&self.0.folders);
        let file = ConfigFile::of_user(program(client)?, folders);
        Ok(ConfigFileTarget::new(file))
    }

    /// Returns for each file whether an undo is possible.
    pub async fn can_undo(&self, files: Vec<ConfigFile>) -> Vec<bool> {
        let count = files.len();
        let left = self.blocking(move |inner| {
            let is_left = |file: &ConfigFile| {
                let record = inner.records.read(&inner.key(file), &file.path)?;
                let target = ResolvedConfigFile::read(&file.path).ok();
                Some(inner.is_left(file, target.as_ref(), &record))
            };
            Ok(files
                .iter()
                .map(|file| is_left(file) == Some(true))
                .collect())
        });
        left.await.unwrap_or_else(|_| vec![false; count])
    }

    /// Returns a preview of the change, with secrets and the token masked.
    ///
    /// # Errors
    /// `client-config-refused` if the file can't be changed safely.
    pub async fn preview(
        &self,
        subject: ConfigFileTarget,
        endpoint: Endpoint,
        gateway: GatewayConnection,
    ) -> Result<ClientConfigPreview, Report> {
        self.blocking(move |inner| {
            let target = ResolvedConfigFile::read(&subject.file.path)?;
            let seen = inner.seen(&subject, &target, &endpoint, gateway)?;
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

    /// Writes a previewed change. `make_token` gets the app's name and creates the token. It is
    /// called after all checks, and only if a token is required. The client of the token is stored
    /// with the backup.
    ///
    /// # Errors
    /// The errors of [`preview`](Self::preview) and of `make_token`. `client-config-changed` if the
    /// file or the planned result differs from the preview, `file-unwritable`, `data-unwritable`.
    /// The file then stays unchanged.
    pub async fn write<F, T>(
        &self,
        change: ClientConfigChange,
        gateway: GatewayConnection,
        make_token: F,
    ) -> Result<WrittenClientConfig, Report>
    where
        F: FnOnce(String) -> T,
        T: Future<Output = Result<(ClientId, String), Report>>,
    {
        let previewed = change.clone();
        self.blocking(move |inner| inner.checked(&previewed, gateway).map(drop))
            .await?;
        let token = match gateway.tokens_required {
            true => Some(make_token(change.subject.file.program.title().to_owned()).await?),
            false => None,
        };
        self.blocking(move |inner| inner.write(&change, gateway, token))
            .await
    }

    /// Returns the gateway's address in a file. `None` if the file has no entry for the gateway.
    pub async fn address_in(&self, file: ConfigFile) -> Option<String> {
        let read = self.blocking(move |_| {
            let text = ResolvedConfigFile::read(&file.path)?
                .text
                .unwrap_or_default();
            let entry = file.connection(&text).ok().flatten();
            Ok(entry.and_then(|entry| ClientProgram::address_in(&entry).map(str::to_owned)))
        });
        read.await.ok().flatten()
    }

    /// Restores a file to its state before Guild Hall wrote to it. If another app has changed the
    /// file since then, only the gateway's entry is removed and the removed servers are restored. A
    /// missing file is created again.
    ///
    /// # Errors
    /// `client-config-changed` if the file contains no change by Guild Hall, or another app changed
    /// the gateway's entry. `client-config-refused`, `file-unwritable`.
    pub async fn undo(&self, subject: ConfigFileTarget) -> Result<Undone, Report> {
        self.blocking(move |inner| inner.undo(&subject.file)).await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&ClientConfigState) -> Result<T, Report> + Send + 'static,
    ) -> Result<T, Report> {
        let inner = Arc::clone(&self.0);
        blocking(move || work(&inner)).await?
    }
}

/// Returns the folders of this user's apps. `None` without a home folder.
pub(crate) fn folders_of_user() -> Option<ClientConfigFolders> {
    let dirs = directories::BaseDirs::new()?;
    let named = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    Some(ClientConfigFolders {
        system: System::OWN,
        home: dirs.home_dir().to_owned(),
        config: dirs.config_dir().to_owned(),
        claude: named("CLAUDE_CONFIG_DIR"),
        codex: named("CODEX_HOME"),
    })
}

/// Returns the folders of the calling user's apps. `None` without a home folder.
pub fn caller_folders() -> Option<CallerFolders> {
    let ClientConfigFolders {
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

/// Whether `guildhall` uses another data folder when an app starts it, because the app does not
/// inherit this program's `GUILD_HALL_DATA`.
fn is_elsewhere(data_dir: &Path) -> bool {
    Paths::system_data_dir().is_none_or(|system| system != data_dir)
}

struct PreviewContent {
    text: String,
    /// The entries to remove.
    gone: Vec<EntryAt>,
    /// The number of comments inside the removed entries.
    comments: usize,
    precondition: String,
}

/// Whether the address in an entry has this port. The host is not compared, since the user may have
/// replaced `127.0.0.1` by another name.
fn reaches(entry: &serde_json::Value, port: u16) -> bool {
    ClientProgram::address_in(entry).is_none_or(|url| url.contains(&format!(":{port}/")))
}

impl ClientConfigState {
    /// Returns the key under which a file's record and backup are stored.
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

    /// Whether a file still contains a change by Guild Hall. An unreadable file counts as changed.
    fn is_left(
        &self,
        file: &ConfigFile,
        target: Option<&ResolvedConfigFile>,
        (record, backup): &(ClientConfigRecord, Option<String>),
    ) -> bool {
        target
            .is_none_or(|target| !record.is_undone(file, target.text.as_deref(), backup.as_deref()))
    }

    fn url(endpoint: &Endpoint, gateway: GatewayConnection) -> String {
        let mode = gateway
            .listing
            .map(|mode| format!("?mode={}", mode.as_str()));
        let mode = mode.unwrap_or_default();
        format!("http://127.0.0.1:{}{endpoint}{mode}", gateway.port)
    }

    fn edit(
        &self,
        file: &ConfigFile,
        target: &ResolvedConfigFile,
        gone: &[EntryAt],
        access: (&Endpoint, GatewayConnection, Option<&str>),
    ) -> Result<String, Report> {
        let (endpoint, gateway, token) = access;
        let access = Access {
            url: &Self::url(endpoint, gateway),
            token,
            guildhall: &self.guildhall,
            data_dir: self.data_dir.as_deref(),
        };
        let text = target.text.as_deref().unwrap_or_default();
        file.switched_over(text, gone, &access)
            .map_err(|error| target.refused(&error))
    }

    fn describe(
        &self,
        file: ConfigFile,
        endpoint: &Endpoint,
        gateway: GatewayConnection,
    ) -> ClientConfig {
        let program = file.program;
        let target = ResolvedConfigFile::read(&file.path).ok();
        let text = target.as_ref().and_then(|target| target.text.as_deref());
        let connection = text.and_then(|text| file.connection(text).ok().flatten());
        let record = self.records.read(&self.key(&file), &file.path);
        let is_left = |record| self.is_left(&file, target.as_ref(), record);
        let access = Access {
            url: &Self::url(endpoint, gateway),
            token: gateway.tokens_required.then_some(TOKEN_LEFT_OUT),
            guildhall: &self.guildhall,
            data_dir: self.data_dir.as_deref(),
        };
        ClientConfig {
            client: program.as_str().to_owned(),
            title: program.title().to_owned(),
            exists: file.path.exists(),
            can_undo: record.as_ref().is_some_and(is_left),
            path: file.path.display().to_string(),
            connected: connection.is_some_and(|entry| reaches(&entry, gateway.port)),
            snippet: program.snippet(&access),
            then: program.then().to_string(),
            direct: None,
        }
    }

    fn seen(
        &self,
        subject: &ConfigFileTarget,
        target: &ResolvedConfigFile,
        endpoint: &Endpoint,
        gateway: GatewayConnection,
    ) -> Result<PreviewContent, Report> {
        let token = gateway.tokens_required.then_some(TOKEN_LEFT_OUT);
        let text = target.text.as_deref().unwrap_or_default();
        let gone = subject.gone(text).map_err(|error| target.refused(&error))?;
        let edit = self.edit(&subject.file, target, &gone, (endpoint, gateway, token))?;
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
        Ok(PreviewContent {
            text: edit,
            comments: comments.map_err(|error| target.refused(&error))?,
            gone,
            precondition: record::hex(&hash.finalize()),
        })
    }

    /// Returns the file and the entries to remove, if the file still matches the preview.
    fn checked(
        &self,
        change: &ClientConfigChange,
        gateway: GatewayConnection,
    ) -> Result<(ResolvedConfigFile, Vec<EntryAt>), Report> {
        let target = ResolvedConfigFile::read(&change.subject.file.path)?;
        let seen = self.seen(&change.subject, &target, &change.endpoint, gateway)?;
        match seen.precondition == change.precondition {
            true => Ok((target, seen.gone)),
            false => Err(target.changed()),
        }
    }

    fn write(
        &self,
        change: &ClientConfigChange,
        gateway: GatewayConnection,
        token: Option<(ClientId, String)>,
    ) -> Result<WrittenClientConfig, Report> {
        let (client, token) = token.unzip();
        let _one = self.changing.lock();
        let (target, gone) = self.checked(change, gateway)?;
        let file = &change.subject.file;
        let access = (&change.endpoint, gateway, token.as_deref());
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

    /// Stores the data for an undo before the file is written. Returns the backup's path.
    fn record(
        &self,
        file: &ConfigFile,
        target: &ResolvedConfigFile,
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
        let record = ClientConfigRecord {
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

fn program(word: &str) -> Result<ClientProgram, Report> {
    ClientProgram::parse(word).ok_or_else(|| {
        let word: String = word.chars().take(80).collect();
        let known = ClientProgram::ALL.map(ClientProgram::as_str).join(", ");
        let trouble = ClientFileError::NoProgram(format!("{word:?}"), known);
        Report::from_error(Code::ProgramUnknown, &trouble)
    })
}
