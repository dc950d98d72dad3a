//! All secrets there are, for what is given to others: also those of the keychain that nobody was
//! started with in this run. They may stand in what earlier runs left, from before they were known
//! as secrets: a member that wrote its new key to stderr, until its user kept it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::grants::hidden_in;
use super::keychain::{KeychainError, TIME_LIMIT};
use super::{Values, off_the_runtime};

/// How long all answers of the keychain may take together.
const ALL_LIMIT: Duration = TIME_LIMIT;

/// All secrets, or as many as could be found out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Every {
    /// Their values.
    pub(crate) values: BTreeSet<String>,
    /// Why there may be more of them.
    pub(crate) unknown: Option<String>,
}

impl Values {
    /// All secrets: those that are known, and those of the keychain. `used` are names that
    /// manifests have; their values may have been put there by other programs. Nobody is asked for
    /// a password where there is nothing to look for.
    pub(crate) async fn every(&self, used: BTreeSet<String>) -> Every {
        let (values, file) = (self.clone(), self.file.clone());
        let read = off_the_runtime(move || {
            let in_file = file.read_to_hide().map_err(|report| report.message);
            Ok((values.known(), in_file, file.read_names()))
        });
        let (mut values, in_file, noted) = match read.await {
            Ok(read) => read,
            Err(report) => {
                return Every {
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
                let value = self.asked(name).await?;
                values.extend(value.into_iter().flat_map(|value| hidden_in(name, value)));
            }
            let elsewhere = |name: &&String| !noted.contains(*name) && !in_file.contains_key(*name);
            for name in used.iter().filter(elsewhere) {
                match self.asked(name).await {
                    // Of these nobody knows that they were ever anywhere.
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
        Every { values, unknown }
    }

    /// What the keychain has under a name.
    async fn asked(&self, name: &str) -> Result<Option<String>, KeychainError> {
        match &self.keychain {
            Some(keychain) => keychain.get(name).await,
            None => Err(KeychainError::Absent("it is not used here".to_owned())),
        }
    }
}
