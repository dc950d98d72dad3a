//! The start at login, which follows the settings.

#[cfg(not(any(windows, target_os = "macos")))]
mod desktop_entry;
#[cfg(any(windows, target_os = "macos"))]
mod launcher;

#[cfg(not(any(windows, target_os = "macos")))]
pub use self::desktop_entry::LoginItem;
#[cfg(any(windows, target_os = "macos"))]
pub use self::launcher::LoginItem;

/// Reason for updating the entry to the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginItemTrigger {
    /// The program has just started. An entry that a person disabled elsewhere stays disabled.
    AtStart,
    /// A person, who has just changed the settings.
    ByPerson,
}
