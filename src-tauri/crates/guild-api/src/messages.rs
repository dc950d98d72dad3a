//! Messages about the tray, the notifications, the shortcut and start at login.

#![expect(missing_docs, reason = "the messages document the variants")]

use std::path::PathBuf;

use miette::Diagnostic;
use thiserror::Error;

/// An error of the tray, the shortcut, the notifications or start at login.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum DesktopError {
    #[error("Start at login does not match the settings: {0}: {1}.")]
    #[diagnostic(help("Check that file, or turn the setting off and on again."))]
    Login(PathBuf, DesktopErrorCause),
    #[error("Start at login can't be set up: the program or the home folder wasn't found.")]
    #[diagnostic(help("Start Guild Hall from the system's settings instead."))]
    NoLogin,
    #[error("The desktop has no tray: {0}.")]
    #[diagnostic(help(
        "Turn on the desktop's tray. Until then, closing the window quits Guild Hall."
    ))]
    Tray(String),
    #[error("The desktop can't show notifications: {0}.")]
    #[diagnostic(help(
        "Start the desktop's notification service. Messages also appear in the window."
    ))]
    Notifications(String),
    #[error("The shortcut {0} is not available: {1}.")]
    #[diagnostic(help(
        "Choose other keys, or set keys for the command `guild-hall guildhall://page/palette` in the desktop's settings."
    ))]
    Shortcut(String, DesktopErrorCause),
}

/// The cause of a [`DesktopError`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DesktopErrorCause {
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
    #[error("no panel displays tray icons")]
    NotShown,
    #[error("Wayland doesn't send keys to apps in the background")]
    Wayland,
    #[error("this key doesn't exist")]
    NoKey,
    #[error("the keyboard has no such key")]
    NoSuchKey,
    #[error("the display has no screen")]
    NoScreen,
    #[error("the connection to the display was lost: {0}")]
    Lost(String),
    #[error("another app uses these keys")]
    Taken,
    #[error("{0}")]
    Refused(String),
}

#[cfg(test)]
mod tests;
