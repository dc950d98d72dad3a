//! The start at login, which follows the settings.

#[cfg(not(any(windows, target_os = "macos")))]
mod desktop_entry;
#[cfg(any(windows, target_os = "macos"))]
mod launcher;

#[cfg(not(any(windows, target_os = "macos")))]
pub use self::desktop_entry::LoginItem;
#[cfg(any(windows, target_os = "macos"))]
pub use self::launcher::LoginItem;

/// Who asks for the entry to be as the settings have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The program, which has just started: what a person switched off elsewhere stays so.
    AtStart,
    /// A person, who has just changed the settings.
    ByPerson,
}
