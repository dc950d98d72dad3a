//! MCPB bundles: inspected without side effects, and unpacked into a member's folder.
//!
//! An [`Archive`] is fully checked before anything is written. Ambiguous zip files (duplicate
//! names, overlapping entries, different local headers) are rejected, so that exactly the inspected
//! files are unpacked. A bundle is unpacked ([`unpacking`]) next to its final folder and then moved
//! atomically.
//!
//! ```text
//! NAME/plugin.json         the manifest; its command refers to the folder below
//! NAME/mcpb.json           the bundle and the answers ([`record`])
//! NAME/bundle-DIGEST/      the bundle's files; another version has another folder
//! ```

mod archive;
mod placing;
mod record;
mod unpacking;
mod window;

use std::path::{Path, PathBuf};

use crate::mcpb::{Machine, Planned};
use crate::messages::{BundleError, BundleFault};
use guild_client_config::System;
use guild_files::messages::InstallError;
use guild_model::{Code, Report};

pub use self::archive::Archive;
pub use self::placing::{Update, clear_unused, is_in_use, put_there, sweep};
pub use self::record::{BundleRecord, InstalledBundle, installed};
pub use self::unpacking::{Unpacked, unpack};

/// The source (`from`) in the `origin` of a member that was installed from a bundle.
pub const ORIGIN: &str = "bundle";

/// Returns the `mcpb-unusable` report about a bundle's file.
pub fn unusable(path: &Path, wrong: BundleFault) -> Report {
    let trouble = BundleError::Unusable(path.to_owned(), wrong);
    Report::from_error(Code::McpbUnusable, &trouble)
}

/// Returns the `call-cancelled` report about a cancelled installation.
pub fn cancelled() -> Report {
    Report::from_error(Code::CallCancelled, &InstallError::Cancelled)
}

impl Archive {
    /// Plans the launch of the bundle on this machine.
    ///
    /// # Errors
    /// `mcpb-unusable`.
    pub fn planned(&self) -> Result<Planned, Report> {
        let planned = self.manifest.plan(&machine(), &self.layout, &self.folder());
        planned.map_err(|wrong| unusable(&self.path, wrong))
    }

    /// Returns the name of the folder with the bundle's files.
    pub fn folder(&self) -> String {
        format!("{FOLDER}{}", &self.digest[..FOLDER_DIGITS])
    }
}

/// Prefix of the folders of unpacked bundles.
const FOLDER: &str = "bundle-";
/// Number of digits of a bundle's digest in its folder's name.
const FOLDER_DIGITS: usize = 16;

fn machine() -> Machine {
    let dirs = directories::UserDirs::new();
    let home = match &dirs {
        Some(dirs) => dirs.home_dir().to_owned(),
        None => std::env::home_dir().unwrap_or_else(|| PathBuf::from("/")),
    };
    let text = |path: &Path| path.to_string_lossy().into_owned();
    // Uses the default name if the system does not define the folder.
    let folder = |known: Option<&Path>, usual: &str| match known {
        Some(known) => text(known),
        None => text(&home.join(usual)),
    };
    let dirs = dirs.as_ref();
    Machine {
        system: System::OWN,
        desktop: folder(dirs.and_then(|dirs| dirs.desktop_dir()), "Desktop"),
        documents: folder(dirs.and_then(|dirs| dirs.document_dir()), "Documents"),
        downloads: folder(dirs.and_then(|dirs| dirs.download_dir()), "Downloads"),
        home: text(&home),
    }
}
