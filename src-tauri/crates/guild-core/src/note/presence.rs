//! Why Guild Hall is not where it should be outside its window.

use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

/// Why the tray, the shortcut, the notifications or the start at login are not there.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum PresenceTrouble {
    #[error("The start at login is not as the settings have it: {0}: {1}.")]
    #[diagnostic(help(
        "Look at that file; switching the setting off and on again writes it anew."
    ))]
    Login(PathBuf, PresenceWrong),
    #[error(
        "The start at login can't follow the settings: this program or its user has no folder."
    )]
    #[diagnostic(help("Have the system's own settings start Guild Hall."))]
    NoLogin,
    #[error("The desktop has no tray for Guild Hall's icon: {0}.")]
    #[diagnostic(help(
        "Switch the desktop's tray on. Until then, closing the window ends Guild Hall."
    ))]
    Tray(String),
    #[error("The desktop shows no notifications: {0}.")]
    #[diagnostic(help(
        "Start the desktop's notification service; what was to be told stands in the window."
    ))]
    Notifications(String),
    #[error("The shortcut {0} can't be had: {1}.")]
    #[diagnostic(help(
        "Choose other keys, or give the command `guild-hall guildhall://page/palette` keys in the desktop's own settings."
    ))]
    Shortcut(String, PresenceWrong),
}

/// What is in the way: the rest of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PresenceWrong {
    #[error("the program's path is no UTF-8")]
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
    #[error("on Wayland no program gets keys that are pressed in another")]
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
