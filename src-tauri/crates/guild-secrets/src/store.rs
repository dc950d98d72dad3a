//! Sets, lists and removes secrets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use guild_api::wire::{
    KeptSecret, KeychainState, SECRET_NAME_MAX, SECRET_VALUE_MAX, SecretPlace, SecretRef,
    SecretView, Secrets, SetSecret,
};
use guild_model::manifest::is_secret_name;
use guild_model::messages::SecretError;
use guild_model::{Code, MemberName, Report};

use super::grants::is_grant;
use super::keychain::{KeychainChoice, KeychainClient, KeychainError};
use super::{SecretResolver, SecretsFile};
use guild_files::blocking::blocking;

/// Timeout for detecting a keychain.
const REACH_LIMIT: Duration = Duration::from_secs(3);

/// The members that need each secret, by the secret's name.
pub type SecretUses = BTreeMap<String, Vec<MemberName>>;

/// The secrets of a data folder, by name. Values can be written but never read.
#[derive(Debug, Clone)]
pub struct SecretStore {
    file: SecretsFile,
    keychain: Option<KeychainClient>,
}

impl SecretStore {
    /// Opens the secrets of a data folder, without a running hall.
    pub fn open(data_dir: &Path, keychain: KeychainChoice) -> Self {
        Self {
            file: SecretsFile::new(data_dir.to_owned()),
            keychain: keychain.client(),
        }
    }

    /// Returns the names of all secrets that this program stored or that members need. `uses` lists
    /// the members that need each secret.
    pub async fn list(&self, uses: SecretUses) -> Secrets {
        let (keychain, why) = self.reach().await;
        let file = self.file.clone();
        let read = blocking(move || (file.read(), file.names())).await;
        let (in_file, in_keychain) = match read {
            Ok((in_file, names)) => (in_file, names),
            Err(report) => (Err(report), BTreeSet::new()),
        };
        let (in_file, unsafe_file) = match in_file {
            Ok(secrets) => (secrets.into_keys().collect(), None),
            Err(report) => (BTreeSet::new(), Some(report)),
        };
        let names: BTreeSet<&String> = in_file
            .iter()
            .chain(&in_keychain)
            .chain(uses.keys())
            .filter(|name| !is_grant(name))
            .collect();
        let secrets = names
            .into_iter()
            .map(|name| SecretView {
                name: name.clone(),
                kept: if in_file.contains(name) {
                    Some(SecretPlace::File)
                } else {
                    in_keychain.contains(name).then_some(SecretPlace::Keychain)
                },
                members: uses.get(name).cloned().unwrap_or_default(),
            })
            .collect();
        Secrets {
            secrets,
            keychain,
            warning: unsafe_file.or(why),
        }
    }

    /// Returns the names of all stored secrets, without the members that need them.
    pub async fn names(&self) -> Secrets {
        self.list(SecretUses::new()).await
    }

    /// Returns the keychain's state, and a report if the keychain can't be used.
    pub async fn reach(&self) -> (KeychainState, Option<Report>) {
        let reached = match &self.keychain {
            Some(keychain) => keychain.reach(REACH_LIMIT).await,
            None => Err(KeychainError::Absent("it is not used here".to_owned())),
        };
        match reached {
            Ok(()) => (KeychainState::Ready, None),
            Err(KeychainError::Absent(why)) => {
                (KeychainState::Absent, Some(self.without_keychain(&why)))
            }
            Err(error) => {
                let trouble = match error {
                    KeychainError::Unanswered(limit) => SecretError::Silent(limit),
                    KeychainError::Absent(why)
                    | KeychainError::Refused(why)
                    | KeychainError::Unfit(why) => SecretError::Locked(why),
                };
                let report = Report::from_error(Code::KeychainUnanswered, &trouble);
                (KeychainState::Unanswered, Some(report))
            }
        }
    }

    fn without_keychain(&self, why: &str) -> Report {
        let trouble = SecretError::InFile(why.to_owned(), self.file.path());
        Report::from_error(Code::KeychainUnanswered, &trouble)
    }

