//! Why Guild Hall is not where it should be outside its window.

use std::path::PathBuf;

use super::{Each, notes, troubles};

troubles! {
    /// Why the tray, the shortcut, the notifications or the start at login are not there.
    PresenceTrouble;
    /// The start at login can't follow the settings.
    Login(file: PathBuf, problem: PresenceWrong)
        "The start at login is not as the settings have it: {file}: {problem}."
        "Der Start bei der Anmeldung ist nicht so, wie die Einstellungen es wollen: {file}: {problem}."
        "Look at that file; switching the setting off and on again writes it anew."
        "Diese Datei ansehen; wird die Einstellung aus- und wieder eingeschaltet, so wird sie neu geschrieben.";
    /// Another system.
    NoLogin
        "The start at login is there on Linux alone."
        "Den Start bei der Anmeldung gibt es nur unter Linux."
        "Have the system's own settings start Guild Hall."
        "Guild Hall durch die Einstellungen des Systems starten lassen.";
    /// No tray shows the icon.
    Tray(problem: Each)
        "The desktop has no tray for Guild Hall's icon: {problem}."
        "Der Desktop hat keinen Infobereich für das Symbol von Guild Hall: {problem}."
        "Switch the desktop's tray on. Until then, closing the window ends Guild Hall."
        "Den Infobereich des Desktops einschalten. Bis dahin beendet das Schließen des Fensters Guild Hall.";
    /// Another system.
    NoTray(problem: Each)
        "There is no icon of Guild Hall: {problem}."
        "Ein Symbol von Guild Hall gibt es nicht: {problem}."
        "Closing the window ends Guild Hall."
        "Das Schließen des Fensters beendet Guild Hall.";
    /// Nothing is shown.
    Notifications(problem: Each)
        "The desktop shows no notifications: {problem}."
        "Der Desktop zeigt keine Benachrichtigungen: {problem}."
        "Start the desktop's notification service; what was to be told stands in the window."
        "Den Dienst des Desktops für Benachrichtigungen starten; was zu melden war, steht im Fenster.";
    /// Another system.
    NoNotifications
        "Guild Hall's notifications are there on Linux alone."
        "Benachrichtigungen von Guild Hall gibt es nur unter Linux."
        "What was to be told stands in the window."
        "Was zu melden war, steht im Fenster.";
    /// Its keys can't be had.
    Shortcut(keys: String, problem: PresenceWrong)
        "The shortcut {keys} can't be had: {problem}."
        "Das Tastenkürzel {keys} ist nicht zu haben: {problem}."
        "Choose other keys, or give the command `guild-hall guildhall://page/palette` keys in the desktop's own settings."
        "Andere Tasten wählen oder dem Befehl `guild-hall guildhall://page/palette` in den Einstellungen des Desktops Tasten geben.";
    /// Another system.
    NoShortcut(keys: String)
        "The shortcut {keys} can't be had: it is there on Linux alone."
        "Das Tastenkürzel {keys} ist nicht zu haben: Es gibt es nur unter Linux."
        ""
        "";
}

notes! {
    /// What is in the way: the rest of a sentence.
    PresenceWrong;
    /// A path that can't be written down.
    NoUtf8
        "the program's path is no UTF-8"
        "der Pfad des Programms ist kein UTF-8";
    /// A character that can't be written down.
    Character(text: String, odd: String)
        "{text} has the character {odd}"
        "{text} hat das Zeichen {odd}";
    /// A person has switched it off elsewhere.
    SwitchedOff
        "it was switched off in the desktop's own settings"
        "er wurde in den Einstellungen des Desktops ausgeschaltet";
    /// Nobody answers.
    NoBus
        "the session bus does not answer"
        "der Session-Bus antwortet nicht";
    /// Nobody answers.
    NoDesktop
        "the desktop does not answer"
        "der Desktop antwortet nicht";
    /// Nobody shows it.
    NotShown
        "no program shows it"
        "kein Programm zeigt es";
    /// Wayland.
    Wayland
        "on Wayland no program gets keys that are pressed in another"
        "unter Wayland bekommt kein Programm Tasten, die in einem anderen gedrückt werden";
    /// There is no such key.
    NoKey
        "there is no such key"
        "eine solche Taste gibt es nicht";
    /// The keyboard has no such key.
    NoSuchKey
        "the keyboard has no such key"
        "die Tastatur hat keine solche Taste";
    /// There is no screen.
    NoScreen
        "the display has no screen"
        "das Display hat keinen Bildschirm";
    /// The display is not spoken to any more.
    Lost(error: Each)
        "the connection to the display was lost: {error}"
        "die Verbindung zum Display ging verloren: {error}";
    /// Another program was faster.
    Taken
        "another program has these keys"
        "ein anderes Programm hat diese Tasten";
    /// Another system.
    NotHere
        "it is there on Linux alone"
        "das gibt es nur unter Linux";
    /// The system says so.
    Refused(error: Each)
        "{error}"
        "{error}";
}
