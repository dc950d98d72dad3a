//! Resolves `${env:NAME}` and `${secret:NAME}`, and collects the secret values to mask.
//!
//! Secrets are stored in `secrets.json` of the data folder ([`file`]) or in the system's keychain
//! ([`keychain`]). A member receives them only at its start. [`SecretResolver::for_start`] first
//! collects the values for a start, with a timeout and outside the runtime's threads. The values
//! are then substituted without further I/O. Every secret value is remembered, so that it can be
//! masked everywhere. Secrets are never sent to the window.

mod all;
pub mod file;
mod grants;
pub mod keychain;
pub mod mask;
mod received;
mod redactor;
mod store;
mod system;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use guild_client_config::launch_secrets;
use guild_model::Report;
use guild_model::manifest::{Launch, Lookup, Manifest};
use guild_process::Environment;
use guild_process::environment::ShellVariables;
use guild_text::secret_detection::{inner_secrets, is_secret};
use parking_lot::Mutex;

use self::file::SecretsFile;
use self::grants::{hidden_in, is_grant};
use self::keychain::KeychainClient;
use self::received::ReceivedSecrets;
use guild_files::blocking::blocking;

pub use self::all::AllSecrets;
pub use self::grants::grant_name;
pub use self::keychain::{Keychain, KeychainChoice, KeychainError};
pub use self::redactor::{Redactor, WeakRedactor};
pub use self::store::SecretStore;
pub use self::store::SecretUses;

/// Minimum length of an environment variable's value that is masked because of the variable's name,
/// in bytes. Without it, `TOKEN=1` would mask every 1.
const VARIABLE_MIN: usize = 8;

/// Looks up variables of the login shell and of the program's environment, and secrets of the file
/// and the keychain. Cheap to clone.
///
/// The file and the keychain are read again at each start of a member, so that new values apply at
/// once. The login shell is queried only once.
#[derive(Clone)]
pub struct SecretResolver {
    file: SecretsFile,
    keychain: Option<KeychainClient>,
    environment: Environment,
    /// The secrets that members received. They are stored here because the file may have changed
    /// since. The value of an environment variable counts as a secret if the variable's name
    /// indicates one.
    received: Arc<Mutex<ReceivedSecrets>>,
    /// The redactor for all published data.
    redactor: Redactor,
}

impl SecretResolver {
    /// Creates the resolver of a data folder. Without a keychain, only the file has secrets.
    pub fn new(
        data_dir: PathBuf,
        keychain: Option<KeychainClient>,
        environment: Environment,
    ) -> Self {
        Self {
            file: SecretsFile::new(data_dir),
            keychain,
            environment,
            received: Arc::default(),
            redactor: Redactor::default(),
        }
    }

    /// Returns the folder of `secrets.json`.
    pub fn data_dir(&self) -> &Path {
        self.file.data_dir()
    }

    /// Returns the login shell's variables.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Returns the values of the secrets in the file, and of those that members received. Blocking.
    pub fn known(&self) -> BTreeSet<String> {
        let mut known = self.of_file();
        known.extend(self.received.lock().all().cloned());
        known
    }

    /// Returns the values of the file's secrets, and the secrets inside these values.
    fn of_file(&self) -> BTreeSet<String> {
        let in_file = self.file.read_to_hide().unwrap_or_else(|report| {
            tracing::warn!("{}", report.message);
            BTreeMap::new()
        });
        in_file
            .into_iter()
            .flat_map(|(name, value)| hidden_in(&name, value))
            .flat_map(with_inner)
            .collect()
    }

    /// Starts masking the file's secrets, and the variables of this program's environment with
    /// secret names, before any member receives them. Blocking.
    pub fn hide_known(&self) {
        let own = std::env::vars_os().filter_map(|(name, value)| {
            let (name, value) = (name.into_string().ok()?, value.into_string().ok()?);
            (is_secret_variable(&name) && value.len() >= VARIABLE_MIN).then_some(value)
        });
        let in_file = self.of_file();
        self.add(|received| received.add_secrets(in_file) | received.add_others(own));
    }

