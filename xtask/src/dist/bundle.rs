//! Runs Tauri's bundler on programs that are already built. The bundler finds these programs, and
//! the sidecar `guildhall`, in a work folder, so that the source tree stays clean.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use fs_err as fs;
use serde_json::{Value, json};

use crate::program::Program;
use crate::{app, ui};

/// Time limit. Good compression of two programs takes minutes on a slow machine.
const PACK_LIMIT: Duration = Duration::from_secs(20 * 60);

/// Makes bundles in the formats that the bundler calls `formats`. `settings` extend
/// `tauri.conf.json`. Returns the folder that has one folder for each format.
pub(crate) fn build(
    formats: &[&str],
    programs: &Path,
    work: &Path,
    mut settings: Value,
) -> Result<PathBuf> {
    let (release, sidecars) = (work.join("release"), work.join("sidecar"));
    let triple = format!("guildhall-{}", host()?);
    for (name, folder, place) in [
        ("guild-hall", &release, "guild-hall"),
        ("guildhall", &sidecars, &*triple),
    ] {
        fs::create_dir_all(folder)?;
        let place = format!("{place}{}", std::env::consts::EXE_SUFFIX);
        let program = app::program_in(programs, name);
        fs::copy(&program, folder.join(place))?;
    }
    // This is not in `tauri.conf.json`, since each build by cargo would then need the sidecar.
    settings["bundle"]["externalBin"] = json!([sidecars.join("guildhall")]);
    let config = work.join("bundle.json");
    fs::write(&config, settings.to_string()).context("writing the bundler's settings")?;
    ui::script("tauri")
        .words("-- bundle --ci --no-sign")
        // The AppImage contains the same program, but updates itself in another way.
        .args(["--no-binary-patching"])
        .args(["--bundles", &formats.join(",")])
        .args(["--config".as_ref(), config.as_os_str()])
        .env("CARGO_TARGET_DIR", work)
        .limit(PACK_LIMIT)
        .run()?;
    Ok(release.join("bundle"))
}

/// Returns the target triple of this system.
pub(crate) fn host() -> Result<String> {
    let said = Program::new("rustc").args(["-vV"]).text()?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}
