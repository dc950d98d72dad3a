//! Where the values of `${env:NAME}` and `${secret:NAME}` come from, and which texts are secret.
//!
//! A secret stands in `secrets.json` of the data folder ([`file`]) or in the system's keychain
//! ([`keychain`]), and a member is given it at its start alone: what a start needs is gathered
//! first ([`Values::for_start`]), with a time limit and on no thread of the runtime, and then put in
//! without waiting. A value that is a secret is remembered, so that it can be masked wherever it
//! turns up; it is never sent to the window.

mod book;
mod every;
pub(crate) mod file;
mod grants;
mod handed_out;
pub(crate) mod keychain;
pub(crate) mod mask;
mod system;
mod veil;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use guild_core::client_config::launch_secrets;
use guild_core::manifest::{Launch, Lookup, Manifest};
use guild_core::note::SecretTrouble;
use guild_core::telling::{inner_secrets, is_secret};
use guild_core::{Code, Report};
use guild_process::Environment;
use guild_process::environment::ShellVariables;

use self::file::SecretsFile;
use self::grants::{hidden_in, is_grant};
use self::handed_out::HandedOut;
use self::keychain::Keeper;

pub use self::book::SecretBook;
pub(crate) use self::book::Uses;
pub(crate) use self::every::Every;
pub(crate) use self::grants::grant_name;
pub use self::keychain::{Keychain, KeychainError, KeychainOf};
pub(crate) use self::veil::{Veil, WeakVeil};

/// A variable that every child gets is taken for a secret by its name only where its value is at
/// least so long, in bytes: `TOKEN=1` would mask every 1.
const VARIABLE_MIN: usize = 8;

/// Variables from the login shell and the program's environment, secrets from the file or the
/// keychain. Cheap to clone.
///
/// All are read at each start of a member, so that a new value counts at once.
#[derive(Clone)]
pub(crate) struct Values {
    file: SecretsFile,
    keychain: Option<Keeper>,
    environment: Environment,
    /// The secrets that members were started with: the file may have others by now. A variable of
    /// the environment is one where its name tells of it.
    handed_out: Arc<Mutex<HandedOut>>,
    /// What hides them in all that is told.
    veil: Veil,
}

impl Values {
    pub(crate) fn new(
        data_dir: PathBuf,
        keychain: Option<Keeper>,
        environment: Environment,
    ) -> Self {
        Self {
            file: SecretsFile::new(data_dir),
            keychain,
            environment,
            handed_out: Arc::default(),
            veil: Veil::default(),
        }
    }

    /// The folder of the file.
    pub(crate) fn data_dir(&self) -> &Path {
        self.file.data_dir()
    }

    /// The login shell's variables.
    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The values of all secrets: those of the file now, and those that members were started with.
    /// Blocking.
    pub(crate) fn known(&self) -> BTreeSet<String> {
        let mut known = self.of_file();
        known.extend(self.handed_out().all().cloned());
        known
    }

    /// The values of the file's secrets, and those inside of them.
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

    /// Hides from now on the secrets of the file, and those that this program's own environment names
    /// as such: before any member has them, and whoever may say them. Blocking.
    pub(crate) fn hide_known(&self) {
        let own = std::env::vars_os().filter_map(|(name, value)| {
            let (name, value) = (name.into_string().ok()?, value.into_string().ok()?);
            (is_secret_variable(&name) && value.len() >= VARIABLE_MIN).then_some(value)
        });
        let in_file = self.of_file();
        self.add(|handed_out| handed_out.add_secrets(in_file) | handed_out.add_others(own));
    }

    /// Gathers what a start needs. A member waits here for the login shell's answer where
    /// it may need that, and for the keychain's where it uses a secret that is not in the file.
    ///
    /// # Errors
    /// `keychain-unanswered` and `secrets-unsafe`. A secret that there is not is an error once it is
    /// put in.
    pub(crate) async fn for_start(&self, launch: &Launch) -> Result<Given, Report> {
        self.given(launch.secrets(), launch.needs_environment(), &[launch])
            .await
    }

    /// The same, and what signing in to the member needs.
    ///
    /// # Errors
    /// As [`Values::for_start`].
    pub(crate) async fn for_manifest(&self, manifest: &Manifest) -> Result<Given, Report> {
        // Headers beside a command are sent as those of a member elsewhere are.
        let headers = manifest.header_launch();
        let launches = [&manifest.launch, &headers];
        self.given(manifest.secrets(), manifest.needs_environment(), &launches)
            .await
    }

    async fn given(
        &self,
        names: BTreeSet<&str>,
        needs_environment: bool,
        launches: &[&Launch],
    ) -> Result<Given, Report> {
        let names = names.into_iter().map(str::to_owned).collect();
        let environment = match self.environment.now() {
            Some(known) => known,
            None if needs_environment => self.environment.settled().await,
            None => Arc::new(ShellVariables::unasked()),
        };
        let secrets = self.secrets(names).await?;
        let given = Given {
            values: self.clone(),
            environment,
            secrets,
        };
        let variables = given.environment.differing.iter();
        let variables = variables
            .filter(|(name, value)| value.len() >= VARIABLE_MIN && is_secret_variable(name))
            .map(|(_, value)| value.clone());
        let kept = given.secrets.values().cloned().flat_map(with_inner);
        // Before anything is added: a lookup of a variable adds its value too.
        let mut of_launches = BTreeSet::new();
        for launch in launches {
            of_launches.extend(launch_secrets(launch, &given));
        }
        self.add(|handed_out| {
            handed_out.add_secrets(kept) | handed_out.add_others(variables.chain(of_launches))
        });
        Ok(given)
    }

