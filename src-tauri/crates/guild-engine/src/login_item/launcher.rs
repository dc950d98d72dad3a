//! The start at login on macOS and Windows: a launch agent or a registry value, written by
//! `auto-launch`.

use std::path::PathBuf;

use auto_launch::{AutoLaunch, AutoLaunchBuilder, WindowsEnableMode};
use guild_api::messages::{DesktopError, DesktopErrorCause};
use guild_model::{Code, Report};

use super::LoginItemTrigger;

/// The name of the entry.
const NAME: &str = "Guild Hall";

/// The entry that starts a program at login.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginItem {
    program: PathBuf,
    arguments: Vec<String>,
}

impl LoginItem {
    /// Returns the entry that starts `program` when this user logs in.
    pub fn of_user(program: PathBuf, arguments: Vec<String>) -> Option<Self> {
        Some(Self { program, arguments })
    }

    /// Writes or removes the entry. Blocking.
    ///
    /// # Errors
    /// `login-item`.
    pub fn follow(&self, wanted: bool, asked: LoginItemTrigger) -> Result<(), Report> {
        let entry = self.entry()?;
        let refused =
            |error: auto_launch::Error| self.trouble(DesktopErrorCause::Refused(error.to_string()));
        match (wanted, asked) {
            // On Windows, a person can disable the entry in the system's list of startup apps.
            (true, LoginItemTrigger::AtStart)
                if cfg!(windows) && !entry.is_enabled().map_err(refused)? =>
            {
                Err(self.trouble(DesktopErrorCause::SwitchedOff))
            }
            (true, _) => entry.enable().map_err(refused),
            (false, LoginItemTrigger::ByPerson) => entry.disable().map_err(refused),
            // The entry is not removed, since it may start Guild Hall with another data folder.
            (false, LoginItemTrigger::AtStart) => Ok(()),
        }
    }

    fn entry(&self) -> Result<AutoLaunch, Report> {
        let program = self.program.to_str();
        let program = program.ok_or_else(|| self.trouble(DesktopErrorCause::NoUtf8))?;
        let arguments: Vec<String> = self.arguments.iter().map(|text| word(text)).collect();
        let built = AutoLaunchBuilder::new()
            .set_app_name(NAME)
            .set_app_path(&word(program))
            .set_args(&arguments)
            .set_windows_enable_mode(WindowsEnableMode::CurrentUser)
            .build();
        built.map_err(|error| self.trouble(DesktopErrorCause::Refused(error.to_string())))
    }

    fn trouble(&self, problem: DesktopErrorCause) -> Report {
        let trouble = DesktopError::Login(self.program.clone(), problem);
        Report::from_error(Code::LoginItem, &trouble)
    }
}

/// Escapes an argument of the command, because `auto-launch` does not escape arguments.
fn word(text: &str) -> String {
    if cfg!(windows) {
        // A backslash before the closing quote would escape it.
        let tail = text.len() - text.trim_end_matches('\\').len();
        format!("\"{text}{}\"", "\\".repeat(tail))
    } else {
        text.replace('&', "&amp;").replace('<', "&lt;")
    }
}
