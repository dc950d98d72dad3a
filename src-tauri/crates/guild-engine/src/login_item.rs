//! Starts the app at login if the settings say so.

#[cfg(not(any(windows, target_os = "macos")))]
mod desktop_entry;
#[cfg(any(windows, target_os = "macos"))]
mod launcher;

#[cfg(not(any(windows, target_os = "macos")))]
pub use self::desktop_entry::LoginItem;
#[cfg(any(windows, target_os = "macos"))]
pub use self::launcher::LoginItem;

/// The reason why the login entry is updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginItemTrigger {
    /// The program has just started. An entry that a person has disabled in the system stays
    /// disabled.
    AtStart,
    /// A person has just changed the settings.
    ByPerson,
}
