//! `gateway.json` of the data folder: how the gateway is, the profiles, and the policies.
//!
//! It may be edited by hand: it is read anew before each change, and what it holds besides stays
//! in it. A file that can't be used is never written over.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use guild_core::agents::{AGENT_NAME_MAX, GATEWAY_PORT, Listing, Profile};
use guild_core::manifest::Policy;
use guild_core::{Code, MemberName, Report, ToolName};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::files::{read_bounded, write_atomically};

/// The largest file that is read, in bytes.
const BYTES_MAX: u64 = 4 << 20;
/// How many profiles there may be.
const PROFILES_MAX: usize = 200;

/// Whether agents may call a tool, by member and tool.
pub(crate) type Policies = BTreeMap<MemberName, BTreeMap<ToolName, Policy>>;

/// What the file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Settings {
    /// Whether the gateway is to run.
    pub(crate) enabled: bool,
    /// The port it listens on.
    pub(crate) port: u16,
    /// What a client is given that asks for nothing else.
    pub(crate) listing: Listing,
    /// The policies that a person set, before those of the manifests.
    pub(crate) policies: Policies,
    /// The profiles, in the order they were made.
    pub(crate) profiles: Vec<Profile>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            enabled: true,
            port: GATEWAY_PORT,
            listing: Listing::default(),
            policies: BTreeMap::new(),
            profiles: vec![],
        }
    }
}

/// The place of the settings.
#[derive(Debug)]
pub(crate) struct SettingsFile {
    path: PathBuf,
    /// One change at a time: none is lost between another's reading and its writing.
    changing: Mutex<()>,
}

impl SettingsFile {
    pub(crate) fn new(data_dir: &Path) -> Self {
        Self {
            path: data_dir.join("gateway.json"),
            changing: Mutex::default(),
        }
    }

    /// Reads the settings; the defaults where there is no file. Blocking.
    ///
    /// # Errors
    /// `gateway-settings`.
    pub(crate) fn read(&self) -> Result<Settings, Report> {
        Ok(self.load()?.0)
    }

    /// Changes the settings of the file as it is now, and hands them to `changed`, in the order of
    /// the changes. Blocking.
    ///
    /// # Errors
    /// `gateway-settings` when the file can't be used, what `change` refuses, `data-unwritable`.
    pub(crate) fn change<T>(
        &self,
        change: impl FnOnce(&mut Settings) -> Result<(), Report>,
        changed: impl FnOnce(Settings) -> T,
    ) -> Result<T, Report> {
        let _one = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut settings, mut whole) = self.load()?;
        change(&mut settings)?;
        check(&settings).map_err(|report| self.unusable(&report))?;
        let known = serde_json::to_value(&settings).map_err(|error| self.unusable(&error))?;
        if let Value::Object(known) = known {
            whole.extend(known);
        }
        let written = serde_json::to_vec_pretty(&whole)
            .map_err(std::io::Error::other)
            .and_then(|bytes| {
                if let Some(folder) = self.path.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                write_atomically(&self.path, &bytes)
            });
        written.map_err(|error| {
            let message = format!("{} can't be written: {error}.", self.path.display());
            let hint = "Give yourself the right to write there, or free space on the disk.";
            Report::new(Code::DataUnwritable, message, hint)
        })?;
        Ok(changed(settings))
    }

    fn load(&self) -> Result<(Settings, Map<String, Value>), Report> {
        let bytes = match read_bounded(&self.path, BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Default::default()),
            Err(error) => return Err(self.unusable(&error)),
        };
        // From the text, so that an error names its line.
        let settings: Settings =
            serde_json::from_slice(&bytes).map_err(|error| self.unusable(&error))?;
        check(&settings).map_err(|problem| self.unusable(&problem))?;
        let whole = serde_json::from_slice(&bytes).map_err(|error| self.unusable(&error))?;
        Ok((settings, whole))
    }

    fn unusable(&self, problem: &dyn std::fmt::Display) -> Report {
        let message = format!("{} can't be used: {problem}.", self.path.display());
        let hint = "Mend the file, or remove it to go back to the defaults.";
        Report::new(Code::GatewaySettings, message, hint)
    }
}

