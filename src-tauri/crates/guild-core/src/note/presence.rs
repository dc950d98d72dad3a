//! Errors of the tray, the shortcut, notifications and start at login.

use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

/// An error of the tray, the shortcut, the notifications or start at login.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum PresenceTrouble {
    #[error("Start at login does not match the settings: {0}: {1}.")]
    #[diagnostic(help("Check that file; switching the setting off and on again rewrites it."))]
    Login(PathBuf, PresenceWrong),
    #[error(
        "The start at login can't follow the settings: this program or its user has no folder."
    )]
    #[diagnostic(help("Start Guild Hall from the system's settings instead."))]
    NoLogin,
    #[error("The desktop has no tray for Guild Hall's icon: {0}.")]
    #[diagnostic(help(
        "Switch the desktop's tray on. Until then, closing the window ends Guild Hall."
    ))]
    Tray(String),
    #[error("The desktop shows no notifications: {0}.")]
    #[diagnostic(help(
        "Start the desktop's notification service; the messages are in the window."
    ))]
    Notifications(String),
    #[error("The shortcut {0} is not available: {1}.")]
    #[diagnostic(help(
        "Choose other keys, or give the command `guild-hall guildhall://page/palette` keys in the desktop's own settings."
    ))]
    Shortcut(String, PresenceWrong),
}

/// The cause of such an error.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PresenceWrong {
    #[error("the program's path is not UTF-8")]
    NoUtf8,
    #[error("{0} has the character {1}")]
    Character(String, String),
    #[error("it was switched off in the desktop's own settings")]
    SwitchedOff,
    #[error("the session bus does not answer")]
    NoBus,
    #[error("the desktop does not answer")]
    NoDesktop,
    #[error("no program shows it")]
    NotShown,
    #[error("Wayland does not pass keys to programs in the background")]
    Wayland,
    #[error("there is no such key")]
    NoKey,
    #[error("the keyboard has no such key")]
    NoSuchKey,
    #[error("the display has no screen")]
    NoScreen,
    #[error("the connection to the display was lost: {0}")]
    Lost(String),
    #[error("another program has these keys")]
    Taken,
    #[error("{0}")]
    Refused(String),
}