    /// Collects the values for a start. Waits for the variables of the login shell if the launch
    /// may use them, and for the keychain if the launch uses a secret that is not in the file.
    ///
    /// # Errors
    /// `keychain-unanswered` and `secrets-unsafe`. A missing secret causes an error only when it is
    /// substituted.
    pub async fn for_start(&self, launch: &Launch) -> Result<ResolvedEnv, Report> {
        self.resolve(launch.secrets(), launch.needs_environment(), &[launch])
            .await
    }

    /// Like [`for_start`](Self::for_start), including the values for signing in to the member.
    ///
    /// # Errors
    /// The errors of [`SecretResolver::for_start`].
    pub async fn for_manifest(&self, manifest: &Manifest) -> Result<ResolvedEnv, Report> {
        // A member with a command may have headers too. They are sent like those of a remote
        // member.
        let headers = manifest.header_launch();
        let launches = [&manifest.launch, &headers];
        self.resolve(manifest.secrets(), manifest.needs_environment(), &launches)
            .await
    }

    async fn resolve(
        &self,
        names: BTreeSet<&str>,
        needs_environment: bool,
        launches: &[&Launch],
    ) -> Result<ResolvedEnv, Report> {
        let names = names.into_iter().map(str::to_owned).collect();
        let environment = match self.environment.now() {
            Some(known) => known,
            None if needs_environment => self.environment.settled().await,
            None => Arc::new(ShellVariables::unasked()),
        };
        let secrets = self.secrets(names).await?;
        let resolved = ResolvedEnv {
            values: self.clone(),
            environment,
            secrets,
        };
        let variables = resolved.environment.differing.iter();
        let variables = variables
            .filter(|(name, value)| value.len() >= VARIABLE_MIN && is_secret_variable(name))
            .map(|(_, value)| value.clone());
        let kept = resolved.secrets.values().cloned().flat_map(with_inner);
        // Computed before `add` locks the received secrets, since looking up a variable calls `add`
        // too.
        let mut of_launches = BTreeSet::new();
        for launch in launches {
            of_launches.extend(launch_secrets(launch, &resolved));
        }
        self.add(|received| {
            received.add_secrets(kept) | received.add_others(variables.chain(of_launches))
        });
        Ok(resolved)
    }

