//! Finds the members' folder and the data folder.

use std::path::{Path, PathBuf};

use guild_model::messages::SettingsError;
use guild_model::{Code, Report};

use crate::data_format;
use guild_files::samples;
use guild_ipc::{is_locked, running_members_dir};

/// The folders that a hall uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// The folder with one folder per member.
    pub members_dir: PathBuf,
    /// The folder with Guild Hall's own data.
    pub data_dir: PathBuf,
    /// The folder of the tool caches (REQ-MCP-TOOL-13). `None` to keep them in the members'
    /// folders.
    pub cache_dir: Option<PathBuf>,
}

impl Paths {
    /// Finds the folders.
    ///
    /// - Members' folder: the argument, the variable `GUILD_HALL_MEMBERS`, `membersDir` of
    ///   `settings.json`, or else `guild-members` in the data folder, where the first start
    ///   installs the sample members. While another hall holds the data folder's lock, this
    ///   function writes nothing, and [`Paths::install_samples`] installs them once this hall holds
    ///   the lock.
    /// - Data folder: the argument, the variable `GUILD_HALL_DATA`, or else the system's default.
    ///
    /// # Errors
    /// `data-unwritable` if the system has no default data folder or the sample members can't be
    /// installed. `data-newer` if a newer version has used the data folder.
    pub fn resolve(members: Option<PathBuf>, data: Option<PathBuf>) -> Result<Self, Report> {
        Self::find(members, data, |_| None)
    }

    /// Finds the folders for a program that sends its requests to the hall that runs on the data
    /// folder. Without the argument and `GUILD_HALL_MEMBERS`, returns the members' folder of the
    /// running hall. If no hall runs, returns the result of [`Paths::resolve`].
    ///
    /// # Errors
    /// The errors of [`Paths::resolve`].
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
            Report::from_error(Code::DataUnwritable, &SettingsError::NoDataFolder)
        })?;
        let data_dir = std::path::absolute(&data_dir).unwrap_or(data_dir);
        data_format::check(&data_dir)?;
        let members = members.or_else(|| from_environment("GUILD_HALL_MEMBERS"));
        let members_dir = match members.or_else(|| of_hall(&data_dir)) {
            Some(dir) => dir,
            None => match crate::members_dir(&data_dir) {
                Some(dir) => dir,
                None => {
                    let folder = default_members_dir(&data_dir);
                    match is_locked(&data_dir) {
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

    /// Installs the sample members if the members' folder is the default one and does not exist
    /// yet. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`.
    pub fn install_samples(&self) -> Result<(), Report> {
        if self.members_dir == default_members_dir(&self.data_dir) {
            samples::install_once(&self.members_dir)?;
        }
        Ok(())
    }

    /// Returns the data folder: the argument, `GUILD_HALL_DATA`, or the system's default. `None` if
    /// the system has no default.
    pub fn data_dir(data: Option<PathBuf>) -> Option<PathBuf> {
        data.or_else(|| from_environment("GUILD_HALL_DATA"))
            .or_else(Self::system_data_dir)
    }

    /// Returns the system's default data folder for this user.
    pub fn system_data_dir() -> Option<PathBuf> {
        let dirs = directories::ProjectDirs::from("", "", "guild-hall")?;
        Some(dirs.data_dir().to_owned())
    }
}

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
