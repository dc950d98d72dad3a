//! MCPB bundles (`.mcpb`, formerly `.dxt`): their `manifest.json`, their launch on a machine, and
//! the file names that may be unpacked.
//!
//! [`parse`] reads manifests of the versions 0.1 to 0.4. Fields that decide what is run must be
//! valid. Invalid descriptions are dropped with a note. [`BundleManifest::plan`] returns the launch
//! on this machine, with placeholders for a person's answers. [`Layout`] checks each name of the
//! archive, and refuses names outside the target folder. [`crate::bundles`] reads the archive.

mod layout;
mod manifest;
mod planning;

pub use self::layout::{BundleEntryKind, EntryPath, Layout};
pub use self::manifest::{
    BundleManifest, BundleServer, MANIFEST_BYTES_MAX, McpConfig, ServerType, parse,
};
pub use self::planning::{Machine, Planned};
pub use crate::listing::compared;

/// The manifest's name in a bundle.
pub(crate) const MANIFEST: &str = "manifest.json";

#[cfg(test)]
mod tests;