    /// Returns the secrets of members that have no name in Guild Hall: literal ones in their
    /// manifests, and values from the environment, if the environment is already known.
    pub fn of_manifests<'m>(
        &self,
        manifests: impl Iterator<Item = &'m Manifest>,
    ) -> BTreeSet<String> {
        let known = self.environment.now();
        let resolved = ResolvedEnv {
            values: self.clone(),
            environment: known.unwrap_or_else(|| Arc::new(ShellVariables::unasked())),
            secrets: BTreeMap::new(),
        };
        let mut secrets = BTreeSet::new();
        for manifest in manifests {
            secrets.extend(launch_secrets(&manifest.launch, &resolved));
            secrets.extend(launch_secrets(&manifest.header_launch(), &resolved));
        }
        secrets
    }

    async fn secrets(
        &self,
        mut names: BTreeSet<String>,
    ) -> Result<BTreeMap<String, String>, Report> {
        // Members' tokens are never substituted, so that no member can send another member's
        // tokens.
        names.retain(|name| !is_grant(name));
        if names.is_empty() {
            return Ok(BTreeMap::new());
        }
        let file = self.file.clone();
        let (in_file, noted) = blocking(move || (file.read(), file.names())).await?;
        let (in_file, unsafe_file) = match in_file {
            Ok(in_file) => (in_file, None),
            Err(report) => (BTreeMap::new(), Some(report)),
        };
        let mut found: BTreeMap<String, String> = in_file
            .into_iter()
            .filter(|(name, _)| names.contains(name))
            .collect();
        for name in names {
            if found.contains_key(&name) {
                continue;
            }
            let value = match &self.keychain {
                Some(keychain) => match keychain.get(&name).await {
                    Err(KeychainError::Absent(_)) => None,
                    answer => answer.map_err(|error| error.report(&name))?,
                },
                None => None,
            };
            match (value, &unsafe_file) {
                (Some(value), _) => {
                    if !noted.contains(&name) {
                        self.note(&name);
                    }
                    found.insert(name, value);
                }
                // The unreadable file may contain the secret, so the file's error is reported.
                (None, Some(report)) => return Err(report.clone()),
                (None, None) => {}
            }
        }
        Ok(found)
    }

    /// Returns the value of a secret that Guild Hall stored. The keychain is asked only for names
    /// that Guild Hall stored in it.
    ///
    /// # Errors
    /// `keychain-unanswered`, `secrets-unsafe`.
    pub async fn noted_secret(&self, name: &str) -> Result<Option<String>, Report> {
        let (file, wanted) = (self.file.clone(), name.to_owned());
        let looked = blocking(move || {
            let in_file = file.read()?.remove(&wanted);
            Ok::<_, Report>((in_file, file.names().contains(&wanted)))
        });
        match (looked.await??, &self.keychain) {
            ((Some(value), _), _) => Ok(Some(value)),
            ((None, true), Some(keychain)) => {
                keychain.get(name).await.map_err(|error| error.report(name))
            }
            ((None, _), _) => Ok(None),
        }
    }

    /// Records the name of a keychain secret that another program stored.
    fn note(&self, name: &str) {
        let (file, name) = (self.file.clone(), name.to_owned());
        tokio::task::spawn_blocking(move || {
            if let Err(report) = file.note(&name, true) {
                tracing::warn!("{}", report.message);
            }
        });
    }

    /// Starts masking a variable's value if its name indicates a secret.
    fn note_variable(&self, name: &str, value: &str) {
        if is_secret_variable(name) {
            self.add(|received| received.add_others([value.to_owned()]));
        }
    }

    /// Starts masking a secret.
    pub fn remember(&self, value: &str) {
        self.add(|received| received.add_secrets([value.to_owned()]));
    }

    /// Calls `add` to add values, and masks them from now on. `add` returns whether one of them is
    /// new.
    fn add(&self, add: impl FnOnce(&mut ReceivedSecrets) -> bool) {
        let full = {
            let mut received = self.received.lock();
            if add(&mut received) {
                self.redactor.set_secrets(received.all().cloned());
            }
            received.warning()
        };
        if let Some(bytes) = full {
            tracing::warn!(
                bytes,
                "too many secrets to mask: further values are masked only by name, position and shape"
            );
        }
    }

    /// Stops masking a value that is no longer valid.
    pub fn forget_masked(&self, value: &str) {
        let mut received = self.received.lock();
        if received.remove(value) {
            self.redactor.set_secrets(received.all().cloned());
        }
    }

    /// Returns the redactor for the known secrets.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }
}

/// Prints where secrets are stored, but no values.
impl std::fmt::Debug for SecretResolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecretResolver")
            .field("file", &self.file)
            .field("keychain", &self.keychain)
            .finish_non_exhaustive()
    }
}

/// The values for one start of a member.
#[derive(Clone)]
pub struct ResolvedEnv {
    values: SecretResolver,
    environment: Arc<ShellVariables>,
    secrets: BTreeMap<String, String>,
}

impl ResolvedEnv {
    /// Returns the environment of a member's process, with the manifest's variables last.
    pub fn variables(&self, own: Vec<(String, String)>) -> Vec<(String, String)> {
        self.environment.with(own)
    }
}

impl Lookup for ResolvedEnv {
    fn env(&self, name: &str) -> Option<String> {
        let value = self.environment.get(name)?;
        self.values.note_variable(name, &value);
        Some(value)
    }

    fn secret(&self, name: &str) -> Option<String> {
        self.secrets.get(name).cloned()
    }
}

/// Whether an environment variable's name indicates a secret. `PWD` does not: it is the shell's
/// working directory.
fn is_secret_variable(name: &str) -> bool {
    name != "PWD" && is_secret(name)
}

/// Returns a secret, and the secrets inside it such as a password in a URL.
fn with_inner(value: String) -> impl Iterator<Item = String> {
    inner_secrets(&value).into_iter().chain([value])
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
