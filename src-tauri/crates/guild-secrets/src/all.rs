//! Collects all secrets, so that they can be masked in data that the user shares. This includes
//! keychain secrets that no member received in this run, because data of earlier runs may contain
//! them in plain text. For example, a member may have written a new key to stderr before the user
//! saved it as a secret.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::SecretResolver;
use super::grants::hidden_in;
use super::keychain::{KeychainError, TIME_LIMIT};
use guild_files::blocking::blocking;

/// Timeout for all keychain requests together.
const ALL_LIMIT: Duration = TIME_LIMIT;

/// All secrets that Guild Hall could read.
#[derive(Debug, PartialEq, Eq)]
pub struct AllSecrets {
    /// The values to mask.
    pub values: BTreeSet<String>,
    /// Why `values` may be incomplete. `None` if it is complete.
    pub unknown: Option<String>,
}

impl SecretResolver {
    /// Returns all secrets: those that members received, those in the file, and those in the
    /// keychain. `used` are the names in manifests, whose values other programs may have stored in
    /// the keychain. If no name has to be looked up, the keychain is not opened, so that the system
    /// does not ask for its password.
    pub async fn all_secrets(&self, used: BTreeSet<String>) -> AllSecrets {
        let (values, file) = (self.clone(), self.file.clone());
        let read = blocking(move || {
            let in_file = file.read_to_hide().map_err(|report| report.message);
            (values.known(), in_file, file.read_names())
        });
        let (mut values, in_file, noted) = match read.await {
            Ok(read) => read,
            Err(report) => {
                return AllSecrets {
                    values: BTreeSet::new(),
                    unknown: Some(report.message),
                };
            }
        };
        let mut unknown = None;
        let in_file = in_file.unwrap_or_else(|why| {
            unknown = Some(why);
            BTreeMap::new()
        });
        let noted = noted.unwrap_or_else(|error| {
            unknown = Some(format!("the names of secrets can't be read: {error}"));
            BTreeSet::new()
        });
        let asking = async {
            for name in &noted {
                let value = self.request(name).await?;
                values.extend(value.into_iter().flat_map(|value| hidden_in(name, value)));
            }
            let elsewhere = |name: &&String| !noted.contains(*name) && !in_file.contains_key(*name);
            for name in used.iter().filter(elsewhere) {
                match self.request(name).await {
                    // The keychain may have none of these secrets, so a missing keychain is not an
                    // error.
                    Err(KeychainError::Absent(_)) => break,
                    answer => values.extend(answer?),
                }
            }
            Ok(())
        };
        let asked = tokio::time::timeout(ALL_LIMIT, asking).await;
        if let Err(error) = asked.unwrap_or(Err(KeychainError::Unanswered(ALL_LIMIT))) {
            unknown = Some(error.why());
        }
        AllSecrets { values, unknown }
    }

    /// Looks up a name in the keychain. Returns `None` if the keychain has no value.
    async fn request(&self, name: &str) -> Result<Option<String>, KeychainError> {
        match &self.keychain {
            Some(keychain) => keychain.get(name).await,
            None => Err(KeychainError::Absent("it is not used here".to_owned())),
        }
    }
}