    /// The secrets that members would be given beside those with a name: what stands in their
    /// manifests, and in the environment as far as it is known.
    pub(crate) fn of_manifests<'m>(
        &self,
        manifests: impl Iterator<Item = &'m Manifest>,
    ) -> BTreeSet<String> {
        let known = self.environment.now();
        let given = Given {
            values: self.clone(),
            environment: known.unwrap_or_else(|| Arc::new(ShellVariables::unasked())),
            secrets: BTreeMap::new(),
        };
        let mut secrets = BTreeSet::new();
        for manifest in manifests {
            secrets.extend(launch_secrets(&manifest.launch, &given));
            secrets.extend(launch_secrets(&manifest.header_launch(), &given));
        }
        secrets
    }

    async fn secrets(
        &self,
        mut names: BTreeSet<String>,
    ) -> Result<BTreeMap<String, String>, Report> {
        // One member's tokens are not another one's to send.
        names.retain(|name| !is_grant(name));
        if names.is_empty() {
            return Ok(BTreeMap::new());
        }
        let file = self.file.clone();
        let (in_file, noted) = off_the_runtime(move || Ok((file.read(), file.names()))).await?;
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
                // It may stand in the file that is not used: that is what is to be said.
                (None, Some(report)) => return Err(report.clone()),
                (None, None) => {}
            }
        }
        Ok(found)
    }

    /// A secret that was kept from here; nobody is asked for any other.
    ///
    /// # Errors
    /// `keychain-unanswered`, `secrets-unsafe`.
    pub(crate) async fn noted_secret(&self, name: &str) -> Result<Option<String>, Report> {
        let (file, wanted) = (self.file.clone(), name.to_owned());
        let looked = off_the_runtime(move || {
            let in_file = file.read()?.remove(&wanted);
            Ok((in_file, file.names().contains(&wanted)))
        });
        match (looked.await?, &self.keychain) {
            ((Some(value), _), _) => Ok(Some(value)),
            ((None, true), Some(keychain)) => {
                keychain.get(name).await.map_err(|error| error.report(name))
            }
            ((None, _), _) => Ok(None),
        }
    }

    /// Takes note that the keychain has a secret which another program put there.
    fn note(&self, name: &str) {
        let (file, name) = (self.file.clone(), name.to_owned());
        tokio::task::spawn_blocking(move || {
            if let Err(report) = file.note(&name, true) {
                tracing::warn!("{}", report.message);
            }
        });
    }

    /// Takes note of a variable's value where it is a secret.
    fn note_variable(&self, name: &str, value: &str) {
        if is_secret_variable(name) {
            self.add(|handed_out| handed_out.add_others([value.to_owned()]));
        }
    }

    /// Masks a secret from now on.
    pub(crate) fn remember(&self, value: &str) {
        self.add(|handed_out| handed_out.add_secrets([value.to_owned()]));
    }

    /// Masks from now on the values that `add` adds, which returns whether one of them is new.
    fn add(&self, add: impl FnOnce(&mut HandedOut) -> bool) {
        let full = {
            let mut handed_out = self.handed_out();
            if add(&mut handed_out) {
                self.veil.draw(handed_out.all().cloned());
            }
            handed_out.warning()
        };
        if let Some(bytes) = full {
            tracing::warn!(
                bytes,
                "the mask of secrets is full: further values are masked by name, place and shape alone"
            );
        }
    }

    /// Masks a value no more, which is good for nothing any more.
    pub(crate) fn forget_masked(&self, value: &str) {
        let mut handed_out = self.handed_out();
        if handed_out.remove(value) {
            self.veil.draw(handed_out.all().cloned());
        }
    }

    /// What hides the secrets that were handed out.
    pub(crate) fn veil(&self) -> &Veil {
        &self.veil
    }

    fn handed_out(&self) -> std::sync::MutexGuard<'_, HandedOut> {
        self.handed_out
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says where the secrets are, and none of them.
impl std::fmt::Debug for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Values")
            .field("file", &self.file)
            .field("keychain", &self.keychain)
            .finish_non_exhaustive()
    }
}

/// What one start of a member is given.
#[derive(Clone)]
pub(crate) struct Given {
    values: Values,
    environment: Arc<ShellVariables>,
    secrets: BTreeMap<String, String>,
}

impl Given {
    /// The variables that a process of the member has beside our own, its manifest's last.
    pub(crate) fn variables(&self, own: Vec<(String, String)>) -> Vec<(String, String)> {
        self.environment.with(own)
    }
}

impl Lookup for Given {
    fn env(&self, name: &str) -> Option<String> {
        let value = self.environment.get(name)?;
        self.values.note_variable(name, &value);
        Some(value)
    }

    fn secret(&self, name: &str) -> Option<String> {
        self.secrets.get(name).cloned()
    }
}

/// Whether a variable of the environment is a secret by its name. A shell keeps its working
/// directory in `PWD`.
fn is_secret_variable(name: &str) -> bool {
    name != "PWD" && is_secret(name)
}

/// A secret, and those inside of it.
fn with_inner(value: String) -> impl Iterator<Item = String> {
    inner_secrets(&value).into_iter().chain([value])
}

/// Runs what may block on a thread of its own.
async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Report> + Send + 'static,
) -> Result<T, Report> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| {
            let trouble = SecretTrouble::NotLooked(error.to_string());
            Err(Report::told(Code::SecretsUnsafe, &trouble))
        })
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