    /// Stores or replaces a secret.
    ///
    /// # Errors
    /// `secret-refused`, `keychain-unanswered`, `secrets-unsafe`.
    pub async fn set(&self, request: SetSecret) -> Result<KeptSecret, Report> {
        no_grant(&request.name)?;
        self.set_any(request).await
    }

    /// Like [`set`](Self::set), but also accepts the names of members' tokens.
    ///
    /// # Errors
    /// The errors of [`SecretStore::set`].
    pub async fn set_any(&self, request: SetSecret) -> Result<KeptSecret, Report> {
        let SetSecret { name, value, place } = request;
        check(&name, &value)?;
        let (place, warning) = match (place, &self.keychain) {
            (Some(SecretPlace::File), _) => (SecretPlace::File, None),
            (wanted, Some(keychain)) => match (keychain.set(&name, &value).await, wanted) {
                (Ok(()), _) => (SecretPlace::Keychain, None),
                (Err(KeychainError::Absent(why)), None) => {
                    (SecretPlace::File, Some(self.without_keychain(&why)))
                }
                (Err(error), _) => return Err(error.report(&name)),
            },
            (wanted, None) => {
                let absent = KeychainError::Absent("it is not used here".to_owned());
                if wanted.is_some() {
                    return Err(absent.report(&name));
                }
                (SecretPlace::File, None)
            }
        };
        let (file, noted) = (self.file.clone(), name.clone());
        blocking(move || match place {
            // A lookup reads the file first, so an old value in the file would hide the new one.
            SecretPlace::Keychain => {
                file.put(&noted, None)?;
                file.note(&noted, true)
            }
            SecretPlace::File => {
                file.put(&noted, Some(&value))?;
                file.note(&noted, false)
            }
        })
        .await??;
        Ok(KeptSecret {
            name,
            place,
            warning,
        })
    }

    /// Removes a secret from the file and the keychain.
    ///
    /// # Errors
    /// `keychain-unanswered`, `secrets-unsafe`.
    pub async fn remove(&self, request: &SecretRef) -> Result<(), Report> {
        no_grant(&request.name)?;
        self.remove_any(request).await
    }

    /// Like [`remove`](Self::remove), but also accepts the names of members' tokens.
    ///
    /// # Errors
    /// The errors of [`SecretStore::remove`].
    pub async fn remove_any(&self, request: &SecretRef) -> Result<(), Report> {
        let name = request.name.clone();
        if let Some(keychain) = &self.keychain {
            match keychain.remove(&name).await {
                Ok(()) | Err(KeychainError::Absent(_)) => {}
                Err(error) => return Err(error.report(&name)),
            }
        }
        let file = self.file.clone();
        blocking(move || {
            file.put(&name, None)?;
            file.note(&name, false)
        })
        .await?
    }
}

impl SecretResolver {
    /// Returns a store for the same secrets.
    pub fn store(&self) -> SecretStore {
        SecretStore {
            file: self.file.clone(),
            keychain: self.keychain.clone(),
        }
    }
}

/// Rejects the names of members' tokens, which can't be set or removed manually.
fn no_grant(name: &str) -> Result<(), Report> {
    if !is_grant(name) {
        return Ok(());
    }
    Err(Report::from_error(Code::SecretRefused, &SecretError::Grant))
}

fn check(name: &str, value: &str) -> Result<(), Report> {
    let refused = |trouble| Err(Report::from_error(Code::SecretRefused, &trouble));
    if name.len() > SECRET_NAME_MAX || !is_secret_name(name) {
        let shown: String = name.chars().take(60).collect();
        return refused(SecretError::BadName(format!("{shown:?}")));
    }
    if value.is_empty() {
        return refused(SecretError::NoValue(name.to_owned()));
    }
    if value.len() > SECRET_VALUE_MAX {
        return refused(SecretError::LongValue(name.to_owned(), SECRET_VALUE_MAX));
    }
    if value.contains('\0') {
        return refused(SecretError::ZeroValue(name.to_owned()));
    }
    Ok(())
}
