//! Starts the app at login if the settings say so.

#[cfg(not(any(windows, target_os = "macos")))]
mod desktop_entry;
#[cfg(any(windows, target_os = "macos"))]
mod launcher;

#[cfg(not(any(windows, target_os = "macos")))]
pub use self::desktop_entry::LoginItem;
#[cfg(any(windows, target_os = "macos"))]
pub use self::launcher::LoginItem;

/// The reason for updating the login entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginItemTrigger {
    /// The program has just started. If a person disabled the entry in the system, it stays
    /// disabled.
    AtStart,
    /// A person has just changed the settings.
    ByPerson,
}
