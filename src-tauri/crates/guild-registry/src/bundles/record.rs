//! The record of an installed bundle, next to the member's manifest: the bundle and the answers of
//! the installation. Only the manifest decides what is run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use guild_import::install::{InstallAnswers, InstallInputValue};
use guild_model::MemberName;
use serde::{Deserialize, Serialize};

use guild_files::files::read_bounded;

/// The file's name in the member's folder.
pub(super) const FILE: &str = "mcpb.json";
/// Maximum size of the file, in bytes.
pub(super) const BYTES_MAX: u64 = 8 << 20;

/// The bundle of a member, and the answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BundleRecord {
    pub(crate) bundle: String,
    /// The version from the bundle's manifest.
    pub version: String,
    /// The digest of the bundle's file.
    pub digest: String,
    /// The manifest's variables that came from the bundle. All others belong to the user.
    env: BTreeSet<String>,
    answers: BTreeMap<String, BundleAnswer>,
}

/// A stored answer. It never contains a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum BundleAnswer {
    Texts(Vec<String>),
    Secret {
        /// The name of the stored secret.
        secret: String,
    },
}

/// A member that was installed from a bundle.
#[derive(Debug, Clone)]
pub struct InstalledBundle {
    /// The member's current name.
    pub member: MemberName,
    /// The member's folder, which has the record.
    pub folder: PathBuf,
    /// The bundle and the answers of the installation.
    pub record: BundleRecord,
}

impl BundleRecord {
    /// Builds the record of an installation. `secrets` maps the keys of inputs to the names of
    /// their stored secrets.
    pub fn new(
        bundle: &str,
        version: &str,
        digest: &str,
        env: impl IntoIterator<Item = String>,
        given: &InstallAnswers,
        secrets: &BTreeMap<String, String>,
    ) -> Self {
        let answers = given.iter().filter_map(|(key, answer)| {
            let answered = match answer {
                InstallInputValue::Plain(texts) => BundleAnswer::Texts(texts.clone()),
                InstallInputValue::Kept(name) => BundleAnswer::Secret {
                    secret: name.clone(),
                },
                InstallInputValue::Secret(_) => BundleAnswer::Secret {
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

    /// Reads the record of a member's folder. `None` if it is missing or unreadable. Blocking.
    pub fn read(folder: &Path) -> Option<Self> {
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

    /// Returns the answers, without those whose secret is missing. `there` contains the names of
    /// the existing secrets.
    pub fn given(&self, there: &BTreeSet<String>) -> InstallAnswers {
        let given = self.answers.iter().filter_map(|(key, answered)| {
            let answer = match answered {
                BundleAnswer::Texts(texts) if texts.is_empty() => return None,
                BundleAnswer::Texts(texts) => InstallInputValue::Plain(texts.clone()),
                BundleAnswer::Secret { secret } if there.contains(secret) => {
                    InstallInputValue::Kept(secret.clone())
                }
                BundleAnswer::Secret { .. } => return None,
            };
            Some((key.clone(), answer))
        });
        given.collect()
    }

    /// Returns the names of the stored secrets.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.answers.values().filter_map(|answered| match answered {
            BundleAnswer::Secret { secret } => Some(secret.as_str()),
            BundleAnswer::Texts(_) => None,
        })
    }

    /// Whether a variable of the manifest came from the bundle.
    pub(super) fn has_variable(&self, name: &str) -> bool {
        self.env.contains(name)
    }
}

/// Returns the members that were installed from a bundle with this name. Blocking.
pub fn installed(members: Vec<(MemberName, PathBuf)>, bundle: &str) -> Vec<InstalledBundle> {
    let read = members.into_iter().filter_map(|(member, folder)| {
        let record = BundleRecord::read(&folder)?;
        (record.bundle == bundle).then_some(InstalledBundle {
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
    use guild_tests::mangled;

    #[test]
    fn mangled_records_of_bundles_are_read_or_ignored() {
        mangled::each("mcpb-record", |bytes| {
            if let Some(record) = BundleRecord::parse(bytes) {
                let again = BundleRecord::parse(&record.written().expect("written"));
                assert_eq!(again, Some(record));
            }
        });
    }

    #[test]
    fn a_record_has_the_names_of_secrets_and_never_a_secret() {
        let given: InstallAnswers = [
            (
                "token".to_owned(),
                InstallInputValue::Secret("s3cret".into()),
            ),
            (
                "dirs".to_owned(),
                InstallInputValue::Plain(vec!["/a".into()]),
            ),
            ("old".to_owned(), InstallInputValue::Kept("m/old".into())),
        ]
        .into();
        let secrets = [("token".to_owned(), "m/token".to_owned())].into();
        let record = BundleRecord::new("b", "1.0.0", "d", ["TOKEN".to_owned()], &given, &secrets);
        let bytes = record.written().expect("written");
        assert!(!String::from_utf8_lossy(&bytes).contains("s3cret"));
        let read = BundleRecord::parse(&bytes).expect("read");
        let there = ["m/token".to_owned()].into();
        let expected: InstallAnswers = [
            (
                "token".to_owned(),
                InstallInputValue::Kept("m/token".into()),
            ),
            (
                "dirs".to_owned(),
                InstallInputValue::Plain(vec!["/a".into()]),
            ),
        ]
        .into();
        assert_eq!(read.given(&there), expected, "the other secret is gone");
        assert_eq!(read.secrets().collect::<Vec<_>>(), ["m/old", "m/token"]);
    }
}
