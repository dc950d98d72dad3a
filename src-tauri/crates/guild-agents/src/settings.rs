//! `gateway.json` in the data folder: the gateway's settings, profiles and policies.
//!
//! A person may edit the file. Guild Hall reads it again when it changes and before it writes a
//! change, and keeps content that it does not know ([`merge`]). It never overwrites an invalid
//! file.

mod merge;

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::messages::{AgentsError, GatewayProblem, ProfileProblem};
use guild_model::endpoint::{CLIENT_NAME_MAX, Listing, RESULT_TOKENS_RANGE};
use guild_model::manifest::Policy;
use guild_model::messages::io_message;
use guild_model::policy::PolicyRules;
use guild_model::profile::{Profile, ProfileName};
use guild_model::settings::GatewaySettings;
use guild_model::{Code, MemberName, Report, ToolName};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::embeddings::EmbeddingsSettings;
use guild_files::files::read_bounded;
use guild_files::files::replacing::{real, replace_own_unchanged};

/// Maximum size of the file, in bytes.
const BYTES_MAX: u64 = 4 << 20;
/// Maximum number of profiles, and of their former names.
const PROFILES_MAX: usize = 200;

/// Policies that a person set, by member and tool.
pub(crate) type ManualPolicies = BTreeMap<MemberName, BTreeMap<ToolName, Policy>>;

/// The content of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct GatewayConfig {
    pub(crate) enabled: bool,
    /// The port that an earlier version stored here. [`Self::port`] returns the effective port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// The listing mode that an earlier version stored here. [`Self::listing`] returns the
    /// effective mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listing: Option<Listing>,
    /// The gateway's settings from `settings.json`.
    #[serde(skip)]
    pub set: GatewaySettings,
    /// Manual policies for tools.
    pub policies: ManualPolicies,
    /// Rules for kinds of tools.
    pub rules: PolicyRules,
    /// The tools whose read-only claim a person confirmed despite their names or descriptions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) read_only_confirmed: BTreeMap<MemberName, BTreeSet<ToolName>>,
    /// The embeddings endpoint, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embeddings: Option<EmbeddingsSettings>,
    /// The profiles, in creation order.
    pub profiles: Vec<Profile>,
    /// The current name of each renamed profile, by its former name. Clients that use the former
    /// name stay connected.
    pub(crate) former_profile_names: BTreeMap<ProfileName, ProfileName>,
}

impl GatewayConfig {
    fn merged_into(&self, mut whole: Map<String, Value>) -> Result<Vec<u8>, GatewayProblem> {
        check(self)?;
        let known = serde_json::to_value(self).map_err(no_json)?;
        if let Value::Object(known) = known {
            for moved in ["port", "listing"] {
                whole.shift_remove(moved);
            }
            merge::settings(&mut whole, known, &self.former_profile_names);
        }
        serde_json::to_vec_pretty(&whole).map_err(no_json)
    }

    /// Returns the profile with a current or former name. The current name takes precedence.
    pub fn profile(&self, name: &ProfileName) -> Option<&Profile> {
        let named = |name: &ProfileName| self.profiles.iter().find(|known| known.name == *name);
        named(name).or_else(|| named(self.former_profile_names.get(name)?))
    }

    /// Returns the same profile as [`profile`](Self::profile), to change it.
    pub(crate) fn profile_mut(&mut self, name: &ProfileName) -> Option<&mut Profile> {
        let now = self.profile(name)?.name.clone();
        self.profiles.iter_mut().find(|known| known.name == now)
    }

    /// Saves a profile. It replaces the profile with the same name. If `instead_of` names another
    /// profile, that profile is replaced and thereby renamed.
    ///
    /// # Errors
    /// `profile-unknown` if the profile to rename does not exist. `profile-refused` if the new name
    /// is taken.
    pub(crate) fn keep_profile(
        &mut self,
        profile: Profile,
        instead_of: Option<&ProfileName>,
    ) -> Result<(), Report> {
        let name = profile.name.clone();
        let renamed = instead_of.filter(|former| **former != name);
        let place = |name: &ProfileName| self.profiles.iter().position(|known| known.name == *name);
        let at = match renamed {
            Some(former) => {
                let at = place(former).ok_or_else(|| unknown_profile(former))?;
                if place(&name).is_some() {
                    let name = format!("{:?}", name.as_str());
                    let trouble = AgentsError::ProfileTaken(name);
                    return Err(Report::from_error(Code::ProfileRefused, &trouble));
                }
                Some(at)
            }
            None => place(&name),
        };
        match at.and_then(|at| self.profiles.get_mut(at)) {
            Some(known) => *known = profile,
            None => self.profiles.push(profile),
        }
        if let Some(former) = renamed {
            for now in self.former_profile_names.values_mut() {
                if now == former {
                    *now = name.clone();
                }
            }
            let names = &mut self.former_profile_names;
            names.insert(former.clone(), name.clone());
        }
        // A current name of a profile can't also be a former name of another one.
        self.former_profile_names.remove(&name);
        Ok(())
    }

