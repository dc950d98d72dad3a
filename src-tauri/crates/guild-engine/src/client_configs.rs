//! Other programs' configuration files: shown, changed and put back.
//!
//! Nothing is written that was not seen before, secrets aside ([`masked`]): a change carries the preview's precondition, which
//! stands for the file's bytes and for what would become of them. The file as it was is kept in the
//! data folder, so that an undo gives it back to the byte. Programs write into their files
//! themselves; then an undo takes back the gateway's entry alone.

mod excerpt;
mod file;
mod masked;
mod record;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use guild_core::agents::Endpoint;
use guild_core::client_config::{Access, Before, Edit, Folders, Program, System, TOKEN_LEFT_OUT};
use guild_core::wire::{
    ClientConfig, ClientConfigPreview, ClientConfigs as Listed, OfClientConfig, UndoClientConfig,
    WriteClientConfig, WrittenClientConfig,
};
use guild_core::{Code, Report};
use sha2::{Digest, Sha256};

use self::file::Target;
use self::record::{Record, Records, Whose, digest, own_entry};
use crate::paths::Paths;

/// The gateway as other programs reach it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GatewayDoor {
    /// Its port.
    pub port: u16,
    /// Whether a client has to show a token.
    pub tokens_required: bool,
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
    /// The files of this user; what is kept of them is in the data folder.
    ///
    /// # Errors
    /// `data-unwritable` when the system names no home folder, or not where this program is.
    pub fn of_user(data_dir: &Path) -> Result<Self, Report> {
        let unknown = |message: String| Report::new(Code::DataUnwritable, message, "Set HOME.");
        let folders =
            folders_of_user().ok_or_else(|| unknown("The system names no home folder.".into()))?;
        let guildhall = crate::context::own_binary()
            .map_err(|error| unknown(format!("This program can't be found: {error}.")))?;
        Ok(Self::new(data_dir, folders, guildhall))
    }

    /// The files in other folders.
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
        let listed = self.blocking(move |inner| {
            let clients = Program::ALL
                .into_iter()
                .map(|program| inner.describe(program, &endpoint, door));
            let mut clients: Vec<ClientConfig> = clients.collect();
            clients.sort_by_key(|client| !client.exists);
            Ok(Listed { clients })
        });
        listed.await.unwrap_or(Listed {
            clients: Vec::new(),
        })
    }

    /// What would be written, the token and whatever else is a secret left out.
    ///
    /// # Errors
    /// `program-unknown`; `client-config-refused` for a file that can't be changed safely.
    pub async fn preview(
        &self,
        request: OfClientConfig,
        door: GatewayDoor,
    ) -> Result<ClientConfigPreview, Report> {
        self.blocking(move |inner| {
            let program = program(&request.client)?;
            let target = inner.target(program)?;
            let seen = inner.seen(program, &target, &request.endpoint, door)?;
            let after = masked::masked(&seen.text);
            let (before, after) = match target.text.as_deref().map(masked::masked) {
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
            })
        })
        .await
    }

    /// Writes what a preview showed, with the token that `make_token` gives for the program's name.
    /// It is asked only if a token is required, and once everything else is sure.
    ///
    /// # Errors
    /// As [`preview`](Self::preview), and of `make_token`; `client-config-changed` when the file is
    /// another than the preview's, `file-unwritable`, `data-unwritable`. The file is then as it was.
    pub async fn write<F, T>(
        &self,
        request: WriteClientConfig,
        door: GatewayDoor,
        make_token: F,
    ) -> Result<WrittenClientConfig, Report>
    where
        F: FnOnce(String) -> T,
        T: Future<Output = Result<String, Report>>,
    {
        let program = program(&request.client)?;
        let asked = request.clone();
        self.blocking(move |inner| inner.checked(program, &asked, door).map(drop))
            .await?;
        let token = match door.tokens_required {
            true => Some(make_token(program.title().to_owned()).await?),
            false => None,
        };
        self.blocking(move |inner| inner.write(program, &request, door, token.as_deref()))
            .await
    }

    /// Gives a file back as it was before Guild Hall wrote to it. Where it has changed since then,
    /// the gateway's entry is taken back and the rest stays.
    ///
    /// # Errors
    /// `program-unknown`; `client-config-changed` when nothing that was written stands there, or the
    /// entry is not the one that was written; `client-config-refused`, `file-unwritable`.
    pub async fn undo(&self, request: UndoClientConfig) -> Result<WrittenClientConfig, Report> {
        self.blocking(move |inner| inner.undo(program(&request.client)?))
            .await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T, Report> + Send + 'static,
    ) -> Result<T, Report> {
        let inner = Arc::clone(&self.0);
        let work = tokio::task::spawn_blocking(move || work(&inner));
        work.await.unwrap_or_else(|error| {
            let message = format!("The work on the file was broken off: {error}.");
            Err(Report::new(Code::FileUnwritable, message, ""))
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

/// Whether a program that is started with no more than the system's variables would take another
/// data folder: `GUILD_HALL_DATA` of this one is not theirs.
fn is_elsewhere(data_dir: &Path) -> bool {
    Paths::system_data_dir().is_none_or(|system| system != data_dir)
}

/// What a person is shown before a file is written.
struct Seen {
    text: String,
    precondition: String,
}

impl Inner {
    fn target(&self, program: Program) -> Result<Target, Report> {
        Target::read(&program.file(&self.folders))
    }

    fn url(endpoint: &Endpoint, door: GatewayDoor) -> String {
        format!("http://127.0.0.1:{}{endpoint}", door.port)
    }

    fn edit(
        &self,
        program: Program,
        target: &Target,
        endpoint: &Endpoint,
        door: GatewayDoor,
        token: Option<&str>,
    ) -> Result<Edit, Report> {
        let access = Access {
            url: &Self::url(endpoint, door),
            token,
            guildhall: &self.guildhall,
            data_dir: self.data_dir.as_deref(),
        };
        let text = target.text.as_deref().unwrap_or_default();
        program
            .connected(text, &access)
            .map_err(|error| target.refused(&error))
    }

    fn describe(&self, program: Program, endpoint: &Endpoint, door: GatewayDoor) -> ClientConfig {
        let path = program.file(&self.folders);
        let target = Target::read(&path).ok();
        let text = target.as_ref().and_then(|target| target.text.as_deref());
        let connection = text.and_then(|text| program.connection(text).ok().flatten());
        let record = self.records.read(program, &path);
        // Of a file that can't be read nothing is known.
        let is_left = |(record, backup): &(Record, Option<String>)| {
            target.is_none() || !record.is_undone(program, text, backup.as_deref())
        };
        let access = Access {
            url: &Self::url(endpoint, door),
            token: door.tokens_required.then_some(TOKEN_LEFT_OUT),
            guildhall: &self.guildhall,
            data_dir: self.data_dir.as_deref(),
        };
        ClientConfig {
            client: program.as_str().to_owned(),
            title: program.title().to_owned(),
            exists: path.exists(),
            can_undo: record.as_ref().is_some_and(is_left),
            path: path.display().to_string(),
            connected: connection.is_some(),
            snippet: program.snippet(&access),
            then: program.then().to_owned(),
        }
    }

    fn seen(
        &self,
        program: Program,
        target: &Target,
        endpoint: &Endpoint,
        door: GatewayDoor,
    ) -> Result<Seen, Report> {
        let token = door.tokens_required.then_some(TOKEN_LEFT_OUT);
        let text = self.edit(program, target, endpoint, door, token)?.text;
        let mut hash = Sha256::new();
        for part in [
            target.real.as_os_str().as_encoded_bytes(),
            target.text.as_deref().map_or(&b"none"[..], str::as_bytes),
            if target.text.is_some() { b"1" } else { b"0" },
            text.as_bytes(),
        ] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        let precondition = record::hex(&hash.finalize());
        Ok(Seen { text, precondition })
    }

    /// The file, if it is still what the preview showed.
    fn checked(
        &self,
        program: Program,
        request: &WriteClientConfig,
        door: GatewayDoor,
    ) -> Result<Target, Report> {
        let target = self.target(program)?;
        let seen = self.seen(program, &target, &request.endpoint, door)?;
        if seen.precondition == request.precondition {
            return Ok(target);
        }
        Err(Report::new(
            Code::ClientConfigChanged,
            format!(
                "{} is not what it was when the change was shown; nothing was written.",
                target.path.display()
            ),
            "Look at the change again.",
        ))
    }

    fn write(
        &self,
        program: Program,
        request: &WriteClientConfig,
        door: GatewayDoor,
        token: Option<&str>,
    ) -> Result<WrittenClientConfig, Report> {
        let _one = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let target = self.checked(program, request, door)?;
        let edit = self.edit(program, &target, &request.endpoint, door, token)?;
        let earlier = self.records.read(program, &target.path);
        let backup = self.record(program, &target, &edit)?;
        if let Err(report) = target.write(edit.text.as_bytes()) {
            match earlier {
                Some((record, original)) => {
                    self.records.keep(program, &record, original.as_deref())?;
                }
                None => self.records.forget(program),
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
        program: Program,
        target: &Target,
        edit: &Edit,
    ) -> Result<Option<PathBuf>, Report> {
        let (original, before) = self.original(program, target, &edit.before);
        let found = target.text.as_deref();
        let record = Record {
            path: target.path.clone(),
            written: digest(&edit.text),
            entry: own_entry(program, &edit.text),
            existed: original.is_some(),
            before,
            found: found.map(digest),
            found_entry: found.and_then(|text| own_entry(program, text)),
        };
        self.records.keep(program, &record, original.as_deref())
    }

    /// What an undo is to give back: the file as it is, or, where the entry in it is ours already,
    /// as it was before the first.
    fn original(
        &self,
        program: Program,
        target: &Target,
        before: &Before,
    ) -> (Option<String>, Before) {
        let Some((record, backup)) = self.records.read(program, &target.path) else {
            return (target.text.clone(), before.clone());
        };
        let Some(text) = &target.text else {
            return (None, before.clone());
        };
        if record.has(&digest(text)) {
            return (backup, record.before);
        }
        let entry = record.whose(program, text, backup.as_deref());
        match program.disconnected(text, &record.before) {
            Ok(without) if entry == Whose::Ours => (Some(without), record.before),
            _ => (Some(text.clone()), before.clone()),
        }
    }

    fn undo(&self, program: Program) -> Result<WrittenClientConfig, Report> {
        let _one = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let target = self.target(program)?;
        let Some((record, backup)) = self.records.read(program, &target.path) else {
            return Err(Report::new(
                Code::ClientConfigChanged,
                format!(
                    "Guild Hall has written nothing to {} that could be taken back.",
                    target.path.display()
                ),
                "",
            ));
        };
        let (text, backup) = (target.text.as_deref(), backup.as_deref());
        if record.is_undone(program, text, backup) {
            self.records.forget(program);
            return Err(Report::new(
                Code::ClientConfigChanged,
                format!(
                    "Nothing that Guild Hall wrote stands in {}: there is nothing to take back.",
                    target.path.display()
                ),
                "",
            ));
        }
        match text {
            // The program and its file are gone: there is nothing left of ours.
            None => {}
            Some(text) if record.has(&digest(text)) => match backup {
                Some(original) => target.write(original.as_bytes())?,
                None => target.remove()?,
            },
            Some(text) => {
                if record.whose(program, text, backup) != Whose::Ours {
                    return Err(Report::new(
                        Code::ClientConfigChanged,
                        format!(
                            "The entry in {} is not the one that was written there; it was left \
                             as it is.",
                            target.path.display()
                        ),
                        "Remove the entry guild-hall by hand if it is not wanted any more.",
                    ));
                }
                let without = program
                    .disconnected(text, &record.before)
                    .map_err(|error| target.refused(&error))?;
                target.write(without.as_bytes())?;
            }
        }
        self.records.forget(program);
        Ok(WrittenClientConfig {
            path: target.path.display().to_string(),
            backup: None,
        })
    }
}

fn program(word: &str) -> Result<Program, Report> {
    Program::parse(word).ok_or_else(|| {
        let word: String = word.chars().take(80).collect();
        let known = Program::ALL.map(Program::as_str).join(", ");
        Report::new(
            Code::ProgramUnknown,
            format!("Guild Hall knows no program {word:?}."),
            format!("It knows: {known}."),
        )
    })
}