/// What serde does not see.
fn check(settings: &Settings) -> Result<(), String> {
    if settings.profiles.len() > PROFILES_MAX {
        return Err(format!("there are more than {PROFILES_MAX} profiles"));
    }
    for (at, profile) in settings.profiles.iter().enumerate() {
        let earlier = &settings.profiles[..at];
        if earlier.iter().any(|other| other.name == profile.name) {
            return Err(format!(
                "there are two profiles {:?}",
                profile.name.as_str()
            ));
        }
        check_profile(profile).map_err(|problem| format!("profile {}: {problem}", profile.name))?;
    }
    Ok(())
}

/// Whether a profile can be kept.
///
/// # Errors
/// In words, when it can't.
pub(crate) fn check_profile(profile: &Profile) -> Result<(), String> {
    let mut bare = None;
    for (at, mounted) in profile.members.iter().enumerate() {
        let member = &mounted.member;
        let earlier = &profile.members[..at];
        if earlier.iter().any(|other| other.member == *member) {
            return Err(format!("{member} stands in it twice"));
        }
        if mounted.without_prefix
            && let Some(other) = bare.replace(member)
        {
            return Err(format!("{other} and {member} are both without a prefix"));
        }
        for (tool, change) in &mounted.changes {
            let fits = |name: &str| {
                let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
                (1..=AGENT_NAME_MAX).contains(&name.len()) && name.chars().all(allowed)
            };
            if let Some(name) = change.name.as_deref().filter(|name| !fits(name)) {
                return Err(format!(
                    "{name:?}, the new name of {tool}, is not 1 to {AGENT_NAME_MAX} letters, \
                     digits, '_' and '-'"
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn file(folder: &tempfile::TempDir, text: &str) -> SettingsFile {
        std::fs::write(folder.path().join("gateway.json"), text).expect("written");
        SettingsFile::new(folder.path())
    }

    #[test]
    fn what_is_not_known_stays_in_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = file(
            &folder,
            r#"{"note": "mine", "port": 20, "later": {"a": 1}}"#,
        );
        let changed = file.change(
            |settings| {
                settings.port = 21;
                Ok(())
            },
            |settings| settings,
        );
        assert_eq!(changed.expect("changed").port, 21);
        let text = std::fs::read_to_string(folder.path().join("gateway.json")).expect("read");
        let whole: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(whole["note"], "mine");
        assert_eq!(whole["later"], json!({"a": 1}));
        assert_eq!(whole["port"], 21);
    }

    #[test]
    fn a_file_that_can_not_be_used_names_its_line_and_is_not_written_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "{\n  \"port\": \"many\"\n}";
        let file = file(&folder, text);
        let report = file.change(|_| Ok(()), drop).expect_err("no number");
        assert!(report.message.contains("line 2"), "{report}");
        let left = std::fs::read_to_string(folder.path().join("gateway.json")).expect("read");
        assert_eq!(left, text);
    }

    #[test]
    fn changes_at_the_same_time_are_all_kept_and_told_in_their_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = file(&folder, "{}");
        let told = Mutex::new(Settings::default());
        let tool = |number| ToolName::parse(&format!("t{number}")).expect("a name");
        let change = |number: u8| {
            let member = MemberName::parse("forge").expect("a name");
            let deny = |settings: &mut Settings| {
                let set = settings.policies.entry(member).or_default();
                set.insert(tool(number), Policy::Deny);
                Ok(())
            };
            file.change(deny, |settings| {
                *told.lock().expect("unpoisoned") = settings
            })
            .expect("changed");
        };
        std::thread::scope(|scope| {
            for number in 0..16 {
                let change = &change;
                scope.spawn(move || change(number));
            }
        });
        let kept = file.read().expect("read");
        assert_eq!(kept.policies.values().map(BTreeMap::len).sum::<usize>(), 16);
        assert_eq!(*told.lock().expect("unpoisoned"), kept);
    }

    #[test]
    fn a_profile_has_each_member_once_and_one_without_a_prefix() {
        let profile = |members: Value| -> Profile {
            serde_json::from_value(json!({"name": "p", "members": members})).expect("a profile")
        };
        let bare = |name: &str| json!({"member": name, "withoutPrefix": true});
        for (members, problem) in [
            (json!([{"member": "a"}, {"member": "a"}]), "twice"),
            (json!([bare("a"), bare("b")]), "a and b"),
            (
                json!([{"member": "a", "changes": {"x": {"name": "no space"}}}]),
                "no space",
            ),
        ] {
            let refused = check_profile(&profile(members)).expect_err("refused");
            assert!(refused.contains(problem), "{refused}");
        }
        assert_eq!(
            check_profile(&profile(json!([bare("a"), {"member": "b"}]))),
            Ok(())
        );
    }
}
