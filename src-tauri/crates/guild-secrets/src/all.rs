//! Collects all secrets before data is shared, including keychain secrets that no member was
//! started with in this run. They may occur in data of earlier runs, from before they were stored
//! as secrets. For example, a member may have written a new key to stderr before its user saved it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::SecretResolver;
use super::grants::hidden_in;
use super::keychain::{KeychainError, TIME_LIMIT};
use guild_files::blocking::blocking;

/// Timeout for all keychain requests together.
const ALL_LIMIT: Duration = TIME_LIMIT;

/// All secrets that could be determined.
#[derive(Debug, PartialEq, Eq)]
pub struct AllSecrets {
    /// The values to mask.
    pub values: BTreeSet<String>,
    /// The reason that the list may be incomplete.
    pub unknown: Option<String>,
}

impl SecretResolver {
    /// Returns all secrets: the known ones, and those of the keychain. `used` are names from
    /// manifests, whose values other programs may have stored. The user is not asked for a password
    /// if there is nothing to look up.
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
                    // These secrets may not exist, so a missing keychain is not an error.
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

    /// Requests the value of a name from the keychain. `None` if the keychain has none.
    async fn request(&self, name: &str) -> Result<Option<String>, KeychainError> {
        match &self.keychain {
            Some(keychain) => keychain.get(name).await,
            None => Err(KeychainError::Absent("it is not used here".to_owned())),
        }
    }
}
