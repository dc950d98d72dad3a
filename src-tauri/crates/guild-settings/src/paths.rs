//! Where the members and Guild Hall's own data are.

use std::path::{Path, PathBuf};

use guild_model::messages::SettingsTrouble;
use guild_model::{Code, Report};

use guild_files::samples;
use guild_ipc::{is_kept, running_members_dir};

/// The folders that a hall works in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// The folder of the members, one folder each.
    pub members_dir: PathBuf,
    /// The folder of Guild Hall's own data.
    pub data_dir: PathBuf,
    /// Where tool caches are kept instead of in the members' folders (REQ-MCP-TOOL-13).
    pub cache_dir: Option<PathBuf>,
}

impl Paths {
    /// Finds the folders.
    ///
    /// Members: the argument, `GUILD_HALL_MEMBERS`, `membersDir` of `settings.json`, or
    /// `guild-members` in the data folder, where the first start puts the sample members. While
    /// another hall keeps the data folder, nothing is written there: [`Paths::install_samples`]
    /// catches up once this hall keeps it.
    /// Data: the argument, `GUILD_HALL_DATA`, or the place that the system has for such data.
    ///
    /// # Errors
    /// `data-unwritable` when the system names no place for data, or when the sample members can't
    /// be put there.
    pub fn resolve(members: Option<PathBuf>, data: Option<PathBuf>) -> Result<Self, Report> {
        Self::find(members, data, |_| None)
    }

    /// Finds the folders for a program that asks the hall that runs on the data folder. Where
    /// neither the argument nor `GUILD_HALL_MEMBERS` names the folder of the members, it is that of
    /// the running hall. Without a running hall, this is [`Paths::resolve`].
    ///
    /// # Errors
    /// As [`Paths::resolve`].
    pub fn resolve_beside_hall(
        members: Option<PathBuf>,
        data: Option<PathBuf>,
    ) -> Result<Self, Report> {
        Self::find(members, data, running_members_dir)
    }

    fn find(
        members: Option<PathBuf>,
        data: Option<PathBuf>,
        of_hall: impl FnOnce(&Path) -> Option<PathBuf>,
    ) -> Result<Self, Report> {
        let data_dir = Self::data_dir(data).ok_or_else(|| {
            Report::from_error(Code::DataUnwritable, &SettingsTrouble::NoDataFolder)
        })?;
        let data_dir = std::path::absolute(&data_dir).unwrap_or(data_dir);
        let members = members.or_else(|| from_environment("GUILD_HALL_MEMBERS"));
        let members_dir = match members.or_else(|| of_hall(&data_dir)) {
            Some(dir) => dir,
            None => match crate::members_dir(&data_dir) {
                Some(dir) => dir,
                None => {
                    let folder = default_members_dir(&data_dir);
                    match is_kept(&data_dir) {
                        true => folder,
                        false => samples::install_once(&folder)?,
                    }
                }
            },
        };
        let members_dir = std::path::absolute(&members_dir).unwrap_or(members_dir);
        Ok(Self {
            members_dir,
            data_dir,
            cache_dir: None,
        })
    }

    /// Puts the sample members into the folder that the members have by default, where it is not
    /// there yet. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`.
    pub fn install_samples(&self) -> Result<(), Report> {
        if self.members_dir == default_members_dir(&self.data_dir) {
            samples::install_once(&self.members_dir)?;
        }
        Ok(())
    }

    /// The data folder: the argument, `GUILD_HALL_DATA`, or the system's place; `None` where the
    /// system names none.
    pub fn data_dir(data: Option<PathBuf>) -> Option<PathBuf> {
        data.or_else(|| from_environment("GUILD_HALL_DATA"))
            .or_else(Self::system_data_dir)
    }

    /// The system's place for this user's data. It is the data folder unless another is given.
    pub fn system_data_dir() -> Option<PathBuf> {
        let dirs = directories::ProjectDirs::from("", "", "guild-hall")?;
        Some(dirs.data_dir().to_owned())
    }
}

/// The folder of the members where nothing else names one.
fn default_members_dir(data_dir: &Path) -> PathBuf {
    data_dir.join("guild-members")
}

fn from_environment(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_start_puts_the_samples_into_the_data_folder() {
        let data = tempfile::tempdir().expect("a folder");
        let paths = Paths::resolve(None, Some(data.path().to_owned())).expect("paths");
        assert_eq!(paths.members_dir, data.path().join("guild-members"));
        for file in ["clock/plugin.json", "notes/notes/welcome.md"] {
            assert!(paths.members_dir.join(file).is_file(), "{file} is there");
        }
    }

    #[test]
    fn samples_that_were_removed_do_not_come_back() {
        let data = tempfile::tempdir().expect("a folder");
        let paths = Paths::resolve(None, Some(data.path().to_owned())).expect("paths");
        std::fs::remove_dir_all(paths.members_dir.join("notes")).expect("removed");
        Paths::resolve(None, Some(data.path().to_owned())).expect("paths");
        assert!(!paths.members_dir.join("notes").exists());
    }

    #[test]
    fn a_data_folder_that_is_a_file_is_what_is_wrong() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("data");
        std::fs::write(&file, "").expect("a file");
        let report = Paths::resolve(None, Some(file)).expect_err("no folder");
        assert_eq!(report.code, Code::DataUnwritable, "{report}");
    }

    #[test]
    fn argument_wins_over_setting_and_default() {
        let data = tempfile::tempdir().expect("a folder");
        let settings = data.path().join("settings.json");
        std::fs::write(&settings, r#"{"membersDir":"mine"}"#).expect("written");
        let by_setting = Paths::resolve(None, Some(data.path().to_owned())).expect("paths");
        assert_eq!(by_setting.members_dir, data.path().join("mine"));
        let by_argument =
            Paths::resolve(Some("/elsewhere".into()), Some(data.path().to_owned())).expect("paths");
        assert_eq!(by_argument.members_dir, PathBuf::from("/elsewhere"));
        std::fs::write(&settings, "{").expect("written");
        let by_default = Paths::resolve(None, Some(data.path().to_owned())).expect("paths");
        assert_eq!(by_default.members_dir, data.path().join("guild-members"));
    }
}