    /// Removes a profile and its former names.
    ///
    /// # Errors
    /// `profile-unknown`.
    pub(crate) fn drop_profile(&mut self, name: &ProfileName) -> Result<(), Report> {
        let before = self.profiles.len();
        self.profiles.retain(|known| known.name != *name);
        if self.profiles.len() == before {
            return Err(unknown_profile(name));
        }
        self.former_profile_names.retain(|_, now| now != name);
        Ok(())
    }
}

/// Returns the `profile-unknown` report for a name that no profile has.
pub fn unknown_profile(name: &ProfileName) -> Report {
    let trouble = AgentsError::NoProfileNow(format!("{:?}", name.as_str()));
    Report::from_error(Code::ProfileUnknown, &trouble)
}

/// Returns the `profile-unknown` report for a client that names an unknown profile.
pub(crate) fn no_profile(name: &ProfileName) -> Report {
    let trouble = AgentsError::NoProfile(format!("{:?}", name.as_str()));
    Report::from_error(Code::ProfileUnknown, &trouble)
}

impl Default for GatewayConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            port: None,
            listing: None,
            set: GatewaySettings::default(),
            policies: BTreeMap::new(),
            rules: PolicyRules::default(),
            read_only_confirmed: BTreeMap::new(),
            embeddings: None,
            profiles: vec![],
            former_profile_names: BTreeMap::new(),
        }
    }
}

/// The parsed file.
#[derive(Default)]
struct AgentSettingsFile {
    settings: GatewayConfig,
    /// The whole content, including unknown fields.
    whole: Map<String, Value>,
    /// The file's bytes. `None` if the file does not exist.
    before: Option<Vec<u8>>,
}

#[derive(Debug)]
pub(crate) struct GatewaySettingsFile {
    path: PathBuf,
    /// Allows only one change at a time, so that no change is lost between reading and writing.
    changing: Mutex<()>,
}

impl GatewaySettingsFile {
    pub(crate) fn new(data_dir: &Path) -> Self {
        Self {
            path: data_dir.join("gateway.json"),
            changing: Mutex::default(),
        }
    }

    /// Reads the settings. Returns the defaults if the file does not exist. Blocking.
    ///
    /// # Errors
    /// `gateway-settings`.
    pub(crate) fn read(&self) -> Result<GatewayConfig, Report> {
        Ok(self.load()?.settings)
    }

    /// Reads the file's current settings and calls `taken` with them. Until `taken` returns, this
    /// program does not change the file. Blocking.
    ///
    /// # Errors
    /// `gateway-settings`.
    pub(crate) fn take<T>(&self, taken: impl FnOnce(GatewayConfig) -> T) -> Result<T, Report> {
        let _one = self.changing.lock();
        Ok(taken(self.load()?.settings))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Changes the settings in the file, and calls `changed` with the new settings. Until `changed`
    /// returns, this program makes no other change to the file. Blocking.
    ///
    /// # Errors
    /// `gateway-settings` if the file is invalid, the error of `change`, `data-unwritable`.
    /// `settings-changed` if another program writes the file at the same time. The other program's
    /// version then stays.
    pub(crate) fn change<T>(
        &self,
        change: impl FnOnce(&mut GatewayConfig) -> Result<(), Report>,
        changed: impl FnOnce(GatewayConfig) -> T,
    ) -> Result<T, Report> {
        let _one = self.changing.lock();
        let read = self.load()?;
        let mut settings = read.settings;
        change(&mut settings)?;
        let bytes = settings
            .merged_into(read.whole)
            .map_err(|problem| self.unusable(&problem))?;
        let written = || {
            // A file that would be too large to be read is not written.
            if bytes.len() as u64 > BYTES_MAX {
                return Err(ErrorKind::FileTooLarge.into());
            }
            replace_own_unchanged(
                &real(&self.path)?,
                read.before.as_deref(),
                &bytes,
                BYTES_MAX,
            )
        };
        let written = written().map_err(|error| {
            let trouble = AgentsError::Unwritable(self.path.clone(), io_message(&error));
            Report::from_error(Code::DataUnwritable, &trouble)
        })?;
        written.checked(&self.path)?;
        Ok(changed(settings))
    }

    fn load(&self) -> Result<AgentSettingsFile, Report> {
        let bytes = match read_bounded(&self.path, BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Default::default()),
            Err(error) => return Err(self.unusable(&io_message(&error))),
        };
        // The settings are parsed from the text, not from the JSON value, so that an error has a
        // line.
        let unread = |error| self.unusable(&no_json(error));
        let settings: GatewayConfig = serde_json::from_slice(&bytes).map_err(unread)?;
        check(&settings).map_err(|problem| self.unusable(&problem))?;
        let whole = serde_json::from_slice(&bytes).map_err(unread)?;
        Ok(AgentSettingsFile {
            settings,
            whole,
            before: Some(bytes),
        })
    }

