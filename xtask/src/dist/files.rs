//! Small operations on the files of packages.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Result};
use fs_err as fs;

use crate::program::Program;

/// Copies a file, and creates the folders of its new path.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    make_parent(to)?;
    fs::copy(from, to)?;
    Ok(())
}

/// Writes a file, and creates the folders of its path.
pub(crate) fn write(file: &Path, text: &str) -> Result<()> {
    make_parent(file)?;
    fs::write(file, text)?;
    Ok(())
}

fn make_parent(file: &Path) -> Result<()> {
    let folder = file.parent().context("a file without a folder")?;
    fs::create_dir_all(folder)?;
    Ok(())
}

/// Replaces a file with a gzip file that contains neither the name nor the time of the original.
pub(crate) fn compress(file: &Path) -> Result<()> {
    Program::new("gzip")
        .words("-9 --no-name --force")
        .args([file])
        .run()
}

/// Makes a file executable for all users.
pub(crate) fn make_executable(file: &Path) -> Result<()> {
    fs::set_permissions(file, Permissions::from_mode(0o755))?;
    Ok(())
}

/// Returns the paths of all files and links below a folder, sorted and relative to it.
pub(crate) fn files_under(folder: &Path) -> Result<Vec<String>> {
    let listed = Program::new("find")
        .args([folder])
        .args(["-not", "-type", "d", "-printf", "%P\\n"])
        .text()?;
    let mut files: Vec<String> = listed.lines().map(str::to_owned).collect();
    files.sort();
    Ok(files)
}
