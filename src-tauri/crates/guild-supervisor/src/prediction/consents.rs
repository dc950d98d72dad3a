//! `predictions.json` of the data folder: the request of each member that may be sent again without
//! asking a person.
//!
//! A file that can't be used counts as missing: then a person is asked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use guild_model::messages::{DiscoveryError, io_message};
use guild_model::{Code, MemberName, Report};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use guild_files::files::{read_bounded, write_atomically};

const FILE: &str = "predictions.json";
/// Maximum size of the file, in bytes.
const BYTES_MAX: u64 = 1 << 20;
/// Maximum number of members whose approved requests are stored. Guild Hall has at most half as
/// many members.
const MEMBERS_MAX: usize = 4_000;
const VERSION: u32 = 1;

#[derive(Debug, Default, Serialize, Deserialize)]
struct ConsentFile {
    version: u32,
    /// The hash of the request that a person approved for each member.
    members: BTreeMap<MemberName, String>,
}

/// Permanently approved requests.
#[derive(Debug)]
pub struct Consents {
    path: PathBuf,
    /// Locked while the file is changed.
    changing: Mutex<()>,
}

impl Consents {
    pub fn new(data_dir: &Path) -> Self {
        Self {
            path: data_dir.join(FILE),
            changing: Mutex::new(()),
        }
    }

    /// Whether this request may be sent for the member without asking a person. Blocking.
    pub fn covers(&self, member: &MemberName, hash: &str) -> bool {
        self.read().get(member).is_some_and(|known| known == hash)
    }

    /// Saves the hash of an approved request. `None` removes the member's saved hash. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`.
    pub fn keep(&self, member: &MemberName, hash: Option<&str>) -> Result<(), Report> {
        let _changing = self.changing.lock();
        let mut members = self.read();
        let changed = match hash {
            Some(hash) => members.insert(member.clone(), hash.to_owned()).as_deref() != Some(hash),
            None => members.remove(member).is_some(),
        };
        if !changed {
            return Ok(());
        }
        while members.len() > MEMBERS_MAX {
            let other = members.keys().find(|name| *name != member).cloned();
            let Some(other) = other else { break };
            members.remove(&other);
        }
        let kept = ConsentFile {
            version: VERSION,
            members,
        };
        let written = serde_json::to_vec_pretty(&kept)
            .map_err(std::io::Error::other)
            .and_then(|bytes| {
                if let Some(folder) = self.path.parent() {
                    guild_files::files::create_own_folder(folder)?;
                }
                write_atomically(&self.path, &bytes)
            });
        written.map_err(|error| {
            let trouble = DiscoveryError::Unwritable(self.path.clone(), io_message(&error));
            Report::from_error(Code::DataUnwritable, &trouble)
        })
    }

    fn read(&self) -> BTreeMap<MemberName, String> {
        let bytes = read_bounded(&self.path, BYTES_MAX).unwrap_or_default();
        let kept: ConsentFile = serde_json::from_slice(&bytes).unwrap_or_default();
        match kept.version {
            VERSION if kept.members.len() <= MEMBERS_MAX => kept.members,
            _ => BTreeMap::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use guild_tests::mangled;

    fn name(text: &str) -> MemberName {
        MemberName::parse(text).expect("a name")
    }

    #[test]
    fn a_yes_is_to_one_question_of_one_member_and_can_be_taken_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let data_dir = folder.path().join("not there yet");
        let consents = Consents::new(&data_dir);
        let (one, other) = (name("one"), name("other"));
        assert!(!consents.covers(&one, "a"));
        consents.keep(&one, Some("a")).expect("kept");
        consents.keep(&other, Some("b")).expect("kept");
        let again = Consents::new(&data_dir);
        assert!(again.covers(&one, "a") && again.covers(&other, "b"));
        assert!(!again.covers(&one, "b") && !again.covers(&name("two"), "a"));
        again.keep(&one, Some("c")).expect("another question");
        assert!(!again.covers(&one, "a") && again.covers(&one, "c"));
        again.keep(&one, None).expect("taken back");
        assert!(!again.covers(&one, "c") && again.covers(&other, "b"));
    }

    #[test]
    fn mangled_predictions_are_as_good_as_no_yes() {
        let folder = tempfile::tempdir().expect("a folder");
        let consents = Consents::new(folder.path());
        mangled::each("predictions", |bytes| {
            std::fs::write(&consents.path, bytes).expect("written");
            let whole =
                serde_json::from_slice::<ConsentFile>(bytes).is_ok_and(|kept| kept.version == 1);
            assert!(whole || !consents.covers(&name("one"), "0f"));
            consents.keep(&name("two"), Some("1")).expect("kept anew");
            assert!(consents.covers(&name("two"), "1"));
        });
    }
}
