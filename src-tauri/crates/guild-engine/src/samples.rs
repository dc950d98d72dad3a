//! The sample members, which the first start puts into the user's data folder.

use std::path::{Path, PathBuf};

use guild_core::{Code, Report};

/// The samples' folder names.
pub(crate) const NAMES: [&str; 3] = ["workshop", "gallery", "lookout"];

const MANIFESTS: [&str; 3] = [
    include_str!("../../../../guild-members/workshop/plugin.json"),
    include_str!("../../../../guild-members/gallery/plugin.json"),
    include_str!("../../../../guild-members/lookout/plugin.json"),
];

/// Puts the samples into `folder` unless it exists already, and gives the folder back.
///
/// A user who removes a sample does not get it back.
pub(crate) fn install_once(folder: &Path) -> Result<PathBuf, Report> {
    if !folder.exists() {
        // Put together beside it and renamed, so that a start that is cut short is repeated whole.
        let write_all = || -> std::io::Result<()> {
            let parent = folder.parent().ok_or(std::io::ErrorKind::InvalidInput)?;
            std::fs::create_dir_all(parent)?;
            let staging = tempfile::tempdir_in(parent)?;
            for (name, manifest) in NAMES.iter().zip(MANIFESTS) {
                let member = staging.path().join(name);
                std::fs::create_dir(&member)?;
                std::fs::write(member.join("plugin.json"), manifest)?;
            }
            std::fs::rename(staging.keep(), folder)
        };
        write_all().map_err(|error| {
            Report::new(
                Code::DataUnwritable,
                format!(
                    "The sample members can't be put into {}: {error}.",
                    folder.display()
                ),
                "Make the folder writable, or name another with --members DIR or --data DIR.",
            )
        })?;
    }
    Ok(folder.to_owned())
}
