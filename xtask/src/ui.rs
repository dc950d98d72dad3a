//! Builds the web UI if its sources are newer than the last build.

use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use fs_err as fs;

use crate::program::Program;
use crate::setup;

/// The generated folders in `ui/`.
const MADE: &[&str] = &["node_modules", "dist", ".vite"];

/// Builds `ui/dist`, unless it is newer than all its sources.
pub(crate) fn build() -> Result<()> {
    let ui = crate::root().join("ui");
    let built = setup::modified(&ui.join("dist/index.html"));
    if built.is_some() && built > newest(&ui, MADE)? {
        return Ok(());
    }
    script("build").limit(Duration::from_secs(10 * 60)).run()
}

/// Returns the command for a script of `ui/package.json`.
pub(crate) fn script(name: &str) -> Program {
    Program::npm()
        .args(["run", "--silent", name])
        .folder(&crate::root().join("ui"))
        .env("NO_COLOR", "1")
}

/// Returns the time of the last change or removal of a file.
fn newest(folder: &Path, apart_from: &[&str]) -> Result<Option<SystemTime>> {
    let mut newest = None;
    let entries = fs::read_dir(folder)?;
    for entry in entries {
        let entry = entry.with_context(|| format!("reading {}", folder.display()))?;
        if apart_from.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        // A folder's time changes when one of its files is removed.
        newest = newest.max(setup::modified(&entry.path()));
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            newest = newest.max(self::newest(&entry.path(), &[])?);
        }
    }
    Ok(newest)
}