    fn unusable(&self, problem: &impl ToString) -> Report {
        let trouble = AgentsError::Unusable(self.path.clone(), problem.to_string());
        Report::from_error(Code::GatewaySettings, &trouble)
    }
}

fn no_json(error: serde_json::Error) -> GatewayProblem {
    GatewayProblem::Unread(error.to_string())
}

/// Checks the rules that serde does not cover.
fn check(settings: &GatewayConfig) -> Result<(), GatewayProblem> {
    if settings.profiles.len() > PROFILES_MAX {
        return Err(GatewayProblem::ManyProfiles(PROFILES_MAX));
    }
    if settings.former_profile_names.len() > PROFILES_MAX {
        return Err(GatewayProblem::ManyFormer(PROFILES_MAX));
    }
    for (at, profile) in settings.profiles.iter().enumerate() {
        let earlier = &settings.profiles[..at];
        if earlier.iter().any(|other| other.name == profile.name) {
            let name = profile.name.as_str().to_owned();
            return Err(GatewayProblem::TwoProfiles(name));
        }
        check_profile(profile)
            .map_err(|wrong| GatewayProblem::Profile(profile.name.to_string(), wrong))?;
    }
    Ok(())
}

pub(crate) fn check_profile(profile: &Profile) -> Result<(), ProfileProblem> {
    let tokens = profile.result_tokens.unwrap_or_default();
    if tokens != 0 && !RESULT_TOKENS_RANGE.contains(&tokens) {
        return Err(ProfileProblem::ResultTokens(tokens));
    }
    let mut bare = None;
    for (at, mounted) in profile.members.iter().enumerate() {
        let member = &mounted.member;
        let earlier = &profile.members[..at];
        if earlier.iter().any(|other| other.member == *member) {
            return Err(ProfileProblem::Twice(member.clone()));
        }
        if mounted.without_prefix
            && let Some(other) = bare.replace(member)
        {
            return Err(ProfileProblem::TwoBare(other.clone(), member.clone()));
        }
        for (tool, change) in &mounted.changes {
            let fits = |name: &str| {
                let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
                (1..=CLIENT_NAME_MAX).contains(&name.len()) && name.chars().all(allowed)
            };
            if let Some(name) = change.name.as_deref().filter(|name| !fits(name)) {
                let (name, tool) = (format!("{name:?}"), tool.to_string());
                return Err(ProfileProblem::ToolName(name, tool, CLIENT_NAME_MAX));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use guild_files::files::replacing::between;

    fn file(folder: &tempfile::TempDir, text: &str) -> GatewaySettingsFile {
        std::fs::write(folder.path().join("gateway.json"), text).expect("written");
        GatewaySettingsFile::new(folder.path())
    }

    #[test]
    fn unknown_fields_stay_in_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = file(
            &folder,
            r#"{"note": "mine", "port": 20, "later": {"a": 1}}"#,
        );
        let changed = file.change(
            |settings| {
                settings.port = Some(21);
                Ok(())
            },
            |settings| settings,
        );
        assert_eq!(changed.expect("changed").port(), 21);
        let text = std::fs::read_to_string(folder.path().join("gateway.json")).expect("read");
        let whole: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(whole["note"], "mine");
        assert_eq!(whole["later"], json!({"a": 1}));
        assert_eq!(whole["port"], 21);
    }

    #[test]
    fn concurrent_save_of_gateway_file_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = file(&folder, r#"{"port": 20}"#);
        let path = folder.path().join("gateway.json");
        let real = real(&path).expect("there");
        between::once(&real, move || {
            std::fs::write(path, r#"{"port": 30}"#).expect("written");
        });
        let change = || {
            let off = |settings: &mut GatewayConfig| {
                settings.enabled = false;
                Ok(())
            };
            file.change(off, |settings| settings)
        };
        let refused = change().expect_err("theirs is newer");
        assert_eq!(refused.code, Code::SettingsChanged);
        assert_eq!(file.read().expect("theirs").port(), 30);
        let settings = change().expect("the next time");
        assert!(!settings.enabled && settings.port() == 30);
    }

    #[test]
    fn a_profile_is_renamed_in_one_step_and_its_address_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = file(
            &folder,
            r#"{"profiles": [
                {"name": "a", "note": "mine", "members": [
                    {"member": "forge", "colour": "red", "tools": {"kind": "all", "why": "x"},
                     "changes": {"hit": {"policy": "ask", "since": 5}, "old": {"name": "o"}}}]},
                {"name": "other", "members": []}]}"#,
        );
        let name = |text: &str| ProfileName::parse(text).expect("a name");
        let change = |from: &str, to: &str| {
            file.change(
                |settings| {
                    let mut profile = settings.profile(&name(from)).expect("known").clone();
                    profile.name = name(to);
                    profile.members[0]
                        .changes
                        .retain(|tool, _| tool.as_str() == "hit");
                    settings.keep_profile(profile, Some(&name(from)))
                },
                |settings| settings,
            )
        };
        change("a", "b").expect("renamed");
        let settings = change("b", "c").expect("renamed again");
        for known in ["a", "b", "c"] {
            let found = settings.profile(&name(known)).expect("it goes on");
            assert_eq!(found.name, name("c"), "{known}");
        }
        let text = std::fs::read_to_string(folder.path().join("gateway.json")).expect("read");
        let whole: Value = serde_json::from_str(&text).expect("JSON");
        let kept = &whole["profiles"][0];
        assert_eq!(
            (&kept["name"], &kept["note"]),
            (&json!("c"), &json!("mine"))
        );
        let member = &kept["members"][0];
        assert_eq!(member["colour"], "red");
        assert_eq!(member["tools"], json!({"kind": "all", "why": "x"}));
        assert_eq!(member["changes"]["hit"]["since"], 5);
        assert!(
            member["changes"].get("old").is_none(),
            "what was taken away is gone"
        );
        let taken = change("c", "other").expect_err("another has the name");
        assert_eq!(taken.code, Code::ProfileRefused);

        let dropped = file.change(
            |settings| settings.drop_profile(&name("c")),
            |settings| settings,
        );
        let dropped = dropped.expect("dropped");
        assert!(dropped.profile(&name("a")).is_none() && dropped.former_profile_names.is_empty());
    }

    #[test]
    fn a_new_profile_comes_before_one_that_had_its_name() {
        let name = |text: &str| ProfileName::parse(text).expect("a name");
        let profile = |text: &str| Profile {
            name: name(text),
            listing: None,
            result_tokens: None,
            rules: PolicyRules::default(),
            members: vec![],
        };
        let mut settings = GatewayConfig::default();
        settings.keep_profile(profile("a"), None).expect("kept");
        settings
            .keep_profile(profile("b"), Some(&name("a")))
            .expect("renamed");
        settings.keep_profile(profile("a"), None).expect("kept");
        assert_eq!(settings.profile(&name("a")).expect("known").name, name("a"));
        assert!(settings.former_profile_names.is_empty());
        let gone = settings.keep_profile(profile("c"), Some(&name("x")));
        assert_eq!(gone.expect_err("unknown").code, Code::ProfileUnknown);
    }

    #[test]
    fn unusable_file_names_its_line_and_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "{\n  \"port\": \"many\"\n}";
        let file = file(&folder, text);
        let report = file.change(|_| Ok(()), drop).expect_err("no number");
        assert!(report.message.contains("line 2"), "{report}");
        let left = std::fs::read_to_string(folder.path().join("gateway.json")).expect("read");
        assert_eq!(left, text);
    }

    #[test]
    fn concurrent_changes_are_kept_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = file(&folder, "{}");
        let told = Mutex::new(GatewayConfig::default());
        let tool = |number| ToolName::parse(&format!("t{number}")).expect("a name");
        let change = |number: u8| {
            let member = MemberName::parse("forge").expect("a name");
            let deny = |settings: &mut GatewayConfig| {
                let set = settings.policies.entry(member).or_default();
                set.insert(tool(number), Policy::Deny);
                Ok(())
            };
            file.change(deny, |settings| *told.lock() = settings)
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
        assert_eq!(*told.lock(), kept);
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
            assert!(refused.to_string().contains(problem), "{refused}");
        }
        assert_eq!(
            check_profile(&profile(json!([bare("a"), {"member": "b"}]))),
            Ok(())
        );
    }

    #[test]
    fn mangled_gateway_file_changes_in_one_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = GatewaySettingsFile::new(folder.path());
        guild_tests::mangled::each("gateway", |bytes| {
            std::fs::write(file.path(), bytes).expect("written");
            let Ok(before) = file.read() else {
                let changed = file.change(|_| Ok(()), |_| ());
                assert!(changed.is_err(), "what can't be read is not written over");
                assert_eq!(std::fs::read(file.path()).expect("read"), bytes);
                return;
            };
            let port = |settings: &mut GatewayConfig| {
                settings.port = Some(19_998);
                Ok(())
            };
            file.change(port, |_| ()).expect("changed");
            let after = file.read().expect("what was written is read");
            assert_eq!(after.port(), 19_998);
            assert_eq!(after.profiles, before.profiles);
            assert_eq!(after.policies, before.policies);
            assert_eq!(after.rules, before.rules);
        });
    }
}
