//! MCPB bundles: looked into without a trace, and unpacked into a member's folder.
//!
//! An [`Archive`] was checked as a whole before anything of it is written: what the zip format
//! leaves open (names twice, entries over each other, local headers that say something else) is
//! refused, so that what was looked into is what is unpacked. It is unpacked ([`unpacking`]) beside
//! its place, and is there whole or not at all.
//!
//! ```text
//! NAME/plugin.json         the manifest; its command leads into the folder below
//! NAME/mcpb.json           which bundle it is, and what was answered ([`record`])
//! NAME/bundle-DIGEST/      the bundle's files; another version has another folder
//! ```

mod archive;
mod placing;
mod record;
mod unpacking;
mod window;

use std::path::{Path, PathBuf};

use guild_core::client_config::System;
use guild_core::mcpb::{Machine, Planned};
use guild_core::note::{BundleFault, BundleTrouble, InstallTrouble};
use guild_core::{Code, Report};

pub(crate) use self::archive::Archive;
pub(crate) use self::placing::{Update, clear_unused, is_in_use, put_there, sweep};
pub(crate) use self::record::{Installed, Record, installed};
pub(crate) use self::unpacking::{Unpacked, unpack};

/// What an origin says of a member that was made of a bundle.
pub(crate) const ORIGIN: &str = "bundle";

/// Why a bundle can't be used.
pub(crate) fn unusable(path: &Path, wrong: BundleFault) -> Report {
    let trouble = BundleTrouble::Unusable(path.to_owned(), wrong);
    Report::told(Code::McpbUnusable, &trouble)
}

/// Nobody waits for it any more.
pub(crate) fn cancelled() -> Report {
    Report::told(Code::CallCancelled, &InstallTrouble::Cancelled)
}

impl Archive {
    /// What the bundle comes to on this machine.
    ///
    /// # Errors
    /// `mcpb-unusable`.
    pub(crate) fn planned(&self) -> Result<Planned, Report> {
        let planned = self.manifest.plan(&machine(), &self.layout, &self.folder());
        planned.map_err(|wrong| unusable(&self.path, wrong))
    }

    /// The name of the folder that its files are in.
    pub(crate) fn folder(&self) -> String {
        format!("{FOLDER}{}", &self.digest[..FOLDER_DIGITS])
    }
}

/// How the names of folders begin that bundles are unpacked to.
const FOLDER: &str = "bundle-";
/// How many digits of a bundle's digest are in the name of its folder.
const FOLDER_DIGITS: usize = 16;

fn machine() -> Machine {
    let dirs = directories::UserDirs::new();
    let home = match &dirs {
        Some(dirs) => dirs.home_dir().to_owned(),
        None => std::env::home_dir().unwrap_or_else(|| PathBuf::from("/")),
    };
    let text = |path: &Path| path.to_string_lossy().into_owned();
    // A system without such a folder has none of another name either.
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
