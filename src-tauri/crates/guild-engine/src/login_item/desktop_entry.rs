//! The start at login on a freedesktop system: an entry in the user's `autostart` folder.

use std::io;
use std::path::{Path, PathBuf};

use guild_api::desktop::login::{ENTRY_NAME, entry, exec, is_switched_off};
use guild_api::messages::{DesktopError, DesktopErrorCause};
use guild_model::messages::io_message;
use guild_model::{Code, Report};

use super::LoginItemTrigger;
use guild_files::files::{read_bounded, write_atomically};

/// Maximum size of an entry, in bytes.
const BYTES_MAX: u64 = 64 * 1024;
/// The option that starts the program without its window.
const HIDDEN: &str = "--hidden";

/// The entry that starts a program at login.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginItem {
    file: PathBuf,
    program: PathBuf,
    arguments: Vec<String>,
}

impl LoginItem {
    /// Returns the entry that starts `program` when this user logs in. `None` if the user has no
    /// home folder.
    pub fn of_user(program: PathBuf, arguments: Vec<String>) -> Option<Self> {
        let config = directories::BaseDirs::new()?.config_dir().to_owned();
        Some(Self::within(&config, program, arguments))
    }

    fn within(config: &Path, program: PathBuf, arguments: Vec<String>) -> Self {
        Self {
            file: config.join("autostart").join(ENTRY_NAME),
            program,
            arguments,
        }
    }

    /// Writes or removes the entry. An entry that is already correct is not written. Blocking.
    ///
    /// # Errors
    /// `login-item`.
    pub fn follow(&self, wanted: bool, asked: LoginItemTrigger) -> Result<(), Report> {
        match (wanted, asked) {
            (true, _) => self.put(asked),
            (false, LoginItemTrigger::ByPerson) => self.remove(),
            // An entry that starts Guild Hall with another data folder is not removed.
            (false, LoginItemTrigger::AtStart) if self.is_own()? => self.remove(),
            (false, LoginItemTrigger::AtStart) => Ok(()),
        }
    }

    /// Whether the existing entry starts this program with these arguments, with or without
    /// `--hidden`.
    fn is_own(&self) -> Result<bool, Report> {
        let Some(there) = self.read()? else {
            return Ok(false);
        };
        let shown = self.arguments.iter().filter(|word| *word != HIDDEN);
        let shown: Vec<&str> = shown.map(String::as_str).collect();
        let hidden = [&shown[..], &[HIDDEN]].concat();
        let program = self.program.to_string_lossy();
        let is_ours = |arguments: &[&str]| {
            let ours = entry(&program, arguments);
            ours.is_ok_and(|ours| exec(&ours) == exec(&there))
        };
        Ok(is_ours(&shown) || is_ours(&hidden))
    }

    fn read(&self) -> Result<Option<String>, Report> {
        match read_bounded(&self.file, BYTES_MAX) {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.refused(&error)),
        }
    }

    fn put(&self, asked: LoginItemTrigger) -> Result<(), Report> {
        let program = self.program.to_str();
        let program = program.ok_or_else(|| self.trouble(DesktopErrorCause::NoUtf8))?;
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let wanted = entry(program, &arguments).map_err(|problem| self.trouble(problem))?;
        let there = self.read()?;
        if there.as_deref() == Some(wanted.as_str()) {
            return Ok(());
        }
        if asked == LoginItemTrigger::AtStart && there.as_deref().is_some_and(is_switched_off) {
            return Err(self.trouble(DesktopErrorCause::SwitchedOff));
        }
        if let Some(folder) = self.file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| self.refused(&error))?;
        }
        write_atomically(&self.file, wanted.as_bytes()).map_err(|error| self.refused(&error))
    }

    fn remove(&self) -> Result<(), Report> {
        match std::fs::remove_file(&self.file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.refused(&error)),
            _ => Ok(()),
        }
    }

    fn refused(&self, error: &io::Error) -> Report {
        self.trouble(DesktopErrorCause::Refused(io_message(error)))
    }

    fn trouble(&self, problem: DesktopErrorCause) -> Report {
        let trouble = DesktopError::Login(self.file.clone(), problem);
        Report::from_error(Code::LoginItem, &trouble)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(config: &Path) -> LoginItem {
        let program = PathBuf::from("/opt/Guild Hall/guild-hall");
        LoginItem::within(config, program, vec!["--hidden".to_owned()])
    }

    #[test]
    fn the_entry_follows_the_settings() {
        let config = tempfile::tempdir().expect("a folder");
        let item = item(config.path());
        item.follow(false, LoginItemTrigger::AtStart)
            .expect("none to remove");
        item.follow(true, LoginItemTrigger::AtStart)
            .expect("written");
        let text = std::fs::read_to_string(&item.file).expect("an entry");
        assert!(
            text.contains("Exec=\"/opt/Guild Hall/guild-hall\" --hidden\n"),
            "{text}"
        );
        // An entry that starts a moved program is replaced.
        std::fs::write(&item.file, text.replace("/opt", "/old")).expect("written");
        item.follow(true, LoginItemTrigger::AtStart)
            .expect("written");
        assert_eq!(std::fs::read_to_string(&item.file).expect("an entry"), text);
        item.follow(false, LoginItemTrigger::ByPerson)
            .expect("removed");
        assert!(!item.file.exists());
    }

    #[test]
    fn login_entry_disabled_elsewhere_stays_off() {
        let config = tempfile::tempdir().expect("a folder");
        let item = item(config.path());
        item.follow(true, LoginItemTrigger::ByPerson)
            .expect("written");
        let text = std::fs::read_to_string(&item.file).expect("an entry");
        let off = format!("{text}Hidden=true\n");
        std::fs::write(&item.file, &off).expect("written");
        let report = item
            .follow(true, LoginItemTrigger::AtStart)
            .expect_err("left as it is");
        assert_eq!(report.code, Code::LoginItem);
        assert_eq!(std::fs::read_to_string(&item.file).expect("an entry"), off);
        item.follow(true, LoginItemTrigger::ByPerson)
            .expect("written");
        assert_eq!(std::fs::read_to_string(&item.file).expect("an entry"), text);
    }

    #[test]
    fn a_start_removes_its_own_entry_alone() {
        let config = tempfile::tempdir().expect("a folder");
        let hidden = item(config.path());
        let program = hidden.program.clone();
        let over = |arguments: &[&str]| {
            let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
            LoginItem::within(config.path(), program.clone(), arguments)
        };
        hidden
            .follow(true, LoginItemTrigger::ByPerson)
            .expect("written");
        let other = over(&["--data", "/elsewhere"]);
        other
            .follow(false, LoginItemTrigger::AtStart)
            .expect("left");
        assert!(hidden.file.exists());
        over(&[])
            .follow(false, LoginItemTrigger::AtStart)
            .expect("removed");
        assert!(!hidden.file.exists(), "with its window or without");
    }

    #[test]
    fn a_folder_that_can_not_be_written_is_told() {
        let config = tempfile::tempdir().expect("a folder");
        std::fs::write(config.path().join("autostart"), "a file").expect("written");
        let report = item(config.path())
            .follow(true, LoginItemTrigger::ByPerson)
            .expect_err("no folder");
        assert_eq!(report.code, Code::LoginItem);
        assert!(report.message.contains("autostart"), "{}", report.message);
    }
}
