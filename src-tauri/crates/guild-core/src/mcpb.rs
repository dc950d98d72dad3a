//! MCPB bundles (`.mcpb`, once `.dxt`): what their `manifest.json` says, what comes of it on a
//! machine, and which names of files may be unpacked.
//!
//! [`parse`] reads the manifest of the versions 0.1 to 0.4. What decides what is run has to be
//! right; what only describes is left out, with a note, where it is wrong. [`BundleManifest::plan`]
//! makes it what would be run here, with places for what a person is asked. [`Layout`] is told each
//! name of the archive and refuses what could be written to another place than it says. The archive
//! itself is read by the engine.

mod layout;
mod manifest;
mod planning;

pub use self::layout::{EntryPath, Kind, Layout};
pub use self::manifest::{
    BundleManifest, Declared, MANIFEST_BYTES_MAX, McpConfig, Server, ServerType, Setting,
    SettingType, parse,
};
pub use self::planning::{Machine, Planned, compared};

/// The manifest's name in a bundle.
pub const MANIFEST: &str = "manifest.json";

#[cfg(test)]
mod tests;
