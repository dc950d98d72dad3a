//! What is kept beside a member's manifest of the bundle that it was made of: which one it was, and
//! what was answered. The manifest alone says what is run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use guild_core::MemberName;
use guild_core::install::{Answer, Given};
use serde::{Deserialize, Serialize};

use crate::files::read_bounded;

/// The name of the file in the member's folder.
pub(super) const FILE: &str = "mcpb.json";
/// The largest one that is read, in bytes.
pub(super) const BYTES_MAX: u64 = 8 << 20;

/// Which bundle a member was made of, and with what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Record {
    /// The bundle's name.
    pub(crate) bundle: String,
    /// Its version.
    pub(crate) version: String,
    /// The file's digest.
    pub(crate) digest: String,
    /// The variables that the manifest has of it; others are the user's own.
    env: BTreeSet<String>,
    answers: BTreeMap<String, Answered>,
}

/// An answer as it is kept: never a secret itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Answered {
    Texts(Vec<String>),
    Secret {
        /// The name that it is kept under.
        secret: String,
    },
}

/// A member that was made of a bundle.
#[derive(Debug, Clone)]
pub(crate) struct Installed {
    pub(crate) member: MemberName,
    pub(crate) folder: PathBuf,
    pub(crate) record: Record,
}

impl Record {
    /// What is kept of an install. `secrets` are the names of secrets by the keys of their inputs.
    pub(crate) fn new(
        bundle: &str,
        version: &str,
        digest: &str,
        env: impl IntoIterator<Item = String>,
        given: &Given,
        secrets: &BTreeMap<String, String>,
    ) -> Self {
        let answers = given.iter().filter_map(|(key, answer)| {
            let answered = match answer {
                Answer::Plain(texts) => Answered::Texts(texts.clone()),
                Answer::Kept(name) => Answered::Secret {
                    secret: name.clone(),
                },
                Answer::Secret(_) => Answered::Secret {
                    secret: secrets.get(key)?.clone(),
                },
            };
            Some((key.clone(), answered))
        });
        Self {
            bundle: bundle.to_owned(),
            version: version.to_owned(),
            digest: digest.to_owned(),
            env: env.into_iter().collect(),
            answers: answers.collect(),
        }
    }

    /// Reads what is kept in a member's folder; nothing where there is none that can be read.
    /// Blocking.
    pub(crate) fn read(folder: &Path) -> Option<Self> {
        let bytes = read_bounded(&folder.join(FILE), BYTES_MAX).ok()?;
        Self::parse(&bytes)
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    pub(super) fn written(&self) -> serde_json::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// What was answered, as far as its secrets are still `there`.
    pub(crate) fn given(&self, there: &BTreeSet<String>) -> Given {
        let given = self.answers.iter().filter_map(|(key, answered)| {
            let answer = match answered {
                Answered::Texts(texts) if texts.is_empty() => return None,
                Answered::Texts(texts) => Answer::Plain(texts.clone()),
                Answered::Secret { secret } if there.contains(secret) => {
                    Answer::Kept(secret.clone())
                }
                Answered::Secret { .. } => return None,
            };
            Some((key.clone(), answer))
        });
        given.collect()
    }

    /// The names of the secrets that were kept for it.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.answers.values().filter_map(|answered| match answered {
            Answered::Secret { secret } => Some(secret.as_str()),
            Answered::Texts(_) => None,
        })
    }

    /// Whether a variable of the manifest came from the bundle.
    pub(super) fn has_variable(&self, name: &str) -> bool {
        self.env.contains(name)
    }
}

/// The members that were made of a bundle of this name. Blocking.
pub(crate) fn installed(members: Vec<(MemberName, PathBuf)>, bundle: &str) -> Vec<Installed> {
    let read = members.into_iter().filter_map(|(member, folder)| {
        let record = Record::read(&folder)?;
        (record.bundle == bundle).then_some(Installed {
            member,
            folder,
            record,
        })
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mangled;

    #[test]
    fn mangled_records_of_bundles_are_read_or_ignored() {
        mangled::each("mcpb-record", |bytes| {
            if let Some(record) = Record::parse(bytes) {
                let again = Record::parse(&record.written().expect("written"));
                assert_eq!(again, Some(record));
            }
        });
    }

    #[test]
    fn a_record_has_the_names_of_secrets_and_never_a_secret() {
        let given: Given = [
            ("token".to_owned(), Answer::Secret("s3cret".into())),
            ("dirs".to_owned(), Answer::Plain(vec!["/a".into()])),
            ("old".to_owned(), Answer::Kept("m/old".into())),
        ]
        .into();
        let secrets = [("token".to_owned(), "m/token".to_owned())].into();
        let record = Record::new("b", "1.0.0", "d", ["TOKEN".to_owned()], &given, &secrets);
        let bytes = record.written().expect("written");
        assert!(!String::from_utf8_lossy(&bytes).contains("s3cret"));
        let read = Record::parse(&bytes).expect("read");
        let there = ["m/token".to_owned()].into();
        let expected: Given = [
            ("token".to_owned(), Answer::Kept("m/token".into())),
            ("dirs".to_owned(), Answer::Plain(vec!["/a".into()])),
        ]
        .into();
        assert_eq!(read.given(&there), expected, "the other secret is gone");
        assert_eq!(read.secrets().collect::<Vec<_>>(), ["m/old", "m/token"]);
    }
}
