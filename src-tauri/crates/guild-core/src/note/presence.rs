//! Why Guild Hall is not where it should be outside its window.

use std::path::PathBuf;

use super::{notes, troubles};

troubles! {
    /// Why the tray, the shortcut, the notifications or the start at login are not there.
    PresenceTrouble;
    /// The start at login can't follow the settings.
    Login(file: PathBuf, problem: PresenceWrong)
        "The start at login is not as the settings have it: {file}: {problem}."
        "Look at that file; switching the setting off and on again writes it anew.";
    /// There is no place for an entry.
    NoLogin
        "The start at login can't follow the settings: this program or its user has no folder."
        "Have the system's own settings start Guild Hall.";
    /// No tray shows the icon.
    Tray(problem: String)
        "The desktop has no tray for Guild Hall's icon: {problem}."
        "Switch the desktop's tray on. Until then, closing the window ends Guild Hall.";
    /// Nothing is shown.
    Notifications(problem: String)
        "The desktop shows no notifications: {problem}."
        "Start the desktop's notification service; what was to be told stands in the window.";
    /// Its keys can't be had.
    Shortcut(keys: String, problem: PresenceWrong)
        "The shortcut {keys} can't be had: {problem}."
        "Choose other keys, or give the command `guild-hall guildhall://page/palette` keys in the desktop's own settings.";
}

notes! {
    /// What is in the way: the rest of a sentence.
    PresenceWrong;
    /// A path that can't be written down.
    NoUtf8
        "the program's path is no UTF-8";
    /// A character that can't be written down.
    Character(text: String, odd: String)
        "{text} has the character {odd}";
    /// A person has switched it off elsewhere.
    SwitchedOff
        "it was switched off in the desktop's own settings";
    /// Nobody answers.
    NoBus
        "the session bus does not answer";
    /// Nobody answers.
    NoDesktop
        "the desktop does not answer";
    /// Nobody shows it.
    NotShown
        "no program shows it";
    /// Wayland.
    Wayland
        "on Wayland no program gets keys that are pressed in another";
    /// There is no such key.
    NoKey
        "there is no such key";
    /// The keyboard has no such key.
    NoSuchKey
        "the keyboard has no such key";
    /// There is no screen.
    NoScreen
        "the display has no screen";
    /// The display is not spoken to any more.
    Lost(error: String)
        "the connection to the display was lost: {error}";
    /// Another program was faster.
    Taken
        "another program has these keys";
    /// The system says so.
    Refused(error: String)
        "{error}";
}
